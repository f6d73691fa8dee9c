"""Keeps PySide from reading the source of every module that is loaded after it.

It looks there for its own name, should somebody want to write Qt's names in snake case in that module. Nobody does
here, and all those texts would stay in memory.
"""

from __future__ import annotations

import sys
from types import ModuleType


def leave_unread() -> None:
    """From now on every module counts as one that may use PySide. A PySide that does not look is left as it is."""
    feature = sys.modules.get("shibokensupport.feature")
    if feature is not None and callable(getattr(feature, "_mod_uses_pyside", None)):
        feature.__dict__["_mod_uses_pyside"] = _uses


def _uses(_module: ModuleType) -> bool:
    return True
