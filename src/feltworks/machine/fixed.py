"""Makes tables for short rounds from a full shoe, which a loop without branches can play.

A mispredicted branch costs more time than dealing a card. So all cards that a round may need are dealt at once,
and a round that is over stays in a final state that settles nothing.
"""

from collections.abc import Iterator
from math import perm
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.machine.program import END, KIND_MASK, LEADS_FROM, LOOK_UP, NEXT, RANK, RUN, Ints, Program, key_of
from feltworks.machine.streams import BATCH

SUM_FROM, STATE_MASK = 14, (1 << 14) - 1  # a word holds the next state and, above it, what is added
_MOST_WORDS: Final = 1 << 17  # of a table that stays in the CPU cache
_MOST_DEALT: Final = 1 << 64  # orders of cards that one random word can select from
_WORD: Final = (1 << 64) - 1
_NO_RANK: Final = np.iinfo(np.int32).max  # pads rows of pieces to equal length
Size = tuple[int, ...]  # a number as the length of a tuple, which is a compile-time constant


class ShortRounds(NamedTuple):
    """Rounds of at most six cards as one transition table."""

    cards: Size
    shift: int  # a state's row begins at its number << shift
    words: Ints  # by state and kind of card: the next state, and what it adds to the result number


class Duels(NamedTuple):
    """A fixed number of own cards, one choice, a fixed number of house cards; each hand has its own states."""

    own: Size
    house: Size
    shift: int
    start: int
    house_start: int
    after: NDArray[np.int16] | Ints  # by state and kind: the next state, or ~event
    leads: Ints  # by event: where its row of pieces begins; for the house its rank; ~ a table of choices
    adds: NDArray[np.int64]  # by event: what it adds to the result number
    pieces: Ints  # by row: the first rank of each piece
    piece_adds: NDArray[np.int64]
    width: Size  # of a row
    marks: NDArray[np.uint64]  # by kind of card
    keys: NDArray[np.uint64]  # choices that depend on the cards seen, as in `Program`
    values: Ints


def fixed_rounds(program: Program, shoe: tuple[int, ...]) -> ShortRounds | Duels | None:
    """The tables of a seat's rounds if each is short and dealt from the full shoe; None otherwise.

    `shoe` has the number of cards of each kind.
    """
    if len(program.code.starts) > 1 or program.code.apart[0] >= 0:
        return None
    return _Unfolding(program, shoe).short_rounds() or _duels(program, sum(shoe))


class _LongRound(Exception):
    """Raised when a round takes too many cards, or has an event that only `play_rounds` handles."""


