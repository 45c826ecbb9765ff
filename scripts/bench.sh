#!/usr/bin/env bash
# Run every benchmark and write docs/performance.md and the table in README.md.
# With arguments, only print the named benchmarks: scripts/bench.sh scoring outlines
# If a benchmark fails, the others still run, but the page is not written.
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
    printf '\n== all rows, also in docs/performance.md\n'
    .venv/bin/python benchmarks/table.py "$RANDCROWNS_BENCH_ROWS"
}
