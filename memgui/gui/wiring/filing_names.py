"""Names for files and folders, typed on the card over the tree: judged while they are typed, and then given."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from memgui.domain import filing as rules
from memgui.domain.errors import InvalidParameters, MemguiError
from memgui.domain.filing import FilingKind
from memgui.domain.paths import DocPath, join, name_of, parent_of, shown, stem_of
from memgui.gui.panels.memory import MemoryPanel
from memgui.gui.session import Session
from memgui.gui.window import MainWindow
from memgui.gui.wiring.filing_deeds import create, make_folder, rename, sentence
from memgui.i18n import _
from memgui.ops.filing import Filed


@dataclass(slots=True)
class _Asked:
    """What the name on the card is for. `others`: the names that stand in its folder."""

    kind: FilingKind
    folder: DocPath
    path: DocPath | None = None
    is_folder: bool = False
    others: frozenset[str] = field(default_factory=frozenset)

    def target(self, raw: str) -> DocPath:
        """The path that a typed name means. InvalidParameters, with why, where it means none."""
        if not raw.strip():
            raise InvalidParameters(_("Type a name."))
        if self.path is not None:
            return rules.renamed(self.path, raw, is_folder=self.is_folder)
        return rules.new_path(self.folder, raw if self.is_folder else rules.document_name(raw))


class FileNames(QObject):
    """Asks for a name, and does what it is for. `given` carries what came of it; `leaving` a path whose name goes."""

    given = Signal(object)
    leaving = Signal(object)

    def __init__(self, window: MainWindow, session: Session, memory: MemoryPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._session, self._memory = window, session, memory
        self._asked: _Asked | None = None
        memory.card.edited.connect(self._judge)
        memory.card.accepted.connect(self._name)
        memory.card.given_up.connect(self._forget_asked)

    def begin_document(self, folder: DocPath) -> None:
        """Ask for the name of a new document; among daily logs that of today's is offered, where there is none."""
        self._ask(_Asked(FilingKind.CREATED, folder), _("New document in {folder}"), self._todays(folder))

    def begin_folder(self, folder: DocPath) -> None:
        """Ask for the name of a new folder."""
        self._ask(_Asked(FilingKind.MADE, folder, is_folder=True), _("New folder in {folder}"), "")

    def begin_rename(self, path: DocPath) -> None:
        """Ask for another name."""
        view = self._session.view
        if view is not None:
            asked = _Asked(FilingKind.RENAMED, parent_of(path), path, view.snapshot.nodes[path].kind.is_folder)
            self._ask(asked, _("Rename “{name}”").format(name=shown(name_of(path))), name_of(path))

    def _ask(self, asked: _Asked, caption: str, text: str) -> None:
        view = self._session.view
        if view is None:
            return
        prefix = f"{asked.folder}/" if asked.folder else ""
        inside = (path[len(prefix) :] for path in view.snapshot.nodes if path.startswith(prefix))
        own = name_of(asked.path) if asked.path is not None else None
        asked.others = frozenset(name for name in inside if "/" not in name and name != own)
        self._asked = asked
        self._window.show_side("memory")
        at = asked.path if asked.path is not None else asked.folder or None
        name = shown(asked.folder) or view.workspace.name
        chosen = len(text) if asked.is_folder or asked.path is None else len(stem_of(text))
        self._memory.ask_name(
            caption.format(folder=name) if asked.path is None else caption,
            shown(text),
            at=at,
            chosen=chosen,
            below=asked.path is None,
        )

    def _todays(self, folder: DocPath) -> str:
        view = self._session.view
        assert view is not None
        store = view.workspace.store_of(join(folder, "x"))
        log = store.layout.rules.daily_log
        if log is None:
            return ""
        path = join(store.path, log.format(day=view.day.isoformat()))
        return name_of(path) if parent_of(path) == folder and path not in view.snapshot.nodes else ""

    @Slot(str)
    def _judge(self, raw: str) -> None:
        """What is wrong with a name while it is typed, or what other systems would say of it."""
        asked = self._asked
        if asked is None:
            return
        words, is_wrong = rules.warning_of(raw), False
        if raw.strip():
            try:
                words, is_wrong = self._clash(asked, asked.target(raw)) or (words, False)
            except InvalidParameters as error:
                words, is_wrong = _reason(error), True
        self._memory.card.say(words, is_wrong=is_wrong)

    def _clash(self, asked: _Asked, target: DocPath) -> tuple[str, bool] | None:
        other = rules.alike(name_of(target), asked.others) if parent_of(target) == asked.folder else None
        if other is None:
            return None
        return _("There is already “{name}” here.").format(name=shown(other)), True

    @Slot(str)
    def _name(self, raw: str) -> None:
        asked = self._asked
        if asked is None:
            return
        try:
            target = asked.target(raw)
        except InvalidParameters as error:
            self._memory.card.refuse(_reason(error))
            return
        if target == asked.path:
            self._memory.card.give_up()
            return
        self._memory.card.wait()
        if asked.path is not None:
            self.leaving.emit(asked.path)
            deed = partial(rename, asked.path, raw)
        elif asked.is_folder:
            deed = partial(make_folder, target)
        else:
            deed = partial(create, target)
        self._session.change(deed, self._named, self._refuse_name)

    def _named(self, filed: Filed) -> None:
        self._asked = None
        self._memory.card.done()
        self.given.emit(filed)

    def _refuse_name(self, error: MemguiError) -> None:
        self._memory.card.refuse(sentence(error))

    @Slot()
    def _forget_asked(self) -> None:
        self._asked = None


def _reason(error: InvalidParameters) -> str:
    """The reason alone: which name it is about stands above it."""
    head, colon, reason = error.message.partition("': ")
    return reason if colon and head.startswith("invalid path") else error.message
