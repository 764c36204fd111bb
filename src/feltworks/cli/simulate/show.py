"""Prints results of simulations: edges, sessions, days and years."""

import shlex
from collections.abc import Callable, Mapping, Sequence

from feltworks.cli.output import Page, Table
from feltworks.cli.simulate import Kind
from feltworks.cli.simulate.run import Document
from feltworks.money import dollars

_PARTS = ("1%", "5%", "25%", "50%", "75%", "95%", "99%")
_SPREAD = ("least", "5%", "25%", "median", "75%", "95%", "most")


_ALONE = "Measured alone (at a table a main wager lies beside it)"


def show(document: Document, kind: Kind) -> None:
    """Print the result."""
    page = Page()
    if kind == "edges":
        _show_edges(page, document)
    elif kind == "session":
        _show_sessions(page, document)
    elif kind == "days":
        _show_days(page, document)
    else:
        _show_years(page, document)
    page.close()


def _show_edges(page: Page, document: Document) -> None:
    rounds, seats = _count(document["rounds"], "round"), _count(document["seats"], "seat")
    _print_heading(page, document, f"{rounds}, {seats}")
    table = Table("wager", "house edge", "standard error", "exact", "z", "hits")
    for name, figures in document["wagers"].items():
        table.add_row(name, *_figures(figures))
    page.print(table)
    for name, figures in document["wagers"].items():
        if figures["why"]:
            page.print(f"No exact edge for {name}: {figures['why']}.")
    if document["interrupted"] and document["checkpoint"]:
        page.print_whole(f"Continue it: felt simulate --resume {shlex.quote(document['checkpoint'])}")
    _print_pace(page, document, _ALONE if document["alone"] else "")


def _figures(figures: Document) -> list[str]:
    percents = [_percent(figures[key]) for key in ("house_edge", "standard_error", "exact")]
    z = "" if figures["z"] is None else f"{figures['z']:+.2f}"
    return [*percents, z, _percent(figures["hit_frequency"])]


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.4%}"


def _print_heading(page: Page, document: Document, what: str) -> None:
    stopped = ", stopped early" if document["interrupted"] else ""
    page.print(f"{document['game']}: {what}, seed {document['seed']}{stopped}", style="bold")


def _show_sessions(page: Page, document: Document) -> None:
    sessions = f"{_count(document['sessions'], 'session')} of {_count(document['session_rounds'], 'round')}"
    _print_heading(page, document, sessions)
    columns = {
        "result": _money(document["result"]),
        "drawdown": _money(document["drawdown"]),
        "longest losing run": _numbers(document["longest_losing_run"]),
    }
    if document["ruin"]:
        columns["rounds lasted"] = _numbers(document["ruin"]["rounds_lasted"])
    page.print(_side_by_side("of all sessions", _PARTS, columns))
    page.print(f"Mean {_mean(document['result'])}; ahead at the end in {document['ahead']:.2%} of them.")
    if document["ruin"]:
        page.print(f"Ruined with {dollars(document['ruin']['bankroll'])}: {_risk(document['ruin'])}.")
    page.print(f"Bankroll that lasts: {_amounts(document['bankroll_for'])}.")
    _print_pace(page, document)


def _show_days(page: Page, document: Document) -> None:
    days = f"{_count(document['days'], 'day')} of {_day(document)}, {_count(document['seats'], 'seat')}"
    _print_heading(page, document, days)
    columns = {"a day's win": _money(document["win"])}
    if document["stretches"]:
        columns[f"drawdown in {_count(document['horizon'], 'day')}"] = _money(document["drawdown"])
        columns["days lost in a row"] = _numbers(document["longest_losing_run"])
    page.print(_side_by_side("of all days", _PARTS, columns))
    page.print(f"Mean {_mean(document['win'])} a day; {document['losing_days']:.2%} of the days lose.")
    if document["loses_more_than"]:
        more = document["loses_more_than"]
        page.print(f"A day loses more than {dollars(more['cents'])}: {_risk(more)}.")
    page.print(f"Reserve for one day: {_amounts(document['reserve_for'])}.")
    if document["stretches"]:
        _show_stretches(page, document)
    _print_pace(page, document)


