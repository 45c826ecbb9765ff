#!/usr/bin/env bash
# Test every guarantee of docs/reliability.md with many random inputs and write that page. This
# takes about an hour on two processors.
# With arguments, run only the selected tests: scripts/torture.sh -k cancel
# SEED=5 repeats a run. SHARE=0.25 takes a quarter of the sizes and of the time.
# FUZZ_SECONDS=400 reads damaged files of each format for 400 s instead of 40 s, up to 100,000 files.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

RANDCROWNS_TORTURE_ROWS=$(mktemp)
RANDCROWNS_TORTURE_SEED=${SEED:-$(date +%s)}
RANDCROWNS_TORTURE_SHARE=${SHARE:-1}
export RANDCROWNS_TORTURE_ROWS RANDCROWNS_TORTURE_SEED RANDCROWNS_TORTURE_SHARE
trap 'rm -f "$RANDCROWNS_TORTURE_ROWS"' EXIT
start=$SECONDS
nice -n 5 .venv/bin/python -m pytest -q tests/torture -n 2 --dist load -p no:randomly --durations=0 "$@"
code=$?
[ $# -gt 0 ] || .venv/bin/python tests/torture/promises.py \
    "$RANDCROWNS_TORTURE_ROWS" "$RANDCROWNS_TORTURE_SEED" $((SECONDS - start))
exit "$code"
