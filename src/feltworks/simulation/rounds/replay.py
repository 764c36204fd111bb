"""Replays one round of compiled tables with real cards, in the order in which the live table deals them.

Used to let the rules settle rounds in which several seats may win from one meter, and by tests of every game.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from feltworks.cards import Card
from feltworks.machine.node import Result
from feltworks.machine.play import Play
from feltworks.machine.tables import State
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Choice, Face, Place, Round
from feltworks.rules.steps import Chance, Decide, Draw, Peek

_WORD: Final = 1 << 64
DECK_SIZE: Final = 52
MOST_PARTS: Final = 32  # of a divided hand


class SeatRound(Struct):
    """The cards, choices and results of one seat in a round."""

    cards: list[Card]
    choices: list[Choice]
    results: list[Result]
    unseen: int = 0
    house_cards: int = 0  # the number when the seat's round is over


class LaidShoe:
    """A shoe with its cards in a known order."""

    def __init__(self, cards: Sequence[Card], tags: Mapping[Card, int] | None = None) -> None:
        self._cards, self._at, self._tags = list(cards), 0, tags or {}
        self.seen: list[Card] = []  # the cards seen in earlier rounds of this shoe

    @property
    def is_counted(self) -> bool:
        return bool(self._tags)

    def true_count(self, widest: int, open_cards: Sequence[Card] = ()) -> int:
        """Computes the true count of all cards seen; `open_cards` are the open cards of this round."""
        seen = [*self.seen, *open_cards]
        running = sum(self._tags.get(card, 0) for card in seen)
        return min(max(running * DECK_SIZE // (len(self._cards) - len(seen)), -widest), widest)

    def draw(self) -> Card:
        """Deals the next card."""
        self._at += 1
        return self._cards[self._at - 1]

    def leave(self, unseen: int) -> list[Card]:
        """Returns the next cards, which this round deals but never turns."""
        return self._cards[self._at : self._at + unseen]

    def behind(self) -> list[Card]:
        """Returns the cards after the next, for cards that the rules turn although no wager needs them."""
        return self._cards[self._at + 1 :]


def play_seats(plays: Sequence[Play], shoe: LaidShoe, widest: int) -> tuple[list[SeatRound], list[Card]]:
    """Plays the round of all seats and returns it with the house's cards."""
    table = _Table(shoe, widest)
    seats = [_Player(play, table) for play in plays]
    if len(seats) > 1 and shoe.is_counted:  # counters decide after all seats have their first cards
        for seat in seats:
            seat.go_on(to_house=True)
    for seat in seats:
        seat.go_on(to_house=False)
    table.remember([card for seat in seats for card in seat.round.cards])
    return [seat.round for seat in seats], table.house


class _Table:
    """The cards that all seats share."""

    def __init__(self, shoe: LaidShoe, widest: int) -> None:
        self.shoe, self.widest = shoe, widest
        self.house: list[Card] = []
        self.is_shown: list[bool] = []
        self.mine: list[Card] = []  # of all seats

    def remember(self, mine: Sequence[Card]) -> None:
        """Adds the cards that lie open at the end to those seen."""
        open_cards = [card for card, is_shown in zip(self.house, self.is_shown, strict=True) if is_shown]
        self.shoe.seen += [*mine, *open_cards]


