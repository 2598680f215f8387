# Each target does first what it needs; only Python 3.11 or newer must be there.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help setup lab test gate bench starters notebooks

help:
	@echo "make lab       open the course in JupyterLab, in the folder practice/"
	@echo "make test      style, types and tests, in minutes"
	@echo "make gate      the long proofs: browser, real Pi, hostile answers, wheel"
	@echo "make bench     measure, and print ratios"
	@echo "make starters  cut the starters anew from the reference"
	@echo "make notebooks run the notebooks again and store their outputs"
	@echo "make setup     the environment in .venv, which the others make as needed"

setup: $(READY)

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

lab: $(READY)
	$(BIN)/coursekit lab

test: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -p no:nbval -n 2 -m "not gate" tests
	$(BIN)/python -m pytest -n 2 --dist loadfile --nbval notebooks

# Two at a time only what shares nothing: browsers, kills and graded classes go alone.
gate: $(READY)
	$(BIN)/python -m pytest -p no:nbval -m gate tests --ignore tests/solutions
	$(BIN)/python -m pytest -p no:nbval -n 2 -m gate tests/solutions
	$(BIN)/python -m pytest -p no:nbval -n 2 --hypothesis-profile=gate -m "not gate" tests/session tests/context

bench: $(READY)
	for each in benchmarks/*.py; do echo "$$each"; $(BIN)/python "$$each" || exit 1; done

starters: $(READY)
	$(BIN)/python tools/starters.py

notebooks: $(READY)
	$(BIN)/python tools/notebooks.py
