"""Documents through the one gate: what is refused, what is compared, what is told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memgui.domain.changes import ChangeKind, ChangeSet
from memgui.domain.documents import fingerprint
from memgui.domain.errors import (
    Conflict,
    InvalidParameters,
    MemguiError,
    NotAuthorized,
    NotEditable,
    NotFound,
    ProtectedDocument,
    ReadFailed,
    WriteFailed,
)
from memgui.domain.layouts import Layout, Store
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.protection import Protection
from memgui.domain.text import Encoding
from memgui.domain.workspace import Workspace
from memgui.ops import documents
from memgui.storage import files, swap
from memgui.storage.journal import Journal

YOU, AGENT = Origin.you(), Origin.agent("scribe")
MEMORY, SOUL = DocPath("MEMORY.md"), DocPath("SOUL.md")


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "workspace"
    (root / "team").mkdir(parents=True)
    (root / "MEMORY.md").write_bytes(b"# Memory\n")
    (root / "SOUL.md").write_bytes(b"# Soul\n")
    stores = (Store(DocPath(""), Layout.OPENCLAW), Store(DocPath("team"), Layout.OPENCLAW))
    return Workspace(
        root, "id", "name", tmp_path / "state", tmp_path / "cache", stores=stores, protection=Protection.of(stores)
    )


def save(ws: Workspace, path: str, data: bytes, *, origin: Origin = YOU, unlocked: str | None = None) -> ChangeSet:
    """Write over whatever stands there now."""
    try:
        expected = documents.read(ws, DocPath(path)).fingerprint
    except MemguiError:
        expected = None
    names = frozenset() if unlocked is None else frozenset({DocPath(unlocked)})
    return documents.write(ws, DocPath(path), data, expected=expected, origin=origin, unlocked=names)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30)
@given(st.binary() | st.text(alphabet="a\u00a0\u2028\u2029\ufdd0\ufeff\r\n\t \x0c").map(str.encode))
def test_open_and_save_is_the_identity_and_writes_nothing(ws: Workspace, data: bytes) -> None:
    path = ws.root / "any.md"
    path.write_bytes(data)
    before = path.stat()
    document = documents.read(ws, DocPath("any.md"))
    assert document.data == data
    again = document.data if document.text is None else document.text.encode()
    assert again == data
    if document.editability.value == "editable":
        assert not documents.write(ws, document.path, again, expected=document.fingerprint, origin=YOU)
    assert path.read_bytes() == data
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert path.stat().st_ino == before.st_ino


def test_a_write_tells_what_it_did_and_the_next_look_finds_nothing_new(ws: Workspace) -> None:
    changes = save(ws, "MEMORY.md", b"new")
    (change,) = changes.changes
    assert (change.path, change.kind, change.origin) == (MEMORY, ChangeKind.MODIFIED, YOU)
    assert change.fingerprint == fingerprint(b"new")
    assert change.node == files.look(ws.root, MEMORY) == documents.read(ws, MEMORY).node
    (change,) = save(ws, "daily/2026-01-01.md", b"new", origin=AGENT).changes
    assert (change.kind, change.origin) == (ChangeKind.CREATED, AGENT)


def test_a_stale_save_changes_nothing(ws: Workspace) -> None:
    with pytest.raises(Conflict) as caught:
        documents.write(ws, MEMORY, b"mine", expected=fingerprint(b"older"), origin=YOU)
    assert (caught.value.path, caught.value.found) == (MEMORY, fingerprint(b"# Memory\n"))
    with pytest.raises(Conflict):
        documents.write(ws, MEMORY, b"mine", expected=None, origin=YOU)
    assert (ws.root / "MEMORY.md").read_bytes() == b"# Memory\n"
    assert Journal(ws.state).rows() == ()


def test_a_document_deleted_meanwhile_is_a_conflict_and_one_created_meanwhile_too(ws: Workspace) -> None:
    document = documents.read(ws, MEMORY)
    (ws.root / "MEMORY.md").unlink()
    with pytest.raises(Conflict) as caught:
        documents.write(ws, MEMORY, b"mine", expected=document.fingerprint, origin=YOU)
    assert caught.value.found is None
    (ws.root / "new.md").write_bytes(b"agent")
    with pytest.raises(Conflict):
        documents.write(ws, DocPath("new.md"), b"mine", expected=None, origin=YOU)
    assert (ws.root / "new.md").read_bytes() == b"agent"


def test_the_row_of_a_write_stands_before_its_bytes(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    real, seen = swap.exchange, []

    def exchange(folder: int, one: bytes, other: bytes) -> bool:
        seen.append((Journal(ws.state).last(), (ws.root / "MEMORY.md").read_bytes()))
        return real(folder, one, other)

    monkeypatch.setattr(swap, "exchange", exchange)
    save(ws, "MEMORY.md", b"new", origin=AGENT)
    (row, data), *_rest = seen
    assert row is not None
    assert (row.path, row.origin, row.before, row.after) == (
        MEMORY,
        AGENT,
        fingerprint(b"# Memory\n"),
        fingerprint(b"new"),
    )
    assert data == b"# Memory\n"


@pytest.mark.parametrize(
    "path", ["SOUL.md", "soul.md", "IDENTITY.md", "AGENTS.md", "USER.md", "TOOLS.md", "team/SOUL.md", "ＳＯＵＬ.md"]
)
def test_an_identity_file_is_written_by_nobody_until_a_person_unlocks_it(ws: Workspace, path: str) -> None:
    (ws.root / path).write_bytes(b"before")
    for origin in (YOU, Origin.shell(), AGENT, Origin.outside()):
        with pytest.raises(ProtectedDocument, match="identity file protected"):
            save(ws, path, b"after", origin=origin)
        with pytest.raises(ProtectedDocument):
            save(ws, path, b"after", origin=origin, unlocked="USER2.md")
    with pytest.raises(ProtectedDocument):
        save(ws, path, b"after", origin=AGENT, unlocked=path)
    assert (ws.root / path).read_bytes() == b"before"
    assert save(ws, path, b"after", unlocked=path)
    assert (ws.root / path).read_bytes() == b"after"


def test_an_identity_file_that_does_not_exist_yet_is_not_created_by_an_agent(ws: Workspace) -> None:
    with pytest.raises(ProtectedDocument):
        save(ws, "IDENTITY.md", b"me", origin=AGENT)
    assert not (ws.root / "IDENTITY.md").exists()


def test_a_link_to_an_identity_file_opens_no_way_to_it(ws: Workspace) -> None:
    (ws.root / "notes.md").symlink_to("SOUL.md")
    (ws.root / "later.md").symlink_to("IDENTITY.md")
    (ws.root / "here").symlink_to(".")
    for path in ("notes.md", "later.md", "here/SOUL.md"):
        with pytest.raises(ProtectedDocument):
            save(ws, path, b"after", origin=AGENT)
    assert (ws.root / "SOUL.md").read_bytes() == b"# Soul\n"
    assert not (ws.root / "IDENTITY.md").exists()


@pytest.mark.parametrize("path", ["SOUL.md", "team/USER.md"])
def test_a_hard_link_to_an_identity_file_opens_no_way_to_it(ws: Workspace, path: str) -> None:
    (ws.root / path).write_bytes(b"before")
    os.link(ws.root / path, ws.root / "twin.md")
    with pytest.raises(ProtectedDocument):
        save(ws, "twin.md", b"after", origin=AGENT)
    assert (ws.root / path).read_bytes() == b"before"


def test_a_projects_own_agents_file_is_a_document(ws: Workspace) -> None:
    assert save(ws, "projects/x/AGENTS.md", b"text", origin=AGENT)


def test_a_link_out_of_the_workspace_is_neither_read_nor_written(ws: Workspace, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_bytes(b"secret")
    (ws.root / "out.md").symlink_to(tmp_path / "secret.md")
    with pytest.raises(NotAuthorized):
        documents.read(ws, DocPath("out.md"))
    with pytest.raises(NotAuthorized):
        documents.write(ws, DocPath("out.md"), b"x", expected=fingerprint(b"secret"), origin=YOU)
    assert (tmp_path / "secret.md").read_bytes() == b"secret"


def test_memguis_own_files_are_no_documents(ws: Workspace, tmp_path: Path) -> None:
    inside = Workspace(
        ws.root, "id", "name", ws.root / "own/state", ws.root / "own/cache", private=frozenset({DocPath("own")})
    )
    (ws.root / "way").symlink_to("own")
    for path in ("own/state/x.md", "way/x.md"):
        with pytest.raises((InvalidParameters, NotAuthorized)):
            documents.write(inside, DocPath(path), b"x", expected=None, origin=YOU)


def test_a_person_may_choose_their_text_over_bytes_that_are_none(ws: Workspace) -> None:
    (ws.root / "binary.md").write_bytes(b"a\0b")
    assert save(ws, "binary.md", b"text", origin=YOU)
    assert (ws.root / "binary.md").read_bytes() == b"text"


def test_what_is_no_text_is_not_edited(ws: Workspace) -> None:
    (ws.root / "binary.md").write_bytes(b"a\0b")
    (ws.root / "old.md").write_bytes(b"caf\xe9\n")
    (ws.root / "folder.md").mkdir()
    os.mkfifo(ws.root / "pipe.md")
    for path, origin in (("binary.md", AGENT), ("old.md", AGENT), ("folder.md", YOU), ("pipe.md", YOU)):
        with pytest.raises(NotEditable):
            save(ws, path, b"text", origin=origin)
    with pytest.raises(ReadFailed):
        documents.read(ws, DocPath("pipe.md"))
    document = documents.read(ws, DocPath("old.md"), encoding=Encoding.CP1252)
    assert document.text is not None
    assert save(ws, "old.md", document.data + "naïve\n".encode("cp1252"))
    assert (ws.root / "old.md").read_bytes() == b"caf\xe9\nna\xefve\n"


def test_a_workspace_that_vanished_is_a_sentence_and_is_not_made_anew(ws: Workspace) -> None:
    document = documents.read(ws, MEMORY)
    ws.root.rename(ws.root.with_name("away"))
    with pytest.raises(NotFound):
        documents.read(ws, MEMORY)
    for expected in (document.fingerprint, None):
        with pytest.raises(WriteFailed, match="folder of the workspace is not there"):
            documents.write(ws, MEMORY, b"mine", expected=expected, origin=YOU)
    assert not ws.root.exists()


def test_bytes_that_stand_there_already_are_saved_whatever_was_expected(ws: Workspace) -> None:
    before = (ws.root / MEMORY).stat().st_mtime_ns
    changes = documents.write(ws, MEMORY, b"# Memory\n", expected=fingerprint(b"older"), origin=YOU)
    assert not changes.changes
    assert (ws.root / MEMORY).stat().st_mtime_ns == before
