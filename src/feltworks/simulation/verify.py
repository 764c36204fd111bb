"""Compares simulated with exact figures: every wager, pay table and value of every option, as one joint test."""

from collections.abc import Callable, Iterator, Sequence
from math import erfc, sqrt
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks import catalog
from feltworks.errors import FeltError
from feltworks.rules.rulebook.model import Option, OptionValue, Rulebook, value_text
from feltworks.simulation.plan import Plan, make_plan
from feltworks.simulation.result import exact_figures, pays_in_full, why_no_figures
from feltworks.simulation.run import Run
from feltworks.simulation.tally import sampled_figures
from feltworks.simulation.workers import WorkerPool

LEVEL: Final = 0.01  # the probability that a correct program fails, all lines together
_ALL_OF_A_RANGE: Final = 8  # values; of a longer range only the ends are tried
_LARGER: Final = 10
Progress = Callable[[int, int], None]
_MOST_CORRECTION = 1 / 3  # of z


class Case(Struct, frozen=True):
    """A table that differs from the default in at most one thing, and the wagers of its one seat."""

    title: str
    plan: Plan
    wagers: tuple[str, ...]  # those that are compared


class Line(Struct, frozen=True):
    """The comparison of one wager at one table; `why` gives the reason if there is no exact edge."""

    title: str
    wager: str
    simulated: float
    standard_error: float
    exact: float | None
    z: float | None = None
    p: float | None = None
    adjusted_p: float | None = None
    why: str | None = None

    @property
    def agrees(self) -> bool | None:
        return None if self.adjusted_p is None else self.adjusted_p >= LEVEL


def cases(game: str) -> Iterator[Case]:
    """Yields the default table, all pay tables, all values of all options, and bonus wagers alone."""
    book = catalog.rulebook(game)
    compared: set[str] = set()
    for offered in _tables(book):
        plan = _plan(game, offered)
        wagers = tuple(wager for wager in plan.wagers if wager not in compared)
        compared.update(wagers)
        yield Case("default", plan, wagers)
        for wager in wagers:
            yield from _pay_tables(book, plan, wager)
        for option, value in _values(book):
            changed = _with_larger_wagers(replace(plan, options={**plan.options, option: value}))
            if is_open(changed):
                title = f"{option.removeprefix(f'{game}.')}={_option_text(value)}"
                yield Case(title, changed, wagers)
    for wager in _bonus(book):
        yield from _alone(book, _plan(game, [wager]), wager)


def _tables(book: Rulebook) -> Iterator[list[str]]:
    """Yields the wagers of as many tables as needed to offer every wager beside the main one (SP.20)."""
    main = [name for name, entry in book.wager.items() if entry.kind == "main"]
    bonus = _bonus(book)
    most = (book.most_wagers or len(book.wager)) - len(main)
    for first in range(0, len(bonus) or 1, most or 1):  # a game without a bonus wager has one table
        yield main + bonus[first : first + most]


def _bonus(book: Rulebook) -> list[str]:
    return [name for name, entry in book.wager.items() if entry.kind == "bonus"]


def _plan(game: str, wagers: Sequence[str]) -> Plan:
    """Makes the plan of a table that offers these wagers, even if it does not do so by default."""
    book = catalog.rulebook(game)
    offers = {} if book.most_wagers else book.offers_with(wagers)
    chosen = [f"{name}={_option_text(value)}" for name, value in offers.items()]
    return make_plan(game, wagers=wagers, chosen=chosen, fresh=True)


def _pay_tables(book: Rulebook, plan: Plan, wager: str) -> Iterator[Case]:
    for table in book.pay_table[wager]:
        if table != plan.table.terms.pay_tables[wager]:
            changed = replace(plan, pay_tables={wager: table})
            if is_open(changed):
                yield Case(f"pay table {table} of {wager}", changed, (wager,))


def _values(book: Rulebook) -> Iterator[tuple[str, OptionValue]]:
    """Yields every option's other values, except for `offers`, which `_tables` varies."""
    for name, option in book.option.items():
        if name != "offers":
            for value in every_value(option):
                if value != option.preset:
                    yield name, value


def every_value(option: Option) -> list[OptionValue]:
    """Lists the values of an option to try: all of them, or the ends of a long range."""
    if option.values is not None:
        return list(option.values)
    if option.range is not None:
        least, most = option.range
        return list(range(least, most + 1)) if most - least < _ALL_OF_A_RANGE else [least, most]
    return [()] if option.members is not None else []


