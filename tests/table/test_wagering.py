"""Wagers put down, changed and refused; what is refused changes nothing."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltworks.errors import FeltError, NotNow, NotOffered, SpotRefused, UnknownName, WagerRefused
from feltworks.table.limits import PostedLimits, WagerLimit
from feltworks.table.table import Table
from tests.table.stacked import full_table, snapshot, stacked_table

# seat 1: 5 + K, hit card 2; dealer: up 9, hole 4, hit card A
ROUND = "5c Kd 2h 9s 4h Ac"


def set_up(**terms: object) -> Table:
    table = stacked_table("fu-bacc", ROUND, limit=50_000, **terms)
    table.limits = PostedLimits(table.game.terms, {"ante": WagerLimit(500, 20_000)}, chip=100)
    table.sit("ann", 1, 2, stack=10_000)
    table.sit("bob", 4, stack=100_000)
    return table


def refused(table: Table, kind: type[FeltError], act: Callable[[], object], match: str) -> None:
    before = snapshot(table)
    with pytest.raises(kind, match=match):
        act()
    assert snapshot(table) == before


def test_wagers_leave_the_stack_at_once_and_replace_what_lay_there() -> None:
    table = set_up()
    table.wager("ann", 1, {"ante": 1000, "tie": 500})
    assert (table.seating.player("ann").stack, table.on_felt) == (8500, 1500)
    table.wager("ann", 1, {"ante": 9000, "lucky-monkey": 1000})
    assert (table.seating.player("ann").stack, table.on_felt) == (0, 10_000)
    table.withdraw("ann", 1)
    assert (table.seating.player("ann").stack, table.on_felt) == (10_000, 0)


@pytest.mark.parametrize(
    ("wagers", "kind", "match"),
    [
        ({"ante": 20_100}, WagerRefused, r"\$5 to \$200, in multiples of \$1"),
        ({"ante": 60_000}, WagerRefused, r"at most \$250"),
        ({"ante": 400}, WagerRefused, r"\$5 to \$200"),
        ({"ante": 550}, WagerRefused, r"multiples of \$1"),
        ({"ante": 0}, WagerRefused, "positive whole number of cents"),
        ({"ante": -500}, WagerRefused, "positive whole number of cents"),
        ({"ante": 500.0}, WagerRefused, "positive whole number of cents"),
        ({"ante": True}, WagerRefused, "positive whole number of cents"),
        ({"ante": 10_100}, WagerRefused, r"the stack holds \$100"),
        ({"ante": 9000, "tie": 1100}, WagerRefused, r"ante and tie.*the stack holds \$100"),
        ({"play": 1000}, WagerRefused, "follows from the ante"),
        ({"war": 1000}, UnknownName, "ante, lucky-monkey or tie"),
        ({}, WagerRefused, "at least one wager"),
    ],
)
def test_a_wager_that_is_not_allowed_is_refused(wagers: dict[str, int], kind: type[FeltError], match: str) -> None:
    table = set_up()
    table.wager("ann", 1, {"ante": 1000})
    refused(table, kind, lambda: table.wager("ann", 1, wagers), match)


@pytest.mark.clause("FB.14")
def test_a_bonus_wager_without_its_required_ante_is_refused() -> None:
    table = set_up(options={"fu-bacc.tie-alone": False})
    refused(table, WagerRefused, lambda: table.wager("ann", 1, {"tie": 1000}), "needs the ante wager")
    table.wager("ann", 1, {"lucky-monkey": 1000})


def test_a_bonus_wager_the_table_does_not_offer_is_refused() -> None:
    table = set_up(options={"offers": ["ante", "tie"]})
    wagers = {"ante": 1000, "lucky-monkey": 500}
    refused(table, WagerRefused, lambda: table.wager("ann", 1, wagers), "this table offers ante, tie")


@pytest.mark.clause("LB.10")
def test_a_toke_is_refused_where_the_rules_know_none() -> None:
    table = set_up()
    refused(
        table,
        WagerRefused,
        lambda: table.wager("ann", 1, {"ante": 1000}, {"ante": 100}),
        "tokes are taken on",
    )


@pytest.mark.clause("AD.14", "SP.24")
def test_nobody_wagers_or_decides_on_anothers_spot() -> None:
    table = set_up()
    refused(table, SpotRefused, lambda: table.wager("ann", 4, {"ante": 1000}), "plays spot 1 and 2")
    refused(table, SpotRefused, lambda: table.wager("eve", 3, {"ante": 1000}), "does not sit")
    table.wager("bob", 4, {"ante": 1000})
    refused(table, SpotRefused, lambda: table.withdraw("ann", 4), "not ann's")
    table.deal()
    refused(table, SpotRefused, lambda: table.choose("ann", 4, "fold"), "not ann's")


@pytest.mark.clause("FB.16")
def test_no_wager_is_taken_changed_or_withdrawn_after_no_more_bets() -> None:
    table = set_up()
    table.wager("ann", 1, {"ante": 1000})
    table.deal()
    refused(table, NotNow, lambda: table.wager("ann", 2, {"ante": 1000}), "no more bets")
    refused(table, NotNow, lambda: table.wager("ann", 1, {"ante": 2000}), "no more bets")
    refused(table, NotNow, lambda: table.withdraw("ann", 1), "no more bets")
    table.choose("ann", 1, "stay")
    table.wager("ann", 1, {"ante": 1000})


def test_a_round_is_dealt_once_and_not_without_wagers() -> None:
    table = set_up()
    refused(table, NotNow, table.deal, "no wager lies on the felt")
    refused(table, NotNow, lambda: table.choose("ann", 1, "stay"), "no round is in progress")
    table.wager("ann", 1, {"ante": 1000})
    table.deal()
    refused(table, NotNow, table.deal, "has to end")


def test_a_choice_out_of_turn_or_not_offered_is_refused() -> None:
    table = stacked_table("fu-bacc", "5c Kd 2h 6c Kc 2s 9s 4h Ac")
    table.sit("ann", 1, 2, stack=100_000)
    table.wager("ann", 1, {"ante": 1000})
    table.wager("ann", 2, {"ante": 1000})
    table.deal()
    refused(table, NotNow, lambda: table.choose("ann", 2, "fold"), "nothing to decide now; spot 1 has")
    refused(table, NotOffered, lambda: table.choose("ann", 1, "bonus"), "allowed: fold, stay")
    refused(table, NotOffered, lambda: table.choose("ann", 1, "stay", 1999), "allowed")
    refused(
        table,
        NotNow,
        lambda: table.choose("ann", 1, "stay", about="insurance"),
        "decide on insurance now$",
    )


@pytest.mark.clause("FB.5")
def test_a_play_wager_the_stack_does_not_hold_is_refused() -> None:
    table = set_up()
    table.wager("ann", 1, {"ante": 4000})
    table.deal()
    refused(table, WagerRefused, lambda: table.choose("ann", 1, "hit"), r"play.*8000.*the stack holds \$60")
    table.choose("ann", 1, "fold")


@pytest.mark.clause("BJ.4")
@pytest.mark.parametrize(("name", "about"), [("split", "hand 1"), ("double", "hand 1")])
def test_a_split_or_double_the_stack_does_not_hold_is_refused(name: str, about: str) -> None:
    table = stacked_table("lucky-break", "8c 8h 6d 5s Th Tc Td Ts")
    table.sit("ann", 1, stack=1999)
    table.wager("ann", 1, {"blackjack": 1000})
    table.deal()
    refused(table, WagerRefused, lambda: table.choose("ann", 1, name, about=about), r"the stack holds \$9.99")


@pytest.mark.clause("BJ.4")
def test_insurance_the_stack_does_not_hold_is_refused_and_a_smaller_one_is_taken() -> None:
    table = stacked_table("lucky-break", "8c 9h 6d As Th Tc Td Ts")
    table.sit("ann", 1, stack=1200)
    table.wager("ann", 1, {"blackjack": 1000})
    table.deal()
    refused(table, WagerRefused, lambda: table.choose("ann", 1, "insure", 201), r"the stack holds \$2")
    table.choose("ann", 1, "insure", 200)
    assert table.seating.player("ann").stack == 0


_wagers = st.dictionaries(
    st.sampled_from(["ante", "tie", "lucky-monkey", "play", "war", ""]),
    st.one_of(st.integers(-200, 40_000), st.sampled_from([500, 1000, 10_000])),
    max_size=4,
)
_acts = st.one_of(
    st.tuples(st.just("wager"), st.sampled_from(["ann", "bob", "eve"]), st.integers(0, 8), _wagers, _wagers),
    st.tuples(st.just("withdraw"), st.sampled_from(["ann", "bob"]), st.integers(0, 8)),
    st.tuples(st.just("deal")),
    st.tuples(
        st.just("choose"),
        st.sampled_from(["ann", "bob"]),
        st.sampled_from([1, 2, 4]),
        st.sampled_from(["fold", "stay", "hit", "bonus", "raise", ""]),
        st.one_of(st.none(), st.integers(-10, 5000)),
    ),
    st.tuples(st.just("void"), st.just("the deck was short")),
    st.tuples(st.just("leave"), st.sampled_from(["bob", "eve"])),
    st.tuples(st.just("sit"), st.sampled_from(["bob", "eve"]), st.integers(0, 8)),
)


@settings(max_examples=80, deadline=None)
@given(st.lists(_acts, max_size=25))
def test_whatever_is_refused_changes_nothing_and_no_act_makes_or_loses_money(
    acts: list[tuple[object, ...]],
) -> None:
    table = full_table("fu-bacc", stack=30_000)
    taken_home = 0
    total = table.total
    for name, *given_ in acts:
        before = snapshot(table)
        try:
            if name == "leave":
                taken_home += table.leave(*given_)  # type: ignore[arg-type]
            elif name == "sit":
                table.sit(*given_, stack=0)  # type: ignore[arg-type]
            else:
                getattr(table, str(name))(*given_)
        except FeltError:
            assert snapshot(table) == before
        assert table.total + taken_home == total
        assert all(player.stack >= 0 for player in table.seating.players.values())
