"""Rounds for papers: dealt from announced seeds, so that anyone can repeat them, and shown step by step.

Among them are worked examples: a win, a loss and a push of every wager.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from random import Random
from typing import Final

import msgspec
from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.cards import cards
from feltworks.dealing.shoes import source_for
from feltworks.money import Cents, Odds, dollars
from feltworks.reports.order import Order
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.round import BOARD, DEALER, Choice, Face, Place, Round, Seat
from feltworks.rules.rulebook.model import DocumentExample
from feltworks.rules.steps import Burn, Decide, Discard, Offer, Say, Tuck
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Line
from feltworks.table.events import CardPeeked, CardsDealt, CardsTurned, ChoiceMade, Event, LineSettled, RoundOpened
from feltworks.table.live import Dealer
from feltworks.table.log import entries
from feltworks.table.rollouts import best_choice
from feltworks.table.seating import House
from feltworks.table.table import Table
from feltworks.table.wording import dealers_words, hands_of, ordinal, outcome_words, sentence, single_seat, title
from feltworks.written.record import FinishedRound
from feltworks.written.replay import replay

WAGER: Final[Cents] = 10_00
POSTED: Final[Cents] = 5_000_00  # on every meter
_STACK: Final[Cents] = 10_000_00
_TRIES: Final = 24  # rollouts for each choice

_NUMBERS: Final = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}
_PLACES: Final = {DEALER: "the dealer", BOARD: "the board"}

Seats = Sequence[Mapping[str, Cents]]


class DealtRound(Struct, frozen=True):
    """A finished round: the felt, the settlement, and the log if there is one."""

    seed: int
    round: Round
    lines: tuple[Line, ...]
    events: tuple[Event, ...] = ()


def opening_wagers(game: Game, wagers: Sequence[str]) -> dict[str, Cents]:
    """Ten dollars on each of these wagers and on those placed with them, or the fixed amount of a wager."""
    book = game.terms.rulebook.wager
    placed = with_companions(game, wagers)
    return {name: book[name].least if book[name].fixed else WAGER for name in placed}


def with_companions(game: Game, wagers: Sequence[str]) -> list[str]:
    """These wagers and those placed together with them."""
    openings = game.terms.openings
    together = [other for name in wagers if name in openings for other in openings[name].together]
    return list(dict.fromkeys([*wagers, *together]))


def meter_amounts(game: Game) -> dict[str, Cents]:
    """The amount on each meter of the game."""
    return {meter: POSTED for pays in game.pays.values() for meter in meters_of(pays.values())}


def table_round(game: Game, seats: Seats, seed: int) -> DealtRound:
    """One round at a live table with its log; every spot plays sensibly."""
    table = Table(game, Dealer(source_for(game.terms, seed=seed)), house=House(meters=meter_amounts(game)))
    for number, wagers in enumerate(seats, 1):
        table.sit(f"spot {number}", number, stack=_STACK)
        table.wager(f"spot {number}", number, wagers)
    table.deal()
    mind = Random(seed)
    while table.decisions:
        _decide(table, table.decisions[0], mind)
    assert table.round is not None
    events = tuple(entry.event for entry in entries(table.log.lines))
    return DealtRound(seed, table.round, tuple(table.lines), events)


def _decide(table: Table, step: Decide, mind: Random) -> None:
    owner = table.seats[step.seat]
    seen = table.view(owner.player).round
    assert seen is not None
    choice = _choose(table.game, seen, step, mind, _TRIES)
    table.choose(owner.player, owner.spot, choice.name, choice.cents or None, step.about)


def sample_round(
    game: Game, seats: Seats, seed: int, wanted: frozenset[str] = frozenset(), *, tries: int = _TRIES
) -> DealtRound:
    """One round by the rules alone; choices that put money on a wanted wager are preferred."""
    dealer, mind = Dealer(source_for(game.terms, seed=seed)), Random(seed)
    dealer.begin_round()
    r = game.open_round(seats, meter_amounts(game))
    while (step := game.awaits(r)) is not None:
        if isinstance(step, Decide):
            preferred = tuple(offer for offer in step.offers if offer.wager in wanted) or step.offers
            decision = Decide(step.seat, preferred, step.about)
            r = advance(r, step, _choose(game, game.view(r, step.seat), decision, mind, tries))
        else:
            r = advance(r, step, dealer.answer(step))
    return DealtRound(seed, r, game.settle(r))


def _choose(game: Game, seen: Round, step: Decide, mind: Random, tries: int) -> Choice:
    """The choice with the highest net in some rollouts, from what the seat may know."""
    if len(step.offers) == 1:
        return Choice(step.offers[0].name, step.offers[0].most, step.about)
    offers = tuple(Offer(offer.name, offer.wager, offer.most, offer.most) for offer in step.offers)
    one = Decide(0, offers, step.about)
    return best_choice(game, single_seat(seen, step.seat), one, mind, tries=tries)


class Step(Struct, frozen=True):
    """One step of the procedure: the actor, the action, the visible cards, and the clause."""

    actor: str  # dealer or player
    words: str
    faces: tuple[Face, ...] = ()
    clause: str = ""


def narrate(terms: Terms, dealt: DealtRound) -> list[Step]:
    """The round as dealing steps; the settlement of a spot is one step."""
    steps: list[Step] = []
    for is_settling, run in groupby(dealt.events, key=lambda event: isinstance(event, LineSettled)):
        if is_settling:
            steps += _settlement(terms, [event for event in run if isinstance(event, LineSettled)])
        else:
            steps += [step for event in run if (step := _step(terms, event))]
    return steps


def _step(terms: Terms, event: Event) -> Step | None:
    if isinstance(event, RoundOpened):
        wagers = "; ".join(f"spot {seat.spot}: {_wagers(terms, seat.wagers)}" for seat in event.seats)
        return Step("player", f"Wagers are put down. {sentence(wagers)}")
    if isinstance(event, Say):
        return Step("dealer", f"Announces: “{sentence(event.words)}”", clause=event.clause)
    if isinstance(event, CardsDealt):
        return _deal(event)
    if isinstance(event, CardsTurned):
        whose = "the dealer's" if event.at == DEALER else f"{_place(event.at)}'s"
        what = f"{ordinal(event.index)} card" if len(event.faces) == 1 else "cards"
        return Step("dealer", f"Turns {whose} {what}.", cards(event.faces))
    if isinstance(event, CardPeeked):
        faces = cards([event.face]) if event.face else ()
        after = "and turns it" if faces else "which stays down"
        return Step("dealer", f"Checks the hole card, {after}.", faces)
    return _gesture(terms, event)


def _gesture(terms: Terms, event: Event) -> Step | None:
    if isinstance(event, ChoiceMade):
        about = f" ({title(terms, event.about)})" if event.about in terms.rulebook.wager else ""
        amount = f", {dollars(event.cents)}" if event.cents else ""
        return Step("player", f"Spot {event.seat + 1}: {event.name}{amount}{about}.")
    if isinstance(event, Tuck):
        under = f"under the {title(terms, event.under)}"
        return Step("dealer", f"The cards of spot {event.seat + 1} are tucked {under}.", clause=event.clause)
    if isinstance(event, Burn):
        whose = "the dealer's" if event.at == DEALER else f"{_place(event.at)}'s"
        words = f"Burns {whose} {ordinal(event.index)} card."
        return Step("dealer", words, clause=event.clause)
    if isinstance(event, Discard):
        words = f"Clears the cards of spot {event.seat + 1} to the discard rack."
        return Step("dealer", words, clause=event.clause)
    return None


def _deal(event: CardsDealt) -> Step:
    number = event.backs or len(event.faces)
    what = f"{_NUMBERS.get(number, str(number))} {'card' if number == 1 else 'cards'}"
    down = " face down" if event.backs else ""
    if event.to == DEALER:
        return Step("dealer", f"Takes {what}{down}.", cards(event.faces))
    return Step("dealer", f"Deals {what}{down} to {_place(event.to)}.", cards(event.faces))


def _settlement(terms: Terms, events: Sequence[LineSettled]) -> Iterator[Step]:
    """The wagers of one spot are taken, returned and paid together."""
    for seat, lines in groupby(events, key=lambda event: event.seat):
        settled = list(lines)
        words = "; ".join(_payment(terms, event) for event in settled)
        clauses = ", ".join(dict.fromkeys(event.clause for event in settled))
        yield Step("dealer", f"Spot {seat + 1}: {words}.", clause=clauses)


def _payment(terms: Terms, event: LineSettled) -> str:
    name = title(terms, event.wager) + (f", {event.part}" if event.part else "")
    outcome = outcome_words(terms, event.wager, event.outcome)
    if event.paid:
        source = f" from the {event.meter}" if event.meter else ""
        return f"pays {name} {dollars(event.paid)}{source} ({outcome})"
    if event.taken:
        into = f" into the {event.box} box" if event.box else ""
        return f"takes {name} {dollars(event.taken)}{into} ({outcome})"
    return f"returns {name} {dollars(event.returned)} ({outcome})"


def _wagers(terms: Terms, wagers: object) -> str:
    assert hasattr(wagers, "items")
    return ", ".join(f"{title(terms, name)} {dollars(cents)}" for name, cents in wagers.items())


def _place(place: Place) -> str:
    return _PLACES.get(place, f"spot {place + 1}")


RESULTS: Final = ("win", "lose", "push")
_PLAIN, _ONE_SPOT, _MANY_SPOTS = 60, 300, 4_000  # seeds tried: sensible play first, then play that prefers the wager


class Example(Struct, frozen=True):
    """One settled wager and its round."""

    title: str
    result: str
    seed: int
    spot: int
    spots: int  # in action in that round
    hands: tuple[tuple[tuple[Face, ...], str], ...]
    dealer: tuple[Face, ...]
    dealer_words: str
    choices: tuple[str, ...]
    wagered: Cents
    net: Cents
    reasons: tuple[str, ...]
    clauses: tuple[str, ...]


class Examples(Struct, frozen=True):
    """A wager's examples, and the results without one."""

    title: str
    clause: str
    examples: tuple[Example, ...]
    never: tuple[str, ...]  # no pay has this result
    undealt: tuple[str, ...]  # a pay has it, but no deal at this table leads to it
    missing: tuple[str, ...]  # not found in the rounds searched


