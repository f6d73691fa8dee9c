"""The sample workspace: what it holds, and how it is written out."""

from __future__ import annotations

import re
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memgui.domain.errors import ExecutionFailed, WriteFailed
from memgui.ops import resources, sample


def _files(root: Path) -> dict[str, bytes]:
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in sorted(root.rglob("*")) if file.is_file()}


@pytest.fixture
def written(tmp_path: Path) -> Path:
    folder = tmp_path / "new" / "sample"
    sample.write(folder)
    return folder


def test_every_file_is_written_byte_for_byte(written: Path) -> None:
    assert _files(written) == _files(resources.folder("sample"))


def test_every_file_can_be_written_to(written: Path) -> None:
    for file in written.rglob("*"):
        assert file.stat().st_mode & stat.S_IWUSR, file


def test_two_samples_are_the_same_to_the_second(written: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    sample.write(again)
    for name in _files(written):
        assert (again / name).stat().st_mtime == (written / name).stat().st_mtime


def test_a_log_is_as_old_as_its_name_says(written: Path) -> None:
    moment = datetime.fromtimestamp((written / "memory" / "2026-11-12.md").stat().st_mtime, UTC)
    assert moment.date().isoformat() == "2026-11-12"


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    sample.write(folder)
    assert (folder / "MEMORY.md").is_file()


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ExecutionFailed, match="not empty"):
        sample.write(tmp_path)
    assert _files(tmp_path) == {"mine.txt": b"mine"}


def test_a_file_in_the_way_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteFailed, match="could not be written"):
        sample.write(tmp_path / "file")


def test_the_story_has_twenty_logs_in_several_forms(written: Path) -> None:
    logs = sorted((written / "memory").glob("*.md"))
    assert len(logs) == 20
    assert logs[-1].stem == sample.LAST_DAY.isoformat()
    text = "\n".join(log.read_text(encoding="utf-8") for log in logs)
    for form in (
        r"^- \d\d:\d\d \S",
        r"^- \[\d\d:\d\d\] ",
        r"^\[\d\d:\d\d:\d\d\] ",
        r"^## \d\d:\d\d$",
        r"^### .+ \(\d\d:\d\d\)$",
        r"^## 【\d\d:\d\d】",
    ):
        assert re.search(form, text, re.MULTILINE), form


def test_facts_have_the_form_that_recall_reads(written: Path) -> None:
    facts = sorted(set((written / ".agentsmith" / "memory").glob("*.md")) - {written / ".agentsmith/memory/MEMORY.md"})
    form = re.compile(
        r"\A---\nname: (?P<name>[a-z-]+)\ndescription: .+\nmetadata:\n  type: (feedback|project|reference)\n"
        r"(status: (proposed|ratified)\n)?---\n\n\S"
    )
    for fact in facts:
        found = form.match(fact.read_text(encoding="utf-8"))
        assert found, fact.name
        assert found["name"] == fact.stem
    assert len(facts) == 10


def test_every_path_that_the_memory_names_exists(written: Path) -> None:
    """The one dangling line, for `check` to find, is in the fact store's index and not here."""
    named = re.findall(
        r"`((?:memory|projects|customers|runbooks|notes)/[^`]+\.md)`",
        "".join(file.read_text(encoding="utf-8") for file in written.rglob("*.md")),
    )
    assert named
    for path in named:
        assert (written / path).is_file() or "DATE" in path or "YYYY" in path, path
