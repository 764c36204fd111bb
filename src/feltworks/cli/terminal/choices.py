"""A decision: every choice with its key, money and consequence, and the answer that was typed."""

from collections.abc import Sequence

from msgspec import Struct
from rich.table import Table as Grid
from rich.text import Text

from feltworks.cli.options import parse_amount
from feltworks.cli.terminal import palette
from feltworks.errors import FeltError, one_of
from feltworks.money import Cents, dollars
from feltworks.rules.steps import Offer
from feltworks.table.wording import Explanation, keys


class Answer(Struct, frozen=True):
    """A choice, with its amount where one was typed."""

    offer: Offer
    cents: Cents | None


def choices_grid(choices: Sequence[Explanation], stack: Cents) -> Grid:
    """The choices, all in the same style: the table recommends none of them."""
    grid = Grid.grid(padding=(0, 1), expand=True)
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    grid.add_column(justify="right", no_wrap=True, style=palette.SOFT)
    for key, choice in zip(keys([choice.offer for choice in choices]), choices, strict=True):
        consequence = choice.consequence
        if choice.offer.least > stack:
            consequence += f" (your stack holds {dollars(stack)})"
        key_text, label = Text(f" {key} ", style="reverse"), Text(choice.label, style=palette.HEADING)
        grid.add_row(key_text, label, consequence, " ".join(choice.clauses))
    return grid


def read_answer(text: str, offers: Sequence[Offer]) -> Answer:
    """The choice of a typed line: a key, a number, a name or its beginning, and an amount after it.

    >>> offers = [Offer("check"), Offer("raise", "raise", 100, 2000)]
    >>> read_answer("r 7.50", offers).cents, read_answer("2", offers).cents
    (750, None)
    """
    word, _, rest = text.casefold().partition(" ")
    offer = _match(word, offers)
    if offer is None:
        named = one_of(f"{key} for {offer.name}" for key, offer in zip(keys(offers), offers, strict=True))
        raise FeltError(f"{text[:40]!r} is not among the choices: {named}; ? explains them")
    if not rest.strip():
        return Answer(offer, None)
    return Answer(offer, amount_for(offer, rest))


def _match(word: str, offers: Sequence[Offer]) -> Offer | None:
    by_key = dict(zip(keys(offers), offers, strict=True))
    numbered = {str(number): offer for number, offer in enumerate(offers, 1)}
    beginning = [offer for offer in offers if word and offer.name.casefold().startswith(word)]
    exact = [offer for offer in offers if offer.name.casefold() == word]
    if exact or word in by_key or word in numbered:
        return exact[0] if exact else by_key.get(word) or numbered[word]
    return beginning[0] if len(beginning) == 1 else None


def is_open(offer: Offer) -> bool:
    """Whether the player chooses the amount."""
    return offer.least != offer.most


def range_of(offer: Offer) -> str:
    """The amounts that an offer allows, in words."""
    low, high = sorted((abs(offer.least), abs(offer.most)))
    return f"{dollars(low)} to {dollars(high)}" if low != high else dollars(low)


def amount_for(offer: Offer, text: str) -> Cents:
    """A typed amount for an offer; money taken back is typed without a sign."""
    cents = parse_amount(text)
    sign = -1 if offer.least < 0 else 1
    if not is_open(offer) and cents != sign * offer.most:
        raise FeltError(f"{offer.name} takes {f'exactly {range_of(offer)}' if offer.most else 'no amount'}")
    if cents is None or not offer.least <= sign * cents <= offer.most:
        raise FeltError(f"{offer.name} takes {range_of(offer)}, written like 10 or 7.50")
    return sign * cents
