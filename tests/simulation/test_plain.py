"""A game that the machine cannot compile is simulated through its rules."""

import json
import re
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.strategy.decisions import kind_of
from feltworks.cards import Card, standard_shoe
from feltworks.errors import FeltError
from feltworks.machine.felt import CardsRead
from feltworks.machine.streams import Stream
from feltworks.rules.game import Game
from feltworks.rules.round import Round, Seat, face_up
from feltworks.rules.wager import Line
from feltworks.simulation.plan import Plan, Strategy, plan_fingerprint
from feltworks.simulation.result import exact_edge
from feltworks.simulation.rounds import plain
from feltworks.simulation.rounds.kernel import kernel_for
from feltworks.simulation.rounds.plain import PlainKernel, Shoe
from tests.conftest import Output, forget_games
from tests.designs import ladder, short_board, write
from tests.simulation.twin import check_kernel

Felt = Callable[..., Output]
_FEW = 12  # each is worked out card by card
SEATS = ({"ante": 1000, "tie": 500}, {"ante": 300})


@pytest.mark.usefixtures("casino_war")
@pytest.mark.parametrize("choice", ["war", "surrender"])
def test_rounds_are_those_of_the_live_table(choice: str) -> None:
    plan = Plan("casino-war", SEATS, Strategy(f"always-{choice}"))
    check_kernel(plan, kernel_for(plan), rounds=1_000)
    check_kernel(plan, PlainKernel(plan), rounds=1_000)
    assert exact_edge(replace(plan, seats=SEATS[1:]), "ante") == Fraction(
        *{"war": (142853, 4965115), "surrender": (23, 622)}[choice]
    )


def test_changed_rules_change_the_fingerprint(casino_war: Path) -> None:
    plan = Plan("casino-war", SEATS)
    before, rules = plan_fingerprint(plan), casino_war / "casino_war.py"
    rules.write_text(rules.read_text().replace("lead >= 0", "lead > 0"))
    forget_games()
    assert plan_fingerprint(Plan("casino-war", SEATS)) != before


@pytest.mark.usefixtures("casino_war")
def test_a_table_that_cannot_be_compiled_says_its_pace_before_the_rounds(
    monkeypatch: pytest.MonkeyPatch, felt: Felt
) -> None:
    words = ("simulate", "casino-war", "--wager", "ante", "--strategy", "always-war", "--rounds", "60", "--seed", "1")
    assert "cannot be compiled" not in felt(*words).err
    monkeypatch.setattr(plain, "_PACE_SECONDS", 0.0)
    monkeypatch.setattr("feltworks.simulation.rounds.machine.MachineKernel.__init__", _refuse)
    forget_games()
    answer = felt(*words)
    assert answer.status == 0
    assert re.search(r"the rules deal each round: about [\d,]+ a second on one core, 60 in about \d+ s", answer.err)


def test_a_poker_game_without_a_solver_is_dealt_by_a_named_strategy_only(own_games: Path, felt: Felt) -> None:
    write(own_games, short_board(first=2))
    words = ("simulate", "short-board", "--wager", "ante", "--rounds", "60", "--seed", "1")
    refused = felt(*words)
    assert refused.status == 2
    assert re.search(
        r"best play takes about [\d,]+ steps for every hand, .*--strategy always-play or a file", refused.err
    )
    dealt = felt(*words, "--strategy", "always-play")
    assert dealt.status == 0
    assert "the rules deal each round: about" in dealt.err
    sessions = felt(*words[:4], "--strategy", "always-play", "--session", "10", "--sessions", "2")
    assert sessions.status == 0
    assert re.search(r"20 in about \d+ s\. Use --sessions for fewer", sessions.err)


def _refuse(*_: object) -> None:
    raise CardsRead


@pytest.mark.usefixtures("casino_war")
def test_going_to_war_is_found_to_be_best() -> None:
    plans = [Plan("casino-war", SEATS[1:], Strategy(name)) for name in ("optimal", "always-war")]
    best, war = (kernel_for(plan).tally(Stream(3, 0), 10_000) for plan in plans)
    assert best == war


@pytest.mark.usefixtures("casino_war")
@pytest.mark.parametrize(
    ("strategy", "said"),
    [
        (Strategy("always-hit"), "it takes optimal, always-surrender, always-war, practical-3 or"),
        (Strategy("basic"), "it takes optimal, joint, always- and a choice"),
        (Strategy("a.json", {"rules": []}), "a.json says nothing for"),
    ],
)
def test_a_strategy_that_the_game_does_not_know_is_refused(strategy: Strategy, said: str) -> None:
    with pytest.raises(FeltError, match=said):
        kernel_for(Plan("casino-war", SEATS, strategy))


def test_best_play_is_that_of_the_game_s_own_kernel() -> None:
    plan = Plan("fu-bacc", ({"ante": 1000, "lucky-monkey": 500},))
    answer = analyze(Question(plan.table, "ante", {"lucky-monkey": None}))
    pairs = zip(answer.situations, answer.choices, strict=True)
    own = {_sight(plan, each.shown): choice for each, choice in pairs}
    by_hand = PlainKernel(plan)
    check_kernel(plan, by_hand, rounds=_FEW)
    for dealt in by_hand.deal(Stream(2021, 0), _FEW):
        assert [choice.name for choice in dealt.choices] == [own[_sight(plan, _before_choosing(dealt.cards))]]


