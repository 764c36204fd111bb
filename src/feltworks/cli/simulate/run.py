"""Runs a simulation of `felt simulate`: plan, workers and result files, and the printed result."""

import secrets
import shlex
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import click
import msgspec
from click.exceptions import Exit

from feltworks.analysis.strategy.file import read_strategy
from feltworks.cli.options import read_part
from feltworks.cli.output import Page, Table, print_json
from feltworks.cli.progress import late_interrupts
from feltworks.cli.simulate import CrewOptions, Kind, SimulateOptions
from feltworks.errors import BadOption, FeltError
from feltworks.money import dollars
from feltworks.simulation import plan as plans
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.run import check_writable, replace_file
from feltworks.simulation.workers import Cluster, Processes, Threads, WorkerPool, machine_workers

INTERRUPTED = 130  # the status that shells use
_STRATEGY_FILES = (".json", ".toml")
_SEED_BITS = 48

Document = dict[str, Any]  # made by the simulation
Draw = Callable[[], str]


class Job(Protocol):
    """One kind of simulation; its constructor checks the options before any work."""

    def __init__(self, options: SimulateOptions) -> None: ...

    def simulate(self, crew: WorkerPool, command: str) -> tuple[Document, Draw]:
        """Return the JSON document of the result and a function that draws it as SVG."""


def run(options: SimulateOptions) -> None:
    """Simulate, write the files and print the result."""
    from feltworks.cli.simulate.jobs import JOBS

    kind = options.kind
    options.crew.check()
    files = ResultFiles(options.output, options.plot)
    job = JOBS[kind](options)
    with late_interrupts():
        with start_crew(options.crew) as crew:
            document, draw = job.simulate(crew, shlex.join(["felt", *sys.argv[1:]]))
        try:
            files.write(document, kind, draw)
        finally:
            _show(document, kind, as_json=options.as_json)
    if document["interrupted"]:
        raise Exit(INTERRUPTED)


def _show(document: Document, kind: Kind, *, as_json: bool) -> None:
    if as_json:
        print_json(document)
    else:
        show(document, kind)


def start_crew(options: CrewOptions) -> WorkerPool:
    """Start the workers."""
    if options.cluster is not None:
        return Cluster(options.cluster, lambda words: click.echo(f"felt: {words}", err=True))
    size = options.workers or machine_workers()
    return Processes(size) if options.processes else Threads(size)


class ResultFiles:
    """The files of `--output` and `--plot`; a drawing in a folder is named by game and kind."""

    def __init__(self, output: Path | None, plot: Path | None) -> None:
        self.output, self.plot = output, plot
        if output is not None and (output.is_dir() or not output.parent.is_dir()):
            raise BadOption("--output", str(output), "a file in an existing folder")
        if plot is not None and not plot.is_dir() and (plot.suffix != ".svg" or not plot.parent.is_dir()):
            raise BadOption("--plot", str(plot), "a folder, or a file that ends in .svg in an existing folder")
        for path in filter(None, (output, self._drawing("felt"))):
            check_writable(path)

    def write(self, document: Document, kind: Kind, draw: Draw) -> None:
        """Write the requested files, each completely or not at all."""
        if self.output is not None:
            replace_file(self.output, msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n")
        if drawing := self._drawing(f"{document['game']}-{kind}"):
            replace_file(drawing, draw().encode())

    def _drawing(self, name: str) -> Path | None:
        return self.plot / f"{name}.svg" if self.plot is not None and self.plot.is_dir() else self.plot


def make_plan(options: SimulateOptions, *, wagers: tuple[str, ...] | None = None, alone: bool = False) -> Plan:
    """Make the plan of the table and check it; `wagers` replaces those of the command line."""
    if not options.game:
        raise FeltError("name a game, as felt games lists them, or continue a saved run with --resume FILE")
    return plans.make_plan(
        options.game,
        wagers=options.wagers if wagers is None else wagers,
        strategy=_strategy(options.strategy) if options.strategy else None,
        pay_tables=options.pay_tables,
        decks=options.decks,
        chosen=options.chosen,
        seats=options.seats,
        jackpot=options.jackpot,
        penetration=options.penetration,
        fresh=options.fresh,
        alone=alone,
    )


def _strategy(text: str) -> Strategy:
    """A strategy's name or the content of a file, which is part of the plan so that a cluster needs no file."""
    path = Path(text)
    if path.suffix not in _STRATEGY_FILES:
        return Strategy(text)
    try:
        content = _read(path)
    except (tomllib.TOMLDecodeError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadOption("--strategy", text, f"a file that can be read ({error})") from None
    if isinstance(content, list) or (isinstance(content, dict) and {"situations", "rules"} & content.keys()):
        content = msgspec.to_builtins(read_strategy(path))
    return Strategy(path.name, content)


def _read(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    return tomllib.loads(text) if path.suffix == ".toml" else msgspec.json.decode(text)


def seed_or_new(seed: int | None) -> int:
    """The seed that was given, or a random one."""
    return secrets.randbits(_SEED_BITS) if seed is None else seed


def read_share(option: str, text: str, example: str) -> float | None:
    """Read a share between 0 and 1, such as 0.01% or 0.0001; None if none was given."""
    if not text:
        return None
    wanted = f"a part above 0 and below 100%, such as {example}"
    share = read_part(option, text, wanted)
    if not 0 < share < 1:
        raise BadOption(option, text, wanted)
    return float(share)


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
