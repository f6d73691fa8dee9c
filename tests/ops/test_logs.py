"""Daily logs: found by their names, read by the week, continued in their own form."""

from __future__ import annotations

import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from memgui.domain.errors import Conflict, InvalidParameters, NotEditable
from memgui.domain.origin import OriginKind
from memgui.domain.paths import DocPath
from memgui.domain.text import Text
from memgui.domain.workspace import Workspace
from memgui.ops import logs, sync
from memgui.ops import workspace as workspaces

NOW = datetime.datetime(2026, 11, 30, 14, 3, 5, tzinfo=datetime.UTC)
TODAY = NOW.date()
OPENCLAW = {"SOUL.md": "# Soul\n", "AGENTS.md": "# Agents\n", "MEMORY.md": "# Memory\n"}
IRONCLAW = {"MEMORY.md": "# Memory\n", "HEARTBEAT.md": "# Heartbeat\n"}


def _workspace(root: Path, files: dict[str, str]) -> Workspace:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    root.mkdir(exist_ok=True)
    return workspaces.open(root)


def _add(
    ws: Workspace, text: str, *, now: datetime.datetime = NOW, zone: datetime.tzinfo | None = None
) -> logs.Captured:
    return logs.capture(ws, logs.days(ws, sync.look(ws)), text, now=now, zone=zone)


def _text(ws: Workspace, path: str) -> str:
    return (ws.root / path).read_bytes().decode()


def test_days_have_their_logs_in_every_place_and_name(tmp_path: Path) -> None:
    names = [
        "memory/2026-11-29.md",
        "memory/2026-11-30-0915.md",
        "memory/2026-11-30-crane.md",
        "memory/2026-11-30.md",
        "memory/archive/2025-01-02.md",
        "memory/session-2026-11-30.md",
        "journal/2026/10/2026-10-12.md",
        "memory/2026-02-30.md",
        "daily/ideas.md",
        "memory/notes.md",
    ]
    ws = _workspace(tmp_path / "w", dict.fromkeys(names, "x\n"))
    days = logs.days(ws, sync.look(ws))
    assert [log.path for log in days.on(TODAY)] == [
        "memory/2026-11-30.md",
        "memory/2026-11-30-0915.md",
        "memory/2026-11-30-crane.md",
        "memory/session-2026-11-30.md",
    ]
    assert [day.isoformat() for day in days.dates] == ["2025-01-02", "2026-10-12", "2026-11-29", "2026-11-30"]
    assert days.other == ("daily/ideas.md", "memory/2026-02-30.md")
    assert days.last_until(datetime.date(2026, 11, 28)) == datetime.date(2026, 10, 12)
    assert days.first_from(datetime.date(2026, 10, 13)) == datetime.date(2026, 11, 29)


def test_a_week_reads_its_own_logs_and_knows_what_was_last(tmp_path: Path) -> None:
    ws = _workspace(
        tmp_path / "w",
        {"daily/2026-11-20.md": "[08:00:00] old\n", "daily/2026-11-28.md": "[08:00:00] a\n[23:10:00] b\n", **IRONCLAW},
    )
    snapshot = sync.look(ws)
    days = logs.days(ws, snapshot)
    week = logs.read_week(ws, snapshot, days, until=TODAY, today=TODAY)
    assert set(week.texts) == {"daily/2026-11-28.md"}
    assert [entry.time for entry in week.texts[DocPath("daily/2026-11-28.md")].entries] == ["08:00:00", "23:10:00"]
    assert week.last == logs.LastEntry(datetime.date(2026, 11, 28), "23:10:00")
    assert week.dates[0] == datetime.date(2026, 11, 24)
    assert week.target == "daily/2026-11-30.md"


def test_what_has_not_changed_is_not_read_again(tmp_path: Path) -> None:
    ws = _workspace(tmp_path / "w", {"daily/2026-11-29.md": "a\n", "daily/2026-11-30.md": "b\n"})
    snapshot = sync.look(ws)
    days = logs.days(ws, snapshot)
    first = logs.read_week(ws, snapshot, days, until=TODAY, today=TODAY)
    (ws.root / "daily/2026-11-30.md").write_text("b\nc\n")
    after = sync.look(ws)
    second = logs.read_week(ws, after, days, until=TODAY, today=TODAY, known=first.texts)
    yesterday, today = DocPath("daily/2026-11-29.md"), DocPath("daily/2026-11-30.md")
    assert second.texts[yesterday] is first.texts[yesterday]
    assert second.texts[today].lines == ("b", "c", "")


def test_a_log_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    ws = _workspace(tmp_path / "w", {"daily/2026-11-30.md": "b\n"})
    snapshot = sync.look(ws)
    (ws.root / "daily/2026-11-30.md").unlink()
    week = logs.read_week(ws, snapshot, logs.days(ws, snapshot), until=TODAY, today=TODAY)
    assert "there is no" in week.texts[DocPath("daily/2026-11-30.md")].problem


def test_the_first_week_of_the_calendar_can_be_asked_for(tmp_path: Path) -> None:
    assert len(logs.week_of(datetime.date(1, 1, 3))) == 3
    assert len(logs.week_of(datetime.date.max)) == 7


