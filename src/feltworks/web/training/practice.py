"""A practice table: the trainee deals, simulated players play, and moves against the rules are refused."""

import datetime
from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.dealing.shoes import source_for
from feltworks.errors import FeltError, NotNow
from feltworks.house.configuration import TableCheck
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.round import Choice, Round
from feltworks.rules.steps import Burn, Decide, Discard, Offer, Say, Tuck
from feltworks.rules.wager import Line
from feltworks.table.events import (
    CardPeeked,
    CardsDealt,
    CardsTurned,
    ChoiceMade,
    Event,
    LineSettled,
    RoundClosed,
    RoundOpened,
)
from feltworks.table.limits import PostedLimits, WagerLimit
from feltworks.table.live import Dealer
from feltworks.table.rollouts import best_choice
from feltworks.table.seating import House
from feltworks.table.table import Table
from feltworks.table.view import round_view
from feltworks.table.wording import single_seat
from feltworks.web.tables.order import NewTable, check_order, game_of, limits_of
from feltworks.web.training import lessons
from feltworks.web.training.felt import Felt, Script
from feltworks.web.training.lessons import VERBS, Progress, lesson_of
from feltworks.web.training.steps import (
    NextStep,
    announcement_clause,
    dealing_clause,
    decision_clause,
    difference,
    part_of,
    step_words,
)

STACK: Final[Cents] = 5_000_00
TRAY: Final[Cents] = 20_000_00
_CHIP: Final[Cents] = 5_00
_MOST_CHIPS: Final = 10
_BONUS_CHANCE: Final = 0.6
_RANDOM_CHANCE: Final = 0.15  # of a random choice, so that a trainee meets every kind
_SPOTS: Final = 5
_TRIES: Final = 8
_TRIES_AFTER: Final = 1


def name_of(spot: int) -> str:
    """The name of a simulated player."""
    return f"Player {spot}"


def seat_players(table: Table, seats: int) -> None:
    """Seat one player on each of the first spots."""
    for spot in range(1, seats + 1):
        table.sit(name_of(spot), spot, stack=STACK)


def place_wagers(table: Table, mind: Random) -> None:
    """Put down wagers for every player that the table accepts."""
    for name, player in table.seating.players.items():
        if player.stack < STACK:
            table.buy_in(name, STACK - player.stack)
        for wagers in (_wagers(table, mind), _wagers(table, mind, bonus_chance=0)):
            try:
                table.wager(name, player.spots[0], wagers)
                break
            except FeltError:  # the rules refuse one of the bonus wagers beside the others
                continue


def _wagers(table: Table, mind: Random, *, bonus_chance: float = _BONUS_CHANCE) -> Mapping[str, Cents]:
    book, ranges = table.game.terms.rulebook, table.limits.ranges
    wagers = {}
    for name, span in ranges.items():
        if book.wager[name].kind == "main" or mind.random() < bonus_chance:
            wanted = mind.randint(1, _MOST_CHIPS) * _CHIP
            wagers[name] = max(span.least, min(wanted, span.most if span.most is not None else wanted))
    return wagers


def _in_chips(offer: Offer) -> Offer:
    """The offer in whole chips: at least one where the player may choose the amount."""
    least = min(max(offer.least, _CHIP), offer.most) if offer.least < offer.most else offer.least
    return replace(offer, least=least)


def decide(game: Game, r: Round, step: Decide, mind: Random) -> Choice:
    """The choice of the player of a seat, from what that seat sees."""
    step = Decide(step.seat, tuple(map(_in_chips, step.offers)), step.about)
    if mind.random() < _RANDOM_CHANCE:
        return best_choice(game, r, step, mind, tries=0)
    known = single_seat(round_view(game, r, [step.seat]), step.seat)
    return best_choice(game, known, Decide(0, step.offers, step.about), mind, tries=_TRIES, tries_later=_TRIES_AFTER)


