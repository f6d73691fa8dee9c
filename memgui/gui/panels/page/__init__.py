"""Package `gui.panels.page`. Owns: documents in tabs, each a page with an editor, its bars and the state of its saving.

May import: what a panel may. Must not: read or write a file; it shows the Document it is given and asks by signals.
"""
