"""Room `gui.panels`. Owns: one module or package per panel; each shows what it is given and asks by `..._requested` signals.

May import: `gui.models`, `gui.actions`, `gui.kit`, theme, icons, notices, `domain`. Must not: know another panel or the session.
"""
