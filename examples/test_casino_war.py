"""Casino War, clause by clause."""

import pytest

from feltworks.errors import NotOffered, WagerRefused
from feltworks.written.record import FinishedRound, FinishedSeat
from feltworks.written.settle import settle_finished


def nets(seat: FinishedSeat, dealer: str, **options: object) -> dict[str, int]:
    """Settle a one-seat round and say what each wager brought."""
    finished = FinishedRound("casino-war", [seat], {"cards": dealer.split()}, options=options)
    return {line["wager"]: line["net"] for line in settle_finished(finished)["seats"][0]["lines"]}


@pytest.mark.clause("CW.1", "CW.2")
@pytest.mark.parametrize(("card", "net"), [("Ac", 1000), ("2c", -1000)])
def test_the_higher_card_wins(card: str, net: int) -> None:
    assert nets(FinishedSeat({"ante": 1000}, [card]), "Kh") == {"ante": net}


@pytest.mark.clause("CW.3")
def test_surrender_costs_half_the_ante() -> None:
    assert nets(FinishedSeat({"ante": 1000}, ["9c"], choice="surrender"), "9h") == {"ante": -500}


@pytest.mark.clause("CW.3")
def test_a_house_may_offer_no_surrender() -> None:
    with pytest.raises(NotOffered, match="allowed: war"):
        nets(FinishedSeat({"ante": 1000}, ["9c"], choice="surrender"), "9h", surrender=False)


@pytest.mark.clause("CW.3", "CW.4")
@pytest.mark.parametrize(("second", "ante", "raised"), [("Tc", 0, 1000), ("Jc", 0, 1000), ("8c", -1000, -1000)])
def test_a_war_is_won_with_an_equal_or_higher_card(second: str, ante: int, raised: int) -> None:
    seat = FinishedSeat({"ante": 1000}, ["9c", second], choice="war")
    assert nets(seat, "9h Th") == {"ante": ante, "raise": raised}


@pytest.mark.clause("CW.5")
@pytest.mark.parametrize(("card", "net"), [("9c", 5000), ("8c", -500)])
def test_the_tie_pays_ten_to_one(card: str, net: int) -> None:
    choice = "surrender" if card == "9c" else None
    assert nets(FinishedSeat({"ante": 1000, "tie": 500}, [card], choice=choice), "9h")["tie"] == net


@pytest.mark.clause("CW.5")
def test_the_tie_needs_an_ante() -> None:
    with pytest.raises(WagerRefused, match="ante wager on the same spot"):
        nets(FinishedSeat({"tie": 500}, ["9c"]), "9h")
