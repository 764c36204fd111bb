"""Lucky Lucky, clause by clause: two cards and the dealer's up card. Dealers read up, hole, draws."""

from itertools import permutations
from typing import Any

import pytest

from feltworks.rules.round import DEALER
from feltworks.rules.steps import Decide, Draw, Peek
from tests.pit import Written, bj, lines_at, paid, refused, settled, sheet, walked

GAME = "lucky-lucky"


def spot(held: str, *hands: str, **said: Any) -> Written:
    return bj(held, *hands, **{"blackjack": 1000, "lucky_lucky": 100, **said})


def dealer_with(up: str) -> str:
    """A dealer who has to draw no card beyond this up card, the hole card and perhaps one more."""
    return up + {"A": " 9d", "2": " 9d 9c", "3": " 9d 9c", "4": " 9d 9c", "5": " 6d Tc", "6": " Ad"}.get(
        up[0], " Td" if up[0] in "789" else " 9d"
    )


def units(held: str, up: str, table: str = "1", **options: Any) -> int:
    """What a Lucky Lucky of $1 is up, in dollars."""
    lines = paid(GAME, spot(held), dealer=dealer_with(up), pay_tables={GAME: table}, options=options)
    return lines["lucky-lucky"][1] // 100


@pytest.mark.clause("LL.2", "LL.3")
@pytest.mark.parametrize(
    ("held", "up", "by_table"),
    [
        ("7h 7h", "7h", (200, 200, 200)),
        ("6h 7h", "8h", (100, 100, 100)),
        ("7h 7d", "7h", (50, 50, 50)),
        ("6h 7h", "8c", (30, 30, 30)),
        ("Th 5h", "6h", (10, 15, 10)),
        ("Ah Kh", "Th", (10, 15, 10)),  # 11 would be 31: the ace counts one
        ("Th 5h", "6c", (3, 3, 3)),
        ("9h 9c", "3d", (3, 3, 3)),
        ("Th 4h", "6h", (2, 2, 2)),  # a suited 20 is a 20
        ("Kh 9c", "Ad", (2, 2, 2)),
        ("Th 3h", "6c", (2, 1, 1)),
        ("Th 2h", "6h", (-1, -1, -1)),
        ("2h 3h", "4h", (-1, -1, -1)),
        ("Th 6h", "6h", (-1, -1, -1)),  # 22
        ("Kh Qh", "Jh", (-1, -1, -1)),
        ("6h 7h", "7h", (2, 2, 2)),  # 20 without the eight
        ("6h 8h", "8h", (-1, -1, -1)),
    ],
)
def test_the_highest_row_is_paid_on_every_table(held: str, up: str, by_table: tuple[int, ...]) -> None:
    assert tuple(units(held, up, table) for table in "123") == by_table


@pytest.mark.clause("LL.2")
@pytest.mark.parametrize(
    ("held", "up", "won"),
    [
        ("Ah 9c", "As", 3),  # 11 + 9 + 1
        ("Ah Ac", "9s", 3),
        ("Ah Ac", "8s", 2),
        ("Ah Ac", "7s", 2),  # 19 on table 1
        ("Ah Ac", "As", -1),  # 13
        ("Ah 7c", "As", 2),
        ("Ah 5c", "5s", 3),
        ("Ah 9c", "Ts", 2),  # 20 with the ace low
        ("Ah Kc", "Ts", 3),  # 21 with the ace low
    ],
)
def test_an_ace_counts_one_or_eleven(held: str, up: str, won: int) -> None:
    assert units(held, up) == won


@pytest.mark.clause("LL.3")
@pytest.mark.parametrize("cards", [("6h", "7h", "8h"), ("6c", "7h", "8d"), ("Th", "5h", "6h"), ("Ah", "9c", "Ad")])
def test_the_order_of_the_cards_is_irrelevant(cards: tuple[str, ...]) -> None:
    assert len({units(f"{first} {second}", up) for first, second, up in permutations(cards)}) == 1


@pytest.mark.clause("LL.2")
def test_hole_card_and_hit_cards_have_no_part_in_it() -> None:
    lines = paid(GAME, spot("7h 7c", "7h 7c 7d"), dealer="Tc 7s")
    assert lines["lucky-lucky"] == ("lose", -100)  # 24


