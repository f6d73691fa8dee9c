"""Room `cli`. Owns: the command line: parser, rendering for people and as JSON, exit codes.

May import: `ops`, `config`, `domain`, `i18n`; starts `gui` only by name, when a window is asked for. Must not: import Qt, `storage`, `search`.
"""
