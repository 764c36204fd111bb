"""Games are found by their file names: three files make one, and no list is edited."""

import sys
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.cards import cards
from feltworks.errors import RulebookError, UnknownName
from feltworks.games.blackjack import Blackjack
from feltworks.games.fu_bacc import FuBacc
from feltworks.rules.advance import advance
from feltworks.written.settle import settle_line
from tests.conftest import forget_games

APPROVED = ("acey-deucey-21", "fu-bacc", "lucky-break", "lucky-lucky", "spanish-poker")

BOOK = """
title = "Red Card"
game = "red_card"

[clause]
"RC.1" = "One card. A red one pays even money, a black one loses."

[wager.ante]
title = "Ante"
kind = "main"
clause = "RC.1"

[pay_table.ante.1]
clause = "RC.1"
[pay_table.ante.1.pays]
"red" = "1 to 1"
"black" = "lose"
"""

RULES = '''
"""Red Card: is it red?"""

from feltworks.rules.game import Game
from feltworks.rules.steps import Draw
from feltworks.rules.wager import Verdict, Wager


class Ante(Wager):
    name = "ante"
    outcomes = frozenset(["red", "black"])

    def judge(self, standing):
        if not standing:
            return None
        red = standing[0].suit.word in ("hearts", "diamonds")
        return Verdict("red" if red else "black", f"the card is {standing[0]}", ("RC.1",))


class RedCard(Game):
    wager_types = (Ante,)

    def procedure(self, r):
        for number, seat in enumerate(r.seats):
            if not seat.cards:
                yield Draw(number)

    def standing(self, r, seat):
        return r.seats[seat].cards
'''


def write(folder: Path, *, book: str = BOOK, rules: str = RULES) -> None:
    (folder / "red-card.toml").write_text(book, encoding="utf-8")
    (folder / "red_card.py").write_text(rules, encoding="utf-8")


def test_the_five_approved_games_are_there_and_books_without_a_game_are_not() -> None:
    assert set(APPROVED) <= set(catalog.games())
    assert not {"blackjack", "money", "washington"} & set(catalog.games())


@pytest.mark.parametrize(
    ("name", "dealt_by", "wagers"),
    [
        ("fu-bacc", FuBacc, {"ante", "play", "lucky-monkey", "tie"}),
        ("acey-deucey-21", Blackjack, {"blackjack", "insurance", "acey-deucey", "raise", "war"}),
        ("lucky-break", Blackjack, {"blackjack", "insurance", "lucky-break"}),
        ("lucky-lucky", Blackjack, {"blackjack", "insurance", "lucky-break", "lucky-lucky"}),
    ],
)
def test_a_name_gives_the_game_with_its_bonus_wagers(name: str, dealt_by: type, wagers: set[str]) -> None:
    table = catalog.game(name)
    assert type(table) is catalog.game_type(name) is dealt_by
    assert set(table.wagers) == wagers


@pytest.mark.parametrize("name", ["baccarat", "blackjack", "money", "", "Fu Bacc"])
def test_an_unknown_game_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(UnknownName, match=f"there is no game {name!r}; it may be acey-deucey-21, fu-bacc"):
        catalog.game(name)


def test_a_game_in_a_folder_of_ones_own_is_found_dealt_and_settled(own_games: Path) -> None:
    write(own_games)
    assert catalog.games() == tuple(sorted((*APPROVED, "red-card")))
    table = catalog.game("red-card", options={"breakage": "up"})
    r = table.open_round([{"ante": 500}])
    step = table.awaits(r)
    assert step is not None
    r = advance(r, step, cards("7h"))
    assert (table.awaits(r), [line.net for line in table.settle(r)]) == (None, [500])
    sheet = settle_line('{"game": "red-card", "seats": [{"wagers": {"ante": 300}, "cards": ["7c"]}]}')
    assert sheet["seats"][0]["net"] == -300


