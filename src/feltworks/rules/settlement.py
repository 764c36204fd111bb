"""Settlement: standing, verdict, pay, line. The one place where an outcome becomes money."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from feltworks.money import Breakage, Cents, Odds
from feltworks.rules.pay_table import Award, Fixed, Pay, Rest, Share
from feltworks.rules.round import Round
from feltworks.rules.wager import Line, Part, S, Wager

Pays = Mapping[str, Mapping[str, Pay]]


def settle(
    round_: Round, standing: Callable[[int], S], wagers: Mapping[str, Wager[S]], pays: Pays, breakage: Breakage
) -> tuple[Line, ...]:
    """The lines decided so far: of each seat the player's own first, then the tokes."""
    lines = []
    owed: list[tuple[int, int, str, Part, bool]] = []
    for number, seat in enumerate(round_.seats):
        facts = standing(number)
        for toke, amounts in ((False, seat.wagers), (True, seat.tokes)):
            for name, wagered in amounts.items():
                for part in wagers[name].parts(facts, wagered):
                    if part.verdict is None:
                        continue
                    pay = pays[name][part.verdict.outcome]
                    if isinstance(pay, Odds):
                        net = pay.on(part.wagered, breakage)
                        lines.append(_line(number, name, part, net, pay, toke))
                    else:
                        owed.append((len(lines) + len(owed), number, name, part, toke))
    if owed:
        _award_prizes(lines, owed, round_.meters, wagers, pays)
    return tuple(lines)


def _line(
    seat: int, wager: str, part: Part, net: Cents, pay: Pay, toke: bool, award: Award | None = None
) -> Line:
    verdict = part.verdict
    assert verdict is not None
    outcome, because, clauses = verdict.outcome, verdict.because, verdict.clauses
    return Line(seat, wager, part.name, part.wagered, outcome, net, because, clauses, pay, toke, award)


def _award_prizes(
    lines: list[Line],
    owed: list[tuple[int, int, str, Part, bool]],
    meters: Mapping[str, Cents],
    wagers: Mapping[str, Wager[S]],
    pays: Pays,
) -> None:
    """Put prizes among the lines; who takes the rest of a meter gets what the shares leave (SP.14)."""
    due = [pays[name][part.verdict.outcome] for _, _, name, part, _ in owed if part.verdict]
    for (place, seat, name, part, toke), pay in zip(owed, due, strict=True):
        award = _award(pay, meters, due)
        net = award.cents - (part.wagered if wagers[name].keeps_stake else 0)
        lines.insert(place, _line(seat, name, part, net, pay, toke, award))


def _award(pay: Pay, meters: Mapping[str, Cents], due: list[Pay]) -> Award:
    if isinstance(pay, Fixed):
        return Award(pay.cents, "tray")
    assert isinstance(pay, Share | Rest)
    posted = meters[pay.meter]
    if isinstance(pay, Share):
        return Award(int(posted * pay.part), pay.meter, pay.part)
    shares = [other for other in due if isinstance(other, Share) and other.meter == pay.meter]
    left = posted - sum(int(posted * share.part) for share in shares)
    return Award(left, pay.meter, 1 - sum((share.part for share in shares), Fraction(0)))
