"""War, clause by clause: the player's first card against the dealer's up card."""

from typing import Any

import pytest

from feltworks import catalog
from feltworks.rules.steps import Draw
from tests.pit import Written, bj, lines_at, paid, refused, sheet, walked

TABLE_2 = {"war": "2"}


def war(held: str, dealer: str, cents: int = 1000, **terms: Any) -> tuple[str, int]:
    return paid("acey-deucey-21", bj(held, blackjack=1000, war=cents), dealer=dealer, **terms)["war"]


def dealer_with(up: str) -> str:
    """A dealer who stands on two cards, or has a blackjack, under this up card."""
    return f"{up}d {'A' if up in '6789TJQK' else 'K'}s" + (" 9s" if up in "2345" else "")


@pytest.mark.clause("AD.3", "AD.4")
@pytest.mark.parametrize("table", ["1", "2"])
@pytest.mark.parametrize(
    ("first", "up", "result"),
    [
        *((high, low, ("win", 1000)) for low, high in zip("23456789TJQK", "3456789TJQKA", strict=True)),
        *((low, high, ("lose", -1000)) for low, high in zip("23456789TJQK", "3456789TJQKA", strict=True)),
        ("A", "2", ("win", 1000)),  # the ace is high
        ("2", "A", ("lose", -1000)),
    ],
)
def test_the_higher_first_card_wins_even_money(first: str, up: str, result: tuple[str, int], table: str) -> None:
    second = "9c" if first in "TA" else "Tc"
    assert war(f"{first}h {second}", dealer_with(up), pay_tables={"war": table}) == result


@pytest.mark.clause("AD.4")
@pytest.mark.parametrize(
    ("held", "result"),
    [
        ("7h 8c", ("win", 1000)),
        ("7h Ac", ("win", 1000)),
        ("7h 7c", ("lose", -1000)),
        ("7h 6c", ("lose", -1000)),
        ("8h 2c", ("win", 1000)),  # no tie: the second card does not count
        ("6h Ac", ("lose", -1000)),
    ],
)
def test_on_equal_ranks_the_second_card_has_to_be_higher(held: str, result: tuple[str, int]) -> None:
    assert war(held, "7d Ts") == result


@pytest.mark.clause("AD.5", "M.1")
@pytest.mark.parametrize("held", ["7h 8c", "7h 7c", "7h 2c"])
@pytest.mark.parametrize(
    ("cents", "breakage", "up"),
    [(1000, "down", -500), (5, "down", -3), (5, "up", -2), (1, "down", -1), (1, "up", 0)],
)
def test_on_table_2_equal_ranks_lose_half_whatever_the_second_card(
    held: str, cents: int, breakage: str, up: int
) -> None:
    result = war(held, "7d Ts", cents, pay_tables=TABLE_2, options={"breakage": breakage})
    assert result == ("lose" if up else "push", up)


@pytest.mark.clause("AD.5")
def test_a_half_loss_says_so() -> None:
    given = bj("7h 8c", blackjack=1000, war=1000)
    answer = sheet("acey-deucey-21", given, dealer="7d Ts", pay_tables=TABLE_2)
    line = next(line for line in answer["seats"][0]["lines"] if line["wager"] == "war")
    assert (line["wagered"], line["clause"]) == (1000, "AD.5")
    assert line["because"].endswith("lose half.")


@pytest.mark.clause("AD.15")
def test_the_first_card_is_the_first_one_received() -> None:
    assert war("9h 5c", "7d Ts") == ("win", 1000)
    assert war("5c 9h", "7d Ts") == ("lose", -1000)
    split = bj("8h 8c", "8h 9s", "8c 2s 9c", blackjack=1000, war=1000)
    assert paid("acey-deucey-21", split, dealer="9d 8s")["war"] == ("lose", -1000)


@pytest.mark.clause("AD.15")
@pytest.mark.parametrize("dealer", ["Ad Ks", "Kd As", "9d 8s"])
def test_war_is_settled_as_soon_as_the_up_card_is_exposed(dealer: str) -> None:
    given = bj("Ah 9c", blackjack=1000, war=1000)
    table, moments = walked("acey-deucey-21", given, dealer=dealer)
    exposed = next(moment for moment in moments if moment.step == Draw(-1))
    assert lines_at(table, exposed.before) == set()
    assert lines_at(table, exposed.after) == {(0, "war")}
    assert war("Ah 9c", "Kd As") == ("win", 1000)  # a dealer blackjack does not touch it


@pytest.mark.clause("AD.4", "AD.15")
def test_war_needs_a_blackjack_wager_unless_the_house_lets_it_stand_alone() -> None:
    alone: Written = bj("9h 5c", war=1000)
    error = refused("acey-deucey-21", alone, dealer="7d Ts")
    assert "war wager of 1000 cents refused" in error
    assert "blackjack wager on the same spot" in error
    lifted = {"acey-deucey-21.bonus-alone": True}
    assert paid("acey-deucey-21", alone, dealer="7d Ts", options=lifted) == {"war": ("win", 1000)}


@pytest.mark.clause("AD.4")
def test_war_keeps_to_the_legal_limit_and_has_no_minimum_of_its_own() -> None:
    assert war("9h 5c", "7d Ts", 30000, limit=30000) == ("win", 30000)
    assert war("9h 5c", "7d Ts", 1) == ("win", 1)
    error = refused("acey-deucey-21", bj("9h 5c", blackjack=1000, war=30001), dealer="7d Ts", limit=30000)
    assert "at most $300" in error


@pytest.mark.clause("AD.2")
def test_war_alone_may_be_left_out() -> None:
    without = {"offers": ["blackjack", "acey-deucey"]}
    given = bj("9h 5c", blackjack=1000, war=1000)
    error = refused("acey-deucey-21", given, dealer="7d Ts", options=without)
    assert "this table offers acey-deucey, blackjack" in error
    assert catalog.game("acey-deucey-21", options=without).terms.deviations == ()
