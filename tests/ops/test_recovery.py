"""Unsaved text is kept, found again, and never more than a sentence in the way."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from memgui.domain.documents import fingerprint
from memgui.domain.errors import WriteFailed
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import recovery

MEMORY = DocPath("MEMORY.md")


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace", "id", "name", tmp_path / "state", tmp_path / "cache")


def test_unsaved_text_comes_back_with_what_it_was_typed_over(ws: Workspace) -> None:
    recovery.journal_unsaved(ws, MEMORY, b"base", b"first", now=1.0)
    recovery.journal_unsaved(ws, MEMORY, b"base", b"second", caret=4, now=2.0)
    recovery.journal_unsaved(ws, DocPath("new.md"), None, b"never saved", now=0.5)
    new, memory = recovery.unsaved(ws)
    assert (new.path, new.base, new.base_data, new.data) == ("new.md", None, None, b"never saved")
    assert (memory.base, memory.base_data, memory.data) == (fingerprint(b"base"), b"base", b"second")
    assert (memory.caret, memory.time) == (4, 2.0)
    recovery.drop_unsaved(ws, MEMORY)
    assert [unsaved.path for unsaved in recovery.unsaved(ws)] == ["new.md"]


def test_a_workspace_that_kept_nothing_has_nothing_unsaved(ws: Workspace) -> None:
    assert recovery.unsaved(ws) == ()
    recovery.drop_unsaved(ws, MEMORY)


def test_a_full_disk_is_a_sentence_and_the_last_text_stays(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    recovery.journal_unsaved(ws, MEMORY, b"base", b"first", now=1.0)

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteFailed, match=r"'MEMORY.md' could not be put in safety: the disk is full") as caught:
        recovery.journal_unsaved(ws, MEMORY, b"base", b"second")
    assert caught.value.hint
    with pytest.raises(WriteFailed):
        recovery.kept(ws, b"copy")
    monkeypatch.undo()
    assert [unsaved.data for unsaved in recovery.unsaved(ws)] == [b"first"]
    assert recovery.copies(ws).get(recovery.kept(ws, b"copy")) == b"copy"
