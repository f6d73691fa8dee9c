"""A key in a document of one megabyte: from the key to the painted page, beside a bare editor."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from tests.bench.measure import (
    Paints,
    Row,
    application,
    open_document,
    opened,
    percentile,
    press,
    rest,
    settled,
    spread,
    tell,
)
from tests.bench.workspace import write_large

_KEYS = 240
_LARGE = "large.md"
_TYPED = "The ferry needs berth two. `code` and *stars* "


def _keys(editor: QPlainTextEdit) -> list[float]:
    paints = Paints(editor.viewport())
    taken = []
    size = editor.document().characterCount()
    editor.setFocus()
    for number in range(_KEYS):
        if number % 40 == 0:
            cursor = QTextCursor(editor.document().findBlock(size * (number // 40) // 6))
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
            editor.setTextCursor(cursor)
            editor.ensureCursorVisible()
            rest(0.1)
        letter = _TYPED[number % len(_TYPED)]
        taken.append(paints.after(partial(press, editor, letter), lambda: True, "the paint"))
    return taken


def measure(root: Path) -> list[Row]:
    """Types at six places of the document."""
    app = application()
    write_large(root / _LARGE)
    bare = QPlainTextEdit()
    bare.resize(900, 700)
    bare.setPlainText((root / _LARGE).read_text(encoding="utf-8"))
    bare.show()
    reference = _keys(bare)
    bare.close()
    window = opened(root)
    settled(window)
    editor = open_document(window, _LARGE)
    rest(1.0)
    taken = _keys(editor)
    window.close()
    app.quit()
    (root / _LARGE).unlink()
    return [
        Row(
            "a key in 1 MB, p95",
            percentile(taken, 0.95),
            "ms",
            8.0,
            f"bare editor {percentile(reference, 0.95):.1f} ms",
            spread(taken) + " ms",
        )
    ]


if __name__ == "__main__":
    tell(measure(Path(sys.argv[1])))
