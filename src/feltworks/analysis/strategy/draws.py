"""Charts of games in which cards are chosen: what to keep before a draw, and how to set a hand."""

from fractions import Fraction

import numpy as np

from feltworks.analysis.joint import law_figures
from feltworks.analysis.question import Question
from feltworks.analysis.solvers.draw import DrawSolver
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.setting import SettingSolver
from feltworks.analysis.solvers.streets.tree import Hand
from feltworks.analysis.strategy.grid import Cell, Grid
from feltworks.analysis.strategy.streets import describe_equal
from feltworks.cards import Rank
from feltworks.rules.steps import Offer

KEEP = "keep"
_COUNTS = ("", "", "two", "three", "four", "five", "six", "seven")


def draw_list(question: Question, solved: DrawSolver) -> tuple[Grid, Fraction]:
    """The list of what to keep, the best first, and the exact house edge of a player who goes by it."""
    kept = _KeptCards(solved)
    best: Ints = np.array(kept.of_offers)[solved.picks, np.arange(len(solved.picks))]
    hands, worth = np.zeros(len(kept.words)), np.zeros(len(kept.words))
    np.add.at(hands, best, solved.classes.hands)
    np.add.at(worth, best, solved.classes.hands * solved.best_worth())
    listed = sorted(np.flatnonzero(hands).tolist(), key=lambda each: worth[each] / hands[each], reverse=True)
    place = np.full(len(kept.words), len(kept.words))
    place[listed] = np.arange(len(listed))
    picks = np.argmin([place[ids] for ids in kept.of_offers], axis=0)
    edge = solved.play_by(picks).figures_of(question.group, question.unit).house_edge
    cells = {
        (kept.words[each], KEEP): Cell({KEEP: 1}, {KEEP: float(worth[each] / hands[each] / question.unit)})
        for each in listed
    }
    high = ", ".join(rank.plural for rank in sorted(solved.high_ranks()))
    notes = (f"keep the first of these that the hand holds; high are {high}",)
    rows = tuple(kept.words[each] for each in listed)
    return Grid("What to keep", "cards", "", rows, (KEEP,), cells, notes), edge


class _KeptCards:
    """By offer and class of hands: which words describe the cards that are kept."""

    def __init__(self, solved: DrawSolver) -> None:
        self._ranking, self._high = solved.rounds.ranking, solved.high_ranks()
        numbers: dict[str, int] = {}
        by_size = []
        for held in range(solved.size + 1):
            dealt = solved.hands_of(held)
            words = [self.describe(dealt.cards(row)) for row in range(len(dealt))]
            by_size.append(np.array([numbers.setdefault(each, len(numbers)) for each in words]))
        self.words = list(numbers)
        places = [solved.kept_by(offer) for offer in solved.rounds.offers]
        self.of_offers = [by_size[len(kept)][solved.rows_of(kept)] for kept in places]

    def describe(self, cards: Hand) -> str:
        """What is kept: a whole hand, equal ranks, or what it is on the way to and how many cards are high."""
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
        """Which hand unpaired cards are on the way to, and by how many straights."""
        if len(cards) == 1:
            return ""
        ways = self._ranking.straights_with(frozenset(card.rank for card in cards))
        suited = len({card.suit for card in cards}) == 1
        if not ways:
            return f"{len(cards)} to a flush, " if suited else f"{len(cards)} cards, "
        return f"{len(cards)} to a straight{' flush' if suited else ''} in {ways} way{'s' if ways > 1 else ''}, "


def setting_chart(question: Question, solved: SettingSolver) -> tuple[Grid, Fraction]:
    """How to set a hand by its equal ranks and its highest card, and the exact house edge of a player who does."""
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
    listed = sorted(rows, key=lambda row: _strength(solved.mine[rows[row][0]]), reverse=True)
    return Grid("How to set a hand", "cards", "", tuple(listed), ("set",), cells, notes), edge


def _strength(ranks: tuple[Rank, ...]) -> list[tuple[int, Rank]]:
    """By equal ranks first, the more the better."""
    return sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)


def _hand_words(ranks: tuple[Rank, ...]) -> str:
    """The equal ranks of a hand, or its highest card."""
    equal = sorted({rank for rank in ranks if ranks.count(rank) > 1}, reverse=True)
    if not equal:
        return f"{ranks[-1].word} high"
    words = " and ".join(f"{_COUNTS[ranks.count(rank)]} {rank.plural}" for rank in equal)
    other = [rank for rank in ranks if rank not in equal]
    if not other:
        return words
    return f"{words} with {'a higher' if other[-1] > equal[0] else 'a lower'} card"


def _from_the_highest(offer: Offer, held: int) -> str:
    """The choice with its cards counted from the highest; hands of the solver lie lowest first."""
    return " ".join([offer.verb, *(str(held - place) for place in reversed(offer.cards))])
