"""The checkout as the guards see it: its files, and copies of the package with something planted in them."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "memgui"

_SKIPPED = {".git", ".venv", "__pycache__", "build", "dist", "tour", ".hypothesis"}


@cache
def project() -> dict[str, Any]:
    """`pyproject.toml`, read."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def files(top: Path = ROOT, *suffixes: str) -> Iterator[Path]:
    """Every file of the project below `top`, those with one of the suffixes where any are named."""
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if name not in _SKIPPED and not name.endswith("_cache")]
        for name in sorted(names):
            if not suffixes or name.endswith(suffixes):
                yield Path(folder, name)


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a Python file."""
    return ast.parse(path.read_bytes(), str(path))


def copy_with(tmp_path: Path, planted: dict[str, str]) -> Path:
    """A copy of the package's Python files and its configuration, with the planted files laid over it."""
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    for source in files(PACKAGE, ".py"):
        target = tmp_path / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    for name, text in planted.items():
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return tmp_path


def python(code: str, *arguments: str, at: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Runs code in a new Python that finds `memgui` in `at`. Warnings are errors there too."""
    environment = os.environ | {"PYTHONPATH": str(at), "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"}
    command = [sys.executable, "-P", "-W", "error", "-c", code, *arguments]
    return subprocess.run(command, cwd=at, env=environment, capture_output=True, text=True, check=False)
