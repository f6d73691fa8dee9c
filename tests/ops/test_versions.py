"""Versions: which are seen, who wrote them, what is lost with what; and ids that stay with their document."""

from __future__ import annotations

import os
import shutil
import sqlite3
import uuid
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memgui.domain.documents import fingerprint
from memgui.domain.errors import ExecutionFailed, InvalidParameters, NotFound, ReadFailed
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import documents, finding, following, forgetting, reading, sync, versions, workspace, writing
from memgui.storage import anchors, history
from memgui.storage.journal import IntentState, Journal
from memgui.storage.kept import KeptCopies

NOW = datetime(2026, 11, 30, 14, 3, 5, tzinfo=UTC)
SCRIBE = Origin.agent("scribe")
MEMORY = DocPath("MEMORY.md")


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "ws"
    (root / "daily").mkdir(parents=True)
    (root / "MEMORY.md").write_bytes(b"one\n")
    os.utime(root / "MEMORY.md", (1.7e9, 1.7e9))
    return workspace.open(root, remember=False)


def put(ws: Workspace, path: str, data: bytes) -> None:
    """As a program outside does."""
    (ws.root / path).parent.mkdir(parents=True, exist_ok=True)
    (ws.root / path).write_bytes(data)


def write(ws: Workspace, content: str, target: str = "MEMORY.md") -> dict[str, Any]:
    return writing.memory_write(ws, content=content, target=target, append=False, origin=SCRIBE, now=NOW)


def listed(ws: Workspace, path: str = "MEMORY.md") -> list[tuple[int, str | None, str]]:
    return [(one["version"], one["content_hash"], one["changed_by"]) for one in versions.versions(ws, path)["versions"]]


def who(ws: Workspace, path: str = "MEMORY.md") -> list[str]:
    return [name for _number, _hash, name in listed(ws, path)]


def test_the_first_bytes_seen_are_version_one_and_the_newest_is_the_file_as_it_is(ws: Workspace) -> None:
    one = {
        "version": 1,
        "content_hash": fingerprint(b"one\n"),
        "created_at": "2023-11-14T22:13:20Z",
        "changed_by": "outside",
        "bytes": 4,
    }
    assert versions.versions(ws, "MEMORY.md") == {"path": "MEMORY.md", "versions": [one], "version_count": 1}
    put(ws, "MEMORY.md", b"two\n")
    assert listed(ws)[1:] == [(2, fingerprint(b"two\n"), "outside")]
    assert listed(ws)[1:] == [(2, fingerprint(b"two\n"), "outside")]


def test_reading_meets_a_document(ws: Workspace) -> None:
    reading.read_answer(ws, "MEMORY.md")
    put(ws, "MEMORY.md", b"two\n")
    assert versions.memory_read(ws, "MEMORY.md", version=1, now=NOW.timestamp()) == {
        "path": "MEMORY.md",
        "version": 1,
        "content": "one\n",
        "content_hash": fingerprint(b"one\n"),
        "created_at": "2023-11-14T22:13:20Z",
        "changed_by": "outside",
    }


def test_a_save_a_tool_and_a_shell_are_told_apart(ws: Workspace) -> None:
    write(ws, "two")
    put(ws, "MEMORY.md", b"three")
    documents.write(ws, MEMORY, b"four", expected=fingerprint(b"three"), origin=Origin.you())
    documents.write(ws, MEMORY, b"five", expected=fingerprint(b"four"), origin=Origin.shell())
    assert who(ws) == ["outside", 'agent "scribe"', "outside", "you", "you (shell)"]
    assert [versions.version(ws, "MEMORY.md", n + 1).data for n in range(5)] == [
        b"one\n", b"two", b"three", b"four", b"five",
    ]  # fmt: skip


def test_what_is_gone_is_a_version_without_a_hash_and_comes_back_as_another(ws: Workspace) -> None:
    write(ws, "two")
    (ws.root / "MEMORY.md").unlink()
    assert listed(ws)[2] == (3, None, "outside")
    answer = versions.version_answer(ws, "MEMORY.md", 3)
    assert (answer["content"], answer["content_hash"]) == ("", None)
    put(ws, "MEMORY.md", b"again")
    assert [number for number, _hash, _who in listed(ws)] == [1, 2, 3, 4]


def test_the_same_bytes_put_back_by_hand_are_not_the_agents(ws: Workspace) -> None:
    write(ws, "two")
    put(ws, "MEMORY.md", b"three")
    assert who(ws)[-1] == "outside"
    put(ws, "MEMORY.md", b"two")
    assert who(ws) == ["outside", 'agent "scribe"', "outside", "outside"]


