"""Between rounds: the player wagers, asks what pays what and why, buys in, or leaves."""

from collections.abc import Callable, Sequence
from typing import Final

from rich.table import Table as Grid

from feltworks.cli.terminal import palette
from feltworks.cli.terminal.amounts import typed_amount
from feltworks.cli.terminal.fair import verified
from feltworks.cli.terminal.screen import Screen
from feltworks.cli.terminal.settling import explain
from feltworks.cli.terminal.sign import in_order, post, show_pays
from feltworks.cli.terminal.tally import Tally
from feltworks.cli.terminal.wagering import OnSpot, Wagering, main_wager, wager_called
from feltworks.cli.terminal.witness import Witness
from feltworks.errors import FeltError, NotNow
from feltworks.money import dollars, full_dollars
from feltworks.rules.wager import Line
from feltworks.table.table import Table
from feltworks.table.wording import refusal, title


class LeftTable(Exception):
    """The player said goodbye."""


class BetweenRounds:
    """Listens to one player until the next round can be dealt."""

    def __init__(self, table: Table, player: str, screen: Screen, witness: Witness, tally: Tally) -> None:
        self._table, self._player, self._screen = table, player, screen
        self._witness, self._tally = witness, tally
        self._terms = table.game.terms
        self.wagering: Final = Wagering(table, player, table.seating.player(player).spots)
        self.last_lines: Sequence[Line] = ()
        self._words: dict[str, Callable[[str], None]] = {
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
        """Ask until wagers lie on the felt and the player wants them dealt."""
        self._screen.print()
        self._remind_of_buying()
        while True:
            said = self._screen.ask(self._prompt())
            try:
                if self._wants_cards(said):
                    return
                self._obey(said)
            except FeltError as trouble:
                self._screen.refuse(refusal(self._terms, trouble))

    def _prompt(self) -> str:
        if self.wagering.lying:
            return "Enter deals, undo takes back:"
        return "Your wagers (Enter: the same again):" if self.wagering.last else "Your wagers (help, ?):"

    def _wants_cards(self, said: str) -> bool:
        """Whether the line ends the wagering."""
        word = said.casefold()
        if word == "same" or (not word and not self.wagering.lying):
            self.wagering.same()
            self._show_lying()
            return True
        if word in ("", "deal") and self.wagering.lying:
            return True
        if word == "deal":
            raise NotNow("no wager lies on the felt; put one down first")
        return False

    def _obey(self, said: str) -> None:
        word, rest = (said[:1], said[1:]) if said.startswith("?") else said.partition(" ")[::2]
        if word.casefold() in self._words:
            self._words[word.casefold()](rest.strip())
        elif said.endswith("?"):
            self._pays(said[:-1])
        else:
            self.wagering.put(said)
            self._show_lying()

    def _show_lying(self) -> None:
        spots = self.wagering.lying
        stack = full_dollars(self._table.seating.player(self._player).stack)
        for spot, on in spots.items():
            named = f"On spot {spot}" if len(spots) > 1 else "On the felt"
            self._screen.print(f"{named}: {self._said(on)}. Stack {stack}.")
        if not spots:
            self._screen.print(f"The felt is empty. Stack {stack}.")

    def _said(self, on: OnSpot) -> str:
        put = [f"{title(self._terms, name)} {dollars(cents)}" for name, cents in on.wagers.items()]
        put += [
            f"{title(self._terms, name)} {dollars(cents)} for the dealers" for name, cents in on.tokes.items()
        ]
        return ", ".join(put)

    def _undo(self, rest: str) -> None:
        self.wagering.undo()
        self._show_lying()

    def _help(self, rest: str) -> None:
        post(self._screen, self._table)
        grid = Grid.grid(padding=(0, 2))
        grid.add_column(no_wrap=True, style=palette.HEADING)
        grid.add_column(ratio=1)
        for typed, means in self._understood().items():
            grid.add_row(typed, means)
        self._screen.print(grid)

    def _understood(self) -> dict[str, str]:
        """What can be typed here, with the wagers of this table as examples."""
        book = self._terms.rulebook.wager
        main, *beside = in_order(self._table)
        example = ", ".join([f"{main} 10", *(f"{name} 5" for name in beside[:1])])
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
            show_pays(self._screen, self._table.game, [wager_called(self._terms, rest)])
            return
        show_pays(self._screen, self._table.game, in_order(self._table))

    def _why(self, rest: str) -> None:
        if not rest and not self.last_lines:
            raise NotNow("no round was settled yet; why CLAUSE shows any clause")
        cited = [clause for line in self.last_lines for clause in line.clauses]
        explain(self._screen, self._terms.rulebook, rest.upper().split() or cited)

    def _verify(self, rest: str) -> None:
        self._screen.print(verified(self._witness))

    def _buy(self, rest: str) -> None:
        cents = typed_amount(rest)
        if not cents:
            raise FeltError("buy takes an amount of play money, such as buy 500")
        self._table.buy_in(self._player, cents)
        self._tally.bought += cents
        stack = self._table.seating.player(self._player).stack
        self._screen.print(f"{full_dollars(cents)} of play money; your stack is {full_dollars(stack)}.")

    def _quit(self, rest: str) -> None:
        raise LeftTable

    def _remind_of_buying(self) -> None:
        least = self._table.limits.ranges[main_wager(self._terms)].least
        stack = self._table.seating.player(self._player).stack
        if stack < least:
            short = f"Your stack is {full_dollars(stack)}, less than the table's minimum"
            self._screen.print(f"{short}: buy 500 brings more play money, quit leaves.", palette.ACCENT)