_SHOWN_AFTER: Final = 2  # wrong moves at one step before the right one is shown
_MOST_MISTAKES: Final = 50
CHIP: Final = 1_00


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
    """A table of five spots where the game may have so few: what is printed there is large enough to be read."""
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
        self.score: Final = Score()
        self.number = 0  # of the state; a move names the state it was made in
        self.wrong: Mistake | None = None  # the last move, if it was refused
        self.hint = ""
        self.fresh: list[Event] = []  # the events of the last move
        self.tray: Cents = TRAY
        self._mind: Final = Random(seed)
        self._misses = 0  # wrong moves at the present step
        self._parts: list[str] = []  # of the procedure, as far as it is dealt
        self._steps = self._faults = 0  # in this round
        self.script: Final = Script()
        self.table: Final = self._set_up(seed)
        seat_players(self.table, min(seats, self.table.seating.spots))
        self.felt = self._begin()
        self._assist()

    @property
    def is_guided(self) -> bool:
        """Whether the next step is prompted."""
        return self.lesson.is_prompted

    def _set_up(self, seed: int | None) -> Table:
        terms = self.game.terms
        posted = {name: WagerLimit(least, most) for name, (least, most) in self.limits.items()}
        pays = [pay for name in terms.offers for pay in self.game.pays[name].values()]
        return Table(
            self.game,
            Dealer(source_for(terms, seed=seed)),
            limits=PostedLimits(terms, posted, chip=CHIP),
            house=House(meters=dict.fromkeys(meters_of(pays), 5_000_00)),
            log=self.script,
        )

    def _begin(self) -> Felt:
        """Start a round: wagers are down, and the trainee closes the wagering."""
        self.script.events.clear()
        self._parts, self._steps, self._faults = [], 0, 0
        place_wagers(self.table, self._mind)
        self.table.deal()
        opened = self.script.events.pop(0)
        assert isinstance(opened, RoundOpened)
        return Felt(self.game, opened)

    @property
    def next_steps(self) -> list[NextStep]:
        """The steps that are right now; none once the round is over."""
        if self.script.events:
            return [self._step(self.script.events[index]) for index in self.script.open_steps()]
        return [
            NextStep(step, step_words(self.game, step), decision_clause(self.game, step))
            for step in self.table.decisions
        ]

    def _step(self, event: Event) -> NextStep:
        assert isinstance(event, CardsDealt | CardsTurned | CardPeeked | Say | Tuck | Burn | Discard | LineSettled)
        words = step_words(self.game, event)
        if isinstance(event, CardsDealt | CardsTurned | CardPeeked):
            return NextStep(event, words, dealing_clause(self.game, self.felt.round, event))
        if isinstance(event, LineSettled):
            line = self.line_of(event)
            return NextStep(event, words, event.clause, line.reason, line)
        clause = announcement_clause(self.game, event.clause) if isinstance(event, Say) else event.clause
        return NextStep(event, words, clause)

    @property
    def part(self) -> str:
        """The part of the procedure that comes now."""
        to_come = (*self.script.events, *self.table.decisions)
        return part_of(self.game, self.felt.round, self.next_steps[0].awaited, to_come)

    @property
    def progress(self) -> Progress:
        """How far this round has come through the procedure."""
        now = "" if self.felt.is_over else self.part
        return Progress(list(dict.fromkeys(self._parts)), now, self._seats_done(now), self._steps, self._faults)

    def _seats_done(self, part: str) -> list[int]:
        """The seats that are done with their decisions, or with all their wagers."""
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
        nearest = _nearest(right, move)
        self._misses += 1
        self._faults += 1
        shown = right[nearest].words if self._misses >= _SHOWN_AFTER else ""
        says = differences[nearest][:1].upper() + differences[nearest][1:]
        clause, because = right[nearest].clause, _reason(right[nearest], move)
        self.wrong = Mistake(self.felt.number, says, clause, because, shown)
        self.score.overpaid += _excess(right[nearest], move)
        self.score.mistakes.append(self.wrong)
        del self.score.mistakes[:-_MOST_MISTAKES]

    def _complete(self, index: int) -> None:
        """Complete a step of the trainee's, and those that follow it up to the next one."""
        settles = bool(self.script.events) and isinstance(self.script.events[index], LineSettled)
        self._count(settles=settles)
        self._carry_out(index)
        self._assist()

    def _assist(self) -> None:
        """Do the steps that are not of this lesson."""
        while not self.felt.is_over and VERBS[type(self.next_steps[0].awaited)] not in self.lesson.verbs:
            self._carry_out(0)

    def _carry_out(self, index: int) -> None:
        """Carry out a step, and the events that need no dealer."""
        self._parts.append(self.part)
        if self.script.events:
            self._take_in(self.script.events.pop(index))
        else:
            self._ask(index)
        for event in self._automatic_events():
            self._take_in(event)

    def _ask(self, index: int) -> None:
        """Let the player decide; the steps that follow are the trainee's."""
        step = self.table.decisions[index]
        assert self.table.round is not None
        choice = decide(self.game, self.table.round, step, self._mind)
        spot = self.table.seats[step.seat].spot
        self.table.choose(name_of(spot), spot, choice.name, choice.cents, step.about)

    def _automatic_events(self) -> Iterator[Event]:
        """The next events that need no dealer: players' choices, and the end of the round."""
        while self.script.events and isinstance(self.script.events[0], ChoiceMade | RoundClosed):
            yield self.script.events.pop(0)

    def _take_in(self, event: Event) -> None:
        self.felt.take_in(event)
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


def _nearest(right: list[NextStep], move: lessons.DealerMove) -> int:
    """The step that a wrong move was most likely meant for."""
    return next((index for index, step in enumerate(right) if _is_meant(step, move)), 0)


def _reason(expected: NextStep, move: lessons.DealerMove) -> str:
    """Why the wager comes out as it does, once the trainee settles the right one."""
    return expected.because if _is_meant(expected, move) else ""


def _excess(expected: NextStep, move: lessons.DealerMove) -> Cents:
    """By how much a payout is too high."""
    awaited = expected.awaited
    if not isinstance(move, lessons.Pay) or not isinstance(awaited, LineSettled) or not _is_meant(expected, move):
        return 0
    return max(0, move.cents - awaited.paid)


def _is_meant(expected: NextStep, move: lessons.DealerMove) -> bool:
    awaited = expected.awaited
    if not isinstance(awaited, LineSettled) or not isinstance(move, lessons.Take | lessons.Pay | lessons.LeaveWager):
        return False
    return (awaited.seat + 1, awaited.wager) == (move.seat, move.wager)
