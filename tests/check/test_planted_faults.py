"""Thirty faults planted in the files of a game: each is named with its place, and other games go on."""

import json
from collections.abc import Callable
from pathlib import Path
from shutil import copy

import pytest

from feltworks import catalog
from feltworks.check import check_game
from tests.conftest import Output, forget_games

Felt = Callable[..., Output]
BOOK, RULES = "casino-war.toml", "casino_war.py"

# What is replaced, by what, and a word of the sentence; the fault is in the line of the replacement.
IN_BOOK = [
    ('decks = 6', 'decks = 0', "1"),
    ('decks = 6', 'decks = "six"', "decks"),
    ('shuffle = "shoe"', 'shuffle = "often"', "shuffle"),
    ('title = "Ante"', 'title = ""', "title"),
    ('kind = "derived"', 'kind = "later"', "kind"),
    ('of = "ante"', 'of = "anti"', "anti"),
    ('times = "1"', 'times = "one"', "number"),
    ('needs = { wager = "ante" }', 'needs = { wager = "auntie" }', "another wager"),
    ('leave_out = "allowed"', 'leave_out = "maybe"', "leave_out"),
    ('clause = "CW.5"\nneeds', 'clause = "CW.9"\nneeds', "CW.9"),
    ('"higher" = "1 to 1"', '"higher" = "1 on 1"', "odds"),
    ('"war won" = "push"', '"war one" = "push"', "war"),
    ('pays = { "tie" = "10 to 1", "no tie" = "lose" }', 'pays = { "tie" = "10 to 1" }', "no tie"),
    ('members = ["ante", "tie"]', 'members = ["ante"]', "tie"),
    ('values = [true, false] # the first', 'values = [] # the first', "at least one"),
    ('text = "Whether a tied', 'txt = "Whether a tied', "txt"),
    ('because = "Houses differ', 'becuse = "Houses differ', "becuse"),
    ('game = "casino_war"', 'game = "casino-war"', "rules file"),
    ('jurisdiction = "none"', 'jurisdiction = "atlantis"', "atlantis"),
    ('[pay_table.tie.1]', '[pay_table.tye.1]', "tye"),
    ('figure = "18.65%"', 'figure = "18,65"', "as it is printed"),
    ('[option.offers]', '[option.offers', "Expected ']'"),
    ('"war lost" = "lose" }\n\n[pay_table.tie', '"war lost" = 8 }\n\n[pay_table.tie', "text in quotation marks"),
]  # fmt: skip
IN_RULES = [
    ("class Ante(Wager[WarStanding]):", "class Ante(Wager[WarStanding])", "expected ':'"),
    ("from feltworks.hands.hand import Hand", "from feltworks.hands.hand import Band", "Band"),
    ("lead = standing.lead(0)", "lead = standing.laed(0)", "laed"),
    ('WAR = ("war won", "war tied", "war lost")', 'WAR = ("war won", "war tied", "war gone")', "war"),
    ('yield Draw(DEALER)\n\n    def _offers', 'yield Draw(DEAL)\n\n    def _offers', "DEAL"),
    ('war = self.terms.offer("war", "raise", seat)', 'war = self.terms.offer("war", "rise", seat)', "rise"),
    ('self.terms["casino-war.surrender"]', 'self.terms["casino-war.give-up"]', "give-up"),
    ("(r.hand(seat, RANKS), r.hand(DEALER, RANKS), choice)", "(r.hand(seat, RANKS), choice)", "choice"),
    ("RANKS = Ranks()", "from feltworks.cards import cards\nRANKS = Ranks() if cards('2z') else 0", "'2z' is no card"),
    ("(Ante, Raise, Tie)\n\n    def procedure(", "(Ante, Raise, Tie)\n\n    def run(", "CasinoWar has no method"),
    ('war = self.terms.offer("war", "raise", seat)', 'war = self.terms.offer("war", "ante", seat)', "no derived wager"),
    ('    name = "raise"\n', "", "'Raise' object has no attribute 'name'"),
    ("    wager_types = (Ante", "    wager_type = (Ante", "'CasinoWar' object has no attribute 'wager_types'"),
]  # fmt: skip
# Faults that only rounds show: the class at which the sentence points
IN_PLAY = [
    ('"the second card is below the dealer\'s", ("CW.4",)', '"", ("CW.4",)', "no reason"),
    ('"the first cards are equal", ("CW.5",)', '"the first cards are equal", "CW.5"', "are no tuple; write ('CW.5',)"),
    ('"the first cards are equal", ("CW.5",)', '"the first cards are equal", ("CW.7",)', "cites CW.7"),
    ("if at_war and r.hand(DEALER, RANKS).held < 2:", "if False:", "undecided"),
    ("waiting = [number for number in tied if not r.seats[number].choices]", "waiting = tied", "asked again"),
    ('return Verdict("tie", "the first', 'return Verdict("tied", "the first', "'tied' is not listed in `outcomes`"),
    ('return Verdict("tie", "the first cards are equal", ("CW.5",))', 'return "tie"', "a Verdict or None"),
    ("def standing(self, r: Round, seat: int)", "def standing(self, r: Round)", "takes 2 positional arguments"),
    ('war = self.terms.offer("war", "raise", seat)', 'war = Offer("war", "raise", 10, 5)', "less at most"),
    ('standing.choice == "surrender"', 'standing.choice == "surender"', "offers the choice 'surender'"),
    ('choices[0].name == "war"]', 'choices[0].name in ("war", "wra")]', "those that are offered: surrender, war"),
]  # fmt: skip


