"""Which names look alike, and which passwords are refused: short or common ones, and those made of the user's name."""

import unicodedata
from collections.abc import Iterable
from typing import Final

from feltworks.errors import BadOption

SHORTEST: Final = 10
LONGEST: Final = 200
_FEWEST_LETTERS: Final = 5  # different characters
# What people choose first; digits and signs around it are left out before they are compared, and signs that stand
# for letters are read as those.
_COMMON_WORDS: Final = (
    "password passwort mypassword thepassword letmein welcome qwerty qwertyuiop qwertzuiop qwerty123qwerty "
    "spring summer autumn winter january february september october november december monday friday sunday "
    "hello hunter killer ginger cheese cookie flower sunflower butterfly chocolate liverpool chelsea arsenal "
    "samsung google facebook instagram pokemon naruto minecraft poker vegas lasvegas money lucky feltworks "
    "azertyuiop asdfghjkl zxcvbnm iloveyou sunshine princess football baseball basketball "
    "superman batman dragon monkey shadow master michael jennifer trustno starwars whatever "
    "freedom charlie computer internet administrator admin casino blackjack jackpot changeme manager "
    "secret default guest abcdefghij abcdefghijk login access correcthorsebatterystaple "
)
_COMMON: Final = frozenset(_COMMON_WORDS.split())
_AROUND: Final = "0123456789!?.*#$-_ "
_SIGNS: Final = str.maketrans("@0134$5", "aoieass")
_ROWS: Final = ("01234567890123456789", "98765432109876543210", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop")


# Letters of other alphabets and signs that are read as one of ours
_READ_AS: Final = str.maketrans(
    "I1|0\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0430\u0435\u043e\u0440\u0441\u0443\u0445"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf",
    "lllo" + "ABEKMHOPCTXaeopcyx" + "ABEZHlKMNOPTYXo",
)


def plain_letters(name: str) -> str:
    """A name without what a reader overlooks: one person or table under two such names would pass for two.

    >>> plain_letters("Fl\u00f3 "), plain_letters("FIO"), plain_letters("ann  lee")
    ('flo', 'flo', 'ann lee')
    """
    parts = unicodedata.normalize("NFKD", name)
    bare = "".join("-" if unicodedata.category(sign) == "Pd" else sign for sign in parts if not _is_mark(sign))
    return " ".join(bare.translate(_READ_AS).casefold().split())


def find_like(name: str, names: Iterable[str]) -> str | None:
    """The first of some names that is read like this one."""
    return next((other for other in names if plain_letters(other) == plain_letters(name)), None)


def _is_mark(sign: str) -> bool:
    return unicodedata.combining(sign) > 0 or unicodedata.category(sign) == "Cf"


def check_password(name: str, password: str) -> None:
    """Refuse a password that is easily guessed; the error never quotes it.

    >>> check_password("ann", "password123")
    Traceback (most recent call last):
    feltworks.errors.BadOption: option password cannot be 'what was given'; it takes one that is not common
    """
    if not SHORTEST <= len(password) <= LONGEST or password.casefold() == name.casefold():
        raise _refusal(f"{SHORTEST} to {LONGEST} characters, and not the name itself")
    plain = password.casefold()
    stems = {plain.strip(_AROUND), plain.translate(_SIGNS).strip(_AROUND), plain.strip(_AROUND).translate(_SIGNS)}
    without_name = plain.replace(name.casefold(), "") if len(name) > 1 else plain
    if stems & _COMMON or len(set(plain)) < _FEWEST_LETTERS or any(plain in row for row in _ROWS):
        raise _refusal("one that is not common")
    if name.casefold() in plain and len(without_name) < SHORTEST // 2:
        raise _refusal("one that does not consist of the user's name")


def _refusal(allowed: str) -> BadOption:
    return BadOption("password", "what was given", allowed)
