"""Answers questions about showdown games, and about wagers that the player's own cards decide."""

from fractions import Fraction

from feltworks.analysis.question import Answer, Question
from feltworks.analysis.referee import Law
from feltworks.analysis.solvers.progressive import Progressive
from feltworks.analysis.solvers.showdown.solver import Showdown, ShowdownStrategy, showdown
from feltworks.analysis.strategy.decisions import chooser, open_decisions
from feltworks.analysis.strategy.file import Chooser
from feltworks.rules.pay_table import meters_of


def poker_answer(question: Question) -> Answer:
    """The figures of one wager of the spot; with others beside it, also the law of all of them."""
    posted = question.posted
    notes: dict[str, object] = {"jackpot": max(posted.values())} if posted else {}
    if meters_of(question.game.pays[question.wager].values()):
        gran = Progressive(question.game, wager=question.wager, shoe=question.shoe)
        notes |= {"fixed_return": gran.fixed_return, "progressive": gran}
        if gran.jackpot_share(question.seats):
            notes["break_even_jackpot"] = gran.break_even(question.seats)
        if not question.beside:
            return Answer(gran.figures(posted[gran.meter], question.seats), notes=notes)
    follow = chooser(question)
    solved = _solve(question, follow)
    law = _law_of(solved) if question.beside else None
    notes["showdown"] = solved
    return Answer(solved.figures_of(question.wager), notes=notes, law=law, follows=follow)


def _solve(question: Question, follow: Chooser | None) -> Showdown:
    return showdown(
        question.game,
        wagers=question.stakes,
        shoe=question.shoe,
        strategy=as_showdown_strategy(question, follow) if follow else "optimal",
        meters=question.posted,
    )


def as_showdown_strategy(question: Question, follow: Chooser) -> ShowdownStrategy:
    """Adapts a chooser to the solver's sights; all hands of a showdown have the same choices."""
    open_ = next(open_decisions(question)).open
    return lambda sight: follow(sight.cards, (sight.up_card,) if sight.up_card else (), open_)


def _law_of(solved: Showdown) -> Law:
    law: Law = {}
    for row in solved.rows:
        settled = tuple((each.wager, each.outcome, each.net, each.wagered) for each in row.result)
        law[settled] = law.get(settled, Fraction(0)) + Fraction(row.ways, solved.total)
    return law
