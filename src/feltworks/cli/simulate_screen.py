"""Sessions, days and years of a simulation as people read them."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from feltworks.cli.output import PLAY_MONEY, console, new_table
from feltworks.money import dollars

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_PARTS = ("1%", "5%", "25%", "50%", "75%", "95%", "99%")
_SPREAD = ("least", "5%", "25%", "median", "75%", "95%", "most")


def show_session(told: dict[str, Any]) -> None:
    """A player's sessions."""
    screen = console()
    many = f"{counted(told['sessions'], 'session')} of {counted(told['session_rounds'], 'round')}"
    screen.print(f"{told['game']}: {many}, seed {told['seed']}{stopped(told)}", style="bold")
    columns = {
        "result": _money(told["result"]),
        "drawdown": _money(told["drawdown"]),
        "longest losing run": _numbers(told["longest_losing_run"]),
    }
    if told["ruin"]:
        columns["rounds lasted"] = _numbers(told["ruin"]["rounds_lasted"])
    screen.print(_side_by_side("of all sessions", _PARTS, columns))
    screen.print(f"Mean {_mean(told['result'])}; ahead at the end in {told['ahead']:.2%} of them.")
    if told["ruin"]:
        screen.print(f"Ruined with {dollars(told['ruin']['bankroll'])}: {_risk(told['ruin'])}.")
    screen.print(f"Bankroll that is never short: {_amounts(told['bankroll_for'])}.")
    close(screen, told)


def show_days(told: dict[str, Any]) -> None:
    """A house's days."""
    screen = console()
    many = f"{counted(told['days'], 'day')} of {_day(told)}, {counted(told['seats'], 'seat')}"
    screen.print(f"{told['game']}: {many}, seed {told['seed']}{stopped(told)}", style="bold")
    columns = {"a day's win": _money(told["win"])}
    if told["stretches"]:
        columns[f"drawdown in {counted(told['horizon'], 'day')}"] = _money(told["drawdown"])
        columns["days lost in a row"] = _numbers(told["longest_losing_run"])
    screen.print(_side_by_side("of all days", _PARTS, columns))
    screen.print(f"Mean {_mean(told['win'])} a day; {told['losing_days']:.2%} of the days lose.")
    if told["loses_more_than"]:
        more = told["loses_more_than"]
        screen.print(f"A day loses more than {dollars(more['cents'])}: {_risk(more)}.")
    screen.print(f"Reserve for one day: {_amounts(told['reserve_for'])}.")
    if told["stretches"]:
        _show_stretches(screen, told)
    close(screen, told)


def _show_stretches(screen: "Console", told: dict[str, Any]) -> None:
    many = counted(told["stretches"], "stretch", "stretches")
    stretches = f"{many} of {counted(told['horizon'], 'day')}"
    if told["bankroll_for"]:
        amounts = _amounts(told["bankroll_for"])
        screen.print(f"Bankroll that is never short at a day's end, by {stretches}: {amounts}.")
    if missing := [safety for safety in told["reserve_for"] if safety not in told["bankroll_for"]]:
        screen.print(f"More days would tell the bankroll for {missing[0]} too; so few stretches cannot.")
    if told["ruin"]:
        bankroll = dollars(told["ruin"]["bankroll"])
        screen.print(f"Short with {bankroll} at some day's end, by {stretches}: {_risk(told['ruin'])}.")


def show_years(told: dict[str, Any]) -> None:
    """A jackpot's years."""
    screen = console()
    many = f"{counted(told['years'], 'year')} of {_day(told)} a day"
    seats = counted(told["seats"], "seat")
    screen.print(f"{told['game']}: {many}, {seats}, seed {told['seed']}", style="bold")
    shown: dict[str, dict[str, Any]] = {}
    for name, history in told["policies"].items():
        came_to = {key: value for key, value in history.items() if key != "policy"}
        if alike := [other for other, found in shown.items() if found == came_to]:
            screen.print(f"{name.capitalize()}: to the cent the same as {alike[0]}.\n")
        else:
            _show_history(screen, name, history)
        shown[name] = came_to
    screen.print(PLAY_MONEY, style="dim")


