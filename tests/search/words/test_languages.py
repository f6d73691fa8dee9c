"""Words of many languages, each class on a text of its own: a question in one form finds the note in another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memgui.ops import finding, workspace
from memgui.ops.finder import Finder
from memgui.search.words.stems import SIGN, stem

NOTES = {
    "de.md": "# Hafen\n\nDie Kräne wurden gestern repariert, und die Lieferungen der großen Firmen liegen dort.\n",
    "de-haus.md": "# Quartier\n\nIn den Häusern am Kai wohnen die Lotsen, die nicht gebraucht werden.\n",
    "ru.md": "# Порт\n\nМы решили починить старые краны до зимы и заказали новые двигатели для катеров.\n",
    "ru-letter.md": "# Письмо\n\nКапитан написал о поставках соли и о задержанных платежах нашей компании.\n",
    "zh.md": "# 港口\n\n起重机在七号泊位，需要修理发动机。\n",
    "ja.md": "# 港\n\nクレーンは七番の岸壁にあり、塩の荷揚げは木曜日です。\n",
    "ko.md": "# 항구\n\n크레인은 칠번 부두에서 수리를 기다린다. 소금을 내리는 날은 목요일이다.\n",
    "ar.md": "# الميناء\n\nأصلحت الشركة الرافعة القديمة في المرسى السابع قبل الشتاء.\n",
    "ar-marks.md": "# وثيقة\n\nكُتِبَ في السِّجِلِّ أنّ إبحارَ القافلة تأخّر.\n",
    "fr.md": "# Café\n\nLe café près de l'écluse est fermé; le contremaître a déjà répondu.\n",
    "code.md": "# Code\n\nUse `getUserById` in src/harbour/berth_plan.rs, see POL-358 and HTTPServer v2.4.1.\n",
    "emoji.md": "# Launch\n\nThe crane is back 🎉 and the crew 👩‍💻 wrote about 🏗️ it.\n",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("languages")
    for name, text in NOTES.items():
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def finder(place: Path) -> Iterator[Finder]:
    finder = finding.open(workspace.open(place))
    yield finder
    finder.close()


def found(place: Path, finder: Finder, query: str) -> list[str]:
    ws = workspace.open(place)
    places, _reading = finding.find_places(ws, query, 5, mode=finding.Mode.WORDS, finder=finder)
    return [one.path for one in places]


@pytest.mark.parametrize(
    ("query", "note"),
    [
        # German: plurals with and without a turned vowel, cases, verbs.
        ("Kran", "de.md"),
        ("Kränen", "de.md"),
        ("Lieferung", "de.md"),
        ("große Firma", "de.md"),
        ("Reparierte", "de.md"),
        ("Haus", "de-haus.md"),
        ("Häuser", "de-haus.md"),
        ("Lotse", "de-haus.md"),
        # Russian: cases, numbers, adjectives, verbs.
        ("кран", "ru.md"),
        ("старый кран", "ru.md"),
        ("новый двигатель", "ru.md"),
        ("катера", "ru.md"),
        ("поставка", "ru-letter.md"),
        ("задержанный платёж", "ru-letter.md"),
        ("компания", "ru-letter.md"),
        # Chinese and Japanese: two characters, inside a run without blanks.
        ("泊位", "zh.md"),
        ("修理", "zh.md"),
        ("岸壁", "ja.md"),
        ("荷揚げ", "ja.md"),
        ("クレーン", "ja.md"),
        # Korean: the noun without its particle, or with another.
        ("크레인", "ko.md"),
        ("소금", "ko.md"),
        ("부두", "ko.md"),
        ("목요일", "ko.md"),
        # Arabic: with and without marks, one alef for another.
        ("الرافعة", "ar.md"),
        ("اصلحت", "ar.md"),
        ("كتب", "ar-marks.md"),
        ("السجل", "ar-marks.md"),
        ("ابحار", "ar-marks.md"),
        # Accents, in either spelling.
        ("cafe", "fr.md"),
        ("ecluse", "fr.md"),
        ("contremai\u0302tre", "fr.md"),
        # Identifiers, whole and in part.
        ("getUserById", "code.md"),
        ("user by id", "code.md"),
        ("berth_plan", "code.md"),
        ("POL-358", "code.md"),
        ("http server", "code.md"),
        ("v2.4.1", "code.md"),
        # Emoji.
        ("🎉", "emoji.md"),
        ("👩‍💻", "emoji.md"),
        ("🏗", "emoji.md"),
    ],
)
def test_a_form_finds_the_note_that_holds_another(place: Path, finder: Finder, query: str, note: str) -> None:
    assert found(place, finder, query)[:1] == [note]


@pytest.mark.parametrize("query", ["Kranich", "крановщица", "Hausaufgabe", "zeppelin"])
def test_what_only_begins_alike_is_no_form(place: Path, finder: Finder, query: str) -> None:
    assert found(place, finder, query) == []


def test_a_found_form_is_marked(place: Path, finder: Finder) -> None:
    ws = workspace.open(place)
    places, _reading = finding.find_places(ws, "старый кран", 1, mode=finding.Mode.WORDS, finder=finder)
    hit = places[0].hit
    assert [hit.content[start:end] for start, end in hit.marks] == ["старые", "краны"]


@pytest.mark.parametrize(
    "word", ["", "ab", "x" * 41, "berth7", "中文字符", "ÀÉÎ\u0301", "12345", "\u0301\u0301\u0301\u0301"]
)
def test_what_has_no_forms_has_no_stem_and_nothing_raises(word: str) -> None:
    assert stem(word) in ("", SIGN + stem(word)[1:])


def test_english_is_left_as_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "en.md").write_text("# Notes\n\nThe old cranes are in the harbour and they were repaired.\n")
    ws = workspace.open(tmp_path)
    places, _reading = finding.find_places(ws, "cranes", mode=finding.Mode.WORDS)
    assert len(places) == 1
    nothing, _reading = finding.find_places(ws, "craner", mode=finding.Mode.WORDS)
    assert not nothing
