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

from feltworks.machine.streams import LARGE_BATCH, Handle

Function = TypeVar("Function", bound=Callable[..., Any])
CACHE_FOLDER: Final = "NUMBA_CACHE_DIR"
_LOW_HALF: Final = np.uint64(0xFFFFFFFF)
_HALF: Final = np.uint64(32)
_1, _2, _3, _4, _5 = map(np.uint64, range(1, 6))  # a signed and an unsigned number would make a float


def kernels_fingerprint() -> str:
    """Names the sources of all kernels and the compiler that turns them into machine code."""
    package = Path(__file__).parents[1]
    return fingerprint_of(
        package / "machine",
        package / "simulation" / "rounds",
        package / "simulation" / "paths",
        package / "protection",
    )


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


def _call(bits: int) -> Callable[..., Any]:
    """Code that calls one of a bit generator's functions by its address, so that nothing is baked in."""

    def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        state = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.IntType(bits), [state])
        called = builder.inttoptr(arguments[0], kind.as_pointer())
        return builder.call(called, [builder.inttoptr(arguments[1], state)])

    return build


@_generate
def _next_half(_typing: Any, address: Any, state: Any) -> Any:
    return numba.uint32(address, state), _call(32)


@_generate
def _next_word(_typing: Any, address: Any, state: Any) -> Any:
    return numba.uint64(address, state), _call(64)


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
def word(stream: Handle) -> Any:
    """The next 64 random bits."""
    return _next_word(stream[1], stream[2])


@inline
def below(stream: Handle, bound: Any) -> Any:
    """A number from 0 to bound - 1, each exactly as likely; the bound is under 2**32 (Lemire's method)."""
    width = np.uint64(bound)
    product = np.uint64(_next_half(stream[0], stream[2])) * width
    if product & _LOW_HALF < width:
        surplus = (np.uint64(1) << _HALF) % width
        while product & _LOW_HALF < surplus:
            product = np.uint64(_next_half(stream[0], stream[2])) * width
    return np.int64(product >> _HALF)


@inline
def pick(left: Any, bound: Any) -> Any:
    """A number below a bound cut from a random word, and what is left of the word for the next number.

    Numbers cut one after the other are together one number below the product of their bounds. They are
    exactly uniform when words whose last rest lies under `surplus(product)` are thrown away.
    """
    number, rest = _wide_product(left, np.uint64(bound))
    return np.int64(number), rest


@inline
def surplus(product: Any) -> Any:
    """2**64 modulo a product of bounds: rests below it belong to words that would favour some numbers."""
    return (np.uint64(0) - product) % product


@inline
def _swap(cards: Any, place: Any, number: Any) -> None:
    """Lay the card that lies `number` places behind a place there, and the one from there in its stead."""
    drawn = cards[place + number]
    cards[place + number] = cards[place]
    cards[place] = drawn


@inline
def deal(stream: Handle, cards: Any, begin: int, count: int) -> None:
    """Deal `count` cards into cards[begin:], any of cards[begin:] as likely as any other, from one word.

    What lies behind stays in whatever order it has: a later deal is as fair from any order, and so is a
    second one where a word is thrown away. The product of the `count` numbers of cards left has to stay
    below 2**64: seven cards of 416, eleven of 52.
    """
    left = np.uint64(len(cards) - begin)
    while True:
        rest, product = word(stream), np.uint64(1)
        for place in range(np.uint64(count)):
            number, rest = _wide_product(rest, left - place)
            product *= left - place
            _swap(cards, np.uint64(begin) + place, number)
        if rest >= product or rest >= surplus(product):
            return


@inline
def deal_batch(stream: Handle, cards: Any, begin: int, batch: int) -> None:
    """The same for five or six cards of at most 1,600, written out: quicker than a loop."""
    n, at = np.uint64(len(cards) - begin), np.uint64(begin)
    f = np.uint64(0)
    while True:
        a, rest = _wide_product(word(stream), n)
        b, rest = _wide_product(rest, n - _1)
        c, rest = _wide_product(rest, n - _2)
        d, rest = _wide_product(rest, n - _3)
        e, rest = _wide_product(rest, n - _4)
        product = n * (n - _1) * (n - _2) * (n - _3) * (n - _4)
        if batch == LARGE_BATCH:
            f, rest = _wide_product(rest, n - _5)
            product *= n - _5
        if rest >= product or rest >= surplus(product):
            break
    _swap(cards, at, a)
    _swap(cards, at + _1, b)
    _swap(cards, at + _2, c)
    _swap(cards, at + _3, d)
    _swap(cards, at + _4, e)
    if batch == LARGE_BATCH:
        _swap(cards, at + _5, f)
