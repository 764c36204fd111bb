"""The operator's files: units, proxies with TLS, the image, and the commands that the guide types as root."""

import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import psycopg
import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from feltworks.cli.serve import read_settings
from tests.conftest import Output
from tests.docs.pages import blocks
from tests.house.servers import postgresql
from tests.web.player import Tab

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
GUIDE = "docs/how-to/operate.md"
FELT = Path(sys.executable).with_name("felt")
PATIENCE = 60.0
PROXIES = ["caddy", "nginx"]
SOURCE = "X-Felt-Source"
MACHINES = ["127.0.0.2", "127.0.0.3"]  # loopback has as many addresses as a test needs machines


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@contextmanager
def running(command: list[str | Path], **settings: object) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **settings) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.terminate()


# systemd


def test_the_units_are_sound(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    assert analyze, "systemd-analyze is needed: `make system` installs it"
    for path in DEPLOY.glob("felt*.service"):
        unit = path.read_text(encoding="utf-8").replace("/usr/local/felt/bin/felt-backup", str(DEPLOY / "felt-backup"))
        unit = unit.replace("/usr/local/felt/bin/felt", str(FELT))
        (tmp_path / path.name).write_text(unit, encoding="utf-8")
    shutil.copy(DEPLOY / "felt-backup.timer", tmp_path)
    units = sorted(tmp_path.iterdir())
    verified = subprocess.run([analyze, "verify", "--man=no", *units], capture_output=True, text=True, check=False)
    ours = [line for line in verified.stderr.splitlines() if "felt" in line]
    assert (verified.returncode, ours) == (0, [])


def test_the_settings_of_the_unit_are_known() -> None:
    assert set(read_settings(DEPLOY / "serve.toml")) >= {"public_url", "proxy", "metrics", "data"}


# TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a certificate for localhost and its key."""
    folder = tmp_path_factory.mktemp("tls")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "90"]
    files = ["-keyout", folder / "key.pem", "-out", folder / "certificate.pem"]
    subprocess.run([*command, *names, *files], check=True, capture_output=True)
    return folder


