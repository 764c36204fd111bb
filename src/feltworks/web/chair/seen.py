"""The felt as the dealer may see it: hands that are the players' own lie face down until they are shown."""

from typing import Any

from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, Round
from feltworks.rules.steps import Burn, Discard, Say, Tuck
from feltworks.table.events import CardPeeked, CardsDealt, CardsTurned, ChoiceMade, Event, LineSettled
from feltworks.table.wording import dealers_words, hands_of, title
from feltworks.web.chair.felt import Felt
from feltworks.web.chair.practice import Practice
from feltworks.web.looking import codes

Shown = dict[str, Any]


def view(practice: Practice) -> Shown:
    """The table in the words of the wire, as far as it has been dealt."""
    felt, table = practice.felt, practice.table
    seen = practice.game.view(felt.round, None)
    return {
        "game": practice.game.terms.rulebook.name,
        "name": "Practice",
        "round": felt.number,
        "running": not felt.is_over,
        "you": None,
        "stack": None,
        "spots_of_you": [],
        "seats": [_seat(practice, seen, spot) for spot in range(1, table.seating.spots + 1)],
        "dealer": _dealer(practice, seen),
        "board": codes(seen.board),
        "decisions": [],
        "to_act": [],
        "countdown": None,
        "lines": [_line(practice, event) for event in felt.settled],
        "says": felt.says,
        "meters": dict(felt.round.meters),
        "commitment": None,
        "reveal": None,
        "seeded": False,
        "limits": practice.limits,
        "session": None,
        "as_approved": True,
    }


def _seat(practice: Practice, seen: Round, spot: int) -> Shown:
    owner = practice.table.seating.at.get(spot)
    number = next((n for n, seat in enumerate(practice.table.seats) if seat.spot == spot), None)
    if owner is None or number is None:
        return {"spot": spot, "player": None}
    felt, seat = practice.felt, seen.seats[number]
    held = hands_of(practice.game, seen, number)
    paid = [event.paid - event.taken for event in felt.settled if event.seat == number]
    return {
        "spot": spot,
        "player": owner.name,
        "stack": felt.stacks[number],
        "away": False,
        "wagers": dict(seat.wagers),
        "tokes": {},
        "cards": codes(seat.cards),
        "status": seat.choices[-1].name if seat.choices else None,
        "in_round": True,
        "ready": False,
        "net": sum(paid) if felt.is_over else None,
        "hands": [{"cards": codes(hand.faces), "total": _told(practice, hand.words)} for hand in held]
        if len(held) > 1
        else None,
        "total": _told(practice, held[0].words),
        "tucked": felt.tucked.get(number),
        "burned": felt.burned.get(number, []),
        "discarded": number in felt.cleared,
    }


def _told(practice: Practice, words: str) -> str | None:
    """In training a dealer adds up for oneself, until the round is over."""
    return words or None if practice.guided or practice.felt.is_over else None


def _dealer(practice: Practice, seen: Round) -> Shown:
    words = dealers_words(practice.game, seen, 0)
    burned = practice.felt.burned.get(DEALER, [])
    return {"cards": codes(seen.dealer), "total": _told(practice, words), "burned": burned}


def _line(practice: Practice, event: LineSettled) -> Shown:
    line = practice.line_of(event)
    return {
        "spot": event.seat + 1,
        "wager": event.wager,
        "title": title(practice.game.terms, event.wager),
        "part": event.part,
        "wagered": line.wagered,
        "result": line.result,
        "net": line.net,
        "because": line.reason,
        "clause": line.clause,
        "toke": event.toke,
    }


def events_seen(practice: Practice) -> list[Shown]:
    """What was done last, for the eye."""
    return [shown for event in practice.fresh if (shown := _event(practice, event)) is not None]


def _event(practice: Practice, event: Event) -> Shown | None:
    match event:
        case CardsDealt():
            lie_open = event.to < 0 or practice.game.sees(practice.felt.round, None, event.to)
            faces = list(event.faces) if lie_open else [None] * len(event.faces)
            return {"type": "dealt", "to": event.to, "faces": [*faces, *[None] * event.backs]}
        case CardsTurned():
            return {"type": "turned", "at": event.at, "index": event.index, "count": len(event.faces)}
        case CardPeeked():
            return {"type": "peeked", "at": event.at}
        case Say():
            return {"type": "said", "text": event.words}
        case Tuck():
            return {"type": "tucked", "seat": event.seat, "under": event.under}
        case Burn():
            return {"type": "burned", "at": event.at, "index": event.index}
        case Discard():
            return {"type": "discarded", "seat": event.seat}
        case LineSettled():
            taken = {"taken": event.taken, "paid": event.paid}
            return {"type": "settled", "seat": event.seat, "wager": event.wager, **taken}
        case ChoiceMade():
            return {"type": "chosen", "seat": event.seat, "name": event.name, "cents": event.cents}
    return None


def parts_of(game: Game[Any], felt: Felt) -> dict[str, list[str]]:
    """The hands of every seat that has several, by spot."""
    found = {}
    for number in range(len(felt.round.seats)):
        hands = hands_of(game, felt.round, number)
        if len(hands) > 1:
            found[str(number + 1)] = [f"hand {index + 1}" for index in range(len(hands))]
    return found
