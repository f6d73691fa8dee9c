"""The tokens, and what is made from them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QPlainTextEdit
from pytestqt.qtbot import QtBot

from memgui.gui import icons, theme
from memgui.gui.kit.labels import ThemedLabel


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("high_contrast", [False, True], ids=["plain", "high contrast"])
def test_every_pair_of_colours_can_be_told_apart(dark: bool, high_contrast: bool) -> None:
    found = {
        name: round(theme.contrast(front, ground), 2)
        for name, front, ground, least in theme.pairs(theme.tokens(dark=dark, high_contrast=high_contrast))
        if theme.contrast(front, ground) < least
    }
    assert not found


def test_the_contrast_of_known_colours_is_what_the_standard_says() -> None:
    assert theme.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert theme.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_a_pair_too_alike_would_be_noticed() -> None:
    assert theme.contrast("#a0a0a0", "#ffffff") < 3


@pytest.mark.parametrize(("appearance", "dark"), [("light", False), ("dark", True)])
def test_the_palette_takes_the_colours_of_a_forced_appearance(qapp: QApplication, appearance: str, dark: bool) -> None:
    theme.apply(qapp, appearance)
    assert theme.current() == theme.tokens(dark=dark)
    assert qapp.palette().color(QPalette.ColorRole.Base).name() == theme.current().page
    assert qapp.palette().color(QPalette.ColorRole.Text).name() == theme.current().text


@pytest.mark.parametrize("appearance", ["light", "dark"])
def test_what_a_field_is_for_is_written_as_dark_as_other_quiet_text(qapp: QApplication, appearance: str) -> None:
    look = theme.apply(qapp, appearance)
    for field in (QLineEdit(), QPlainTextEdit()):
        field.ensurePolished()
        assert field.palette().color(QPalette.ColorRole.PlaceholderText).name() == look.tokens.muted
    theme.apply(qapp, "light")


def test_the_same_look_twice_tells_nobody(qapp: QApplication, qtbot: object) -> None:
    dress = theme.apply(qapp, "light", 100)
    heard: list[bool] = []

    def hear() -> None:
        heard.append(True)

    dress.changed.connect(hear)
    theme.apply(qapp, "light", 100)
    assert not heard
    theme.apply(qapp, "dark", 100)
    assert heard == [True]
    dress.changed.disconnect(hear)


def test_zoom_scales_text_and_lengths_and_stays_in_bounds(qapp: QApplication) -> None:
    dress = theme.apply(qapp, "light", 100)
    plain = dress.font().pointSizeF()
    theme.apply(qapp, "light", 200)
    assert dress.font().pointSizeF() == pytest.approx(2 * plain)
    assert dress.px(10) == 20
    theme.apply(qapp, "light", 9000)
    assert dress.zoom == theme.LARGEST_ZOOM
    theme.apply(qapp, "light", 100)


def test_the_editor_has_a_font_of_fixed_width(qapp: QApplication) -> None:
    assert theme.theme().mono().fixedPitch()
    assert theme.theme().mono().families()


def test_every_icon_can_be_drawn_and_follows_the_theme(qapp: QApplication) -> None:
    theme.apply(qapp, "light")
    assert len(icons.names()) > 50
    for name in icons.names():
        image = icons.pixmap(name, 20, colour="text").toImage()
        inked = [image.pixelColor(x, y) for x in range(20) for y in range(20) if image.pixelColor(x, y).alpha() > 200]
        assert inked, name
    one = icons.icon("star", "text")
    light = one.pixmap(QSize(20, 20)).toImage()
    theme.apply(qapp, "dark")
    assert one.pixmap(QSize(20, 20)).toImage() != light
    theme.apply(qapp, "light")


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0])
def test_an_icon_is_drawn_at_the_very_size_of_the_screen(qapp: QApplication, ratio: float) -> None:
    drawn = icons.icon("lock").pixmap(QSize(16, 16), ratio)
    assert drawn.size() == QSize(round(16 * ratio), round(16 * ratio))
    assert drawn.devicePixelRatio() == ratio


def test_the_program_has_a_mark(qapp: QApplication) -> None:
    assert not icons.application_icon().pixmap(64, 64).isNull()


def test_a_label_within_a_list_is_written_in_its_own_colour(qtbot: QtBot) -> None:
    view = QListView()
    qtbot.addWidget(view)
    label = ThemedLabel("hidden", view.viewport(), colour="warning")
    assert label.palette().color(label.foregroundRole()) == QColor(theme.current().warning)
