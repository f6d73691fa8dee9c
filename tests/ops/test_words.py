"""The index of words on real files: what it finds, what is shown of it, and that no damage to it ever matters."""

from __future__ import annotations

import gc
import json
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from filelock import FileLock

from memgui.domain import wishes
from memgui.domain.changes import Change, ChangeKind, ChangeSet
from memgui.domain.hits import HitGroup, Reading
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import finding, indexing, sync, workspace
from memgui.ops.finder import Finder
from memgui.ops.finding import Mode, Words, find_places, join_words, memory_search, search_text
from memgui.ops.words.builder import Builder
from memgui.ops.words.child import NICENESS_FOR_CHANGES
from memgui.ops.words.helper import MOST_DEATHS
from memgui.ops.words.progress import FOLDER, Progress, rows_of
from memgui.ops.words.service import paths_of
from memgui.search.words.engine import WordsIndex
from memgui.search.words.index import AllOf, AnyOf, Has

FILES = {
    "MEMORY.md": "# Memory\n\n## Berths\n\n- Berth 7 is closed until the crane is repaired.\n\n"
    "## People\n\n- Jürgen: phone\n",
    "SOUL.md": "# Soul\n\nCalm about every crane.\n",
    "memory/2026-11-29.md": "# 2026-11-29\n\n- 08:02 Tide table read\n- 16:40 Crane part ordered (POL-358)\n",
    "memory/2026-11-30.md": "# 2026-11-30\n\n- 07:55 berth 7 still closed\n"
    "- [ ] call the crane people\n- [x] tide table\n",
    "facts/ask-first.md": "---\nname: ask-first\ntags: [ferry, captain]\ntype: feedback\n"
    "status: proposed\n---\nAlways ask.\n",
    "projects/crane/plan.md": "# Plan\n\nPart arrives on 3 December\n\n## Budget\n\nTwo days of work, getUserById\n",
    "notes/港口.md": "# 港口\n\n起重机修好以前，七号泊位关闭。\n",
    "notes/empty.md": "",
    "data.txt": "crane in no document\n",
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


def build(ws: Workspace) -> Progress:
    builder = Builder(ws.root, ws.cache)
    builder.refresh(rows_of(ws, sync.look(ws)))
    builder.close()
    return builder.progress


def found(ws: Workspace, query: str, limit: int = 20) -> list[tuple[str, int]]:
    places, _reading = find_places(ws, query, limit, mode=Mode.WORDS, operators=True)
    return [(place.path, place.hit.line) for place in places]


def files(ws: Workspace, query: str) -> set[str]:
    return {path for path, _line in found(ws, query)}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("berth closed", {"MEMORY.md", "memory/2026-11-30.md"}),
        ("crane", {"MEMORY.md", "SOUL.md", "memory/2026-11-29.md", "memory/2026-11-30.md", "projects/crane/plan.md"}),
        ("crane budget", {"projects/crane/plan.md"}),
        ("berths crane", {"MEMORY.md"}),
        ("user", {"projects/crane/plan.md"}),
        ("jurgen", {"MEMORY.md"}),
        ("pol-358", {"memory/2026-11-29.md"}),
        ("泊位", {"notes/港口.md"}),
        ("captain", {"facts/ask-first.md"}),
        ("empty", {"notes/empty.md"}),
        ("crane -berth", {"SOUL.md", "memory/2026-11-29.md", "memory/2026-11-30.md", "projects/crane/plan.md"}),
        ("crane path:memory/", {"memory/2026-11-29.md", "memory/2026-11-30.md"}),
        ("path:CRANE", {"projects/crane/plan.md"}),
        ("type:feedback", {"facts/ask-first.md"}),
        ("status:Proposed ask", {"facts/ask-first.md"}),
        ("status:ratified ask", set()),
        ("day:2026-11", {"memory/2026-11-29.md", "memory/2026-11-30.md"}),
        ("day:2026-11-30 crane", {"memory/2026-11-30.md"}),
        ("todo:", {"memory/2026-11-30.md"}),
        ("todo:crane", {"memory/2026-11-30.md"}),
        ("todo:tide", set()),
        ("done:tide", {"memory/2026-11-30.md"}),
        ("is:protected crane", {"SOUL.md"}),
        ("is:proposed", {"facts/ask-first.md"}),
        ("/pol-\\d+/", {"memory/2026-11-29.md"}),
        ("/^- .*CRANE/ -todo:", {"MEMORY.md", "memory/2026-11-29.md"}),
        ("/起重.*七/ OR /get[a-z]+id/", {"notes/港口.md", "projects/crane/plan.md"}),
        ("crane -/berth|tide|part|calm|days/", {"memory/2026-11-30.md"}),
        ("/(a+)+!$/", set()),
        ('"tide table"', {"memory/2026-11-29.md", "memory/2026-11-30.md"}),
        ('"table tide"', set()),
        ('crane -"every crane" -path:projects -day:2026', {"MEMORY.md"}),
        ("(jurgen OR captain)", {"MEMORY.md", "facts/ask-first.md"}),
        ("zeppelin", set()),
        ("***", set()),
    ],
)
def test_words_and_operators_find_their_documents(ws: Workspace, query: str, expected: set[str]) -> None:
    assert files(ws, query) == expected


