"""Tables that have, together, every value of every option, every pay table and every set of wagers."""

import os
import random
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, cycle, islice
from typing import Any

from msgspec.structs import replace

from feltworks import catalog
from feltworks.money import Cents
from feltworks.rules.rulebook.model import Rulebook
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.verify import every_value, is_open

TABLES = {"blackjack": 12, "fu_bacc": 8, "spanish_poker": 8}  # by rules: as many as an option has values
# Of all tables of a game together; `make replay` deals more
ROUNDS = int(os.environ.get("FELT_REPLAY", "10000"))
IS_WHOLE = "FELT_REPLAY" in os.environ
JACKPOT = 1_234_567
AMOUNTS = (1000, 500, 700)
AMOUNTS_ASKED: dict[str, list[Any]] = {"chip": [1, 100], "spanish-poker.alone-minimum": [1, 700]}

# Every choice somewhere: hands of which no analysis has to be asked
_CHOICES = ("hit", "double/stand", "stand", "surrender/hit", "double/hit", "stand", "hit", "surrender/stand")
_CHART = {
    **{f"hard {n}": [_CHOICES[(n + up) % 8] if n > 8 else "hit" for up in range(10)] for n in range(4, 21)},
    **{f"soft {n}": [_CHOICES[(n + 3 * up) % 8] for up in range(10)] for n in range(12, 21)},
    **{f"pair {card}": ["split"] * 10 for card in "A2346789T"},
}
_COUNTER = {"count": {"2": 1, "5": 1, "T": -1}, "ramp": {"1": 3}, "insurance": 0, "chart": _CHART}
STRATEGIES = {
    "blackjack": [Strategy("chart", {"chart": _CHART}), Strategy("counter", _COUNTER)],
    "fu_bacc": [Strategy(name) for name in ("optimal", "joint", "always-rescue", "always-hit", "always-stay")],
    "spanish_poker": [Strategy(name) for name in ("optimal", "always-raise", "always-fold")],
}


def tables(game: str) -> list[Plan]:
    """Tables at which every option has a value drawn for it, and bonus wagers that are measured alone."""
    book, rng = catalog.rulebook(game), random.Random(game)
    count = TABLES[book.game]
    options = {name: _column(rng, values_of(book, name), count) for name in book.option}
    pays = {wager: _column(rng, list(listed), count) for wager, listed in book.pay_table.items()}
    strategies, waiting = cycle(STRATEGIES[book.game]), deque(wager_sets(book))
    found = []
    for number in range(count):
        chosen, paying = ({name: column[number] for name, column in each.items()} for each in (options, pays))
        plan = Plan(game, (), next(strategies), chosen, paying)
        found.append(_seated(plan, waiting, 1 + number % 3))
    seated = {tuple(seat) for plan in found for seat in plan.seats}
    few_allow = [
        _seated(Plan(game, (), options=book.offers_for(wagers)), deque([wagers]), 1)
        for wagers in sorted(set(waiting) - seated)
    ]
    return [plan for plan in (*found, *few_allow, *_alone(book)) if plan.seats]


def values_of(book: Rulebook, option: str) -> list[Any]:
    """The values of an option that are dealt; SP.20: what a table offers has its main wager among it."""
    if option in AMOUNTS_ASKED:
        return AMOUNTS_ASKED[option]
    members = book.option[option].members
    if members is None:
        return every_value(book.option[option])
    if option != "offers":
        return [(), tuple(members)]
    main = tuple(name for name in members if book.wager[name].kind == "main")
    others = [name for name in members if name not in main]
    return [main + some for some in combinations(others, (book.most_wagers or len(members)) - len(main))]


def wager_sets(book: Rulebook) -> list[tuple[str, ...]]:
    """Everything that a seat may open with at one table or another, the smallest last: it is open often."""
    offers = values_of(book, "offers")
    found = {some for each in offers for size in range(len(each)) for some in combinations(each, size + 1)}
    return sorted(found, key=lambda wagers: (-len(wagers), wagers))


def _column(rng: random.Random, values: Sequence[Any], tables: int) -> list[Any]:
    """A value for every table, all of them about equally often."""
    drawn = list(islice(cycle(values), tables))
    rng.shuffle(drawn)
    return drawn


def _seated(plan: Plan, waiting: deque[tuple[str, ...]], seats: int) -> Plan:
    """With the sets of wagers that have waited longest and may be made at this table."""
    for wagers in [*waiting]:
        seated = replace(plan, seats=(*plan.seats, _seat(plan, wagers)))
        if any("gran-progressive" in seat for seat in seated.seats):
            seated = replace(seated, jackpot=JACKPOT)
        if len(plan.seats) < seats and is_open(seated):
            plan = seated
            waiting.remove(wagers)
            waiting.append(wagers)
    return plan


def _seat(plan: Plan, wagers: Iterable[str]) -> dict[str, Cents]:
    book = plan.table.terms.rulebook
    return {
        name: book.wager[name].least if book.wager[name].fixed else cents
        for name, cents in zip(wagers, AMOUNTS, strict=False)
    }


def _alone(book: Rulebook) -> Iterator[Plan]:
    """Bonus wagers without the blackjack wager that they need, from whole shoes and from a dealt one."""
    for number, wagers in enumerate(wager_sets(book) if book.game == "blackjack" else ()):
        if "blackjack" not in wagers:
            plan = Plan(book.name, (), alone=True, shuffle_every_round=number % 2 == 0)
            yield replace(plan, seats=(_seat(plan, wagers),) * (1 + number % 2))