@contextmanager
def proxy(name: str, folder: Path, certificate: Path, port: int, *servers: str) -> Iterator[None]:
    """The documented proxy, with another port, name and certificate; its answers say which server gave them."""
    if name == "caddy":
        tls = f"{certificate / 'certificate.pem'} {certificate / 'key.pem'}"
        text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
        source = f"header_down {SOURCE} {{http.reverse_proxy.upstream.hostport}}"
        text = text.replace("lb_policy", f"{source}\n\t\tlb_policy")
        config = folder / "Caddyfile"
        config.write_text(f"{{\n\tadmin off\n\tauto_https disable_redirects\n}}\n{text}", encoding="utf-8")
        own = {
            "FELT_SITE": f"https://localhost:{port}",
            "FELT_TLS": tls,
            "FELT_SERVER": " ".join(servers),
        }
        command = ["caddy", "run", "--config", config, "--adapter", "caddyfile"]
        environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin", **own}
        with running([shutil.which("caddy") or "caddy", *command[1:]], env=environment):
            yield
        return
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    text = text.replace("443", f"127.0.0.1:{port}")
    text = text.replace("server 127.0.0.1:8000;", "".join(f"server {server};" for server in servers))
    text = text.replace("proxy_buffering off;", f"proxy_buffering off; add_header {SOURCE} $upstream_addr always;")
    text = text.replace("cards.example", "localhost").replace("/etc/ssl/felt", str(certificate))
    kept = "".join(f"    {at}_temp_path {folder};\n" for at in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    whole = f"daemon off;\npid {folder}/pid;\nevents {{}}\nhttp {{\n    access_log off;\n{kept}{text}}}\n"
    (folder / "nginx.conf").write_text(whole, encoding="utf-8")
    log = f"{folder}/error.log"
    with running([shutil.which("nginx") or "nginx", "-e", log, "-c", folder / "nginx.conf"]):
        yield


def test_a_visitor_comes_through_each_proxy_over_tls(
    tmp_path: Path, certificate: Path, felt: Callable[..., Output]
) -> None:
    """One server behind both: each proxy takes the same visit, and the doctor examines each."""
    missing = [name for name in PROXIES if not shutil.which(name)]
    assert not missing, f"{missing} are needed: `make system` installs them"
    ports, inside, figures = {name: free_port() for name in PROXIES}, free_port(), free_port()
    config = tmp_path / "serve.toml"
    settings = (DEPLOY / "serve.toml").read_text(encoding="utf-8").replace("8000", str(inside))
    settings = settings.replace("https://cards.example", f"https://localhost:{ports['nginx']}")
    settings = settings.replace("9108", str(figures)).replace("/var/lib/felt/data", str(tmp_path / "data"))
    config.write_text(settings, encoding="utf-8")
    with running([FELT, "serve", "--config", config]) as server, ExitStack() as stack:
        for name, port in ports.items():
            (tmp_path / name).mkdir()
            stack.enter_context(proxy(name, tmp_path / name, certificate, port, f"127.0.0.1:{inside}"))
        for port in ports.values():
            _visit(port, certificate)
            trust = ["--certificates", str(certificate / "certificate.pem")]
            url = f"https://localhost:{port}"
            examined = felt("doctor", "--data", str(tmp_path / "data"), "--public-url", url, *trust)
            assert examined.status == 0, examined.out
            assert "is healthy, and browsers stay on TLS" in examined.out
        assert "felt_tables " in httpx.get(f"http://127.0.0.1:{figures}/metrics").text
        server.terminate()
        assert server.wait(timeout=PATIENCE) in (0, -signal.SIGTERM)  # uvicorn ends by the signal itself


def _visit(port: int, certificate: Path) -> None:
    """A browser's first requests and a tab at a table; the metrics are not for the public."""
    url = f"https://localhost:{port}"
    trusted = ssl.create_default_context(cafile=str(certificate / "certificate.pem"))
    with httpx.Client(base_url=url, verify=trusted) as browser:
        me = _wait_for(browser, "/api/me")
        assert all("; secure" in cookie.lower() for cookie in me.headers.get_list("set-cookie"))
        assert me.headers["strict-transport-security"].startswith("max-age=")
        table = browser.get("/api/tables").json()[0]["id"]
        live = f"wss://localhost:{port}/api/tables/{table}/live"
        with connect(live, ssl=trusted, origin=url, proxy=None) as tab:  # type: ignore[arg-type]
            assert tab.recv(timeout=PATIENCE)
        assert browser.get("/metrics").status_code == 404


def _wait_for(browser: httpx.Client, path: str) -> httpx.Response:
    latest = time.monotonic() + PATIENCE
    while True:
        try:
            answer = browser.get(path)
            if answer.status_code == 200 or time.monotonic() > latest:
                return answer
        except httpx.TransportError:
            assert time.monotonic() < latest
        time.sleep(0.1)


# Several machines behind one proxy, with one database.


@contextmanager
def machine(address: str, port: int, database: str, url: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server on a machine of its own: it ends as a machine does that loses its power."""
    trusted = [word for other in ("127.0.0.1", *MACHINES) for word in ("--proxy", other)]
    at = ["--host", address, "--port", str(port), "--relay", address, "--public-url", url, *trusted]
    server = subprocess.Popen([FELT, "serve", "--workers", "1", "--database", database, *at], process_group=0)
    try:
        yield server
    finally:
        with suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def test_all_of_a_table_goes_to_one_machine_and_its_hand_survives_that_machine(
    tmp_path: Path, certificate: Path
) -> None:
    trusted = ssl.create_default_context(cafile=str(certificate / "certificate.pem"))
    ports, inside = {name: free_port() for name in PROXIES}, free_port()
    url = f"https://localhost:{ports['nginx']}"
    with ExitStack() as stack:
        database = stack.enter_context(postgresql())
        machines = {at: stack.enter_context(machine(at, inside, database, url)) for at in MACHINES}
        browsers = {}
        for name, port in ports.items():
            (tmp_path / name).mkdir()
            servers = [f"{at}:{inside}" for at in MACHINES]
            stack.enter_context(proxy(name, tmp_path / name, certificate, port, *servers))
            browsers[name] = stack.enter_context(httpx.Client(base_url=f"https://localhost:{port}", verify=trusted))
        for at in MACHINES:
            _wait_for(stack.enter_context(httpx.Client(base_url=f"http://{at}:{inside}")), "/healthz")
        tables = [table["id"] for table in _wait_for(browsers["nginx"], "/api/tables").json()]
        for browser in browsers.values():
            names = [*tables, *(f"no-table-{number}" for number in range(12))]  # five alone may all fall to one machine
            sources = {table: _sources(browser, table) for table in names}
            assert all(len(found) == 1 for found in sources.values())
            assert set.union(*sources.values()) == {f"{at}:{inside}" for at in MACHINES}
        browser = browsers["nginx"]
        browser.get("/api/me")
        table = _open_table(browser)
        with _tab(ports["nginx"], table, browser, trusted) as tab:
            tab.do("sit", spot=1, stack=100_000)
            tab.do("wager", spot=1, wagers={"ante": 1000})
            tab.do("ready")
            hand = tab.view["seats"]
        ((owner,),) = _rows(database, "SELECT host FROM felt_live.game_table t JOIN felt_live.process p ON p.id = owner"
                            " WHERE t.id = %s", table)  # fmt: skip
        os.killpg(machines[owner].pid, signal.SIGKILL)
        for port in ports.values():
            assert _come_back(port, table, browser, trusted) == hand


def _sources(browser: httpx.Client, table: str) -> set[str]:
    paths = [f"/api/tables/{table}", f"/api/tables/{table}/proof"] * 3
    return {browser.get(path).headers[SOURCE] for path in paths}


def _open_table(browser: httpx.Client) -> str:
    token = {"x-csrftoken": browser.cookies["csrftoken"]}
    return str(browser.post("/api/tables", json={"game": "fu-bacc"}, headers=token).json()["id"])


@contextmanager
def _tab(port: int, table: str, browser: httpx.Client, trusted: ssl.SSLContext) -> Iterator[Tab]:
    carried = {"Cookie": "; ".join(f"{name}={value}" for name, value in browser.cookies.items())}
    url = f"wss://localhost:{port}/api/tables/{table}/live"
    with connect(url, ssl=trusted, additional_headers=carried, proxy=None) as socket:
        yield Tab(socket)


def _come_back(port: int, table: str, browser: httpx.Client, trusted: ssl.SSLContext) -> object:
    """The seats as a browser finds them again, which connects until it is told."""
    latest = time.monotonic() + PATIENCE
    while True:
        try:
            with _tab(port, table, browser, trusted) as tab:
                return tab.view["seats"]
        except (OSError, WebSocketException):
            assert time.monotonic() < latest
            time.sleep(0.1)


def _rows(database: str, sql: str, *values: object) -> list[tuple[object, ...]]:
    with psycopg.connect(database) as connection:
        return connection.execute(sql, values).fetchall()  # type: ignore[call-overload, no-any-return]


# The guide as root, on a machine that is a folder.

STAND_INS = """
for name in apt-get adduser systemctl chown; do eval "$name() {{ echo $name \\"\\$@\\" >> {log}; }}"; done
python3() {{ mkdir -p "$3/bin"; ln -s {felt} "$3/bin/felt"; ln -s /bin/true "$3/bin/pip"; }}
install() {{ command install $(printf '%s\\n' "$@" | grep -v -e '^--owner' -e '^--group'); }}
"""


def test_the_commands_of_the_guide_install_every_file(tmp_path: Path) -> None:
    machine, log = tmp_path / "machine", tmp_path / "log"
    installing, starting = blocks(GUIDE, "console")[:2]
    commands = re.sub(r"(?<![\w.])/(etc|usr/local|var)/", rf"{machine}/\1/", f"{installing}\n{starting}")
    script = STAND_INS.format(log=log, felt=FELT) + commands
    done = subprocess.run(["bash", "-e", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    installed = {path.name for path in machine.rglob("*") if path.is_file()}
    assert installed >= {
        "serve.toml",
        "felt.service",
        "felt-backup.service",
        "felt-backup.timer",
        "Caddyfile",
    }
    unit = (machine / "etc/systemd/system/felt.service").read_text(encoding="utf-8")
    started = re.search(r"^ExecStart=(\S+) serve --config (\S+)$", unit, re.MULTILINE)
    assert started is not None
    assert all((machine / path.lstrip("/")).exists() for path in started.groups())
    assert "systemctl enable --now felt.service felt-backup.timer" in log.read_text(encoding="utf-8")


def test_every_file_of_the_folder_is_in_the_guide() -> None:
    guide = (ROOT / GUIDE).read_text(encoding="utf-8")
    assert all(f"deploy/{path.name}" in guide for path in DEPLOY.iterdir())


# The image


def test_the_image_runs_without_root_and_is_watched() -> None:
    for path in ("Makefile", "docs/how-to/operate.md"):  # images of the other format have no health check
        assert "--format docker --file deploy/Containerfile" in (ROOT / path).read_text(encoding="utf-8")
    lines = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    steps = [line.split(None, 1) for line in lines if line and not line.startswith("#")]
    names = [name for name, _ in steps]
    assert names[0] == "FROM"
    assert "latest" not in steps[0][1]
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert dict(steps)["USER"] not in ("0", "root")
    assert "/healthz" in dict(steps)["HEALTHCHECK"]
    assert "ADD" not in names
    variables = dict(pair.split("=") for pair in dict(steps)["ENV"].split())
    assert {name for name in variables if name.startswith("FELT_SERVE_")} == {
        "FELT_SERVE_HOST",
        "FELT_SERVE_DATA",
    }


# The wheel and what it needs


def _pins(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9._-]+)==([^ ;\\\n]+)", text, re.MULTILINE))


def test_the_browser_side_is_installed_from_its_lock_file() -> None:
    asked = json.loads((ROOT / "frontend/package.json").read_text(encoding="utf-8"))
    lock = json.loads((ROOT / "frontend/package-lock.json").read_text(encoding="utf-8"))
    kinds = ("dependencies", "devDependencies")
    assert {kind: lock["packages"][""].get(kind) for kind in kinds} == {kind: asked.get(kind) for kind in kinds}
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert packages
    assert [name for name, entry in packages.items() if "integrity" not in entry] == []
    assert "--no-package-lock" not in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_every_dependency_is_pinned_with_the_hashes_of_its_files() -> None:
    hashed, pinned = _pins("hashes.txt"), _pins("constraints.txt")
    assert {name: pinned[name] for name in hashed} == hashed
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["all"]]
    assert {re.split(r"[^a-z0-9-]", need)[0] for need in needed} <= hashed.keys()
    text = (ROOT / "hashes.txt").read_text(encoding="utf-8")
    assert all("--hash=sha256:" in entry for entry in re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:])
    assert "://" not in text  # no address of anybody's index


def test_the_wheel_works_without_the_repository_and_is_made_alike_twice(tmp_path: Path) -> None:
    built = []
    for name in ("first", "second"):
        command = [FELT.with_name("uv"), "build", "--quiet", "--wheel", "--out-dir", tmp_path / name, ROOT]
        subprocess.run(command, check=True, capture_output=True)
        (wheel,) = (tmp_path / name).glob("*.whl")
        built.append(wheel.read_bytes())
    assert built[0] == built[1]
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    port = free_port()
    program = "import feltworks, sys; sys.stderr.write(feltworks.__file__)\nfrom feltworks.cli.main import run; run()"
    command = [sys.executable, "-c", program, "serve", "--port", str(port), "--data", tmp_path / "data"]
    said = tmp_path / "said"
    with (
        said.open("wb") as errors,
        subprocess.Popen(
            command, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path / "installed")}, stderr=errors
        ) as server,
        httpx.Client(base_url=f"http://127.0.0.1:{port}") as browser,
    ):
        try:
            assert _wait_for(browser, "/readyz").status_code == 200
            page = browser.get("/").text
            script = re.search(r'src="(/assets/[^"]+)"', page)
            assert script is not None
            assert browser.get(script[1]).status_code == 200
            assert len(browser.get("/api/games").json()) >= 5
        finally:
            server.terminate()
    assert str(tmp_path / "installed") in said.read_text(encoding="utf-8")
