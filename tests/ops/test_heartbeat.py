"""A mark on disk: put into the bytes that stand there then, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from memgui.domain.documents import Document
from memgui.domain.errors import Conflict, NotFound
from memgui.domain.heartbeat import read
from memgui.domain.heartbeat_edits import ItemNotFound
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import documents, heartbeat
from memgui.ops import workspace as workspaces
from memgui.ops.heartbeat import Mark

PATH = DocPath("HEARTBEAT.md")
TEXT = "# H\r\n\r\n- [ ] one\r\n- [ ] two"


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "w"
    root.mkdir()
    (root / PATH).write_bytes(TEXT.encode())
    (root / "MEMORY.md").write_text("# Memory\n")
    return workspaces.open(root)


def wish(words: str, mark: str = "x", text: str = TEXT) -> Mark:
    then = read(text.replace("\r\n", "\n").split("\n"))
    return Mark(PATH, next(item for item in then.items if item.text == words), then, mark)


def test_one_byte_changes(ws: Workspace) -> None:
    changes, marked = heartbeat.set_mark(ws, wish("two"), origin=Origin.you())
    assert (ws.root / PATH).read_bytes() == TEXT.replace("[ ] two", "[x] two").encode()
    assert marked.before.data == TEXT.encode()
    assert marked.after.data == (ws.root / PATH).read_bytes()
    assert [change.path for change in changes.changes] == [PATH]


def test_a_mark_that_stands_there_already_writes_nothing(ws: Workspace) -> None:
    changes, marked = heartbeat.set_mark(ws, wish("two", " "), origin=Origin.you())
    assert not changes.changes
    assert marked.after.data == TEXT.encode()


def test_somebody_who_writes_between_the_look_and_the_write_keeps_their_text(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = documents.read
    written: list[int] = []

    def read_and_be_overtaken(ws: Workspace, path: DocPath) -> Document:
        document = looks(ws, path)
        if len(written) < 3:
            written.append(1)
            file = ws.root / path
            file.write_text(f"- [ ] theirs {len(written)}\n{file.read_text()}")
        return document

    monkeypatch.setattr(documents, "read", read_and_be_overtaken)
    _changes, marked = heartbeat.set_mark(ws, wish("one"), origin=Origin.you())
    now = (ws.root / PATH).read_text()
    assert now.startswith("- [ ] theirs 3\n- [ ] theirs 2\n- [ ] theirs 1\n")
    assert "- [x] one" in now
    assert marked.after.data == (ws.root / PATH).read_bytes()


def test_a_file_that_is_written_at_every_try_is_left_alone(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = documents.read

    def read_and_be_overtaken(ws: Workspace, path: DocPath) -> Document:
        document = looks(ws, path)
        with (ws.root / path).open("a") as file:
            file.write("\nmore")
        return document

    monkeypatch.setattr(documents, "read", read_and_be_overtaken)
    with pytest.raises(Conflict):
        heartbeat.set_mark(ws, wish("one"), origin=Origin.you(), tries=3)
    assert "[x]" not in (ws.root / PATH).read_text()


@pytest.mark.parametrize("now", [b"# H\n\n- [ ] other\n", b"- [ ] z\n- [ ] one\n- [ ] one\n", b"\xff\xfe\x00\x01\x02"])
def test_an_item_that_is_not_there_exactly_once_is_refused(ws: Workspace, now: bytes) -> None:
    (ws.root / PATH).write_bytes(now)
    with pytest.raises(ItemNotFound):
        heartbeat.set_mark(ws, wish("one"), origin=Origin.you())
    assert (ws.root / PATH).read_bytes() == now


def test_a_file_that_is_gone_is_not_made_again(ws: Workspace) -> None:
    (ws.root / PATH).unlink()
    with pytest.raises(NotFound):
        heartbeat.set_mark(ws, wish("one"), origin=Origin.you())
    assert not (ws.root / PATH).exists()
