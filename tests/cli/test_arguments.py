"""Arguments: what does not fit is refused, and numbers, lists and defaults arrive as they should."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.conftest import Output

Felt = Callable[..., Output]


def test_text_alone_loads_nothing_that_converts() -> None:
    program = (
        "import sys; from feltworks.cli.main import main; status = main(['audit', 'lucky-break', '--json']);"
        " sys.exit(status or 'pydantic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("analyze", "fu-bacc", "--wager", "tie", "--decks", "one"), "decks"),
        (("analyze", "fu-bacc"), "--wager"),
        (("audit", "--jason"), "--jason"),
    ],
)
def test_what_does_not_fit_is_refused_as_always(felt: Felt, words: tuple[str, ...], complaint: str) -> None:
    said = felt(*words)
    assert said.status == 2
    assert complaint in said.err


def test_numbers_lists_and_defaults_arrive(felt: Felt) -> None:
    said = felt("analyze", "acey-deucey-21", "--wager", "war", "--decks", "2", "--set", "soft17=hit", "--json")
    assert said.status == 0
    assert '"decks": 2' in said.out
    assert '"soft17": "hit"' in said.out
