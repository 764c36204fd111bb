"""A round written down and settled by `felt settle` comes to the same lines as the round that was played."""

import random
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from feltworks.rules.wager import Line
from feltworks.written.record import FinishedRound
from feltworks.written.replay import replay
from feltworks.written.settle import settle_line
from tests.conformance.play import ROUNDS, Play, play
from tests.conformance.variants import Variant, game_of, variants
from tests.conformance.written import written, written_games

Summed = dict[tuple[int, str, bool], tuple[list[int], int]]
every_written_game = pytest.mark.parametrize("name", written_games())


def rounds(variant: Variant) -> list[Play]:
    """Rounds whose open decisions were answered in the dealer's order, as they are written down."""
    seeds = [f"{variant} written {number}" for number in range(ROUNDS)]
    return [play(game_of(variant), random.Random(seed), in_order=True) for seed in seeds]


def summed(lines: Iterable[Line]) -> Summed:
    """What lies on each wager's hands and what they bring together.

    Split hands are written in another order than they lie, and which of them a loss falls on may follow it.
    """
    wagers: dict[tuple[int, str, bool], list[Line]] = {}
    for line in lines:
        wagers.setdefault((line.seat, line.wager, line.toke), []).append(line)
    return {
        key: (sorted(part.wagered for part in parts), sum(part.net for part in parts)) for key, parts in wagers.items()
    }


@every_written_game
def test_the_replay_of_a_written_round_settles_like_the_round(name: str) -> None:
    for variant in variants(name):
        game = game_of(variant)
        for played in rounds(variant):
            document = written(variant, played)
            replayed = replay(game, msgspec.convert(document, FinishedRound))
            assert summed(game.settle(replayed)) == summed(game.settle(played.end)), document


@every_written_game
def test_felt_settle_writes_the_lines_of_the_round(name: str) -> None:
    for variant in variants(name):
        for played in rounds(variant):
            document = written(variant, played)
            sheet = settle_line(msgspec.json.encode(document))
            assert _nets_of_sheet(sheet) == _nets_of(played), document


def _nets_of_sheet(sheet: dict[str, Any]) -> dict[tuple[int, str, bool], tuple[int, int]]:
    assert "error" not in sheet, sheet
    return {
        (number, line["wager"], line.get("toke", False)): (line["wagered"], line["net"])
        for number, seat in enumerate(sheet["seats"])
        for line in seat["lines"]
    }


def _nets_of(played: Play) -> dict[tuple[int, str, bool], tuple[int, int]]:
    lines = summed(played.game.settle(played.end))
    return {key: (sum(wagered), net) for key, (wagered, net) in lines.items()}
