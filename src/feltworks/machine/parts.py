"""Hands into which a seat's was divided: what lies on each, and what each knows of those played before."""

from collections.abc import Hashable, Mapping

from msgspec.structs import replace

from feltworks.machine.felt import Felt, SeatState
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.settlement import facts_for

Key = tuple[int, Hashable]  # how many parts there are, and the trace of those that are over


def divide(
    game: Game, felt: Felt, on: SeatState, limits: frozenset[int]
) -> tuple[SeatState, set[str], Mapping[Key, SeatState]]:
    """The part that is played first, the wagers that do not lie on it, and the other part by what went before.

    Each has its share of the wagers; one that lies on all parts together goes with the part played last.
    """
    shares = _shares(game, felt, on)
    forks = [hand.fork(limits) for hand in on.lying.hands]
    keys = list(next(fork.later for fork in forks if fork is not None))

    def part(number: int, key: Key | None) -> SeatState:
        amounts = tuple((name, shares[name][number] if name in shares else cents) for name, cents in on.wagers)
        hands = [
            hand if fork is None else fork.first if key is None else fork.later[key]
            for hand, fork in zip(on.lying.hands, forks, strict=True)
        ]
        return replace(on, wagers=amounts, lying=replace(on.lying, hands=tuple(hands)), is_part=True)

    whole = {name for name, _ in on.wagers if name not in shares} - on.settled
    return part(0, None), whole, {key: part(1, key) for key in keys}


def _shares(game: Game, felt: Felt, on: SeatState) -> dict[str, list[Cents]]:
    """What lies on each part of the wagers that are divided."""
    standing, shares = game.standing(felt, 0), dict[str, list[Cents]]()
    for name, cents in on.wagers:
        judge = game.wagers[name]
        if judge.divides and name not in on.settled:
            parts = judge.parts(facts_for(judge, felt, 0, standing), cents)
            shares[name] = [part.wagered for part in parts]
    return shares
