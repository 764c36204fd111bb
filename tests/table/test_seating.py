"""Who sits where: spots, stacks, coming and going."""

import pytest

from feltworks.errors import NotNow, SpotRefused
from tests.table.stacked import full_table, snapshot, stacked_table


@pytest.mark.clause("FB.15")
def test_one_player_takes_two_adjacent_spots() -> None:
    table = stacked_table("fu-bacc", "")
    table.sit("ann", 3, 2, stack=1000)
    assert table.seating.player("ann").spots == (2, 3)


@pytest.mark.clause("FB.15", "SP.24")
@pytest.mark.parametrize(
    ("game", "options", "spots"),
    [
        ("fu-bacc", {}, (1, 3)),
        ("fu-bacc", {}, (1, 2, 3)),
        ("fu-bacc", {"fu-bacc.adjacent-spots": False}, (1, 2)),
        ("spanish-poker", {}, (1, 2)),
        ("fu-bacc", {}, (0,)),
        ("fu-bacc", {}, (8,)),
        ("fu-bacc", {}, (2, 2)),
        ("fu-bacc", {}, (5,)),
        ("fu-bacc", {}, ()),
    ],
)
def test_a_spot_that_cannot_be_had_is_refused(game: str, options: dict[str, object], spots: tuple[int, ...]) -> None:
    table = stacked_table(game, "", options=options)
    table.sit("bob", 5, stack=1000)
    before = snapshot(table)
    with pytest.raises(SpotRefused):
        table.sit("ann", *spots, stack=1000)
    assert snapshot(table) == before


@pytest.mark.parametrize("stack", [-1, 0.5, "100", True, None, 10**16])
def test_a_stack_is_whole_cents(stack: object) -> None:
    table = stacked_table("fu-bacc", "")
    with pytest.raises(SpotRefused, match="whole number of cents"):
        table.sit("ann", 1, stack=stack)  # type: ignore[arg-type]
    assert not table.seating.players
    table.sit("ann", 1, stack=0)
    with pytest.raises(SpotRefused, match="whole number of cents"):
        table.buy_in("ann", stack)  # type: ignore[arg-type]
    assert table.seating.player("ann").stack == 0


def test_nobody_sits_down_twice() -> None:
    table = stacked_table("fu-bacc", "")
    table.sit("ann", 1, stack=1000)
    with pytest.raises(SpotRefused, match="already sits at spot 1"):
        table.sit("ann", 2, stack=1000)


def test_who_leaves_takes_stack_and_wagers_along_and_frees_the_spot() -> None:
    table = stacked_table("fu-bacc", "")
    table.sit("ann", 1, 2, stack=5000)
    table.buy_in("ann", 2000)
    table.wager("ann", 2, {"ante": 1000})
    assert table.leave("ann") == 7000
    assert table.on_felt == 0
    table.sit("bob", 1, stack=100)


def test_nobody_comes_goes_or_buys_in_while_a_round_is_dealt() -> None:
    table = full_table("fu-bacc")
    table.deal()
    before = snapshot(table)
    for act in (
        lambda: table.sit("eve", 6, stack=100),
        lambda: table.leave("bob"),
        lambda: table.buy_in("ann", 100),
    ):
        with pytest.raises(NotNow, match="between rounds"):
            act()
    assert snapshot(table) == before
