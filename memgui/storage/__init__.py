"""Room `storage`. Owns: files on disk (read, compare and replace, scan), kept copies, journal, crash journal, lock.

May import: `domain`, `i18n`. Must not: import `search`, `config`, `ops`, a face, or Qt.
"""
