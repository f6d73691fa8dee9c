"""Room `ops`. Owns: what one can do. Each function is one deed; it answers with a value. The only door to I/O.

May import: `storage`, `search`, `config`, `domain`, `i18n`. Must not: import a face or Qt.
"""
