"""Room `domain`. Owns: the values and rules of agent memory (paths, documents, layouts, protection, changes, errors).

May import: the standard library, pure helpers, `i18n`. Must not: do I/O, read a clock, import Qt or any room above.
"""
