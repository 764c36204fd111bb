"""Computes the cost of wagers at many tables, and of ways to play that fit in one sentence.

Outcomes are counted once for all tables that judge them alike; each table then applies its own pays to the
counts. Which terms a computation reads is recorded: a term that it never reads cannot change its result.
"""

from collections.abc import Callable, Collection, Hashable, ItemsView, Iterable, Iterator, Mapping, Sequence, ValuesView
from contextlib import suppress
from fractions import Fraction
from itertools import accumulate, combinations
from operator import sub
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.figures import Figures
from feltworks.analysis.question import Answer, Question
from feltworks.analysis.shape import qualifier_of, ranking_of, shoe_game_of, waits_for_dealer
from feltworks.analysis.solvers.counts import Cost, cost, count_on, merge_alike, reprice_sights
from feltworks.analysis.solvers.fixed import is_decided_by_deal
from feltworks.analysis.solvers.progressive import Progressive
from feltworks.analysis.solvers.shoe_game.bonus import BonusRules, bonus_figures, bonus_of
from feltworks.analysis.solvers.showdown.solver import Showdown, showdown
from feltworks.analysis.solvers.showdown.spot import NoShowdown
from feltworks.cards import Rank
from feltworks.hands.hand import Hand
from feltworks.hands.poker import HIGH_CARD, PAIR, HandValue
from feltworks.hands.spot import SpotRules
from feltworks.machine.sights import Sight, SightCache
from feltworks.machine.tables import Tables
from feltworks.money import Cents, Odds
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.rulebook.model import OptionValue, PayTable
from feltworks.rules.terms import Terms


class WatchedOptions(dict[str, OptionValue]):
    """Options that record which of them were read.

    >>> options = WatchedOptions({"soft17": "hit", "decks": 6})
    >>> options["decks"], options.get("peek"), sorted(options.names)
    (6, None, ['decks', 'peek'])
    """

    def __init__(self, options: Mapping[str, OptionValue]) -> None:
        super().__init__(options)
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> OptionValue:
        self.names.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: object = None) -> object:  # type: ignore[override]  # records the name
        self.names.add(name)
        return super().get(name, default)

    def items(self) -> ItemsView[str, OptionValue]:  # type: ignore[override]  # reads every option
        self.names.update(self)
        return super().items()

    def values(self) -> ValuesView[OptionValue]:  # type: ignore[override]  # reads every option
        self.names.update(self)
        return super().values()


class WatchedTerms(Terms):
    """A copy of a table's terms that records what is read from it."""

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms.rulebook, options=terms.options, pay_tables=terms.pay_tables, limit=terms.limit)
        self.forget()

    def forget(self) -> None:
        """Clears the record of what was read."""
        self.options = self._read = WatchedOptions(dict(self.options))
        self._switches: dict[tuple[str, str], bool] = {}
        self._tables: set[str] = set()

    def pay_table(self, wager: str) -> PayTable:
        self._tables.add(wager)
        return super().pay_table(wager)

    def switch(self, wager: str, name: str) -> bool:
        answer = super().pay_table(wager).switches.get(name, True)
        self._switches[wager, name] = answer
        return answer

    def answers_alike(self, other: Terms) -> bool:
        """Whether other terms give the same answers to everything that was read.

        M.1: exact figures ignore breakage, so the way a house rounds is not compared.
        """
        return (
            self.rulebook is other.rulebook
            and self.limit == other.limit
            and self.breakage.chip == other.breakage.chip
            and all(dict.get(self._read, name) == other.options.get(name) for name in self._read.names)
            and all(self.pay_tables[wager] == other.pay_tables[wager] for wager in self._tables)
            and all(other.switch(*switch) == answer for switch, answer in self._switches.items())
        )


class Watch:
    """A copy of a game that records which of its terms a computation reads."""

    def __init__(self, game: Game) -> None:
        self.terms = WatchedTerms(game.terms)
        bonus = [type(judge) for judge in game.wagers.values() if type(judge) not in game.wager_types]
        self.game: Game = type(game)(self.terms, bonus)
        self.game.pays = game.pays
        self._settings = derived_settings(self.game)  # before the game caches anything about its rounds
        self.terms.forget()  # settings derived at the start are compared by value

    def is_judged_alike(self, game: Game, reads: Collection[str] | None = None) -> bool:
        """Whether the computation would be the same for another table of the game, apart from pays.

        `reads` names the derived settings that the computation reads (default: all).
        """
        if type(game) is not type(self.game) or not self.terms.answers_alike(game.terms):
            return False
        theirs = derived_settings(game)
        return all(self._settings[name] == theirs[name] for name in (self._settings if reads is None else reads))


