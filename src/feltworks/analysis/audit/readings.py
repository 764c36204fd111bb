"""Computes the edge under every other reading of the documents, and the difference in money.

A case is a wager at a table that differs from the default in one thing.
"""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from feltworks import catalog
from feltworks.analysis.audit.costs import Costs
from feltworks.analysis.figures import WAGER, in_money, per_hundred_rounds, percent
from feltworks.analysis.solvers.shoe_game.dealer import bust_law
from feltworks.analysis.solvers.shoe_game.rules import table_rules
from feltworks.money import Cents, Odds
from feltworks.rules.game import Game
from feltworks.rules.rulebook.model import OptionValue, Reading, Rulebook


class Case(Struct, frozen=True):
    """A wager at a table that differs from the default in its pay table, its decks or one option."""

    name: str
    wager: str
    pay_table: str = "1"
    decks: int | None = None
    option: str = ""
    value: OptionValue = ""
    beside: str = ""

    def game(self) -> Game:
        """Opens the table."""
        book = catalog.rulebook(self.name)
        options = book.offers_with([self.wager])
        if self.decks is not None and "decks" in book.option:
            options["decks"] = self.decks
        if self.option:
            options[self.option] = self.value
        return catalog.game(self.name, options=options, pay_tables={self.wager: self.pay_table})

    def table(self, costs: Costs) -> Game:
        """Returns the cached table, which cases that differ only in `beside` share."""
        return costs.table(replace(self, beside="") if self.beside else self, self.game)

    def quantity(self, name: str, costs: Costs) -> Fraction:
        """Computes one of the figures that documents print."""
        game = self.table(costs)
        if name == "fixed_return":
            return costs.fixed_return(game, self.wager)
        cost = costs.of(game, self.wager, self.beside)
        return cost.house_edge if name == "house_edge" else cost.element_of_risk


def other_readings(book: Rulebook) -> Iterator[tuple[str, OptionValue]]:
    """Yields every value besides the default of the options that stand for a reading."""
    for option in dict.fromkeys(reading.option for reading in book.reading if reading.option):
        entry = book.option[option]
        for value in entry.values or ():
            if value != entry.preset:
                yield option, value


def option_text(value: OptionValue) -> str:
    """Formats an option's value as on a command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def audited_wagers(book: Rulebook) -> list[str]:
    """Lists the wagers whose exact edge is fast to compute: all but the main wager of a game with spots."""
    game_type = catalog.game_type(book.name)
    slow = game_type.wager_types[0].name if game_type.has_spots else ""
    placed = [name for name, e in book.wager.items() if e.kind != "derived" and not e.equals]
    return [name for name in placed if name != slow]


def cases_beside_main(case: Case, book: Rulebook) -> list[Case]:
    """FB.11, FB.13: adds a case for a Tie beside an Ante, whose edge depends on how the hand is played."""
    beside = catalog.wager_types(book.name)[case.wager].beside
    return [replace(case, beside=beside)] if beside else []


class Effect(Struct, frozen=True):
    """The edge of a wager under another reading."""

    game: str
    clause: str
    option: str  # empty if the alternative is not an option of the game
    value: OptionValue  # of the option, or the alternative in words
    wager: str
    beside: str
    stake: Cents  # $10, or the amount that the rules fix
    house_edge: Fraction
    house_edge_by_default: Fraction

    @property
    def money(self) -> Cents:
        """The house's gain from the reading in a hundred rounds of the stake."""
        now, before = self.house_edge, self.house_edge_by_default
        return per_hundred_rounds(now, self.stake) - per_hundred_rounds(before, self.stake)

    @property
    def words(self) -> str:
        """A short name of the other reading."""
        option = self.option.rpartition(".")[2]  # the last part is enough to choose the option by
        return f"{option}={option_text(self.value)}" if option else str(self.value)

    def __str__(self) -> str:
        beside = f" beside the {self.beside}" if self.beside else ""
        edges = f"{percent(self.house_edge, 4)} rather than {percent(self.house_edge_by_default, 4)}"
        money = in_money(self.house_edge, self.house_edge_by_default, wager=self.stake)
        return f"By “{self.words}” the {self.wager}{beside} costs {edges}: {money}."


class AuditedReading(Struct, frozen=True):
    """A reading of something that a document leaves open, and the effect of every other reading."""

    game: str
    reading: Reading
    effects: tuple[Effect, ...]
    finding: str


