"""The one pill that the key for pills is about, of all that the window shows: the newest of those that wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from memgui.gui.actions import shown_key
from memgui.gui.panels.page.tabs import DocumentTabs
from memgui.gui.window import MainWindow
from memgui.i18n import _

if TYPE_CHECKING:
    from memgui.gui.notices import Notice, Notices
    from memgui.gui.panels.page.page import Page


class PillInFront(QObject):
    """Shows the key on that pill alone, names its deed in the palette, and does it."""

    def __init__(self, window: MainWindow, tabs: DocumentTabs, columns: tuple[Notices, ...], parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._tabs, self._columns = window, tabs, columns
        for column in columns:
            column.changed.connect(self.look)
        tabs.page_made.connect(self._hear_page)
        tabs.page_shown.connect(self.look)
        tabs.page_closed.connect(self.look)
        window.middle_changed.connect(self.look)
        window.frame.side_shown_changed.connect(self.look)
        window.action_chosen.connect(self._do)

    @property
    def pill(self) -> Notice | None:
        """The newest that waits, else the newest that goes by itself."""
        return max(self._shown(), key=lambda pill: (pill.lasting, pill.born), default=None)

    def _shown(self) -> list[Notice]:
        columns = (*self._columns, *(page.notices for page in self._tabs.pages))
        return [pill for column in columns for pill in column.pills if pill.isVisibleTo(self._window)]

    @Slot(object)
    def _hear_page(self, page: Page) -> None:
        page.notices.changed.connect(self.look)

    @Slot()
    def look(self) -> None:
        """Which one it is may be another than before."""
        front, window = self.pill, self._window
        act, dismiss = window.action("notice.act"), window.action("notice.dismiss")
        for pill in self._shown():
            # One that goes by itself could be gone before its key is pressed, which would then be another's.
            pill.show_key(shown_key(act) if pill is front and pill.lasting else "")
        noticed = front is not None and bool(front.deed)
        window.show_context(window.context._replace(noticed=noticed, told=front is not None))
        # A mnemonic sign in the words of a pill would be taken for the menu's.
        deed = front.deed.replace("&", "") if front is not None else ""
        act.setText(_("&Notice: {deed}").format(deed=deed) if deed else _("Do What the &Notice Offers"))
        dismissal = front.dismissal.replace("&", "") if front is not None else ""
        dismiss.setText(_("Notice: {deed}").format(deed=dismissal) if dismissal else _("&Dismiss Notice"))

    @Slot(str)
    def _do(self, name: str) -> None:
        pill = self.pill if name in ("notice.act", "notice.dismiss") else None
        if pill is not None:
            (pill.act if name == "notice.act" else pill.dismiss)()
