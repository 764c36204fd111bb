"""Cards that come in one step come as a group: their order within it is not a fact of the game."""

from feltworks.rules.advance import Answer, advance
from feltworks.rules.round import Round
from tests.conformance.play import Play, plays
from tests.conformance.variants import Variant, at_every_table

Net = tuple[int, str, str, bool, int]


@at_every_table
def test_the_order_within_a_group_changes_neither_offers_nor_nets(variant: Variant) -> None:
    for play in plays(variant):
        for number, move in enumerate(play.moves):
            if isinstance(move.answer, tuple) and len(move.answer) > 1:
                for order in (move.answer[::-1], (*move.answer[1:], move.answer[0])):
                    assert _nets(play, _dealt_otherwise(play, number, order)) == _nets(play, play.end)


def _dealt_otherwise(play: Play, number: int, order: Answer) -> Round:
    """The same round with the cards of one step in another order; every other answer still has to fit."""
    round_ = play.opened
    for place, move in enumerate(play.moves):
        assert move.step in tuple(play.game.procedure(round_))
        round_ = advance(round_, move.step, order if place == number else move.answer)
    assert play.game.awaits(round_) is None
    return round_


def _nets(play: Play, round_: Round) -> list[Net]:
    lines = play.game.settle(round_)
    return sorted((line.seat, line.wager, line.part, line.toke, line.net) for line in lines)
