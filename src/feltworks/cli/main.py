"""The command `felt`: runs a command and reports an error as one sentence and an exit status."""

import gc
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import Final

import click

import feltworks
from feltworks.errors import FeltError, UnknownName


class CommandGroup(click.Group):
    """A group that also has commands given as `module:function`, which are imported when they are used.

    Importing all of them would slow down every start; this is the lazy group of Click's manual.
    """

    def __init__(self, name: str, help: str, places: Mapping[str, str] | None = None) -> None:
        super().__init__(name, help=help, callback=show_help, invoke_without_command=True)
        self.places = places or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.commands, *self.places]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = self._import(cmd_name) if cmd_name in self.places else self.commands.get(cmd_name)
        if command and command.help and not command.short_help:
            command.short_help = command.help.partition("\n\n")[0]  # otherwise Click truncates it
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args[0] not in known:
            raise UnknownName("command", args[0], known, of=ctx.command_path if ctx.parent else "")
        return super().resolve_command(ctx, args)

    def every_command(self) -> dict[str, click.Command]:
        """All commands by name; imports all their modules."""
        return {**self.commands, **{name: self._import(name) for name in self.places}}

    def _import(self, name: str) -> click.Command:
        command = resolve_name(self.places[name])
        assert isinstance(command, click.Command)
        return command


@click.pass_context
def show_help(context: click.Context) -> None:
    """Show a group's help if no command is given."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


BAD_INPUT, OWN_FAULT, OUTPUT_CLOSED, INTERRUPTED = 2, 3, 1, 130
DEBUG = "FELT_DEBUG"
_OBJECTS_BETWEEN_COLLECTIONS = 50_000

_COMMANDS: Final = (  # each in a module of the same name
    *("analyze", "audit", "check", "compare", "deal-check", "design", "doctor", "games", "house", "new", "play"),
    *("protect", "report", "serve", "settle", "simulate", "strategy", "trace", "verify"),
)
felt: Final = CommandGroup(
    "felt",
    "Deal, decide and settle house-banked card games, and see which clause says so. Play money only.",
    {name: "feltworks.cli.{0}:{0}".format(name.replace("-", "_")) for name in _COMMANDS},
)
EXAMPLES: Final = "--examples"  # a flag of every command that adds the games of the gallery
click.option(EXAMPLES, is_flag=True, expose_value=False, help="Find the games of the gallery, too.")(felt)
click.version_option(feltworks.__version__, message="feltworks %(version)s", help="Show the version.")(felt)


def main(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit status."""
    try:
        status = _carry_out(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except Exception as error:
        if os.environ.get(DEBUG):
            traceback.print_exc()
        return _report(error)
    if status == INTERRUPTED:
        click.echo("\nfelt: stopped" if sys.stderr.isatty() else "felt: stopped", err=True)
    return status


def _carry_out(arguments: Sequence[str]) -> int:
    """Run the command without Click's own `main`, which would turn Ctrl-C into an error and exit the process."""
    if EXAMPLES in arguments:
        from feltworks import catalog

        catalog.add_examples()
        arguments = [word for word in arguments if word != EXAMPLES]
    try:
        with felt.make_context("felt", list(arguments), show_default=True) as context:
            felt.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    return 0


def _report(error: Exception) -> int:
    """Print a sentence on what is wrong and return the exit status."""
    if isinstance(error, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader closed the pipe
        return OUTPUT_CLOSED
    sentence, status = _sentence(error)
    click.echo(f"felt: {sentence}", err=True)
    return status


def _sentence(error: Exception) -> tuple[str, int]:
    if isinstance(error, FeltError):
        return _one_line(str(error)), BAD_INPUT
    if isinstance(error, click.ClickException):
        message = _one_line(error.format_message()).rstrip(".")
        return f"{message}; add --help to see what is allowed", BAD_INPUT
    if isinstance(error, click.Abort | EOFError):
        return "stopped", OUTPUT_CLOSED
    if isinstance(error, OSError) and error.filename:
        return f"cannot use {error.filename}: {(error.strerror or 'unknown error').lower()}", BAD_INPUT
    from feltworks.check.faults import raised_fault

    if fault := raised_fault(error):  # in a designer's rules, not in this program
        return f"{fault}; `felt check` says more", BAD_INPUT
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}, line {frame.lineno}"
    message = _one_line(f"{type(error).__name__}: {error}")
    return f"internal error in {place} ({message}); set {DEBUG}=1 to see the traceback", OWN_FAULT


def _one_line(text: str) -> str:
    return " ".join(text.split())


def run() -> None:
    """The console entry point: run `felt` with the arguments of the process."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)  # imports make few cycles, so frequent collections are useless
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no matrices are used, and its threads slow down the start
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")  # show text on a terminal without suit symbols
    status = main(sys.argv[1:])
    gc.freeze()  # avoids a last collection, which takes a tenth of the time
    sys.exit(status)
