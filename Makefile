# The two commands to know: make demo, make test.
PYTHON := .venv/bin/python
VERSION := $(shell sed -n 's/^version=//p' metadata.txt)
ZIP := build/randcrowns-$(VERSION).zip

.DEFAULT_GOAL := help
demo test bench: export QT_QPA_PLATFORM = offscreen
.PHONY: help setup demo test lint bench run screenshots package wheel install clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F'\t' '{ printf "make %-11s %s\n", $$1, $$2 }'

setup: ## install what is needed: QGIS where absent, and an environment in .venv
	@scripts/setup.sh

demo: setup ## score the sample plot, or your own files: make demo TARGETS=crowns.gpkg DELINEATIONS="a.gpkg b.gpkg"
	@$(PYTHON) scripts/demo.py

test: lint ## all checks and tests (faster with two processors free: PYTEST_ARGS="-n 2 --dist loadfile")
	$(PYTHON) -m pytest $(PYTEST_ARGS)

lint: setup ## style, types and import rules
	@scripts/lint.sh

bench: setup ## speed and memory against named peers
	@scripts/bench.sh

run: setup ## open QGIS with the plugin and the sample project
	@scripts/run.sh $(ARGS)

screenshots: setup ## make the pictures in docs/images anew
	@PAGES="$(PAGES)" RANDCROWNS_IMAGES=$(CURDIR)/docs/images scripts/run.sh --code docs/screenshots.py

package: ## make the plugin zip from the last commit
	@scripts/package.sh $(ZIP)

wheel: setup ## make the wheel of core and batch, for machines without QGIS
	@scripts/wheel.sh build

install: package ## put the plugin into your QGIS profile (QGIS_PROFILE=name or folder; default: default)
	@scripts/install.sh $(ZIP)

clean: ## remove build/ and the environment
	rm -rf build .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks
