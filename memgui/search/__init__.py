"""Room `search`. Owns: the literal scan over folded text, its cache, snippets; all of it can be rebuilt from the files.

May import: `domain`, `i18n`. Must not: import `storage`, `config`, `ops`, a face, or Qt.
"""
