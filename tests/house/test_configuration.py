"""Before a table opens: no reachable wager breaks a limit, and every refusal names its rule."""

import datetime
from fractions import Fraction
from typing import Any

import pytest

from feltworks import catalog
from feltworks.errors import BadOption, UnknownName
from feltworks.house.configuration import TableCheck, TableOrder, WagerCheck, check_table
from feltworks.rules.advance import advance
from feltworks.rules.round import Choice
from feltworks.rules.steps import Decide, Offer
from feltworks.table.limits import WagerLimit

TODAY = datetime.date(2024, 1, 31)
SPANISH = {"offers": ["ante", "dos-pares", "joker-in-hand"]}


def check(game: str, on: str = "2024-01-31", **said: Any) -> TableCheck:
    limits = {name: WagerLimit(*pair) for name, pair in said.pop("limits", {}).items()}
    return check_table(TableOrder(game, datetime.date.fromisoformat(on), limits=limits, **said))


def wager(found: TableCheck, name: str) -> WagerCheck:
    return next(each for each in found.wagers if each.wager == name)


@pytest.mark.clause("WA.1", "FB.19", "SP.7")
@pytest.mark.parametrize(("game", "options", "follows"), [("fu-bacc", {}, "play"), ("spanish-poker", SPANISH, "raise")])
@pytest.mark.parametrize(("on", "limit"), [("2008-07-31", 200_00), ("2020-01-01", 300_00), ("2024-01-31", 400_00)])
def test_the_highest_lawful_ante_leaves_room_for_what_follows(
    game: str, options: dict[str, Any], follows: str, on: str, limit: int
) -> None:
    ante = wager(check(game, on, options=options), "ante")
    assert ante.most_lawful == limit // 2
    assert ante.follows == {follows: limit}


@pytest.mark.clause("WA.1", "AD.8")
def test_a_free_raise_is_capped_itself_and_leaves_the_wager_at_the_limit() -> None:
    found = wager(check("acey-deucey-21"), "acey-deucey")
    assert (found.most_lawful, found.follows) == (400_00, {"raise": 400_00})
    small = wager(check("acey-deucey-21", limits={"acey-deucey": (None, 50_00)}), "acey-deucey")
    assert small.follows == {"raise": 100_00}


@pytest.mark.clause("WA.1")
@pytest.mark.parametrize("name", catalog.games())
def test_no_wager_that_play_can_reach_exceeds_the_limit(name: str) -> None:
    options = SPANISH if name == "spanish-poker" else {}
    found = check(name, options=options)
    game = catalog.game(name, options=options, limit=found.profile.wager_limit)
    opened = game.open_round([{each.wager: each.most for each in found.wagers}])
    for each in found.wagers:
        for derived in each.follows:
            offer = game.terms.offer("put", derived, opened.seats[0])
            assert offer is not None
            assert offer.most <= found.profile.wager_limit
            after = advance(opened, Decide(0, (offer, Offer("leave"))), Choice("put", offer.most))
            assert after.seats[0].wagers[derived] == each.follows[derived]


@pytest.mark.clause("WA.1")
def test_a_posted_maximum_above_the_law_is_refused_by_its_rule() -> None:
    found = check("fu-bacc", limits={"ante": (5_00, 250_00)})
    assert not found.opens
    (refusal,) = found.refusals
    assert refusal.rule.startswith("WAC 230-15-140")
    assert "Ante up to $250 is above $200" in refusal.says


@pytest.mark.clause("WA.2")
def test_six_games_are_allowed_today_but_only_three_above_five_dollars() -> None:
    today = check("lucky-lucky")
    assert today.opens
    assert len(today.wagers) == 3
    then = check("lucky-lucky", "2007-12-31")
    assert [refusal.rule for refusal in then.refusals] == ["WAC 230-15-040 (WA.2)"]
    assert "3 games are offered with one hand; 2 are allowed" in then.refusals[0].says


@pytest.mark.clause("SP.20")
def test_a_spanish_poker_table_has_to_say_what_it_offers_and_takes_three() -> None:
    with pytest.raises(BadOption, match=r"SP\.20"):
        check("spanish-poker")
    with pytest.raises(BadOption, match="at most 3"):
        check("spanish-poker", options={"offers": ["ante", "dos-pares", "joker-in-hand", "gran-progressive"]})


@pytest.mark.clause("WA.4")
@pytest.mark.parametrize(
    ("game", "options", "name", "least"),
    [
        ("lucky-lucky", {}, "lucky-lucky", 50 * 400_00),
        ("spanish-poker", SPANISH, "ante", 50 * 200_00),
        ("spanish-poker", SPANISH, "joker-in-hand", None),
        ("fu-bacc", {}, "lucky-monkey", None),
    ],
)
def test_which_aggregate_payout_limits_are_lawful(
    game: str, options: dict[str, Any], name: str, least: int | None
) -> None:
    assert wager(check(game, options=options), name).least_aggregate == least


