"""Lucky Break, clause by clause. Dealers read up, hole, draws; wagers are a dollar unless said otherwise."""

from typing import Any

import pytest

from feltworks import catalog
from feltworks.rules.round import DEALER
from feltworks.rules.steps import Decide, Peek, Tuck
from tests.pit import Written, bj, decisions, gestures, lines_at, paid, refused, settled, sheet, walked

GAME = "lucky-break"
MIXED_26, MIXED_22, STANDS = "6c Td Ks", "6c Td 6s", "6c Td 4s"
LATE = {"surrender": "late"}


def spot(held: str, *hands: str, **said: Any) -> Written:
    return bj(held, *hands, **{"blackjack": 1000, "lucky_break": 100, **said})


def units(given: Written, dealer: str, table: str = "1", game: str = GAME, **options: Any) -> int:
    """What a Lucky Break of $1 is up, in dollars."""
    named = {name.replace("_", "-"): value for name, value in options.items()}
    lines = paid(game, given, dealer=dealer, pay_tables={"lucky-break": table}, options=named)
    net = lines["lucky-break"][1]
    assert net % 100 == 0
    return net // 100


# LB.5–9: what is paid


@pytest.mark.clause("LB.5", "LB.6")
@pytest.mark.parametrize(
    ("draw", "total", "by_table"),
    [
        ("Ks", 26, (3, 3, 3, 3)),
        ("9s", 25, (3, 3, 2, 2)),
        ("8s", 24, (2, 2, 2, 2)),
        ("7s", 23, (2, 2, 2, 2)),
        ("6s", 22, (1, 1, 1, 1)),
        ("5s", 21, (-1, -1, -1, -1)),
        ("As", 17, (-1, -1, -1, -1)),
    ],
)
def test_the_base_goes_by_the_dealers_total(draw: str, total: int, by_table: tuple[int, ...]) -> None:
    dealer = f"6c Td {draw}"
    assert tuple(units(spot("Th 9h"), dealer, table) for table in "1234") == by_table
    longer = {26: "2c 4d Th Ks", 25: "2c 4d Th 9s", 22: "2c 4d Th 6s"}.get(total)
    if longer:  # the number of cards does not matter to the base
        assert tuple(units(spot("Th 9h"), longer, table) for table in "1234") == by_table


THREE, FOUR, FIVE, SIX = "6c Tc", "2c 4c Tc", "2c 2c 2c Tc", "2c 2c 2c 2c 8c"


@pytest.mark.clause("LB.7", "LB.8")
@pytest.mark.parametrize(
    ("dealer", "added", "replaces"),
    [
        # a total of 26 has a base of 3 on every table
        (f"{THREE} Kc", (9, 9, 18, 9), (6, 6, 15, 6)),
        (f"{FOUR} Kc", (33, 33, 33, 33), (30, 30, 30, 30)),
        (f"{FIVE} Kc", (153, 303, 78, 153), (150, 300, 75, 150)),  # table 1: the document's $3 and $150
        (f"{SIX} Kc", (153, 303, 78, 153), (150, 300, 75, 150)),
        # 25 has a base of 3 on tables 1 and 2, of 2 on tables 3 and 4
        (f"{THREE} 9c", (9, 9, 12, 6), (6, 6, 10, 4)),
        (f"{FOUR} 9c", (33, 33, 22, 22), (30, 30, 20, 20)),
        (f"{FIVE} 9c", (153, 303, 52, 102), (150, 300, 50, 100)),
        # 24 and 23 have 2, 22 has 1
        (f"{THREE} 8c", (6, 6, 12, 6), (4, 4, 10, 4)),
        (f"{FOUR} 7c", (22, 22, 22, 22), (20, 20, 20, 20)),
        (f"{THREE} 6c", (3, 3, 6, 3), (2, 2, 5, 2)),
        (f"{FOUR} 6c", (11, 11, 11, 11), (10, 10, 10, 10)),
        (f"{FIVE} 6c", (51, 101, 26, 51), (50, 100, 25, 50)),
    ],
)
def test_a_suited_bust_pays_base_and_base_times_multiplier_or_the_product_alone(
    dealer: str, added: tuple[int, ...], replaces: tuple[int, ...]
) -> None:
    for reading, by_table in (("added", added), ("replaces", replaces)):
        options = {"lucky-break.multiplier": reading}
        assert tuple(units(spot("Th 9h"), dealer, table, **options) for table in "1234") == by_table


