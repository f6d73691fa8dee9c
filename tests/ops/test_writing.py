"""`memory_write`: what each target means, what is joined how, what is patched, and everything that is refused."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memgui.domain.errors import (
    ExecutionFailed,
    InvalidParameters,
    MemguiError,
    NotAuthorized,
    NotEditable,
    RateLimited,
    WriteFailed,
)
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, comparable
from memgui.domain.workspace import Workspace
from memgui.ops import documents, refusals, versions, workspace, writing
from memgui.ops.preferences import Settings
from memgui.storage.journal import IntentState, Journal

NOW = datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC)
SCRIBE = Origin.agent("scribe")
FREE = Settings(limits_per_minute=0, limits_per_hour=0, limits_workspace_per_minute=0)

OPENCLAW = {
    "AGENTS.md": "a\n",
    "SOUL.md": "soul\n",
    "MEMORY.md": "# M\n",
    "HEARTBEAT.md": "- [ ] x",
    "memory/x.md": "x\n",
}
IRONCLAW = {"MEMORY.md": "# M", "daily/2026-11-29.md": "[10:00:00] x\n"}
AGENTSMITH = {".agentsmith/memory/MEMORY.md": "# Memory index\n", "notes.md": "n\n"}
CLAUDE = {
    "MEMORY.md": "- [A](a.md) — x\n",
    "a.md": "---\nname: a\nmetadata:\n  type: project\n---\n\nb\n",
}


def made(root: Path, files: dict[str, str]) -> Workspace:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, newline="")
    return workspace.open(root, remember=False)


@pytest.fixture
def claw(tmp_path: Path) -> Workspace:
    return made(tmp_path / "claw", OPENCLAW)


@pytest.fixture
def iron(tmp_path: Path) -> Workspace:
    return made(tmp_path / "iron", IRONCLAW)


def write(ws: Workspace, content: Any = None, *, now: datetime = NOW, **more: Any) -> dict[str, Any]:
    return writing.memory_write(ws, content=content, origin=SCRIBE, now=now, **{"settings": FREE} | more)


def text(ws: Workspace, path: str) -> str:
    return (ws.root / path).read_bytes().decode()


# Targets and joins -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "more", "path", "whole", "appended"),
    [
        (OPENCLAW, {}, "memory/2026-11-30.md", "- 23:59 né\n", True),
        (OPENCLAW, {"append": False}, "memory/2026-11-30.md", "- 23:59 né\n", True),
        (OPENCLAW, {"timezone": "Asia/Tokyo"}, "memory/2026-12-01.md", "- 08:59 né\n", True),
        (OPENCLAW, {"target": "memory"}, "MEMORY.md", "# M\n\nné\n", True),
        (OPENCLAW, {"target": "MEMORY.md"}, "MEMORY.md", "# M\n\nné\n", True),
        (OPENCLAW, {"target": "memory", "append": False}, "MEMORY.md", "né", False),
        (OPENCLAW, {"target": "heartbeat"}, "HEARTBEAT.md", "- [ ] x\nné\n", True),
        (OPENCLAW, {"target": "new/deep/a.md"}, "new/deep/a.md", "né\n", True),
        (OPENCLAW, {"target": "new/deep/a.markdown", "append": False}, "new/deep/a.markdown", "né", False),
        (OPENCLAW, {"target": "memory\\x.md"}, "memory/x.md", "x\nné\n", True),
        (OPENCLAW, {"target": "./memory// x.md "}, "memory/x.md", "x\nné\n", True),
        (OPENCLAW, {"target": "team/AGENTS.md"}, "team/AGENTS.md", "né\n", True),
        (IRONCLAW, {}, "daily/2026-11-30.md", "[23:59:59] né\n", True),
        (IRONCLAW, {"target": "memory"}, "MEMORY.md", "# M\n\nné\n", True),
        (IRONCLAW, {"target": "daily/2026-11-29.md"}, "daily/2026-11-29.md", "[10:00:00] x\nné\n", True),
        (
            IRONCLAW,
            {"target": "daily/2026-11-29.md", "append": False},
            "daily/2026-11-29.md",
            "[10:00:00] x\nné\n",
            True,
        ),
        ({"a.md": "a"}, {}, "daily/2026-11-30.md", "[23:59:59] né\n", True),
        ({"CLAUDE.md": "a"}, {"target": "heartbeat"}, "HEARTBEAT.md", "né\n", True),
        (AGENTSMITH, {"target": "notes.md"}, "notes.md", "n\nné\n", True),
    ],
)
def test_a_target_means_what_its_layout_says_and_text_is_joined_as_it_should(
    tmp_path: Path, files: dict[str, str], more: dict[str, Any], path: str, whole: str, appended: bool
) -> None:
    ws = made(tmp_path / "ws", files)
    assert write(ws, "né", **more) == {"status": "written", "path": path, "append": appended, "content_length": 3}
    assert text(ws, path) == whole


def test_the_older_name_of_memory_is_honoured_where_it_alone_is_there(tmp_path: Path) -> None:
    ws = made(tmp_path / "ws", {"SOUL.md": "", "TOOLS.md": "", "memory.md": "old\n", "memory/x.md": ""})
    assert write(ws, "x", target="memory")["path"] == "memory.md"
    assert text(ws, "memory.md") == "old\n\nx\n"


def test_a_log_is_continued_and_never_replaced(iron: Workspace) -> None:
    write(iron, "one")
    write(iron, "two\n\n", append=False, now=NOW.replace(hour=1))
    assert text(iron, "daily/2026-11-30.md") == "[23:59:59] one\n[01:59:59] two\n"


def test_the_clock_is_read_once_so_that_path_and_stamp_agree_at_midnight(iron: Workspace) -> None:
    for moment, path in ((NOW, "daily/2026-11-30.md"), (NOW + timedelta(seconds=1), "daily/2026-12-01.md")):
        assert write(iron, "x", now=moment)["path"] == path
        assert text(iron, path) == f"[{moment:%H:%M:%S}] x\n"


def test_the_zone_that_a_person_set_holds_where_none_is_named(iron: Workspace) -> None:
    settings = Settings(timezone="America/New_York")
    assert write(iron, "x", settings=settings)["path"] == "daily/2026-11-30.md"
    assert text(iron, "daily/2026-11-30.md") == "[18:59:59] x\n"
    assert write(iron, "x", settings=settings, timezone="UTC")["path"] == "daily/2026-11-30.md"


def test_a_name_that_the_disk_spells_otherwise_gets_no_twin(claw: Workspace) -> None:
    (claw.root / "Cafe\u0301.md").write_text("a\n")
    write(claw, "b", target="Caf\u00e9.md")
    assert [name for name in os.listdir(claw.root) if name.startswith("Caf")] == ["Cafe\u0301.md"]
    assert text(claw, "Cafe\u0301.md") == "a\nb\n"


def test_of_a_link_the_target_is_written_and_told(claw: Workspace) -> None:
    (claw.root / "link.md").symlink_to("memory/x.md")
    assert write(claw, "b", target="link.md")["path"] == "memory/x.md"
    assert (claw.root / "link.md").is_symlink()
    assert text(claw, "memory/x.md") == "x\nb\n"


def test_a_file_with_several_names_stays_one_file(claw: Workspace) -> None:
    os.link(claw.root / "memory/x.md", claw.root / "other.md")
    write(claw, "b", target="other.md")
    write(claw, target="other.md", old_string="b", new_string="c")
    assert text(claw, "memory/x.md") == text(claw, "other.md") == "x\nc\n"


# Patches -----------------------------------------------------------------------------------------------------------


def test_a_patch_changes_its_place_alone(claw: Workspace) -> None:
    (claw.root / "p.md").write_bytes(b"\xef\xbb\xbfone\r\ntwo\xc2\xa0\nthree")
    answer = write(claw, target="p.md", old_string="two", new_string="zwö")
    assert (claw.root / "p.md").read_bytes() == "\ufeffone\r\nzwö\u00a0\nthree".encode()
    assert answer == {"status": "patched", "path": "p.md", "replacements": 1, "content_length": 20}


def test_every_place_is_patched_where_that_is_asked_for(claw: Workspace) -> None:
    write(claw, "a b a", target="p.md", append=False)
    answer = write(claw, target="p.md", old_string="a", new_string="", replace_all=True)
    assert (answer["replacements"], answer["content_length"], text(claw, "p.md")) == (2, 3, " b ")


def test_a_patch_without_a_target_is_of_todays_log(iron: Workspace) -> None:
    write(iron, "wrong")
    assert write(iron, target="daily_log", old_string="wrong", new_string="right")["path"] == "daily/2026-11-30.md"
    assert text(iron, "daily/2026-11-30.md") == "[23:59:59] right\n"


# Refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "kind", "sentence"),
    [
        ({"content": ""}, InvalidParameters, "content cannot be empty"),
        ({"content": " \n\t\u3000"}, InvalidParameters, "content cannot be empty"),
        ({}, InvalidParameters, "content cannot be empty"),
        ({"content": 7}, InvalidParameters, "content must be a text"),
        ({"content": "a\0b"}, InvalidParameters, "NUL"),
        ({"content": "a\ud800b"}, InvalidParameters, "UTF-8"),
        ({"content": "x", "append": "yes"}, InvalidParameters, "append must be"),
        ({"content": "x", "target": 3}, InvalidParameters, "target must be a text"),
        ({"content": "x", "timezone": "Mars/Base"}, InvalidParameters, "unknown timezone 'Mars/Base'"),
        ({"content": "x", "timezone": ""}, InvalidParameters, "unknown timezone"),
        ({"old_string": "", "new_string": "x"}, InvalidParameters, "old_string cannot be empty"),
        ({"old_string": "x"}, InvalidParameters, "new_string is missing"),
        ({"new_string": "x"}, InvalidParameters, "old_string cannot be empty"),
        ({"old_string": "x", "new_string": "y", "content": "z"}, InvalidParameters, "together"),
        ({"old_string": "x", "new_string": "y", "replace_all": 1}, InvalidParameters, "replace_all must be"),
        ({"old_string": "x", "new_string": "y"}, ExecutionFailed, "old_string not found in document"),
        (
            {"old_string": "x", "new_string": "y", "target": "memory"},
            ExecutionFailed,
            "old_string not found in document",
        ),
        ({"old_string": "o", "new_string": "y", "target": "twice.md"}, ExecutionFailed, "2 times"),
        ({"content": "x", "target": "folder.md"}, ExecutionFailed, "no file"),
    ],
)
def test_wrong_parameters_are_refused_in_a_sentence(
    claw: Workspace, more: dict[str, Any], kind: type[MemguiError], sentence: str
) -> None:
    (claw.root / "twice.md").write_text("oo")
    (claw.root / "folder.md").mkdir()
    with pytest.raises(kind) as caught:
        write(claw, **more)
    assert sentence in caught.value.message
    assert caught.value.code == kind.code


PROTECTED = "is not allowed (identity file protected from tool access)"


@pytest.mark.parametrize(
    ("target", "kind", "sentence"),
    [
        ("SOUL.md", NotAuthorized, "writing to 'SOUL.md' " + PROTECTED),
        (" SOUL.md", NotAuthorized, PROTECTED),
        ("SOUL.md/", NotAuthorized, PROTECTED),
        ("./SOUL.md", NotAuthorized, PROTECTED),
        (".//./SOUL.md", NotAuthorized, PROTECTED),
        ("soul.MD", NotAuthorized, PROTECTED),
        ("ＳＯＵＬ.md", NotAuthorized, PROTECTED),
        ("SOUL．md", NotAuthorized, PROTECTED),
        ("ſoul.md", NotAuthorized, PROTECTED),
        ("SOUL.md.", NotAuthorized, PROTECTED),
        ("SOUL.md. . ", NotAuthorized, PROTECTED),
        ("SOUL.md\u3000", NotAuthorized, PROTECTED),
        ("AGENTS.md", NotAuthorized, PROTECTED),
        ("USER.md", NotAuthorized, PROTECTED),
        ("IDENTITY.md", NotAuthorized, PROTECTED),
        ("CLAUDE.md", NotAuthorized, PROTECTED),
        ("TOOLS.md", NotAuthorized, PROTECTED),
        ("BOOTSTRAP.md", NotAuthorized, PROTECTED),
        ("link-to-soul.md", NotAuthorized, PROTECTED),
        ("link-to-link.md", NotAuthorized, PROTECTED),
        ("hard-link.md", NotAuthorized, PROTECTED),
        ("here/SOUL.md", NotAuthorized, PROTECTED),
        ("IDENTITY.md/x.md", NotAuthorized, "writing to 'IDENTITY.md' " + PROTECTED),
        ("identity.md./x.md", NotAuthorized, PROTECTED),
        ("out.md", NotAuthorized, "leads out of the workspace"),
        ("outside/x.md", NotAuthorized, "leads out of the workspace"),
        ("x/../SOUL.md", InvalidParameters, ".."),
        ("../SOUL.md", InvalidParameters, ".."),
        ("memory/\u200b../x.md", InvalidParameters, ".."),
        ("/etc/x.md", InvalidParameters, "absolute"),
        ("~/x.md", InvalidParameters, "absolute"),
        ("C:/x.md", InvalidParameters, "absolute"),
        ("C:\\x.md", InvalidParameters, "absolute"),
        ("", InvalidParameters, "empty"),
        (" / ", InvalidParameters, "absolute"),
        ("a\0.md", InvalidParameters, "NUL"),
        ("SO\u200bUL.md", InvalidParameters, "invisible"),
        ("so\u00adul.md", InvalidParameters, "invisible"),
        ("a\n.md", InvalidParameters, "invisible"),
        ("\u202eab.md", InvalidParameters, "invisible"),
        ("ab:c.md", InvalidParameters, "':'"),
        ("SOUL.md:stream", InvalidParameters, "':'"),
        (".git/config", InvalidParameters, "documents"),
        (".git/x.md", InvalidParameters, "hidden"),
        (".github/workflows/x.md", InvalidParameters, "hidden"),
        (".hidden.md", InvalidParameters, "idden"),
        ("conftest.py", InvalidParameters, "documents"),
        ("notes.txt", InvalidParameters, "documents"),
        ("memory", NotAuthorized, ""),
        ("node_modules/x.md", InvalidParameters, "packages"),
        ("venv/x.md", InvalidParameters, "packages"),
        ("script.md", InvalidParameters, "documents"),
        (".agentsmith/memory/x.md", NotAuthorized, "use remember"),
        (".claude/projects/p/memory/x.md", NotAuthorized, "use remember"),
        (".claude/settings.md", InvalidParameters, "no memory"),
        ("facts-link.md", NotAuthorized, "use remember"),
    ],
)
def test_what_an_agent_may_not_write_stays_as_it_is_and_is_noted(
    tmp_path: Path, target: str, kind: type[MemguiError], sentence: str
) -> None:
    ws = made(tmp_path / "ws", OPENCLAW | {".agentsmith/memory/fact.md": "---\ntype: user\n---\n", "run.py": "1\n"})
    root = ws.root
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/x.md").write_text("x")
    for name, to in {
        "link-to-soul.md": "SOUL.md",
        "link-to-link.md": "link-to-soul.md",
        "out.md": "../outside/x.md",
        "outside": "../outside",
        "here": ".",
        "script.md": "run.py",
        "facts-link.md": ".agentsmith/memory/fact.md",
    }.items():
        (root / name).symlink_to(to)
    os.link(root / "SOUL.md", root / "hard-link.md")
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    if target == "memory":
        ws = made(tmp_path / "facts", CLAUDE)
    for more in ({"content": "x"}, {"content": "x", "append": False}, {"old_string": "soul", "new_string": "x"}):
        with pytest.raises(kind) as caught:
            write(ws, target=target, **more)
        assert sentence in caught.value.message
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before
    assert (tmp_path / "outside/x.md").read_text() == "x"
    (noted,) = refusals.refusals(ws)
    assert (noted.origin, noted.tool, noted.code, noted.count) == (SCRIBE, "memory_write", kind.code, 3)
    assert Journal(ws.state).rows() == ()


@pytest.mark.parametrize("files", [AGENTSMITH, CLAUDE])
@pytest.mark.parametrize("target", ["memory", "daily_log", "heartbeat"])
def test_where_facts_are_kept_the_tool_says_to_use_the_other_one(
    tmp_path: Path, files: dict[str, str], target: str
) -> None:
    ws = made(tmp_path / "ws", files)
    with pytest.raises(NotAuthorized if target == "memory" else InvalidParameters, match="use remember"):
        write(ws, "x", target=target)


def test_inside_a_fact_store_nothing_is_written_by_whatever_case_its_folder_is_named(tmp_path: Path) -> None:
    ws = made(tmp_path / "ws", OPENCLAW | {f"Team/{name}": text for name, text in CLAUDE.items()})
    for target in ("Team/new.md", "Team/MEMORY.md", "team/new.md", "Team/deeper/new.md"):
        with pytest.raises(NotAuthorized, match="use remember"):
            write(ws, "x", target=target)


def test_memguis_own_folders_are_nobodys_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "ws"
    monkeypatch.setenv("MEMGUI_HOME", str(root / "own"))
    ws = made(root, OPENCLAW)
    for target in ("own/cache/x.md", "own/state/x.md", "own/config/x.md"):
        with pytest.raises(InvalidParameters, match="no memory"):
            write(ws, "x", target=target)


@pytest.mark.parametrize("data", [b"a\0b", b"caf\xe9\n"])
def test_bytes_that_are_no_text_are_left_alone(claw: Workspace, data: bytes) -> None:
    (claw.root / "odd.md").write_bytes(data)
    for more in ({"content": "x"}, {"content": "x", "append": False}, {"old_string": "a", "new_string": "x"}):
        with pytest.raises(NotEditable):
            write(claw, target="odd.md", **more)
    assert (claw.root / "odd.md").read_bytes() == data


def test_what_somebody_made_read_only_stays_so(claw: Workspace) -> None:
    (claw.root / "memory/x.md").chmod(0o444)
    for more in ({"content": "x"}, {"content": "x", "append": False}):
        with pytest.raises(WriteFailed, match="read-only"):
            write(claw, target="memory/x.md", **more)
    assert text(claw, "memory/x.md") == "x\n"
    assert not [row for row in Journal(claw.state).rows() if row.state is IntentState.DONE]


_SEGMENTS = st.sampled_from(
    [
        "SOUL.md",
        "soul.md",
        "ＳＯＵＬ.md",
        "a.md",
        "..",
        ".",
        "",
        " ",
        "memory",
        ".git",
        ".agentsmith",
        "out",
        "x.md.",
        "~",
    ]
) | st.text(max_size=6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(
    st.lists(_SEGMENTS, min_size=1, max_size=4).map("/".join),
    st.text(max_size=20),
    st.sampled_from(["append", "replace", "patch"]),
)
def test_whatever_is_asked_for_it_is_done_or_refused_and_identity_and_outside_stay(
    tmp_path: Path, target: str, content: str, how: str
) -> None:
    root = tmp_path / "any"
    if not root.exists():
        made(root, OPENCLAW)
        (tmp_path / "outside").mkdir()
        (root / "out").symlink_to("../outside")
    ws = workspace.open(root, remember=False)
    with suppress(MemguiError):
        if how == "patch":
            write(ws, target=target, old_string="s", new_string=content)
        else:
            answer = write(ws, content, target=target, append=how == "append")
            assert (root / answer["path"]).is_file()
    assert (text(ws, "SOUL.md"), text(ws, "AGENTS.md")) == ("soul\n", "a\n")
    assert not list((tmp_path / "outside").iterdir())
    found = {path.name for path in root.rglob("*") if path.is_file()}
    assert all(name.lower().endswith((".md", ".markdown")) and not name.startswith(".") for name in found), found
    # A folder inside may hold a document of that name: it is nobody's identity.
    assert [name for name in os.listdir(root) if comparable(name) == "soul.md"] == ["SOUL.md"]


# Limits, the order of the checks -----------------------------------------------------------------------------------


def test_calls_beyond_the_limit_are_refused_with_the_seconds_to_wait_and_not_counted(claw: Workspace) -> None:
    for number in range(20):
        write(claw, f"{number}", settings=Settings())
    for second in (0, 30):
        with pytest.raises(RateLimited) as caught:
            write(claw, "too much", settings=Settings(), now=NOW + timedelta(seconds=second))
        assert caught.value.retry_after == 60 - second
        assert caught.value.code == "RateLimited"
    assert len(text(claw, "memory/2026-11-30.md").splitlines()) == 20
    write(claw, "later", settings=Settings(), now=NOW + timedelta(seconds=60))
    assert refusals.refusals(claw)[-1].count == 2


def test_the_limit_comes_before_all_else_and_counts_what_is_refused(claw: Workspace) -> None:
    for _call in range(20):
        with pytest.raises(InvalidParameters):
            write(claw, "", settings=Settings())
    with pytest.raises(RateLimited):
        write(claw, "", settings=Settings(), target="SOUL.md")


def test_parameters_come_before_protection(claw: Workspace) -> None:
    with pytest.raises(InvalidParameters, match="empty"):
        write(claw, "", target="SOUL.md")
    with pytest.raises(NotAuthorized):
        write(claw, target="SOUL.md", old_string="not there", new_string="x")


def test_another_name_has_its_own_limit_and_all_together_have_one(claw: Workspace) -> None:
    def call(name: str) -> None:
        writing.memory_write(claw, content="x", origin=Origin.agent(name), now=NOW, settings=Settings())

    for number in range(60):
        call(f"agent {number // 20}")
    with pytest.raises(RateLimited):
        call("agent 9")


def test_counters_that_are_damaged_keep_nobody_from_writing(claw: Workspace) -> None:
    for damage in (b"", b"[]", b"{", b'{"minute of all": 3}', b"\xff", b'{"minute of all": [1e999, 9]}'):
        (claw.state / "rates.json").write_bytes(damage)
        write(claw, "x", settings=Settings())


# Who wrote it ------------------------------------------------------------------------------------------------------


def test_what_was_written_has_its_writer_and_what_was_there_before_has_none(claw: Workspace) -> None:
    write(claw, "one", target="memory")
    with open(claw.root / "MEMORY.md", "a") as file:
        file.write("by hand\n")
    write(claw, target="memory", old_string="one", new_string="two")
    listed = versions.versions(claw, "MEMORY.md")["versions"]
    assert [one["changed_by"] for one in listed] == ["outside", 'agent "scribe"', "outside", 'agent "scribe"']
    assert [row.state for row in Journal(claw.state).rows()] == [IntentState.DONE] * 2
    assert versions.version(claw, "MEMORY.md", 2).content == "# M\n\none\n"


def test_an_append_of_a_person_goes_through_the_same_gate(claw: Workspace) -> None:
    with pytest.raises(NotAuthorized):
        documents.append(claw, DocPath("SOUL.md"), lambda _before: b"x", origin=Origin.you())
