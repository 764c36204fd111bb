"""The view of a table for each viewer: cards, seats, decisions, lines and events, with hidden cards as backs.

Parts that are equal for all viewers are made and encoded once, as a thousand players may watch.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, cast

import msgspec
from msgspec import UNSET, Struct

from feltworks.cards import Card
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, Face, Place, Round
from feltworks.rules.steps import Burn, Decide, Discard, Say, Tuck
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Line
from feltworks.table.events import (
    CardPeeked,
    CardsDealt,
    CardsTurned,
    ChoiceMade,
    Event,
    LineSettled,
    RoundOpened,
)
from feltworks.table.wording import dealers_words, hands_of, keys, title
from feltworks.web.tables import messages
from feltworks.web.tables.clock import gentlest
from feltworks.web.tables.messages import (
    Code,
    DealerView,
    DecisionView,
    HandView,
    LineView,
    Money,
    OfferView,
    ResultsView,
    SeatView,
    TableEvent,
    TableView,
    encode_part,
)

if TYPE_CHECKING:
    from feltworks.web.tables.room import Room

_NO_DEALER = DealerView([], None, [])
_PLACES = ("seat", "to", "at")  # the fields of events that hold a place


class Gestures(Struct):
    """The dealer's gestures in the visible round, by seat: hands tucked, cards burned, hands discarded."""

    tucked: dict[Place, str] = {}
    burned: dict[Place, list[int]] = {}
    discarded: set[Place] = set()

    def add(self, event: Event) -> None:
        """Add a gesture; a new round clears all of them."""
        if isinstance(event, RoundOpened):
            self.tucked, self.burned, self.discarded = {}, {}, set()
        elif isinstance(event, Tuck):
            self.tucked[event.seat] = event.under
        elif isinstance(event, Burn):
            self.burned.setdefault(event.at, []).append(event.index)
        elif isinstance(event, Discard):
            self.discarded.add(event.seat)


class SeatCards(Struct, frozen=True):
    """A seat of the round as a viewer sees it."""

    wagers: Money
    tokes: Money
    cards: list[Code] = []
    status: str | None = None
    net: Cents | None = None
    hands: list[HandView] | None = None
    total: str | None = None
    tucked: str | None = None
    burned: list[int] = []
    discarded: bool = False


class RoundSight(Struct, frozen=True):
    """The round as one viewer sees it; cached until the next event."""

    round: Round | None
    settled: tuple[Line, ...]
    seats: tuple[SeatCards, ...]
    dealer: DealerView
    lines: list[LineView]
    decisions: list[DecisionView]
    results: ResultsView | None


class PublicView(Struct, frozen=True):
    """The table as a bystander sees it; the base of every viewer's view."""

    sight: RoundSight
    view: TableView


def sight_of(room: "Room", player: str | None) -> RoundSight:
    """The round as a player sees it, or a bystander if `player` is None."""
    if player not in room.sights:
        room.sights[player] = _bystander_sight(room) if player is None else _player_sight(room, player)
    return room.sights[player]


def _empty_sight(results: ResultsView | None = None) -> RoundSight:
    """A felt without cards, for players who were not in the last round."""
    return RoundSight(None, (), (), encode_part(_NO_DEALER), [], [], results)


def _bystander_sight(room: "Room") -> RoundSight:
    if room.is_clear:
        return _empty_sight()
    view = room.table.view(None)
    r, lines = view.round, view.lines
    seats = tuple(_seat_cards(room, r, lines, number) for number in range(len(r.seats))) if r else ()
    dealer = dealer_view(room.table.game, r, room.gestures) if r else _NO_DEALER
    return RoundSight(r, lines, seats, encode_part(dealer), _line_views(room, lines), [], None)


def _player_sight(room: "Room", player: str) -> RoundSight:
    """The bystander's view plus what only this player may see; equal parts are shared."""
    results = room.results.get(player)
    own_results = encode_part(results.view(room.edges)) if results else None
    if player in room.newcomers:
        return _empty_sight(own_results)
    public = sight_of(room, None)
    if public.round is None or all(seat.player != player for seat in room.table.seats):
        return msgspec.structs.replace(public, results=own_results)
    view = room.table.view(player)
    visible, lines = view.round, view.lines
    assert visible is not None
    decisions = [_decision(room, visible, step) for step in view.decisions]
    return RoundSight(
        visible,
        lines,
        tuple(_shared_seat(room, visible, lines, number, public) for number in range(len(visible.seats))),
        public.dealer,
        public.lines if lines == public.settled else _line_views(room, lines),
        encode_part(decisions),
        own_results,
    )


