"""Replacing in many documents: shown first, done where nothing changed since, through the gate, and undone as one."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from memgui.domain.errors import ExecutionFailed, InvalidParameters
from memgui.domain.lines import Lines
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath
from memgui.domain.replacing import Exchange, Plan, Replaced
from memgui.domain.workspace import Workspace
from memgui.ops import batches, forgetting, replacing, workspace
from memgui.storage.batches import MOST
from memgui.storage.deeds import Deeds

YOU = Origin.you()


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    root = tmp_path / "harbour"
    (root / "daily").mkdir(parents=True)
    (root / "MEMORY.md").write_bytes(b"# Harbour\r\n\r\nThe crane is red. The Crane squeaks.\nno final crane")
    (root / "daily" / "2026-11-30.md").write_text("[09:00:00] crane oiled\n")
    (root / "SOUL.md").write_text("You love the crane.\n")
    (root / "tea.md").write_text("Green leaves.\n")
    return workspace.open(root)


def paths(ws: Workspace) -> list[DocPath]:
    return sorted(DocPath(str(path.relative_to(ws.root))) for path in ws.root.rglob("*.md"))


def look(ws: Workspace, what: str, by: str, **how: bool) -> Plan:
    return replacing.look(ws, Exchange(what, by, **how), paths(ws), texts={})


def everything(plan: Plan) -> dict[DocPath, frozenset[int]]:
    return {file.path: frozenset(place.number for place in file.places) for file in plan.files}


def do(ws: Workspace, plan: Plan) -> Replaced:
    return replacing.replace(ws, plan, everything(plan), origin=YOU)[1]


def contents(ws: Workspace) -> dict[str, bytes]:
    return {path: (ws.root / path).read_bytes() for path in paths(ws)}


def test_every_place_is_shown_with_what_comes_of_it(ws: Workspace) -> None:
    plan = look(ws, "crane", "lift")
    assert [(file.path, len(file.places)) for file in plan.files] == [("MEMORY.md", 3), ("daily/2026-11-30.md", 1)]
    second = plan.files[0].places[1]
    assert (second.line, second.before) == (3, "The crane is red. The Crane squeaks.")
    assert second.before[slice(*second.found)] == "Crane"
    assert second.after == "The crane is red. The lift squeaks."
    assert second.after[slice(*second.put)] == "lift"
    assert plan.places == 4
    assert plan.whole


def test_an_identity_file_is_left_out_and_named(ws: Workspace) -> None:
    plan = look(ws, "crane", "lift")
    assert [(one.path, one.reason) for one in plan.left_out] == [
        ("SOUL.md", "An identity file: unlock it and replace there.")
    ]


def test_only_the_chosen_places_are_replaced_and_every_other_byte_stays(ws: Workspace) -> None:
    plan = look(ws, "crane", "lift")
    changes, replaced = replacing.replace(ws, plan, {DocPath("MEMORY.md"): frozenset({1})}, origin=YOU)
    assert (ws.root / "MEMORY.md").read_bytes() == (
        b"# Harbour\r\n\r\nThe crane is red. The lift squeaks.\nno final crane"
    )
    assert changes.paths == ("MEMORY.md",)
    assert replaced.places == 1


def test_one_undo_takes_back_all(ws: Workspace) -> None:
    for number in range(100):
        (ws.root / f"{number}.md").write_text(f"banana {number}\n")
    before = contents(ws)
    replaced = do(ws, look(ws, "a", ""))
    assert (ws.root / "7.md").read_text() == "bnn 7\n"
    changes, back = replacing.take_back(ws, replaced, origin=YOU)
    assert contents(ws) == before
    assert len(changes.changes) == len(replaced.done) > 100
    # What was taken back can be taken back as well.
    replacing.take_back(ws, back, origin=YOU)
    assert (ws.root / "7.md").read_text() == "bnn 7\n"


def test_a_file_that_changed_since_it_was_shown_is_left_and_named(ws: Workspace) -> None:
    plan = look(ws, "crane", "lift")
    (ws.root / "MEMORY.md").write_text("An agent wrote: crane\n")
    replaced = do(ws, plan)
    assert (ws.root / "MEMORY.md").read_text() == "An agent wrote: crane\n"
    assert [(one.path, one.reason) for one in replaced.left_out] == [("MEMORY.md", "It changed since it was shown.")]
    assert [one.path for one in replaced.done] == ["daily/2026-11-30.md"]


def test_an_undo_leaves_what_somebody_wrote_since(ws: Workspace) -> None:
    replaced = do(ws, look(ws, "crane", "lift"))
    with (ws.root / "daily" / "2026-11-30.md").open("a") as log:
        log.write("[10:00:00] an agent\n")
    changes, back = replacing.take_back(ws, replaced, origin=YOU)
    assert changes.paths == ("MEMORY.md",)
    assert [one.path for one in back.left_out] == ["daily/2026-11-30.md"]
    assert (ws.root / "daily" / "2026-11-30.md").read_text() == "[09:00:00] lift oiled\n[10:00:00] an agent\n"


@pytest.mark.parametrize(
    ("how", "line", "after"),
    [
        ({}, "Äpfel äpfel apfel Äpfelkuchen", "O O O Okuchen"),
        ({"exact": True}, "Äpfel äpfel apfel", "Äpfel O apfel"),
        ({"whole_words": True}, "Äpfel Äpfelkuchen", "O Äpfelkuchen"),
    ],
)
def test_how_the_text_is_compared(ws: Workspace, how: dict[str, bool], line: str, after: str) -> None:
    (ws.root / "tea.md").write_text(line)
    plan = replacing.look(ws, Exchange("äpfel", "O", **how), [DocPath("tea.md")], texts={})
    do(ws, plan)
    assert (ws.root / "tea.md").read_text() == after


@pytest.mark.parametrize(("what", "line"), [("f", "e\ufb00ort"), ("s", "stra\u00dfe")])
def test_part_of_a_character_is_no_place(ws: Workspace, what: str, line: str) -> None:
    (ws.root / "tea.md").write_text(line)
    plan = replacing.look(ws, Exchange(what, "x"), [DocPath("tea.md")], texts={})
    shown = [place.before[slice(*place.found)] for file in plan.files for place in file.places]
    assert shown == [character for character in line if character == what]


@pytest.mark.parametrize(
    ("what", "line", "after"),
    [
        ("cafe", "cafe\u0301, cafe", "cafe\u0301, X"),
        ("\u30ab", "\u30ab\u3099\u30ab", "\u30ab\u3099X"),
        ("\U0001f44d", "\U0001f44d\U0001f3fd \U0001f44d", "\U0001f44d\U0001f3fd X"),
        ("\U0001f469", "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f469", None),
        ("1", "1\ufe0f\u20e3 1", "1\ufe0f\u20e3 X"),
        (
            "\U0001f1ea\U0001f1e9",
            "\U0001f1e9\U0001f1ea\U0001f1e9\U0001f1ea",
            "\U0001f1e9\U0001f1ea\U0001f1e9\U0001f1ea",
        ),
        ("\u0301", "cafe\u0301", "cafeX"),
    ],
)
def test_a_sign_of_many_parts_is_replaced_whole_or_not_at_all(
    ws: Workspace, what: str, line: str, after: str | None
) -> None:
    (ws.root / "tea.md").write_text(line)
    plan = replacing.look(ws, Exchange(what, "X", exact=True), [DocPath("tea.md")], texts={})
    do(ws, plan)
    assert (ws.root / "tea.md").read_text() == (after if after is not None else line[:-1] + "X")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a,b\r\nc,d\r\n", b"a\r\nb\r\nc\r\nd\r\n"),
        (b"a,b\rc", b"a\rb\rc"),
        (b"a\nb\r\nc,d", b"a\nb\r\nc\r\nd"),
        (b"a,b", b"a\nb"),
    ],
)
def test_a_new_line_ends_as_the_lines_of_its_file_do(ws: Workspace, before: bytes, after: bytes) -> None:
    (ws.root / "tea.md").write_bytes(before)
    plan = replacing.look(ws, Exchange(",", "\n"), [DocPath("tea.md")], texts={})
    assert "\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS}" in plan.files[0].places[0].after
    replaced = do(ws, plan)
    assert (ws.root / "tea.md").read_bytes() == after
    replacing.take_back(ws, replaced, origin=YOU)
    assert (ws.root / "tea.md").read_bytes() == before


def test_the_lines_with_a_new_line_in_them_are_lines(ws: Workspace) -> None:
    lines, count = replacing.changed(Lines.split("a,b\r\nc"), Exchange(",", "\n"), frozenset({0}))
    assert (lines, count) == (Lines(("a", "b", "c"), ("\r\n", "\r\n")), 1)


@pytest.mark.parametrize("by", ["\0", "half \ud83d"])
def test_what_would_make_a_file_no_text_is_refused(ws: Workspace, by: str) -> None:
    with pytest.raises(InvalidParameters, match="no text file can hold"):
        look(ws, "crane", by)


def test_a_link_that_took_the_place_of_a_file_is_not_written_through(ws: Workspace) -> None:
    plan = look(ws, "leaves", "tins")
    (ws.root / "tea.md").rename(ws.root / "other.md")
    (ws.root / "tea.md").symlink_to("other.md")
    replaced = do(ws, plan)
    assert [(one.path, one.reason) for one in replaced.left_out] == [("tea.md", "It changed since it was shown.")]
    assert (ws.root / "other.md").read_text() == "Green leaves.\n"


def test_a_place_in_a_very_long_line_is_shown_in_part_and_replaced_where_it_is(ws: Workspace) -> None:
    (ws.root / "tea.md").write_text("x" * 5_000 + "crane" + "y" * 5_000)
    plan = replacing.look(ws, Exchange("crane", "lift"), [DocPath("tea.md")], texts={})
    (place,) = plan.files[0].places
    assert len(place.before) < 300
    assert place.before[slice(*place.found)] == "crane"
    do(ws, plan)
    assert (ws.root / "tea.md").read_text() == "x" * 5_000 + "lift" + "y" * 5_000


def test_what_is_no_text_in_utf_8_is_left_out(ws: Workspace) -> None:
    (ws.root / "old.md").write_bytes(b"caf\xe9 crane\n")
    plan = look(ws, "crane", "lift")
    assert "old.md" in [one.path for one in plan.left_out]
    do(ws, plan)
    assert (ws.root / "old.md").read_bytes() == b"caf\xe9 crane\n"


def test_a_link_is_replaced_under_its_own_name_and_once(ws: Workspace) -> None:
    (ws.root / "link.md").symlink_to("MEMORY.md")
    plan = look(ws, "squeaks", "squeaks squeaks")
    assert [file.path for file in plan.files] == ["MEMORY.md"]


def test_text_on_a_page_is_looked_at_as_it_stands_there_and_not_written_here(ws: Workspace) -> None:
    before = (ws.root / "MEMORY.md").read_bytes()
    texts = {DocPath("MEMORY.md"): "unsaved crane"}
    plan = replacing.look(ws, Exchange("crane", "lift"), paths(ws), texts=texts)
    memory = next(file for file in plan.files if file.path == "MEMORY.md")
    assert memory.on_page
    assert [place.after for place in memory.places] == ["unsaved lift"]
    do(ws, plan)
    assert (ws.root / "MEMORY.md").read_bytes() == before


def test_it_can_be_stopped_and_says_so(ws: Workspace) -> None:
    plan = replacing.look(ws, Exchange("crane", "lift"), paths(ws), texts={}, stop=lambda: True)
    assert not plan.whole
    whole = look(ws, "crane", "lift")
    seen: list[tuple[int, int]] = []
    _changes, replaced = replacing.replace(
        ws,
        whole,
        everything(whole),
        origin=YOU,
        progress=lambda done, of: seen.append((done, of)),
        stop=lambda: len(seen) == 1,
    )
    assert replaced.stopped
    assert len(replaced.done) == 1
    assert seen == [(0, 2)]


def test_no_more_places_are_shown_than_anybody_looks_through(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replacing, "MOST_PLACES", 2)
    plan = look(ws, "crane", "lift")
    assert not plan.whole
    # Also not where all of them stand in one document: those shown are done, and the next look shows the rest.
    assert plan.places == 2
    do(ws, plan)
    assert b"lift" in (ws.root / "MEMORY.md").read_bytes()
    assert look(ws, "crane", "lift").whole


def test_it_is_noted_what_was_done(ws: Workspace) -> None:
    do(ws, look(ws, "crane", "lift"))
    noted = [(deed.kind, deed.path, deed.detail) for deed in Deeds(ws.state).all()]
    assert ("replace", "MEMORY.md", "“crane” by “lift”, 3 places") in noted


def test_no_part_of_a_long_secret_stays_in_the_list_of_deeds_when_it_is_forgotten(ws: Workspace) -> None:
    secret = "pat_" + "Zw9" * 40
    (ws.root / "tea.md").write_text(f"key {secret}\n")
    do(ws, look(ws, secret, "***"))
    forgetting.forget(ws, forgetting.secret(secret), origin=YOU)
    noted = [deed.detail for deed in Deeds(ws.state).all() if deed.kind == "replace"]
    assert noted == ["a text of 124 characters by “***”, 1 place"]


def test_trouble_that_many_met_is_told_of_in_one_sentence(ws: Workspace) -> None:
    plan = look(ws, "crane", "lift")
    for file in plan.files:
        (ws.root / file.path).chmod(0o444)
    replaced = do(ws, plan)
    assert {one.reason for one in replaced.left_out} == {"It could not be written: permission denied."}
    for file in plan.files:
        (ws.root / file.path).unlink()
    assert {one.reason for one in do(ws, plan).left_out} == {"It is not there any more."}


@pytest.mark.parametrize(
    ("line", "in_links"),
    [
        ("- [crane](crane.md) - the crane", [False, True, False]),
        ("see [[crane]], [[crane|the crane]] and `crane`", [True, True, False, False]),
        ('[x](<a crane.md> "the crane")', [True, False]),
        ("[the crane](https://example.org/crane)", [False, False]),
        ("crane]( crane", [False, False]),
    ],
)
def test_a_place_says_whether_a_link_leads_by_it(ws: Workspace, line: str, in_links: list[bool]) -> None:
    (ws.root / "tea.md").write_text(line)
    plan = replacing.look(ws, Exchange("crane", "lift"), [DocPath("tea.md")], texts={})
    assert [place.in_link for place in plan.files[0].places] == in_links
    assert plan.in_links == sum(in_links)


def test_a_batch_is_known_to_a_later_memgui_until_it_was_taken_back(ws: Workspace) -> None:
    before = contents(ws)
    plan = look(ws, "crane", "lift")
    (ws.root / "daily" / "2026-11-30.md").chmod(0o444)
    batches.begin(ws, "1", plan.exchange)
    replacing.replace(ws, plan, everything(plan), origin=YOU, batch="1")
    ((name, batch),) = batches.known(workspace.open(ws.root))
    assert (name, batch.exchange) == ("1", Exchange("crane", "lift"))
    assert [(one.path, one.places) for one in batch.done] == [("MEMORY.md", 3)]
    replacing.take_back(ws, batch, origin=YOU, batch="1")
    assert contents(ws) == before
    assert batches.known(ws) == ()


def test_a_killed_batch_can_be_taken_back_as_far_as_it_came(ws: Workspace) -> None:
    for number in range(40):
        (ws.root / f"{number}.md").write_text(f"zebra {number}\n")
    before = contents(ws)
    child = (
        "import os, sys; from pathlib import Path; from memgui.domain.origin import Origin;"
        "from memgui.domain.paths import DocPath; from memgui.domain.replacing import Exchange;"
        "from memgui.ops import batches, replacing, workspace;"
        "ws = workspace.open(Path(sys.argv[1]));"
        "paths = [DocPath(f'{n}.md') for n in range(40)];"
        "plan = replacing.look(ws, Exchange('zebra', 'horse'), paths, texts={});"
        "chosen = {file.path: frozenset({0}) for file in plan.files};"
        "batches.begin(ws, '7', plan.exchange);"
        "replacing.replace(ws, plan, chosen, origin=Origin.you(), batch='7',"
        " progress=lambda done, of: os.kill(os.getpid(), 9) if done == 20 else None)"
    )
    ended = subprocess.run([sys.executable, "-c", child, str(ws.root)], check=False)
    assert ended.returncode == -9
    assert {path.read_text().split()[0] for path in ws.root.glob("[0-9]*.md")} == {"zebra", "horse"}
    ((_name, batch),) = batches.known(ws)
    assert len(batch.done) == 20
    replacing.take_back(ws, batch, origin=YOU, batch="7")
    assert contents(ws) == before


def test_the_latest_batches_are_known_and_a_forgotten_secret_is_not_in_them(ws: Workspace) -> None:
    for number in range(MOST + 3):
        plan = look(ws, "crane" if number % 2 == 0 else "swordfish", "swordfish" if number % 2 == 0 else "crane")
        batches.begin(ws, str(number), plan.exchange)
        replacing.replace(ws, plan, everything(plan), origin=YOU, batch=str(number))
    assert [name for name, _batch in batches.known(ws)] == [str(number) for number in range(3, MOST + 3)]
    forgetting.forget(ws, forgetting.secret("swordfish"), origin=YOU)
    assert b"swordfish" not in (ws.state / "replaced.jsonl").read_bytes()
    assert {batch.exchange.what for _name, batch in batches.known(ws)} == {""}


@pytest.mark.parametrize("damage", [b"\xff\n", b"[]\n{}\n", b'{"batch": 7, "path": 1}\n', b'{"batch": "1", "path": "x'])
def test_damage_costs_its_own_line_of_a_batch_alone(ws: Workspace, damage: bytes) -> None:
    plan = look(ws, "crane", "lift")
    batches.begin(ws, "1", plan.exchange)
    with (ws.state / "replaced.jsonl").open("ab") as file:
        file.write(damage)
    replacing.replace(ws, plan, everything(plan), origin=YOU, batch="1")
    ((_name, batch),) = batches.known(ws)
    assert len(batch.done) == 2


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), ExecutionFailed("It is locked.")])
def test_a_state_folder_that_takes_no_batch_keeps_nobody_from_replacing(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(_state: Path) -> None:
        raise error

    plan = look(ws, "crane", "lift")
    monkeypatch.setattr(batches, "workspace_lock", refuse)
    batches.begin(ws, "1", plan.exchange)
    _changes, replaced = replacing.replace(ws, plan, everything(plan), origin=YOU, batch="1")
    assert len(replaced.done) == 2
    assert batches.known(ws) == ()
