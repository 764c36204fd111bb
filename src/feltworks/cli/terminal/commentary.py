"""Events at the table as sentences for one player; the dealer speaks in quotation marks."""

from collections.abc import Sequence

from msgspec import Struct
from rich.text import Text

from feltworks.cards import cards
from feltworks.cli.terminal import palette
from feltworks.cli.terminal.faces import Deck
from feltworks.money import dollars
from feltworks.rules.round import BOARD, DEALER, Place
from feltworks.rules.steps import Burn, Say, Tuck
from feltworks.rules.terms import Terms
from feltworks.table.events import CardPeeked, CardsDealt, CardsTurned, ChoiceMade, Event, OpeningSeat
from feltworks.table.wording import ordinal, sentence, title


class Commentator(Struct, frozen=True):
    """Describes a round from one player's seats."""

    terms: Terms
    deck: Deck
    seats: tuple[OpeningSeat, ...]
    own: tuple[int, ...]

    def describe(self, event: Event, *, is_opening: bool) -> Text | None:
        """The event in words; None for what the felt itself shows."""
        if isinstance(event, Say):
            return self._speech(event)
        if isinstance(event, Tuck):
            under = f"tucked under the {title(self.terms, event.under)}"
            return self._gesture(f"{self._whose(event.seat)} cards are {under}", event.clause, event.seat)
        if isinstance(event, Burn):
            burned = f"{self._whose(event.at)} {ordinal(event.index)} card is burned"
            return self._gesture(burned, event.clause, event.at)
        words = self._event_words(event, is_opening=is_opening)
        return Text(sentence(words)) if words else None

    def _event_words(self, event: Event, *, is_opening: bool) -> str:
        if isinstance(event, CardsDealt):
            return "" if is_opening else self._deal(event)
        if isinstance(event, CardsTurned):
            return self._turn(event.at, event.index, event.faces)
        if isinstance(event, CardPeeked):
            turned = f"turns {self._codes([event.face])}" if event.face else "leaves it down"
            return f"the dealer checks the hole card and {turned}"
        if isinstance(event, ChoiceMade) and event.seat not in self.own:
            amount = f", {dollars(event.cents)}" if event.cents else ""
            return f"{self._who(event.seat)}: {event.name}{amount}"
        return ""

    def _speech(self, event: Say) -> Text:
        return Text.assemble((f"“{sentence(event.words)}”", palette.SPEECH), *_citation(event.clause))

    def _gesture(self, words: str, clause: str, place: Place) -> Text | None:
        """What the dealer does with the dealer's cards or the player's own."""
        if place >= 0 and place not in self.own:
            return None
        return Text.assemble(sentence(words), *_citation(clause))

    def _deal(self, event: CardsDealt) -> str:
        if event.to == DEALER:
            return f"the dealer draws {self._codes(event.faces) or _cards(event.backs)}"
        if event.to == BOARD:
            return f"the board gets {self._codes(event.faces) or _cards(event.backs)}"
        if event.to in self.own:
            return f"{self._who(event.to)} get {self._codes(event.faces) or _cards(event.backs)}"
        return f"{self._who(event.to)} gets {_cards(event.backs or len(event.faces))}"

    def _turn(self, at: Place, index: int, faces: Sequence[str]) -> str:
        if at < 0:
            return f"the {'dealer' if at == DEALER else 'board'} turns {self._codes(faces)}"
        if at not in self.own:
            return f"{self._who(at)} takes the {ordinal(index)} card"
        return f"{self._whose(at)} {ordinal(index)} card is {self._codes(faces)}"

    def _codes(self, faces: Sequence[str]) -> str:
        return " ".join(self.deck.code(face) for face in cards(faces))

    def _who(self, place: Place) -> str:
        if place not in self.own:
            return f"spot {self.seats[place].spot}"
        return "you" if len(self.own) == 1 else f"you on spot {self.seats[place].spot}"

    def _whose(self, place: Place) -> str:
        if place < 0:
            return "the dealer's" if place == DEALER else "the board's"
        if place not in self.own:
            return f"spot {self.seats[place].spot}'s"
        return "your" if len(self.own) == 1 else f"spot {self.seats[place].spot}'s"


def _citation(clause: str) -> list[tuple[str, str]]:
    return [(f" ({clause})", palette.SOFT)] if clause else []


def _cards(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"