class _Player:
    """Plays a seat through its tables; the parts of a divided hand are played one after the other."""

    def __init__(self, play: Play, table: _Table) -> None:
        self._play, self._table, self._tables = play, table, play.tables
        self._kinds = dict(zip(play.tables.faces, play.kinds, strict=True))
        self.round = SeatRound([], [], [])
        self._number, self._mark, self._read = play.tables.start, 0, 0
        self._looked_at, self._is_new, self._came = -1, False, (-1, -1)
        # A stack of parts to play: starts by number of parts and trace, house cards read, and index of a peeked card
        self._waiting: list[tuple[Mapping[tuple[int, int], int], int, int]] = []
        if play.tables.apart:
            begin = {(n, trace): s for trace, s in play.tables.apart.items() for n in range(1, MOST_PARTS)}
            self._waiting.append((begin, 0, -1))
        self._parts = 1
        self._is_over = False

    def go_on(self, *, to_house: bool) -> None:
        """Plays to the end, or with `to_house` until the house's first card is needed."""
        while not self._is_over:
            state = self._tables.states[self._number]
            if to_house and (state.run >= 0 or (state.after and not state.on_seat)):
                return
            self.round.results += state.results
            if state.is_end:
                self._end(state)
            elif state.first >= 0:
                self._waiting.append((self._tables.families[state.later], self._read, self._looked_at))
                self._parts, self._number = self._parts + 1, state.first
            elif state.choices:
                choice, self._number = state.choices[self._place(state)]
                self.round.choices.append(choice)
            elif state.run >= 0:
                run, step = self._tables.runs[state.run], 0
                while step >= 0:
                    step = run.after[step][self._tables.faces.index(self._house_card())]
                self._number = self._tables.rows[state.row].at(~step)
            else:
                card = self._card(state)
                self._mark = (self._mark + self._play.marks[self._kinds[card]]) % _WORD
                self._came = self._number, self._tables.faces.index(card)
                self._number = state.after[self._came[1]]

    def _end(self, state: State) -> None:
        mine, house = state.unseen
        self.round.unseen += mine
        hidden = house - (self._looked_at >= 0)  # a peeked card has been drawn already
        self.round.house_cards = max(self.round.house_cards, self._read + hidden)
        if self._waiting:
            family, self._read, self._looked_at = self._waiting.pop()
            self._number = family[self._parts, state.trace]
        else:
            self._is_over = True

    def _place(self, state: State) -> int:
        if not state.picks:
            return self._play.place(self._number, self._came, self._mark)
        fixed = self._play.fixed_choice(self._number)
        if fixed is not None:
            return fixed
        table = self._table
        house = [card for place, card in enumerate(table.house[: self._read]) if place != self._looked_at]
        return state.picks[table.shoe.true_count(table.widest, [*table.mine, *house]) + table.widest]

    def _card(self, state: State) -> Card:
        table = self._table
        if state.again:
            card = table.house[self._looked_at]
            table.is_shown[self._looked_at], self._looked_at = True, -1
        elif state.on_seat:
            card = table.shoe.draw()
            self.round.cards.append(card)
            table.mine.append(card)
        else:
            card = self._house_card()
            if state.wanted is not None and card not in state.wanted:
                self._looked_at = self._read - 1
                table.is_shown[self._looked_at] = table.is_shown[self._looked_at] and not self._is_new
        return card

    def _house_card(self) -> Card:
        table = self._table
        self._is_new = self._read == len(table.house)
        if self._is_new:
            table.house.append(table.shoe.draw())
            table.is_shown.append(True)
        self._read += 1
        return table.house[self._read - 1]


class TableOrder:
    """Deals a round by the rules so that every place gets the same cards as on the machine."""

    def __init__(self, game: Game, seats: Sequence[SeatRound], house: Sequence[Card], spare: Sequence[Card]) -> None:
        self._game = game
        self._mine = [deque(seat.cards) for seat in seats]
        self._choices = [deque(seat.choices) for seat in seats]
        self._house, self._spare = deque(house), deque(spare)
        self._lying: dict[Place, list[Card | None]] = {}
        self._order: list[tuple[Place, int]] = []
        self.choices: list[Choice] = []

    def deal(self, r: Round) -> Round:
        """Answers every step of the rules until the round is over."""
        while (step := self._game.awaits(r)) is not None:
            if isinstance(step, Decide):
                choice = self._choices[step.seat].popleft()
                self.choices.append(Choice(choice.name, choice.cents, step.about))
                r = advance(r, step, self.choices[-1])
            else:
                r = advance(r, step, self._answer(step))
        return r

    def cards(self) -> tuple[Card, ...]:
        """Lists all cards in the order of the live table; spare cards stand for those that were never turned."""
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
