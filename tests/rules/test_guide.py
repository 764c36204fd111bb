"""Sentences of a rulebook are checked down to the key, and included ones can be replaced."""

from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.errors import RulebookError
from feltworks.rules.guide import dealing_procedure, how_to_play, players_guide
from feltworks.rules.rulebook.load import load_rulebook

BOOK = """
title = "High Card"
clause = { "HC.1" = "The higher card wins." }
option.decks = { range = [1, 8], clause = "HC.1", text = "How many decks." }
wager.ante = { title = "Ante", kind = "main", clause = "HC.1" }
pay_table.ante.1 = { clause = "HC.1", pays = { higher = "1 to 1", lower = "lose" } }
[[guide]]
part = "cards"
text = "Dealt from {decks} decks."
clause = "HC.1"
"""


def test_sentences_that_refer_to_what_is_there_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "high.toml"
    path.write_text(BOOK)
    assert load_rulebook(path, {}).guide[0].part == "cards"


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('part = "card"', "guide[0].part"),
        ('part = "wager"', "guide[0].offers"),
        ('clause = "HC.2"', "guide[0].clause"),
        ('text = "{deks} decks"', "guide[0].text"),
        ('text = "in { braces"', "guide[0].text"),
        ('offers = ["tie"]', "guide[0].offers[0]"),
        ("when = { deks = [1] }", "guide[0].when.deks"),
        ("unless = { decks = [9] }", "guide[0].unless.decks[0]"),
        ('switches = { "ante.no_such" = true }', 'guide[0].switches."ante.no_such"'),
        ("wen = { decks = [1] }", "guide[0].wen"),
    ],
)
def test_a_sentence_that_does_not_fit_is_named_by_its_key(tmp_path: Path, line: str, key: str) -> None:
    path = tmp_path / "high.toml"
    field = line.partition(" = ")[0]
    kept = [each for each in BOOK.rpartition("[[guide]]")[2].splitlines() if not each.startswith(f"{field} ")]
    path.write_text("\n".join([BOOK.rpartition("[[guide]]")[0], "[[guide]]", *kept, line]))
    with pytest.raises(RulebookError) as refused:
        load_rulebook(path, {})
    assert f"high.toml: {key}" in str(refused.value)


@pytest.mark.clause("AD.7")
def test_an_including_book_replaces_a_sentence_in_its_place() -> None:
    deal = [line.clause for c in dealing_procedure(catalog.game("acey-deucey-21")) for line in c.lines]
    assert "AD.7" in deal
    words = " ".join(line.text for c in players_guide(catalog.game("acey-deucey-21")) for line in c.lines)
    assert "You get two cards and the dealer two" not in words
    assert "You get two cards and the dealer two" in " ".join(
        line.text for c in players_guide(catalog.game("lucky-break")) for line in c.lines
    )


@pytest.mark.parametrize("name", catalog.games())
def test_how_to_play_is_five_sentences_of_the_rack_card(name: str) -> None:
    game = catalog.game(name)
    card = [line for chapter in players_guide(game) for line in chapter.lines]
    lines = how_to_play(game)
    assert len(lines) == 5
    assert [card.index(line) for line in lines] == sorted(card.index(line) for line in lines)
    assert {line.wager for line in lines if line.decides} == set(game.terms.openings)
