"""memgui: the desktop program in which a person curates the Markdown memory of AI agents."""

__version__ = "0.1.0"
