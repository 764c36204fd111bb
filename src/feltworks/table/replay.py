"""Replays a finished round from its log, or resumes an interrupted one; checks the cards against the seed."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from feltworks import catalog
from feltworks.cards import Card, Shoe, cards
from feltworks.dealing.seed import verify
from feltworks.dealing.shoes import CardSource, Commitment, Reveal
from feltworks.errors import BadSeed, FeltError, LogError, brief
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Back, Choice, Face, Place, Round, Seat, face_up
from feltworks.rules.steps import Chance, Decide, Draw, Peek, place_name
from feltworks.rules.wager import Line
from feltworks.table.events import (
    CardPeeked,
    CardsDealt,
    CardsTurned,
    ChoiceMade,
    Ending,
    Event,
    RoundClosed,
    RoundOpened,
    RoundVoided,
)
from feltworks.table.limits import PostedLimits
from feltworks.table.live import Dealer, DealerProtocol, Vault
from feltworks.table.log import Entry, Log, Sink, entries, rounds, seal_of
from feltworks.table.seating import opening_total
from feltworks.table.table import Table

ENDS_EARLY = "the log ends before the round is over"


class VerifiedLog(Log):
    """A log that compares each event written to it with given lines, up to their end."""

    def __init__(
        self, lines: Sequence[bytes], logged: Sequence[Entry], *, past_end: bool, sink: Sink | None = None
    ) -> None:
        super().__init__(sink)
        self._number = logged[0].n - 1
        self._given, self._entries, self._past_end = lines, logged, past_end
        assert isinstance(logged[0].event, RoundOpened)
        self.opened: RoundOpened = logged[0].event

    @property
    def ahead(self) -> Event | None:
        """The next logged event; None at the end."""
        at = len(self.lines)
        return self._entries[at].event if at < len(self._entries) else None

    @property
    def events(self) -> list[Event]:
        return [entry.event for entry in self._entries]

    def error(self, what: object) -> LogError:
        """An error about the next line, or about the end of the log."""
        return LogError(f"line {min(len(self.lines) + 1, len(self._entries))} of the log: {what}")

    def begin_round(self, opened: RoundOpened) -> None:
        if self.lines:  # in a round after the resumed one
            self._given, self._entries = (), ()
        if not self._matches(opened):
            super().begin_round(opened)

    def write(self, event: Event) -> None:
        if not self._matches(event):
            super().write(event)

    def end_round(self, ending: Ending) -> None:
        if not self._matches(ending):
            super().end_round(ending)

    def _matches(self, event: Event) -> bool:
        """Whether the event equals the next logged one; False past the end of the log."""
        ahead = self.ahead
        if ahead is None:
            if not self._past_end:
                raise self.error(ENDS_EARLY)
            return False
        if event != ahead:
            if isinstance(ahead, RoundVoided) and not isinstance(event, RoundVoided):
                raise RoundCalledOff(ahead.reason)
            raise self.error(_difference(ahead, event))
        line = self._given[len(self.lines)] + b"\n"
        self._text += line
        self._number, self._head = self._number + 1, seal_of(line)
        return True


class LoggedDealer:
    """Deals the cards that the log recorded."""

    def __init__(self, log: VerifiedLog) -> None:
        self._log = log

    def begin_round(self) -> Commitment:
        return self._log.opened.commitment

    def answer(self, step: Chance) -> tuple[Face, ...]:
        event = self._log.ahead
        if (faces := _faces(step, event)) is not None:
            return faces
        if isinstance(event, RoundVoided):
            raise RoundCalledOff(event.reason)
        mismatch = f"it says {event_name(event)} where the procedure awaits {type(step).__name__.lower()}"
        raise self._log.error(mismatch if event else ENDS_EARLY)

    def end_round(self) -> Reveal | None:
        event = self._log.ahead
        return event.reveal if isinstance(event, RoundClosed | RoundVoided) else None


def _faces(step: Chance, event: Event | None) -> tuple[Face, ...] | None:
    """The answer to a chance step that an event recorded; None if the event is of another kind."""
    if isinstance(event, CardsDealt) and isinstance(step, Draw):
        return (FACE_DOWN,) * step.count if step.down else cards(event.faces)
    if isinstance(event, CardsTurned):
        return cards(event.faces)
    if isinstance(event, CardPeeked) and isinstance(step, Peek):
        return cards([event.face]) if event.face else (Back(barring=step.wanted),)
    return None


class RoundSoFar:
    """A round that grows with the events of its log; cards face down are backs."""

    def __init__(self, game: Game, opened: RoundOpened) -> None:
        seats = tuple(Seat(dict(seat.wagers), tokes=dict(seat.tokes)) for seat in opened.seats)
        self.game, self.round = game, Round(seats, meters=dict(opened.house.meters))

    def add(self, event: Event) -> None:
        """Apply an event; events without cards or choices change nothing."""
        if isinstance(event, ChoiceMade):
            place, decisions = (event.seat, event.about), self.game.open_decisions(self.round)
            decision = next(step for step in decisions if (step.seat, step.about) == place)
            self.round = advance(self.round, decision, Choice(event.name, event.cents, event.about))
        elif isinstance(event, CardsDealt | CardsTurned | CardPeeked):
            step = self.game.awaits(self.round)
            assert not isinstance(step, Decide | None)
            faces = _faces(step, event)
            assert faces is not None
            self.round = advance(self.round, step, faces)


class RoundCalledOff(Exception):
    """The logged round was voided at this point."""


def event_name(event: Event | None) -> str:
    """The name of an event in a sentence: its tag in the log."""
    return "nothing" if event is None else str(type(event).__struct_config__.tag)


def _difference(logged: Event, replayed: Event) -> str:
    """The first difference between a logged event and the event that follows from the rules."""
    if type(logged) is not type(replayed):
        return f"it says {event_name(logged)} where the rules give {event_name(replayed)}"
    for field in logged.__struct_fields__:
        theirs, ours = getattr(logged, field), getattr(replayed, field)
        if theirs != ours:
            return f"{event_name(logged)} says {field} {brief(theirs)} where the rules give {brief(ours)}"
    raise AssertionError("two events that differ in no field")


class Replay(Struct, frozen=True):
    """A finished round rebuilt from its log; a voided one has no lines."""

    game: Game
    round: Round
    lines: tuple[Line, ...]
    table: Table


def replay(lines: Iterable[bytes], game: Game | None = None) -> Replay:
    """Replay the log of one finished round by the rules; refuses a log that differs from them."""
    given = list(lines)
    log = VerifiedLog(given, entries(given), past_end=False)
    table = _follow_log(log, LoggedDealer(log), game)
    if table.is_running:
        raise log.error(ENDS_EARLY)
    if log.ahead is not None:
        raise log.error("the round is over; replay takes one round at a time")
    assert table.round is not None
    _check_shoe(table.game, table.round, log)
    return Replay(table.game, table.round, tuple(table.lines), table)


def resume(
    lines: Iterable[bytes],
    source: CardSource,
    secret: str,
    *,
    game: Game | None = None,
    limits: PostedLimits | None = None,
    sink: Sink | None = None,
    vault: Vault | None = None,
) -> Table:
    """Resume an interrupted round: the saved seed deals the same cards, and the log has the acts so far."""
    given = list(lines)
    log = VerifiedLog(given, entries(given), past_end=True, sink=sink)
    dealer = Dealer(source, vault=vault)
    try:
        seed = bytes.fromhex(secret)
    except ValueError:
        raise BadSeed("a seed is written with 64 hexadecimal digits") from None
    dealer.restore(seed, log.opened.commitment)
    table = _follow_log(log, dealer, game)
    if log.ahead is not None:
        raise log.error("the round is over; a round is resumed from its own lines alone")
    if limits is not None:
        table.limits = limits
    return table


def _follow_log(log: VerifiedLog, dealer: DealerProtocol, game: Game | None) -> Table:
    try:
        table = _set_up(log, dealer, game)
        try:
            _follow(table, log)
        except RoundCalledOff as called_off:
            table.void(str(called_off))
    except LogError:
        raise
    except FeltError as trouble:
        raise log.error(trouble) from None
    return table


def _set_up(log: VerifiedLog, dealer: DealerProtocol, game: Game | None) -> Table:
    """The table as it was when the round was opened, with all wagers on the felt."""
    opened = log.opened
    game = game or catalog.game(opened.game, options=opened.options, pay_tables=opened.pay_tables, limit=opened.limit)
    table = Table(game, dealer, house=opened.house.copy(), log=log)
    table.rounds = opened.round - 1
    for player in opened.players:
        own = [Seat(seat.wagers, tokes=seat.tokes) for seat in opened.seats if seat.player == player.player]
        table.sit(player.player, *player.spots, stack=player.stack + sum(map(opening_total, own)))
    for seat in opened.seats:
        table.wager(seat.player, seat.spot, seat.wagers, seat.tokes)
    return table


def _follow(table: Table, log: VerifiedLog) -> None:
    table.deal()
    while table.decisions and (event := log.ahead) is not None:
        if isinstance(event, RoundVoided):
            table.void(event.reason)
        elif isinstance(event, ChoiceMade) and 0 <= event.seat < len(table.seats):
            seat = table.seats[event.seat]
            table.choose(seat.player, seat.spot, event.name, event.cents, event.about)
        else:
            raise log.error(f"it says {event_name(event)} where a decision stands open")


def _check_shoe(game: Game, round_: Round, log: VerifiedLog) -> None:
    """Check that the shoe holds the visible cards, and that a revealed seed deals them."""
    shoe, commitment = game.terms.shoe, log.opened.commitment
    places = [round_.dealer, round_.board, *(seat.cards for seat in round_.seats)]
    last = log.events[-1]
    try:
        shoe.without(face for place in places for face in face_up(place))
        if isinstance(last, RoundClosed | RoundVoided) and (reveal := last.reveal):
            if (reveal.shoe_number, reveal.seeded) != (commitment.shoe_number, commitment.seeded):
                raise BadSeed("the seed revealed is of another shoe than the one committed to")
            check_cards(shoe, commitment, reveal.seed, log.events, round_)
    except FeltError as trouble:
        raise log.error(trouble) from None


def check_cards(shoe: Shoe, commitment: Commitment, seed: str, events: Iterable[Event], round_: Round) -> None:
    """Refuse a seed other than the one committed to, or one that deals other cards than the visible ones."""
    order = verify(commitment, seed, shoe)
    for card in cards_by_position(commitment, events, round_):
        if order[card.position : card.position + 1] != (card.face,):
            raise BadSeed(f"the revealed seed does not give {place_name(card.place)} the card {card.face}")


class VisibleCard(Struct, frozen=True):
    """A visible card, its place on the felt, and its index in the shoe from 0."""

    position: int
    place: Place
    face: Card


def cards_by_position(commitment: Commitment, events: Iterable[Event], round_: Round) -> Iterator[VisibleCard]:
    """The visible cards of a round, each with its index in the shoe."""
    for place, positions in _positions(commitment, events).items():
        for position, face in zip(positions, round_.at(place), strict=True):
            if isinstance(face, Card):
                yield VisibleCard(position, place, face)


def replay_log(lines: Iterable[bytes], game: Game | None = None) -> list[Replay]:
    """Replay a table's whole log: each round by the rules, and all cards of a shoe by its seed.

    A seed is revealed with the last round of its shoe, so no round can be checked earlier.
    """
    replays: list[Replay] = []
    shoe: list[tuple[Replay, list[Event]]] = []  # the rounds dealt from the shoe in use
    for round_lines in rounds(lines):
        entry_events = [entry.event for entry in entries(round_lines)]
        again = replay(round_lines, game)
        replays.append(again)
        if shoe and _shoe_of(shoe[-1][0]).digest != _shoe_of(again).digest:
            shoe.clear()
        _check_position(shoe[-1] if shoe else None, again)
        shoe.append((again, entry_events))
        last = entry_events[-1]
        if isinstance(last, RoundClosed | RoundVoided) and last.reveal:
            for earlier, events in shoe:
                _check_round_of_shoe(earlier, events, last.reveal.seed)
            shoe.clear()
    return replays


def _shoe_of(again: Replay) -> Commitment:
    assert again.table.commitment is not None
    return again.table.commitment


def _check_position(before: tuple[Replay, list[Event]] | None, again: Replay) -> None:
    """Refuse a round that does not begin where the last one of the same shoe ended."""
    if before is None:
        return
    commitment = _shoe_of(before[0])
    dealt = sum(len(event.faces) + event.backs for event in before[1] if isinstance(event, CardsDealt))
    if _shoe_of(again).position != commitment.position + dealt or _shoe_of(again).cuts != commitment.cuts:
        number = again.table.rounds
        raise LogError(f"round {number} of the log does not begin at the next card of its shoe")


def _check_round_of_shoe(again: Replay, events: list[Event], seed: str) -> None:
    try:
        check_cards(again.game.terms.shoe, _shoe_of(again), seed, events, again.round)
    except FeltError as trouble:
        raise LogError(f"round {again.table.rounds} of the log: {trouble}") from None


def _positions(commitment: Commitment, events: Iterable[Event]) -> dict[Place, list[int]]:
    """The index in the shoe of each place's cards."""
    positions: dict[Place, list[int]] = {}
    drawn = commitment.position
    for event in events:
        if isinstance(event, CardsDealt):
            after = drawn + len(event.faces) + event.backs
            positions.setdefault(event.to, []).extend(range(drawn, after))
            drawn = after
    return positions
