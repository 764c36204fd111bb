"""The command line as pages: usage, arguments and options of every command, as the program declares them."""

from collections.abc import Iterator
from typing import Any

import typer.main
from markdown_text import NOTE, code, page, section, table

from feltworks.cli.main import application, commands

WORDS = """
What every command takes, as `felt COMMAND --help` says it. [Commands, explained](../cli.md) tells what
they do, with their JSON and exit statuses.
""".strip()


def cli_pages() -> dict[str, str]:
    """The pages by their place in the site: one a command, those of a group together on one."""
    root: Any = typer.main.get_group(application(lambda _: True))
    told = {name: root.commands[name] for name in commands()}
    rows = [[f"[felt {name}]({name}.md)", commands()[name].summary] for name in told]
    made = {name: page(f"# felt {name}", NOTE, *_told(f"felt {name}", each)) for name, each in told.items()}
    index = page("# Commands and options", WORDS, table(["command", ""], rows), NOTE)
    return {f"reference/commands/{name}.md": text for name, text in {"index": index, **made}.items()}


def _told(words: str, command: Any) -> Iterator[str]:
    below = getattr(command, "commands", None)
    if below is None:
        yield from _described(words, command)
        return
    yield command.help or ""
    for name, each in below.items():
        yield section(f"{words} {name}", *_described(f"{words} {name}", each))


def _described(words: str, command: Any) -> Iterator[str]:
    asked = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.param_type_name == "option"]
    usage = " ".join([words, *map(_argument, asked), *(["[OPTION...]"] if options else [])])
    yield code(usage)
    yield command.help or ""
    yield table(["argument", ""], [[code(_metavar(param)), param.help or ""] for param in asked])
    yield table(["option", "", "unless given"], map(_option, options))


def _argument(param: Any) -> str:
    name = _metavar(param) + ("..." if param.nargs == -1 else "")
    return name if param.required else f"[{name}]"


def _metavar(param: Any) -> str:
    return str(param.metavar or param.name).upper()


def _option(param: Any) -> list[str]:
    takes = "" if param.is_flag else f" {_takes(param)}".replace("|", " or ")
    names = ", ".join(code(f"{name}{takes}") for name in (*param.opts, *param.secondary_opts))
    often = " May be repeated." if param.multiple else ""
    return [names, f"{param.help or ''}{often}", _preset(param)]


def _takes(param: Any) -> str:
    if "--set" in param.opts:
        return "OPTION=VALUE"
    is_number = param.type_descriptor.annotation in (int, float)
    return str(param.metavar or ("N" if is_number else param.opts[0].lstrip("-").upper()))


def _preset(param: Any) -> str:
    if param.required:
        return "has to be given"
    if param.is_flag or param.default in (None, (), []) or callable(param.default):
        return ""
    return code(param.default)
