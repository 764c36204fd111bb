"""The edge as a function of one pay: straight pieces, and the pays at which the best play turns."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from feltworks.analysis.design.drafts import Drafts, Solved

_MOST_PIECES = 60


class Piece(Struct, frozen=True):
    """A straight line of the edge from one pay to another: its start and its slope."""

    least: Fraction
    most: Fraction
    edge_at_least: Fraction
    slope: Fraction  # of the edge; never above zero

    def edge(self, pay: Fraction) -> Fraction:
        """The edge at a pay of this piece."""
        return self.edge_at_least + self.slope * (pay - self.least)


def pieces_of(drafts: Drafts, row: str, least: Fraction, most: Fraction) -> list[Piece]:
    """The edge over a range of one row's pays, exactly: what is best to do changes only between pieces.

    Where it turns very often the pieces end before the range does.

    What best play brings is the upper envelope of straight lines. Two solved ends give two lines; where they
    cross the table is solved again, and where it brings more there than both, each side is sought in turn.
    """
    drafts.check_row(row)

    def line(pay: Fraction) -> Solved:
        return drafts.solve({**drafts.pays, row: pay})

    def value(solved: Solved, pay: Fraction) -> Fraction:
        return solved.expectation({**drafts.pays, row: pay})

    def lines(low: Fraction, first: Solved, high: Fraction, last: Solved) -> Iterator[Solved]:
        """The lines after the first one, up to the last."""
        if value(first, high) == value(last, high):
            return
        if value(last, low) == value(first, low):
            yield last
            return
        one, other = first.weights[row], last.weights[row]
        cross = low + (value(first, low) - value(last, low)) / (other - one)
        between = line(cross)
        if between.figures.expectation == value(first, cross):
            yield last
            return
        yield from lines(low, first, cross, between)
        yield from lines(cross, between, high, last)

    first = line(least)
    envelope = [first]
    for solved in lines(least, first, most, line(most)):
        envelope.append(solved)
        if len(envelope) > _MOST_PIECES:  # where the last line ends is not known
            return list(_pieces(envelope, row, least, most))[:-1]
    return list(_pieces(envelope, row, least, most))


def _pieces(envelope: list[Solved], row: str, least: Fraction, most: Fraction) -> Iterator[Piece]:
    begin = least
    for place, solved in enumerate(envelope):
        if place + 1 < len(envelope):
            after = envelope[place + 1]
            gap = _at(solved, row, begin) - _at(after, row, begin)
            end = begin + gap / (after.weights[row] - solved.weights[row])
        else:
            end = most
        if end > begin or len(envelope) == 1:
            yield Piece(begin, end, -_at(solved, row, begin), -solved.weights[row])
        begin = end


def _at(solved: Solved, row: str, pay: Fraction) -> Fraction:
    return solved.expectation({**solved.pays, row: pay})
