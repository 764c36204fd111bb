"""Records which terms of a table a computation reads: a term that it never reads cannot change its result."""

from collections.abc import Collection, ItemsView, Mapping, ValuesView

from feltworks.rules.game import Game
from feltworks.rules.rulebook.model import OptionValue, PayTable
from feltworks.rules.terms import Terms


class WatchedOptions(dict[str, OptionValue]):
    """Options that record which of them were read.

    >>> options = WatchedOptions({"soft17": "hit", "decks": 6})
    >>> options["decks"], options.get("peek"), sorted(options.names)
    (6, None, ['decks', 'peek'])
    """

    def __init__(self, options: Mapping[str, OptionValue]) -> None:
        super().__init__(options)
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> OptionValue:
        self.names.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: object = None) -> object:  # type: ignore[override]  # records the name
        self.names.add(name)
        return super().get(name, default)

    def items(self) -> ItemsView[str, OptionValue]:  # type: ignore[override]  # reads every option
        self.names.update(self)
        return super().items()

    def values(self) -> ValuesView[OptionValue]:  # type: ignore[override]  # reads every option
        self.names.update(self)
        return super().values()


class WatchedTerms(Terms):
    """A copy of a table's terms that records what is read from it."""

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms.rulebook, options=terms.options, pay_tables=terms.pay_tables, limit=terms.limit)
        self.forget()

    def forget(self) -> None:
        """Clears the record of what was read."""
        self.options = self._read = WatchedOptions(dict(self.options))
        self._switches: dict[tuple[str, str], bool] = {}
        self._tables: set[str] = set()

    def pay_table(self, wager: str) -> PayTable:
        self._tables.add(wager)
        return super().pay_table(wager)

    def switch(self, wager: str, name: str) -> bool:
        answer = super().pay_table(wager).switches.get(name, True)
        self._switches[wager, name] = answer
        return answer

    def answers_alike(self, other: Terms) -> bool:
        """Whether other terms give the same answers to everything that was read.

        M.1: exact figures ignore breakage, so the way a house rounds is not compared.
        """
        return (
            self.rulebook is other.rulebook
            and self.limit == other.limit
            and self.breakage.chip == other.breakage.chip
            and all(dict.get(self._read, name) == other.options.get(name) for name in self._read.names)
            and all(self.pay_tables[wager] == other.pay_tables[wager] for wager in self._tables)
            and all(other.switch(*switch) == answer for switch, answer in self._switches.items())
        )


class Watch:
    """A copy of a game that records which of its terms a computation reads."""

    def __init__(self, game: Game) -> None:
        self.terms = WatchedTerms(game.terms)
        bonus = [type(judge) for judge in game.wagers.values() if type(judge) not in game.wager_types]
        self.game: Game = type(game)(self.terms, bonus)
        self.game.pays = game.pays
        self._settings = derived_settings(self.game)  # before the game caches anything about its rounds
        self.terms.forget()  # settings derived at the start are compared by value

    def is_judged_alike(self, game: Game, reads: Collection[str] | None = None) -> bool:
        """Whether the computation would be the same for another table of the game, apart from pays.

        `reads` names the derived settings that the computation reads (default: all).
        """
        if type(game) is not type(self.game) or not self.terms.answers_alike(game.terms):
            return False
        theirs = derived_settings(game)
        return all(self._settings[name] == theirs[name] for name in (self._settings if reads is None else reads))


def derived_settings(game: Game) -> dict[str, object]:
    """Returns the settings that a game derived from its terms, except its wagers and their pays."""
    shared = ("terms", "wagers", "_pays", "prices", "has_prizes")
    return {name: value for name, value in vars(game).items() if name not in shared and not callable(value)}
