"""The round as the trainee has dealt it so far, the events still to be dealt, and the trainee's view."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec.structs import asdict, replace

from feltworks.rules.game import Game
from feltworks.rules.round import Round
from feltworks.rules.steps import Burn, Say, Tuck
from feltworks.table.events import (
    ChoiceMade,
    Ending,
    Event,
    LineSettled,
    RoundClosed,
    RoundOpened,
)
from feltworks.table.log import Log
from feltworks.table.replay import RoundSoFar
from feltworks.table.wording import hands_of, single_seat
from feltworks.web.tables.messages import (
    DealerView,
    DealEvent,
    LineView,
    SeatView,
    TableEvent,
    TableView,
)
from feltworks.web.tables.table_view import Gestures, card_codes, dealer_view, event_view, line_view, seat_cards

if TYPE_CHECKING:
    from feltworks.web.training.practice import Practice


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
