"""A disk that refuses, fills up or goes away: a sentence, the text kept, and on it goes when the disk is back."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from memgui.domain.errors import WriteFailed
from memgui.gui.app import wiring_of
from memgui.ops import documents
from tests.gui.flows.conftest import Desk


def unsaved_entries(places: Path) -> list[Path]:
    return list((places / "state").rglob("unsaved/*.unsaved"))


def test_a_read_only_file_is_not_written_and_the_text_is_safe(desk: Desk, places: Path) -> None:
    os.chmod(desk.root / "MEMORY.md", 0o444)
    before = desk.read("MEMORY.md")
    desk.open("MEMORY.md")
    desk.type("MEMORY.md", "mine ")
    desk.save()
    desk.until(lambda: desk.state("MEMORY.md") == "not-saved")
    assert desk.banner("MEMORY.md") == "save-failed"
    desk.until(lambda: len(unsaved_entries(places)) == 1)
    assert desk.read("MEMORY.md") == before
    assert desk.status("statusSave").startswith("Not saved")
    os.chmod(desk.root / "MEMORY.md", 0o644)
    desk.save()
    desk.until(lambda: desk.state("MEMORY.md") == "saved")
    assert desk.read("MEMORY.md") == "mine " + before
    desk.until(lambda: not unsaved_entries(places))


def test_a_full_disk_changes_no_byte(desk: Desk, places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object, **kwargs: object) -> None:
        raise WriteFailed("No space left on the disk.", errno=errno.ENOSPC)

    before = desk.read("MEMORY.md")
    desk.open("MEMORY.md")
    desk.type("MEMORY.md", "mine ")
    with monkeypatch.context() as disk:
        disk.setattr(documents, "write", full)
        desk.save()
        desk.until(lambda: desk.banner("MEMORY.md") == "save-failed")
    assert desk.read("MEMORY.md") == before
    desk.until(lambda: len(unsaved_entries(places)) == 1)
    page = desk.page("MEMORY.md")
    assert page is not None
    again = page.findChild(QPushButton, "tryAgain")
    assert isinstance(again, QPushButton)
    again.click()
    desk.until(lambda: desk.state("MEMORY.md") == "saved")
    assert desk.banner("MEMORY.md") == ""


def test_a_folder_that_vanishes_keeps_pages_and_tree_and_comes_back(desk: Desk, tmp_path: Path, places: Path) -> None:
    desk.until(lambda: desk.status("statusWatch") == "Live")
    desk.open("MEMORY.md")
    desk.type("MEMORY.md", "mine ")
    away = tmp_path / "away"
    os.rename(desk.root, away)
    desk.until(lambda: desk.status("statusWatch") == "Folder missing")
    desk.do("workspace.reconcile")
    desk.save()
    desk.until(lambda: desk.banner("MEMORY.md") != "")
    assert desk.text("MEMORY.md").startswith("mine # Memory")
    assert "MEMORY.md" in desk.tree_paths()
    desk.until(lambda: len(unsaved_entries(places)) == 1)
    os.rename(away, desk.root)
    desk.until(lambda: desk.status("statusWatch") == "Live")
    desk.save()
    desk.until(lambda: desk.read("MEMORY.md").startswith("mine # Memory"))


def test_a_clean_page_is_clean_again_when_its_folder_is_back(desk: Desk, tmp_path: Path) -> None:
    desk.until(lambda: desk.status("statusWatch") == "Live")
    desk.open("MEMORY.md")
    away = tmp_path / "away"
    os.rename(desk.root, away)
    desk.until(lambda: desk.status("statusWatch") == "Folder missing")
    desk.until(lambda: desk.status("statusSave") == "Folder missing – the text is kept here")
    (away / "MEMORY.md").write_text("written while away\n")
    os.rename(away, desk.root)
    desk.until(lambda: desk.text("MEMORY.md") == "written while away\n")
    assert desk.state("MEMORY.md") == "saved"
    desk.until(lambda: desk.status("statusSave").startswith("Saved"))


def test_closing_while_the_folder_is_gone_keeps_the_text_for_the_next_start(
    open_desk: Callable[[Path], Desk], workspace_root: Path, tmp_path: Path
) -> None:
    desk = open_desk(workspace_root)
    desk.until(lambda: desk.status("statusWatch") == "Live")
    desk.open("MEMORY.md")
    desk.type("MEMORY.md", "mine ")
    os.rename(workspace_root, tmp_path / "away")
    desk.until(lambda: desk.status("statusWatch") == "Folder missing")
    desk.window.close()
    os.rename(tmp_path / "away", workspace_root)
    again = open_desk(workspace_root)
    again.until(lambda: again.page("MEMORY.md") is not None and again.text("MEMORY.md").startswith("mine "))


def test_text_comes_back_though_neither_the_file_nor_the_state_folder_could_take_it(
    open_desk: Callable[[Path], Desk], workspace_root: Path
) -> None:
    desk = open_desk(workspace_root)
    wiring = wiring_of(desk.window)
    assert wiring is not None
    assert wiring.session.view is not None
    (wiring.session.view.workspace.state / "unsaved").write_bytes(b"in the way")
    os.chmod(workspace_root / "MEMORY.md", 0o444)
    desk.open("MEMORY.md")
    desk.type("MEMORY.md", "mine ")
    desk.window.close()
    again = open_desk(workspace_root)
    again.until(lambda: again.state("MEMORY.md") == "unsaved")
    assert again.text("MEMORY.md").startswith("mine # Memory")


def test_closing_saves_what_may_be_saved(open_desk: Callable[[Path], Desk], workspace_root: Path, places: Path) -> None:
    desk = open_desk(workspace_root)
    desk.open("MEMORY.md")
    desk.type("MEMORY.md", "mine ")
    desk.window.close()
    assert (workspace_root / "MEMORY.md").read_text().startswith("mine # Memory")
    assert not unsaved_entries(places)


def test_an_emptied_workspace_is_shown_empty(desk: Desk) -> None:
    desk.until(lambda: desk.status("statusWatch") == "Live")
    for path in desk.root.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    desk.until(lambda: not desk.tree_paths())
    desk.append("NEW.md", "# new\n")
    desk.until(lambda: desk.tree_paths() == {"NEW.md"})


def hard(root: Path) -> Path:
    """A workspace with shapes that are found in the wild."""
    for name, data in {
        "MEMORY.md": b"# Memory\n",
        "HEARTBEAT.md": b"- [ ] look\n",
        "daily/2026-11-30.md": b"[09:00:00] began\n",
        "bytes/mixed.md": b"one\r\ntwo\nthree\rfour\r\n",
        "bytes/bom.md": b"\xef\xbb\xbf# With a mark\n",
        "bytes/odd.md": "a\u00a0b\u2028c\u2029d\u200be\u202ef\ttab  \n".encode(),
        "bytes/latin1.md": b"caf\xe9\n",
        "bytes/nul.md": b"text\x00text\n",
        "bytes/long.md": b"x" * 30_000 + b"\n",
        "bytes/huge.md": b"a row that repeats itself\n" * 90_000,
        "bytes/empty.md": b"",
        "names/--help.md": b"help\n",
        "names/記憶 🧠.md": b"memory\n",
        "names/with\u00a0nbsp.md": b"nbsp\n",
        "folder.md/inside.md": b"inside\n",
        "deep/a/b/c/d/e/f/g/leaf.md": b"leaf\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    with open(os.fsencode(root) + b"/names/bad\xff.md", "wb") as file:
        file.write(b"no utf-8\n")
    (root / "loop").symlink_to(".")
    (root / "out").symlink_to("/etc")
    (root / "broken.md").symlink_to("/nowhere/x.md")
    (root / "linked.md").symlink_to("MEMORY.md")
    os.mkfifo(root / "pipe.md")
    return root


def test_every_shape_of_a_hard_workspace_opens_and_stays_as_it_is(
    open_desk: Callable[[Path], Desk], tmp_path: Path
) -> None:
    root = hard(tmp_path / "hard")
    files = sorted(path for path in root.rglob("*.md") if path.is_file() and not path.is_symlink())
    before = {path: path.read_bytes() for path in files}
    desk = open_desk(root)
    desk.until(lambda: bool(desk.window.property("indexed")))
    for path in files:
        name = path.relative_to(root).as_posix()
        if name.isprintable() and "loop/" not in name:
            desk.open(name)
            desk.save()
    assert desk.state("bytes/latin1.md") == "view"
    assert desk.banner("bytes/latin1.md") in ("", "encoding")
    assert desk.state("bytes/nul.md") == "view"
    assert desk.state("bytes/huge.md") == "view"
    desk.open("linked.md")
    desk.type("linked.md", "x")
    desk.save()
    desk.until(lambda: (root / "MEMORY.md").read_bytes() == b"x# Memory\n")
    assert (root / "linked.md").is_symlink()
    changed = {path for path in files if path.read_bytes() != before[path]}
    assert changed == {root / "MEMORY.md"}
