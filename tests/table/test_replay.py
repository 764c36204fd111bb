"""Any round replays from its log to the same settlement; a log the rules do not bear out is refused."""

import json
import random
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltworks import catalog
from feltworks.errors import LogError
from feltworks.table.events import RoundOpened
from feltworks.table.log import entries
from feltworks.table.replay import RoundSoFar, replay
from feltworks.table.table import Table
from tests.table.stacked import at_random, finish, full_table, put_down, stacked_table, told


@cache
def finished(name: str, seed: int) -> Table:
    rng = random.Random(seed)
    table = full_table(name, seed=seed)
    table.deal()
    finish(table, at_random(rng), rng)
    return table


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(catalog.games()), st.integers(0, 2**32))
def test_a_finished_round_replays_to_the_same_felt_settlement_and_money(name: str, seed: int) -> None:
    table = finished(name, seed)
    again = replay(table.log.lines)
    assert again.round == table.round
    assert again.lines == tuple(table.lines)
    assert again.table.house == table.house
    assert again.table.seating.players == table.seating.players
    opened, *events = [entry.event for entry in entries(table.log.lines)]
    assert isinstance(opened, RoundOpened)
    so_far = RoundSoFar(table.game, opened)
    for event in events:
        so_far.add(event)
    assert so_far.round == table.round


def test_a_log_brings_its_options_pay_tables_and_limit() -> None:
    options = {"surrender": "late", "soft17": "hit"}
    table = stacked_table("acey-deucey-21", "5c Qh Kd 5s", options=options, pay_tables={"war": "2"}, limit=30_000)
    table.sit("ann", 1, stack=10_000)
    table.wager("ann", 1, {"blackjack": 1000, "acey-deucey": 100, "war": 500})
    table.deal()
    table.choose("ann", 1, "check")
    table.choose("ann", 1, "surrender")
    terms = replay(table.log.lines).game.terms
    assert (terms["surrender"], terms["soft17"], terms.pay_tables["war"], terms.limit) == (
        "late",
        "hit",
        "2",
        30_000,
    )


def test_later_rounds_of_a_shoe_replay_too() -> None:
    table = full_table("lucky-lucky", seed=3)
    rng = random.Random(3)
    positions = []
    for _ in range(3):
        table.deal()
        finish(table, at_random(rng), rng)
        again = replay(table.log.lines)
        assert again.lines == tuple(table.lines)
        assert table.commitment is not None
        positions.append(table.commitment.position)
        put_down(table)
    assert positions == sorted(set(positions))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_byte_is_found_or_says_the_same(data: st.DataObject) -> None:
    table = finished(data.draw(st.sampled_from(["fu-bacc", "lucky-lucky"])), 1)
    lines = list(table.log.lines)
    number = data.draw(st.integers(0, len(lines) - 1))
    at = data.draw(st.integers(0, len(lines[number]) - 1))
    byte = data.draw(st.integers(0, 255))
    lines[number] = lines[number][:at] + bytes([byte]) + lines[number][at + 1 :]
    try:
        again = replay(lines)
    except LogError:
        return
    assert again.lines == tuple(table.lines)


@pytest.mark.parametrize("name", catalog.games())
def test_a_log_cut_short_is_refused_with_the_line_where_it_ends(name: str) -> None:
    lines = finished(name, 2).log.lines
    for length in range(1, len(lines)):
        with pytest.raises(LogError, match=f"^line {length} of the log: the log ends before the round is over"):
            replay(lines[:length])


def test_two_rounds_are_refused() -> None:
    table = full_table("fu-bacc", seed=3)
    rng, kept = random.Random(3), []
    for _ in range(2):
        table.deal()
        finish(table, at_random(rng), rng)
        kept.append(table.log.lines)
        put_down(table)
    with pytest.raises(LogError, match=f"^line {len(kept[0]) + 1} of the log: the round is over"):
        replay(kept[0] + kept[1])


Damage = Callable[[dict[str, Any]], object]


def forged(lines: list[bytes], number: int, change: Damage) -> list[bytes]:
    """The log of a round with one event changed and its seal made anew."""
    written = [json.loads(line) for line in lines]
    change(written[number - 1]["event"])
    *before, last = written
    made = [json.dumps(entry).encode() for entry in before]
    if "seal" in last:
        last["seal"] = sha256(b"".join(line + b"\n" for line in made)).hexdigest()
    return [*made, json.dumps(last).encode()]


