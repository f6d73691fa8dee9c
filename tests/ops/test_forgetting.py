"""Forgetting: the secret is in none of memgui's own files any more, and nothing else is lost."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from memgui.config.places import Places
from memgui.domain.documents import fingerprint
from memgui.domain.errors import InvalidParameters, NotAuthorized, NotFound
from memgui.domain.held import Held
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.refusals import Refusal
from memgui.domain.requests import Unsaved
from memgui.domain.workspace import Workspace
from memgui.ops import documents, forgetting, laying_out, recovery, retention, versions, workspace
from memgui.storage import anchors, crash, deltas
from memgui.storage.baselines import FILE
from memgui.storage.deeds import Deed, Deeds
from memgui.storage.held import HeldChanges
from memgui.storage.history import History, Line
from memgui.storage.journal import Journal
from tests.ops.review_values import opened

MEMORY, YOU, SCRIBE = DocPath("MEMORY.md"), Origin.you(), Origin.agent("scribe")
SECRET = b"token ghp_4711abcd"
LINES = b"".join(b"- note %d about berth and crane\n" % number for number in range(60))


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "ws"
    root.mkdir()
    (root / "MEMORY.md").write_bytes(LINES)
    return workspace.open(root, remember=False)


def write(ws: Workspace, data: bytes, *, now: float) -> None:
    expected = fingerprint((ws.root / MEMORY).read_bytes())
    documents.write(ws, MEMORY, data, expected=expected, origin=SCRIBE, now=now)


def written(ws: Workspace) -> list[bytes]:
    """Versions of which the second and third hold the secret, all of them differences to the first."""
    texts = [LINES, LINES + SECRET + b"\n", LINES + SECRET + b"\nmore\n", LINES + b"more\n", LINES + b"more\nend\n"]
    for number, text in enumerate(texts[1:], 1):
        write(ws, text, now=1000.0 + number)
    return texts


def everything(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """All bytes in memgui's folders, also those that are packed."""
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            yield path, data
            for part in (data, data.partition(b"\n")[2]):
                with contextlib.suppress(zlib.error):
                    yield path, zlib.decompress(part)


def test_a_text_is_in_no_version_any_more_and_the_others_are_as_they_were(ws: Workspace) -> None:
    texts = written(ws)
    done = forgetting.forget(ws, forgetting.secret(SECRET.decode()), origin=YOU, now=2000)
    assert (done.versions, done.still) == (2, ())
    found = versions.seen(ws, MEMORY)
    assert [one.is_forgotten for one in found] == [False, True, True, False, False]
    assert [one.number for one in found] == [1, 2, 3, 4, 5]
    for one, text in zip(found, texts, strict=True):
        if one.is_forgotten:
            with pytest.raises(NotFound, match="forgotten"):
                versions.version(ws, "MEMORY.md", one.number)
        else:
            assert versions.version(ws, "MEMORY.md", one.number).data == text
    assert not [path for path, data in everything(ws.state) if SECRET in data]
    listed = versions.versions(ws, "MEMORY.md")["versions"]
    assert [one.get("forgotten", False) for one in listed] == [False, True, True, False, False]


def test_the_deed_is_listed_without_the_text(ws: Workspace) -> None:
    written(ws)
    forgetting.forget(ws, forgetting.secret(SECRET.decode()), origin=YOU, path=MEMORY, now=2000)
    (deed,) = Deeds(ws.state).all()
    assert (deed.kind, deed.path, deed.origin, deed.time) == ("forget", MEMORY, YOU, 2000)
    assert SECRET.decode() not in repr(deed)


def test_where_a_base_goes_what_stood_on_it_stays(ws: Workspace) -> None:
    """The first version is the base of the others."""
    (ws.root / MEMORY).write_bytes(LINES + SECRET + b"\n")
    for number in range(6):
        write(ws, LINES + b"clean %d\n" % number, now=1000.0 + number)
    assert any(copy.base is not None for copy in recovery.copies(ws).all())
    forgetting.forget(ws, forgetting.secret(SECRET.decode()), origin=YOU)
    texts = [versions.version(ws, "MEMORY.md", number + 2).data for number in range(6)]
    assert texts == [LINES + b"clean %d\n" % number for number in range(6)]
    assert not [path for path, data in everything(ws.state) if SECRET in data]


