"""What no file of the project may hold: addresses of one machine, sleeps, swallowed errors, unfinished work."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.house import PACKAGE, ROOT, files, parsed

# Written in pieces, so that this page does not find itself.
_HOSTS = [
    "pypi" + ".org",
    "python" + "hosted.org",
    "npmjs" + ".org",
    "npmjs" + ".com",
    "crates" + ".io",
    "deb." + "debian.org",
    "snapshot." + "debian.org",
    "proxy." + "golang.org",
    "repo." + "maven",
    "ana" + "conda.org",
]
_INDEX_OPTIONS = ["--index" + "-url", "--extra-index" + "-url", "--find" + "-links", "--trusted" + "-host"]
_MACHINE_PATH = re.compile(r"(?<![\w.}/~-])/(?:work|root|Users|opt)/\w")
_UNFINISHED = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


def addresses(text: str) -> list[str]:
    """Registries, index options and places of one machine that a text names."""
    named = [word for word in (*_HOSTS, *_INDEX_OPTIONS) if word in text]
    return named + [match.group() for match in _MACHINE_PATH.finditer(text)]


def sleeps(tree: ast.Module) -> list[str]:
    """Calls that wait for time and not for a fact."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if name.endswith(("sleep", "qWait")) or name == "qtbot.wait":
            found.append(f"{name}, line {node.lineno}")
    return found


def _broad(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = {ast.unparse(kind) for kind in kinds if kind is not None}
    return handler.type is None or bool(names & {"Exception", "BaseException"})


def broad_handlers(tree: ast.Module) -> list[str]:
    """Handlers that catch everything, but for those that tidy up and raise it again."""
    return [
        f"line {node.lineno}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
        and _broad(node)
        and not (isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None)
    ]


def nested_loops(tree: ast.Module) -> list[str]:
    """Calls that run the event loop from inside the event loop."""
    return [
        f"{ast.unparse(node.func)}, line {node.lineno}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"exec", "exec_", "processEvents"}
    ]


_DISK_AND_CLOCK = {
    *("open", "now", "today", "utcnow", "exists", "is_file", "is_dir", "stat", "lstat", "iterdir", "glob", "rglob"),
    *("read_text", "read_bytes", "write_text", "write_bytes", "mkdir", "unlink", "resolve", "scandir", "listdir"),
}


def disk_and_clock(tree: ast.Module) -> list[str]:
    """Calls that ask the disk or the clock; functions of the rooms themselves may have such names."""
    own = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("memgui")
        for alias in node.names
    }
    calls = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if call.rpartition(".")[2] in _DISK_AND_CLOCK and call.partition(".")[0] not in own]


def unfinished(source: str) -> list[str]:
    """Comments that promise work."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT and _UNFINISHED.search(token.string)]


def _found(check: object, paths: Iterator[Path], *, allowed: frozenset[str] = frozenset()) -> dict[str, list[str]]:
    assert callable(check)
    named = {str(path.relative_to(ROOT)): path for path in paths}
    results = {name: check(parsed(path)) for name, path in named.items() if name not in allowed}
    return {name: result for name, result in results.items() if result}


def test_no_file_names_a_registry_or_a_place_on_one_machine() -> None:
    found = {str(path.relative_to(ROOT)): addresses(_text(path)) for path in files()}
    assert {name: named for name, named in found.items() if named} == {}


def test_no_test_waits_for_time() -> None:
    paths = (path for path in files(ROOT / "tests", ".py") if "bench" not in path.relative_to(ROOT).parts)
    assert _found(sleeps, paths) == {}


def test_errors_are_swallowed_nowhere_but_in_the_lane_the_server_and_the_excepthook() -> None:
    # And where libraries that raise Exception itself load a model: there it becomes an error of ours.
    loader = "memgui/search/meaning/embedders.py"
    allowed = frozenset({"memgui/gui/jobs.py", "memgui/gui/program.py", "memgui/mcp/server.py", loader})
    assert _found(broad_handlers, files(PACKAGE, ".py"), allowed=allowed) == {}


def test_the_window_runs_no_loop_inside_its_loop() -> None:
    # The tour has no person in front of it: it draws a window and waits for it, one after another.
    allowed = frozenset({"memgui/gui/program.py", "memgui/gui/stage.py"})
    assert _found(nested_loops, files(PACKAGE / "gui", ".py"), allowed=allowed) == {}


def test_the_domain_asks_neither_the_disk_nor_the_clock() -> None:
    assert _found(disk_and_clock, files(PACKAGE / "domain", ".py")) == {}


def test_nothing_is_left_for_later() -> None:
    found = {str(path.relative_to(ROOT)): unfinished(_text(path)) for path in files(ROOT, ".py")}
    assert {name: comments for name, comments in found.items() if comments} == {}


def test_everything_in_resources_has_a_licence() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    for path in (ROOT / "resources").iterdir():
        assert f"resources/{path.name}" in notice, f"NOTICE does not say whose {path.name} is"


def test_every_icon_is_used() -> None:
    source = "".join(_text(path) for path in PACKAGE.rglob("*.py"))
    assert [icon.name for icon in (ROOT / "resources/icons").glob("*.svg") if f'"{icon.stem}"' not in source] == []


def test_no_drawing_reaches_outside_itself() -> None:
    for path in files(ROOT / "resources", ".svg"):
        assert not re.search(r"<script|<image|href=|@import|<!ENTITY", _text(path)), path


@pytest.mark.parametrize(
    "text",
    [
        "https://" + _HOSTS[0] + "/simple",
        "pip install " + _INDEX_OPTIONS[0] + " x",
        "open('/wor" + "k/main')",
        "see /roo" + "t/x",
    ],
)
def test_an_address_is_found(text: str) -> None:
    assert addresses(text)


@pytest.mark.parametrize(
    ("check", "source"),
    [
        (sleeps, "import time\ntime.sleep(1)"),
        (sleeps, "QTest.qWait(50)"),
        (sleeps, "qtbot.wait(50)"),
        (broad_handlers, "try:\n    f()\nexcept Exception:\n    pass"),
        (broad_handlers, "try:\n    f()\nexcept (OSError, BaseException) as e:\n    raise ValueError from e"),
        (broad_handlers, "try:\n    f()\nexcept:\n    pass"),
        (nested_loops, "menu.exec(point)"),
        (nested_loops, "QApplication.processEvents()"),
        (disk_and_clock, "from pathlib import Path\nPath('x').read_text()"),
        (disk_and_clock, "open('x')"),
        (disk_and_clock, "datetime.now()"),
    ],
)
def test_a_planted_call_is_found(check: object, source: str) -> None:
    assert callable(check)
    assert check(ast.parse(source))


def test_tidying_up_and_raising_again_is_no_swallowing() -> None:
    assert not broad_handlers(ast.parse("try:\n    f()\nexcept BaseException:\n    g()\n    raise"))


def test_a_promise_in_a_comment_is_found() -> None:
    assert unfinished("x = 1  # TO" + "DO: later\n")
    assert not unfinished("x = 'TO" + "DO: fix'\n")