@pytest.mark.clause("LB.8")
@pytest.mark.parametrize("reading", ["added", "replaces"])
def test_a_mixed_bust_pays_its_base_by_either_reading(reading: str) -> None:
    assert units(spot("Th 9h"), MIXED_26, multiplier=reading) == 3


@pytest.mark.clause("LB.9")
@pytest.mark.parametrize("dealer", ["6d Tc Kc", "6c Td Kc", "6c Tc Kd", "2c 4c Tc Kd", "2d 4c Tc Kc", "2c 2c 2c Tc Kd"])
def test_suited_means_every_card_of_the_dealers_hand(dealer: str) -> None:
    assert units(spot("Th 9h"), dealer) == 3


@pytest.mark.clause("LB.7")
def test_the_multiplier_goes_with_the_base_of_the_same_number() -> None:
    error = refused(GAME, spot("Th 9h"), dealer=MIXED_26, pay_tables={"lucky-break": "5"})
    assert "no lucky-break pay table '5'" in error
    assert "1, 2, 3 or 4" in error


# LB.5: the player's limit

BUST_26, BUST_27, BUST_28 = spot("Th 6h", "Th 6h Ks"), spot("Th 7h", "Th 7h Ks"), spot("Th 8h", "Th 8h Ks")


@pytest.mark.clause("LB.5", "LL.7")
@pytest.mark.parametrize(
    ("game", "limit", "pays"),
    [
        ("lucky-break", None, (3, 3, -1)),
        ("lucky-lucky", None, (3, -1, -1)),
        ("lucky-break", 26, (3, -1, -1)),
        ("lucky-lucky", 27, (3, 3, -1)),
        ("lucky-break", 27, (3, 3, -1)),
        ("lucky-lucky", 26, (3, -1, -1)),
        ("lucky-break", "none", (3, 3, 3)),
        ("lucky-lucky", "none", (3, 3, 3)),
    ],
)
def test_each_approval_has_its_limit_on_the_players_total(game: str, limit: Any, pays: tuple[int, ...]) -> None:
    options = {} if limit is None else {"player_limit": limit}
    assert tuple(units(bust, MIXED_26, game=game, **options) for bust in (BUST_26, BUST_27, BUST_28)) == pays


@pytest.mark.clause("LB.5")
def test_aces_count_low_once_over_21() -> None:
    given = spot("Ah 5h", "Ah 5h Ts Ks")  # soft 16, 16, 26
    assert units(given, MIXED_26, player_limit=26) == 3
    two_aces = spot("Ah Ad", "Ah Ad 9s 6s Ks")  # 21, 17, 27
    assert units(two_aces, MIXED_26, player_limit=26) == -1
    assert units(two_aces, MIXED_26) == 3


@pytest.mark.clause("LB.5")
def test_over_the_limit_the_wager_loses_only_when_the_dealers_hand_is_complete() -> None:
    table, moments = walked(GAME, BUST_28, dealer=MIXED_26)
    assert lines_at(table, moments[-1].before) == {(0, "blackjack")}
    (line,) = [line for line in table.settle(moments[-1].after) if line.wager == "lucky-break"]
    assert (line.outcome, line.net) == ("over the limit", -100)


# LB.2–4: in action to the end


