"""A pit for tests: rounds are written on one line, settled, and read back as a word and an amount."""

import json
from typing import Any, NamedTuple

import msgspec

from feltworks import catalog
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import Round
from feltworks.rules.steps import Decide, Gesture, Step
from feltworks.written.record import FinishedRound
from feltworks.written.replay import answer_step, cards_by_place, open_round, read_seats
from feltworks.written.settle import settle_line

Written = dict[str, Any]
Paid = dict[str, tuple[str, int]]


def bacc(held: str, choice: str | None = None, /, **said: Any) -> Written:
    """A Fu Bacc spot: two cards and the hit card, what it chose, and its wagers in cents."""
    first, second, third = held.split()
    return _spot({"cards": [first, second], "third": third, "choice": choice}, said)


def bj(held: str, *hands: str, **said: Any) -> Written:
    """A blackjack spot: its first two cards; where it played on, its hands, such as "5h 6d Tc double"."""
    spot: Written = {"cards": held.split()}
    return _spot(spot | {"hands": [_hand(hand) for hand in hands]} if hands else spot, said)


def _hand(text: str) -> Written:
    words = text.split()
    codes = [word for word in words if word not in ("double", "surrender")]
    return {"cards": codes, "doubled": "double" in words, "surrendered": "surrender" in words}


def _spot(spot: Written, said: dict[str, Any]) -> Written:
    """What is no field of a written seat is a wager: lucky_break=100 puts a dollar on Lucky Break."""
    fields = {
        "raise_": "raise",
        "insurance": "insurance",
        "tokes": "tokes",
        "player": "player",
        "spot": "spot",
    }
    spot |= {fields[name]: value for name, value in said.items() if name in fields}
    return spot | {"wagers": {n.replace("_", "-"): cents for n, cents in said.items() if n not in fields}}


def written(game: str, *spots: Written, dealer: str, **terms: Any) -> Written:
    """A finished round; the dealer's cards are the up card, the hole card, then what follows."""
    up, hole, *rest = dealer.split()
    drawn = {"third": rest[0]} if game == "fu-bacc" else {"draws": rest}
    return {"game": game, "seats": list(spots), "dealer": {"up": up, "hole": hole, **drawn}, **terms}


def sheet(game: str, *spots: Written, dealer: str, **terms: Any) -> Written:
    """The whole answer of `felt settle` to a round that can have happened."""
    answer = settle_line(json.dumps(written(game, *spots, dealer=dealer, **terms)))
    assert "error" not in answer, answer["error"]
    return answer


def settled(game: str, *spots: Written, dealer: str, **terms: Any) -> list[Paid]:
    """How every wager of every spot came out and what it is up; tokes are named so."""
    return [
        {line["wager"] + (" toke" if line.get("toke") else ""): (line["result"], line["net"]) for line in seat["lines"]}
        for seat in sheet(game, *spots, dealer=dealer, **terms)["seats"]
    ]


def paid(game: str, spot: Written, *, dealer: str, **terms: Any) -> Paid:
    """The same for a single spot."""
    return settled(game, spot, dealer=dealer, **terms)[0]


def refused(game: str, *spots: Written, dealer: str, **terms: Any) -> str:
    """The sentence a round that cannot have happened is refused with."""
    answer = settle_line(json.dumps(written(game, *spots, dealer=dealer, **terms)))
    assert "error" in answer, "the round was settled"
    return str(answer["error"])


class Moment(NamedTuple):
    """One step of a round: the felt before and after it, and what the dealer's hands did besides."""

    before: Round
    step: Step
    after: Round
    gestures: list[Gesture]


def walked(game: str, *spots: Written, dealer: str, **terms: Any) -> tuple[Game[Any], list[Moment]]:
    """The table and a written round step by step, in the dealer's order."""
    finished = msgspec.convert(written(game, *spots, dealer=dealer), FinishedRound)
    table = catalog.game(game, **terms)
    seats = read_seats(table, finished)
    lying = cards_by_place(table, finished, seats)
    moments: list[Moment] = []
    r = open_round(table, finished)
    while (step := table.awaits(r)) is not None:
        after = advance(r, step, answer_step(seats, lying, step, r))
        moments.append(Moment(r, step, after, list(table.gestures(r, after, step))))
        r = after
    return table, moments


def decisions(moments: list[Moment]) -> list[tuple[int, str, list[str]]]:
    """Who was asked what, and which answers were open."""
    steps = [moment.step for moment in moments if isinstance(moment.step, Decide)]
    return [(step.seat, step.about, [offer.name for offer in step.offers]) for step in steps]


def lines_at(table: Game[Any], r: Round) -> set[tuple[int, str]]:
    """Which wagers of which seats are decided on this felt."""
    return {(line.seat, line.wager) for line in table.settle(r)}


def gestures(moments: list[Moment]) -> list[Gesture]:
    return [gesture for moment in moments for gesture in moment.gestures]
