"""Builds the graph of one seat's rounds: every reachable state, with the rules called once for each.

A node is a pair of states, the seat's and the house's. It waits for cards or for a choice, or is an end; arriving
there settles some lines. Seat and house change separately, so card transitions are cached for each side.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Final

import numpy as np
from msgspec.structs import replace

from feltworks.cards import Card
from feltworks.hands.hand import NotKept
from feltworks.machine.facts import Facts, alike
from feltworks.machine.felt import Amounts, CardsRead, HouseState, NewReading, Readings, SeatState
from feltworks.machine.node import (
    MOST_STATES,
    Decider,
    Example,
    Fan,
    Node,
    Results,
    Sides,
    Slot,
    TooManyStates,
    choices_of,
    names_of,
)
from feltworks.machine.ruling import OwnHands, Ruling, TableRead, divide
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, SEAT, Choice
from feltworks.rules.steps import Decide

MOST_MEETINGS: Final = 30_000_000  # pairs of a seat's state and one of the house's
LONG_ROUND: Final = 100  # in cards
MOST_ASKED: Final = 5_000_000  # of these pairs: those for which the rules are called one by one
FEW_ENDS: Final = 64  # up to this number the rules are called for each end


class Graph:
    """All states of a seat with these opening wagers, against the house."""

    def __init__(
        self,
        game: Game,
        wagers: Mapping[str, Cents],
        *,
        meters: Mapping[str, Cents] | None = None,
        faces: Sequence[Card] | None = None,
        decide: Decider | None = None,
        counts_cards: bool = False,
    ) -> None:
        """If `decide` answers all decisions, the hands of a split are followed one by one.

        With `counts_cards`, states that differ only in the number of cards are distinct.
        """
        self.game, self.meters, self._decider = game, dict(meters or {}), decide
        self._counts_cards = counts_cards
        self._limits: frozenset[int] = frozenset()  # totals of one split hand that others depend on
        self.faces = tuple(faces or game.terms.shoe)
        self.opened = tuple(wagers.items())
        book = game.terms.rulebook.wager
        self._judges = {name: judge for name, judge in game.wagers.items() if name in wagers or book[name].of in wagers}
        self._read_hands(with_cards=False)
        while True:
            try:
                self._build()
                return
            except (NewReading, TableRead):
                continue
            except CardsRead:
                if game.bonus_hand is None or game.bonus_hand in self.readings.owners.values():
                    raise
                self._read_hands(with_cards=True)
            except NotKept as missing:
                self._limits |= {missing.limit}

    def _read_hands(self, *, with_cards: bool) -> None:
        """List the hands that wagers name; `with_cards` adds the game's bonus hand for wagers that name none."""
        own = {name: judge.hand for name, judge in self._judges.items() if judge.hand is not None}
        if with_cards and self.game.bonus_hand is not None:
            bonus = [n for n, judge in self._judges.items() if type(judge) not in self.game.wager_types]
            own |= {name: self.game.bonus_hand for name in bonus if name not in own}
        # A function, called only when needed: tables whose rules never count the decks serve any number of them
        self.readings = Readings(own, self.faces, lambda: max(len(self.faces), self.game.terms.shoe.total))
        if self._counts_cards:
            self.readings.counted = dict.fromkeys(self.readings.counted, self.game.terms.shoe.total)
        self._own_hands = OwnHands(self.game, self.readings)

    def _build(self) -> None:
        self.sides = Sides(self.game, self.readings, self.faces)
        self.seats, self.houses, self._id = self.sides.seats, self.sides.houses, self.sides.number
        self.nodes: list[Node] = []
        self._pairs: dict[tuple[int, int], int] = {}
        self._fans: dict[tuple[int, Slot], Fan] = {}
        self._results: dict[tuple[Results, tuple[int, int], Hashable], int] = {}
        self._meetings = 0
        self._examples: dict[int, Example] = {}  # by node: example cards that lead to it
        self._ended: dict[Hashable, int] = {}
        self._own_hands.forget()
        self.ruling = Ruling(self.game, self.sides, self._own_hands, self.meters)
        empty = self.readings.empty_place
        board = empty(BOARD) if self.readings.over_board else None
        seat = SeatState(self.opened, (), empty(SEAT), board=board)
        house = HouseState(empty(DEALER), empty(BOARD))
        self._open: list[int] = []
        self._dealt: list[int] = []  # by node: the cards dealt on the first path to it
        self._come = 0
        self._beyond: dict[int, Slot] = {}  # closed nodes, which need more cards than the shoe holds
        begin = self._only(self.opened, seat, house, but=self._wagers_apart())
        self.start = self.node(*begin)
        self._examples[self.start] = (), ()
        # First with the trace of an empty hand, so that new readings of these wagers are found early
        self._follow_apart([self.nodes[self.start]], house)
        self._explore()
        self.apart = self._follow_apart([node for node in self.nodes if node.is_end], house)
        self._explore()

    def _explore(self) -> None:
        pairs = self._pairs
        while self._open or self._reopen():
            number = self._open.pop()
            if self._runs_out(number):
                continue
            for pair in self._children(number):
                child = pairs[pair] if pair in pairs else self.node(*pair)
                if self._decider is not None:
                    slot = self.nodes[number].slot
                    self._note_example(number, child, pair[0] if slot and slot.changes_seat else pair[1])

    def _runs_out(self, number: int) -> bool:
        """Close a node that waits for more cards than the shoe holds, as no round can reach it."""
        slot = self.nodes[number].slot
        self._come = self._dealt[number] + (slot.count if slot else 0)
        # A shoe has every face at least once: rounds of no more cards fit any shoe, so its size is not read
        if slot is None or self._come <= len(self.faces) or self._come <= self.game.terms.shoe.total:
            return False
        self._beyond[number] = slot
        self.nodes[number].slot = None
        return True

    def _reopen(self) -> bool:
        """Reopen closed nodes for which a shorter path was found since."""
        if not self._beyond:
            return False
        fewest = self._fewest_cards()
        self._dealt = [fewest.get(number, dealt) for number, dealt in enumerate(self._dealt)]
        total = self.game.terms.shoe.total
        for number in [n for n, slot in self._beyond.items() if self._dealt[n] + slot.count <= total]:
            self.nodes[number].slot = self._beyond.pop(number)
            self._open.append(number)
        return bool(self._open)

    def _fewest_cards(self) -> dict[int, int]:
        """By node, the fewest cards that lead to it (Dijkstra's algorithm)."""
        fewest, ahead = {self.start: 0}, [(0, self.start)]
        while ahead:
            dealt, number = heappop(ahead)
            node = self.nodes[number]
            come = dealt + (node.slot.count if node.slot else 0)
            for child in self._following(node):
                if come < fewest.get(child, come + 1):
                    fewest[child] = come
                    heappush(ahead, (come, child))
        return fewest

    def from_the_last_card(self) -> Sequence[int]:
        """The nodes by cards dealt, the most first, so that `Tables` recurses little; none if rounds are short."""
        if max(self._dealt) < LONG_ROUND:
            return ()
        return sorted(range(len(self.nodes)), key=self._dealt.__getitem__, reverse=True)

    def _following(self, node: Node) -> Iterator[int]:
        """The successors of a node."""
        yield from (child for _, child in node.choices)
        yield from node.after
        yield from () if node.row is None else set(node.row.tolist())
        yield from () if node.first < 0 else (node.first, *(child for _, child in node.later))
        if node.slot is not None and node.row is None and not node.after:
            side = node.seat if node.slot.changes_seat else node.house
            for end in self.sides.ends(side, node.slot):
                pair = (end, node.house) if node.slot.changes_seat else (node.seat, end)
                if pair in self._pairs:
                    yield self._pairs[pair]

    def _wagers_apart(self) -> Amounts:
        """Wagers on the house's hand alone, which are followed separately after the seat's other wagers.

        They depend on the seat's hand only through its trace. Followed together, every state of the seat would be
        paired with each state of a hand that it never reads.
        """
        if self._decider is None:
            return ()
        apart = [name for name, is_joint in self.readings.joint.items() if not is_joint]
        return tuple((name, cents) for name, cents in self.opened if name in apart and len(self.opened) > 1)

    def _follow_apart(self, nodes: Sequence[Node], house: HouseState) -> dict[Hashable, int]:
        """By trace of the seat's hand in these nodes: the first node of the wagers that are followed separately."""
        apart, begin = self._wagers_apart(), {}
        self._come = 0
        for trace, node in {self.trace(node): node for node in nodes if apart}.items():
            on = self.seats[node.seat]
            hands = tuple([hand.known_by(trace, self._limits) for hand in on.lying.hands])
            seat = SeatState(self.opened, (), replace(on.lying, hands=hands, own=self.readings.empty_place(SEAT).own))
            others = tuple(each for each in self.opened if each not in apart)
            begin[trace] = self.node(*self._only(apart, seat, house, but=others))
        return begin

    def _only(self, wagers: Amounts, on: SeatState, against: HouseState, *, but: Amounts) -> tuple[int, int]:
        """The two states with only some of the wagers; those in `but` are dropped."""
        on, against = self.ruling.forget(on, against, {name for name, _ in but})
        wagers = tuple(each for each in wagers if each not in but)
        return self._id(replace(on, wagers=wagers)), self._id(against)

    def node(self, seat: int, house: int) -> int:
        """The number of the node of two states; for a new one the rules are called."""
        known = self._pairs.get((seat, house))
        if known is not None:
            return known
        if len(self.nodes) >= MOST_STATES:
            raise TooManyStates(self.game.terms.rulebook.title)
        number = self._pairs[seat, house] = len(self.nodes)
        self.nodes.append(Node(seat, house))
        self._dealt.append(self._come)
        self.nodes[number] = self._ask(seat, house)
        if not self.nodes[number].is_end:
            self._open.append(number)
        return number

    def _children(self, number: int) -> Sequence[tuple[int, int]]:
        """The pairs of states after a node's cards; the successors of a decision are stored in the node instead."""
        node = self.nodes[number]
        if node.step is not None:
            open_ = tuple(choices_of(node.step))
            if self._decider is not None:
                open_, node.picks = self._pick(number, node.step, open_)
            choices = []
            for choice in open_:
                after = self._id(self.ruling.choose(self.seats[node.seat], node.step, choice))
                choices.append((choice, self.node(after, node.house)))
                self._note_example(number, choices[-1][1], None)
            node.choices = tuple(choices)
        elif node.slot is not None:
            side = node.seat if node.slot.changes_seat else node.house
            if self._decide_all(node, node.slot):
                return ()
            if not node.slot.changes_seat and node.slot.count > 1 and len(self.sides.ends(side, node.slot)) > FEW_ENDS:
                self._fan_out(node, node.slot)
                return ()
            ends = sorted(self.sides.ends(side, node.slot))
            if node.slot.changes_seat:
                return [(state, node.house) for state in ends]
            return [(node.seat, state) for state in ends]
        return ()

    def _note_example(self, number: int, child: int, end: int | None) -> None:
        """Store example cards for a node: those of its parent and those that lead a side to `end`."""
        example, slot = self._examples.get(number), self.nodes[number].slot
        if example is None or child in self._examples:
            return
        mine, house = example
        if end is None or slot is None:
            self._examples[child] = example
            return
        state = self.nodes[number].seat if slot.changes_seat else self.nodes[number].house
        cards = self.sides.cards_to(state, slot, end, (*mine, *house))
        if cards is not None:  # None: the shoe holds no such cards
            self._examples[child] = ((*mine, *cards), house) if slot.on_seat else (mine, (*house, *cards))

    def _pick(self, number: int, step: Decide, open_: tuple[Choice, ...]) -> tuple[tuple[Choice, ...], tuple[int, ...]]:
        """The choices that the decider makes at any count, and the place among them for each count."""
        assert self._decider is not None
        node = self.nodes[number]
        felt = self.ruling.lay(self.seats[node.seat], self.houses[node.house])
        by_name = dict(zip(names_of(open_), open_, strict=True))
        names = self._decider(felt, step, self._examples.get(number))
        different = list(dict.fromkeys(names))
        return tuple(by_name[name] for name in different), tuple(different.index(name) for name in names)

    def _ask(self, seat: int, house: int, facts: Facts | None = None) -> Node:
        """The node that the rules make of two states; the hands of a split are followed one by one."""
        hands = self.seats[seat].lying.hands
        if self._decider is not None and any(hand.fork(self._limits) is not None for hand in hands):
            return self._part(seat, house)
        return self.ruling.ask(seat, house, facts)

    def _part(self, seat: int, house: int) -> Node:
        """The node of a split whose hands are followed one by one."""
        on, against = self.seats[seat], self.houses[house]
        first, whole, later = divide(self.game, self.ruling.lay(on, against), on, self._limits)

        def follow(state: SeatState, dropped: set[str]) -> int:
            mine, house_state = self.ruling.forget(state, against, dropped)
            return self.node(self._id(mine), self._id(house_state))

        begin = follow(first, whole)
        return Node(seat, house, first=begin, later=tuple((key, follow(part, set())) for key, part in later.items()))

    def trace(self, node: Node) -> Hashable:
        """What the later hands of a split depend on of a hand that is finished."""
        traces = [hand.trace(self._limits) for hand in self.seats[node.seat].lying.hands]
        return next(filter(None, traces), None) if self._decider is not None else None

    def _decide_all(self, node: Node, slot: Slot) -> bool:
        """Store the ends of a node if the next card decides all open wagers by their own hands; whether it does."""
        on, own = self.seats[node.seat], self._own_hands
        is_plain = not slot.changes_seat and slot.count == 1 and slot.wanted is None and not slot.again
        if not is_plain or not own.decide(on.open_wagers):
            return False
        states = self.sides.row(node.house, slot)
        rows = own.rows(on, lambda: [self.houses[state] for state in states], (node.house, slot))
        if any(None in outcomes for outcomes in rows.different):
            return False
        ends, unseen = [], self.ruling.unseen(node)
        for outcomes in rows.different:
            key = outcomes, on.wagers, on.tokes, on.settled, unseen, slot.turned is None
            if key not in self._ended:
                lines = own.lines(on, dict(zip(rows.wagers, outcomes, strict=True)))
                results = tuple([self.ruling.result(line) for line in lines])
                self._ended[key] = self._end(Node(node.seat, states[0], results))
            ends.append(self._ended[key])
        node.after = tuple(map(ends.__getitem__, rows.row))
        return True

    def _fan_out(self, node: Node, slot: Slot) -> None:
        """Fill the row of a node: the rules are called for one house state, which answers for all with equal facts."""
        fan = self._fans.get((node.house, slot))
        if fan is None:
            fan = self._fans[node.house, slot] = Fan(self.sides, node.house, slot)
        self._meetings += len(fan.ends)
        if self._meetings > MOST_MEETINGS:
            raise TooManyStates(self.game.terms.rulebook.title)
        row, asked = np.full(len(fan.ends), -1, np.int32), 0
        while (row < 0).any():
            asked += 1
            if asked * len(self._open) > MOST_ASKED:  # every open node will meet as many of the house's hands
                raise TooManyStates(self.game.terms.rulebook.title, MOST_ASKED)
            place = int(np.argmax(row < 0))
            facts = Facts()
            after = self._ask(node.seat, fan.ends[place], facts)
            if after.is_end and not facts.is_whole:
                row[alike(fan.columns, facts.noted) & (row < 0)] = self._end(after)
            else:
                row[place] = self.node(node.seat, fan.ends[place])
        node.fan, node.row = fan, row

    def _end(self, node: Node) -> int:
        """The number of the node shared by all rounds that end with these results."""
        key = node.results, self.ruling.unseen(node), self.trace(node)
        if key not in self._results:
            self._results[key] = len(self.nodes)
            self.nodes.append(node)
            self._dealt.append(self._come)
        return self._results[key]
