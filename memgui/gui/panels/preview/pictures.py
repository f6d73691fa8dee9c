"""Pictures of the workspace, decoded with care: few formats, a size that is known before anything is unpacked."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QImage, QImageReader

MOST_BYTES = 16 << 20
MOST_PIXELS = 40_000_000
LARGEST_SIDE = 2_000
"""A larger picture is made smaller as it is read."""

_FORMATS = frozenset({b"png", b"jpeg", b"jpg", b"gif", b"webp", b"bmp"})
"""None of them can name another file. (SVG can.)"""


def decode(data: bytes) -> QImage | None:
    """The picture in these bytes; None where there is none that is safe to show. For any thread."""
    if len(data) > MOST_BYTES:
        return None
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    # By what the bytes are, not by what their name says.
    reader.setDecideFormatFromContent(True)
    if reader.format().data() not in _FORMATS:
        return None
    size = reader.size()
    if not size.isValid() or size.width() * size.height() > MOST_PIXELS or min(size.width(), size.height()) < 2:
        return None
    if max(size.width(), size.height()) > LARGEST_SIDE:
        reader.setScaledSize(size.scaled(LARGEST_SIDE, LARGEST_SIDE, Qt.AspectRatioMode.KeepAspectRatio))
    reader.setAutoTransform(True)
    image = reader.read()
    return None if image.isNull() else image
