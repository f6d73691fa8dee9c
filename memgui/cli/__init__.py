"""Room `cli`. Owns: the command line: parser, rendering for people and as JSON, exit codes.

May import: `ops`, `domain`, `i18n`; starts `gui` only by name, for a window. Must not: import Qt, `storage`,
`search`, `config`.
"""
