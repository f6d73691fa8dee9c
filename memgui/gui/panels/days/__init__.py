"""Days: a week of daily logs to read, a calendar to choose it by, and a field that adds a line to today's log."""

from memgui.gui.panels.days.panel import DaysPanel

__all__ = ["DaysPanel"]
