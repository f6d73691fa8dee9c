"""Room `gui.dialogs`. Owns: the few windows that stand apart (preferences, about). May import as panels do. Must not: do I/O."""
