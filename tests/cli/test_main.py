"""The command line: where options stand, what it exits with, and what it prints to whom."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest

from memgui.cli import main as command_line
from memgui.cli import options
from memgui.cli.verbs import search as search_verb
from memgui.domain.errors import ExecutionFailed


@dataclass(frozen=True)
class Ran:
    code: int
    out: bytes
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        (value,) = self.json.values()
        return dict(value)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "workspace"
    (root / "memory").mkdir(parents=True)
    (root / "MEMORY.md").write_bytes("# Memory\r\n- Use SQLite \u202ehidden\x1b[31m\n".encode())
    (root / "SOUL.md").write_text("be kind\n")
    (root / "AGENTS.md").write_text("tree search -x\n")
    (root / "memory/2026-11-30.md").write_text("- 10:14 sqlite again\n")
    (root / "-x.md").write_text("begins with a dash\n")
    (root / "tree.md").write_text("a name like a verb\n")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Any:
    def run(*words: str) -> Ran:
        code = command_line.main(words)
        out, err = capfdbinary.readouterr()
        return Ran(code, out, err.decode())

    return run


def test_options_stand_before_or_after_the_verb(root: Path, run: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    path = str(root)
    answers = {
        run("tree", "--json", "-w", path, "--depth", "2").out,
        run("--json", "-w", path, "--depth", "2", "tree").out,
        run("--workspace", path, "tree", "--depth=2", "--json").out,
        run(f"-w{path}", "--json", "--depth=2", "tree").out,
        run("-w", path, "tree", "--depth", "2", "--json", "--", "").out,
    }
    assert len(answers) == 1
    assert {"memory/": ["2026-11-30.md"]} in json.loads(answers.pop())


def test_every_option_that_takes_a_value_is_known_before_the_verb() -> None:
    group = command_line._verbs
    context = click.Context(group)
    commands = [group, *(group.get_command(context, verb) for verb in command_line.VERBS)]
    valued = {
        spelled
        for command in commands
        if command is not None
        for option in command.params
        if isinstance(option, click.Option) and not option.is_flag
        for spelled in option.opts
    }
    assert valued == set(options.WITH_VALUE)


def test_two_dashes_end_the_options(root: Path, run: Any) -> None:
    assert run("read", "--", "-x.md").out == b"begins with a dash\n"
    assert run("search", "--json", "--", "tree").json["query"] == "tree"
    assert run("search", "--json", "--", "--json").json["query"] == "--json"
    assert run("search", "--json", "tree").json["results"]
    assert run("--json", "search", "search").json["query"] == "search"


def test_a_first_word_that_is_neither_verb_nor_path_is_wrong_usage(root: Path, run: Any) -> None:
    ran = run("tre")
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err == "memgui: 'tre' is neither a verb nor an existing path.\nDid you mean 'tree'?\n"
    ran = run("--", "tree")
    assert (ran.code, ran.err.splitlines()[1]) == (2, "'memgui --help' lists the verbs.")
    assert run("no such thing", "--json").error["code"] == "InvalidParameters"
    assert run("serach", "sqlite").err.startswith("memgui: 'serach' is neither a verb nor an existing path.\n")
    ran = run("memory", "SOUL.md")
    assert (ran.code, ran.err.splitlines()[0]) == (2, "memgui: A window opens on one path, not also on 'SOUL.md'.")


def test_choices_that_are_missing_are_named_in_one_sentence(run: Any) -> None:
    first, hint = run("note").err.splitlines()
    assert first.endswith("Choose from: read, replace, append, status, on, off, tools")
    assert hint == "'memgui note --help' says what it takes."


def test_a_folder_that_cannot_be_read_is_a_failure_and_no_wrong_usage(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "locked").mkdir()
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    monkeypatch.setattr(os, "scandir", _denied)
    ran = run("tree", "-w", str(tmp_path / "locked"), "--json")
    assert (ran.code, ran.error["code"]) == (1, "ExecutionFailed")
    assert "cannot be read: permission denied" in ran.error["message"]
    assert ran.error["hint"] == "Give yourself the right to read it, then try again."


def test_a_closed_output_is_no_trouble(root: Path) -> None:
    command = f'"{sys.executable}" -P -m memgui'
    for words, code in (("tree >&-", 0), ("tree --nonsense >&- 2>&-", 2), ("read SOUL.md 2>&-", 0)):
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
        ran = subprocess.run(f"{command} {words}", shell=True, env=environment, capture_output=True, check=False)
        assert (ran.returncode, b"Traceback" in ran.stderr) == (code, False), words


def _denied(path: bytes) -> None:
    raise PermissionError(errno.EACCES, "no", path)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["tree", "--depth", "x"], 2),
        (["tree", "--nonsense"], 2),
        (["tree", "a", "b"], 2),
        (["read"], 2),
        (["search"], 2),
        (["search", "x", "--mode", "magic"], 2),
        (["search", "x", "--limit"], 2),
        (["tour"], 2),
        (["read", "../x.md"], 1),
        (["read", "none.md"], 1),
        (["search", "  "], 1),
        (["search", "x", "--mode", "meaning"], 1),
        (["tree", "-w", "/no/such/folder"], 1),
        (["open", "none.md"], 1),
    ],
)
def test_a_failure_is_one_sentence_or_one_json_value(root: Path, run: Any, words: list[str], code: int) -> None:
    plain = run(*words)
    assert (plain.code, plain.out) == (code, b"")
    assert plain.err.startswith("memgui: ")
    assert 1 <= len(plain.err.splitlines()) <= 2
    ran = run("--json", *words)
    assert (ran.code, ran.err) == (code, "")
    assert set(ran.error) == {"code", "message", "hint"}
    assert ran.error["message"] in plain.err


def test_no_workspace_is_wrong_usage_and_says_how_to_name_one(run: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("tree")
    assert ran.code == 2
    assert "-w PATH" in ran.err
    assert "MEMGUI_WORKSPACE" in ran.err


def test_the_workspace_is_the_one_named_else_the_environments_else_the_nearest(
    root: Path, run: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    other, third = tmp_path / "other", tmp_path / "third"
    for folder in (other, third):
        folder.mkdir()
        (folder / f"{folder.name}.md").write_text("x")
    monkeypatch.chdir(root / "memory")
    assert "SOUL.md" in run("tree", "--json").json
    monkeypatch.setenv("MEMGUI_WORKSPACE", str(other))
    assert run("tree", "--json").json == ["other.md"]
    assert run("tree", "--json", "-w", str(third)).json == ["third.md"]


def test_limits_and_depths_out_of_range_are_clamped(root: Path, run: Any) -> None:
    assert run("search", "sqlite", "--json", "--limit", "-3").json["result_count"] == 1
    assert run("search", "sqlite", "--json", "--limit", "1000").json["result_count"] == 2
    assert run("tree", "--json", "--depth", "-1").json == run("tree", "--json", "--depth", "1").json
    assert run("tree", "--json", "--depth", "1000").json == run("tree", "--json", "--depth", "10").json


def test_literal_finds_what_is_typed_and_hybrid_its_words_too(root: Path, run: Any) -> None:
    assert run("search", "again sqlite", "--json", "--mode", "literal").json["results"] == []
    assert run("search", "again sqlite", "--json").json["results"][0]["path"] == "memory/2026-11-30.md"
    assert run("search", "SQLITE AGAIN", "--json", "--mode=literal").json["results"][0]["line"] == 1


def test_a_pipe_gets_the_bytes(root: Path, run: Any) -> None:
    assert run("read", "MEMORY.md").out == (root / "MEMORY.md").read_bytes()
    assert run("read", "--raw", "MEMORY.md").out == (root / "MEMORY.md").read_bytes()
    assert run("search", "sqlite again").out == b"memory/2026-11-30.md:1:- 10:14 sqlite again\n"
    assert b"\x1b" not in run("tree").out


def test_json_is_one_value_in_utf8_even_for_names_that_are_not(root: Path, run: Any) -> None:
    (root / os.fsdecode(b"b\xff.md")).write_text("käse needle")
    out = run("tree", "--json").out
    out.decode("utf-8")
    assert "b\udcff.md" in json.loads(out)
    assert "käse".encode() in run("search", "needle", "--json").out
    assert run("read", "--json", "b\udcff.md").json["content"] == "käse needle"


def test_nothing_found_is_no_failure(root: Path, run: Any) -> None:
    ran = run("search", "zeppelin")
    assert (ran.code, ran.out) == (0, b"")
    assert "zeppelin" in ran.err
    assert run("tree", "nowhere", "--json").json == []


def test_help_and_version_and_completion_need_no_workspace(run: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    overview = run("--help")
    assert overview.code == 0
    for verb in command_line.VERBS:
        assert f"  {verb} ".encode() in overview.out
        assert run(verb, "--help").code == 0
    assert run("--version").out.startswith(b"memgui ")
    for shell in ("bash", "zsh", "fish"):
        ran = run("--completion", shell)
        assert (ran.code, b"_MEMGUI_COMPLETE" in ran.out) == (0, True)


def test_the_shell_is_told_the_verbs_and_their_options(run: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("_MEMGUI_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "memgui t")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert {b"plain,tree", b"plain,tour"} <= set(run().out.split())
    monkeypatch.setenv("COMP_WORDS", "memgui search --mo")
    monkeypatch.setenv("COMP_CWORD", "2")
    assert run().out.split() == [b"plain,--mode"]


def test_whoever_stops_listening_is_no_failure(root: Path) -> None:
    (root / "large.md").write_text("line\n" * 500_000)
    with subprocess.Popen(
        [sys.executable, "-m", "memgui", "read", "large.md"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(command_line.__file__).parents[2])},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_a_deed_that_is_interrupted_ends_quietly(root: Path, run: Any, monkeypatch: Any) -> None:
    def interrupt(*_words: object, **_more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(search_verb.finding, "find_places", interrupt)
    assert run("search", "x").code == 130


def test_a_rate_limit_says_when_to_come_back() -> None:
    from memgui.cli.terminal import error_value
    from memgui.domain.errors import RateLimited

    value = error_value(RateLimited("slow down", retry_after=7))["error"]
    assert value == {"code": "RateLimited", "message": "slow down", "hint": None, "retry_after": 7}
    assert error_value(ExecutionFailed("no"))["error"] == {"code": "ExecutionFailed", "message": "no", "hint": None}