def test_one_version_goes_and_its_bytes_are_not_kept_again(ws: Workspace) -> None:
    texts = written(ws)
    done = forgetting.forget(ws, forgetting.of_version(ws, MEMORY, 5), origin=YOU)
    assert (done.versions, done.still) == (1, (MEMORY,))
    write(ws, b"gone on\n", now=3000)
    with pytest.raises(NotFound, match="forgotten"):
        versions.version(ws, "MEMORY.md", 5)
    assert versions.version(ws, "MEMORY.md", 4).data == texts[3]
    (ws.root / MEMORY).unlink()
    with pytest.raises(InvalidParameters):
        forgetting.of_version(ws, MEMORY, 7)


def test_what_was_forgotten_is_not_laid_out(ws: Workspace, tmp_path: Path) -> None:
    written(ws)
    forgetting.forget(ws, forgetting.secret(SECRET.decode()), origin=YOU)
    done = laying_out.lay_out(ws, 1002.5, tmp_path / "out")
    assert [path for path, _reason in done.missing] == [MEMORY]
    # Its beginning stands in the file as it is now, which gives back no more than is asked for.
    write(ws, LINES + b"more\nend\nlast\n", now=3000)
    forgetting.forget(ws, forgetting.of_version(ws, MEMORY, 5), origin=YOU)
    assert [path for path, _reason in laying_out.lay_out(ws, 1004.5, tmp_path / "two").missing] == [MEMORY]


