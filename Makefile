# Needs Python 3.11 or newer, git and make. Everything else goes into .venv.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:

VENV   := .venv
BIN    := $(VENV)/bin
PRODUCT := $(VENV)/.product
STAMP  := $(VENV)/.ready
ENGINES := $(VENV)/.engines
BROWSER := $(VENV)/.browser
POSTGRES := $(VENV)/.postgres
FUZZ_SECONDS ?= 600
PYTEST_ARGS  ?=

# The tests start this program many hundred times: what is compiled once is kept, whatever the shell thinks of that.
unexport PYTHONDONTWRITEBYTECODE

# The first interpreter that is new enough and can make an environment. Only `setup` needs it, so it is looked for then.
find_python = for name in $(PYTHON) python3 python3.13 python3.12 python3.11 python3.14 python; do \
	if "$$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
		echo "$$name"; exit 0; \
	fi; done; \
	echo "No Python 3.11 or newer with venv was found; name one: make PYTHON=/path/to/python3" >&2; exit 1

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

# Install packages $(1) and dependency groups $(2). pip 25.1 and newer read the groups themselves.
install = if $(BIN)/python -m pip install --help | grep -e '--group' >/dev/null; then \
	$(PIP) $(1) $(addprefix --group ,$(2)); \
	else $(BIN)/python tools/groups.py $(2) >$(VENV)/groups.txt && $(PIP) $(1) -r $(VENV)/groups.txt; fi

.PHONY: setup
setup: $(STAMP) ## Create .venv with everything needed

# What a user installs. The demonstration needs no more.
$(PRODUCT): pyproject.toml constraints.txt
	@test -x $(BIN)/python || { echo "creating $(VENV)"; python="$$($(find_python))" && "$$python" -m venv $(VENV); }
	@echo "installing pincite"
	@$(PIP) -e .
	@touch $@

$(STAMP): $(PRODUCT)
	@$(PIP) --upgrade 'pip>=25.1' || echo "pip cannot be upgraded: going on with the one that is there" >&2
	@echo "installing what tests and checks need"
	@$(call install,-e '.[all]',dev)
	@$(call install,,frameworks) \
		|| echo "the retrieval frameworks do not install: their adapters are tested with stand-ins only" >&2
	@$(call install,--only-binary atheris,fuzz) \
		|| echo "atheris does not install for this Python: fuzzing will use hypothesis instead" >&2
	@touch $@

# Tried once: what cannot be installed is named, and its tests are skipped.
$(BROWSER): $(STAMP) tools/browser.sh
	@sh tools/browser.sh
	@touch $@

.PHONY: browser
browser: $(STAMP) ## Install what the tests of `pincite serve` use in a real browser: Chromium, a font, axe-core
	@sh tools/browser.sh
	@touch $(BROWSER)

# Tried once: without a server the shared store is tested with SQLite only, and the tests say so.
$(POSTGRES): $(STAMP) tools/postgres.sh
	@sh tools/postgres.sh
	@touch $@

.PHONY: postgres
postgres: $(STAMP) ## Install a PostgreSQL server that the tests of the shared store start themselves
	@sh tools/postgres.sh
	@touch $(POSTGRES)

# `unit` at the gate, where CI is set, opens fewer addresses of each page.
.PHONY: test-browser
test-browser: $(STAMP) $(BROWSER) ## Open every address of every page of `pincite serve` in a real browser
	env -u CI $(BIN)/python -m pytest -n 2 --dist loadfile $(PYTEST_ARGS) tests/doors/web/browser

.PHONY: screenshots
screenshots: $(BROWSER) ## Take the pictures of `pincite serve` in the documentation
	PINCITE_SCREENSHOTS=1 $(BIN)/python -m pytest -q tests/doors/web/browser/test_screenshots.py

.PHONY: test
test: lint types contracts fuzz-brief attack-brief unit-measured unit-rest ## Everything that has to pass before a change goes in

