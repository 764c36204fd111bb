"""`felt settle`: reads one finished round per line and writes one settlement per line, both as JSON."""

import gc
import sys
from collections.abc import Callable, Iterator
from io import BufferedIOBase
from pathlib import Path

import click
import msgspec

from feltworks.errors import FeltError, brief


@click.command()
@click.argument("file", default="-", help="A file with one finished round a line; - reads standard input.")
def settle(file: str) -> None:
    """Settle finished rounds, one JSON round a line.

    The rules are those of live play. An impossible round gives {"error": "..."} on its line,
    and the run goes on.
    """
    from feltworks.written.settle import settle_or_refuse

    # Settling makes many small values and no cycles, so rare garbage collections are a tenth faster.
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    encode = msgspec.json.Encoder().encode
    for lines in _batches(file):
        answers = [_answer(line, settle_or_refuse, encode) for line in lines]
        # One write for the batch, since with PYTHONUNBUFFERED every write is a system call.
        sys.stdout.buffer.write(b"\n".join([*answers, b""]))
        sys.stdout.buffer.flush()


def _answer(line: bytes, answer: Callable[[bytes], object], encode: Callable[[object], bytes]) -> bytes:
    """The answer to one line; an internal error is reported on this line, and the run goes on."""
    try:
        return encode(answer(line.rstrip(b"\r")))
    except Exception as fault:
        message = f"{type(fault).__name__}: {brief(str(fault))}"
        return encode({"error": f"internal error in felt, not in the round: {message}"})


def _batches(file: str) -> Iterator[list[bytes]]:
    if file == "-":
        assert isinstance(sys.stdin.buffer, BufferedIOBase)
        yield from _read(sys.stdin.buffer)
        return
    try:
        with Path(file).open("rb") as stream:
            yield from _read(stream)
    except OSError as error:
        raise FeltError(f"{file} cannot be read: {error.strerror}; name a file with one round a line, or -") from None


def _read(stream: BufferedIOBase) -> Iterator[list[bytes]]:
    """Yield the lines available now, so that a single line is answered as soon as it arrives."""
    unfinished: list[bytes] = []
    while chunk := stream.read1(1 << 16):
        whole, newline, rest = chunk.rpartition(b"\n")
        if newline:
            yield b"".join([*unfinished, whole]).split(b"\n")
            unfinished = []
        unfinished.append(rest)
    if last := b"".join(unfinished):
        yield [last]
