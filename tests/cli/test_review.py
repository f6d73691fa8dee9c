"""`memgui review`, as scripts see it: the forms, the ids, what each verdict answers and how it ends."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from memgui.domain.documents import fingerprint
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.ops import documents, versions, workspace
from memgui.storage.deeds import Deeds


@pytest.fixture
def root(workspace_root: Path, monkeypatch: pytest.MonkeyPatch, run: Any) -> Path:
    monkeypatch.setenv("MEMGUI_WORKSPACE", str(workspace_root))
    assert run("review").code == 0
    return workspace_root


def edited(root: Path) -> bytes:
    """Two places changed, as a program outside does."""
    file = root / "MEMORY.md"
    file.write_bytes(file.read_bytes().replace(b"Berth 7", b"Berth 8").replace(b"telephone", b"mail"))
    return file.read_bytes()


def test_the_first_review_counts_all_that_stands_there_as_accepted(workspace_root: Path, run: Any) -> None:
    ran = run("review", "--json", "-w", str(workspace_root))
    assert (ran.code, ran.json) == (0, {"changes": []})


def test_what_an_agent_wrote_before_anybody_reviewed_is_listed(workspace_root: Path, run: Any) -> None:
    run("write", "berth 7", "--target", "memory", "--agent", "scribe", "-w", str(workspace_root))
    run("write", "a new one", "--target", "new.md", "-w", str(workspace_root))
    changes = run("review", "-w", str(workspace_root), "--json").json["changes"]
    assert {(one["path"], one["kind"], *one["who"]) for one in changes} == {
        ("MEMORY.md", "append", 'agent "scribe"'),
        ("new.md", "create", 'agent "cli"'),
    }


def test_the_forms_of_list_and_show(root: Path, run: Any) -> None:
    edited(root)
    os.utime(root / "MEMORY.md", (1_796_047_385, 1_796_047_385))
    (change,) = run("review", "list", "--json").json["changes"]
    id_ = change.pop("id")
    assert change == {
        "path": "MEMORY.md",
        "kind": "edit",
        "alarm": False,
        "who": ["outside"],
        "since": "2026-11-30T14:03:05Z",
        "added": 2,
        "removed": 2,
    }
    shown = run("review", "--json", "show", id_).json
    assert shown == {
        "id": id_,
        "path": "MEMORY.md",
        "kind": "edit",
        "hunks": [
            {
                "id": f"{id_}.1",
                "line": 5,
                "removed": ["- Berth 7 is closed until the crane is repaired."],
                "added": ["- Berth 8 is closed until the crane is repaired."],
            },
            {
                "id": f"{id_}.2",
                "line": 10,
                "removed": ["- Jürgen answers faster by telephone."],
                "added": ["- Jürgen answers faster by mail."],
            },
        ],
    }


def test_verdicts_answer_with_the_change_after_them(root: Path, run: Any) -> None:
    before = (root / "MEMORY.md").read_bytes()
    after = edited(root)
    id_ = run("review", "--json").json["changes"][0]["id"]
    left = run("review", "accept", f"{id_}.1", "--json").json
    assert [hunk["line"] for hunk in left["hunks"]] == [10]
    assert (root / "MEMORY.md").read_bytes() == after
    old = run("review", "reject", id_, "--json")
    assert (old.code, old.json["error"]["code"]) == (1, "Conflict")
    left = run("review", "reject", f"{left['id']}.1", "--json").json
    assert left["hunks"] == []
    assert (root / "MEMORY.md").read_bytes() == before.replace(b"Berth 7", b"Berth 8")
    assert run("review", "--json").json == {"changes": []}


def test_verdicts_are_the_persons_in_the_shell_and_are_noted(root: Path, run: Any) -> None:
    edited(root)
    run("review", "reject", run("review", "--json").json["changes"][0]["id"])
    ws = workspace.open(root, remember=False)
    (deed,) = Deeds(ws.state).all()
    assert (deed.kind, deed.path, deed.origin) == ("reject", "MEMORY.md", Origin.shell())
    assert versions.versions(ws, "MEMORY.md")["versions"][-1]["changed_by"] == "you (shell)"


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_protected_files_are_decided_on_at_a_terminal_only(
    root: Path, run: Any, action: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    soul = root / "SOUL.md"
    before = soul.read_bytes()
    soul.write_bytes(before + b"And wild.\n")
    (change,) = run("review", "--json").json["changes"]
    assert change["alarm"] is True
    refused = run("review", action, change["id"], "--json")
    assert (refused.code, refused.json["error"]["code"]) == (1, "NotAuthorized")
    assert run("review", "--json").json["changes"][0]["id"] == change["id"]
    monkeypatch.setattr("memgui.cli.verbs.review._is_asked_by_a_person", lambda: True)
    assert run("review", action, change["id"]).code == 0
    assert soul.read_bytes() == (before if action == "reject" else before + b"And wild.\n")
    assert run("review", "--json").json == {"changes": []}


@pytest.mark.parametrize(
    ("words", "code", "name"),
    [
        (("forget",), 2, "InvalidParameters"),
        (("show",), 2, "InvalidParameters"),
        (("list", "abc"), 2, "InvalidParameters"),
        (("accept", "abc", "def"), 2, "InvalidParameters"),
        (("show", "../x"), 1, "InvalidParameters"),
        (("accept", "0123456789abcdef.x"), 1, "InvalidParameters"),
        (("reject", "0123456789abcdef"), 1, "Conflict"),
    ],
)
def test_what_is_refused(root: Path, run: Any, words: tuple[str, ...], code: int, name: str) -> None:
    ran = run("review", *words, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (code, name)


def test_a_hunk_that_is_not_there_is_refused(root: Path, run: Any) -> None:
    after = edited(root)
    id_ = run("review", "--json").json["changes"][0]["id"]
    for action in ("show", "accept", "reject"):
        for number in (0, 3):
            assert run("review", action, f"{id_}.{number}").code == 1
    assert (root / "MEMORY.md").read_bytes() == after


def test_a_rename_says_where_it_came_from(root: Path, run: Any) -> None:
    (root / "MEMORY.md").rename(root / "OLD.md")
    (change,) = run("review", "--json").json["changes"]
    assert (change["kind"], change["path"], change["from"]) == ("rename", "OLD.md", "MEMORY.md")
    assert run("review", "reject", change["id"], "--json").json["hunks"] == []
    assert sorted(path.name for path in root.glob("*M*Y.md")) == ["MEMORY.md"]


def test_what_a_person_writes_is_not_listed(root: Path, run: Any) -> None:
    ws, data = workspace.open(root, remember=False), (root / "MEMORY.md").read_bytes()
    documents.write(ws, DocPath("MEMORY.md"), b"mine\n", expected=fingerprint(data), origin=Origin.you())
    assert run("review", "--json").json == {"changes": []}


def test_a_list_for_people(root: Path, run: Any) -> None:
    edited(root)
    (root / "SOUL.md").unlink()
    first, alarm, second, third = run("review").out.splitlines()
    assert "delete  SOUL.md  +0 -3  outside" in first
    assert alarm.strip() == "A protected file was changed."
    assert second.strip() == "A document was deleted."
    id_ = third.split()[0]
    assert run("review", "show", f"{id_}.2").out.splitlines()[1:] == [
        f"@@ {id_}.2  line 10",
        "-- Jürgen answers faster by telephone.",
        "+- Jürgen answers faster by mail.",
    ]


def test_each_line_is_printed_with_its_writer(root: Path, run: Any) -> None:
    run("write", "berth 9", "--target", "HEARTBEAT.md", "--agent", "scribe")
    answer = run("history", "HEARTBEAT.md", "--blame", "--json").json
    assert (answer["path"], answer["lines"][-1]["text"], answer["lines"][-1]["who"]) == (
        "HEARTBEAT.md",
        "berth 9",
        'agent "scribe"',
    )
    assert [one["who"] for one in answer["lines"][:-1]] == ["outside"] * 4
    last = run("history", "--blame", "HEARTBEAT.md").out.splitlines()[-1]
    assert last.startswith('agent "scribe"')
    assert last.endswith("   5  berth 9")
    assert run("history", "--blame").code == 2
