"""Charts of play: their records, and the charts for streets, a draw, an up card and cards that are set."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from operator import mul

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.figures import Number
from feltworks.analysis.joint import law_figures
from feltworks.analysis.question import Question
from feltworks.analysis.solvers.draw import DrawSolver
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.setting import SettingSolver
from feltworks.analysis.solvers.showdown.solver import Showdown
from feltworks.analysis.solvers.streets.solver import StreetsSolver
from feltworks.analysis.solvers.streets.tree import Hand, Street
from feltworks.analysis.strategy.facts import HandFacts, hand_facts
from feltworks.analysis.strategy.phrases import NUMBERS
from feltworks.cards import Rank
from feltworks.hands.poker import HIGH_CARD, PAIR, HandValue
from feltworks.money import Cents
from feltworks.rules.sights import PlayerView
from feltworks.rules.steps import Offer


class Cell(Struct, frozen=True):
    """The choice in a cell, or the shares of several choices if the exact cards decide."""

    shares: Mapping[str, Number]
    values: Mapping[str, Number]
    otherwise: str = ""  # the choice of a longer hand, to which the first one is not open

    @property
    def choice(self) -> str:
        return max(self.shares, key=lambda name: self.shares[name])

    @property
    def is_mixed(self) -> bool:
        return len(self.shares) > 1


class Grid(Struct, frozen=True):
    """A chart: its rows from the top, its columns from the left, and the cells that can come up."""

    title: str
    down: str
    across: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[str, str], Cell]
    notes: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = ()  # every hand that plays differently from most of its mixed cell
    meaning: str = ""  # of labels that do not say it themselves

    @property
    def choices(self) -> list[str]:
        """Every choice that some cell makes."""
        return list(dict.fromkeys(name for cell in self.cells.values() for name in cell.shares))


KEEP = "keep"


def draw_list(question: Question, solved: DrawSolver) -> tuple[Grid, Fraction]:
    """Lists what to keep, the best first, and computes the exact house edge of a player who follows the list."""
    kept = _KeptCards(solved)
    best: Ints = np.array(kept.of_offers)[solved.picks, np.arange(len(solved.picks))]
    hands, worth = np.zeros(len(kept.words)), np.zeros(len(kept.words))
    np.add.at(hands, best, solved.classes.hands)
    np.add.at(worth, best, solved.classes.hands * solved.best_worth())
    best_first = sorted(np.flatnonzero(hands).tolist(), key=lambda number: worth[number] / hands[number], reverse=True)
    place = np.full(len(kept.words), len(kept.words))
    place[best_first] = np.arange(len(best_first))
    picks = np.argmin([place[ids] for ids in kept.of_offers], axis=0)
    edge = solved.play_by(picks).figures_of(question.group, question.unit).house_edge
    cells = {
        (kept.words[number], KEEP): Cell({KEEP: 1}, {KEEP: float(worth[number] / hands[number] / question.unit)})
        for number in best_first
    }
    high = ", ".join(rank.plural for rank in sorted(solved.high_ranks()))
    notes = (f"keep the first of these that the hand holds; high are {high}",)
    rows = tuple(kept.words[number] for number in best_first)
    return Grid("What to keep", "cards", "", rows, (KEEP,), cells, notes), edge


class _KeptCards:
    """The words that describe the kept cards, for each offer and class of hands."""

    def __init__(self, solved: DrawSolver) -> None:
        self._ranking, self._high = solved.rounds.ranking, solved.high_ranks()
        numbers: dict[str, int] = {}
        by_size = []
        for held in range(solved.size + 1):
            dealt = solved.hands_of(held)
            descriptions = [self.describe(dealt.cards(row)) for row in range(len(dealt))]
            by_size.append(np.array([numbers.setdefault(words, len(numbers)) for words in descriptions]))
        self.words = list(numbers)
        places = [solved.kept_by(offer) for offer in solved.rounds.offers]
        self.of_offers = [by_size[len(kept)][solved.rows_of(kept)] for kept in places]

    def describe(self, cards: Hand) -> str:
        """Describes the kept cards: a whole hand, equal ranks, or a draw with its number of high cards."""
        ranks = [card.rank for card in cards]
        equal = sum(ranks.count(rank) > 1 for rank in ranks)
        if len(cards) == self._ranking.size:
            return f"all cards: {self._ranking.value(cards).category}"
        if equal:
            words = describe_equal(cards)[1].partition(", ")[0]  # two pair of any ranks
            return f"{words} and another card" if equal < len(cards) else words
        high = sum(rank in self._high for rank in ranks)
        return f"{self._draw(cards)}{high} high" if cards else "nothing"

    def _draw(self, cards: Hand) -> str:
        """Describes the draw of unpaired cards and the number of straights that it can become."""
        if len(cards) == 1:
            return ""
        ways = self._ranking.straights_with(frozenset(card.rank for card in cards))
        suited = len({card.suit for card in cards}) == 1
        if not ways:
            return f"{len(cards)} to a flush, " if suited else f"{len(cards)} cards, "
        return f"{len(cards)} to a straight{' flush' if suited else ''} in {ways} way{'s' if ways > 1 else ''}, "


def setting_chart(question: Question, solved: SettingSolver) -> tuple[Grid, Fraction]:
    """Charts how to set a hand by its equal ranks and highest card, and the exact edge against a player who does."""
    rows: dict[str, list[int]] = {}
    for place, ranks in enumerate(solved.mine):
        rows.setdefault(_hand_words(ranks), []).append(place)
    picks, cells = solved.picks.copy(), {}
    names = [_from_the_highest(offer, len(solved.mine[0])) for offer in solved.offers]
    for row, places in rows.items():
        hands = np.bincount(solved.picks[places], [solved.hands[place] for place in places], len(names))
        cells[row, "set"] = Cell({names[p]: Fraction(int(n), int(hands.sum())) for p, n in enumerate(hands) if n}, {})
        picks[places] = int(hands.argmax())
    edge = law_figures(solved.play_by(picks).law, question.group, question.unit).house_edge
    notes = ("cards are counted from the highest, which is 1",)
    best_first = sorted(rows, key=lambda row: _strength(solved.mine[rows[row][0]]), reverse=True)
    return Grid("How to set a hand", "cards", "", tuple(best_first), ("set",), cells, notes), edge


def _strength(ranks: tuple[Rank, ...]) -> list[tuple[int, Rank]]:
    """Returns a sort key: ranks with their counts, the most frequent first."""
    return sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)


def _hand_words(ranks: tuple[Rank, ...]) -> str:
    """Describes the equal ranks of a hand, or its highest card."""
    equal = sorted({rank for rank in ranks if ranks.count(rank) > 1}, reverse=True)
    if not equal:
        return f"{ranks[-1].word} high"
    words = " and ".join(f"{NUMBERS[ranks.count(rank)]} {rank.plural}" for rank in equal)
    other = [rank for rank in ranks if rank not in equal]
    if not other:
        return words
    return f"{words} with {'a higher' if other[-1] > equal[0] else 'a lower'} card"


def _from_the_highest(offer: Offer, held: int) -> str:
    """Names a choice with its cards counted from the highest; the solver sorts hands lowest first."""
    return " ".join([offer.verb, *(str(held - place) for place in reversed(offer.cards))])


def up_card_grid(solved: Showdown) -> tuple[Grid, Fraction]:
    """Charts hands against the rank of the up card, and computes the loss per unit of following the chart."""
    classes = solved.classes
    names = [hand_name(value) for value in classes.values]
    rows = list(dict.fromkeys(names))
    row_of: Ints = np.array([rows.index(name) for name in names])[classes.value]
    ranks = [*(rank.letter for rank in classes.ranks), "joker"]
    by_card = list(solved.choices_by_up_card())
    choices = by_card[0][-1]
    shape = len(rows), len(ranks), len(choices)
    counts, sums = np.zeros(prod(shape), np.int64), np.zeros(prod(shape))
    for up, weights, picks, worths, _ in by_card:
        assert up is not None
        cell = (row_of * len(ranks) + up.rank) * len(choices)
        np.add.at(counts, cell + picks, weights)
        for place in range(len(choices)):
            np.add.at(sums, cell + place, weights * (worths[place] / solved.worth_divisor))
    ways, worth = counts.reshape(shape), sums.reshape(shape)
    loss, commonest = 0, ways.argmax(axis=2)
    for up, weights, picks, worths, _ in by_card:
        assert up is not None
        charted = commonest[row_of, up.rank]
        other = np.flatnonzero(picks != charted)
        gain = worths[picks[other], other] - worths[charted[other], other]
        loss += sum(map(mul, weights[other].tolist(), gain.tolist()))
    totals = ways.sum(axis=2)
    cells = {
        (rows[row], ranks[column]): Cell(
            {choices[c]: Fraction(int(n), int(totals[row, column])) for c, n in enumerate(ways[row, column]) if n},
            {name: float(worth[row, column, c] / totals[row, column]) for c, name in enumerate(choices)},
        )
        for row, column in np.argwhere(totals).tolist()
    }
    grid = Grid("Best play", "hand", "dealer's card", tuple(rows[::-1]), tuple(ranks[: ways.shape[1]]), cells)
    return join_rows(grid), Fraction(loss, solved.worth_divisor * int(totals.sum()))


def hand_name(value: HandValue) -> str:
    """Names a pair by its rank, no pair by its three highest cards, and other hands by their category."""
    if value.category == HIGH_CARD.name:
        return _high_words(value.ranks)
    return value.words if value.category == PAIR.name else value.category


def _high_words(ranks: Sequence[Rank]) -> str:
    return f"{'-'.join(rank.word for rank in ranks[:3])} high"


def join_rows(grid: Grid) -> Grid:
    """Joins neighbouring rows that make the same choice in every column into one row."""
    runs: list[tuple[list[frozenset[str]], list[str]]] = []
    for row in grid.rows:
        choices = [frozenset(grid.cells[row, column].shares) for column in grid.columns if (row, column) in grid.cells]
        if runs and runs[-1][0] == choices and all(len(names) == 1 for names in choices):
            runs[-1][1].append(row)
        else:
            runs.append((choices, [row]))
    names = {run[0]: run_name(run, grid.rows) for _, run in runs}
    cells = {(names[row], column): cell for (row, column), cell in grid.cells.items() if row in names}
    columns = tuple(column for column in grid.columns if any(place[1] == column for place in cells))
    return replace(grid, rows=tuple(names.values()), columns=columns, cells=cells)


def run_name(run: Sequence[str], rows: Sequence[str]) -> str:
    """Names neighbouring rows by the first and the last."""
    if len(run) == 1:
        return run[0]
    if run[0] == rows[0]:
        return f"{run[-1]} or better"
    return f"{run[0]} or worse" if run[-1] == rows[-1] else f"{run[-1]} to {run[0]}"


def street_grids(question: Question, solved: StreetsSolver) -> list[Grid]:
    """Builds a chart for every street: hands against the money on the spot, or against the dealer's card."""
    charts: dict[str, _StreetChart] = {}
    labels = _Labels(hand_facts(question.game), solved)
    for street in solved.streets.root.decisions():
        title = labels.title(solved.view(street, ()), is_up=bool(street.up))
        charts.setdefault(title, _StreetChart(title, "dealer's card" if street.up else "wagered")).add(street, labels)
    return [chart.grid(question.unit) for chart in charts.values()]


