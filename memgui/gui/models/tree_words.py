"""What a row of the tree says: its label, icon, badges, tip, and what a screen reader speaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memgui.domain.daily import day_of
from memgui.domain.paths import DocPath, name_of, shown, suffix_of
from memgui.domain.tree import NodeKind, Snapshot
from memgui.gui.kit.tips import plain
from memgui.gui.models.tree_rows import Row
from memgui.i18n import _, ngettext

_GROUP_ICONS = {
    "memory": "star",
    "days": "calendar",
    "week": "calendar",
    "month": "calendar",
    "identity": "identity",
    "facts": "fact",
    "files": "store",
    "folder": "folder",
}
_STATE_WORDS = {
    "protected": "protected",
    "unseen": "changes not seen",
    "proposed": "proposed",
    "malformed": "malformed",
    "conflict": "conflict",
    "readonly": "read only",
    "missing": "missing on disk",
}
_STATE_BADGES = {
    "conflict": ("warning", "warning"),
    "malformed": ("warning", "warning"),
    "missing": ("error", "error"),
    "protected": ("lock", "muted"),
    "readonly": ("eye", "muted"),
}
_CODE = frozenset({".py", ".sh", ".js", ".ts", ".rs", ".c", ".html", ".css"})
_DATA = frozenset({".json", ".jsonl", ".toml", ".yaml", ".yml", ".csv", ".sqlite", ".db"})


@dataclass(frozen=True, slots=True)
class Words:
    """All that is known of the files besides where they stand."""

    snapshot: Snapshot = field(default_factory=lambda: Snapshot({}))
    states: Mapping[DocPath, Sequence[str]] = field(default_factory=dict)
    fresh: frozenset[DocPath] = frozenset()
    """Changed outside just now."""
    unseen: Mapping[DocPath, int] = field(default_factory=dict)
    """Changed, and not looked at yet; and how many lines came."""

    def label(self, row: Row) -> str:
        """The name, as people can read it."""
        if row.group is not None:
            return row.group.title if row.group.path is None else shown(row.group.title)
        name = name_of(row.path or "")
        return shown(name[: -len(suffix_of(name))] if row.in_days else name)

    def detail(self, row: Row) -> str:
        """What stands dim beside the name: the weekday of a log."""
        day = day_of(row.path) if row.path is not None and row.in_days else None
        return "" if day is None or day.day is None else _weekday(day.day.weekday())

    def icon(self, row: Row) -> str:
        """The name of its icon."""
        if row.group is not None:
            return _GROUP_ICONS.get(row.group.icon, "folder")
        path = row.path or DocPath("")
        node = self.snapshot.nodes.get(path)
        if node is not None and node.kind is NodeKind.LINK_OUT:
            return "link-out"
        if node is not None and node.kind is NodeKind.LINK_BROKEN:
            return "link-broken"
        if node is not None and node.kind.is_folder:
            return "folder"
        return file_icon(path)

    def state_words(self, row: Row) -> Sequence[str]:
        """The public words for its states."""
        states = () if row.target is None else self.states.get(row.target, ())
        return (*states, "unseen") if row.path in self.unseen and "unseen" not in states else states

    def count(self, row: Row) -> int | str | None:
        """What stands at its end: how many files a group has, how many new lines a file."""
        if row.group is not None:
            return row.group.count
        lines = self.unseen.get(row.path) if row.path is not None else None
        return None if lines is None else f"+{lines:,}" if lines else "±"

    def badges(self, row: Row) -> list[tuple[str, str]]:
        """The small icons at its end, each with its colour."""
        states = self.state_words(row)
        badges = [badge for state, badge in _STATE_BADGES.items() if state in states]
        return [("live", "focus"), *badges] if row.path in self.fresh else badges

    def tip(self, row: Row) -> str:
        """The whole path, its states, and what is wrong with it."""
        path = row.target
        if path is None:
            return ""
        node = self.snapshot.nodes.get(path)
        lines = [shown(path), *self._states_spoken(row)]
        if node is not None and node.kind.is_link:
            lines.append(_(node.kind.value))
        problem = self.snapshot.problems.get(path) or (node.problem if node is not None else None)
        return plain("\n".join([*lines, problem] if problem else lines))

    def spoken(self, row: Row) -> str:
        """What a screen reader says of it."""
        said = [part for part in (self.label(row), self.detail(row)) if part]
        if row.group is not None:
            said.append(ngettext("{count} file", "{count} files", row.group.count).format(count=row.group.count))
        return ", ".join([*said, *self._states_spoken(row)])

    def _states_spoken(self, row: Row) -> list[str]:
        said = [_(_STATE_WORDS[state]) for state in self.state_words(row) if state in _STATE_WORDS]
        return [*said, _("changed outside just now")] if row.path in self.fresh else said


def file_icon(path: str) -> str:
    """The icon for a file, by its name."""
    suffix = suffix_of(path).lower()
    if suffix in (".md", ".markdown"):
        return {"memory.md": "star", "heartbeat.md": "heartbeat"}.get(name_of(path).lower(), "document")
    if suffix in _CODE:
        return "file-code"
    return "file-data" if suffix in _DATA else "file"


def _weekday(number: int) -> str:
    return (_("Mon"), _("Tue"), _("Wed"), _("Thu"), _("Fri"), _("Sat"), _("Sun"))[number]
