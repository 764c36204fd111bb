"""Rounds that go by the values of hands: dealt again by the rules, played as the solvers advise."""

import shutil
from collections.abc import Hashable, Iterator, Sequence

import pytest
from msgspec.structs import replace

from feltworks import catalog
from feltworks.analysis.solvers.board.solver import BoardSolver
from feltworks.analysis.solvers.draw import DrawSolver
from feltworks.analysis.solvers.showdown.solver import showdown
from feltworks.analysis.solvers.streets.solver import StreetsSolver
from feltworks.cards import Card
from feltworks.machine.streams import Stream
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.result import exact_edge
from feltworks.simulation.rounds.kernel import kernel_for
from feltworks.simulation.rounds.shapes import NoCourse
from feltworks.simulation.rounds.showdown import ShowdownKernel
from tests.analysis.solvers.test_board import EveryDeal
from tests.conftest import forget_games
from tests.designs import RIVER_STUD, write
from tests.simulation.twin import check_kernel

RIDE = Plan("let-it-ride", ({"base": 500, "first": 500, "second": 500},))
MISSISSIPPI = Plan("mississippi-stud", ({"ante": 500},))
# Decks without low ranks: all their hands and boards are solved in a moment
STUD = Plan("caribbean-stud", ({"ante": 500},))
FOUR = Plan("four-of-five", ({"ante": 500, "super-bonus": 500, "queens-up": 500},))
HOLDEM = Plan("ultimate-holdem", ({"ante": 500, "blind": 500, "trips": 500},))
DRAW = Plan("draw-poker", ({"ante": 500},))
RIVER = Plan("river-stud", ({"ante": 500, "tops": 500},))
PLANS = [STUD, FOUR, RIDE, MISSISSIPPI, RIVER, HOLDEM, DRAW]
SHORT = {"caribbean-stud": "234567", "four-of-five": "34567", "ultimate-holdem": "2345678", "draw-poker": "23456"}


@pytest.fixture(autouse=True, scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("gallery")
    for path in catalog.examples_folder().glob("*.[tp]*"):
        shutil.copy(path, folder)
    for name, missing in SHORT.items():
        book = folder / f"{name}.toml"
        book.write_text(book.read_text().replace("decks = 1,", f"decks = 1, without = {list(missing)},"))
    write(folder, RIVER_STUD)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(catalog.GAME_FOLDERS, str(folder))
        forget_games()
        yield
    forget_games()


def kernel_of(plan: Plan) -> ShowdownKernel:
    kernel = kernel_for(plan)
    assert isinstance(kernel, ShowdownKernel)
    return kernel


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.game)
def test_rounds_are_those_of_the_live_table(plan: Plan) -> None:
    check_kernel(plan, kernel_of(plan), rounds=1_500)
    table = replace(plan, seats=plan.seats * 3)
    check_kernel(table, kernel_of(table), rounds=300)


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.game)
def test_rounds_come_out_as_often_as_the_exact_law_says(plan: Plan) -> None:
    check_edges(plan, 300_000)


def check_edges(plan: Plan, rounds: int) -> None:
    """Every wager's mean is within four errors of its exact edge."""
    (wagers,), kernel = plan.seats, kernel_of(plan)
    tally = kernel.tally(Stream(5, 0), rounds)
    for number, wager in enumerate(kernel.layout.wagers):
        exact = exact_edge(plan, wager)
        assert exact is not None
        mean = tally.sums[number] / rounds
        square = tally.products[_squares(len(wagers))[number]] / rounds
        error = ((square - mean**2) / rounds) ** 0.5
        assert abs(mean + float(exact) * wagers[wager]) < 4 * error, wager


