"""Live one-seat Fu Bacc rounds a second, with the encoded log and the real shuffle, against a plain Python yardstick."""

import sys
import time
from collections.abc import Callable

from feltworks import catalog
from feltworks.dealing.shoes import source_for
from feltworks.table.dealer import Dealer
from feltworks.table.table import Table

WANTED = 8_000
ROUNDS = 400
BATCHES = 30


def table() -> Table:
    """A table whose one player never runs out of money."""
    game = catalog.game("fu-bacc")
    set_up = Table(game, Dealer(source_for(game.terms)))
    set_up.sit("ann", 1, stack=10**12)
    return set_up


def play_round(live: Table) -> None:
    """A whole round: wager, deal, decide, take and pay, everything logged."""
    live.wager("ann", 1, {"ante": 1000})
    live.deal()
    live.choose("ann", 1, "hit")


def yardstick() -> int:
    """A fixed amount of small-object work, so that a slow machine is seen to be slow."""
    counts: dict[int, tuple[int, int]] = {}
    for number in range(400):
        key = number * 7 % 53
        seen = counts.get(key, (0, 0))
        counts[key] = (seen[0] + 1, number)
    return len(counts)


def seconds(act: Callable[[], object]) -> float:
    """The best time of one act over several batches: noise only ever adds."""
    best = float("inf")
    for _ in range(BATCHES):
        begin = time.perf_counter()
        for _ in range(ROUNDS):
            act()
        best = min(best, (time.perf_counter() - begin) / ROUNDS)
    return best


def main() -> None:
    live = table()
    a_round, a_yardstick = seconds(lambda: play_round(live)), seconds(yardstick)
    rate = 1 / a_round
    sys.stdout.write(
        f"live Fu Bacc table, one seat, with its log: {rate:,.0f} rounds a second (wanted {WANTED:,});"
        f" a round takes {a_round * 1e6:.0f} µs, {a_round / a_yardstick:.2f} yardsticks of {a_yardstick * 1e6:.0f} µs\n"
    )


if __name__ == "__main__":
    main()