def _show_stretches(page: Page, document: Document) -> None:
    number = _count(document["stretches"], "stretch", "stretches")
    stretches = f"{number} of {_count(document['horizon'], 'day')}"
    if document["bankroll_for"]:
        amounts = _amounts(document["bankroll_for"])
        page.print(f"Bankroll that lasts through {stretches}: {amounts}.")
    if missing := [safety for safety in document["reserve_for"] if safety not in document["bankroll_for"]]:
        page.print(f"The bankroll for {missing[0]} needs more days than these.")
    if document["ruin"]:
        bankroll = dollars(document["ruin"]["bankroll"])
        page.print(f"A bankroll of {bankroll} runs out, by {stretches}: {_risk(document['ruin'])}.")


def _show_years(page: Page, document: Document) -> None:
    years = f"{_count(document['years'], 'year')} of {_day(document)} a day"
    _print_heading(page, document, f"{years}, {_count(document['seats'], 'seat')}")
    results: dict[str, Document] = {}
    for name, history in document["policies"].items():
        result = {key: value for key, value in history.items() if key != "policy"}
        if equal := [other for other, earlier in results.items() if earlier == result]:
            page.print(f"{name.capitalize()}: to the cent the same as {equal[0]}.\n")
        else:
            _show_history(page, name, history)
        results[name] = result


def _show_history(page: Page, name: str, history: Document) -> None:
    columns = {"posted": _spread(history["posted"], _whole_dollars)}
    for hand, hits in history["hits"].items():
        columns[f"{hand} paid"] = _spread(hits["paid"], _whole_dollars)
        columns[f"days between, {hand}"] = _spread(hits["days_between"], "{:,.1f}".format)
    seeds, backups = history["seeds"], history["backups"]
    columns["seed back after days"] = _spread(seeds["days_to_recover"], "{:,}".format)
    page.print(name.capitalize(), style="bold")
    page.print(_side_by_side("", _SPREAD, columns))
    hits = [
        f"{figures['count']:,} × {hand} ({figures['expected']:,.1f} expected)"
        for hand, figures in history["hits"].items()
    ]
    put_up = _count(seeds["put_up"], "seed")
    page.print(f"{', '.join(hits)}; {put_up} put up, {dollars(seeds['recovered'])} recovered.")
    one, two = (backups[f"days_with_{count}"] / history["days"] for count in ("one", "two"))
    taken = f"a backup took over {backups['taken_over']:,} of {history['hits']['cincos']['count']:,} times"
    page.print(f"{one:.1%} of days with a backup, {two:.1%} with two; {taken}.\n")


def _side_by_side(name: str, parts: Sequence[str], columns: Mapping[str, list[str]]) -> Table:
    table = Table(name, *columns)
    for place, part in enumerate(parts):
        table.add_row(part, *(column[place] for column in columns.values()))
    return table


def _spread(spread: Document, text_of: Callable[[int], str]) -> list[str]:
    return [text_of(spread[part]) if spread["count"] else "" for part in _SPREAD]


def _whole_dollars(cents: int) -> str:
    return dollars(round(cents / 100) * 100)


def _money(quantiles: Document) -> list[str]:
    return [dollars(quantiles[part]) for part in _PARTS]


def _numbers(quantiles: Document) -> list[str]:
    return [f"{quantiles[part]:,}" for part in _PARTS]


def _mean(result: Document) -> str:
    parts = [f"standard error {dollars(round(result['standard_error']))}"]
    if result["expected"] is not None:
        parts.append(f"exact {dollars(round(result['expected']))}")
    if result["z"] is not None:
        parts.append(f"z {result['z']:+.2f}")
    return f"{dollars(round(result['mean']))} ({', '.join(parts)})"


def _risk(share: Document) -> str:
    low, high = share["interval"]
    return f"{share['probability']:.3%} ({low:.3%} to {high:.3%} with 95% certainty)"


def _amounts(by_safety: Mapping[str, int]) -> str:
    return ", ".join(f"{dollars(cents)} for {safety}" for safety, cents in by_safety.items())


def _day(document: Document) -> str:
    return _count(document["rounds_per_day"], "round")


def _count(number: int, one: str, many: str = "") -> str:
    """A count in words, such as "one seat" or "5 seats"."""
    return f"one {one}" if number == 1 else f"{number:,} {many or one + 's'}"


def _print_pace(page: Page, document: Document, played: str = "") -> None:
    pace = f"{document['rounds_per_second']:,} rounds/s on {_count(document['workers'], 'worker')}"
    compiling = f"{document['compile_seconds']:.2f} s to compile or load the kernel"
    played = played or f"Played {document['strategy']}"
    page.print(f"{played}; {pace}, {document['seconds']:.2f} s, and {compiling}.")
