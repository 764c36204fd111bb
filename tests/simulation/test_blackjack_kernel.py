"""Blackjack's kernel deals the rounds that the rules deal, and pays what they pay, under every option."""

import pytest

from feltworks.cards import DECK
from feltworks.dealing.shoes import CutCardShoe, source_for
from feltworks.errors import ImpossibleRound
from feltworks.machine.streams import Stream
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.rounds.kernel import kernel_for
from feltworks.simulation.rounds.machine import MachineKernel
from tests.simulation.rounds import deal_rounds
from tests.simulation.twin import check_twin

BOTH = {"blackjack": 1000, "lucky-lucky": 500, "lucky-break": 700}
BROKEN = {"blackjack": 1000, "lucky-break": 700}
BASIC = Strategy("basic")


def test_seats_with_different_wagers_share_one_shoe_and_one_dealer() -> None:
    seats = ({"blackjack": 333}, BOTH, {"blackjack": 1000, "lucky-lucky": 5}, BOTH, BROKEN)
    check_twin(Plan("lucky-lucky", seats, BASIC, penetration=90, options={"breakage": "up"}), rounds=300)


def test_a_shoe_that_runs_out_within_a_round_goes_on_with_earlier_cards() -> None:
    options = {"decks": 1, "spots": 6}
    plan = Plan("lucky-break", (BROKEN,) * 6, Strategy("always-split"), options=options, penetration=100)
    kernel = check_twin(plan, rounds=600)
    source = source_for(plan.table.terms, penetration=100)
    assert isinstance(source, CutCardShoe)
    out, ran_out = source.burned, 0
    for dealt in deal_rounds(kernel, Stream(2021, 0), 600):
        ran_out += out + len(dealt.cards) > source.shoe.total
        out = out + len(dealt.cards) if out + len(dealt.cards) < 52 - source.cut_card_at else source.burned
    assert ran_out >= 3


def test_a_round_that_takes_more_cards_than_there_are_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MachineKernel, "cards", property(lambda _kernel: DECK[:9]))
    with pytest.raises(ImpossibleRound, match="more cards than the shoe holds"):
        kernel_for(Plan("lucky-break", (BROKEN,) * 3, BASIC)).tally(Stream(1, 0), 1)
