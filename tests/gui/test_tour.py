"""The tour: pictures of every main screen, without a display, and without touching anything of the person's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from memgui.domain.errors import ExecutionFailed, WriteFailed
from memgui.gui import stage, tour
from memgui.gui.screens import SCREENS


@pytest.mark.parametrize("name", [screen.name for screen in SCREENS])
def test_every_screen_can_be_rendered(qapp: QApplication, tmp_path: Path, name: str) -> None:
    (path,) = tour.render(tmp_path, only={name}, appearances=("light",))
    picture = QImage(str(path))
    assert path.name.endswith(f"-{name}-light.png")
    assert picture.width() >= 480
    assert picture.height() >= 360
    assert len({picture.pixel(x, y) for x in range(0, picture.width(), 7) for y in range(0, picture.height(), 7)}) > 8


def test_the_dark_picture_is_dark_and_the_light_one_light(qapp: QApplication, tmp_path: Path) -> None:
    light, dark = (QImage(str(path)) for path in tour.render(tmp_path, only={"memory"}))
    assert light.pixelColor(light.width() - 40, 300).lightness() > 200
    assert dark.pixelColor(dark.width() - 40, 300).lightness() < 80


def test_nothing_of_the_persons_is_touched(qapp: QApplication, tmp_path: Path, places: Path) -> None:
    before = dict(os.environ)
    home = Path.home()
    tour.render(tmp_path, only={"welcome", "memory"}, appearances=("light",))
    assert dict(os.environ) == before
    assert not places.exists()
    assert list(home.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_a_sentence(qapp: QApplication, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteFailed, match="cannot be written"):
        tour.render(tmp_path / "file" / "out")


def test_a_screen_that_never_comes_is_a_sentence(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage, "PATIENCE_SECONDS", 0.05)
    never = stage.Stage.__new__(stage.Stage)
    with pytest.raises(ExecutionFailed, match="waited in vain for rain"):
        never.until(lambda: False, "rain")


def test_it_needs_no_display_and_says_nothing_but_the_files(tmp_path: Path) -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    code = (
        "import sys; from pathlib import Path; from memgui.gui import tour;"
        "tour.render(Path(sys.argv[1]), tell=lambda path: print(path.name), only={'preferences'})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.returncode == 0
    assert [line[2:] for line in done.stdout.splitlines()] == ["-preferences-light.png", "-preferences-dark.png"]
