"""What is said of a thing under the pointer, as it is written."""

from __future__ import annotations

import html

from PySide6.QtGui import Qt


def plain(text: str) -> str:
    """The text as a tip that shows it so: a name or a query with angle brackets in it would be taken for markup."""
    return f"<pre>{html.escape(text)}</pre>" if Qt.mightBeRichText(text) else text
