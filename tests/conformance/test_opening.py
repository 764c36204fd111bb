"""Opening wagers: what the rulebook allows is taken, everything else is refused by name."""

import random
from typing import Any

import pytest

from feltworks.errors import FeltError, UnknownName, WagerRefused
from feltworks.rules.game import Game
from feltworks.rules.round import Seat
from tests.conformance.play import meters, open_table, placed
from tests.conformance.variants import Variant, at_every_table, every_game, game_of

NO_AMOUNT: list[Any] = [0, -100, True, 100.0, "100", None]


def least(game: Game[Any], name: str) -> int:
    """The least this table takes on a wager."""
    chip = game.terms.breakage.chip
    return -(-game.terms.rulebook.wager[name].least // chip) * chip


def mains(game: Game[Any]) -> list[str]:
    book = game.terms.rulebook
    return [name for name in placed(game.terms) if book.wager[name].kind == "main"]


def refused(game: Game[Any], seat: Seat, kind: type[FeltError] = WagerRefused) -> None:
    with pytest.raises(kind):
        game.open_round([seat], meters(game, random.Random(0)))


@at_every_table
def test_a_main_wager_alone_opens_a_round(variant: Variant) -> None:
    game = game_of(variant)
    alone = [name for name in mains(game) if not game.terms.rulebook.wager[name].needs]
    assert alone
    for name in alone:
        opened = game.open_round([{name: least(game, name)}])
        assert [dict(seat.wagers) for seat in opened.seats] == [{name: least(game, name)}]


@at_every_table
def test_nothing_lies_on_the_felt_but_the_wagers(variant: Variant) -> None:
    opened = open_table(game_of(variant), random.Random(str(variant)))
    assert not any((opened.dealer, opened.board, *(seat.cards for seat in opened.seats)))
    assert not any(seat.choices for seat in opened.seats)
    assert game_of(variant).settle(opened) == ()


@every_game
@pytest.mark.parametrize("amount", NO_AMOUNT, ids=repr)
def test_what_is_no_amount_is_refused(name: str, amount: Any) -> None:
    game = game_of(Variant(name))
    for main in mains(game):
        refused(game, Seat({main: amount}))


@every_game
def test_a_derived_or_unknown_wager_cannot_open_a_round(name: str) -> None:
    game = game_of(Variant(name))
    main = {mains(game)[0]: 10_000}
    refused(game, Seat({**main, "no-such-wager": 1000}), UnknownName)
    for wager, entry in game.terms.rulebook.wager.items():
        if entry.kind == "derived":
            refused(game, Seat({**main, wager: 1000}))


@at_every_table
def test_a_wager_the_table_does_not_offer_is_refused(variant: Variant) -> None:
    game = game_of(variant)
    main = mains(game)[0]
    for wager, entry in game.terms.rulebook.wager.items():
        if wager not in game.terms.offers and entry.kind != "derived":
            refused(game, Seat({main: least(game, main), wager: least(game, wager)}))


@at_every_table
def test_a_wager_without_the_one_it_needs_is_refused(variant: Variant) -> None:
    game = game_of(variant)
    for wager in placed(game.terms):
        needs = game.terms.rulebook.wager[wager].needs
        if needs and not game.terms.lifts(needs.unless, wager):
            refused(game, Seat({wager: least(game, wager)}))


@at_every_table
def test_a_toke_lies_only_where_the_rules_take_it(variant: Variant) -> None:
    game = game_of(variant)
    main = mains(game)[0]
    for wager in placed(game.terms):
        if not game.terms.rulebook.wager[wager].tokes:
            refused(game, Seat({main: least(game, main)}, tokes={wager: least(game, wager)}))


@at_every_table
def test_an_amount_beside_the_chip_is_refused(variant: Variant) -> None:
    game = game_of(variant)
    main, chip = mains(game)[0], game.terms.breakage.chip
    if chip > 1:
        refused(game, Seat({main: least(game, main) + 1}))
        refused(game, Seat({main: least(game, main) + chip - 1}))
