"""A player's view of a round: each event in a sentence, and the proof of a fair deal."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from rich.text import Text

from feltworks.cards import cards
from feltworks.cli.play import felt
from feltworks.cli.play.felt import Deck
from feltworks.cli.play.screen import Screen
from feltworks.dealing.shoes import Commitment, Reveal
from feltworks.errors import NotNow
from feltworks.money import dollars
from feltworks.rules.round import BOARD, DEALER, Place, Round
from feltworks.rules.steps import Burn, Say, Tuck
from feltworks.rules.terms import Terms
from feltworks.table.events import (
    CardPeeked,
    CardsDealt,
    CardsTurned,
    ChoiceMade,
    Event,
    OpeningSeat,
    RoundClosed,
    RoundOpened,
    RoundVoided,
)
from feltworks.table.log import decode_line
from feltworks.table.replay import RoundSoFar, check_cards
from feltworks.table.table import Table, round_view
from feltworks.table.wording import ordinal, sentence, title


class Moment(Struct, frozen=True):
    """An event and the round right after it."""

    event: Event
    round: Round
    is_opening: bool  # before the first decision


class Witness:
    """One player's view of the round so far."""

    def __init__(self, table: Table, player: str) -> None:
        self.table: Final = table
        self.player: Final = player
        self.begin_round()

    def begin_round(self) -> None:
        """Reset the view for a new round."""
        self._round: RoundSoFar | None = None
        self._decided = False
        self.burned: set[tuple[Place, int]] = set()
        self.announced: Say | None = None
        self.events: list[Event] = []
        self.reveal: Reveal | None = None

    @property
    def own(self) -> tuple[int, ...]:
        """The player's seats in the round."""
        return tuple(number for number, seat in enumerate(self.table.seats) if seat.player == self.player)

    @property
    def cards_drawn(self) -> int:
        """How many cards have left the shoe in this round."""
        return sum(len(event.faces) + event.backs for event in self.events if isinstance(event, CardsDealt))

    def catch_up(self) -> Iterator[Moment]:
        """Yield the events since the last call."""
        lines = self.table.log.lines
        while len(self.events) < len(lines):
            event = decode_line(lines[len(self.events)], len(self.events) + 1).event
            self.events.append(event)
            if isinstance(event, RoundOpened):
                self._round = RoundSoFar(self.table.game, event)
            assert self._round is not None
            self._round.add(event)
            self._note(event)
            yield Moment(event, round_view(self.table.game, self._round.round, list(self.own)), not self._decided)

    def _note(self, event: Event) -> None:
        if isinstance(event, ChoiceMade):
            self._decided = True
        elif isinstance(event, Say):
            self.announced = event
        elif isinstance(event, Burn):
            self.burned.add((event.at, event.index))
        elif isinstance(event, RoundClosed | RoundVoided):
            self.reveal = event.reveal


# Events as sentences, with the dealer's words in quotation marks.


class Commentator(Struct, frozen=True):
    """Describes a round from one player's seats."""

    terms: Terms
    deck: Deck
    seats: tuple[OpeningSeat, ...]
    own: tuple[int, ...]

    def describe(self, event: Event, *, is_opening: bool) -> Text | None:
        """The event in words; None if the felt itself shows it."""
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
        return Text.assemble((f"“{sentence(event.words)}”", felt.SPEECH), *_citation(event.clause))

    def _gesture(self, words: str, clause: str, place: Place) -> Text | None:
        """What the dealer does with the dealer's or the player's cards."""
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
    return [(f" ({clause})", felt.SOFT)] if clause else []


def _cards(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


# The fair deal: the commitment, the revealed seed, and the check of the cards.


def show_commitment(screen: Screen, commitment: Commitment, *, known: str) -> None:
    """Before the deal, show the hash that commits the house to the shoe, in full if it is new."""
    shoe = f"Fair deal: shoe {commitment.shoe_number}"
    if commitment.digest == known:
        at = f"card {commitment.position + 1} of {commitment.cards}"
        screen.print(f"{shoe} goes on with {at}, hash {known[:12]}…", felt.SOFT)
        return
    screen.print(f"{shoe} of {commitment.cards} cards is fixed before the first card by this hash:", felt.SOFT)
    screen.print(f"hash {commitment.digest}", felt.SOFT)


def show_reveal(screen: Screen, witness: Witness) -> None:
    """After the round, show the seed or when it will be revealed."""
    commitment, reveal = witness.table.commitment, witness.reveal
    if commitment is not None and reveal is None:
        dealt = f"{commitment.position + witness.cards_drawn} of {commitment.cards} cards dealt"
        screen.print(f"Fair deal: {dealt}; the seed is revealed when the shoe ends.", felt.SOFT)
    elif reveal is not None:
        screen.print(f"seed {reveal.seed} (verify)", felt.SOFT)


def show_last_seed(screen: Screen, commitment: Commitment, seed: str) -> None:
    """Show the seed of a shoe that is not played to its end."""
    screen.print(f"Fair deal: shoe {commitment.shoe_number} ends here; this was its seed:", felt.SOFT)
    screen.print(f"seed {seed}", felt.SOFT)


def check_deal(witness: Witness) -> str:
    """Check the last round's cards against the revealed seed and return the verdict."""
    commitment, reveal = witness.table.commitment, witness.reveal
    if commitment is None:
        raise NotNow("no round has been dealt yet; verify checks the last one")
    if reveal is None:
        raise NotNow("the seed of this shoe is revealed when the shoe is over; verify then")
    shown = witness.table.view(witness.player).round
    assert shown is not None
    check_cards(witness.table.game.terms.shoe, commitment, reveal.seed, witness.events, shown)
    first, last = commitment.position + 1, commitment.position + witness.cards_drawn
    return (
        f"The seed matches the hash, and the cards you saw are where it puts them: cards {first} to "
        f"{last} of the shoe. By hand: docs/explanation/dealing.md; many rounds at once: felt deal-check."
    )
