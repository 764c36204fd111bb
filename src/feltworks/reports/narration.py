"""A round told as a dealing procedure: each event of the engine's log as a step a dealer carries out."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from feltworks.cards import cards
from feltworks.money import dollars
from feltworks.reports.engine import DealtRound
from feltworks.rules.round import BOARD, DEALER, Face, Place
from feltworks.rules.steps import Burn, Discard, Say, Tuck
from feltworks.rules.terms import Terms
from feltworks.table.events import (
    CardPeeked,
    CardsDealt,
    CardsTurned,
    ChoiceMade,
    Event,
    LineSettled,
    RoundOpened,
)
from feltworks.table.wording import ordinal, sentence, title

_NUMBERS: Final = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}
_PLACES: Final = {DEALER: "the dealer", BOARD: "the board"}


class Told(Struct, frozen=True):
    """One step: who acts, what is done, the cards that show, and the clause that asks for it."""

    actor: str  # dealer or player
    words: str
    faces: tuple[Face, ...] = ()
    clause: str = ""


def told(terms: Terms, dealt: DealtRound) -> list[Told]:
    """The whole round in steps; what is taken and paid of one spot is one step."""
    steps: list[Told] = []
    for is_settling, run in groupby(dealt.events, key=lambda event: isinstance(event, LineSettled)):
        if is_settling:
            steps += _settled(terms, [event for event in run if isinstance(event, LineSettled)])
        else:
            steps += [step for event in run if (step := _told(terms, event))]
    return steps


def _told(terms: Terms, event: Event) -> Told | None:
    if isinstance(event, RoundOpened):
        wagers = "; ".join(f"spot {seat.spot}: {_wagers(terms, seat.wagers)}" for seat in event.seats)
        return Told("player", f"Wagers are put down. {sentence(wagers)}")
    if isinstance(event, Say):
        return Told("dealer", f"Announces: “{sentence(event.words)}”", clause=event.clause)
    if isinstance(event, CardsDealt):
        return _dealt(event)
    if isinstance(event, CardsTurned):
        whose = "the dealer's" if event.at == DEALER else f"{_place(event.at)}'s"
        what = f"{ordinal(event.index)} card" if len(event.faces) == 1 else "cards"
        return Told("dealer", f"Turns {whose} {what}.", cards(event.faces))
    if isinstance(event, CardPeeked):
        found = cards([event.face]) if event.face else ()
        after = "and turns it" if found else "which stays down"
        return Told("dealer", f"Checks the hole card, {after}.", found)
    return _acted(terms, event)


def _acted(terms: Terms, event: Event) -> Told | None:
    if isinstance(event, ChoiceMade):
        about = f" ({title(terms, event.about)})" if event.about in terms.rulebook.wager else ""
        amount = f", {dollars(event.cents)}" if event.cents else ""
        return Told("player", f"Spot {event.seat + 1}: {event.name}{amount}{about}.")
    if isinstance(event, Tuck):
        under = f"under the {title(terms, event.under)}"
        return Told("dealer", f"The cards of spot {event.seat + 1} are tucked {under}.", clause=event.clause)
    if isinstance(event, Burn):
        whose = "the dealer's" if event.at == DEALER else f"{_place(event.at)}'s"
        words = f"Burns {whose} {ordinal(event.index)} card."
        return Told("dealer", words, clause=event.clause)
    if isinstance(event, Discard):
        words = f"Clears the cards of spot {event.seat + 1} to the discard rack."
        return Told("dealer", words, clause=event.clause)
    return None


def _dealt(event: CardsDealt) -> Told:
    number = event.backs or len(event.faces)
    what = f"{_NUMBERS.get(number, str(number))} {'card' if number == 1 else 'cards'}"
    down = " face down" if event.backs else ""
    if event.to == DEALER:
        return Told("dealer", f"Takes {what}{down}.", cards(event.faces))
    return Told("dealer", f"Deals {what}{down} to {_place(event.to)}.", cards(event.faces))


def _settled(terms: Terms, events: Sequence[LineSettled]) -> Iterator[Told]:
    """What lies on one spot is taken, returned and paid together."""
    for seat, lines in groupby(events, key=lambda event: event.seat):
        together = list(lines)
        words = "; ".join(_moved(terms, event) for event in together)
        clauses = ", ".join(dict.fromkeys(event.clause for event in together))
        yield Told("dealer", f"Spot {seat + 1}: {words}.", clause=clauses)


def _moved(terms: Terms, event: LineSettled) -> str:
    name = title(terms, event.wager) + (f", {event.part}" if event.part else "")
    if event.paid:
        source = f" from the {event.meter}" if event.meter else ""
        return f"pays {name} {dollars(event.paid)}{source} ({event.outcome})"
    if event.taken:
        into = f" into the {event.box} box" if event.box else ""
        return f"takes {name} {dollars(event.taken)}{into} ({event.outcome})"
    return f"returns {name} {dollars(event.returned)} ({event.outcome})"


def _wagers(terms: Terms, wagers: object) -> str:
    assert hasattr(wagers, "items")
    return ", ".join(f"{title(terms, name)} {dollars(cents)}" for name, cents in wagers.items())


def _place(place: Place) -> str:
    return _PLACES.get(place, f"spot {place + 1}")
