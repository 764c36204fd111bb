"""A practice table: the trainee deals, simulated players play, and moves against the rules are refused."""

import datetime
from collections.abc import Iterator
from random import Random
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from feltworks.dealing.shoes import source_for
from feltworks.errors import FeltError, NotNow
from feltworks.house.configuration import TableCheck
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import Round
from feltworks.rules.steps import Burn, Decide, Say, Tuck
from feltworks.rules.wager import Line
from feltworks.table.events import ChoiceMade, Ending, Event, LineSettled, RoundClosed, RoundOpened
from feltworks.table.limits import PostedLimits, WagerLimit
from feltworks.table.live import Dealer
from feltworks.table.log import Log
from feltworks.table.replay import RoundSoFar
from feltworks.table.rollouts import SimulatedPlayer
from feltworks.table.seating import House
from feltworks.table.table import Table
from feltworks.table.wording import hands_of, single_seat
from feltworks.web.tables.messages import DealerView, DealEvent, LineView, SeatView, TableEvent, TableView
from feltworks.web.tables.order import NewTable, check_order, game_of, limits_of
from feltworks.web.tables.table_view import Gestures, card_codes, dealer_view, event_view, line_view, seat_cards
from feltworks.web.training import lessons
from feltworks.web.training.lessons import (
    VERBS,
    Awaited,
    Citations,
    NextStep,
    Progress,
    difference,
    lesson_of,
    part_of,
    step_words,
)


class Felt(RoundSoFar):
    """A round that is dealt step by step; it does not hold the cards still to be dealt."""

    def __init__(self, game: Game, opened: RoundOpened) -> None:
        super().__init__(game, opened)
        self.number: Final = opened.round
        stacks = {player.player: player.stack for player in opened.players}
        self.stacks = [stacks[seat.player] for seat in opened.seats]  # after all payments so far
        self.says: str | None = None
        self.gestures: Final = Gestures()
        self.settled: list[LineSettled] = []
        self.is_over = False

    def add(self, event: Event) -> None:
        """Apply an event that the trainee has completed."""
        super().add(event)
        self.gestures.add(event)
        match event:
            case ChoiceMade():
                self.stacks[event.seat] -= event.cents
            case Say():
                self.says = event.words
            case LineSettled():
                self.settled.append(event)
                self.stacks[event.seat] += event.paid + event.returned
            case RoundClosed():
                self.is_over = True


class Script(Log):
    """A log in memory: the events that the trainee still has to deal."""

    def __init__(self) -> None:
        super().__init__()
        self.events: Final[list[Event]] = []

    def begin_round(self, opened: RoundOpened) -> None:
        self.events.append(opened)

    def write(self, event: Event) -> None:
        self.events.append(event)

    def end_round(self, ending: Ending) -> None:
        self.events.append(ending)

    def open_steps(self) -> Iterator[int]:
        """The indices of the events that may come next: the first, and those that may be dealt before it."""
        for index, event in enumerate(self.events):
            if index and not _may_swap(self.events[0], event):
                return
            yield index


def _may_swap(first: Event, other: Event) -> bool:
    """Whether two events may be dealt in either order: takes or pays of one hand, gestures at one seat."""
    if isinstance(first, LineSettled) and isinstance(other, LineSettled):
        return first.seat == other.seat and _direction(first) == _direction(other)
    if isinstance(first, Tuck | Burn) and isinstance(other, Tuck | Burn):
        return _place(first) == _place(other)
    return False


def _direction(event: LineSettled) -> int:
    return (event.paid > 0) - (event.taken > 0 and not event.paid)


def _place(event: Tuck | Burn) -> int:
    return event.seat if isinstance(event, Tuck) else event.at


# What the trainee sees.


def practice_view(practice: "Practice") -> TableView:
    """The table as dealt so far; hands that only their players may see are backs until they are shown."""
    felt, table = practice.felt, practice.table
    visible = practice.game.view(felt.round, None)
    return TableView(
        game=practice.game.terms.rulebook.name,
        name="Practice",
        round=felt.number,
        running=not felt.is_over,
        you=None,
        stack=None,
        spots_of_you=[],
        seats=[_seat(practice, visible, spot) for spot in range(1, table.seating.spots + 1)],
        dealer=_dealer(practice, visible),
        board=card_codes(visible.board),
        decisions=[],
        to_act=[],
        countdown=None,
        lines=[_line(practice, event) for event in felt.settled],
        says=felt.says,
        meters=dict(felt.round.meters),
        commitment=None,
        reveal=None,
        seeded=False,
        limits=practice.limits,
        session=None,
        as_approved=True,
    )


