"""The rounds of compiled tables again, slowly and with real cards, in the order the live table deals them."""

from collections import deque
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from feltworks.cards import Card
from feltworks.machine.graph import Result
from feltworks.machine.play import Play
from feltworks.machine.streams import Stream
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Choice, Face, Place, Round
from feltworks.rules.steps import Chance, Decide, Draw, Peek

_AT_ONCE: Final = 6
_WORD: Final = 1 << 64


class SeatRound(Struct):
    """What one seat saw, chose and won in a round."""

    cards: list[Card]
    choices: list[Choice]
    results: list[Result]
    unseen: int = 0


class PlainShoe:
    """The shoe of the compiled loop, card by card: the same random numbers give the same cards."""

    def __init__(self, cards: Sequence[Card], stream: Stream, before_cut: int) -> None:
        self._cards, self._stream, self._before_cut = list(cards), stream, before_cut
        self._at = self._ready = self._cut = self._begun = 0

    def open_round(self) -> bool:
        """Begin a round; whether the shoe is whole."""
        if self._at >= self._cut:
            self._at, self._ready, self._cut = 0, 0, self._before_cut
        self._begun = self._at
        return not self._at

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

    def behind(self) -> list[Card]:
        """Cards that have not been dealt, for what the rules turn and no wager needs."""
        return self._cards[self._at + 1 :]

    def _take_discards(self) -> None:
        begun = self._begun
        self._cards = self._cards[begun:] + self._cards[:begun]
        self._at, self._ready, self._begun, self._cut = self._at - begun, self._ready - begun, 0, 0

    def _shuffle_on(self) -> None:
        left = len(self._cards) - self._ready
        if left >= _AT_ONCE:
            self._deal(_AT_ONCE, left, swaps_first=False)
        else:
            self._deal(left, left, swaps_first=True)

    def _deal(self, count: int, left: int, *, swaps_first: bool) -> None:
        """Cut `count` places from one random word; words that would favour some cards are thrown away."""
        while True:
            rest, product, places = self._stream.word(), 1, []
            for bound in range(left, left - count, -1):
                number, rest = divmod(rest * bound, _WORD)
                product *= bound
                places.append(number)
            is_fair = rest >= product or rest >= (_WORD - product) % product
            if is_fair or swaps_first:
                self._swap(places)
            if is_fair:
                self._ready += count
                return

    def _swap(self, places: Sequence[int]) -> None:
        for offset, number in enumerate(places):
            here, there = self._ready + offset, self._ready + offset + number
            self._cards[here], self._cards[there] = self._cards[there], self._cards[here]


class LaidShoe:
    """A shoe whose next cards are known, with all others behind them."""

    def __init__(self, cards: Sequence[Card], others: Sequence[Card]) -> None:
        self._cards, self._others = deque(cards), list(others)

    def draw(self) -> Card:
        """The next card."""
        return self._cards.popleft()

    def leave(self, _unseen: int) -> list[Card]:
        """Cards that are dealt and never turned: any others will do."""
        return self._others

    def behind(self) -> list[Card]:
        """Cards that have not been dealt: those behind the ones left."""
        return []


def play_seat(play: Play, shoe: PlainShoe | LaidShoe, house: list[Card]) -> SeatRound:
    """One seat's round; the house's cards that other seats have seen before come first."""
    round_, kinds = SeatRound([], [], []), dict(zip(play.tables.faces, play.kinds, strict=True))
    number, mark, read, came = play.tables.start, 0, 0, (-1, -1)
    looked_at: Card | None = None
    while True:
        state = play.tables.states[number]
        round_.results += state.results
        if state.is_end:
            round_.unseen = state.unseen
            return round_
        if state.choices:
            choice, number = state.choices[play.place(number, came, mark)]
            round_.choices.append(choice)
            continue
        if state.run >= 0:
            run, step = play.tables.runs[state.run], 0
            while step >= 0:
                if read == len(house):
                    house.append(shoe.draw())
                step, read = run.after[step][play.tables.faces.index(house[read])], read + 1
            number = play.tables.rows[state.row].at(~step)
            continue
        if state.again:
            assert looked_at is not None
            card = looked_at
        elif state.on_seat:
            card = shoe.draw()
            round_.cards.append(card)
        else:
            if read == len(house):
                house.append(shoe.draw())
            card, read = house[read], read + 1
        looked_at = card if state.wanted is not None else looked_at
        mark = (mark + play.marks[kinds[card]]) % _WORD
        came = number, play.tables.faces.index(card)
        number = state.after[came[1]]


class TableOrder:
    """Deals a round by the rules so that every place gets the cards it got on the machine."""

    def __init__(
        self, game: Game[Any], seats: Sequence[SeatRound], house: Sequence[Card], spare: Sequence[Card]
    ) -> None:
        self._game = game
        self._mine = [deque(seat.cards) for seat in seats]
        self._choices = [deque(seat.choices) for seat in seats]
        self._house, self._spare = deque(house), deque(spare)
        self._lying: dict[Place, list[Card | None]] = {}
        self._order: list[tuple[Place, int]] = []
        self.choices: list[Choice] = []

    def deal(self, r: Round) -> Round:
        """Answer every step of the rules until the round is over."""
        while (step := self._game.awaits(r)) is not None:
            if isinstance(step, Decide):
                self.choices.append(self._choices[step.seat].popleft())
                r = advance(r, step, self.choices[-1])
            else:
                r = advance(r, step, self._answer(step))
        return r

    def cards(self) -> tuple[Card, ...]:
        """All cards in the order the live table draws them; those that were never turned are any others."""
        return tuple(self._lying[place][index] or self._spare.popleft() for place, index in self._order)

    def _answer(self, step: Chance) -> tuple[Face, ...]:
        if isinstance(step, Draw):
            lying = self._lying.setdefault(step.to, [])
            self._order += [(step.to, len(lying) + i) for i in range(step.count)]
            faces = [None] * step.count if step.down else [self._next(step.to) for _ in range(step.count)]
            lying += faces
            return (FACE_DOWN,) * step.count if step.down else tuple(face for face in faces if face)
        if isinstance(step, Peek):
            return peek_answer(step, self._turn(step.at, step.index))
        return tuple(self._turn(step.at, step.index + i) for i in range(step.count))

    def _turn(self, place: Place, index: int) -> Card:
        lying = self._lying[place]
        card = lying[index] or self._next(place)
        lying[index] = card
        return card

    def _next(self, place: Place) -> Card:
        cards = self._mine[place] if place >= 0 else self._house
        return cards.popleft() if cards else self._spare.popleft()
