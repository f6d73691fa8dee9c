"""PySide reads no source of what is loaded after the window's first module."""

from __future__ import annotations

import linecache
import sys
from types import ModuleType

import pytest

from memgui.gui.sources import leave_unread


def test_modules_loaded_from_now_on_are_not_read() -> None:
    leave_unread()
    feature = sys.modules["shibokensupport.feature"]
    before = set(linecache.cache)
    assert feature._mod_uses_pyside(ModuleType("one")) is True
    assert set(linecache.cache) == before


def test_a_pyside_that_does_not_look_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    other = ModuleType("shibokensupport.feature")
    monkeypatch.setitem(sys.modules, "shibokensupport.feature", other)
    leave_unread()
    assert not hasattr(other, "_mod_uses_pyside")
    monkeypatch.delitem(sys.modules, "shibokensupport.feature")
    leave_unread()