def _squares(columns: int) -> list[int]:
    """Where a tally's products hold the squares of its columns."""
    return [row * columns - row * (row - 1) // 2 for row in range(columns)]


@pytest.mark.parametrize("plan", [RIDE, MISSISSIPPI], ids=lambda plan: plan.game)
def test_a_growing_hand_makes_the_choices_that_are_worth_most(plan: Plan) -> None:
    solver = StreetsSolver(plan.table, plan.seats[0], plan.table.terms.shoe)
    for dealt in kernel_of(plan).deal(Stream(8, 0), 100):
        for number, choice in enumerate(dealt.choices):
            street = solver.street_after(dealt.choices[:number])
            worth = {child.path[-1]: worth for child, worth in solver.worth(street, dealt.cards[: street.seen])}
            assert worth[choice] == max(worth.values())


def test_a_hand_chooses_by_the_dealer_s_card_as_its_solver_does() -> None:
    solved = showdown(STUD.table, wagers={"ante": 500})
    for dealt in kernel_of(STUD).deal(Stream(9, 0), 150):
        (choice,) = dealt.choices
        assert choice.name == solved.decision(dealt.cards[:5], dealt.cards[5]).best


def test_two_hands_with_a_board_make_the_choices_that_are_worth_most() -> None:
    solver = BoardSolver(HOLDEM.table, HOLDEM.seats[0], HOLDEM.table.terms.shoe)
    every = EveryDeal(solver.boards, tuple(HOLDEM.table.terms.shoe))
    first = {_ranks(decision.cards): decision.best for decision in solver.first_decisions()}
    met = {0: 0, 3: 0, 5: 0}
    for dealt in kernel_of(HOLDEM).deal(Stream(4, 0), 60):
        street, own, board = solver.boards.root, dealt.cards[:2], dealt.cards[4:]
        for choice in dealt.choices:
            children = dict(street.choices)
            name = next(name for name, child in street.choices if child.path[-1] == choice)
            met[street.seen] += 1
            if not street.seen:
                assert name == first[_ranks(own)]
            elif street.seen == 5 or met[3] <= 2:  # each flop takes a second
                worth = {each: every.worth(child, own, board[: street.seen]) for each, child in children.items()}
                assert worth[name] == max(worth.values())
            street = children[name]
    assert min(met.values()) >= 2


def _ranks(cards: Sequence[Card]) -> Hashable:
    return frozenset(card.rank for card in cards), len({card.suit for card in cards})


def test_a_hand_discards_the_cards_that_are_worth_most_to_exchange() -> None:
    solver = DrawSolver(DRAW.table, DRAW.seats[0], DRAW.table.terms.shoe)
    names = set()
    for dealt in kernel_of(DRAW).deal(Stream(3, 0), 150):
        (choice,), worth = dealt.choices, solver.worth(dealt.cards[:5])
        assert worth[choice.name] == max(worth.values())
        names.add(choice.name)
    assert len(names) > 15  # in any order of the cards


def test_a_deck_that_can_run_out_in_a_draw_is_dealt_by_another_kernel() -> None:
    with pytest.raises(NoCourse):
        ShowdownKernel(replace(DRAW, seats=DRAW.seats * 4))


def test_seats_that_differ_are_dealt_by_another_kernel() -> None:
    with pytest.raises(NoCourse):
        ShowdownKernel(replace(STUD, seats=({"ante": 500}, {"ante": 1000})))


def test_a_strategy_is_followed_or_refused() -> None:
    folds = kernel_of(replace(STUD, strategy=Strategy("always-fold")))
    assert folds.nets(Stream(1, 0), 50).tolist() == [-500] * 50
    stands = kernel_of(replace(DRAW, strategy=Strategy("always-stand")))
    assert {choice.name for dealt in stands.deal(Stream(1, 0), 50) for choice in dealt.choices} == {"stand"}


RULES = [{"if": {"flush_cards": 4}, "choice": "let it ride"}, {"choice": "take back"}]
BY_FILE = (
    (
        RIDE,
        {"decisions": {"first": {"rules": [{"if": {"made": "pair"}, "choice": "let it ride"}]}}, "rules": RULES},
    ),
    (
        HOLDEM,
        {
            "decisions": {
                "early-play": {"rules": [{"if": {"own_pair": True}, "choice": "play"}, {"choice": "check"}]},
                "flop-play": {"rules": [{"if": {"own_pair": {"from": "J"}}, "choice": "play"}, {"choice": "check"}]},
                "river-play": {"rules": [{"if": {"outs": {"to": 3}}, "choice": "play"}, {"choice": "fold"}]},
            }
        },
    ),
)


@pytest.mark.parametrize(("plan", "file"), BY_FILE, ids=["ride", "holdem"])
def test_rounds_follow_a_file_and_come_out_as_its_exact_edge_says(plan: Plan, file: object) -> None:
    played = replace(plan, strategy=Strategy("play.json", file))
    check_kernel(played, kernel_of(played), rounds=300)
    check_edges(played, 200_000)
