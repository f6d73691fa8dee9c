"""Room `config`. Owns: `Settings` (TOML, only differences saved) and `Places` (config, state, cache, runtime folders).

May import: `domain`, `i18n`. Must not: import `storage`, `search`, `ops`, a face, or Qt.
"""
