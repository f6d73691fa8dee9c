"""`memgui` and `python -m memgui`: the window, or a verb of the command line."""

from __future__ import annotations

import sys

from memgui.cli import main as command_line


def main() -> None:
    """Run, and end with the exit code."""
    sys.exit(command_line.main(sys.argv[1:]))


if __name__ == "__main__":
    main()