def derived_settings(game: Game) -> dict[str, object]:
    """Returns the settings that a game derived from its terms, except its wagers and their pays."""
    shared = ("terms", "wagers", "_pays", "prices", "has_prizes")
    return {name: value for name, value in vars(game).items() if name not in shared and not callable(value)}


class SimplePlay(Struct, frozen=True):
    """A way to play in words, with its exact cost."""

    words: str
    cost: Cost


def always(counted: Sequence[Sight], wagers: Iterable[str], unit: int) -> Iterator[SimplePlay]:
    """Yields, for each choice, the play that makes it wherever it is open and plays best elsewhere."""
    group = frozenset(wagers)
    for name in dict.fromkeys(name for sight in counted for name in sight.choices if name):
        yield SimplePlay(f"always {name}", cost(counted, group, unit, always=name))


class ValueGains:
    """The gain of raising over folding, and the number of hands, for each hand value."""

    def __init__(self, solved: Showdown, worth: Mapping[str, list[int]], hands: list[int], divisor: int) -> None:
        (raising,), (folding,) = _raising_and_folding(solved.game, worth)
        self.hands, self.divisor = hands, divisor
        self.raising, self.values = raising, solved.classes.values
        self.factor = solved.game.terms.rulebook.wager[raising].factor
        self.gains = list(map(sub, worth[raising], worth[folding]))
        self.folding, self.dealt = sum(worth[folding]), sum(self.hands)
        # The sum of each column from every index to the end
        self.better = [list(accumulate(reversed(column)))[::-1] for column in (self.gains, self.hands)]

    def raise_from(self, words: str, least: int, besides: Iterable[int] = ()) -> SimplePlay:
        """Prices raising with hands of a value or better and of some other values, and folding the rest."""
        places = list(besides)
        gained, raised = (
            better[least] + sum(map(column.__getitem__, places))
            for better, column in zip(self.better, (self.gains, self.hands), strict=True)
        )
        edge = -Fraction(self.folding + gained, self.divisor * self.dealt)
        wagered = 1 + self.factor * Fraction(raised, self.dealt)
        return SimplePlay(f"{self.raising} with {words}", Cost(edge, edge / wagered))


def _raising_and_folding(game: Game, choices: Iterable[str]) -> tuple[list[str], list[str]]:
    """Splits choices into those that put down the wager of the same name, and the others."""
    names = [*choices]
    book = game.terms.rulebook.wager
    return [name for name in names if name in book], [name for name in names if name not in book]


def poker_plays(solved: Showdown) -> Iterator[SimplePlay]:
    """Yields raising from each value on, and also with unpaired high cards that the house would qualify with.

    Empty unless the player only raises or folds, without seeing a card of the dealer's.
    """
    if solved.has_up_card:
        return
    worth, hands, divisor = solved.worth_by_value()
    if [len(choices) for choices in _raising_and_folding(solved.game, worth)] != [1, 1]:
        return
    by_value, qualifier = ValueGains(solved, worth, hands, divisor), qualifier_of(solved.game)
    weakest: dict[str, int] = {}
    for place, value in enumerate(by_value.values):
        weakest.setdefault(value.words, place)
    for words, place in weakest.items():
        yield by_value.raise_from(f"{words} or better", place)
    if qualifier is not None and qualifier.category == PAIR.name:
        yield from _unpaired_plays(by_value, qualifier, weakest[qualifier.words], solved.classes.ranks)


def _unpaired_plays(
    by_value: ValueGains, qualifier: HandValue, qualifying: int, ranks: Sequence[Rank]
) -> Iterator[SimplePlay]:
    """SP.8: yields raising with unpaired hands that hold high cards, which the house then lacks to qualify."""
    least = qualifier.ranks[0]
    unpaired = [
        (value.ranks[:2], place)
        for place, value in enumerate(by_value.values)
        if value.category == HIGH_CARD.name and sum(rank >= least for rank in value.ranks) >= 3
    ]
    for high, next_high in combinations(reversed(ranks), 2):
        words = f"a {qualifier.words} or better, or no pair, {high.word}-{next_high.word} high or better"
        besides = [place for highest, place in unpaired if highest >= (high, next_high)]
        words += f" and three cards {least.word} or higher"
        yield by_value.raise_from(words, qualifying, besides)


UNIT: Cents = 100_00  # large enough that every derived wager has its whole range
F = TypeVar("F")