@pytest.mark.clause("LB.2", "LB.14")
@pytest.mark.parametrize(
    ("held", "dealer", "blackjack"),
    [("Th 9h", "Ac Kd", -1000), ("Th 9h", "Kc Ad", -1000), ("Ah Kh", "Ac Kd", 0), ("Ah Kh", "Kc Ad", 0)],
)
def test_a_dealer_blackjack_takes_it_even_from_a_blackjack(held: str, dealer: str, blackjack: int) -> None:
    lines = paid(GAME, spot(held), dealer=dealer)
    assert (lines["blackjack"][1], lines["lucky-break"]) == (blackjack, ("lose", -100))


IN_ACTION = [
    pytest.param(BUST_26, -1000, id="bust"),
    pytest.param(spot("Ah Kh"), 1500, id="blackjack"),
    pytest.param(spot("Th 6h", "Th 6h surrender"), -500, id="surrendered"),
    pytest.param(BUST_28, -1000, id="over the limit"),
    pytest.param(spot("8h 8d", "8h 6s Ts", "8d 7s Ts"), -2000, id="every split hand bust"),
]


@pytest.mark.clause("LB.3", "LB.4", "LB.13")
@pytest.mark.parametrize(("given", "blackjack"), IN_ACTION)
def test_while_it_is_in_action_the_dealer_completes_the_hand(given: Written, blackjack: int) -> None:
    lines = paid(GAME, given, dealer=MIXED_26, options=LATE)
    assert lines["blackjack"][1] == blackjack
    assert lines["lucky-break"][1] == (-100 if given is BUST_28 else 300)
    assert "short of a card" in refused(GAME, given, dealer="6c Td", options=LATE)
    plain = {**given, "wagers": {"blackjack": 1000}}
    assert paid(GAME, plain, dealer="6c Td", options=LATE)["blackjack"][1] == blackjack
    assert "more than the rules allow" in refused(GAME, plain, dealer=MIXED_26, options=LATE)


@pytest.mark.clause("LB.4", "LB.10")
def test_a_toke_alone_keeps_the_dealer_drawing_too() -> None:
    given = bj("Th 6h", "Th 6h Ks", blackjack=1000, tokes={"lucky-break": 100})
    assert paid(GAME, given, dealer=MIXED_26)["lucky-break toke"] == ("win", 300)
    assert "short of a card" in refused(GAME, given, dealer="6c Td")


@pytest.mark.clause("LB.4")
@pytest.mark.parametrize(("rule", "dealer", "won"), [("stand", "6c Ad", -1), ("hit", "6c Ad 9s 9s", 3)])
def test_the_dealer_completes_by_the_tables_soft_17_rule(rule: str, dealer: str, won: int) -> None:
    assert units(BUST_26, dealer, soft17=rule) == won


@pytest.mark.clause("LB.3")
@pytest.mark.parametrize("given", [BUST_26, spot("Ah Kh")])
def test_the_main_hand_is_settled_at_once_and_its_cards_tucked_under_the_bonus(given: Written) -> None:
    table, moments = walked(GAME, given, dealer=MIXED_26)
    assert gestures(moments) == [Tuck(0, "lucky-break", "LB.3")]
    tucked = next(moment for moment in moments if moment.gestures)
    assert lines_at(table, tucked.before) == set()
    assert lines_at(table, tucked.after) == {(0, "blackjack")}
    assert lines_at(table, moments[-1].after) == {(0, "blackjack"), (0, "lucky-break")}


@pytest.mark.clause("LB.3")
def test_a_hand_without_the_bonus_or_that_stands_is_not_tucked() -> None:
    for given in (spot("Th 9h"), bj("Th 6h", "Th 6h Ks", blackjack=1000)):
        _, moments = walked(GAME, given, dealer=MIXED_26 if "lucky-break" in given["wagers"] else "6c Td")
        assert gestures(moments) == []


# LB.1, LB.10, LB.11: the table


