"""A question as it is written: what is said twice or not at all is refused, never guessed."""

import pytest

from feltworks.analysis.documents import compare
from feltworks.analysis.question import parse_question
from feltworks.errors import FeltError
from feltworks.simulation.plan import make_plan


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"pay_table": ""}, "no lucky-lucky pay table ''"),
        ({"pay_table": "1,2"}, "--pay-table cannot be '1,2'; it takes one table for lucky-lucky"),
        ({"decks": 4, "chosen": ["decks=3"]}, "--decks cannot be 4; it takes the same number as"),
        ({"chosen": ["soft17=hit", "soft17=stand"]}, "--set cannot be 'soft17=stand'; it takes soft17 once"),
        ({"beside": ["blackjack=1", "blackjack=2"]}, "it takes blackjack once only"),
    ],
    ids=["no name of a table", "two tables", "two deck counts", "an option twice", "a wager twice"],
)
def test_a_contradiction_is_refused(asked: dict[str, object], sentence: str) -> None:
    with pytest.raises(FeltError) as refused:
        parse_question("lucky-lucky", "lucky-lucky", **asked)  # type: ignore[arg-type]
    assert sentence in str(refused.value)


def test_the_same_deck_count_may_be_said_twice() -> None:
    asked = parse_question("lucky-lucky", "lucky-lucky", decks=3, chosen=["decks=3"])
    assert asked.game.terms.decks == 3


def test_chosen_decks_leave_the_pay_tables_to_compare() -> None:
    rows = compare("lucky-lucky", "lucky-lucky", ["decks=3"])
    assert [(row["pay_table"], row["decks"]) for row in rows] == [("1", 3), ("2", 3), ("3", 3)]


def test_a_simulation_reads_options_the_same_way() -> None:
    with pytest.raises(FeltError, match="it takes soft17 once only"):
        make_plan("lucky-lucky", chosen=["soft17=hit", "soft17=stand"])
