"""What one client is shown of a table: the seat's own view of it, with the words and totals of the felt."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from feltworks.cards import Card
from feltworks.rules.round import DEALER, Face, Round
from feltworks.rules.steps import Decide, Say
from feltworks.rules.wager import Line
from feltworks.table.events import Chosen, Dealt, Event, Peeked, Settled, Turned
from feltworks.table.reading import dealers_words, hands_of
from feltworks.table.view import TableView
from feltworks.table.wording import keys, title

if TYPE_CHECKING:
    from feltworks.web.room import Room

Shown = dict[str, Any]


class Public(Struct, frozen=True):
    """The table as everybody may know it, worked out once for all who look at it."""

    view: TableView
    shown: Shown


def public(room: "Room") -> Public:
    """What a bystander sees."""
    view = room.table.view(None)
    shown: Shown = {
        "game": view.game,
        "name": room.name,
        "round": room.table.rounds if room.table.live else None,
        "running": view.is_running,
        "you": None,
        "stack": None,
        "spots_of_you": [],
        "seats": [_seat(room, view, spot) for spot in range(1, room.table.seating.spots + 1)],
        "dealer": _dealer(room, view),
        "board": codes(view.round.board) if view.round else [],
        "decisions": [],
        "to_act": list(view.to_act),
        "countdown": room.countdown.shown(),
        "lines": [_line(room, line) for line in view.lines],
        "says": room.says,
        "meters": dict(view.meters),
        "commitment": view.commitment.digest if view.commitment else None,
        "reveal": room.reveal,
        "seeded": bool(view.is_seeded),
        "limits": room.limits,
        "session": None,
        "as_approved": not room.table.game.terms.deviations,
    }
    return Public(view, shown)


def personal(room: "Room", everybody: Public, player: str) -> Shown:
    """The table through one player's eyes: what everybody sees, and what only this seat may know."""
    view, before = room.table.view(player), everybody.view
    seats = list(everybody.shown["seats"])
    if view.round is not None and before.round is not None:
        pairs = zip(view.round.seats, before.round.seats, strict=True)
        for number, (mine, theirs) in enumerate(pairs):
            if mine is not theirs:
                spot = room.table.seats[number].spot
                seats[spot - 1] = _seat(room, view, spot)
    lines = zip(view.lines, before.lines, everybody.shown["lines"], strict=True)
    return {
        **everybody.shown,
        "you": player,
        "stack": view.stack,
        "spots_of_you": [spot.spot for spot in view.spots if spot.player == player],
        "seats": seats,
        "decisions": [_decision(room, view, step) for step in view.decisions],
        "lines": [shown if mine is theirs else _line(room, mine) for mine, theirs, shown in lines],
        "session": room.sessions[player].shown(room.edges) if player in room.sessions else None,
    }


def codes(lying: Iterable[Face]) -> list[str | None]:
    """Cards as their codes, what lies face down as nothing."""
    return [face.code if isinstance(face, Card) else None for face in lying]


def _seat(room: "Room", view: TableView, spot: int) -> Shown:
    owner = room.table.seating.at.get(spot)
    if owner is None:
        return {"spot": spot, "player": None}
    number = next((n for n, seat in enumerate(room.table.seats) if seat.spot == spot), None)
    lying = room.table.seating.down.get(spot)
    shown: Shown = {
        "spot": spot,
        "player": owner.name,
        "stack": owner.stack,
        "away": room.is_away(owner.name),
        "wagers": dict(lying.wagers) if lying else {},
        "tokes": dict(lying.tokes) if lying else {},
        "cards": [],
        "status": None,
        "in_round": False,
        "ready": owner.name in room.ready,
        "net": None,
        "hands": None,
        "total": None,
        "tucked": None,
        "burned": [],
        "discarded": False,
    }
    if number is not None and view.round is not None and (view.is_running or not lying):
        shown |= _played(room, view.round, view.lines, number)
    return shown


