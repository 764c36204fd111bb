"""Papers as files: whole, the same every time, changed with the rules, and honest on every page."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.abc import MetaPathFinder
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from feltworks import __version__, catalog
from feltworks.reports import paper as printing
from feltworks.reports.order import HouseSettings, Order, PaperRequest, identity
from feltworks.reports.paper import Paper, make_paper
from feltworks.reports.par import Par
from feltworks.reports.wager_sheet import wager_sheet
from tests.conftest import Output, forget_games
from tests.reports.conftest import DAY, paper_of

LEAST_FILLED = 0.4  # of every page but the last
SHIPPED = Path(str(files("feltworks") / "rulebooks"))


def changed_book(folder: Path, before: str, after: str) -> None:
    """A copy of Fu Bacc's rulebook with one thing changed, where the catalog finds it first."""
    text = (SHIPPED / "fu-bacc.toml").read_text(encoding="utf-8")
    assert before in text
    (folder / "fu-bacc.toml").write_text(text.replace(before, after), encoding="utf-8")


def test_a_changed_pay_table_changes_the_paper(own_games: Path) -> None:
    changed_book(own_games, '"monkeys against 9" = "30 to 1"', '"monkeys against 9" = "35 to 1"')
    order = Order("fu-bacc", DAY)
    assert "35 to 1" in paper_of("sign", order).html()
    assert "35 to 1" in [row.pays for row in wager_sheet(order, "lucky-monkey").rows]
    html = paper_of("audit", order).html()
    assert "2.2624\u00a0%" in html  # 480 of 66,300 hands pay five more
    assert "5.8824\u00a0%" not in html


@pytest.mark.clause("WA.3")
def test_a_rulebook_that_differs_from_the_approved_one_is_not_as_approved(own_games: Path) -> None:
    before = identity(Order("fu-bacc", DAY))
    changed_book(own_games, '"tie" = "7 to 1"', '"tie" = "8 to 1"')
    forget_games()
    html = paper_of("rack-card", Order("fu-bacc", DAY)).html()
    assert "the rulebook differs from the approved one in its pay table" in html
    assert '"NOT AS APPROVED"' in html
    assert before.as_approved
    assert before.short not in html


def test_a_comment_in_a_copied_rulebook_is_no_deviation(own_games: Path) -> None:
    changed_book(own_games, "[clause]", "# read again\n[clause]")
    assert "Not as approved" not in paper_of("sign", Order("fu-bacc", DAY)).html()


