"""Fixed ways to play, and strategies read from files."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Answer, Question, analyze, situations_of
from feltworks.analysis.joint import law_figures
from feltworks.analysis.solvers.counts import mix_choices
from feltworks.analysis.solvers.showdown.solver import showdown
from feltworks.analysis.strategy.decisions import open_decisions
from feltworks.analysis.strategy.file import is_strategy_file, read_strategy
from feltworks.analysis.strategy.optimal import save
from feltworks.cards import cards
from feltworks.errors import BadOption, FeltError
from feltworks.hands.poker import SPANISH
from tests.docs.pages import named_files


def asked(game: str, wager: str, strategy: str = "optimal", **more: Any) -> Question:
    terms = {key: more.pop(key) for key in ("options", "pay_tables") if key in more}
    return Question(catalog.game(game, **terms), wager, strategy=strategy, **more)


def followed(path: Path, game: str, wager: str, **more: Any) -> Answer:
    return analyze(asked(game, wager, str(path), plays=read_strategy(path), **more))


def written(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize(
    ("game", "wager", "more"),
    [
        ("fu-bacc", "ante", {}),
        ("fu-bacc", "ante", {"beside": {"tie": Fraction(2)}}),
        ("fu-bacc", "ante", {"options": {"rescue-ten": False}}),
        ("acey-deucey-21", "acey-deucey", {"pay_tables": {"acey-deucey": "2B"}}),
        ("spanish-poker", "ante", {}),
    ],
)
def test_a_saved_play_brings_what_it_brought(game: str, wager: str, more: dict[str, Any], tmp_path: Path) -> None:
    question = asked(game, wager, **more)
    answer = analyze(question)
    save(tmp_path / "play.json", game, question, answer)
    assert followed(tmp_path / "play.json", game, wager, **more).figures == answer.figures


@pytest.mark.parametrize(
    ("game", "wager", "name"),
    [("fu-bacc", "ante", "hit"), ("fu-bacc", "ante", "stay"), ("acey-deucey-21", "acey-deucey", "raise")],
)
def test_a_fixed_choice_costs_what_it_costs_and_never_less_than_the_best(game: str, wager: str, name: str) -> None:
    edge = analyze(asked(game, wager, f"always-{name}")).figures.house_edge
    assert edge > analyze(asked(game, wager)).figures.house_edge
    question = asked(game, wager)
    found = situations_of(question)
    law = mix_choices(found, [name if name in each.laws else "" for each in found])
    assert edge == law_figures(law, question.group, question.unit).house_edge


def test_where_a_choice_is_not_open_the_gentlest_is_made() -> None:
    barred = analyze(asked("acey-deucey-21", "acey-deucey", "always-raise", pay_tables={"acey-deucey": "1B"}))
    for situation, choice in zip(barred.situations, barred.choices, strict=True):
        first, second = situation.shown.seats[0].cards[:2]
        if first.rank == second.rank:  # type: ignore[union-attr]
            assert choice == "check"
    folding = analyze(asked("fu-bacc", "ante", "always-bonus")).figures
    assert {row.name for row in folding.outcomes} == {"natural 9", "natural 8", "fold"}


def test_always_folding_costs_the_whole_ante() -> None:
    for game in ("fu-bacc", "spanish-poker"):
        assert analyze(asked(game, "ante", "always-fold")).figures.house_edge == 1


def test_rules_speak_of_facts(tmp_path: Path) -> None:
    rules = [
        {"if": {"hand": {"from": "6c 6d 4h 3s 2c"}}, "choice": "raise"},
        {"choice": "fold"},
    ]
    figures = followed(written(tmp_path / "sixes.json", {"rules": rules}), "spanish-poker", "ante").figures
    least = SPANISH.value(cards("6c 6d 4h 3s 2c"))
    by_hand = showdown(
        catalog.game("spanish-poker"),
        strategy=lambda view: "raise" if SPANISH.value(view.cards) >= least else "fold",
    )
    assert figures.house_edge == by_hand.figures.house_edge


def test_a_row_goes_before_the_rules(tmp_path: Path) -> None:
    rules = [{"if": {"total": {"from": 6}}, "choice": "stay"}, {"choice": "hit"}]
    by_rules = followed(written(tmp_path / "a.json", {"rules": rules}), "fu-bacc", "ante")
    row = {"cards": ["Kh", "9d"], "dealer": "9s", "choice": "bonus"}
    with_row = followed(written(tmp_path / "b.json", {"situations": [row], "rules": rules}), "fu-bacc", "ante")
    changed = [
        situation.shown
        for situation, one, other in zip(by_rules.situations, by_rules.choices, with_row.choices, strict=True)
        if one != other
    ]
    assert {cards("9c")[0].rank} == {shown.dealer[0].rank for shown in changed}  # type: ignore[union-attr]
    assert len(changed) == 1  # faces alone: a ten beside the nine is another kind


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"rules": [{"if": {"total": 9}, "choice": "stay"}]}, "says nothing for"),
        ({"rules": [{"choice": "raise"}]}, "where .* may be chosen"),
        ({"rules": [{"if": {"spread": 3}, "choice": "hit"}]}, "line 1, .*total, monkeys, up, "),
        ({"rules": [{"if": {"total": {"from": "six"}}, "choice": "hit"}]}, "something else"),
        ([], "says nothing for"),
        ([{"cards": "Kh", "choice": "hit", "deeler": "9s"}], "is no strategy"),
        ([{"cards": "Kx 2c", "choice": "hit"}], "no card"),
        ([{"cards": "Kh 2c", "choice": "hit"}], "is decided at 2c 2d against 2h"),
        ([{"cards": "Jo 2c", "dealer": "9s", "choice": "hit"}], "card Jo"),
        ({"": [{"choice": "hit"}], "rules": []}, "is no strategy"),
        ({"rules": 7}, "is no strategy"),
        ("hit", "is no strategy"),
    ],
)
def test_a_file_that_leaves_something_open_is_refused(content: object, words: str, tmp_path: Path) -> None:
    with pytest.raises(FeltError, match=words):
        followed(written(tmp_path / "play.json", content), "fu-bacc", "ante")


@pytest.mark.parametrize("written", [b"\xff{", b"", b"[" * 100_000], ids=["no text", "nothing", "nested"])
def test_a_file_that_is_no_json_is_refused(written: bytes, tmp_path: Path) -> None:
    (tmp_path / "play.json").write_bytes(written)
    with pytest.raises(FeltError, match="is no strategy"):
        read_strategy(tmp_path / "play.json")


@pytest.mark.parametrize(
    ("example", "words"),
    [("6c", "takes 5 cards"), ("8c 9c 2c 3c 4c", "card 8c"), ("6c 6c 6c 6c 6c", "card 6c"), ("", "5 cards")],
)
def test_a_rule_compares_with_a_hand_that_can_be_held(example: str, words: str, tmp_path: Path) -> None:
    rules = [{"if": {"hand": {"from": example}}, "choice": "raise"}, {"choice": "fold"}]
    with pytest.raises(FeltError, match=words):
        followed(written(tmp_path / "play.json", {"rules": rules}), "spanish-poker", "ante")


@pytest.mark.usefixtures("gallery")
@pytest.mark.parametrize(
    ("game", "wager"), [("let-it-ride", "base"), ("mississippi-stud", "ante"), ("red-dog", "ante")]
)
def test_best_play_saved_as_a_file_is_best_play(game: str, wager: str, tmp_path: Path) -> None:
    low = [card for card in catalog.game(game).terms.shoe if card.rank < 9 and game != "red-dog"]  # for a small deck
    question = asked(game, wager, exposed=low)
    answer = analyze(question)
    save(tmp_path / "best.json", game, question, answer)
    assert followed(tmp_path / "best.json", game, wager, exposed=low).figures == answer.figures


@pytest.mark.usefixtures("gallery")
@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"decisions": {"first": {},\n "third": {}}}', "line 2, speaks of the decision 'third'; .* first or second"),
        (
            '{"decisions": {"first": {"rules": [\n{"choice": "fold"}]}}}',
            "line 2 says|line 2, says fold .* take back or",
        ),
        ('{"rules": [\n\n{"if": {"outts": 3}, "choice": "take back"}]}', "line 3, asks for the fact 'outts'; .* made"),
        ('{"rules": [{"if": {"made": "pear"}, "choice": "take back"}]}', "line 1, .*two pair.*, not 'pear'"),
        ('{"rules": [{"choice": "take back"}],\n"decisions": {"first": {"rules": [\n{"choise": 1}]}}}', "line 3 is no"),
        ('{"rules": [\n{"choice": "take back"},\n]}', "line 3 is no strategy"),
        (
            '{"situations": [\n{"cards": "2c 3c", "choice": "take back"}]}',
            "line 2, speaks of 2c 3c; Let It Ride is decided",
        ),
    ],
)
def test_a_fault_is_named_with_its_line_and_what_is_allowed(content: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "play.json").write_text(content)
    with pytest.raises(FeltError, match=words):
        followed(tmp_path / "play.json", "let-it-ride", "base")


def test_every_decision_is_listed_before_it_is_solved() -> None:
    for game, wager in (("fu-bacc", "ante"), ("acey-deucey-21", "acey-deucey")):
        question = asked(game, wager)
        listed = {each.offers for each in open_decisions(question)}
        solved = {tuple(situation.laws) for situation in analyze(question).situations if len(situation.laws) > 1}
        assert {frozenset(each) for each in listed} == {frozenset(each) for each in solved}
    assert not list(open_decisions(asked("fu-bacc", "tie")))


def test_where_nothing_is_decided_there_is_no_strategy(tmp_path: Path) -> None:
    for game, wager in (("fu-bacc", "tie"), ("acey-deucey-21", "war"), ("spanish-poker", "dos-pares")):
        with pytest.raises(BadOption, match="nothing is decided"):
            analyze(asked(game, wager, "always-raise"))
    question = asked("fu-bacc", "lucky-monkey")
    with pytest.raises(BadOption, match="a wager with a decision"):
        save(tmp_path / "play.json", "fu-bacc", question, analyze(question))


PAGE = named_files("docs/reference/strategy-file.md")


@pytest.mark.usefixtures("gallery")
@pytest.mark.parametrize("name", [name for name in PAGE if is_strategy_file(name)])
def test_the_strategies_of_the_page_can_be_played(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(PAGE[name])
    file = read_strategy(tmp_path / name)
    best = analyze(asked(file.game, file.wager)).figures.house_edge
    edge = followed(tmp_path / name, file.game, file.wager).figures.house_edge
    assert best < edge < best + Fraction(1, 5)


ONE_DECK = {"decks": 1, "surrender": "late"}


@pytest.mark.parametrize("name", ["basic", "never-bust"])
def test_a_saved_chart_of_blackjack_is_played_as_it_was(name: str, tmp_path: Path) -> None:
    question, path = asked("lucky-break", "blackjack", name, options=ONE_DECK), tmp_path / "play.json"
    answer = analyze(question)
    save(path, "lucky-break", question, answer)
    assert followed(path, "lucky-break", "blackjack", options=ONE_DECK).figures == answer.figures


@pytest.mark.clause("LB.5")
def test_a_chart_that_draws_to_hard_20_comes_over_lucky_breaks_limit(tmp_path: Path) -> None:
    hands = [f"hard {total}" for total in range(4, 21)] + [f"soft {total}" for total in range(12, 21)]
    path = written(tmp_path / "play.json", {"chart": dict.fromkeys(hands, ["hit"] * 10)})
    careful = analyze(asked("lucky-break", "lucky-break", options=ONE_DECK)).figures
    wild = followed(path, "lucky-break", "lucky-break", options=ONE_DECK).figures
    assert "over the limit" in {row.name for row in wild.outcomes} - {row.name for row in careful.outcomes}
    assert wild.house_edge > careful.house_edge


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({}, "what to do with hard 4"),
        ({"rules": [{"choice": "hit"}]}, "what to do with hard 4"),
        ({"chart": {"hard 16": ["stand"]}}, "ten choices for hard 16"),
        ({"chart": {"hard 3": ["stand"] * 10}}, "hands like hard 16"),
        ({"chart": {"hard 9": ["fold"] * 10}}, "stand, hit, double or surrender for hard 9"),
        ({"chart": {"hard 9": ["double/double"] * 10}}, "after the stroke"),
        ({"chart": {"hard 9": "hit"}}, "is no strategy"),
    ],
)
def test_a_chart_with_a_gap_is_refused(content: object, words: str, tmp_path: Path) -> None:
    with pytest.raises(FeltError, match=words):
        followed(written(tmp_path / "play.json", content), "lucky-break", "blackjack", options=ONE_DECK)
