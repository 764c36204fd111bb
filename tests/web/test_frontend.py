"""The browser's side: what is generated from Python is up to date."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

FRONTEND = Path(__file__).parents[2] / "frontend"
BIN = FRONTEND / "node_modules" / ".bin"
sys.path.append(str(FRONTEND))

import generate  # noqa: E402 (a script beside the sources it writes)

ADVICE = "it is out of date: run make types"


def test_the_shape_of_the_table_is_that_of_the_papers() -> None:
    assert json.loads(generate.STAGE.read_bytes()) == json.loads(generate.stage_json()), ADVICE
    assert json.loads(generate.LAYOUTS.read_bytes()) == json.loads(generate.layouts_json()), ADVICE


def test_the_types_of_the_wire_are_those_of_the_server(tmp_path: Path) -> None:
    if not BIN.is_dir():
        pytest.fail("the packages of the browser's side are missing: run make pages", pytrace=False)
    schema, types = tmp_path / "wire.json", tmp_path / "wire.d.ts"
    schema.write_bytes(generate.wire_schema())
    command = [BIN / "openapi-typescript", schema, "--default-non-nullable=false", "--output", types]
    subprocess.run(command, check=True, capture_output=True, cwd=FRONTEND)
    settings = ["--config", FRONTEND / ".prettierrc.json", "--log-level=warn", "--write", types]
    subprocess.run([BIN / "prettier", *settings], check=True, capture_output=True, cwd=FRONTEND)
    assert types.read_text() == (FRONTEND / "src" / "wire" / "wire.d.ts").read_text(), ADVICE
