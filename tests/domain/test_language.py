"""English is told from other languages, so that each text comes to the model that knows its language."""

from __future__ import annotations

import pytest

from memgui.domain.language import is_english


@pytest.mark.parametrize(
    "text",
    [
        "We decided to keep SQLite because one writer is enough.",
        "Deployed v1.2.3; crane repaired, berth 4 open again",
        "POL-358 HTTPServer snake_case",
        "- [ ] Rotate logs",
        "",
        "2026-11-30 14:03",
        "Fix the café page",
        "🎉🎉",
    ],
)
def test_english_and_what_has_no_language_is_english(text: str) -> None:
    assert is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Der Kran ist seit gestern kaputt, die Werft kommt am Montag.",
        "Wir haben uns gegen einen eigenen Server entschieden",
        "Größe geprüft",
        "La grue est en panne depuis hier",
        "Hemos decidido no usar un servidor propio",
        "Abbiamo deciso di non usare un altro server",
        "Decidimos não usar um servidor próprio",
        "De kraan is kapot en het schip moet wachten",
        "Zdecydowaliśmy, że nie będzie drugiego serwera",
        "Мы решили оставить одну базу данных",
        "我们决定不用第二个数据库",
        "データベースは一つだけにする",
        "데이터베이스는 하나만 쓴다",
        "قررنا الاحتفاظ بقاعدة بيانات واحدة",
    ],
)
def test_other_languages_are_not(text: str) -> None:
    assert not is_english(text)


def test_code_and_addresses_in_a_text_do_not_decide() -> None:
    assert not is_english("Der Fehler kommt aus `if the value is not the one that we have` in src/the/of/and.py")
