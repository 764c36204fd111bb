"""The report on the play of a wager: best play as grids, practical lists of rules, and turning ratios.

In a grid the lines are what a player holds; the columns are what the dealer shows, or what else counts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import nsmallest

from msgspec import Struct

from feltworks.analysis.analyze import Question
from feltworks.analysis.figures import Number
from feltworks.analysis.progress import Progress
from feltworks.analysis.shape import high_rank_of, main_wager_of, ranking_of, shoe_game_of
from feltworks.analysis.solvers.shoe_game.chart import Chart as BlackjackChart
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis
from feltworks.analysis.strategy.chart_rules import chart_ladder
from feltworks.analysis.strategy.optimal import (
    SolvedSight,
    Strategy,
    TurningPoint,
    optimal_strategy,
    turning_ratios,
)
from feltworks.analysis.strategy.practical import MOST_RULES, Ladder, ladder
from feltworks.cards import Rank
from feltworks.hands.poker import Ranking
from feltworks.rules.sights.sight import Axis, Chart, Seen

_CLOSEST = 8  # hands shown at the borderline
Place = Callable[[Seen], str]


class Cell(Struct, frozen=True):
    """What to do there: one choice, or the shares of several where more than the cell's names decides."""

    shares: Mapping[str, Number]
    values: Mapping[str, Number]
    otherwise: str = ""  # where the choice is not open to a longer hand

    @property
    def choice(self) -> str:
        return max(self.shares, key=lambda name: self.shares[name])

    @property
    def is_mixed(self) -> bool:
        return len(self.shares) > 1


class Grid(Struct, frozen=True):
    """A chart: its lines from the top, its columns from the left, and the cells that can come up."""

    title: str
    down: str
    across: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[str, str], Cell]
    notes: tuple[str, ...] = ()

    @property
    def choices(self) -> list[str]:
        """Every choice some cell makes."""
        return list(dict.fromkeys(name for cell in self.cells.values() for name in cell.shares))


def grid_of(decided: Sequence[SolvedSight], chart: Chart) -> Grid:
    """Situations gathered into cells, their values and choices weighed by how likely they are."""
    down, across = chart.down, chart.across
    gathered: dict[tuple[str, str], list[SolvedSight]] = {}
    for each in decided:
        if len(each.values) > 1:
            gathered.setdefault((down.label(each.seen), across.label(each.seen)), []).append(each)
    cells = {place: _cell(together) for place, together in gathered.items()}
    rows, columns = (
        [name for name in axis.labels if any(name == key[at] for key in cells)]
        for at, axis in enumerate((down, across))
    )
    drawn = {
        (row, column): cells[row, column] for row in rows for column in columns if (row, column) in cells
    }
    notes = tuple(_notes(decided, chart, drawn))
    return Grid("Best play", down.title, across.title, tuple(rows), tuple(columns), drawn, notes)


def _cell(together: Sequence[SolvedSight]) -> Cell:
    whole = sum((each.probability for each in together), Fraction(0))
    shares: dict[str, Fraction] = {}
    for each in together:
        for name, share in each.best.items():
            shares[name] = shares.get(name, Fraction(0)) + each.probability * share / whole
    open_to_all = [name for name in together[0].values if all(name in each.values for each in together)]
    values = {
        name: sum((each.probability * each.values[name] for each in together), Fraction(0)) / whole
        for name in open_to_all
    }
    return Cell(shares, values)


def grids_of(strategy: Strategy) -> list[Grid]:
    """The charts of a strategy: as its game declares them, by its poker hands, or by the cards themselves."""
    return [grid_of(strategy.decided, _chart(strategy))]


def _chart(strategy: Strategy) -> Chart:
    game = strategy.question.game
    if sights := game.sights:
        return sights.chart
    if ranking := ranking_of(game):
        return _hands_chart(strategy, ranking, high_rank_of(game, ranking))
    hands = sorted({_cards(each.seen) for each in strategy.decided})
    shown = sorted({_dealer(each.seen) for each in strategy.decided})
    return Chart(Axis("cards", tuple(hands), _cards), Axis("dealer", tuple(shown), _dealer))


def _cards(seen: Seen) -> str:
    return " ".join(face.code for face in sorted(seen.cards))


def _dealer(seen: Seen) -> str:
    return " ".join(face.code for face in seen.dealer)


def _hands_chart(strategy: Strategy, ranking: Ranking, high: Rank) -> Chart:
    """Hands by their names, against how many of their cards are high."""
    values = {each.seen: ranking.value(each.seen.cards) for each in strategy.decided}
    names = {value: _hand(value.category, value.words) for value in values.values()}
    ordered = dict.fromkeys(names[value] for value in sorted(names, reverse=True))
    numbers = tuple(map(str, range(ranking.size + 1)))
    return Chart(
        Axis("hand", tuple(ordered), lambda seen: names[values[seen]]),
        Axis(
            f"cards {high.word} or higher",
            numbers,
            lambda seen: str(sum(face.rank >= high for face in seen.cards)),
        ),
        hand=lambda seen: " ".join(face.rank.letter for face in sorted(seen.cards, key=lambda f: -f.rank)),
        closest=_CLOSEST,
    )