@pytest.mark.parametrize("number", [0, -1, True, "1", 1.0, None])
def test_what_is_no_number_of_a_version_is_refused(ws: Workspace, number: Any) -> None:
    with pytest.raises(InvalidParameters):
        versions.version(ws, "MEMORY.md", number)


def test_a_version_that_never_was_and_a_document_that_never_was_are_told(ws: Workspace) -> None:
    with pytest.raises(NotFound, match=r"Read failed: 'MEMORY\.md' has no version 7"):
        versions.memory_read(ws, "MEMORY.md", version=7)
    with pytest.raises(ExecutionFailed, match=r"Read failed: there is no 'none\.md'"):
        versions.memory_read(ws, "none.md", list_versions=True)
    with pytest.raises(InvalidParameters, match="together"):
        versions.memory_read(ws, "MEMORY.md", version=1, list_versions=True)
    with pytest.raises(InvalidParameters):
        versions.versions(ws, "../MEMORY.md")
    with pytest.raises(InvalidParameters):
        versions.versions(ws, ".git/config")


def test_bytes_that_are_no_text_are_kept_and_told(ws: Workspace) -> None:
    put(ws, "MEMORY.md", b"caf\xe9")
    answer = versions.version_answer(ws, "MEMORY.md", 1)
    assert (answer["content"], "U+FFFD" in answer["note"]) == ("caf\ufffd", True)
    assert versions.version(ws, "MEMORY.md", 1).data == b"caf\xe9"


# Damage ------------------------------------------------------------------------------------------------------------


def test_a_damaged_copy_is_one_version_lost(ws: Workspace) -> None:
    write(ws, "two")
    write(ws, "three")
    kept = fingerprint(b"two")
    (ws.state / "kept" / kept[:2] / kept[2:]).write_bytes(b"damage")
    with pytest.raises(ReadFailed):
        versions.version(ws, "MEMORY.md", 2)
    assert versions.version(ws, "MEMORY.md", 1).data == b"one\n"
    assert versions.version(ws, "MEMORY.md", 3).data == b"three"


def test_a_log_that_only_grew_gives_every_damaged_version_back(ws: Workspace) -> None:
    text = b"- the beginning of a log\n" * 40
    for number in range(30):
        text += b"- entry %d\n" % number
        put(ws, "log.md", text)
        versions.versions(ws, "log.md")
    bases = {copy.base for copy in KeptCopies(ws.state / "kept").all() if copy.base is not None}
    for base in bases:
        for file in (ws.state / "kept" / base[:2]).glob(f"{base[2:]}*"):
            file.write_bytes(b"damage")
    texts = [versions.version(ws, "log.md", number + 1).data for number in range(30)]
    assert texts[-1] == text
    assert all(text.startswith(one) for one in texts)
    (ws.root / "log.md").write_bytes(b"rewritten")
    assert [versions.version(ws, "log.md", number + 1).data for number in range(30)] == texts


def test_what_was_forgotten_is_not_made_again(ws: Workspace) -> None:
    write(ws, "one\ntwo")
    put(ws, "MEMORY.md", b"one\ntwo\nthree")
    forgetting.forget(ws, forgetting.of_version(ws, MEMORY, 2), origin=Origin.you())
    with pytest.raises(NotFound, match="forgotten"):
        versions.version(ws, "MEMORY.md", 2)


def logs(ws: Workspace) -> list[Path]:
    return sorted((ws.state / "history").rglob("*.jsonl"))


def test_a_damaged_line_is_one_entry_lost_and_numbers_stay(ws: Workspace) -> None:
    write(ws, "two")
    write(ws, "three")
    (log,) = logs(ws)
    lines = log.read_bytes().splitlines()
    log.write_bytes(b"\n".join([lines[0], b'{"n": 2, "hash"\xff', lines[2], b'{"torn']))
    write(ws, "four")
    assert [(number, name) for number, _hash, name in listed(ws)] == [
        (1, "outside"), (3, 'agent "scribe"'), (4, 'agent "scribe"'),
    ]  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=25)
@given(st.binary(max_size=200))
def test_no_bytes_in_a_log_keep_anything_from_being_read(tmp_path: Path, data: bytes) -> None:
    found = history.History(tmp_path)
    (tmp_path / "history/ab").mkdir(parents=True, exist_ok=True)
    (tmp_path / "history/ab/ab.jsonl").write_bytes(data + b"\n[]\n7\nnull\n{}\n")
    assert found.newest("ab") is None
    assert found.versions("ab") == ()


