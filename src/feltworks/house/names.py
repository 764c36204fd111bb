"""Finds names that look alike: two persons, tables or progressives may not have such names."""

import unicodedata
from collections.abc import Collection, Iterable
from typing import Final, TypeVar

from feltworks.errors import UnknownName

_Name = TypeVar("_Name", bound=str)
# Letters of other alphabets and signs that look like one of ours
_READ_AS: Final = str.maketrans(
    "I1|0\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0430\u0435\u043e\u0440\u0441\u0443\u0445"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf",
    "lllo" + "ABEKMHOPCTXaeopcyx" + "ABEZHlKMNOPTYXo",
)


def plain_letters(name: str) -> str:
    """A name reduced to what a reader notices, so that one person or table cannot pass for two.

    >>> plain_letters("Fl\u00f3 "), plain_letters("FIO"), plain_letters("ann  lee")
    ('flo', 'flo', 'ann lee')
    """
    parts = unicodedata.normalize("NFKD", name)
    bare = "".join("-" if unicodedata.category(sign) == "Pd" else sign for sign in parts if not _is_mark(sign))
    return " ".join(bare.translate(_READ_AS).casefold().split())


def find_like(name: str, names: Iterable[str]) -> str | None:
    """The first of some names that looks like this one."""
    return next((other for other in names if plain_letters(other) == plain_letters(name)), None)


def known_name(what: str, text: str, known: Collection[_Name]) -> _Name:
    """One of some names, such as roles; hyphens count as blanks."""
    for name in known:
        if name == text.replace("-", " "):
            return name
    raise UnknownName(what, text, known)


def _is_mark(sign: str) -> bool:
    return unicodedata.combining(sign) > 0 or unicodedata.category(sign) == "Cf"
