"""Writing as tools do: `memory_write`, by the rules for agents. Lane: writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import accumulate
from typing import Any, NoReturn

from memgui.domain import arguments
from memgui.domain.daily import day_of
from memgui.domain.documents import Fingerprint, fingerprint
from memgui.domain.errors import (
    Conflict,
    ExecutionFailed,
    InvalidParameters,
    NotAuthorized,
    NotFound,
    ProtectedDocument,
)
from memgui.domain.held import matches
from memgui.domain.joining import LINE, SECTION, piece_behind, stamped
from memgui.domain.layouts import Layout
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, check_document, join, parse, segments_of, shown
from memgui.domain.workspace import Workspace
from memgui.domain.zones import zone_of
from memgui.i18n import _
from memgui.ops import documents, holding, layout_kept, limits, preferences, refusals
from memgui.ops.preferences import Settings
from memgui.ops.reading import check_reachable, on_disk
from memgui.storage import files
from memgui.storage.locks import workspace_lock

MEMORY, HEARTBEAT, DAILY_LOG = "memory", "heartbeat", "daily_log"
"""The targets that are no paths."""

MOST_DOCUMENT_BYTES = 16_000_000
"""No tool makes a document grow beyond this."""

_TRIES = 8


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a caller asked for, once it is known to be well-formed."""

    target: str
    content: str = ""
    append: bool = True
    old: str | None = None
    new: str = ""
    replace_all: bool = False
    zone: tzinfo | None = None


def memory_write(
    ws: Workspace,
    *,
    content: str | None = None,
    target: str = DAILY_LOG,
    append: bool = True,
    old_string: str | None = None,
    new_string: str | None = None,
    replace_all: bool = False,
    timezone: str | None = None,
    origin: Origin,
    now: datetime,
    settings: Settings | None = None,
) -> dict[str, Any]:
    """Write as an agent may: append to a document, replace it, or patch a text in it. The answer of contract §3.

    `now` is the one moment of the call. Refusals are noted: RateLimited, InvalidParameters, NotAuthorized.
    """
    settings = preferences.load() if settings is None else settings
    with refusals.noted(ws, origin, "memory_write", target, now=now), workspace_lock(ws.state):
        limits.rate(ws, origin, now, settings=settings)
        wish = _checked(content, target, append, old_string, new_string, replace_all, timezone)
        here = now.astimezone(wish.zone or zone_of(settings.timezone))
        raw = _raw_path(ws, wish.target, here)
        path = _reachable(ws, raw)
        documents.guard(ws, path, origin)
        waits = _waits(ws, path, origin, settings)
        if wish.old is not None:
            return _patch(ws, path, wish, origin, here, waits=waits)
        return _write(ws, path, wish, origin, here, waits=waits)


def _waits(ws: Workspace, path: DocPath, origin: Origin, settings: Settings) -> bool:
    """Whether a person asked that what agents write there waits."""
    patterns = settings.held_in(ws.root)
    return origin.is_agent and any(matches(patterns, one) for one in {path, files.real_path(ws.root, path)})


def _write(ws: Workspace, path: DocPath, wish: _Wish, origin: Origin, now: datetime, *, waits: bool) -> dict[str, Any]:
    content = wish.content
    appends = wish.append or wish.target == DAILY_LOG or _is_log(ws, path)
    if not appends:
        data = content.encode()
        if waits and (held := _held(ws, path, lambda _before: data, origin, now)) is not None:
            return held
        _swap(ws, path, lambda _before: data, origin, now)
    else:
        if wish.target == DAILY_LOG:
            content = stamped(ws.layout, content, now)
        line_ends = SECTION if path in _memories(ws) else LINE

        def piece(before: bytes) -> bytes:
            new = piece_behind(before, content, line_ends=line_ends)
            _check_size(path, before, len(before) + len(new))
            layout_kept.check_bytes(ws, files.real_path(ws.root, path), before + new)
            return new

        if waits:
            held = _held(ws, path, lambda old: (old or b"") + piece(old or b""), origin, now, joint=line_ends)
            if held is not None:
                return held
        documents.append(ws, path, piece, origin=origin, now=now.timestamp())
    return {
        "status": "written",
        "path": files.real_path(ws.root, path),
        "append": appends,
        "content_length": len(wish.content.encode()),
    }


