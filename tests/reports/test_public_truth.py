"""Public papers say what is true of their table, and all of it, for every value of every option."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest

from feltworks import catalog
from feltworks.money import Odds
from feltworks.reports.order import HouseSettings, Order
from feltworks.reports.posting import pay_sheets, posting
from feltworks.rules.game import Game
from feltworks.rules.guide import (
    Chapter,
    dealing_procedure,
    irregularities,
    outcomes_at,
    players_guide,
    wagers_at,
)
from feltworks.rules.rulebook.model import Option
from feltworks.written.record import FinishedRound
from feltworks.written.replay import replay
from feltworks.written.settle import game_of
from tests.reports.conftest import DAY

GAMES = ("fu-bacc", "lucky-break", "lucky-lucky", "acey-deucey-21", "spanish-poker")
# An option that only matters where another one has a value
MATTERS_WITH: dict[str, dict[str, Any]] = {
    "no-peek-loss": {"peek": False},
    "lucky-break.surrender": {"surrender": "late"},
    "gran-progressive.stake": {"offers": "ante,gran-progressive"},
}
# Words that belong to one choice of the house, and whether the table has made it
WORDS: dict[str, Callable[[dict[str, Any]], bool]] = {
    r"surrender(ed)?\b": lambda options: options["surrender"] == "late",
    r"\bsplits?\b|\bSplit\b": lambda options: options["max-hands"] > 1,
    r"\bInsur|\binsure\b": lambda options: options["insurance"],
    r"soft 17": lambda options: options["soft17"] == "hit",
    r"cut card": lambda options: options["shoe"] == "shoe",
    r"continuous": lambda options: options["shoe"] == "continuous",
    r"limit of 2[67]|total of 2[67]|above 2[67]|most 2[67]": lambda options: (
        options["lucky-break.player-limit"] != "none"
    ),
}
DENIALS = {"No insurance.", "No splitting."}


def values(option: Option) -> list[Any]:
    if option.members is not None:
        cuts = range(len(option.members) + 1)  # from either end, so that the last wager is offered, too
        return [list(part) for number in cuts for part in (option.members[:number], option.members[number:])]
    return list(range(option.range[0], min(option.range[1], 60) + 1)) if option.range else option.values or []


@cache
def tables(name: str) -> tuple[Game[Any], ...]:
    return tuple(_tables(name))


def _tables(name: str, sampled: int = 400) -> Iterator[Game[Any]]:
    """Every value of every option by itself, every pay table, and a sample of their combinations."""
    book = catalog.rulebook(name)
    choices = {key: values(option) for key, option in book.option.items()}
    picks: list[dict[str, Any]] = [{key: value} for key, listed in choices.items() for value in listed]
    mind = Random(21)
    picks += [{key: mind.choice(listed) for key, listed in choices.items()} for _ in range(sampled)]
    pay_tables: list[dict[str, str]] = [{w: t} for w, listed in book.pay_table.items() for t in listed]
    for number, options in enumerate(picks):
        lacking = [w for w, e in book.wager.items() if e.leave_out == "never" and e.kind != "derived"]
        if "offers" in options:
            members = book.option["offers"].members or []
            wanted = [w for w in members if w in lacking or w in options["offers"]]
            options = {**options, "offers": wanted[: book.most_wagers]}
        yield catalog.game(name, options=options, pay_tables=pay_tables[number % len(pay_tables)])
    yield from (catalog.game(name, pay_tables=chosen) for chosen in pay_tables)


def lines(chapters: tuple[Chapter, ...]) -> list[str]:
    return [line.text for chapter in chapters for line in chapter.lines]


def everything(game: Game[Any]) -> list[str]:
    return lines(players_guide(game)) + lines(dealing_procedure(game)) + lines(irregularities(game))


@pytest.mark.parametrize("name", GAMES)
def test_a_guide_decides_every_outcome_of_its_table_and_no_other(name: str) -> None:
    for game in tables(name):
        told = {pair for chapter in players_guide(game) for line in chapter.lines for pair in line.decides}
        can_happen = {(w, outcome) for w in wagers_at(game) for outcome in outcomes_at(game, w)}
        assert told == can_happen, game.terms.options


@pytest.mark.parametrize("name", GAMES)
def test_no_sentence_names_a_wager_or_a_choice_that_the_table_does_not_have(name: str) -> None:
    for game in tables(name):
        texts = [text for text in everything(game) if text not in DENIALS]
        book, here = game.terms.rulebook, wagers_at(game)
        for absent in book.wager.keys() - set(here):
            named = [t for t in texts if re.search(rf"\b{book.wager[absent].title}\b", t)]
            assert named == [], (absent, game.terms.options)
        for pattern, is_chosen in WORDS.items():
            if "surrender" in game.terms.options and not _applies(is_chosen, game):
                assert [t for t in texts if re.search(pattern, t)] == [], game.terms.options


def _applies(is_chosen: Callable[[dict[str, Any]], bool], game: Game[Any]) -> bool:
    return is_chosen({"lucky-break.player-limit": "none", **game.terms.options})


@pytest.mark.parametrize("name", GAMES)
def test_a_table_with_one_spot_or_one_deck_is_not_spoken_of_in_the_plural(name: str) -> None:
    for game in tables(name):
        barred = r"\b(one|1) (spots|decks|hands|players)\b" + (r"|\btwo spots\b" if game.terms["spots"] == 1 else "")
        assert [text for text in everything(game) if re.search(barred, text)] == [], game.terms.options


@pytest.mark.parametrize("name", GAMES)
def test_every_value_of_every_option_shows_on_a_public_paper(name: str) -> None:
    for key, option in catalog.rulebook(name).option.items():
        if key == "offers":
            continue  # the wagers themselves are tested above
        beside = MATTERS_WITH.get(key, {})
        games = [catalog.game(name, options={**beside, key: value}) for value in values(option)]
        papers = {(*everything(game), str(game.pays)) for game in games}
        listed = [frozenset(value) & game.terms.offers for game in games if isinstance(value := game.terms[key], tuple)]
        assert len(papers) == len(set(listed) or games), key


@pytest.mark.clause("AD.5")
def test_the_two_war_tables_are_told_apart() -> None:
    second = Order("acey-deucey-21", DAY, pay_tables={"war": "2"})
    words = " ".join(lines(players_guide(second.table)))
    assert "loses half at once; your second card is not compared" in words
    assert "your second card decides" not in words
    html_words = " ".join(lines(posting(second, HouseSettings()).guide))
    assert "your second card decides" not in html_words


@pytest.mark.clause("SP.14")
def test_a_shared_royal_is_printed_with_its_condition() -> None:
    order = Order("spanish-poker", DAY, {"offers": "ante,gran-progressive"})
    rows = [row.outcome for sheet in pay_sheets(order, only_chosen=True) for row in sheet.rows]
    assert "royal flush, one of 2 beside cincos" in rows
    assert "royal flush shared by 2" not in rows


@pytest.mark.clause("SP.21")
def test_a_sign_posts_the_three_house_options_of_the_bonus_wagers() -> None:
    chosen = {"alone": "joker-in-hand", "alone-minimum": 500, "bonus-above-ante": False}
    posted = posting(Order("spanish-poker", DAY, chosen), HouseSettings())
    rules = [line.text for line in posted.house_rules]
    assert "Dos Pares needs an Ante." in rules
    assert "Joker in Hand may be wagered without an Ante." in rules
    assert "Joker in Hand without an Ante: $5 or more." in rules
    assert "Dos Pares may not be larger than the Ante." in rules


@pytest.mark.clause("BJ.1")
def test_a_sign_without_insurance_lists_no_insurance_pay() -> None:
    order = Order("acey-deucey-21", DAY, {"insurance": False})
    assert "Insurance" not in [sheet.title for sheet in pay_sheets(order, only_chosen=True)]
    assert [wager.follows for wager in posting(order, HouseSettings()).wagers if wager.title == "Blackjack"] == [()]


ROUNDS = [
    *(  # Fu Bacc: higher, lower, equal, fold with a Tie, a natural's bonus, the rescue, a dealer who draws on 5
        {"game": "fu-bacc", "dealer": {"up": up, "hole": hole, "third": third}, "seats": [seat]}
        for up, hole, third, seat in (
            ("9s", "3h", "4d", {"cards": ["Kh", "5d"], "third": "2c", "choice": "hit"}),
            ("2s", "Kd", "5h", {"cards": ["Kh", "5d"], "third": "8c", "choice": "stay"}),
            ("6s", "Kd", "5h", {"cards": ["Ah", "5d"], "third": "8c", "choice": "stay"}),
            ("6s", "Kd", "5h", {"cards": ["Ah", "5d"], "third": "8c", "choice": "fold"}),
            ("6s", "Kd", "5h", {"cards": ["4h", "5d"], "third": "8c", "choice": "bonus"}),
            ("9s", "Kd", "5h", {"cards": ["Th", "Qd"], "third": "8c", "choice": "rescue"}),
            ("2s", "3h", "9d", {"cards": ["Kh", "5d"], "third": "2c", "choice": "stay"}),
        )
    ),
    *(  # Acey Deucey 21: between and suited, outside, pairs, and War decided by either card
        {
            "game": "acey-deucey-21",
            "dealer": {"up": up, "hole": "9c", "draws": draws},
            "seats": [{"cards": held, "raise": 1000}],
        }
        for up, draws, held in (
            ("8h", [], ["Kh", "7h"]),
            ("Qs", [], ["Qh", "2d"]),
            ("5s", ["6h"], ["5h", "5d"]),
            ("8s", [], ["8h", "Kd"]),
        )
    ),
    *(  # Lucky Break: over 21, suited, within 21, a blackjack, and a player above the limit
        {
            "game": "lucky-break",
            "dealer": {"up": up, "hole": hole, "draws": draws},
            "seats": [{"cards": held, **more}],
        }
        for up, hole, draws, held, more in (
            ("6h", "Kd", ["9c"], ["Kh", "9h"], {}),
            ("6h", "Kh", ["9h"], ["Kd", "9d"], {}),
            ("9h", "Kd", [], ["Kh", "9s"], {}),
            ("Kh", "Ad", [], ["Ks", "9h"], {}),
            ("6h", "Kd", ["9c"], ["Kh", "8h"], {"hands": [{"cards": ["Kh", "8h", "Tc"]}]}),
        )
    ),
    *(  # Lucky Lucky: a suited run, a total, and nothing
        {
            "game": "lucky-lucky",
            "dealer": {"up": up, "hole": "Kd", "draws": draws},
            "seats": [{"cards": held}],
        }
        for up, draws, held in (
            ("8h", [], ["6h", "7h"]),
            ("9h", [], ["Ah", "9d"]),
            ("2h", ["6c"], ["Kh", "5d"]),
        )
    ),
    *(  # Spanish Poker: not qualified, better, worse, fold, a flush against a full house
        {"game": "spanish-poker", "dealer": {"cards": house.split()}, "seats": [seat]}
        for house, seat in (
            ("2c 4d 5h 7s Kc", {"cards": ["3c", "3d", "Ah", "Qs", "Jc"], "choice": "raise"}),
            ("6c 6d 5h 7s Kc", {"cards": ["3c", "3d", "Ah", "Qs", "Jo"], "choice": "raise"}),
            ("6c 6d 6h 7s Kc", {"cards": ["3c", "3d", "Ah", "Qs", "Jc"], "choice": "raise"}),
            ("6c 6d 6h 7s Kc", {"cards": ["3c", "4d", "Ah", "Qs", "Jc"], "choice": "fold"}),
            ("6c 6d 6h 7s 7c", {"cards": ["2h", "4h", "7h", "Qh", "Kh"], "choice": "raise"}),
        )
    ),
]


@pytest.mark.parametrize("written", ROUNDS, ids=lambda each: each["game"])
def test_a_reader_of_the_card_alone_settles_the_round(written: dict[str, Any]) -> None:
    """The card names each outcome, says what it pays, and has every clause that the settlement cites."""
    order = Order(written["game"], DAY)
    seats = [{"wagers": dict.fromkeys(order.offered, 1000), **seat} for seat in written["seats"]]
    finished = msgspec.convert({**written, "seats": seats}, FinishedRound)
    game = game_of(finished)
    card = posting(order, HouseSettings())
    decided = {pair for chapter in card.guide for line in chapter.lines for pair in line.decides}
    clauses = {line.clause for chapter in card.guide for line in chapter.lines}
    clauses |= {sheet.clause for sheet in card.pays}
    printed = {(sheet.wager, row.outcome): row.pays[0] for sheet in card.pays for row in sheet.rows}
    settled = game.settle(replay(game, finished))
    assert {line.wager for line in settled} >= set(order.offered)
    for line in settled:
        assert (line.wager, line.outcome) in decided
        pays_like = game.wagers[line.wager].paid_by or line.wager
        words = printed.get((pays_like, line.outcome), str(game.pays[line.wager][line.outcome]))
        assert Odds.parse(words).on(line.wagered, game.terms.breakage) == line.net
        assert clauses >= set(line.clauses), (line.wager, line.outcome)
