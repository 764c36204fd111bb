"""Run by hand or in real time: which of the two the law of the day leaves to a house (SP.16, WA.4)."""

from datetime import date

from feltworks import catalog
from feltworks.errors import BadDay
from feltworks.house.profile import profile_on
from feltworks.house.progressive.acts import Act, Contribution, Opening, RoundPlayed
from feltworks.house.progressive.terms import Terms


def check_mode(terms: Terms, act: Act, day: date) -> None:
    """Refuse to open or to play a jackpot by hand once WAC 230-15-671 asks for one that grows in real time.

    What it holds by then can still be counted, adjusted and removed. A round with a winner is refused as
    well: nobody may have wagered in it.
    """
    if isinstance(act, Opening):
        _check_approved(terms, day)
    if not terms.by_hand or not isinstance(act, Opening | Contribution | RoundPlayed):
        return
    profile = profile_on(day, terms.house)
    if not profile.allows_manual_progressive:
        since = profile["progressive-mode"].from_
        raise BadDay(
            day,
            f"from {since} on a jackpot grows with each wager ({profile.cites('WAC 230-15-671')}); "
            "open one with an increment and leave it what this one holds",
        )


def _check_approved(terms: Terms, day: date) -> None:
    """WA.3: no progressive before the letter that approves its game."""
    book = catalog.rulebook(terms.game)
    if book.approval is not None and day < book.approval.date:
        raise BadDay(day, f"the letter that approves {book.title} is of {book.approval.date}")
