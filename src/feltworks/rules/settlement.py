"""Settlement: standing, verdict, pay, line. The only place where an outcome becomes money."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from feltworks.errors import UnknownName
from feltworks.money import Cents, Odds
from feltworks.rules.pay_table import Award, Fixed, Pay, Rest, Share
from feltworks.rules.round import HandOf, Round
from feltworks.rules.wager import Line, Own, Part, S, Verdict, Wager

if TYPE_CHECKING:
    from feltworks.rules.game import Game

_UNPRICED = Award(0, "")


def settle(game: "Game[S]", round_: Round) -> tuple[Line, ...]:
    """The lines decided so far: for each seat the player's own first, then the tokes."""
    lines: list[Line] = []
    for number, seat in enumerate(round_.seats):
        standing = game.standing(round_, number)
        for amounts, is_toke in ((seat.wagers, False), (seat.tokes, True)):
            for name, part in _parts(game, round_, number, amounts, standing):
                if (verdict := part.verdict) is not None:
                    if "{" in verdict.because and (made := game.wagers[name].hand) is not None:
                        verdict = _name_cards(verdict, made, round_, number)
                    line = price_line(game, number, name, part.name, part.wagered, verdict, is_toke)
                    lines.append(line)
    if game.has_prizes:
        _award_prizes(game, round_, lines)
    return tuple(lines)


def _parts(
    game: "Game[S]", round_: Round, seat: int, amounts: Mapping[str, Cents], standing: S
) -> Iterator[tuple[str, Part]]:
    """The parts of these wagers with their verdicts, except those settled before."""
    for name, wagered in amounts.items():
        if not round_.is_settled(seat, name):
            judge = game.wagers[name]
            facts = standing if judge.hand is None else facts_for(judge, round_, seat, standing)
            if judge.divides:
                for part in judge.parts(facts, wagered):
                    yield name, part
            else:
                yield name, Part("", wagered, judge.judge(facts))


def facts_for(judge: Wager, round_: Round, seat: int, standing: S) -> Any:
    """The facts that judge a wager: the game's standing, with the wager's own hand if it has one."""
    return standing if judge.hand is None else Own(standing, round_.hand_of(judge.hand, seat))


def _name_cards(verdict: Verdict, made: HandOf[Any], round_: Round, seat: int) -> Verdict:
    """Fill the cards of the wager's hand into its reason; a round that holds hands alone has none to name."""
    if type(round_) is not Round:
        return verdict
    because = verdict.because.format(*round_.cards_of(made, seat))
    return Verdict(verdict.outcome, because, verdict.clauses)


def has_verdict(game: "Game[S]", round_: Round, seat: int, name: str) -> bool:
    """Whether a wager of this seat is decided in all its parts."""
    on = round_.seats[seat]
    amount = on.wagers.get(name, on.tokes.get(name, 0))
    return not _waits(game, round_, seat, {name: amount}, game.standing(round_, seat))


def has_undecided(game: "Game[S]", round_: Round) -> bool:
    """Whether any wager still has no verdict."""
    for number, seat in enumerate(round_.seats):
        standing = game.standing(round_, number)
        if any(_waits(game, round_, number, amounts, standing) for amounts in (seat.wagers, seat.tokes)):
            return True
    return False


def _waits(game: "Game[S]", round_: Round, seat: int, amounts: Mapping[str, Cents], standing: S) -> bool:
    return any(part.verdict is None for _, part in _parts(game, round_, seat, amounts, standing))


def price_line(game: "Game[S]", seat: int, name: str, part: str, wagered: Cents, verdict: Verdict, toke: bool) -> Line:
    """The line of a verdict; prizes are priced later, when all prizes of the round are known."""
    outcome, because, clauses = verdict.outcome, verdict.because, verdict.clauses
    try:
        price = game.prices[name][outcome]
    except KeyError:
        raise UnknownName("outcome", outcome, sorted(game.prices[name]), of=f"the {name} wager") from None
    pay, said, times = price.pay, price.said, price.times
    if times is not None:
        net = wagered * times
    elif type(pay) is Odds:
        net = pay.on(wagered, game.terms.breakage)
    else:
        return Line(seat, name, part, wagered, outcome, 0, because, clauses, pay, said, toke, _UNPRICED)
    return Line(seat, name, part, wagered, outcome, net, because, clauses, pay, said, toke)


def _award_prizes(game: "Game[S]", round_: Round, lines: list[Line]) -> None:
    """Price the prizes that are not odds; the rest of a meter is what its shares leave (SP.14)."""
    prizes = [place for place, line in enumerate(lines) if line.award is not None]
    due = [lines[place].pay for place in prizes]
    for place in prizes:
        line = lines[place]
        award = _award(line.pay, round_.meters, due)
        net = award.cents - (line.wagered if game.wagers[line.wager].keeps_stake else 0)
        lines[place] = msgspec.structs.replace(line, net=net, award=award)


def _award(pay: Pay, meters: Mapping[str, Cents], due: list[Pay]) -> Award:
    """A meter never pays more than it holds: shares beyond it are cut in proportion, several rests divide it."""
    if isinstance(pay, Fixed):
        return Award(pay.cents, "tray")
    assert isinstance(pay, Share | Rest)
    posted = meters[pay.meter]
    claimed = [other.part for other in due if isinstance(other, Share) and other.meter == pay.meter]
    cut = 1 / max(Fraction(1), sum(claimed, Fraction(0)))
    if isinstance(pay, Share):
        return Award(int(posted * pay.part * cut), pay.meter, pay.part * cut)
    takers = due.count(pay)
    left = posted - sum(int(posted * part * cut) for part in claimed)
    return Award(left // takers, pay.meter, (1 - sum(claimed, Fraction(0)) * cut) / takers)
