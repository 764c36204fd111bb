"""Planted errors: each is found by `felt audit` or `felt report verify` under its own name, and nothing else is."""

import re
import shutil
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from feltworks import catalog
from feltworks.analysis.audit.audit import Audit, departures
from feltworks.reports import proof
from feltworks.reports.order import Order, PaperRequest
from feltworks.reports.paper import make_paper
from feltworks.reports.proof import PACKAGE
from feltworks.reports.verification import verify_paper
from tests.conftest import Output, forget_games
from tests.reports.conftest import DAY

SHIPPED = Path(str(files("feltworks") / "rulebooks"))
BOOKS = [  # file, what is changed, into what, the entry that is named
    # the rulebook: title, cards, wagers, pays, options, clauses, sentences
    ("acey-deucey-21", 'title = "Acey Deucey 21"', 'title = "Acey Deucey"', "title is"),
    ("acey-deucey-21", '"higher" = "1 to 1"', '"higher" = "2 to 1"', "pay_table.war.1.pays.higher is"),
    ("acey-deucey-21", '"equal" = "lose half"', '"equal" = "lose"', "pay_table.war.2.pays.equal is"),
    ("acey-deucey-21", "second_card_decides = false", "second_card_decides = true", "war.2.switches.second_card"),
    ("acey-deucey-21", '"three of a kind suited" = 3 }', '"three of a kind suited" = 4 }', "needs_decks"),
    ("acey-deucey-21", "may_raise_pair = false", "may_raise_pair = true", "acey-deucey.1B.switches.may_raise_pair"),
    ("spanish-poker", 'smallest_seed = "$500"', 'smallest_seed = "$100"', "meter.jackpot.smallest_seed is"),
    ("spanish-poker", 'from = "$5,000"', 'from = "$50,000"', "meter.jackpot.backups.from is"),
    ("spanish-poker", "most_wagers = 3", "most_wagers = 4", "most_wagers is"),
    ("spanish-poker", "jokers = 1", "jokers = 2", "cards.jokers is"),
    ("spanish-poker", "pair of sixes or better", "pair of fives or better", "clause.SP.8 is"),
    ("spanish-poker", "approved = [false]", "approved = [false, true]", "option.spanish-poker.wheel.approved"),
    ("fu-bacc", "the Ante loses and the Play pushes", "both push", "clause.FB.7 is"),
    ("fu-bacc", '"natural 8" = "3 to 2"', '"natural 8" = "6 to 5"', "pay_table.ante.1.pays.natural 8 is"),
    ("fu-bacc", 'times = "2"', 'times = "3"', "wager.play.times is"),
    ("fu-bacc", 'values = ["stays", "loses"]', 'values = ["loses", "stays"]', "rescue-tie.values[0]"),
    ("fu-bacc", "default = 7", "default = 6", "option.spots.default is"),
    ("fu-bacc", 'text = "A folded hand ends', 'text = "Such a hand ends', '].text is "Such a hand ends'),
    ("fu-bacc", "count 52 before", "count 51 before", "].text is"),
    ("fu-bacc", "A ten and a five total 5; a two", "A ten and a six total 5; a two", "example[1].text is"),
    ("lucky-break", '"5+" = 50, "4" = 10, "3" = 2', '"5+" = 60, "4" = 10, "3" = 2', "factors.5+ is"),
    ("lucky-break", "tokes = true", "tokes = false", "wager.lucky-break.tokes is"),
    ("lucky-lucky", '"19" = "2 to 1"', '"19" = "3 to 1"', "pay_table.lucky-lucky.1.pays.19 is"),
    ("blackjack", '"no dealer blackjack" = "lose"', '"no dealer blackjack" = "push"', "pays.no dealer blackjack is"),
    # the approval
    ("fu-bacc", 'submission = "3049"', 'submission = "3050"', "approval.submission is"),
    ("acey-deucey-21", "date = 2008-02-19", "date = 2008-02-20", "approval.date is"),
    ("spanish-poker", 'of = "operator"\ntext = "Any', 'of = "owner"\ntext = "Any', "approval.conditions[3].of is"),
    (
        "acey-deucey-21",
        '{ of = "operator", text = "Any aggregate payout limit keeps to the commission\'s rules.", clause = "WA.4" },',
        "",
        'approval.conditions lacks {"of":"operator","text":"Any aggregate',
    ),
    # readings, printed figures and evidence
    ("acey-deucey-21", "A winning War pays 1 to 1.", "A winning War pays even money.", "reading[1].settles is"),
    ("fu-bacc", 'option = "fu-bacc.rescue-ten"', 'option = "fu-bacc.rescue-tie"', "reading[2].option is"),
    ("fu-bacc", 'alternatives = ["The Tie loses with the rescue."]\n', "", "reading[7].alternatives"),
    ("acey-deucey-21", 'figure = "2.99%"', 'figure = "2.89%"', "published[2].figure is"),
    ("acey-deucey-21", "is free rolling", "may fold", "evidence[0].text is"),
    # the law, whatever game is audited
    ("washington", 'value = "$400"', 'value = "$500"', "law.wager-limit[3].value is"),
    ("washington", "from = 2023-08-19", "from = 2022-08-19", "law.wager-limit[3].from is"),
    ("washington", "value = 9", "value = 12", "law.seats[1].value is"),
    ("washington", 'value = "per deal"', 'value = "per player"', "law.aggregate-method[1].value is"),
    ("washington", 'value = "$25,000"', 'value = "$250,000"', "law.reserve-above[0].value is"),
    ("washington", "No wager exceeds the limit", "No main wager exceeds the limit", "clause.WA.1 is"),
]
SOURCES = [  # a file of the program, what is changed, into what
    ("games/fu_bacc.py", "Hand", "Hand "),
    ("hands/baccarat.py", "10", "11"),
    ("bonus/war.py", "higher", "lower"),
    ("money.py", "numerator", "denominator"),
    ("analysis/figures.py", "100", "101"),
    ("analysis/solvers/counts.py", "sum", "max"),
    ("machine/walk.py", "perm", "comb"),
    ("house/configuration.py", "5_00", "6_00"),
    ("reports/templates/sign.html.j2", "h1", "h2"),
    ("rulebooks/washington.toml", "$400", "$500"),
]


