"""Passwords: refuses those that are short, common or made of the user's name, and hashes the others."""

from functools import cache
from typing import TYPE_CHECKING, Final

from feltworks.errors import BadOption

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST: Final = 10
LONGEST: Final = 200
_FEWEST_LETTERS: Final = 5  # different characters
# Common passwords; before the comparison, digits and signs around a password are left out and signs that stand
# for letters are replaced by those.
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


@cache
def default_hasher() -> "PasswordHasher":
    """The hasher with its authors' settings; each hash takes 64 MB on purpose."""
    from argon2 import PasswordHasher

    return PasswordHasher()


@cache
def hash_of_nobody(hasher: "PasswordHasher") -> str:
    """A hash to check the password of an unknown name against, so that the check takes as long as any other."""
    return hasher.hash("nobody knows this")


def matches(hasher: "PasswordHasher", secret: str, password: str) -> bool:
    """Whether a password matches a hash."""
    from argon2.exceptions import VerificationError

    try:
        return hasher.verify(secret, password[:LONGEST])
    except VerificationError:
        return False
