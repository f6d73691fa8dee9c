"""What memgui stands on: versions in their ranges, licences that fit an MIT program, no reference of None lost."""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import Distribution, distribution
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pytestqt.qtbot import QtBot

from tests.architecture.house import ROOT, project


def _applies(requirement: Requirement) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": ""})


def _declared() -> list[Requirement]:
    return [each for each in map(Requirement, project()["project"]["dependencies"]) if _applies(each)]


def _runtime() -> Iterator[Distribution]:
    """Every package that a person who installs memgui gets."""
    waiting, seen = [each.name for each in _declared()], set()
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name not in seen:
            seen.add(name)
            found = distribution(name)
            yield found
            waiting += [each.name for each in map(Requirement, found.requires or []) if _applies(each)]


# Versions ----------------------------------------------------------------------------------------------------------


def _locked() -> dict[str, list[Requirement]]:
    lines = re.findall(r"^([a-z0-9].*?)\s*\\$", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)
    locked: dict[str, list[Requirement]] = {}
    for requirement in map(Requirement, lines):
        locked.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return locked


def test_the_installed_versions_lie_in_the_ranges() -> None:
    extras = [Requirement(line) for line in project()["project"]["optional-dependencies"]["dev"]]
    for requirement in [*_declared(), *extras]:
        assert requirement.specifier.contains(distribution(requirement.name).version), requirement


def test_the_lock_holds_every_package_once_for_this_python_with_hashes() -> None:
    locked = _locked()
    for found in _runtime():
        fitting = [each for each in locked[canonicalize_name(found.name)] if _applies(each)]
        assert [str(each.specifier) for each in fitting] == [f"=={found.version}"]
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert all("--hash=sha256:" in entry for entry in re.split(r"\n(?=[a-z0-9])", text.strip()))


def test_python_311_is_kept_from_the_qt_that_aborts_it() -> None:
    allowed = [
        each
        for each in map(Requirement, project()["project"]["dependencies"])
        if each.name == "PySide6-Essentials"
        and each.marker
        and each.marker.evaluate({"python_version": "3.11", "python_full_version": "3.11.7"})
    ]
    assert [each.specifier.contains("6.12.0") for each in allowed] == [False]


# Licences ----------------------------------------------------------------------------------------------------------

_FREE = re.compile(r"(MIT|BSD|[23]-Clause BSD|Apache|ISC|PSF|Python Software|MPL|Mozilla|LGPL)\b.*")


def acceptable(stated: list[str], texts: list[str]) -> bool:
    """Whether an MIT program may stand on a package with these statements of licence and these licence texts.

    Of several offered with OR, one is enough. The GPL is refused, unless its text has a linking exception.
    """
    offers = [offer.strip(" ()") for statement in stated for offer in re.split(r"\bOR\b", statement)]
    if any(_FREE.fullmatch(offer) for offer in offers):
        return True
    text = " ".join(" ".join(texts).split())
    return any("linking exception" in offer for offer in offers) and "unlimited permission to link" in text


def _stated(package: Distribution) -> list[str]:
    fields: dict[str, Any] = dict(package.metadata.json)
    lines = [fields.get("license_expression"), fields.get("license")]
    classifiers = [line.rpartition(" :: ")[2] for line in fields.get("classifier", []) if line.startswith("License ::")]
    told = [line for line in lines if line]
    # Some put the whole text there: its first line is its name.
    return [line for line in told if "\n" not in line] or classifiers or [text.splitlines()[0] for text in told]


def _texts(package: Distribution) -> list[str]:
    return [file.read_text() for file in package.files or [] if re.search(r"COPYING|LICEN[CS]E", file.name)]


def test_every_package_that_comes_along_has_a_licence_that_fits() -> None:
    for package in _runtime():
        assert acceptable(_stated(package), _texts(package)), f"{package.name}: {_stated(package)}"


def test_every_package_that_comes_along_is_named_in_the_notice() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8").casefold()
    assert [package.name for package in _runtime() if package.name.casefold().replace("_", "-") not in notice] == []


def test_the_project_states_its_own_licence() -> None:
    assert project()["project"]["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")


@pytest.mark.parametrize(
    ("stated", "texts"),
    [
        (["GPL-3.0-or-later"], []),
        (["GNU General Public License v2 or later (GPLv2+)"], ["unlimited permission to link"]),
        (["GPLv2 with linking exception"], ["the bare GPL"]),
        (["AGPL-3.0-only"], []),
        ([], []),
    ],
)
def test_a_licence_that_does_not_fit_is_refused(stated: list[str], texts: list[str]) -> None:
    assert not acceptable(stated, texts)


# References --------------------------------------------------------------------------------------------------------

_CALLS = 2_000


def lost(call: Callable[[], object]) -> int:
    """How many references of None are gone after many calls. A Python with an immortal None never loses any."""
    before = sys.getrefcount(None)
    for _ in range(_CALLS):
        call()
    return before - sys.getrefcount(None)


def test_qt_keeps_the_references_of_none(qtbot: QtBot) -> None:
    from PySide6.QtWidgets import QWidget

    widget = QWidget()
    qtbot.addWidget(widget)
    assert lost(widget.update) < _CALLS / 10


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal here")
def test_a_call_that_loses_references_of_none_is_found_out() -> None:
    release, keep = ctypes.pythonapi.Py_DecRef, ctypes.pythonapi.Py_IncRef
    for function in (release, keep):
        function.argtypes, function.restype = [ctypes.py_object], None
    gone = lost(lambda: release(None))
    for _ in range(_CALLS):
        keep(None)
    assert gone > _CALLS / 2
