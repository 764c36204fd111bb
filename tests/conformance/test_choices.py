"""Decisions: every offer is accepted at any amount in its range; all else is refused and changes nothing."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

from feltworks.errors import NotOffered, WrongCard
from feltworks.rules.advance import advance
from feltworks.rules.round import FACE_DOWN, Choice, Round
from feltworks.rules.steps import Decide, Offer
from tests.conformance.play import Move, amounts, plays
from tests.conformance.variants import Variant, at_every_table

STRANGE_NAMES = ("", "no such choice", "Fold", "fold ", "0")


def decisions(variant: Variant) -> Iterator[tuple[Move, Decide]]:
    """Every decision of the rounds played at this table."""
    for play in plays(variant):
        for move in play.decisions:
            assert isinstance(move.step, Decide)
            yield move, move.step


def names_at(variant: Variant) -> set[str]:
    """Whatever this table offers at some time or other."""
    return {offer.name for _, step in decisions(variant) for offer in step.offers}


@at_every_table
def test_every_decision_offers_something_and_nothing_twice(variant: Variant) -> None:
    for _, step in decisions(variant):
        names = [offer.name for offer in step.offers]
        assert names
        assert len(names) == len(set(names))
        assert all(offer.least <= offer.most for offer in step.offers)


@at_every_table
def test_every_offer_is_accepted_and_moves_its_money(variant: Variant) -> None:
    for play in plays(variant):
        for move in play.decisions:
            assert isinstance(move.step, Decide)
            for offer in move.step.offers:
                for cents in amounts(offer):
                    after = advance(move.before, move.step, Choice(offer.name, cents))
                    _check_moved(move.before, after, move.step, offer, cents)
                    play.game.settle(after)
                    play.game.awaits(after)


def _check_moved(before: Round, after: Round, step: Decide, offer: Offer, cents: int) -> None:
    was, now = before.seats[step.seat], after.seats[step.seat]
    changed = {
        name: now.wagers.get(name, 0) - was.wagers.get(name, 0)
        for name in {*was.wagers, *now.wagers}
        if now.wagers.get(name, 0) != was.wagers.get(name, 0)
    }
    assert changed == ({offer.wager: cents} if cents else {})
    assert now.choices == (*was.choices, Choice(offer.name, cents, step.about))
    assert (now.cards, now.tokes) == (was.cards, was.tokes)
    others = [n for n in range(len(before.seats)) if n != step.seat]
    assert [after.seats[n] for n in others] == [before.seats[n] for n in others]
    assert (after.dealer, after.board, after.meters) == (before.dealer, before.board, before.meters)


@at_every_table
def test_a_fixed_amount_may_be_left_unsaid(variant: Variant) -> None:
    for move, step in decisions(variant):
        for offer in step.offers:
            if offer.least == offer.most:
                said = advance(move.before, step, Choice(offer.name, offer.most))
                assert advance(move.before, step, Choice(offer.name)) == said


@at_every_table
def test_every_other_choice_is_refused_and_changes_nothing(variant: Variant) -> None:
    names = names_at(variant)
    for move, step in decisions(variant):
        before = repr(move.before)
        for nonsense in chain(_wrong_names(step, names), _wrong_amounts(step), _wrong_subjects(step)):
            with pytest.raises(NotOffered) as refusal:
                advance(move.before, step, nonsense)
            assert refusal.value.offers == step.offers
        assert repr(move.before) == before


def _wrong_names(step: Decide, names: set[str]) -> Iterator[Choice]:
    offered = {offer.name for offer in step.offers}
    yield from map(Choice, [name for name in (*STRANGE_NAMES, *sorted(names)) if name not in offered])


def _wrong_amounts(step: Decide) -> Iterator[Choice]:
    for offer in step.offers:
        unsaid = [None] if offer.least != offer.most else []
        no_cents: list[Any] = [float(offer.most), bool(offer.most), str(offer.most), *unsaid]
        off_chip = [offer.least + 1] if offer.chip > 1 else []
        for cents in (offer.least - 1, offer.most + 1, -offer.most - 1, *off_chip, *no_cents):
            yield Choice(offer.name, cents)


def _wrong_subjects(step: Decide) -> Iterator[Choice]:
    for offer in step.offers:
        yield Choice(offer.name, offer.most, about="another matter")


@at_every_table
def test_cards_do_not_answer_a_decision(variant: Variant) -> None:
    for move, step in decisions(variant):
        for answer in ((), (FACE_DOWN,)):
            with pytest.raises(WrongCard):
                advance(move.before, step, answer)
