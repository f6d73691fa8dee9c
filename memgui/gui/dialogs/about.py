"""About: what this is, which version, under which licence. Not modal."""

from __future__ import annotations

import platform

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QWidget

from memgui import __version__
from memgui.gui import icons
from memgui.gui.kit.labels import ThemedLabel
from memgui.gui.kit.layout import column
from memgui.gui.theme import theme
from memgui.i18n import _


class AboutDialog(QDialog):
    """The program's mark, name and version, in words that can be copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("about")
        self.setAccessibleName(_("About memgui"))
        self.setWindowTitle(_("About memgui"))
        self.setModal(False)
        mark = QLabel(self)
        mark.setPixmap(icons.application_icon().pixmap(theme().px(72), theme().px(72)))
        version = ThemedLabel(_version(), self, colour="muted")
        version.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        close = QPushButton(_("Close"), self)
        close.setObjectName("aboutClose")
        close.setAccessibleName(_("Close"))
        close.clicked.connect(self.close)
        words = _("Curate the memory your agents keep as Markdown files.")
        licence = _("Free software under the MIT licence. It comes without any warranty.")
        box = column(self, margins=(36, 28, 36, 20), gap=8)
        for widget in (
            mark,
            ThemedLabel("memgui", self, scale=1.7, bold=True),
            ThemedLabel(words, self),
            version,
            ThemedLabel(licence, self, colour="muted", scale=0.92),
        ):
            box.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        box.addSpacing(12)
        box.addWidget(close, 0, Qt.AlignmentFlag.AlignHCenter)


def _version() -> str:
    return f"memgui {__version__}  ·  Qt {qVersion()}  ·  Python {platform.python_version()}"
