"""Each hit can say why it is there, each file why it is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memgui.domain.hits import FileHits, Found, HitGroup, SearchHit
from memgui.domain.paths import DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import finding, sync, why, workspace
from memgui.ops.finder import Finder
from memgui.ops.meaning import embedding
from memgui.ops.meaning.asked import Wanted
from memgui.ops.words import builder
from memgui.ops.words.service import Words
from memgui.search.meaning.index import Nearness

FILES = {
    "MEMORY.md": "# Harbour\n\nThe red crane stands at berth 7.\n",
    "apart.md": "# Cranes\n\nA crane alone.\n\n# Berths\n\nA berth alone.\n",
    "tea.md": "# Tea\n\nGreen leaves.\n",
    "table.csv": "crane;berth\n",
}

MOON = SearchHit(DocPath("tea.md"), 4, "the moon", ((4, 8),), 1.0, HitGroup.HISTORY, version=2)


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "harbour"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text)
    (root / "bytes.md").write_bytes(b"zeppelin\0")
    (tmp_path / "out.md").write_text("zeppelin\n")
    (root / "out.md").symlink_to("../out.md")
    (root / "link.md").symlink_to("MEMORY.md")
    for folder in ("folder.md", ".git"):
        (root / folder).mkdir()
    (root / ".git" / "notes.md").write_text("zeppelin\n")
    return workspace.open(root)


@pytest.fixture
def finder(ws: Workspace) -> Iterator[Finder]:
    finder = finding.open(ws)
    finder.refresh(sync.look(ws))
    yield finder
    finder.close()


@pytest.fixture
def words(ws: Workspace) -> Iterator[Words]:
    words = Words(ws, helped=False)
    words.bring_up_to_date(sync.look(ws))
    yield words
    words.close()


def ask(ws: Workspace, finder: Finder, words: Words, query: str) -> Found:
    return finding.join_words(ws, finder, words, finding.search_text(finder, query))


def nobody(_wanted: Wanted) -> Nearness | None:
    return None


def as_near(finder: Finder, closeness: float) -> why.Near:
    def near(wanted: Wanted) -> Nearness:
        with finder.reading() as read:
            states = {path: now[1] for path, _first, _end in wanted.named if (now := read(path)) is not None}
        named = dict.fromkeys(((path, first) for path, first, _end in wanted.named), closeness)
        return Nearness((), named, 0.0, states)

    return near


def first(found: Found, path: str) -> SearchHit:
    return next(hit for file in (*found.files, *found.by_words) for hit in file.hits if hit.path == path)


def test_an_exact_hit_says_that_it_holds_the_text(ws: Workspace, finder: Finder, words: Words) -> None:
    found = ask(ws, finder, words, "red crane")
    said = why.why(ws, finder, nobody, found, first(found, "MEMORY.md")).reasons
    assert said[0] == "This line holds the text as it was typed; case, accents and width aside."
    assert said[-1] == "File 1 of 1 in its group; scores are relative: 1.00 of the best."


def test_a_hit_of_words_names_those_it_holds_and_those_it_lacks(ws: Workspace, finder: Finder, words: Words) -> None:
    found = ask(ws, finder, words, "crane zeppelin")
    said = why.why(ws, finder, nobody, found, first(found, "MEMORY.md")).reasons
    assert "The passage holds “crane”; it lacks “zeppelin”." in said


@pytest.mark.parametrize(
    ("closeness", "sentence"),
    [
        (1.2, "Clearly near in meaning."),
        (0.7, "Near in meaning, but not clearly."),
        (0.1, "A little nearer in meaning than chance."),
        (-0.4, "No nearer in meaning than any text would be."),
    ],
)
def test_nearness_is_said_in_words(
    ws: Workspace, finder: Finder, words: Words, closeness: float, sentence: str
) -> None:
    found = ask(ws, finder, words, "berth crane")
    assert sentence in why.why(ws, finder, as_near(finder, closeness), found, first(found, "MEMORY.md")).reasons


@pytest.mark.parametrize(
    ("query", "path", "sentence"),
    [
        ("crane", "tea.md", "No passage of it is what was asked: “crane”."),
        ("crane berth", "apart.md", "It holds all of it, but no passage does: “crane” (line 1), “berth” (line 5)."),
        ("red crane", "MEMORY.md", "It is among the hits: file 1, line 3."),
        (
            "zeppelin",
            "nowhere.md",
            "There is no such file now. What it held may stand in earlier versions: in:history finds it.",
        ),
        ("zeppelin", "bytes.md", "It is no text: only its name is searched."),
        ("zeppelin", "out.md", "'out.md' is a link that leads out of the workspace."),
        ("zeppelin", "folder.md", "It is no file."),
        ("zeppelin", "link.md", "It is a link. What it leads to is searched under its own name, MEMORY.md."),
        (
            "zeppelin",
            ".git/notes.md",
            "It lies where nothing is searched: folders that hold no memory, as .git and node_modules, are left out.",
        ),
        (
            "in:history crane",
            "MEMORY.md",
            "No earlier version of it holds what was asked, or it was forgotten, or it stands somewhere still.",
        ),
        (
            "berth crane",
            "table.csv",
            "It is no Markdown document: only the exact search covers it, and it lacks the text as typed.",
        ),
        ("leaves path:MEM", "tea.md", "No passage of it is what was asked: path with “MEM”."),
    ],
)
def test_a_file_says_why_it_is_not_found(
    ws: Workspace, finder: Finder, words: Words, query: str, path: str, sentence: str
) -> None:
    found = ask(ws, finder, words, query)
    assert sentence in why.why_not(ws, finder, nobody, found, DocPath(path)).reasons


def test_a_file_says_how_near_its_nearest_passage_is(ws: Workspace, finder: Finder, words: Words) -> None:
    found = ask(ws, finder, words, "zeppelin")
    said = why.why_not(ws, finder, as_near(finder, -0.2), found, DocPath("tea.md")).reasons
    assert "The nearest passage begins at line 1: No nearer in meaning than any text would be." in said
    unknown = why.why_not(ws, finder, nobody, found, DocPath("tea.md")).reasons
    assert "Nothing of memory is known by its meaning yet." in unknown
    not_yet = why.why_not(ws, finder, lambda _wanted: Nearness((), {}, 0.0), found, DocPath("tea.md")).reasons
    assert "It is not known by its meaning yet." in not_yet


def test_what_is_left_out_or_too_large_says_so(ws: Workspace, words: Words, monkeypatch: pytest.MonkeyPatch) -> None:
    small = Finder(ws, most_text=10)
    try:
        small.refresh(sync.look(ws))
        found = ask(ws, small, words, "zeppelin")
        monkeypatch.setattr(builder, "LARGEST", 5)
        monkeypatch.setattr(embedding, "LARGEST", 5)
        said = why.why_not(ws, small, nobody, found, DocPath("tea.md")).reasons
    finally:
        small.close()
    assert "All texts together take too much memory: its own is left out." in said
    assert "It is too large for the index of words; only the exact search covers it." in said
    assert "It is too large to be known by its meaning." in said


def test_a_row_that_is_no_longer_true_says_so(ws: Workspace, finder: Finder, words: Words) -> None:
    found = ask(ws, finder, words, "red crane")
    hit = first(found, "MEMORY.md")
    (ws.root / "MEMORY.md").write_text("# Harbour\n\nThe blue crane stands at berth 7.\n")
    said = why.why(ws, finder, nobody, found, hit).reasons
    assert said == ("The line changed since it was found: it no longer holds the text as it was typed.",)
    (ws.root / "MEMORY.md").unlink()
    assert why.why(ws, finder, nobody, found, hit).reasons[0] == "The file cannot be read any more."
    said = why.why_not(ws, finder, nobody, found, DocPath("MEMORY.md")).reasons
    assert said[0] == "It is among the hits: file 1, line 3."
    assert said[1].startswith("There is no such file now.")


def test_what_was_written_since_is_found_by_the_next_search(ws: Workspace, finder: Finder, words: Words) -> None:
    found = ask(ws, finder, words, "zeppelin")
    for name in ("tea.md", "table.csv"):
        (ws.root / name).write_text("a zeppelin\n")
        assert why.why_not(ws, finder, nobody, found, DocPath(name)).reasons[0] == (
            "It holds the text by now: search again."
        )
    (ws.root / "new.md").write_text("a zeppelin\n")
    assert why.why_not(ws, finder, nobody, found, DocPath("new.md")).reasons[0] == "It has not been read yet."


def test_a_hit_of_an_earlier_version_is_among_the_hits(ws: Workspace, finder: Finder, words: Words) -> None:
    found = replace(Found("in:history moon"), by_history=(FileHits(DocPath("tea.md"), (MOON,), 1, 1.0),))
    assert why.why_not(ws, finder, nobody, found, DocPath("tea.md")).reasons == (
        "It is among the hits: file 1, line 4.",
    )
    halved = replace(Found("in:history moon"), history_whole=False)
    assert "not all of them were" in why.why_not(ws, finder, nobody, halved, DocPath("tea.md")).reasons[0]
