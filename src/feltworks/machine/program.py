"""Translates plays into arrays of numbers for `sample.play_rounds`.

A card leads from a state to the next state, or to an event that settles lines, looks up a choice or ends the
round. The results of a seat are one number: each line adds its digits, and a ledger decodes the sum after
the round.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import gcd
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.cards import Card
from feltworks.errors import FeltError
from feltworks.machine.node import PART, Result, Results
from feltworks.machine.play import Play
from feltworks.money import Cents

_LARGEST: Final = 1 << 62


class Ledger:
    """Encodes the results of a round as a number with mixed-radix digits for every wager.

    A wager has one digit for its result line and, if it lies on the hands of a split, digits for the number
    of these hands, the money on them and their total net.
    """

    def __init__(self, emitted: Sequence[Result], most_parts: int) -> None:
        self.wagers = list(dict.fromkeys(result.wager for result in emitted))
        self._lines = {name: _different(emitted, name) for name in self.wagers}
        self._parts = {
            name: _Parts([r for r in emitted if r.wager == name and r.part == PART], most_parts) for name in self.wagers
        }
        self._steps: dict[str, int] = {}
        step = 1
        for name in self.wagers:
            self._steps[name] = step
            step *= (len(self._lines[name]) + 1) * self._parts[name].size
        if step > _LARGEST:
            raise FeltError("these rounds come out in too many ways to be counted")
        self.size = step

    def number(self, results: Results) -> int:
        """What these results add to the number of the round."""
        total = 0
        for result in results:
            lines, parts = self._lines[result.wager], self._parts[result.wager]
            if result.part == PART:
                total += self._steps[result.wager] * (len(lines) + 1) * parts.number(result)
            else:
                total += self._steps[result.wager] * (lines.index(_key(result)) + 1)
        return total

    def lines(self, number: int) -> Iterator["WagerResult"]:
        """Decodes the result of each wager; the hands of a split are summed into one line."""
        for name in self.wagers:
            lines, parts = self._lines[name], self._parts[name]
            number, line = divmod(number, len(lines) + 1)
            number, divided = divmod(number, parts.size)
            if line:
                _, outcome, wagered, net = lines[line - 1]
                yield WagerResult(name, outcome, wagered, net)
            if divided:
                yield parts.line(name, divided)

    def cells(self, name: str) -> Iterator["WagerResult"]:
        """Every possible result of a wager."""
        for _, outcome, wagered, net in self._lines.get(name, []):
            yield WagerResult(name, outcome, wagered, net)
        if name in self._parts:
            yield from self._parts[name].cells(name)


class WagerResult(Struct, frozen=True, gc=False):
    """The result of one wager; `parts` is the number of hands that it lay on."""

    wager: str
    outcome: str
    wagered: Cents
    net: Cents
    parts: int = 1


def _key(result: Result) -> tuple[str, str, Cents, Cents]:
    return result.part, result.outcome, result.wagered, result.net


def _different(emitted: Sequence[Result], name: str) -> list[tuple[str, str, Cents, Cents]]:
    lines = [_key(result) for result in emitted if result.wager == name and result.part != PART]
    return list(dict.fromkeys(lines))


class _Parts:
    """Digits for the hands of a split; each hand adds to their number, the money wagered and the net."""

    def __init__(self, parts: Sequence[Result], most: int) -> None:
        self._most = most
        self._unit = gcd(*(r.wagered for r in parts)) or 1
        self._least = min((r.net for r in parts), default=0)
        self._step = gcd(*(r.net - self._least for r in parts)) or 1
        self._most_wagered = max((r.wagered for r in parts), default=0) // self._unit
        self._most_net = max((r.net - self._least for r in parts), default=0) // self._step
        self._wagered_size = most * self._most_wagered + 1
        self._net_size = most * self._most_net + 1
        self.size = (most + 1) * self._wagered_size * self._net_size if parts else 1

    def number(self, part: Result) -> int:
        wagered, net = part.wagered // self._unit, (part.net - self._least) // self._step
        return 1 + (self._most + 1) * (wagered + self._wagered_size * net)

    def line(self, name: str, number: int) -> WagerResult:
        rest, parts = divmod(number, self._most + 1)
        net, wagered = divmod(rest, self._wagered_size)
        money = wagered * self._unit, net * self._step + parts * self._least
        return WagerResult(name, f"split into {parts} hands", *money, parts)

    def cells(self, name: str) -> Iterator[WagerResult]:
        """Every possible total of two hands or more."""
        if self.size == 1:
            return
        for parts in range(2, self._most + 1):
            for wagered in range(parts, parts * self._most_wagered + 1):
                for net in range(parts * self._most_net + 1):
                    money = wagered * self._unit, net * self._step + parts * self._least
                    yield WagerResult(name, f"split into {parts} hands", *money, parts)


NEXT, END, LOOK_UP, LOOK, AGAIN, RUN, RANK, COUNT, FORK = range(9)  # kinds of events
KIND_MASK, EMITS_FROM, EMITS_MASK, LEADS_FROM = 15, 4, (1 << 20) - 1, 24  # bit fields of an event
HOUSE_FROM, TRACE_FROM, UNSEEN_MASK = 8, 16, 255  # bit fields of an end's `leads`
Ints = NDArray[np.int32]


class Code(NamedTuple):
    """The arrays that the loop reads; those of all kinds of seats are concatenated."""

    starts: Ints  # the first state of every kind of seat
    shift: int  # a state's row begins at its number << shift, which is faster than a product
    after: NDArray[np.int16] | Ints  # by state and kind: the next state, or ~event
    # By event, as bit fields: its kind, what it settles, and where it leads: a state, a table of choices,
    # a run of cards, a rank, a split; for an end, the numbers of cards never turned, and a trace.
    events: NDArray[np.int64]
    emits: NDArray[np.int64]  # by event: what it adds to the result number
    marks: NDArray[np.uint64]  # by kind of seat, then by kind of card
    run_starts: Ints  # by run event: its first state
    run_rows: Ints  # and its row of pieces, with the event after each end
    pieces: Ints  # by row: the first rank of each piece, in ascending order
    piece_events: Ints
    widest: int  # the length of a row of pieces
    values: Ints  # by slot of the hash table of choices by cards seen: the next event
    by_count: Ints  # by table of choices and true count: the next event
    forks: Ints  # by split: the event of its first hand, and the family of the other
    families: Ints  # by family, number of hands and trace: the event of the other hand
    traces: int
    apart: Ints  # by kind of seat: the family of wagers that are followed separately, or -1
    most_parts: int  # the most hands of a split


class Program(Struct, frozen=True):
    """The code of a game's seats, with the tables that decode its numbers."""

    code: Code
    kinds: tuple[int, ...]  # by face
    on_house: NDArray[np.bool_]  # by state: whether its card comes to the house
    keys: NDArray[np.uint64]  # keys of choices by cards seen: an open-addressed hash table
    ledgers: tuple[Ledger, ...]  # by kind of seat
    emissions: tuple[Results, ...]

    @property
    def reads_again(self) -> bool:
        """Whether a seat can read house cards again that were drawn before."""
        kinds = set((self.code.events & KIND_MASK).tolist())
        return FORK in kinds or LOOK in kinds or bool((self.code.apart >= 0).any())

    def first_events(self, states: Ints) -> tuple[Ints, int]:
        """The first events after some states, and the cards until then; no events if that number varies."""
        rows, cards = self.code.after.reshape(-1, 1 << self.code.shift)[:, : max(self.kinds) + 1], 0
        while len(states) and states.min() >= 0:
            states, cards = np.unique(rows[states]), cards + 1
        return ~states if len(states) and states.max() < 0 else states[:0], cards


