"""The steps that the rules await of the dealer now: in words, by which clause, and what of a move differs."""

import re
from typing import Any, Final

from msgspec import Struct

from feltworks.money import Cents, dollars
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER
from feltworks.rules.steps import Burn, Decide, Discard, Say, Tuck
from feltworks.rules.wager import Line
from feltworks.table.events import CardPeeked, CardsDealt, CardsTurned, LineSettled
from feltworks.table.wording import ordinal, title
from feltworks.web.chair import moves
from feltworks.web.chair.moves import at_of, named

Awaited = CardsDealt | CardsTurned | CardPeeked | Say | Tuck | Burn | Discard | LineSettled | Decide
_COUNTED: Final = ("", "a card", "two cards", "three cards", "four cards", "five cards")


class Expected(Struct, frozen=True):
    """A step that is right now."""

    awaited: Awaited
    words: str  # what the prompt says
    clause: str
    because: str = ""  # why a wager is taken or paid
    line: Line | None = None


def in_words(game: Game[Any], awaited: Awaited) -> str:
    """A step as a prompt says it."""
    if isinstance(awaited, LineSettled):
        return _settled_words(game, awaited)
    match awaited:
        case Say():
            return f"Announce “{awaited.words}”"
        case CardsDealt():
            return _dealt_words(awaited)
        case CardsTurned():
            which = "" if len(awaited.faces) > 1 else f" {ordinal(awaited.index)}"
            cards = "cards" if len(awaited.faces) > 1 else "card"
            return f"Turn over {_whose(at_of(awaited.at))}{which} {cards}"
        case CardPeeked():
            return "Check the hole card"
        case Decide():
            return f"Ask seat {awaited.seat + 1} to decide{_about(game, awaited.about)}"
        case Tuck():
            under = title(game.terms, awaited.under)
            return f"Tuck the hand of seat {awaited.seat + 1} under the {under}"
        case Burn():
            return f"Burn {_whose(at_of(awaited.at))} {ordinal(awaited.index)} card"
        case Discard():
            return f"Clear the hand of seat {awaited.seat + 1} to the discard rack"


def _about(game: Game[Any], about: str) -> str:
    """What is asked about; a seat's first hand needs no words."""
    if about in game.wagers:
        return f" on {title(game.terms, about)}"
    return f" on {about}" if about and about != "hand 1" else ""


def _whose(at: int) -> str:
    return f"{named(at)}’s" if at else "your"


def _dealt_words(event: CardsDealt) -> str:
    count = len(event.faces) + event.backs
    many = _COUNTED[count] if count < len(_COUNTED) else f"{count} cards"
    face = " face down" if event.backs else " face up" if event.to == DEALER else ""
    return f"Deal {many}{face} to {'yourself' if event.to == DEALER else named(at_of(event.to))}"


def _settled_words(game: Game[Any], event: LineSettled) -> str:
    what = f"{title(game.terms, event.wager)} of seat {event.seat + 1}{_of_part(event.part)}"
    verb, cents = settling(event)
    if verb == "push":
        return f"Leave the {what}: a push"
    return f"{'Pay' if verb == 'pay' else 'Take'} {dollars(cents)} on the {what}"


def _of_part(part: str) -> str:
    return f", {part}" if part else ""


def settling(event: LineSettled) -> tuple[str, Cents]:
    """What is done with a wager, and with how much."""
    if event.paid:
        return "pay", event.paid
    return ("take", event.taken) if event.taken else ("push", 0)


def differs(game: Game[Any], expected: Expected, move: moves.Dealing) -> str:
    """What of a move is not what is awaited; nothing where it is right."""
    awaited = expected.awaited
    match awaited, move:
        case Say(), moves.Announce():
            return "" if _is_heard(awaited.words, move.words) else f"“{move.words}” is not what is announced"
        case CardsDealt(), moves.Deal():
            return _deal_differs(awaited, move)
        case CardsTurned(), moves.TurnOver():
            return _place_differs(awaited.at, move.at, "turned over")
        case CardPeeked(), moves.Check():
            return ""
        case Decide(), moves.Ask():
            return _place_differs(awaited.seat, move.seat, "asked")
        case Tuck(), moves.Tucking():
            under = title(game.terms, move.under)
            wrong = "" if awaited.under == move.under else f"the hand does not go under the {under}"
            return _place_differs(awaited.seat, move.seat, "tucked") or wrong
        case Burn(), moves.Burning():
            return _place_differs(awaited.at, move.at, "burned")
        case Discard(), moves.Clear():
            return _place_differs(awaited.seat, move.seat, "cleared")
        case LineSettled(), moves.Take() | moves.Pay() | moves.Leave():
            return _settling_differs(game, awaited, move)
    return _out_of_order(move)


def _out_of_order(move: moves.Dealing) -> str:
    verb = {
        "say": "an announcement",
        "deal": "a card",
        "turn": "turning a card",
        "peek": "looking under the hole card",
        "ask": "a player’s decision",
        "tuck": "tucking a hand",
        "burn": "burning a card",
        "clear": "clearing a hand",
        "take": "taking a wager",
        "pay": "paying a wager",
        "push": "leaving a wager",
    }[str(type(move).__struct_config__.tag)]
    return f"{verb} is not what comes now"


def _deal_differs(event: CardsDealt, move: moves.Deal) -> str:
    if event.to != moves.place_of(move.to):
        return f"{named(move.to)} is not who is dealt to now"
    count = len(event.faces) + event.backs
    if move.count != count:
        return (
            f"{_COUNTED[move.count] if move.count < len(_COUNTED) else move.count} is not what is dealt here"
        )
    if event.to == DEALER and move.down is not None and move.down != bool(event.backs):
        return f"the card does not go face {'down' if move.down else 'up'}"
    return ""


def _place_differs(place: int, at: int, done: str) -> str:
    return "" if at_of(place) == at else f"{named(at)} is not the one to be {done} now"


def _settling_differs(game: Game[Any], event: LineSettled, move: moves.Settling) -> str:
    what = title(game.terms, move.wager)
    if move.seat != event.seat + 1:
        return f"seat {move.seat} is not settled now: from the dealer’s right, hand by hand"
    if (move.wager, move.part) != (event.wager, event.part):
        return f"the {what} is not settled now: losers are taken before winners are paid"
    verb, cents = settling(event)
    said = str(type(move).__struct_config__.tag)
    if said != verb:
        done = {"take": "taken", "pay": "paid", "push": "left as a push"}[said]
        return f"the {what} is not {done}"
    given = 0 if isinstance(move, moves.Leave) else move.cents
    return "" if given == cents else f"{dollars(given)} is not the right amount on the {what}"


_TOKEN: Final = re.compile(r"[a-z0-9]+")


def _is_heard(wanted: str, said: str) -> bool:
    """The beginning of an announcement is enough, if it says every number and is no mere preface."""
    words, given = _TOKEN.findall(wanted.casefold()), _TOKEN.findall(said.casefold())
    short = _TOKEN.findall(wanted.casefold().partition(" with ")[0])
    return given == words[: len(given)] and len(given) >= len(short)
