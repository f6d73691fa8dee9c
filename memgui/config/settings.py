"""`Settings`: what a person chose. Kept as TOML, only where it differs from the default; all else in the file stays."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import os
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memgui.domain.paths import shown
from memgui.domain.zones import zone_of
from memgui.i18n import _

MAX_BYTES = 1024 * 1024
"""A settings file over this size was not written by a person, or by memgui."""

_Check = Callable[[Any], Any]


def _choice(*allowed: str) -> _Check:
    def check(value: Any) -> Any:
        if not isinstance(value, str) or value not in allowed:
            raise ValueError(_("one of {choices}").format(choices=", ".join(f'"{choice}"' for choice in allowed)))
        return value

    return check


def _number(low: float, high: float, *, whole: bool) -> _Check:
    def check(value: Any) -> Any:
        fits = isinstance(value, int) if whole else isinstance(value, int | float)
        if not fits or isinstance(value, bool) or not math.isfinite(value) or not low <= value <= high:
            kind = _("a whole number from {low} to {high}") if whole else _("a number from {low} to {high}")
            raise ValueError(kind.format(low=f"{low:g}", high=f"{high:g}"))
        return value if whole else float(value)

    return check


def _flag(value: Any) -> Any:
    if not isinstance(value, bool):
        raise ValueError(_("true or false"))
    return value


def _zone(value: Any) -> Any:
    if not isinstance(value, str) or zone_of(value) is None:
        raise ValueError(_("the name of a time zone, such as Europe/Berlin"))
    return value


def _folder(value: Any) -> Any:
    if not isinstance(value, str) or (value and not os.path.isabs(value)):
        raise ValueError(_("the whole path of a folder"))
    return value


def _patterns(value: Any) -> Any:
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) and one.strip() for one in value):
        raise ValueError(_('a list of patterns, such as ["MEMORY.md", "projects/*.md"]'))
    return tuple(one.strip() for one in value)


def _setting(default: Any, check: _Check, *, key: str = "") -> Any:
    return field(default=default, metadata={"check": check, "key": key})


def _table(check: _Check, *, key: str) -> Any:
    """A setting that is a table of its own: names that a person gives, each with a value to be checked."""
    return field(default=(), metadata={"entry": check, "key": key})


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person chose, with a good value in every place. `problems`: sentences about what could not be used."""

    appearance: str = _setting("system", _choice("system", "light", "dark"))
    zoom: int = _setting(100, _number(50, 300, whole=True))
    """Size of text and signs, in per cent."""
    autosave_seconds: float = _setting(5.0, _number(0, 3600, whole=False))
    """How long after the last key a changed page is saved; 0: only when asked, on switching and on closing."""
    journal_seconds: float = _setting(1.0, _number(0.1, 60, whole=False))
    """How long after the last key unsaved text goes into the crash journal."""
    relock_minutes: float = _setting(10.0, _number(0.1, 1440, whole=False))
    """How long an unlocked identity file stays so while nobody types."""
    protect_tools_and_bootstrap: bool | None = _setting(None, _flag)
    """Whether TOOLS.md and BOOTSTRAP.md are protected too; None: as the layout says."""
    wrap_lines: bool = _setting(True, _flag)
    show_invisibles: bool = _setting(True, _flag)
    """Whether characters that cannot be seen get a mark."""
    newest_day_first: bool = _setting(True, _flag)
    """Whether a week of logs is read from its newest day down."""
    note_after_reject: bool = _setting(False, _flag)
    """Whether the review offers, after a rejection, to leave agents a note."""
    timezone: str = _setting("UTC", _zone)
    """In whose days and hours tools write the daily log, where they name no zone."""
    search_meaning: bool = _setting(True, _flag, key="search.meaning")
    """Whether memory is searched by its meaning too; models then work behind the window."""
    search_model: str = _setting("", _folder, key="search.model")
    """A folder with `model.onnx` and `tokenizer.json` that stands in for the models that came along."""
    limits_per_minute: int = _setting(20, _number(0, 1_000_000, whole=True), key="limits.per_minute")
    """How often one agent may write in a minute; 0: as often as it likes. So with the two below."""
    limits_per_hour: int = _setting(200, _number(0, 1_000_000, whole=True), key="limits.per_hour")
    limits_workspace_per_minute: int = _setting(
        60, _number(0, 1_000_000, whole=True), key="limits.workspace_per_minute"
    )
    """How often all agents of a workspace together may write in a minute."""
    history_days: int = _setting(90, _number(0, 100_000, whole=True), key="history.days")
    """How many days a version is kept after it was replaced; 0: for good."""
    history_megabytes: int = _setting(500, _number(0, 10_000_000, whole=True), key="history.megabytes")
    """How much all versions of a workspace may take before the person is asked; 0: as much as there is."""
    prompt_openclaw_file: int = _setting(20_000, _number(1, 10_000_000, whole=True), key="prompt.openclaw_file")
    """How many characters of a file OpenClaw gives its agent, and below: of all files together."""
    prompt_openclaw_all: int = _setting(150_000, _number(1, 10_000_000, whole=True), key="prompt.openclaw_all")
    prompt_claude_lines: int = _setting(200, _number(1, 1_000_000, whole=True), key="prompt.claude_lines")
    """How many lines, and below how many bytes, of its index Claude is given."""
    prompt_claude_bytes: int = _setting(25_000, _number(1, 10_000_000, whole=True), key="prompt.claude_bytes")
    prompt_hermes_memory: int = _setting(2_200, _number(1, 10_000_000, whole=True), key="prompt.hermes_memory")
    prompt_hermes_user: int = _setting(1_375, _number(1, 10_000_000, whole=True), key="prompt.hermes_user")
    hold: tuple[tuple[str, tuple[str, ...]], ...] = _table(_patterns, key="hold")
    """By the real path of a workspace: the patterns of the documents whose writes by tools wait for a person."""
    problems: tuple[str, ...] = field(default=(), compare=False)

    def held_in(self, root: Path | str) -> tuple[str, ...]:
        """The patterns of the documents in a workspace whose writes wait."""
        return dict(self.hold).get(str(root), ())

    def holding(self, root: Path | str, patterns: Iterable[str]) -> Settings:
        """The settings with these patterns for a workspace; none: nothing waits there."""
        others = [(path, kept) for path, kept in self.hold if path != str(root)]
        mine = tuple(one.strip() for one in patterns if one.strip())
        return dataclasses.replace(self, hold=tuple(sorted([*others, *([(str(root), mine)] if mine else [])])))


