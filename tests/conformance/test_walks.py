"""The referee walks every game on a small shoe, and its law deals as a hand does."""

from fractions import Fraction
from functools import cache

import pytest

from feltworks import catalog
from feltworks.analysis.referee import Referee
from tests.conformance.variants import fresh_game_of, game_of
from tests.conformance.walks import Opening, by_hand, by_law, is_decided, openings, small_shoes

every_opening = pytest.mark.parametrize(
    "opening", [opening for name in catalog.games() for opening in openings(name)], ids=str
)


@every_opening
def test_the_referee_finds_the_same_with_and_without_its_shortcuts(opening: Opening) -> None:
    game, plain_game = game_of(opening.variant), fresh_game_of(opening.variant)
    for shoe in small_shoes(opening):
        plain = Referee(plain_game, shoe, lumps=False, remembers=False)
        quick = Referee(game, shoe)
        opened = opening.opened(game)
        assert quick.expectation(opened) == plain.expectation(opened), shoe


@every_opening
def test_the_law_of_a_draw_deals_as_a_hand_does(opening: Opening) -> None:
    game, shoe = game_of(opening.variant), small_shoes(opening)[-1]
    assert by_law(game, shoe, opening.opened(game)) == _dealt_by_hand(opening)


@every_opening
def test_best_play_beats_a_habit_or_equals_it_where_nothing_is_decided(opening: Opening) -> None:
    game, shoe = game_of(opening.variant), small_shoes(opening)[-1]
    opened = opening.opened(game)
    best, habit = Referee(game, shoe).expectation(opened), _dealt_by_hand(opening)
    assert best >= habit if is_decided(game, shoe, opened) else best == habit


@cache
def _dealt_by_hand(opening: Opening) -> Fraction:
    game, shoe = game_of(opening.variant), small_shoes(opening)[-1]
    return by_hand(game, opening.opened(game), shoe.all_cards(), {})
