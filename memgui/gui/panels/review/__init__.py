"""Package `gui.panels.review`. Owns: the place where a person goes through what was written and accepts or rejects it.

May import: what a panel may. Must not: the session; it shows what it is told and asks by signals.
"""
