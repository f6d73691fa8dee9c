"""Activity: what happened in a workspace, by whomever, newest first."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memgui.domain.activity import Event, EventKind, Wanted
from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import ExecutionFailed, NotAuthorized, RateLimited, WriteFailed
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import (
    activity,
    documents,
    facts,
    filing,
    following,
    forgetting,
    holding,
    ratifying,
    recovery,
    restoring,
    review,
    review_many,
    review_undo,
    review_verdicts,
    settling,
    sync,
    versions,
    writing,
)
from memgui.ops.activity import Activity
from memgui.ops.forgetting import Secret
from memgui.storage.deeds import Deed, Deeds
from memgui.storage.journal import IntentState, Journal
from tests.ops.review_values import MEMORY, SCRIBE, SHELL, YOU, only, opened, put, write

NOON = datetime(2030, 11, 30, 12, 0, tzinfo=UTC)
LINES = b"- one\n- two\n- three\n"


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return opened(
        tmp_path / "ws", {"MEMORY.md": LINES, "SOUL.md": b"soul\n", "HEARTBEAT.md": b"", "notes/a.md": b"a\n"}
    )


def told(ws: Workspace, **wanted: object) -> list[str]:
    return [event.sentence for event in activity.activity(ws, wanted=Wanted(**wanted))]  # type: ignore[arg-type]


@contextmanager
def refused(error: type[Exception]) -> Iterator[None]:
    with pytest.raises(error):
        yield


def follow(ws: Workspace) -> None:
    following.catch_up(ws, sync.look(ws))
    following.meet(ws, sync.look(ws))


def test_where_nothing_happened_nothing_is_listed(ws: Workspace) -> None:
    found = Activity(ws).page()
    assert (found.events, found.is_all) == ((), True)


def test_what_stood_there_at_the_first_opening_is_no_event(ws: Workspace) -> None:
    follow(ws)
    assert told(ws) == []


def test_an_agents_addition_says_how_much_and_where(ws: Workspace) -> None:
    writing.memory_write(ws, content="four\nfive", target="notes/a.md", origin=SCRIBE, now=NOON)
    (event,) = activity.activity(ws)
    assert event.sentence == 'agent "scribe" added 2 lines to notes/a.md'
    assert (event.kind, event.who, event.path, event.line, event.deed) == (
        EventKind.WRITE,
        'agent "scribe"',
        "notes/a.md",
        2,
        "append",
    )


def test_an_addition_behind_blank_lines_is_where_its_text_begins(ws: Workspace) -> None:
    writing.memory_write(ws, content="four", target="memory", origin=SCRIBE, now=NOON)
    (event,) = activity.activity(ws)
    assert (event.line, event.added) == (5, 1)


def test_a_change_in_the_middle_is_told_with_its_line(ws: Workspace) -> None:
    write(ws, b"- one\n- 2\n- three\n")
    (event,) = activity.activity(ws)
    assert (event.sentence, event.line) == ("you changed MEMORY.md", 2)


def test_lines_taken_from_the_end_are_told_with_the_last_that_is_left(ws: Workspace) -> None:
    write(ws, b"- one\n")
    (event,) = activity.activity(ws)
    assert event.line == 2


def test_documents_that_come_and_go_are_told(ws: Workspace) -> None:
    writing.memory_write(ws, content="new", target="projects/b.md", origin=SCRIBE, now=NOON)
    data = (ws.root / "projects/b.md").read_bytes()
    documents.remove(ws, DocPath("projects/b.md"), expected=fingerprint(data), origin=SHELL, now=NOON.timestamp() + 9)
    assert told(ws) == ["you (shell) deleted projects/b.md", 'agent "scribe" created projects/b.md']


def test_what_another_program_wrote_is_told_with_its_time(ws: Workspace) -> None:
    follow(ws)
    put(ws.root, "MEMORY.md", LINES + b"- four\n")
    os.utime(ws.root / "MEMORY.md", (2e9, 2e9))
    put(ws.root, "fresh.md", b"fresh\n")
    following.catch_up(ws, sync.look(ws), now=2.1e9)
    following.meet(ws, sync.look(ws), now=2.1e9)
    found = activity.activity(ws)
    assert [event.sentence for event in found] == [
        "outside added 1 line to MEMORY.md",
        "outside created fresh.md",
    ]
    assert (found[0].time, found[0].who, found[0].line) == (2e9, "outside", 4)


def test_what_another_program_deleted_or_renamed_is_told(ws: Workspace) -> None:
    follow(ws)
    (ws.root / "notes/a.md").unlink()
    (ws.root / "MEMORY.md").rename(ws.root / "memory-old.md")
    following.catch_up(ws, sync.look(ws), now=2e9)
    assert sorted(told(ws)) == ["outside deleted notes/a.md", "outside renamed memory-old.md"]


def test_a_refusal_is_told_with_its_reason(ws: Workspace) -> None:
    with refused(NotAuthorized):
        writing.memory_write(ws, content="x", target=" SOUL.md", origin=SCRIBE, now=NOON)
    (event,) = activity.activity(ws)
    assert event.sentence == 'agent "scribe" was refused writing to SOUL.md (not allowed)'
    assert (event.kind, event.path, event.code) == (EventKind.REFUSAL, "SOUL.md", "NotAuthorized")
    assert "identity file" in event.more


def test_the_same_refusal_again_is_one_event_with_a_count(ws: Workspace) -> None:
    for _again in range(3):
        with refused(NotAuthorized):
            writing.memory_write(ws, content="x", target="SOUL.md", origin=SCRIBE, now=NOON)
    (event,) = activity.activity(ws)
    assert event.count == 3
    assert "3 times" in event.more


def test_too_many_calls_are_told(ws: Workspace) -> None:
    for number in range(20):
        writing.memory_write(ws, content=f"n{number}", target="notes/a.md", origin=SCRIBE, now=NOON)
    with refused(RateLimited):
        writing.memory_write(ws, content="x", target="notes/a.md", origin=SCRIBE, now=NOON)
    assert told(ws, kinds=frozenset({EventKind.REFUSAL})) == [
        'agent "scribe" was refused writing to notes/a.md (too many calls)'
    ]


def test_verdicts_are_told_and_their_writes_are_a_part_of_them(ws: Workspace) -> None:
    put(ws.root, "MEMORY.md", b"- 1\n- two\n- 3\n")
    review_verdicts.accept(ws, only(ws), hunk=1, origin=SHELL)
    review_verdicts.reject(ws, only(ws), hunk=1, origin=YOU)
    found = activity.activity(ws, kinds=frozenset({EventKind.VERDICT, EventKind.WRITE}))
    assert [event.sentence for event in found if event.who != "outside"] == [
        "you rejected 1 change of MEMORY.md",
        "you (shell) accepted 1 change of MEMORY.md",
    ]


def test_a_verdict_on_everything_is_one_event(ws: Workspace) -> None:
    for number in range(30):
        put(ws.root, f"many/{number}.md", b"new\n")
    verdict, _left = review_many.accept_all(ws, review.pending(ws), origin=YOU)
    assert verdict is not None
    (event,) = activity.activity(ws, kinds=frozenset({EventKind.VERDICT}))
    assert event.sentence == "you accepted the changes of 30 documents"
    assert len(event.paths) == 30
    assert told(ws, text="many/17.md") == [event.sentence]
    review_undo.take_back(ws, verdict, origin=YOU)
    assert told(ws)[0] == "you took a verdict on 30 documents back"


def test_an_own_save_before_a_verdict_is_told_by_itself(ws: Workspace) -> None:
    write(ws, LINES + b"- mine\n")
    put(ws.root, "MEMORY.md", LINES + b"- mine\n- theirs\n")
    review_verdicts.reject(ws, only(ws), origin=YOU)
    mine = [event.sentence for event in activity.activity(ws) if event.who == "you"]
    assert mine == ["you rejected the changes of MEMORY.md", "you added 1 line to MEMORY.md"]


def test_a_restore_and_its_undo_are_told(ws: Workspace) -> None:
    versions.seen(ws, MEMORY)
    write(ws, b"other\n", origin=SCRIBE)
    restored = restoring.restore(ws, MEMORY, 1, expected=fingerprint(b"other\n"), origin=YOU)
    restoring.take_back(ws, restored, origin=YOU)
    found = activity.activity(ws)
    assert [event.sentence for event in found] == [
        "you took a deed on MEMORY.md back",
        "you restored MEMORY.md",
        'agent "scribe" changed MEMORY.md',
    ]
    assert [event.more for event in found] == ["restore of version 1", "version 1", ""]
    assert found[1].kind is EventKind.RESTORE


def test_merges_are_told(ws: Workspace) -> None:
    settling.settled(ws, MEMORY, "merged 2 lines", mine=None, origin=YOU)
    (event,) = activity.activity(ws)
    assert (event.kind, event.more) == (EventKind.MERGE, "merged 2 lines")


def test_what_is_filed_is_told_once(ws: Workspace) -> None:
    versions.seen(ws, DocPath("notes/a.md"))
    filing.rename(ws, DocPath("notes/a.md"), "b.md", origin=YOU)
    filed = filing.trash(ws, DocPath("notes/b.md"), origin=YOU)[1]
    filing.take_back(ws, filed, origin=YOU)
    found = activity.activity(ws)
    assert [event.sentence for event in found] == [
        "you restored notes/b.md",
        "you moved notes/b.md to the trash",
        "you renamed notes/b.md",
    ]
    assert found[2].more == "it was notes/a.md"


def test_facts_that_were_decided_are_told(tmp_path: Path) -> None:
    ws = opened(tmp_path / "facts", {".agentsmith/memory/MEMORY.md": b"# Memory index\n"})
    facts.remember(ws, name="ask-first", type="feedback", description="Ask", body="Ask.", origin=SCRIBE, now=NOON)
    fact = DocPath(".agentsmith/memory/ask-first.md")
    ratifying.ratify(ws, fact, origin=YOU, now=NOON + timedelta(minutes=1))
    ratifying.withdraw(ws, fact, origin=YOU, now=NOON + timedelta(minutes=2))
    ratifying.bring_back(ws, ratifying.withdrawn(ws)[0], origin=YOU, now=NOON + timedelta(minutes=3))
    assert told(ws, kinds=frozenset({EventKind.FACT})) == [
        f"you brought {fact} back",
        f"you withdrew {fact}",
        f"you ratified {fact}",
    ]
    about_it = [event for event in activity.activity(ws) if event.path == fact and event.who == "you"]
    assert {event.kind for event in about_it} == {EventKind.FACT}


def test_a_write_that_waits_is_told_once(ws: Workspace) -> None:
    for _again in range(2):
        holding.hold(ws, MEMORY, LINES, LINES + b"- held\n", origin=SCRIBE, now=2e9)
    assert told(ws) == ['agent "scribe" asked to write MEMORY.md; it waits for you']


def test_what_was_forgotten_is_told_without_saying_what(ws: Workspace, places: Path) -> None:
    write(ws, b"the password is swordfish\n")
    write(ws, b"nothing\n")
    forgetting.forget(ws, Secret(b"swordfish"), origin=YOU)
    (event,) = activity.activity(ws, kinds=frozenset({EventKind.FORGET}))
    assert event.sentence == "you had something forgotten"
    assert "swordfish" not in json.dumps([activity.values(one) for one in activity.activity(ws)])


def test_text_that_came_back_after_a_crash_is_told(ws: Workspace) -> None:
    recovery.journal_unsaved(ws, MEMORY, LINES, LINES + b"- typed\n", desk="gone-desk")
    desk = recovery.take_desk()
    try:
        assert recovery.claim_unsaved(ws, desk)
    finally:
        recovery.leave_desk(desk)
    assert told(ws) == ["you got unsaved text of MEMORY.md back"]


def test_a_damaged_journal_is_told(ws: Workspace) -> None:
    write(ws, b"other\n")
    (ws.state / "journal.sqlite").write_bytes(b"no database" * 1000)
    for ending in ("-wal", "-shm"):
        (ws.state / f"journal.sqlite{ending}").unlink(missing_ok=True)
    assert "memgui began its damaged journal anew" in told(ws)


def test_a_write_that_never_came_is_shown_as_no_write(ws: Workspace) -> None:
    journal = Journal(ws.state)
    row = journal.intend(MEMORY, SCRIBE, before=fingerprint(LINES), after=Fingerprint("0" * 64), time=2e9)
    assert told(ws) == []
    journal.settle(row, IntentState.ABORTED)
    assert told(ws) == ['agent "scribe" was about to write MEMORY.md, and nothing was written']


def some(ws: Workspace, count: int) -> None:
    """Rows of all kinds, many of them of the same moment."""
    journal = Journal(ws.state)
    for number in range(count):
        time = 2e9 + number // 3
        row = journal.intend(DocPath(f"{number}.md"), SCRIBE, before=None, after=Fingerprint("1" * 64), time=time)
        journal.settle(row, IntentState.DONE)
        if number % 3 == 0:
            Deeds(ws.state).note(Deed(time, "merge", DocPath(f"{number}.md"), YOU, f"how {number}"))


def test_page_by_page_it_is_the_same_as_all_at_once(ws: Workspace) -> None:
    some(ws, 90)
    reader = Activity(ws)
    whole = reader.page(limit=1000)
    assert len(whole.events) == 120
    assert whole.is_all
    pages: list[Event] = []
    while True:
        page = reader.page(before=pages[-1] if pages else None, limit=7)
        pages += page.events
        if page.is_all:
            break
    assert tuple(pages) == whole.events
    keys = [event.key for event in whole.events]
    assert keys == sorted(keys, reverse=True)


def test_it_can_be_asked_for_by_kind_by_whom_and_by_path(ws: Workspace) -> None:
    some(ws, 9)
    write(ws, b"other\n", origin=SHELL)
    assert len(activity.activity(ws, kinds=frozenset({EventKind.MERGE}))) == 3
    assert told(ws, who="you (shell)") == ["you (shell) changed MEMORY.md"]
    assert told(ws, text="memory.MD") == ["you (shell) changed MEMORY.md"]
    assert Activity(ws).writers() == ('agent "scribe"', "you (shell)")


def test_its_stamp_is_another_one_after_a_write_and_after_a_deed(ws: Workspace) -> None:
    reader = Activity(ws)
    stamps = [reader.stamp()]
    write(ws, b"other\n", origin=SCRIBE)
    stamps.append(reader.stamp())
    put(ws.root, "MEMORY.md", b"outside\n")
    review_verdicts.accept(ws, only(ws), origin=SHELL)
    stamps.append(reader.stamp())
    assert len(set(stamps)) == 3


def test_one_who_looks_again_is_told_what_is_new(ws: Workspace) -> None:
    follow(ws)
    reader = Activity(ws)
    assert reader.page().events == ()
    write(ws, b"other\n", origin=SCRIBE)
    put(ws.root, "notes/a.md", b"a\nb\n")
    follow(ws)
    assert {event.who for event in reader.page().events} == {'agent "scribe"', "outside"}


def test_it_is_exported_as_lines_of_json_with_paths_and_without_text(ws: Workspace, tmp_path: Path) -> None:
    writing.memory_write(ws, content="the word swordfish", target="notes/a.md", origin=SCRIBE, now=NOON)
    with refused(NotAuthorized):
        writing.memory_write(ws, content="x", target="SOUL.md", origin=SCRIBE, now=NOON)
    file = tmp_path / "activity.jsonl"
    pill = Event(
        "notice-1", NOON.timestamp() + 5, EventKind.NOTICE, "merged", detail="An outside write dropped swordfish"
    )
    assert Activity(ws).export(file, others=[pill]) == 3
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [line["kind"] for line in lines] == ["notice", "write", "refusal"]
    assert (lines[0]["deed"], lines[0]["text"]) == ("merged", "a notice was shown")
    assert lines[1] == {
        "at": "2030-11-30T12:00:00Z",
        "kind": "write",
        "deed": "append",
        "who": 'agent "scribe"',
        "path": "notes/a.md",
        "line": 2,
        "text": 'agent "scribe" added 1 line to notes/a.md',
        "more": "",
        "count": 1,
    }
    assert "swordfish" not in file.read_text(encoding="utf-8")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_more_than_a_page_is_exported_and_only_what_is_wanted(ws: Workspace, tmp_path: Path) -> None:
    some(ws, 900)
    assert Activity(ws).export(tmp_path / "all.jsonl") == 1200
    wanted = Wanted(kinds=frozenset({EventKind.MERGE}))
    assert Activity(ws).export(tmp_path / "merges.jsonl", wanted=wanted) == 300


def test_where_it_cannot_be_exported_it_is_said_and_nothing_is_left(ws: Workspace, tmp_path: Path) -> None:
    write(ws, b"other\n")
    with pytest.raises(WriteFailed, match="could not be written"):
        Activity(ws).export(tmp_path / "missing" / "a.jsonl")


def test_a_journal_that_cannot_be_used_is_a_sentence(ws: Workspace) -> None:
    reader = Activity(ws)
    for name in ("journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"):
        (ws.state / name).unlink(missing_ok=True)
    (ws.state / "journal.sqlite").mkdir()
    with pytest.raises(ExecutionFailed, match="journal"):
        reader.page()


def test_names_that_are_no_text_can_be_told(ws: Workspace) -> None:
    journal = Journal(ws.state)
    path = DocPath(os.fsdecode(b"caf\xe9.md"))
    journal.settle(journal.intend(path, SCRIBE, before=None, after=Fingerprint("1" * 64), time=2e9), IntentState.DONE)
    (event,) = activity.activity(ws)
    assert event.sentence == r'agent "scribe" created caf\xe9.md'
    assert json.loads(json.dumps(activity.values(event)))["path"] == r"caf\xe9.md"


def test_the_person_has_no_say_in_who_an_agent_says_it_is(ws: Workspace) -> None:
    writing.memory_write(ws, content="x", target="notes/a.md", origin=Origin.agent("you"), now=NOON)
    assert told(ws) == ['agent "unnamed" added 1 line to notes/a.md']
