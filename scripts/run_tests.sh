#!/usr/bin/env bash
# Run all tests but the nightly ones in two runs of pytest: those of QGIS, then those that import
# pyproj or pyogrio: scripts/run_tests.sh [arguments of pytest]
# pip's packages of pyproj and pyogrio bring PROJ and GDAL of their own. A process that uses these
# and those of QGIS sometimes crashes.
# The second run starts even if the first fails. The exit status is that of the first that fails.
# QGIS sometimes crashes a worker, after which most tests do not run. Then the tests that have not
# passed are run once more.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

WITH_PYPROJ=(tests/core tests/batch tests/jobs tests/command tests/report tests/page_examples
    tests/torture/test_sharing.py tests/algorithms/exchange/test_import_crowns.py
    tests/algorithms/test_files_of_several_layers.py)

# tests/conftest.py writes the tests in which a worker crashed, and those that passed.
export RANDCROWNS_CRASHED_TESTS RANDCROWNS_PASSED_TESTS
RANDCROWNS_CRASHED_TESTS=$(mktemp)
RANDCROWNS_PASSED_TESTS=$(mktemp)
trap 'rm -f "$RANDCROWNS_CRASHED_TESTS" "$RANDCROWNS_PASSED_TESTS"' EXIT

# pytest-xdist waits forever for the tests of a worker that crashed and was replaced.
run_pytest() {
    .venv/bin/python -m pytest -n auto --dist loadfile --max-worker-restart 0 -m "not nightly" "$@"
}

run_again_after_crash() {
    local status=0
    : >"$RANDCROWNS_CRASHED_TESTS"
    : >"$RANDCROWNS_PASSED_TESTS"
    run_pytest "$@" || status=$?
    if [ -s "$RANDCROWNS_CRASHED_TESTS" ]; then
        printf 'run_tests: A worker crashed, so the tests that have not passed are run. It crashed in:\n' >&2
        cat "$RANDCROWNS_CRASHED_TESTS" >&2
        status=0
        RANDCROWNS_SECOND_RUN=1 run_pytest "$@" || status=$?
    fi
    return "$status"
}

status=0
run_again_after_crash "${WITH_PYPROJ[@]/#/--ignore=}" "$@" || status=$?
run_again_after_crash "${WITH_PYPROJ[@]}" "$@" || status=$((status ? status : $?))
exit "$status"
