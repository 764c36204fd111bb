"""Posted limits: each wager within the sign, the rules and the law."""

import pytest

from feltworks import catalog
from feltworks.errors import BadOption, UnknownName, WagerRefused
from feltworks.table.limits import PostedLimits, WagerLimit
from tests.table.stacked import stacked_table


def fu_bacc_limits(limit: int | None = None, chip: int | None = None, **posted: WagerLimit) -> PostedLimits:
    terms = catalog.game("fu-bacc", limit=limit).terms
    return PostedLimits(terms, {name.replace("_", "-"): sign for name, sign in posted.items()}, chip=chip)


@pytest.mark.clause("FB.5")
@pytest.mark.parametrize(("cents", "taken"), [(499, False), (500, True), (750, False), (10_000, True), (10_100, False)])
def test_a_wager_keeps_within_minimum_maximum_and_chip(cents: int, taken: bool) -> None:
    limits = fu_bacc_limits(chip=100, ante=WagerLimit(minimum=500, maximum=10_000))
    if taken:
        limits.check({"ante": cents}, {})
        return
    with pytest.raises(WagerRefused, match=r"this table takes \$5 to \$100, in multiples of \$1"):
        limits.check({"ante": cents}, {})


def test_a_wager_may_have_a_multiple_of_its_own() -> None:
    limits = fu_bacc_limits(chip=100, tie=WagerLimit(multiple=500))
    limits.check({"ante": 100, "tie": 500}, {})
    with pytest.raises(WagerRefused, match=r"tie.*\$5 upwards, in multiples of \$5"):
        limits.check({"ante": 100, "tie": 600}, {})


@pytest.mark.clause("FB.19", "WA.1")
def test_a_posted_maximum_never_goes_beyond_what_the_law_leaves_the_ante() -> None:
    limits = fu_bacc_limits(limit=50_000, ante=WagerLimit(maximum=40_000))
    assert limits.ranges["ante"].most == 25_000
    assert limits.ranges["tie"].most == 50_000


@pytest.mark.clause("SP.21")
def test_a_bonus_wager_alone_may_have_a_higher_minimum() -> None:
    terms = catalog.game("spanish-poker").terms
    limits = PostedLimits(terms, {"dos-pares": WagerLimit(minimum=100, alone=500)})
    limits.check({"ante": 1000, "dos-pares": 100}, {})
    limits.check({"dos-pares": 500}, {})
    with pytest.raises(WagerRefused, match=r"\$5 upwards"):
        limits.check({"dos-pares": 100}, {})


@pytest.mark.clause("SP.13", "SP.21")
def test_the_progressive_stays_one_dollar_even_alone() -> None:
    terms = catalog.game("spanish-poker", options={"offers": ["ante", "gran-progressive"]}).terms
    PostedLimits(terms).check({"gran-progressive": 100}, {})
    with pytest.raises(BadOption, match=r"exactly \$1"):
        PostedLimits(terms, {"gran-progressive": WagerLimit(alone=500)})


@pytest.mark.clause("AD.6")
def test_the_acey_deucey_minimum_of_a_dollar_is_the_rules_own() -> None:
    table = stacked_table("acey-deucey-21", "")
    assert table.limits.ranges["acey-deucey"].least == 100


@pytest.mark.clause("AD.8")
def test_a_posted_maximum_does_not_cap_the_raise() -> None:
    # Ann holds 5 and 9; the house's maximum of $10 on the ante still lets her raise twice as much.
    table = stacked_table("acey-deucey-21", "5c 9h Kd 7s Th", limit=30_000)
    table.limits = PostedLimits(table.game.terms, {"acey-deucey": WagerLimit(maximum=1000)})
    table.sit("ann", 1, stack=100_000)
    table.wager("ann", 1, {"blackjack": 1000, "acey-deucey": 1000})
    table.deal()
    (step,) = table.decisions
    assert [(offer.name, offer.most) for offer in step.offers] == [("check", 0), ("raise", 2000)]
    table.choose("ann", 1, "raise", 2000)
    assert table.round is not None
    assert table.round.seats[0].wagers["raise"] == 2000


@pytest.mark.clause("LB.10")
def test_a_toke_may_be_below_the_minimum_but_not_above_the_maximum() -> None:
    limits = PostedLimits(catalog.game("lucky-break").terms, {"lucky-break": WagerLimit(500, 2500)})
    limits.check({"blackjack": 500, "lucky-break": 500}, {"lucky-break": 100})
    with pytest.raises(WagerRefused, match="lucky-break toke"):
        limits.check({"blackjack": 500, "lucky-break": 500}, {"lucky-break": 2501})


def test_limits_that_cannot_be_posted_are_refused() -> None:
    with pytest.raises(UnknownName, match="ante, lucky-monkey or tie"):
        fu_bacc_limits(play=WagerLimit(100))
    with pytest.raises(BadOption, match=r"up to its maximum of \$4"):
        fu_bacc_limits(ante=WagerLimit(500, 400))
    with pytest.raises(BadOption, match="positive whole numbers of cents"):
        fu_bacc_limits(ante=WagerLimit(0))
    with pytest.raises(BadOption, match="positive whole numbers of cents"):
        fu_bacc_limits(chip=-100)
