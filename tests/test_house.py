"""The house is in order: nothing in it names a machine, points to a registry or was left behind."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import feltworks

ROOT = Path(__file__).parents[1]


def tracked() -> list[Path]:
    """Every file that git keeps, or would."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [path for name in names if name and (path := ROOT / name).is_file()]


def lines_with(pattern: str, *suffixes: str) -> list[str]:
    """Where a pattern stands in the files we keep; this file, which has to name them, is left out."""
    wanted = re.compile(pattern)
    return [
        f"{path.relative_to(ROOT)}:{number}"
        for path in tracked()
        if path != Path(__file__) and (not suffixes or path.suffix in suffixes)
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="ignore").splitlines(), 1)
        if wanted.search(line)
    ]


def test_no_file_names_a_path_of_a_machine() -> None:
    assert lines_with(r"(^|[^\w.])/(work|farm|root|home|opt)/") == []


def test_no_file_holds_a_registry_address() -> None:
    assert lines_with(r"https?://[^\s/]*(pypi|pythonhosted|npmjs|debian)|index-url|find-links") == []


def test_no_lock_file_with_addresses_is_kept() -> None:
    assert {path.name for path in tracked()}.isdisjoint({"uv.lock", "pylock.toml"})


def test_nothing_was_left_behind() -> None:
    assert lines_with(r"\b(TODO|FIXME|XXX)\b|NotImplementedError", ".py", ".toml", ".md") == []


def test_no_test_is_skipped_or_expected_to_fail() -> None:
    assert lines_with(r"pytest\.(mark\.)?(skip|skipif|xfail|importorskip)\b", ".py") == []


def test_every_module_opens_with_a_sentence() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in tracked()
        if path.suffix == ".py" and not path.read_text(encoding="utf-8").startswith('"""')
    ]
    assert silent == []


def test_constraints_pin_every_dependency_and_nothing_of_ours() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(package for extra in extras for package in extra)]
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {pin.partition("==")[0] for pin in pins if "==" in pin}
    assert len(pins) == len([pin for pin in pins if re.match(r"[a-z0-9-]+==[\w.]+( ; .+)?$", pin)])
    assert {re.split(r"[<>=\[]", name)[0] for name in wanted} <= pinned
    assert "feltworks" not in pinned


def test_the_version_is_told_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == feltworks.__version__


@pytest.mark.parametrize("target", ["run", "test", "check", "bench"])
def test_make_sets_up_what_a_target_needs(target: str) -> None:
    planned = subprocess.run(
        ["make", "--dry-run", "--always-make", target], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "--constraint constraints.txt --editable '.[all,dev]'" in planned.stdout


def test_ci_runs_the_same_tests_as_people_do() -> None:
    script = ROOT / ".ci" / "run"
    assert "make test" in script.read_text(encoding="utf-8").splitlines()
    assert script.stat().st_mode & 0o111
