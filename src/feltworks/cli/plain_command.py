"""Commands whose words are taken as they are typed, without loading what would convert them.

Typer converts every value with a library that takes longer to load than most commands take to run. Text that
is asked for as text needs no conversion, and neither does a default of the right type; all else is converted.
"""

from collections.abc import Callable
from typing import Any

from typer.core import TyperCommand, TyperGroup


class PlainCommand(TyperCommand):
    """Reads its arguments like any other."""

    def get_params(self, ctx: Any) -> list[Any]:
        return [_as_it_is(parameter) for parameter in super().get_params(ctx)]


class PlainGroup(TyperGroup):
    """The command before the commands."""

    def get_params(self, ctx: Any) -> list[Any]:
        return [_as_it_is(parameter) for parameter in super().get_params(ctx)]


def _as_it_is(parameter: Any) -> Any:
    usual = getattr(parameter, "get_runtime_param", None)
    if usual and not isinstance(usual, _AsItIs):
        parameter.get_runtime_param = _AsItIs(usual)
    return parameter


class _AsItIs:
    """Stands for a parameter's conversion, and asks for it only where there is something to convert."""

    def __init__(self, usual: Callable[[], Any]) -> None:
        self.usual = usual

    def __call__(self) -> "_AsItIs":
        return self

    def coerce(self, value: object, param: Any, ctx: Any) -> object:
        takes_several = param.multiple or param.nargs == -1
        if value is None:
            return () if takes_several else None
        if type(value) is param.type_descriptor.annotation and not takes_several:
            return value
        return self.usual().coerce(value, param=param, ctx=ctx)
