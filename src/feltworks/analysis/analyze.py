"""Answers a question: chooses the solver by the shape of the game and gathers the figures.

A solver is imported only when a question needs it, so that a new process starts quickly.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from msgspec.structs import replace

from feltworks.analysis.joint import law_figures
from feltworks.analysis.progress import Progress
from feltworks.analysis.question import OPTIMAL, UNIT, Answer, Question, is_practical
from feltworks.analysis.referee import Law, Referee, mean, money_wagered
from feltworks.analysis.shape import is_played_by_hand, ranking_of, shoe_game_of, waits_for_dealer
from feltworks.analysis.solvers.counts import (
    Situation,
    as_situations,
    count_situations,
    depends_on_choices,
    law_under,
    mix_choices,
    tables_of,
    walk_situations,
)
from feltworks.analysis.strategy.file import Chooser
from feltworks.errors import FeltError, ImpossibleRound
from feltworks.machine.felt import CardsRead
from feltworks.machine.node import TooManyStates
from feltworks.machine.walk import WalkTooLong
from feltworks.money import Cents
from feltworks.rules.pay_table import meters_of
from feltworks.rules.sights import player_view

__all__ = [
    "OPTIMAL",
    "UNIT",
    "Answer",
    "Question",
    "analyze",
    "situations_of",
]


def analyze(question: Question, progress: Progress | None = None) -> Answer:
    """Computes the exact figures of the wager under best play, or under the strategy that the question names."""
    question.check()
    check_cards(question)
    question = _add_leading_wagers(question)
    game = question.game
    if ranking_of(game):
        from feltworks.analysis.solvers.draw import NoDraw, draw_answer
        from feltworks.analysis.solvers.showdown.spot import NoShowdown

        with suppress(NoDraw):  # such as a game in which no cards are exchanged
            return draw_answer(question)
        with suppress(NoShowdown):  # such as a game with a board
            return _answer_by_showdown(question)
        from feltworks.analysis.solvers.streets.tree import NoStreets

        with suppress(NoStreets):  # such as a board that the dealer shares
            return _streets_answer(question)
        from feltworks.analysis.solvers.board.answer import board_answer
        from feltworks.analysis.solvers.board.tree import NoBoard

        with suppress(NoBoard):  # such as cards that do not fit this shape: the referee walks them
            return board_answer(question, progress)
    elif not game.has_spots:
        from feltworks.analysis.solvers.setting import NoSetting, setting_answer

        with suppress(NoSetting):  # such as a game in which no cards are set
            return setting_answer(question)
        from feltworks.analysis.solvers.showdown.spot import NoShowdown

        with suppress(NoShowdown):  # such as a game in which a hand grows by its choices
            return _answer_by_showdown(question)
    if not (question.beside or game.has_spots or game.is_short):
        from feltworks.analysis.solvers.fixed import NoFixedHand, fixed_answer

        with suppress(NoFixedHand):  # such as a wager that a choice changes
            return fixed_answer(question)
    known_beside = shoe_game_of(game) or not question.beside
    if known_beside and is_played_by_hand(game, question.wager):
        from feltworks.analysis.solvers.shoe_game.rules import NoShoeGame
        from feltworks.analysis.solvers.shoe_game.table import hand_answer

        with suppress(NoShoeGame):  # such as rules that look at single cards: the referee walks them
            return hand_answer(question, game, progress)
    return _answer_by_situations(question, progress)


def _answer_by_showdown(question: Question) -> Answer:
    """Solves a wager on poker hands; if it has others beside it, also gives the joint law of all of them."""
    from feltworks.analysis.solvers.progressive import Progressive
    from feltworks.analysis.solvers.showdown.solver import showdown
    from feltworks.analysis.strategy.decisions import chooser

    posted, game = question.posted, question.game
    notes: dict[str, object] = {"jackpot": max(posted.values())} if posted else {}
    if meters_of(game.pays[question.wager].values()):
        progressive = Progressive(game, wager=question.wager, shoe=question.shoe)
        notes |= {"fixed_return": progressive.fixed_return, "progressive": progressive}
        if progressive.jackpot_share(question.seats):
            notes["break_even_jackpot"] = progressive.break_even(question.seats)
        if not question.beside:
            return Answer(progressive.figures(posted[progressive.meter], question.seats), notes=notes)
    solved = showdown(game, wagers=question.stakes, shoe=question.shoe, strategy=chooser(question), meters=posted)
    law = solved.law if question.beside else None
    return Answer(solved.figures_of(question.wager), notes={**notes, "showdown": solved}, law=law)


def _answer_by_situations(question: Question, progress: Progress | None) -> Answer:
    """Lists the situations of a wager, makes the choice in each and adds up their laws."""
    from feltworks.analysis.strategy.decisions import chooser

    original, question = question, _add_needed_wagers(question)
    follow = chooser(question)
    situations = _situations_without_choice(question, original, progress) if question is not original else []
    situations = situations or list(situations_of(question, progress))
    choices = [_choice(question, situation, follow) for situation in situations]
    law = _law_of_all_decisions(question, follow) or mix_choices(situations, choices)
    figures = law_figures(law, question.group, question.unit)
    table = shoe_game_of(question.game)
    if table and any(waits_for_dealer(table, name) for name in question.beside):
        from feltworks.analysis.solvers.shoe_game.table import law_beside

        law = law_beside(question, table, progress) or law
    return Answer(figures, situations, choices, law=law)


def _law_of_all_decisions(question: Question, follow: Chooser | None) -> Law | None:
    """Computes the law under a strategy that also makes later decisions; None if there are none.

    Situations make later decisions by best play. That suits practical strategies, which cover the first only.
    """
    if follow is None or is_practical(question.strategy) or question.game.has_spots:
        return None
    try:
        tables = tables_of(question.game, tuple(question.stakes.items()), tuple(question.posted.items()))
    except (CardsRead, TooManyStates):
        return None
    return law_under(tables, question.shoe, follow) if tables.has_later_decisions else None


def _choice(question: Question, situation: Situation, follow: Chooser | None) -> str:
    if follow is None or len(situation.laws) == 1:
        return situation.best(question.serving)
    gentlest = sorted(situation.laws, key=lambda name: mean(situation.laws[name], money_wagered))
    steps = list(question.game.open_decisions(situation.shown))
    return follow(player_view(situation.shown, gentlest, about=steps[0].about if steps else ""))


def check_cards(question: Question) -> None:
    """Refuses a shoe from which the round cannot be dealt."""
    needed = question.game.least_cards
    if ranking := ranking_of(question.game):
        needed = max(needed, ranking.size * (question.seats + 1))
    if question.shoe.total < needed:
        seats = f" with {question.seats} seats" if question.seats > 1 else ""
        raise ImpossibleRound(
            f"a round of {question.game.terms.rulebook.title}{seats} takes {needed} cards or more;"
            f" the shoe holds {question.shoe.total}"
        )


def situations_of(question: Question, progress: Progress | None = None) -> Sequence[Situation]:
    """Lists what a player can know at the decision, by the fastest solver that fits."""
    decided = first_deal_wagers(question)
    stakes = question.stakes
    if question.wager in decided:  # wagers that later cards decide cannot change it
        stakes = {name: stakes[name] for name in decided}
    # Include the derived wagers, since decisions may be made for them.
    groups = [question.group_of(name) for name in stakes]
    return _walk_situations(question, stakes, frozenset().union(*groups), progress, serving=question.serving)


def _walk_situations(
    question: Question,
    stakes: Mapping[str, Cents],
    wagers: Iterable[str],
    progress: Progress | None,
    *,
    serving: Iterable[str] | None = None,
) -> list[Situation]:
    """Walks the compiled rules until the wagers are decided, or card by card if the rules cannot be compiled.

    Later decisions are made for the wagers in `serving`.
    """
    game, posted = question.game, question.posted
    if not any(is_played_by_hand(game, name) for name in stakes):
        with suppress(CardsRead, TooManyStates, WalkTooLong):
            served = question.serving
            sights = count_situations(game, stakes, question.shoe, serving=served, meters=posted, progress=progress)
            situations = as_situations(game, stakes, sights, posted)
            return [_project(situation, frozenset(wagers)) for situation in situations]
    if shoe_game_of(game):
        return _deal_first_cards(question, stakes)
    referee = Referee(game, question.shoe, wagers=wagers, serving=serving, progress=progress)
    opened = game.open_round([stakes], posted)
    referee.check_length(opened)
    return list(walk_situations(referee, opened))


def _deal_first_cards(question: Question, stakes: Mapping[str, Cents]) -> list[Situation]:
    """Deals all first cards for wagers that depend on single cards; refuses one that needs later cards."""
    from feltworks.analysis.solvers.fixed import FirstDeal

    title, wager = question.game.terms.rulebook.title, question.wager
    if wager not in first_deal_wagers(question):
        raise FeltError(
            f"{title}: {wager} waits for whole hands of cards that its rules tell apart, which are too many"
            " to follow exactly; `felt simulate` measures it, and a hand of its own with few facts helps"
        )
    return list(FirstDeal(question.game, stakes, question.shoe).situations())


def _project(situation: Situation, wagers: frozenset[str]) -> Situation:
    """Reduces a situation to the settlement lines of some wagers."""
    laws: dict[str, Law] = {}
    for name, law in situation.laws.items():
        laws[name] = {}
        for settled, chance in law.items():
            lines = tuple(line for line in settled if line.wager in wagers)
            laws[name][lines] = laws[name].get(lines, 0) + chance
    return replace(situation, laws=laws)


def _situations_without_choice(
    question: Question, original: Question, progress: Progress | None
) -> Sequence[Situation]:
    """Lists situations without a choice for a wager that choices do not change; empty for any other wager."""
    situations = _walk_situations(question, question.stakes, original.stakes.keys() | original.group, progress)
    laws = [list(each.laws.values()) for each in situations]
    if any(law != several[0] for several in laws for law in several):
        return []
    return [Situation(each.probability, each.shown, {"": law[0]}) for each, law in zip(situations, laws, strict=True)]


def _add_leading_wagers(question: Question) -> Question:
    """Adds the wagers that this one needs beside it if the choices made for them change its result."""
    game, added = question.game, _add_needed_wagers(question)
    if added is question or game.has_spots:
        return question
    return added if depends_on_choices(game, question.wager, added.stakes, added.posted) else question


def _add_needed_wagers(question: Question) -> Question:
    """Adds the wagers that this one needs, each of the same amount, unless the solver can leave them out."""
    if question.game.is_short or shoe_game_of(question.game):
        return question
    missing = question.game.terms.needed_wagers(question.ratios) - question.ratios.keys()
    return replace(question, beside={**question.beside, **dict.fromkeys(missing)}) if missing else question


def first_deal_wagers(question: Question) -> list[str]:
    """Lists the wagers of a spot that the first deal decides; empty for a game without spots."""
    from feltworks.analysis.solvers.fixed import is_decided_by_deal

    game = shoe_game_of(question.game)
    return [name for name in question.stakes if game and is_decided_by_deal(game, name)]


def _streets_answer(question: Question) -> Answer:
    """Solves a wager that is decided by one hand dealt street by street, with the wagers derived from it."""
    from feltworks.analysis.solvers.streets.solver import streets_solver
    from feltworks.analysis.strategy.decisions import chooser

    solved = streets_solver(
        question.game,
        question.stakes,
        question.shoe,
        meters=question.posted,
        serving=frozenset(question.serving),
        strategy=chooser(question),
    )
    figures = solved.figures_of(question.group, question.unit)
    law = solved.law if question.beside else None
    return Answer(figures, notes={"streets": solved}, law=law)