.PHONY: lint
lint: $(STAMP) ## Style and common mistakes
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

.PHONY: types
types: $(STAMP) ## Types, strictly
	$(BIN)/mypy

.PHONY: contracts
contracts: $(STAMP) ## Which module may import which
	$(BIN)/lint-imports --no-logo

.PHONY: unit
unit: $(STAMP) $(BROWSER) $(POSTGRES) ## The tests alone
	@$(BIN)/python -m compileall -q src
	$(BIN)/python -m pytest -n 2 --dist worksteal $(PYTEST_ARGS)

# Branch coverage more than doubles what tests cost on Python 3.11, so that the gate measures these tests only.
# The rooms that count are those in [tool.coverage.run] of pyproject.toml, where the floor is, too.
MEASURED := $(addprefix tests/,checks core dialects engine/drift judge quotes sources test_conformance.py)

.PHONY: unit-measured
unit-measured: $(STAMP)
	@$(BIN)/python -m compileall -q src
	$(BIN)/python -m pytest -n 2 --dist worksteal --cov $(MEASURED)

.PHONY: unit-rest
unit-rest: $(STAMP) $(BROWSER) $(POSTGRES)
	@$(BIN)/python -m compileall -q src
	$(BIN)/python -m pytest -n 2 --dist worksteal $(addprefix --ignore=,$(MEASURED))

# Real Claude Code, Codex and Gemini CLI against a model on loopback, and VS Code in a browser: some 1.5 GB in all.
PINCITE_CLIENTS ?= $(CURDIR)/build/clients
.PHONY: test-clients
test-clients: $(STAMP) ## Try real agents and editors; npm installs them into build/clients, or PINCITE_CLIENTS=folder
	$(PIP) playwright
	@mkdir -p $(PINCITE_CLIENTS)
	@test -d $(PINCITE_CLIENTS)/node_modules/@openai/codex || npm install --silent --no-audit --no-fund --no-package-lock \
		--prefix $(PINCITE_CLIENTS) node@22 @anthropic-ai/claude-code @openai/codex @google/gemini-cli \
		|| echo "the agents do not install: their tests are skipped" >&2
	PINCITE_TEST_CLIENTS=1 PINCITE_CLIENTS=$(PINCITE_CLIENTS) PYTHONPATH=tests/clients \
		$(BIN)/python -m pytest $(PYTEST_ARGS) tests/clients

# Real PostgreSQL, real Dask, killed again and again: the short form is part of `unit`.
.PHONY: test-fleet
test-fleet: $(STAMP) $(POSTGRES) ## Kill workers, schedulers and databases of a fleet: nothing may be lost or counted twice
	PINCITE_LONG_FLEET=1 PINCITE_FLEET_KILLS=6 $(BIN)/python -m pytest $(PYTEST_ARGS) tests/fleet tests/store/shared

.PHONY: vscode
vscode: ## Package the extension for VS Code: editors/vscode/pincite.vsix; needs npm
	cd editors/vscode && npm install --no-package-lock --ignore-scripts --no-audit --no-fund && npm run check && npm run package

.PHONY: coverage
coverage: $(STAMP) $(BROWSER) $(POSTGRES) ## Branch coverage of the whole package by all tests; takes about three times as long as `unit`
	$(BIN)/python -m pytest -n 2 --dist worksteal --cov=pincite --cov-fail-under=0 $(PYTEST_ARGS)

# Installs Node and the suite into a temporary folder, which needs npm and the network; `unit` skips the test without them.
.PHONY: test-conformance
test-conformance: $(STAMP) ## The Model Context Protocol's own conformance suite against `pincite mcp`; installs it with npm
	@folder="$$(mktemp -d)" && trap 'rm -rf "$$folder"' EXIT && \
		npm install --silent --no-audit --no-fund --prefix "$$folder" node@22 @modelcontextprotocol/conformance@0.2.0-alpha.12 && \
		PINCITE_MCP_CONFORMANCE="$$folder" $(BIN)/python -m pytest -n 2 tests/doors/mcp/test_conformance_suite.py

