"""Filing: names made, changed and taken away on real files; nothing is lost, overwritten or led out."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from memgui.domain.changes import ChangeKind
from memgui.domain.errors import (
    ExecutionFailed,
    InvalidParameters,
    MemguiError,
    NotAuthorized,
    NotFound,
    ProtectedDocument,
    WriteFailed,
)
from memgui.domain.filing import FilingKind
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import (
    baselines,
    documents,
    filing,
    filing_steps,
    following,
    ratifying,
    retention,
    review,
    sync,
    versions,
)
from memgui.ops import workspace as workspaces
from memgui.ops.retention import Limits
from memgui.storage import filing as names
from memgui.storage import swap, unfinished
from memgui.storage.deeds import Deeds
from memgui.storage.filing import Taken, standing
from memgui.storage.folders import ScanStopped
from memgui.storage.undelete import UndeleteStore

YOU = Origin.you()
PLAN = DocPath("projects/crane/plan.md")
NOTES = DocPath("projects/notes.md")
CRANE = DocPath("projects/crane")


@pytest.fixture
def ws(workspace_root: Path) -> Workspace:
    return workspaces.open(workspace_root)


@pytest.fixture
def apart(workspace_root: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """The workspace with memgui's state on another disk."""
    shm = Path("/dev/shm")
    if not shm.is_dir() or shm.stat().st_dev == workspace_root.stat().st_dev or not os.access(shm, os.W_OK):
        pytest.skip("there is no other disk here")
    home = shm / f"memgui-test-{os.getpid()}"
    monkeypatch.setenv("MEMGUI_HOME", str(home))
    return workspaces.open(workspace_root)


@pytest.fixture(autouse=True)
def no_other_disk_left() -> Iterator[None]:
    yield
    shutil.rmtree(f"/dev/shm/memgui-test-{os.getpid()}", ignore_errors=True)


def text(ws: Workspace, path: str) -> str:
    return (ws.root / path).read_text(encoding="utf-8")


def refused(deed: Callable[[], object], error: type[MemguiError]) -> None:
    with pytest.raises(error):
        deed()


def history(ws: Workspace, path: DocPath) -> list[str | None]:
    return [version.hash for version in versions.all_versions(ws, path)[1]]


# Making --------------------------------------------------------------------------------------------------------------


def test_a_new_document_is_empty_and_is_yours(ws: Workspace) -> None:
    changes, filed = filing.create(ws, DocPath("ideas/pier.md"), origin=YOU)
    assert text(ws, "ideas/pier.md") == ""
    assert [(one.path, one.kind) for one in changes.changes] == [("ideas/pier.md", ChangeKind.CREATED)]
    assert filed.kind is FilingKind.CREATED


def test_nothing_is_made_over_what_is_there(ws: Workspace) -> None:
    before = text(ws, NOTES)
    with pytest.raises(Taken, match=r"There is already 'notes\.md'"):
        filing.create(ws, NOTES, origin=YOU)
    with pytest.raises(Taken, match="take for the same name"):
        filing.create(ws, DocPath("projects/Notes.md"), origin=YOU)
    assert text(ws, NOTES) == before
    assert sorted(os.listdir(ws.root / "projects")) == ["crane", "notes.md"]


