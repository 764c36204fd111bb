"""The pages keep their word: what they show is run, and where they point there is something."""

import contextlib
import io
import re

import msgspec
import pytest

from feltworks.settling import settle_line
from tests.docs.pages import ROOT, blocks, page

PAGES = ["README.md", *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("docs/**/*.md")))]


def test_the_readme_plays_the_round_it_shows() -> None:
    (code,) = blocks("README.md", "python")
    (printed,) = blocks("README.md", "text")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "README.md", "exec"), {})
    assert said.getvalue() == printed


@pytest.mark.parametrize("name", PAGES)
def test_written_rounds_on_a_page_can_be_settled(name: str) -> None:
    for line in blocks(name, "json"):
        assert "error" not in settle_line(line)


def test_the_tutorial_tells_what_its_round_brings() -> None:
    (written,) = blocks("docs/tutorial/first-hand.md", "json")
    assert _nets(written) == {"ante": 1000, "tie": -500, "play": 2000}
    nine = written.replace('"5d"', '"9d"')
    assert _nets(nine) == {"ante": -1000, "tie": -500, "play": -2000}
    assert _nets(nine.replace('"hit"', '"bonus"'))["ante"] == 2000
    assert "may not choose rescue" in settle_line(nine.replace('"hit"', '"rescue"'))["error"]


def _nets(written: str) -> dict[str, int]:
    lines = settle_line(msgspec.json.encode(msgspec.json.decode(written)))["seats"][0]["lines"]
    return {line["wager"]: line["net"] for line in lines}


@pytest.mark.parametrize("name", PAGES)
def test_links_of_a_page_lead_somewhere(name: str) -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", page(name))
    missing = [target for target in targets if not ((ROOT / name).parent / target).exists()]
    assert missing == []
