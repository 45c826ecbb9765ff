# The two main commands: make demo, make test.
# The publisher. `make release` writes these values into the zip and refuses empty ones.
AUTHOR := The RandCrowns authors
EMAIL :=
HOMEPAGE :=
TRACKER :=
REPOSITORY :=

PYTHON := .venv/bin/python
VERSION := $(shell sed -n 's/^version=//p' metadata.txt)
ZIP := build/randcrowns-$(VERSION).zip

.DEFAULT_GOAL := help
demo test bench quick explore torture: export QT_QPA_PLATFORM = offscreen
package release install: export PLUGIN_AUTHOR = $(AUTHOR)
package release install: export PLUGIN_EMAIL = $(EMAIL)
package release install: export PLUGIN_HOMEPAGE = $(HOMEPAGE)
package release install: export PLUGIN_TRACKER = $(TRACKER)
package release install: export PLUGIN_REPOSITORY = $(REPOSITORY)
.PHONY: help setup guide demo test test-debian13 test-sid lint quick explore torture mutants translations bench run screenshots package release wheel install clean

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F'\t' '{ printf "make %-13s %s\n", $$1, $$2 }'

setup: ## install what is needed: QGIS where absent, and an environment in .venv
	@scripts/setup.sh

demo: setup ## score the sample plot, or your own files: make demo TARGETS=crowns.gpkg DELINEATIONS="a.gpkg b.gpkg"
	@$(PYTHON) scripts/demo.py

test: lint ## all checks and tests, on all processors (PYTEST_ARGS="-n 1" for one)
	$(PYTHON) -m pytest -n auto --dist loadfile $(PYTEST_ARGS)

test-debian13: ## the tests in a Debian 13 of its own under build/ (QGIS 3.40; as root): PARTS="layers algorithms"
	@scripts/test_in_debian.sh trixie $(PARTS)

test-sid: ## the same in Debian's newest (QGIS 3.44, Python 3.14)
	@scripts/test_in_debian.sh sid $(PARTS)

lint: setup ## style, types, import rules, and what the public repository scans the plugin with
	@scripts/lint.sh

quick: setup ## core, layers and one window, for while you work
	@$(PYTHON) -m pytest -q -n auto --dist loadfile tests/core tests/layers tests/test_plugin.py $(PYTEST_ARGS)

explore: setup ## the tests with examples drawn at random, with fresh ones, five times: before each release (ROUNDS=20)
	@for round in $$(seq $(or $(ROUNDS),5)); do \
	    env -u CI RANDCROWNS_EXPLORE=1 $(PYTHON) -m pytest -q tests -m hypothesis --hypothesis-seed=$$(date +%N) $(PYTEST_ARGS) || exit 1; done

translations: setup ## bring the catalogues in i18n/ up to date with the code, and compile them
	@$(PYTHON) scripts/translations.py

torture: setup ## try every promise of docs/reliability.md often, and write that page: at most half an hour (SEED=5 repeats a run)
	@scripts/torture.sh $(PYTEST_ARGS)

mutants: setup ## put faults into modules and list those the tests do not find: make mutants MODULES="core/scoring layers" SAMPLE=20 SEED=1 (20 in each)
	@PYTHONPATH=scripts $(PYTHON) -m mutants $(MODULES) --sample $(or $(SAMPLE),20) --seed $(or $(SEED),1)

bench: setup ## speed and memory against named peers
	@scripts/bench.sh

run: setup ## open QGIS with the plugin and the sample project
	@scripts/run.sh $(ARGS)

screenshots: setup ## make the pictures in docs/images anew
	@PAGES="$(PAGES)" RANDCROWNS_IMAGES=$(CURDIR)/docs/images scripts/run.sh --code docs/screenshots.py

guide: ## build the user's guide into resources/guide
	@scripts/guide.sh

package: ## make the plugin zip from the last commit
	@python3 scripts/package.py $(ZIP)

release: setup ## make the zip to publish, with your links, checked as the public repository does
	@python3 scripts/package.py --release $(ZIP)
	@QT_QPA_PLATFORM=offscreen RANDCROWNS_ZIP=$(CURDIR)/$(ZIP) $(PYTHON) -m pytest -q tests/test_packaging.py
	@$(PYTHON) scripts/scanners.py $(ZIP)

wheel: setup ## make the wheel of core and batch, for machines without QGIS
	@scripts/wheel.sh build

install: package ## put the plugin into your QGIS profile (QGIS_PROFILE=name or folder; default: default)
	@scripts/install.sh $(ZIP)

clean: ## remove build/ and the environment
	rm -rf build .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks
