"""A document is removed only as it was seen, and nothing of it is lost; records are lost one by one at the most."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import Conflict, WriteFailed
from memgui.domain.held import Held
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.storage import removing, swap
from memgui.storage.facts import FactRecords, Pending
from memgui.storage.held import HeldChanges
from memgui.storage.records import Records

PATH = DocPath("sub/a.md")
SEEN = fingerprint(b"seen")


def remove(root: Path, expected: Fingerprint = SEEN) -> list[object]:
    told: list[object] = []
    removing.remove(root, PATH, expected=expected, keep=told.append, announce=told.append)
    return told


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / PATH
    file.parent.mkdir()
    file.write_bytes(b"seen")
    return file


def test_a_document_goes_once_its_copy_is_kept_and_the_journal_told(tmp_path: Path, file: Path) -> None:
    assert remove(tmp_path) == [b"seen", SEEN]
    assert list(file.parent.iterdir()) == []


def test_other_bytes_stay(tmp_path: Path, file: Path) -> None:
    file.write_bytes(b"other")
    with pytest.raises(Conflict):
        remove(tmp_path)
    assert file.read_bytes() == b"other"
    file.unlink()
    with pytest.raises(Conflict):
        remove(tmp_path)


def test_what_somebody_puts_there_in_between_goes_back(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = swap.temporary_name

    def write_in_between() -> bytes:
        file.write_bytes(b"in between")
        return real()

    monkeypatch.setattr(swap, "temporary_name", write_in_between)
    with pytest.raises(Conflict):
        remove(tmp_path)
    assert [(path.name, path.read_bytes()) for path in file.parent.iterdir()] == [("a.md", b"in between")]


def test_what_is_read_only_or_cannot_be_kept_stays(tmp_path: Path, file: Path) -> None:
    def full(_data: bytes) -> None:
        raise OSError(28, os.strerror(28))

    with pytest.raises(WriteFailed, match="disk is full"):
        removing.remove(tmp_path, PATH, expected=SEEN, keep=full, announce=lambda _old: None)
    file.chmod(0o444)
    with pytest.raises(WriteFailed, match="read-only"):
        remove(tmp_path)
    assert file.read_bytes() == b"seen"


def test_a_damaged_record_is_lost_alone(tmp_path: Path) -> None:
    records = Records(tmp_path / "r")
    for name in ("a", "b", "c"):
        records.put(name, {"name": name})
    (tmp_path / "r/b.json").write_bytes(b"\xff{")
    (tmp_path / "r/c.json").write_text("[" * 100_000)
    (tmp_path / "r/not a record.json").write_text("{}")
    assert [id_ for id_, _values in records.all()] == ["a"]
    assert records.get("../a") is None
    records.drop("none")


def test_a_held_change_keeps_every_byte_and_is_kept_once(tmp_path: Path) -> None:
    changes, path = HeldChanges(tmp_path), DocPath(os.fsdecode(b"b\xff.md"))
    first = Held.of(path, None, bytes(range(256)), Origin.agent("x"), 1.0)
    again = Held.of(path, None, bytes(range(256)), Origin.agent("y"), 2.0)
    changes.put(first)
    changes.put(again)
    assert changes.all() == (first,)
    (tmp_path / "held" / f"{first.id}.json").write_text('{"path": 7}')
    assert changes.all() == ()


def test_a_note_of_a_deed_that_is_damaged_holds_nobody_up(tmp_path: Path) -> None:
    records = FactRecords(tmp_path)
    pending = Pending(DocPath("a.md"), None, Origin.you(), keep_text=True)
    records.begin(pending)
    assert (records.has_pending(), list(records.pending())) == (True, [pending])
    for name in (tmp_path / "facts/pending").iterdir():
        name.write_text('{"path": "a.md"}')
    assert list(records.pending()) == []
    assert not records.has_pending()
