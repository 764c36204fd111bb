"""A player's session at a table: wager, watch the deal, decide, see the settlement, leave."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.text import Text

from feltworks.cli.play import felt
from feltworks.cli.play.betting import (
    Answer,
    BetweenRounds,
    PlayerLeft,
    amount_for,
    choices_grid,
    is_open,
    read_answer,
)
from feltworks.cli.play.felt import Scene, draw
from feltworks.cli.play.screen import Screen, ignore_interrupts
from feltworks.cli.play.settlement import Tally, explain, net_line, settlement
from feltworks.cli.play.witness import (
    Commentator,
    Moment,
    Witness,
    show_commitment,
    show_last_seed,
    show_reveal,
)
from feltworks.dealing.shoes import CardSource
from feltworks.errors import FeltError, ShoeExhausted
from feltworks.money import Cents, dollars, full_dollars
from feltworks.rules.round import Round
from feltworks.rules.steps import Decide, Say
from feltworks.rules.wager import Line
from feltworks.table.events import CardPeeked, CardsDealt, CardsTurned, Event, RoundOpened
from feltworks.table.rollouts import SimulatedPlayer
from feltworks.table.table import Table
from feltworks.table.wording import Explanation, amounts, explain_offers, hands_of, refusal, subject

YOU: Final = "you"
_LEAVING: Final = ("quit", "exit")
_PAUSES: Final = {CardsDealt: 0.18, CardsTurned: 0.45, CardPeeked: 0.6, Say: 0.5}


def stack_before(opened: RoundOpened, player: str) -> Cents:
    """A player's stack before the wagers of a round were placed."""
    stack = sum(seated.stack for seated in opened.players if seated.player == player)
    down = [(seat.wagers, seat.tokes) for seat in opened.seats if seat.player == player]
    return stack + sum(sum(amounts.values()) for both in down for amounts in both)


class Comment(Struct, frozen=True):
    """A sentence and the event it describes."""

    words: Text
    event: Event


