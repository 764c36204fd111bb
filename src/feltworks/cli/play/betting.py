"""Reads what the player types: wagers and commands between rounds, and answers to decisions."""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from rich.table import Table as Grid
from rich.text import Text

from feltworks.cli.options import parse_amount
from feltworks.cli.play import felt
from feltworks.cli.play.screen import Screen
from feltworks.cli.play.settlement import Tally, explain
from feltworks.cli.play.wagers import SpotWagers, example_line, find_wager, in_order, main_wager, post, show_pays
from feltworks.cli.play.witness import Witness, check_deal
from feltworks.errors import FeltError, NotNow, one_of
from feltworks.money import Cents, dollars, full_dollars
from feltworks.rules.round import Seat
from feltworks.rules.steps import Offer
from feltworks.rules.wager import Line
from feltworks.table.table import Table
from feltworks.table.wording import Explanation, amounts, keys, refusal, title


class PlayerLeft(Exception):
    """The player leaves the table."""


class BetweenRounds:
    """Carries out the player's commands between two rounds."""

    def __init__(self, table: Table, player: str, screen: Screen, witness: Witness, tally: Tally) -> None:
        self._table, self._player, self._screen = table, player, screen
        self._witness, self._tally = witness, tally
        self._terms = table.game.terms
        self.wagers: Final = SpotWagers(table, player, table.seating.player(player).spots)
        self.last_lines: Sequence[Line] = ()
        self._actions: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "?": self._pays,
            "pays": self._pays,
            "undo": self._undo,
            "why": self._why,
            "verify": self._verify,
            "buy": self._buy,
            "quit": self._quit,
            "exit": self._quit,
            "q": self._quit,
        }

    def take_wagers(self) -> None:
        """Ask for commands until the player has wagered and wants the deal."""
        self._screen.print()
        self._remind_of_buying()
        while True:
            line = self._screen.ask(self._prompt())
            try:
                if self._wants_cards(line):
                    return
                self._follow(line)
            except FeltError as error:
                self._screen.refuse(refusal(self._terms, error))

    def _prompt(self) -> str:
        if self.wagers.on_felt:
            return "Enter deals, undo takes back:"
        return "Your wagers (Enter: the same again):" if self.wagers.last else "Your wagers (help, ?):"

    def _wants_cards(self, line: str) -> bool:
        """Whether the line asks for the deal."""
        word = line.casefold()
        if word == "same" or (not word and not self.wagers.on_felt):
            self.wagers.same()
            self._show_wagers()
            return True
        if word in ("", "deal") and self.wagers.on_felt:
            return True
        if word == "deal":
            raise NotNow("no wager is on the felt; put one down first")
        return False

    def _follow(self, line: str) -> None:
        word, rest = (line[:1], line[1:]) if line.startswith("?") else line.partition(" ")[::2]
        if word.casefold() in self._actions:
            self._actions[word.casefold()](rest.strip())
        elif line.endswith("?"):
            self._pays(line[:-1])
        else:
            self.wagers.place(line)
            self._show_wagers()

    def _show_wagers(self) -> None:
        spots = self.wagers.on_felt
        stack = full_dollars(self._table.seating.player(self._player).stack)
        for spot, on in spots.items():
            place = f"On spot {spot}" if len(spots) > 1 else "On the felt"
            self._screen.print(f"{place}: {self._amounts(on)}. Stack {stack}.")
        if not spots:
            self._screen.print(f"The felt is empty. Stack {stack}.")

    def _amounts(self, on: Seat) -> str:
        amounts = [f"{title(self._terms, name)} {dollars(cents)}" for name, cents in on.wagers.items()]
        amounts += [f"{title(self._terms, name)} {dollars(cents)} for the dealers" for name, cents in on.tokes.items()]
        return ", ".join(amounts)

    def _undo(self, rest: str) -> None:
        self.wagers.undo()
        self._show_wagers()

    def _help(self, rest: str) -> None:
        post(self._screen, self._table)
        grid = Grid.grid(padding=(0, 2))
        grid.add_column(no_wrap=True, style=felt.HEADING)
        grid.add_column(ratio=1)
        for command, meaning in self._commands().items():
            grid.add_row(command, meaning)
        self._screen.print(grid)

    def _commands(self) -> dict[str, str]:
        """The commands and what they do, with wagers of this table as examples."""
        book = self._terms.rulebook.wager
        main, *beside = in_order(self._table)
        example = example_line(self._terms)
        lines = {example: "amounts for wagers, by name, beginning or initials; 0 takes one off"}
        lines["10"] = f"an amount alone is for {title(self._terms, main)}; with cents, 7.50"
        if taking := [name for name in (main, *beside) if book[name].tokes]:
            lines[f"toke {taking[0]} 1"] = "a wager for the dealers"
        if len(spots := self._table.seating.player(self._player).spots) > 1:
            lines[f"spot {spots[-1]}: {example}"] = "wagers for one of your spots only"
        return {
            **lines,
            "Enter": "deal; with an empty felt, the same wagers again (or type same)",
            "undo": "take the last line of wagers back",
            f"?  or  ? {(beside or [main])[0]}": "what the wagers pay, row by row",
            f"why  or  why {book[main].clause}": "the clauses behind the last round, or any clause, in full",
            "verify": "check the last round's cards against the revealed seed",
            "buy 500": "bring more play money to the table",
            "quit": "leave the table",
        }

    def _pays(self, rest: str) -> None:
        if rest.strip():
            show_pays(self._screen, self._table.game, [find_wager(self._terms, rest)])
            return
        show_pays(self._screen, self._table.game, in_order(self._table))

    def _why(self, rest: str) -> None:
        if not rest and not self.last_lines:
            raise NotNow("no round has been settled yet; why CLAUSE shows any clause")
        cited = [clause for line in self.last_lines for clause in line.clauses]
        explain(self._screen, self._terms.rulebook, rest.upper().split() or cited)

    def _verify(self, rest: str) -> None:
        self._screen.print(check_deal(self._witness))

    def _buy(self, rest: str) -> None:
        cents = parse_amount(rest)
        if not cents:
            raise FeltError("buy takes an amount of play money, such as buy 500")
        self._table.buy_in(self._player, cents)
        self._tally.bought += cents
        stack = self._table.seating.player(self._player).stack
        self._screen.print(f"{full_dollars(cents)} of play money; your stack is {full_dollars(stack)}.")

    def _quit(self, rest: str) -> None:
        raise PlayerLeft

    def _remind_of_buying(self) -> None:
        least = self._table.limits.ranges[main_wager(self._terms)].least
        stack = self._table.seating.player(self._player).stack
        if stack < least:
            low = f"Your stack is {full_dollars(stack)}, less than the table's minimum"
            self._screen.print(f"{low}: buy 500 brings more play money, quit leaves.", felt.ACCENT)