class OwnExample(Struct, frozen=True):
    """A worked example of the approved document, settled by this table's rules."""

    text: str
    clause: str
    hands: tuple[tuple[tuple[Face, ...], str], ...]
    dealer: tuple[Face, ...]
    dealer_words: str
    lines: tuple[tuple[str, str, Cents, Cents], ...]  # title, reason, net, net in the document

    @property
    def agrees(self) -> bool:
        """Whether every wager of the document's settlement has the same result here."""
        return all(net == printed for _, _, net, printed in self.lines)


def document_examples(order: Order) -> list[OwnExample]:
    """The document's own examples, without those that need a wager the table does not offer."""
    return [
        _own_example(order, each)
        for each in order.book.example
        if all(name in order.table.terms.offers or order.book.wager[name].of for name in each.nets)
    ]


def _own_example(order: Order, example: DocumentExample) -> OwnExample:
    tables = {**order.pay_tables, **example.round.get("pay_tables", {})}
    game = catalog.game(order.game, options=order.options, pay_tables=tables)
    written = {"game": order.game, **example.round, "options": dict(order.options), "pay_tables": tables}
    r = replay(game, msgspec.convert(written, FinishedRound))
    lines = [line for line in game.settle(r) if line.wager in example.nets]
    return OwnExample(
        example.text,
        example.clause,
        tuple((hand.faces, hand.words) for hand in hands_of(game, r, 0)),
        r.dealer,
        dealers_words(game, r, 0),
        tuple((title(game.terms, x.wager), x.reason, x.net, example.nets[x.wager]) for x in lines),
    )


