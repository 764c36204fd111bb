"""Long work tells how far it has come: never backwards, up to the whole, and without changing the answer."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze, situations_of
from feltworks.analysis.documents import cached_answer
from feltworks.analysis.progress import Track, part_of
from feltworks.analysis.question import parse_question
from feltworks.analysis.referee import Referee
from feltworks.cards import Shoe, cards
from tests.designs import COLOURS, write

LEFT = cards("2c 2d 3h 3s 5c 6d 7h 8s 9c Td")


class News:
    """What was told, as parts of the whole."""

    def __init__(self) -> None:
        self.parts: list[float] = []

    def __call__(self, done: float, total: float) -> None:
        self.parts.append(done / total)


@pytest.fixture(params=["casino-war", "colours"])
def asked(casino_war: Path, request: pytest.FixtureRequest) -> Question:
    """A game that is compiled, or one that reads cards and is walked, asked for its ante with few cards."""
    write(casino_war, COLOURS)
    game = catalog.game(request.param)
    exposed = game.terms.shoe.without(LEFT).all_cards()
    return Question(game, "ante", exposed=exposed)


def check_told_in_order(news: News, least: int = 11) -> None:
    assert len(news.parts) >= least
    assert news.parts == pytest.approx(sorted(news.parts))
    assert news.parts[-1] == pytest.approx(1)


def test_the_walk_of_an_unknown_game_tells_of_itself(asked: Question) -> None:
    news = News()
    told = situations_of(asked, news)
    check_told_in_order(news)
    assert told == situations_of(asked)


def test_an_analysis_hands_the_news_on(asked: Question) -> None:
    news = News()
    assert analyze(asked, news).figures == analyze(asked).figures
    check_told_in_order(news)


def test_the_referee_alone_tells_of_itself_and_finds_the_same() -> None:
    game, news = catalog.game("fu-bacc"), News()
    shoe = Shoe(Counter(LEFT))
    r = game.open_round([{"tie": 100}])
    told = Referee(game, shoe, wagers=["tie"], progress=news).law(r)
    check_told_in_order(news)
    assert told == Referee(game, shoe, wagers=["tie"]).law(r)


def test_branches_nobody_watches_go_by_untouched() -> None:
    assert list(Track().branches([(3, "a"), (1, "b")])) == [(3, "a"), (1, "b")]


def test_small_twigs_are_no_news() -> None:
    news = News()
    list(Track(news).branches([(1, twig) for twig in range(10_000)]))
    assert news.parts == []


def test_pieces_of_work_tell_of_the_whole() -> None:
    news = News()
    second = part_of(news, 1, 4)
    assert second is not None
    second(1, 2)
    assert news.parts == [0.375]
    assert part_of(None, 1, 4) is None


@pytest.mark.parametrize(
    "asked", [{"beside": ["lucky-break"]}, {"by_size": "500,1500"}], ids=["two wagers of a spot", "sizes"]
)
def test_what_a_document_takes_besides_the_analysis_is_told_of(asked: dict[str, Any]) -> None:
    rules = ["chip=100", "max-hands=1"]
    exposed = " ".join(f"{rank}{suit}" for rank in "2345678" for suit in "cdhs")
    news = News()
    question = parse_question("lucky-break", "blackjack", decks=1, chosen=rules, exposed=exposed, **asked)
    cached_answer("lucky-break", question, news)
    check_told_in_order(news, least=3)
