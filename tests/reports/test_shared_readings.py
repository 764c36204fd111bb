"""What several games read alike is told once; a figure that differs keeps them apart."""

from fractions import Fraction

from feltworks.analysis.audit.readings import AuditedReading, Effect
from feltworks.reports.audit import group_readings, readings_of
from feltworks.rules.rulebook.model import Reading


def reading(game: str, clause: str, edge: Fraction | None = None) -> AuditedReading:
    effects = () if edge is None else (Effect(game, clause, "", "or so", "tie", "", 10_00, edge, Fraction(0)),)
    return AuditedReading(game, Reading(clause, "It is so.", "Nobody says otherwise."), effects, "")


def test_readings_are_told_once_with_all_their_games() -> None:
    found = group_readings([reading("one", "X.1"), reading("one", "X.2"), reading("two", "X.1")])
    told = {each.games: [kept.reading.clause for kept in each.all] for each in found}
    assert told == {("one", "two"): ["X.1"], ("one",): ["X.2"]}
    assert readings_of("two", found).all == ()


def test_a_reading_that_costs_otherwise_is_another() -> None:
    tenth, fifth = Fraction(1, 10), Fraction(1, 5)
    alike = group_readings([reading("one", "X.1", tenth), reading("two", "X.1", tenth)])
    assert [(each.games, len(each.open), len(each.quiet)) for each in alike] == [(("one", "two"), 1, 0)]
    apart = group_readings([reading("one", "X.1", tenth), reading("two", "X.1", fifth)])
    assert [each.games for each in apart] == [("one",), ("two",)]