@pytest.mark.clause("WA.4")
def test_an_aggregate_limit_too_low_or_not_allowed_is_refused() -> None:
    low = check("lucky-lucky", aggregate={"lucky-lucky": 19_999_99})
    assert [refusal.rule for refusal in low.refusals] == ["WAC 230-15-490 (WA.4)"]
    assert "$20,000 a deal or more" in low.refusals[0].says
    assert check("lucky-lucky", aggregate={"lucky-lucky": 20_000_00}).opens
    assert "needs 50 to 1" in check("fu-bacc", aggregate={"tie": 10_000_00}).refusals[0].says


@pytest.mark.clause("WA.4")
def test_until_2021_a_table_limit_was_twice_that_of_a_player() -> None:
    then = wager(check("lucky-lucky", "2020-01-01", limits={"lucky-lucky": (5_00, 100_00)}), "lucky-lucky")
    assert then.least_aggregate == 2 * 50 * 100_00
    high = wager(check("lucky-lucky", "2020-01-01", limits={"lucky-lucky": (50_00, 100_00)}), "lucky-lucky")
    assert high.least_aggregate == 2 * 200 * 50_00  # the least wager at the highest odds is more


@pytest.mark.clause("WA.4")
def test_of_several_large_prizes_the_second_highest_is_kept_ready() -> None:
    found = check("lucky-lucky", limits={"lucky-break": (1_00, 5_00)})
    assert [(prize.outcome, prize.cents) for prize in found.prizes[:2]] == [
        ("suited 7-7-7", 80_000_00),
        ("suited 6-7-8", 40_000_00),
    ]
    assert found.reserve == 40_000_00
    small = check("lucky-lucky", limits={"lucky-lucky": (1_00, 100_00), "lucky-break": (1_00, 5_00)})
    assert small.reserve == 0


@pytest.mark.clause("LL.4")
def test_a_prize_that_the_decks_cannot_make_counts_for_nothing() -> None:
    found = check("lucky-lucky", options={"decks": 2})
    assert "suited 7-7-7" not in {prize.outcome for prize in found.prizes}
    assert wager(found, "lucky-lucky").top_odds == Fraction(100)


@pytest.mark.clause("BJ.4")
def test_the_most_of_one_deal_counts_split_and_doubled_hands() -> None:
    four = check("lucky-break", limits={"lucky-break": (1_00, 1_00), "blackjack": (5_00, 100_00)})
    lucky_break = wager(four, "lucky-break").top_odds * 1_00
    assert four.most_of_a_spot == 8 * 100_00 + 2 * 50_00 + lucky_break  # insurance pays 2 to 1
    assert four.most_of_a_deal == four.seats * four.most_of_a_spot
    single = {"max-hands": 1, "double-after-split": False}
    one = check("lucky-break", limits={"lucky-break": (1_00, 1_00), "blackjack": (5_00, 100_00)}, options=single)
    assert four.most_of_a_spot - one.most_of_a_spot == 6 * 100_00


@pytest.mark.clause("WA.3")
def test_what_is_not_on_the_approved_sheet_opens_only_as_such() -> None:
    found = check("spanish-poker", options={**SPANISH, "wheel": True})
    assert found.opens
    assert not found.as_approved
    assert "wheel" in found.deviations[0]


def test_more_seats_than_the_law_allows_are_refused() -> None:
    found = check("fu-bacc", seats=10)
    assert [refusal.rule for refusal in found.refusals] == ["WAC 230-15-055"]


@pytest.mark.parametrize("said", [{"limits": {"bonus": (1, 2)}}, {"aggregate": {"bonus": 5}}])
def test_a_limit_on_a_wager_the_table_has_not_is_refused(said: dict[str, Any]) -> None:
    with pytest.raises(UnknownName, match="bonus"):
        check("fu-bacc", **said)


def test_a_limit_is_a_positive_number_of_cents() -> None:
    with pytest.raises(BadOption, match="positive"):
        check("fu-bacc", limits={"ante": (0, 100_00)})


@pytest.mark.clause("WA.3")
def test_before_its_letter_a_game_is_not_as_approved() -> None:
    assert check("fu-bacc", "2021-12-31").deviations == ()
    assert "its letter is of" in check("fu-bacc", "2020-12-31").deviations[0]


@pytest.mark.clause("AD.6")
def test_a_minimum_that_the_rules_fix_is_not_the_houses_to_change() -> None:
    limits = {"acey-deucey": WagerLimit(minimum=5_00)}
    (refusal,) = check_table(TableOrder("acey-deucey-21", TODAY, limits=limits)).refusals
    assert (refusal.rule, refusal.about) == ("AD.6", "limits.acey-deucey")
    fixed = {"acey-deucey": WagerLimit(minimum=1_00)}
    assert check_table(TableOrder("acey-deucey-21", TODAY, limits=fixed)).opens


def test_a_minimum_above_the_maximum_is_refused_by_the_rule_of_posted_limits() -> None:
    limits = {"ante": WagerLimit(minimum=50_00, maximum=20_00)}
    (refusal,) = check_table(TableOrder("fu-bacc", TODAY, limits=limits)).refusals
    assert refusal.rule == "WAC 230-15-060"