class _Unfolding:
    """Unrolls a program: states before a choice by the cards seen are split by these cards."""

    def __init__(self, program: Program, shoe: tuple[int, ...]) -> None:
        code = program.code
        self._code, self._shoe = code, shoe
        self._after = code.after.reshape(-1, 1 << code.shift)[:, : len(shoe)]
        self._marks = code.marks.tolist()
        chosen = code.values >= 0
        self._events = dict(zip(program.keys[chosen].tolist(), code.values[chosen].tolist(), strict=True))
        self._needs_cards = self._before_choices()

    def _before_choices(self) -> NDArray[np.bool_]:
        """By state: whether a choice that depends on the cards seen may follow."""
        kinds, leads = self._code.events & KIND_MASK, self._code.events >> LEADS_FROM
        needs = np.zeros(len(self._after), np.bool_)
        for _ in range(BATCH):
            by_event = np.where(kinds == NEXT, needs[np.where(kinds == NEXT, leads, 0)], kinds == LOOK_UP)
            after = self._after
            needs |= np.where(after >= 0, needs[np.maximum(after, 0)], by_event[np.maximum(~after, 0)]).any(axis=1)
        return needs

    def short_rounds(self) -> ShortRounds | None:
        try:
            rows, cards = self._follow()
        except _LongRound:
            return None
        words = np.full((len(rows) + 1, 1 << self._code.shift), len(rows), np.int64)
        for words_of_state, row in zip(words, rows, strict=False):
            for kind, (state, adds) in row:
                words_of_state[kind] = (len(rows) if state is None else state) | adds << SUM_FROM
        if words.size > _MOST_WORDS or len(rows) > STATE_MASK or int(words.max()) >= 1 << 31:
            return None
        return ShortRounds((0,) * cards, self._code.shift, words.astype(np.int32).reshape(-1))

    def _follow(self) -> tuple[list[list[tuple[int, tuple[int | None, int]]]], int]:
        """By state its transitions, to None where the round is over; and the most cards of a round."""
        numbers: dict[tuple[int, tuple[int, ...]], int] = {}
        waiting = [(int(self._code.starts[0]), (0,) * len(self._shoe))]
        rows: list[list[tuple[int, tuple[int | None, int]]]] = []
        cards = 0
        numbers[waiting[0]] = 0
        while waiting:
            cards += 1
            if cards > BATCH or len(numbers) << self._code.shift > _MOST_WORDS:
                raise _LongRound
            ahead = []
            for state, seen in waiting:
                row = []
                for kind, held in self._next_cards(seen):
                    child, adds = self._arrive(int(self._after[state, kind]), held)
                    key = None if child is None else (child, held if self._needs_cards[child] else ())
                    if key is not None and key not in numbers:
                        numbers[key] = len(numbers)
                        ahead.append(key)
                    row.append((kind, (None if key is None else numbers[key], adds)))
                rows.append(row)
            waiting = ahead
        return rows, cards

    def _next_cards(self, seen: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The kinds that can come, with the cards seen after each; () once they no longer matter."""
        for kind, there in enumerate(self._shoe):
            if not seen:
                yield kind, ()
            elif seen[kind] < there:
                yield kind, (*seen[:kind], seen[kind] + 1, *seen[kind + 1 :])

    def _arrive(self, target: int, seen: tuple[int, ...]) -> tuple[int | None, int]:
        """The state that a card leads to, None at the end of the round, and what is added on the way."""
        code, adds = self._code, 0
        while target < 0:
            word, adds = int(code.events[~target]), adds + int(code.emits[~target])
            what, leads = word & KIND_MASK, word >> LEADS_FROM
            if what == END:
                return None, adds
            if what == NEXT:
                target = leads
            elif what == LOOK_UP:
                mark = sum(mark * count for mark, count in zip(self._marks, seen, strict=False)) & _WORD
                target = ~self._events[key_of(leads, mark)]
            else:
                raise _LongRound
        return target, adds


def _duels(program: Program, total: int) -> Duels | None:
    """The tables of a hand against the house's, if every round takes the same number of cards; else None."""
    code = program.code
    kinds, leads = code.events & KIND_MASK, code.events >> LEADS_FROM
    mine, own = program.first_events(code.starts)
    theirs, house = program.first_events(np.unique(code.run_starts))
    chosen = np.concatenate([mine, code.values[code.values >= 0]])
    is_duel = (
        perm(total, own + house) < _MOST_DEALT
        and len(np.unique(code.run_starts)) == 1
        and np.isin(kinds[mine], (END, RUN, LOOK_UP)).all()
        and np.isin(kinds[chosen[len(mine) :]], (END, RUN)).all()
        and (kinds[chosen] == RUN).any()
        and len(theirs)
        and (kinds[theirs] == RANK).all()
        and (kinds[code.piece_events[code.pieces < _NO_RANK]] == END).all()
    )
    if not is_duel:
        return None
    rows = np.where(kinds == RUN, code.run_rows[np.where(kinds == RUN, leads, 0)] * code.widest, len(code.pieces))
    over = np.full(code.widest, _NO_RANK, np.int32)  # the row for rounds that end before the house's cards
    return Duels(
        own=(0,) * own,
        house=(0,) * house,
        shift=code.shift,
        start=int(code.starts[0]),
        house_start=int(code.run_starts[0]),
        after=code.after,
        leads=np.where(kinds == RANK, leads, np.where(kinds == LOOK_UP, ~leads, rows)).astype(np.int32),
        adds=code.emits,
        pieces=np.concatenate([code.pieces, over]),
        piece_adds=np.concatenate([code.emits[code.piece_events], np.zeros(code.widest, np.int64)]),
        width=(0,) * code.widest,
        marks=code.marks,
        keys=program.keys,
        values=code.values,
    )