def _patch(ws: Workspace, path: DocPath, wish: _Wish, origin: Origin, now: datetime, *, waits: bool) -> dict[str, Any]:
    old, new = (wish.old or "").encode(), wish.new.encode()
    found: list[int] = []

    def patched(before: bytes | None) -> bytes:
        if before is None:
            raise NotFound(_("old_string not found in document: there is no '{path}'").format(path=shown(path)))
        count = before.count(old)
        if not count:
            raise ExecutionFailed(_("old_string not found in document"))
        if count > 1 and not wish.replace_all:
            raise ExecutionFailed(
                _("old_string found {count} times in document").format(count=count),
                hint=_("Give more of the text around it, or set replace_all."),
            )
        _check_size(path, before, len(before) + count * (len(new) - len(old)))
        found[:] = [count]
        return before.replace(old, new)

    if waits and (held := _held(ws, path, patched, origin, now)) is not None:
        return held
    data = _swap(ws, path, patched, origin, now)
    return {
        "status": "patched",
        "path": files.real_path(ws.root, path),
        "replacements": found[0],
        "content_length": len(data),
    }


def _held(
    ws: Workspace,
    path: DocPath,
    change: Callable[[bytes | None], bytes],
    origin: Origin,
    now: datetime,
    *,
    joint: int = 0,
) -> dict[str, Any] | None:
    """The answer for a change that waits for a person, in the place of a write; None where nothing would change."""
    before = _bytes_now(ws, path)
    if before is not None:
        documents.check_editable(path, before, origin)
    data = change(before)
    if data == before:
        return None
    real = files.real_path(ws.root, path)
    layout_kept.check_bytes(ws, real, data)
    held = holding.hold(ws, real, before, data, origin=origin, now=now.timestamp(), joint=joint)
    return {"status": "held", "path": real, "change": held.id}


def _swap(
    ws: Workspace, path: DocPath, change: Callable[[bytes | None], bytes], origin: Origin, now: datetime
) -> bytes:
    """Other bytes for those that stand there (None: nothing), looking again where somebody writes in between."""
    last: Conflict | None = None
    for _try in range(_TRIES):
        before = _bytes_now(ws, path)
        if before is not None:
            documents.check_editable(path, before, origin)
        data = change(before)
        layout_kept.check_bytes(ws, files.real_path(ws.root, path), data)
        expected: Fingerprint | None = None if before is None else fingerprint(before)
        try:
            documents.write(ws, path, data, expected=expected, origin=origin, now=now.timestamp())
        except Conflict as conflict:
            last = conflict
        else:
            return data
    assert last is not None
    raise last


def _check_size(path: DocPath, before: bytes, size: int) -> None:
    if size > max(MOST_DOCUMENT_BYTES, len(before)):
        raise InvalidParameters(
            _("'{path}' would have {size:,} bytes, and {most:,} are the most").format(
                path=shown(path), size=size, most=MOST_DOCUMENT_BYTES
            ),
            hint=_("Begin another document."),
        )


def _bytes_now(ws: Workspace, path: DocPath) -> bytes | None:
    try:
        return files.read(ws.root, path)[0]
    except NotFound:
        return None


# Parameters --------------------------------------------------------------------------------------------------------


