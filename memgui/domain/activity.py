"""`Event`: something that happened to memory, as a person is told it. No event holds text of a document."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memgui.domain.documents import Fingerprint
from memgui.domain.origin import Origin
from memgui.domain.paths import DocPath, shown, spelled
from memgui.i18n import _, ngettext


class EventKind(StrEnum):
    """What sort of thing happened."""

    WRITE = "write"
    REFUSAL = "refusal"
    HELD = "held"
    VERDICT = "verdict"
    MERGE = "merge"
    RESTORE = "restore"
    FILING = "filing"
    FACT = "fact"
    FORGET = "forget"
    RECOVERY = "recovery"
    NOTICE = "notice"

    @property
    def words(self) -> str:
        """What things of this sort are called."""
        return {
            EventKind.WRITE: _("Writes"),
            EventKind.REFUSAL: _("Refusals"),
            EventKind.HELD: _("Held changes"),
            EventKind.VERDICT: _("Verdicts"),
            EventKind.MERGE: _("Merges"),
            EventKind.RESTORE: _("Restores"),
            EventKind.FILING: _("File operations"),
            EventKind.FACT: _("Facts decided"),
            EventKind.FORGET: _("Forgetting"),
            EventKind.RECOVERY: _("Recoveries"),
            EventKind.NOTICE: _("Notices"),
        }[self]


@dataclass(frozen=True, slots=True)
class Event:
    """At `time` (seconds since 1970) `origin` did `deed`; without an origin it was memgui itself."""

    id: str
    time: float
    kind: EventKind
    deed: str
    """`append edit create delete aborted`, the tool that was refused, a verdict, `rename move trash` and the like."""
    origin: Origin | None = None
    paths: tuple[DocPath, ...] = ()
    """The documents that it was about: mostly one."""
    target: str = ""
    """What was asked for, as it was asked for."""
    detail: str = ""
    """More of it, in a few words."""
    code: str = ""
    """Why it was refused: the public name of the reason."""
    count: int = 1
    """How often in a row."""
    line: int | None = None
    """The first line that it changed, from 1, where that is known."""
    added: int = 0
    """How many lines it added at the end."""
    before: Fingerprint | None = None
    after: Fingerprint | None = None

    @property
    def key(self) -> tuple[float, str]:
        """By it events stand in order: of two of the same moment the same one always comes first."""
        return self.time, self.id

    @property
    def path(self) -> DocPath | None:
        """The document that it was about, or the first of them."""
        return self.paths[0] if self.paths else None

    @property
    def who(self) -> str:
        """Who did it: `you`, `you (shell)`, `agent "NAME"`, `outside`, or memgui."""
        return "memgui" if self.origin is None else self.origin.label

    @property
    def sentence(self) -> str:
        """What happened, with whole paths."""
        return self.told(shown(self.path) if self.path is not None else "")

    def told(self, name: str, *, longest: int = 80) -> str:
        """What happened, in a sentence that calls its document by this name, and nobody by a longer one than that."""
        if len(self.paths) > 1:
            count = len(self.paths)
            name = ngettext("{count} document", "{count} documents", count).format(count=f"{count:,}")
        who = self.who
        if len(who) > longest:
            who = f'{who[: longest - 2].rstrip()}…"'
        if self.kind is EventKind.WRITE:
            return _written(self, who, name)
        if self.kind is EventKind.REFUSAL:
            return _refused(self, who, name)
        if self.kind is EventKind.NOTICE:
            return spelled(self.detail)
        if self.kind is EventKind.VERDICT:
            return _decided(self, who, name)
        return _other(self.deed).format(who=who, name=name or _("a document"), detail=self.detail)

    @property
    def more(self) -> str:
        """What the sentence does not say: why, which version, how often; empty where there is nothing."""
        said = []
        if self.kind not in (EventKind.NOTICE, EventKind.VERDICT):
            said.append(self.detail)
        if self.count > 1:
            said.append(ngettext("{count} time", "{count} times", self.count).format(count=f"{self.count:,}"))
        return " · ".join(part for part in said if part)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which events are asked for. Empty: all."""

    kinds: frozenset[EventKind] = frozenset()
    who: str = ""
    """As `Event.who`."""
    text: str = ""
    """Stands in the path, whatever the case."""

    def takes(self, event: Event) -> bool:
        """Whether it is one of those."""
        if self.kinds and event.kind not in self.kinds:
            return False
        if self.who and event.who != self.who:
            return False
        wanted = self.text.strip().casefold()
        return not wanted or any(wanted in place.casefold() for place in (*event.paths, event.target))


def _written(event: Event, who: str, name: str) -> str:
    if event.deed == "append":
        text = ngettext("{who} added {count} line to {name}", "{who} added {count} lines to {name}", event.added)
        return text.format(who=who, count=f"{event.added:,}", name=name)
    text = {
        "create": _("{who} created {name}"),
        "delete": _("{who} deleted {name}"),
        "aborted": _("{who} was about to write {name}, and nothing was written"),
    }.get(event.deed, _("{who} changed {name}"))
    return text.format(who=who, name=name)


def _refused(event: Event, who: str, name: str) -> str:
    what = {
        "memory_write": _("writing to {name}"),
        "memory_read": _("reading {name}"),
        "memory_tree": _("listing {name}"),
        "memory_search": _("a search"),
        "recall": _("a look into the facts"),
        "remember": _("remembering {name}"),
        "memory": _("the working note"),
    }.get(event.deed, spelled(event.deed))
    why = {
        "NotAuthorized": _("not allowed"),
        "RateLimited": _("too many calls"),
        "InvalidParameters": _("not a valid request"),
    }.get(event.code, event.code)
    name = name or spelled(event.target) or _("memory")
    return _("{who} was refused {what} ({why})").format(who=who, what=what.format(name=name), why=why)


def _decided(event: Event, who: str, name: str) -> str:
    if event.detail.isdigit():
        text = {
            "accept": _("{who} accepted 1 change of {name}"),
            "reject": _("{who} rejected 1 change of {name}"),
            "put-back": _("{who} put lost lines back into {name}"),
            "edit": _("{who} put other text in the place of 1 change of {name}"),
        }
    else:
        text = {
            "accept": _("{who} accepted the changes of {name}"),
            "reject": _("{who} rejected the changes of {name}"),
            "put-back": _("{who} put lost lines back into {name}"),
            "edit": _("{who} put other text in the place of the changes of {name}"),
        }
    return text.get(event.deed, _("{who} took a verdict on {name} back")).format(who=who, name=name)


def _other(deed: str) -> str:
    return {
        "hold": _("{who} asked to write {name}; it waits for you"),
        "merge": _("{who} merged {name} with the disk"),
        "restore": _("{who} restored {name}"),
        "undo": _("{who} took a deed on {name} back"),
        "rename": _("{who} renamed {name}"),
        "move": _("{who} moved {name}"),
        "trash": _("{who} moved {name} to the trash"),
        "ratify": _("{who} ratified {name}"),
        "withdraw": _("{who} withdrew {name}"),
        "bring-back": _("{who} brought {name} back"),
        "forget": _("{who} had something forgotten"),
        "recover": _("{who} got unsaved text of {name} back"),
        "salvage": _("{who} began its damaged journal anew"),
    }.get(deed, "{who}: " + spelled(deed).replace("{", "{{").replace("}", "}}") + " {name}")
