"""What comes with the program, for the faces: where an icon, a theme or the sample lies."""

from __future__ import annotations

from memgui.config.resources import folder

__all__ = ["folder"]
