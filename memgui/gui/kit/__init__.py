"""Room `gui.kit`. Owns: small widgets and drawing that know nothing of memory.

May import: theme, icons. Must not: import `domain`.
"""
