"""Who may post what to a progressive, and which mode the law of the day allows (SP.16, WA.4)."""

from collections.abc import Mapping
from datetime import date
from typing import Final

from feltworks import catalog
from feltworks.errors import BadDay, UnknownName
from feltworks.house.duties import (
    ACCOUNTING,
    CAGE,
    COUNTERS,
    DEALER,
    FLOOR,
    SECURITY,
    SURVEILLANCE,
    Action,
    Duty,
    Role,
    check_action_signatures,
)
from feltworks.house.journal.posting import Voucher
from feltworks.house.law import profile_on
from feltworks.house.progressive.acts import Act, Contribution, Opening, ProgressiveRound
from feltworks.house.progressive.terms import ProgressiveTerms

BY, SECOND = "the first person", "the second person"
_OFFICE: Final[tuple[Role, ...]] = (ACCOUNTING,)
_OTHERS: Final[tuple[Role, ...]] = (FLOOR, CAGE, SECURITY, ACCOUNTING)


def _action(does: str, roles: tuple[Role, ...], seconds: tuple[Role, ...] = _OTHERS) -> Action:
    return Action(does, (Duty(BY, roles), Duty(SECOND, seconds)), "WAC 230-15-685")


# WAC 230-15-685, 230-15-695: two persons sign any change of a prize other than an addition
BY_TWO: Final[Mapping[str, Action]] = {
    "open": _action("open a progressive", _OFFICE),
    # WAC 230-15-320: a large payout is verified by a person who did not pay it
    "round": _action(
        "record a progressive win", (FLOOR, ACCOUNTING), (SECURITY, SURVEILLANCE, CAGE, ACCOUNTING, FLOOR)
    ),
    "day end": _action("count the progressive's box", (ACCOUNTING, CAGE)),
    "withdraw": _action("withdraw from a progressive's bank account", _OFFICE),
    "seizure": _action("post a seizure", _OFFICE),
    "maximum": _action("impose a maximum on a jackpot", _OFFICE),
    "adjust": _action("change a prize", _OFFICE),
    "notice": _action("post the notice of a removal", _OFFICE),
    "remove": _action("take a progressive out of play", _OFFICE),
    "receive": _action("hand on a progressive's prize money", _OFFICE),
}
# A second person may sign these, and must where a prize is lowered
BY_ONE: Final[Mapping[str, Action]] = {
    "seed": _action("add seed to a jackpot", _OFFICE),
    "contribute": _action("post losing progressive wagers", (FLOOR, DEALER, ACCOUNTING)),
    "tally": _action("count a progressive's box alone", COUNTERS),
    "deposit": _action("pay into a progressive's bank account", (ACCOUNTING, CAGE)),
    "deposit test": _action("test a progressive's bank account", _OFFICE),
}
DUTIES: Final[Mapping[str, Action]] = {**BY_TWO, **BY_ONE}


def check_duties(act: str, voucher: Voucher, roles: Mapping[str, str]) -> None:
    """Refuse a posting by a person whose role takes no part in it, or without a required second person.

    >>> from datetime import date
    >>> voucher = Voucher(key="k", day=date(2024, 1, 31), by="ann")
    >>> check_duties("contribute", voucher, {"ann": "cage"})
    Traceback (most recent call last):
    feltworks.errors.NotPermitted: ann (cage) may not post losing progressive wagers as the first person...
    """
    if act not in DUTIES:
        raise UnknownName("act", act, DUTIES)
    people = {BY: voucher.by}
    if voucher.witness is not None:
        people[SECOND] = voucher.witness
    check_action_signatures(DUTIES[act], people, roles, optional=0 if act in BY_TWO else 1)


def check_mode(terms: ProgressiveTerms, act: Act, day: date) -> None:
    """Refuse to open or play a jackpot by hand once WAC 230-15-671 requires one that grows in real time.

    Its money can still be counted, adjusted and removed. A round with a winner is refused as well, since
    no wager was allowed in it.
    """
    if isinstance(act, Opening):
        _check_approved(terms, day)
    if not terms.by_hand or not isinstance(act, Opening | Contribution | ProgressiveRound):
        return
    profile = profile_on(day, terms.house)
    if not profile.allows_manual_progressive:
        since = profile["progressive-mode"].from_
        raise BadDay(
            day,
            f"from {since} on a jackpot grows with each wager ({profile.cites('WAC 230-15-671')}); "
            "open one with an increment and leave it what this one holds",
        )


def _check_approved(terms: ProgressiveTerms, day: date) -> None:
    """WA.3: no progressive before the letter that approves its game."""
    book = catalog.rulebook(terms.game)
    if book.approval is not None and day < book.approval.date:
        raise BadDay(day, f"the letter that approves {book.title} is of {book.approval.date}")
