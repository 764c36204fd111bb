"""Groups of commands: the file of a command is imported when the command is called or listed."""

from collections.abc import Mapping
from pkgutil import resolve_name

import click

from feltworks.errors import UnknownName


class CommandGroup(click.Group):
    """Commands of its own, and commands in files given as `module:function`.

    Importing all those files would slow every start; this is the lazy group of Click's manual.
    """

    def __init__(self, name: str, help: str, places: Mapping[str, str] | None = None) -> None:
        super().__init__(name, help=help, callback=show_help, invoke_without_command=True)
        self.places = places or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.commands, *self.places]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self._import(cmd_name) if cmd_name in self.places else self.commands.get(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args[0] not in known:
            raise UnknownName("command", args[0], known, of=ctx.command_path if ctx.parent else "")
        return super().resolve_command(ctx, args)

    def every_command(self) -> dict[str, click.Command]:
        """All commands by name; this imports all their files."""
        return {**self.commands, **{name: self._import(name) for name in self.places}}

    def _import(self, name: str) -> click.Command:
        command = resolve_name(self.places[name])
        assert isinstance(command, click.Command)
        return command


@click.pass_context
def show_help(context: click.Context) -> None:
    """A group without a command shows its help."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
