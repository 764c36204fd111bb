"""How kernels are compiled: without the interpreter's lock, once for each version of their sources.

Numba's own cache does not notice when a function in another file changes, so the folder is named after the
sources of all kernels together. This is the only file that imports numba.
"""

import os
import tempfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.extending import intrinsic
from numpy.typing import NDArray

from feltworks.machine.streams import Handle

# What a kernel is given. Numba infers types from the first call; these tell a reader and the type checker
Number = Any  # an integer: numba infers its width, and the type checker would keep Python's and numpy's apart
Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Integers = NDArray[np.integer[Any]]  # as narrow as the numbers allow, so that large tables stay in the CPU cache
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Function = TypeVar("Function", bound=Callable[..., Any])
CACHE_FOLDER: Final = "NUMBA_CACHE_DIR"
_PACKAGE: Final = Path(__file__).parents[1]
KERNEL_FOLDERS: Final = tuple(_PACKAGE / name for name in ("machine", "analysis/solvers", "simulation", "protection"))


def kernels_fingerprint() -> str:
    """Names the sources of all kernels and the compiler that turns them into machine code."""
    return fingerprint_of(*KERNEL_FOLDERS)


def fingerprint_of(*folders: Path) -> str:
    """Names all Python sources under some folders together."""
    digest = sha256(f"{numba.__version__} {np.__version__}".encode())
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            digest.update(str(path.relative_to(folder)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """Where machine code is kept: the user's cache, or a temporary folder where that cannot be written."""
    named = os.environ.get("XDG_CACHE_HOME")
    root = Path(named) if named else Path.home() / ".cache"
    folder = root / "feltworks" / f"kernels-{kernels_fingerprint()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.gettempdir()) / f"feltworks-kernels-{kernels_fingerprint()}"
    return folder


if CACHE_FOLDER not in os.environ:
    numba.config.CACHE_DIR = str(_cache_folder())  # type: ignore[attr-defined]  # numba sets it by name


def compile_loop(function: Function) -> Function:
    """Compile a function of a kernel when it is first called, and keep the machine code.

    It has to stand at module level: closures of one factory would share a cache entry.
    """
    return _jit(function)


def inline(function: Function) -> Function:
    """The same for a small function of an inner loop: it becomes part of every function that calls it."""
    return _jit(function, forceinline=True)


def _jit(function: Function, **how: bool) -> Function:
    jit: Any = numba.njit  # which is annotated in part only
    made: Function = jit(function, cache=True, nogil=True, **how)
    return made


def _generate(function: Function) -> Callable[..., Any]:
    """A function of kernels whose machine code is written out here."""
    made: Any = intrinsic(function)
    return made  # type: ignore[no-any-return]


@_generate
def _next_word(_typing: Any, address: Any, state: Any) -> Any:
    def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        """Call the bit generator's function by its address, so that nothing is baked in."""
        pointer, word = ir.IntType(8).as_pointer(), ir.IntType(64)
        called = builder.inttoptr(arguments[0], ir.FunctionType(word, [pointer]).as_pointer())
        return builder.call(called, [builder.inttoptr(arguments[1], pointer)])

    return numba.uint64(address, state), build


@_generate
def _wide_product(_typing: Any, one: Any, other: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide, word = ir.IntType(128), ir.IntType(64)
        product = builder.mul(*(builder.zext(each, wide) for each in arguments))
        high = builder.trunc(builder.lshr(product, wide(64)), word)
        return context.make_tuple(builder, signature.return_type, [high, builder.trunc(product, word)])

    both: Any = numba.types.Tuple
    return both([one, other])(one, other), build


@inline
def word(stream: Handle) -> Number:
    """The next 64 random bits."""
    return _next_word(stream[0], stream[1])


@inline
def surplus(product: Number) -> Number:
    """2**64 modulo a product of bounds: rests below it belong to words that would favour some numbers."""
    return (np.uint64(0) - product) % product


@inline
def deal(stream: Handle, cards: Integers, begin: Number, count: Number) -> None:
    """Deal `count` cards into cards[begin:], any of cards[begin:] as likely as any other, from one word.

    Multiplied by the number of cards left, a word gives the place of the next card and, as the lower half of
    the product, a word for the card after it. The places are exactly uniform when words whose last rest lies
    under `surplus` are thrown away; the next deal is as fair from any order of the cards. The product of all
    numbers of cards left has to stay below 2**64: seven cards of 416, eleven of 52. A `count` that the
    compiler knows makes no loop.
    """
    left = np.uint64(len(cards) - begin)
    while True:
        rest, product = word(stream), np.uint64(1)
        for place in range(np.uint64(count)):
            number, rest = _wide_product(rest, left - place)
            product *= left - place
            here = np.uint64(begin) + place
            drawn = cards[here + number]
            cards[here + number] = cards[here]
            cards[here] = drawn
        if rest >= product or rest >= surplus(product):
            return
