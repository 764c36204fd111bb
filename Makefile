# Every target sets up what it needs: Python 3.11 or later and make are enough.
SHELL := /bin/bash
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
READY := .venv/.ready
GAME ?= fu-bacc
# uv where present, plain pip otherwise; both take their versions from constraints.txt
INSTALL = $(if $(shell command -v uv),uv pip install --quiet --compile-bytecode --python $(BIN)/python,$(BIN)/python -m pip install --quiet --disable-pip-version-check)

.PHONY: run test check bench setup format constraints clean
.DEFAULT_GOAL := test

run: $(READY)
	@$(BIN)/felt play $(GAME)

test: check
	$(BIN)/python -m pytest -n 2

check: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/deptry src

bench: export FELT_CACHE = off
bench: $(READY)
	@set -e; for bench in benchmarks/bench_*.py; do echo "$$bench"; $(BIN)/python "$$bench"; done

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(INSTALL) --constraint constraints.txt --editable '.[dev]'
	@touch $@

format: $(READY)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

constraints: $(READY)
	uv pip compile --universal --python-version 3.11 --extra dev --upgrade --no-header --no-annotate --quiet --output-file constraints.txt pyproject.toml

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist
