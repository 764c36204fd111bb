"""Strategies at blackjack's kernel: charts, files and a counter, against the analysis and a recount."""

import tomllib
from collections.abc import Iterator
from math import floor
from typing import Any

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import analyze
from feltworks.analysis.question import Question
from feltworks.analysis.solvers.shoe_game.table import Chart, TableAnalysis
from feltworks.cards import Card
from feltworks.dealing.shoes import CutCardShoe, source_for
from feltworks.errors import BadOption
from feltworks.games.blackjack import Blackjack
from feltworks.hands.blackjack import points
from feltworks.machine.streams import Stream
from feltworks.rules.advance import advance
from feltworks.rules.round import Round, face_up
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.rounds.kernel import DealtRound, kernel_for
from feltworks.simulation.tally import sampled_figures
from tests.docs.pages import named_files
from tests.simulation.rounds import deal_rounds
from tests.simulation.twin import _Dealer, check_twin

SEAT = {"blackjack": 1000, "lucky-break": 700}
HI_LO: dict[str, Any] = {
    "count": {"A": -1, "2": 1, "3": 1, "4": 1, "5": 1, "6": 1, "T": -1},
    "ramp": {"1": 2, "2": 4, "3": 8},
    "insurance": 3,
    "deviations": [
        {"hand": "hard 16", "up_card": "T", "at": 0, "choice": "stand"},
        {"hand": "hard 12", "up_card": "4", "below": 0, "choice": "hit"},
        {"hand": "pair T", "up_card": "6", "at": 4, "choice": "split"},
        {"hand": "hard 10", "up_card": "T", "at": 4, "choice": "double"},
    ],
}
UPS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)


@pytest.mark.parametrize(
    "name",
    ["optimal", "basic", "mimic-the-dealer", "never-bust", "always-stand", "always-double", "practical-2"],
)
def test_named_strategies_make_choices_that_the_table_offers(name: str) -> None:
    options = {"surrender": "late", "double": "9-11", "decks": 1, "max-hands": 2}
    check_twin(Plan("lucky-break", (SEAT, SEAT), Strategy(name), options=options), rounds=120)


@pytest.mark.clause("BJ.3")
@pytest.mark.parametrize("strategy", ["optimal", "basic", "never-bust"])
def test_the_blackjack_wager_costs_what_the_analysis_says(strategy: str) -> None:
    plan = Plan("lucky-break", ({"blackjack": 1000},), Strategy(strategy), shuffle_every_round=True)
    exact = analyze(Question(plan.table, "blackjack", strategy=strategy)).figures
    _check_edge(plan, "blackjack", float(exact.house_edge), 3_000_000)


@pytest.mark.clause("LL.6", "AD.13")
@pytest.mark.parametrize(
    ("game", "wager"),
    [("lucky-lucky", "lucky-lucky"), ("acey-deucey-21", "acey-deucey"), ("acey-deucey-21", "war")],
)
def test_bonus_wagers_cost_what_the_analysis_says_beside_blackjack_and_alone(game: str, wager: str) -> None:
    exact = float(analyze(Question(catalog.game(game), wager)).figures.house_edge)
    _check_edge(Plan(game, ({"blackjack": 1000, wager: 500},), Strategy("basic")), wager, exact, 1_000_000)
    _check_edge(Plan(game, ({wager: 500},), shuffle_every_round=True), wager, exact, 4_000_000)


def test_lucky_break_alone_costs_what_the_analysis_says() -> None:
    exact = float(analyze(Question(catalog.game("lucky-break"), "lucky-break")).figures.house_edge)
    plan = Plan("lucky-break", ({"lucky-break": 500},), shuffle_every_round=True)
    _check_edge(plan, "lucky-break", exact, 4_000_000)


def _check_edge(plan: Plan, wager: str, exact: float, rounds: int) -> None:
    kernel = kernel_for(plan)
    found = sampled_figures(kernel.layout, kernel.tally(Stream(2021, 0), rounds))[wager]
    assert abs(found.house_edge - exact) < 4.5 * found.standard_error
    assert found.standard_error < 0.004


def test_a_file_with_basic_strategy_is_played_like_basic_strategy() -> None:
    game = catalog.game("lucky-break")
    assert isinstance(game, Blackjack)
    written = Strategy("basic.json", {"chart": _written(TableAnalysis(game).basic_strategy)})
    by_file = kernel_for(Plan("lucky-break", (SEAT,), written)).tally(Stream(1, 0), 20_000)
    assert by_file == kernel_for(Plan("lucky-break", (SEAT,), Strategy("basic"))).tally(Stream(1, 0), 20_000)


def _written(chart: Chart) -> dict[str, list[str]]:
    lines: dict[str, list[str]] = {}
    for kind, total in dict.fromkeys((kind, total) for kind, total, _ in chart):
        name = "AT"[total > 1] if kind == "pair" and total in (1, 10) else str(total)
        advice = [chart[kind, total, up] for up in UPS]
        said = [each.choice if kind == "pair" else f"{each.choice}/{each.otherwise}" for each in advice]
        lines[f"{kind} {name}"] = said
    return lines


