"""`felt serve` as a process: one server a folder, few file handles, and a lock that dies with its process."""

import os
import resource
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import httpx
import pytest

from feltworks.check.templates import write_game
from feltworks.cli.main import main
from feltworks.cli.serve import ServeSettings, check_environment, serve
from feltworks.errors import FeltError
from feltworks.web.tables.order import NewTable
from feltworks.web.tables.rooms import Rooms

FELT = [sys.executable, "-c", "from feltworks.cli.main import run; run()", "serve"]
PATIENCE = 60.0  # seconds for a server to start on a busy machine
FEW_HANDLES = 48


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@contextmanager
def serving(data: Path, *, handles: int | None = None) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A server in a process of its own, and its address."""
    port = free_port()
    limited = (lambda: _limit_handles(handles)) if handles else None
    command = [*FELT, "--data", str(data), "--port", str(port)]
    with (
        (data.parent / "said").open("wb") as said,
        subprocess.Popen(command, stdout=said, stderr=said, preexec_fn=limited) as server,
    ):
        try:
            _wait_until_up(server, f"http://127.0.0.1:{port}", data.parent / "said")
            yield server, f"http://127.0.0.1:{port}"
        finally:
            server.kill()


def _limit_handles(handles: int) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (handles, handles))


def _wait_until_up(server: subprocess.Popen[bytes], address: str, said: Path) -> None:
    latest = time.monotonic() + PATIENCE
    while time.monotonic() < latest:
        assert server.poll() is None, said.read_text(encoding="utf-8")
        try:
            if httpx.get(f"{address}/healthz").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    pytest.fail(said.read_text(encoding="utf-8"))


def test_a_second_server_on_a_folder_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(data) as (first, address):
        command = [*FELT, "--data", str(data), "--port", str(free_port())]
        second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
        in_use = f"felt: {data} is in use by another server; stop that one or name another folder with --data"
        assert (second.returncode, second.stdout, second.stderr) == (2, "", f"{in_use}\n")
        assert httpx.get(f"{address}/healthz").status_code == 200
        first.kill()  # nothing is tidied up, and the lock is gone all the same
        first.wait()
        with serving(data) as (_, again):
            assert httpx.get(f"{again}/api/tables").json()


def test_a_port_in_use_is_one_sentence_and_leaves_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(["serve", "--data", str(tmp_path / "data"), "--port", str(port)]) == 2
    sentence = f"felt: the server cannot listen at 127.0.0.1:{port}: address already in use\n"
    assert capsys.readouterr() == ("", sentence)
    assert not (tmp_path / "data").exists()


def test_more_tables_than_file_handles_open_all_the_same(tmp_path: Path) -> None:
    data = tmp_path / "data"
    rooms = Rooms(data)
    one = rooms.open(NewTable("fu-bacc"))
    rooms.close()
    for number in range(FEW_HANDLES):
        shutil.copytree(data / "tables" / one.id, data / "tables" / f"copy{number}")
    with serving(data, handles=FEW_HANDLES) as (_, address):
        tables = {table["id"] for table in httpx.get(f"{address}/api/tables").json()}
        assert {f"copy{number}" for number in range(FEW_HANDLES)} <= tables


# Settings from a file and from the environment.


def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, *arguments: str) -> dict[str, Any]:
    """What `felt serve` makes of a settings file and arguments, without serving."""
    path = tmp_path / "serve.toml"
    path.write_text(file, encoding="utf-8")
    monkeypatch.setattr(serve, "callback", lambda **options: options)
    with serve.make_context("serve", ["--config", str(path), *arguments]) as context:
        options: dict[str, Any] = serve.invoke(context)
    return options


def test_the_command_line_comes_before_the_environment_and_that_before_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = 'port = 1001\nhost = "0.0.0.0"\nproxy = ["10.0.0.1", "10.0.0.2"]\nseat-kept = 60\ndata = "/felt"\n'
    monkeypatch.setenv("FELT_SERVE_PORT", "1002")
    monkeypatch.setenv("FELT_SERVE_SEAT_KEPT", "90")
    monkeypatch.setenv("FELT_SERVE_ALLOW_HOST", "a.example b.example")
    options = settings(tmp_path, monkeypatch, file, "--port", "1003")
    assert (options["port"], options["seat_kept"], options["host"]) == (1003, 90, "0.0.0.0")
    assert options["proxy"] == ("10.0.0.1", "10.0.0.2")
    assert options["allow_host"] == ("a.example", "b.example")
    assert (options["data"], options["unused"]) == (Path("/felt"), 3600)


@pytest.mark.parametrize("file", ["prot = 1", "port = '1'", "port =", "proxy = '10.0.0.1'"])
def test_settings_that_cannot_be_used_are_refused_in_a_sentence(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(FeltError, match=r"the settings in .*serve\.toml cannot be used: "):
        settings(tmp_path, monkeypatch, file)


@pytest.mark.parametrize(
    ("file", "right"),
    [
        ("prot = 1", "there is no setting 'prot'; did you mean port"),
        ("port = '1'", "port cannot be '1'; it takes a whole number"),
        ("demo = 1", "demo cannot be 1; it takes true or false"),
        ("host = 1", "host cannot be 1; it takes a text in quotation marks"),
        ("proxy = [1]", r"it takes a list of texts, such as \["),
        ("port = true", "it takes a whole number"),
    ],
)
def test_a_refused_setting_says_what_would_be_right(
    file: str, right: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(FeltError, match=right):
        settings(tmp_path, monkeypatch, file)


def test_a_misspelt_variable_is_refused() -> None:
    check_environment(["FELT_GAMES", "FELT_SERVE_PORT", "FELT_SERVE_CONFIG", "FELT_SERVE_WATCH"])
    with pytest.raises(FeltError, match=r"there is no setting 'FELT_SERVE_PROT'; did you mean FELT_SERVE_PORT"):
        check_environment(["FELT_SERVE_PROT"])


def test_a_port_that_the_system_chooses_is_named(tmp_path: Path) -> None:
    command = [*FELT, "--data", str(tmp_path / "data"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().decode().split()[3]
            _wait_until_up(server, address, tmp_path / "said")
        finally:
            server.terminate()


@pytest.mark.parametrize("file", ["port = 70000", "seat-kept = 1"])
def test_a_setting_out_of_range_is_refused_as_on_the_command_line(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(click.BadParameter):
        settings(tmp_path, monkeypatch, file)


def test_a_settings_file_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FeltError, match="cannot be read: No such file"):
        serve.make_context("serve", ["--config", str(tmp_path / "none.toml")])


def test_a_server_that_watches_leaves_a_broken_game_out_and_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    write_game("river-run", "one-card", folder)
    port, said = free_port(), tmp_path / "said"
    command = [*FELT, "--data", str(tmp_path / "data"), "--port", str(port), "--watch"]
    with (
        said.open("wb") as out,
        subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ, "FELT_GAMES": str(folder)}) as server,
    ):
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_until_up(server, address, said)
            assert "river-run" in {table["game"] for table in httpx.get(f"{address}/api/tables").json()}
            (folder / "river_run.py").write_text("class Broken(", encoding="utf-8")
            while "river-run" in (games := _games(address)) or not games:  # the former process may answer once more
                assert server.poll() is None
                time.sleep(0.1)
            assert "fu-bacc" in games
            assert "starts again" in said.read_text(encoding="utf-8")
            assert "river_run.py" in said.read_text(encoding="utf-8")
        finally:
            server.terminate()


def _games(address: str) -> set[str]:
    """The names of the games that are served; none while no process answers."""
    try:
        return {game["name"] for game in httpx.get(f"{address}/api/games").json()}
    except httpx.TransportError:
        return set()


def test_watching_needs_a_folder_of_games(tmp_path: Path) -> None:
    command = [*FELT, "--data", str(tmp_path / "data"), "--watch"]
    bare = {name: value for name, value in os.environ.items() if name != "FELT_GAMES"}
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE, env=bare)
    assert (ended.returncode, "FELT_GAMES" in ended.stderr) == (2, True)


def test_every_option_may_stand_in_the_file() -> None:
    keys = {name.replace("_", "-") for name in ServeSettings.__struct_fields__}
    assert keys == {param.opts[0].lstrip("-") for param in serve.params} - {"config", "watch"}
