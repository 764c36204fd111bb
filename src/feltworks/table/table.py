"""A live table: people wager, the dealer deals step by step, asks for decisions, takes and pays."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from feltworks.dealing.shoes import Commitment
from feltworks.errors import NotNow, WagerRefused, one_of
from feltworks.money import Cents, dollars
from feltworks.rules.advance import advance, chosen
from feltworks.rules.game import Game
from feltworks.rules.round import Choice, Round, Seat
from feltworks.rules.steps import Decide, Draw, Say, Step
from feltworks.rules.wager import Line
from feltworks.table.dealer import Dealing
from feltworks.table.events import Chosen, Closed, Opened, Seated, SeatOpened, Voided, shown
from feltworks.table.house import House
from feltworks.table.log import Log
from feltworks.table.posted import PostedLimits
from feltworks.table.seating import Player, Seating, checked_stack, opening_total
from feltworks.table.take_and_pay import boxes, in_order, move, movements
from feltworks.table.view import TableView, view

NO_MORE_BETS: Final = "FB.16"


class Table:
    """One table with its game, its dealer, its players and its money. Play money only.

    Whatever is refused leaves the table, every stack and the log exactly as they were.
    """

    def __init__(
        self,
        game: Game[Any],
        dealer: Dealing,
        *,
        limits: PostedLimits | None = None,
        house: House | None = None,
        log: Log | None = None,
    ) -> None:
        self.game: Final = game
        self.dealer: Final = dealer
        self.limits = limits or PostedLimits(game.terms)
        self.house = house or House()
        self.log = log or Log()
        self.seating = Seating(game)
        self.rounds = 0
        self.round: Round | None = None  # the one in progress, or the last one until the next is dealt
        self.seats: tuple[SeatOpened, ...] = ()  # whose the seats of that round are
        self.decisions: tuple[Decide, ...] = ()  # what stands open now, to be answered in any order
        self.lines: list[Line] = []  # taken and paid so far, in that order
        self.commitment: Commitment | None = None
        self._opened: Opened | None = None  # while a round is in progress
        self._settled: set[tuple[int, str, str, bool]] = set()
        self._boxes = boxes(game)
        clause = NO_MORE_BETS if NO_MORE_BETS in game.terms.rulebook.clause else ""
        self._no_more_bets = Say("No more bets", clause)

    # Between rounds

    def sit(self, player: str, *spots: int, stack: Cents) -> None:
        """Take one or more spots side by side, with so much play money."""
        self._check_between_rounds("players sit down")
        self.seating.sit(player, spots, stack)

    def leave(self, player: str) -> Cents:
        """Get up with what is left, the wagers not yet dealt to included."""
        self._check_between_rounds("players leave")
        return self.seating.leave(player)

    def buy_in(self, player: str, cents: Cents) -> None:
        """Bring more play money to the table."""
        self._check_between_rounds("players buy in")
        self.seating.player(player).stack += checked_stack(cents)

    def wager(
        self, player: str, spot: int, wagers: Mapping[str, Cents], tokes: Mapping[str, Cents] | None = None
    ) -> None:
        """Put down all opening wagers of a spot at once, in place of what lay there."""
        self._check_betting()
        owner = self.seating.owner(player, spot)
        seat = Seat(dict(wagers), tokes=dict(tokes or {}))
        if not seat.wagers:
            raise WagerRefused("empty", 0, "put down at least one wager, or withdraw what lies there")
        self.game.open_round((seat,), self.house.meters)
        self.limits.check(seat.wagers, seat.tokes)
        self.seating.put(owner, spot, seat)

    def withdraw(self, player: str, spot: int) -> None:
        """Take back the opening wagers of a spot."""
        self._check_betting()
        self.seating.withdraw(self.seating.owner(player, spot), spot)

    # A round

    def deal(self) -> None:
        """No more bets: commit to the cards, deal, and go on until somebody has to decide."""
        if self._opened is not None:
            raise NotNow("the round in progress has to end before the next one is dealt")
        down = sorted(self.seating.down.items())
        if not down:
            raise NotNow("no wager lies on the felt; a round is dealt when at least one does")
        round_ = self.game.open_round([seat for _, seat in down], self.house.meters.copy())
        at = self.seating.at
        seats = tuple([SeatOpened(spot, at[spot].name, seat.wagers, seat.tokes) for spot, seat in down])
        opened = self._opening(seats, self.dealer.begin_round())
        self.log.begin_round()
        self.log.write(opened)
        self._opened, self.round, self.seats, self.commitment = opened, round_, seats, opened.commitment
        self.rounds, self.lines, self._settled = opened.round, [], set()
        self.log.write(self._no_more_bets)
        self._proceed()

    def choose(
        self, player: str, spot: int, name: str, cents: Cents | None = None, about: str | None = None
    ) -> None:
        """Answer one of the decisions that stand open."""
        owner = self.seating.owner(player, spot)
        step = self._asked(spot, name, about)
        offer, choice = chosen(step, Choice(name, cents, about or ""))
        price = choice.cents or 0
        if price > owner.stack:
            raise WagerRefused(offer.wager, price, f"the stack holds {dollars(owner.stack)}")
        before = self._lying
        after = advance(before, step, choice)
        self.log.write(Chosen(step.seat, choice.name, price, choice.about))
        owner.stack -= price
        self._go_on(before, after, step)
        self._proceed()

    def void(self, reason: str) -> None:
        """Call the round off: every stack is as it was before the wagers were put down."""
        opened = self._opened
        if opened is None:
            raise NotNow("no round is in progress; there is nothing to void")
        self.log.write(Voided(reason, self.dealer.end_round()))
        for seated in opened.players:
            self.seating.players[seated.player].stack = seated.stack
        for seat in opened.seats:
            lying = Seat(seat.wagers, tokes=seat.tokes)
            self.seating.players[seat.player].stack += opening_total(lying)
        self.house = opened.house.counted()
        self.lines = []
        self._clear()

    def view(self, player: str | None = None) -> TableView:
        """What one player (None: a bystander) may know."""
        return view(self, player)

    @property
    def is_running(self) -> bool:
        return self._opened is not None

    @property
    def is_seeded(self) -> bool | None:
        """Whether the cards come from an announced test seed; None before the first deal."""
        return self.commitment.seeded if self.commitment else None

    @property
    def on_felt(self) -> Cents:
        """The money lying on wagers that are not settled."""
        if self._opened is None or self.round is None:
            return sum(map(opening_total, self.seating.down.values()))
        return sum(map(opening_total, self.round.seats)) - sum(line.wagered for line in self.lines)

    @property
    def total(self) -> Cents:
        """All money at the table; no round changes it."""
        return self.seating.total + self.on_felt + self.house.total

    def player_at(self, seat: int) -> Player:
        """Whose seat of the round this is."""
        return self.seating.players[self.seats[seat].player]

    # How a round goes on

    def _proceed(self) -> None:
        """Do what the procedure awaits until a decision is open or the round is over."""
        while True:
            lying = self._lying
            steps = self.game.procedure(lying)
            step = next(steps, None)
            if not isinstance(step, Draw):
                self._take_and_pay(lying)
            if step is None:
                return self._close()
            if isinstance(step, Decide):
                self.decisions = (step, *_together(steps))
                return None
            answer = self.dealer.answer(step)
            after = advance(lying, step, answer)
            self.log.write(shown(step, answer))
            self._go_on(lying, after, step)

    @property
    def _lying(self) -> Round:
        assert self.round is not None
        return self.round

    def _go_on(self, before: Round, after: Round, step: Step) -> None:
        self.round, self.decisions = after, ()
        for gesture in self.game.gestures(before, after, step):
            self.log.write(gesture)

    def _take_and_pay(self, round_: Round) -> None:
        lines = self.game.settle(round_)
        if len(lines) == len(self.lines):
            return
        for line in in_order(line for line in lines if _key(line) not in self._settled):
            wager = self.game.wagers[line.wager]
            box = self._boxes.get(line.wager, "")
            for event in movements(line, box=box, keeps_stake=wager.keeps_stake):
                self.log.write(event)
                move(event, self.house, self.player_at(line.seat))
            self.lines.append(line)
            self._settled.add(_key(line))

    def _close(self) -> None:
        self.log.write(Closed(self.dealer.end_round()))
        self._clear()

    def _clear(self) -> None:
        self._opened, self.decisions = None, ()
        self.seating.down.clear()

    def _opening(self, seats: tuple[SeatOpened, ...], commitment: Commitment) -> Opened:
        terms = self.game.terms
        players = [
            Seated(player.name, player.spots, player.stack) for player in self.seating.players.values()
        ]
        return Opened(
            round=self.rounds + 1,
            game=terms.rulebook.name,
            options=terms.options,
            pay_tables=terms.pay_tables,
            limit=terms.limit,
            seats=seats,
            players=tuple(players),
            house=self.house.counted(),
            commitment=commitment,
        )

    def _asked(self, spot: int, name: str, about: str | None) -> Decide:
        """The open decision of a spot that this answer is for."""
        asked = [d for d in self.decisions if self.seats[d.seat].spot == spot and about in (None, d.about)]
        for step in asked:
            if any(offer.name == name for offer in step.offers):
                return step
        if asked:
            return asked[0]
        waiting = one_of(f"spot {self.seats[step.seat].spot}" for step in self.decisions)
        raise NotNow(f"spot {spot} has nothing to decide now; {waiting} has")

    def _check_between_rounds(self, what: str) -> None:
        if self._opened is not None:
            raise NotNow(f"{what} between rounds; this one is still in progress")

    def _check_betting(self) -> None:
        # FB.16: after "No more bets" no opening wager is taken, changed or withdrawn
        if self._opened is not None:
            raise NotNow("no more bets: wagers are put down or taken back before the first card is dealt")


def _together(steps: Iterator[Step]) -> Iterator[Decide]:
    """The decisions that stand open beside the first one."""
    for step in steps:
        if not isinstance(step, Decide):
            return
        yield step


def _key(line: Line) -> tuple[int, str, str, bool]:
    return line.seat, line.wager, line.part, line.toke