def test_an_entry_of_a_day_is_a_passage_of_its_own(ws: Workspace) -> None:
    assert ("memory/2026-11-30.md", 3) in found(ws, "berth closed")
    _places, reading = find_places(ws, "berth people", mode=Mode.WORDS)
    assert reading is Reading.ANY


def test_where_no_passage_holds_all_words_those_with_most_of_the_rare_ones_come_first(ws: Workspace) -> None:
    places, reading = find_places(ws, "captain zeppelin crane", 20, mode=Mode.WORDS)
    assert reading is Reading.ANY
    assert places[0].path == "facts/ask-first.md"
    assert not any(place.strong for place in places)


def test_a_common_word_is_enough_where_no_rarer_one_is_known(ws: Workspace) -> None:
    places, reading = find_places(ws, "crane zeppelin", 20, mode=Mode.WORDS)
    assert reading is Reading.ANY
    assert len(places) >= 5


def test_a_heading_and_a_name_weigh_more_than_the_text(root: Path, ws: Workspace) -> None:
    (root / "a.md").write_text("# Other\n\nThe lighthouse is lit.\n")
    (root / "b.md").write_text("# Lighthouse\n\nIt is lit at night.\n")
    (root / "lighthouse.md").write_text("# Tower\n\nIt is lit at night.\n")
    assert [path for path, _line in found(ws, "lighthouse")] == ["lighthouse.md", "b.md", "a.md"]


HOSTILE = ["*" * 1_500, "(" * 900, "-" * 900, '"' * 901, "a OR " * 300, "x" * 10_000, " ".join(map(str, range(2_000)))]


@pytest.mark.parametrize(
    "query", [*HOSTILE, "\x00\ud800", "path:", "[a TO z] foo~9 ????? -(-(-x))", "-a", "NOT x", "🎉"]
)
def test_no_query_raises(ws: Workspace, query: str) -> None:
    for operators in (True, False):
        find_places(ws, query, 5, mode=Mode.WORDS, operators=operators)
        find_places(ws, query, 5, operators=operators)


def test_a_tools_query_knows_no_operators(root: Path, ws: Workspace) -> None:
    (root / "odd.md").write_text("Ask about path:crane and -minus\n")
    answer = memory_search(ws, "path:crane -minus")
    assert answer["results"][0]["path"] == "odd.md"


# Changes -----------------------------------------------------------------------------------------------------------


def change(ws: Workspace, name: str, kind: ChangeKind = ChangeKind.MODIFIED) -> ChangeSet:
    node = sync.look(ws).nodes.get(DocPath(name))
    return ChangeSet((Change(DocPath(name), kind, Origin.outside(), node),))


def test_a_passage_that_changed_since_it_was_indexed_is_not_shown_as_it_was(root: Path, ws: Workspace) -> None:
    build(ws)
    words = Words(ws, helped=False)
    finder = finding.open(ws)
    finder.refresh(sync.look(ws))
    (root / "MEMORY.md").write_text("# Memory\n\nNothing here.\n\n## Later\n\nThe crane is mended.\n")
    (root / "projects/crane/plan.md").unlink()
    joined = join_words(ws, finder, words, search_text(finder, "crane memory"))
    assert [(hit.path, hit.line) for file in joined.by_words for hit in file.hits if file.path == "MEMORY.md"] == [
        ("MEMORY.md", 7)
    ]
    assert "projects/crane/plan.md" not in {file.path for file in joined.by_words}
    words.close()
    finder.close()


