"""Settle finished rounds: one JSON round a line in, one settlement a line out."""

import gc
import sys
from collections.abc import Callable, Iterator
from io import BufferedIOBase
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from feltworks.errors import FeltError, brief


def settle(
    file: Annotated[  # as text: a path would load what converts it, as long as two hundred rounds take
        str, typer.Argument(help="A file with one finished round a line; - reads standard input.")
    ] = "-",
) -> None:
    """Settle finished rounds, one a line, through the same rules as live play.

    A round that cannot have happened gives {"error": "..."} on its line, and the run goes on.
    """
    from feltworks.written.settle import settle_or_refuse

    # Settling makes many small values and no cycles: collecting seldom is a tenth faster.
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    encode = msgspec.json.Encoder().encode
    for lines in _arriving(file):
        answers = [_answer(line, settle_or_refuse, encode) for line in lines]
        # At once: where Python is told not to buffer, each write is a system call.
        sys.stdout.buffer.write(b"\n".join([*answers, b""]))
        sys.stdout.buffer.flush()


def _answer(line: bytes, answer: Callable[[bytes], object], encode: Callable[[object], bytes]) -> bytes:
    """One line's answer; even a fault of our own costs that line only, and is said."""
    try:
        return encode(answer(line.rstrip(b"\r")))
    except Exception as fault:
        said = f"{type(fault).__name__}: {brief(str(fault))}"
        return encode({"error": f"a fault of felt's own, not of the round: {said}"})


def _arriving(file: str) -> Iterator[list[bytes]]:
    if file == "-":
        assert isinstance(sys.stdin.buffer, BufferedIOBase)
        yield from _read(sys.stdin.buffer)
        return
    try:
        with Path(file).open("rb") as opened:
            yield from _read(opened)
    except OSError as trouble:
        raise FeltError(
            f"{file} cannot be read: {trouble.strerror}; name a file with one round a line, or -"
        ) from None


def _read(opened: BufferedIOBase) -> Iterator[list[bytes]]:
    """The lines that came in together; a single line is answered as soon as it is there."""
    begun: list[bytes] = []
    while chunk := opened.read1(1 << 16):
        whole, newline, rest = chunk.rpartition(b"\n")
        if newline:
            yield b"".join([*begun, whole]).split(b"\n")
            begun = []
        begun.append(rest)
    if last := b"".join(begun):
        yield [last]