@pytest.mark.clause("LB.1")
def test_it_needs_a_blackjack_wager_on_the_same_spot() -> None:
    for alone in (bj("Th 9h", lucky_break=100), bj("Th 9h", blackjack=0, lucky_break=100)):
        assert "refused" in refused(GAME, alone, dealer=MIXED_26)
    error = refused(GAME, spot("Th 9h"), bj("Ts 9s", lucky_break=100), dealer=MIXED_26)
    assert "lucky-break wager of 100 cents refused" in error
    assert "blackjack wager on the same spot" in error


@pytest.mark.clause("LB.1")
@pytest.mark.parametrize("decks", [1, 8])
def test_one_to_eight_decks_and_one_for_each_spot_played(decks: int) -> None:
    spots = [spot("Th 9h", player="Ann"), spot("Tc 9c", player="Ann", lucky_break=500)]
    won = settled(GAME, *spots, dealer=MIXED_26, options={"decks": decks})
    assert [lines["lucky-break"] for lines in won] == [("win", 300), ("win", 1500)]


@pytest.mark.clause("LB.1")
def test_it_is_not_made_on_anothers_spot_and_keeps_to_the_limit() -> None:
    mine, upon_it = spot("Th 9h", player="Ann", spot=1), spot("Th 9h", player="Bob", spot=1)
    assert "each spot once" in refused(GAME, mine, upon_it, dealer=MIXED_26)
    above = spot("Th 9h", lucky_break=30001)
    assert "at most $300" in refused(GAME, above, dealer=MIXED_26, limit=30000)


@pytest.mark.clause("LB.10", "LL.7")
def test_tokes_are_paid_on_the_same_schedule_and_summed_apart() -> None:
    given = spot("Th 9h", lucky_break=500, tokes={"lucky-break": 100})
    (seat,) = sheet(GAME, given, dealer=f"{FIVE} Kc")["seats"]
    by_name = {(line["wager"], line.get("toke", False)): line["net"] for line in seat["lines"]}
    assert by_name == {
        ("blackjack", False): 1000,
        ("lucky-break", False): 76500,
        ("lucky-break", True): 15300,
    }
    assert (seat["net"], seat["toke_net"]) == (77500, 15300)
    both = bj("6h 7h", blackjack=100, tokes={"lucky-break": 100, "lucky-lucky": 100})
    tokes = paid("lucky-lucky", both, dealer="8h Td")
    assert (tokes["lucky-break toke"], tokes["lucky-lucky toke"]) == (("lose", -100), ("win", 10000))


@pytest.mark.clause("LB.10")
@pytest.mark.parametrize(
    ("tokes", "words"),
    [
        ({"blackjack": 100}, "tokes are taken on lucky-break"),
        ({"lucky-break": 0}, "positive whole number of cents"),
    ],
)
def test_other_tokes_are_refused(tokes: dict[str, int], words: str) -> None:
    assert words in refused(GAME, spot("Th 9h", tokes=tokes), dealer=MIXED_26)


@pytest.mark.clause("LB.11")
@pytest.mark.parametrize(("dealer", "order"), [("Ac 7d", ["insurance", "peek"]), ("Kc 7d", ["peek"]), ("9c 8d", [])])
def test_the_dealer_checks_under_ace_and_ten_and_offers_insurance_first(dealer: str, order: list[str]) -> None:
    _, moments = walked(GAME, spot("Th 9h"), dealer=dealer)
    steps = [moment.step for moment in moments if isinstance(moment.step, Decide | Peek)]
    assert [step.about if isinstance(step, Decide) else "peek" for step in steps] == [*order, "hand 1"]


@pytest.mark.clause("LB.11")
@pytest.mark.parametrize("option", ["peek", "insurance"])
def test_a_table_without_peek_or_insurance_is_not_as_approved(option: str) -> None:
    answer = sheet(GAME, spot("Th 9h"), dealer=MIXED_26, options={option: False})
    assert (answer["as_approved"], answer["deviations"]) == (False, [f"{option} is false, approved is true"])
    assert sheet(GAME, spot("Th 9h"), dealer=MIXED_26)["as_approved"]