def test_unsaved_text_held_changes_and_trash_are_searched_as_well(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    spare = Places.find().runtime / "unsaved"
    with monkeypatch.context() as patch:
        patch.setattr(crash.CrashJournal, "_put_into", _only_into(spare / ws.id))
        recovery.journal_unsaved(ws, DocPath("c.md"), None, SECRET, spare=spare)
    recovery.journal_unsaved(ws, MEMORY, LINES, LINES + SECRET)
    recovery.journal_unsaved(ws, DocPath("a.md"), SECRET + b"base", b"typed over it")
    recovery.journal_unsaved(ws, DocPath("b.md"), b"base", b"other text")
    held = HeldChanges(ws.state)
    held.put(Held.of(MEMORY, None, b"\xff" + SECRET, SCRIBE, 1.0))
    held.put(Held.of(MEMORY, None, "ünsecret".encode(), SCRIBE, 1.0))
    trash = ws.state / "undelete/1"
    (trash / "it").mkdir(parents=True)
    (trash / "it/a.md").write_bytes(SECRET)
    (trash / "it/b.md").write_bytes(b"other")
    (ws.state / "undelete/2").mkdir()
    (ws.state / "undelete/2/it").write_bytes(b"x" + SECRET)
    (ws.state / "undelete/2/entry.json").write_bytes(b"{}")
    Deeds(ws.state).note(
        Deed(1.0, "reject", MEMORY, YOU, f"took out {SECRET.decode()}"), Deed(2.0, "accept", MEMORY, YOU)
    )
    ws.cache.mkdir(parents=True, exist_ok=True)
    (ws.cache / "texts").write_bytes(SECRET)
    (ws.cache / "words").mkdir()
    (ws.cache / "words/segment").write_bytes(SECRET)
    (ws.cache / "words.lock").write_bytes(b"")
    done = forgetting.forget(ws, forgetting.secret(SECRET.decode()), origin=YOU)
    assert done.others == 7
    assert not list((spare / ws.id).iterdir())
    assert [path.name for path in ws.cache.iterdir()] == ["words.lock"]
    assert not [path for folder in (ws.state, ws.cache) for path, data in everything(folder) if SECRET in data]
    assert [(one.path, one.data) for one in recovery.unsaved(ws)] == [
        ("a.md", b"typed over it"),
        ("b.md", b"other text"),
    ]
    assert [one.data for one in held.all()] == ["ünsecret".encode()]
    assert [path.name for path in (ws.state / "undelete").rglob("*.md")] == ["b.md"]
    assert not (ws.state / "undelete/2").exists()
    assert [deed.kind for deed in Deeds(ws.state).all()] == ["accept", "forget"]


def _only_into(wanted: Path) -> object:
    """A crash journal whose usual folder takes nothing."""
    usual = crash.CrashJournal._put_into

    def put(journal: crash.CrashJournal, folder: Path, unsaved: Unsaved) -> None:
        if folder != wanted:
            raise OSError("full")
        usual(journal, folder, unsaved)

    return put


def test_where_it_stands_on_the_disk_it_stays_and_that_is_said(ws: Workspace) -> None:
    write(ws, LINES + SECRET, now=1000)
    done = forgetting.forget(ws, forgetting.secret(SECRET.decode()), origin=YOU)
    assert done.still == (MEMORY,)
    assert SECRET in (ws.root / MEMORY).read_bytes()
    # The next look does not keep it again, and neither does the write that takes it out.
    versions.seen(ws, MEMORY)
    write(ws, LINES, now=2000)
    assert not [path for path, data in everything(ws.state) if SECRET in data]


@pytest.mark.parametrize("text", ["", "   ", "abc", " ab "])
def test_what_would_take_nearly_everything_is_refused(text: str) -> None:
    with pytest.raises(InvalidParameters):
        forgetting.secret(text)


def test_no_agent_has_anything_forgotten(ws: Workspace) -> None:
    with pytest.raises(NotAuthorized):
        forgetting.forget(ws, forgetting.secret("some text"), origin=SCRIBE)


def test_what_a_killed_one_had_only_marked_is_gone_after_the_next_sweep(ws: Workspace) -> None:
    texts = written(ws)
    (known,) = History(ws.state).documents()
    History(ws.state).add(known, Line(MEMORY, None, forgotten=frozenset({2, 3})))
    retention.sweep(ws, retention.Limits(), now=2000)
    assert not [path for path, data in everything(ws.state) if SECRET in data]
    assert versions.version(ws, "MEMORY.md", 4).data == texts[3]


def test_stopped_while_it_looks_it_touches_nothing(ws: Workspace) -> None:
    texts = written(ws)
    done = forgetting.forget(ws, forgetting.secret(SECRET.decode()), origin=YOU, stop=lambda: True)
    assert done.versions == 0
    assert [versions.version(ws, "MEMORY.md", number + 1).data for number in range(5)] == texts


def test_a_difference_can_be_unpacked_only_on_its_base() -> None:
    with pytest.raises((ValueError, zlib.error)):
        deltas.applied(b"", deltas.between(LINES, LINES + b"x"))


def test_a_number_takes_nothing_along_whose_times_or_hashes_hold_it(tmp_path: Path) -> None:
    ws = opened(tmp_path / "reviewed", {"MEMORY.md": b"pin 1796\n"})
    print_ = fingerprint(b"pin 1796\n")
    held = HeldChanges(ws.state)
    held.put(Held.of(DocPath("a.md"), print_, b"other\n", SCRIBE, 1796.5))
    held.put(Held.of(DocPath("b.md"), print_, b"my 1796\n", SCRIBE, 1.0))
    Deeds(ws.state).note(Deed(1796.25, "accept", MEMORY, YOU))
    before = (ws.state / FILE).read_bytes()
    for secret in ("1796", print_[:6], "began", "seen"):
        forgetting.forget(ws, forgetting.secret(secret), origin=YOU, now=2.0)
    assert (ws.state / FILE).read_bytes() == before
    assert [one.path for one in held.all()] == ["a.md"]
    assert [deed.kind for deed in Deeds(ws.state).all()] == ["accept", *["forget"] * 4]


def test_what_an_agent_was_refused_says_it_no_more(tmp_path: Path) -> None:
    ws = opened(tmp_path / "refused", {"MEMORY.md": b"a\n"})
    journal = Journal(ws.state)
    text = SECRET.decode()
    journal.refuse(Refusal(1.0, SCRIBE, "memory_write", f"../{text}", "NotAuthorized", f"invalid path '../{text}'"))
    journal.refuse(Refusal(2.0, SCRIBE, "memory_write", "SOUL.md", "NotAuthorized", "protected"))
    (ws.state / "journal.sqlite.damaged-1").write_bytes(b"page " + SECRET)
    done = forgetting.forget(ws, forgetting.secret(text), origin=YOU)
    assert done.others == 2
    assert [(one.target, one.time) for one in journal.refusals()] == [("", 1.0), ("SOUL.md", 2.0)]
    anchors.release()
    assert not [path for path, data in everything(ws.state) if SECRET in data]
