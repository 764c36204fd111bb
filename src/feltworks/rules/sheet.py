"""A settled round as it is written down: every line with its money, its reason and its clauses."""

from collections.abc import Sequence
from typing import Any

from feltworks.cards import Card
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.record import FinishedHand, FinishedRound, FinishedSeat
from feltworks.rules.round import Round
from feltworks.rules.wager import Line

Sheet = dict[str, Any]
FIRST_PARTS = ("", "hand 1")  # where a wager's entry on the sheet begins


def settlement_sheet(game: Game[Any], finished: FinishedRound, r: Round) -> Sheet:
    """What `felt settle` answers to a finished round."""
    by_seat: list[list[Line]] = [[] for _ in r.seats]
    for line in game.settle(r):
        by_seat[line.seat].append(line)
    seats = [_seat_sheet(game, r, n, lines, finished.seats[n]) for n, lines in enumerate(by_seat)]
    awards = [line.award for lines in by_seat for line in lines if line.award is not None]
    return _closed(game, {"seats": seats}, finished, sum(award.cents for award in awards if award.share))


def void_sheet(game: Game[Any], finished: FinishedRound, r: Round) -> Sheet:
    """A voided round: every wager that was made is returned."""
    seats = []
    for seat in r.seats:
        lines = [_void_line(name, cents, finished.void) for name, cents in seat.wagers.items()]
        tokes = [
            _void_line(name, cents, finished.void) | {"toke": True} for name, cents in seat.tokes.items()
        ]
        seats.append({"lines": lines + tokes, "net": 0} | ({"toke_net": 0} if tokes else {}))
    return _closed(game, {"seats": seats}, finished, 0)


def _closed(game: Game[Any], sheet: Sheet, finished: FinishedRound, paid: Cents) -> Sheet:
    if (before := finished.meters.get("jackpot")) is not None:
        sheet["jackpot"] = {"before": before, "paid": paid, "after": before - paid}
    deviations = game.terms.deviations
    return sheet | {"as_approved": not deviations, "deviations": list(deviations)}


def _void_line(wager: str, cents: Cents, reason: str | None) -> Sheet:
    because = f"Voided, the wager is returned: {reason}"
    return {
        "wager": wager,
        "wagered": cents,
        "result": "void",
        "net": 0,
        "because": because,
        "clause": None,
        "clauses": [],
    }


def _seat_sheet(game: Game[Any], r: Round, number: int, lines: list[Line], finished: FinishedSeat) -> Sheet:
    written, net, wagers = [], 0, game.wagers
    for line in lines:
        if not line.toke:
            net += line.net
        if not wagers[line.wager].divides:
            written.append(_line_sheet(line))
        elif line.part in FIRST_PARTS:
            parts = [line]
            if line.part:
                parts = [part for part in lines if part.wager == line.wager and part.toke == line.toke]
            hands = game.part_cards(r, number, line.wager)
            written.append(_divided_sheet(parts, hands, finished.hands))
    sheet: Sheet = {"lines": written, "net": net}
    if finished.tokes:
        sheet["toke_net"] = sum(line.net for line in lines if line.toke)
    return sheet


def _line_sheet(line: Line) -> Sheet:
    clauses, award, net = line.clauses, line.award, line.net
    sheet: Sheet = {
        "wager": line.wager,
        "wagered": line.wagered,
        "result": "win" if net > 0 else "lose" if net < 0 else "push",
        "net": net,
        "because": line.reason,
        "clause": clauses[0],
        "clauses": clauses,
    }
    if line.toke:
        sheet["toke"] = True
    if award is not None:
        sheet["award"] = {"cents": award.cents, "from": award.source}
        if award.share is not None:
            sheet["award"]["share"] = f"{award.share.numerator}/{award.share.denominator}"
    return sheet


def _divided_sheet(
    parts: list[Line], hands: Sequence[tuple[Card, ...]], written: list[FinishedHand] | None
) -> Sheet:
    """A wager that lies on hands of its own, in one line with the hands beside it."""
    sheet = _line_sheet(parts[0])
    if len(parts) > 1:
        sheet |= _summed(parts)
    if len(hands) == len(parts) == 1:
        sheet["hands"] = [
            {
                "cards": [face.code for face in hands[0]],
                "wagered": sheet["wagered"],
                "result": sheet["result"],
                "net": sheet["net"],
                "because": sheet["because"],
            }
        ]
    elif hands:
        sheet["hands"] = _hand_sheets(hands, parts, written)
    return sheet


def _summed(parts: list[Line]) -> Sheet:
    """A wager that lay on several hands, in one line."""
    net = sum(part.net for part in parts)
    return {
        "wagered": sum(part.wagered for part in parts),
        "result": result_of(net),
        "net": net,
        "because": " ".join(dict.fromkeys(part.reason for part in parts)),
        "clauses": list(dict.fromkeys(clause for part in parts for clause in part.clauses)),
    }


def result_of(net: Cents) -> str:
    """Follows the sign of the net: win, lose or push."""
    return "win" if net > 0 else "lose" if net < 0 else "push"


def _hand_sheets(
    hands: Sequence[tuple[Card, ...]], parts: Sequence[Line], written: list[FinishedHand] | None
) -> list[Sheet]:
    """One sheet a hand, in the order the round was written down."""
    played = [
        {
            "cards": [face.code for face in hand],
            "wagered": part.wagered,
            "result": part.result,
            "net": part.net,
            "because": part.reason,
        }
        for hand, part in zip(hands, parts, strict=True)
    ]
    if not written:
        return played
    ordered = []
    for listed in written:
        place = next(i for i, sheet in enumerate(played) if sheet["cards"] == listed.cards)
        ordered.append(played.pop(place))
    return ordered
