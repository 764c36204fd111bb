"""The terms a table deals by: options, pay tables, offers, the size of derived wagers, deviations."""

from typing import Any

import pytest

from feltworks import catalog
from feltworks.errors import BadOption, UnknownName
from feltworks.money import Breakage
from feltworks.rules.round import Seat
from feltworks.rules.steps import Offer
from feltworks.rules.terms import Terms


def terms(name: str, **given: Any) -> Terms:
    return Terms(catalog.rulebook(name), **given)


def test_what_is_not_given_takes_its_default() -> None:
    found = terms("lucky-lucky")
    assert found["soft17"] == "stand"
    assert found["lucky-break.player-limit"] == 26
    assert found.pay_tables == {"blackjack": "1", "insurance": "1", "lucky-break": "1", "lucky-lucky": "1"}
    assert (found.decks, found.shoe.total, found.number("max-hands")) == (6, 312, 4)
    assert found.offers == {"blackjack", "lucky-lucky", "lucky-break"}
    assert found.breakage == Breakage(1, favours_player=False)


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        ({"lucky-break.split-limit": "all"}, "lucky-break.split-limit", "all"),
        ({"split-limit": "all"}, "lucky-break.split-limit", "all"),  # its last part is enough
        ({"surrender": "late"}, "surrender", "late"),  # unless that is another option's name
        ({"lucky-break.surrender": "loses"}, "lucky-break.surrender", "loses"),
        ({"decks": "8"}, "decks", 8),  # as a command line says it
        ({"peek": "false"}, "peek", False),
        ({"lucky-break.player-limit": "26"}, "lucky-break.player-limit", 26),
        ({"lucky-break.player-limit": "none"}, "lucky-break.player-limit", "none"),
        ({"offers": "blackjack"}, "offers", ("blackjack",)),
        ({"offers": ["lucky-break", "blackjack"]}, "offers", ("blackjack", "lucky-break")),
    ],
)
def test_options_are_read_by_full_or_short_name(given: dict[str, Any], name: str, value: object) -> None:
    assert terms("lucky-break", options=given)[name] == value


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"decks": True}, "option decks cannot be True; it takes a whole number from 1 to 8"),
        ({"decks": 6.0}, "a whole number from 1 to 8"),
        ({"decks": "-1"}, "a whole number from 1 to 8"),
        ({"peek": 1}, "it takes true or false"),
        ({"peek": None}, "it takes true or false"),
        ({"lucky-break.player-limit": 28}, "it takes 27, 26 or none"),
        ({"offers": ["blackjack", "war"]}, "a list of blackjack, lucky-break"),
        ({"offers": ["lucky-break"]}, "a list with blackjack in it"),
        ({"offers": []}, "a list with blackjack in it"),
        ({"offers": 7}, "a list of blackjack, lucky-break"),
        ({"chip": 0}, "a whole number from 1 to 10000"),
        ({"breakage": "sideways"}, "it takes down or up"),
    ],
)
def test_a_value_an_option_does_not_take_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOption, match=words):
        terms("lucky-break", options=given)


def test_unknown_options_and_pay_tables_are_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match=r"Fu Bacc has no option 'soft17'; it may be .*tie-alone"):
        terms("fu-bacc", options={"soft17": "hit"})
    with pytest.raises(UnknownName, match="no acey-deucey pay table '4'; it may be 1, 2, 3, 1B, 2B or 3B"):
        terms("acey-deucey-21", pay_tables={"acey-deucey": "4"})
    with pytest.raises(UnknownName, match="no wager with pay tables 'raise'"):
        terms("acey-deucey-21", pay_tables={"raise": "1"})


@pytest.mark.clause("SP.20")
def test_no_more_wagers_are_offered_than_the_rules_allow() -> None:
    with pytest.raises(BadOption, match="at most 3 wagers"):
        terms("spanish-poker", options={"offers": ["ante", "dos-pares", "joker-in-hand", "gran-progressive"]})


