# Everything a person does with a checkout. `make help` lists it; each target sets up what it needs.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup build test test-cpp test-python test-physics sanitize demo bench simulate lint tidy format clean

JOBS ?= $(shell nproc)
PYTHON := .venv/bin/python
BUILD := build/release
# Git knows which files are ours; a checkout without git has no build folder to confuse us either.
CPP_FILES = $(shell git ls-files -co --exclude-standard 'engine/*.[ch]pp' 'bindings/*.[ch]pp' 'tests/*.[ch]pp' 'bench/*.[ch]pp')

help:  ## what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup:  ## install the Debian packages and the Python environment that are missing
	@tools/setup.sh

$(BUILD)/CMakeCache.txt: | setup
	cmake --preset release

build: setup $(BUILD)/CMakeCache.txt  ## build the engine; then .venv/bin/finegrain is the command
	cmake --build $(BUILD) -j $(JOBS) --target _engine finegrain-engines
	@tools/install_editable.sh $(BUILD)

test: lint tidy test-cpp test-python  ## everything that proves a change: lint, clang-tidy, C++ tests, Python tests

test-cpp: build  ## unit, property, reference and parallel tests
	cmake --build $(BUILD) -j $(JOBS)
	ctest --preset release

test-python: build  ## tests of the Python package, the command line and the tools
	$(PYTHON) -m pytest -q -m 'not physics' -n $(JOBS) --dist loadfile

test-physics: build  ## drift, equipartition, ensembles; hours
	cmake --build $(BUILD) -j $(JOBS)
	ctest --preset physics
	$(PYTHON) -m pytest -q -m physics

sanitize: setup  ## the C++ tests with address, undefined-behaviour and thread sanitizers
	for preset in asan tsan; do \
	  cmake --preset $$preset && cmake --build build/$$preset -j $(JOBS) && ctest --preset $$preset; \
	done

demo: build  ## 1,000 steps of a protein in water (DHFR, 23,558 atoms) into runs/dhfr
	tools/demo.sh

bench: build  ## micro-benchmarks and the comparison with peers; results as JSON in bench/results
	@tools/setup.sh --bench
	cmake --build $(BUILD) -j $(JOBS)
	tools/bench.sh $(BUILD)

simulate: setup  ## build for machines that SimGrid simulates; two published tables into bench/results
	@tools/setup.sh --bench
	cmake --preset simulated
	cmake --build build/simulated -j $(JOBS) --target finegrain-engine-smpi neighbourhood_table transform_table
	$(PYTHON) bench/simulated/tables.py neighbourhood
	$(PYTHON) bench/simulated/tables.py transform

lint: setup  ## format, layers, lengths, house rules, ruff, mypy, spelling: all as errors
	@tools/lint.sh

tidy: setup $(BUILD)/CMakeCache.txt  ## clang-tidy on the engine and the bindings, warnings as errors
	$(PYTHON) tools/run_tidy.py --build $(BUILD) --jobs $(JOBS)

format: setup  ## rewrite C++ and Python in the house format
	.venv/bin/clang-format -i $(CPP_FILES)
	.venv/bin/ruff check --fix --select I --quiet .
	.venv/bin/ruff format --quiet .

clean:  ## remove what was built; keeps .venv and runs
	rm -rf build dist
