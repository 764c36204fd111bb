"""As approved is the definition that the letter speaks of, whoever keeps a copy; and what binds whom."""

import datetime
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from feltworks import catalog
from feltworks.house.configuration import TableCheck, TableOrder, check_table
from feltworks.table.limits import WagerLimit
from tests.conftest import Output, forget_games

DAY = datetime.date(2024, 1, 31)


def check(game: str, ante: int | None = None, **said: Any) -> TableCheck:
    limits = {"ante": WagerLimit(maximum=ante)} if ante else {}
    return check_table(TableOrder(game, DAY, limits=limits, **said))


def own_copy(folder: Path, name: str, before: str, after: str, *, of: str = "rulebooks/{}.toml") -> None:
    """A file of the package with one thing changed, where the catalog finds it first."""
    shipped = Path(catalog.__file__).parent / of.format(name)
    text = shipped.read_text(encoding="utf-8")
    assert before in text
    (folder / shipped.name).write_text(text.replace(before, after), encoding="utf-8")


FU_BACC = json.dumps(
    {
        "game": "fu-bacc",
        "dealer": {"up": "9s", "hole": "3h", "third": "4d"},
        "seats": [{"wagers": {"tie": 500}, "cards": ["Kh", "5d"], "third": "2c"}],
    }
)


@pytest.mark.clause("WA.3")
def test_a_changed_copy_that_keeps_the_letter_is_not_as_approved(own_games: Path, felt: Callable[..., Output]) -> None:
    assert check("fu-bacc").as_approved
    own_copy(own_games, "fu-bacc", '"tie" = "7 to 1"', '"tie" = "8 to 1"')
    forget_games()
    says = "the rulebook differs from the approved one in its pay table"
    assert check("fu-bacc").deviations == (says,)
    (own_games / "rounds.jsonl").write_text(FU_BACC, encoding="utf-8")
    settled = json.loads(felt("settle", str(own_games / "rounds.jsonl")).out)
    assert (settled["as_approved"], settled["deviations"]) == (False, [says])


@pytest.mark.clause("WA.3")
def test_a_copy_under_another_name_is_measured_by_the_book_of_its_letter(own_games: Path) -> None:
    own_copy(own_games, "fu-bacc", '"tie" = "7 to 1"', '"tie" = "8 to 1"')
    (own_games / "fu-bacc.toml").rename(own_games / "fu-lucky.toml")
    forget_games()
    assert "pay table" in check("fu-lucky").deviations[0]
    assert check("fu-bacc").as_approved


@pytest.mark.clause("WA.3")
def test_what_an_approved_book_includes_and_its_rules_file_belong_to_it(own_games: Path) -> None:
    own_copy(own_games, "blackjack", "How many 52-card decks", "How many decks of 52 cards")
    own_copy(own_games, "lucky_lucky", "_say", "_tell", of="bonus/{}.py")
    forget_games()
    found = check("lucky-lucky").deviations
    assert "in its option" in found[0]
    assert found[1] == "the rules file lucky_lucky.py is not the approved one"
    assert check("fu-bacc").as_approved


LUCKY_BREAK = json.dumps(
    {
        "game": "lucky-break",
        "dealer": {"up": "9s", "hole": "Th", "draws": []},
        "seats": [{"wagers": {"blackjack": 500}, "cards": ["Kh", "9d"]}],
    }
)


@pytest.mark.clause("WA.3")
@pytest.mark.parametrize("changed", [True, False])
def test_own_rules_under_three_games_are_a_departure_of_each(
    own_games: Path, felt: Callable[..., Output], changed: bool
) -> None:
    shipped = Path(catalog.__file__).parent / "games" / "blackjack.py"
    text = shipped.read_text(encoding="utf-8")
    (own_games / "blackjack.py").write_text(text.replace("points < 17", "points < 16") if changed else text)
    forget_games()
    says = ["the rules file blackjack.py is not the approved one"] if changed else []
    for name in ("acey-deucey-21", "lucky-break", "lucky-lucky"):
        assert list(check(name).deviations) == says
    assert check("fu-bacc").as_approved
    (own_games / "rounds.jsonl").write_text(LUCKY_BREAK, encoding="utf-8")
    settled = json.loads(felt("settle", str(own_games / "rounds.jsonl")).out)
    assert (settled["as_approved"], settled["deviations"]) == (not changed, says)
    paper = ("report", "rack-card", "lucky-break", "--output", str(own_games / "card.html"), "--json")
    printed = json.loads(felt(*paper).out)
    assert (printed["as_approved"], printed["deviations"]) == (not changed, says)
    edge = json.loads(felt("analyze", "lucky-break", "--wager", "blackjack", "--json").out)["house_edge"]
    assert (f"{edge['value']:.4%}" == "0.4029%") is not changed, "figures follow the rules that are there"


@pytest.mark.clause("WA.3")
def test_an_audit_says_that_its_rules_are_not_the_approved_ones(own_games: Path, felt: Callable[..., Output]) -> None:
    says = {"acey-deucey-21": ["the rules file blackjack.py is not the approved one"]}
    assert json.loads(felt("audit", "fu-bacc", "--json").out)["deviations"] == {}
    rules = "from feltworks.games.blackjack import Blackjack\n\n\nclass House(Blackjack):\n    pass\n"
    (own_games / "blackjack.py").write_text(rules, encoding="utf-8")
    forget_games()
    audited = json.loads(felt("audit", "acey-deucey-21", "--json").out)
    assert (audited["as_approved"], audited["deviations"]) == (False, says)
    assert f"Not as approved: {says['acey-deucey-21'][0]}" in felt("audit", "acey-deucey-21").out


def test_an_equal_copy_is_as_approved(own_games: Path) -> None:
    own_copy(own_games, "fu-bacc", 'title = "Fu Bacc"', '# a copy\ntitle = "Fu Bacc"')
    forget_games()
    assert check("fu-bacc").as_approved


def test_a_tribal_operation_is_measured_by_its_own_settings_which_are_no_law() -> None:
    assert not check("fu-bacc", 250_00).opens
    found = check("fu-bacc", 250_00, house="tribal operation")
    assert found.opens
    assert found.profile.unverified.keys() == found.profile.values.keys()
    refused = check("fu-bacc", 251_00, house="tribal operation", seats=10).refusals
    assert {each.rule for each in refused} == {"the operation's setting, unverified as law"}
    assert len(refused) == 2


def test_a_tribal_operation_writes_its_own_limit(own_games: Path) -> None:
    own_copy(own_games, "tribal-operation", 'value = "$500"', 'value = "$1,000"')
    forget_games()
    assert check("fu-bacc", 500_00, house="tribal operation").opens
