"""Room `gui.panels`. Owns: one module or package per panel, which shows what it is given and asks by `..._requested`.

May import: `gui.models`, `gui.actions`, `gui.kit`, theme, icons, notices, `domain`.
Must not: know another panel or the session.
"""
