"""What a person chose: read the settings, keep them. The faces know `Settings` and `Places` from here."""

from __future__ import annotations

from memgui.config.places import Places
from memgui.config.settings import Settings, changed
from memgui.config.settings import load as _load

__all__ = ["Places", "Settings", "changed", "load", "save"]


def load(places: Places | None = None) -> Settings:
    """The settings; what could not be used is its default, with a sentence in `problems`."""
    return _load((places or Places.find()).settings_file)


def save(settings: Settings, *, known: Settings | None = None, places: Places | None = None) -> None:
    """Keep the settings. `known`: as they were before; only what differs from that is written. Lane: writes."""
    # The TOML that keeps comments takes a while to load, and most programs that read settings never save them.
    from memgui.config.saving import save as _save

    _save((places or Places.find()).settings_file, settings, known=known)