Known = dict[tuple[str, str], Example]


class Search(Struct, frozen=True):
    """A search for examples: the table, its opening wagers, the wagers in question, and the play."""

    game: Game
    opened: list[str]
    wagers: list[str]
    wanted: frozenset[str] = frozenset()  # choices that put money on these are preferred
    most: int = _PLAIN
    spots: int = 1
    tries: int = 24  # with 0, choices are random


def possible_results(game: Game, wager: str) -> list[str]:
    """The results that a wager's pays allow."""
    pays = game.pays[wager].values()
    signs = {(pay.win > 0) - (pay.win < 0) if isinstance(pay, Odds) else 1 for pay in pays}
    return [result for result, sign in zip(RESULTS, (1, -1, 0), strict=True) if sign in signs]


def worked_examples(order: Order) -> list[Examples]:
    """The examples of every wager of the game, derived wagers included."""
    known: Known = {}
    for opened in order.offerings:
        game = order.table_with(*opened)
        wagers = [name for opening in opened for name in order.group(opening)]
        _gather(Search(game, opened, wagers), known)
        for wager in wagers:
            wanted = frozenset(order.group(wager))
            if any(_can_be_dealt(order, wager, result) for result in _missing_results(game, wager, known)):
                _gather(Search(game, opened, [wager], wanted, _ONE_SPOT), known)
                spots = game.terms.spots or 1
                _gather(Search(game, opened, [wager], wanted, _MANY_SPOTS, spots, tries=0), known)
    return [_examples(order, wager, known) for opening in order.wagers for wager in order.group(opening)]


