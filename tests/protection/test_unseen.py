"""Known cards at games that nobody here has tuned anything for: against every deal of a thin deck."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from math import perm
from pathlib import Path

import pytest
from msgspec.structs import replace

from feltworks import catalog
from feltworks.analysis.question import Question, parse_question
from feltworks.analysis.referee import exact_net
from feltworks.cards import Card, Rank, cards
from feltworks.protection.protect import worth_of
from feltworks.rules.advance import advance
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, Choice, Round, Seat
from feltworks.rules.steps import Decide, Draw, Turn
from tests.conftest import forget_games

Place = tuple[int, int]  # where a card comes to lie, and as which
World = tuple[dict[Place, Card], Fraction]  # the cards as they lie, turned or not, and how likely that is
DECKS = {
    "hole-duel": "Ac 3d 4c 6h 7d 9s Kc",
    "street-poker": "2c 2d 5c 7d Ks Qd Qs",
    "front-and-back": "2c 5d 7c 9d 9c Ks As",
}
FIRST, SECOND, HOLE, HIT, OWN = (BOARD, 1), (BOARD, 2), (DEALER, 1), (DEALER, 2), (0, 1)


@pytest.fixture(autouse=True, scope="module")
def unseen() -> Iterator[None]:
    folders = f"{Path(__file__).with_name('unseen')}:{catalog.examples_folder()}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(catalog.GAME_FOLDERS, folders)
        forget_games()
        yield
    forget_games()


def thin(name: str) -> Question:
    question, kept = parse_question(name, "ante"), cards(DECKS[name])
    return replace(question, exposed=tuple(face for face in question.shoe if face not in kept))


class EveryDeal:
    """Best play of one who knows some cards from the beginning: all that he cannot tell apart is played alike."""

    def __init__(self, question: Question, known: Sequence[Place], group: frozenset[Rank] | None) -> None:
        self._question, self._deck = question, question.shoe.all_cards()
        worlds = defaultdict[tuple[object, ...], list[World]](list)
        for lot in permutations(self._deck, len(known)):
            sight = tuple(card if group is None else card.rank in group for card in lot)
            worlds[sight].append((dict(zip(known, lot, strict=True)), Fraction(1, perm(len(self._deck), len(lot)))))
        opened = Round((Seat(dict(question.stakes)),))
        self.edge = sum((self._worth(opened, some) for some in worlds.values()), Fraction(0)) / question.unit

    def _worth(self, r: Round, worlds: list[World]) -> Fraction:
        step = self._question.game.awaits(r)
        if step is None:
            return sum(map(exact_net, self._question.game.settle(r)), Fraction(0)) * sum(part for _, part in worlds)
        if isinstance(step, Decide):
            ends = [
                Choice(one.name, cents or None, step.about) for one in step.offers for cents in (one.least, one.most)
            ]
            return max(self._worth(advance(r, step, choice), worlds) for choice in ends)
        assert isinstance(step, Draw | Turn)
        place, begin = (step.to, len(r.at(step.to))) if isinstance(step, Draw) else (step.at, step.index)
        slots = [(place, begin + number) for number in range(step.count)]
        worlds = [lot for world in worlds for lot in self._lay(world, slots)]
        if isinstance(step, Draw) and step.down:
            return self._worth(advance(r, step, (FACE_DOWN,) * step.count), worlds)
        turned = defaultdict[tuple[Card, ...], list[World]](list)
        for world in worlds:
            turned[tuple(world[0][slot] for slot in slots)].append(world)
        return sum((self._worth(advance(r, step, faces), some) for faces, some in turned.items()), Fraction(0))

    def _lay(self, world: World, slots: Sequence[Place]) -> Iterator[World]:
        lying, part = world
        empty, left = [slot for slot in slots if slot not in lying], {*self._deck} - {*lying.values()}
        for drawn in permutations(left, len(empty)):
            yield lying | dict(zip(empty, drawn, strict=True)), part / perm(len(left), len(empty))


@pytest.mark.parametrize(
    ("game", "sees", "known", "ranks"),
    [
        ("hole-duel", "dealer", [HOLE], ""),
        ("hole-duel", "hit", [HIT], ""),
        ("hole-duel", "dealer:2", [HOLE, HIT], ""),
        ("hole-duel", "next", [OWN], ""),
        ("hole-duel", "order:2", [OWN, HIT], ""),
        ("hole-duel", "group:A34@next", [OWN], "A34"),
        ("front-and-back", "dealer", [(DEALER, 0)], ""),
        ("front-and-back", "group:JA@dealer", [(DEALER, 0)], "JA"),
        ("street-poker", "next", [FIRST], ""),
        ("street-poker", "board:last", [SECOND], ""),
        ("street-poker", "order:2", [FIRST, SECOND], ""),
        ("street-poker", "group:QK@board:last", [SECOND], "QK"),
    ],
)
def test_a_known_card_is_worth_what_every_deal_brings(game: str, sees: str, known: list[Place], ranks: str) -> None:
    group = frozenset([rank for rank in Rank if rank.letter in ranks]) if ranks else None
    question = thin(game)
    worth = worth_of(question, [sees])
    assert worth.method == "exact"
    assert worth.edge == EveryDeal(question, known, group).edge > worth.baseline
