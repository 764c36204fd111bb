"""The command line as a whole: it finds its commands, says what is wrong in one sentence, and is quick."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import feltworks
from feltworks.cli import main
from tests.conftest import Output

Felt = Callable[..., Output]


def test_commands_are_found_by_their_file_names() -> None:
    for name, command in main.felt.every_command().items():
        assert command.name == name
        assert main.felt.places[name].endswith(f".{name.replace('-', '_')}:{name.replace('-', '_')}")


def test_every_command_has_a_summary_of_one_line() -> None:
    for command in main.felt.every_command().values():
        summary = command.get_short_help_str(62)
        assert summary == (command.help or "").partition("\n")[0]  # so it is not cut
        assert summary.endswith(".")


def test_without_words_the_commands_are_listed(felt: Felt) -> None:
    said = felt()
    assert said.status == 0
    assert all(name in said.out for name in main.felt.places)


def test_the_version_is_told(felt: Felt) -> None:
    assert felt("--version") == (0, f"feltworks {feltworks.__version__}\n", "")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nonsense"], "there is no command 'nonsense'; it may be analyze, audit, "),
        (["anaylze"], "there is no command 'anaylze'; did you mean analyze?"),
        (["games", "whist"], "there is no game 'whist'; it may be "),
        (["games", "--loud"], "--loud"),
        (["games", "fu-bacc", "too-much"], "too-much"),
        (["trace", "ZZ.1"], "there is no clause 'ZZ.1'; it may be "),
    ],
)
def test_bad_input_gets_one_sentence_and_status_2(felt: Felt, words: list[str], sentence: str) -> None:
    said = felt(*words)
    assert (said.status, said.out) == (2, "")
    assert sentence in said.err
    assert said.err.count("\n") == 1


def test_a_fault_of_its_own_names_the_place_and_shows_no_traceback(felt: Felt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feltworks.catalog.games", lambda: 1 // 0)
    said = felt("games")
    assert said.status == main.OWN_FAULT
    assert "ZeroDivisionError" in said.err
    assert "test_main.py, line " in said.err
    assert said.err.count("\n") == 1


def test_a_fault_is_shown_whole_to_whoever_asks(felt: Felt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feltworks.catalog.games", lambda: 1 // 0)
    monkeypatch.setenv(main.DEBUG, "1")
    assert "Traceback" in felt("games").err


def test_a_damaged_rulebook_is_named_with_its_key(felt: Felt, own_games: Path) -> None:
    (own_games / "broken.toml").write_text('title = "Broken"\ngame = "broken"\ndecks = "two"\n')
    said = felt("games", "broken")
    assert (said.status, said.out) == (2, "")
    assert "broken.toml" in said.err
    assert "decks" in said.err


def test_a_reader_who_stops_listening_hears_nothing_more() -> None:
    command = f"'{sys.executable}' -c 'from feltworks.cli.main import run; run()' games --json | head -c 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("{", "")


def test_help_imports_nothing_heavy() -> None:
    """The 0.3 s that `felt --help` may take leave no room for arrays, statistics or the games."""
    lines = [
        "import sys",
        "from feltworks.cli.main import main",
        "main(['--help'])",
        "print(sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)",
        "print(sorted(sys.modules), file=sys.stderr)",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert "games" in done.stdout
    for heavy in (
        "numpy",
        "scipy",
        "numba",
        "rich",
        "cryptography",
        "feltworks.catalog",
        "feltworks.dealing",
    ):
        assert f"'{heavy}'" not in done.stderr