def test_an_update_replaces_adds_and_forgets(root: Path, ws: Workspace) -> None:
    rows = rows_of(ws, sync.look(ws))
    builder = Builder(ws.root, ws.cache)
    assert builder.refresh(rows)
    before = builder.progress.passages
    (root / "SOUL.md").write_text("# Soul\n\nLikes lanterns.\n")
    (root / "new.md").write_text("Lanterns too.\n")
    (root / "notes/empty.md").unlink()
    assert builder.update([DocPath("SOUL.md"), DocPath("SOUL.md"), DocPath("new.md"), DocPath("notes/empty.md")])
    assert builder.progress.passages == before
    builder.close()
    words = Words(ws, helped=False)
    assert words.passages == before
    words.close()
    assert indexing.state(ws).words == "ready"
    assert files(ws, "lanterns") == {"SOUL.md", "new.md"}


def test_what_cannot_be_read_is_said_and_the_rest_is_indexed(root: Path, ws: Workspace) -> None:
    (root / "huge.md").write_bytes(b"word " * 1_100_000)
    (root / "binary.md").write_bytes(b"\0\1\2" * 100)
    progress = build(ws)
    assert progress.ready
    assert progress.problems == ("huge.md is too large; only the exact search covers it.",)


def test_one_word_is_answered_as_whoosh_itself_would(root: Path, ws: Workspace) -> None:
    for number in range(400):
        (root / f"{number}.md").write_text(
            f"# Note {number}\n\n" + "fog " * (number % 7) + "lantern " * (1 + number % 5)
        )
    builder = Builder(ws.root, ws.cache)
    assert builder.refresh(rows_of(ws, sync.look(ws)))
    assert builder.update([DocPath(f"{number}.md") for number in range(0, 400, 9)])
    builder.close()
    index = WordsIndex(ws.cache / FOLDER)
    for word in ("lantern", "fog", "note", "crane", "jurgen", "zeppelin"):
        for limit in (1, 7, 50, 1_000):
            own = [(hit.path, hit.first, round(hit.score, 6)) for hit in index.search(Has(word), limit=limit)]
            theirs = index.search(AnyOf((Has(word),)), limit=limit)
            assert own == [(hit.path, hit.first, round(hit.score, 6)) for hit in theirs]
    for words in (("lantern", "fog"), ("fog", "note", "lantern"), ("lantern", "crane"), ("fog", "zeppelin")):
        all_of = AllOf(tuple(Has(word) for word in words))
        own = [(hit.path, hit.first, round(hit.score, 4)) for hit in index.search(all_of, limit=1_000)]
        theirs = index.search(AllOf((all_of, AnyOf((Has(words[0]),)))), limit=1_000)
        assert {one[:2] for one in own} == {(hit.path, hit.first) for hit in theirs}
    index.close()


# Damage ------------------------------------------------------------------------------------------------------------


def parts(ws: Workspace) -> list[Path]:
    return sorted(path for path in (ws.cache / FOLDER).iterdir() if path.suffix in (".seg", ".toc"))


def truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def zero(path: Path) -> None:
    path.write_bytes(b"\0" * path.stat().st_size)


def scramble(path: Path) -> None:
    path.write_bytes(bytes(byte ^ 0x5A for byte in path.read_bytes()))


LEAVES_FILES_OPEN = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning"
)
"""Whoosh leaves a damaged file to the collector."""


@LEAVES_FILES_OPEN
@pytest.mark.parametrize("damage", [truncate, empty, zero, scramble, Path.unlink])
@pytest.mark.parametrize("suffix", [".seg", ".toc"])
def test_a_damaged_index_is_made_anew_and_the_scan_answers_meanwhile(
    ws: Workspace, damage: Callable[[Path], None], suffix: str
) -> None:
    build(ws)
    for path in parts(ws):
        if path.suffix == suffix:
            damage(path)
    finder = finding.open(ws)
    finder.refresh(sync.look(ws))
    words = Words(ws, helped=False)
    joined = join_words(ws, finder, words, search_text(finder, "crane"))
    assert "MEMORY.md" in {file.path for file in joined.files}
    words.close()
    finder.close()
    assert "MEMORY.md" in files(ws, "berth crane")
    assert build(ws).ready
    gc.collect()


