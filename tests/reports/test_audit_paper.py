"""The audit report tells every printed figure and every reading, and what a difference is worth."""

from feltworks import catalog
from feltworks.reports.order import Order
from tests.reports.conftest import DAY, paper_of


def test_every_printed_figure_of_a_document_stands_in_its_report() -> None:
    paper = paper_of("audit", Order("acey-deucey-21", DAY))
    html = paper.html()
    for printed in catalog.rulebook("acey-deucey-21").published:
        assert printed.figure in html
    assert "−$43.00" in html  # what a hundred rounds of table 1 bring, where $29.90 are printed
    assert "reproduced by pay table 1B" in html


def test_only_an_edge_is_put_into_money_of_rounds_and_all_that_differ_are_counted() -> None:
    html = paper_of("audit", Order("spanish-poker", DAY)).html()
    assert "letter of 31 July 2008</td><td>8</td><td>4</td><td>4</td>" in html
    differences = html.partition("What the differences mean")[2].partition("</table>")[0]
    assert "house edge" in differences
    assert "element of risk" not in differences


def test_the_report_of_all_has_one_fingerprint_of_all() -> None:
    both = paper_of("audit", Order("fu-bacc", DAY), Order("lucky-break", DAY))
    one = paper_of("audit", Order("fu-bacc", DAY))
    assert both.identity.fingerprint != one.identity.fingerprint
    assert (both.stem, one.stem) == ("audit", "audit-fu-bacc")
