"""What wagers cost at many tables: counted once wherever two tables judge alike, priced for each of them."""

from collections.abc import Callable, Collection, Hashable, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, TypeVar

from msgspec.structs import replace

from feltworks.analysis.audit.simple_play import SimplePlay, always, poker_plays
from feltworks.analysis.counted import Cost, cost, count_on, merge_alike, reprice
from feltworks.analysis.figures import Figures
from feltworks.analysis.first_deal import is_decided_by_deal
from feltworks.analysis.options_read import Watch, made_of_terms
from feltworks.analysis.progressive.jackpot import Progressive
from feltworks.analysis.shape import qualifier_of, ranking_of, shoe_game_of, waits_for_dealer
from feltworks.analysis.shoe_game.dealer_bonus import bonus_figures
from feltworks.analysis.showdown.solver import Showdown, showdown
from feltworks.analysis.showdown.spot import NoShowdown
from feltworks.hands.hand import Hand
from feltworks.hands.spot import SpotRules
from feltworks.machine.sights import Sight
from feltworks.machine.tables import Tables
from feltworks.money import Cents, Odds
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of

UNIT: Cents = 100_00  # enough that every derived wager has its whole range
F = TypeVar("F")


class Costs:
    """Remembers what was counted, with what it asked of its table's terms, for as long as it lives.

    >>> from feltworks import catalog
    >>> Costs().of(catalog.game("acey-deucey-21", pay_tables={"war": "2"}), "war").house_edge
    Fraction(23, 622)
    """

    def __init__(self) -> None:
        self._known: dict[str, list[tuple[Watch, list[tuple[Game[Any], Any]]]]] = {}
        self._priced: dict[Hashable, Cost] = {}
        self._plays: dict[int, Sequence[SimplePlay]] = {}
        self._tables: dict[Hashable, Game[Any]] = {}
        self._sights: dict[Hashable, list[tuple[Game[Any], list[Sight]]]] = {}

    def table(self, key: Hashable, opened: Callable[[], Game[Any]]) -> Game[Any]:
        """The table of this key, opened once."""
        return self._tables.get(key) or self._tables.setdefault(key, opened())

    def of(self, game: Game[Any], wager: str, beside: str = "") -> Cost:
        """What a wager costs under best play for its own sake, or for the sake of the wager beside it."""
        if not beside and _is_showdown(game, wager):
            with suppress(NoShowdown):  # such as a game with a board
                return self._poker(game, wager)
        if waits_for_dealer(game, wager):
            return self._beside_spot(game, wager)
        if not _is_counted(game, wager):
            return self._answered(game, wager, beside)
        counted, wagers = self._counted(game, beside or wager), _group(game, wager)
        key = (id(counted), wagers, beside)  # what was counted is never forgotten, so its id is its own
        if key not in self._priced:
            served = _group(game, beside) if beside else None
            self._priced[key] = cost(counted, wagers, UNIT, serving=served)
        return self._priced[key]

    def fixed_return(self, game: Game[Any], wager: str) -> Fraction:
        """What the awards of a progressive from the tray give back."""
        return self._progressive(game, wager).fixed_return

    def plays(self, game: Game[Any], wager: str) -> Sequence[SimplePlay]:
        """Ways to play that can be said in one sentence; none where there is nothing to decide."""
        if _is_counted(game, wager):
            return list(always(self._counted(game, wager), _group(game, wager), UNIT))
        if game.terms.rulebook.wager[wager].kind != "main" or qualifier_of(game) is None:
            return ()
        with suppress(NoShowdown):
            solved = self._showdown(game, wager)
            if id(solved) not in self._plays:
                self._plays[id(solved)] = list(poker_plays(solved))
            return self._plays[id(solved)]
        return ()

    def _poker(self, game: Game[Any], wager: str) -> Cost:
        if meters_of(game.pays[wager].values()):
            gran = self._progressive(game, wager)
            if id(gran) not in self._priced:
                edge = gran.figures(gran.rules.seed).house_edge
                self._priced[id(gran)] = Cost(edge, edge)
            return self._priced[id(gran)]
        figures = self._showdown(game, wager).figures
        return Cost(figures.house_edge, figures.element_of_risk)

    def _showdown(self, game: Game[Any], wager: str) -> Showdown:
        def solve(table: Game[Any]) -> Showdown:
            return showdown(table, wagers={wager: UNIT})

        group = _group(game, wager)
        at_odds = all(isinstance(pay, Odds) for name in group for pay in game.pays[name].values())
        return self._remembered(wager, game, group, solve, Showdown.repriced if at_odds else None)

    def _progressive(self, game: Game[Any], wager: str) -> Progressive:
        def solve(table: Game[Any]) -> Progressive:
            return Progressive(table, wager=wager)

        return self._remembered(f"fixed awards of {wager}", game, {wager}, solve)

    def _beside_spot(self, game: Game[Any], wager: str) -> Cost:
        def solve(table: Game[Any]) -> Figures:
            return bonus_figures(table)

        def reprice(figures: Figures, table: Game[Any]) -> Figures:
            return _repriced(figures, table, wager)

        # Without a strategy of the player's it does not count what a seat may do with its hands.
        made = made_of_terms(game).items()
        reads = [name for name, value in made if not isinstance(value, Hand | SpotRules)]
        figures = self._remembered(wager, game, {wager}, solve, reprice, reads)
        return Cost(figures.house_edge, figures.element_of_risk)

    def _counted(self, game: Game[Any], wager: str) -> list[Sight]:
        """A wager of few cards; an Ante with all that lies beside it and changes nothing about its play."""
        wagers = [wager, *(name for name, judge in game.wagers.items() if judge.beside == wager)]
        paid, shoe = {*_group(game, wager), *wagers}, game.terms.shoe
        tables = self._compiled(game, wagers, paid)
        key = id(tables), shoe
        if key not in self._sights:
            counted = merge_alike(count_on(tables, shoe, serving=_group(game, wager)))
            self._sights[key] = [(tables.game, counted)]
        for table, sights in self._sights[key]:
            if all(table.pays[name] == game.pays[name] for name in paid):
                return sights
        self._sights[key].append((game, reprice(self._sights[key][0][1], game.pays)))
        return self._sights[key][-1][1]

    def _compiled(self, game: Game[Any], wagers: Sequence[str], paid: set[str]) -> Tables:
        """The tables of a game that judges these wagers alike, whatever it pays if nothing hangs on that."""
        faces = tuple(game.terms.shoe)

        def solve(table: Game[Any]) -> Tables:
            return Tables(table, dict.fromkeys(wagers, UNIT), faces=faces)

        def keep(tables: Tables, table: Game[Any]) -> Tables:
            odds = all(isinstance(pay, Odds) for name in paid for pay in table.pays[name].values())
            return tables if odds and tables.has_one_decision else solve(table)

        # Wagers that the first deal decides end the round there: nothing else that the game made counts
        reads = () if shoe_game_of(game) else None
        return self._remembered(
            f"tables of {wagers[0]} with {len(faces)} faces", game, paid, solve, keep, reads
        )

    def _answered(self, game: Game[Any], wager: str, beside: str) -> Cost:
        """A wager of a game that somebody added, beside the one it needs: whatever solver fits it."""
        needed = game.terms.rulebook.wager[wager].needs
        beside = beside or (needed.wager if needed else "")

        def solve(table: Game[Any]) -> Cost:
            from feltworks.analysis.analyze import Question, analyze

            figures = analyze(Question(table, wager, {beside: None} if beside else {})).figures
            assert isinstance(figures, Figures)  # blackjack's own, in decimals, is no figure of an audit
            return Cost(figures.house_edge, figures.element_of_risk)

        return self._remembered(f"{wager} {beside}", game, _group(game, wager) | _group(game, beside), solve)

    def _remembered(
        self,
        key: str,
        game: Game[Any],
        wagers: set[str] | frozenset[str],
        solve: Callable[[Game[Any]], F],
        reprice: Callable[[F, Game[Any]], F] | None = None,
        reads: Collection[str] | None = None,
    ) -> F:
        """What was found at a table that judges and pays these wagers alike, or what is found now."""
        found: F
        for watch, priced in self._known.get(key, []):
            if watch.is_judged_alike(game, reads):
                for table, found in priced:
                    if all(table.pays[wager] == game.pays[wager] for wager in wagers):
                        return found
                if reprice:
                    priced.append((game, reprice(priced[0][1], game)))
                    found = priced[-1][1]
                    return found
        watch = Watch(game)
        found = solve(watch.game)
        self._known.setdefault(key, []).append((watch, [(watch.game, found)]))
        return found


def _is_showdown(game: Game[Any], wager: str) -> bool:
    """Whether poker hands are compared, and the wager may lie on its spot alone."""
    needs = game.terms.rulebook.wager[wager].needs
    return ranking_of(game) is not None and (needs is None or game.terms.lifts(needs.unless, wager))


def _is_counted(game: Game[Any], wager: str) -> bool:
    """Whether situations are counted for all tables at once, rather than solved table by table."""
    table = shoe_game_of(game)
    return is_decided_by_deal(table, wager) if table else game.is_short


def _repriced(figures: Figures, game: Game[Any], wager: str) -> Figures:
    """The outcomes of a wager under other pays."""
    pays = {outcome: pay for outcome, pay in game.pays[wager].items() if isinstance(pay, Odds)}
    return Figures.of(replace(row, net=pays[row.name].exact) for row in figures.outcomes)


def _group(game: Game[Any], wager: str) -> frozenset[str]:
    """A wager with those derived from it."""
    entries = game.terms.rulebook.wager.items()
    return frozenset(name for name, entry in entries if wager in (name, entry.of))