def _alone(book: Rulebook, plan: Plan, wager: str) -> Iterator[Case]:
    """Yields the wager without the one it needs: as the table or an option allows, else measured alone.

    Only games with spots can be measured alone, as only their compiled rounds can omit a needed wager.
    """
    needs = book.wager[wager].needs
    lone = replace(plan, seats=({wager: plan.seats[0][wager]},))
    candidates = [lone, replace(lone, alone=True)] if lone.table.has_spots else [lone]
    if needs and needs.unless:
        candidates.insert(1, replace(lone, options={**plan.options, needs.unless: True}))
    if dealable := next((plan for plan in candidates if is_open(plan)), None):
        yield Case(f"{wager} alone", dealable, (wager,))


def _with_larger_wagers(plan: Plan) -> Plan:
    """M.1: makes wagers large enough for the smallest chip, since the analysis ignores rounding."""
    seat, entries = plan.seats[0], plan.table.terms.rulebook.wager
    if pays_in_full(plan, seat):
        return plan
    larger = {name: cents if entries[name].fixed else cents * _LARGER for name, cents in seat.items()}
    return replace(plan, seats=(larger,))


def is_open(plan: Plan) -> bool:
    """Whether the rules allow the table of this plan."""
    try:
        plan.check()
    except FeltError:
        return False
    return True


def _option_text(value: object) -> str:
    if isinstance(value, tuple | list):
        return ",".join(map(str, value)) or "none"
    return value_text(value)


def verify_game(game: str, pool: WorkerPool, *, rounds: int, seed: int, progress: Progress | None = None) -> list[Line]:
    """Simulates every case of a game and compares it with the exact figures; all lines form one joint test."""
    lines: list[Line] = []
    tables = list(cases(game))
    for number, case in enumerate(tables):
        lines += _lines(case, pool, rounds, seed + number)
        if progress is not None:
            progress(number + 1, len(tables))
    return judge(lines)


def judge(lines: Sequence[Line]) -> list[Line]:
    """Adjusts the p-values of the lines for their number."""
    adjusted = iter(holm([line.p for line in lines if line.p is not None]))
    return [line if line.p is None else replace(line, adjusted_p=next(adjusted)) for line in lines]


def _lines(case: Case, pool: WorkerPool, rounds: int, seed: int) -> Iterator[Line]:
    run = Run(case.plan, seed, rounds=rounds)
    sampled = sampled_figures(run.kernel.layout, run.simulate(pool).tally)
    for wager in case.wagers:
        figures = exact_figures(case.plan, wager)
        edge, error = sampled[wager].house_edge, sampled[wager].standard_error
        if figures is None or not figures.standard_deviation:
            why = why_no_figures(case.plan, wager) or "every round comes out the same"
            yield Line(case.title, wager, edge, error, None, why=why)
            continue
        # Use the exact deviation: if a rare prize did not come up, the measured one is too small
        exact, deviation = float(figures.house_edge), figures.standard_deviation
        error = deviation / sqrt(rounds)
        third = sum(float(row.probability) * (float(row.net) + exact) ** 3 for row in figures.outcomes)
        z = (edge - exact) / error
        skewness = -third / deviation**3 / sqrt(rounds)  # of the house's side
        yield Line(case.title, wager, edge, error, exact, z, two_sided(z, skewness))


def two_sided(z: float, skewness: float = 0.0) -> float:
    """Computes the two-sided p-value of z for a sample mean with a little skewness.

    The skewness is that of the mean. It corrects z (Cornish and Fisher) by at most a third.

    >>> round(two_sided(1.96), 3), round(two_sided(2.5, 0.3), 3), round(two_sided(-2.5, 0.3), 3)
    (0.05, 0.025, 0.006)
    """
    correction = skewness * (z * z - 1) / 6
    limit = abs(z) * _MOST_CORRECTION
    return erfc(abs(z - min(limit, max(-limit, correction))) / sqrt(2))


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusts p-values by Holm's method, so that the level holds for all checks together.

    The method is valid for any dependence between the checks.

    >>> holm([0.5, 0.01, 0.02])
    [0.5, 0.03, 0.04]
    """
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, p_values[place] * (len(p_values) - rank)))
        adjusted[place] = highest
    return adjusted
