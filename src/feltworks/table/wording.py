"""Sentences about choices and wagers: what each moves and what follows, worked out from the rules."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from msgspec import Struct

from feltworks.errors import FeltError, WagerRefused
from feltworks.money import Cents, dollars, moved
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import Choice, Round
from feltworks.rules.steps import Decide, Draw, Offer, Peek, Turn
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Line
from feltworks.table.imagining import imagined
from feltworks.table.reading import alone

# Words of the trade. A choice that is not among them is explained by its money and by what happens next.
TRADE_WORDS: Final = {
    "stand": "keep the cards you have",
    "stay": "keep the cards you have",
    "hit": "take one more card",
    "double": "for exactly one more card",
    "split": "play the two cards as two hands",
    "surrender": "give up the hand and half its wager",
    "check": "put nothing on it",
    "decline": "go without it",
}
_IMAGINED = 8  # rounds in which a consequence is checked against the other choices
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


class Explained(Struct, frozen=True):
    """A choice in words: its name with the money it moves, what follows, and the clauses that say so."""

    offer: Offer
    label: str
    consequence: str
    clauses: tuple[str, ...]


def title(terms: Terms, wager: str) -> str:
    """What a wager is called on the felt."""
    entry = terms.rulebook.wager.get(wager)
    return entry.title if entry else wager.replace("-", " ")


def sentence(text: str) -> str:
    """A clause of words as a sentence of its own."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}"


def refusal(terms: Terms, trouble: FeltError) -> str:
    """Why something was refused and what is allowed, in one sentence."""
    if isinstance(trouble, WagerRefused) and type(trouble.cents) is int and trouble.cents > 0:
        named = " and ".join(title(terms, name) for name in trouble.wager.split(" and "))
        return sentence(f"{named} of {dollars(trouble.cents)} refused: {trouble.allowed}")
    return sentence(str(trouble))


def explained(game: Game[Any], round_: Round, step: Decide) -> list[Explained]:
    """Every offer of a decision with what it means, found by trying each on a copy of the felt."""
    one = alone(round_, step.seat)
    settled = {_key(line) for line in game.settle(one)}
    tried = [
        advance(one, Decide(0, step.offers, step.about), Choice(offer.name, offer.most, step.about))
        for offer in step.offers
    ]
    choices = []
    for offer, after in zip(step.offers, tried, strict=True):
        lines = [line for line in game.settle(after) if _key(line) not in settled]
        others = [other for other in tried if other is not after]
        follows = [line for line in lines if not others or _depends(game, line, others)]
        choices.append(_explained(game, step, offer, after, follows))
    return choices


def _depends(game: Game[Any], line: Line, others: Sequence[Round]) -> bool:
    """Whether a line is owed to the choice: with another one the wager may come out otherwise."""
    mind = Random(0)
    return any(
        _key(line) not in map(_key, imagined(game, other, mind)) for other in others for _ in range(_IMAGINED)
    )


def _key(line: Line) -> tuple[str, str, bool, str]:
    return line.wager, line.part, line.toke, line.outcome


def _explained(game: Game[Any], step: Decide, offer: Offer, after: Round, lines: Sequence[Line]) -> Explained:
    terms = game.terms
    follows = [_settled(terms, line) for line in lines] or [_word(terms, step, offer)]
    said = [_money(terms, step, offer), *follows]
    consequence = "; ".join(filter(None, said)) or _next(game, after)
    return Explained(offer, _label(offer), consequence, _clauses(terms, step, offer, after, lines))


def _clauses(
    terms: Terms, step: Decide, offer: Offer, after: Round, lines: Sequence[Line]
) -> tuple[str, ...]:
    """What a choice is governed by: what it settles, the wager it is about, or else the main wager."""
    if lines:
        return tuple(dict.fromkeys(line.clause for line in lines if not line.toke))
    book = terms.rulebook.wager
    main = [name for name in after.seats[0].wagers if book[name].kind == "main"]
    named = [name for name in (offer.wager, step.about, *main) if name in book]
    return (book[named[0]].clause,) if named else ()


