"""Proof that a round was dealt from the shoe the house had committed to, once its seed is revealed."""

from collections.abc import Iterable

from feltworks.cards import Card, Shoe
from feltworks.dealing.seed import verify
from feltworks.dealing.shoes import Commitment
from feltworks.errors import BadSeed
from feltworks.rules.round import Place, Round
from feltworks.rules.steps import place_name
from feltworks.table.events import Dealt, Event


def check_cards(
    shoe: Shoe, commitment: Commitment, seed: str, events: Iterable[Event], round_: Round
) -> None:
    """Refuse a seed that is not the one committed to, or that puts another card where one was seen."""
    order = verify(commitment, seed, shoe)
    for place, positions in _positions(commitment, events).items():
        for position, face in zip(positions, round_.at(place), strict=True):
            if isinstance(face, Card) and order[position : position + 1] != (face,):
                raise BadSeed(f"the revealed seed does not give {place_name(place)} the card {face}")


def _positions(commitment: Commitment, events: Iterable[Event]) -> dict[Place, list[int]]:
    """Where in the shoe each place's cards came from."""
    positions: dict[Place, list[int]] = {}
    drawn = commitment.position
    for event in events:
        if isinstance(event, Dealt):
            after = drawn + len(event.faces) + event.backs
            positions.setdefault(event.to, []).extend(range(drawn, after))
            drawn = after
    return positions
