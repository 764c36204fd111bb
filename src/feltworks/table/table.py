"""A live table: players sit down, wager, decide and are paid; the dealer follows the procedure."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.dealing.seed import check_cut
from feltworks.dealing.shoes import Commitment
from feltworks.errors import LogError, NotNow, WagerRefused
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import Round, Seat
from feltworks.rules.steps import Decide, Say
from feltworks.rules.wager import Line
from feltworks.table.events import OpeningSeat, RoundOpened, RoundVoided, SeatedPlayer
from feltworks.table.limits import PostedLimits
from feltworks.table.live import Dealer, DealerProtocol, LiveRound, drop_boxes
from feltworks.table.log import Log
from feltworks.table.seating import House, Seating, check_stack, opening_total

NO_MORE_BETS: Final = "FB.16"


class Table:
    """One table with its game, its dealer, its players and its money. Play money only.

    A refused act leaves the table, every stack and the log unchanged.
    """

    def __init__(
        self,
        game: Game,
        dealer: DealerProtocol,
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
        self.live: LiveRound | None = None  # the round in progress, or the last one until the next deal
        self._boxes = drop_boxes(game)
        self._cuts: dict[str, str] = {}  # by player, for the next shuffle
        self._checked: Round | None = None  # the last opening wagers that the rules accepted
        clause = NO_MORE_BETS if NO_MORE_BETS in game.terms.rulebook.clause else ""
        self._no_more_bets = Say("No more bets", clause)

    def sit(self, player: str, *spots: int, stack: Cents) -> None:
        """Take one or more spots with a stack of play money."""
        self._check_between_rounds("players sit down")
        self.seating.sit(player, spots, stack)

    def leave(self, player: str) -> Cents:
        """Leave with the stack and any wagers not yet dealt to."""
        self._check_between_rounds("players leave")
        return self.seating.leave(player)

    def buy_in(self, player: str, cents: Cents) -> None:
        """Bring more play money to the table."""
        self._check_between_rounds("players buy in")
        self.seating.player(player).stack += check_stack(cents)

    def wager(
        self, player: str, spot: int, wagers: Mapping[str, Cents], tokes: Mapping[str, Cents] | None = None
    ) -> None:
        """Place all opening wagers of a spot; they replace earlier ones."""
        self._check_betting()
        owner = self.seating.owner(player, spot)
        seat = Seat(dict(wagers), tokes=dict(tokes or {}))
        if not seat.wagers:
            raise WagerRefused("empty", 0, "put down at least one wager, or withdraw what lies there")
        self._felt({**self.seating.down, spot: seat})
        self.limits.check(seat.wagers, seat.tokes)
        self.seating.put(owner, spot, seat)

    def withdraw(self, player: str, spot: int) -> None:
        """Take back the opening wagers of a spot."""
        self._check_betting()
        self.seating.withdraw(self.seating.owner(player, spot), spot)

    def cut(self, player: str, text: str) -> None:
        """Add a player's cut to the key of the next shuffle; a later one replaces it."""
        self._check_betting()
        self.seating.player(player)
        self._cuts[player] = check_cut(text)

    @property
    def next_commitment(self) -> Commitment | None:
        """The house's commitment before the wagers of the next round; cuts are added to it."""
        return self.dealer.announce() if isinstance(self.dealer, Dealer) else None

    def deal(self) -> None:
        """No more bets: commit to the cards, and deal until a player has to decide."""
        if self.is_running:
            raise NotNow("the round in progress has to end before the next one is dealt")
        down = self.seating.down
        if not down:
            raise NotNow("no wager lies on the felt; a round is dealt when at least one does")
        round_ = self._felt(down)
        if self._cuts and isinstance(self.dealer, Dealer):
            bettors = dict.fromkeys(self.seating.at[spot].name for spot in sorted(down))
            self.dealer.cut([self._cuts[name] for name in bettors if name in self._cuts])
        opened = self._open(sorted(down), round_)
        self._cuts.clear()
        players = [self.seating.at[seat.spot] for seat in opened.seats]
        self.live = LiveRound(
            self.game,
            opened,
            round_,
            players,
            dealer=self.dealer,
            house=self.house,
            boxes=self._boxes,
            log=self.log,
        )
        self.rounds = opened.round
        self.log.write(self._no_more_bets)
        self.live.proceed()
        self._clear_felt()

    def choose(self, player: str, spot: int, name: str, cents: Cents | None = None, about: str | None = None) -> None:
        """Answer one of the open decisions."""
        self.seating.owner(player, spot)
        self._running_round("there is nothing to decide").choose(spot, name, cents, about)
        self._clear_felt()

    def void(self, reason: str) -> None:
        """Void the round: every stack is restored to its amount before the wagers."""
        live = self._running_round("there is nothing to void")
        self.log.end_round(RoundVoided(reason, self.dealer.end_round()))
        players = self.seating.players
        for seated in live.opened.players:
            players[seated.player].stack = seated.stack
        for seat in live.seats:
            players[seat.player].stack += opening_total(Seat(seat.wagers, tokes=seat.tokes))
        self.house = live.opened.house.copy()
        live.lines, live.decisions, live.is_over = [], (), True
        self._clear_felt()

    def view(self, player: str | None = None) -> "RoundView":
        """The round as one player may see it; None is a bystander."""
        if player is not None:
            self.seating.player(player)
        own = [number for number, seat in enumerate(self.seats) if seat.player == player]
        shown = None if self.round is None else round_view(self.game, self.round, own)
        lines = tuple(_hide_reason(line, self.round, shown) for line in self.lines)
        return RoundView(shown, tuple(step for step in self.decisions if step.seat in own), lines)

    @property
    def is_running(self) -> bool:
        return self.live is not None and not self.live.is_over

    @property
    def round(self) -> Round | None:
        """The round in progress, or the last one until the next is dealt."""
        return self.live.round if self.live else None

    @property
    def seats(self) -> tuple[OpeningSeat, ...]:
        """The seats of the current or last round with their players."""
        return self.live.seats if self.live else ()

    @property
    def decisions(self) -> tuple[Decide, ...]:
        """The open decisions, to be answered in any order."""
        return self.live.decisions if self.live else ()

    @property
    def lines(self) -> Sequence[Line]:
        """The lines of the current or last round settled so far, in order."""
        return self.live.lines if self.live else ()

    @property
    def commitment(self) -> Commitment | None:
        """The house's commitment for the current or last round."""
        return self.live.opened.commitment if self.live else None

    @property
    def is_seeded(self) -> bool | None:
        """Whether the cards come from an announced test seed; None before the first deal."""
        return self.commitment.seeded if self.commitment else None

    @property
    def on_felt(self) -> Cents:
        """The money on unsettled wagers."""
        if self.live and not self.live.is_over:
            return self.live.on_felt
        return sum(map(opening_total, self.seating.down.values()))

    @property
    def total(self) -> Cents:
        """All money at the table; no round changes it."""
        return self.seating.total + self.on_felt + self.house.total

    def _felt(self, down: Mapping[int, Seat]) -> Round:
        """The felt with these opening wagers, checked by the rules; the last result is cached."""
        seats = tuple(map(down.__getitem__, sorted(down)))
        checked, meters = self._checked, self.house.meters
        if checked is None or checked.seats != seats or checked.meters != meters:
            checked = self._checked = self.game.open_round(seats, meters.copy())
        return checked

    def _open(self, spots: Sequence[int], round_: Round) -> RoundOpened:
        """Commit to the cards, and log the opening of the round."""
        opened = self._opening_event(spots, round_, self.dealer.begin_round())
        try:
            self.log.begin_round(opened)
        except (OSError, LogError):
            self.dealer.end_round()  # as nothing may happen if the log cannot be written
            raise
        return opened

    def _opening_event(self, spots: Sequence[int], round_: Round, commitment: Commitment) -> RoundOpened:
        terms, at = self.game.terms, self.seating.at
        seats = [
            OpeningSeat(spot, at[spot].name, seat.wagers, seat.tokes)
            for spot, seat in zip(spots, round_.seats, strict=True)
        ]
        players = [SeatedPlayer(player.name, player.spots, player.stack) for player in self.seating.players.values()]
        return RoundOpened(
            round=self.rounds + 1,
            game=terms.rulebook.name,
            options=terms.options,
            pay_tables=terms.pay_tables,
            limit=terms.limit,
            seats=tuple(seats),
            players=tuple(players),
            house=self.house.copy(),
            commitment=commitment,
        )

    def _clear_felt(self) -> None:
        if not self.is_running:
            self.seating.down.clear()

    def _running_round(self, trouble: str) -> LiveRound:
        if self.live is None or self.live.is_over:
            raise NotNow(f"no round is in progress; {trouble}")
        return self.live

    def _check_between_rounds(self, what: str) -> None:
        if self.is_running:
            raise NotNow(f"{what} between rounds; this one is still in progress")

    def _check_betting(self) -> None:
        # FB.16: after "No more bets" opening wagers cannot be placed, changed or withdrawn
        if self.is_running:
            raise NotNow("no more bets: wagers are put down or taken back before the first card is dealt")


class RoundView(Struct, frozen=True):
    """A round as one player sees it: without cards face down and without hidden hands of others."""

    round: Round | None
    decisions: tuple[Decide, ...]  # the player's own
    lines: tuple[Line, ...]


def round_view(game: Game, round_: Round, own: list[int]) -> Round:
    """The round as the player of these seats may see it: everything that any of the seats sees."""
    views = [game.view(round_, seat) for seat in own] or [game.view(round_, None)]
    seats = []
    for number, seat in enumerate(round_.seats):
        seat_views = [view.seats[number] for view in views]
        seats.append(seat if seat in seat_views else seat_views[0])
    return Round(tuple(seats), views[0].dealer, views[0].board, round_.meters)


def _hide_reason(line: Line, round_: Round | None, shown: Round | None) -> Line:
    """Reasons are shown only to viewers who can see the whole hand; the money is shown to all."""
    if round_ is None or shown is None or round_.seats[line.seat] == shown.seats[line.seat]:
        return line
    return replace(line, outcome="", because="")