@pytest.mark.parametrize(
    ("files", "path", "text"),
    [
        (
            OPENCLAW | {"memory/2026-11-29.md": "# 2026-11-29\n\n- 08:00 a\n"},
            "memory/2026-11-30.md",
            "# 2026-11-30\n\n- 14:03 Hi\n",
        ),
        (OPENCLAW | {"memory/2026-11-30.md": "### a (08:00)\n"}, "memory/2026-11-30.md", "### a (08:00)\n- 14:03 Hi\n"),
        (OPENCLAW | {"memory/2026-11-30-crane.md": "- 08:00 a\n"}, "memory/2026-11-30.md", "- 14:03 Hi\n"),
        (IRONCLAW | {"daily/2026-11-29.md": "[08:00:00] a\n"}, "daily/2026-11-30.md", "[14:03:05] Hi\n"),
        (IRONCLAW | {"daily/2026-11-30.md": "[08:00:00] a"}, "daily/2026-11-30.md", "[08:00:00] a\n[14:03:05] Hi\n"),
        ({"x.md": "x\n"}, "daily/2026-11-30.md", "[14:03:05] Hi\n"),
        ({"journal/2026/10/2026-10-12.md": "## 08:00\n\na\n"}, "journal/2026/11/2026-11-30.md", "## 14:03\n\nHi\n"),
        ({"journal/archive/2026-10-12.md": "- a (08:00)\n"}, "journal/2026-11-30.md", "- Hi (14:03)\n"),
        ({"daily/2026-11-30.md": "- a\r\n- b\r\n"}, "daily/2026-11-30.md", "- a\r\n- b\r\n- 14:03 Hi\r\n"),
        ({"daily/2026-11-29.md": "|t|w|\n|-|-|\n| 08:00 | a |\n"}, "daily/2026-11-30.md", "- 14:03 Hi\n"),
        ({"daily/2026-11-30.md": ""}, "daily/2026-11-30.md", "[14:03:05] Hi\n"),
    ],
)
def test_a_line_goes_into_todays_log_in_the_workspaces_own_form(
    tmp_path: Path, files: dict[str, str], path: str, text: str
) -> None:
    ws = _workspace(tmp_path / "w", files)
    captured = _add(ws, " Hi\n")
    assert captured.path == path
    assert _text(ws, path) == text
    assert [change.origin.kind for change in captured.changes.changes] == [OriginKind.YOU]


def test_day_and_time_are_those_of_the_zone_asked_for(tmp_path: Path) -> None:
    ws = _workspace(tmp_path / "w", IRONCLAW | {"daily/2026-11-29.md": "x\n"})
    late = datetime.datetime(2026, 12, 1, 0, 30, 0, tzinfo=datetime.UTC)
    assert _add(ws, "Hi", now=late, zone=ZoneInfo("America/Chicago")).path == "daily/2026-11-30.md"
    assert _text(ws, "daily/2026-11-30.md") == "[18:30:00] Hi\n"


def test_nothing_is_not_added(tmp_path: Path) -> None:
    ws = _workspace(tmp_path / "w", IRONCLAW)
    with pytest.raises(InvalidParameters):
        _add(ws, " \n")
    assert not (ws.root / "daily").exists()


def test_what_is_added_leaves_the_log_a_text(tmp_path: Path) -> None:
    ws = _workspace(tmp_path / "w", IRONCLAW)
    added = _add(ws, "a\0b\x1b\u202e")
    assert _text(ws, added.path).endswith("[14:03:05] ab\x1b\u202e\n")
    with pytest.raises(InvalidParameters):
        _add(ws, "\0\0")


def test_a_workspace_of_facts_has_no_daily_log(tmp_path: Path) -> None:
    ws = _workspace(tmp_path / "w", {".agentsmith/memory/MEMORY.md": "# Memory index\n"})
    with pytest.raises(InvalidParameters, match="no daily log"):
        _add(ws, "Hi")


def test_what_an_agent_writes_in_between_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ws = _workspace(tmp_path / "w", IRONCLAW | {"daily/2026-11-30.md": "[08:00:00] a\n"})
    tail = logs._tail

    def late(text: Text, addition: logs.Addition) -> bytes:
        with (ws.root / addition.path).open("a") as file:
            file.write("[09:00:00] b\n")
        return tail(text, addition)

    monkeypatch.setattr(logs, "_tail", late)
    added = _add(ws, "Hi")
    assert _text(ws, added.path) == "[08:00:00] a\n[09:00:00] b\n[14:03:05] Hi\n"
    logs.take_back(ws, added)
    assert _text(ws, added.path) == "[08:00:00] a\n[09:00:00] b\n"


def test_a_line_can_be_taken_back_and_what_was_written_since_stays(tmp_path: Path) -> None:
    ws = _workspace(tmp_path / "w", IRONCLAW | {"daily/2026-11-30.md": "[08:00:00] a"})
    captured = _add(ws, "Hi")
    logs.take_back(ws, captured)
    assert _text(ws, "daily/2026-11-30.md") == "[08:00:00] a"
    captured = _add(ws, "Hi")
    with (ws.root / captured.path).open("a") as file:
        file.write("[15:00:00] b\n")
    logs.take_back(ws, captured)
    assert _text(ws, "daily/2026-11-30.md") == "[08:00:00] a\n[15:00:00] b\n"


def test_a_line_that_cannot_be_told_any_more_is_not_taken_back(tmp_path: Path) -> None:
    ws = _workspace(tmp_path / "w", IRONCLAW | {"daily/2026-11-30.md": "a\n"})
    captured = _add(ws, "Hi")
    (ws.root / captured.path).write_text("rewritten\n")
    with pytest.raises(Conflict):
        logs.take_back(ws, captured)
    assert _text(ws, captured.path) == "rewritten\n"


def test_a_log_in_another_encoding_is_left_alone(tmp_path: Path) -> None:
    ws = _workspace(tmp_path / "w", IRONCLAW)
    (ws.root / "daily").mkdir()
    (ws.root / "daily/2026-11-30.md").write_bytes("Säge\n".encode("latin-1"))
    with pytest.raises(NotEditable):
        _add(ws, "Hi")
    assert (ws.root / "daily/2026-11-30.md").read_bytes() == "Säge\n".encode("latin-1")
