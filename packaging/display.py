"""Exits 0 where a window can be shown: `DISPLAY` or `WAYLAND_DISPLAY` names a display that answers."""

from __future__ import annotations

import ctypes
import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path


def wayland(environ: Mapping[str, str]) -> bool:
    """Whether the Wayland display takes a connection."""
    name = environ.get("WAYLAND_DISPLAY", "")
    path = Path(environ.get("XDG_RUNTIME_DIR", "/")) / name
    if not name or not path.exists():
        return False
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(os.fsencode(path)) == 0


def x11(environ: Mapping[str, str]) -> bool:
    """Whether the X display takes a connection."""
    if not environ.get("DISPLAY"):
        return False
    try:
        xlib = ctypes.CDLL("libX11.so.6")
    except OSError:
        return False
    xlib.XOpenDisplay.restype = ctypes.c_void_p
    return xlib.XOpenDisplay(None) is not None


if __name__ == "__main__":
    sys.exit(0 if wayland(os.environ) or x11(os.environ) else 1)
