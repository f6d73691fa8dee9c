"""Icons: line drawings of `resources/icons`, drawn in the colours of the theme at the very size asked for."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from memgui.gui.theme import blend, current
from memgui.ops.resources import folder


def icon(name: str, colour: str = "muted") -> QIcon:
    """The icon of that name in a colour of the theme (`muted`, `text`, `accent`, …); it follows the theme."""
    return QIcon(_Engine(name, colour))


def application_icon() -> QIcon:
    """The program's own mark, in its own colours."""
    return QIcon(_Engine("memgui", "text"))


def pixmap(name: str, size: int, ratio: float = 1.0, colour: str = "muted") -> QPixmap:
    """The icon drawn for `size` logical pixels on a screen of that pixel ratio."""
    return _tinted(name, current_colour(colour), size, size, ratio)


def paint(painter: QPainter, name: str, rect: QRect, colour: str = "muted") -> None:
    """Draw the icon into a rectangle of a painter, in a colour of the theme or a `#rrggbb`."""
    device = painter.device()
    ratio = device.devicePixelRatioF() if device is not None else 1.0
    painter.drawPixmap(rect.topLeft(), _tinted(name, current_colour(colour), rect.width(), rect.height(), ratio))


def names() -> tuple[str, ...]:
    """Every icon there is, but for the program's mark."""
    return tuple(sorted(file.stem for file in folder("icons").glob("*.svg") if file.stem != "memgui"))


def current_colour(colour: str) -> str:
    """A token's name as its present colour; a colour stays what it is."""
    return colour if colour.startswith("#") else str(getattr(current(), colour))


class _Engine(QIconEngine):
    """Draws when asked, so that no size is ever stretched and a change of theme needs no new icon."""

    def __init__(self, name: str, colour: str) -> None:
        super().__init__()
        self._name = name
        self._colour = colour

    def clone(self) -> QIconEngine:
        return _Engine(self._name, self._colour)

    def isNull(self) -> bool:
        return False

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:  # noqa: ARG002
        paint(painter, self._name, rect, self._shade(mode))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:  # noqa: ARG002
        return _tinted(self._name, self._shade(mode), size.width(), size.height(), 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:  # noqa: ARG002
        return _tinted(self._name, self._shade(mode), size.width(), size.height(), scale)

    def _shade(self, mode: QIcon.Mode) -> str:
        colours = current()
        if mode == QIcon.Mode.Disabled:
            return blend(colours.muted, colours.side, 0.5).name()
        if mode == QIcon.Mode.Active and self._colour == "muted":
            return colours.text
        return current_colour(self._colour)


def _tinted(name: str, shade: str, width: int, height: int, ratio: float) -> QPixmap:
    key = f"memgui:{name}:{shade}:{width}x{height}@{ratio:g}"
    found = QPixmap()
    if not QPixmapCache.find(key, found):
        found = _rendered(_source(name).replace(b"currentColor", shade.encode()), width * ratio, height * ratio)
        found.setDevicePixelRatio(ratio)
        QPixmapCache.insert(key, found)
    return found


def _rendered(svg: bytes, width: float, height: float) -> QPixmap:
    drawn = QPixmap(max(1, round(width)), max(1, round(height)))
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    side = min(width, height)
    QSvgRenderer(QByteArray(svg)).render(painter, QRectF((width - side) / 2, (height - side) / 2, side, side))
    painter.end()
    return drawn


@cache
def _source(name: str) -> bytes:
    return folder("icons", f"{name}.svg").read_bytes()
