"""Rollouts: plays a round to its end with random unseen cards, and compares choices by the average result."""

from random import Random

from feltworks.cards import Card
from feltworks.money import Cents
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Back, Choice, Face, Round, face_up
from feltworks.rules.steps import Chance, Decide, Draw, Peek
from feltworks.rules.wager import Line


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
    """The choice with the highest net over `tries` rollouts; a random one where `tries` is 0."""
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
    """Take a card that may lie under this back."""
    places = (number for number in reversed(range(len(unseen))) if unseen[number] not in back.barring)
    return unseen.pop(next(places))
