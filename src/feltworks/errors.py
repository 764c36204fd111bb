"""The errors: each stores its fields and forms one sentence from them."""

import reprlib
from collections.abc import Iterable, Sequence

_BRIEF = reprlib.Repr()
_BRIEF.maxstring = _BRIEF.maxother = _BRIEF.maxlong = 40
_MANY = 10  # more names than this are too many to list
_LIKE = 0.7  # in difflib's measure; avoids that "dance" suggests "done"


def brief(value: object) -> str:
    """A value as written, shortened if it is long.

    >>> brief("Qx"), len(brief("x" * 9000)) < 60
    ("'Qx'", True)
    """
    return _BRIEF.repr(value)


def one_of(names: Iterable[object]) -> str:
    """List the allowed values as in a sentence.

    >>> one_of(["fold", "stay", "hit"])
    'fold, stay or hit'
    """
    words = [str(name) for name in names]
    return " or ".join(filter(None, [", ".join(words[:-1]), *words[-1:]])) or "nothing"


class FeltError(Exception):
    """Something was refused; the table, every stack and every file are unchanged.

    >>> import pickle
    >>> error = pickle.loads(pickle.dumps(BadOption("decks", 0, "1 to 8")))
    >>> error.option, str(error)
    ('decks', 'option decks cannot be 0; it takes 1 to 8')
    """

    def __reduce__(self) -> tuple[object, ...]:  # from its fields, as its class does not take the sentence
        return _new_error, (type(self), self.args), vars(self)


def _new_error(kind: type[FeltError], args: tuple[object, ...]) -> FeltError:
    error = kind.__new__(kind)
    error.args = args
    return error


class BadCard(FeltError):
    """A code that is no card."""

    def __init__(self, code: object) -> None:
        self.code = code
        super().__init__(f"{brief(code)} is no card; write the rank A 2-9 T J Q K and the suit c d h s, or Jo")


class ShoeExhausted(FeltError):
    """More copies of a card were requested than the shoe holds."""

    def __init__(self, code: str, held: int) -> None:
        self.code, self.held = code, held
        super().__init__(f"the shoe holds {f'only {held} of' if held else 'no'} card {code}")


class WrongCard(FeltError):
    """A wrong answer to a step."""

    def __init__(self, step: object, answer: object) -> None:
        self.step, self.answer = step, answer
        super().__init__(f"{answer!r} does not answer {step!r}")


class NotOffered(FeltError):
    """A choice that this hand does not have."""

    def __init__(self, seat: int, said: str, offers: Sequence[object], about: str = "") -> None:
        self.seat, self.said, self.offers, self.about = seat, said, tuple(offers), about
        subject = f" for {about}" if about else ""
        allowed = f"allowed: {one_of(offers)}" if offers else "no decision is open there"
        super().__init__(f"seat {seat + 1} may not choose {said}{subject}; {allowed}")


class WagerRefused(FeltError):
    """A wager that cannot be accepted; says which can."""

    def __init__(self, wager: str, cents: object, allowed: str) -> None:
        self.wager, self.cents, self.allowed = wager, cents, allowed
        amount = f" of {brief(cents)}{' cents' if type(cents) is int else ''}"
        super().__init__(f"{wager} wager{amount} refused: {allowed}")


class SpotRefused(FeltError):
    """A player may not play this spot."""


class ImpossibleRound(FeltError):
    """A finished round that cannot have happened."""


class NotNow(FeltError):
    """A valid act at the wrong time: a late wager, a choice out of turn, a second deal."""


def _most_like(name: str, known: Iterable[object]) -> str:
    from difflib import get_close_matches  # imported here, as most commands never need it

    return next(iter(get_close_matches(name, map(str, known), 1, _LIKE)), "")


class UnknownName(FeltError):
    """A game, wager, pay table or option that does not exist; lists those that do, or the most similar of many."""

    def __init__(self, kind: str, name: object, known: Iterable[object], *, of: str = "") -> None:
        self.kind, self.name, self.known = kind, name, tuple(known)
        whose = f"{of} has" if of else "there is"
        like = _most_like(str(name), self.known) if len(self.known) > _MANY else ""
        right = f"did you mean {like}?" if like else f"it may be {one_of(self.known)}"
        super().__init__(f"{whose} no {kind} {brief(name)}; {right}")


class BadOption(FeltError):
    """An option with a value that it does not take."""

    def __init__(self, option: str, value: object, allowed: str) -> None:
        self.option, self.value, self.allowed = option, value, allowed
        super().__init__(f"option {option} cannot be {brief(value)}; it takes {allowed}")


class RulebookError(FeltError):
    """A rulebook that cannot be used; names the file and the key, and other faults found with it."""

    def __init__(self, file: str, key: str, trouble: str, others: Iterable["RulebookError"] = ()) -> None:
        self.file, self.key, self.trouble, self.others = file, key, trouble, tuple(others)
        super().__init__(f"{file}: {key}: {trouble}")


class LogError(FeltError):
    """A round's log that is damaged or cannot be replayed."""


class BadSeed(FeltError):
    """A seed or commitment that does not verify."""


class BadAmount(FeltError):
    """An amount that cannot be posted; says what can."""

    def __init__(self, what: str, cents: object, allowed: str) -> None:
        self.what, self.cents, self.allowed = what, cents, allowed
        amount = f"${cents // 100:,}.{cents % 100:02}" if type(cents) is int and cents >= 0 else brief(cents)
        super().__init__(f"{what} of {amount.removesuffix('.00')} refused: {allowed}")


class BadDay(FeltError):
    """A day that does not fit the books; says which one does."""

    def __init__(self, day: object, allowed: str) -> None:
        self.day, self.allowed = day, allowed
        super().__init__(f"{day} does not fit: {allowed}")


class PostingRefused(FeltError):
    """A posting without something the books require: a reason, a second person, a key of its own."""


class MissingExtra(FeltError):
    """An optional package is not installed; says how to install it."""

    def __init__(self, purpose: str, package: str, extra: str) -> None:
        self.purpose, self.package, self.extra = purpose, package, extra
        super().__init__(f"{purpose} needs {package}; install it with: pip install 'feltworks[{extra}]'")


class StorageTrouble(FeltError):
    """A database that cannot be used: unreachable, busy, or not one of ours."""


class NotPermitted(FeltError):
    """A user whose role does not permit this; says whose role does."""

    def __init__(self, person: str, role: str, action: str, roles: Iterable[str], rule: str = "") -> None:
        self.person, self.role, self.action, self.roles = person, role, action, tuple(roles)
        cites = f" ({rule})" if rule else ""
        super().__init__(f"{person} ({role}) may not {action}; it takes {one_of(self.roles)}{cites}")


class LoginRefused(FeltError):
    """A name and password that do not match, or a locked user."""


class LockedOut(LoginRefused):
    """A user who has to wait after too many wrong passwords."""