def _seat(practice: "Practice", visible: Round, spot: int) -> SeatView:
    owner = practice.table.seating.at.get(spot)
    number = next((n for n, seat in enumerate(practice.table.seats) if seat.spot == spot), None)
    if owner is None or number is None:
        return SeatView(spot=spot, player=None)
    felt = practice.felt
    net = sum(event.paid - event.taken for event in felt.settled if event.seat == number)
    cards = seat_cards(practice.game, visible, number, felt.gestures, net if felt.is_over else None)
    if not _shows_totals(practice):
        hands = cards.hands and [replace(hand, total=None) for hand in cards.hands]
        cards = replace(cards, total=None, hands=hands)
    return SeatView(
        spot=spot,
        player=owner.name,
        stack=felt.stacks[number],
        away=False,
        in_round=True,
        ready=False,
        **asdict(cards),
    )


def _shows_totals(practice: "Practice") -> bool:
    """Whether to show totals; without prompts the trainee has to add up until the round is over."""
    return practice.is_guided or practice.felt.is_over


def _dealer(practice: "Practice", visible: Round) -> DealerView:
    view = dealer_view(practice.game, visible, practice.felt.gestures)
    return view if _shows_totals(practice) else replace(view, total=None)


def _line(practice: "Practice", event: LineSettled) -> LineView:
    return line_view(practice.game.terms, practice.line_of(event), event.seat + 1)


def practice_events(practice: "Practice") -> list[TableEvent]:
    """The events of the last move, for the animation."""
    views = (_event(practice, event) for event in practice.fresh)
    return [view for view in views if view is not None]


def _event(practice: "Practice", event: Event) -> TableEvent | None:
    view = event_view(event)
    if not isinstance(view, DealEvent) or view.to < 0:
        return view
    is_visible = practice.game.sees(practice.felt.round, None, view.to)
    return view if is_visible else DealEvent(to=view.to, faces=[None] * len(view.faces))


def parts_of(game: Game, felt: Felt) -> dict[str, list[str]]:
    """The names of split hands, by spot, and by spot and wager if each hand's wager is settled by itself."""
    parts = {}
    for number in range(len(felt.round.seats)):
        hands = hands_of(game, felt.round, number)
        if len(hands) > 1:
            names = [f"hand {index + 1}" for index in range(len(hands))]
            parts[str(number + 1)] = names
            one = single_seat(felt.round, number)
            for wager in one.seats[0].wagers:
                if len(game.part_cards(one, 0, wager)) > 1:
                    parts[f"{number + 1} {wager}"] = names
    return parts


STACK: Final[Cents] = 5_000_00
TRAY: Final[Cents] = 20_000_00
_BONUS_CHANCE: Final = 0.6
_RANDOM_CHANCE: Final = 0.15  # so that trainees see every kind of choice
_SPOTS: Final = 5
_SHOWN_AFTER: Final = 2  # mistakes at one step before the right move is shown
_MOST_MISTAKES: Final = 50
CHIP: Final = 1_00
JACKPOT: Final[Cents] = 5_000_00


class NoChair(FeltError):
    """The session has no practice table."""

    def __init__(self) -> None:
        super().__init__("there is no practice table in this session; start one")


class Mistake(Struct, frozen=True):
    """A refused move: what was wrong, and the clause that it broke."""

    round: int
    says: str
    clause: str
    because: str = ""
    expected: str = ""  # the right step, shown after the second mistake


class Score(Struct):
    """The trainee's score."""

    steps: int = 0
    right_at_once: int = 0
    payouts: int = 0
    payouts_right_at_once: int = 0
    rounds: int = 0
    hints: int = 0
    overpaid: Cents = 0  # in refused payouts
    mistakes: list[Mistake] = []


def practice_game(name: str) -> Game:
    """The game of a practice table."""
    return game_of(_practice_check(name))


def _practice_check(game: str, players: int = 0) -> TableCheck:
    """Check a table of five spots if the game allows so few, since few spots leave room for readable print."""
    today = datetime.date.today()
    usual = check_order(NewTable(game, seats=None, practice=True), today)
    try:
        return check_order(NewTable(game, seats=min(max(_SPOTS, players), usual.seats), practice=True), today)
    except FeltError:
        return usual