API_EXAMPLES ?= 2000
.PHONY: test-api
test-api: $(STAMP) ## Send API_EXAMPLES requests (2000) to every operation of the REST API, fitting and not; `unit` sends a few
	PINCITE_API_EXAMPLES=$(API_EXAMPLES) $(BIN)/python -m pytest -n 2 $(PYTEST_ARGS) tests/doors/web/test_api_examples.py

.PHONY: fuzz-brief
fuzz-brief: $(STAMP)
	FUZZ_SEED=1 $(BIN)/python fuzz/run.py --seconds 15

.PHONY: attack-brief
attack-brief: $(STAMP)
	$(BIN)/python attack/run.py --brief

.PHONY: attack
attack: $(STAMP) ## Try to make pincite say something false or do harm: attempts and successes as a table
	$(BIN)/python attack/run.py

.PHONY: fuzz
fuzz: $(STAMP) ## Fuzz every parser for FUZZ_SECONDS in all (600)
	$(BIN)/python fuzz/run.py --seconds $(FUZZ_SECONDS)

.PHONY: demo
demo: $(PRODUCT) ## See pincite check and repair an example repository
	@$(BIN)/python examples/demo.py

.PHONY: demo-all
demo-all: $(PRODUCT) ## See every part of pincite at work
	@$(BIN)/python examples/demo.py --all

# Other engines that are measured beside pincite; what does not install is left out of the tables.
$(ENGINES): $(STAMP)
	@$(call install,,bench) \
		|| echo "some search engines do not install: they are left out" >&2
	@touch $@

.PHONY: bench
bench: $(ENGINES) ## Measure against the least the machine could do
	$(BIN)/python bench/run.py

.PHONY: bench-capture
bench-capture: $(STAMP) ## Measure captures against `tee`
	$(BIN)/python bench/capture.py

.PHONY: bench-fleet
bench-fleet: $(STAMP) $(POSTGRES) ## Measure 1,000 repositories, 10 million verdicts and 100,000 web sources: about 45 minutes; QUICK=1 for less
	$(BIN)/python bench/fleet.py $(if $(QUICK),--quick)

.PHONY: bench-habits
bench-habits: $(STAMP) ## Count forbidden citations in the documents of a folder: FILE=folder
	$(BIN)/python bench/habits.py $(or $(FILE),docs)

.PHONY: bench-hooks
bench-hooks: $(STAMP) ## Measure a call of an agent's hook against a bare interpreter: REPOS=repository for another one
	$(BIN)/python bench/hooks.py $(if $(REPOS),--repository $(REPOS))

.PHONY: bench-pdf
bench-pdf: $(STAMP) ## Measure the text of PDFs against the bare extractor
	$(BIN)/python bench/pdf.py

.PHONY: bench-quotes
bench-quotes: $(STAMP) ## Measure what quotes are found to be, and how fast; FILE=cases.jsonl for your own
	$(BIN)/python bench/quotes.py $(if $(FILE),--cases $(FILE) --show)

.PHONY: bench-breaks
bench-breaks: $(STAMP) ## Measure quotes over breaks of columns and pages in real papers: FILE=folder of PDFs; needs pdftotext
	$(BIN)/python bench/quote_breaks.py $(FILE)

.PHONY: bench-corpus
bench-corpus: $(STAMP) ## Measure what an absent or altered quote costs among many papers: FILE=folder of PDFs
	$(BIN)/python bench/corpus_quotes.py $(FILE)

.PHONY: bench-judge
bench-judge: $(STAMP) ## Measure who says whether a quote supports a claim: FILE=pairs.jsonl or a folder of them, MODEL=folder
	$(BIN)/python bench/judge.py $(FILE) $(if $(MODEL),--model $(MODEL))

