"""Charts of games with several decisions: a chart a street, by what the cards have made and may become."""

from collections.abc import Sequence
from fractions import Fraction

from feltworks.analysis.question import Question
from feltworks.analysis.solvers.board.solver import BoardSolver
from feltworks.analysis.solvers.streets.solver import StreetDecision, StreetsSolver
from feltworks.analysis.solvers.streets.tree import Hand
from feltworks.analysis.strategy.facts import HandFacts, hand_facts
from feltworks.analysis.strategy.grid import Cell, Grid
from feltworks.cards import Card
from feltworks.money import Cents
from feltworks.rules.sights.sight import PlayerView


def street_grids(question: Question, solved: StreetsSolver) -> list[Grid]:
    """A chart for every street: what is held against the money that lies on the spot."""
    facts = hand_facts(question.game)
    streets: dict[str, list[tuple[PlayerView, StreetDecision]]] = {}
    for decision in solved.decisions():
        view = solved.view(decision.street, decision.cards)
        streets.setdefault(decision.street.about, []).append((view, decision))
    return [_street_grid(facts, about, decisions, question.unit) for about, decisions in streets.items()]


def _street_grid(
    facts: HandFacts, about: str, decisions: Sequence[tuple[PlayerView, StreetDecision]], unit: Cents
) -> Grid:
    gathered: dict[tuple[str, str], list[StreetDecision]] = {}
    order: dict[str, tuple[int, ...]] = {}
    for view, decision in decisions:
        rank, words = describe(facts, view)
        order[words] = rank
        gathered.setdefault((words, _money(view)), []).append(decision)
    rows = sorted(order, key=lambda row: order[row], reverse=True)
    columns = list(dict.fromkeys(column for _, column in gathered))
    cells = {
        (row, column): _cell(gathered[row, column], unit)
        for row in rows
        for column in columns
        if (row, column) in gathered
    }
    return Grid(about or "Best play", "cards", "wagered", tuple(rows), tuple(columns), cells)


def _money(view: PlayerView) -> str:
    return f"{view.wagered}×"


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


def describe(facts: HandFacts, view: PlayerView) -> tuple[tuple[int, ...], str]:
    """What cards have made, or may become, in words; with a key by which better ones come first.

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
    """The equal ranks of some cards; no words where there are none."""
    ranks = sorted((card.rank for card in cards), reverse=True)
    counts = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    many, rank = counts[0]
    if many >= 3:
        return (9 if many > 3 else 8, rank), "four of a kind" if many > 3 else "three of a kind"
    if len(counts) > 1 and counts[1][0] == 2:
        return (7, rank), f"two pair, {rank.plural} high"
    return ((6, rank), f"pair of {rank.plural}") if many == 2 else ((0,), "")


def _draw(facts: HandFacts, view: PlayerView) -> tuple[tuple[int, int], str]:
    """Which hand unpaired cards are on the way to, and by how many straights."""
    number = len(view.cards)
    for place, name in enumerate(("straight_flush", "flush", "straight")):
        if facts.has_draws and facts.value(f"{name}_cards", view) == number:
            ways = 0 if name == "flush" else int(facts.value(f"{name}_ways", view))
            by = f" in {ways} way{'s' if ways > 1 else ''}" if ways else ""
            return (5 - place, ways), f"{number} to a {name.replace('_', ' ')}{by}"
    return (0, 0), "no draw"


def _high(facts: HandFacts, view: PlayerView) -> tuple[int, str]:
    """How many cards are high, or how many points they count where pairs are paid at several heights."""
    if len(facts.tiers) > 1:
        points = int(facts.value("points", view))
        return points, f"{points} point{'' if points == 1 else 's'}"
    (rank,) = facts.tiers
    high = int(facts.value(f"{rank.word}_or_higher", view))
    return high, f"{high} {rank.plural} or higher"


def chart_edge(question: Question, grids: Sequence[Grid]) -> Fraction:
    """The exact house edge of a player who goes by the charts, each cell by its commoner choice."""
    by_street, facts = {grid.title: grid for grid in grids}, hand_facts(question.game)

    def follow(view: PlayerView) -> str:
        cell = by_street[view.about or "Best play"].cells[describe(facts, view)[1], _money(view)]
        return cell.choice if cell.choice in view.offers else view.offers[0]

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