def _hand(category: str, words: str) -> str:
    return words if category in ("high card", "pair") else category


def _notes(
    decided: Sequence[SolvedSight], chart: Chart, cells: Mapping[tuple[str, str], Cell]
) -> Iterable[str]:
    if chart.hand is None:
        return ()
    if chart.closest:
        return _borderline(decided, chart.hand, chart.closest)
    return sorted(_divided_cells(decided, chart, chart.hand, cells))


def _divided_cells(
    decided: Sequence[SolvedSight], chart: Chart, hand: Place, cells: Mapping[tuple[str, str], Cell]
) -> Iterator[str]:
    """Where the cards themselves decide: which of them play otherwise than most."""
    for (down, across), cell in cells.items():
        for name in cell.shares if cell.is_mixed else ():
            held = {
                hand(each.seen)
                for each in decided
                if (chart.down.label(each.seen), chart.across.label(each.seen)) == (down, across)
                and name in each.best
            }
            if name != cell.choice:
                yield f"{down} against {across}: {name} with {', '.join(sorted(held))}"


def _borderline(decided: Sequence[SolvedSight], hand: Place, closest: int) -> Iterator[str]:
    """The hands for which the choice matters least: there the strategy turns."""
    close = [each for each in decided if len(each.values) > 1]
    for each in nsmallest(closest, close, key=_difference):
        best, next_best = sorted(each.values, key=lambda name: -each.values[name])[:2]
        lost = float(_difference(each))
        suits = " for most suits" if len(each.best) > 1 else ""
        yield f"borderline {hand(each.seen)}: {best}{suits}; to {next_best} would cost {lost:.5f} of a unit"


def _difference(each: SolvedSight) -> Fraction:
    best, next_best = sorted(each.values.values(), reverse=True)[:2]
    return best - next_best


def blackjack_grids(chart: BlackjackChart) -> list[Grid]:
    """Hard totals, soft totals and pairs against the up card."""
    return [_blackjack_grid(chart, kind) for kind in ("hard", "soft", "pair")]


def _blackjack_grid(chart: BlackjackChart, kind: str) -> Grid:
    lines = sorted({held for key, held, _ in chart if key == kind and (kind, held) != ("soft", 12)})
    lines.sort(key=lambda held: held == 1 or held / 22, reverse=True)  # aces are the highest pair
    rows = {held: _pair(held) if kind == "pair" else str(held) for held in lines}
    ups = {up: "A" if up == 1 else str(up) for up in (*range(2, 11), 1)}
    cells = {
        (rows[held], ups[up]): Cell({advice.choice: 1.0}, advice.values, advice.otherwise)
        for (key, held, up), advice in chart.items()
        if key == kind and held in rows
    }
    title = {"hard": "Hard totals", "soft": "Soft totals", "pair": "Pairs"}[kind]
    return Grid(title, kind, "up card", tuple(rows.values()), tuple(ups.values()), cells)


def _pair(value: int) -> str:
    card = "A" if value == 1 else str(value)
    return f"{card}-{card}"


class StrategyReport(Struct, frozen=True):
    """All results on the play of a wager."""

    question: Question
    house_edge: Number  # under best play
    grids: Sequence[Grid]
    ladder: Ladder
    decided: Sequence[SolvedSight] = ()
    turns: Sequence[tuple[str, TurningPoint]] = ()  # for each wager that grows beside the played one
    chart_edge: Number | None = None  # of the best chart of totals, where best play goes by exact cards


def strategy_report(
    question: Question, most_rules: int = MOST_RULES, progress: Progress | None = None
) -> StrategyReport:
    """Best play and practical play of a wager; refused where there is nothing to decide."""
    question.check()
    game = shoe_game_of(question.game)
    if game and question.wager == main_wager_of(game):
        return _by_hand(question, TableAnalysis(game, question.shoe), most_rules, progress)
    strategy = optimal_strategy(question)
    turns = turning_ratios(question, strategy.answer.situations) if question.beside else {}
    return StrategyReport(
        question,
        strategy.answer.figures.house_edge,
        grids_of(strategy),
        ladder(strategy, most_rules, progress),
        strategy.decided,
        [(wager, turn) for wager, wager_turns in turns.items() for turn in wager_turns],
    )


def _by_hand(
    question: Question, table: TableAnalysis, most_rules: int, progress: Progress | None
) -> StrategyReport:
    return StrategyReport(
        question,
        table.best.house_edge,
        blackjack_grids(table.basic_strategy),
        chart_ladder(table, most_rules, progress),
        chart_edge=table.figures_under(table.basic_strategy).house_edge,
    )
