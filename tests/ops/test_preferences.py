"""The settings of the person are where the faces look for them."""

from __future__ import annotations

from pathlib import Path

from memgui.ops import preferences


def test_what_was_saved_is_loaded(places: Path) -> None:
    before = preferences.load()
    assert before == preferences.Settings()
    preferences.save(preferences.changed(before, zoom=150), known=before)
    assert preferences.load().zoom == 150
    assert (places / "config" / "config.toml").read_text() == "zoom = 150\n"
    assert preferences.load(preferences.Places.find({"MEMGUI_HOME": str(places / "other")})) == preferences.Settings()
