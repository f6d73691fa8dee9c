"""Check: what is wrong in a workspace, and what of it memgui can put right. Lane of `fix`: writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import Any

from memgui.domain import crosslinks, findings
from memgui.domain.errors import MemguiError
from memgui.domain.facts import Fact
from memgui.domain.findings import Finding, StoreText
from memgui.domain.layouts import Store
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, is_document
from memgui.domain.text import BINARY_HEAD, HUGE_BYTES, decode
from memgui.domain.tree import NodeKind, Snapshot
from memgui.domain.workspace import Workspace
from memgui.ops import documents, fact_deeds, fact_stores, sync, together
from memgui.ops.fact_stores import bytes_of
from memgui.ops.together import Deed, Step
from memgui.storage import files
from memgui.storage.facts import FactRecords
from memgui.storage.folders import never
from memgui.storage.locks import workspace_lock


def check(ws: Workspace, *, stop: Callable[[], bool] = never) -> tuple[Finding, ...]:
    """Every finding, by path and line. A deed on facts that somebody was killed in is finished first."""
    fact_deeds.repair(ws)
    snapshot = sync.look(ws, stop=stop)
    found = list(findings.two_memories(snapshot.nodes.keys()))
    index_lines: set[tuple[DocPath, int]] = set()
    for store in fact_stores.stores(ws):
        read = _read(ws, store)
        found += findings.of_store(read)
        found += _since_ratified(ws, read)
        index_lines |= {(read.index, line.line) for line in read.lines}
    no_facts = {(one.path, one.line) for one in found if one.rule == "fact-malformed"}
    for finding in _of_documents(ws, snapshot, stop):
        # What an index names and is not there was said by its own rule, and so was why a document is no fact.
        said = index_lines if finding.rule.startswith("link-") else no_facts if finding.rule == "front-matter" else ()
        if (finding.path, finding.line) not in said:
            found.append(finding)
    return tuple(sorted(found))


def check_answer(ws: Workspace) -> dict[str, Any]:
    """The findings in the form that programs are given."""
    return answer_of(check(ws))


def answer_of(found: tuple[Finding, ...]) -> dict[str, Any]:
    """These findings in the form that programs are given."""
    return {
        "findings": [
            {
                "path": one.path,
                "line": one.line,
                "rule": one.rule,
                "severity": str(one.severity),
                "message": one.message,
                "fixable": one.fixable,
            }
            for one in found
        ]
    }


def planned(ws: Workspace) -> tuple[Step, ...]:
    """What `fix` would write."""
    steps = []
    for store in fact_stores.stores(ws):
        index = fact_stores.index_of(ws, store)
        after = bytes_of(findings.fixed_index(_read(ws, store)))
        if after != (index.data or b""):
            steps.append(Step(index.path, index.data, after))
    return tuple(steps)


def fix(ws: Workspace, *, origin: Origin, now: datetime, unlock: bool = False) -> Deed:
    """Put right what can be, as one deed. `unlock`: a person is asked for, also where an identity file is to change.

    ProtectedDocument where one is and nobody unlocks it; nothing is written then.
    """
    with workspace_lock(ws.state):
        fact_deeds.repair(ws)
        steps = planned(ws)
        unlocked = frozenset(step.path for step in steps) if unlock and origin.is_person else frozenset()
        for step in steps:
            if step.before is not None:
                # Not as a person: nobody has looked at these bytes, so they have to be text that every tool can read.
                documents.check_editable(step.path, step.before, Origin.outside())
        return together.do(ws, steps, origin=origin, now=now.timestamp(), unlocked=unlocked)


def _read(ws: Workspace, store: Store) -> StoreText:
    index = fact_stores.index_of(ws, store)
    found = [source.found for source in fact_stores.sources(ws, store)]
    return StoreText(store.layout, index.path, index.text, frozenset(files.names_in(ws.root, store.path)), found)


def _since_ratified(ws: Workspace, store: StoreText) -> Iterator[Finding]:
    records = FactRecords(ws.state)
    for fact in store.found:
        if isinstance(fact, Fact) and records.is_ratified(fact.path):
            is_same = records.is_as_ratified(fact.path, fact.body)
            finding = findings.since_ratified(fact, is_as_ratified=is_same)
            if finding is not None:
                yield finding


def _of_documents(ws: Workspace, snapshot: Snapshot, stop: Callable[[], bool]) -> Iterator[Finding]:
    targets = crosslinks.Targets(snapshot.nodes)
    for path, node in snapshot.nodes.items():
        if stop():
            return
        if node.kind is not NodeKind.FILE or not is_document(path) or node.stat is None:
            continue
        lines = _lines(ws, path) if node.stat.size <= HUGE_BYTES else ()
        if not lines:
            continue
        yield from findings.front_matter(path, lines)
        yield from findings.conflict_markers(path, lines)
        yield from findings.links(path, crosslinks.links(lines), partial(targets.ends, here=path))


def _lines(ws: Workspace, path: DocPath) -> tuple[str, ...]:
    """The lines of a document; none where it is no text, or cannot be read."""
    try:
        data, _node = files.read(ws.root, path)
    except MemguiError:
        return ()
    text = decode(data) if b"\0" not in data[:BINARY_HEAD] else None
    return () if text is None else text.lines.texts
