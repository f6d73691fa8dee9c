"""Whether a text is English: by its script, its letters, and the small words that every sentence is made of."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+")
_CODE = re.compile(r"`[^`]*`|https?://\S+|\S*[/\\_]\S*")
_MOST_CHARACTERS = 4_000
_LATIN_END = 0x250
_FOREIGN_SHARE = 0.2
_MARKED_SHARE = 0.015


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ENGLISH = _set(
    "the of and to is that it for with as are this be by from have has not but they you your their which will would "
    "can should could when where what who how why than then there here into about after before only every each other "
    "its we our us my he she his her been were had does did do if or at because must may these those them any some "
    "again still never always once until while without through during between under over also"
)
"""Words that hardly any English sentence does without. Those that other languages spell alike are not among them."""

_OTHERS = _set(
    # German, Dutch
    "der das und ist nicht mit ein eine einen einem einer auf für von zu den dem des sich auch wird werden wurde sind "
    "haben hat wir ich sie er es bei nach vor über aus wenn dass als nur noch schon oder aber wie wo wer warum kann "
    "muss soll sollte keine kein mehr immer nie bis durch ohne unter zwischen vom zum zur im "
    "het een van niet met voor zijn wordt ook naar maar deze dat wij "
    # French, Spanish, Portuguese, Italian
    "le la les des est une dans pour que qui sur avec pas plus sont par nous vous ils elle au aux ce cette ces ne se "
    "el los las un una con para por del como pero ha han hemos más este esta está son fue hay muy también cuando donde "
    "sin sobre "
    "os as um uma não em com dos das ao aos pelo pela mais mas foi são isso quando onde sem sobre também você "
    "il lo gli che di del della delle dei è sono per con non una più anche come ma dove quando nel nella questo questa "
    # Swedish, Danish, Norwegian, Polish, Czech, Turkish, Indonesian
    "och att det som är inte med för på av den ett jag vi har kan ska og ikke er af til "
    "nie jest się na z w do że jak to są dla przez po od tak ale lub czy "
    "ve bir bu için ile da de ne çok daha gibi değil var yok "
    "yang dan di untuk dengan tidak ini itu dari ke pada adalah akan"
) - _set("an in was war so am on no me a to do as or ma per over")


def is_english(text: str) -> bool:
    """Whether a text reads as English. What has no words of any language (names, code, numbers) does."""
    prose = _CODE.sub(" ", text[:_MOST_CHARACTERS])
    words: list[str] = _WORD.findall(prose.lower())
    letters = sum(map(len, words))
    if not letters:
        return True
    foreign = sum(ord(character) >= _LATIN_END for word in words for character in word)
    if foreign > letters * _FOREIGN_SHARE:
        return False
    english = sum(word in _ENGLISH for word in words)
    others = sum(word in _OTHERS for word in words)
    if english != others:
        return english > others
    marked = sum("\x7f" < character < chr(_LATIN_END) for word in words for character in word)
    return marked <= letters * _MARKED_SHARE
