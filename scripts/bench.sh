#!/usr/bin/env bash
# Runs every benchmark and writes docs/performance.md, or only prints those named: scripts/bench.sh scoring offsets.
# Goes on after one that fails, says so, and then leaves the page as it is.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ $# -gt 0 ]; then
    files=("${@/#/benchmarks/bench_}")
    files=("${files[@]/%/.py}")
else
    shopt -s nullglob
    files=(benchmarks/bench_*.py)
    RANDCROWNS_BENCH_ROWS=$(mktemp)
    export RANDCROWNS_BENCH_ROWS
    trap 'rm -f "$RANDCROWNS_BENCH_ROWS"' EXIT
fi
failed=()
for file in "${files[@]}"; do
    printf '\n== %s\n' "$file"
    .venv/bin/python "$file" || failed+=("$file")
done
[ ${#failed[@]} -eq 0 ] || {
    printf '\nfailed: %s\n' "${failed[*]}" >&2
    exit 1
}
[ $# -gt 0 ] || {
    printf '\n== all of it, also in docs/performance.md\n'
    .venv/bin/python benchmarks/table.py "$RANDCROWNS_BENCH_ROWS"
}
