"""The dealer's hand: draws from the source and alone knows the faces of what lies face down."""

from collections.abc import Callable
from typing import Protocol

from feltworks.cards import Card
from feltworks.dealing.shoes import CardSource, Commitment, Reveal
from feltworks.rules.advance import peek_answer
from feltworks.rules.round import FACE_DOWN, Face, Place
from feltworks.rules.steps import Chance, Draw, Peek, Turn

Vault = Callable[[Commitment, str], object]


class Dealing(Protocol):
    """What a table needs of whoever deals."""

    def begin_round(self) -> Commitment:
        """Have the cards ready, and say what the house is committed to."""

    def answer(self, step: Chance) -> tuple[Face, ...]:
        """What the cards say to a step of chance."""

    def end_round(self) -> Reveal | None:
        """Gather the cards; the seed, if nothing more is dealt from it."""


class Dealer:
    """Deals from a source.

    A vault is told the seed before the first card is dealt: with it and the log an interrupted round goes on.
    """

    def __init__(self, source: CardSource, *, vault: Vault | None = None) -> None:
        self._source = source
        self._vault = vault
        self._faces: dict[Place, tuple[Card, ...]] = {}
        self._restored: Commitment | None = None

    def begin_round(self) -> Commitment:
        self._faces = {}
        if (restored := self._restored) is not None:
            self._restored = None
            return restored
        commitment = self._source.begin_round()
        if self._vault is not None:
            self._vault(commitment, self._source.secret)
        return commitment

    def restore(self, seed: bytes, commitment: Commitment) -> None:
        """Put the source back to the first card of an interrupted round; the next round begun is that one."""
        self._source.restore(seed, commitment, 0)
        self._restored = commitment

    def answer(self, step: Chance) -> tuple[Face, ...]:
        faces = self._faces
        if type(step) is Draw:
            place, dealt = step.to, self._source.deal(step.count)
            faces[place] = faces[place] + dealt if place in faces else dealt
            return (FACE_DOWN,) * step.count if step.down else dealt
        if type(step) is Turn:
            return faces[step.at][step.index : step.index + step.count]
        assert type(step) is Peek
        return peek_answer(step, faces[step.at][step.index])

    def end_round(self) -> Reveal | None:
        return self._source.end_round()