# Decisions: each choice with its key, money and consequence.


class Answer(Struct, frozen=True):
    """A choice, with its amount if one was typed."""

    offer: Offer
    cents: Cents | None


def choices_grid(choices: Sequence[Explanation], stack: Cents) -> Grid:
    """A grid of the choices, all in the same style, since the table recommends none."""
    grid = Grid.grid(padding=(0, 1), expand=True)
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    grid.add_column(justify="right", no_wrap=True, style=felt.SOFT)
    shown: set[str] = set()
    for key, choice in zip(keys([choice.offer for choice in choices]), choices, strict=True):
        offer, consequence, words = choice.offer, choice.consequence, choice.label
        if offer.verb in shown:
            continue
        if offer.cards:  # all choices of cards share one line
            shown.add(offer.verb)
            words = f"{offer.verb[:1].upper()}{offer.verb[1:]} …"
            consequence = _card_words(key, [each.offer for each in choices if each.offer.verb == offer.verb])
        if choice.offer.least > stack:
            consequence += f" (your stack holds {dollars(stack)})"
        key_text, label = Text(f" {key} ", style="reverse"), Text(words, style=felt.HEADING)
        grid.add_row(key_text, label, consequence, " ".join(choice.clauses))
    return grid


def _card_words(key: str, offers: Sequence[Offer]) -> str:
    """How to type a choice of cards, with an example.

    >>> _card_words("f", [Offer.of_cards("front", (card,)) for card in range(3)])
    'type the number of one card from 1 to 3: f 1'
    """
    counts, highest = {len(offer.cards) for offer in offers}, 1 + max(card for offer in offers for card in offer.cards)
    least, most = min(counts), max(counts)
    many = "the number of one card" if most == 1 else f"the numbers of {least} to {most} cards"
    many = f"the numbers of {most} cards" if least == most > 1 else many
    example = [str(number) for number in range(1, max(least, min(most, 2)) + 1)]
    return f"type {many} from 1 to {highest}: {' '.join([key, *example])}"


