"""Run by the tests as a program of its own: deeds on facts, killed at every step, finished by whoever comes next."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from memgui.domain.layouts import Layout, Store
from memgui.domain.origin import Origin
from memgui.domain.paths import ROOT, DocPath
from memgui.domain.workspace import Workspace
from memgui.ops import check, facts
from memgui.ops.preferences import Settings
from tests.storage.killed import child, die_at

warnings.simplefilter("error")
NOW = datetime(2026, 11, 30, tzinfo=UTC)
FREE = Settings(limits_per_minute=0, limits_per_hour=0, limits_workspace_per_minute=0)
OLD = "---\nname: a\ndescription: old\nmetadata:\n  type: feedback\nstatus: proposed\n---\n\nold\n"
INDEX = "# Memory index\n\n- [a](a.md) (feedback, proposed) \u2014 old\n- [b](b.md) (project) \u2014 b\n"
OTHER = "---\ndescription: b\ntype: project\n---\n"
PATH = DocPath("a.md")


def workspace(place: Path) -> Workspace:
    stores = (Store(ROOT, Layout.AGENTSMITH, holds_facts=True),)
    return Workspace(place / "store", "id", "name", place / "state", place / "cache", stores)


def remember(ws: Workspace, name: str, description: str, origin: Origin) -> None:
    """One fact, without a limit."""
    values = {"name": name, "type": "feedback", "description": description, "body": description}
    facts.remember(ws, **values, origin=origin, now=NOW, settings=FREE)


def undone(ws: Workspace) -> Callable[[], object]:
    """Withdraw the fact, and answer how that is taken back."""
    deed = facts.withdraw(ws, PATH, origin=Origin.you(), now=NOW)
    return lambda: facts.take_back(ws, deed, origin=Origin.you(), now=NOW)


DEEDS: dict[str, Callable[[Workspace], Callable[[], object]]] = {
    "new": lambda ws: lambda: remember(ws, "a", "new", Origin.agent("x")),
    "ratify": lambda ws: lambda: facts.ratify(ws, PATH, origin=Origin.you(), now=NOW),
    "withdraw": lambda ws: lambda: facts.withdraw(ws, PATH, origin=Origin.you(), now=NOW),
    "undo": undone,
}
"""Each made ready, and then done."""


def killed(place: Path, what: str) -> None:
    """Kill a deed at every fourth step. The next load finds the fact old or new, and the index saying the same."""
    ws = workspace(place)
    ws.root.mkdir(parents=True)
    outcomes: set[bytes | None] = set()

    def deed() -> None:
        die_at(step)
        prepared()

    for step in range(0, 2000, 4):
        document, index = ws.root / PATH, ws.root / "MEMORY.md"
        for name in (document, ws.root / "other.md"):
            name.unlink(missing_ok=True)
        if what != "new":
            document.write_text(OLD)
        (ws.root / "b.md").write_text(OTHER)
        index.write_text(INDEX if what != "new" else INDEX.replace("- [a](a.md) (feedback, proposed) \u2014 old\n", ""))
        prepared = DEEDS[what](ws)
        ended = child(deed)
        facts.recall(ws, query="type:feedback")
        left = [(one.path, one.rule) for one in check.check(ws) if one.rule.startswith("index-")]
        assert not left, (step, left, index.read_text())
        assert "- [b](b.md) (project) \u2014 b\n" in index.read_text(), step
        outcomes.add(document.read_bytes() if document.exists() else None)
        remember(ws, "other", f"{step}", Origin.agent("y"))
        assert not [name for name in ws.root.iterdir() if name.name.startswith(".")], step
        if ended == 0:
            assert len(outcomes) == 2, outcomes
            sys.stdout.write(f"steps {step}\n")
            return
    raise AssertionError("the deed never came to its end")


def count(place: Path, name: str, times: int) -> None:
    """Remember some facts, one after the other."""
    for number in range(times):
        remember(workspace(place), f"{name}-{number}", f"by {name}", Origin.agent(name))


if __name__ == "__main__":
    if sys.argv[1] == "count":
        count(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
    else:
        killed(Path(sys.argv[2]), sys.argv[1])
