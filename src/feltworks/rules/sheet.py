"""A settled round as it is written down: every line with its money, its reason and its clauses."""

from collections.abc import Sequence
from typing import Any

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
    sheet: Sheet = {"seats": seats}
    paid = sum(line.award.cents for lines in by_seat for line in lines if line.award and line.award.share)
    return _closed(game, sheet, finished, paid)


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
    if "jackpot" in finished.meters:
        before = finished.meters["jackpot"]
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
    written, net = [], 0
    for line in lines:
        if line.part in FIRST_PARTS:
            parts = [line]
            if line.part:
                parts = [part for part in lines if (part.wager, part.toke) == (line.wager, line.toke)]
            written.append(_line_sheet(game, r, number, parts, finished))
        if not line.toke:
            net += line.net
    sheet: Sheet = {"lines": written, "net": net}
    if finished.tokes:
        sheet["toke_net"] = sum(line.net for line in lines if line.toke)
    return sheet


def _line_sheet(game: Game[Any], r: Round, number: int, parts: list[Line], finished: FinishedSeat) -> Sheet:
    first = parts[0]
    clauses = first.clauses
    sheet: Sheet = {
        "wager": first.wager,
        "wagered": first.wagered,
        "result": first.result,
        "net": first.net,
        "because": first.reason,
        "clause": clauses[0],
        "clauses": clauses,
    }
    if len(parts) > 1:
        sheet |= _summed(parts)
    if first.toke:
        sheet["toke"] = True
    if first.award:
        share = first.award.share
        award = {"cents": first.award.cents, "from": first.award.source}
        sheet["award"] = award | (
            {"share": f"{share.numerator}/{share.denominator}"} if share is not None else {}
        )
    if game.wagers[first.wager].divides and (hands := game.part_cards(r, number, first.wager)):
        codes = [[face.code for face in hand] for hand in hands]
        sheet["hands"] = _hand_sheets(codes, parts, finished.hands)
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
    codes: list[list[str]], parts: Sequence[Line], written: list[FinishedHand] | None
) -> list[Sheet]:
    """One sheet a hand, in the order the round was written down."""
    played = [
        {
            "cards": cards,
            "wagered": part.wagered,
            "result": part.result,
            "net": part.net,
            "because": part.reason,
        }
        for cards, part in zip(codes, parts, strict=True)
    ]
    if len(played) == 1 or not written:
        return played
    ordered = []
    for hand in written:
        place = next(i for i, sheet in enumerate(played) if sheet["cards"] == hand.cards)
        ordered.append(played.pop(place))
    return ordered
