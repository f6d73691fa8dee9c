"""Room `i18n`. Owns: the translation of sentences (`_`).

May import: the standard library. Must not: import any other room.
"""

from __future__ import annotations

import gettext as _gettext

_translations: _gettext.NullTranslations = _gettext.NullTranslations()


def _(message: str) -> str:
    """The sentence in the person's language; as written where there is no translation."""
    return _translations.gettext(message)


def ngettext(singular: str, plural: str, count: int) -> str:
    """The sentence in the right number for `count`; the caller puts the number in."""
    return _translations.ngettext(singular, plural, count)
