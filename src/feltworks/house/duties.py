"""Names, roles, actions and the signatures each action takes: one table for the command line and the browser."""

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from typing import Final, Literal, TypeVar, get_args

from msgspec import Struct

from feltworks.errors import NotPermitted, PostingRefused, UnknownName

Role = Literal[
    "dealer",
    "floor supervisor",
    "cage",
    "security",
    "surveillance",
    "accounting",
    "regulator",
    "administrator",
]
ROLES: Final[tuple[Role, ...]] = get_args(Role)

DEALER: Final = "dealer"
FLOOR: Final = "floor supervisor"
CAGE: Final = "cage"
SECURITY: Final = "security"
SURVEILLANCE: Final = "surveillance"
ACCOUNTING: Final = "accounting"
REGULATOR: Final = "regulator"
ADMINISTRATOR: Final = "administrator"

# The rule if no other applies: nobody can commit and conceal an error. Who signs what is our own setting.
APART: Final = "house rule: separate duties, as WAC 230-15-430 asks"


class Duty(Struct, frozen=True):
    """A signature that an action requires: its position, and the roles that may sign there."""

    position: str
    roles: tuple[Role, ...]


class Action(Struct, frozen=True):
    """An action in the house, the signatures it requires, each by a different person, and the rule that says so."""

    does: str
    duties: tuple[Duty, ...]
    rule: str = APART

    @property
    def positions(self) -> list[str]:
        return [duty.position for duty in self.duties]


def _by(*roles: Role) -> tuple[Duty, ...]:
    return tuple(Duty(role, (role,)) for role in roles)


_INDEPENDENT: Final[tuple[Role, ...]] = tuple(role for role in ROLES if role != REGULATOR)
COUNTERS: Final[tuple[Role, ...]] = (ACCOUNTING, CAGE, SECURITY, FLOOR, DEALER)  # no surveillance staff
_TEAM: Final = tuple(Duty(f"{nth} counter", COUNTERS) for nth in ("first", "second", "third"))
_REVISERS: Final = (Duty(ACCOUNTING, (ACCOUNTING,)), Duty("independent", _INDEPENDENT))


def _two(does: str, recorders: tuple[Role, ...], seconds: tuple[Role, ...], rule: str = APART) -> Action:
    return Action(does, (Duty("recorder", recorders), Duty("second person", seconds)), rule)


ACTIONS: Final[Mapping[str, Action]] = {
    "opener": Action("open a table", _by(FLOOR, DEALER), "WAC 230-15-495"),
    "error": Action("report an error at a table", _by(FLOOR, DEALER, SECURITY), "WAC 230-15-495"),
    "closer": Action("close a table", _by(FLOOR, DEALER), "WAC 230-15-535"),
    "fill": Action("bring a fill", _by(FLOOR, CAGE, SECURITY, DEALER), "WAC 230-15-525"),
    "credit": Action("take a credit", _by(FLOOR, CAGE, SECURITY, DEALER), "WAC 230-15-530"),
    "drop": Action(
        "pull a drop box", (Duty(SECURITY, (SECURITY,)), Duty("gambling", (FLOOR, DEALER))), "WAC 230-15-590"
    ),
    "count": Action("count a drop box", _TEAM, "WAC 230-15-610"),
    "tally": Action("count a box alone", _TEAM[:1], "WAC 230-15-615"),
    "void": Action("void a slip", (Duty(FLOOR, (FLOOR,)), Duty("witness", (CAGE, DEALER, ACCOUNTING)))),
    "wagers": Action("enter the wagers of a table", (Duty("gambling", (FLOOR, DEALER)),)),
    "payout": Action("report a large payout", _by(FLOOR, DEALER)),
    "verification": Action("verify a large payout", _by(SURVEILLANCE), "WAC 230-15-320"),
    # The rule covers player-supported jackpots; applying it to others is our reading
    "deck check": Action("check the deck after a jackpot", _by(FLOOR, SURVEILLANCE), "WAC 230-15-405"),
    # A counted day is locked: accounting and somebody who signed nothing of the box change it together.
    "revise": Action("revise a counted box", _REVISERS),
    "recount": Action("count a revised box again", (*_REVISERS, *_TEAM), "WAC 230-15-610"),
    "closing": Action(
        "close a period",
        (Duty(ACCOUNTING, (ACCOUNTING,)), Duty("second person", (ACCOUNTING, CAGE, ADMINISTRATOR))),
    ),
    "restoration": Action("record that books were restored", _by(ADMINISTRATOR, ACCOUNTING)),
    "revision": Action("look through a revision", (Duty("reviewer", (ACCOUNTING,)),)),
    "notice": Action("notify the commission", (Duty("notifier", (FLOOR, ACCOUNTING)),), "WAC 230-15-495"),
    "tokes": Action("take tokes in", (Duty(DEALER, (DEALER,)), Duty("witness", (FLOOR, SECURITY, CAGE)))),
    "tokes paid": Action("pay tokes out", (Duty(DEALER, (DEALER,)), Duty("witness", (CAGE, ACCOUNTING)))),
    "approval": _two("record an approval", (ACCOUNTING, ADMINISTRATOR, FLOOR), (ACCOUNTING, ADMINISTRATOR)),
    "register": _two(
        "keep the register",
        (FLOOR, CAGE, SECURITY, SURVEILLANCE, ACCOUNTING, ADMINISTRATOR),
        (FLOOR, SECURITY, SURVEILLANCE, ACCOUNTING, ADMINISTRATOR),
    ),
    # The request is signed before the slip is made out; the cage answers it
    "request": _two("ask for a fill or credit", (FLOOR,), (SECURITY,), "WAC 230-15-525, 230-15-530"),
    "answer": _two("answer a request", (FLOOR,), (CAGE,), "WAC 230-15-525, 230-15-530"),
    "custody": _two("sign a box out", (SECURITY,), (FLOOR, DEALER), "WAC 230-15-590"),
    # two departments, so that the cage never counts its own money
    "cage": _two("move or count the money of cage and vault", (CAGE,), (ACCOUNTING, SECURITY, FLOOR)),
    "shutdown": Action("close a table in the browser and void its round", _by(FLOOR)),
    "users": Action("look after users", _by(ADMINISTRATOR)),
    "reading": Action("read the books", (Duty("reader", ROLES),)),
}

