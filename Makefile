# make                     set up .venv, evaluate the mini datasets, show the table
# make results/FILE        any target: restore, then snakemake, which records what it made
# make everything          all tables of all datasets
# make test | test-all     the tests | and the long ones
# make check               formats and lints
# make live                ask the small model again for the mini dataset's replies, and show what differs
# make local               torch, for local models (client: transformers) and large encoders
# make bench               the measurements
# make lock                requirements.lock anew from pyproject.toml (needs uv)

SHELL := bash
VENV  := .venv
READY := $(VENV)/ready
TABLE := results/jeebench-mini_table2.csv
# The first Python that is new enough; `make PYTHON=/path/to/python3` takes another.
PYTHON ?= $(firstword $(foreach p,python3 python3.13 python3.12 python3.11,$(shell \
	$(p) -c 'import sys; sys.version_info >= (3, 11) and print("$(p)")' 2>/dev/null)))

export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: first-run everything live local test test-all check bench lock FORCE
.NOTPARALLEL: # one run at a time works in a directory

first-run: $(READY)
	@evaltrail restore default
	@snakemake --quiet host rules
	@evaltrail show $(TABLE)
	@printf '\nThis table: %s\nAll tables on one page: results/report.html\n' $(TABLE)

define restore-and-run
@evaltrail restore $@
@snakemake --quiet host rules -- $@
endef

results/% data/%: $(READY) FORCE
	$(restore-and-run)

everything: $(READY)
	$(restore-and-run)

live: $(READY)
	@evaltrail restore default
	@snakemake --quiet host rules
	python tests/live.py

# Not in the lock: which build of torch is right depends on the machine.
local: $(READY)
	@pip install --quiet torch==2.13.0 peft==0.21.2 gguf==0.19.0 accelerate==1.15.0 sentence-transformers==6.2.0

$(READY): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "evaltrail needs Python 3.11 or newer; give it as make PYTHON=..." >&2; exit 1; }
	@echo "installing into $(VENV), about a minute and a half"
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --no-deps --require-hashes -r requirements.lock
	$(VENV)/bin/pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

test: $(READY)
	python -m pytest -n auto -m "not long" tests

test-all: $(READY)
	python -m pytest -n auto tests

check: $(READY)
	ruff check
	ruff format --check
	snakefmt --check Snakefile workflow
	.ci/lint

bench: $(READY)
	python bench/diff.py
	python bench/log.py
	python bench/openai.py
	python bench/drop.py
	python bench/stop.py
	python bench/gscore.py

lock:
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-header --quiet -o requirements.lock
