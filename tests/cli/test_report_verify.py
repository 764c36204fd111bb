"""`felt report verify`, `key` and `signature` as an operator runs them."""

import html
import json
from collections.abc import Callable
from pathlib import Path

from tests.conftest import Output


def test_a_paper_is_signed_verified_and_found_changed(felt: Callable[..., Output], tmp_path: Path) -> None:
    paper, key = tmp_path / "sign.html", tmp_path / "operator.key"
    felt("report", "sign", "fu-bacc", "--date", "2024-01-31", "--output", str(paper))
    assert felt("report", "key", str(key)).status == 0
    assert felt("report", "signature", str(paper), "--key", str(key)).status == 0
    said = felt("report", "verify", str(paper), "--public-key", f"{key}.pub")
    assert said.status == 0
    assert "The paper is what this software makes of its own data." in said.out
    paper.write_text(paper.read_text("utf-8").replace(">30 to 1<", ">35 to 1<"), encoding="utf-8")
    said = felt("report", "verify", str(paper), "--json")
    answer = json.loads(said.out)
    assert (said.status, answer["agrees"]) == (1, False)
    assert "changed after it was signed" in answer["signature"]["fault"]
    assert [each["part"] for each in answer["differences"]] == ["pages"]


def test_what_is_no_paper_is_refused_in_one_sentence(felt: Callable[..., Output], tmp_path: Path) -> None:
    other = tmp_path / "other.html"
    other.write_text("<html></html>")
    for words, sentence in (
        ([str(other)], "carries no proof"),
        ([str(tmp_path / "none.pdf")], "cannot be read"),
    ):
        said = felt("report", "verify", *words)
        assert said.status == 2
        assert sentence in said.err
        assert said.err.count("\n") == 1


def test_a_tribal_sign_goes_by_the_operations_limit_and_the_paper_by_its_page(
    felt: Callable[..., Output], tmp_path: Path
) -> None:
    paper = tmp_path / "sign.html"
    words = ["report", "sign", "fu-bacc", "--date", "2024-01-31", "--output", str(paper)]
    assert felt(*words).status == 0
    text = paper.read_text("utf-8")
    assert "No wager is above $400, the limit of 31 January 2024 (WAC 230-15-140)." in text
    assert "size: letter;" in text
    assert felt(*words, "--tribal", "--page", "a4").status == 0
    text = paper.read_text("utf-8")
    assert "above $500, the limit of 31 January 2024 (the operation's setting, unverified as law)." in html.unescape(
        text
    )
    assert "size: A4;" in text
    assert (
        "--tribal --date 2024-01-31 --page a4"
        in json.loads(felt("report", "verify", str(paper), "--json").out)["command"]
    )
