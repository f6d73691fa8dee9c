"""How often each agent has written lately: counters in the state folder, shared by all processes under the lock."""

from __future__ import annotations

import contextlib
import json
import math
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from memgui.domain.rates import Window
from memgui.storage import private

_MOST_BYTES = 1 << 20


class Rates:
    """The counters of one workspace. The caller holds the workspace's lock."""

    def __init__(self, state: Path) -> None:
        self._file = state / "rates.json"

    def read(self) -> dict[str, Window]:
        """The windows by name. What cannot be read counts as no calls: nobody is kept from writing by it."""
        try:
            with open(self._file, "rb") as file:
                values = json.loads(file.read(_MOST_BYTES))
            found = {str(name): Window(float(began), int(calls)) for name, (began, calls) in values.items()}
        except (OSError, ValueError, TypeError, AttributeError, RecursionError, OverflowError):
            return {}
        return {name: window for name, window in found.items() if math.isfinite(window.began)}

    def write(self, windows: Mapping[str, Window]) -> None:
        """Keep the windows, whole or not at all. OSError where the disk will not take them."""
        # Not waited for: a machine that stops loses some counts of the last seconds, and nothing else.
        private.folder(self._file.parent)
        temporary = self._file.with_name(f".rates-{os.getpid()}-{secrets.token_hex(4)}.tmp")
        data = json.dumps({name: [window.began, window.calls] for name, window in windows.items()}).encode()
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with open(handle, "wb") as file:
                file.write(data)
            os.replace(temporary, self._file)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
