"""The command line as pages: usage, arguments and options of every command, as the program declares them."""

from collections.abc import Iterator

import click
from markdown_text import NOTE, code, page, section, table

from feltworks.cli.main import CommandGroup, felt

WORDS = """
What every command takes, as `felt COMMAND --help` says it. [Commands, explained](../cli.md) tells what
they do, with their JSON and exit statuses.
""".strip()


def cli_pages() -> dict[str, str]:
    """The pages by their place in the site: one a command, those of a group together on one."""
    commands = felt.every_command()
    rows = [[f"[felt {name}]({name}.md)", _summary(command)] for name, command in commands.items()]
    pages = {name: page(f"# felt {name}", NOTE, *_parts(f"felt {name}", command)) for name, command in commands.items()}
    index = page("# Commands and options", WORDS, table(["command", ""], rows), NOTE)
    return {f"reference/commands/{name}.md": text for name, text in {"index": index, **pages}.items()}


def _summary(command: click.Command) -> str:
    return (command.help or "").partition("\n")[0]


def _parts(words: str, command: click.Command) -> Iterator[str]:
    """A command's usage, arguments and options; of a group, those of all its commands."""
    if not isinstance(command, CommandGroup):
        yield from _usage(words, command)
        return
    yield command.help or ""
    for name, below in command.every_command().items():
        if isinstance(below, CommandGroup):
            introduction, *commands = _parts(f"{words} {name}", below)
            yield section(f"{words} {name}", introduction)
            yield from commands
        else:
            yield section(f"{words} {name}", *_usage(f"{words} {name}", below))


def _usage(words: str, command: click.Command) -> Iterator[str]:
    arguments = [param for param in command.params if isinstance(param, click.Argument)]
    options = [param for param in command.params if isinstance(param, click.Option)]
    usage = " ".join([words, *map(_argument, arguments), *(["[OPTION...]"] if options else [])])
    yield code(usage)
    yield command.help or ""
    yield table(["argument", ""], [[code(_metavar(param)), param.help or ""] for param in arguments])
    yield table(["option", "", "unless given"], map(_option, options))


def _argument(param: click.Argument) -> str:
    name = _metavar(param) + ("..." if param.nargs == -1 else "")
    return name if param.required else f"[{name}]"


def _metavar(param: click.Argument) -> str:
    return str(param.metavar or param.name).strip("[].").upper()


def _option(param: click.Option) -> list[str]:
    takes = "" if param.is_flag else f" {_takes(param)}".replace("|", " or ")
    names = ", ".join(code(f"{name}{takes}") for name in (*param.opts, *param.secondary_opts))
    often = " May be repeated." if param.multiple else ""
    return [names, f"{param.help or ''}{often}", _preset(param)]


def _takes(param: click.Option) -> str:
    is_number = isinstance(param.type, click.types.IntParamType | click.types.FloatParamType)
    return str(param.metavar or ("N" if is_number else param.opts[0].lstrip("-").upper()))


def _preset(param: click.Option) -> str:
    if param.required:
        return "has to be given"
    default = param.to_info_dict()["default"]
    return "" if param.is_flag or default in (None, "", ()) else code(default)
