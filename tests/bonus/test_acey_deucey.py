"""Acey Deucey and its Raise That Pays, clause by clause. Dealers read up, hole, draws."""

from typing import Any

import pytest

from feltworks import catalog
from feltworks.cards import Card
from feltworks.errors import BadOption
from feltworks.rules.round import DEALER
from feltworks.rules.steps import Decide, Draw, Offer
from tests.pit import Written, bj, decisions, lines_at, paid, refused, settled, sheet, walked

GAME = "acey-deucey-21"
TABLES = ("1", "2", "3", "1B", "2B", "3B")


def spot(held: str, raise_: int = 0, **wagers: Any) -> Written:
    return bj(held, raise_=raise_, **{"blackjack": 1000, "acey_deucey": 1000, **wagers})


def won(held: str, dealer: str, raise_: int = 0, table: str = "1", **terms: Any) -> tuple[int, int | None]:
    """What a $10 Ante is up, and what its Raise is."""
    lines = paid(GAME, spot(held, raise_), dealer=dealer, pay_tables={"acey-deucey": table}, **terms)
    return lines["acey-deucey"][1], lines["raise"][1] if "raise" in lines else None


# AD.11: what is paid


@pytest.mark.clause("AD.11", "AD.12")
@pytest.mark.parametrize(
    ("held", "dealer", "times"),
    [
        # the pays of tables 1, 2, 3 and of their B tables
        ("5c 7h", "6d As", (6, 6, 6)),
        ("5c 7c", "6c As", (30, 25, 30)),
        ("5c 7c", "6d As", (6, 6, 6)),  # the up card is of another suit
        ("5c 8h", "6d As", (2, 2, 1)),
        ("8c 5c", "7c Ts", (10, 10, 5)),
        ("5c 9h", "7d Ts", (1, 1, 1)),  # spread 3
        ("5c 9c", "7c Ts", (5, 5, 5)),
        ("2c Ah", "7d Ts", (1, 1, 1)),  # spread 11
        ("Ac 2c", "7c Ts", (5, 5, 5)),
        ("8c 8h", "8d 9s", (6, 6, 6)),
        ("8c 8c", "8d 9s", (6, 6, 6)),
        ("8c 8c", "8c 9s", (30, 25, 30)),
    ],
)
def test_every_spread_is_paid_by_its_table_suited_more(held: str, dealer: str, times: tuple[int, int, int]) -> None:
    by_table = dict(zip(TABLES, (*times, *times), strict=True))
    assert {table: won(held, dealer, table=table)[0] // 1000 for table in TABLES} == by_table


@pytest.mark.clause("AD.9", "AD.11")
@pytest.mark.parametrize("high", range(2, 13))
def test_the_spread_counts_the_ranks_strictly_between(high: int) -> None:
    """From the two upwards: neighbours, then spreads 1 to 11, each met by the card below the higher one."""
    ranks = "23456789TJQKA"
    held, up = f"2c {ranks[high]}h", ranks[high - 1]
    dealer = f"{up}d " + {"3": "4s Ks", "4": "3s Ks", "5": "2s Ks"}.get(up, "As" if up in "6789" else "9s")
    spread = high - 1
    assert won(held, dealer)[0] == {1: 6000, 2: 2000}.get(spread, 1000)


@pytest.mark.clause("AD.11")
@pytest.mark.parametrize("decks", [1, 2, 3])
def test_a_suited_three_of_a_kind_takes_three_decks(decks: int) -> None:
    options = {"decks": decks}
    if decks < 3:
        assert "of card 8c" in refused(GAME, spot("8c 8c"), dealer="8c 9s", options=options)
    else:
        assert won("8c 8c", "8c 9s", options=options)[0] == 30000


# AD.9, AD.10: what wins


@pytest.mark.clause("AD.3", "AD.9")
@pytest.mark.parametrize(
    ("held", "dealer", "up"),
    [
        ("Kc 7h", "8d 9s", 1000),  # the document's example
        ("Qc 2h", "Qd 9s", -1000),  # equal to the higher one
        ("Qc 6h", "6d As", -1000),  # equal to the lower one
        ("Qc 6h", "Ad 9s", -1000),  # above
        ("Qc 8h", "7d Ts", -1000),  # below
        ("7c 8h", "7d Ts", -1000),
        ("7c 8h", "9d 8s", -1000),  # neighbours always lose
        ("Kc Ah", "Qd 9s", -1000),
        ("2c 3h", "Ad 9s", -1000),
        ("2c Ah", "3d 4s Ts", 1000),  # ace and two are the widest spread
        ("Ac 2h", "Kd 9s", 1000),
        ("2c Ah", "Ad 9s", -1000),
        ("2c Ah", "2d 9s 6s", -1000),
        ("Ac Qh", "Kd 9s", 6000),  # the ace ranks above the king
    ],
)
def test_strictly_between_wins_equal_outside_and_neighbours_lose(held: str, dealer: str, up: int) -> None:
    assert won(held, dealer) == (up, None)


@pytest.mark.clause("AD.9")
def test_neighbours_may_be_raised_and_settle_with_the_others() -> None:
    assert won("7c 8h", "9d 8s", raise_=2000) == (-1000, -2000)


@pytest.mark.clause("AD.10")
@pytest.mark.parametrize("up", ["2d 9s 6s", "7d Ts", "9d 8s", "Kd 9s", "Ad 9s"])
def test_a_pair_that_meets_no_third_pushes_ante_and_raise(up: str) -> None:
    assert won("8c 8h", up, raise_=2000) == (0, 0)


@pytest.mark.clause("AD.10", "AD.11")
def test_a_pair_that_meets_its_third_wins_ante_and_raise() -> None:
    assert won("8c 8h", "8d 9s", raise_=2000) == (6000, 12000)
    assert won("5c 7c", "6c As", raise_=150) == (30000, 4500)


# AD.6–8: ante and raise


@pytest.mark.clause("AD.6")
def test_the_ante_is_at_least_a_dollar_and_within_the_legal_limit() -> None:
    assert "at least $1" in refused(GAME, spot("5c 7h", acey_deucey=99), dealer="6d As")
    assert "at most $300" in refused(GAME, spot("5c 7h", acey_deucey=30001), dealer="6d As", limit=30000)
    for cents in (100, 30000):
        lines = paid(GAME, spot("5c 7h", acey_deucey=cents), dealer="6d As", limit=30000)
        assert lines["acey-deucey"] == ("win", 6 * cents)


@pytest.mark.clause("AD.8")
@pytest.mark.parametrize(
    ("ante", "raise_", "limit", "allowed"),
    [
        (1000, 100, None, None),
        (1000, 2000, None, None),
        (1000, 1337, None, None),  # any whole-cent amount
        (1000, 99, None, "raise ($1 to $20 on raise)"),
        (1000, 2001, None, "raise ($1 to $20 on raise)"),
        (100, 200, None, None),
        (100, 201, None, "raise ($1 to $2 on raise)"),
        (30000, 30000, 30000, None),  # an Ante at the limit is raised by its own amount
        (30000, 30001, 30000, "raise ($1 to $300 on raise)"),
        (20000, 30000, 30000, None),
        (20000, 30001, 30000, "raise ($1 to $300 on raise)"),
        (15000, 30000, 30000, None),  # twice the Ante, within the limit
        (14999, 29999, 30000, "raise ($1 to $299.98 on raise)"),
    ],
)
def test_a_raise_is_from_a_dollar_to_twice_the_ante_and_within_the_limit(
    ante: int, raise_: int, limit: int | None, allowed: str | None
) -> None:
    given = spot("5c 7h", raise_, acey_deucey=ante)
    if allowed is None:
        lines = paid(GAME, given, dealer="6d As", limit=limit)
        assert (lines["acey-deucey"][1], lines["raise"][1]) == (6 * ante, 6 * raise_)
    else:
        said = f"seat 1 may not choose raise of {raise_} cents for acey-deucey; allowed: check or {allowed}"
        assert refused(GAME, given, dealer="6d As", limit=limit) == said


@pytest.mark.clause("AD.8")
@pytest.mark.parametrize("raise_", [-100, 150.5, "200", True])
def test_a_raise_is_a_positive_whole_number_of_cents(raise_: Any) -> None:
    assert "the raise is a whole number of cents" in refused(GAME, spot("5c 7h", raise_), dealer="6d As")


@pytest.mark.clause("AD.8")
def test_without_an_ante_there_is_nothing_to_raise() -> None:
    error = refused(GAME, bj("5c 7h", blackjack=1000, raise_=100), dealer="6d As")
    assert "raise of 100 cents, and no such decision was open" in error
    placed = refused(GAME, spot("5c 7h", **{"raise": 100}), dealer="6d As")
    assert "it follows from the acey-deucey wager" in placed


@pytest.mark.clause("AD.12")
@pytest.mark.parametrize("table", TABLES)
def test_a_pair_is_not_raised_on_a_b_table(table: str) -> None:
    pays = {"acey-deucey": table}
    if table.endswith("B"):
        error = refused(GAME, spot("8c 8h", 100), dealer="8d 9s", pay_tables=pays)
        assert error == "seat 1 may not choose raise of 100 cents for acey-deucey; allowed: check"
        assert won("8c 8h", "8d 9s", table=table) == (6000, None)
    else:
        assert won("8c 8h", "8d 9s", raise_=100, table=table) == (6000, 600)
    assert won("Kc Jh", "Qd 9s", raise_=100, table=table) == (
        6000,
        600,
    )  # ten-values are no pair by themselves


# AD.7, AD.15: the order of the deal and of settling


@pytest.mark.clause("AD.2", "AD.7")
def test_players_raise_between_the_dealers_down_card_and_the_up_card() -> None:
    table, moments = walked(GAME, spot("5c 7h", 200), spot("8c 8h"), dealer="6d As")
    steps = [moment.step for moment in moments]
    up_card = steps.index(Draw(DEALER))
    dealt = {step for step in steps[: up_card - 2] if isinstance(step, Draw)}
    assert dealt == {Draw(0), Draw(1), Draw(DEALER, down=True)}
    asked = [step for step in steps[up_card - 2 : up_card] if isinstance(step, Decide)]
    assert asked[0] == Decide(0, (Offer("check"), Offer("raise", "raise", 100, 2000)), "acey-deucey")
    assert [step.seat for step in asked] == [0, 1]
    before = table.view(moments[up_card].before)
    assert all(isinstance(face, Card) for seat in before.seats for face in seat.cards)  # AD.2: face up for all
    assert [isinstance(face, Card) for face in before.dealer] == [False]


@pytest.mark.clause("AD.7")
def test_checks_and_raises_stand_open_together() -> None:
    table, moments = walked(GAME, spot("5c 7h"), spot("8c 8h"), dealer="6d As")
    first = next(moment for moment in moments if isinstance(moment.step, Decide))
    assert [step.seat for step in table.open_decisions(first.before)] == [0, 1]


@pytest.mark.clause("AD.15")
def test_the_same_deal_is_used_where_nobody_has_wagered_the_bonus() -> None:
    def deal(*spots: Written) -> list[object]:
        _, moments = walked(GAME, *spots, dealer="6d As")
        return [moment.step for moment in moments if isinstance(moment.step, Draw)]

    assert deal(bj("5c 7h", blackjack=1000)) == deal(spot("5c 7h"))


@pytest.mark.clause("AD.15")
@pytest.mark.parametrize("dealer", ["Ad Ks", "Kd As", "6d As"])
def test_acey_deucey_is_settled_before_insurance_the_check_and_any_decision(dealer: str) -> None:
    table, moments = walked(GAME, spot("5c Ah", 200), dealer=dealer)
    exposed = next(moment for moment in moments if moment.step == Draw(DEALER))
    assert lines_at(table, exposed.before) == set()
    assert lines_at(table, exposed.after) == {(0, "acey-deucey"), (0, "raise")}
    assert decisions(moments[: moments.index(exposed)]) == [(0, "acey-deucey", ["check", "raise"])]


@pytest.mark.clause("AD.15")
def test_a_dealer_blackjack_does_not_touch_the_bonus_wagers() -> None:
    lines = paid(GAME, spot("Qc Ah", 2000, war=500), dealer="Kd As")
    expected = {
        "acey-deucey": 6000,
        "raise": 12000,
        "war": -500,
        "blackjack": 0,
    }  # the queen loses to the king
    assert {name: net for name, (_, net) in lines.items()} == expected


@pytest.mark.clause("AD.15")
def test_the_bonus_stands_alone_only_where_the_house_says_so() -> None:
    alone = bj("5c 7h", acey_deucey=1000, raise_=500)
    error = refused(GAME, alone, dealer="6d As")
    assert "acey-deucey wager of 1000 cents refused" in error
    assert "blackjack wager on the same spot" in error
    lifted = {"bonus-alone": True}
    won = {"acey-deucey": ("win", 6000), "raise": ("win", 3000)}
    assert paid(GAME, alone, dealer="6d 8s", options=lifted) == won
    # nobody plays blackjack, so the dealer does not draw
    assert "more than the rules allow" in refused(GAME, alone, dealer="6d 8s 9s", options=lifted)
    beside = settled(GAME, alone, bj("Th 9h", blackjack=1000), dealer="6d 8s 4s", options=lifted)
    assert beside == [won, {"blackjack": ("win", 1000)}]


# AD.1, AD.2, AD.14: the table


@pytest.mark.clause("AD.1")
@pytest.mark.parametrize("decks", [1, 6, 8])
def test_blackjack_underneath_by_any_selectable_rules(decks: int) -> None:
    options = {
        "decks": decks,
        "soft17": "hit",
        "blackjack-pays": "6:5",
        "surrender": "late",
        "double": "10-11",
    }
    table = catalog.game(GAME, options=options)
    assert (table.terms.shoe.total, table.terms.deviations) == (52 * decks, ())
    spots = [spot("Ac Kh"), spot("Th 9h"), bj("Tc 6h", "Tc 6h surrender", blackjack=1000)]
    nets = [lines["blackjack"][1] for lines in settled(GAME, *spots, dealer="6d As 4s", options=options)]
    assert nets == [1200, -1000, -500]  # the dealer hits soft 17 and makes 21


@pytest.mark.clause("AD.1")
def test_six_standard_decks_unless_the_house_says_otherwise() -> None:
    assert catalog.game(GAME).terms.shoe.total == 312


@pytest.mark.clause("AD.2")
def test_six_or_seven_spots() -> None:
    seats = [bj("Th 9h", blackjack=1000) for _ in range(3)] + [bj("Ts 9s", blackjack=1000) for _ in range(4)]
    assert len(settled(GAME, *seats, dealer="7d Ts")) == 7
    assert refused(GAME, *seats, dealer="7d Ts", options={"spots": 6}) == "the table has spots 1 to 6"
    for spots in (5, 8):
        with pytest.raises(BadOption, match="a whole number from 6 to 7"):
            catalog.game(GAME, options={"spots": spots})


@pytest.mark.clause("AD.2")
def test_acey_deucey_is_always_part_of_the_game() -> None:
    with pytest.raises(BadOption, match="a list with acey-deucey in it"):
        catalog.game(GAME, options={"offers": ["blackjack", "war"]})


@pytest.mark.clause("AD.14")
def test_nobody_wagers_on_a_spot_that_is_anothers() -> None:
    mine, upon_it = spot("5c 7h", player="Ann", spot=1), spot("5c 7h", player="Bob", spot=1)
    error = refused(GAME, mine, upon_it, dealer="6d As")
    assert error == "seats are listed by spot from the dealer's left, each spot once"


@pytest.mark.clause("AD.14")
def test_an_irregular_round_may_be_voided_and_every_wager_returned() -> None:
    answer = sheet(GAME, spot("5c 7h", 200, war=100), dealer="6d As", void="a card was exposed")
    (seat,) = answer["seats"]
    assert [(line["wager"], line["wagered"], line["result"], line["net"]) for line in seat["lines"]] == [
        ("blackjack", 1000, "void", 0),
        ("acey-deucey", 1000, "void", 0),
        ("war", 100, "void", 0),
        ("raise", 200, "void", 0),
    ]
