"""Every colour of the window by what it says, light and dark, and whether it can be read on what it stands on."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import QColor


class Tokens(NamedTuple):
    """Every colour the window uses, by what it says. A `_bg` is the ground its namesake stands on."""

    dark: bool
    page: str
    """The ground of text that is read and edited."""
    side: str
    """The ground of the panels around it."""
    raised: str
    """The ground of what floats: menus, the palette, tips."""
    text: str
    muted: str
    accent: str
    hairline: str
    """A quiet line between two grounds; it carries no meaning."""
    border: str
    """The edge of a control."""
    focus: str
    hover: str
    pressed: str
    selection: str
    selection_off: str
    """A chosen row while the keyboard is elsewhere."""
    button: str
    button_text: str
    """The one button on a page that is the obvious next step."""
    added: str
    added_bg: str
    removed: str
    removed_bg: str
    warning: str
    warning_bg: str
    error: str
    error_bg: str
    info: str
    info_bg: str
    mark: str
    """The ground of a found word."""
    current_line: str
    code_bg: str
    heading: str
    code: str
    link: str
    quote: str
    marker: str
    """List bullets, fences and other signs of Markdown."""
    comment: str
    key: str
    """The name of a value in front matter."""


_LIGHT = Tokens(
    dark=False,
    page="#ffffff",
    side="#f3f4f6",
    raised="#ffffff",
    text="#1f2328",
    muted="#57606a",
    accent="#0550ae",
    hairline="#dcdfe4",
    border="#848d97",
    focus="#0969da",
    hover="#e7e9ed",
    pressed="#dadde3",
    selection="#b6d7ff",
    selection_off="#dde1e7",
    button="#0a5bc4",
    button_text="#ffffff",
    added="#0f5323",
    added_bg="#dafbe1",
    removed="#82071e",
    removed_bg="#ffebe9",
    warning="#5c4300",
    warning_bg="#fff8c5",
    error="#a40e26",
    error_bg="#ffebe9",
    info="#0a3069",
    info_bg="#ddf4ff",
    mark="#ffe58a",
    current_line="#f5f7fa",
    code_bg="#f1f3f5",
    heading="#0a3069",
    code="#7a2e0e",
    link="#0550ae",
    quote="#4b5560",
    marker="#6639a6",
    comment="#5e6670",
    key="#116329",
)

_DARK = Tokens(
    dark=True,
    page="#1e1f22",
    side="#26282c",
    raised="#2c2e33",
    text="#e6e8eb",
    muted="#a5adb8",
    accent="#79b8ff",
    hairline="#383b41",
    border="#767d86",
    focus="#58a6ff",
    hover="#32353a",
    pressed="#3c4047",
    selection="#254a75",
    selection_off="#3a3e45",
    button="#79b8ff",
    button_text="#10233a",
    added="#8ff0a4",
    added_bg="#12361f",
    removed="#ffb3b8",
    removed_bg="#47151a",
    warning="#ffd866",
    warning_bg="#3d2f00",
    error="#ffb3b8",
    error_bg="#47151a",
    info="#a5d6ff",
    info_bg="#0c2d48",
    mark="#5f4a00",
    current_line="#26282c",
    code_bg="#292b30",
    heading="#a5d6ff",
    code="#f2b28c",
    link="#79b8ff",
    quote="#b3bac4",
    marker="#c9a8ff",
    comment="#9aa3ae",
    key="#8ddb9c",
)


def tokens(*, dark: bool, high_contrast: bool = False) -> Tokens:
    """The colours of one scheme; with high contrast, nothing is grey and every edge is drawn."""
    chosen = _DARK if dark else _LIGHT
    if not high_contrast:
        return chosen
    ink, ground = ("#ffffff", "#000000") if dark else ("#000000", "#ffffff")
    return chosen._replace(
        page=ground,
        side=ground,
        raised=ground,
        text=ink,
        muted=ink,
        hairline=ink,
        border=ink,
        current_line=ground,
    )


def pairs(colours: Tokens) -> tuple[tuple[str, str, str, float], ...]:
    """Every foreground on every ground it is drawn on: (name, foreground, ground, the contrast it must reach)."""
    t = colours
    written = ("text", "muted", "accent", "heading", "code", "link", "quote", "marker", "comment", "key")
    found = [(f"{name} on page", getattr(t, name), t.page, 4.5) for name in written]
    found += [(f"{name} on the current line", getattr(t, name), t.current_line, 4.5) for name in written]
    coloured = ("text", "code", "key", "marker", "comment", "link", "added", "removed")
    found += [(f"{name} on code", getattr(t, name), t.code_bg, 4.5) for name in coloured]
    for ground in ("side", "raised", "hover", "selection", "selection_off", "pressed"):
        found.append((f"text on {ground}", t.text, getattr(t, ground), 4.5))
    for ground in ("side", "raised", "hover", "selection_off"):
        found += [(f"{name} on {ground}", getattr(t, name), getattr(t, ground), 4.5) for name in ("muted", "accent")]
    for name in ("added", "removed", "warning", "error", "info"):
        found.append((f"{name} on its ground", getattr(t, name), getattr(t, f"{name}_bg"), 4.5))
        found += [(f"{name} on {ground}", getattr(t, name), getattr(t, ground), 4.5) for ground in ("page", "side")]
    found += [("text on mark", t.text, t.mark, 4.5), ("text on a button", t.button_text, t.button, 4.5)]
    for ground in ("selection", "selection_off", "hover"):
        found += [
            (f"{name} on {ground}", getattr(t, name), getattr(t, ground), 3.0) for name in ("focus", "error", "warning")
        ]
    for ground in ("page", "side", "raised"):
        found += [(f"{name} on {ground}", getattr(t, name), getattr(t, ground), 3.0) for name in ("focus", "border")]
    return tuple(found)


def contrast(one: str, other: str) -> float:
    """How far two colours lie apart, by WCAG: 1 (the same) to 21 (black on white)."""
    light, dark = sorted((_luminance(QColor(one)), _luminance(QColor(other))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def blend(colour: str, ground: str, amount: float) -> QColor:
    """`colour` with `amount` (0 to 1) of `ground` mixed in."""
    a, b = QColor(colour), QColor(ground)
    return QColor(*(round(x + (y - x) * amount) for x, y in zip(_channels(a), _channels(b), strict=True)))


def _channels(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


def _luminance(colour: QColor) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in _channels(colour))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
