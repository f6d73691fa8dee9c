"""What tests of the window stand on: one who waits for facts, and has patience."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

PATIENCE_MS = 30_000
"""So long a fact may take to come. It takes milliseconds; a machine that is at much else may need many of them."""


class PatientBot(QtBot):  # type: ignore[misc]
    """A `QtBot` of which nobody need say how long to wait. Only a test that fails waits so long."""

    def waitUntil(self, callback: Any, *, timeout: int = PATIENCE_MS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE_MS, **more: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **more)

    def waitSignals(self, signals: Any, *, timeout: int = PATIENCE_MS, **more: Any) -> Any:
        return super().waitSignals(signals, timeout=timeout, **more)

    def waitExposed(self, widget: Any, *, timeout: int = PATIENCE_MS) -> Any:
        return super().waitExposed(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """A person's hand at the program, and their eye."""
    return PatientBot(request)


@pytest.fixture(scope="session", autouse=True)
def _empty_clipboard() -> Iterator[None]:
    """What Python put on the clipboard of Qt's offscreen platform outlives Python there, and ends the process."""
    yield
    if isinstance(QApplication.instance(), QApplication):
        QApplication.clipboard().clear()