.PHONY: bench-lsp
bench-lsp: $(STAMP) ## Measure what an editor waits for, in a repository of 5,000 documents
	$(BIN)/python bench/lsp.py

.PHONY: bench-research
bench-research: $(STAMP) ## Measure validating citations against parsing their pages: FILE=folder of HTML for your own
	$(BIN)/python bench/research.py $(if $(FILE),--pages $(FILE))

.PHONY: bench-pages
bench-pages: $(STAMP) ## Measure what planted quotes in HTML are found to be, and how fast pages are read: FILE=folder of HTML
	$(BIN)/python bench/pages.py $(if $(FILE),--pages $(FILE))

.PHONY: bench-meta
bench-meta: $(ENGINES) ## Measure what is read of titles, authors and dates: FILE=folder with cases.jsonl
	$(BIN)/python bench/meta.py $(FILE)

.PHONY: bench-anchor
bench-anchor: $(STAMP) ## Measure how often cited lines are found again: FILE=cases.jsonl REPOS=folder of repositories
	$(BIN)/python bench/anchor.py $(FILE) $(REPOS)

.PHONY: bench-claims
bench-claims: $(STAMP) ## Measure whether citations are held to their sentences: FILE=cases.jsonl REPOS=folder of repositories
	$(BIN)/python bench/claims.py $(FILE) $(REPOS)

.PHONY: bench-fetch
bench-fetch: $(STAMP) ## Measure fetching 100 pages from loopback against the ideal
	$(BIN)/python bench/fetching.py

.PHONY: bench-history
bench-history: $(STAMP) ## Measure following cited lines against `git log -p`: REPOS="repository …", work trees or bare
	$(BIN)/python bench/history.py $(REPOS)

.PHONY: bench-search
bench-search: $(ENGINES) ## Measure what searches find: FILE=folder of collections with judgements, REPOS=folder of repositories
	$(BIN)/python bench/search.py $(if $(FILE),--collections $(FILE)) $(if $(REPOS),--repos $(REPOS))

.PHONY: bench-size
bench-size: $(STAMP) ## Measure what citations cost as they become more
	$(BIN)/python bench/size.py

.PHONY: bench-suggest
bench-suggest: $(STAMP) ## Measure suggested citations against those of authors: FILE=folder of repositories <owner>+<name>/repo
	$(BIN)/python bench/suggest.py $(FILE)

.PHONY: bench-web
bench-web: $(STAMP) ## Measure what a browser waits for, with 5,000 documents and 1,000 clients
	$(BIN)/python bench/web.py

.PHONY: crash
crash: $(STAMP) ## Kill captures and fixes 200 times, indexing 100 times and research at every step, start many at once: nothing may be lost
	$(BIN)/python tests/domains/capture/crash.py
	$(BIN)/python tests/history/crash.py
	PINCITE_KILLS=100 $(BIN)/python -m pytest -q tests/domains/retrieval/test_kill.py
	PINCITE_KILLS=all $(BIN)/python -m pytest -q tests/domains/research/test_resume.py

.PHONY: prove-history
prove-history: $(STAMP) ## Hold 10,000 regions of random histories to git blame, and continued runs to fresh ones
	PYTHONPATH=tests $(BIN)/python tests/history/blame.py
	PINCITE_LONG=1 $(BIN)/python -m pytest -q tests/engine/test_warm_history.py

.PHONY: docs
docs: $(STAMP) ## Write the parts of the documentation that the program knows itself
	$(BIN)/python tools/docs.py

.PHONY: format
format: $(STAMP) ## Lay the code out as `lint` wants it
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: build
build: $(STAMP) ## Build the wheel and the source archive into dist/
	$(PIP) hatchling
	$(BIN)/python -m hatchling build

.PHONY: clean
clean: ## Remove .venv and everything that was generated
	rm -rf $(VENV) build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache fuzz/corpus fuzz/crashes
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
