#!/usr/bin/env bash
# Run all tests but the nightly ones in two runs of pytest: those of QGIS, then those that import
# pyproj or pyogrio: scripts/run_tests.sh [arguments of pytest]
# pip's packages of pyproj and pyogrio bring PROJ and GDAL of their own. A process that uses these
# and those of QGIS sometimes crashes.
# The second run starts even if the first fails. The exit status is that of the first that fails.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

WITH_PYPROJ=(tests/core tests/batch tests/jobs tests/command tests/report tests/page_examples
    tests/torture/test_sharing.py tests/algorithms/exchange/test_import_crowns.py
    tests/algorithms/test_files_of_several_layers.py)

# pytest-xdist waits forever for the tests of a worker that crashed and was replaced.
run_pytest() {
    .venv/bin/python -m pytest -n auto --dist loadfile --max-worker-restart 0 -m "not nightly" "$@"
}

status=0
run_pytest "${WITH_PYPROJ[@]/#/--ignore=}" "$@" || status=$?
run_pytest "${WITH_PYPROJ[@]}" "$@" || status=$((status ? status : $?))
exit "$status"
