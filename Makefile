# The two main commands are make demo and make test.

# Publisher of the plugin. `make release` writes these values into the zip and refuses empty ones;
# `make wheel` writes them into the wheel.
AUTHOR := The RandCrowns authors
EMAIL :=
HOMEPAGE :=
TRACKER :=
REPOSITORY :=

PYTHON := .venv/bin/python
VERSION := $(shell sed -n 's/^version=//p' metadata.txt)
ZIP := build/randcrowns-$(VERSION).zip

# Tests that judge all code and documents, whatever a change is about.
HOUSE_TESTS := $(addprefix tests/test_,architecture.py documented_pages.py house.py message_keys.py \
    plain_language.py references.py texts.py translations.py) tests/core/test_public_names.py \
    tests/core/test_given.py

.DEFAULT_GOAL := help
demo test check house pictures nightly bench simulate quick explore torture sample styles parameters: export QT_QPA_PLATFORM = offscreen
package release install wheel check-wheel: export PLUGIN_AUTHOR = $(AUTHOR)
package release install wheel check-wheel: export PLUGIN_EMAIL = $(EMAIL)
package release install wheel check-wheel: export PLUGIN_HOMEPAGE = $(HOMEPAGE)
package release install wheel check-wheel: export PLUGIN_TRACKER = $(TRACKER)
package release install wheel check-wheel: export PLUGIN_REPOSITORY = $(REPOSITORY)
.PHONY: help setup guide site paper demo test check house pictures nightly test-debian13 test-sid lint quick explore torture mutants translations bench simulate run sample styles parameters screenshots package release wheel check-wheel install clean

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F'\t' '{ printf "make %-13s %s\n", $$1, $$2 }'

setup: ## install QGIS if it is missing, and an environment in .venv
	@scripts/setup.sh

demo: setup ## score the sample plot, or your own files: make demo TARGETS=crowns.gpkg DELINEATIONS="a.gpkg b.gpkg"
	@$(PYTHON) scripts/demo.py

test: lint ## run all checks and tests on all processors, without the nightly tests (PYTEST_ARGS="-n 1" for one)
	@scripts/run_tests.sh $(PYTEST_ARGS)

check: ## run tests only, without set-up and lint: TESTS="tests/core/instances -k matching"
	$(PYTHON) -m pytest -q $(if $(findstring -n 0,$(TESTS)),,-n auto --dist loadfile) -m "not nightly" $(strip $(TESTS))

house: ## run the tests of all texts, names, message keys, imports and documents
	$(PYTHON) -m pytest -q -n auto --dist loadfile -m "not nightly" $(HOUSE_TESTS)

nightly: setup ## run the slow tests that make test leaves out: real windows, the package index
	$(PYTHON) -m pytest -m nightly $(PYTEST_ARGS)

test-debian13: ## run the tests in Debian 13 under build/ (QGIS 3.40; requires root): PARTS="layers algorithms"
	@scripts/test_in_debian.sh trixie $(PARTS)

test-sid: ## run the tests in Debian sid (QGIS 3.44, Python 3.14; requires root)
	@scripts/test_in_debian.sh sid $(PARTS)

lint: setup ## check style, types and import rules, and run the scanners of the public repository
	@scripts/lint.sh

quick: setup ## run the quick tests: core, layers and one window
	@$(PYTHON) -m pytest -q -n auto --dist loadfile -m "not nightly" tests/core tests/layers tests/test_plugin.py $(PYTEST_ARGS)

explore: setup ## run the property tests five times with new random examples, before each release (ROUNDS=20)
	@for round in $$(seq $(or $(ROUNDS),5)); do \
	    env -u CI RANDCROWNS_EXPLORE=1 $(PYTHON) -m pytest -q tests -m hypothesis --hypothesis-seed=$$(date +%N) $(PYTEST_ARGS) || exit 1; done

translations: setup ## update the translation catalogues in i18n/ from the code and compile them
	@$(PYTHON) scripts/translations.py

torture: setup ## test every guarantee of docs/reliability.md and write that page, about an hour (SEED=5 repeats a run)
	@scripts/torture.sh $(PYTEST_ARGS)

mutants: setup ## put 20 faults into each module and list those that no test detects: MODULES="core/scoring layers" SAMPLE=20 SEED=1
	@PYTHONPATH=scripts $(PYTHON) -m mutants $(MODULES) --sample $(or $(SAMPLE),20) --seed $(or $(SEED),1)

simulate: setup ## simulate the coverage of all intervals and write docs/statistics.md (EFFORT=5 for more samples)
	$(PYTHON) benchmarks/simulate.py $(or $(EFFORT),1.5)

bench: setup ## measure speed and memory next to other libraries
	@scripts/bench.sh

run: setup ## open QGIS with the plugin and the sample project
	@scripts/run.sh $(ARGS)

sample: setup ## simulate the sample plot again and write its files into resources/sample
	@PYTHONPATH=scripts $(PYTHON) -m sample

styles: setup ## write the map tips of the declared columns into resources/*.qml
	@$(PYTHON) scripts/map_tips.py

parameters: setup ## write the parameters of the algorithms for Python and the command line
	@$(PYTHON) scripts/toolbox_description.py

screenshots: setup ## make the screenshots in docs/images (PAGES="score review" for some)
	@PAGES="$(PAGES)" RANDCROWNS_IMAGES=$(CURDIR)/docs/images scripts/run.sh --code docs/screenshots.py

pictures: setup ## make pictures of pages at three widths, light and dark, without a window (PAGES=score RUN=1 SPEAK=fr)
	@PAGES="$(PAGES)" RUN="$(RUN)" SPEAK="$(SPEAK)" $(PYTHON) scripts/page_pictures.py

paper: setup ## draw the figures of the paper in paper/ with the notebooks
	@scripts/paper.sh

guide: ## build the user's guide into resources/guide
	@scripts/guide.sh

site: setup ## build the guide as a website with a list of versions into build/site
	@scripts/guide.sh site

package: ## make the plugin zip from the last commit
	@python3 scripts/package.py $(ZIP)

release: setup ## make the zip to publish, with your links, and check it like the public repository
	@python3 scripts/package.py --release $(ZIP)
	@QT_QPA_PLATFORM=offscreen RANDCROWNS_ZIP=$(CURDIR)/$(ZIP) $(PYTHON) -m pytest -q tests/test_packaging.py
	@$(PYTHON) scripts/scanners.py $(ZIP)
	@$(MAKE) check-wheel

wheel: setup ## make the wheel and the source distribution, for machines without QGIS
	@rm -f build/randcrowns-*.whl build/randcrowns-*.tar.gz
	@scripts/wheel.sh build

check-wheel: wheel ## check wheel, source distribution and licences, and install with each Python (about ten minutes)
	@scripts/release_checks.sh build

install: package ## install the plugin in your QGIS profile (QGIS_PROFILE=name or folder; default: default)
	@scripts/install.sh $(ZIP)

clean: ## remove build/ and the environment
	rm -rf build .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks
