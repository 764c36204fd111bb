"""What does a wager really cost? Chooses the solver by the shape of the question and gathers the figures."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from msgspec import Struct

from feltworks.analysis import hit_card, up_card
from feltworks.analysis.blackjack import STRATEGIES, BlackjackAnalysis
from feltworks.analysis.figures import Figures, Outcome
from feltworks.analysis.progressive import Progressive
from feltworks.analysis.referee import Law, Referee, Settled
from feltworks.analysis.shoe_game.lucky_break import lucky_break
from feltworks.analysis.shoe_game.rounds import RoundFigures
from feltworks.analysis.showdown import showdown
from feltworks.analysis.situations import Situation, mixed, walked
from feltworks.cards import Card, Shoe
from feltworks.errors import BadOption, UnknownName, one_of
from feltworks.games.blackjack import Blackjack
from feltworks.games.fu_bacc import FuBacc
from feltworks.games.spanish_poker import SpanishPoker
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of

OPTIMAL = "optimal"
SMALLEST_SEED: Cents = 500_00  # SP.15
UNIT: Cents = 100_00  # the wager in question, or a multiple of it where a ratio asks for thirds


class Question(Struct, frozen=True):
    """A wager at a table: alone, or beside others in a ratio, from a shoe that may be known in part."""

    game: Game[Any]
    wager: str
    beside: Mapping[str, Fraction | None] = {}  # None: it stands there, and the hand is played for its sake
    exposed: Sequence[Card] = ()
    jackpot: Cents | None = None
    strategy: str = OPTIMAL

    @property
    def shoe(self) -> Shoe:
        return self.game.terms.shoe.without(self.exposed)

    @property
    def stakes(self) -> dict[str, Cents]:
        """The opening wagers of the spot, with the wager that this one needs."""
        fixed = self.game.terms.rulebook.wager
        unit = UNIT * lcm(*(ratio.denominator for ratio in self.beside.values() if ratio))
        stakes = {name: int(unit * (ratio or 1)) for name, ratio in self.beside.items()}
        stakes[self.wager] = unit
        return {name: fixed[name].least if fixed[name].fixed else cents for name, cents in stakes.items()}

    @property
    def unit(self) -> Cents:
        return self.stakes[self.wager]

    @property
    def group(self) -> frozenset[str]:
        """The wager with those derived from it: they are opened with one stake."""
        derived = [name for name, entry in self.game.terms.rulebook.wager.items() if entry.of == self.wager]
        return frozenset([self.wager, *derived])

    @property
    def serving(self) -> dict[str, Fraction]:
        """For which wagers decisions are made: all, or those played for where a ratio is not given."""
        book = self.game.terms.rulebook.wager
        leading = [name for name, ratio in self.beside.items() if ratio is None]
        led = leading or [self.wager, *self.beside]
        return {name: Fraction(1) for name, entry in book.items() if name in led or entry.of in led}


class Answer(Struct, frozen=True):
    """The figures of a wager, and how each situation is played for it."""

    figures: Figures | RoundFigures
    situations: Sequence[Situation] = ()
    choices: Sequence[str] = ()
    notes: Mapping[str, object] = {}


def analyze(question: Question) -> Answer:
    """The exact figures of the wager in question under best play."""
    _check(question)
    if isinstance(question.game, SpanishPoker):
        return _poker(question)
    if isinstance(question.game, Blackjack) and question.wager in ("blackjack", "lucky-break"):
        return _shoe_game(question, question.game)
    if question.strategy != OPTIMAL:
        raise BadOption("--strategy", question.strategy, f"{OPTIMAL} for this wager")
    found = situations_of(question)
    choices = [situation.best(question.serving) for situation in found]
    return Answer(figures_of(mixed(found, choices), question.group, question.unit), found, choices)


def _shoe_game(question: Question, game: Blackjack) -> Answer:
    """The blackjack wager, and Lucky Break, which a strategy touches only by the limit of LB.5."""
    table = BlackjackAnalysis(game, question.shoe)
    if question.strategy not in (OPTIMAL, *STRATEGIES):
        raise BadOption("--strategy", question.strategy, one_of((OPTIMAL, *STRATEGIES)))
    chart = None if question.strategy == OPTIMAL else table.strategy(question.strategy)
    if question.wager == "lucky-break":
        return Answer(lucky_break(game, shoe=question.shoe, strategy=chart))
    return Answer(table.best if chart is None else table.played(chart))


def _poker(question: Question) -> Answer:
    """Hands against the house's from one deck, and wagers that the player's five cards decide."""
    if meters_of(question.game.pays[question.wager].values()):
        posted = SMALLEST_SEED if question.jackpot is None else question.jackpot
        gran = Progressive(question.game, wager=question.wager, shoe=question.shoe)
        notes = {
            "jackpot": posted,
            "fixed_return": gran.fixed_return,
            "break_even_jackpot": gran.break_even(),
        }
        return Answer(gran.figures(posted), notes=notes)
    solved = showdown(question.game, wagers=question.stakes, shoe=question.shoe)
    return Answer(solved.figures_of(question.wager), notes={"showdown": solved})


def _check(question: Question) -> None:
    book = question.game.terms.rulebook
    placed = [name for name, entry in book.wager.items() if entry.kind != "derived"]
    for name in (question.wager, *question.beside):
        if name not in placed:
            raise UnknownName("wager", name, placed, of=book.title)
    if any(ratio is not None and ratio <= 0 for ratio in question.beside.values()):
        raise BadOption("--beside", "a ratio of nothing", "ratios above zero such as ante=1/3")


def situations_of(question: Question) -> Sequence[Situation]:
    """What a player can know when the decision comes, by the quickest solver that fits."""
    game = question.game
    if isinstance(game, FuBacc):
        return hit_card.situations(game, question.stakes, question.shoe)
    if isinstance(game, Blackjack) and up_card.is_decided_by_up_card(game, question.wager):
        return up_card.situations(game, question.wager, question.shoe)
    referee = Referee(game, question.shoe, wagers=question.stakes.keys() | question.group)
    return list(walked(referee, game.open_round([question.stakes])))


def figures_of(law: Law, wagers: Iterable[str], unit: Cents) -> Figures:
    """The figures of some wagers of a law, per unit that the first of them was opened with."""
    group = frozenset(wagers)
    return Figures.of(_outcome(settled, group, unit, chance) for settled, chance in law.items())


def _outcome(settled: Settled, group: frozenset[str], unit: Cents, chance: Fraction) -> Outcome:
    lines = [line for line in settled if line[0] in group]
    names = [line[1] for line in lines]
    name = names[0] if len(set(names)) == 1 else " / ".join(f"{line[0]} {line[1]}" for line in lines)
    net = sum((line[2] for line in lines), Fraction(0)) / unit
    return Outcome(name, chance, net, Fraction(sum(line[3] for line in lines), unit))
