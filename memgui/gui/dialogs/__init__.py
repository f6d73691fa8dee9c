"""Room `gui.dialogs`. Owns: the few windows that stand apart (preferences, keys, about).

May import: as panels do. Must not: do I/O, be modal.
"""