def _played(room: "Room", r: Round, lines: Sequence[Line], number: int) -> Shown:
    """A seat of the round in progress, or of the last one until new wagers lie there."""
    seat, game = r.seats[number], room.table.game
    over = not room.table.is_running
    held = hands_of(game, r, number)
    own = [line for line in lines if line.seat == number and not line.toke]
    return {
        "wagers": dict(seat.wagers),
        "tokes": dict(seat.tokes),
        "cards": codes(seat.cards),
        "status": seat.choices[-1].name if seat.choices else None,
        "in_round": True,
        "net": sum(line.net for line in own) if over else None,
        "hands": [{"cards": codes(hand.faces), "total": hand.words} for hand in held]
        if len(held) > 1
        else None,
        "tucked": room.gestures.tucked.get(number),
        "burned": room.gestures.burned.get(number, []),
        "discarded": number in room.gestures.discarded,
        "total": held[0].words or None,
    }


def _dealer(room: "Room", view: TableView) -> Shown:
    if view.round is None:
        return {"cards": [], "total": None, "burned": []}
    return {
        "cards": codes(view.round.dealer),
        "total": dealers_words(room.table.game, view.round, 0) or None,
        "burned": room.gestures.burned.get(DEALER, []),
    }


def _decision(room: "Room", view: TableView, step: Decide) -> Shown:
    """A decision with every choice in words and its key."""
    game = room.table.game
    assert view.round is not None
    choices = room.explained(view.round, step)
    pressed = keys(step.offers)
    return {
        "spot": room.table.seats[step.seat].spot,
        "about": step.about,
        "subject": title(game.terms, step.about) if step.about in game.terms.rulebook.wager else step.about,
        "offers": [
            {
                "name": choice.offer.name,
                "wager": choice.offer.wager,
                "least": choice.offer.least,
                "most": choice.offer.most,
                "chip": choice.offer.chip,
                "title": choice.label,
                "consequence": choice.consequence,
                "clauses": list(choice.clauses),
                "key": key.upper(),
            }
            for choice, key in zip(choices, pressed, strict=True)
        ],
    }


def _line(room: "Room", line: Line) -> Shown:
    return {
        "spot": room.table.seats[line.seat].spot,
        "wager": line.wager,
        "title": title(room.table.game.terms, line.wager),
        "part": line.part,
        "wagered": line.wagered,
        "outcome": line.outcome,
        "result": line.result,
        "net": line.net,
        "because": line.reason if line.because else "",
        "clause": line.clause,
        "toke": line.toke,
    }


def events_seen(room: "Room", events: Sequence[Event], player: str | None) -> list[Shown]:
    """What happened, for the eye: faces of hands that are not this client's to see stay backs."""
    r = room.table.round
    own = {number for number, seat in enumerate(room.table.seats) if seat.player == player}
    seen = [shown for event in events if (shown := _event(room, event, own, r)) is not None]
    for shown in seen:
        number: int = next((shown[key] for key in ("seat", "to", "at") if key in shown), -1)
        if 0 <= number < len(room.table.seats):
            shown["spot"] = room.table.seats[number].spot
    return seen


def _event(room: "Room", event: Event, own: set[int], r: Round | None) -> Shown | None:
    if isinstance(event, Dealt):
        seen = event.to < 0 or event.to in own or (r is not None and _sees(room, r, event.to, own))
        faces: Sequence[str | None] = event.faces if seen else [None] * len(event.faces)
        return {"type": "dealt", "to": event.to, "faces": [*faces, *[None] * event.backs]}
    if isinstance(event, Turned):
        return {"type": "turned", "at": event.at, "index": event.index, "count": len(event.faces)}
    if isinstance(event, Chosen):
        return {"type": "chosen", "seat": event.seat, "name": event.name, "cents": event.cents}
    if isinstance(event, Peeked):
        return {"type": "peeked", "at": event.at}
    if isinstance(event, Say):
        return {"type": "said", "text": event.words}
    if isinstance(event, Settled):
        taken: Mapping[str, Any] = {"taken": event.taken, "paid": event.paid}
        return {"type": "settled", "seat": event.seat, "wager": event.wager, **taken}
    gesture = {"Tuck": "tucked", "Burn": "burned", "Discard": "discarded"}.get(type(event).__name__)
    if gesture is None:
        return None
    return {"type": gesture, **{key: getattr(event, key) for key in event.__struct_fields__}}


def _sees(room: "Room", r: Round, owner: int, own: set[int]) -> bool:
    viewers: Iterable[int | None] = own or {None}
    return any(room.table.game.sees(r, viewer, owner) for viewer in viewers)
