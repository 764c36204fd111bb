"""The command `felt`: commands are found by file name and imported when asked for; no traceback, ever."""

import gc
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Final

import typer
from msgspec import Struct

import feltworks
from feltworks.cli.plain_command import PlainCommand, PlainGroup
from feltworks.errors import FeltError, UnknownName

BAD_INPUT, OWN_FAULT, OUTPUT_CLOSED, INTERRUPTED = 2, 3, 1, 130
DEBUG = "FELT_DEBUG"
at_end: Final = ExitStack()  # what a command opens is closed when it is over, however it ends
_SELDOM = 50_000  # new objects between two looks for garbage


class Command(Struct, frozen=True):
    """A command as its file announces it, without importing the file; `group` is what it stands under."""

    module: str
    summary: str
    group: str = ""

    @property
    def name(self) -> str:
        return self.module.replace("_", "-")

    @property
    def words(self) -> tuple[str, ...]:
        """What is typed for it after `felt`."""
        return (self.group, self.name) if self.group else (self.name,)

    def function(self) -> Callable[..., None]:
        """The function that carries the command out; this imports its file."""
        path = ".".join(filter(None, ["feltworks.cli", self.group.replace("-", "_"), self.module]))
        found: Callable[..., None] = getattr(import_module(path), self.module)
        return found


class Group(Struct, frozen=True):
    """A command that has commands of its own, each a file in its folder."""

    module: str
    summary: str

    @property
    def name(self) -> str:
        return self.module.replace("_", "-")

    def commands(self) -> dict[str, Command]:
        return _commands_in(_HERE / self.module, self.name)


_HERE = Path(__file__).parent


@cache
def commands() -> dict[str, Command | Group]:
    """Every file beside this one that defines a function of its own name, and every folder of such files."""
    found: dict[str, Command | Group] = {**_commands_in(_HERE, "")}
    for folder in sorted(path.parent for path in _HERE.glob("*/__init__.py")):
        if _commands_in(folder, folder.name):
            group = Group(folder.name, _summary((folder / "__init__.py").read_text(encoding="utf-8")))
            found[group.name] = group
    return dict(sorted(found.items()))


@cache
def _commands_in(folder: Path, group: str) -> dict[str, Command]:
    found = [_announced(path, group) for path in sorted(folder.glob("*.py"))]
    return {command.name: command for command in found if command is not None}


def _announced(path: Path, group: str) -> Command | None:
    _, defined, text = path.read_text(encoding="utf-8").partition(f"\ndef {path.stem}(")
    return Command(path.stem, _summary(text), group) if defined and path.stem != "main" else None


def _summary(text: str) -> str:
    """The first line of the first docstring; parsing every file would take longer than most commands."""
    return text.partition('"""')[2].partition("\n")[0].removesuffix('"""')


def application(load: Callable[[Command], bool]) -> typer.Typer:
    """The whole of `felt`; commands that need not be loaded stand there with their summary alone."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, cls=PlainGroup)
    app.callback()(felt)
    for command in commands().values():
        if isinstance(command, Group):
            app.add_typer(_group(command, load), name=command.name, short_help=command.summary)
        else:
            _add(app, command, load)
    return app


def _group(group: Group, load: Callable[[Command], bool]) -> typer.Typer:
    app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True, help=group.summary)
    app.callback()(_not_loaded)
    for command in group.commands().values():
        _add(app, command, load)
    return app


def _add(app: typer.Typer, command: Command, load: Callable[[Command], bool]) -> None:
    if load(command):
        app.command(command.name, cls=PlainCommand)(command.function())
    else:
        app.command(command.name, short_help=command.summary)(_not_loaded)


def _not_loaded() -> None:
    """Stands for a command in the list of commands."""


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"feltworks {feltworks.__version__}")
        raise typer.Exit


def felt(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Deal, decide and settle house-banked card games, and see which clause says so. Play money only."""


def main(arguments: Sequence[str]) -> int:
    """Carry out one command line and return its exit status."""
    words = tuple(word for word in arguments if not word.startswith("-"))
    try:
        _check_known(words)
        with at_end:
            status = _carry_out(arguments, words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except Exception as trouble:
        if os.environ.get(DEBUG):
            traceback.print_exc()
        return _reported(trouble)
    if status == INTERRUPTED:  # by Ctrl-C, which Typer hands on as a status
        typer.echo("\nfelt: stopped" if sys.stderr.isatty() else "felt: stopped", err=True)
    return status if isinstance(status, int) else 0


def _carry_out(arguments: Sequence[str], words: Sequence[str]) -> object:
    app = application(lambda command: command.words == words[: len(command.words)])
    alone = len(words) < 2 and isinstance(commands().get("".join(words)), Group)
    return app(
        [*arguments, "--help"] if alone or not arguments else list(arguments),
        prog_name="felt",
        standalone_mode=False,
    )


def _check_known(words: Sequence[str]) -> None:
    if not words:
        return
    if words[0] not in commands():
        raise UnknownName("command", words[0], commands())
    group = commands()[words[0]]
    if isinstance(group, Group) and len(words) > 1 and words[1] not in group.commands():
        raise UnknownName("command", words[1], group.commands(), of=f"felt {group.name}")


def _reported(trouble: Exception) -> int:
    """Say in one sentence what is wrong, and which exit status that is."""
    if isinstance(trouble, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads on; say no more
        return OUTPUT_CLOSED
    sentence, status = _sentence(trouble)
    typer.echo(f"felt: {sentence}", err=True)
    return status


def _sentence(trouble: Exception) -> tuple[str, int]:
    if isinstance(trouble, FeltError):
        return _one_line(str(trouble)), BAD_INPUT
    if isinstance(trouble, typer.TyperException):
        said = _one_line(trouble.format_message()).rstrip(".")
        return f"{said}; add --help to see what is allowed", BAD_INPUT
    if isinstance(trouble, typer.Abort):
        return "stopped", OUTPUT_CLOSED
    if isinstance(trouble, OSError) and trouble.filename:
        return f"cannot use {trouble.filename}: {(trouble.strerror or 'unknown trouble').lower()}", BAD_INPUT
    where = traceback.extract_tb(trouble.__traceback__)[-1]
    place = f"{Path(where.filename).name}, line {where.lineno}"
    said = _one_line(f"{type(trouble).__name__}: {trouble}")
    return f"a fault of its own in {place} ({said}); set {DEBUG}=1 to see all of it", OWN_FAULT


def _one_line(text: str) -> str:
    return " ".join(text.split())


def run() -> None:
    """The console's entry: `felt` with the arguments of the command line."""
    gc.set_threshold(_SELDOM)  # what loading makes stays, so looking for garbage in it finds nothing
    os.environ.setdefault(
        "OPENBLAS_NUM_THREADS", "1"
    )  # nothing here multiplies matrices; threads cost a start
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")  # a screen without suits still shows the rest
    status = main(sys.argv[1:])
    gc.freeze()  # what is left goes with the process; to look for garbage in it takes a tenth of the time
    sys.exit(status)
