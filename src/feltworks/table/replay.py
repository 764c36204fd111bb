"""Replays a finished round from its log, or resumes an interrupted one; checks the cards against the seed."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from feltworks import catalog
from feltworks.cards import Card, Shoe
from feltworks.dealing.seed import verify
from feltworks.dealing.shoes import CardSource, Commitment
from feltworks.errors import BadSeed, FeltError, LogError
from feltworks.rules.game import Game
from feltworks.rules.round import Place, Round, Seat, face_up
from feltworks.rules.steps import place_name
from feltworks.rules.wager import Line
from feltworks.table.events import CardsDealt, ChoiceMade, Event, RoundClosed, RoundVoided
from feltworks.table.limits import PostedLimits
from feltworks.table.live import Dealer, DealerProtocol, Vault
from feltworks.table.log import Sink, entries
from feltworks.table.seating import opening_total
from feltworks.table.table import Table
from feltworks.table.verified_log import ENDS_EARLY, LoggedDealer, RoundCalledOff, VerifiedLog, event_name


class Replay(Struct, frozen=True):
    """A finished round rebuilt from its log; a voided one has no lines."""

    game: Game[Any]
    round: Round
    lines: tuple[Line, ...]
    table: Table


def replay(lines: Iterable[bytes], game: Game[Any] | None = None) -> Replay:
    """Play the log of one finished round through the rules; refuses a log that differs from them."""
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
    game: Game[Any] | None = None,
    limits: PostedLimits | None = None,
    sink: Sink | None = None,
    vault: Vault | None = None,
) -> Table:
    """Resume an interrupted round: the saved seed deals the same cards, the log holds what was done."""
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


def _follow_log(log: VerifiedLog, dealer: DealerProtocol, game: Game[Any] | None) -> Table:
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


def _set_up(log: VerifiedLog, dealer: DealerProtocol, game: Game[Any] | None) -> Table:
    """The table as it was when the round was opened, with all wagers on the felt."""
    opened = log.opened
    game = game or catalog.game(
        opened.game, options=opened.options, pay_tables=opened.pay_tables, limit=opened.limit
    )
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


def _check_shoe(game: Game[Any], round_: Round, log: VerifiedLog) -> None:
    """Check that the shoe holds the cards seen, and that a revealed seed deals them."""
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


def check_cards(
    shoe: Shoe, commitment: Commitment, seed: str, events: Iterable[Event], round_: Round
) -> None:
    """Refuse a seed other than the one committed to, or one that deals other cards than those seen."""
    order = verify(commitment, seed, shoe)
    for place, positions in _positions(commitment, events).items():
        for position, face in zip(positions, round_.at(place), strict=True):
            if isinstance(face, Card) and order[position : position + 1] != (face,):
                raise BadSeed(f"the revealed seed does not give {place_name(place)} the card {face}")


def _positions(commitment: Commitment, events: Iterable[Event]) -> dict[Place, list[int]]:
    """Where in the shoe each place's cards came from."""
    positions: dict[Place, list[int]] = {}
    drawn = commitment.position
    for event in events:
        if isinstance(event, CardsDealt):
            after = drawn + len(event.faces) + event.backs
            positions.setdefault(event.to, []).extend(range(drawn, after))
            drawn = after
    return positions
