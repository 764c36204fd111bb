"""Worked examples are rounds of the engine, and every result the pays allow has one."""

import pytest

from feltworks import catalog
from feltworks.reports.order import Order
from feltworks.reports.posting import procedure
from feltworks.reports.rounds import (
    document_examples,
    narrate,
    opening_wagers,
    possible_results,
    sample_round,
    worked_examples,
)
from feltworks.table.events import LineSettled
from tests.reports.conftest import DAY


@pytest.mark.parametrize("name", ["fu-bacc", "lucky-break"])
def test_every_wager_has_a_win_a_loss_and_a_push_where_there_is_one(name: str) -> None:
    order = Order(name, DAY)
    found = worked_examples(order)
    assert [each.title for each in found] == [
        order.book.wager[w].title for each in order.wagers for w in order.group(each)
    ]
    assert not any(each.missing for each in found)
    results = {each.title: [x.result for x in each.examples] for each in found}
    main = order.book.wager[order.wagers[0]].title
    assert results[main] == possible_results(order.table, order.wagers[0])


@pytest.mark.clause("AD.12")
def test_a_result_that_no_deal_leads_to_is_told_apart_from_one_that_was_not_found() -> None:
    order = Order("acey-deucey-21", DAY, pay_tables={"acey-deucey": "1B"})
    raised = next(each for each in worked_examples(order) if each.title == order.book.wager["raise"].title)
    assert [x.result for x in raised.examples] == ["win", "lose"]
    assert (raised.undealt, raised.missing) == (("push",), ())  # a pair pushes, and may not be raised


def test_the_net_of_an_example_is_what_its_seed_settles() -> None:
    order = Order("fu-bacc", DAY)
    for each in worked_examples(order):
        for x in each.examples:
            assert (x.net > 0, x.net < 0) == (x.result == "win", x.result == "lose")
            assert x.clauses


def test_a_round_of_one_seed_is_the_same_every_time() -> None:
    game = catalog.game("spanish-poker")
    seats = [opening_wagers(game, ["ante", "dos-pares"])]
    assert sample_round(game, seats, 3) == sample_round(game, seats, 3)


@pytest.mark.clause("FB.16", "FB.17", "FB.18")
def test_the_procedure_names_the_clauses_it_is_dealt_by() -> None:
    found = procedure(Order("fu-bacc", DAY))
    assert {"FB.4", "FB.16", "FB.17", "FB.18"} <= {line.clause for chapter in found.chapters for line in chapter.lines}
    assert any("No more bets" in step.words and step.clause == "FB.16" for step in found.steps)
    assert any(step.words.startswith("Takes three cards face down") for step in found.steps)


def test_a_told_round_moves_all_the_money_of_its_log() -> None:
    from feltworks.reports.posting import richest_round

    order = Order("lucky-lucky", DAY)
    dealt = richest_round(order)
    settled = [event for event in dealt.events if isinstance(event, LineSettled)]
    words = " ".join(step.words for step in narrate(order.table.terms, dealt))
    assert words.count("takes ") + words.count("pays ") + words.count("returns ") == len(settled)


@pytest.mark.clause("FB.2", "AD.9", "AD.11", "LB.8", "SP.3", "SP.7")
@pytest.mark.parametrize("name", ["fu-bacc", "acey-deucey-21", "lucky-break", "lucky-lucky", "spanish-poker"])
def test_the_documents_own_examples_come_to_what_they_say(name: str) -> None:
    own = document_examples(Order(name, DAY))
    assert [each.agrees for each in own] == [True] * len(catalog.rulebook(name).example)
    assert own


@pytest.mark.clause("LB.8")
def test_an_example_that_another_reading_settles_otherwise_says_so() -> None:
    (own,) = document_examples(Order("lucky-break", DAY, {"multiplier": "replaces"}))
    assert not own.agrees
    assert own.lines[0][2:] == (150_00, 153_00)
