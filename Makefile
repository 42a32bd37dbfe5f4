# The tasks of a developer. `make help` lists them; each target sets up what it needs.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup setup-dev build test check test-cpp test-python test-physics test-matrix test-nightly sanitize nightly demo demo-ab-initio bench \
  build-simulated simulate build-arm test-arm docs wheel test-wheel lint tidy tidy-changed format clean

JOBS ?= $(shell nproc)
PYTHON := .venv/bin/python
BUILD := build/release
QUICK := not physics and not nightly
ARM_TESTS := for processor in neon sve-256 sve-512; do ctest --preset arm64-$$processor || exit 1; done
# Git lists the project's files. A checkout without git has no build folder either.
CPP_FILES = $(shell git ls-files -co --exclude-standard 'engine/*.[ch]pp' 'bindings/*.[ch]pp' 'tests/*.[ch]pp' 'bench/*.[ch]pp')

help:  ## what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup:  ## install the Debian packages and the Python environment that are missing
	@tools/setup.sh

setup-dev: setup  ## the same, and what tests and checks the project
	@tools/setup.sh --dev

$(BUILD)/CMakeCache.txt: | setup
	cmake --preset release

build: setup $(BUILD)/CMakeCache.txt  ## build the engine; then .venv/bin/finegrain is the command
	cmake --build $(BUILD) -j $(JOBS) --target _engine finegrain-engines
	@tools/install_editable.sh $(BUILD)

test: lint tidy-changed test-cpp test-python  ## everything that a change must pass; some 17 minutes on two cores, once built

check: lint build  ## the daily round: lint, unit and property tests; under 4 minutes once built
	cmake --build $(BUILD) -j $(JOBS) --target finegrain-tests-unit finegrain-tests-property
	ctest --preset check
	$(PYTHON) -m pytest -q -m '$(QUICK)' -n $(JOBS) tests/python/input tests/python/tools

test-cpp: build  ## unit, property, reference and parallel tests; benchmarks are built
	cmake --build $(BUILD) -j $(JOBS) --target finegrain-tests finegrain-benchmarks
	ctest --preset release

test-python: build setup-dev  ## tests of the Python package, the command line and the tools
	$(PYTHON) -m pytest -q -m '$(QUICK)' -n $$(($(JOBS) + 1)) --dist loadfile

test-physics: build setup-dev  ## drift, equipartition, ensembles, long routes; one to two hours
	@tools/setup.sh --bench
	$(PYTHON) -m pytest -m 'physics and not matrix' -n $(JOBS) --dist worksteal

test-matrix: build setup-dev  ## with test-physics: every bath with every barostat at every interval of the pair lists; hours
	$(PYTHON) -m pytest -m matrix -n $(JOBS) --dist worksteal

wheel: setup  ## wheels that install without a compiler, into dist/; minutes after `make build`
	@tools/setup.sh --wheel
	$(PYTHON) packaging/make_wheel.py

test-wheel: wheel  ## the wheels in bare Debian 12 and 13 without a compiler, by debootstrap; needs root
	packaging/try_wheel.sh bookworm dist
	packaging/try_wheel.sh trixie dist

docs: setup  ## the manual as a site in build/site, with search and the docstrings; warnings are errors
	@tools/setup.sh --docs
	.venv/bin/mkdocs build --quiet
	@echo "open build/site/index.html"

test-nightly: build setup-dev build-simulated build-arm docs wheel  ## tests too long for `make test`: the whole matrix of processes, both MPIs, Arm, large fuzzing
	@tools/setup.sh --bench
	cmake --build $(BUILD) -j $(JOBS)
	ctest --preset nightly
	$(ARM_TESTS)
	$(PYTHON) -m pytest -m nightly

sanitize: setup  ## the C++ tests with address and undefined-behaviour sanitizers, and the thread sanitizer; hours
	cmake --preset asan && cmake --build build/asan -j $(JOBS) --target finegrain-tests && ctest --preset asan
	cmake --preset tsan && cmake --build build/tsan -j $(JOBS) --target finegrain-tests-parallel finegrain-tests-threads && \
	  ctest --preset tsan

nightly: test tidy test-nightly test-physics sanitize  ## everything but test-matrix; a scheduled job runs this once a day

demo: build  ## 1,000 steps of a protein in water (DHFR, 23,558 atoms) into runs/dhfr
	tools/demo.sh

demo-ab-initio: build  ## eight waters: ground state into runs/ice, 100 Car-Parrinello steps into runs/ice-moving
	tools/demo_ab_initio.sh

