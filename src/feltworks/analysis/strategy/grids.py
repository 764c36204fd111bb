"""Strategies as grids: what a player holds downwards, what the dealer shows or what else counts across."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import nsmallest

from msgspec import Struct

from feltworks.analysis.blackjack.analysis import Chart
from feltworks.analysis.shape import ranking_of
from feltworks.analysis.shoe_game.numbers import Number
from feltworks.analysis.strategy.optimal import Decided, Strategy
from feltworks.analysis.strategy.vocabulary import Seen
from feltworks.cards import Rank
from feltworks.games.blackjack import Blackjack
from feltworks.games.fu_bacc import FuBacc
from feltworks.hands.baccarat import points, total
from feltworks.hands.poker import Ranking
from feltworks.hands.spread import spread

_QUALIFYING = Rank.SIX  # SP.8: such cards keep the house from qualifying
_CLOSEST = 8  # hands shown at the borderline


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


Place = Callable[[Seen], str]


def grid_of(
    decided: Iterable[Decided],
    title: str,
    down: tuple[str, Sequence[str], Place],
    across: tuple[str, Sequence[str], Place],
) -> Grid:
    """Situations gathered into cells, their values and choices weighed by how likely they are."""
    gathered: dict[tuple[str, str], list[Decided]] = {}
    for each in decided:
        if len(each.values) > 1:
            gathered.setdefault((down[2](each.seen), across[2](each.seen)), []).append(each)
    cells = {place: _cell(together) for place, together in gathered.items()}
    rows, columns = (
        [name for name in names if any(name == key[at] for key in cells)]
        for at, names in enumerate((down[1], across[1]))
    )
    drawn = {
        (row, column): cells[row, column] for row in rows for column in columns if (row, column) in cells
    }
    return Grid(title, down[0], across[0], tuple(rows), tuple(columns), drawn)


def _cell(together: Sequence[Decided]) -> Cell:
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
    """The charts of a strategy, by the shape of its game."""
    game, title = strategy.question.game, "Best play"
    if ranking := ranking_of(game):
        return [_hands_grid(strategy, ranking)]
    if isinstance(game, FuBacc):
        digits = tuple(map(str, range(10)))
        totals = ("total", digits[::-1], lambda seen: str(total(seen.cards)))
        found = grid_of(
            strategy.decided, title, totals, ("up card", digits, lambda seen: str(points(seen.dealer[0])))
        )
        return [_with_notes(found, strategy.decided, totals[2])]
    if isinstance(game, Blackjack):
        spreads = ("spread", ("pair", *map(str, range(12))), lambda seen: _spread(seen))
        return [grid_of(strategy.decided, title, spreads, ("suits", ("two suits", "one suit"), _suits))]
    hands = sorted({_cards(each.seen) for each in strategy.decided})
    shown = sorted({_dealer(each.seen) for each in strategy.decided})
    return [grid_of(strategy.decided, title, ("cards", hands, _cards), ("dealer", shown, _dealer))]


def _spread(seen: Seen) -> str:
    between = spread(seen.cards[0].rank, seen.cards[1].rank)
    return "pair" if between < 0 else str(between)


def _suits(seen: Seen) -> str:
    return "one suit" if seen.cards[0].suit is seen.cards[1].suit else "two suits"


def _cards(seen: Seen) -> str:
    return " ".join(face.code for face in sorted(seen.cards))


def _dealer(seen: Seen) -> str:
    return " ".join(face.code for face in seen.dealer)


def _with_notes(grid: Grid, decided: Sequence[Decided], row: Place) -> Grid:
    """Where the two cards themselves decide: which of them play otherwise than most."""
    notes = []
    for (down, across), cell in grid.cells.items():
        for name in cell.shares if cell.is_mixed else ():
            held = {
                "-".join(str(points(face)) for face in sorted(each.seen.cards, key=points, reverse=True))
                for each in decided
                if (row(each.seen), str(points(each.seen.dealer[0]))) == (down, across) and name in each.best
            }
            if name != cell.choice:
                notes.append(f"{down} against {across}: {name} with {', '.join(sorted(held))}")
    return Grid(grid.title, grid.down, grid.across, grid.rows, grid.columns, grid.cells, tuple(sorted(notes)))


def _hands_grid(strategy: Strategy, ranking: Ranking) -> Grid:
    """Hands by their names, against how many of their cards the house would qualify with."""
    values = {each.seen: ranking.value(each.seen.cards) for each in strategy.decided}
    names = {value: _hand(value.category, value.words) for value in values.values()}
    ordered = dict.fromkeys(names[value] for value in sorted(names, reverse=True))
    numbers = tuple(map(str, range(ranking.size + 1)))
    grid = grid_of(
        strategy.decided,
        "Best play",
        ("hand", tuple(ordered), lambda seen: names[values[seen]]),
        (
            f"cards {_QUALIFYING.word} or higher",
            numbers,
            lambda seen: str(sum(f.rank >= _QUALIFYING for f in seen.cards)),
        ),
    )
    return Grid(
        grid.title, grid.down, grid.across, grid.rows, grid.columns, grid.cells, tuple(_borderline(strategy))
    )


def _hand(category: str, words: str) -> str:
    return words if category in ("high card", "pair") else category


def _borderline(strategy: Strategy) -> Iterator[str]:
    """The hands for which the choice matters least: there the strategy turns."""
    close = [each for each in strategy.decided if len(each.values) > 1]
    for each in nsmallest(_CLOSEST, close, key=_difference):
        ranks = " ".join(face.rank.letter for face in sorted(each.seen.cards, key=lambda f: -f.rank))
        best, next_best = sorted(each.values, key=lambda name: -each.values[name])[:2]
        lost = float(_difference(each))
        suits = " for most suits" if len(each.best) > 1 else ""
        yield f"borderline {ranks}: {best}{suits}; to {next_best} would cost {lost:.5f} of a unit"


def _difference(each: Decided) -> Fraction:
    best, next_best = sorted(each.values.values(), reverse=True)[:2]
    return best - next_best


def blackjack_grids(chart: Chart) -> list[Grid]:
    """Hard totals, soft totals and pairs against the up card."""
    return [_blackjack_grid(chart, kind) for kind in ("hard", "soft", "pair")]


def _blackjack_grid(chart: Chart, kind: str) -> Grid:
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
