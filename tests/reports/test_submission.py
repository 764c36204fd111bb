"""A submission speaks of its own table and its own letter, and lists all that a filing asks for."""

import pytest

from feltworks import catalog
from feltworks.reports.order import Order
from feltworks.reports.par import printed_figures
from feltworks.reports.submission import equipment_of, rules_of, with_offers
from tests.reports.conftest import DAY

PROGRESSIVE = {"SP.13", "SP.14", "SP.15", "SP.16", "SP.17", "SP.18", "SP.19"}


@pytest.mark.clause("SP.20")
def test_only_the_wagers_of_the_table_and_their_clauses_are_filed() -> None:
    plain = with_offers(Order("spanish-poker", DAY))
    assert plain.wagers == ["ante", "dos-pares", "joker-in-hand"]
    clauses = {rule.id for rule in rules_of(plain)}
    assert not clauses & PROGRESSIVE
    assert {"SP.1", "SP.6", "SP.11", "SP.12", "SP.20", "SP.24", "SP.26"} <= clauses
    progressive = with_offers(Order("spanish-poker", DAY, {"offers": "ante,gran-progressive"}))
    clauses = {rule.id for rule in rules_of(progressive)}
    assert clauses >= PROGRESSIVE
    assert not clauses & {"SP.11", "SP.12"}
    assert "Second drop box" in dict(equipment_of(progressive))
    assert "Second drop box" not in dict(equipment_of(plain))


def test_readings_are_told_as_the_table_sets_them() -> None:
    rules = {rule.id: rule for rule in rules_of(Order("fu-bacc", DAY, {"rescue-ten": False}))}
    (read,) = rules["FB.3"].readings
    assert (read.is_used, read.option) == (False, "fu-bacc.rescue-ten=false")
    (read,) = rules["FB.12"].readings
    assert (read.is_used, read.option) == (True, "fu-bacc.rescue-tie=stays")


@pytest.mark.clause("LB.5")
@pytest.mark.parametrize(("name", "limit", "other"), [("lucky-break", "27", "26"), ("lucky-lucky", "26", "27")])
def test_a_clause_is_true_of_its_own_letter(name: str, limit: str, other: str) -> None:
    text = next(rule.text for rule in rules_of(Order(name, DAY)) if rule.id == "LB.5")
    assert f"at most {limit}" in text
    assert other not in text


@pytest.mark.clause("WA.1", "WA.3", "WA.4")
def test_the_conditions_of_each_letter_are_complete() -> None:
    for name in ("fu-bacc", "acey-deucey-21", "lucky-break", "spanish-poker", "lucky-lucky"):
        approval = catalog.rulebook(name).approval
        assert approval
        assert {each.of for each in approval.conditions} >= {
            "everyone",
            "operator",
            "maker",
            "tribal operation",
        }
        assert any("230-15-040" in each.text and "230-15-140" in each.text for each in approval.conditions)
    for name in ("acey-deucey-21", "spanish-poker"):  # the two letters of 2008 name it
        approval = catalog.rulebook(name).approval
        assert approval
        assert any("aggregate" in each.text for each in approval.conditions)


@pytest.mark.clause("AD.10", "LL.6")
def test_what_the_documents_say_of_their_figures_is_kept() -> None:
    assert "free rolling" in catalog.rulebook("acey-deucey-21").evidence[0].text
    assert "5.05% to 12.72%" in catalog.rulebook("lucky-lucky").evidence[0].text


def test_equipment_names_the_cards_and_how_they_are_dealt() -> None:
    assert dict(equipment_of(Order("spanish-poker", DAY)))["Cards"] == (
        "one deck of 52, without 8s, 9s and 10s, and 1 joker: 41 cards"
    )
    assert "Shuffler" in dict(equipment_of(Order("lucky-lucky", DAY, {"shoe": "continuous"})))


@pytest.mark.clause("SP.20", "SP.25")
def test_a_submission_reconciles_the_figures_of_the_wagers_it_is_about() -> None:
    order = Order("spanish-poker", DAY, {"offers": "ante,dos-pares"})
    assert {figure.wager for figure in printed_figures(order)} == {"ante", "dos-pares"}