@pytest.mark.clause("LL.4")
@pytest.mark.parametrize("decks", [1, 2, 3, 8])
def test_with_one_or_two_decks_there_is_no_suited_sevens(decks: int) -> None:
    if decks < 3:
        given = spot("7h 7h")
        assert f"the shoe holds only {decks} of card 7h" in refused(
            GAME, given, dealer="7h Td", options={"decks": decks}
        )
    else:
        assert units("7h 7h", "7h", decks=decks) == 200
    assert units("7h 7c", "7d", decks=decks) == 50


@pytest.mark.clause("LL.5")
@pytest.mark.parametrize("dealer", ["Ac Kd", "Kc Ad", "Ac 7d", "8c 9d"])
def test_it_is_settled_directly_after_the_deal_before_insurance_check_and_decisions(dealer: str) -> None:
    spots = [spot("9h Ah"), spot("6h 7h", lucky_break=100)]
    table, moments = walked(GAME, *spots, dealer=dealer)
    exposed = next(moment for moment in moments if moment.step == Draw(DEALER))
    assert lines_at(table, exposed.before) == set()
    assert lines_at(table, exposed.after) == {(0, "lucky-lucky"), (1, "lucky-lucky")}
    assert not [m for m in moments[: moments.index(exposed)] if isinstance(m.step, Decide | Peek)]


@pytest.mark.clause("LL.5")
@pytest.mark.parametrize(
    ("given", "dealer", "lucky_lucky"),
    [
        (spot("9h Ah"), "Ac Kd", 300),  # dealer blackjack
        (spot("Th 9h"), "Ac Kd", 200),
        (spot("7h 7c", "7h Ts", "7c Ts"), "7d Tc", 5000),  # split
        (spot("7h 6c", "7h 6c surrender"), "8d Tc", 3000),
        (spot("Th 3c", "Th 3c Ts"), "6d Tc", 200),  # bust
        (spot("9h Ah", insurance=500), "Ac 7d", 300),
    ],
)
def test_nothing_that_follows_touches_it(given: Written, dealer: str, lucky_lucky: int) -> None:
    lines = paid(GAME, given, dealer=dealer, options={"surrender": "late"})
    assert lines["lucky-lucky"] == ("win", lucky_lucky)


@pytest.mark.clause("LL.1")
def test_it_needs_a_main_wager_by_the_player_of_the_spot_and_one_pay_table() -> None:
    error = refused(GAME, bj("6h 7h", lucky_lucky=100), dealer="8h Td")
    assert "lucky-lucky wager of 100 cents refused" in error
    assert "blackjack wager on the same spot" in error
    mine, upon_it = spot("6h 7h", player="Ann", spot=2), spot("6h 7h", player="Bob", spot=2)
    assert "each spot once" in refused(GAME, mine, upon_it, dealer="8h Td")
    unknown = refused(GAME, spot("6h 7h"), dealer="8h Td", pay_tables={GAME: "4"})
    assert "1, 2 or 3" in unknown


@pytest.mark.clause("LL.1")
@pytest.mark.parametrize("options", [{"decks": 1}, {"decks": 8}, {"shoe": "continuous"}])
def test_one_to_eight_decks_or_a_continuous_shuffler_are_as_approved(options: dict[str, object]) -> None:
    answer = sheet(GAME, spot("6h 7h"), dealer="8h Td", options=options)
    assert answer["as_approved"]
    assert "from 1 to 8" in refused(GAME, spot("6h 7h"), dealer="8h Td", options={"decks": 9})


@pytest.mark.clause("LL.1")
def test_wagers_keep_to_the_limit() -> None:
    above = spot("6h 7h", lucky_lucky=30001)
    assert "at most $300" in refused(GAME, above, dealer="8h Td", limit=30000)
    assert paid(GAME, spot("6h 7h", lucky_lucky=30000), dealer="8h Td", limit=30000)["lucky-lucky"][1] == 3000000


@pytest.mark.clause("LL.7")
def test_lucky_break_may_be_offered_beside_it_or_left_out() -> None:
    given = spot("6h 7h", "6h 7h 8c", lucky_break=100)
    assert paid(GAME, given, dealer="6c Td Ks") == {
        "blackjack": ("win", 1000),
        "lucky-lucky": ("win", 200),
        "lucky-break": ("win", 300),
    }
    without = {"offers": ["blackjack", "lucky-lucky"]}
    error = refused(GAME, given, dealer="6c Td Ks", options=without)
    assert "lucky-break wager of 100 cents refused: this table offers" in error
    plain = settled(GAME, spot("6h 7h"), dealer="8h Td", options=without)
    assert plain[0]["lucky-lucky"] == ("win", 10000)