def _shared_seat(room: "Room", visible: Round, lines: Sequence[Line], number: int, public: RoundSight) -> SeatCards:
    assert public.round is not None
    if visible.seats[number] == public.round.seats[number]:
        return public.seats[number]
    return _seat_cards(room, visible, lines, number)


def _seat_cards(room: "Room", r: Round, lines: Sequence[Line], number: int) -> SeatCards:
    """A seat of the round in progress, or of the last one until new wagers lie there."""
    net = sum(line.net for line in lines if line.seat == number and not line.toke)
    return seat_cards(room.table.game, r, number, room.gestures, None if room.table.is_running else net)


def seat_cards(game: Game, r: Round, number: int, gestures: Gestures, net: Cents | None) -> SeatCards:
    """The wagers, cards and hands of a seat."""
    seat, hands = r.seats[number], hands_of(game, r, number)
    return SeatCards(
        wagers=dict(seat.wagers),
        tokes=dict(seat.tokes),
        cards=card_codes(seat.cards),
        status=seat.choices[-1].name if seat.choices else None,
        net=net,
        hands=[HandView(card_codes(hand.faces), hand.words) for hand in hands] if len(hands) > 1 else None,
        total=hands[0].words or None,
        tucked=gestures.tucked.get(number),
        burned=gestures.burned.get(number, []),
        discarded=number in gestures.discarded,
    )


def dealer_view(game: Game, r: Round, gestures: Gestures) -> DealerView:
    """The dealer's cards and their total."""
    return DealerView(card_codes(r.dealer), dealers_words(game, r, 0) or None, gestures.burned.get(DEALER, []))


def _decision(room: "Room", r: Round, step: Decide) -> DecisionView:
    """A decision, with each choice in words and its key."""
    terms = room.table.game.terms
    offers = [
        OfferView(
            **msgspec.structs.asdict(choice.offer),
            title=choice.label,
            consequence=choice.consequence,
            clauses=list(choice.clauses),
            key=key.upper(),
        )
        for choice, key in zip(room.explain(r, step), keys(step.offers), strict=True)
    ]
    subject = title(terms, step.about) if step.about in terms.rulebook.wager else step.about
    spot = room.table.seats[step.seat].spot
    return DecisionView(spot, step.about, subject, offers, gentlest(step).name)


def _line_views(room: "Room", lines: Sequence[Line]) -> list[LineView]:
    terms, seats = room.table.game.terms, room.table.seats
    return encode_part([line_view(terms, line, seats[line.seat].spot) for line in lines])


def line_view(terms: Terms, line: Line, spot: int) -> LineView:
    """A settled line in words."""
    return LineView(
        spot=spot,
        wager=line.wager,
        title=title(terms, line.wager),
        part=line.part,
        wagered=line.wagered,
        outcome=line.outcome,
        result=cast(Literal["win", "lose", "push"], line.result),
        net=line.net,
        because=line.reason if line.because else "",
        clause=line.clause,
        toke=line.toke,
    )


def card_codes(faces: Iterable[Face]) -> list[Code]:
    """The codes of cards; None is a card face down."""
    return [face.code if isinstance(face, Card) else None for face in faces]


# The whole table.


def public_view(room: "Room") -> PublicView:
    """The table as a bystander sees it."""
    sight = sight_of(room, None)
    table, commitment = room.table, room.fair_deal.commitment(room.table)
    sealed = table.next_commitment
    r = sight.round
    view = TableView(
        game=table.game.terms.rulebook.name,
        name=room.name,
        round=table.rounds if r else None,
        running=table.is_running,
        you=None,
        stack=None,
        spots_of_you=[],
        seats=[_seat_view(room, sight, spot) for spot in range(1, table.seating.spots + 1)],
        dealer=sight.dealer,
        board=card_codes(r.board) if r else [],
        decisions=sight.decisions,
        to_act=sorted({table.seats[step.seat].spot for step in table.decisions}),
        countdown=room.countdown.view(),
        lines=sight.lines,
        says=room.says if r else None,
        meters=table.house.meters,
        commitment=commitment.digest if commitment else None,
        sealed=sealed.digest if sealed else None,
        reveal=room.fair_deal.seed,
        seeded=bool(table.is_seeded),
        limits=room.limits,
        seat_kept=round(room.times.away),
        session=None,
        as_approved=not table.game.terms.deviations,
    )
    return PublicView(sight, view)


def player_view(room: "Room", public: PublicView, player: str) -> TableView:
    """The table as a player sees it: the public view plus what only this player may see."""
    sight = sight_of(room, player)
    seated = room.table.seating.players[player]
    r = sight.round
    return msgspec.structs.replace(
        public.view,
        round=room.table.rounds if r else None,
        you=player,
        stack=seated.stack,
        spots_of_you=seated.spots,
        seats=_player_seats(room, public, sight),
        dealer=sight.dealer,
        board=card_codes(r.board) if r else [],
        decisions=sight.decisions,
        lines=sight.lines,
        says=room.says if r else None,
        session=sight.results,
    )