def test_without_the_folder_the_game_is_gone(own_games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(own_games)
    assert "red-card" in catalog.games()
    monkeypatch.delenv(catalog.GAME_FOLDERS)
    catalog.rulebook.cache_clear()
    catalog.games.cache_clear()
    assert "red-card" not in catalog.games()


@pytest.mark.parametrize(
    ("book", "rules", "words"),
    [
        (BOOK.replace("red_card", "red_cards"), RULES, "no rules file games/red_cards.py"),
        (BOOK, "", "has to define exactly one Game, not 0"),
        (BOOK, RULES + "\n\nclass Other(RedCard): ...\n", "has to define exactly one Game, not 2"),
        (BOOK + '"blue" = "push"\n', RULES, "the outcome 'blue' cannot happen"),
        (BOOK.replace('"black" = "lose"', ""), RULES, "no pay for the outcome 'black' of ante"),
        (BOOK, RULES.replace('"ante"', '"call"'), "call"),
    ],
    ids=[
        "no rules file",
        "no game in it",
        "two games in it",
        "a pay too many",
        "a pay too few",
        "another wager",
    ],
)
def test_a_game_that_does_not_fit_together_is_refused(own_games: Path, book: str, rules: str, words: str) -> None:
    write(own_games, book=book, rules=rules)
    with pytest.raises(RulebookError, match=words) as refusal:
        catalog.game("red-card")
    assert "red-card.toml" in str(refusal.value)


def test_a_rules_file_is_loaded_once(own_games: Path) -> None:
    write(own_games)
    assert type(catalog.game("red-card")) is type(catalog.game("red-card"))
    assert "feltworks_own_red_card" in sys.modules


FAULTS = {
    "a syntax error": (
        BOOK,
        RULES.replace("class Ante(Wager):", "class Ante(Wager:"),
        "red_card.py: line 9: ",
    ),
    "an unknown name": (BOOK, RULES + "\nHIGHEST = higest\n", "red_card.py: line 31: NameError: "),
    "a missing module": (BOOK, "import no_such_module\n", "red_card.py: line 1: ModuleNotFoundError: "),
    "an exit": (BOOK, "raise SystemExit(4)\n", "red_card.py: line 1: SystemExit: 4"),
    "not Python at all": (BOOK, "\0\0\0", "red_card.py: line 1: "),
    "a game that cannot be made": (
        BOOK,
        RULES + "\n    def __init__(self, *_):\n        self.decks = 1 / 0\n",
        "red_card.py: line 32: ZeroDivisionError: ",
    ),
    "TOML that is none": (BOOK + "[wager", RULES, "red-card.toml: syntax: "),
    "an unknown key": (BOOK.replace("title", "titel", 1), RULES, "red-card.toml: titel: "),
    "a pay too few": (BOOK.replace('"black" = "lose"', ""), RULES, "red-card.toml: "),
    "no rules file": (BOOK.replace("red_card", "red_cards"), RULES, "red-card.toml: game: "),
}


@pytest.mark.parametrize(("book", "rules", "words"), FAULTS.values(), ids=FAULTS)
def test_a_broken_game_of_ones_own_is_left_out_with_its_file_and_line_and_the_others_stay(
    own_games: Path, book: str, rules: str, words: str
) -> None:
    write(own_games, book=book, rules=rules)
    assert catalog.games() == APPROVED
    assert catalog.game("fu-bacc").terms.rulebook.title == "Fu Bacc"
    assert [*catalog.broken_books()] == ["red-card"]
    for ask in (catalog.game, catalog.check_game):
        with pytest.raises(RulebookError) as refusal:
            ask("red-card")
        assert str(refusal.value).startswith(words)


def test_a_book_that_is_no_text_is_left_out(own_games: Path) -> None:
    (own_games / "red-card.toml").write_bytes(b"\xff\xfe\0")
    (own_games / "folder.toml").mkdir()
    assert catalog.games() == APPROVED
    assert [*catalog.broken_books()] == ["folder", "red-card"]


def test_a_broken_file_in_the_place_of_an_approved_one_is_not_replaced_by_it(own_games: Path) -> None:
    (own_games / "fu_bacc.py").write_text("def", encoding="utf-8")
    assert catalog.games() == tuple(name for name in APPROVED if name != "fu-bacc")
    assert "fu_bacc.py: line 1: " in str(catalog.broken_books()["fu-bacc"])


def test_a_mended_game_is_dealt_again(own_games: Path) -> None:
    write(own_games, rules="def")
    assert "red-card" not in catalog.games()
    write(own_games)
    forget_games()
    assert "red-card" in catalog.games()
    assert catalog.game("red-card").terms.rulebook.title == "Red Card"


def test_a_game_that_may_offer_few_of_its_wagers_is_not_taken_for_broken(own_games: Path) -> None:
    shipped = Path(catalog.__file__).parent / "rulebooks" / "spanish-poker.toml"
    (own_games / shipped.name).write_bytes(shipped.read_bytes())
    assert catalog.broken_books() == {}
    assert catalog.games() == APPROVED
