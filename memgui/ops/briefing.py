"""The briefing: what an agent of some system would be given of a workspace when it starts now. Lane: reads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from memgui.domain import briefing
from memgui.domain.briefing import Briefing, ContextFile, Limits, System
from memgui.domain.errors import ExecutionFailed
from memgui.domain.heartbeat_run import verdict
from memgui.domain.layouts import Layout
from memgui.domain.lines import Lines
from memgui.domain.paths import shown
from memgui.domain.workspace import Workspace
from memgui.domain.zones import zone_of
from memgui.i18n import _
from memgui.ops import fact_stores, preferences
from memgui.ops.preferences import Settings
from memgui.storage import standing

_SYSTEMS = {
    Layout.AGENTSMITH: System.AGENTSMITH,
    Layout.CLAUDE: System.CLAUDE,
    Layout.OPENCLAW: System.OPENCLAW,
    Layout.IRONCLAW: System.IRONCLAW,
    Layout.PROJECT_CONTEXT: System.INDUSAGI,
    Layout.PLAIN: System.IRONCLAW,
}


def usual_system(ws: Workspace) -> System:
    """The system whose agents keep memory as this workspace does."""
    return _SYSTEMS[ws.layout]


def brief(
    ws: Workspace,
    system: System | None = None,
    *,
    now: datetime,
    near: Path | None = None,
    home: Path | None = None,
    in_group: bool = False,
    settings: Settings | None = None,
) -> Briefing:
    """What an agent would be given. `near`: the folder that it works in; `in_group`: whether others talk with it."""
    settings = preferences.load() if settings is None else settings
    system = usual_system(ws) if system is None else system
    if system is System.IRONCLAW:
        return briefing.ironclaw(list(_ironclaw_files(ws, now, settings, in_group=in_group)))
    if system is System.OPENCLAW:
        return briefing.openclaw(list(_openclaw_files(ws)), _limits(settings))
    if system is System.INDUSAGI:
        return briefing.indusagi(list(_project_files(ws, near, Path.home() if home is None else home)))
    if system is System.HERMES:
        return briefing.hermes([_file(ws, name) for name in briefing.HERMES_FILES], _limits(settings))
    if system is System.CLAUDE:
        return briefing.claude(_index(ws, Layout.CLAUDE, near), _limits(settings))
    return briefing.agentsmith(_index(ws, Layout.AGENTSMITH, near))


def heartbeat_sentence(ws: Workspace) -> str | None:
    """Why an agent will skip the heartbeat of this workspace; None where it runs it, or there is none."""
    found = standing.read(ws.root / "HEARTBEAT.md")
    if found is None:
        return None
    judged = verdict(Lines.split(_text(found.data)).texts)
    return None if judged.runs else f"HEARTBEAT.md: {judged.sentence}"


def _limits(settings: Settings) -> Limits:
    return Limits(
        settings.prompt_openclaw_file,
        settings.prompt_openclaw_all,
        settings.prompt_claude_lines,
        settings.prompt_claude_bytes,
        settings.prompt_hermes_memory,
        settings.prompt_hermes_user,
    )


def _ironclaw_files(
    ws: Workspace, now: datetime, settings: Settings, *, in_group: bool
) -> Iterator[tuple[str, ContextFile]]:
    for name, heading in briefing.IRONCLAW_FILES:
        if not (in_group and name == briefing.IRONCLAW_PRIVATE):
            yield heading, _file(ws, name)
    today = now.astimezone(zone_of(settings.timezone))
    for days, heading in enumerate(briefing.IRONCLAW_DAYS):
        yield heading, _file(ws, f"daily/{today - timedelta(days=days):%Y-%m-%d}.md")


def _openclaw_files(ws: Workspace) -> Iterator[ContextFile]:
    for name in briefing.OPENCLAW_FILES:
        yield _file(ws, name)
    seen: set[tuple[int, int]] = set()
    for name in briefing.OPENCLAW_MEMORY:
        found = standing.read(ws.root / name)
        # Where case does not count, both names are one file.
        if found is not None and found.identity not in seen:
            seen.add(found.identity)
            yield _file(ws, name)


def _project_files(ws: Workspace, near: Path | None, home: Path) -> Iterator[ContextFile]:
    working = ws.root if near is None else Path(os.path.realpath(near))
    if not working.is_relative_to(ws.root):
        working = ws.root
    seen: set[tuple[int, int]] = set()
    for folder in (working, home):
        for name in briefing.PROJECT_FILES:
            place = folder / name
            found = standing.read(place)
            if found is None or found.identity in seen:
                continue
            seen.add(found.identity)
            inside = place.relative_to(ws.root).as_posix() if place.is_relative_to(ws.root) else str(place)
            yield ContextFile(shown(inside), _text(found.data), str(place))


def _index(ws: Workspace, layout: Layout, near: Path | None) -> ContextFile:
    """The index of the fact store of this layout: the only one, else the one that is worked in."""
    stores = [store for store in fact_stores.stores(ws) if store.layout is layout]
    if not stores and layout is Layout.AGENTSMITH:
        return _file(ws, ".agentsmith/memory/MEMORY.md")
    if not stores:
        return _file(ws, "MEMORY.md")
    if len(stores) > 1:
        here = Path(os.path.realpath(ws.root if near is None else near))
        stores = [store for store in stores if here.is_relative_to(ws.root / store.path)] or [
            store for store in stores if not store.path
        ]
    if len(stores) != 1:
        raise ExecutionFailed(
            _("This workspace has several stores, each with an index of its own."),
            hint=_("Name the folder of one of them: memgui -w PATH context."),
        )
    return _file(ws, f"{stores[0].path}/MEMORY.md" if stores[0].path else "MEMORY.md")


def _file(ws: Workspace, name: str) -> ContextFile:
    found = standing.read(ws.root / name)
    return ContextFile(name, None if found is None else _text(found.data), shown(str(ws.root / name)))


def _text(data: bytes) -> str:
    """The text as programs decode it that are not asked to be strict."""
    return data.decode("utf-8", "replace")