@pytest.fixture
def folder(own_games: Path) -> Path:
    for name in (BOOK, RULES, "red-dog.toml", "red_dog.py"):
        copy(catalog.examples_folder() / name, own_games)
    return own_games


def plant(folder: Path, file: str, old: str, new: str) -> int:
    """Replace a piece of a file; gives the line in which the first difference stands."""
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    forget_games()
    return text[: text.index(old)].count("\n") + 1


def others_go_on() -> bool:
    return "red-dog" in catalog.games() and check_game("red-dog", rounds=2) == []


@pytest.mark.parametrize(("old", "new", "word"), IN_BOOK)
def test_a_fault_in_the_rulebook_is_named_with_its_line(folder: Path, old: str, new: str, word: str) -> None:
    line = plant(folder, BOOK, old, new)
    fault = check_game("casino-war", rounds=2)[0]
    assert (fault.file, word in str(fault)) == (BOOK, True), str(fault)
    assert abs(fault.line - line) <= 2, (fault.line, line)
    assert "casino-war" not in catalog.games()
    assert others_go_on()


@pytest.mark.parametrize(("old", "new", "word"), IN_RULES)
def test_a_fault_in_the_rules_is_named_with_its_line(folder: Path, old: str, new: str, word: str) -> None:
    line = plant(folder, RULES, old, new)
    fault = check_game("casino-war", rounds=30)[0]
    assert word in str(fault), str(fault)
    assert (fault.file, abs(fault.line - line) <= 4) in [(RULES, True), (BOOK, False)], (fault, line)
    assert others_go_on()


@pytest.mark.parametrize(("old", "new", "word"), IN_PLAY)
def test_a_fault_that_rounds_show_is_named_with_its_class(folder: Path, old: str, new: str, word: str) -> None:
    plant(folder, RULES, old, new)
    fault = next(fault for fault in check_game("casino-war", rounds=300) if word in str(fault))
    assert fault.file == RULES
    assert fault.key
    assert others_go_on()


def test_rules_without_an_end_are_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feltworks.check._SECONDS", 0.2)
    plant(folder, RULES, "tied = [number", "while True:\n            pass\n        tied = [number")
    (fault,) = check_game("casino-war")
    assert (fault.file, "not come to an end" in fault.fault) == (RULES, True)


def test_a_wager_is_measured_by_an_earlier_one(folder: Path) -> None:
    second = 'title = "Second"\nkind = "derived"\nclause = "CW.3"\nof = "raise"\ntimes = "1"'
    plant(folder, BOOK, "[wager.tie]", f"[wager.second]\n{second}\n\n[wager.tie]")
    assert "no rules file judges" in str(check_game("casino-war")[0])
    line = plant(folder, BOOK, 'of = "ante"', 'of = "second"')
    plant(folder, BOOK, 'of = "raise"', 'of = "ante"')
    (fault,) = check_game("casino-war")
    assert (fault.line, "second comes after it" in fault.fault) == (line, True)


def test_a_row_that_bonuses_stand_on_is_missed_alone(own_games: Path) -> None:
    for name in ("three-card-poker.toml", "three_card_poker.py"):
        copy(catalog.examples_folder() / name, own_games)
    line = plant(own_games, "three-card-poker.toml", ', "lower" = "lose" }\nbonus', " }\nbonus") - 2
    fault, *others = check_game("three-card-poker")
    assert (fault.line, "no pay for the outcome 'lower'" in fault.fault, others) == (line, True, [])


def test_all_faults_of_a_kind_are_named_at_once(folder: Path) -> None:
    lines = [plant(folder, BOOK, 'title = "Ante"\nkind = "main"', 'title = "Ante"\nminimum = "5"\nkind = "main"') + 1]
    lines += [plant(folder, BOOK, 'times = "1"', 'times = "one"')]
    assert [fault.line for fault in check_game("casino-war")] == lines


def test_the_document_of_a_fault_has_its_file_line_key_and_sentence(folder: Path, felt: Felt) -> None:
    line = plant(folder, BOOK, 'of = "ante"', 'of = "anti"')
    said = felt("check", "casino-war", "--json")
    (fault,) = json.loads(said.out)["faults"]
    assert (said.status, fault["file"], fault["line"]) == (1, BOOK, line)
    assert fault["key"].endswith(".of")
    assert "anti" in fault["fault"]


def test_thirty_faults_are_planted() -> None:
    assert len([*IN_BOOK, *IN_RULES, *IN_PLAY]) >= 30


def test_a_fault_of_the_rules_is_not_called_one_of_the_program(folder: Path, felt: Felt) -> None:
    plant(folder, RULES, 'self.terms["casino-war.surrender"]', 'self.terms.decks["x"]')
    said = felt("analyze", "casino-war", "--wager", "ante")
    assert said.status == 2
    assert "internal error" not in said.err
    assert "casino_war.py, line" in said.err
