"""Which clause a step of dealing is done by: the dealing events themselves name none."""

from typing import Any, Final

from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, Round
from feltworks.rules.steps import Decide
from feltworks.table.events import CardPeeked, CardsDealt, CardsTurned

# The first of these that the game's rulebook has.
_DEAL: Final = ("FB.17", "SP.23", "AD.7", "LL.1", "BJ.2")
_HIT: Final = ("BJ.4",)
_COMPLETE: Final = ("BJ.5", "FB.18", "SP.23")
_UP_CARD: Final = ("FB.17", "SP.23", "BJ.5")
_PLAYERS_CARD: Final = ("FB.18", "BJ.4")
_CHECK: Final = ("LB.11", "BJ.5")
_DECIDE: Final = ("FB.18", "SP.6", "BJ.2")
_CLOSE: Final = ("FB.16", "SP.6", "AD.6", "LL.1", "LB.1")
_FIRST_TWO: Final = 2


def main_clause(game: Game[Any]) -> str:
    """The clause of the main wager: what a game with nothing better to cite is played by."""
    book = game.terms.rulebook
    return next(entry.clause for entry in book.wager.values() if entry.kind == "main")


def cited(game: Game[Any], wanted: tuple[str, ...]) -> str:
    """The first of these clauses that this game has."""
    known = game.terms.rulebook.clause
    return next((clause for clause in wanted if clause in known), main_clause(game))


def said_by(game: Game[Any], clause: str) -> str:
    """The clause of an announcement."""
    return clause or cited(game, _CLOSE)


def dealt_by(game: Game[Any], r: Round, event: CardsDealt | CardsTurned | CardPeeked) -> str:
    """The clause by which a card is dealt, turned or looked at."""
    if isinstance(event, CardPeeked):
        return cited(game, _CHECK)
    if isinstance(event, CardsTurned):
        if event.at != DEALER:
            return cited(game, _PLAYERS_CARD)
        is_first = not any(r.is_turned(DEALER, index) for index in range(len(r.dealer)))
        return cited(game, _UP_CARD if is_first else _COMPLETE)
    if len(r.dealer) < _FIRST_TWO:
        return cited(game, _DEAL)
    return cited(game, _COMPLETE if event.to == DEALER else _HIT)


def asked_by(game: Game[Any], step: Decide) -> str:
    """The clause by which a seat is asked: that of the wager asked about, or of its turn."""
    about = game.terms.rulebook.wager.get(step.about)
    return about.clause if about else cited(game, _DECIDE)
