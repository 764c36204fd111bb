"""What monitoring asks: alive, ready, and the figures, each true when it says so."""

import shutil
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from feltworks.errors import BadOption
from feltworks.web import health
from feltworks.web.app import create_app
from feltworks.web.connections import public_address
from feltworks.web.health import metrics_server, parse_address
from tests.web.serving import served

Usage = namedtuple("Usage", "free")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question is answered afresh."""
    monkeypatch.setattr(health, "FRESH_SECONDS", -1.0)


def test_a_server_in_order_is_alive_and_ready(tmp_path: Path) -> None:
    with served(tmp_path) as address:
        alive, ready = (httpx.get(f"http://{address}/{name}") for name in ("healthz", "readyz"))
        assert (alive.status_code, alive.json()["status"]) == (200, "ok")
        assert (ready.status_code, ready.json()["status"]) == (200, "ready")
        assert set(ready.json()["checks"]) == {"disk", "tables", "space", "books", "workers"}
        assert not (tmp_path / "probe").exists()


def test_a_disk_that_takes_nothing_is_no_health(tmp_path: Path) -> None:
    with served(tmp_path / "data") as address:
        (tmp_path / "data" / "probe").mkdir()  # where the test line is written
        for name in ("healthz", "readyz"):
            answer = httpx.get(f"http://{address}/{name}")
            assert answer.status_code == 503
            assert "the data folder cannot be written" in answer.text


def test_a_data_folder_that_is_gone_is_neither_alive_nor_ready(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with served(data) as address:
        data.rename(tmp_path / "elsewhere")
        try:
            for name in ("healthz", "readyz"):
                answer = httpx.get(f"http://{address}/{name}")
                assert (answer.status_code, "the data folder" in answer.text) == (503, True), answer.text
        finally:
            (tmp_path / "elsewhere").rename(data)


def test_a_nearly_full_disk_is_alive_and_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(tmp_path) as address:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(free=10 << 20))
        assert httpx.get(f"http://{address}/healthz").status_code == 200
        ready = httpx.get(f"http://{address}/readyz")
        assert (ready.status_code, ready.json()["status"]) == (503, "not ready")
        assert ready.json()["checks"]["space"] == "10 MB are free; 64 MB are needed"


def test_books_that_cannot_be_read_are_alive_and_not_ready(tmp_path: Path) -> None:
    (tmp_path / "house.sqlite").write_bytes(b"no books at all, but a file that is long enough" * 90)
    with served(tmp_path) as address:
        assert httpx.get(f"http://{address}/healthz").status_code == 200
        ready = httpx.get(f"http://{address}/readyz")
        assert ready.status_code == 503
        assert ready.json()["checks"]["books"]
        assert ready.json()["notices"] == 1


def test_a_table_that_waits_for_the_disk_is_no_health(tmp_path: Path) -> None:
    app = create_app(tmp_path)
    app.state.rooms.by_id["stalled"] = SimpleNamespace(is_stalled=True)
    (trouble,) = [check.trouble for check in app.state.health.liveness() if check.trouble]
    assert trouble == "1 tables wait for the disk in the middle of a round"


def test_figures_are_served_on_an_address_of_their_own(tmp_path: Path) -> None:
    with served(tmp_path, address=public_address(public_url="http://cards.example")) as address:
        app_figures = httpx.get(f"http://{address}/metrics", headers={"host": "cards.example"})
        assert app_figures.status_code == 404  # not for the public

    app = create_app(tmp_path)
    state = app.state
    state.rooms.open_one_of_each()
    with metrics_server(state, ("127.0.0.1", 0)) as port:
        text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    figures = dict(line.rsplit(" ", 1) for line in text.splitlines() if line.startswith("felt_"))
    assert float(figures["felt_tables"]) == len(state.rooms.by_id)
    assert figures["felt_players"] == figures["felt_rounds_total"] == "0.0"
    assert figures['felt_check{name="disk"}'] == "1.0"


@pytest.mark.parametrize("written", ["9108", ":9108", "localhost:", "localhost:http", "localhost:65536"])
def test_what_is_no_address_is_refused(written: str) -> None:
    with pytest.raises(BadOption, match="a host and a port"):
        parse_address("--metrics", written)