# LB.12–14: splits, surrender, insurance


@pytest.mark.clause("LB.12")
@pytest.mark.parametrize(
    ("hands", "any_", "all_"),
    [
        (["8h Ts", "8d Ts"], 3, 3),
        (["8h Ts", "8d 9s Ks"], 3, 3),  # 27 is within 27
        (["8h Ts", "8d Ts Ks"], 3, -1),  # 28
        (["8h Ts Ks", "8d Ts"], 3, -1),
        (["8h Ts Ks", "8d Ts Ks"], -1, -1),
        (["8h Ts Ks", "8c Ts Ks", "8s Ts Ks", "8d Ts"], 3, -1),
    ],
)
def test_after_a_split_any_hand_within_the_limit_will_do_or_all_have_to(hands: list[str], any_: int, all_: int) -> None:
    for reading, won in (("any", any_), ("all", all_)):
        assert units(spot("8h 8d", *hands), MIXED_26, split_limit=reading) == won


@pytest.mark.clause("LB.12")
def test_a_split_adds_no_lucky_break() -> None:
    (seat,) = sheet(GAME, spot("8h 8d", "8h Ts", "8d Ts"), dealer=MIXED_26)["seats"]
    assert [(line["wager"], line["wagered"]) for line in seat["lines"]] == [
        ("blackjack", 2000),
        ("lucky-break", 100),
    ]


@pytest.mark.clause("LB.13")
@pytest.mark.parametrize(("reading", "dealer", "won"), [("stays", MIXED_26, 3), ("loses", "6c Td", -1)])
def test_surrender_leaves_it_in_action_or_by_another_reading_loses_it(reading: str, dealer: str, won: int) -> None:
    given = spot("Th 6h", "Th 6h surrender")
    assert units(given, dealer, **LATE, **{"lucky-break.surrender": reading}) == won
    other = MIXED_26 if dealer == "6c Td" else "6c Td"
    assert refused(GAME, given, dealer=other, options={**LATE, "lucky-break.surrender": reading})


@pytest.mark.clause("LB.13")
def test_without_peek_the_line_of_a_surrendered_lucky_break_never_changes() -> None:
    options = {**LATE, "lucky-break.surrender": "loses", "peek": False}
    table, moments = walked(GAME, spot("Th 6h", "Th 6h surrender"), dealer="Kc Ad", options=options)
    given = [line for m in moments for line in table.settle(m.after) if line.wager == "lucky-break"]
    assert len(given) >= 2
    assert len(set(map(repr, given))) == 1


@pytest.mark.clause("LB.14")
def test_insurance_neither_touches_nor_covers_it() -> None:
    given = spot("Th 9h", lucky_break=5000)
    _, moments = walked(GAME, given, dealer="Ac 7d")
    (step,) = [m.step for m in moments if isinstance(m.step, Decide) and m.step.about == "insurance"]
    assert max(offer.most for offer in step.offers) == 500  # half the blackjack wager alone
    for insurance in (0, 500):
        insured = {**given, "insurance": insurance}
        assert paid(GAME, insured, dealer="Ac Kd")["lucky-break"] == ("lose", -5000)
        assert paid(GAME, insured, dealer="Ac 5d Ts Ks")["lucky-break"] == ("win", 15000)
    assert [about for _, about, _ in decisions(moments)].count("insurance") == 1


@pytest.mark.clause("LB.15")
def test_no_house_edge_is_published_and_the_unfilled_name_is_remarked() -> None:
    book = catalog.rulebook(GAME)
    assert book.published == []
    assert book.approval is not None
    assert "unfilled" in " ".join(book.approval.remarks)


def test_the_dealers_hand_is_seen_by_all_once_it_is_turned() -> None:
    table, moments = walked(GAME, BUST_26, dealer=MIXED_26)
    assert [str(face) for face in table.view(moments[-1].after).at(DEALER)] == ["Td", "6c", "Ks"]
