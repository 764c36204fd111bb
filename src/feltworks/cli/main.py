"""The command `felt`: commands are found by file name and imported when asked for; no traceback, ever."""

import ast
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

import feltworks
from feltworks.errors import FeltError, UnknownName

BAD_INPUT, OWN_FAULT, OUTPUT_CLOSED, INTERRUPTED = 2, 3, 1, 130
DEBUG = "FELT_DEBUG"


class Command(Struct, frozen=True):
    """A command as its file announces it, without importing the file."""

    module: str
    summary: str

    @property
    def name(self) -> str:
        return self.module.replace("_", "-")

    def function(self) -> Callable[..., None]:
        """The function that carries the command out; this imports its file."""
        found: Callable[..., None] = getattr(import_module(f"feltworks.cli.{self.module}"), self.module)
        return found


@cache
def commands() -> dict[str, Command]:
    """Every file beside this one that defines a function of its own name."""
    found = filter(None, map(_announced, sorted(Path(__file__).parent.glob("*.py"))))
    return {command.name: command for command in found}


def _announced(path: Path) -> Command | None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == path.stem != "main":
            words = ast.get_docstring(node) or ast.get_docstring(tree) or ""
            return Command(path.stem, words.partition("\n")[0])
    return None


def application(load: Callable[[Command], bool]) -> typer.Typer:
    """The whole of `felt`; commands that need not be loaded stand there with their summary alone."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.callback()(felt)
    for command in commands().values():
        if load(command):
            app.command(command.name)(command.function())
        else:
            app.command(command.name, short_help=command.summary)(_not_loaded)
    return app


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
    wanted = next((word for word in arguments if not word.startswith("-")), None)
    try:
        if wanted is not None and wanted not in commands():
            raise UnknownName("command", wanted, commands())
        app = application(lambda command: command.name == wanted)
        status = app(list(arguments) or ["--help"], prog_name="felt", standalone_mode=False)
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
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")  # a screen without suits still shows the rest
    sys.exit(main(sys.argv[1:]))
