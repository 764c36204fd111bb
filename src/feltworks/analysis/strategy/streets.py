"""Charts of games with several decisions: a chart a street, by what the cards have made and may become."""

from collections.abc import Sequence
from fractions import Fraction

from feltworks.analysis.question import Question
from feltworks.analysis.solvers.board.solver import BoardSolver
from feltworks.analysis.solvers.streets.solver import StreetDecision, StreetsSolver
from feltworks.analysis.solvers.streets.tree import Hand, Street
from feltworks.analysis.strategy.grid import Cell, Grid
from feltworks.cards import Card, Rank
from feltworks.money import Cents

_STRAIGHT = 5  # ranks that a straight spans


def street_grids(question: Question, solved: StreetsSolver) -> list[Grid]:
    """A chart for every street: what is held against what was chosen before."""
    streets: dict[str, list[StreetDecision]] = {}
    for decision in solved.decisions():
        streets.setdefault(decision.street.about, []).append(decision)
    return [_street_grid(about, decisions, question.unit) for about, decisions in streets.items()]


def _street_grid(about: str, decisions: Sequence[StreetDecision], unit: Cents) -> Grid:
    gathered: dict[tuple[str, str], list[StreetDecision]] = {}
    for decision in decisions:
        place = describe(decision.cards)[1], path_words(decision.street, unit)
        gathered.setdefault(place, []).append(decision)
    order = {words: rank for rank, words in {describe(decision.cards) for decision in decisions}}
    rows = sorted({row for row, _ in gathered}, key=lambda row: order[row], reverse=True)
    columns = list(dict.fromkeys(column for _, column in gathered))
    cells = {
        (row, column): _cell(gathered[row, column], unit)
        for row in rows
        for column in columns
        if (row, column) in gathered
    }
    notes = ("a card counts as high from the ten on",)
    return Grid(about or "Best play", "cards", "before", tuple(rows), tuple(columns), cells, notes)


def _cell(together: Sequence[StreetDecision], unit: Cents) -> Cell:
    whole = sum(decision.hands for decision in together)
    shares: dict[str, Fraction] = {}
    for decision in together:
        shares[decision.best] = shares.get(decision.best, Fraction(0)) + Fraction(decision.hands, whole)
    values = {
        name: sum((d.hands * d.worth[name] for d in together), Fraction(0)) / (whole * unit)
        for name in together[0].worth
    }
    return Cell(shares, values)


def path_words(street: Street, unit: Cents) -> str:
    """The choices made before a point of the round, with their money in units."""
    words = [f"{c.name} {Fraction(c.cents, unit)}×" if c.cents and c.cents > 0 else c.name for c in street.path]
    return ", ".join(words) or "first choice"


def describe(cards: Hand) -> tuple[tuple[int, ...], str]:
    """What cards have made, or may become, in words; with a key by which better ones come first.

    >>> from feltworks.cards import cards
    >>> [describe(cards(codes))[1] for codes in ("Th Tc 4d", "Ah Kh Th", "9h 4h 3h", "Ah 9c 4d")]
    ['pair of tens', '3 to a straight flush, 3 high', '3 to a flush, 0 high', 'no draw, 1 high']
    """
    ranks = sorted((card.rank for card in cards), reverse=True)
    counts = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    many, rank = counts[0]
    if many >= 3:
        return (9 if many > 3 else 8, rank), "four of a kind" if many > 3 else "three of a kind"
    if len(counts) > 1 and counts[1][0] == 2:
        return (7, rank), f"two pair, {rank.plural} high"
    if many == 2:
        return (6, rank), f"pair of {rank.plural}"
    high = sum(each >= Rank.TEN for each in ranks)
    draw, words = _draw(cards, ranks)
    return (draw, high), f"{words}, {high} high"


def _draw(cards: Hand, ranks: list[Rank]) -> tuple[int, str]:
    """Which hand unpaired cards are on the way to."""
    suited = len({card.suit for card in cards}) == 1
    low = [1 if rank is Rank.ACE else int(rank) for rank in ranks]
    spans = max(ranks) - min(ranks) < _STRAIGHT or max(low) - min(low) < _STRAIGHT
    if suited and spans:
        return 5, f"{len(cards)} to a straight flush"
    if suited:
        return 4, f"{len(cards)} to a flush"
    return (3, f"{len(cards)} to a straight") if spans else (0, "no draw")


def chart_edge(question: Question, grids: Sequence[Grid]) -> Fraction:
    """The exact house edge of a player who goes by the charts, each cell by its commoner choice."""
    by_street = {grid.title: grid for grid in grids}

    def follow(street: Street, cards: Hand, names: Sequence[str]) -> str:
        before = path_words(street, question.unit)
        cell = by_street[street.about or "Best play"].cells[describe(cards)[1], before]
        return cell.choice if cell.choice in names else names[0]

    solved = StreetsSolver(
        question.game,
        question.stakes,
        question.shoe,
        meters=question.posted,
        serving=frozenset(question.serving),
        strategy=follow,
    )
    return solved.figures_of(question.group, question.unit).house_edge


def holding_grids(question: Question, solved: BoardSolver) -> list[Grid]:
    """The chart of two cards before the board is turned."""
    gathered = {decision.cards: decision for decision in solved.first_decisions()}
    ranks = sorted({card.rank for cards in gathered for card in cards}, reverse=True)
    cells: dict[tuple[str, str], Cell] = {}
    for (one, other), decision in gathered.items():
        values = {name: worth / question.unit for name, worth in decision.worth.items()}
        cells[_holding_row(one, other), other.rank.letter] = Cell({decision.best: Fraction(1)}, values)
    kinds = ["suited", "offsuit"]
    rows = [f"{rank.letter} {kind}" for rank in ranks for kind in kinds]
    shown = [row for row in rows if any(place[0] == row for place in cells)]
    title = solved.boards.root.about or "Best play"
    return [Grid(title, "higher card", "lower card", tuple(shown), tuple(r.letter for r in ranks), cells)]


def _holding_row(one: Card, other: Card) -> str:
    return f"{one.rank.letter} {'suited' if one.suit is other.suit else 'offsuit'}"