def plant(folder: Path, name: str, before: str, after: str) -> None:
    text = (SHIPPED / f"{name}.toml").read_text("utf-8")
    assert before in text
    (folder / f"{name}.toml").write_text(text.replace(before, after, 1), "utf-8")
    forget_games()


@pytest.mark.clause("WA.3")
@pytest.mark.parametrize(("name", "before", "after", "named"), BOOKS, ids=[f"{b[0]}: {b[3]}" for b in BOOKS])
def test_a_change_of_a_book_is_named(own_games: Path, name: str, before: str, after: str, named: str) -> None:
    plant(own_games, name, before, after)
    audited = {"blackjack": "lucky-break", "washington": "fu-bacc"}.get(name, name)
    listed = departures([audited])
    assert any(named in words for words in listed[audited if name == "blackjack" else name]), listed
    assert not Audit((), (), (), {}, listed).agrees


@pytest.mark.parametrize("name", ["fu-bacc", "washington"])
def test_the_command_names_it_in_text_and_json_and_by_its_status(
    own_games: Path, felt: Callable[..., Output], name: str
) -> None:
    assert felt("audit", "fu-bacc").status == 0
    before, after = {"fu-bacc": ("3049", "3050"), "washington": ('"$400"', '"$500"')}[name]
    plant(own_games, name, before, after)
    text, document = felt("audit", "fu-bacc"), felt("audit", "fu-bacc", "--json")
    assert (text.status, document.status) == (1, 1)
    listed = msgspec.json.decode(document.out)["departures"][name]
    assert len(listed) == 1
    assert " ".join(listed[0].split()) in " ".join(text.out.split())


@pytest.mark.clause("WA.3")
def test_a_rules_file_of_ones_own_is_named(own_games: Path, felt: Callable[..., Output]) -> None:
    source = (PACKAGE / "games" / "fu_bacc.py").read_text("utf-8")
    (own_games / "fu_bacc.py").write_text(source + "\n# one line more\n", "utf-8")
    forget_games()
    document = felt("audit", "fu-bacc", "--json")
    assert document.status == 1
    deviations = msgspec.json.decode(document.out)["deviations"]
    assert deviations == {"fu-bacc": ["the rules file fu_bacc.py is not the approved one"]}


def test_an_untouched_tree_raises_no_alarm(own_games: Path, felt: Callable[..., Output]) -> None:
    for path in SHIPPED.glob("*.toml"):
        shutil.copy(path, own_games)
    forget_games()
    assert departures(list(catalog.games())) == {}
    document = felt("audit", "fu-bacc", "--json")
    assert document.status == 0
    assert msgspec.json.decode(document.out)["deviations"] == {}


@cache
def sign() -> bytes:
    return make_paper(PaperRequest("sign", (Order("fu-bacc", DAY),))).html().encode()


@pytest.fixture(scope="module")
def copied_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of the program, for changes that leave the program itself alone."""
    folder = tmp_path_factory.mktemp("program") / "feltworks"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("*.js", "*.css", "*.svg", "*.pyc", "*.woff2"))
    return folder


@pytest.mark.parametrize(("place", "before", "after"), SOURCES, ids=[each[0] for each in SOURCES])
def test_a_change_of_the_program_is_named_by_its_file(
    copied_program: Path, monkeypatch: pytest.MonkeyPatch, place: str, before: str, after: str
) -> None:
    content = sign()
    monkeypatch.setattr(proof, "PACKAGE", copied_program)
    assert verify_paper(content).agrees
    text = (copied_program / place).read_text("utf-8")
    assert before in text
    try:
        (copied_program / place).write_text(text.replace(before, after, 1), "utf-8")
        differences = verify_paper(content).differences
    finally:
        (copied_program / place).write_text(text, "utf-8")
    assert [each.says for each in differences] == [f"{place} differs"]


@pytest.mark.parametrize("name", ["fu-bacc", "washington"])
def test_a_paper_names_the_changed_part_of_a_book_of_ones_own(own_games: Path, name: str) -> None:
    content = sign()
    before, after = {"fu-bacc": ('"tie" = "7 to 1"', '"tie" = "8 to 1"'), "washington": ('"$400"', '"$500"')}[name]
    plant(own_games, name, before, after)
    says = [each.says for each in verify_paper(content).differences if each.part == "rules"]
    assert says == [{"fu-bacc": "rulebook: pay_table differs", "washington": "law: wager-limit differs"}[name]]


def test_more_than_39_errors_are_planted() -> None:
    assert len({re.sub(r"\s", "", str(each)) for each in (*BOOKS, *SOURCES)}) >= 39
