"""Games of one's own say how a finished round is written: by a form of names, or by methods of their own."""

import json
from pathlib import Path
from typing import Any

import pytest

from feltworks.errors import UnknownName
from feltworks.rules.form import WrittenForm
from feltworks.written.record import FinishedSeat
from feltworks.written.settle import settle_line
from tests.conftest import forget_games

FORM = """
    written = WrittenForm(
        dealer=(OneCard("first"), CardList("war")),
        seat=(OneCard("third"), CardList("cards")),
        amounts={"": Amount("raise", "war", otherwise="surrender")},
    )
"""
# As rules were written before the format had a package of its own
METHODS = """
    def dealer_cards(self, finished: FinishedRound) -> list[str]:
        return [finished.dealer_card("first"), *finished.dealer_list("war")]

    def seat_cards(self, finished: FinishedSeat) -> list[str]:
        return [finished.third, *finished.cards]

    def answer(self, finished: FinishedSeat, step: Decide, r: Round) -> Choice:
        return Choice("war", finished.raise_) if finished.raise_ else Choice("surrender")
"""
IMPORTS = """
from feltworks.rules.form import Amount, CardList, OneCard, WrittenForm
from feltworks.rules.round import Choice
from feltworks.written.record import FinishedRound, FinishedSeat
"""
WAR = {"wagers": {"ante": 1000}, "third": "9c", "cards": ["Jc"], "raise": 1000}
SURRENDER = {"wagers": {"ante": 1000}, "third": "9c"}


@pytest.fixture(params=[FORM, METHODS], ids=["form", "methods"])
def own_words(request: pytest.FixtureRequest, casino_war: Path) -> None:
    """Casino War with a first card by name and the war's cards listed, said in one way or the other."""
    rules = casino_war / "casino_war.py"
    text = rules.read_text(encoding="utf-8")
    head, types, rest = text.partition("    wager_types = (Ante, Raise, Tie)\n")
    head = head.replace("from msgspec import Struct\n", f"from msgspec import Struct\n{IMPORTS}")
    rules.write_text(head + types + request.param + rest, encoding="utf-8")
    forget_games()


def settle(seat: dict[str, Any], **dealer: Any) -> dict[str, Any]:
    return settle_line(json.dumps({"game": "casino-war", "seats": [seat], "dealer": dealer}))


def nets(seat: dict[str, Any], **dealer: Any) -> dict[str, int]:
    return {line["wager"]: line["net"] for line in settle(seat, **dealer)["seats"][0]["lines"]}


@pytest.mark.usefixtures("own_words")
def test_cards_and_answers_are_read_as_the_game_says() -> None:
    assert nets(WAR, first="9h", war=["Th"]) == {"ante": 0, "raise": 1000}
    assert nets(SURRENDER, first="9h") == {"ante": -500}


@pytest.mark.usefixtures("own_words")
def test_cards_under_other_names_are_refused() -> None:
    answer = settle(SURRENDER, first="9h", cards=["Th"])
    assert answer == {"error": "the dealer's cards are written as first or war, not as cards"}


@pytest.mark.usefixtures("own_words")
def test_money_that_was_never_put_down_is_refused() -> None:
    answer = settle({**SURRENDER, "raise": 1000, "third": "Tc"}, first="9h")
    assert answer == {"error": "seat 1 chose raise of 1000 cents, and no such decision was open"}


@pytest.mark.usefixtures("casino_war")
def test_a_choice_that_nobody_asked_for_is_refused() -> None:
    seat = {"wagers": {"ante": 1000}, "cards": ["Tc"], "choice": "war"}
    answer = settle(seat, cards=["9h"])
    assert answer == {"error": "seat 1 chose war, and no such decision was open"}


def test_a_name_that_the_format_lacks_is_said() -> None:
    with pytest.raises(UnknownName, match="a written seat has no field 'fourth'"):
        FinishedSeat({}).under("fourth")


def test_the_default_form_lists_cards_at_each_place() -> None:
    form = WrittenForm()
    assert [field.name for field in (*form.dealer, *form.seat)] == ["cards", "cards"]
