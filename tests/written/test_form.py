"""Games of one's own say by a form of names how a finished round is written."""

import json
from pathlib import Path
from typing import Any

import pytest

from feltworks.errors import UnknownName
from feltworks.rules.wager import WrittenForm
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
IMPORTS = """
from feltworks.rules.wager import Amount, CardList, OneCard, WrittenForm
"""
WAR = {"wagers": {"ante": 1000}, "third": "9c", "cards": ["Jc"], "raise": 1000}
SURRENDER = {"wagers": {"ante": 1000}, "third": "9c"}


@pytest.fixture
def own_words(casino_war: Path) -> None:
    """Casino War with a first card by name and the war's cards listed."""
    rules = casino_war / "casino_war.py"
    text = rules.read_text(encoding="utf-8")
    head, types, rest = text.partition("    wager_types = (Ante, Raise, Tie)\n")
    head = head.replace("from msgspec import Struct\n", f"from msgspec import Struct\n{IMPORTS}")
    rules.write_text(head + types + FORM + rest, encoding="utf-8")
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