def fu_bacc_lines() -> list[bytes]:
    """Opening, no more bets, three draws, up card, hit, hit card, tuck, hole, third, total, two payments."""
    table = stacked_table("fu-bacc", "5c Kd 2h 9s 4h Ac")
    table.sit("ann", 1, stack=10_000)
    table.wager("ann", 1, {"ante": 1000})
    table.deal()
    table.choose("ann", 1, "hit")
    return table.log.lines


@pytest.mark.parametrize(
    ("number", "change", "match"),
    [
        (1, {"game": "snap"}, "no game 'snap'"),
        (1, {"options": {"spots": 99}}, "option spots"),
        (1, {"pay_tables": {"ante": "9"}}, "pay table '9'"),
        (1, {"seats": []}, "no wager lies on the felt"),
        (1, {"limit": 500}, "at most"),
        (3, {"faces": ["5c", "5z"]}, "'5z' is no card"),
        (3, {"faces": ["5c"]}, "does not answer"),
        (3, {"to": 1}, "where the rules give"),
        (3, {"to": -7}, "where the rules give"),
        (6, {"index": 1}, "where the rules give"),
        (7, {"name": "bonus"}, "may not choose bonus"),
        (7, {"name": "stay"}, "the procedure awaits|where the rules give"),
        (7, {"cents": 1999}, "may not choose hit of 1999"),
        (7, {"seat": 4}, "where a decision stands open"),
        (7, {"seat": -1}, "where a decision stands open"),
        (8, {"faces": ["9d"]}, "where the rules give"),
        (13, {"paid": 1001}, "where the rules give"),
        (13, {"wager": "tie"}, "where the rules give"),
        (14, {"returned": 999}, "where the rules give"),
    ],
    ids=str,
)
def test_a_forged_event_is_refused_with_its_line(number: int, change: dict[str, Any], match: str) -> None:
    lines = fu_bacc_lines()
    replay(forged(lines, number, lambda event: event.update({})))
    with pytest.raises(LogError, match=match) as refused:
        replay(forged(lines, number, lambda event: event.update(change)))
    assert str(refused.value).startswith("line ")


def test_a_revealed_seed_has_to_give_the_cards_that_were_dealt() -> None:
    lines = finished("fu-bacc", 4).log.lines
    replay(lines)

    def other_seed(event: dict[str, Any]) -> None:
        event["reveal"]["seed"] = "00" * 32

    with pytest.raises(LogError, match="must all be those committed to"):
        replay(forged(lines, len(lines), other_seed))
    with pytest.raises(LogError, match="of another shoe"):
        replay(forged(lines, len(lines), lambda event: event["reveal"].update(shoe_number=9)))
    with pytest.raises(LogError, match="of another shoe"):
        replay(forged(lines, len(lines), lambda event: event["reveal"].update(seeded=False)))
    dealt = json.loads(lines[2])["event"]["faces"]
    with pytest.raises(LogError, match="the revealed seed does not give seat 1 the card"):
        replay(forged(lines, 3, lambda event: event.update(faces=dealt[::-1])))


def test_a_card_that_comes_up_too_often_is_refused() -> None:
    table = stacked_table("fu-bacc", "5c Kd 2h 9s Kh Ac")
    table.sit("ann", 1, stack=10_000)
    table.wager("ann", 1, {"ante": 1000})
    table.deal()
    table.choose("ann", 1, "stay")
    turned = told(table).index("turn dealer Kh") + 2
    with pytest.raises(LogError, match="the shoe holds only 1 of card Kd"):
        replay(forged(table.log.lines, turned, lambda event: event.update(faces=["Kd"])))


def scalars(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all leaves of a JSON document."""
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    found = [leaf for key, value in children for leaf in scalars(value, (*path, key))]
    return found or [path]


FORGERIES: list[object] = [-1, 0, 1, 5, 2**70, "", "ann", "As", "hand 2", None, True, [], {}, 1.5]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_whatever_a_forger_writes_the_answer_is_a_log_error_or_a_legal_round(data: st.DataObject) -> None:
    lines = finished(data.draw(st.sampled_from(catalog.games())), 6).log.lines
    number = data.draw(st.integers(1, len(lines)))
    path = data.draw(st.sampled_from(scalars(json.loads(lines[number - 1])["event"])))
    value = data.draw(st.sampled_from(FORGERIES))

    def change(event: dict[str, Any]) -> None:
        node: Any = event
        for key in path[:-1]:
            node = node[key]
        if path:
            node[path[-1]] = value

    try:
        again = replay(forged(lines, number, change))
    except LogError:
        return
    assert not again.table.is_running