class _Labels:
    """The labels for hands and dealer's cards on the streets of a game."""

    def __init__(self, facts: HandFacts, solved: StreetsSolver) -> None:
        self.facts, self.solved = facts, solved
        self._by_number: dict[int, tuple[list[str], dict[str, tuple[int, ...]]]] = {}
        money: dict[str, set[Fraction]] = {}
        for street in solved.streets.root.decisions():
            money.setdefault(street.about, set()).add(solved.view(street, ()).wagered)
        self._money = money

    def title(self, view: PlayerView, *, is_up: bool) -> str:
        """Names the chart of a decision; if columns are the dealer's cards, each amount has its own chart."""
        about = view.about or "Best play"
        return f"{about}, {_money(view)} wagered" if is_up and len(self._money[view.about]) > 1 else about

    def hands(self, held: int) -> tuple[list[str], dict[str, tuple[int, ...]]]:
        """Returns the label of each class of hands of this size, and a sort key for each label, best highest."""
        if held not in self._by_number:
            dealt = self.solved.hands_of(held)
            labels = [self.describe(dealt.cards(row)) for row in range(len(dealt))]
            self._by_number[held] = [words for _, words in labels], {words: key for key, words in labels}
        return self._by_number[held]

    def cells(self, street: Street) -> tuple[list[tuple[str, str]], Ints]:
        """Lists the cells of a street, row by row, and the index of the cell that each sight belongs to."""
        words, ups = self.hands(street.seen)[0], [up.rank.letter if up else "" for up in self.solved.up_cards]
        rows, columns = list(dict.fromkeys(words)), list(dict.fromkeys(ups))
        across = np.array([columns.index(up) for up in ups])
        if not street.up:
            columns, across = [_money(self.solved.view(street, ()))], np.zeros(1, np.int64)
        number = {row: place for place, row in enumerate(rows)}
        cell_of: Ints = np.array([number[row] for row in words])[:, None] * len(columns) + across
        return list(product(rows, columns)), cell_of

    def describe(self, cards: Hand) -> tuple[tuple[int, ...], str]:
        """Describes a hand: by its ranks if it has to beat a dealer's hand, otherwise by its draw."""
        if not self.solved.streets.has_dealer:
            return describe(self.facts, PlayerView(cards, ()))
        if len(cards) == self.solved.size:
            value = self.facts.ranking.value(cards)
            return (value.strength,), hand_name(value)
        key, words = describe_equal(cards)
        ranks = sorted((card.rank for card in cards), reverse=True)
        is_suited = len(cards) > 1 and len({card.suit for card in cards}) == 1
        return (key[0], is_suited, *ranks), words or f"{_high_words(ranks)}{', suited' if is_suited else ''}"