def test_an_index_of_another_rule_is_made_anew(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    from memgui.search.words import engine

    monkeypatch.setattr(engine, "_NAME", "words0u0")
    build(ws)
    monkeypatch.undo()
    assert indexing.state(ws).words == "missing"
    assert "MEMORY.md" in files(ws, "berth crane")
    assert not [path for path in (ws.cache / FOLDER).iterdir() if "words0u0" in path.name]


def test_the_index_is_private(ws: Workspace) -> None:
    build(ws)
    folder = ws.cache / FOLDER
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_an_index_that_vanishes_while_it_is_open_answers_nothing_and_comes_back(ws: Workspace) -> None:
    build(ws)
    words, asked = Words(ws, helped=False), wishes.read("berth crane")
    finder = finding.open(ws)
    finder.refresh(sync.look(ws))

    def answer() -> object:
        with finder.reading() as read:
            got = words.answer(asked, read, paths_of(ws, finder.paths))
        return None if got is None else {file.path for file in got.files}

    assert answer() == {"MEMORY.md"}
    (ws.cache / FOLDER).rename(ws.cache / "elsewhere")
    assert answer() is None
    build(ws)
    assert answer() == {"MEMORY.md"}
    words.close()
    finder.close()


def test_a_full_disk_is_a_sentence_and_the_next_time_it_works(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(WordsIndex, "update", full)
    progress = build(ws)
    assert not progress.ready
    assert progress.problems == ("The index of words cannot be written: No space left on device.",)
    assert memory_search(ws, "berth crane")["result_count"]
    monkeypatch.undo()
    assert build(ws).ready


def test_another_writer_is_waited_for_until_one_is_told_to_stop(ws: Workspace) -> None:
    ws.cache.mkdir(parents=True, exist_ok=True)
    told: list[Progress] = []
    with FileLock(ws.cache / f"{FOLDER}.lock"):
        builder = Builder(ws.root, ws.cache, told.append, stop=lambda: bool(told))
        assert not builder.refresh(rows_of(ws, sync.look(ws)))
    assert told[0].waiting
    assert build(ws).ready


def test_an_update_that_had_to_wait_for_another_writer_is_as_ready_as_before(root: Path, ws: Workspace) -> None:
    told: list[Progress] = []
    builder = Builder(ws.root, ws.cache, told.append)
    assert builder.refresh(rows_of(ws, sync.look(ws)))
    (root / "MEMORY.md").write_text("# Memory\n\nlantern\n")
    lock = FileLock(ws.cache / f"{FOLDER}.lock", thread_local=False)
    lock.acquire()

    def tell(progress: Progress) -> None:
        told.append(progress)
        if progress.waiting:
            lock.release()

    builder.tell = tell
    assert builder.update([DocPath("MEMORY.md")])
    builder.close()
    assert any(progress.waiting for progress in told)
    assert told[-1].ready


# The other process -------------------------------------------------------------------------------------------------


@dataclass
class Heard:
    """What the other process told, and a way to wait for it."""

    told: list[Progress] = field(default_factory=list)
    news: threading.Condition = field(default_factory=threading.Condition)

    def __call__(self, progress: Progress) -> None:
        with self.news:
            self.told.append(progress)
            self.news.notify_all()

    def until(self, fact: Callable[[], bool]) -> None:
        with self.news:
            assert self.news.wait_for(fact, 30), self.told[-3:]

    def ready(self) -> bool:
        return bool(self.told) and self.told[-1].ready


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def words(ws: Workspace, heard: Heard) -> Iterator[Words]:
    words = Words(ws, tell=heard)
    yield words
    words.close()


@pytest.fixture
def finder(ws: Workspace) -> Iterator[Finder]:
    finder = finding.open(ws)
    finder.refresh(sync.look(ws))
    yield finder
    finder.close()


def joined(ws: Workspace, finder: Finder, words: Words, query: str) -> set[str]:
    answer = join_words(ws, finder, words, search_text(finder, query))
    return {file.path for file in (*answer.files, *answer.by_words)}


def test_another_process_builds_hears_of_changes_and_survives_being_killed(
    root: Path, ws: Workspace, words: Words, finder: Finder, heard: Heard
) -> None:
    assert joined(ws, finder, words, "berths repaired") == {"MEMORY.md"}
    words.refresh(sync.look(ws))
    heard.until(heard.ready)
    answer = join_words(ws, finder, words, search_text(finder, "repaired berths"))
    assert [(file.path, file.hits[0].group) for file in answer.by_words] == [("MEMORY.md", HitGroup.WORDS)]
    assert answer.words_reading is Reading.ALL
    marked = [hit.content[a:b] for hit in answer.by_words[0].hits for a, b in hit.marks]
    assert sorted(marked) == ["Berths", "repaired"]
    (root / "fresh.md").write_text("# Fog\n\nbell and lantern\n")
    count = len(heard.told)
    words.apply(change(ws, "fresh.md", ChangeKind.CREATED))
    heard.until(lambda: len(heard.told) > count and heard.ready())
    assert joined(ws, finder, words, "lantern fog") == {"fresh.md"}
    assert words._helper is not None
    for _time in range(MOST_DEATHS + 1):
        first = words._helper.process
        assert first is not None
        assert os.getpriority(os.PRIO_PROCESS, first) == os.getpriority(os.PRIO_PROCESS, 0) + NICENESS_FOR_CHANGES
        count = len(heard.told)
        os.kill(first, signal.SIGKILL)
        heard.until(lambda: len(heard.told) > count and heard.ready())  # noqa: B023
        assert words._helper.process != first
    assert joined(ws, finder, words, "lantern fog") == {"fresh.md"}


@LEAVES_FILES_OPEN
def test_damage_found_by_a_search_is_mended_behind_it(
    ws: Workspace, words: Words, finder: Finder, heard: Heard
) -> None:
    words.refresh(sync.look(ws))
    heard.until(heard.ready)
    for path in parts(ws):
        zero(path)
    count = len(heard.told)
    assert "MEMORY.md" in joined(ws, finder, words, "crane")
    heard.until(lambda: len(heard.told) > count and heard.ready())
    assert "MEMORY.md" in joined(ws, finder, words, "repaired berths")
    gc.collect()


def test_a_builder_killed_in_its_work_leaves_an_index_that_can_be_finished(root: Path, ws: Workspace) -> None:
    for number in range(1_500):
        (root / f"{number}.md").write_text(f"# Note {number}\n\n" + "word crane berth " * 20)
    rows = rows_of(ws, sync.look(ws))
    told = {"rows": [[path, *(key.size, key.mtime_ns, key.ctime_ns, key.inode)] for path, key in rows.items()]}
    command = [sys.executable, "-m", "memgui.ops.words.child", str(ws.root), str(ws.cache)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in (told, {"refresh": False}):
            process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        while json.loads(process.stdout.readline())["words"]["passages"] == 0:
            pass
        process.kill()
    words = Words(ws, helped=False)
    assert words.passages
    words.close()
    progress = build(ws)
    assert progress.ready
    assert indexing.state(ws).files == len(rows)


def test_the_builder_ends_where_who_began_it_was_killed_in_the_middle_of_a_message(ws: Workspace) -> None:
    command = [sys.executable, "-m", "memgui.ops.words.child", str(ws.root), str(ws.cache)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(b'{"rows": [["MEMORY.md", 12, ')
        process.stdin.close()
        assert process.wait(30) == 0


def test_two_processes_write_one_index(ws: Workspace, root: Path) -> None:
    first, second = Heard(), Heard()
    both = [Words(ws, tell=first), Words(ws, tell=second)]
    for words in both:
        words.refresh(sync.look(ws))
    first.until(first.ready)
    second.until(second.ready)
    (root / "fresh.md").write_text("lantern\n")
    for words in both:
        words.apply(change(ws, "fresh.md", ChangeKind.CREATED))
    passages = first.told[-1].passages
    first.until(lambda: first.told[-1].passages == passages + 1)
    second.until(lambda: second.told[-1].passages == passages + 1)
    for words in both:
        words.close()
    assert files(ws, "lantern") == {"fresh.md"}


def is_open(words: Words) -> bool:
    return words._index is not None


def test_an_index_that_rests_is_opened_again_and_none_that_is_in_use_is_closed(ws: Workspace) -> None:
    words = Words(ws, helped=False)
    try:
        words.bring_up_to_date(sync.look(ws))
        assert words.passages
        with words._in_use():
            words.rest()
            assert is_open(words)
        words.rest()
        assert not is_open(words)
        assert words.passages
    finally:
        words.close()


def test_a_finder_that_stays_opens_the_words_once_until_it_rests(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ws = workspace.open(root)
    finder = finding.open(ws)
    memory_search(ws, "berth", finder=finder)
    finder.rest()
    opened: list[Path] = []

    class Noted(WordsIndex):
        def __init__(self, folder: Path) -> None:
            opened.append(folder)
            super().__init__(folder)

    monkeypatch.setattr("memgui.search.words.engine.WordsIndex", Noted)
    for _time in range(3):
        assert memory_search(ws, "closed crane berth", finder=finder)["result_count"]
    assert len(opened) == 1
    finder.rest()
    assert memory_search(ws, "closed crane berth", finder=finder)["result_count"]
    assert len(opened) == 2
    (root / "new.md").write_text("A narwhal passed berth 7.\n")
    assert memory_search(ws, "narwhal passed", finder=finder)["results"][0]["path"] == "new.md"
    finder.close()
