"""Several documents changed as one deed, and a document taken away through the gate."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from memgui.domain.documents import fingerprint
from memgui.domain.errors import Conflict, ProtectedDocument
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import documents, together, versions, workspace
from memgui.ops.together import Step
from memgui.storage.journal import IntentState, Journal
from tests.storage.killed import child

A, B, C = DocPath("a.md"), DocPath("b.md"), DocPath("c/c.md")
YOU = Origin.you()


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "w"
    root.mkdir()
    (root / A).write_bytes(b"a")
    (root / B).write_bytes(b"b")
    (root / "SOUL.md").write_bytes(b"soul")
    return workspace.open(root)


def everything(ws: Workspace) -> dict[str, bytes]:
    return {str(path.relative_to(ws.root)): path.read_bytes() for path in ws.root.rglob("*") if path.is_file()}


def test_a_deed_changes_makes_and_removes_and_is_taken_back_whole(ws: Workspace) -> None:
    before = everything(ws)
    deed = together.do(ws, [Step(A, b"a", b"A"), Step(B, b"b", None), Step(C, None, b"c")], origin=YOU)
    assert everything(ws) == {"a.md": b"A", "c/c.md": b"c", "SOUL.md": b"soul"}
    assert deed.changes.paths == (A, B, C)
    together.take_back(ws, deed, origin=YOU)
    assert everything(ws) == before


def test_where_one_step_is_refused_none_is_taken(ws: Workspace) -> None:
    before = everything(ws)
    with pytest.raises(Conflict):
        together.do(ws, [Step(A, b"a", b"A"), Step(C, None, b"c"), Step(B, b"other", b"B")], origin=YOU)
    assert everything(ws) == before
    rows = len(Journal(ws.state).rows())
    with pytest.raises(ProtectedDocument):
        together.do(ws, [Step(A, b"a", b"A"), Step(DocPath("SOUL.md"), b"soul", b"x")], origin=YOU)
    assert everything(ws) == before
    assert len(Journal(ws.state).rows()) == rows


def test_a_deed_is_not_taken_back_over_what_came_since(ws: Workspace) -> None:
    deed = together.do(ws, [Step(A, b"a", b"A"), Step(B, b"b", b"B")], origin=YOU)
    (ws.root / A).write_bytes(b"since")
    with pytest.raises(Conflict):
        together.take_back(ws, deed, origin=YOU)
    assert everything(ws) == {"a.md": b"since", "b.md": b"B", "SOUL.md": b"soul"}


def test_a_removal_passes_the_gate_and_is_a_version(ws: Workspace) -> None:
    with pytest.raises(ProtectedDocument):
        documents.remove(ws, DocPath("SOUL.md"), expected=fingerprint(b"soul"), origin=Origin.agent("x"))
    with pytest.raises(Conflict):
        documents.remove(ws, A, expected=fingerprint(b"other"), origin=YOU)
    documents.remove(ws, A, expected=fingerprint(b"a"), origin=YOU)
    newest = max(versions.versions(ws, A)["versions"], key=lambda one: one["version"])
    assert (newest["version"], newest["changed_by"], newest["content_hash"]) == (2, "you", None)
    assert versions.version(ws, A, 1).content == "a"


def test_a_removal_that_was_killed_is_known_for_what_it_was(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.unlink

    def dying(path: object, **more: object) -> None:
        real(path, **more)  # type: ignore[arg-type]
        os.kill(os.getpid(), signal.SIGKILL)

    def work() -> None:
        monkeypatch.setattr(os, "unlink", dying)
        documents.remove(ws, A, expected=fingerprint(b"a"), origin=Origin.agent("x"))

    assert child(work) == -signal.SIGKILL
    assert not (ws.root / A).exists()
    documents.write(ws, B, b"B", expected=fingerprint(b"b"), origin=YOU)
    assert [(row.path, row.state) for row in Journal(ws.state).rows()] == [
        (A, IntentState.DONE),
        (B, IntentState.DONE),
    ]
    assert sorted(path.name for path in ws.root.iterdir()) == ["SOUL.md", "b.md"]
