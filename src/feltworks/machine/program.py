"""Plays as arrays of numbers, for the one loop that deals every game.

A card leads from a state to the next one, or to an event where something is settled, decided or over.
What a seat has settled so far is a number too; its end says how the whole round came out.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.errors import FeltError
from feltworks.machine.graph import Results
from feltworks.machine.play import Play

NEXT, END, LOOK_UP, LOOK, AGAIN, RUN, RANK = range(7)  # what an event leads to
KIND_MASK, EMITS_FROM, EMITS_MASK, LEADS_FROM = 15, 4, (1 << 20) - 1, 24  # the parts of an event's word
MOST_ENDS: Final = 1 << 22
Ints = NDArray[np.int32]


class Program(Struct, frozen=True):
    """The arrays of all seats, one after the other."""

    starts: Ints  # the first state of every kind of seat
    kinds: tuple[int, ...]  # of every face
    shift: int  # a state's row begins at its number shifted so far: quicker than multiplied
    after: NDArray[np.int16] | Ints  # by state and kind: the next state, or ~event
    on_house: NDArray[np.bool_]  # by state: whether its card comes to the house
    # By event, in one word: its kind, what it settles, and where it leads: to a state, a table of choices,
    # a run of cards, a rank; at the end it is how many cards were never turned.
    events: NDArray[np.int64]
    emissions: int
    sums: Ints  # by what was settled and what is settled now
    marks: NDArray[np.uint64]  # by kind of seat, then by kind of card
    run_starts: Ints  # by run event: its first state
    run_rows: Ints  # and which row of pieces says what follows its end
    pieces: Ints  # by row: the first rank of each piece, in ascending order
    piece_events: Ints
    widest: int  # how many pieces a row has room for
    keys: NDArray[np.uint64]  # choices by cards seen: an open-addressed table
    values: Ints
    ends: tuple[tuple[int, Results], ...]  # how a round came out: the kind of seat, its lines


def make_program(plays: Sequence[Play]) -> Program:
    """The arrays of some kinds of seats that are dealt by the same game."""
    return _Maker(plays).program()


class _Maker:
    def __init__(self, plays: Sequence[Play]) -> None:
        self.plays = plays
        self.kinds = _common_kinds(plays)
        self.states: dict[tuple[int, int], int] = {}  # by play and number in its tables
        self.events: dict[tuple[int, int, int], int] = {}  # kind, emission, where it leads
        self.emitted: dict[Results, int] = {(): 0}
        self.looks: list[dict[int, int]] = []
        self._looks: dict[tuple[int, int], int] = {}
        self.rows: list[list[int]] = []
        self.house: list[bool] = []
        self._steps: dict[tuple[int, int, int], int] = {}  # by play, run and step
        self.run_events: dict[tuple[int, int], int] = {}  # first state and row of pieces
        self.pieces: dict[tuple[tuple[int, int], ...], int] = {}  # first rank and event of each piece

    def program(self) -> Program:
        starts = [self._start(number) for number in range(len(self.plays))]
        sums, ends = self._settle(starts)
        keys, values = self._lookup_table()
        pieces, piece_events = self._piece_arrays()
        runs = np.array(list(self.run_events) or [(0, 0)], np.int32)
        events = [(leads << LEADS_FROM) | (e << EMITS_FROM) | kind for kind, e, leads in self.events]
        return Program(
            np.array(starts, np.int32),
            self.kinds,
            self._shift,
            self._table(),
            np.array(self.house),
            np.array(events or [0], np.int64),
            len(self.emitted),
            sums,
            self._marks(),
            np.ascontiguousarray(runs[:, 0]),
            np.ascontiguousarray(runs[:, 1]),
            pieces.reshape(-1),
            piece_events.reshape(-1),
            pieces.shape[1],
            keys,
            values,
            ends,
        )

    @property
    def _shift(self) -> int:
        return (len(self.columns) - 1).bit_length()

    def _table(self) -> Any:
        """The rows, as narrow as they can be: small tables stay in the processor's cache."""
        narrow = max(len(self.rows), len(self.events)) < 1 << 15
        table = np.zeros((len(self.rows), 1 << self._shift), np.int16 if narrow else np.int32)
        table[:, : len(self.columns)] = self.rows
        return table.reshape(-1)

    def _marks(self) -> NDArray[np.uint64]:
        """The marks of each kind of seat: seats that look at fewer facts have fewer kinds of cards."""
        marks = np.zeros((len(self.plays), 1 << self._shift), np.uint64)
        for play, row in zip(self.plays, marks, strict=True):
            row[: len(self.columns)] = [play.marks[play.kinds[face]] for face in self.columns]
        return marks.reshape(-1)

    @property
    def columns(self) -> list[int]:
        """One face of every kind."""
        return [self.kinds.index(kind) for kind in range(max(self.kinds) + 1)]

    def _start(self, play: int) -> int:
        target = self._arrive(play, self.plays[play].tables.start, ())
        if target < 0:
            raise FeltError("a round begins with a card")
        return target

    def _state(self, play: int, number: int) -> int:
        known = self.states.get((play, number))
        if known is None:
            known = self.states[play, number] = len(self.rows)
            state = self.plays[play].tables.states[number]
            self.rows.append([])
            self.house.append(not state.on_seat)
            targets: dict[tuple[int, int | None], int] = {}
            for column in self.columns:
                child = state.after[column], self.plays[play].branch(number, column)
                if child not in targets:
                    target = self._arrive(play, child[0], (), child[1])
                    targets[child] = self._event(LOOK, (), target) if state.wanted is not None else target
                self.rows[known].append(targets[child])
        return known

    def _arrive(self, play: int, number: int, results: Results, fixed: int | None = None) -> int:
        """The state or ~event that arriving at a state of the tables comes to.

        `fixed`: the choice that is made there, where the way to it settles that.
        """
        tables, choices = self.plays[play].tables, self.plays[play].choices
        while True:
            state = tables.states[number]
            results += state.results
            if state.is_end:
                return self._event(END, results, state.unseen)
            if not state.choices:
                break
            if number not in choices:  # a branch that this play never reaches
                return self._event(END, results, 0)
            if fixed is None:
                fixed = self.plays[play].fixed(number)
            if fixed is None:
                return self._event(LOOK_UP, results, self._look(play, number))
            number, fixed = state.choices[fixed][1], None
        if state.run >= 0:
            return self._event(RUN, results, self._run(play, state.run, state.row))
        place = self._state(play, number)
        if state.again:
            return self._event(AGAIN, results, place)
        return self._event(NEXT, results, place) if results else place

    def _run(self, play: int, run: int, row: int) -> int:
        """A run of cards to the house whose end is looked up in a row."""
        start = self._step(play, run, 0)
        children = self.plays[play].tables.rows[row]
        pieces: list[tuple[int, int]] = []
        for rank, child in zip(children.ranks, children.states, strict=True):
            event = ~self._arrive(play, child, ())
            if not pieces or pieces[-1][1] != event:
                pieces.append((rank, event))
        place = self.pieces.setdefault(tuple(pieces), len(self.pieces))
        return self.run_events.setdefault((start, place), len(self.run_events))

    def _step(self, play: int, run: int, step: int) -> int:
        known = self._steps.get((play, run, step))
        if known is None:
            known = self._steps[play, run, step] = len(self.rows)
            after = self.plays[play].tables.runs[run].after[step]
            self.rows.append([])
            self.house.append(True)
            for target in (after[column] for column in self.columns):
                ahead = self._step(play, run, target) if target >= 0 else self._event(RANK, (), ~target)
                self.rows[known].append(ahead)
        return known

    def _piece_arrays(self) -> tuple[Ints, Ints]:
        widest = max((len(pieces) for pieces in self.pieces), default=1)
        first = np.full((max(1, len(self.pieces)), widest), np.iinfo(np.int32).max, np.int32)
        events = np.zeros_like(first)
        for pieces, place in self.pieces.items():
            first[place, : len(pieces)] = [rank for rank, _ in pieces]
            events[place, : len(pieces)] = [event for _, event in pieces]
        return first, events

    def _event(self, kind: int, results: Results, leads: int) -> int:
        emission = self.emitted.setdefault(results, len(self.emitted))
        return ~self.events.setdefault((kind, emission, leads), len(self.events))

    def _look(self, play: int, number: int) -> int:
        if (play, number) not in self._looks:
            place = self._looks[play, number] = len(self.looks)
            self.looks.append({})
            state = self.plays[play].tables.states[number]
            for mark, choice in self.plays[play].choices[number].items():
                target = self._arrive(play, state.choices[choice][1], ())
                self.looks[place][mark] = target if target < 0 else self._event(NEXT, (), target)
        return self._looks[play, number]

    def _settle(self, starts: Sequence[int]) -> tuple[Ints, tuple[tuple[int, Results], ...]]:
        """Number all that can be settled on the way through a round."""
        lines = list(self.emitted)
        numbers: dict[tuple[int, Results], int] = {}
        following: dict[tuple[int, int], int] = {}
        events, runs, rows = list(self.events), list(self.run_events), list(self.pieces)
        waiting = [(start, self._number(numbers, (play, ()))) for play, start in enumerate(starts)]
        met = set(waiting)
        settled = list(numbers)

        def go(event: int, before: int) -> None:
            kind, emission, leads = events[event]
            key = before, emission
            if key not in following:
                play, done = settled[before]
                following[key] = self._number(numbers, (play, done + lines[emission]))
                settled[len(settled) :] = list(numbers)[len(settled) :]
            now = following[key]
            if kind == LOOK_UP:
                for other in set(self.looks[leads].values()):
                    go(~other, now)
            elif kind == LOOK and leads < 0:
                go(~leads, now)
            elif kind == RUN:
                _, row = runs[leads]
                for _, other in rows[row]:
                    go(other, now)
            elif kind != END and (leads, now) not in met:
                met.add((leads, now))
                waiting.append((leads, now))

        while waiting:
            state, before = waiting.pop()
            for target in set(self.rows[state]):
                if target >= 0:
                    if (target, before) not in met:
                        met.add((target, before))
                        waiting.append((target, before))
                else:
                    go(~target, before)
            if len(met) > MOST_ENDS:
                raise FeltError("these rounds come out in too many ways to be counted")
        sums = np.zeros((len(settled), len(lines)), np.int32)
        sums[:, 0] = np.arange(len(settled))  # nothing more is settled
        for (before, emission), now in following.items():
            sums[before, emission] = now
        return sums.reshape(-1), tuple(settled)

    @staticmethod
    def _number(numbers: dict[tuple[int, Results], int], settled: tuple[int, Results]) -> int:
        return numbers.setdefault(settled, len(numbers))

    def _lookup_table(self) -> tuple[NDArray[np.uint64], Ints]:
        """All choices that go by the cards seen, in one table."""
        entries = [
            (key_of(place, mark), ~target)
            for place, look in enumerate(self.looks)
            for mark, target in look.items()
        ]
        if len({key for key, _ in entries}) != len(entries):
            raise FeltError("two compositions share a mark; number the kinds of cards otherwise")
        size = 1 << max(1, (2 * len(entries)).bit_length())
        keys, values = np.zeros(size, np.uint64), np.full(size, -1, np.int32)
        for key, event in entries:
            at = key & (size - 1)
            while values[at] >= 0:
                at = (at + 1) & (size - 1)
            keys[at], values[at] = key, event
        return keys, values


def key_of(place: int, mark: int) -> int:
    """Where the choices of a state for these cards are kept."""
    return (mark + place * 0xD1B54A32D192ED03) & 0xFFFFFFFFFFFFFFFF


def _common_kinds(plays: Sequence[Play]) -> tuple[int, ...]:
    """The kind of every face: faces are of one kind where they are so for all seats."""
    if len({play.kinds for play in plays}) == 1:
        return plays[0].kinds
    numbers: dict[tuple[int, ...], int] = {}
    together = zip(*(play.kinds for play in plays), strict=True)
    return tuple(numbers.setdefault(kinds, len(numbers)) for kinds in together)
