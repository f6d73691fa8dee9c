"""A text and a disk that became one: noted, and the side that was not taken is a version."""

from __future__ import annotations

from pathlib import Path

from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.ops import documents, settling, workspace
from memgui.ops.chronicle import Chronicle
from memgui.ops.versions import all_versions
from memgui.storage.deeds import Deeds

MEMORY = DocPath("MEMORY.md")


def test_the_side_that_was_not_taken_is_a_version_and_the_newest_is_the_file_as_it_is(workspace_root: Path) -> None:
    ws = workspace.open(workspace_root, remember=False)
    before = documents.read(ws, MEMORY)
    documents.write(ws, MEMORY, b"theirs\n", expected=before.fingerprint, origin=Origin.agent("scribe"), now=1e9)
    settling.settled(ws, MEMORY, "took theirs", mine=b"mine\n", origin=Origin.you(), now=1e9 + 60)
    _path, versions = all_versions(ws, "MEMORY.md")
    history = Chronicle(ws).history
    held = [(history.bytes_of(one.hash), one.origin.label) for one in versions[-3:] if one.hash is not None]
    assert held == [(b"theirs\n", 'agent "scribe"'), (b"mine\n", "you"), (b"theirs\n", 'agent "scribe"')]
    assert documents.read(ws, MEMORY).data == b"theirs\n"
    assert [(deed.kind, deed.path, deed.detail) for deed in Deeds(ws.state).all()] == [("merge", MEMORY, "took theirs")]


def test_without_another_side_it_is_only_noted(workspace_root: Path) -> None:
    ws = workspace.open(workspace_root, remember=False)
    settling.settled(ws, MEMORY, "merged 2 lines", mine=None, origin=Origin.you(), now=1e9)
    assert len(all_versions(ws, "MEMORY.md")[1]) == 1
    assert [deed.detail for deed in Deeds(ws.state).all()] == ["merged 2 lines"]
