"""A kernel's rounds card by card: the compiled loop's shoe, dealt slowly from the same random numbers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from feltworks.cards import Card
from feltworks.machine.streams import BATCH, Stream
from feltworks.simulation.rounds.kernel import DealtRound, Kernel
from feltworks.simulation.rounds.machine import MachineKernel
from feltworks.simulation.rounds.plain import PlainKernel
from feltworks.simulation.rounds.replay import LaidShoe
from feltworks.simulation.rounds.showdown import ShowdownKernel

_WORD: Final = 1 << 64


def deal_rounds(kernel: Kernel, stream: Stream, rounds: int) -> Iterator[DealtRound]:
    """The rounds that `tally` and `nets` count from this stream."""
    if isinstance(kernel, PlainKernel | ShowdownKernel):
        yield from kernel.deal(stream, rounds)
        return
    assert isinstance(kernel, MachineKernel)
    shoe = ShuffledShoe(kernel.cards, stream, kernel._before_cut, kernel.burned, kernel._seating.tags)
    shoe.batch = kernel.batch
    for _ in range(rounds):
        fresh = shoe.open_round()
        yield kernel.deal_round(shoe, fresh=fresh)[0]


class ShuffledShoe(LaidShoe):
    """The shoe of the compiled loop, card by card: the same random numbers give the same cards."""

    def __init__(
        self, cards: Sequence[Card], stream: Stream, before_cut: int, burned: int, tags: Mapping[Card, int]
    ) -> None:
        super().__init__(cards, tags)
        self._whole, self._stream, self._before_cut, self._burned = list(cards), stream, before_cut, burned
        self._ready = self._cut = self._begun = 0
        self.batch = BATCH  # cards from one random word

    def open_round(self) -> bool:
        """Begin a round; whether the shoe is whole."""
        fresh = self._at >= self._cut
        if fresh:
            self._at, self._ready, self._cut, self.seen = self._burned, 0, self._before_cut, []
            while self._ready < self._at:
                self._shuffle_on()
        self._begun = self._at
        return fresh

    def draw(self) -> Card:
        """The next card."""
        if self._at == self._ready:
            if self._ready == len(self._cards):
                self._take_discards()
            self._shuffle_on()
        self._at += 1
        return self._cards[self._at - 1]

    def leave(self, unseen: int) -> list[Card]:
        """Cards that are dealt and never turned; they stay where they are if each round is shuffled."""
        if not self._before_cut:
            return self._cards[self._at : self._at + unseen]
        end = min(self._at + unseen, len(self._cards))
        while self._ready < end:
            self._shuffle_on()
        left, self._at = self._cards[self._at : end], end
        return left

    def _take_discards(self) -> None:
        begun = self._begun
        self._cards = self._cards[begun:] + self._cards[:begun]
        self._at, self._ready, self._begun, self._cut = self._at - begun, self._ready - begun, 0, 0
        self.seen = []

    def _shuffle_on(self) -> None:
        left = len(self._cards) - self._ready
        self._deal(min(self.batch, left), left)

    def _deal(self, count: int, left: int) -> None:
        """Cut `count` places from one random word; words that would favour some cards are thrown away."""
        while True:
            rest, product, places = self._stream.word(), 1, []
            for bound in range(left, left - count, -1):
                number, rest = divmod(rest * bound, _WORD)
                product *= bound
                places.append(number)
            is_fair = rest >= product or rest >= (_WORD - product) % product
            self._swap(places)
            if is_fair:
                self._ready += count
                return

    def _swap(self, places: Sequence[int]) -> None:
        for offset, number in enumerate(places):
            here, there = self._ready + offset, self._ready + offset + number
            self._cards[here], self._cards[there] = self._cards[there], self._cards[here]
