"""What a dealer of a game has to say and do at all, found by dealing some rounds."""

from functools import cache
from random import Random
from typing import Final

from msgspec import Struct

from feltworks.rules.steps import Burn, Discard, Say, Tuck
from feltworks.table.events import CardPeeked, CardsDealt, CardsTurned, Event, LineSettled
from feltworks.web.chair.players import name_of, put_wagers_down
from feltworks.web.chair.practice import Practice

_ROUNDS: Final = 150
_VERBS: Final[dict[type, str]] = {
    Say: "say",
    CardsDealt: "deal",
    CardsTurned: "turn",
    CardPeeked: "peek",
    Tuck: "tuck",
    Burn: "burn",
    Discard: "clear",
    LineSettled: "take",
}


class Repertoire(Struct, frozen=True):
    """The announcements and the verbs of a game."""

    phrases: list[str]
    verbs: list[str]


@cache
def repertoire(game: str) -> Repertoire:
    """Every announcement, without what follows "with", and every verb that comes up."""
    practice = Practice(game, 3, guided=True, seed=1)
    table, script, mind = practice.table, practice.script, Random(1)
    seen: list[Event] = []
    for _ in range(_ROUNDS):
        while table.is_running:
            step = table.decisions[0]
            offer, spot = mind.choice(step.offers), step.seat + 1
            table.choose(name_of(spot), spot, offer.name, offer.least, step.about)
        seen += script.events
        script.events.clear()
        put_wagers_down(table, mind)
        table.deal()
    verbs = {_VERBS[type(each)] for each in seen if type(each) in _VERBS}
    said = {each.words.partition(" with ")[0] for each in seen if isinstance(each, Say)}
    ordered = [verb for verb in dict.fromkeys(_VERBS.values()) if verb in verbs]
    return Repertoire(sorted(said, key=_first_words), [*ordered, "pay", "push", "ask"])


def _first_words(phrase: str) -> tuple[bool, str]:
    return phrase != "No more bets", phrase
