"""Room `mcp`. Owns: the server that gives agents their tools: what each takes, its answer and errors, the protocol.

May import: `ops`, `domain`, `i18n`, the protocol's SDK. Must not: import Qt, `storage`, `search`, `config`; print.
"""
