"""An interrupted round goes on from its log as if nothing had happened, or every wager is returned."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltworks import catalog
from feltworks.dealing.shoes import Commitment, source_for
from feltworks.errors import BadSeed, LogError, NotNow
from feltworks.rules.round import Choice
from feltworks.rules.steps import Decide
from feltworks.table.events import ChoiceMade
from feltworks.table.limits import PostedLimits, WagerLimit
from feltworks.table.live import Dealer
from feltworks.table.log import entries
from feltworks.table.replay import replay, resume
from feltworks.table.table import Table
from tests.table.stacked import (
    StackedDeck,
    answer,
    at_random,
    events,
    finish,
    full_table,
    put_down,
    stacked_table,
    told,
)


def stay(_: Table, __: Decide) -> Choice:
    return Choice("stay")


def finish_as_before(table: Table, choices: list[ChoiceMade]) -> None:
    """Go on with the choices that were made the first time."""
    made = sum(isinstance(event, ChoiceMade) for event in events(table))
    for choice in choices[made:]:
        seat = table.seats[choice.seat]
        table.choose(seat.player, seat.spot, choice.name, choice.cents, choice.about)


@pytest.mark.parametrize("name", catalog.games())
def test_every_prefix_of_a_log_resumes_to_the_same_end(name: str) -> None:
    rng = random.Random(11)
    game = catalog.game(name)
    whole = full_table(name, source=(source := source_for(game.terms)))  # a live, secret shuffle
    whole.deal()
    secret = source.secret
    finish(whole, at_random(rng), rng)
    choices = [event for event in events(whole) if isinstance(event, ChoiceMade)]
    for length in range(1, len(whole.log.lines) + 1):
        table = resume(whole.log.lines[:length], source_for(game.terms), secret)
        finish_as_before(table, choices)
        assert table.log.lines == whole.log.lines
        assert table.lines == whole.lines
        assert table.seating.players == whole.seating.players
        assert table.house == whole.house
        assert not table.is_running


def test_a_resumed_table_writes_on_and_deals_the_next_round() -> None:
    kept: list[bytes] = []
    whole = full_table("fu-bacc", seed=5)
    whole.deal()
    table = resume(whole.log.lines, source_for(whole.game.terms, seed=5), secret_of(5), sink=kept.append)
    assert not kept
    finish(table, stay, random.Random(1))
    assert whole.log.lines + kept == table.log.lines
    put_down(table)
    table.deal()
    finish(table, stay, random.Random(1))
    replay(table.log.lines)
    numbers = [entry.n for entry in entries(whole.log.lines + kept)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert table.rounds == 2


def secret_of(seed: int, name: str = "fu-bacc") -> str:
    source = source_for(catalog.game(name).terms, seed=seed)
    source.begin_round()
    return source.secret


def test_a_vault_has_the_secret_before_the_first_card() -> None:
    kept: list[tuple[Commitment, str]] = []
    game = catalog.game("fu-bacc")
    table = Table(game, Dealer(source_for(game.terms), vault=lambda *secret: kept.append(secret)))
    table.sit("ann", 1, stack=10_000)
    table.wager("ann", 1, {"ante": 1000})
    table.deal()
    ((commitment, secret),) = kept
    assert commitment == table.commitment
    assert secret.encode() not in b"".join(table.log.lines)
    again = resume(table.log.lines[:1], source_for(game.terms), secret)
    assert again.round == table.round


def test_resuming_takes_the_posted_limits_again() -> None:
    table = full_table("fu-bacc", seed=5)
    table.deal()
    limits = PostedLimits(table.game.terms, {"ante": WagerLimit(500)})
    again = resume(table.log.lines, source_for(table.game.terms), secret_of(5), limits=limits)
    assert again.limits is limits


def test_another_seed_is_refused() -> None:
    table = full_table("fu-bacc", seed=5)
    table.deal()
    for secret in (secret_of(6), "", "not hexadecimal"):
        with pytest.raises(BadSeed):
            resume(table.log.lines, source_for(table.game.terms), secret)


def test_cards_that_do_not_agree_with_the_log_are_refused() -> None:
    table = stacked_table("fu-bacc", "5c Kd 2h 9s 4h Ac")
    table.sit("ann", 1, stack=10_000)
    table.wager("ann", 1, {"ante": 1000})
    table.deal()
    resume(table.log.lines, StackedDeck("5c Kd 2h 9s 4h Ac"), "00")
    with pytest.raises(
        LogError, match=r"line 6 of the log: turned says faces \('9s',\) where the rules give \('8s',\)"
    ):
        resume(table.log.lines, StackedDeck("5c Kd 2h 8s 4h Ac"), "00")


def test_a_log_of_two_rounds_is_not_resumed() -> None:
    table = full_table("fu-bacc", seed=5)
    kept = []
    for _ in range(2):
        table.deal()
        finish(table, stay, random.Random(1))
        kept += table.log.lines
        put_down(table)
    with pytest.raises(LogError, match="its own lines alone"):
        resume(kept, source_for(table.game.terms, seed=5), secret_of(5))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(catalog.games()), st.integers(0, 2**32), st.integers(0, 6))
def test_a_voided_round_gives_back_every_wager_whatever_was_paid(name: str, seed: int, acts: int) -> None:
    rng = random.Random(seed)
    table = full_table(name, seed=seed)
    total, house = table.total, table.house.copy()
    table.deal()
    for _ in range(acts):
        if table.decisions:
            step = rng.choice(table.decisions)
            answer(table, step, _first(step))
    if not table.is_running:
        with pytest.raises(NotNow, match="nothing to void"):
            table.void("too late")
        return
    table.void("the deck was short")
    assert {player.stack for player in table.seating.players.values()} == {100_000}
    assert (table.house, table.on_felt, table.total) == (house, 0, total)
    assert not table.decisions
    assert not table.lines
    assert told(table)[-1] == "void the deck was short"
    again = replay(table.log.lines)
    assert (again.lines, again.table.seating.players) == ((), table.seating.players)
    put_down(table)
    table.deal()


def _first(step: Decide) -> Choice:
    return Choice(step.offers[0].name)


def test_a_round_that_stopped_in_the_middle_of_the_deal_is_voided_and_replays() -> None:
    table = stacked_table("fu-bacc", "5c Kd 2h 9s")
    table.sit("ann", 1, stack=10_000)
    table.wager("ann", 1, {"ante": 1000})
    with pytest.raises(Exception, match="can only be voided"):
        table.deal()
    assert table.is_running
    table.void("the deck was short")
    assert table.seating.player("ann").stack == 10_000
    assert told(table)[-2:] == ["deal seat 1 ?", "void the deck was short"]
    assert replay(table.log.lines).table.seating.players == table.seating.players
    again = resume(table.log.lines, StackedDeck("5c Kd 2h 9s 4h Ac"), "00")
    assert again.seating.players == table.seating.players
    assert not again.is_running