def audit_readings(game: str | None = None, costs: Costs | None = None) -> Iterator[AuditedReading]:
    """Audits every reading of one game or of all, with the effect of each alternative."""
    costs = costs or Costs()
    for name in [game] if game else catalog.games():
        book = catalog.rulebook(name)
        for reading in book.reading:
            effects = [
                *_by_option(name, book, reading, costs),
                *_by_factors(name, book, reading, costs),
                *_by_pays(name, book, reading, costs),
            ]
            yield AuditedReading(name, reading, tuple(effects), _finding(book, reading, effects))


def _by_option(name: str, book: Rulebook, reading: Reading, costs: Costs) -> Iterator[Effect]:
    for option, value in other_readings(book):
        if option != reading.option:
            continue
        for wager in audited_wagers(book):
            case = Case(name, wager)
            for usual in (case, *cases_beside_main(case, book)):
                before = usual.quantity("house_edge", costs)
                edge = replace(usual, option=option, value=value).quantity("house_edge", costs)
                if edge != before:
                    stake, clause = _stake(book, wager), reading.clause
                    yield Effect(name, clause, option, value, wager, usual.beside, stake, edge, before)


def _by_factors(name: str, book: Rulebook, reading: Reading, costs: Costs) -> Iterator[Effect]:
    """LB.7: combines the rows of each pay table with the factors of every other.

    Leaves out combinations that pay like a numbered table or like an earlier combination.
    """
    for wager in audited_wagers(book):
        tables = book.pay_table[wager]
        if reading.clause not in {table.factors_clause for table in tables.values() if table.factors}:
            continue
        before = Case(name, wager).quantity("house_edge", costs)
        combinations = [(table.pays, table.factors) for table in tables.values()]
        for base, with_rows in tables.items():
            for number, with_factors in tables.items():
                if (with_rows.pays, with_factors.factors) in combinations:
                    continue
                combinations.append((with_rows.pays, with_factors.factors))
                game = Case(name, wager, base).game()
                other = replace(with_rows, factors=with_factors.factors)
                game.pays = {**game.pays, wager: game.wagers[wager].pays(other)}
                edge = costs.of(game, wager).house_edge
                words = f"base pays {base} with multipliers {number}"
                yield Effect(name, reading.clause, "", words, wager, "", _stake(book, wager), edge, before)


def edge_with_suits(game: Game, wager: str, *, is_whole_hand: bool) -> Fraction:
    """Computes the edge of a wager on the dealer's bust, where "suited" means the whole hand or three cards."""
    pays, returned = game.pays[wager], Fraction(0)
    law = bust_law(game.terms.decks, table_rules(game).dealer)
    for (total, held, longest), chance in law.items():
        is_suited = longest == held if is_whole_hand else longest >= 3
        number = "5 or more" if longest >= 5 else str(longest)
        pay = pays[f"{total}, {number} suited" if is_suited else str(total)]
        assert isinstance(pay, Odds)
        returned += chance * (1 + Fraction(pay.win, pay.per))
    return 1 - returned


def _by_pays(name: str, book: Rulebook, reading: Reading, costs: Costs) -> Iterator[Effect]:
    other = reading.other_pays
    if other is None:
        return
    before = Case(name, other.wager, other.pay_table).quantity("house_edge", costs)
    table = Case(name, other.wager, other.judged_as).game()
    if other.within:
        edge = edge_with_suits(table, other.wager, is_whole_hand=False)
    else:
        changed = {name for name, entry in book.wager.items() if other.wager in (name, entry.of)}
        table.pays = {
            wager: {row: other.pay(row, pay) if wager in changed else pay for row, pay in pays.items()}
            for wager, pays in table.pays.items()
        }
        edge = costs.of(table, other.wager).house_edge
    yield Effect(name, reading.clause, "", other.words, other.wager, "", _stake(book, other.wager), edge, before)


def _stake(book: Rulebook, wager: str) -> Cents:
    entry = book.wager[wager]
    return entry.least if entry.fixed else WAGER


def _finding(book: Rulebook, reading: Reading, effects: list[Effect]) -> str:
    if effects:
        return " ".join(map(str, effects))
    if reading.option and book.option[reading.option].values:
        kinds = catalog.wager_types(book.name)
        assumes_limit = any(kinds[wager].assumes for wager in audited_wagers(book))
        limit = " while the player keeps within its limit" if assumes_limit else ""
        blackjack = " The blackjack wager is left to felt analyze." if reading.clause.startswith("BJ") else ""
        return f"By the default rules no edge of the wagers audited here changes{limit}.{blackjack}"
    if reading.option:
        return f"Nothing was computed here: felt analyze takes any value of {reading.option}."
    if reading.alternatives:
        return "The alternative is no option of the game; nothing was computed for it."
    return "No other reading is declared."