@pytest.mark.parametrize("damage", [None, b"no database" * 1000])
def test_a_lost_database_loses_no_version_and_no_id(ws: Workspace, damage: bytes | None) -> None:
    write(ws, "two")
    before = versions.document_id(ws, MEMORY)
    (ws.root / "MEMORY.md").rename(ws.root / "moved.md")
    assert versions.document_id(ws, DocPath("moved.md")) == before
    write(ws, "x", "moved.md")
    anchors.release()
    for path in ws.state.glob("journal.sqlite*"):
        path.unlink()
    if damage is not None:
        (ws.state / "journal.sqlite").write_bytes(damage)
    assert who(ws, "moved.md") == ["outside", 'agent "scribe"', 'agent "scribe"']
    assert versions.document_id(ws, DocPath("moved.md")) == before


# Journal -----------------------------------------------------------------------------------------------------------


def intend(ws: Workspace, before: bytes, after: bytes) -> int:
    """As a writer does that is then killed."""
    return Journal(ws.state).intend(
        MEMORY, SCRIBE, before=fingerprint(before), after=fingerprint(after), time=NOW.timestamp(), size=len(after)
    )


def states(ws: Workspace) -> list[IntentState]:
    return [row.state for row in Journal(ws.state).rows()]


def test_what_was_only_intended_is_no_write_and_names_no_later_writer(ws: Workspace) -> None:
    intend(ws, b"one\n", b"two\n")
    assert who(ws) == ["outside"]
    assert states(ws) == [IntentState.ABORTED]
    put(ws, "MEMORY.md", b"two\n")
    assert who(ws) == ["outside", "outside"]


@pytest.mark.parametrize("then", ["write", "follow", "open"])
def test_the_next_write_and_the_next_look_settle_it_as_well(ws: Workspace, then: str) -> None:
    before = sync.look(ws)
    reading.read(ws, "MEMORY.md")
    intend(ws, b"one\n", b"two\n")
    if then == "write":
        write(ws, "x", "other.md")
    elif then == "open":
        following.catch_up(ws, before)
    else:
        put(ws, "other.md", b"x")
        following.follow(ws, sync.pull(ws, before)[1])
    put(ws, "MEMORY.md", b"two\n")
    assert who(ws) == ["outside", "outside"]
    assert states(ws)[0] is IntentState.ABORTED


def test_what_was_written_before_its_writer_was_killed_has_that_writer(ws: Workspace) -> None:
    reading.read(ws, "MEMORY.md")
    intend(ws, b"one\n", b"one\ntwo\n")
    put(ws, "MEMORY.md", b"one\ntwo\n")
    assert who(ws) == ["outside", 'agent "scribe"']
    assert states(ws) == [IntentState.DONE]


def test_an_append_of_a_killed_writer_is_known_below_what_others_appended_since(ws: Workspace) -> None:
    reading.read(ws, "MEMORY.md")
    intend(ws, b"one\n", b"one\ntwo\n")
    put(ws, "MEMORY.md", b"one\ntwo\nthree\n")
    assert listed(ws)[1:] == [
        (2, fingerprint(b"one\ntwo\n"), 'agent "scribe"'),
        (3, fingerprint(b"one\ntwo\nthree\n"), "outside"),
    ]


def test_an_older_journal_is_taken_over(ws: Workspace) -> None:
    with closing(sqlite3.connect(ws.state / "journal.sqlite")) as db, db:
        db.execute(
            "CREATE TABLE intents (id INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, path BLOB NOT NULL,"
            " kind TEXT NOT NULL, name TEXT NOT NULL, before TEXT, after TEXT)"
        )
        db.execute(
            "INSERT INTO intents (time, path, kind, name, after) VALUES (1.0, ?, 'you', '', ?)",
            (b"MEMORY.md", fingerprint(b"one\n")),
        )
    assert who(ws) == ["you"]
    assert states(ws) == [IntentState.DONE]


# Following ---------------------------------------------------------------------------------------------------------


def test_what_a_look_finds_changed_becomes_versions_and_what_it_only_finds_does_not(ws: Workspace) -> None:
    put(ws, "still.md", b"x")
    known = sync.look(ws)
    put(ws, "MEMORY.md", b"two\n")
    put(ws, "new.md", b"new")
    put(ws, "new.txt", b"new")
    known, changes = sync.pull(ws, known)
    following.follow(ws, changes)
    assert len(logs(ws)) == 2
    (ws.root / "MEMORY.md").rename(ws.root / "renamed.md")
    (ws.root / "new.md").unlink()
    following.follow(ws, sync.pull(ws, known)[1])
    assert [hash_ for _number, hash_, _who in listed(ws, "renamed.md")] == [fingerprint(b"two\n")]
    assert [hash_ for _number, hash_, _who in listed(ws, "new.md")] == [fingerprint(b"new"), None]


