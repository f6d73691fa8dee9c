"""A finder on real files: everything is found, changes are seen, and what is kept serves the next start."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memgui.domain.changes import Change, ChangeKind, ChangeSet
from memgui.domain.hits import Found, HitGroup, Reading
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import finding, sync, workspace
from memgui.ops.finder import Finder
from memgui.search import cache

FILES = {
    "MEMORY.md": "# Memory\n\n- We use SQLite (POL-358), see src/a/mod.rs\n- TODO: fix the HTTPServer\n",
    "HEARTBEAT.md": "- [ ] mail anna@example.org\n",
    "memory/2026-11-30.md": "# 2026-11-30\n\n- 10:14 memory_handle_key and getUserById renamed, sqlite again\n",
    "notes/中文.md": "他说的成語很多。しりとりをする。\n",
    "notes/café.md": "Un café, s'il vous plaît 🎉 👩‍💻 \u201equoted\u201c *stars* don't\n",
    "notes/long.md": "start\n" + "very long " * 3000 + "the end\n",
    "data.csv": "id;amount\n1;sqlite\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    for name, content in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, encoding="utf-8", newline="")
    return root


@pytest.fixture
def ws(root: Path) -> Workspace:
    return workspace.open(root)


@pytest.fixture
def finder(ws: Workspace) -> Iterator[Finder]:
    finder = finding.open(ws)
    finder.refresh(sync.look(ws))
    yield finder
    finder.close()


def paths(found: Found) -> list[str]:
    return [file.path for file in found.files]


def refreshed(finder: Finder, ws: Workspace) -> Finder:
    finder.refresh(sync.look(ws))
    return finder


@pytest.mark.parametrize(
    ("query", "path", "line"),
    [
        ("POL-358", "MEMORY.md", 3),
        ("pol-358", "MEMORY.md", 3),
        ("src/a/mod.rs", "MEMORY.md", 3),
        ("TODO: fix", "MEMORY.md", 4),
        ("HTTPServer", "MEMORY.md", 4),
        ("server", "MEMORY.md", 4),
        ("memory_handle_key", "memory/2026-11-30.md", 3),
        ("getuserbyid", "memory/2026-11-30.md", 3),
        ("anna@example.org", "HEARTBEAT.md", 1),
        ("- [ ]", "HEARTBEAT.md", 1),
        ("成語", "notes/中文.md", 1),
        ("しりとり", "notes/中文.md", 1),
        ("cafe", "notes/café.md", 1),
        ("CAFÉ", "notes/café.md", 1),
        ("🎉", "notes/café.md", 1),
        ("👩‍💻", "notes/café.md", 1),
        ("„quoted“", "notes/café.md", 1),
        ("*stars*", "notes/café.md", 1),
        ("don't", "notes/café.md", 1),
        ("long the end", "notes/long.md", 2),
        ("very long " * 1000, "notes/long.md", 2),
        ("# Memory\n\n- We", "MEMORY.md", 1),
        ("amount", "data.csv", 1),
    ],
)
def test_a_literal_query_finds_its_file_and_line(finder: Finder, query: str, path: str, line: int) -> None:
    found = finder.search(query)
    assert path in paths(found)
    assert found.reading is Reading.WHOLE
    hits = [hit for hit in found.hits if hit.path == path and not hit.in_name]
    assert hits[0].line == line
    assert hits[0].group is HitGroup.LITERAL
    assert hits[0].marks


def test_totals_count_every_place_and_what_is_not_shown_is_told(finder: Finder, root: Path, ws: Workspace) -> None:
    for i in range(70):
        (root / f"many-{i}.md").write_text("needle needle\n" * 9)
    found = refreshed(finder, ws).search("needle", limit=10, per_file=4)
    assert (found.total_files, found.total_hits) == (70, 70 * 18)
    assert len(found.files) == 10
    assert all(len(file.hits) == 4 for file in found.files)
    assert found.files[0].more == 18 - 2 * 4
    assert (found.more_files, found.more_hits) == (60, 70 * 18 - 10 * 8)
    assert found.complete


def test_rows_can_be_had_before_all_is_counted(finder: Finder) -> None:
    early = finder.search("e", count=False)
    found = finder.search("e")
    assert early.files == found.files
    assert not early.counted
    assert found.counted
    assert found.total_hits >= early.total_hits
    assert finder.search("e", count=False) == found


def test_a_file_is_found_by_its_name_at_its_first_line(finder: Finder) -> None:
    (hit,) = [hit for hit in finder.search("heartbeat").hits if hit.in_name]
    assert (hit.path, hit.line, hit.content, hit.marks) == ("HEARTBEAT.md", 1, "HEARTBEAT.md", ((0, 9),))


def test_curated_files_headings_whole_words_and_the_exact_spelling_come_first(
    finder: Finder, root: Path, ws: Workspace
) -> None:
    old = time.time() - 1000
    texts = {
        "a.md": "wordart here\n",
        "b.md": "the word here\n",
        "c.md": "# The word\n",
        "d.md": "the Word here\n",
        "USER.md": "the word here\n",
    }
    for name, content in texts.items():
        (root / name).write_text(content)
        os.utime(root / name, (old, old))
    assert paths(refreshed(finder, ws).search("word")) == ["USER.md", "c.md", "b.md", "d.md", "a.md"]
    assert paths(finder.search("Word")).index("d.md") < paths(finder.search("Word")).index("b.md")


def test_where_nothing_holds_the_whole_text_files_with_all_its_words_are_found(finder: Finder) -> None:
    found = finder.search("again sqlite 10:14")
    assert paths(found) == ["memory/2026-11-30.md"]
    assert found.reading is Reading.ALL
    assert found.hits[0].group is HitGroup.WORDS
    assert not finder.search("again sqlite 10:14", relax=False).files
    assert not finder.search("again sqlite nowhere").files


def test_a_blank_text_finds_nothing(finder: Finder) -> None:
    for blank in ("", "  ", "\t\n", "\u3000", "\u0301"):
        found = finder.search(blank)
        assert (found.files, found.total_hits) == ((), 0)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=80) | st.text(st.sampled_from('"*()[]\\^$.?+|-~:/ \n\t\0\ud800\udcff') | st.characters()))
def test_no_query_raises(finder: Finder, query: str) -> None:
    for hit in finder.search(query).hits:
        assert all(0 <= start < end <= len(hit.content) for start, end in hit.marks)
    finder.places(query, limit=5)


def test_a_query_of_ten_thousand_characters_answers(finder: Finder) -> None:
    assert not finder.search("x" * 10_000).files
    assert not finder.search("zz qq " * 1700).files
    assert finder.places("sqlite " * 1500, limit=5)[0]


def test_binary_files_are_found_by_name_only_and_stray_bytes_do_no_harm(
    finder: Finder, root: Path, ws: Workspace
) -> None:
    (root / "raw.md").write_bytes(b"needle\0needle")
    (root / "latin.md").write_bytes(b"eins\ncaf\xe9 needle\n")
    (root / os.fsdecode(b"b\xff.md")).write_bytes(b"needle\n")
    refreshed(finder, ws)
    assert sorted(paths(finder.search("needle"))) == ["b\udcff.md", "latin.md"]
    assert paths(finder.search("raw.md")) == ["raw.md"]
    hit = next(hit for hit in finder.search("café needle").hits if hit.path == "latin.md")
    assert (hit.line, hit.content) == (2, "café needle")


def test_a_large_file_is_searched_to_its_end(finder: Finder, root: Path, ws: Workspace) -> None:
    (root / "huge.md").write_text("filler line é\n" * 450_000 + "the needle\n")
    found = refreshed(finder, ws).search("the needle")
    assert [(hit.path, hit.line) for hit in found.hits] == [("huge.md", 450_001)]


def test_what_does_not_fit_into_memory_is_left_out_and_named(root: Path, ws: Workspace) -> None:
    (root / "huge.log").write_text("needle\n" * 20_000)
    finder = Finder(ws, most_text=100_000)
    refreshed(finder, ws)
    found = finder.search("needle")
    assert found.left_out == ("huge.log",)
    assert not found.complete
    assert paths(finder.search("sqlite"))
    assert paths(finder.search("huge.log")) == ["huge.log"]
    (root / "huge.log").write_text("needle\n")
    found = refreshed(finder, ws).search("needle")
    assert (paths(found), found.left_out) == (["huge.log"], ())
    finder.close()


def change(ws: Workspace, kind: ChangeKind, path: str, renamed_from: str | None = None) -> ChangeSet:
    node = sync.look(ws).nodes.get(DocPath(path))
    old = None if renamed_from is None else DocPath(renamed_from)
    return ChangeSet((Change(DocPath(path), kind, Origin.outside(), node, old),))


def test_a_change_that_is_applied_is_found(finder: Finder, root: Path, ws: Workspace) -> None:
    (root / "MEMORY.md").write_text("quite new\n")
    finder.apply(change(ws, ChangeKind.MODIFIED, "MEMORY.md"))
    assert paths(finder.search("quite new")) == ["MEMORY.md"]
    assert "MEMORY.md" not in paths(finder.search("POL-358"))
    (root / "MEMORY.md").rename(root / "moved.md")
    finder.apply(change(ws, ChangeKind.RENAMED, "moved.md", "MEMORY.md"))
    assert paths(finder.search("quite new")) == ["moved.md"]
    (root / "moved.md").unlink()
    finder.apply(change(ws, ChangeKind.DELETED, "moved.md"))
    assert not finder.search("quite new").files
    assert finder.coverage.done == finder.coverage.total == len(FILES) - 1


def test_no_stale_line_is_shown_before_the_change_was_told(finder: Finder, root: Path) -> None:
    (root / "MEMORY.md").write_text("\n\n\n\nnow POL-358 is here\n")
    (hit,) = finder.search("POL-358").hits
    assert (hit.line, hit.content) == (5, "now POL-358 is here")
    (root / "MEMORY.md").write_text("gone\n")
    found = finder.search("POL-358")
    assert (found.files, found.total_files, found.total_hits) == ((), 0, 0)


def test_a_change_within_the_same_tick_of_the_clock_is_not_missed(finder: Finder, root: Path, ws: Workspace) -> None:
    path = root / "tick.md"
    path.write_text("first")
    refreshed(finder, ws)
    before = path.stat()
    path.write_text("after")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert paths(refreshed(finder, ws).search("after")) == ["tick.md"]


def test_links_inside_are_not_found_twice_and_links_out_never(
    finder: Finder, root: Path, ws: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "outside.md").write_text("secret needle")
    (root / "out.md").symlink_to(tmp_path / "outside.md")
    (root / "again.md").symlink_to("MEMORY.md")
    (root / "loop").symlink_to(".")
    refreshed(finder, ws)
    assert not finder.search("secret needle").files
    assert [file.path for file in finder.search("POL-358").files] == ["MEMORY.md"]
    assert paths(finder.search("again.md")) == ["again.md"]


def test_a_stopped_refresh_keeps_what_it_has_and_says_how_far_it_came(root: Path, ws: Workspace) -> None:
    for i in range(300):
        (root / f"{i}.md").write_text("needle\n")
    finder = finding.open(ws)
    told: list[tuple[int, int]] = []
    finder.refresh(sync.look(ws), stop=lambda: len(told) > 1, progress=lambda done, total: told.append((done, total)))
    found = finder.search("needle")
    assert 0 < found.total_files < 300
    assert not found.complete
    assert told[-1] == (found.coverage.done, found.coverage.total)
    assert refreshed(finder, ws).search("needle").total_files == 300
    assert finder.coverage.complete
    finder.close()


def test_a_search_that_is_stopped_says_so(finder: Finder) -> None:
    assert finder.search("sqlite", stop=lambda: True).stopped


def read_by(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    read: list[str] = []
    real = finding.Finder._text

    def spy(self: Finder, reader: object, node: object, held: int, *, by_name: bool) -> object:
        read.append(node.path)  # type: ignore[attr-defined]
        return real(self, reader, node, held, by_name=by_name)  # type: ignore[arg-type]

    monkeypatch.setattr(finding.Finder, "_text", spy)
    return read


def settle(root: Path) -> None:
    for file in root.rglob("*"):
        os.utime(file, (1_700_000_000, 1_700_000_000))


def test_the_next_start_reads_only_what_changed(root: Path, ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(root)
    refreshed(finding.open(ws), ws).close()
    (root / "MEMORY.md").write_text("changed meanwhile\n")
    (root / "HEARTBEAT.md").unlink()
    read = read_by(monkeypatch)
    finder = refreshed(finding.open(ws), ws)
    assert read == ["MEMORY.md"]
    assert paths(finder.search("changed meanwhile")) == ["MEMORY.md"]
    assert not finder.search("anna@example.org").files
    assert finder.search("成語").files
    finder.close()


def test_what_was_learnt_is_kept_when_asked_for_and_not_while_a_window_closes(root: Path, ws: Workspace) -> None:
    finder = refreshed(finding.open(ws), ws)
    kept = ws.cache / cache.FILE_NAME
    kept.unlink()
    (root / "MEMORY.md").write_text("something else\n")
    finder.apply(change(ws, ChangeKind.MODIFIED, "MEMORY.md"))
    finder.close(keep=False)
    assert not kept.exists()
    finder = refreshed(finding.open(ws), ws)
    kept.unlink()
    (root / "MEMORY.md").write_text("something else again\n")
    finder.apply(change(ws, ChangeKind.MODIFIED, "MEMORY.md"))
    finder.keep()
    assert kept.exists()
    finder.close()


@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_a_damaged_or_missing_cache_is_built_anew(root: Path, ws: Workspace, damage: bytes | None) -> None:
    refreshed(finding.open(ws), ws).close()
    kept = ws.cache / cache.FILE_NAME
    assert kept.is_file()
    kept.unlink() if damage is None else kept.write_bytes(damage)
    finder = refreshed(finding.open(ws), ws)
    assert finder.search("sqlite").total_files == 3
    finder.close()
    assert kept.stat().st_size > 100


def test_two_finders_of_one_workspace_do_not_disturb_each_other(root: Path, ws: Workspace) -> None:
    one, other = refreshed(finding.open(ws), ws), refreshed(finding.open(ws), ws)
    one.close()
    assert other.search("sqlite").total_files == 3
    other.close()
    assert refreshed(finding.open(ws), ws).search("sqlite").total_files == 3


def test_a_workspace_that_vanished_answers_nothing(finder: Finder, root: Path) -> None:
    root.rename(root.with_name("elsewhere"))
    assert not finder.search("sqlite").files
    assert finder.places("sqlite", limit=5)[0] == ()


def test_searching_while_files_change_never_fails(finder: Finder, root: Path, ws: Workspace) -> None:
    done = threading.Event()
    failures: list[BaseException] = []

    def search() -> None:
        try:
            while not done.is_set():
                assert finder.search("sqlite").total_files >= 2
        except AssertionError as error:
            failures.append(error)

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for i in range(40):
        (root / "HEARTBEAT.md").write_text(f"sqlite {i}\n" * (i % 3))
        finder.apply(change(ws, ChangeKind.MODIFIED, "HEARTBEAT.md"))
        refreshed(finder, ws)
    done.set()
    for thread in threads:
        thread.join()
    assert not failures