def test_a_file_that_comes_up_this_instant_is_not_overwritten(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    real = documents.write

    def late(*args: object, **others: object) -> object:
        (ws.root / "new.md").write_text("the agent's\n")
        return real(*args, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(documents, "write", late)
    with pytest.raises(Taken):
        filing.create(ws, DocPath("new.md"), origin=YOU)
    assert text(ws, "new.md") == "the agent's\n"


def test_a_folder_is_made_and_unmade_while_it_is_empty(ws: Workspace) -> None:
    _changes, filed = filing.make_folder(ws, DocPath("a/b"), origin=YOU)
    (ws.root / "a/b/x.md").write_text("x\n")
    with pytest.raises(WriteFailed, match="is not empty"):
        filing.take_back(ws, filed, origin=YOU)
    (ws.root / "a/b/x.md").unlink()
    filing.take_back(ws, filed, origin=YOU)
    assert not (ws.root / "a").exists()


# Renaming and moving -------------------------------------------------------------------------------------------------


def test_a_renamed_document_keeps_bytes_mode_attributes_id_and_history(ws: Workspace) -> None:
    (ws.root / PLAN).chmod(0o640)
    os.setxattr(ws.root / PLAN, "user.note", b"kept")
    documents.write(ws, PLAN, b"# Crane\n", expected=documents.read(ws, PLAN).fingerprint, origin=YOU)
    before, inode = history(ws, PLAN), (ws.root / PLAN).stat().st_ino
    changes, _filed = filing.rename(ws, PLAN, "lift", origin=YOU)
    new = DocPath("projects/crane/lift.md")
    found = (ws.root / new).stat()
    assert not (ws.root / PLAN).exists()
    assert (found.st_ino, stat.S_IMODE(found.st_mode)) == (inode, 0o640)
    assert os.getxattr(ws.root / new, "user.note") == b"kept"
    assert history(ws, new) == before
    (change,) = changes.changes
    assert (change.path, change.kind, change.renamed_from) == (new, ChangeKind.RENAMED, PLAN)


def test_a_move_is_taken_back(ws: Workspace) -> None:
    _changes, filed = filing.move(ws, NOTES, CRANE, origin=YOU)
    assert (ws.root / "projects/crane/notes.md").exists()
    filing.take_back(ws, filed, origin=YOU)
    assert (ws.root / NOTES).exists()
    assert not (ws.root / "projects/crane/notes.md").exists()


def test_a_folder_goes_with_all_that_is_in_it(ws: Workspace) -> None:
    documents.write(ws, PLAN, b"new\n", expected=documents.read(ws, PLAN).fingerprint, origin=YOU)
    before = history(ws, PLAN)
    changes, _filed = filing.rename(ws, CRANE, "lift", origin=YOU)
    assert history(ws, DocPath("projects/lift/plan.md")) == before
    assert [(one.path, one.renamed_from) for one in changes.changes] == [
        ("projects/lift", CRANE),
        ("projects/lift/plan.md", PLAN),
    ]


@pytest.mark.parametrize("folder", ["projects/crane", "projects/crane/inner", "projects"])
def test_a_folder_is_not_moved_into_itself_or_nowhere(ws: Workspace, folder: str) -> None:
    (ws.root / "projects/crane/inner").mkdir()
    with pytest.raises(InvalidParameters):
        filing.move(ws, CRANE, DocPath(folder), origin=YOU)
    assert text(ws, PLAN)


def test_a_name_that_is_taken_keeps_both_files(ws: Workspace) -> None:
    (ws.root / "projects/crane/notes.md").write_text("other\n")
    before = text(ws, NOTES)
    with pytest.raises(Taken):
        filing.move(ws, NOTES, CRANE, origin=YOU)
    assert (text(ws, NOTES), text(ws, "projects/crane/notes.md")) == (before, "other\n")


def test_a_target_that_comes_up_this_instant_is_not_overwritten(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    real = filing_steps.check_place

    def late(*args: object, **others: object) -> None:
        real(*args, **others)  # type: ignore[arg-type]
        (ws.root / "projects/other.md").write_text("the agent's\n")

    monkeypatch.setattr(filing, "check_place", late)
    with pytest.raises(Taken):
        filing.rename(ws, NOTES, "other", origin=YOU)
    assert text(ws, "projects/other.md") == "the agent's\n"
    assert "港口" in text(ws, NOTES)


@pytest.mark.parametrize(
    "raw", ["../out", "a/b", "a\\b", "..", ".hidden", "a:b", "a\u202eb", "a\x00b", "", "  ", "x" * 300]
)
def test_names_that_lead_out_or_hide_are_refused(ws: Workspace, raw: str) -> None:
    with pytest.raises(InvalidParameters):
        filing.rename(ws, NOTES, raw, origin=YOU)
    assert (ws.root / NOTES).exists()


def test_only_the_case_of_a_name_can_change(ws: Workspace) -> None:
    filing.rename(ws, NOTES, "Notes.md", origin=YOU)
    assert "Notes.md" in os.listdir(ws.root / "projects")


def test_a_disk_that_takes_both_spellings_for_one_is_led_by_a_third(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, steps = swap.move_between, list[tuple[bytes, bytes]]()

    def folding(source: int, old: bytes, target: int, new: bytes) -> None:
        steps.append((old, new))
        if old.lower() == new.lower():
            raise FileExistsError(17, "File exists")
        real(source, old, target, new)

    monkeypatch.setattr(swap, "move_between", folding)
    monkeypatch.setattr(names, "_is_one_name", lambda *_names: True)
    filing.rename(ws, NOTES, "Notes.md", origin=YOU)
    assert len(steps) == 3
    assert os.listdir(ws.root / "projects").count("Notes.md") == 1
    assert not (ws.state / "renaming.json").exists()


def test_a_change_of_case_that_was_killed_half_way_is_ended_by_the_next(ws: Workspace) -> None:
    aside, new = DocPath("projects/.memgui-rename-00.tmp"), DocPath("projects/Notes.md")
    unfinished.note(ws.state, NOTES, aside, new)
    (ws.root / NOTES).rename(ws.root / aside)
    filing.finish(ws)
    assert sorted(os.listdir(ws.root / "projects")) == ["Notes.md", "crane"]


def test_two_names_of_one_file_are_two_names(ws: Workspace) -> None:
    os.link(ws.root / NOTES, ws.root / "projects/twin.md")
    with pytest.raises(Taken):
        filing.rename(ws, NOTES, "twin.md", origin=YOU)
    assert sorted(os.listdir(ws.root / "projects")) == ["crane", "notes.md", "twin.md"]


def test_a_link_is_renamed_as_a_link(ws: Workspace) -> None:
    (ws.root / "projects/link.md").symlink_to("notes.md")
    filing.rename(ws, DocPath("projects/link.md"), "way", origin=YOU)
    assert os.readlink(ws.root / "projects/way.md") == "notes.md"
    with pytest.raises(ExecutionFailed, match="A link leads elsewhere"):
        filing.move(ws, DocPath("projects/way.md"), CRANE, origin=YOU)


def test_a_name_that_is_no_utf8_can_be_given_another(ws: Workspace) -> None:
    odd = DocPath(os.fsdecode(b"projects/bad\xff.md"))
    (ws.root / odd).write_bytes(b"x\n")
    filing.rename(ws, odd, "good", origin=YOU)
    assert text(ws, "projects/good.md") == "x\n"


def test_a_folder_that_takes_no_names_is_said(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_names: object) -> bool:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(swap, "_rename_between", refuse)
    with pytest.raises(WriteFailed, match="permission denied"):
        filing.rename(ws, NOTES, "x", origin=YOU)
    with pytest.raises(WriteFailed, match="is where it was: permission denied"):
        filing.trash(ws, NOTES, origin=YOU)
    assert "港口" in text(ws, NOTES)
    assert filing.trashed(ws) == ()


# What stays where it is ----------------------------------------------------------------------------------------------


def test_identity_files_are_refused_by_every_verb(ws: Workspace) -> None:
    before = text(ws, "SOUL.md")
    (ws.root / "way.md").symlink_to("SOUL.md")
    os.link(ws.root / "SOUL.md", ws.root / "twin.md")
    for name in map(DocPath, ("SOUL.md", "way.md", "twin.md")):
        refused(partial(filing.rename, ws, name, "x", origin=YOU), ProtectedDocument)
        refused(partial(filing.move, ws, name, CRANE, origin=YOU), ProtectedDocument)
        refused(partial(filing.trash, ws, name, origin=YOU), ProtectedDocument)
    refused(partial(filing.duplicate, ws, DocPath("SOUL.md"), origin=YOU), ProtectedDocument)
    refused(partial(filing.rename, ws, DocPath("MEMORY.md"), "bootstrap.md", origin=YOU), ProtectedDocument)
    refused(partial(filing.create, ws, DocPath("BOOTSTRAP.md"), origin=YOU), ProtectedDocument)
    assert text(ws, "SOUL.md") == before


def test_agents_do_not_file(ws: Workspace) -> None:
    with pytest.raises(NotAuthorized):
        filing.trash(ws, NOTES, origin=Origin.agent("scribe"))


def test_what_leads_out_is_not_followed(ws: Workspace, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (ws.root / "door").symlink_to(tmp_path / "out")
    with pytest.raises(NotAuthorized):
        filing.move(ws, NOTES, DocPath("door"), origin=YOU)
    with pytest.raises(NotAuthorized):
        filing.create(ws, DocPath("door/x.md"), origin=YOU)
    assert os.listdir(tmp_path / "out") == []


def facts_root(root: Path) -> Workspace:
    store = root / ".agentsmith/memory"
    store.mkdir(parents=True)
    (store / "MEMORY.md").write_text("# Memory index\n\n- [tides](tides.md) (project) — when\n")
    (store / "tides.md").write_text("---\nname: tides\ndescription: when\nmetadata:\n  type: project\n---\n\nbody\n")
    return workspaces.open(root)


def test_a_fact_in_the_trash_takes_its_index_line_along_and_brings_it_back(tmp_path: Path) -> None:
    ws = facts_root(tmp_path / "repository")
    fact, index = DocPath(".agentsmith/memory/tides.md"), ".agentsmith/memory/MEMORY.md"
    before = text(ws, index)
    _changes, filed = filing.trash(ws, fact, origin=YOU)
    assert not (ws.root / fact).exists()
    assert "tides" not in text(ws, index)
    filing.take_back(ws, filed, origin=YOU)
    assert text(ws, index) == before
    assert (ws.root / fact).exists()


def test_a_fact_is_not_renamed_moved_or_copied_and_its_store_stays(tmp_path: Path) -> None:
    ws = facts_root(tmp_path / "repository")
    (ws.root / "x.md").write_text("x\n")
    fact = DocPath(".agentsmith/memory/tides.md")
    for deed in (
        partial(filing.rename, ws, fact, "x", origin=YOU),
        partial(filing.duplicate, ws, fact, origin=YOU),
        partial(filing.move, ws, fact, DocPath(""), origin=YOU),
        partial(filing.trash, ws, DocPath(".agentsmith/memory/MEMORY.md"), origin=YOU),
        partial(filing.trash, ws, DocPath(".agentsmith"), origin=YOU),
        partial(filing.move, ws, DocPath("x.md"), DocPath(".agentsmith/memory"), origin=YOU),
    ):
        with pytest.raises(ExecutionFailed, match="facts"):
            deed()


# Copies --------------------------------------------------------------------------------------------------------------


def test_a_copy_has_the_bytes_and_a_name_of_its_own(ws: Workspace) -> None:
    filing.duplicate(ws, NOTES, origin=YOU)
    _changes, filed = filing.duplicate(ws, NOTES, origin=YOU)
    assert filed.path == "projects/notes copy 2.md"
    assert text(ws, filed.path) == text(ws, NOTES)


# The trash -----------------------------------------------------------------------------------------------------------


def test_a_document_in_the_trash_comes_back_as_it_was(ws: Workspace) -> None:
    (ws.root / NOTES).chmod(0o640)
    os.setxattr(ws.root / NOTES, "user.note", b"kept")
    before = (ws.root / NOTES).read_bytes()
    _changes, filed = filing.trash(ws, NOTES, origin=YOU, now=1000.0)
    assert not (ws.root / NOTES).exists()
    (one,) = filing.trashed(ws)
    assert (one.path, one.who, one.files, one.size) == (NOTES, "you", 1, len(before))
    filing.take_back(ws, filed, origin=YOU)
    found = (ws.root / NOTES).stat()
    assert (ws.root / NOTES).read_bytes() == before
    assert (stat.S_IMODE(found.st_mode), os.getxattr(ws.root / NOTES, "user.note")) == (0o640, b"kept")
    assert filing.trashed(ws) == ()


def test_the_history_of_a_document_says_that_it_went_and_came_back(ws: Workspace) -> None:
    _changes, filed = filing.trash(ws, NOTES, origin=YOU)
    assert [(one.hash is None, one.origin.label) for one in versions.all_versions(ws, NOTES)[1]] == [
        (False, "outside"),
        (True, "you"),
    ]
    filing.take_back(ws, filed, origin=YOU)
    assert [one.hash is None for one in versions.all_versions(ws, NOTES)[1]] == [False, True, False]


def test_what_stands_in_its_place_keeps_a_thing_in_the_trash(ws: Workspace) -> None:
    _changes, filed = filing.trash(ws, NOTES, origin=YOU)
    (ws.root / NOTES).write_text("the agent's\n")
    with pytest.raises(Taken):
        filing.take_back(ws, filed, origin=YOU)
    assert text(ws, NOTES) == "the agent's\n"
    (one,) = filing.trashed(ws)
    filing.undelete(ws, one.id, to=DocPath("projects/old/notes.md"), origin=YOU)
    assert "港口" in text(ws, "projects/old/notes.md")


def big_folder(ws: Workspace, count: int) -> DocPath:
    folder = ws.root / "archive/many"
    for number in range(count):
        path = folder / f"{number % 50:02}" / f"{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {number}\n")
    return DocPath("archive/many")


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_of_five_thousand_comes_back_whole(ws: Workspace) -> None:
    folder = big_folder(ws, 5000)
    before = everything(ws.root / folder)
    changes, filed = filing.trash(ws, folder, origin=YOU)
    assert not (ws.root / folder).exists()
    assert len(changes.changes) == 5000 + 50 + 1
    filing.take_back(ws, filed, origin=YOU)
    assert everything(ws.root / folder) == before


def test_the_documents_of_a_folder_in_the_trash_have_their_end_in_the_history(ws: Workspace) -> None:
    _changes, filed = filing.trash(ws, CRANE, origin=YOU)
    filing.note_history(ws)
    assert [one.hash is None for one in versions.all_versions(ws, PLAN)[1]] == [False, True]
    filing.take_back(ws, filed, origin=YOU)
    assert [one.hash is None for one in versions.all_versions(ws, PLAN)[1]] == [False, True, False]


def test_what_a_person_did_with_a_name_waits_for_no_review(ws: Workspace) -> None:
    look = partial(review.pending, ws)
    baselines.begin(ws, sync.look(ws))
    filing.rename(ws, NOTES, "quays", origin=YOU)
    filing.rename(ws, CRANE, "lift", origin=YOU)
    filing.create(ws, DocPath("new.md"), origin=YOU)
    filing.duplicate(ws, DocPath("MEMORY.md"), origin=YOU)
    assert look(sync.look(ws)) == ()
    _changes, gone = filing.trash(ws, DocPath("projects"), origin=YOU)
    assert look(sync.look(ws)) == ()
    filing.take_back(ws, gone, origin=YOU)
    assert look(sync.look(ws)) == ()


def test_what_pends_in_a_document_pends_on_under_its_new_name(ws: Workspace) -> None:
    baselines.begin(ws, sync.look(ws))
    with (ws.root / NOTES).open("a") as file:
        file.write("the agent's\n")
    filing.rename(ws, NOTES, "quays", origin=YOU)
    _changes, gone = filing.trash(ws, DocPath("projects/quays.md"), origin=YOU)
    filing.take_back(ws, gone, origin=YOU)
    (pending,) = review.pending(ws, sync.look(ws))
    assert (pending.path, pending.added) == ("projects/quays.md", 1)


def test_what_was_done_is_told_in_the_activity(ws: Workspace) -> None:
    filing.rename(ws, NOTES, "quays", origin=YOU)
    filing.move(ws, DocPath("projects/quays.md"), CRANE, origin=YOU)
    _changes, gone = filing.trash(ws, DocPath("projects/crane/quays.md"), origin=YOU)
    filing.take_back(ws, gone, origin=YOU)
    assert [(deed.kind, deed.path) for deed in Deeds(ws.state).all()] == [
        ("rename", "projects/quays.md"),
        ("move", "projects/crane/quays.md"),
        ("trash", "projects/crane/quays.md"),
        ("restore", "projects/crane/quays.md"),
    ]


def test_what_else_is_withdrawn_is_none_of_the_stores_business(tmp_path: Path) -> None:
    ws = facts_root(tmp_path / "repository")
    (ws.root / "x.md").write_text("x\n")
    filing.trash(ws, DocPath(".agentsmith/memory/tides.md"), origin=YOU)
    assert len(ratifying.withdrawn(ws)) == 1
    filing.trash(ws, DocPath("x.md"), origin=YOU)
    filing.finish(ws)
    assert len(ratifying.withdrawn(ws)) == 1
    assert [one.path for one in filing.trashed(ws)] == ["x.md"]


def test_after_its_days_a_thing_in_the_trash_goes_and_what_is_younger_stays_whole(ws: Workspace) -> None:
    (ws.root / "projects/crane/.half-1-x.tmp").write_text("the person's\n")
    filing.trash(ws, NOTES, origin=YOU, now=1000.0)
    _changes, filed = filing.trash(ws, CRANE, origin=YOU, now=50 * 86400.0)
    retention.sweep(ws, Limits(days=90), now=100 * 86400.0)
    assert [one.path for one in filing.trashed(ws)] == [CRANE]
    filing.take_back(ws, filed, origin=YOU)
    assert text(ws, "projects/crane/.half-1-x.tmp") == "the person's\n"


def test_the_trash_is_private(ws: Workspace) -> None:
    filing.trash(ws, NOTES, origin=YOU)
    for path in (ws.state / "undelete").rglob("*"):
        if path.name != "it":
            assert not path.stat().st_mode & 0o077


def test_from_another_disk_everything_is_copied_before_it_goes(apart: Workspace) -> None:
    ws, told = apart, list[int]()
    folder = big_folder(ws, 60)
    (ws.root / folder / "link").symlink_to("00/0.md")
    (ws.root / folder / "odd\udcff").write_bytes(b"\0")
    os.setxattr(ws.root / folder / "00/0.md", "user.note", b"kept")
    before = everything(ws.root / folder)
    _changes, filed = filing.trash(ws, folder, origin=YOU, progress=told.append)
    assert os.listdir(ws.root / "archive") == []
    assert told == list(range(1, 62))
    filing.take_back(ws, filed, origin=YOU)
    assert everything(ws.root / folder) == before
    assert os.readlink(ws.root / folder / "link") == "00/0.md"
    assert filing.trashed(ws) == ()


def test_a_trash_that_is_stopped_leaves_everything_where_it_was(apart: Workspace) -> None:
    ws, told = apart, list[int]()
    folder = big_folder(ws, 60)
    before = everything(ws.root / folder)
    with pytest.raises(ScanStopped):
        filing.trash(ws, folder, origin=YOU, progress=told.append, stop=lambda: len(told) > 9)
    assert everything(ws.root / folder) == before
    assert os.listdir(ws.root / "archive") == ["many"]
    assert (os.listdir(ws.state / "undelete"), filing.trashed(ws)) == ([], ())


def test_what_is_written_while_it_goes_to_another_disk_is_kept(apart: Workspace) -> None:
    ws = apart
    folder = big_folder(ws, 20)
    handles = [open(ws.root / folder / "07/7.md", "a")]  # noqa: SIM115
    done = []

    def late(count: int) -> None:
        done.append(count)
        if count == 20:
            handles[0].write("one more line\n")
            handles[0].close()

    _changes, filed = filing.trash(ws, folder, origin=YOU, progress=late)
    filing.take_back(ws, filed, origin=YOU)
    assert text(ws, "archive/many/07/7.md") == "# 7\none more line\n"


def test_a_link_goes_to_the_trash_and_what_it_leads_to_stays(ws: Workspace, tmp_path: Path) -> None:
    (tmp_path / "out.md").write_text("out\n")
    (ws.root / "door.md").symlink_to(tmp_path / "out.md")
    _changes, filed = filing.trash(ws, DocPath("door.md"), origin=YOU)
    assert (tmp_path / "out.md").read_text() == "out\n"
    assert standing(ws.root, DocPath("door.md")) is None
    filing.take_back(ws, filed, origin=YOU)
    assert os.readlink(ws.root / "door.md") == str(tmp_path / "out.md")


def test_one_of_two_names_of_a_file_can_go(ws: Workspace) -> None:
    os.link(ws.root / NOTES, ws.root / "projects/twin.md")
    filing.trash(ws, NOTES, origin=YOU)
    assert "港口" in text(ws, "projects/twin.md")


def test_what_is_not_there_is_said(ws: Workspace) -> None:
    with pytest.raises(NotFound, match="not there any more"):
        filing.trash(ws, DocPath("gone.md"), origin=YOU)
    with pytest.raises(MemguiError):
        filing.trash(ws, DocPath(""), origin=YOU)


# Killed half-way -----------------------------------------------------------------------------------------------------

_KILLED = """
import os, signal, sys
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.ops import filing, workspace
from memgui.storage import copying, swap, writing, private
number = int(sys.argv[2])
steps = 0
def counted(real):
    def step(*args, **others):
        global steps
        steps += 1
        if steps == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **others)
    return step
ws = workspace.open(sys.argv[1])
for name in ("rename", "unlink", "mkdir", "rmdir", "fsync", "replace", "symlink"):
    setattr(os, name, counted(getattr(os, name)))
swap._rename_between = counted(swap._rename_between)
filing.trash(ws, DocPath("projects"), origin=Origin.you())
"""


def killed_at(ws: Workspace, number: int, deed: str = _KILLED) -> bool:
    """Whether putting `projects` in the trash (or another deed) was killed at that step."""
    command = [sys.executable, "-c", deed, str(ws.root), str(number)]
    return subprocess.run(command, check=False, env=dict(os.environ)).returncode != 0


_RENAMED = _KILLED.replace(
    'filing.trash(ws, DocPath("projects"), origin=Origin.you())',
    'filing.rename(ws, DocPath("projects"), "plans", origin=Origin.you())',
)


def test_killed_anywhere_a_rename_has_one_name_and_its_history(ws: Workspace) -> None:
    documents.write(ws, PLAN, b"new\n", expected=documents.read(ws, PLAN).fingerprint, origin=YOU)
    before, told, number = everything(ws.root / "projects"), history(ws, PLAN), 1
    while killed_at(ws, number, _RENAMED):
        filing.finish(ws)
        (folder,) = (name for name in ("projects", "plans") if (ws.root / name).exists())
        assert everything(ws.root / folder) == before
        following.catch_up(ws, sync.look(ws))
        assert history(ws, DocPath(f"{folder}/crane/plan.md")) == told
        if folder == "plans":
            filing.rename(ws, DocPath("plans"), "projects", origin=YOU)
        number += 1
    assert number > 3


def is_whole_somewhere(ws: Workspace, before: dict[str, bytes]) -> bool:
    if (ws.root / "projects").exists():
        return everything(ws.root / "projects") == before and filing.trashed(ws) == ()
    (one,) = filing.trashed(ws)
    return everything(UndeleteStore(ws.root, ws.state).place(one.id)) == before


@pytest.mark.parametrize("disk", ["ws", "apart"])
def test_killed_anywhere_a_folder_is_whole_in_one_place(request: pytest.FixtureRequest, disk: str) -> None:
    ws: Workspace = request.getfixturevalue(disk)
    before = everything(ws.root / "projects")
    number, killed = 1, 0
    while killed_at(ws, number):
        killed += 1
        filing.finish(ws)
        assert is_whole_somewhere(ws, before), f"at step {number}"
        assert not [name for name in os.listdir(ws.root) if name.startswith(".memgui")]
        if not (ws.root / "projects").exists():
            (one,) = filing.trashed(ws)
            filing.undelete(ws, one.id, origin=YOU)
        number += 1
    assert killed > 3
