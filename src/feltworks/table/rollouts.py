"""Rounds played on in the mind: unseen cards fall at random, and choices are weighed by such rounds."""

from random import Random
from typing import Any

from feltworks.cards import Card
from feltworks.money import Cents
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Back, Choice, Face, Round, face_up
from feltworks.rules.steps import Chance, Decide, Draw, Peek
from feltworks.rules.wager import Line


def imagined(game: Game[Any], round_: Round, mind: Random, *, care: int = 0) -> tuple[Line, ...]:
    """How a round of one seat may be settled, for all that can be known of it now.

    `care` is how often each later choice is tried before it is made; without it chance makes them.
    """
    lying = (*round_.dealer, *round_.board, *round_.seats[0].cards)
    unseen = list(game.terms.shoe.without(face_up(lying)).all_cards())
    mind.shuffle(unseen)
    while (step := game.awaits(round_)) is not None:
        if isinstance(step, Decide):
            choice = best_choice(game, round_, step, mind, tries=care)
            round_ = advance(round_, step, choice)
        else:
            round_ = advance(round_, step, _fallen(round_, step, unseen))
    return game.settle(round_)


def best_choice(
    game: Game[Any], round_: Round, step: Decide, mind: Random, *, tries: int, care: int = 0
) -> Choice:
    """The choice that nets most in so many imagined rounds."""
    choices = [
        Choice(offer.name, cents, step.about)
        for offer in step.offers
        for cents in sorted({offer.least, offer.most})
    ]
    if not tries:
        return mind.choice(choices)

    def worth(choice: Choice) -> Cents:
        chosen = advance(round_, step, choice)
        settled = [imagined(game, chosen, mind, care=care) for _ in range(tries)]
        return sum(line.net for lines in settled for line in lines if not line.toke)

    return max(choices, key=worth)


def _fallen(round_: Round, step: Chance, unseen: list[Card]) -> tuple[Face, ...]:
    if isinstance(step, Draw):
        return (FACE_DOWN,) * step.count if step.down else tuple(unseen.pop() for _ in range(step.count))
    if isinstance(step, Peek):
        return peek_answer(step, unseen[-1])
    backs = round_.at(step.at)[step.index : step.index + step.count]
    return tuple(_fitting(back, unseen) for back in backs if isinstance(back, Back))


def _fitting(back: Back, unseen: list[Card]) -> Card:
    """A card that may lie under this back."""
    fitting = (number for number in reversed(range(len(unseen))) if unseen[number] not in back.barring)
    return unseen.pop(next(fitting))
