"""Known cards where hands share a board, from a deck so small that the solver is quick."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from feltworks import catalog
from feltworks.analysis.documents.request import parse_question
from feltworks.analysis.question import Question
from feltworks.analysis.solvers.board.tree import Deal
from feltworks.cards import DECK, Card, Shoe
from feltworks.protection.boards import BoardWorth
from feltworks.protection.knowledge import parse_sights
from feltworks.protection.worth import Unfit
from tests.conftest import forget_games

LOWEST = 10


class _ShortQuestion(Question, frozen=True):
    """Tens to aces only."""

    @property
    def shoe(self) -> Shoe:
        return Shoe(Counter(card for card in DECK if card.rank >= LOWEST))


@pytest.fixture(scope="module")
def method() -> Iterator[BoardWorth]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(catalog.GAME_FOLDERS, str(catalog.examples_folder()))
        forget_games()
        asked = parse_question("ultimate-holdem", "ante")
        yield BoardWorth(_ShortQuestion(asked.game, "ante"))
    forget_games()


def _card(number: int) -> Card:
    return DECK[4 * (LOWEST - 2) + number]


def test_a_deal_that_is_known_whole_brings_what_the_rules_settle(method: BoardWorth) -> None:
    generator = np.random.default_rng(2)
    ends = list(method.boards.root.ends())
    for _ in range(12):
        cards = generator.permutation(20)[:9]
        own, flop, later, dealer = cards[:2], cards[2:5], cards[5:7], cards[7:]
        seat, board, theirs = (tuple(map(_card, some)) for some in (own, cards[2:7], dealer))
        nets = [
            float(sum(line.net for line in method.boards.result(Deal(seat, board, theirs), end)))
            / method._question.unit
            for end in ends
        ]
        rows = method._flop(own, flop, dealer, np.zeros(0, np.int64), later)
        for (best, _, _), targets in zip(rows, method._options, strict=True):
            reachable = [leaf for target in targets for leaf in method._targets[target]]
            assert best == pytest.approx(max(nets[leaf] for leaf in reachable))


def test_who_knows_nothing_more_gains_nothing_in_any_deal(method: BoardWorth) -> None:
    assert method._gains(np.random.default_rng(3), 20, 0, 0, []) == pytest.approx(np.zeros(20), abs=1e-9)


def test_more_knowledge_is_worth_more(method: BoardWorth) -> None:
    gains = [method.worth(parse_sights(sees), 30).gain for sees in (["dealer"], ["dealer:2"], ["dealer:2", "order:5"])]
    assert 0 < gains[0] < gains[1] < gains[2]


def test_what_a_board_has_not_got_is_refused(method: BoardWorth) -> None:
    for sees in (["dealer:3"], ["order:6"], ["hit"], ["group:QKA@dealer"]):
        with pytest.raises(Unfit, match="can be known: dealer, dealer:2"):
            method.worth(parse_sights(sees))
    with pytest.raises(Unfit, match="too few cards"):
        method.worth(parse_sights(["neighbours:6"]))