def _label(offer: Offer) -> str:
    """The choice with its money: "Raise $20", "Raise $1 to $20", "Fold"."""
    name = offer.name[:1].upper() + offer.name[1:].replace("-", " ")
    low, high = sorted((abs(offer.least), abs(offer.most)))
    if not high:
        return name
    return f"{name} {dollars(high)}" if low == high else f"{name} {dollars(low)} to {dollars(high)}"


def _money(terms: Terms, step: Decide, offer: Offer) -> str:
    """How the money of an offer is measured: "2× the Ante, on the Play"."""
    if not offer.most and not offer.least:
        return ""
    entry = terms.rulebook.wager.get(offer.wager)
    on = title(terms, offer.wager)
    if offer.most < 0 or offer.least < 0:
        return f"taken back from the {on}"
    if entry is None or not entry.of:
        return f"{dollars(offer.most)} more on {on}"
    size = measure(terms, offer.wager)
    is_named = offer.wager == step.about or on.casefold().startswith(offer.name.casefold())
    return size if is_named else f"{size}, on the {on}"


def measure(terms: Terms, wager: str) -> str:
    """How large a derived wager is: "2× the Ante", "up to half the Blackjack"."""
    entry = terms.rulebook.wager[wager]
    written = entry.times or entry.up_to
    times = {"1/2": "half", "1": "as much as"}.get(written, f"{written}×")
    return f"{'' if entry.times else 'up to '}{times} the {title(terms, entry.of)}"


def _word(terms: Terms, step: Decide, offer: Offer) -> str:
    """The trade's own word for it; a wager that wins in one way only says which."""
    said = TRADE_WORDS.get(offer.name, "")
    if said or not offer.wager or offer.wager not in terms.rulebook.pay_table:
        return said
    pays = terms.pay_table(offer.wager).price(terms.options)
    winning = [
        (outcome, pay) for outcome, pay in pays.items() if str(pay) not in ("lose", "lose half", "push")
    ]
    return f"pays {winning[0][1]} on {winning[0][0]}" if len(winning) == 1 and step.about else ""


def _settled(terms: Terms, line: Line) -> str:
    """What a choice settles at once."""
    name = f"the {title(terms, line.wager)}{' toke' if line.toke else ''}"
    if line.net < 0:
        return f"{name} is lost" if line.net == -line.wagered else f"{name} loses {dollars(-line.net)}"
    return f"{name} pays {line.pay}, {moved(line.net)}" if line.net else f"{name} is returned"


def _next(game: Game[Any], after: Round) -> str:
    step = game.awaits(after)
    if isinstance(step, Draw) and step.to == 0:
        return "a card more" if step.count == 1 else f"{step.count} cards more"
    if isinstance(step, Turn) and step.at == 0:
        return f"your {ordinal(step.index)} card is turned"
    if isinstance(step, Peek):
        return "the dealer checks the hole card next"
    return "your hand plays on" if step is not None else "the hand ends"


def ordinal(index: int) -> str:
    """A card's place in a hand, in words."""
    return _ORDINALS[index] if index < len(_ORDINALS) else f"{index + 1}th"


def subject(terms: Terms, about: str, *, several: bool) -> str:
    """What a decision is about, as a heading; a seat's only hand needs none."""
    if about in terms.rulebook.wager:
        return title(terms, about)
    return sentence(about).rstrip(".") if several else ""


def winnings(cents: Cents) -> str:
    """A result in one word."""
    return "win" if cents > 0 else "lose" if cents < 0 else "push"


def keys(offers: Sequence[Offer]) -> list[str]:
    """A key for every choice: its first letter that is still free, or its number.

    >>> keys([Offer("stand"), Offer("hit"), Offer("split"), Offer("surrender")])
    ['s', 'h', 'p', 'u']
    """
    found: list[str] = []
    for number, offer in enumerate(offers, 1):
        letters = (letter for letter in offer.name.casefold() if letter.isalpha())
        found.append(next((letter for letter in letters if letter not in found), str(number)))
    return found