@pytest.mark.clause("AD.12")
def test_a_pay_table_carries_its_switches() -> None:
    free, barred = (terms("acey-deucey-21", pay_tables={"acey-deucey": table}) for table in ("1", "1B"))
    assert free.switch("acey-deucey", "may_raise_pair")
    assert not barred.switch("acey-deucey", "may_raise_pair")


def test_an_option_frees_a_wager_by_being_true_or_by_listing_it() -> None:
    assert terms("fu-bacc").lifts("fu-bacc.tie-alone", "tie")
    assert not terms("fu-bacc", options={"tie-alone": False}).lifts("fu-bacc.tie-alone", "tie")
    listing = terms("spanish-poker", options={"alone": ["dos-pares"], "offers": ["ante", "dos-pares"]})
    assert listing.lifts("spanish-poker.alone", "dos-pares")
    assert not listing.lifts("spanish-poker.alone", "joker-in-hand")
    assert not listing.lifts("", "dos-pares")


@pytest.mark.clause("FB.5", "AD.8", "BJ.4")
@pytest.mark.parametrize(
    ("game", "wager", "on", "limit", "options", "offer"),
    [
        ("fu-bacc", "play", {"ante": 750}, None, {}, (1500, 1500)),
        ("fu-bacc", "play", {"tie": 750}, None, {}, None),
        ("acey-deucey-21", "raise", {"acey-deucey": 750}, None, {}, (100, 1500)),
        ("acey-deucey-21", "raise", {"acey-deucey": 20000}, 30000, {}, (100, 30000)),
        ("acey-deucey-21", "raise", {"acey-deucey": 700}, None, {"chip": 500}, (500, 1000)),
        ("acey-deucey-21", "raise", {"blackjack": 700}, None, {}, None),
        ("lucky-break", "insurance", {"blackjack": 501}, None, {}, (1, 250)),
        ("lucky-break", "insurance", {"blackjack": 500}, None, {"chip": 100}, (100, 200)),
        ("lucky-break", "insurance", {"blackjack": 1}, None, {}, None),
    ],
)
def test_derived_wagers_are_sized_by_the_wager_they_are_measured_by(
    game: str,
    wager: str,
    on: dict[str, int],
    limit: int | None,
    options: dict[str, Any],
    offer: tuple[int, int] | None,
) -> None:
    found = terms(game, options=options, limit=limit).offer("put down", wager, Seat(on))
    assert found == (None if offer is None else Offer("put down", wager, *offer, options.get("chip", 1)))


@pytest.mark.clause("FB.15", "SP.24")
@pytest.mark.parametrize(
    ("game", "options", "spots"),
    [
        ("fu-bacc", {}, 2),
        ("fu-bacc", {"adjacent-spots": False}, 1),
        ("spanish-poker", {}, 1),
        ("lucky-break", {}, None),  # no clause of blackjack limits it
    ],
)
def test_how_many_spots_one_player_may_take(game: str, options: dict[str, Any], spots: int) -> None:
    assert terms(game, options=options).spots_per_player == spots


@pytest.mark.clause("LB.5", "LB.11", "LL.7")
@pytest.mark.parametrize(
    ("game", "options", "deviations"),
    [
        ("fu-bacc", {}, ()),
        ("fu-bacc", {"rescue-tie": "loses", "spots": 3}, ()),  # readings and house choices are no deviations
        (
            "fu-bacc",
            {"offers": ["ante", "tie"]},
            ("the lucky-monkey wager is left out, the approved game has it",),
        ),
        ("lucky-break", {"player-limit": 26}, ("lucky-break.player-limit is 26, approved is 27 or none",)),
        ("lucky-lucky", {"player-limit": 27}, ("lucky-break.player-limit is 27, approved is 26 or none",)),
        ("lucky-break", {"peek": False}, ("peek is false, approved is true",)),
        ("acey-deucey-21", {"peek": False, "offers": ["blackjack", "acey-deucey"]}, ()),
        ("lucky-lucky", {"offers": ["blackjack", "lucky-lucky"]}, ()),
    ],
)
def test_a_table_says_where_it_differs_from_the_approved_sheet(
    game: str, options: dict[str, Any], deviations: tuple[str, ...]
) -> None:
    assert terms(game, options=options).deviations == deviations
