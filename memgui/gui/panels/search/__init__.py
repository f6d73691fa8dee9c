"""Package `gui.panels.search`. Owns: the search panel, the look of its rows, the words it explains a search with.

May import: what a panel may. Must not: search; it shows what it is told and asks by signals.
"""
