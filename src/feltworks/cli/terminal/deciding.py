"""Asking for a decision: a key, the money and the consequence of every choice, amounts within their range."""

from collections.abc import Sequence

from msgspec import Struct
from rich.table import Table as Grid
from rich.text import Text

from feltworks.cli.terminal import palette
from feltworks.cli.terminal.amounts import typed_amount
from feltworks.errors import FeltError, one_of
from feltworks.money import Cents, dollars
from feltworks.rules.steps import Offer
from feltworks.table.wording import Explanation, keys


class Answer(Struct, frozen=True):
    """A choice, with its amount where that was said."""

    offer: Offer
    cents: Cents | None


def listed(choices: Sequence[Explanation], stack: Cents) -> Grid:
    """The choices, all alike: the table prefers none of them."""
    grid = Grid.grid(padding=(0, 1), expand=True)
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    grid.add_column(justify="right", no_wrap=True, style=palette.SOFT)
    for key, choice in zip(keys([choice.offer for choice in choices]), choices, strict=True):
        means = choice.consequence
        if choice.offer.least > stack:
            means += f" (your stack holds {dollars(stack)})"
        pressed, label = Text(f" {key} ", style="reverse"), Text(choice.label, style=palette.HEADING)
        grid.add_row(pressed, label, means, " ".join(choice.clauses))
    return grid


def answered(said: str, offers: Sequence[Offer]) -> Answer:
    """What a typed line chooses: a key, a number, a name or its beginning, and an amount after it.

    >>> raising = Offer("raise", "raise", 100, 2000)
    >>> answered("r 7.50", [Offer("check"), raising]).cents, answered("2", [Offer("check"), raising]).cents
    (750, None)
    """
    word, _, rest = said.casefold().partition(" ")
    offer = _meant(word, offers)
    if offer is None:
        named = one_of(f"{key} for {offer.name}" for key, offer in zip(keys(offers), offers, strict=True))
        raise FeltError(f"{said[:40]!r} is not among the choices: {named}; ? explains them")
    if not rest.strip():
        return Answer(offer, None)
    return Answer(offer, read_amount(rest, offer))


def _meant(word: str, offers: Sequence[Offer]) -> Offer | None:
    by_key = dict(zip(keys(offers), offers, strict=True))
    numbered = {str(number): offer for number, offer in enumerate(offers, 1)}
    beginning = [offer for offer in offers if word and offer.name.casefold().startswith(word)]
    exact = [offer for offer in offers if offer.name.casefold() == word]
    if exact or word in by_key or word in numbered:
        return exact[0] if exact else by_key.get(word) or numbered[word]
    return beginning[0] if len(beginning) == 1 else None


def is_open(offer: Offer) -> bool:
    """Whether the amount is the player's to say."""
    return offer.least != offer.most


def range_of(offer: Offer) -> str:
    """The amounts an offer takes, in words."""
    low, high = sorted((abs(offer.least), abs(offer.most)))
    return f"{dollars(low)} to {dollars(high)}" if low != high else dollars(low)


def read_amount(said: str, offer: Offer) -> Cents:
    """An amount for an offer; money taken back is typed without a sign."""
    cents = typed_amount(said)
    sign = -1 if offer.least < 0 else 1
    if not is_open(offer) and cents != sign * offer.most:
        raise FeltError(f"{offer.name} takes {f'exactly {range_of(offer)}' if offer.most else 'no amount'}")
    if cents is None or not offer.least <= sign * cents <= offer.most:
        raise FeltError(f"{offer.name} takes {range_of(offer)}, written like 10 or 7.50")
    return sign * cents
