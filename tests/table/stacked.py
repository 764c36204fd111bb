"""A deck stacked in a known order, and what the table tests share: set-up, snapshots, random play."""

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from feltworks import catalog
from feltworks.cards import Card, cards
from feltworks.dealing.shoes import CardSource, Commitment, Reveal, ShoeEmpty, source_for
from feltworks.errors import WagerRefused
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, Choice, Place
from feltworks.rules.steps import Burn, Decide, Discard, Say, Tuck
from feltworks.table.events import (
    CardPeeked,
    CardsDealt,
    CardsTurned,
    ChoiceMade,
    Event,
    LineSettled,
    RoundVoided,
)
from feltworks.table.live import Dealer, drop_boxes
from feltworks.table.log import entries
from feltworks.table.seating import House
from feltworks.table.table import Table

JACKPOT = 1_234_567
# what a table of these games is asked to offer, so that every kind of money is at stake
OPTIONS: dict[str, dict[str, object]] = {
    "spanish-poker": {
        "offers": ["ante", "joker-in-hand", "gran-progressive"],
        "spanish-poker.spots-per-player": 2,
    },
    "acey-deucey-21": {"surrender": "late"},
}


class StackedDeck:
    """A source that deals exactly these cards, the same ones every round."""

    def __init__(self, order: str | Iterable[str]) -> None:
        self._cards = cards(order)
        self._drawn = 0
        self._rounds = 0

    def begin_round(self) -> Commitment:
        self._drawn, self._rounds = 0, self._rounds + 1
        return Commitment("stacked", self._rounds, 0, True, len(self._cards))

    def deal(self, count: int) -> tuple[Card, ...]:
        begin, self._drawn = self._drawn, self._drawn + count
        if self._drawn > len(self._cards):
            raise ShoeEmpty(len(self._cards))
        return self._cards[begin : self._drawn]

    def end_round(self) -> Reveal | None:
        return None

    def restore(self, seed: bytes, commitment: Commitment, drawn: int) -> None:
        self._drawn, self._rounds = drawn, commitment.shoe_number

    @property
    def secret(self) -> str:
        return "00" * 32


def stacked_table(name: str, order: str, **terms: Any) -> Table:
    """A table of that game whose cards are known."""
    game = catalog.game(name, **terms)
    return Table(game, Dealer(StackedDeck(order)), house=House(meters=meters(game)))


def meters(game: Game[Any]) -> dict[str, int]:
    """Every meter the game's wagers may be paid from, with something on it."""
    return dict.fromkeys(drop_boxes(game).values(), JACKPOT)


def opening(game: Game[Any]) -> dict[str, int]:
    """All wagers the table offers."""
    wagers = game.terms.rulebook.wager
    return {name: wagers[name].least if wagers[name].fixed else 1000 for name in wagers if name in game.terms.offers}


def tokes(game: Game[Any]) -> dict[str, int]:
    """A toke wherever one may ride."""
    return {name: 100 for name in opening(game) if game.terms.rulebook.wager[name].tokes}


def full_table(name: str, source: CardSource | None = None, seed: int = 1, stack: int = 100_000) -> Table:
    """Ann on two spots where she may, Bob on one with tokes, everything wagered; nothing dealt yet."""
    game = catalog.game(name, options=OPTIONS.get(name))
    table = Table(game, Dealer(source or source_for(game.terms, seed=seed)), house=House(meters=meters(game)))
    own = (1,) if game.terms.spots_per_player == 1 else (1, 2)
    table.sit("ann", *own, stack=stack)
    table.sit("bob", 4, stack=stack)
    put_down(table)
    return table


def put_down(table: Table) -> None:
    """Everybody wagers everything there is."""
    for player in table.seating.players.values():
        for spot in player.spots:
            table.wager(player.name, spot, opening(table.game), tokes(table.game) if player.name == "bob" else {})


def snapshot(table: Table) -> tuple[object, ...]:
    """All that a refused act must leave as it was."""
    seating = table.seating
    players = [(player.name, player.spots, player.stack) for player in seating.players.values()]
    felt = (dict(seating.down), table.round, table.decisions, tuple(table.lines))
    return players, felt, table.house.copy(), table.rounds, table.is_running, tuple(table.log.lines)


def events(table: Table) -> list[Event]:
    """What the log of the round says, without the opening."""
    return [entry.event for entry in entries(table.log.lines)][1:]


def told(table: Table) -> list[str]:
    """The log of the round in short words, every movement of money by itself."""
    return [short for event in events(table) for short in _told(event)]


def place_name(place: Place) -> str:
    return "dealer" if place == DEALER else f"seat {place + 1}"


def _told(event: Event) -> list[str]:
    if not isinstance(event, LineSettled):
        return [_short(event)]
    whose = f"seat {event.seat + 1} {event.wager}{' toke' if event.toke else ''}"
    moved = {"taken": event.taken, "paid": event.paid, "returned": event.returned}
    return [f"{kind} {whose} {cents}" for kind, cents in moved.items() if cents]


def _short(event: Event) -> str:
    match event:
        case Say(words):
            return f"say {words}"
        case CardsDealt(to, faces, backs):
            return f"deal {place_name(to)} {' '.join(faces) or '?' * backs}"
        case CardsTurned(at, _, faces):
            return f"turn {place_name(at)} {' '.join(faces)}"
        case CardPeeked(_, _, face):
            return f"peek {face or 'no'}"
        case ChoiceMade(seat, name, cents):
            return f"seat {seat + 1} {name} {cents or ''}".strip()
        case Tuck(seat, under):
            return f"tuck seat {seat + 1} under {under}"
        case Burn(at, index):
            return f"burn {place_name(at)} card {index + 1}"
        case Discard(seat):
            return f"discard seat {seat + 1}"
        case RoundVoided(reason):
            return f"void {reason}"
    return str(type(event).__struct_config__.tag)


Chooser = Callable[[Table, Decide], Choice]


def at_random(rng: random.Random) -> Chooser:
    """Any offer, of any size it may have."""

    def chosen(_: Table, step: Decide) -> Choice:
        offer = rng.choice(step.offers)
        return Choice(offer.name, rng.randint(offer.least, offer.most))

    return chosen


def answer(table: Table, step: Decide, choice: Choice) -> None:
    """Let the player whose decision it is say so."""
    seat = table.seats[step.seat]
    table.choose(seat.player, seat.spot, choice.name, choice.cents, step.about)


def finish(table: Table, chooser: Chooser, rng: random.Random, each: Callable[[], object] = lambda: None) -> None:
    """Answer open decisions in any order until the round is over; who cannot pay takes the first offer."""
    each()
    while table.decisions:
        step = rng.choice(table.decisions)
        try:
            answer(table, step, chooser(table, step))
        except WagerRefused:
            answer(table, step, Choice(step.offers[0].name))
        each()


def nets(table: Table) -> Mapping[tuple[int, str], int]:
    """What each wager came to."""
    return {(line.seat, line.wager): line.net for line in table.lines}