def _checked(
    content: object,
    target: object,
    append: object,
    old_string: object,
    new_string: object,
    replace_all: object,
    timezone: object,
) -> _Wish:
    for name, value in (("append", append), ("replace_all", replace_all)):
        if not isinstance(value, bool):
            raise InvalidParameters(_("{name} must be true or false").format(name=name))
    wanted = _text("target", target)
    if wanted is None:
        wanted = DAILY_LOG
    zone = _zone(_text("timezone", timezone))
    old, new, text = _text("old_string", old_string), _text("new_string", new_string), _text("content", content)
    if old is None and new is None:
        if text is None or not text.strip():
            raise InvalidParameters(_("content cannot be empty"))
        return _Wish(wanted, text, bool(append), zone=zone)
    if text is not None:
        raise InvalidParameters(_("content cannot be given together with old_string and new_string"))
    if not old:
        raise InvalidParameters(_("old_string cannot be empty"))
    if new is None:
        raise InvalidParameters(_("new_string is missing"))
    return _Wish(wanted, old=old, new=new, replace_all=bool(replace_all), zone=zone)


def _text(name: str, value: object) -> str | None:
    """A text as a document can hold it, None where none is given."""
    if value is None:
        return None
    if name == "target" and isinstance(value, str):
        return value
    return arguments.text(name, value)


def _zone(name: str | None) -> tzinfo | None:
    if name is None:
        return None
    zone = zone_of(name)
    if zone is None:
        raise InvalidParameters(
            _("unknown timezone '{name}'").format(name=shown(name[:100])),
            hint=_("Give an IANA name, such as Europe/Berlin."),
        )
    return zone


# Where to ----------------------------------------------------------------------------------------------------------


def _raw_path(ws: Workspace, target: str, now: datetime) -> str:
    """The path that a target means in this workspace, by the layout of the root's store."""
    rules = ws.layout.rules
    if target == MEMORY:
        if rules.memory is None:
            _use_remember()
        return next((name for name in _memories(ws) if files.look(ws.root, name) is not None), rules.memory)
    if target not in (HEARTBEAT, DAILY_LOG):
        return target
    rule = rules.heartbeat if target == HEARTBEAT else rules.daily_log
    if rule is None:
        raise InvalidParameters(
            _("this workspace keeps facts and has no {target}; use remember").format(target=target),
        )
    return rule.format(day=f"{now:%Y-%m-%d}")


def _memories(ws: Workspace) -> tuple[DocPath, ...]:
    """Where long-term memory is, by the layout; the name that older workspaces use comes after."""
    name = ws.layout.rules.memory
    if name is None:
        return ()
    path = join(ws.stores[0].path, name)
    return (path, DocPath(path.lower())) if ws.layout is Layout.OPENCLAW else (path,)


def _reachable(ws: Workspace, raw: str) -> DocPath:
    """The path as the disk spells it. Raises where it is none, is protected by name, or is no tool's to write."""
    path = parse(raw, writing=True)
    # A folder of that name would keep the file from ever being made.
    for step in accumulate(segments_of(path), join):
        if ws.protection.resembles(step):
            raise ProtectedDocument(step, hint=_("A person can unlock it in the window of memgui."))
    check_document(path, named_folders=ws.named_folders)
    path = on_disk(ws, raw, path, writing=True)
    check_reachable(ws, path)
    real = files.real_path(ws.root, path)
    if ws.holds_facts(path) or ws.holds_facts(real):
        _use_remember()
    if ws.protection.resembles(real):
        raise ProtectedDocument(path, hint=_("A person can unlock it in the window of memgui."))
    layout_kept.check_place(ws, real)
    return path


def _use_remember() -> NoReturn:
    raise NotAuthorized(_("facts are not written by this tool: use remember"), hint=_("Call remember instead."))


def _is_log(ws: Workspace, path: DocPath) -> bool:
    """Whether it is a daily log, by the layout of the store it lies in."""
    store = ws.store_of(path)
    folder, _slash, _rest = path.removeprefix(f"{store.path}/" if store.path else "").partition("/")
    name = day_of(path) if folder in store.layout.rules.day_folders else None
    return name is not None and name.day is not None