@pytest.mark.clause("WA.3")
def test_an_option_off_the_approved_sheet_marks_every_page(felt: Callable[..., Output], tmp_path: Path) -> None:
    words = ["--set", "wheel=true", "--date", "2024-01-31", "--output", str(tmp_path / "sign.html"), "--json"]
    said = json.loads(felt("report", "sign", "spanish-poker", *words).out)
    assert not said["as_approved"]
    assert 'content: "NOT AS APPROVED"' in (tmp_path / "sign.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("own_games")
def test_the_same_inputs_give_the_same_bytes(
    felt: Callable[..., Output], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Printed by two processes: another hash seed, the other end of the world's clocks, no locale; and set twice.

    Casino War is the smallest game with decisions, plots, a simulation and several wagers on its PAR sheet.
    """
    words = ["--rounds", "20000", "--seed", "7", "--date", "2024-01-31", "--output"]
    command = ["report", "par", "casino-war", *words]
    monkeypatch.setenv(catalog.GAME_FOLDERS, str(catalog.examples_folder()))
    program = f"from feltworks.cli.main import main; raise SystemExit(main({[*command, 'there']}))"
    far = {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    for folder in (tmp_path / "here", tmp_path / "there"):
        folder.mkdir()
    other = {**os.environ, **far, "PYTHONHASHSEED": "1"}
    with subprocess.Popen([sys.executable, "-c", program], cwd=tmp_path, env=other) as elsewhere:
        assert felt(*command, str(tmp_path / "here")).status == 0
    assert elsewhere.returncode == 0
    for name in ("par-casino-war.html", "par-casino-war.pdf"):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()


def test_the_day_may_come_from_a_reproducible_build(
    felt: Callable[..., Output], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1706659200")
    path = tmp_path / "sign.html"
    assert json.loads(felt("report", "sign", "fu-bacc", "--output", str(path), "--json").out)["date"]
    assert "31 January 2024" in path.read_text(encoding="utf-8")


def test_every_page_says_version_fingerprint_and_play_money_and_nothing_runs_out_of_it(fu_bacc: Par) -> None:
    from weasyprint import HTML  # type: ignore[import-untyped]

    order = Order("fu-bacc", DAY)
    sheet = Paper("par-fu-bacc", "PAR sheet", fu_bacc.identity, {"par": fu_bacc}, PaperRequest("par", (order,)))
    papers = [paper_of("sign", order), paper_of("rack-card", order), sheet]
    for paper in papers:
        pages = HTML(string=paper.html()).render().pages
        assert [n for n, page in enumerate(pages[:-1], 1) if _filled(page) < LEAST_FILLED] == []
        for page in pages:
            boxes = list(boxes_of(page._page_box))
            said = " ".join(getattr(box, "text", "") or "" for box in boxes)
            assert paper.identity.short in said
            assert f"Feltworks {__version__}" in said
            assert "Play money" in said
            edge = page.width - page._page_box.margin_right + 1
            texts = [box for box in boxes if getattr(box, "text", "")]
            assert [box.text for box in texts if box.position_x + box.width > edge] == []


@pytest.mark.parametrize(("game", "size"), [("acey-deucey-21", "letter"), ("lucky-lucky", "a4"), ("fu-bacc", "a4")])
def test_a_rack_card_fits_the_two_sides_of_a_card(game: str, size: str) -> None:
    from weasyprint import HTML

    card = make_paper(PaperRequest("rack-card", (Order(game, DAY),), page=size))
    assert len(HTML(string=card.html()).render().pages) == 2


def _filled(page: Any) -> float:
    """How far down the words of a page reach, as a part of its height without its foot."""
    end = page.height - page._page_box.margin_bottom
    texts = [box for box in boxes_of(page._page_box) if getattr(box, "text", "") and box.position_y < end]
    return float(max(box.position_y for box in texts) / end)


def boxes_of(box: Any) -> Iterator[Any]:
    """A laid-out page and all that lies on it, its margins included."""
    yield box
    for child in getattr(box, "children", ()):
        yield from boxes_of(child)


@pytest.mark.clause("WA.1", "WA.4")
def test_a_sign_above_the_law_is_refused(felt: Callable[..., Output], tmp_path: Path) -> None:
    words = ["--limit", "ante=5-300", "--date", "2024-01-31", "--output", str(tmp_path)]
    said = felt("report", "sign", "fu-bacc", *words)
    assert said.status == 2
    assert "may not be posted: Ante up to $300 is above $200" in said.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.clause("WA.4", "SP.15")
def test_a_sign_posts_limits_payout_limit_jackpot_and_disputes() -> None:
    order = Order("spanish-poker", DAY, {"offers": "ante,dos-pares,gran-progressive"}, jackpot=1_234_567)
    house = HouseSettings(name="Test Room", dispute="Ask the shift manager.", aggregate={"dos-pares": 50_000_00})
    html = paper_of("sign", order, house=house).html()
    for words in (
        "Test Room",
        "$1 to $200",
        "$12,345.67",
        "$50,000 a deal",
        "Ask the shift manager.",
        "1/4 of the",
    ):
        assert words in html


class NoPango(MetaPathFinder):
    """WeasyPrint is installed, and the libraries that it loads are not."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == "weasyprint":
            raise OSError("cannot load library 'libpango-1.0-0'")


@pytest.mark.parametrize("lacks", [printing.PACKAGES, "pip install 'feltworks[pdf]'"])
def test_without_the_libraries_html_is_written_and_one_sentence_says_what_is_missing(
    felt: Callable[..., Output], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacks: str
) -> None:
    if lacks == printing.PACKAGES:
        monkeypatch.delitem(sys.modules, "weasyprint", raising=False)
        monkeypatch.setattr(sys, "meta_path", [NoPango(), *sys.meta_path])
    else:
        monkeypatch.setitem(sys.modules, "weasyprint", None)
    said = felt("report", "sign", "fu-bacc", "--date", "2024-01-31", "--output", str(tmp_path))
    assert said.status == 2
    assert lacks in said.err
    assert said.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["sign-fu-bacc.html"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["par", "fu-bac"], "no game 'fu-bac'"),
        (["par", "fu-bacc", "--jackpot", "500"], "Fu Bacc has no jackpot"),
        (["sign", "spanish-poker", "--pay-table", "2"], "a wager and its table"),
        (["sign", "fu-bacc", "--date", "yesterday"], "written like 2024-01-31"),
        (["strategy-card", "fu-bacc", "--output", "nowhere/at/all"], "an existing folder"),
    ],
)
def test_what_makes_no_sense_is_refused_before_any_work(
    words: list[str], sentence: str, felt: Callable[..., Output]
) -> None:
    said = felt("report", *words)
    assert said.status == 2
    assert sentence in said.err


def test_no_paper_holds_what_changes_from_run_to_run() -> None:
    html = paper_of("sign", Order("fu-bacc", DAY)).html()
    assert not re.search(r"\d\d:\d\d:\d\d|0x[0-9a-f]{6,}", html)
    assert catalog.rulebook("fu-bacc").title in html
