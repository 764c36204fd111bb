"""The live table as a kernel's twin: the same cards and choices, settled by the rules alone."""

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Any

from feltworks.cards import Card
from feltworks.machine.streams import Stream
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Choice, Face, Place, Round, Seat
from feltworks.rules.steps import Decide, Draw, Peek, Step
from feltworks.simulation.plan import Plan
from feltworks.simulation.rounds.kernel import DealtLine, DealtRound, Kernel, kernel_of
from feltworks.simulation.tally import Layout, Tally, pairs
from tests.simulation.rounds import deal_rounds

ROUNDS = 10_000


def check_twin(plan: Plan, *, rounds: int = ROUNDS, seed: int = 2021) -> Kernel:
    """The kernel's rounds, dealt again by the rules: every line is the same, and so are tally and nets."""
    plan.check()
    kernel = kernel_of(plan.to_json())
    check_kernel(plan, kernel, rounds=rounds, seed=seed)
    return kernel


def check_kernel(plan: Plan, kernel: Kernel, *, rounds: int, seed: int = 2021) -> None:
    """The rounds of this kernel, dealt again by the rules."""
    table = plan.table
    dealt = list(deal_rounds(kernel, Stream(seed, 0), rounds))
    assert len(dealt) == rounds
    for number, round_ in enumerate(dealt):
        settled = settled_by_rules(table, round_, alone=plan.alone)
        assert settled == sorted(round_.lines), f"{plan}, round {number + 1}: {round_}"
    tally = kernel.tally(Stream(seed, 0), rounds)
    assert tally.rounds == rounds
    check_tally(plan, kernel.layout, tally, dealt)
    nets = [sum(line.net for line in each.lines if line.seat == 0) for each in dealt]
    assert kernel.nets(Stream(seed, 0), rounds).tolist() == nets


def settled_by_rules(table: Game[Any], dealt: DealtRound, *, alone: bool = False) -> list[DealtLine]:
    """The lines that the grammar gives for these cards and choices; all of them are used, and no more."""
    table.terms.shoe.check_holds(dealt.cards)
    dealer = _Dealer(dealt.cards, dealt.choices)
    # Alone: no table would open such a round, but all that follows is the same
    laid = Round(tuple(Seat(dict(seat)) for seat in dealt.seats)) if alone else None
    r = laid or table.open_round(dealt.seats, dealt.meters)
    while (step := table.awaits(r)) is not None:
        r = advance(r, step, dealer.answer(r, step))
    assert dealer.is_spent, "the kernel dealt or chose more than the rules ask for"
    lines = table.settle(r)
    return sorted(DealtLine(line.seat, line.wager, line.outcome, line.wagered, line.net) for line in lines)


class _Dealer:
    def __init__(self, cards: Sequence[Card], choices: Sequence[Choice]) -> None:
        self._cards, self._choices = iter(cards), iter(choices)
        self._lying: dict[Place, tuple[Card, ...]] = {}

    @property
    def is_spent(self) -> bool:
        return next(self._cards, None) is None and next(self._choices, None) is None

    def answer(self, r: Round, step: Step) -> tuple[Face, ...] | Choice:
        if isinstance(step, Decide):
            return next(self._choices)
        if isinstance(step, Draw):
            drawn = tuple(islice(self._cards, step.count))
            self._lying[step.to] = self._lying.get(step.to, ()) + drawn
            return (FACE_DOWN,) * step.count if step.down else drawn
        lying = self._lying[step.at]
        if isinstance(step, Peek):
            return peek_answer(step, lying[step.index])
        return lying[step.index : step.index + step.count]


def check_tally(plan: Plan, layout: Layout, tally: Tally, dealt: Sequence[DealtRound]) -> None:
    """The tally holds what these rounds come to: every wager's money, and the sums over whole rounds."""
    openings = {name: entry.of or name for name, entry in plan.table.terms.rulebook.wager.items()}
    nets = [_by_wager(layout, openings, each) for each in dealt]
    sums, products = tally.sums, dict(zip(pairs(layout.columns), tally.products, strict=True))
    for one in range(len(layout.wagers)):
        assert sums[one] == sum(row[one] for row in nets)
        for two in range(one, len(layout.wagers)):
            assert products[one, two] == sum(row[one] * row[two] for row in nets)
    assert _money(tally) == _money_of(openings, dealt)


def _by_wager(layout: Layout, openings: dict[str, str], dealt: DealtRound) -> list[int]:
    net: Counter[str] = Counter()
    for line in dealt.lines:
        net[openings[line.wager]] += line.net
    return [net[name] for name in layout.wagers]


def _money(tally: Tally) -> dict[str, tuple[int, int]]:
    """By opening wager: the net and all that was wagered, from the cells that came up."""
    found: dict[str, tuple[int, int]] = {}
    for cell, count in tally.cells.items():
        net, wagered = found.get(cell.wager, (0, 0))
        found[cell.wager] = net + count * cell.net, wagered + count * cell.wagered
    return found


def _money_of(openings: dict[str, str], dealt: Sequence[DealtRound]) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for line in (line for each in dealt for line in each.lines):
        net, wagered = found.get(openings[line.wager], (0, 0))
        found[openings[line.wager]] = net + line.net, wagered + line.wagered
    return found
