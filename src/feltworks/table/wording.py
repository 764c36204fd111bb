"""Sentences about hands, choices and wagers, derived from the rules."""

from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec import Struct

from feltworks.cards import Card
from feltworks.errors import FeltError, WagerRefused, one_of
from feltworks.money import Cents, dollars, signed_dollars
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import Choice, Face, Round
from feltworks.rules.steps import Decide, Draw, Offer, Peek, Turn, trade_choice
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Line
from feltworks.table.rollouts import roll_out

_ROLLOUTS = 8  # rollouts to compare the consequence of a choice with the others
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


class Explanation(Struct, frozen=True):
    """A choice in words: its name with its money, its consequence, and its clauses."""

    offer: Offer
    label: str
    consequence: str
    clauses: tuple[str, ...]


def title(terms: Terms, wager: str) -> str:
    """The name of a wager on the felt."""
    entry = terms.rulebook.wager.get(wager)
    return entry.title if entry else wager.replace("-", " ")


def outcome_words(terms: Terms, wager: str, outcome: str) -> str:
    """An outcome as the pay tables have it; what a multiplier adds to it stays behind the comma."""
    words = terms.pay_table(wager).words if wager in terms.rulebook.pay_table else {}
    plain, comma, multiplied = outcome.partition(", ")
    return words.get(outcome) or words.get(plain, plain) + comma + multiplied


def sentence(text: str) -> str:
    """Text as a sentence: with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}"


def refusal(terms: Terms, trouble: FeltError) -> str:
    """What was refused and what is allowed, in one sentence."""
    if isinstance(trouble, WagerRefused) and type(trouble.cents) is int and trouble.cents > 0:
        names = " and ".join(title(terms, name) for name in trouble.wager.split(" and "))
        return sentence(f"{names} of {dollars(trouble.cents)} refused: {trouble.allowed}")
    return sentence(str(trouble))


def explain_offers(game: Game, round_: Round, step: Decide) -> list[Explanation]:
    """Explain every offer of a decision by trying it on a copy of the felt."""
    one = single_seat(round_, step.seat)
    before = {_key(line) for line in game.settle(one)}
    outcomes = [
        advance(one, Decide(0, step.offers, step.about), Choice(offer.name, offer.most, step.about))
        for offer in step.offers
    ]
    choices = []
    for offer, after in zip(step.offers, outcomes, strict=True):
        lines = [line for line in game.settle(after) if _key(line) not in before]
        others = [other for other in outcomes if other is not after]
        follows = [line for line in lines if not others or _depends(game, line, others)]
        choices.append(_explain(game, step, offer, after, follows))
    return choices


def _depends(game: Game, line: Line, others: Sequence[Round]) -> bool:
    """Whether a line depends on the choice: whether another choice may settle the wager differently."""
    random = Random(0)
    return any(_key(line) not in map(_key, roll_out(game, other, random)) for other in others for _ in range(_ROLLOUTS))


def _key(line: Line) -> tuple[str, str, bool, str]:
    return line.wager, line.part, line.toke, line.outcome


def _explain(game: Game, step: Decide, offer: Offer, after: Round, lines: Sequence[Line]) -> Explanation:
    terms = game.terms
    follows = [_settlement_words(terms, line) for line in lines] or [_word(terms, step, offer)]
    parts = [_money(terms, step, offer), *follows]
    consequence = "; ".join(filter(None, parts)) or _next(game, after)
    return Explanation(offer, _label(offer), consequence, _clauses(terms, step, offer, after, lines))


def _clauses(terms: Terms, step: Decide, offer: Offer, after: Round, lines: Sequence[Line]) -> tuple[str, ...]:
    """The clauses of a choice: those of what it settles, of its wager, or of the main wager."""
    if lines:
        return tuple(dict.fromkeys(line.clause for line in lines if not line.toke))
    book = terms.rulebook.wager
    main = [name for name in after.seats[0].wagers if book[name].kind == "main"]
    named = [name for name in (offer.wager, step.about, *main) if name in book]
    return (book[named[0]].clause,) if named else ()


def _label(offer: Offer) -> str:
    """The choice with its money: "Raise $20", "Raise $1 to $20", "Fold"."""
    name = offer.name[:1].upper() + offer.name[1:].replace("-", " ")
    return f"{name} {amounts(offer)}" if offer.least or offer.most else name


def amounts(offer: Offer) -> str:
    """The amounts that an offer allows.

    >>> amounts(Offer("play", "play", 3000, 4000, sizes=(3000, 4000))), amounts(Offer("take back", "first", -500, -500))
    ('$30 or $40', '$5')
    """
    if offer.sizes:
        return one_of(map(dollars, sorted(map(abs, offer.sizes))))
    low, high = sorted((abs(offer.least), abs(offer.most)))
    return dollars(high) if low == high else f"{dollars(low)} to {dollars(high)}"


def _money(terms: Terms, step: Decide, offer: Offer) -> str:
    """The size of an offer: "2× the Ante, on the Play"."""
    if not offer.most and not offer.least:
        return ""
    entry = terms.rulebook.wager.get(offer.wager)
    on = title(terms, offer.wager)
    if offer.most < 0 or offer.least < 0:
        return f"taken back from the {on}"
    if entry is None or not entry.of:
        return f"{dollars(offer.most)} more on {on}"
    if len(entry.sizes) > 1 and not offer.sizes:
        return ""  # this hand may have only one of the multiples
    size = measure(terms, offer.wager)
    is_named = offer.wager == step.about or on.casefold().startswith(offer.name.casefold())
    return size if is_named else f"{size}, on the {on}"


def measure(terms: Terms, wager: str) -> str:
    """The size of a derived wager: "2× the Ante", "up to half the Blackjack"."""
    entry = terms.rulebook.wager[wager]
    written = entry.multiples
    times = {"1/2": "half", "1": "as much as"}.get(written, f"{written}×")
    return f"{'' if entry.times else 'up to '}{times} the {title(terms, entry.of)}"


def _word(terms: Terms, step: Decide, offer: Offer) -> str:
    """The trade's words for a choice, or the only outcome that its wager pays."""
    words = trade_choice(offer.name).words
    if words or not offer.wager or offer.wager not in terms.rulebook.pay_table:
        return words
    pays = terms.pay_table(offer.wager).price(terms.options)
    winning = [(outcome, pay) for outcome, pay in pays.items() if str(pay) not in ("lose", "lose half", "push")]
    return f"pays {winning[0][1]} on {winning[0][0]}" if len(winning) == 1 and step.about else ""


