"""The verbs that need the window: `open`, `demo`, `tour`, and no verb at all. Only here is the room `gui` named."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from types import ModuleType

from memgui.domain.errors import ExecutionFailed, NotFound
from memgui.i18n import _


def has_display() -> bool:
    """Whether a window could be seen, or somebody said which way it is to be drawn."""
    if os.environ.get("QT_QPA_PLATFORM") or not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def gui(name: str) -> ModuleType:
    """A module of the window. ExecutionFailed, with a sentence, where the toolkit is missing or does not load."""
    try:
        return importlib.import_module(f"memgui.gui.{name}")
    except ImportError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in ("PySide6", "shiboken6") and isinstance(error, ModuleNotFoundError):
            raise ExecutionFailed(
                _("The window needs PySide6, which is not installed."),
                hint=_("Install it with: pip install PySide6-Essentials. All other verbs work without it."),
            ) from error
        if missing in ("PySide6", "shiboken6"):
            raise ExecutionFailed(
                _("The window's toolkit does not load: {reason}.").format(reason=str(error).rstrip(".")),
                hint=_("A library of the system is missing. All other verbs work without it."),
            ) from error
        raise


def show(target: Path | None, line: int | None = None) -> int:
    """Open the window and stay until it is closed; where memgui runs already, it opens it, and this ends at once.

    ExecutionFailed where there is no display.
    """
    if not has_display():
        raise ExecutionFailed(
            _("No display was found, so no window can be opened."),
            hint=_(
                "'memgui tour --out DIR' renders the window's screens as pictures; the other verbs need no display."
            ),
        )
    from memgui.ops import instance

    # Before the toolkit is loaded: who only tells a program that runs already need not wait for it.
    entered = instance.enter(target, line)
    if entered.took:
        return 0
    try:
        code: int = gui("program").run(target, line, entered.door)
        return code
    finally:
        if entered.door is not None:
            entered.door.close()


def target_of(text: str, folder: Path | None) -> tuple[Path, int | None]:
    """The file or folder, and the line, that `PATH[:LINE]` means: from here, else in the workspace. NotFound."""
    path, _colon, number = text.rpartition(":")
    tries: list[tuple[str, int | None]] = [(text, None)]
    if path and number.isascii() and number.isdigit() and len(number) < 10:
        tries.append((path, max(1, int(number))))
    for name, line in tries:
        for base in (Path.cwd(), folder):
            if base is not None and os.path.lexists(base / name):
                return base / name, line
    raise NotFound(_("There is no '{path}'.").format(path=text))
