"""Kinds and alarms: the first kind that fits, and what a person should see before all else."""

from __future__ import annotations

import pytest

from memgui.domain.layouts import Layout, Store
from memgui.domain.paths import ROOT, DocPath
from memgui.domain.review import Alarm, ChangeShape
from memgui.domain.shapes import alarms, changes_status, is_daily_log, measured

TEN = b"".join(b"line %d\n" % number for number in range(10))


def without(*numbers: int) -> bytes:
    return b"".join(b"line %d\n" % number for number in range(10) if number not in numbers)


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (None, b"", ChangeShape.CREATE),
        (None, TEN, ChangeShape.CREATE),
        (TEN, None, ChangeShape.DELETE),
        (b"", None, ChangeShape.DELETE),
        (b"", TEN, ChangeShape.APPEND),
        (TEN, TEN + b"more\n", ChangeShape.APPEND),
        (b"no end", b"no end\nmore", ChangeShape.APPEND),
        (b"no end", b"no ending", ChangeShape.APPEND),
        (TEN, b"", ChangeShape.REWRITE),
        (TEN, b"all\nnew\n", ChangeShape.REWRITE),
        # two of ten remain: under a quarter; three: over it
        (TEN, b"line 0\nline 1\nnew\n", ChangeShape.REWRITE),
        (TEN, b"line 0\nline 1\nline 2\n", ChangeShape.SHRINK),
        # two of ten lost: no quarter; three: over it
        (TEN, without(3, 6), ChangeShape.EDIT),
        (TEN, without(3, 6, 8), ChangeShape.SHRINK),
        # lost in one place, added in another
        (TEN, b"".join(b"new %d\n" % number for number in range(9)) + without(3, 6, 8), ChangeShape.SHRINK),
        # edited in place, or moved: not lost
        (b"a\nb\nc\n", b"a\nB\nc\n", ChangeShape.EDIT),
        (TEN, TEN.replace(b"line 3", b"line drei").replace(b"line 8", b"line acht"), ChangeShape.EDIT),
        (b"first line\nsecond line\nthird line\n", b"third line\nfirst line\nsecond line\n", ChangeShape.EDIT),
        (b"\0" + b"x" * 100, b"\0" + b"x" * 200, ChangeShape.APPEND),
        (b"\0" + b"x" * 100, b"\1\0", ChangeShape.REWRITE),
        (b"\0" + b"x" * 100, b"\1\0" + b"x" * 60, ChangeShape.SHRINK),
        (b"\0" + b"x" * 100, b"\1\0" + b"x" * 90, ChangeShape.EDIT),
    ],
)
def test_kinds(before: bytes | None, after: bytes | None, kind: ChangeShape) -> None:
    assert measured(before, after).kind is kind


def test_lines_are_counted_on_both_sides() -> None:
    found = measured(TEN, TEN.replace(b"line 3\n", b"x\ny\n"))
    assert (found.added, found.removed) == (2, 1)
    assert (measured(None, TEN).added, measured(TEN, None).removed) == (10, 10)


def told(path: str, before: bytes | None, after: bytes | None, *, source: str = "", **options: bool) -> set[Alarm]:
    store = Store(ROOT, Layout.OPENCLAW)
    found = measured(before, after, renamed=bool(source))
    where, old = DocPath(path), DocPath(source or path)
    return set(alarms(store, where, old, found, before, after, protected=options.get("protected", False)))


def test_alarms() -> None:
    assert told("a.md", TEN, TEN + b"x\n") == set()
    assert told("SOUL.md", TEN, TEN + b"x\n", protected=True) == {Alarm.PROTECTED}
    assert told("a.md", TEN, None) == {Alarm.DELETED}
    assert told("a.md", TEN, b"") == {Alarm.REWRITTEN}
    assert told("a.md", TEN, without(1, 2, 3)) == {Alarm.SHRUNK}
    assert told("b.md", TEN, TEN, source="a.md") == set()
    assert told("b.md", TEN, without(1, 2, 3), source="a.md") == {Alarm.SHRUNK}


def test_a_daily_log_is_only_appended_to() -> None:
    log = "memory/2026-11-30.md"
    assert told(log, None, TEN) == set()
    assert told(log, TEN, TEN + b"x\n") == set()
    assert told(log, TEN, b"x\n" + TEN) == {Alarm.DAILY_LOG}
    assert told(log, TEN, None) == {Alarm.DAILY_LOG, Alarm.DELETED}
    assert told("memory/other.md", TEN, b"x\n" + TEN) == set()
    assert told("memory/other.md", TEN, TEN, source=log) == {Alarm.DAILY_LOG}
    assert is_daily_log(Store(DocPath("x"), Layout.IRONCLAW), DocPath("x/daily/2026-11-30-notes.md"))
    assert not is_daily_log(Store(ROOT, Layout.AGENTSMITH), DocPath("daily/2026-11-30.md"))


def fact(status: str = "", body: str = "Body.", kind: str = "project") -> bytes:
    line = f"status: {status}\n" if status else ""
    return f"---\nname: x\ndescription: d\nmetadata:\n  type: {kind}\n{line}---\n\n{body}\n".encode()


@pytest.mark.parametrize(
    ("before", "after", "is_alarm"),
    [
        (fact(), fact(body="Other."), False),
        (fact("proposed"), fact("proposed", "Other."), False),
        (fact("proposed"), fact("ratified"), True),
        (fact("ratified"), fact("proposed"), True),
        (fact("ratified"), fact(), True),
        (fact(), fact("ratified"), True),
        (fact("ratified"), fact("ratified", "Other."), True),
        (fact(kind="feedback"), fact(kind="feedback", body="Other."), True),
        (fact("ratified"), b"no fact\n", True),
        (fact("ratified"), None, False),
        (None, fact("proposed", kind="feedback"), False),
        (None, fact("ratified"), True),
        (None, fact(kind="feedback"), False),
    ],
)
def test_what_a_person_stands_behind(before: bytes | None, after: bytes | None, is_alarm: bool) -> None:
    path = DocPath(".agentsmith/memory/x.md")
    store = Store(DocPath(".agentsmith/memory"), Layout.AGENTSMITH, holds_facts=True)
    assert changes_status(store, path, before, after) is is_alarm
    assert not changes_status(store, DocPath(".agentsmith/memory/MEMORY.md"), before, after)
    assert not changes_status(Store(ROOT, Layout.PLAIN), DocPath("x.md"), before, after)
