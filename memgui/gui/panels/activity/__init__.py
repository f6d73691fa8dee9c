"""The activity: what happened to memory, newest first, and by whom."""
