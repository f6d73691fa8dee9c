"""A workspace that was moved: its history is offered where it stands now, and taken over on a word."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memgui.domain.documents import fingerprint
from memgui.domain.errors import NotFound
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import adoption, documents, reading, versions, workspace

MEMORY = DocPath("MEMORY.md")


@pytest.fixture
def old(tmp_path: Path) -> Workspace:
    root = tmp_path / "old"
    root.mkdir()
    for number in range(6):
        (root / f"{number}.md").write_bytes(b"text %d\n" % number)
    ws = workspace.open(root)
    for number in range(6):
        reading.read(ws, f"{number}.md")
    documents.write(ws, MEMORY, b"one\n", expected=None, origin=Origin.agent("scribe"))
    documents.write(ws, MEMORY, b"two\n", expected=fingerprint(b"one\n"), origin=Origin.you())
    return ws


def moved(old: Workspace, *, edited: int = 0) -> Workspace:
    new = old.root.with_name("new")
    shutil.move(old.root, new)
    for number in range(edited):
        (new / f"{number}.md").write_bytes(b"edited\n")
    return workspace.open(new)


def test_a_moved_workspace_is_offered_its_history_and_takes_it_over(old: Workspace) -> None:
    new = moved(old, edited=3)
    assert new.id != old.id
    (candidate,) = adoption.candidates(new)
    assert (candidate.id, candidate.path, candidate.same, candidate.compared) == (old.id, old.root, 4, 7)
    adoption.adopt(new, candidate)
    again = workspace.open(new.root)
    assert again.id == old.id
    assert [one.origin.label for one in versions.seen(again, MEMORY)] == ['agent "scribe"', "you"]
    assert [one.path for one in workspace.recents()] == [new.root]
    assert adoption.candidates(again) == ()


def test_one_that_is_still_there_or_too_unlike_is_not_offered(old: Workspace) -> None:
    copy = old.root.with_name("copy")
    shutil.copytree(old.root, copy)
    assert adoption.candidates(workspace.open(copy)) == ()
    assert adoption.candidates(moved(old, edited=4)) == ()


def test_what_was_declined_is_not_offered_again(old: Workspace) -> None:
    new = moved(old)
    (candidate,) = adoption.candidates(new)
    adoption.decline(new, candidate)
    assert adoption.candidates(new) == ()


def test_one_that_has_a_history_of_its_own_is_not_asked(old: Workspace) -> None:
    new = moved(old)
    documents.write(new, MEMORY, b"mine\n", expected=fingerprint(b"two\n"), origin=Origin.you())
    assert adoption.candidates(new) == ()


def test_what_went_meanwhile_is_a_sentence_and_damage_is_no_trouble(old: Workspace) -> None:
    new = moved(old)
    (candidate,) = adoption.candidates(new)
    (old.state / "journal.sqlite").write_bytes(b"damage" * 1000)
    adoption.candidates(new)
    shutil.rmtree(old.state)
    assert adoption.candidates(new) == ()
    with pytest.raises(NotFound):
        adoption.adopt(new, candidate)
