"""The grammar: a transition changes nothing it was given, and an option reads what it wrote."""

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks import catalog
from feltworks.errors import BadOption, FeltError
from feltworks.rules.advance import advance
from feltworks.rules.rulebook.model import Option, OptionValue
from feltworks.rules.terms import Terms
from tests.conformance.play import play
from tests.conformance.variants import game_of, variants

games = st.sampled_from(catalog.games())
tables = games.flatmap(lambda name: st.sampled_from(variants(name)))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


Named = tuple[str, str, Option]


def options() -> list[Named]:
    """Every option of every game."""
    books = [catalog.rulebook(name) for name in catalog.games()]
    return [(book.name, name, option) for book in books for name, option in book.option.items()]


@given(tables, st.integers(0, 2**32))
def test_advance_never_mutates_what_it_was_given(variant: Any, seed: int) -> None:
    played = play(game_of(variant), random.Random(seed))
    before = [repr(round_) for round_ in played.rounds]
    for move in played.moves:
        assert advance(move.before, move.step, move.answer) == move.after
    assert [repr(round_) for round_ in played.rounds] == before


@given(st.sampled_from(options()), values)
def test_an_option_reads_a_value_of_its_own_or_refuses_in_words(named: Named, value: Any) -> None:
    option, refusal = named[2], ""
    read = option.preset
    try:
        read = option.read(named[1], value)
    except BadOption as refused:
        refusal = str(refused)
    assert not refusal or option.allowed in refusal
    assert option.read(named[1], read) == read


@given(st.sampled_from(options()), st.data())
def test_an_option_reads_what_it_wrote(named: Named, data: st.DataObject) -> None:
    _, name, option = named
    read = option.read(name, data.draw(_values(option)))
    assert option.read(name, _spoken(read)) == read
    assert option.read(name, msgspec.json.decode(msgspec.json.encode(read))) == read


def _spoken(value: OptionValue) -> str:
    """A value as a command line says it."""
    if isinstance(value, tuple):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _values(option: Option) -> st.SearchStrategy[Any]:
    if option.members is not None:
        return st.lists(st.sampled_from(option.members), unique=True)
    return st.integers(*option.range) if option.range else st.sampled_from(option.values or [])


@given(games, st.dictionaries(st.text(max_size=12) | st.sampled_from(["decks", "offers", "chip"]), values))
def test_terms_are_made_or_refused_in_one_sentence(name: str, chosen: dict[str, Any]) -> None:
    refusal = ""
    try:
        Terms(catalog.rulebook(name), options=chosen)
    except FeltError as refused:
        refusal = str(refused)
    assert len(refusal.splitlines()) < 2


@pytest.mark.parametrize("named", options(), ids=lambda named: f"{named[0]} {named[1]}")
def test_every_option_takes_its_default_and_every_value_it_names(named: Named) -> None:
    game, name, option = named
    for value in [option.preset, *(option.values or []), *(option.approved or [])]:
        assert Terms(catalog.rulebook(game), options={name: value})[name] == value