def _sight(plan: Plan, r: Round) -> Hashable:
    return kind_of(plan.table, face_up(r.seats[0].cards), face_up(r.dealer))


def _before_choosing(cards: Sequence[Card]) -> Round:
    """FB.17: three cards to the spot, of which it sees two, and the dealer's up card."""
    return Round((Seat({}, tuple(cards[:2])),), (cards[3],))


@pytest.mark.usefixtures("casino_war")
def test_a_shoe_that_runs_out_goes_on_with_cards_of_earlier_rounds() -> None:
    numbers = count(1)

    def words() -> int:
        return next(numbers) * 0x9E3779B97F4A7C15 % 2**64

    shoe = Shoe(Plan("casino-war", SEATS, penetration=100), words)
    assert shoe.open_round()
    first = [shoe.draw() for _ in range(300)]
    assert not shoe.open_round()
    second = [shoe.draw() for _ in range(20)]
    assert shoe.round_cards == tuple(second)
    standard_shoe(decks=6).check_holds(first + second[:12])
    standard_shoe(decks=6).check_holds(second)


@pytest.mark.usefixtures("casino_war")
def test_rounds_one_by_one_follow_a_file_and_name_what_it_leaves_open() -> None:
    file = {"rules": [{"choice": "surrender"}]}
    followed, always = (
        PlainKernel(Plan("casino-war", SEATS, strategy)).tally(Stream(3, 0), 500)
        for strategy in (Strategy("a.json", file), Strategy("always-surrender"))
    )
    assert followed == always
    with pytest.raises(FeltError, match=r"a\.json says nothing for .*, where surrender or war may be chosen"):
        PlainKernel(Plan("casino-war", SEATS, Strategy("a.json", {"rules": []}))).tally(Stream(3, 0), 500)
    with pytest.raises(FeltError, match="it takes optimal, always-surrender, always-war or"):
        PlainKernel(Plan("casino-war", SEATS, Strategy("always-hit")))


THIRD_CARD = """
from feltworks.games.blackjack import BlackjackStanding
from feltworks.rules.wager import Verdict, Wager


class Third(Wager[BlackjackStanding]):
    name = "third"
    outcomes = frozenset(["third card", "none"])

    def judge(self, standing: BlackjackStanding) -> Verdict | None:
        if len(standing.dealer.cards) > 2:
            return Verdict("third card", "the dealer drew", ("TC.1",))
        return Verdict("none", "the dealer stood", ("TC.1",)) if standing.dealer.total is not None else None
"""
THIRD_CARD_BOOK = """
title = "Third Card Blackjack"
game = "blackjack"
includes = ["blackjack"]
bonus = ["third_card"]
cards = { shuffle = "shoe" }
clause = { "TC.1" = "A bonus on the dealer's third card." }
pay_table.third.1 = { clause = "TC.1", pays = { "third card" = "1 to 1", "none" = "lose" } }

[wager.third]
title = "Third"
kind = "bonus"
clause = "TC.1"
needs = { wager = "blackjack" }
leave_out = "allowed"

[option.offers]
members = ["blackjack", "third"]
clause = "TC.1"
text = "The wagers this table offers."
"""


def test_an_added_bonus_that_compiled_rounds_do_not_follow_is_refused(own_games: Path) -> None:
    (own_games / "third_card.py").write_text(THIRD_CARD, encoding="utf-8")
    (own_games / "third-card.toml").write_text(THIRD_CARD_BOOK, encoding="utf-8")
    forget_games()
    kernel_for(Plan("third-card", ({"blackjack": 500},)))
    with pytest.raises(FeltError, match=r"with third, which reads single cards: .*; --wager blackjack"):
        kernel_for(Plan("third-card", ({"blackjack": 500, "third": 500},)))


def test_best_play_chooses_amounts_as_the_analysis_does(own_games: Path, felt: Felt) -> None:
    write(own_games, ladder(1))
    exact = json.loads(felt("analyze", "ladder", "--wager", "ante", "--json").out)
    given = ("simulate", "ladder", "--rounds", "20000", "--seed", "5", "--json")
    found = json.loads(felt(*given).out)["wagers"]["ante"]
    assert abs(found["house_edge"] - exact["house_edge"]["value"]) < 4 * found["standard_error"]
    assert found["average_wager"] == pytest.approx(exact["average_wager"]["value"], abs=0.05)


def test_a_state_that_was_solved_is_not_solved_again(own_games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(own_games, ladder(3, without="23456789T"))
    settled, settle = [0], Game.settle

    def counted(game: Game[Any], r: Round) -> tuple[Line, ...]:
        settled[0] += 1
        return settle(game, r)

    monkeypatch.setattr(Game, "settle", counted)
    kernel_for(Plan("ladder", ({"ante": 100},))).tally(Stream(1, 0), 3_000)
    assert settled[0] < 60_000  # a round and a trial round are settled once; all states together about 20,000