@pytest.mark.parametrize(
    ("strategy", "sentence"),
    [
        (Strategy("always-raise"), "it takes optimal, .*always-insure or a strategy file"),
        (Strategy("mine.json", {"situations": [], "rules": []}), "nothing can be raised"),
    ],
)
def test_a_strategy_for_raises_is_refused_where_nothing_can_be_raised(strategy: Strategy, sentence: str) -> None:
    with pytest.raises(BadOption, match=sentence):
        kernel_for(Plan("lucky-break", (SEAT,), strategy))


def test_a_counter_plays_what_the_table_offers() -> None:
    counter = Strategy("hi-lo", {**HI_LO, "ramp": {"1": 2}})  # every step of a ramp has tables of its own
    check_twin(Plan("lucky-break", (SEAT, {"blackjack": 333}), counter), rounds=600)


def test_the_counter_of_the_reference_is_played() -> None:
    written = named_files("docs/reference/strategy-file.md")["hi-lo.toml"]
    counter = Strategy("hi-lo.toml", tomllib.loads(written))
    tally = kernel_for(Plan("lucky-break", ({"blackjack": 1000},), counter)).tally(Stream(1, 0), 20_000)
    assert len({cell.opened for cell in tally.cells}) > 3  # the wager follows the ramp


@pytest.mark.parametrize("peek", [True, False])
def test_a_counter_wagers_by_the_cards_that_lay_open(peek: bool) -> None:
    plan = Plan("lucky-break", ({"blackjack": 500},) * 2, Strategy("hi-lo", HI_LO), options={"peek": peek})
    wagered = set()
    for dealt, true_count in _recounted(plan, list(deal_rounds(kernel_for(plan), Stream(3, 0), 1_200))):
        units = max([1] + [HI_LO["ramp"][at] for at in HI_LO["ramp"] if true_count >= int(at)])
        assert [seat["blackjack"] for seat in dealt.seats] == [500 * units] * 2
        wagered.add(units)
    assert wagered == {1, 2, 4, 8}


def _recounted(plan: Plan, rounds: list[DealtRound]) -> Iterator[tuple[DealtRound, int]]:
    """Every round with the true count before it, from what the rules leave lying open."""
    source = source_for(plan.table.terms, penetration=plan.penetration)
    assert isinstance(source, CutCardShoe)
    total, out, seen = source.shoe.total, source.burned, list[Card]()
    for dealt in rounds:
        if out >= total - source.cut_card_at:
            out, seen = source.burned, []
        running = sum({1: -1, 10: -1, 7: 0, 8: 0, 9: 0}.get(points(face), 1) for face in seen)
        yield dealt, floor(running * 52 / (total - len(seen)))
        out += len(dealt.cards)
        ended = _played(plan, dealt)
        seen += [face for seat in ended.seats for face in face_up(seat.cards)]
        seen += face_up(ended.dealer)


def _played(plan: Plan, dealt: DealtRound) -> Round:
    dealer, r = _Dealer(dealt.cards, dealt.choices), plan.table.open_round(dealt.seats)
    while (step := plan.table.awaits(r)) is not None:
        r = advance(r, step, dealer.answer(r, step))
    return r


def test_counting_pays_the_player() -> None:
    chart = {key: HI_LO[key] for key in ("count", "insurance", "deviations")}
    edges = []
    for document in ({**chart, "ramp": {"1": 4, "2": 8, "3": 12}}, {"count": {"A": 0}}):
        kernel = kernel_for(Plan("lucky-break", ({"blackjack": 1000},), Strategy("count", document), penetration=85))
        edges.append(sampled_figures(kernel.layout, kernel.tally(Stream(5, 0), 3_000_000))["blackjack"].house_edge)
    assert edges[0] < -0.003 < 0.002 < edges[1]


@pytest.mark.parametrize(
    ("strategy", "sentence"),
    [
        (Strategy("bold"), "it takes optimal, basic"),
        (Strategy("practical-none"), "a number of rules"),
        (Strategy("x.toml", {"chart": {"hard 16": ["stand"] * 10}}), "says what to do with hard 4"),
        (Strategy("x.toml", {"chart": {"hard 16": ["stand"]}}), "ten choices for hard 16"),
        (Strategy("x.toml", {"chart": {"hard 3": ["stand"] * 10}}), "hands like hard 16"),
        (Strategy("x.toml", {"chart": {"hard 16": ["split"] * 10}}), "where it says 'split'"),
        (Strategy("x.toml", {"chart": {"hard 16": ["hit/double"] * 10}}), "stand or hit after the stroke"),
        (Strategy("x.toml", {"nothing": 1}), 'a file with a "chart"'),
        (Strategy("x.toml", {"count": {"B": 1}}), "not of 'B'"),
        (Strategy("x.toml", {"count": {"A": 99}}), "cards that count -20 to 20"),
        (Strategy("x.toml", {"count": {"A": 1}, "ramp": {"high": 2}}), "whole true counts"),
        (Strategy("x.toml", {"count": {"A": 1}, "ramp": {"1": 0}}), "a ramp of 1 to 1000"),
        (Strategy("x.toml", {"count": {"A": 1}, "insurance": 99}), "true counts from -40 to 40"),
        (Strategy("x.toml", {"count": {"A": 1}, "deviations": [{"hand": "hard 9"}]}), "a counter's file"),
    ],
)
def test_strategies_that_leave_something_open_are_refused(strategy: Strategy, sentence: str) -> None:
    with pytest.raises(BadOption, match=sentence):
        kernel_for(Plan("lucky-break", (SEAT,), strategy))
