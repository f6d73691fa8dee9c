"""From an agent's write to the screen: appends, atomic replacements, new files."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from time import perf_counter

from PySide6.QtWidgets import QPlainTextEdit, QTreeView

from tests.bench.measure import (
    News,
    Paints,
    Row,
    application,
    open_document,
    opened,
    part,
    percentile,
    rest,
    row_of,
    settled,
    spread,
    tell,
    until,
)

_WRITES = 30
_DOCUMENT = "memory/2026-11-30.md"


def _append(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    os.write(descriptor, text.encode())
    os.close(descriptor)


def _replace(path: Path, text: str) -> None:
    beside = path.with_suffix(".part")
    beside.write_bytes(path.read_bytes() + text.encode())
    beside.replace(path)


def measure(root: Path) -> list[Row]:
    """The page is open and clean; a write's time ends when its text has been painted."""
    app = application()
    window = opened(root)
    settled(window)
    editor = open_document(window, _DOCUMENT)
    paints = Paints(editor.viewport())
    rows = []
    for name, write in (("append", _append), ("atomic replace", _replace)):
        taken = []
        for number in range(_WRITES):
            rest(0.05)
            token = f"{name} number {number}"
            editor.verticalScrollBar().setValue(editor.verticalScrollBar().maximum())
            deed = partial(write, root / _DOCUMENT, f"- 14:03 {token}\n")
            taken.append(paints.after(deed, partial(_shows, editor, token), token))
        rows.append(_row(f"agent's {name} to screen", taken))
    tree = part(window, QTreeView, "workspaceTree")
    news = News(tree.model())
    taken = [_appears(tree, news, root, f"memory/fresh-{number}.md") for number in range(_WRITES)]
    rows.append(_row("agent's new file to tree", taken))
    for number in range(_WRITES):
        (root / f"memory/fresh-{number}.md").unlink()
    window.close()
    app.quit()
    return rows


def _row(what: str, taken: list[float]) -> Row:
    return Row(f"{what}, p95", percentile(taken, 0.95), "ms", 250.0, "", spread(taken) + " ms")


def _shows(editor: QPlainTextEdit, token: str) -> bool:
    return token in editor.toPlainText()


def _appears(tree: QTreeView, news: News, root: Path, path: str) -> float:
    rest(0.05)
    news.clear()
    begun = perf_counter()
    (root / path).write_text("# New\n", encoding="utf-8")
    # Looking for the row takes time itself, so it is only looked for when the tree has changed.
    until(lambda: news.taken() and _stands(tree, path), path)
    return (perf_counter() - begun) * 1000


def _stands(tree: QTreeView, path: str) -> bool:
    try:
        return row_of(tree, path).isValid()
    except SystemExit:
        return False


if __name__ == "__main__":
    tell(measure(Path(sys.argv[1])))