def _gather(search: Search, known: Known) -> None:
    """Search seeded rounds for the missing examples."""
    game = search.game
    wagers = opening_wagers(game, search.opened)
    possible = {(name, result) for name in search.wagers for result in possible_results(game, name)}
    for seed in range(1, search.most + 1):
        if not (open_ := possible - known.keys()):
            return
        dealt = sample_round(game, [wagers] * search.spots, seed, search.wanted, tries=search.tries)
        for (seat, wager), lines in _by_wager(dealt).items():
            key = (wager, _result(lines))
            if key in open_ and key not in known:
                known[key] = _example(game, dealt, seat, wager, lines)


def _by_wager(dealt: DealtRound) -> dict[tuple[int, str], list[Line]]:
    lines: dict[tuple[int, str], list[Line]] = {}
    for line in dealt.lines:
        lines.setdefault((line.seat, line.wager), []).append(line)
    return lines


def _result(lines: list[Line]) -> str:
    return _sign(sum(line.net for line in lines))


def _sign(net: int | Fraction) -> str:
    return "win" if net > 0 else "lose" if net < 0 else "push"


def _example(game: Game, dealt: DealtRound, seat: int, wager: str, lines: list[Line]) -> Example:
    r = dealt.round
    return Example(
        title(game.terms, wager),
        _result(lines),
        dealt.seed,
        seat + 1,
        len(r.seats),
        tuple((hand.faces, hand.words) for hand in hands_of(game, r, seat)),
        r.dealer,
        dealers_words(game, r, seat),
        tuple(_choices(game, r.seats[seat])),
        sum(line.wagered for line in lines),
        sum(line.net for line in lines),
        tuple(dict.fromkeys(line.reason for line in lines)),
        tuple(dict.fromkeys(clause for line in lines for clause in line.clauses)),
    )


def _choices(game: Game, seat: Seat) -> Iterator[str]:
    for choice in seat.choices:
        about = f" ({title(game.terms, choice.about)})" if choice.about in game.wagers else ""
        yield choice.name + (f" {dollars(choice.cents)}" if choice.cents else "") + about


def _examples(order: Order, wager: str, known: Known) -> Examples:
    game, entry = order.table, order.book.wager[wager]
    possible = possible_results(game, wager)
    missing = _missing_results(game, wager, known)
    undealt = [result for result in missing if not _can_be_dealt(order, wager, result)]
    return Examples(
        entry.title,
        entry.clause,
        tuple(known[wager, result] for result in possible if (wager, result) in known),
        tuple(result for result in RESULTS if result not in possible),
        tuple(undealt),
        tuple(result for result in missing if result not in undealt),
    )


def _missing_results(game: Game, wager: str, known: Known) -> list[str]:
    return [result for result in possible_results(game, wager) if (wager, result) not in known]


def _can_be_dealt(order: Order, wager: str, result: str) -> bool:
    """Whether the exact analysis has a deal with this result; true if it lists no deals."""
    opening = order.book.wager[wager].of or wager
    situations = analyze(Question(order.table_with(opening), opening)).situations
    laws = [law for situation in situations for law in situation.laws.values()]
    settled = {line for law in laws for lines in law for line in lines}
    return not settled or any(name == wager and _sign(net) == result for name, _, net, *_ in settled)