bench: build  ## micro-benchmarks and the comparison with peers; results as JSON in bench/results
	@tools/setup.sh --bench
	cmake --build $(BUILD) -j $(JOBS)
	tools/bench.sh $(BUILD)

build-simulated: setup  ## build the engine for machines that SimGrid simulates
	@tools/setup.sh --bench
	cmake --preset simulated
	cmake --build build/simulated -j $(JOBS) --target finegrain-engine-smpi neighbourhood_table transform_table

simulate: build-simulated  ## published tables on simulated machines, into bench/results; hours
	$(PYTHON) bench/simulated/tables.py neighbourhood
	$(PYTHON) bench/simulated/tables.py transform
	$(PYTHON) bench/simulated/tables.py transform --senders 8 --meshes 32 --by exchanges
	$(PYTHON) bench/simulated/tables.py volumetric
	$(PYTHON) bench/simulated/tables.py volumetric --network mesh
	$(PYTHON) bench/simulated/plot_transforms.py
	$(PYTHON) bench/simulated/ground_state_table.py --waters 8 --division 2 8 32 2 16 --nodes 8 32 64 128
	$(PYTHON) bench/simulated/ground_state_table.py --waters 32 --division 2 8 32 4 32 --nodes 32
	$(PYTHON) bench/simulated/ground_state_table.py --machine bluegene-q --division 2 8 32 4 32 --links own --nodes 1 8 32 64 128 256
	$(PYTHON) bench/simulated/dynamics_table.py --waters 8 --division 2 8 32 2 16 --links own
	$(PYTHON) bench/simulated/dynamics_table.py --waters 8 --division 2 8 32 2 16 --links own --nodes 64 --maps block hybrid hashed round-robin
	$(PYTHON) bench/simulated/dynamics_table.py --cutoff 25 --division 2 8 32 4 32 --links own --nodes 64 128
	$(PYTHON) bench/simulated/dynamics_table.py --cutoff 25 --division 2 8 32 4 32 --links own --nodes 64 --maps hashed
	$(PYTHON) bench/simulated/dynamics_table.py --division 2 8 32 4 32 --links own --nodes 64 128
	$(PYTHON) bench/simulated/plot_waters.py
	$(PYTHON) bench/simulated/classical_table.py
	$(PYTHON) bench/simulated/classical_table.py --jobs dhfr-512-midpoint --machines bluegene-l --nodes 64 128 --steps 12 44
	$(PYTHON) bench/simulated/classical_table.py --jobs dhfr-512-midpoint --machines bluegene-l --nodes 256 --steps 12 20 --seconds 6000
	$(PYTHON) bench/simulated/classical_table.py --jobs dhfr-512 dhfr-512-midpoint dhfr-512-cut \
	  membrane-512 membrane-512-midpoint membrane-512-cut \
	  --machines bluegene-l --nodes 32 128 --placements native --steps 4 12 \
	  --out bench/results/predictions/simulated_assignments.json
	$(PYTHON) bench/simulated/plot_classical.py

build-arm: setup  ## build engine and tests of kernels for 64-bit Arm, by a cross compiler
	@tools/setup.sh --arm
	cmake --preset arm64
	cmake --build build/arm64 -j $(JOBS) --target finegrain-engine finegrain-tests-simd finegrain-tests-arm64

test-arm: build setup-dev build-arm  ## kernels and short runs on an emulated Arm, with NEON and SVE
	$(ARM_TESTS)
	$(PYTHON) -m pytest -q -m nightly tests/python/engine/processes/test_arm.py

lint: setup-dev  ## format, layers, lengths, house rules, ruff, mypy, spelling: all as errors
	@tools/lint.sh

tidy: setup-dev $(BUILD)/CMakeCache.txt  ## clang-tidy on all of the engine and the bindings, warnings as errors
	$(PYTHON) tools/run_tidy.py --build $(BUILD) --jobs $(JOBS)

tidy-changed: setup-dev $(BUILD)/CMakeCache.txt  ## clang-tidy on the sources that the latest work changed
	$(PYTHON) tools/run_tidy.py --build $(BUILD) --jobs $(JOBS) --changed

format: setup-dev  ## rewrite C++ and Python in the house format
	.venv/bin/clang-format -i $(CPP_FILES)
	.venv/bin/ruff check --fix --select I --quiet .
	.venv/bin/ruff format --quiet .

clean:  ## remove what was built; keeps .venv and runs
	rm -rf build dist
