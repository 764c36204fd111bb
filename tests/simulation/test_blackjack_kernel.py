"""Blackjack's kernel deals the rounds that the rules deal, and pays what they pay, under every option."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from feltworks.dealing.shoes import CutCardShoe, source_for
from feltworks.errors import ImpossibleRound
from feltworks.money import Cents
from feltworks.rules.round import Round, Seat
from feltworks.simulation.kernel import kernel_for
from feltworks.simulation.kernels.blackjack.table import TableArrays
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.streams import Stream
from tests.simulation.twin import check_twin

BOTH = {"blackjack": 1000, "lucky-lucky": 500, "lucky-break": 700}
BROKEN = {"blackjack": 1000, "lucky-break": 700}
DEUCES = {"blackjack": 1000, "acey-deucey": 300, "war": 500}
BASIC = Strategy("basic")

STRICT = {"soft17": "hit", "blackjack-pays": "6:5", "double": "10-11", "double-after-split": False}
UNCHECKED = {"peek": False, "surrender": "late", "split-on": "rank", "lucky-break.surrender": "loses"}
ORIGINAL = {"peek": False, "no-peek-loss": "original", "stand-on-21": True, "decks": 1, "resplit-aces": True}


@pytest.mark.clause("BJ.1", "BJ.2", "BJ.4", "BJ.5", "LL.3", "LL.5", "LB.2", "LB.4", "LB.5", "LB.7")
def test_ten_thousand_rounds_of_lucky_lucky_are_those_of_the_live_table() -> None:
    check_twin(Plan("lucky-lucky", (BOTH,), BASIC))


@pytest.mark.clause("BJ.1", "BJ.4", "LB.3", "LB.4", "LB.12")
def test_ten_thousand_rounds_of_lucky_break_are_those_of_the_live_table() -> None:
    options = {"resplit-aces": True, "hit-split-aces": True, "surrender": "late", "decks": 2}
    check_twin(Plan("lucky-break", (BROKEN,), options=options))


@pytest.mark.clause("AD.4", "AD.7", "AD.8", "AD.9", "AD.10", "AD.11")
def test_ten_thousand_rounds_of_acey_deucey_are_those_of_the_live_table() -> None:
    check_twin(Plan("acey-deucey-21", (DEUCES,), BASIC))


@pytest.mark.clause("BJ.1", "BJ.4", "BJ.5", "LB.12", "LB.13")
@pytest.mark.parametrize(
    "options",
    [
        {**STRICT, "max-hands": 2, "lucky-break.multiplier": "replaces"},
        {**UNCHECKED, "lucky-break.split-limit": "all", "lucky-break.player-limit": 26},
        {**ORIGINAL, "hit-split-aces": True, "shoe": "continuous", "max-hands": 3},
        {"max-hands": 1, "double": "9-11", "insurance": False, "lucky-break.player-limit": "none"},
    ],
    ids=["strict", "unchecked", "original", "unsplit"],
)
@pytest.mark.parametrize("strategy", ["always-split", "always-surrender", "always-insure"])
def test_every_option_is_that_of_the_live_table(options: dict[str, Any], strategy: str) -> None:
    check_twin(Plan("lucky-break", (BROKEN,), Strategy(strategy), options=options), rounds=250)


@pytest.mark.clause("AD.5", "AD.11", "AD.12")
@pytest.mark.parametrize(
    ("tables", "strategy"),
    [
        ({"acey-deucey": "3", "war": "2"}, "never-bust"),
        ({"acey-deucey": "1B"}, "always-raise"),
        ({"acey-deucey": "2"}, "always-check"),
    ],
)
def test_every_table_of_acey_deucey_is_that_of_the_live_table(tables: dict[str, str], strategy: str) -> None:
    check_twin(Plan("acey-deucey-21", (DEUCES,), Strategy(strategy), pay_tables=tables), rounds=500)


def test_seats_with_different_wagers_share_one_shoe_and_one_dealer() -> None:
    seats = ({"blackjack": 333}, BOTH, {"blackjack": 1000, "lucky-lucky": 5}, BOTH, BROKEN)
    check_twin(Plan("lucky-lucky", seats, penetration=90, options={"breakage": "up"}), rounds=300)


def test_a_shoe_that_runs_out_within_a_round_goes_on_with_earlier_cards() -> None:
    options = {"decks": 1, "spots": 6}
    plan = Plan("lucky-break", (BROKEN,) * 6, Strategy("always-split"), options=options, penetration=100)
    kernel = check_twin(plan, rounds=600)
    source = source_for(plan.table.terms, penetration=100)
    assert isinstance(source, CutCardShoe)
    out, ran_out = source.burned, 0
    for dealt in kernel.dealt(Stream(2021, 0), 600):
        ran_out += out + len(dealt.cards) > source.shoe.total
        out = out + len(dealt.cards) if out + len(dealt.cards) < 52 - source.cut_card_at else source.burned
    assert ran_out >= 3


def test_a_round_that_takes_more_cards_than_there_are_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    few = np.arange(9, dtype=np.uint8)
    monkeypatch.setattr(TableArrays, "cards", lambda _table: few)
    with pytest.raises(ImpossibleRound, match="more cards than the shoe holds"):
        kernel_for(Plan("lucky-break", (BROKEN,) * 3, BASIC)).tally(Stream(1, 0), 1)


@pytest.fixture
def standing_alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Tables at which a bonus wager may stand without the wager it needs, as an analysis takes it."""

    def plan(game: str, wagers: Mapping[str, Cents], **terms: Any) -> Plan:
        made = Plan(game, (dict(wagers),), **terms)
        opened = lambda seats, _meters: Round(tuple(Seat(dict(seat)) for seat in seats))  # noqa: E731
        monkeypatch.setattr(made.table, "open_round", opened)
        return made

    return plan  # type: ignore[return-value]


@pytest.mark.clause("LL.2", "LL.3", "LB.6", "LB.7", "LB.9")
@pytest.mark.parametrize("wagers", [{"lucky-lucky": 500}, {"lucky-break": 700}], ids=["lucky", "break"])
@pytest.mark.parametrize("fresh", [True, False], ids=["fresh", "shoe"])
def test_a_bonus_wager_alone_is_dealt_as_the_rules_would(
    standing_alone: Any, wagers: dict[str, int], fresh: bool
) -> None:
    check_twin(standing_alone("lucky-lucky", wagers, shuffle_every_round=fresh), rounds=800)


@pytest.mark.clause("AD.15")
@pytest.mark.parametrize("wagers", [{"war": 500}, {"acey-deucey": 300}, {"acey-deucey": 300, "war": 5}])
def test_acey_deucey_and_war_may_stand_alone(wagers: dict[str, int]) -> None:
    options = {"acey-deucey-21.bonus-alone": True, "shoe": "continuous"}
    check_twin(Plan("acey-deucey-21", (wagers,), options=options), rounds=500)