def read_answer(text: str, offers: Sequence[Offer]) -> Answer:
    """Parse a choice: its key, its number, or its name or the beginning of it, then an amount if needed.

    >>> offers = [Offer("check"), Offer("raise", "raise", 100, 2000)]
    >>> read_answer("r 7.50", offers).cents, read_answer("2", offers).cents
    (750, None)
    """
    word, _, rest = text.casefold().partition(" ")
    if (chosen := _match_cards(word, rest, offers)) is not None:
        return Answer(chosen, None)
    offer = _match(word, offers)
    if offer is None and (of_cards := _offers_of_cards(word, offers)):
        key, first = of_cards[0]
        raise FeltError(f"{first.verb}: {_card_words(key, [each for _, each in of_cards])}")
    if offer is None:
        named = one_of(dict.fromkeys(f"{key} for {o.verb}" for key, o in zip(keys(offers), offers, strict=True)))
        raise FeltError(f"{text[:40]!r} is not among the choices: {named}; ? explains them")
    if not rest.strip():
        return Answer(offer, None)
    return Answer(offer, amount_for(offer, rest))


def _match_cards(word: str, rest: str, offers: Sequence[Offer]) -> Offer | None:
    """The offer that chooses the typed cards, as in `discard 1 3` or `d 3 1`."""
    numbers = rest.replace(",", " ").split()
    if not numbers or not all(number.isdecimal() for number in numbers):
        return None
    cards = tuple(sorted({int(number) - 1 for number in numbers}))
    return next((offer for _, offer in _offers_of_cards(word, offers) if offer.cards == cards), None)


def _offers_of_cards(word: str, offers: Sequence[Offer]) -> list[tuple[str, Offer]]:
    """The offers that choose cards with this key, or with a name that begins so, with their keys."""
    keyed = zip(keys(offers), offers, strict=True)
    return [
        (key, offer) for key, offer in keyed if offer.cards and word and (word == key or offer.verb.startswith(word))
    ]


def _match(word: str, offers: Sequence[Offer]) -> Offer | None:
    by_key = {key: offer for key, offer in zip(keys(offers), offers, strict=True) if not offer.cards}
    offers = list(by_key.values())  # choices of cards are matched by the cards' numbers
    numbered = {str(number): offer for number, offer in enumerate(offers, 1)}
    beginning = [offer for offer in offers if word and offer.name.casefold().startswith(word)]
    exact = [offer for offer in offers if offer.name.casefold() == word]
    if exact or word in by_key or word in numbered:
        return exact[0] if exact else by_key.get(word) or numbered[word]
    return beginning[0] if len(beginning) == 1 else None


def is_open(offer: Offer) -> bool:
    """Whether the player chooses the amount."""
    return offer.least != offer.most


def amount_for(offer: Offer, text: str) -> Cents:
    """Read an amount for an offer; money taken back is typed without a minus sign."""
    cents = parse_amount(text)
    sign = -1 if offer.least < 0 else 1
    if not is_open(offer) and cents != sign * offer.most:
        raise FeltError(f"{offer.name} takes {f'exactly {amounts(offer)}' if offer.most else 'no amount'}")
    is_size = cents is not None and (not offer.sizes or sign * cents in offer.sizes)
    if cents is None or not is_size or not offer.least <= sign * cents <= offer.most:
        raise FeltError(f"{offer.name} takes {amounts(offer)}, written like 10 or 7.50; Enter alone goes back")
    return sign * cents