class Costs:
    """Caches counts together with the terms that each count read, so that other tables can reuse them.

    >>> from feltworks import catalog
    >>> Costs().of(catalog.game("acey-deucey-21", pay_tables={"war": "2"}), "war").house_edge
    Fraction(23, 622)
    """

    def __init__(self) -> None:
        self._results: dict[str, list[tuple[Watch, list[tuple[Game, Any]]]]] = {}
        self._costs: dict[Hashable, Cost] = {}
        self._plays: dict[int, Sequence[SimplePlay]] = {}
        self._tables: dict[Hashable, Game] = {}
        self._figures: dict[Hashable, Figures] = {}
        self._counted: dict[Hashable, SightCache] = {}
        self._sights: dict[Hashable, list[tuple[Game, list[Sight]]]] = {}

    def table(self, key: Hashable, opened: Callable[[], Game]) -> Game:
        """Returns the table with this key; opens it if it is not cached."""
        return self._tables.get(key) or self._tables.setdefault(key, opened())

    def of(self, game: Game, wager: str, beside: str = "") -> Cost:
        """Returns the cost of a wager when decisions are best for it, or for the wager beside it."""
        if not beside and _is_showdown(game, wager):
            with suppress(NoShowdown):  # such as a game with a board
                return self._poker(game, wager)
        if waits_for_dealer(game, wager):
            return self._beside_spot(game, wager)
        if not _is_counted(game, wager):
            return self._solve_by_question(game, wager, beside)
        counted, wagers = self._count(game, beside or wager), _group(game, wager)
        key = (id(counted), wagers, beside)  # counts are never dropped, so their ids stay unique
        if key not in self._costs:
            served = _group(game, beside) if beside else None
            self._costs[key] = cost(counted, wagers, UNIT, serving=served)
        return self._costs[key]

    def fixed_return(self, game: Game, wager: str) -> Fraction:
        """Returns the mean return of the awards that a progressive pays from the tray."""
        return self._progressive(game, wager).fixed_return

    def plays(self, game: Game, wager: str) -> Sequence[SimplePlay]:
        """Lists the ways to play that fit in one sentence; empty if there is nothing to decide."""
        if _is_counted(game, wager):
            return list(always(self._count(game, wager), _group(game, wager), UNIT))
        if game.terms.rulebook.wager[wager].kind != "main" or qualifier_of(game) is None:
            return ()
        with suppress(NoShowdown):
            solved = self._showdown(game, wager)
            if id(solved) not in self._plays:
                self._plays[id(solved)] = list(poker_plays(solved))
            return self._plays[id(solved)]
        return ()

    def _poker(self, game: Game, wager: str) -> Cost:
        if meters_of(game.pays[wager].values()):
            progressive = self._progressive(game, wager)
            if id(progressive) not in self._costs:
                edge = progressive.figures(progressive.rules.seed).house_edge
                self._costs[id(progressive)] = Cost(edge, edge)
            return self._costs[id(progressive)]
        figures = self._showdown(game, wager).figures
        return Cost(figures.house_edge, figures.element_of_risk)

    def _showdown(self, game: Game, wager: str) -> Showdown:
        def solve(table: Game) -> Showdown:
            return showdown(table, wagers=dict.fromkeys([wager, *table.terms.rulebook.placed_with(wager)], UNIT))

        group = _group(game, wager)
        at_odds = all(isinstance(pay, Odds) for name in group for pay in game.pays[name].values())
        return self._reuse(wager, game, group, solve, Showdown.reprice if at_odds else None)

    def _progressive(self, game: Game, wager: str) -> Progressive:
        def solve(table: Game) -> Progressive:
            return Progressive(table, wager=wager)

        return self._reuse(f"fixed awards of {wager}", game, {wager}, solve)

    def _beside_spot(self, game: Game, wager: str) -> Cost:
        shoe = game.terms.shoe

        def solve(table: Game) -> BonusRules:
            bonus_figures(table, shoe=shoe)  # reads all that figures depend on; the number of decks is not read
            return bonus_of(table)

        # The player has no strategy here, so the rules for playing hands are not read.
        settings = derived_settings(game).items()
        reads = [name for name, value in settings if not isinstance(value, Hand | SpotRules)]
        bonus = self._reuse(f"rules of {wager}", game, (), solve, reads=reads)
        key = id(bonus), shoe
        if key not in self._figures:
            self._figures[key] = bonus_figures(bonus.game, shoe=shoe)
        figures = _reprice_figures(self._figures[key], game, wager)
        return Cost(figures.house_edge, figures.element_of_risk)

    def _count(self, game: Game, wager: str) -> list[Sight]:
        """Counts the sights of a wager together with the wagers beside it that do not change its play."""
        wagers = [wager, *(name for name, judge in game.wagers.items() if judge.beside == wager)]
        paid, shoe = {*_group(game, wager), *wagers}, game.terms.shoe
        tables = self._compile(game, wagers, paid)
        key = id(tables), shoe
        if key not in self._sights:
            served = _group(game, wager)
            known = self._counted.setdefault((shoe, served), SightCache())
            counted = merge_alike(count_on(tables, shoe, serving=served, known=known))
            self._sights[key] = [(tables.game, counted)]
        for table, sights in self._sights[key]:
            if all(table.pays[name] == game.pays[name] for name in paid):
                return sights
        self._sights[key].append((game, reprice_sights(self._sights[key][0][1], game.pays)))
        return self._sights[key][-1][1]

    def _compile(self, game: Game, wagers: Sequence[str], paid: set[str]) -> Tables:
        """Compiles the tables of games that judge these wagers alike; shares them between pays if possible."""
        faces = tuple(game.terms.shoe)

        def solve(table: Game) -> Tables:
            return Tables(table, dict.fromkeys(wagers, UNIT), faces=faces)

        def keep(tables: Tables, table: Game) -> Tables:
            odds = all(isinstance(pay, Odds) for name in paid for pay in table.pays[name].values())
            return tables if odds and tables.has_one_decision else solve(table)

        # With wagers that the first deal decides the round ends there, so no other setting is read
        reads = () if shoe_game_of(game) else None
        return self._reuse(f"tables of {wagers[0]} with {len(faces)} faces", game, paid, solve, keep, reads)

    def _solve_by_question(self, game: Game, wager: str, beside: str) -> Cost:
        """Solves a wager of an added game, beside the one it needs, with the solver that fits."""
        from feltworks.analysis.analyze import analyze
        from feltworks.analysis.solvers.draw import DrawSolver

        needed = game.terms.rulebook.wager[wager].needs
        # The solvers of poker hands can leave out the wager that this one needs
        beside = beside or (needed.wager if needed and not ranking_of(game) else "")

        def solve(table: Game) -> Answer:
            return analyze(Question(table, wager, {beside: None} if beside else {}))

        def reprice(answer: Answer, table: Game) -> Answer:
            draw = answer.notes.get("draw")
            at_odds = all(isinstance(pay, Odds) for pay in table.pays[wager].values())
            if not at_odds or beside or not isinstance(draw, DrawSolver):
                return solve(table)
            again, question = draw.reprice(table), Question(table, wager)
            return Answer(again.figures_of(question.group, question.unit), notes={"draw": again})

        group = _group(game, wager) | _group(game, beside)
        figures = self._reuse(f"{wager} {beside}", game, group, solve, reprice).figures
        assert isinstance(figures, Figures)  # the audit leaves out blackjack's own wager, which has decimals
        return Cost(figures.house_edge, figures.element_of_risk)

    def _reuse(
        self,
        key: str,
        game: Game,
        wagers: Collection[str],
        solve: Callable[[Game], F],
        reprice: Callable[[F, Game], F] | None = None,
        reads: Collection[str] | None = None,
    ) -> F:
        """Returns the cached result of a table that judges and pays these wagers alike, or solves a new one."""
        result: F
        for watch, entries in self._results.get(key, []):
            if watch.is_judged_alike(game, reads):
                for table, result in entries:
                    if all(table.pays[wager] == game.pays[wager] for wager in wagers):
                        return result
                if reprice:
                    entries.append((game, reprice(entries[0][1], game)))
                    result = entries[-1][1]
                    return result
        watch = Watch(game)
        result = solve(watch.game)
        self._results.setdefault(key, []).append((watch, [(watch.game, result)]))
        return result


def _is_showdown(game: Game, wager: str) -> bool:
    """Whether the game compares poker hands and allows the wager alone on its spot."""
    needs = game.terms.rulebook.wager[wager].needs
    return ranking_of(game) is not None and (needs is None or game.terms.lifts(needs.unless, wager))


def _is_counted(game: Game, wager: str) -> bool:
    """Whether situations can be counted once for all tables, rather than solved table by table."""
    table = shoe_game_of(game)
    return is_decided_by_deal(table, wager) if table else game.is_short


def _reprice_figures(figures: Figures, game: Game, wager: str) -> Figures:
    """Applies the pays of another table to the outcomes of a wager."""
    pays = {outcome: pay for outcome, pay in game.pays[wager].items() if isinstance(pay, Odds)}
    return Figures.of(replace(row, net=pays[row.name].exact) for row in figures.outcomes)


def _group(game: Game, wager: str) -> frozenset[str]:
    """Returns a wager with those placed with it and all that derive from them."""
    book = game.terms.rulebook
    placed = {wager, *(book.placed_with(wager) if wager else ())}
    return frozenset(name for name, entry in book.wager.items() if placed & {name, entry.of})
