"""`felt audit` as others call it."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.cli.terminal_screen import shown_at
from tests.conftest import Output

Felt = Callable[..., Output]


def test_figures_are_the_printed_ones_and_what_is_computed_besides_stands_apart(felt: Felt) -> None:
    said = json.loads(felt("audit", "acey-deucey-21", "--json").out)
    assert list(said) == ["figures", "computed", "readings", "as_approved", "deviations", "departures"]
    assert [row["published"] for row in said["figures"]] == ["0.5248%", "3.69%", "2.99%", "3.46%", "5.29%"]
    assert [row["match"] for row in said["figures"][:3]] == ["rounded", "truncated", "none"]
    assert [row["agrees"] for row in said["figures"][:3]] == [True, True, False]
    assert said["figures"][0]["computed"] == {"exact": "253/48205", "value": 253 / 48205}
    assert {row["pay_table"] for row in said["computed"]} >= {"1B", "2B", "3B"}


def test_a_reading_tells_what_each_alternative_means_in_money(felt: Felt) -> None:
    said = json.loads(felt("audit", "fu-bacc", "--json").out)
    assert said["figures"] == []
    ten = next(row for row in said["readings"] if row["option"] == "fu-bacc.rescue-ten")
    (effect,) = ten["effects"]
    assert (effect["value"], effect["wager"], effect["cents_per_hundred_rounds"]) == (False, "ante", 651)
    assert effect["house_edge"]["value"] > effect["house_edge_by_default"]["value"]
    assert {row["clause"] for row in said["readings"] if not row["effects"]} >= {"FB.1", "FB.8", "M.1"}


def test_the_status_says_whether_every_printed_figure_agrees(felt: Felt) -> None:
    # INTERFACES, papers and books: 0 when every figure agrees, 1 when one does not, 2 on bad input
    for words, status in ((("acey-deucey-21", "--json"), 1), (("acey-deucey-21",), 1), (("fu-bacc",), 0)):
        audited = felt("audit", *words)
        assert (audited.status, audited.err) == (status, "")
        assert audited.out


def test_people_read_it_in_a_hundred_columns(tmp_path: Path) -> None:
    shown = shown_at(100, ("audit", "acey-deucey-21"), tmp_path)
    for words in ("Printed figures", "✓ cut", "reproduced by pay table 1B", "Play money only"):
        assert words in shown
    assert "House edges that no document prints" in shown
    assert "Other readings" in shown
    assert max(map(len, shown.splitlines())) <= 100


def test_an_unknown_game_is_refused_in_a_sentence(felt: Felt) -> None:
    said = felt("audit", "whist", "--json")
    assert (said.status, said.out) == (2, "")
    assert "there is no game 'whist'" in said.err
