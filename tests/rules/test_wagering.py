"""Opening wagers: what the rules and the law demand of them before a card is dealt."""

from typing import Any

import pytest

from feltworks import catalog
from feltworks.errors import FeltError, UnknownName, WagerRefused
from feltworks.rules.terms import Terms, check_wagers, most_allowed

GRAN = {"offers": ["ante", "dos-pares", "gran-progressive"]}


def terms(name: str, options: dict[str, Any] | None = None, limit: int | None = None) -> Terms:
    return Terms(catalog.rulebook(name), options=options, limit=limit)


@pytest.mark.parametrize(
    ("game", "options", "limit", "wagers", "tokes"),
    [
        ("fu-bacc", {}, None, {"ante": 1}, {}),
        ("fu-bacc", {}, 30000, {"ante": 15000, "tie": 30000, "lucky-monkey": 30000}, {}),
        ("fu-bacc", {"chip": 500}, None, {"ante": 1500}, {}),
        ("spanish-poker", GRAN, None, {"ante": 500, "dos-pares": 900, "gran-progressive": 100}, {}),
        ("acey-deucey-21", {}, None, {"blackjack": 100, "acey-deucey": 100, "war": 1}, {}),
        ("acey-deucey-21", {"bonus-alone": True}, None, {"war": 100}, {}),
        ("lucky-break", {}, 30000, {"blackjack": 100}, {"lucky-break": 30000}),
        ("lucky-lucky", {}, None, {"blackjack": 100}, {"lucky-break": 100, "lucky-lucky": 100}),
    ],
)
def test_what_the_rules_allow_is_taken(
    game: str, options: dict[str, Any], limit: int | None, wagers: dict[str, int], tokes: dict[str, int]
) -> None:
    check_wagers(terms(game, options, limit), wagers, tokes)


@pytest.mark.clause("M.1")
@pytest.mark.parametrize("cents", [0, -1, 1.5, 500.0, "500", True, None])
def test_an_amount_is_a_positive_whole_number_of_cents(cents: Any) -> None:
    with pytest.raises(WagerRefused, match=r"ante wager of .* the amount is a positive whole number of cents"):
        check_wagers(terms("fu-bacc"), {"ante": cents}, {})
    with pytest.raises(WagerRefused, match="the amount is a positive whole number of cents"):
        check_wagers(terms("lucky-break"), {"blackjack": 100}, {"lucky-break": cents})


REFUSED = [
    pytest.param("fu-bacc", {}, None, {"play": 200}, {}, "follows from the ante wager", id="derived"),
    pytest.param("fu-bacc", {"offers": ["ante"]}, None, {"ante": 1, "tie": 1}, {}, "offers ante", id="not offered"),
    pytest.param("fu-bacc", {"tie-alone": False}, None, {"tie": 1}, {}, "ante wager on the same spot", id="alone"),
    pytest.param("fu-bacc", {}, 30000, {"ante": 15001}, {}, "at most \\$150 under the limit of \\$300", id="half"),
    pytest.param("fu-bacc", {}, 30000, {"tie": 30001}, {}, "at most \\$300", id="limit"),
    pytest.param("fu-bacc", {"chip": 500}, None, {"ante": 501}, {}, "a multiple of the \\$5 chip", id="chip"),
    pytest.param("fu-bacc", {}, None, {"ante": 100}, {"tie": 100}, "tokes are taken on no wager", id="no tokes"),
    pytest.param("acey-deucey-21", {}, None, {"blackjack": 1, "acey-deucey": 99}, {}, "at least \\$1", id="minimum"),
    pytest.param("acey-deucey-21", {}, None, {"war": 100}, {}, "blackjack wager on the same spot", id="war alone"),
    pytest.param("lucky-break", {}, None, {"blackjack": 1}, {"blackjack": 1}, "taken on lucky-break", id="toke"),
    pytest.param("lucky-lucky", {}, None, {"blackjack": 1}, {"insurance": 1}, "follows from", id="insured toke"),
    pytest.param("lucky-break", {}, 100, {"blackjack": 1}, {"lucky-break": 101}, "at most \\$1", id="toke limit"),
    pytest.param("spanish-poker", GRAN, None, {"ante": 1, "gran-progressive": 99}, {}, "always exactly \\$1", id="$1"),
    pytest.param(
        "spanish-poker",
        {"bonus-above-ante": False, **GRAN},
        None,
        {"ante": 500, "dos-pares": 501},
        {},
        "at most the ante wager, \\$5",
        id="above the ante",
    ),
]


@pytest.mark.clause("FB.5", "FB.14", "FB.19", "AD.4", "AD.6", "AD.15", "LB.1", "LB.10")
@pytest.mark.parametrize(("game", "options", "limit", "wagers", "tokes", "words"), REFUSED)
def test_every_other_wager_is_refused_with_what_is_allowed(
    game: str,
    options: dict[str, Any],
    limit: int | None,
    wagers: dict[str, int],
    tokes: dict[str, int],
    words: str,
) -> None:
    with pytest.raises(WagerRefused, match=words):
        check_wagers(terms(game, options, limit), wagers, tokes)


def test_an_unknown_wager_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="Fu Bacc has no wager 'war'; it may be ante, lucky-monkey or tie"):
        check_wagers(terms("fu-bacc"), {"war": 100}, {})


def test_one_bad_wager_opens_no_round() -> None:
    table = catalog.game("fu-bacc")
    with pytest.raises(FeltError):
        table.open_round([{"ante": 100}, {"ante": 0}])


@pytest.mark.clause("FB.19", "SP.7")
@pytest.mark.parametrize(
    ("game", "wager", "most"),
    [
        ("fu-bacc", "ante", 15000),
        ("fu-bacc", "tie", 30000),
        ("spanish-poker", "ante", 15000),
        ("acey-deucey-21", "acey-deucey", 30000),  # AD.8: a free raise is itself capped
        ("lucky-break", "blackjack", 30000),
    ],
)
def test_a_fixed_multiple_limits_the_wager_it_is_measured_by(game: str, wager: str, most: int) -> None:
    assert most_allowed(terms(game, limit=30000), wager) == most
    assert most_allowed(terms(game), wager) is None
