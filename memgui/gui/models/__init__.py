"""Room `gui.models`. Owns: Qt item models over domain values.

May import: kit and below, `domain`. Must not: hold widgets or do I/O.
"""