def test_what_happened_while_nobody_looked_is_caught_up_with(ws: Workspace) -> None:
    for name in ("a.md", "b.md", "c.md", "d.md"):
        put(ws, name, name.encode())
        reading.read(ws, name)
    ids = versions.document_ids(ws, [DocPath("b.md"), DocPath("c.md")])
    put(ws, "a.md", b"changed")
    (ws.root / "b.md").rename(ws.root / "b2.md")
    (ws.root / "c.md").unlink()
    put(ws, "deep/c2.md", b"c.md")
    (ws.root / "d.md").unlink()
    following.catch_up(ws, sync.look(ws))
    before = [path.stat().st_mtime_ns for path in logs(ws)]
    following.catch_up(ws, sync.look(ws))
    assert [path.stat().st_mtime_ns for path in logs(ws)] == before
    assert versions.document_id(ws, DocPath("b2.md")) == ids[DocPath("b.md")]
    assert versions.document_id(ws, DocPath("deep/c2.md")) == ids[DocPath("c.md")]
    assert len(listed(ws, "a.md")) == 2
    assert listed(ws, "d.md")[1][1] is None


def test_every_document_gets_a_first_version_once_there_is_time(ws: Workspace) -> None:
    put(ws, "a.md", b"a")
    put(ws, "b.txt", b"b")
    write(ws, "two")
    following.meet(ws, sync.look(ws), stop=lambda: True)
    assert len(logs(ws)) == 1
    following.meet(ws, sync.look(ws))
    assert len(logs(ws)) == 2
    (ws.root / "a.md").unlink()
    assert listed(ws, "a.md") == [(1, fingerprint(b"a"), "outside"), (2, None, "outside")]
    before = [path.stat().st_mtime_ns for path in logs(ws)]
    following.meet(ws, sync.look(ws))
    assert [path.stat().st_mtime_ns for path in logs(ws)] == before


# Ids ---------------------------------------------------------------------------------------------------------------


def test_an_id_stays_with_its_document_through_a_rename_and_another_gets_its_own(ws: Workspace) -> None:
    first = versions.document_id(ws, MEMORY)
    uuid.UUID(first)
    (ws.root / "MEMORY.md").rename(ws.root / "b.md")
    assert versions.document_id(ws, DocPath("b.md")) == first
    put(ws, "MEMORY.md", b"another")
    second = versions.document_id(ws, MEMORY)
    assert second != first
    assert versions.document_id(ws, DocPath("b.md")) == first
    assert versions.document_id(ws, MEMORY) == second


def test_a_copy_gets_an_id_and_what_was_moved_by_copying_keeps_its_own(ws: Workspace) -> None:
    put(ws, "a.md", b"alone")
    first = versions.document_id(ws, DocPath("a.md"))
    put(ws, "b.md", b"alone")
    assert versions.document_id(ws, DocPath("b.md")) != first
    put(ws, "c.md", b"another")
    third = versions.document_id(ws, DocPath("c.md"))
    put(ws, "deep/moved.md", b"another")
    (ws.root / "c.md").unlink()
    assert versions.document_id(ws, DocPath("deep/moved.md")) == third


def test_a_lost_cache_and_a_lost_state_folder_give_the_same_ids(ws: Workspace) -> None:
    before = versions.document_id(ws, MEMORY)
    shutil.rmtree(ws.cache)
    assert versions.document_id(ws, MEMORY) == before
    anchors.release()
    shutil.rmtree(ws.state)
    assert versions.document_id(ws, MEMORY) == before


def test_a_search_names_a_document_by_the_id_that_it_keeps(ws: Workspace) -> None:
    (result,) = finding.memory_search(ws, "one")["results"]
    (ws.root / "MEMORY.md").rename(ws.root / "b.md")
    (again,) = finding.memory_search(ws, "one")["results"]
    assert (again["path"], again["document_id"]) == ("b.md", result["document_id"])


def test_a_state_folder_that_takes_nothing_keeps_nobody_from_reading(ws: Workspace) -> None:
    anchors.release()
    shutil.rmtree(ws.state)
    ws.state.write_bytes(b"in the way")
    assert reading.read_answer(ws, "MEMORY.md")["content"] == "one\n"
    uuid.UUID(versions.document_id(ws, MEMORY))