class _StreetChart:
    """Counts how often each choice is best in each cell of a chart, and sums the value of every choice."""

    def __init__(self, title: str, across: str) -> None:
        self._title, self._across = title, across
        self._keys: dict[str, tuple[int, ...]] = {}
        self._ways: dict[tuple[str, str], dict[str, int]] = {}
        self._sums: dict[tuple[str, str], dict[str, Fraction]] = {}
        self._columns: dict[str, None] = {}

    def add(self, street: Street, labels: _Labels) -> None:
        """Counts all sights of a street."""
        solved, (cells, cell_of) = labels.solved, labels.cells(street)
        self._keys |= labels.hands(street.seen)[1]
        self._columns |= dict.fromkeys(column for _, column in cells)
        names, sights, picks = [name for name, _ in street.choices], solved.sights(street), solved.picks(street)
        for place, (name, worth) in enumerate(zip(names, solved.worths(street), strict=True)):
            ways, sums = np.zeros((2, len(cells)), worth.dtype)
            np.add.at(ways, cell_of, np.where(picks == place, sights, 0))
            np.add.at(sums, cell_of, worth)
            for cell, count, net in zip(cells, ways.tolist(), sums.tolist(), strict=True):
                counts = self._ways.setdefault(cell, dict.fromkeys(names, 0))
                counts[name] += count
                worths = self._sums.setdefault(cell, dict.fromkeys(names, Fraction(0)))
                worths[name] += Fraction(net, solved.divisor(street))

    def grid(self, unit: Cents) -> Grid:
        """Builds the chart, the best hands first."""
        cells = {}
        for cell, ways in self._ways.items():
            if whole := sum(ways.values()):
                shares = {name: Fraction(count, whole) for name, count in ways.items() if count}
                cells[cell] = Cell(shares, {name: total / (whole * unit) for name, total in self._sums[cell].items()})
        rows = sorted(dict.fromkeys(row for row, _ in cells), key=self._keys.__getitem__, reverse=True)
        return Grid(self._title, "cards", self._across, tuple(rows), tuple(self._columns), cells)


