"""Colours, fonts and sizes: one set of tokens, light and dark, and all that is made from them (palette, stylesheet)."""

from __future__ import annotations

from functools import cache
from string import Template

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from memgui.gui.theme.tokens import Tokens, blend, contrast, pairs, tokens
from memgui.ops.resources import folder

__all__ = [
    "Theme",
    "Tokens",
    "apply",
    "blend",
    "contrast",
    "current",
    "pairs",
    "palette",
    "stylesheet",
    "theme",
    "tokens",
]

SYSTEM, LIGHT, DARK = "system", "light", "dark"
SMALLEST_ZOOM, LARGEST_ZOOM = 50, 300
_MONOSPACE = (
    "JetBrains Mono",
    "Cascadia Mono",
    "SF Mono",
    "Menlo",
    "Consolas",
    "Fira Code",
    "Source Code Pro",
    "Ubuntu Mono",
    "Noto Sans Mono",
    "DejaVu Sans Mono",
    "Liberation Mono",
    "monospace",
    "Noto Sans Mono CJK SC",
    "Noto Color Emoji",
)


class Theme(QObject):
    """What the running application looks like. `changed` tells that colours or sizes are others than before."""

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.setObjectName("theme")
        self.appearance = SYSTEM
        self.zoom = 100
        self.tokens = tokens(dark=False)
        self._applied: tuple[Tokens, int] | None = None
        self._system_font = QFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont))
        self._system_was_dark = app.palette().color(QPalette.ColorRole.Window).lightness() < 128
        app.styleHints().colorSchemeChanged.connect(self._follow_system)
        app.styleHints().accessibility().contrastPreferenceChanged.connect(self._dress)

    def apply(self, appearance: str, zoom: int) -> None:
        """Dress the application: `system`, `light` or `dark`, at a zoom in percent."""
        self.appearance = appearance if appearance in (LIGHT, DARK) else SYSTEM
        self.zoom = min(max(zoom, SMALLEST_ZOOM), LARGEST_ZOOM)
        hints = QApplication.styleHints()
        if self.appearance == SYSTEM:
            hints.unsetColorScheme()
        else:
            hints.setColorScheme(Qt.ColorScheme.Dark if self.appearance == DARK else Qt.ColorScheme.Light)
        self._dress()

    @Slot()
    def _follow_system(self) -> None:
        if self.appearance == SYSTEM:
            self._dress()

    @Slot()
    def _dress(self) -> None:
        self.tokens = tokens(dark=self._wants_dark(), high_contrast=_system_wants_contrast())
        if self._applied == (self.tokens, self.zoom):
            return
        first = self._applied is None
        self._applied = (self.tokens, self.zoom)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        if first:
            app.setStyle("Fusion")
        app.setFont(self.font())
        app.setPalette(palette(self.tokens))
        # Qt takes four times as long to turn one sheet into another than to take one off and put one on.
        app.setStyleSheet("")
        app.setStyleSheet(stylesheet(self.tokens, self.zoom))
        self.changed.emit()

    def _wants_dark(self) -> bool:
        if self.appearance != SYSTEM:
            return self.appearance == DARK
        scheme = QApplication.styleHints().colorScheme()
        if scheme == Qt.ColorScheme.Unknown:
            return self._system_was_dark
        return scheme == Qt.ColorScheme.Dark

    def px(self, length: float) -> int:
        """A length in pixels at 100 %, at the present zoom; never nothing."""
        return max(1, round(length * self.zoom / 100))

    def font(self, scale: float = 1.0, *, bold: bool = False) -> QFont:
        """The system's font for controls, at the present zoom and a scale of it."""
        font = QFont(self._system_font)
        _resize(font, self._system_font, scale * self.zoom / 100)
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
        return font

    def mono(self, scale: float = 1.0) -> QFont:
        """The font of the editor: the first good fixed-width family there is, with CJK and emoji behind it."""
        font = QFont()
        font.setFamilies(list(_mono_families()))
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setFixedPitch(True)
        _resize(font, self._system_font, scale * 1.1 * self.zoom / 100)
        return font


def theme() -> Theme:
    """The look of the running application; made, undressed, when first asked for."""
    app = QCoreApplication.instance()
    assert isinstance(app, QApplication), "the theme needs a QApplication"
    found = app.findChild(Theme, "theme", Qt.FindChildOption.FindDirectChildrenOnly)
    return found if isinstance(found, Theme) else Theme(app)


def current() -> Tokens:
    """The colours in use now."""
    return theme().tokens


def apply(app: QApplication, appearance: str = SYSTEM, zoom: int = 100) -> Theme:
    """Dress `app` and answer its theme."""
    dress = theme()
    assert dress.parent() is app
    dress.apply(appearance, zoom)
    return dress


def palette(colours: Tokens) -> QPalette:
    """The tokens as Fusion wants them."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    made = QPalette()
    for where, colour in {
        role.Window: colours.side,
        role.WindowText: colours.text,
        role.Base: colours.page,
        role.AlternateBase: colours.side,
        role.Text: colours.text,
        role.PlaceholderText: colours.muted,
        role.Button: colours.side,
        role.ButtonText: colours.text,
        role.BrightText: colours.error,
        role.ToolTipBase: colours.raised,
        role.ToolTipText: colours.text,
        role.Highlight: colours.selection,
        role.HighlightedText: colours.text,
        role.Link: colours.link,
        role.LinkVisited: colours.link,
        role.Accent: colours.focus,
        role.Light: colours.page,
        role.Midlight: colours.hover,
        role.Mid: colours.hairline,
        role.Dark: colours.border,
        role.Shadow: colours.border,
    }.items():
        made.setColor(where, QColor(colour))
    for where in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        made.setColor(group.Disabled, where, blend(colours.muted, colours.side, 0.35))
    return made


def stylesheet(colours: Tokens, zoom: int) -> str:
    """The stylesheet of `resources/themes`, with the tokens and the lengths of a zoom put in."""
    lengths = {f"px{n}": f"{max(1, round(n * zoom / 100))}px" for n in range(1, 65)}
    disabled = blend(colours.muted, colours.side, 0.35).name()
    pictures = folder("themes", "dark" if colours.dark else "light").as_posix()
    words = {name: str(value) for name, value in colours._asdict().items()}
    return Template(_sheet()).substitute(words, disabled=disabled, pictures=pictures, **lengths)


def _resize(font: QFont, base: QFont, scale: float) -> None:
    if base.pointSizeF() > 0:
        font.setPointSizeF(base.pointSizeF() * scale)
    else:
        font.setPixelSize(max(1, round(base.pixelSize() * scale)))


def _system_wants_contrast() -> bool:
    return QApplication.styleHints().accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast


@cache
def _sheet() -> str:
    return folder("themes", "memgui.qss").read_text(encoding="utf-8")


@cache
def _mono_families() -> tuple[str, ...]:
    # A family that is not installed would make Qt guess before it tries the next one.
    installed = set(QFontDatabase.families())
    return tuple(name for name in _MONOSPACE if name in installed or name == "monospace")