def _show_history(screen: "Console", name: str, history: dict[str, Any]) -> None:
    columns = {"posted": _spread(history["posted"], _whole_dollars)}
    for hand, hits in history["hits"].items():
        columns[f"{hand} paid"] = _spread(hits["paid"], _whole_dollars)
        columns[f"days between, {hand}"] = _spread(hits["days_between"], "{:,.1f}".format)
    seeds, backups = history["seeds"], history["backups"]
    columns["seed back after days"] = _spread(seeds["days_to_recover"], "{:,}".format)
    screen.print(name.capitalize(), style="bold")
    screen.print(_side_by_side("", _SPREAD, columns))
    hits = [
        f"{each['count']:,} × {hand} ({each['expected']:,.1f} expected)"
        for hand, each in history["hits"].items()
    ]
    put_up = counted(seeds["put_up"], "seed")
    screen.print(f"{', '.join(hits)}; {put_up} put up, {dollars(seeds['recovered'])} recovered.")
    one, two = (backups[f"days_with_{count}"] / history["days"] for count in ("one", "two"))
    taken = f"a backup took over {backups['taken_over']:,} of {history['hits']['cincos']['count']:,} times"
    screen.print(f"{one:.1%} of days with a backup, {two:.1%} with two; {taken}.\n")


def _side_by_side(name: str, parts: Sequence[str], columns: Mapping[str, list[str]]) -> "Table":
    table = new_table(name, *columns)
    for place, part in enumerate(parts):
        table.add_row(part, *(column[place] for column in columns.values()))
    return table


def _spread(spread: Mapping[str, Any], written: Callable[[Any], str]) -> list[str]:
    return [written(spread[part]) if spread["count"] else "" for part in _SPREAD]


def _whole_dollars(cents: int) -> str:
    return dollars(round(cents / 100) * 100)


def _money(quantiles: Mapping[str, Any]) -> list[str]:
    return [dollars(quantiles[part]) for part in _PARTS]


def _numbers(quantiles: Mapping[str, Any]) -> list[str]:
    return [f"{quantiles[part]:,}" for part in _PARTS]


def _mean(result: Mapping[str, Any]) -> str:
    said = [f"standard error {dollars(round(result['standard_error']))}"]
    if result["expected"] is not None:
        said.append(f"exact {dollars(round(result['expected']))}")
    if result["z"] is not None:
        said.append(f"z {result['z']:+.2f}")
    return f"{dollars(round(result['mean']))} ({', '.join(said)})"


def _risk(share: Mapping[str, Any]) -> str:
    low, high = share["interval"]
    return f"{share['probability']:.3%} ({low:.3%} to {high:.3%} with 95% certainty)"


def _amounts(by_safety: Mapping[str, int]) -> str:
    return ", ".join(f"{dollars(cents)} for {safety}" for safety, cents in by_safety.items())


def _day(told: Mapping[str, Any]) -> str:
    return counted(told["rounds_per_day"], "round")


def counted(number: int, one: str, many: str = "") -> str:
    """One seat, 5 seats."""
    return f"one {one}" if number == 1 else f"{number:,} {many or one + 's'}"


def stopped(told: Mapping[str, Any]) -> str:
    """What a heading adds where Ctrl-C ended it."""
    return ", stopped early" if told["interrupted"] else ""


def close(screen: "Console", told: Mapping[str, Any], played: str = "") -> None:
    """How it was played, at what pace, and that it is play money."""
    pace = f"{told['rounds_per_second']:,} rounds/s on {counted(told['workers'], 'worker')}"
    compiling = f"{told['compile_seconds']:.2f} s to compile or load the kernel"
    played = played or f"Played {told['strategy']}"
    screen.print(f"{played}; {pace}, {told['seconds']:.2f} s, and {compiling}.")
    screen.print(PLAY_MONEY, style="dim")