def _money(view: PlayerView) -> str:
    return f"{view.wagered}×"


def describe(facts: HandFacts, view: PlayerView) -> tuple[tuple[int, ...], str]:
    """Describes what cards have made or may become, with a sort key that is higher for better cards.

    >>> from feltworks import catalog
    >>> from feltworks.cards import cards
    >>> facts = hand_facts(catalog.game("spanish-poker"))
    >>> [describe(facts, PlayerView(cards(codes)))[1] for codes in ("6h 6c 4d", "Ah Kh 5d")]
    ['pair of sixes', 'no draw, 2 sixes or higher']
    """
    key, words = describe_equal(view.cards)
    if words:
        return key, words
    draw, words = _draw(facts, view)
    high, counted = _high(facts, view)
    return (*draw, high), f"{words}, {counted}"


def describe_equal(cards: Hand) -> tuple[tuple[int, ...], str]:
    """Describes the equal ranks of some cards, with a sort key; no words if there are none."""
    ranks = sorted((card.rank for card in cards), reverse=True)
    counts = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    many, rank = counts[0]
    if many >= 3:
        return (9 if many > 3 else 8, rank), "four of a kind" if many > 3 else "three of a kind"
    if len(counts) > 1 and counts[1][0] == 2:
        return (7, rank), f"two pair, {rank.plural} high"
    return ((6, rank), f"pair of {rank.plural}") if many == 2 else ((0,), "")


