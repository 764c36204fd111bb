"""Chance: a step takes the cards it asks for, as many and as they have to lie, and no others."""

from collections.abc import Iterator
from typing import Any

import pytest

from feltworks.cards import Card
from feltworks.errors import WrongCard
from feltworks.rules.advance import Answer, advance
from feltworks.rules.round import FACE_DOWN, Back, Choice, Face
from feltworks.rules.steps import Draw, Peek, Step, Turn
from tests.conformance.play import Move, plays
from tests.conformance.variants import Variant, at_every_table, game_of


def chances(variant: Variant) -> Iterator[Move]:
    """Every step of chance in the rounds played at this table."""
    for play in plays(variant):
        yield from play.chances


def refused(move: Move, answer: Answer) -> None:
    before = repr(move.before)
    with pytest.raises(WrongCard):
        advance(move.before, move.step, answer)
    assert repr(move.before) == before


def faces(answer: Answer) -> tuple[Face, ...]:
    assert isinstance(answer, tuple)
    return answer


@at_every_table
def test_a_wrong_number_of_cards_is_refused(variant: Variant) -> None:
    for move in chances(variant):
        given = faces(move.answer)
        for wrong in ((), given[:-1], given + given[:1]):
            refused(move, wrong)


@at_every_table
def test_backs_where_cards_are_due_and_cards_where_backs_are_due_are_refused(variant: Variant) -> None:
    some = next(iter(game_of(variant).terms.shoe))
    for move in chances(variant):
        given = faces(move.answer)
        if isinstance(move.step, Draw) and move.step.down:
            refused(move, (some,) * len(given))
            refused(move, (*given[:-1], some))
        elif isinstance(move.step, Draw | Turn):
            refused(move, (FACE_DOWN,) * len(given))
            refused(move, (*given[:-1], FACE_DOWN))


@at_every_table
def test_a_peek_takes_a_wanted_card_or_the_back_that_bars_it(variant: Variant) -> None:
    for move in chances(variant):
        if isinstance(move.step, Peek):
            for face in game_of(variant).terms.shoe:
                if face not in move.step.wanted:
                    refused(move, (face,))
            refused(move, (FACE_DOWN,))
            refused(move, (Back(barring=frozenset([*move.step.wanted][1:])),))


@at_every_table
def test_a_card_that_a_peek_has_barred_cannot_be_turned(variant: Variant) -> None:
    for move in chances(variant):
        for index, barred in _barred(move):
            given = faces(move.answer)
            for face in barred:
                refused(move, (*given[:index], face, *given[index + 1 :]))


def _barred(move: Move) -> Iterator[tuple[int, frozenset[Card]]]:
    if isinstance(move.step, Turn):
        lying = move.before.at(move.step.at)[move.step.index :][: move.step.count]
        for index, face in enumerate(lying):
            assert isinstance(face, Back)
            yield index, face.barring


@at_every_table
def test_a_choice_or_a_bare_card_does_not_answer_chance(variant: Variant) -> None:
    some = next(iter(game_of(variant).terms.shoe))
    for move in chances(variant):
        wrong_kinds: list[Any] = [Choice("stand"), some, [some], None]
        for wrong in wrong_kinds:
            refused(move, wrong)


@at_every_table
def test_cards_come_to_where_the_step_says_and_nowhere_else(variant: Variant) -> None:
    for move in chances(variant):
        place = _place(move.step)
        for other in {-2, -1, *range(len(move.before.seats))} - {place}:
            assert move.after.at(other) == move.before.at(other)
        assert len(move.after.at(place)) == len(move.before.at(place)) + _drawn(move.step)
        assert [seat.wagers for seat in move.after.seats] == [seat.wagers for seat in move.before.seats]


def _place(step: Step) -> int:
    assert isinstance(step, Draw | Turn | Peek)
    return step.to if isinstance(step, Draw) else step.at


def _drawn(step: Step) -> int:
    return step.count if isinstance(step, Draw) else 0
