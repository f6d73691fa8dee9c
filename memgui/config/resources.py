"""Where the files that come with the program lie: icons, themes, the sample workspace."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def folder(*parts: str) -> Path:
    """A file or folder of `resources/`: inside the package where it was installed, beside it in a checkout."""
    installed = _PACKAGE / "resources"
    root = installed if installed.is_dir() else _PACKAGE.parent / "resources"
    return root.joinpath(*parts)
