"""Spanish Poker's kernel against the ranking, the rules and the analysis."""

from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question
from feltworks.analysis.showdown.solver import showdown
from feltworks.analysis.strategy.practical import practical_strategies
from feltworks.cards import cards
from feltworks.errors import FeltError
from feltworks.games.spanish_poker import SpanishPoker
from feltworks.machine.streams import Stream
from feltworks.simulation.kernel import kernel_for
from feltworks.simulation.kernels.poker_hands import BY_CARDS, SPAN, VALUE_BITS, hand_number, hand_tables
from feltworks.simulation.kernels.poker_strategy import raising_hands
from feltworks.simulation.plan import Plan, Strategy
from tests.simulation.stacked_stream import StackedStream
from tests.simulation.twin import check_twin, settled_by_rules

ANTE = {"ante": 500}
SIXES = Strategy(
    "sixes.json",
    {"rules": [{"choice": "raise", "if": {"hand": {"from": "6c 6d 4h 3s 2c"}}}, {"choice": "fold"}]},
)
PROGRESSIVE = {"offers": ["ante", "dos-pares", "gran-progressive"]}


def spanish(**options: object) -> SpanishPoker:
    game = catalog.game("spanish-poker", options=options)
    assert isinstance(game, SpanishPoker)
    return game


def plan(*seats: dict[str, int], **more: Any) -> Plan:
    return Plan("spanish-poker", seats or (ANTE,), **more)


@pytest.mark.clause("SP.2", "SP.3", "SP.4", "SP.5", "SP.26")
@pytest.mark.parametrize("wheel", [False, True])
def test_the_tables_rank_every_kind_of_hand_as_the_rules_do(wheel: bool) -> None:
    """The first and the last of all hands that are looked up in one place."""
    game = spanish(wheel=wheel)
    tables = hand_tables(game.terms.shoe, game.ranking)
    played = tables.played(np.zeros(len(tables.classes), np.bool_))
    every = np.array(list(combinations(range(41), 5)))
    suited = np.bitwise_and.reduce(tables.suits[every], axis=1) > 0
    places = tables.weights[every].sum(axis=1, dtype=np.int64) + SPAN * suited
    ends = [np.unique(places[::step], return_index=True)[1] for step in (1, -1)]
    for hand in [*ends[0].tolist(), *(len(every) - 1 - ends[1]).tolist()]:
        value = tables.classes.values[played[places[hand]] & ((1 << VALUE_BITS) - 1)]
        assert value.strength == game.ranking.value([tables.faces[card] for card in every[hand]]).strength


def test_hands_that_suits_decide_raise_by_their_very_cards() -> None:
    game = spanish()
    solved, tables = showdown(game), hand_tables(game.terms.shoe, game.ranking)
    raises = raising_hands(game, tables.classes, ANTE, Strategy())
    by_cards, classes = tables.by_cards(raises), tables.classes
    unclear = set((tables.sums[tables.played(raises)[tables.sums] >> VALUE_BITS & 3 == BY_CARDS]).tolist())
    rows = [row for row in range(len(classes)) if tables.sums[classes.kind[row]] in unclear][::40]
    choices = set()
    for row in rows:
        best = solved.decision(classes.cards(row)).best
        choices.add(best)
        for hand in classes.faces_of(row):
            number = hand_number(sorted(tables.faces.index(face) for face in hand))
            assert by_cards[number] == (best == "raise" and not classes.is_suited[row])
    assert choices == {"fold", "raise"}


def test_a_written_strategy_is_settled_as_at_the_table() -> None:
    check_twin(plan(ANTE, {**ANTE, "dos-pares": 100}, strategy=SIXES), rounds=1_000)


ROYALS = [f"7{suit} J{suit} Q{suit} K{suit} A{suit}" for suit in "cdhs"]
CINCOS, NO_WINNER, HOUSE = "2c 2d 2h 2s Jo", "3c 3d 3h 4d 5h", "3s 4h 5s 6d 6h"


