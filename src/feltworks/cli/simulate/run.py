"""Runs a simulation of `felt simulate`: plan, workers, result files and printed result."""

import secrets
import shlex
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import click
import msgspec
from click.exceptions import Exit

from feltworks.analysis.strategy.file import read_strategy
from feltworks.cli.options import read_part
from feltworks.cli.output import print_json
from feltworks.cli.progress import late_interrupts
from feltworks.cli.simulate import CrewOptions, Kind, SimulateOptions
from feltworks.errors import BadOption, FeltError
from feltworks.simulation import plan as plans
from feltworks.simulation.checkpoint import check_writable, replace_file
from feltworks.simulation.plan import Plan, Strategy
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
        from feltworks.cli.simulate.show import show

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
