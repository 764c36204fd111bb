"""Settlement may be asked at any time: no line drifts, and every line has a reason and its clauses."""

import re

from feltworks.rules.wager import Line
from tests.conformance.play import plays
from tests.conformance.variants import Variant, at_every_table

FRAGMENT = re.compile(r"[\w$−–-](?!.*\s\s).*[^\s.,;:]")
SENTENCE = re.compile(r"[A-Z0-9].*[^.\s:]\.")


def by_wager(lines: tuple[Line, ...]) -> dict[tuple[int, str, str, bool], Line]:
    """Lines by what they settle."""
    found = {(line.seat, line.wager, line.part, line.toke): line for line in lines}
    assert len(found) == len(lines), "a wager has two lines for one hand"
    return found


@at_every_table
def test_a_line_once_given_never_changes_or_disappears(variant: Variant) -> None:
    for play in plays(variant):
        given: dict[tuple[int, str, str, bool], Line] = {}
        for round_ in play.rounds:
            now = by_wager(play.game.settle(round_))
            assert {key: now.get(key) for key in given} == given
            given = now


@at_every_table
def test_undecided_says_whether_a_line_is_missing(variant: Variant) -> None:
    for play in plays(variant):
        for round_ in play.rounds:
            wagered = [amounts for seat in round_.seats for amounts in (seat.wagers, seat.tokes)]
            settled = sum(line.wagered for line in play.game.settle(round_))
            assert play.game.undecided(round_) == (settled < sum(sum(on.values()) for on in wagered))


@at_every_table
def test_every_outcome_is_one_the_wager_names_and_is_paid_as_its_table_says(variant: Variant) -> None:
    for play in plays(variant):
        for line in play.game.settle(play.end):
            judge = play.game.wagers[line.wager]
            assert line.outcome in judge.possible <= judge.outcomes
            assert line.pay == play.game.pays[line.wager][line.outcome]


@at_every_table
def test_every_line_cites_clauses_of_the_rulebook(variant: Variant) -> None:
    for play in plays(variant):
        known = play.game.terms.rulebook.clause
        for line in play.game.settle(play.end):
            assert line.clauses
            assert len(set(line.clauses)) == len(line.clauses)
            assert [clause for clause in line.clauses if clause not in known] == []
            assert line.clause == line.clauses[0]


@at_every_table
def test_every_line_says_why_in_a_sentence(variant: Variant) -> None:
    for play in plays(variant):
        for line in play.game.settle(play.end):
            assert FRAGMENT.fullmatch(line.because), line.because
            assert SENTENCE.fullmatch(line.reason), line.reason
            assert line.reason.lower().startswith(line.because.lower())