# WAC 230-15-475: supervisors, security, surveillance and accounting may not share in tokes
SHARES_TOKES: Final[tuple[Role, ...]] = (DEALER, CAGE)


def action(name: str) -> Action:
    """An action of the house by its name."""
    if name not in ACTIONS:
        raise UnknownName("action", name, ACTIONS)
    return ACTIONS[name]


def may(role: str, name: str) -> bool:
    """Whether a role may take part in an action.

    >>> may("regulator", "reading"), may("regulator", "fill"), may("cage", "fill")
    (True, False, True)
    """
    return any(role in duty.roles for duty in action(name).duties)


# Who may read a journal, by its kind; every role reads the others
_READERS: Final[Mapping[str, tuple[Role, ...]]] = {
    "users": (ADMINISTRATOR, ACCOUNTING, SURVEILLANCE, REGULATOR),
    "logins": (ADMINISTRATOR, SURVEILLANCE, REGULATOR),
    "tokes": (DEALER, CAGE, FLOOR, ACCOUNTING, SURVEILLANCE, REGULATOR),
}


def may_read(role: str, journal_kind: str) -> bool:
    """Whether a role may read journals of this kind.

    >>> may_read("dealer", "logins"), may_read("dealer", "progressive")
    (False, True)
    """
    return role in _READERS.get(journal_kind, ROLES)


def check_reader(person: str, role: str, journal_kind: str) -> None:
    """Refuse a journal to a role that may not read it (WAC 230-15-430)."""
    if not may_read(role, journal_kind):
        raise NotPermitted(person, role, f"read the journal of {journal_kind}", _READERS[journal_kind], APART)


def check_permitted(person: str, role: str, name: str) -> None:
    """Refuse an action to a person whose role has no part in it."""
    if not may(role, name):
        does = action(name)
        roles = dict.fromkeys(role for duty in does.duties for role in duty.roles)
        raise NotPermitted(person, role, does.does, roles, does.rule)


class Signature(Struct, frozen=True):
    """Who signed, in which position, and the role of that person at the time."""

    position: str
    person: str
    role: str


def check_signatures(
    wanted: str | Action, signed: Mapping[str, str], roles: Mapping[str, str], *, optional: int = 0
) -> tuple[Signature, ...]:
    """Check the signatures of an action, given by its name or as a record; the last `optional` may be left out.

    >>> staff = {"Ann": "dealer", "Bo": "floor supervisor"}
    >>> for signature in check_signatures("closer", {"dealer": "Ann", "floor supervisor": "Bo"}, staff):
    ...     signature.person
    'Bo'
    'Ann'
    """
    wanted = action(wanted) if isinstance(wanted, str) else wanted
    for position in signed:
        if position not in wanted.positions:
            raise UnknownName("signature", position, wanted.positions, of=f"to {wanted.does} one")
    needed = wanted.positions[: len(wanted.positions) - optional]
    if missing := [position for position in needed if position not in signed]:
        raise PostingRefused(
            f"to {wanted.does} takes the signature of {' and of '.join(missing)} as well ({wanted.rule})"
        )
    _check_different(wanted, signed)
    return tuple(_signature(wanted, duty, signed, roles) for duty in wanted.duties if duty.position in signed)


def _check_different(wanted: Action, signed: Mapping[str, str]) -> None:
    people = list(signed.values())
    if twice := next((person for person in people if people.count(person) > 1), None):
        places = [position for position, person in signed.items() if person == twice]
        raise PostingRefused(
            f"{twice} signs as {' and as '.join(places)}; to {wanted.does} takes different persons ({wanted.rule})"
        )


def _signature(wanted: Action, duty: Duty, signed: Mapping[str, str], roles: Mapping[str, str]) -> Signature:
    person = signed[duty.position]
    if person not in roles:
        raise UnknownName("user", person, sorted(roles))
    if roles[person] not in duty.roles:
        raise NotPermitted(person, roles[person], f"{wanted.does} as {duty.position}", duty.roles, wanted.rule)
    return Signature(duty.position, person, roles[person])


def known_role(name: str) -> Role:
    """A role by its name; hyphens count as blanks.

    >>> known_role("floor-supervisor")
    'floor supervisor'
    """
    return known_name("role", name, ROLES)


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
