"""Words of eight languages and of code, as the index knows them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memgui.search.fold import fold
from memgui.search.words.analysis import LONGEST, asked, spans, words
from memgui.search.words.wanting import holds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getUserById", ["getuserbyid", "get", "user", "by", "id"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("snake_case_key", ["snake_case_key", "snake", "case", "key"]),
        ("POL-358", ["pol-358", "pol", "358"]),
        ("src/a/mod.rs", ["src/a/mod.rs", "src", "a", "mod", "rs"]),
        ("the x of it", ["the", "x", "of", "it"]),
        ("(Café), cafe\u0301!", ["cafe", "cafe"]),
        ("straße STRASSE", ["strasse", "strasse"]),
        ("ＡＢＣ １２", ["abc", "12"]),
        ("Ёлка ёлка", ["елка", "елка"]),
        ("مُحَمَّد", ["محمد"]),
        ("हिन्दी", [fold("हिन्दी")]),
        ("港口船", ["港", "港口", "口", "口船", "船"]),
        ("ｶﾞ", [fold("ガ")]),
        ("서버를", ["서", "서버", "버", "버를", "를"]),
        ("v2港口", ["v2", "港", "港口", "口"]),
        ("🎉 👍🏽", ["🎉", "👍"]),
        ("*** -- …", []),
    ],
)
def test_a_text_has_these_words(text: str, expected: list[str]) -> None:
    assert words(text) == [word if word != fold(word) else fold(word) for word in map(fold, expected)]


LANGUAGES = {
    "The ferry cannot dock until the harbour crane is repaired.": ["harbour crane", "FERRY", "cannot dock"],
    "Der Liegeplatz bleibt wegen des Größenproblems geschlossen.": ["größenproblems", "grossenproblems", "liegeplatz"],
    "Кран в порту всё ещё сломан, паром ждёт.": ["кран", "все еще", "паром ждет"],
    "起重机修好以前，七号泊位一直关闭。": ["起重机", "泊位", "七号泊位"],
    "クレーンの修理が終わるまで、七番バースは閉鎖です。": ["クレーン", "修理", "バース", "ﾊﾞｰｽ"],
    "크레인 수리가 끝날 때까지 칠 번 선석은 닫혀 있습니다.": ["크레인", "수리", "선석"],
    "A grua do porto não funciona; a manutenção começa amanhã.": ["manutencao", "não funciona", "AMANHÃ"],
    "الرافعة في الميناء معطلة حتى إشعار آخر.": ["الرافعة", "الميناء", "اشعار اخر"],
}


@pytest.mark.parametrize(("text", "queries"), LANGUAGES.items())
def test_words_of_eight_languages_are_held_with_and_without_their_marks(text: str, queries: list[str]) -> None:
    inside = frozenset(words(text))
    for query in queries:
        assert asked(query), query
        assert all(holds(inside, piece) for piece in asked(query)), query


@pytest.mark.parametrize(
    ("query", "text", "held"),
    [
        ("getUserById", "get the user by id", True),
        ("user_id", "userId", True),
        ("getuserbyid", "getUserById", True),
        ("http", "HTTPServer", True),
        ("POL-358", "POL 358", True),
        ("POL-358", "POL 359", False),
        ("port", "report", False),
        ("anna@example.org", "mail anna@example.org today", True),
    ],
)
def test_identifiers_are_held_whole_or_in_all_their_parts(query: str, text: str, held: bool) -> None:
    inside = frozenset(words(text))
    assert all(holds(inside, piece) for piece in asked(query)) is held


@given(st.text(max_size=200))
def test_words_never_fail_and_their_places_are_in_the_text(text: str) -> None:
    found = list(spans(text))
    assert [word.text for word in found] == words(text)
    assert all(0 <= word.start < word.end <= len(text) for word in found)
    assert all(len(word.text) <= 18 * LONGEST for word in found)


@given(st.text(alphabet=st.characters(codec="utf-8"), min_size=1, max_size=30))
def test_a_text_holds_what_is_asked_with_its_own_words(text: str) -> None:
    inside = frozenset(words(text))
    assert all(holds(inside, piece) for piece in asked(text))