@pytest.mark.clause("SP.13", "SP.14")
@pytest.mark.parametrize("without", [None, 0, 1])
@pytest.mark.parametrize("royals", range(5))
@pytest.mark.parametrize("cincos", [True, False])
def test_winners_of_one_round_share_the_jackpot_as_at_the_table(
    cincos: bool, royals: int, without: int | None
) -> None:
    """`without`: a seat that holds its hand without the progressive wager and so has no share."""
    hands = [CINCOS if cincos else NO_WINNER, *ROYALS[:royals]]
    wagers = {"ante": 500, "gran-progressive": 100}
    seats = [ANTE if seat == without else wagers for seat in range(len(hands))]
    table = plan(*seats, options=PROGRESSIVE, jackpot=999_999)
    table.check()
    stacked = StackedStream(table.table.terms.shoe.all_cards(), [cards(hand) for hand in (*hands, HOUSE)])
    (dealt,) = kernel_for(table).dealt(stacked, 1)
    assert dealt.cards == cards(" ".join((*hands, HOUSE)))
    assert settled_by_rules(table.table, dealt) == sorted(dealt.lines)


@pytest.mark.parametrize("seats", [1, 3])
def test_the_counts_agree_with_the_exact_law_of_the_spot(seats: int) -> None:
    """Every way the Ante and its Raise come out is as frequent as the analysis says, within five errors."""
    rounds, kernel = 1_500_000 // seats, kernel_for(plan(*(ANTE,) * seats))
    tally = kernel.tally(Stream(7, 0), rounds)
    counted: dict[tuple[int, int], int] = {}
    for (cell,), count in zip(kernel.layout.rows, tally.counts.tolist(), strict=True):
        counted[cell.net, cell.wagered] = counted.get((cell.net, cell.wagered), 0) + count
    exact: dict[tuple[int, int], float] = {}
    for row in showdown(spanish()).figures.outcomes:
        key = int(row.net * 500), int(row.wagered * 500)
        exact[key] = exact.get(key, 0) + float(row.probability)
    assert {key for key, count in counted.items() if count} <= exact.keys()
    for key, chance in exact.items():
        expected = rounds * seats * chance
        assert abs(counted.get(key, 0) - expected) <= 5 * seats * sqrt(expected) + 5


def test_a_written_strategy_raises_with_the_hands_it_names_and_no_others() -> None:
    game = spanish()
    classes = hand_tables(game.terms.shoe, game.ranking).classes
    sixes = game.weakest_qualifier
    document = {**SIXES.document, "situations": [{"cards": "Ac Kd 7h 6s 2c", "choice": "raise"}]}
    raises = raising_hands(game, classes, ANTE, Strategy("own.json", document))
    named = classes.row_of(cards("Ad Kc 7s 6h 2d"))
    for row, value in enumerate(classes.value.tolist()):
        assert raises[row] == (classes.values[value] >= sixes or row == named)


def test_the_practical_list_is_played_hand_by_hand() -> None:
    game = spanish()
    best = practical_strategies(Question(game, "ante"), 2)[-1]
    classes = hand_tables(game.terms.shoe, game.ranking).classes
    raises = raising_hands(game, classes, ANTE, Strategy("practical-2"))
    worth, divisor = showdown(game).worth()
    brought = sum(
        int(hands) * worth["raise" if raised else "fold"][row]
        for row, (hands, raised) in enumerate(zip(classes.hands, raises, strict=True))
    )
    assert Fraction(-brought, divisor * int(classes.hands.sum())) == best.house_edge


@pytest.mark.parametrize(
    ("strategy", "sentence"),
    [
        (Strategy("basic"), "--strategy cannot be 'basic'; it takes optimal, joint, always- and a choice"),
        (Strategy("f", {"rules": []}), "f says nothing for"),
    ],
    ids=repr,
)
def test_a_strategy_that_leaves_a_hand_open_is_refused_in_a_sentence(
    strategy: Strategy, sentence: str
) -> None:
    with pytest.raises(FeltError, match=sentence):
        kernel_for(plan(strategy=strategy))


def test_sums_of_squares_do_not_wrap_and_amounts_that_could_make_them_are_refused() -> None:
    highest = 10**13
    check_twin(plan({"ante": highest}, {"ante": highest}), rounds=300)
    riding = {**ANTE, "gran-progressive": 100}
    check_twin(plan(riding, riding, options=PROGRESSIVE, jackpot=10**8 + 1), rounds=300)
    check_twin(plan(riding, options=PROGRESSIVE, jackpot=10**13 + 1), rounds=300)
    with pytest.raises(FeltError, match="a round moves less than"):
        kernel_for(plan(riding, riding, options=PROGRESSIVE, jackpot=10**13 + 1))
    with pytest.raises(FeltError, match="a round moves less than"):
        kernel_for(plan(riding, options=PROGRESSIVE, jackpot=10**20))
