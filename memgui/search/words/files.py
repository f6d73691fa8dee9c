"""The files of an index of words: for this user alone, whatever the process gives to others."""

from __future__ import annotations

import os
from typing import Any

from whoosh.filedb.filestore import FileStorage


class PrivateFiles(FileStorage):  # type: ignore[misc]
    """A folder in which every file of Whoosh's is made 0600."""

    def create_file(self, name: str, **options: Any) -> Any:
        if not options.get("excl"):
            self._make(name)
        return super().create_file(name, **options)

    def lock(self, name: str) -> Any:
        self._make(name, os.O_CREAT)
        return super().lock(name)

    def temp_storage(self, name: str | None = None) -> Any:
        folder = super().temp_storage(name).folder
        os.chmod(folder, 0o700)
        return PrivateFiles(folder)

    def _make(self, name: str, how: int = os.O_CREAT | os.O_TRUNC) -> None:
        os.close(os.open(self._fpath(name), os.O_WRONLY | how, 0o600))
