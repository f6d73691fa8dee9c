"""What tools are given to read: one document, and the tree of documents."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from memgui.domain.errors import ExecutionFailed, InvalidParameters, MemguiError, NotAuthorized
from memgui.domain.workspace import Workspace
from memgui.ops import reading, workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    for name in ("MEMORY.md", "SOUL.md", "a/b/c.md", "a/x.MD", "a-b.md", "a/picture.png", "z.markdown", "code.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"the text of {name}\n")
    (root / "empty").mkdir()
    return root


@pytest.fixture
def ws(root: Path) -> Workspace:
    return workspace.open(root)


def test_a_document_is_answered_with_its_words_and_its_time(ws: Workspace, root: Path) -> None:
    os.utime(root / "MEMORY.md", (1_795_000_000.7, 1_795_000_000.7))
    assert reading.read_answer(ws, " ./a/../MEMORY.md".replace("a/../", "")) == {
        "path": "MEMORY.md",
        "content": "the text of MEMORY.md\n",
        "word_count": 4,
        "updated_at": "2026-11-18T11:06:40Z",
    }


@pytest.mark.parametrize(
    "raw", ["SOUL.md", "/SOUL.md".strip("/"), "a//b/./c.md", "a\\b\\c.md", " a / b / c.md ", "ａ/x.MD"]
)
def test_any_spelling_that_the_rule_allows_reads_the_document(ws: Workspace, raw: str) -> None:
    assert reading.read_answer(ws, raw)["content"].startswith("the text of")


@pytest.mark.parametrize(
    "raw", ["", ".", "/etc/x.md", "~/x.md", "C:/x.md", "../x.md", "a/../../x.md", "x\0.md", "code.py", ".git/x.md", "a"]
)
def test_what_the_rule_refuses_is_refused(ws: Workspace, raw: str) -> None:
    with pytest.raises(InvalidParameters):
        reading.read_answer(ws, raw)


def test_a_missing_document_is_told_in_a_sentence(ws: Workspace) -> None:
    with pytest.raises(ExecutionFailed, match=r"^Read failed: "):
        reading.read_answer(ws, "no/such.md")


def test_bytes_that_are_no_utf8_are_replaced_and_the_answer_says_so(ws: Workspace, root: Path) -> None:
    (root / "latin.md").write_bytes(b"\xef\xbb\xbfcaf\xe9\n")
    found = reading.read_answer(ws, "latin.md")
    assert found["content"] == "caf\ufffd\n"
    assert "U+FFFD" in found["note"]


def test_a_name_in_another_unicode_form_is_read_as_the_tree_lists_it(ws: Workspace, root: Path) -> None:
    (root / "Cafe\u0301").mkdir()
    (root / "Cafe\u0301/note\ufb01.md").write_text("here")
    ((folder, names),) = [next(iter(item.items())) for item in reading.tree_answer(ws, "", 3) if "Caf" in str(item)]
    found = reading.read_answer(ws, folder + names[0])
    assert (found["content"], found["path"]) == ("here", "Cafe\u0301/note\ufb01.md")
    assert reading.tree_answer(ws, "Café") == ["note\ufb01.md"]


def test_names_that_differ_in_form_alone_are_read_each_by_its_own(ws: Workspace, root: Path) -> None:
    for name in ("e\u0301.md", "\u00e9.md", "with\u00a0blank.md", ".hidden.md"):
        (root / name).write_text(ascii(name))
    listed = reading.tree_answer(ws)
    assert {"e\u0301.md", "\u00e9.md", "with\u00a0blank.md"} <= set(listed)
    assert ".hidden.md" not in listed
    for name in ("e\u0301.md", "\u00e9.md", "with\u00a0blank.md"):
        assert reading.read_answer(ws, name)["content"] == ascii(name)


def test_a_link_is_read_inside_and_refused_outside_and_to_what_is_no_document(
    ws: Workspace, root: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret.md").write_text("secret")
    (root / "in.md").symlink_to("a/b/c.md")
    (root / "out.md").symlink_to(tmp_path / "secret.md")
    (root / "code.md").symlink_to("code.py")
    assert reading.read_answer(ws, "in.md")["content"] == "the text of a/b/c.md\n"
    assert "in.md" in reading.tree_answer(ws)
    assert not {"out.md", "code.md"} & {item for item in reading.tree_answer(ws) if isinstance(item, str)}
    with pytest.raises(NotAuthorized):
        reading.read_answer(ws, "out.md")
    with pytest.raises(InvalidParameters):
        reading.read_answer(ws, "code.md")


@pytest.mark.parametrize(
    "raw", [".agentsmith/notes.md", ".agentsmith/other/x.md", "env/lib/x.md", "node_modules/x/y.md", ".claude/x.md"]
)
def test_what_no_scan_shows_cannot_be_read(ws: Workspace, root: Path, raw: str) -> None:
    (root / raw).parent.mkdir(parents=True)
    (root / raw).write_text("hidden")
    if raw.startswith("env"):
        (root / "env/pyvenv.cfg").write_text("")
    with pytest.raises(InvalidParameters):
        reading.read_answer(ws, raw)
    assert "x.md" not in str(reading.tree_answer(ws, "", 10))


def test_what_is_no_file_is_refused_at_once(ws: Workspace, root: Path) -> None:
    os.mkfifo(root / "pipe.md")
    (root / "folder.md").mkdir()
    for name in ("pipe.md", "folder.md"):
        with pytest.raises(ExecutionFailed, match=r"^Read failed: "):
            reading.read_answer(ws, name)


@pytest.mark.parametrize(
    ("path", "depth", "listed"),
    [
        ("", 1, ["MEMORY.md", "SOUL.md", "a/", "a-b.md", "empty/", "z.markdown"]),
        ("", 0, ["MEMORY.md", "SOUL.md", "a/", "a-b.md", "empty/", "z.markdown"]),
        ("", 2, ["MEMORY.md", "SOUL.md", {"a/": ["b/", "x.MD"]}, "a-b.md", "empty/", "z.markdown"]),
        ("", 99, ["MEMORY.md", "SOUL.md", {"a/": [{"b/": ["c.md"]}, "x.MD"]}, "a-b.md", "empty/", "z.markdown"]),
        ("a/", 1, ["b/", "x.MD"]),
        ("a/b", 1, ["c.md"]),
        ("empty", 5, []),
        ("nowhere", 1, []),
        ("MEMORY.md", 1, []),
        (".git", 1, []),
    ],
)
def test_the_tree_is_listed_bytewise_as_deep_as_asked(ws: Workspace, path: str, depth: int, listed: list[Any]) -> None:
    assert reading.tree_answer(ws, path, depth) == listed


def test_linked_folders_are_empty_and_links_out_are_not_listed(ws: Workspace, root: Path, tmp_path: Path) -> None:
    (root / "again").symlink_to("a")
    (root / "up").symlink_to("..")
    (root / "out.md").symlink_to(tmp_path / "x.md")
    (root / "self").symlink_to(".")
    listed = reading.tree_answer(ws, "", 10)
    assert "again/" in listed
    assert not {"up/", "out.md"} & {item for item in listed if isinstance(item, str)}


def test_names_that_are_no_utf8_are_listed_and_read(ws: Workspace, root: Path) -> None:
    (root / os.fsdecode(b"b\xff.md")).write_text("odd")
    assert "b\udcff.md" in reading.tree_answer(ws)
    assert reading.read_answer(ws, "b\udcff.md")["content"] == "odd"


@pytest.mark.parametrize("depth", ["2", 1.5, None, True])
def test_a_depth_that_is_no_whole_number_is_refused(ws: Workspace, depth: Any) -> None:
    with pytest.raises(InvalidParameters):
        reading.tree_answer(ws, "", depth)


def test_every_document_listed_can_be_read(ws: Workspace, root: Path) -> None:
    def walk(listed: list[Any], before: str) -> None:
        for item in listed:
            if isinstance(item, dict):
                ((name, inside),) = item.items()
                walk(inside, before + name)
            elif not item.endswith("/"):
                reading.read_answer(ws, before + item)

    walk(reading.tree_answer(ws, "", 10), "")
    with pytest.raises(MemguiError):
        reading.read_answer(ws, "a/picture.png")