class Session:
    """One person at a table, with simulated neighbours."""

    def __init__(self, table: Table, source: CardSource, screen: Screen, neighbours: Sequence[SimulatedPlayer]) -> None:
        self.table, self.screen = table, screen
        self._source = source
        self._neighbours = {neighbour.name: neighbour for neighbour in neighbours}
        self._terms = table.game.terms
        self._witness = Witness(table, YOU)
        self._seen_lines = 0
        self._committed = ""
        self._stack_before = self._stack if table.live is None else stack_before(table.live.opened, YOU)
        self.tally = Tally(bought=self._stack_before)
        self._betting = BetweenRounds(table, YOU, screen, self._witness, self.tally)

    @property
    def _stack(self) -> int:
        return self.table.seating.player(YOU).stack

    def run(self) -> None:
        """Play until the player leaves; then return wagers that are still on the felt."""
        try:
            if self.table.round is not None:
                self._play_round(is_dealt=True)
            while True:
                self._betting.take_wagers()
                self._play_round()
        except (EOFError, KeyboardInterrupt):
            with ignore_interrupts():
                self.screen.print()
                self._leave()
        except PlayerLeft:
            with ignore_interrupts():
                self._leave()

    def _play_round(self, *, is_dealt: bool = False) -> None:
        try:
            if not is_dealt:
                self._deal()
            self._play()
        except ShoeExhausted:
            self._call_off("the shoe ran out of cards")

    def _deal(self) -> None:
        for neighbour in self._neighbours.values():
            neighbour.wager(self.table)
        self._betting.wagers.close()
        self._witness.begin_round()
        self._seen_lines = 0
        self.table.deal()
        assert self.table.live is not None
        opened = self.table.live.opened
        self._stack_before = stack_before(opened, YOU)
        show_commitment(self.screen, opened.commitment, known=self._committed)
        self._committed = opened.commitment.digest

    def _play(self) -> None:
        """Play the round to its end, and ask the player for decisions."""
        while (step := self._watch()) is not None:
            self._show_settled()
            self._decide(step)
        self._show_settled()
        self.table.house.accrue()
        lines = self._own_lines()
        self.tally.count(lines)
        self._betting.last_lines = lines
        self.screen.print(net_line(self._stack - self._stack_before, self._stack))
        show_reveal(self.screen, self._witness)

    def _watch(self) -> Decide | None:
        """Show the events up to the player's next decision or the end of the round."""
        comments: list[Comment] = []
        self._witness.announced = None
        with self.screen.animation() as picture:
            while True:
                for moment in self._witness.catch_up():
                    self._comment(comments, moment)
                    if self.screen.paces:
                        pause = _PAUSES.get(type(moment.event), 0)
                        picture.show(self._picture(comments, moment.round, self._seen_lines), pause)
                step = next(iter(self.table.decisions), None)
                if step is None or self.table.seats[step.seat].player == YOU:
                    break
                self._neighbours[self.table.seats[step.seat].player].choose(self.table, step)
            shown = self.table.view(YOU).round
            assert shown is not None
            picture.show(self._picture(comments, shown, None, step))
        return step

    def _comment(self, comments: list[Comment], moment: Moment) -> None:
        commentator = Commentator(self._terms, self.screen.deck, self.table.seats, self._witness.own)
        words = commentator.describe(moment.event, is_opening=moment.is_opening)
        if words is not None:
            comments.append(Comment(words, moment.event))

    def _picture(
        self, comments: Sequence[Comment], round_: Round, lines: int | None, step: Decide | None = None
    ) -> RenderableType:
        """The comments with the felt below them; `lines` is the number of settled lines shown so far."""
        scene = Scene(
            game=self.table.game,
            round=round_,
            seats=self.table.seats,
            own=self._witness.own,
            lines=self.table.view(YOU).lines[:lines],
            burned=frozenset(self._witness.burned),
            announced=self._witness.announced,
            heading=f"{self._terms.rulebook.title} · round {self.table.rounds}",
            footing=self._footing(),
            decision=step,
        )
        picture = draw(scene, self.screen.deck, self.screen.console.width)
        words = [comment.words for comment in comments if comment.event is not self._witness.announced]
        comment_lines = Constrain(Padding(Text(" ").join(words), (0, 1)), self.screen.columns)
        return Group(comment_lines, picture) if words else picture

    def _footing(self) -> str:
        meters = [f"{meter} {dollars(cents)}" for meter, cents in self.table.house.meters.items()]
        return " · ".join([f"stack {full_dollars(self._stack)}", *meters, "play money"])

    def _own_lines(self) -> list[Line]:
        return [line for line in self.table.view(YOU).lines if line.seat in self._witness.own]

    def _show_settled(self) -> None:
        """Show the wagers settled since the last call."""
        lines = self.table.view(YOU).lines
        fresh = [line for line in lines[self._seen_lines :] if line.seat in self._witness.own]
        self._seen_lines = len(lines)
        if fresh:
            several = len(self._witness.own) > 1
            named = [(line, self.table.seats[line.seat].spot if several else None) for line in fresh]
            self.screen.print(settlement(self._terms, self.screen.deck, named))

    def _decide(self, step: Decide) -> None:
        """Ask until an answer is accepted; a refused answer changes nothing."""
        shown = self.table.view(YOU).round
        assert shown is not None
        choices = explain_offers(self.table.game, shown, step)
        if heading := self._heading(step):
            self.screen.print(heading, felt.HEADING)
        self.screen.print(choices_grid(choices, self._stack))
        while True:
            line = self.screen.ask("Your choice:")
            try:
                if line and self._takes(line, step, choices):
                    return
            except ShoeExhausted:
                raise
            except FeltError as error:
                self.screen.refuse(refusal(self._terms, error))

    def _heading(self, step: Decide) -> str:
        assert self.table.round is not None
        spot = f"Spot {self.table.seats[step.seat].spot}" if len(self._witness.own) > 1 else ""
        hands = hands_of(self.table.game, self.table.round, step.seat)
        about = subject(self._terms, step.about, several=len(hands) > 1)
        return ": ".join(filter(None, [spot, about]))

    def _takes(self, line: str, step: Decide, choices: Sequence[Explanation]) -> bool:
        """Carry out a typed line; returns whether it was a choice and not a request for help."""
        if line.casefold() in _LEAVING:
            raise PlayerLeft
        if line.startswith("?") or line.casefold() in ("help", "why"):
            explain(self.screen, self._terms.rulebook, self._clauses(step, choices))
            self.screen.print("Type a key, a number or a name; quit calls the round off.", felt.SOFT)
            return False
        answer = read_answer(line, step.offers)
        spot = self.table.seats[step.seat].spot
        self.table.choose(YOU, spot, answer.offer.name, self._amount(answer), step.about)
        return True

    def _clauses(self, step: Decide, choices: Sequence[Explanation]) -> list[str]:
        """The clauses of this seat's wagers and choices."""
        assert self.table.round is not None
        wagers = self.table.round.seats[step.seat].wagers
        placed = [entry.clause for name, entry in self._terms.rulebook.wager.items() if name in wagers]
        return [*(clause for choice in choices for clause in choice.clauses), *placed]

    def _amount(self, answer: Answer) -> int | None:
        offer = answer.offer
        if answer.cents is not None or not is_open(offer):
            return answer.cents
        while True:
            line = self.screen.ask(f"How much, {amounts(offer)}?")
            if line.casefold() in _LEAVING:
                raise PlayerLeft
            try:
                return amount_for(offer, line)
            except FeltError as error:
                if not line:
                    raise
                self.screen.refuse(refusal(self._terms, error))

    def _leave(self) -> None:
        """Return every unsettled wager to the stack and show the summary."""
        if self.table.is_running:
            self._call_off("the player left the table")
        for spot in self._betting.wagers.on_felt:
            self.table.withdraw(YOU, spot)
        if self.table.commitment is not None and self._witness.reveal is None:
            show_last_seed(self.screen, self.table.commitment, self._source.secret)
        self.tally.show(self.screen, self._terms, self._stack)

    def _call_off(self, reason: str) -> None:
        before = self._stack
        self.table.void(reason)
        list(self._witness.catch_up())  # the voiding event may reveal the seed
        back = full_dollars(self._stack - before)
        self.screen.print(f"The round is called off and every wager is returned: {back}.", felt.ACCENT)
