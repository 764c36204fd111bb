"""The round through one pair of eyes, in words: looked at when something happens in it, and not before."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Raw, Struct

from feltworks.cards import Card
from feltworks.rules.round import DEALER, Face, Round
from feltworks.rules.steps import Decide
from feltworks.rules.wager import Line
from feltworks.table.view import round_view
from feltworks.table.wording import dealers_words, hands_of, keys, title

if TYPE_CHECKING:
    from feltworks.web.room import Room

Shown = dict[str, Any]
_encode = msgspec.json.Encoder().encode


class Looked(Struct, frozen=True):
    """What these eyes see of the round, and what they hear of its settlement."""

    round: Round | None
    heard: tuple[Line, ...]
    played: tuple[Shown, ...]  # by seat
    dealer: Raw
    lines: Raw
    decisions: Raw
    session: Raw


def looked(room: "Room", player: str | None) -> Looked:
    """What a player (None: a bystander) sees of the round; good until something happens in it."""
    if player not in room.looked:
        room.looked[player] = _bystander(room) if player is None else _player(room, player)
    return room.looked[player]


def _clean_felt(room: "Room") -> Looked:
    """A felt without cards: whoever has just sat down sees nothing of a round that was not theirs."""
    nothing = Raw(b"[]")
    return Looked(None, (), (), Raw(_encode(_dealer(room, None))), nothing, nothing, Raw(b"null"))


def _bystander(room: "Room") -> Looked:
    if room.is_clear:
        return _clean_felt(room)
    view = room.table.view(None)
    r, heard = view.round, view.lines
    return Looked(
        r,
        heard,
        tuple(_played(room, r, heard, number) for number in range(len(r.seats))) if r else (),
        Raw(_encode(_dealer(room, r))),
        Raw(_encode([_line(room, line) for line in heard])),
        Raw(b"[]"),
        Raw(b"null"),
    )


def _player(room: "Room", player: str) -> Looked:
    """What everybody sees, and what only this player may: where it is the same, in the same words."""
    session = room.sessions.get(player)
    results = Raw(_encode(session.shown(room.edges) if session else None))
    if player in room.newcomers:
        return msgspec.structs.replace(_clean_felt(room), session=results)
    everybody, lying = looked(room, None), room.table.round
    own = [number for number, seat in enumerate(room.table.seats) if seat.player == player]
    if not own or lying is None or everybody.round is None:
        return msgspec.structs.replace(everybody, session=results)
    mine = round_view(room.table.game, lying, own)
    heard = _heard(room, mine, lying, everybody)
    return Looked(
        mine,
        heard,
        tuple(_seat_played(room, mine, heard, number, everybody) for number in range(len(mine.seats))),
        everybody.dealer,
        everybody.lines if heard == everybody.heard else Raw(_encode([_line(room, line) for line in heard])),
        Raw(_encode([_decision(room, mine, step) for step in room.table.decisions if step.seat in own])),
        results,
    )


def _heard(room: "Room", mine: Round, lying: Round, everybody: Looked) -> tuple[Line, ...]:
    """Whoever sees a hand whole hears why it was paid; of all others they hear what everybody hears."""
    return tuple(
        line if mine.seats[line.seat] == lying.seats[line.seat] else told
        for line, told in zip(room.table.lines, everybody.heard, strict=True)
    )


def _seat_played(room: "Room", mine: Round, heard: Sequence[Line], number: int, everybody: Looked) -> Shown:
    assert everybody.round is not None
    if mine.seats[number] == everybody.round.seats[number]:
        return everybody.played[number]
    return _played(room, mine, heard, number)


def codes(lying: Iterable[Face]) -> list[str | None]:
    """Cards as their codes, what lies face down as nothing."""
    return [face.code if isinstance(face, Card) else None for face in lying]


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


def _dealer(room: "Room", r: Round | None) -> Shown:
    if r is None:
        return {"cards": [], "total": None, "burned": []}
    return {
        "cards": codes(r.dealer),
        "total": dealers_words(room.table.game, r, 0) or None,
        "burned": room.gestures.burned.get(DEALER, []),
    }


def _decision(room: "Room", r: Round, step: Decide) -> Shown:
    """A decision with every choice in words and its key."""
    game = room.table.game
    choices = room.explained(r, step)
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
