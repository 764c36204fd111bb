"""Derives the shape of a game from what it declares, never from its name, and the solver that fits it."""

from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final, Literal

from msgspec import Struct

from feltworks.cards import Rank
from feltworks.errors import FeltError
from feltworks.hands.poker import HandValue, Ranking
from feltworks.rules.game import Game

_SHIPPED: Final = "feltworks.games."


def ranking_of(game: Game) -> Ranking | None:
    """Returns the ranking by which a game compares poker hands; None if it compares none.

    >>> from feltworks import catalog
    >>> ranking_of(catalog.game("spanish-poker")).size, ranking_of(catalog.game("fu-bacc"))
    (5, None)
    """
    ranking = getattr(game, "ranking", None)
    return ranking if isinstance(ranking, Ranking) else None


def qualifier_of(game: Game) -> HandValue | None:
    """Returns the weakest hand that the house qualifies with; None if the game declares none.

    >>> from feltworks import catalog
    >>> qualifier_of(catalog.game("spanish-poker")).words
    'pair of sixes'
    """
    qualifier = getattr(game, "weakest_qualifier", None)
    return qualifier if isinstance(qualifier, HandValue) else None


def high_rank_of(game: Game, ranking: Ranking) -> Rank:
    """Returns the lowest rank that counts as high: the house's qualifying rank, or else the middle rank.

    >>> from feltworks import catalog
    >>> table = catalog.game("spanish-poker")
    >>> high_rank_of(table, ranking_of(table)).word
    'six'
    """
    qualifier = qualifier_of(game)
    return qualifier.ranks[0] if qualifier else ranking.ranks[len(ranking.ranks) // 2]


def shoe_game_of(game: Game) -> Any | None:
    """Returns the game if the blackjack solver can solve it; None otherwise.

    That solver assumes the deal of the games that come with Feltworks, so a custom game must be a subclass of
    one of them.

    >>> from feltworks import catalog
    >>> shoe_game_of(catalog.game("lucky-break")) is None, shoe_game_of(catalog.game("fu-bacc")) is None
    (False, True)
    """
    is_known = any(kind.__module__.startswith(_SHIPPED) for kind in type(game).__mro__)
    return game if game.has_spots and is_known else None


def main_wager_of(game: Game) -> str:
    """Returns the main wager of a game; the others lie beside it or are derived from it."""
    entries = game.terms.rulebook.wager.items()
    return next((name for name, entry in entries if entry.kind == "main"), next(iter(game.wagers)))


def opening_wagers(game: Game) -> tuple[str, ...]:
    """Returns the main wager and those that are placed together with it."""
    main = main_wager_of(game)
    return main, *game.terms.rulebook.placed_with(main)


def waits_for_dealer(game: Game, wager: str) -> bool:
    """Whether a side wager of a game with spots waits for the dealer's hand and assumes a way of play."""
    return game.has_spots and bool(game.wagers[wager].assumes)


def insurance_of(game: Game) -> str | None:
    """Returns the game's own wager that derives from the main one during play; None if there is none."""
    book, main = game.terms.rulebook.wager, main_wager_of(game)
    return next((kind.name for kind in type(game).wager_types if book[kind.name].of == main), None)


def is_played_by_hand(game: Game, wager: str) -> bool:
    """Whether a wager of a game with spots is played hand by hand, or depends on how hands are played."""
    own = {kind.name for kind in type(game).wager_types}
    return game.has_spots and (wager in own or waits_for_dealer(game, wager))


_PACKAGE: Final = "feltworks."


def is_shipped(game: Game, wagers: Iterable[str]) -> bool:
    """Whether the game, these wagers and those derived from them come with Feltworks."""
    names = set(wagers)
    wager_types = [game.wagers[name] for name, e in game.terms.rulebook.wager.items() if {name, e.of} & names]
    return all(type(part).__module__.startswith(_PACKAGE) for part in (game, *wager_types))


Solver = Literal["spots", "draw", "setting", "showdown", "duel", "streets", "board", "machine", "referee"]

_WORDS: dict[Solver, str] = {
    "spots": "hands that are hit and split",
    "draw": "a hand with one draw",
    "setting": "cards that are set into hands",
    "showdown": "a hand against the dealer's",
    "duel": "a hand against the dealer's, each as the rules read it",
    "streets": "streets on a hand",
    "board": "two hands with a shared board",
    "machine": "compiled rules, walked card by card",
    "referee": "rules that are walked without a shortcut",
}
# Seconds of one core, measured on the gallery: seconds for arrays of hands, minutes or more for a plain walk
_SECONDS: dict[Solver, int] = {
    "spots": 10,
    "draw": 2,
    "setting": 10,
    "showdown": 5,
    "duel": 10,
    "streets": 2,
    "board": 50,
    "machine": 3,
    "referee": 600,
}


class Estimate(Struct, frozen=True):
    """The solver of a game's main wager, and roughly how many seconds of one core it takes."""

    solver: Solver
    seconds: int

    @property
    def words(self) -> str:
        """The estimate as a sentence without its full stop."""
        if self.solver == "referee":
            return f"exact figures take very long ({_WORDS[self.solver]}); `felt simulate` measures the edge"
        return f"exact figures take about {self.seconds} s ({_WORDS[self.solver]})"


def estimate(game: Game) -> Estimate:
    """Returns the solver of the game's main wager and its usual time."""
    solver = _solver_of(game)
    return Estimate(solver, _SECONDS[solver])


def _solver_of(game: Game) -> Solver:
    if shoe_game_of(game):
        return "spots"
    stakes = dict.fromkeys(opening_wagers(game), 100_00)
    if ranking_of(game):
        from feltworks.analysis.solvers.board.tree import Boards
        from feltworks.analysis.solvers.draw import DrawRounds
        from feltworks.analysis.solvers.showdown.spot import Spot
        from feltworks.analysis.solvers.streets.tree import Streets

        with suppress(FeltError):
            DrawRounds(game, stakes, {})
            return "draw"
        with suppress(FeltError):
            Streets(game, stakes, {}, game.terms.shoe).check()
            return "streets"
        with suppress(FeltError):
            Boards(game, stakes, {}, game.terms.shoe)
            return "board"
        with suppress(FeltError):
            ranking = ranking_of(game)
            assert ranking is not None
            Spot(game, stakes, {}).up_cards(tuple(game.terms.shoe.all_cards())[: ranking.size])
            return "showdown"
        return "duel" if is_duel(game) else "referee"
    return _machine_or_referee(game, stakes)


def _machine_or_referee(game: Game, stakes: dict[str, int]) -> Solver:
    from feltworks.analysis.solvers.setting import SettingRounds
    from feltworks.machine.sights import SightWalk
    from feltworks.machine.tables import Tables

    with suppress(FeltError):
        SettingRounds(game, stakes, {}, game.terms.shoe)
        return "setting"
    if is_duel(game):
        return "duel"
    with suppress(FeltError):
        SightWalk(Tables(game, stakes), joins_suits=True).check_length()
        return "machine"
    return "referee"


@lru_cache(maxsize=32)
def is_duel(game: Game) -> bool:
    """Whether the main wager compares a hand with the dealer's, each evaluated by the game's own rules."""
    from feltworks.analysis.solvers.showdown.rules import HandRules

    with suppress(FeltError):
        HandRules(game, dict.fromkeys(opening_wagers(game), 100_00), {}, game.terms.shoe)
        return True
    return False
