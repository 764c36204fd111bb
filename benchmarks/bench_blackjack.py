"""Seconds for exact blackjack, fresh and warm, and how they grow with decks and hands of a split."""

from clock import fresh, timed

from feltworks import catalog
from feltworks.analysis.solvers.shoe_game.bonus import bonus_figures
from feltworks.analysis.solvers.shoe_game.chart import chart_of
from feltworks.analysis.solvers.shoe_game.dealer import by_value
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis
from feltworks.cards import standard_shoe
from feltworks.games.blackjack import Blackjack

DEMANDED = 1.0
PUBLIC_ANALYSER = 0.2  # shared/yardsticks: a public C++ program, the same question on the same machine
FRESH = """
from feltworks import catalog
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis
print(TableAnalysis(catalog.game("lucky-break")).best.house_edge)
"""


def dealer_by_force(counts: list[int], low: int, has_ace: bool) -> float:
    """How often the dealer goes over 21 from here, card by card."""
    total = low + 10 if has_ace and low <= 11 else low
    if total >= 17:
        return float(total > 21)
    left, over = sum(counts), 0.0
    for value, count in enumerate(counts):
        if count:
            counts[value] -= 1
            over += count / left * dealer_by_force(counts, low + value + 1, has_ace or value == 0)
            counts[value] += 1
    return over


def yardstick() -> float:
    """Seconds to find the dealer's law for one single hand of a player: all draws, one by one."""
    counts = list(by_value(standard_shoe(decks=6)))
    return timed(lambda: [dealer_by_force(counts, up + 1, up == 0) for up in range(10)], runs=1)


def table(**options: object) -> Blackjack:
    game = catalog.game("lucky-break", options={name.replace("_", "-"): v for name, v in options.items()})
    assert isinstance(game, Blackjack)
    return game


def solved(**options: object) -> float:
    """Seconds for the whole outcome table under these rules."""
    game = table(**options)
    return timed(lambda: TableAnalysis(game).best)


def main() -> None:
    unit, six = yardstick(), fresh(FRESH)
    print(f"yardstick: the dealer's law for one hand by plain recursion {unit:.2f} s")
    print(
        f"six decks, exact cards, splits to four, fresh process: {six:.2f} s (demanded {DEMANDED} s;"
        f" public C++ analyser {PUBLIC_ANALYSER} s); {six / unit:.2f} yardsticks"
    )
    for decks in (1, 2, 4, 6, 8):
        print(f"warm, {decks} decks: {solved(decks=decks):.2f} s")
    for hands in (1, 2, 3, 4):
        print(f"warm, six decks, split into {hands} hands: {solved(max_hands=hands):.2f} s")
    print(f"basic strategy: {timed(lambda: TableAnalysis(table()).basic_strategy):.2f} s")
    print(f"Lucky Break: {timed(lambda: bonus_figures(table())):.3f} s")
    limited = catalog.game("lucky-lucky")
    bold = chart_of(lambda kind, total, _: "hit" if total < (18 if kind == "hard" else 19) else "stand")
    print(f"Lucky Break, drawing to hard 17: {timed(lambda: bonus_figures(limited, strategy=bold)):.2f} s")


if __name__ == "__main__":
    main()