def _player_seats(room: "Room", public: PublicView, sight: RoundSight) -> list[SeatView]:
    """The seats of the public view, except those that the player sees differently."""
    if sight.round is None:
        return [_seat_view(room, sight, spot) for spot in range(1, room.table.seating.spots + 1)]
    seats = list(public.view.seats)
    for seat, own, others in zip(room.table.seats, sight.seats, public.sight.seats, strict=True):
        if own is not others:
            seats[seat.spot - 1] = _seat_view(room, sight, seat.spot)
    return seats


def _seat_view(room: "Room", sight: RoundSight, spot: int) -> SeatView:
    table = room.table
    owner = table.seating.at.get(spot)
    if owner is None:
        return encode_part(SeatView(spot=spot, player=None))
    number = next((n for n, seat in enumerate(table.seats) if seat.spot == spot), None)
    down = table.seating.down.get(spot)
    is_newcomer = owner.name in room.newcomers  # the last round's cards were another player's
    is_shown = bool(sight.seats) and not is_newcomer and (table.is_running or not down)
    in_round = sight.seats[number] if number is not None and is_shown else None
    cards = in_round or SeatCards(down.wagers if down else {}, down.tokes if down else {})
    view = SeatView(
        spot=spot,
        player=owner.name,
        stack=owner.stack,
        away=room.is_away(owner.name),
        leaving=owner.name in room.leaving,
        by_clock=spot in room.by_clock and in_round is not None,
        in_round=in_round is not None,
        opened=UNSET if in_round is None or number is None else dict(table.seats[number].wagers),
        ready=owner.name in room.ready,
        **msgspec.structs.asdict(cards),
    )
    return encode_part(view)


# Events.


class EventMessage(Struct, frozen=True):
    """An encoded event for viewers who may see the hand, and for all others."""

    about: Place
    full: TableEvent
    hidden: TableEvent


def event_messages(room: "Room", events: Iterable[Event]) -> list[EventMessage]:
    """The events that are animated, encoded once for all viewers."""
    made = (_event_message(room, event) for event in events)
    return [message for message in made if message is not None]


def events_for(room: "Room", events: Sequence[EventMessage], player: str | None) -> list[TableEvent]:
    """The events as one viewer sees them, with cards of hidden hands as backs."""
    if not events or sight_of(room, player).round is None:
        return []
    hidden = _hidden_places(room, player)
    return [event.hidden if event.about in hidden else event.full for event in events]


def _hidden_places(room: "Room", player: str | None) -> set[Place]:
    """The seats whose cards this viewer may not see."""
    full, visible = room.table.round, sight_of(room, player).round
    if full is None or visible is None:
        return set()
    pairs = zip(full.seats, visible.seats, strict=True)
    return {number for number, (whole, view) in enumerate(pairs) if whole.cards != view.cards}


def _event_message(room: "Room", event: Event) -> EventMessage | None:
    view = event_view(event)
    if view is None:
        return None
    place: Place = next((getattr(view, name) for name in _PLACES if hasattr(view, name)), -1)
    if 0 <= place < len(room.table.seats):
        view = msgspec.structs.replace(view, spot=room.table.seats[place].spot)
    full = hidden = encode_part(view)
    if isinstance(view, messages.DealEvent):
        backs: list[Code] = [None] * len(view.faces)
        hidden = encode_part(msgspec.structs.replace(view, faces=backs))
    return EventMessage(place, full, hidden)


def event_view(event: Event) -> TableEvent | None:
    """An event as a message; None if there is nothing to animate."""
    match event:
        case CardsDealt():
            return messages.DealEvent(to=event.to, faces=[*event.faces, *[None] * event.backs])
        case CardsTurned():
            return messages.TurnEvent(at=event.at, index=event.index, count=len(event.faces))
        case ChoiceMade():
            return messages.ChoiceEvent(seat=event.seat, name=event.name, cents=event.cents)
        case CardPeeked():
            return messages.PeekEvent(at=event.at)
        case Say():
            return messages.SpeechEvent(text=event.words)
        case LineSettled():
            return messages.SettlementEvent(seat=event.seat, wager=event.wager, taken=event.taken, paid=event.paid)
        case Tuck():
            return messages.TuckEvent(seat=event.seat, under=event.under)
        case Burn():
            return messages.BurnEvent(at=event.at, index=event.index)
        case Discard():
            return messages.DiscardEvent(seat=event.seat)
    return None