class Practice:
    """One trainee's table; a refused move changes nothing but the score."""

    def __init__(self, game: str, seats: int, lesson: str = "round", *, seed: int | None = None) -> None:
        check = _practice_check(game, seats)
        self.game: Final[Game] = game_of(check)
        self.limits: Final = limits_of(check)
        self.lesson: Final = lesson_of(lesson)
        self._citations: Final = Citations(self.game)
        self.score: Final = Score()
        self.number = 0  # of the state; each move names the state that it was made in
        self.wrong: Mistake | None = None  # the last move, if it was refused
        self.hint = ""
        self.fresh: list[Event] = []  # the events of the last move
        self.tray: Cents = TRAY
        self._mind: Final = Random(seed)
        self._misses = 0  # wrong moves at the present step
        self._parts: list[str] = []  # the parts of the procedure dealt so far
        self._steps = self._faults = 0  # in this round
        self.script: Final = Script()
        self.table: Final = self._set_up(seed)
        self.players: Final = self._seat_players(min(seats, self.table.seating.spots))
        self.felt = self._begin()
        self._assist()

    @property
    def is_guided(self) -> bool:
        """Whether the next step is prompted."""
        return self.lesson.is_prompted

    def _set_up(self, seed: int | None) -> Table:
        terms = self.game.terms
        posted = {name: WagerLimit(least, most) for name, (least, most) in self.limits.items()}
        return Table(
            self.game,
            Dealer(source_for(terms, seed=seed)),
            limits=PostedLimits(terms, posted, chip=CHIP),
            house=House.for_game(self.game, JACKPOT),
            log=self.script,
        )

    def _seat_players(self, seats: int) -> dict[str, SimulatedPlayer]:
        """Seat a simulated player on each of the first spots."""
        for spot in range(1, seats + 1):
            self.table.sit(f"Player {spot}", spot, stack=STACK)
        return {
            name: SimulatedPlayer(name, self._mind, _BONUS_CHANCE, _RANDOM_CHANCE)
            for name in self.table.seating.players
        }

    def deal(self) -> None:
        """Fill up all stacks, place the players' wagers and deal a round."""
        self.script.events.clear()
        for name, player in self.players.items():
            stack = self.table.seating.players[name].stack
            if stack < STACK:
                self.table.buy_in(name, STACK - stack)
            player.wager(self.table)
        self.table.deal()

    def _begin(self) -> Felt:
        """Start a round; the trainee's first step is to close the wagering."""
        self._parts, self._steps, self._faults = [], 0, 0
        self.deal()
        opened = self.script.events.pop(0)
        assert isinstance(opened, RoundOpened)
        return Felt(self.game, opened)

    @property
    def next_steps(self) -> list[NextStep]:
        """The steps that may come next; none if the round is over."""
        if self.script.events:
            return [self._step(self.script.events[index]) for index in self.script.open_steps()]
        return list(map(self._step, self.table.decisions))

    def _step(self, awaited: Event | Decide) -> NextStep:
        assert isinstance(awaited, Awaited)
        words = step_words(self.game, awaited)
        if isinstance(awaited, LineSettled):
            line = self.line_of(awaited)
            return NextStep(awaited, words, awaited.clause, line.reason, line)
        return NextStep(awaited, words, self._citations.clause(awaited, words, self._part_of(awaited)))

    @property
    def part(self) -> str:
        """The part of the procedure that the next step belongs to."""
        return self._part_of(self.next_steps[0].awaited)

    def _part_of(self, awaited: Awaited) -> str:
        return part_of(self.game, self.felt.round, awaited, (*self.script.events, *self.table.decisions))

    @property
    def progress(self) -> Progress:
        """The progress of this round through the procedure."""
        now = "" if self.felt.is_over else self.part
        return Progress(list(dict.fromkeys(self._parts)), now, self._seats_done(now), self._steps, self._faults)

    def _seats_done(self, part: str) -> list[int]:
        """The seats that have finished their decisions, or whose wagers are all settled."""
        settled = {event.seat for event in self.script.events if isinstance(event, LineSettled)}
        deciding = {step.seat for step in self.table.decisions}
        asked = {number for number, seat in enumerate(self.felt.round.seats) if seat.choices}
        everyone = set(range(len(self.felt.round.seats)))
        done = everyone - settled if part == "settlement" else asked - deciding if part == "decisions" else set()
        return sorted(number + 1 for number in done)

    def line_of(self, event: LineSettled) -> Line:
        """The settled line behind an event."""
        key = (event.seat, event.wager, event.part, event.toke)
        return next(line for line in self.table.lines if (line.seat, line.wager, line.part, line.toke) == key)

    def do(self, number: int, move: lessons.AnyMove) -> None:
        """Carry out a move, or refuse it with the clause it breaks."""
        self._check(number, move)
        self.number += 1
        self.wrong, self.hint, self.fresh = None, "", []
        if self.felt.is_over:
            self.felt = self._begin()
            self._assist()
        elif isinstance(move, lessons.Hint):
            self.score.hints += 1
            self._misses += 1
            self._faults += 1
            self.hint = self.next_steps[0].words
        elif isinstance(move, lessons.Next):
            self._complete(0)
        else:
            self._judge(move)

    def _check(self, number: int, move: lessons.AnyMove) -> None:
        """Refuse a move for another state of the table."""
        if number != self.number:
            raise NotNow("the table has gone on since; look at its present state")
        goes_on = isinstance(move, lessons.Next)
        if self.felt.is_over and not goes_on:
            raise NotNow("the round is over; begin the next one")
        if goes_on and not (self.felt.is_over or self.is_guided):
            raise NotNow("without prompts every step is yours; choose one, or ask for a hint")

    def _judge(self, move: lessons.DealerMove) -> None:
        right = self.next_steps
        differences = [difference(self.game, step, move) for step in right]
        if "" in differences:
            self._complete(differences.index(""))
            return
        nearest = next((index for index, step in enumerate(right) if _target(step, move)), 0)
        step, settlement = right[nearest], _target(right[nearest], move)
        self._misses += 1
        self._faults += 1
        shown = step.words if self._misses >= _SHOWN_AFTER else ""
        says = differences[nearest][:1].upper() + differences[nearest][1:]
        self.wrong = Mistake(self.felt.number, says, step.clause, step.because if settlement else "", shown)
        if settlement and isinstance(move, lessons.Pay):
            self.score.overpaid += max(0, move.cents - settlement.paid)
        self.score.mistakes.append(self.wrong)
        del self.score.mistakes[:-_MOST_MISTAKES]

    def _complete(self, index: int) -> None:
        """Complete a step of the trainee and the automatic steps after it."""
        settles = bool(self.script.events) and isinstance(self.script.events[index], LineSettled)
        self._count(settles=settles)
        self._carry_out(index)
        self._assist()

    def _assist(self) -> None:
        """Carry out the next steps that are not part of this lesson."""
        while not self.felt.is_over and VERBS[type(self.next_steps[0].awaited)] not in self.lesson.verbs:
            self._carry_out(0)

    def _carry_out(self, index: int) -> None:
        """Carry out a step and the events after it that need no dealer."""
        self._parts.append(self.part)
        if self.script.events:
            self._take_in(self.script.events.pop(index))
        else:
            self._ask(index)
        for event in self._automatic_events():
            self._take_in(event)

    def _ask(self, index: int) -> None:
        """Let the simulated player decide, which adds the next steps."""
        step = self.table.decisions[index]
        self.players[self.table.seats[step.seat].player].choose(self.table, step)

    def _automatic_events(self) -> Iterator[Event]:
        """Remove and yield the next events that need no dealer: choices and the end of the round."""
        while self.script.events and isinstance(self.script.events[0], ChoiceMade | RoundClosed):
            yield self.script.events.pop(0)

    def _take_in(self, event: Event) -> None:
        self.felt.add(event)
        self.fresh.append(event)
        if isinstance(event, LineSettled):
            self.tray += (0 if event.box else event.taken) - (0 if event.meter else event.paid)
        if isinstance(event, RoundClosed):
            self.score.rounds += 1

    def _count(self, *, settles: bool) -> None:
        at_once = self._misses == 0 and not self.is_guided
        self.score.steps += 1
        self._steps += 1
        self.score.right_at_once += at_once
        self.score.payouts += settles
        self.score.payouts_right_at_once += settles and at_once
        self._misses = 0


def _target(step: NextStep, move: lessons.DealerMove) -> LineSettled | None:
    """The settlement that a wrong move was probably meant for: the one of the same seat and wager."""
    awaited = step.awaited
    if not isinstance(awaited, LineSettled) or not isinstance(move, lessons.SettlingMove):
        return None
    return awaited if (awaited.seat + 1, awaited.wager) == (move.seat, move.wager) else None
