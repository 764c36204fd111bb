"""Games without a cloth of their own look right by default: many offers, long names, boards, wagers placed together."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

from feltworks import catalog
from tests.browser.boxes import findings
from tests.browser.robot import LOOKS, Robot
from tests.browser.seat import Seat
from tests.conftest import forget_games
from tests.web.player import Visitor
from tests.web.serving import served

EXAMPLES = Path(__file__).parents[2] / "examples"
# the most offers, the longest names, wagers placed together, the longest title
LOOKED_AT = {"punto-banco": "desk", "ultimate-holdem": "desk dark", "let-it-ride": "phone", "blackjack-sides": "desk"}


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that offers the games of the gallery too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(catalog.GAME_FOLDERS, str(EXAMPLES))
        forget_games()
        with served(tmp_path_factory.mktemp("gallery")) as address:
            yield address
    forget_games()


@pytest.mark.parametrize("game", LOOKED_AT)
def test_a_game_of_one_s_own_is_dealt_with_one_tap_and_nothing_overlaps(
    gallery: str, arrives: Callable[..., Page], game: str
) -> None:
    look = next(look for look in LOOKS if look.name == LOOKED_AT[game])
    page = arrives(
        base_url=f"http://{gallery}",
        viewport={"width": look.width, "height": look.height},
        color_scheme=look.scheme,
    )
    with closing(Visitor(gallery, "Opener")) as opener:
        table = opener.opens(game, private=True, practice=True)
    robot = Robot(page, Random(game))
    robot.sit(table)
    robot.check_looks()
    robot.deal_at_once()
    assert not robot.faults


def test_on_a_phone_cards_to_be_chosen_lie_beside_the_choices(gallery: str, arrives: Callable[..., Page]) -> None:
    page = arrives(base_url=f"http://{gallery}", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    with closing(Visitor(gallery, "Opener")) as opener:
        table = opener.opens("draw-poker", private=True, practice=True)
    player = Seat(page).sits(f"/table/{table}").deals()
    expect(player.choices).to_contain_text("Draw: stand or discard?")
    for card in player.choices.locator(".cards button").all():
        card.tap()
    assert not findings(page)
    player.chooses("Discard")
    expect(player.choices).to_contain_text("Round settled")
