# make build   the main job, on the sample corpora     make test    every test
# make check   format, lint, types, imports            make bench   speed, as ratios in one run
# make format  rewrites the sources                    make clean   removes what these made
# make docs    the documentation as a site that needs no network: build/site/index.html
# make test-full     what needs servers, minutes or fault injection: builds killed, models trained, Label Studio,
#                    PostgreSQL (apt-get install postgresql; each session starts its own, without it tests are skipped)
# make chaos         50 builds under faults that SEED draws: kills, full disks, damaged files (docs/cluster.md)
# make train-sample  eight tiny models from scratch on the sample release, to prove the path
# make test-gamma          gamma of spans, with its extra (582 MB)
# make test-label-studio   the exchange against a real Label Studio (docs/annotation-tools.md)

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# Four workers on two cores, since some of the time is spent waiting for servers and processes;
# files in their order: sorted by number of tests, the slowest would come last, to one worker.
# Plugins of packages that bring one, and that no test uses, are not loaded: each worker would.
PARALLEL := -n 4 --dist loadfile --no-loadscope-reorder -p no:anyio -p no:faker -p no:requests_mock
SEED ?= 1
ROUNDS ?= 50
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# Compiled modules are kept whatever the environment says: tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: build test test-full chaos check format bench docs clean train-sample test-label-studio test-gamma

build: $(VENV)/core.done
	$(BIN)/klue build data/builds/sample.yaml

test: $(VENV)/dev.done
	$(BIN)/python -m pytest $(PARALLEL) -m "not full"

test-full: $(VENV)/dev.done $(VENV)/docs.done test-label-studio test-gamma
	KLUE_EXAMPLES=full $(BIN)/python -m pytest $(PARALLEL) -m "full or hypothesis" -rs

chaos: $(VENV)/dev.done
	$(BIN)/python tests/chaos/run_chaos.py --seed $(SEED) --rounds $(ROUNDS)

train-sample: build $(VENV)/dev.done
	$(BIN)/klue train data/releases/sample/1.0.0 --task all --model scratch:tiny

check: $(VENV)/dev.done
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_imports.py

format: $(VENV)/dev.done
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/dev.done $(VENV)-bench/done
	BENCH_PYTHON=$(VENV)-bench/bin/python $(BIN)/python tests/benchmarks/keep.py $(ONLY)

docs: $(VENV)/docs.done
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build

test-label-studio: $(VENV)/dev.done $(VENV)-label-studio/done
	KLUE_LABEL_STUDIO=$(VENV)-label-studio/bin/label-studio $(BIN)/python -m pytest \
	  tests/label_studio/check_label_studio.py tests/label_studio/check_any_project.py \
	  tests/label_studio/check_editor.py tests/label_studio/check_live.py

test-gamma: $(VENV)/dev.done
	$(PIP) --editable '.[gamma]'
	$(BIN)/python -m pytest tests/agreement/test_gamma.py tests/flows/cli/test_gamma_cli.py

clean:
	rm -rf $(VENV) $(VENV)-bench $(VENV)-label-studio data/work data/releases data/runs build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; make PYTHON=/path/to/python3.11 ..."; exit 1; }
	"$(PYTHON)" -m venv $(VENV)

$(VENV)/core.done: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python tools/light_install.py
	@touch $@

$(VENV)/dev.done: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable '.[dev,dask,docs,train,crowd,postgresql]'
	@touch $@ $(VENV)/core.done

$(VENV)/docs.done: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable '.[docs]'
	@touch $@

# What benchmarks compare with has a home of its own: the project never depends on it.
$(VENV)-bench/done: tests/benchmarks/requirements.txt | $(BIN)/python
	"$(PYTHON)" -m venv $(VENV)-bench
	$(VENV)-bench/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# Label Studio has a home of its own: it pins versions that the project does not share.
$(VENV)-label-studio/done: | $(BIN)/python
	"$(PYTHON)" -m venv $(VENV)-label-studio
	$(VENV)-label-studio/bin/python -m pip install --quiet --disable-pip-version-check label-studio
	@touch $@