def _settlement_words(terms: Terms, line: Line) -> str:
    """What a choice settles immediately."""
    name = f"the {title(terms, line.wager)}{' toke' if line.toke else ''}"
    if line.net < 0:
        return f"{name} is lost" if line.net == -line.wagered else f"{name} loses {dollars(-line.net)}"
    return f"{name} pays {line.pay}, {signed_dollars(line.net)}" if line.net else f"{name} is returned"


def _next(game: Game, after: Round) -> str:
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
    """The subject of a decision as a heading; empty for the only hand of a seat."""
    if about in terms.rulebook.wager:
        return title(terms, about)
    return sentence(about).rstrip(".") if several else ""


def winnings(cents: Cents) -> str:
    """A result in one word."""
    return "win" if cents > 0 else "lose" if cents < 0 else "push"


def keys(offers: Sequence[Offer]) -> list[str]:
    """A key for every choice: its first free letter, or its number; one key for all that choose cards.

    >>> keys([Offer("stand"), Offer("hit"), Offer("split"), Offer("surrender")])
    ['s', 'h', 'p', 'u']
    """
    taken: list[str] = []
    of_cards: dict[str, str] = {}  # by verb
    for number, offer in enumerate(offers, 1):
        if offer.verb in of_cards:
            taken.append(of_cards[offer.verb])
            continue
        letters = (letter for letter in offer.name.casefold() if letter.isalpha())
        taken.append(next((letter for letter in letters if letter not in taken), str(number)))
        if offer.cards:
            of_cards[offer.verb] = taken[-1]
    return taken


class HeldHand(Struct, frozen=True):
    """The cards of one hand, and its name in the game; empty where the game has none."""

    faces: tuple[Face, ...]
    words: str = ""


def single_seat(round_: Round, seat: int) -> Round:
    """The round with this seat as the only one."""
    return Round((round_.seats[seat],), round_.dealer, round_.board, round_.meters)


def hands_of(game: Game, round_: Round, seat: int) -> list[HeldHand]:
    """The hands of a seat: one, or several after splits."""
    holder = round_.seats[seat]
    shown = any(isinstance(face, Card) for face in holder.cards)
    one = single_seat(round_, seat)
    parts = [game.part_cards(one, 0, wager) for wager in holder.wagers] if shown else []
    split = next((hands for hands in parts if len(hands) > 1), None)
    words = game.hand_words(one, 0) if shown else ()
    if split is None:
        return [HeldHand(holder.cards, words[0] if words else "")]
    names = words if len(words) == len(split) else [""] * len(split)
    return [HeldHand(tuple(faces), name) for faces, name in zip(split, names, strict=True)]


def dealers_words(game: Game, round_: Round, seat: int) -> str:
    """The name of the dealer's hand once it is complete; empty before."""
    if not any(isinstance(face, Card) for face in round_.dealer):
        return ""
    return game.dealer_words(single_seat(round_, seat))