def _draw(facts: HandFacts, view: PlayerView) -> tuple[tuple[int, int], str]:
    """Describes the draw of unpaired cards and the number of straights that it can become."""
    number = len(view.cards)
    for place, name in enumerate(("straight_flush", "flush", "straight")):
        if facts.has_draws and facts.value(f"{name}_cards", view) == number:
            ways = 0 if name == "flush" else int(facts.value(f"{name}_ways", view))
            by = f" in {ways} way{'s' if ways > 1 else ''}" if ways else ""
            return (5 - place, ways), f"{number} to a {name.replace('_', ' ')}{by}"
    return (0, 0), "no draw"


def _high(facts: HandFacts, view: PlayerView) -> tuple[int, str]:
    """Counts the high cards, or their points where several ranks of pairs are paid."""
    if len(facts.tiers) > 1:
        points = int(facts.value("points", view))
        return points, f"{points} point{'' if points == 1 else 's'}"
    (rank,) = facts.tiers
    high = int(facts.value(f"{rank.word}_or_higher", view))
    return high, f"{high} {rank.plural} or higher"


def chart_edge(question: Question, solved: StreetsSolver, grids: Sequence[Grid]) -> Fraction:
    """Computes the exact house edge of a player who follows the charts, in each cell by its commonest choice."""
    by_street, labels = {grid.title: grid for grid in grids}, _Labels(hand_facts(question.game), solved)

    def follow(street: Street) -> Ints:
        view, names = solved.view(street, ()), [name for name, _ in street.choices]
        chart = by_street[labels.title(view, is_up=bool(street.up))].cells
        cells, cell_of = labels.cells(street)
        choices = [chart[cell].choice if cell in chart else "" for cell in cells]
        places = [names.index(choice if choice in names else view.offers[0]) for choice in choices]
        picks: Ints = np.array(places)[cell_of]
        return picks

    return solved.play_by(follow).figures_of(question.group, question.unit).house_edge
