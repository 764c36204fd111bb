"""What designers need: raise sizes, wagers that come together, bonuses, commissions, jurisdictions."""

import datetime
from typing import Any

import pytest

from feltworks import catalog
from feltworks.cards import cards
from feltworks.errors import NotOffered, RulebookError, WagerRefused
from feltworks.hands.poker import STANDARD, BestHand
from feltworks.house.configuration import TableOrder, check_table
from feltworks.money import Odds
from feltworks.rules.advance import select_offer
from feltworks.rules.pay_table import parse_pay
from feltworks.rules.round import Choice, Seat
from feltworks.rules.rulebook.load import check, parse_rulebook
from feltworks.rules.steps import Decide
from feltworks.rules.terms import Terms

pytestmark = pytest.mark.usefixtures("gallery")


def test_a_raise_has_one_of_the_sizes_that_the_rulebook_lists() -> None:
    terms = catalog.game("mississippi-stud").terms
    offer = terms.offer("raise", "third-street", Seat({"ante": 500}))
    assert offer is not None
    assert (offer.least, offer.most, offer.sizes) == (500, 1500, (500, 1000, 1500))
    step = Decide(0, (offer,))
    assert select_offer(step, Choice("raise", 1000))[1].cents == 1000
    with pytest.raises(NotOffered, match=r"\$5 or \$10 or \$15"):
        select_offer(step, Choice("raise", 700))


@pytest.mark.parametrize(
    "wagers",
    [{"base": 500}, {"base": 500, "first": 500, "second": 400}, {"first": 500, "second": 500}],
)
def test_wagers_that_come_together_are_of_one_amount(wagers: dict[str, int]) -> None:
    with pytest.raises(WagerRefused, match="it is placed with as much"):
        catalog.game("let-it-ride").open_round([wagers])


def test_wagers_that_come_together_open_a_round() -> None:
    table = catalog.game("let-it-ride")
    assert table.open_round([dict.fromkeys(("first", "second", "base"), 500)]).seats[0].wagers["first"] == 500


def test_a_bonus_is_paid_besides_whatever_becomes_of_the_wager() -> None:
    pays = catalog.game("three-card-poker").pays["ante"]
    assert (pays["lower"], pays["lower + straight"]) == (Odds(-1), Odds(0))
    assert pays["higher + straight flush"] == Odds(6)
    assert "fold + straight" not in pays


@pytest.mark.parametrize(("text", "odds"), [("1 to 1 less 5%", Odds(19, 20)), ("2 to 1 less 2.5%", Odds(39, 20))])
def test_a_commission_is_taken_from_a_win(text: str, odds: Odds) -> None:
    assert parse_pay(text) == odds


def test_a_loss_bears_no_commission() -> None:
    with pytest.raises(ValueError, match="a commission is taken from a win"):
        parse_pay("lose less 5%")


def test_the_best_hand_of_more_cards_keeps_only_its_value_once_it_is_whole() -> None:
    hand = BestHand(STANDARD, of=7)
    for card in cards("2c 2d 9h 9s 4c Kd 3h"):
        hand = hand.add(card)
    assert (hand.words, hand.cards, hand.is_whole) == ("two pair, nines and twos", (), True)


def test_tables_without_a_jurisdiction_obey_no_limit_of_washington() -> None:
    order = TableOrder("let-it-ride", datetime.date(2024, 1, 31))
    assert check_table(order).profile.wager_limit == 100_000_00
    assert check_table(TableOrder("fu-bacc", datetime.date(2024, 1, 31))).profile.wager_limit == 400_00


BOOK = """
title = "Trial"
game = "trial"
clause = { "TR.1" = "A trial." }
[wager.ante]
title = "Ante"
kind = "main"
clause = "TR.1"
[wager.more]
title = "More"
kind = "derived"
clause = "TR.1"
of = "ante"
times = "2"
[pay_table.ante.1]
clause = "TR.1"
pays = { "win" = "1 to 1" }
"""


@pytest.mark.parametrize(
    ("old", "new", "place", "trouble"),
    [
        ('times = "2"', 'times = ["1", "0"]', "wager.more.times", "above zero"),
        ('times = "2"', 'at_least = "1"\ntimes = "2"', "wager.more.at_least", "goes with `up_to`"),
        ('of = "ante"', 'of = "ante"\nequals = "ante"', "wager.more.equals", "leads those placed together"),
        ('title = "Ante"', 'title = "Ante"\nequals = "ante"', "wager.ante.equals", "leads those"),
        ("pays = {", 'bonus = { "x" = "$5" }\npays = {', "pay_table.ante.1.bonus.x", "paid at odds"),
        ('"1 to 1"', '"lose less 5%"', "pay_table.ante.1.pays.win", "taken from a win"),
    ],
)
def test_a_fault_is_named_with_its_key(old: str, new: str, place: str, trouble: str) -> None:
    with pytest.raises(RulebookError, match=trouble) as refused:
        check(parse_rulebook(BOOK.replace(old, new), name="trial", file="trial.toml"))
    assert refused.value.key == place


def test_a_range_of_raises_has_two_ends() -> None:
    text = BOOK.replace('times = "2"', 'up_to = "3"\nat_least = "1"')
    terms: Any = Terms(parse_rulebook(text, name="trial", file="trial.toml"))
    offer = terms.offer("more", "more", Seat({"ante": 500}))
    assert (offer.least, offer.most) == (500, 1500)
