# What one can do here: `make` alone lists it.

PYTHON = python3
BIN = .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
# nbgrader calls its helpers by their bare names.
IN_VENV = PATH="$(CURDIR)/$(BIN):$$PATH"
PYTEST = $(IN_VENV) pytest -n 2 --dist loadgroup

help:
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile

lab: venv    ## open the lessons in JupyterLab; your copies are in my_course/
	@$(IN_VENV) mha lab

test: tools  ## run the everyday tests, for two or three minutes
	@$(PYTEST) -m "not slow and not nightly" $(ARGS)

test-slow: tools  ## run the slow tests too, as CI does
	@$(PYTEST) -m "not nightly" $(ARGS)

test-all: tools  ## run every test, for some hours, as every night
	@$(PYTEST) $(ARGS)

build: venv  ## make the notebooks from the lessons' texts
	@$(IN_VENV) mha build

book: press  ## make the lessons with solutions as a site: book/build/site/index.html
	@$(IN_VENV) mha book

lint: tools  ## look for slips, lines that are not formatted, wrong types, and imports the wrong way
	@$(IN_VENV) ruff check
	@$(IN_VENV) ruff format --check
	@$(IN_VENV) lint-imports --no-cache
	@$(IN_VENV) mypy

judgement: tools ## count what the judge accepts, rejects and names
	@$(IN_VENV) python tests/support/judgement.py

bench: tools ## measure how fast
	@for file in benchmarks/*.py; do $(IN_VENV) python "$$file" || exit; done

venv:
	@$(PYTHON) tools/set_up.py

press:
	@$(PYTHON) tools/set_up.py book

tools:
	@$(PYTHON) tools/set_up.py test

.PHONY: help lab test test-slow test-all build book lint judgement bench venv press tools
