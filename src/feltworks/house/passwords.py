"""Which passwords are refused: short ones, common ones, and those made of the user's own name."""

from typing import Final

from feltworks.errors import BadOption

SHORTEST: Final = 10
LONGEST: Final = 200
_FEWEST_LETTERS: Final = 5  # different characters
# What people choose first; digits and signs at the end are left out before they are compared.
_COMMON_WORDS: Final = (
    "password passwort passw0rd p@ssword p@ssw0rd letmein welcome qwerty qwertyuiop qwertzuiop "
    "azertyuiop asdfghjkl zxcvbnm iloveyou sunshine princess football baseball basketball "
    "superman batman dragon monkey shadow master michael jennifer trustno1 starwars whatever "
    "freedom charlie computer internet administrator admin casino blackjack jackpot changeme "
    "secret default guest abcdefghij abcdefghijk abc123 login access "
)
_COMMON: Final = frozenset(_COMMON_WORDS.split())
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
    stem = plain.rstrip("0123456789!?.*#$-_ ")
    without_name = plain.replace(name.casefold(), "") if len(name) > 1 else plain
    if stem in _COMMON or len(set(plain)) < _FEWEST_LETTERS or any(plain in row for row in _ROWS):
        raise _refusal("one that is not common")
    if name.casefold() in plain and len(without_name) < SHORTEST // 2:
        raise _refusal("one that does not consist of the user's name")


def _refusal(allowed: str) -> BadOption:
    return BadOption("password", "what was given", allowed)
