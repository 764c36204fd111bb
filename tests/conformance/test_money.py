"""Money is conserved: lines hold every cent that was wagered, and nobody loses more than lay there."""

from collections import Counter

from feltworks.rules.round import Choice, Round
from feltworks.rules.steps import Decide
from feltworks.rules.wager import Line
from tests.conformance.play import Move, Play, plays
from tests.conformance.variants import Variant, at_every_table

Stakes = Counter[tuple[int, str, bool]]


def stakes(round_: Round) -> Stakes:
    """What lies on every wager, by seat, wager and whether it is a toke."""
    lying: Stakes = Counter()
    for number, seat in enumerate(round_.seats):
        lying.update({(number, name, False): cents for name, cents in seat.wagers.items()})
        lying.update({(number, name, True): cents for name, cents in seat.tokes.items()})
    return lying


def lines_of(play: Play) -> tuple[Line, ...]:
    return play.game.settle(play.end)


@at_every_table
def test_a_finished_round_leaves_nothing_undecided(variant: Variant) -> None:
    for play in plays(variant):
        assert play.game.awaits(play.end) is None
        assert not play.game.undecided(play.end)


@at_every_table
def test_the_lines_hold_exactly_what_was_wagered(variant: Variant) -> None:
    for play in plays(variant):
        wagered: Stakes = Counter()
        for line in lines_of(play):
            wagered[line.seat, line.wager, line.toke] += line.wagered
        assert wagered == stakes(play.end)


@at_every_table
def test_nobody_loses_more_than_the_wager(variant: Variant) -> None:
    for play in plays(variant):
        assert [line for line in lines_of(play) if line.net < -line.wagered] == []


@at_every_table
def test_the_result_follows_the_sign_of_the_net(variant: Variant) -> None:
    for play in plays(variant):
        for line in lines_of(play):
            assert line.result == {1: "win", 0: "push", -1: "lose"}[(line.net > 0) - (line.net < 0)]


@at_every_table
def test_every_amount_is_whole_cents(variant: Variant) -> None:
    for play in plays(variant):
        for line in lines_of(play):
            assert type(line.net) is int
            assert type(line.wagered) is int
            assert line.wagered > 0


@at_every_table
def test_no_meter_pays_more_than_is_posted(variant: Variant) -> None:
    for play in plays(variant):
        paid: Counter[str] = Counter()
        for line in lines_of(play):
            if line.award and line.award.share:
                paid[line.award.source] += line.award.cents
        assert all(cents <= play.end.meters[meter] for meter, cents in paid.items())


@at_every_table
def test_money_comes_onto_the_felt_by_wagers_and_choices_alone(variant: Variant) -> None:
    for play in plays(variant):
        put_down = stakes(play.opened)
        for move in play.decisions:
            _put(put_down, move)
        assert +put_down == stakes(play.end)


def _put(stakes: Stakes, move: Move) -> None:
    assert isinstance(move.step, Decide)
    assert isinstance(move.answer, Choice)
    offer = next(offer for offer in move.step.offers if offer.name == move.answer.name)
    if move.answer.cents:
        stakes[move.step.seat, offer.wager, False] += move.answer.cents
