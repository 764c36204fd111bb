"""Rollouts: play a round to its end with random unseen cards, and compare choices by the average result."""

from collections.abc import Mapping
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.cards import Card
from feltworks.errors import FeltError
from feltworks.money import Cents
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Back, Choice, Face, Round, face_up
from feltworks.rules.steps import Chance, Decide, Draw, Offer, Peek
from feltworks.rules.wager import Line

if TYPE_CHECKING:  # `table` imports this module
    from feltworks.table.table import Table

_CHIP: Final[Cents] = 5_00
_MOST_CHIPS: Final = 10
_TRIES, _TRIES_LATER = 8, 1  # rollouts for a choice of a simulated player, and for the choices after it


def roll_out(game: Game, round_: Round, random: Random, *, tries: int = 0) -> tuple[Line, ...]:
    """Play a round of one seat to its end with random unseen cards, and settle it.

    `tries` is the number of rollouts for each later choice; with 0 later choices are made at random.
    """
    shown = (*round_.dealer, *round_.board, *round_.seats[0].cards)
    unseen = list(game.terms.shoe.without(face_up(shown)).all_cards())
    random.shuffle(unseen)
    while (step := game.awaits(round_)) is not None:
        if isinstance(step, Decide):
            choice = best_choice(game, round_, step, random, tries=tries)
            round_ = advance(round_, step, choice)
        else:
            round_ = advance(round_, step, _draw_unseen(round_, step, unseen))
    return game.settle(round_)


def best_choice(game: Game, round_: Round, step: Decide, random: Random, *, tries: int, tries_later: int = 0) -> Choice:
    """The choice with the highest net over `tries` rollouts; a random one if `tries` is 0."""
    choices = [
        Choice(offer.name, cents, step.about) for offer in step.offers for cents in sorted({offer.least, offer.most})
    ]
    if not tries:
        return random.choice(choices)

    def worth(choice: Choice) -> Cents:
        chosen = advance(round_, step, choice)
        rollouts = [roll_out(game, chosen, random, tries=tries_later) for _ in range(tries)]
        return sum(line.net for lines in rollouts for line in lines if not line.toke)

    return max(choices, key=worth)


def _draw_unseen(round_: Round, step: Chance, unseen: list[Card]) -> tuple[Face, ...]:
    if isinstance(step, Draw):
        return (FACE_DOWN,) * step.count if step.down else tuple(unseen.pop() for _ in range(step.count))
    if isinstance(step, Peek):
        return peek_answer(step, unseen[-1])
    backs = round_.at(step.at)[step.index : step.index + step.count]
    return tuple(_draw_fitting(back, unseen) for back in backs if isinstance(back, Back))


def _draw_fitting(back: Back, unseen: list[Card]) -> Card:
    """Remove a card that may lie under this back."""
    places = (number for number in reversed(range(len(unseen))) if unseen[number] not in back.barring)
    return unseen.pop(next(places))


class SimulatedPlayer(Struct, frozen=True):
    """A player who wagers some chips, and takes the best choice of a few rollouts."""

    name: str
    mind: Random
    bonus_chance: float = 0.3  # of each wager besides the main wager
    random_chance: float = 0.0  # of a random choice

    def wager(self, table: "Table") -> None:
        """Wager on the first spot: no bonus wagers if the rules refuse them, nothing if they refuse the rest."""
        spot = table.seating.player(self.name).spots[0]
        for chance in (self.bonus_chance, 0.0):
            with suppress(FeltError):
                table.wager(self.name, spot, self._wagers(table, chance))
                return

    def _wagers(self, table: "Table", chance: float) -> Mapping[str, Cents]:
        entries, wagers = table.game.terms.rulebook.wager, {}
        for name, span in table.limits.ranges.items():
            if entries[name].kind == "main" or self.mind.random() < chance:
                wanted = self.mind.randint(1, _MOST_CHIPS) * _CHIP
                most = wanted if span.most is None else min(wanted, span.most)
                wagers[name] = max(span.least, most // span.multiple * span.multiple)
        return wagers

    def choose(self, table: "Table", step: Decide) -> None:
        """Answer a decision from what the seat sees, in whole chips if the player chooses the amount."""
        seen = table.view(self.name).round
        assert seen is not None
        alone = Round((seen.seats[step.seat],), seen.dealer, seen.board, seen.meters)
        one = Decide(0, tuple(map(_in_chips, step.offers)), step.about)
        tries = 0 if self.random_chance and self.mind.random() < self.random_chance else _TRIES
        choice = best_choice(table.game, alone, one, self.mind, tries=tries, tries_later=_TRIES_LATER)
        table.choose(self.name, table.seats[step.seat].spot, choice.name, choice.cents, step.about)


def _in_chips(offer: Offer) -> Offer:
    """The offer in whole chips, at least one, if the player chooses the amount."""
    least = min(max(offer.least, _CHIP), offer.most) if offer.least < offer.most else offer.least
    return replace(offer, least=least)
