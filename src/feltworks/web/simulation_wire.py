"""What goes over the simulator's WebSocket: a start with all that is simulated, and a stop."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from feltworks.web.wire import MOST_BYTES, BadMessage

MOST_ROUNDS = 10**10
Word = Annotated[str, Meta(max_length=60)]
Words = Annotated[tuple[Word, ...], Meta(max_length=40)]
Count = Annotated[int, Meta(ge=1, le=1000)]


class Asked(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """Something a client says to the simulator."""


class Start(Asked, frozen=True):
    """Simulate so many rounds of this; words are as the command line takes them."""

    game: Word
    wagers: Words = ()
    strategy: Word = ""
    pay_tables: Words = ()
    decks: Count | None = None
    set: Words = ()
    seats: Count | None = None
    jackpot: Annotated[int, Meta(ge=0, le=10**12)] | None = None
    penetration: Count | None = None
    fresh: bool = False
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = 10_000_000
    seed: Annotated[int, Meta(ge=0, le=2**62)] | None = None


class Stop(Asked, frozen=True):
    """Count no further; the result so far is told."""


_decoder: msgspec.json.Decoder[Start | Stop] = msgspec.json.Decoder(Start | Stop)


def read_asked(text: str) -> Start | Stop:
    """Read what a client sent; refuses what is too long or neither of the two."""
    if len(text) > MOST_BYTES:
        raise BadMessage(f"a message has at most {MOST_BYTES} bytes")
    try:
        return _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as damaged:
        raise BadMessage(f"the message starts or stops no simulation: {damaged}") from None
