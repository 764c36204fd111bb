"""A game of one's own that declares what its players go by is charted, spoken of and counted by that."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from feltworks import catalog
from feltworks.analysis.measures import is_quick, ways
from feltworks.analysis.question import Question
from feltworks.analysis.shape import waits_for_dealer
from feltworks.analysis.strategy.facts import facts_for
from feltworks.analysis.strategy.report import strategy_report
from feltworks.cards import cards
from feltworks.rules.game import Game
from feltworks.rules.sights import Axis, Chart, PlayerView, Sights, ranges
from feltworks.rules.wager import Deal


def rank(view: PlayerView) -> int:
    return int(view.cards[0].rank)


def facts(view: PlayerView) -> Mapping[str, int]:
    return {"rank": rank(view)}


RANKS = tuple(map(str, range(14, 1, -1)))
BY_RANK = Sights(
    facts=facts,
    features={"rank": rank},
    phrases=lambda: list(ranges("rank", 2, 14, "with a rank of {}")),
    chart=Chart(
        Axis("rank", RANKS, lambda view: str(rank(view))),
        Axis("dealer", ("",), lambda _seen: ""),
    ),
    verbs={"war": "go to war"},
)


@pytest.fixture
def war(casino_war: Path, monkeypatch: pytest.MonkeyPatch) -> Game[Any]:
    assert casino_war.is_dir()
    game = catalog.game("casino-war")
    for name, value in {"sights": BY_RANK, "is_short": True}.items():
        monkeypatch.setattr(type(game), name, value)
    monkeypatch.setattr(type(game.wagers["tie"]), "decided_by", Deal((1, 1), "one card each, in order"))
    return game


def test_strategy_files_speak_of_the_facts_it_declares(war: Game[Any]) -> None:
    assert facts_for(war).value("rank", PlayerView(cards("9h"), cards("9s"))) == 9


def test_its_chart_has_the_axes_it_declares(war: Game[Any]) -> None:
    found = strategy_report(Question(war, "ante"))
    assert found.grids[0].down == "rank"
    assert found.grids[0].rows == RANKS
    assert found.ladder.strategies[0].vocabulary.verb("war") == "go to war"


def test_outcomes_are_counted_in_the_deals_it_declares(war: Game[Any]) -> None:
    counted = ways(war, "tie", [Fraction(23, 311), Fraction(288, 311)])
    assert (counted.total, counted.words) == (312 * 311, "one card each, in order")


def test_a_short_round_is_counted_for_every_known_card(war: Game[Any]) -> None:
    assert is_quick(Question(war, "ante"))


def test_what_ones_own_wager_takes_for_granted_leads_to_no_solver_of_another(
    war: Game[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(war.wagers["tie"]), "assumes", "The hand is taken to stand.")
    assert not waits_for_dealer(war, "tie")
    assert waits_for_dealer(catalog.game("lucky-break"), "lucky-break")
