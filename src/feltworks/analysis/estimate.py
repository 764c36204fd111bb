"""Which solver serves a game, and about how long it takes: said before any work."""

from contextlib import suppress
from typing import Literal

from msgspec import Struct

from feltworks.analysis.shape import opening_wagers, ranking_of, shoe_game_of
from feltworks.errors import FeltError
from feltworks.rules.game import Game

Solver = Literal["spots", "draw", "setting", "showdown", "duel", "streets", "board", "machine", "referee"]

_WORDS: dict[Solver, str] = {
    "spots": "hands that are hit and split",
    "draw": "a hand with one draw",
    "setting": "cards that are set into hands",
    "showdown": "a hand against the dealer's",
    "duel": "a hand against the dealer's, each as the rules read it",
    "streets": "streets on one hand",
    "board": "two hands with a shared board",
    "machine": "compiled rules, walked card by card",
    "referee": "rules that are walked without a shortcut",
}
# Seconds of one core, measured on the gallery: a few for what is swept, minutes and more for a plain walk
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
    """The solver of a game's main wager, and about how many seconds of one core it takes."""

    solver: Solver
    seconds: int

    @property
    def words(self) -> str:
        """The estimate as a sentence without its full stop."""
        if self.solver == "referee":
            return f"exact figures are out of quick reach ({_WORDS[self.solver]}); `felt simulate` measures it"
        return f"exact figures take about {self.seconds} s ({_WORDS[self.solver]})"


def estimate(game: Game) -> Estimate:
    """The solver that serves the main wager of a game."""
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
        return _duel_or_referee(game, stakes)
    return _machine_or_referee(game, stakes)


def _machine_or_referee(game: Game, stakes: dict[str, int]) -> Solver:
    from feltworks.analysis.solvers.setting import SettingRounds
    from feltworks.machine.sights import SightWalk
    from feltworks.machine.tables import Tables

    with suppress(FeltError):
        SettingRounds(game, stakes, {}, game.terms.shoe)
        return "setting"
    if (duel := _duel_or_referee(game, stakes)) == "duel":
        return duel
    with suppress(FeltError):
        SightWalk(Tables(game, stakes), joins_suits=True).check_length()
        return "machine"
    return "referee"


def _duel_or_referee(game: Game, stakes: dict[str, int]) -> Solver:
    from feltworks.analysis.solvers.showdown.rules import HandRules

    with suppress(FeltError):
        HandRules(game, stakes, {}, game.terms.shoe)
        return "duel"
    return "referee"
