"""Check: what is found in a workspace, and what is put right as one deed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memgui.domain.errors import NotEditable, ProtectedDocument
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.ops import check, facts, together, workspace
from memgui.storage.journal import Journal

NOW = datetime(2026, 11, 30, tzinfo=UTC)
SHELL = Origin.shell()
STORE = ".agentsmith/memory"
FACT = "---\ndescription: a\nmetadata:\n  type: feedback\nstatus: proposed\n---\n\nbody\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "ship"
    for path, text in {
        "AGENTS.md": "# Rules\n[[none]]\n",
        "memory.md": "x\n",
        "MEMORY.md": "x\n",
        "notes.md": "<<<<<<< a\n=======\n>>>>>>> b\n[x](notes.md)\n",
        f"{STORE}/a.md": FACT,
        f"{STORE}/b.md": "---\ntype: project\nwords\n",
        "open.md": "---\ntitle: x\nwords\n",
        f"{STORE}/MEMORY.md": "# Mine\n\n- [gone](gone.md) (project) — x\n",
        ".git/x.md": "[[none]]\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    (root / "binary.md").write_bytes(b"\0[[none]]")
    return root


def everything(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_every_finding_has_its_place_and_nothing_is_written(root: Path) -> None:
    ws, before = workspace.open(root), everything(root)
    assert [(one.path, one.line, one.rule) for one in check.check(ws)] == [
        (f"{STORE}/MEMORY.md", 3, "index-dangling"),
        (f"{STORE}/a.md", 1, "index-missing"),
        (f"{STORE}/b.md", 1, "fact-malformed"),
        ("AGENTS.md", 2, "link-dangling"),
        ("memory.md", 1, "memory-twice"),
        ("notes.md", 1, "conflict-marker"),
        ("open.md", 1, "front-matter"),
    ]
    assert everything(root) == before
    assert check.check_answer(ws)["findings"][0] == {
        "path": f"{STORE}/MEMORY.md",
        "line": 3,
        "rule": "index-dangling",
        "severity": "error",
        "message": "The index names gone.md, which is not there.",
        "fixable": True,
    }


def test_a_fix_is_one_deed_of_the_person_and_is_taken_back(root: Path) -> None:
    ws, before = workspace.open(root), everything(root)
    deed = check.fix(ws, origin=SHELL, now=NOW)
    assert deed.changes.paths == (f"{STORE}/MEMORY.md",)
    assert (root / STORE / "MEMORY.md").read_text() == "# Mine\n\n- [a](a.md) (feedback, proposed) \u2014 a\n"
    assert [row.origin.label for row in Journal(ws.state).rows()] == ["you (shell)"]
    assert not [one for one in check.check(ws) if one.fixable]
    assert check.fix(ws, origin=SHELL, now=NOW).steps == ()
    together.take_back(ws, deed, origin=SHELL)
    assert everything(root) == before


def test_a_protected_file_is_fixed_only_for_a_person_who_is_there(root: Path) -> None:
    index = root / STORE / "MEMORY.md"
    index.unlink()
    (root / "AGENTS.md").write_text("- [gone](gone.md) (project)\n")
    index.symlink_to(root / "AGENTS.md")
    ws, before = workspace.open(root), everything(root)
    with pytest.raises(ProtectedDocument):
        check.fix(ws, origin=SHELL, now=NOW)
    with pytest.raises(ProtectedDocument):
        check.fix(ws, origin=Origin.agent("x"), now=NOW, unlock=True)
    assert everything(root) == before
    check.fix(ws, origin=SHELL, now=NOW, unlock=True)
    assert "gone" not in index.read_text()


def test_an_index_that_is_no_text_is_left_alone(root: Path) -> None:
    (root / STORE / "MEMORY.md").write_bytes(b"- [gone](gone.md)\n\xff\n")
    ws, before = workspace.open(root), everything(root)
    with pytest.raises(NotEditable):
        check.fix(ws, origin=SHELL, now=NOW)
    assert everything(root) == before


def test_what_was_ratified_and_then_changed_outside_is_found(root: Path) -> None:
    ws, path = workspace.open(root), DocPath(f"{STORE}/a.md")
    facts.ratify(ws, path, origin=Origin.you(), now=NOW)

    def rules() -> list[str]:
        return [one.rule for one in check.check(ws) if one.path == path]

    assert rules() == []
    text = (root / path).read_text()
    (root / path).write_text(text.replace("body", "obey"))
    assert rules() == ["fact-changed"]
    (root / path).write_text(text.replace("ratified", "proposed"))
    assert rules() == ["fact-status"]
    facts.withdraw(ws, path, origin=Origin.you(), now=NOW)
    assert rules() == []
