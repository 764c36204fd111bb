"""Known cards where hands share a board, from a deck so small that the solver is quick."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from feltworks import catalog
from feltworks.analysis.question import Question, parse_question
from feltworks.analysis.solvers.board import solver
from feltworks.analysis.solvers.board.tree import Deal
from feltworks.cards import DECK, Card, Shoe
from feltworks.protection.boards import BoardWorth
from feltworks.protection.flops import Lot
from feltworks.protection.knowledge import Unfit, parse_sights
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


def _lot(dealer: list[int], flop: list[int], later: list[int]) -> Lot:
    """Single cards that are known."""
    free, *marks = (np.zeros(20, np.int64) for _ in range(4))
    for mark, some in zip(marks, (flop, dealer, later), strict=True):
        mark[some] = 1
    return Lot(1 - sum(marks, free), *marks, (len(flop), len(dealer), len(later)))


def _nets(method: BoardWorth, own: list[int], board: list[int], dealer: tuple[int, ...]) -> list[float]:
    """By end what the rules settle, per unit."""
    seat, shared, theirs = (tuple(map(_card, some)) for some in (own, board, dealer))
    ends = method.boards.root.ends()
    return [
        float(sum(line.net for line in method.boards.result(Deal(seat, shared, theirs), end))) / method._question.unit
        for end in ends
    ]


def test_a_deal_that_is_known_whole_brings_what_the_rules_settle(method: BoardWorth) -> None:
    generator = np.random.default_rng(2)
    for _ in range(12):
        cards = generator.permutation(20)[:9].tolist()
        own, board, dealer = cards[:2], cards[2:7], tuple(cards[7:])
        nets = _nets(method, own, board, dealer)
        best, _, _, ways = method._flop(np.array(board[:3]), _lot(list(dealer), board[:3], board[3:]))
        holding = method._alike.holding_of[own[0], own[1]]
        assert ways[holding] == 1
        for row, targets in zip(best, method._options, strict=True):
            reachable = [leaf for target in targets for leaf in method._targets[target]]
            assert row[holding] == pytest.approx(max(nets[leaf] for leaf in reachable))


def test_a_known_card_on_a_flop_is_worth_what_every_deal_settled_by_the_rules_brings(method: BoardWorth) -> None:
    """One card of the dealer's known, and only its group: all boards and hands written out, on one flop."""
    own, flop, known = [0, 5], [10, 11, 18], 13
    group = [known, 2, 7]
    in_group = _lot([], [], [])
    in_group = Lot(in_group.free, in_group.flop, _lot(group, [], []).dealers, in_group.later, (0, 1, 0))
    rest = [card for card in range(20) if card not in (*own, *flop)]
    for lot, held in ((_lot([known], [], []), [known]), (in_group, group)):
        totals, dealt = np.zeros(len(method._targets)), 0
        for later in combinations(rest, 2):
            unseen = [card for card in rest if card not in later]
            hands = [(one, two) for one in held for two in unseen if one in unseen and one != two]
            if not hands or (len(held) == 1 and known in later):
                continue
            nets = np.sum([_nets(method, own, [*flop, *later], hand) for hand in hands], axis=0)
            totals += [max(nets[leaf] for leaf in leaves) for leaves in method._targets]
            dealt += len(hands)
        best, _, _, ways = method._flop(np.array(flop), lot)
        holding = method._alike.holding_of[own[0], own[1]]
        assert ways[holding] == dealt
        expected = [max(totals[target] for target in targets) for targets in method._options]
        assert best[:, holding].tolist() == pytest.approx(expected)


@pytest.mark.parametrize("suits", [(0, 0, 0), (0, 0, 1), (0, 1, 2)])
def test_cards_of_the_dealer_followed_by_classes_bring_what_they_bring_card_by_card(
    method: BoardWorth, suits: tuple[int, ...]
) -> None:
    """Flops of one suit, two and three, with a pair where there can be one."""
    for ranks in ((0, 2, 4), (1, 1, 3)) if len({*suits}) > 1 else ((0, 2, 4),):
        cards = [4 * rank + suit for rank, suit in zip(ranks, (suits[0], *suits[:0:-1]), strict=True)]
        number = int(method._alike.flop_of[tuple(cards)])
        flop = method._alike.flop_cards[number]
        for held in (1, 2):
            best = method.follow_known(number, held)
            sums, classes = np.zeros(best.shape), method.alike_known(held).reshape(-1, len(method._alike.pairs))
            for place, known in enumerate(combinations(range(20), held)):
                if not {*known} & {*flop.tolist()}:
                    brought, _, _, ways = method._flop(flop, _lot([*known], [], []))
                    np.add.at(sums, classes[place][ways > 0], brought.T[ways > 0])
            assert best / float(method._scale) / method._question.unit == pytest.approx(sums)


def test_one_card_of_the_dealer_is_exact_and_within_the_error_of_a_sample(method: BoardWorth) -> None:
    exact, drawn = (method.worth(parse_sights(["dealer"]), samples) for samples in (None, 60))
    assert (exact.method, drawn.method) == ("exact", "sampled")
    assert abs(float(drawn.edge - exact.edge)) < 4 * drawn.standard_error < 0.5


def test_who_knows_nothing_more_gains_nothing_in_any_deal(method: BoardWorth) -> None:
    gains, ways = method._lot_gains(np.random.default_rng(3), _lot([], [], []), 4)
    assert gains == pytest.approx(np.zeros(4), abs=1e-6)
    assert (ways > 0).all()


def test_more_knowledge_is_worth_more(method: BoardWorth) -> None:
    gains = [method.worth(parse_sights(sees), 30).gain for sees in (["dealer"], ["dealer:2"], ["dealer:2", "order:5"])]
    assert 0 < gains[0] < gains[1] < gains[2]


def test_what_a_board_has_not_got_is_refused(method: BoardWorth) -> None:
    for sees in (["dealer:3"], ["order:6"], ["hit"]):
        with pytest.raises(Unfit, match="can be known: dealer, dealer:2"):
            method.worth(parse_sights(sees))
    with pytest.raises(Unfit, match="too few cards"):
        method.worth(parse_sights(["neighbours:6"]))


def test_following_known_cards_reports_progress_from_the_first_boards_on(
    method: BoardWorth, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[float] = []
    monkeypatch.setattr(solver, "_swept", {})  # no sweep is remembered
    again = BoardWorth(method._question, lambda done, total: told.append(done / total))
    again.worth(parse_sights(["dealer:2"]))
    assert told == sorted(told)
    assert 0 < told[0] < 0.01
    assert told[-1] == 1