def load(path: Path) -> Settings:
    """The settings in a file. Never fails: what cannot be used is its default, and a sentence in `problems` says so."""
    values, problem = read_table(path)
    if problem is not None:
        return Settings(problems=(problem,))
    problems: list[str] = []
    chosen: dict[str, Any] = {}
    for name, check in checks().items():
        key = key_of(name)
        try:
            value = _value_at(values, key)
        except KeyError:
            continue
        try:
            chosen[name] = check(value)
        except ValueError as error:
            problems.append(
                _("{file}: '{key}' has to be {rule}; the default is used.").format(
                    file=shown(path.name), key=key, rule=error
                )
            )
    for name, check in entry_checks().items():
        chosen[name] = _entries(values, key_of(name), check, path, problems)
    return Settings(**chosen, problems=tuple(problems))


def _entries(
    values: dict[str, Any], key: str, check: _Check, path: Path, problems: list[str]
) -> tuple[tuple[str, Any], ...]:
    """The good entries of a table, by name; each bad one costs itself alone."""
    table = values.get(key, {})
    good = {}
    for entry, value in table.items() if isinstance(table, dict) else [("", table)]:
        try:
            if not isinstance(table, dict):
                raise ValueError(_("a table"))
            good[entry] = check(value)
        except ValueError as error:
            problems.append(
                _("{file}: '{key}' has to be {rule}; it is left out.").format(
                    file=shown(path.name), key=shown(f"{key}.{entry}" if entry else key), rule=error
                )
            )
    return tuple(sorted(good.items()))


def changed(settings: Settings, **values: Any) -> Settings:
    """The settings with other values, each checked; ValueError with the rule where one is not good."""
    rules = checks()
    good: dict[str, Any] = {key: value if value is None else rules[key](value) for key, value in values.items()}
    return dataclasses.replace(settings, **good)


def key_of(name: str) -> str:
    """What a setting is called in the file; a dot leads into a table."""
    return next(item.metadata["key"] or name for item in dataclasses.fields(Settings) if item.name == name)


def _value_at(values: dict[str, Any], key: str) -> Any:
    *tables, last = key.split(".")
    for table in tables:
        values = values[table]
        if not isinstance(values, dict):
            raise KeyError(table)
    return values[last]


def checks() -> dict[str, _Check]:
    """The settings by name, and what tells whether a value is good for one."""
    return {item.name: item.metadata["check"] for item in dataclasses.fields(Settings) if "check" in item.metadata}


def entry_checks() -> dict[str, _Check]:
    """The settings that are tables of a person's own names, and what tells whether a value is good in one."""
    return {item.name: item.metadata["entry"] for item in dataclasses.fields(Settings) if "entry" in item.metadata}


def read_table(path: Path) -> tuple[dict[str, Any], str | None]:
    """The keys in a settings file, and a sentence where it cannot be read. No file: no keys."""
    name = shown(str(path))
    try:
        # Never waits for whoever might write into a pipe of this name.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return {}, None
    except OSError as error:
        return {}, _unreadable(name, error)
    try:
        with contextlib.closing(os.fdopen(handle, "rb")) as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                return {}, _("{file} is no file; the default settings are used.").format(file=name)
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        return {}, _unreadable(name, error)
    # Most have no such file.
    import tomllib

    try:
        if len(data) > MAX_BYTES:
            raise ValueError(_("it is too large"))
        return tomllib.loads(data.decode("utf-8-sig")), None
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, tomllib.TOMLDecodeError) else _("it is not TOML in UTF-8")
        return {}, _("{file} is damaged ({reason}); the default settings are used. The file is kept.").format(
            file=name, reason=reason
        )


def _unreadable(name: str, error: OSError) -> str:
    return _("{file} cannot be read ({reason}); the default settings are used.").format(
        file=name, reason=os.strerror(error.errno or 0)
    )
