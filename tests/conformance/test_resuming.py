"""The log is the list of answers: every prefix resumes, open decisions commute, a reading keeps its word."""

import random
from collections.abc import Iterable, Sequence
from itertools import islice, permutations
from typing import Any

from msgspec.structs import replace

from feltworks.rules.advance import Answer, advance
from feltworks.rules.game import Game
from feltworks.rules.round import Round
from feltworks.rules.steps import Decide, Draw, Step
from tests.conformance.play import Move, OutOfCards, answer_to, open_table, plays, shuffled
from tests.conformance.variants import Variant, at_every_table, fresh_game_of, game_of

ORDERS = 6
Entry = tuple[str, int, str, Answer]


def entry(move: Move) -> Entry:
    """A log entry: what kind of step it answers, whose, about what, and the answer. Not the step itself."""
    step = move.step
    whose = step.seat if isinstance(step, Decide) else step.to if isinstance(step, Draw) else step.at
    return type(step).__name__, whose, step.about if isinstance(step, Decide) else "", move.answer


def resumed(game: Game[Any], round_: Round, log: Iterable[Entry]) -> Round:
    """Feed a log to a game that asks its own questions."""
    for kind, whose, about, answer in log:
        step = next(step for step in game.procedure(round_) if _asks(step, kind, whose, about))
        round_ = advance(round_, step, answer)
    return round_


def _asks(step: Step, kind: str, whose: int, about: str) -> bool:
    if isinstance(step, Decide):
        return (kind, whose, about) == ("Decide", step.seat, step.about)
    return (kind, whose) == (type(step).__name__, step.to if isinstance(step, Draw) else step.at)


@at_every_table
def test_every_prefix_of_a_log_resumes(variant: Variant) -> None:
    game = fresh_game_of(variant)
    for play in plays(variant)[:2]:
        log = [entry(move) for move in play.moves]
        for length, lying in enumerate(play.rounds):
            begun = resumed(game, play.opened, log[:length])
            assert begun == lying
            assert resumed(game, begun, log[length:]) == play.end


@at_every_table
def test_what_lies_on_the_felt_is_all_there_is_to_know(variant: Variant) -> None:
    """A game that has seen nothing, asked backwards, gives the same answers: there is no hidden state."""
    asked = [
        (round_, tuple(play.game.procedure(round_)), play.game.settle(round_))
        for play in plays(variant)
        for round_ in play.rounds
    ]
    game = fresh_game_of(variant)
    for round_, steps, lines in reversed(asked):
        assert game.settle(round_) == lines
        assert tuple(game.procedure(round_)) == steps


@at_every_table
def test_open_decisions_commute(variant: Variant) -> None:
    for play in plays(variant):
        for move in play.decisions:
            together = play.game.open_decisions(move.before)
            rng = random.Random(len(together))
            answered = [(step, answer_to(step, shuffled(play.game, rng), rng)) for step in together]
            orders = [*islice(permutations(answered), ORDERS), answered[::-1]]
            ends = [_answered(play.game, move.before, order) for order in orders]
            assert all(end == ends[0] for end in ends)


def _answered(game: Game[Any], round_: Round, order: Sequence[tuple[Decide, Answer]]) -> Round:
    for step, answer in order:
        assert step in game.open_decisions(round_)
        round_ = advance(round_, step, answer)
    return _in_one_order(round_)


def _in_one_order(round_: Round) -> Round:
    """The felt without the order in which one seat's choices were made, and without that of its wagers."""
    seats = [
        replace(seat, choices=tuple(sorted(seat.choices, key=lambda choice: choice.about))) for seat in round_.seats
    ]
    return replace(round_, seats=tuple(seats))


@at_every_table
def test_one_reading_of_the_felt_is_what_will_be_asked(variant: Variant) -> None:
    game, rng = game_of(variant), random.Random(f"{variant} read")
    for _ in range(3):
        _play_by_readings(game, rng)


def _play_by_readings(game: Game[Any], rng: random.Random) -> None:
    round_, dealer = open_table(game, rng), shuffled(game, rng)
    try:
        while steps := tuple(game.procedure(round_)):
            for number, step in enumerate(steps):
                assert tuple(game.procedure(round_))[: len(steps) - number] == steps[number:]
                round_ = advance(round_, step, answer_to(step, dealer, rng))
    except OutOfCards:
        return
    assert not game.undecided(round_)


@at_every_table
def test_a_decision_belongs_to_a_seat_and_has_a_subject_of_its_own(variant: Variant) -> None:
    for play in plays(variant):
        for move in play.decisions:
            together = play.game.open_decisions(move.before)
            subjects = [(step.seat, step.about) for step in together]
            assert len(set(subjects)) == len(subjects)
            assert all(0 <= seat < len(play.opened.seats) for seat, _ in subjects)