def make_program(plays: Sequence[Play], tags: Mapping[Card, int] | None = None) -> Program:
    """Make the program for some seats of the same game; a play that is given twice is translated once.

    Cards with different `tags` are of different kinds, for a player who counts them.
    """
    return _Maker(plays, tags or {}).program()


class _Maker:
    def __init__(self, plays: Sequence[Play], tags: Mapping[Card, int]) -> None:
        self.plays = plays
        self._same = [next(n for n, other in enumerate(plays) if other is play) for play in plays]
        self.kinds = _common_kinds(plays, tags)
        self.columns = [self.kinds.index(kind) for kind in range(max(self.kinds) + 1)]
        self.states: dict[tuple[int, int], int] = {}  # by play and number in its tables
        self.events: dict[tuple[int, int, int], int] = {}  # by kind, emission and target
        self.emitted: dict[tuple[int, Results], int] = {(0, ()): 0}
        self.looks: list[dict[int, int]] = []
        self._looks: dict[tuple[int, int], int] = {}
        self.by_count: dict[tuple[int, ...], int] = {}
        self.forks: dict[tuple[int, int], int] = {}
        self.families: list[dict[tuple[int, int], int]] = []
        self._families: dict[tuple[int, int], int] = {}
        self.rows: list[list[int]] = []
        self.house: list[bool] = []
        self._steps: dict[tuple[int, int, int], int] = {}  # by play, run and step
        self.run_events: dict[tuple[int, int], int] = {}  # by first state and row of pieces
        self.pieces: dict[tuple[tuple[int, int], ...], int] = {}  # by first rank and event of each piece

    def program(self) -> Program:
        starts = [self._start(number) for number in self._same]
        apart_of = {number: self._apart(number) for number in dict.fromkeys(self._same)}
        apart = [apart_of[number] for number in self._same]
        ledgers, emits = self._ledgers()
        keys, values = self._lookup_table()
        pieces, piece_events = self._piece_arrays()
        runs = np.array(list(self.run_events) or [(0, 0)], np.int32)
        events = [(leads << LEADS_FROM) | (e << EMITS_FROM) | kind for kind, e, leads in self.events]
        families, traces = self._family_array()
        code = Code(
            starts=np.array(starts, np.int32),
            shift=self._shift,
            after=self._table(),
            events=np.array(events or [0], np.int64),
            emits=emits,
            marks=self._marks(),
            run_starts=np.ascontiguousarray(runs[:, 0]),
            run_rows=np.ascontiguousarray(runs[:, 1]),
            pieces=pieces.reshape(-1),
            piece_events=piece_events.reshape(-1),
            widest=pieces.shape[1],
            values=values,
            by_count=np.array(list(self.by_count) or [(0,)], np.int32).reshape(-1),
            forks=np.array(list(self.forks) or [(0, 0)], np.int32).reshape(-1),
            families=families,
            traces=traces,
            apart=np.array(apart, np.int32),
            most_parts=self._most_parts,
        )
        emissions = tuple(results for _, results in self.emitted)
        return Program(code, self.kinds, np.array(self.house), keys, ledgers, emissions)

    def _ledgers(self) -> tuple[tuple[Ledger, ...], NDArray[np.int64]]:
        """The ledger of each kind of seat, and what each event adds to its result number."""
        emitted: list[list[Result]] = [[] for _ in self.plays]
        for play, results in self.emitted:
            emitted[play] += results
        ledgers = tuple(Ledger(emitted[number], self._most_parts) for number in self._same)
        emits = [ledgers[play].number(results) for play, results in self.emitted]
        return ledgers, np.array([emits[emission] for _, emission, _ in self.events] or [0], np.int64)

    @property
    def _shift(self) -> int:
        return (len(self.columns) - 1).bit_length()

    def _table(self) -> NDArray[np.int16] | Ints:
        """The transition table in the narrowest type that fits: small tables stay in the CPU cache."""
        narrow = max(len(self.rows), len(self.events)) < 1 << 15
        table = np.zeros((len(self.rows), 1 << self._shift), np.int16 if narrow else np.int32)
        table[:, : len(self.columns)] = self.rows
        return table.reshape(-1)

    def _marks(self) -> NDArray[np.uint64]:
        """The marks for each kind of seat, whose tables may have fewer kinds of cards than the program."""
        marks = np.zeros((len(self.plays), 1 << self._shift), np.uint64)
        for play, row in zip(self.plays, marks, strict=True):
            row[: len(self.columns)] = [play.marks[play.kinds[face]] for face in self.columns]
        return marks.reshape(-1)

    def _start(self, play: int) -> int:
        target = self._arrive(play, self.plays[play].tables.start, ())
        if target < 0:
            raise FeltError("a round begins with a card")
        return target

    def _state(self, play: int, number: int) -> int:
        known = self.states.get((play, number))
        if known is None:
            known = self.states[play, number] = len(self.rows)
            tables = self.plays[play].tables
            state = tables.states[number]
            self.rows.append([])
            self.house.append(not state.on_seat)
            targets: dict[tuple[int, bool, int | None], int] = {}
            for column in self.columns:
                child, face = state.after[column], tables.faces[column]
                is_hidden = state.wanted is not None and face not in state.wanted
                fixed = self.plays[play].branch(number, column)
                key = child, is_hidden, fixed
                if key not in targets:
                    target = self._arrive(play, child, (), fixed)
                    targets[key] = self._event(play, LOOK, (), target) if is_hidden else target
                self.rows[known].append(targets[key])
        return known

    def _arrive(self, play: int, number: int, results: Results, fixed: int | None = None) -> int:
        """Translate a state of the tables into a state of the program, or ~event if arriving there is an event.

        `fixed`: the choice made there, if the transition to the state determines it.
        """
        tables = self.plays[play].tables
        while True:
            state = tables.states[number]
            results += state.results
            if state.is_end:
                mine, house = state.unseen
                leads = mine | house << HOUSE_FROM | state.trace << TRACE_FROM
                return self._event(play, END, results, leads)
            if state.first >= 0:
                return self._event(play, FORK, results, self._fork(play, state.first, state.later))
            if not state.choices:
                break
            if not state.picks and number not in self.plays[play].choices:
                return self._event(play, END, results, 0)  # this play never reaches the state
            if fixed is None:
                fixed = self.plays[play].fixed_choice(number)
            if fixed is None:
                return self._choice(play, number, results)
            number, fixed = state.choices[fixed][1], None
        if state.run >= 0:
            return self._event(play, RUN, results, self._run(play, state.run, state.row))
        place = self._state(play, number)
        if state.again:
            return self._event(play, AGAIN, results, place)
        return self._event(play, NEXT, results, place) if results else place

    def _choice(self, play: int, number: int, results: Results) -> int:
        """The event for a choice that depends on the true count or on the cards seen."""
        state = self.plays[play].tables.states[number]
        if not state.picks:
            return self._event(play, LOOK_UP, results, self._look(play, number))
        targets = tuple(~self._arrive_by_event(play, state.choices[pick][1]) for pick in state.picks)
        return self._event(play, COUNT, results, self.by_count.setdefault(targets, len(self.by_count)))

    def _arrive_by_event(self, play: int, number: int) -> int:
        target = self._arrive(play, number, ())
        return target if target < 0 else self._event(play, NEXT, (), target)

    def _fork(self, play: int, first: int, family: int) -> int:
        """The index of a split: the event of its first hand and the family of the other."""
        if (play, family) not in self._families:
            place = self._families[play, family] = len(self.families)
            self.families.append({})
            states = self.plays[play].tables.families[family]
            self.families[place] = {key: ~self._arrive_by_event(play, s) for key, s in states.items()}
        key = ~self._arrive_by_event(play, first), self._families[play, family]
        return self.forks.setdefault(key, len(self.forks))

    @property
    def _most_parts(self) -> int:
        return max((parts for family in self.families for parts, _ in family), default=1)

    def _apart(self, play: int) -> int:
        """The family of wagers that are followed separately, for any number of hands; -1 if there are none."""
        states = self.plays[play].tables.apart
        if not states:
            return -1
        events = {trace: ~self._arrive_by_event(play, state) for trace, state in states.items()}
        self.families.append({(n, t): e for n in range(1, self._most_parts + 1) for t, e in events.items()})
        return len(self.families) - 1

    def _family_array(self) -> tuple[Ints, int]:
        traces = 1 + max((trace for family in self.families for _, trace in family), default=0)
        array = np.zeros((max(1, len(self.families)), self._most_parts + 1, traces), np.int32)
        for place, family in enumerate(self.families):
            for (parts, trace), event in family.items():
                array[place, parts, trace] = event
        return array.reshape(-1), traces

    def _run(self, play: int, run: int, row: int) -> int:
        """The index of a run of cards to the house with the row that its end is looked up in."""
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
                ahead = self._step(play, run, target) if target >= 0 else self._event(play, RANK, (), ~target)
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

    def _event(self, play: int, kind: int, results: Results, leads: int) -> int:
        emission = self.emitted.setdefault((play if results else 0, results), len(self.emitted))
        return ~self.events.setdefault((kind, emission, leads), len(self.events))

    def _look(self, play: int, number: int) -> int:
        if (play, number) not in self._looks:
            place = self._looks[play, number] = len(self.looks)
            self.looks.append({})
            state = self.plays[play].tables.states[number]
            for mark, choice in self.plays[play].choices[number].items():
                self.looks[place][mark] = self._arrive_by_event(play, state.choices[choice][1])
        return self._looks[play, number]

    def _lookup_table(self) -> tuple[NDArray[np.uint64], Ints]:
        """The hash table of all choices that depend on the cards seen."""
        entries = [
            (key_of(place, mark), ~target) for place, look in enumerate(self.looks) for mark, target in look.items()
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
    """The hash key of a choice by table of choices and mark of the cards seen."""
    return (mark + place * 0xD1B54A32D192ED03) & 0xFFFFFFFFFFFFFFFF


def _common_kinds(plays: Sequence[Play], tags: Mapping[Card, int]) -> tuple[int, ...]:
    """The kind of every face: faces share a kind if they do so for all seats and have equal tags."""
    counted = tuple(tags.get(face, 0) for face in plays[0].tables.faces)
    if len({play.kinds for play in plays}) == 1 and not any(counted):
        return plays[0].kinds
    numbers: dict[tuple[int, ...], int] = {}
    kinds_and_tags = zip(*(play.kinds for play in plays), counted, strict=True)
    return tuple(numbers.setdefault(kinds, len(numbers)) for kinds in kinds_and_tags)
