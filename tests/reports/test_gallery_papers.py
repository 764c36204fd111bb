"""Papers of games of one's own: every game of the gallery has a sign, a rack card and a procedure with its rules."""

from collections.abc import Iterator

import pytest

from feltworks import catalog
from feltworks.reports.order import HouseSettings, Order
from feltworks.reports.posting import posting
from feltworks.reports.proof import embedded_proof
from feltworks.reports.reachable import reachable
from feltworks.reports.submission import with_offers
from feltworks.rules.terms import most_allowed
from tests.conftest import forget_games
from tests.reports.conftest import DAY, paper_of

BOOKS = sorted(path.stem for path in catalog.examples_folder().glob("*.toml"))


@pytest.fixture(autouse=True)
def gallery(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(catalog.GAME_FOLDERS, str(catalog.examples_folder()))
    forget_games()
    yield
    forget_games()


@pytest.mark.parametrize("name", BOOKS)
def test_the_papers_of_the_table_are_made(name: str) -> None:
    order, house = Order(name, DAY), HouseSettings("The Blue Room")
    for paper in (
        paper_of("sign", order, house=house),
        paper_of("rack-card", order, house=house),
        paper_of("procedure", order),
    ):
        page = paper.html()
        assert order.book.title in page
        assert "Not as approved" in page  # no letter stands behind them
    assert ("writes no dealing steps" in page) == all(f">{clause}<" in page for clause in order.book.clause)
    assert ("The rulebook names no irregularities" in page) != bool(order.book.irregularity)
    card = posting(order, house)
    clauses = {line.clause for chapter in card.guide for line in chapter.lines}
    assert {order.book.wager[wager].clause for wager in order.offered} <= clauses
    assert card.is_guided or {clause for clause in order.book.clause if not clause.startswith("M.")} <= clauses
    placed = {name for wager in order.offered for name in (wager, *order.companions(wager))}
    assert placed & order.book.pay_table.keys() <= {sheet.wager for sheet in card.pays}
    assert [wager.title for wager in card.wagers] == [order.book.wager[wager].title for wager in order.offered]


@pytest.mark.parametrize("name", BOOKS)
def test_the_order_of_a_submission_names_a_table_that_can_be_dealt(name: str) -> None:
    order = Order(name, DAY)
    assert with_offers(order).table.terms.offers == order.table.terms.offers


def test_wagers_that_are_placed_together_are_posted_with_the_first() -> None:
    (base,) = posting(Order("let-it-ride", DAY), HouseSettings()).wagers
    assert base.follows == (
        "First Wager: as much as the Base Wager",
        "Second Wager: as much as the Base Wager",
    )


def test_a_paper_of_the_gallery_is_made_again_by_its_command() -> None:
    made = paper_of("rack-card", Order("casino-war", DAY))
    assert embedded_proof(made.html().encode()).command == (
        "felt --examples report rack-card casino-war --date 2024-01-31"
    )


def test_the_dearest_deal_of_cards_that_lie_on_the_board() -> None:
    deal = reachable(Order("red-dog", DAY)).deal
    assert deal is not None
    assert deal.is_proven
    assert deal.words.replace("\u00a0", " ") == "12 spots on 2♠ 2♠ 2♠"  # three of a kind pay most


def test_clauses_in_place_of_a_guide_are_those_of_the_table() -> None:
    """A wager that is not offered keeps its clauses off the card; the card says which table of several this one is."""
    order = Order("casino-war", DAY, {"offers": "ante"})
    page = paper_of("rack-card", order).html()
    assert "The Tie pays" not in page
    assert "this one is dealt from 6 decks" in page
    assert "pay tables are Ante 1" in page
    assert "without it a tie means war: true." in page


def test_every_part_of_a_paper_speaks_of_one_table_so_that_it_is_solved_once() -> None:
    order = Order("draw-poker", DAY)
    assert order.table_with("ante") is order.table is Order("draw-poker", DAY, pay_tables={"ante": "1"}).table


def test_the_most_of_a_spot_counts_the_wagers_that_are_placed_together() -> None:
    order = Order("let-it-ride", DAY)
    alone = most_allowed(catalog.game("let-it-ride", limit=order.profile.wager_limit).terms, "base") or 0
    assert reachable(order).spot == 3 * 1000 * alone  # a royal flush pays all three wagers
