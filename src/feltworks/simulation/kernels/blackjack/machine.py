"""How blackjack's inner loops are compiled: arrays are passed on without counting who holds them.

Numba counts references to every array that goes into a function, atomically. A blackjack round is made of
many small functions over the same few arrays, and the counting took more time than the cards.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from feltworks.simulation.kernels.compiled import compiled, inlined

Function = TypeVar("Function", bound=Callable[..., Any])


def lean(function: Function) -> Function:
    """Compile a function that makes no arrays of its own; whoever calls it holds those it is given."""
    return _uncounted(compiled(function))


def woven(function: Function) -> Function:
    """The same for a function that becomes part of every function that calls it."""
    return _uncounted(inlined(function))


def _uncounted(made: Function) -> Function:
    cast(Any, made).targetoptions["_nrt"] = False
    return made
