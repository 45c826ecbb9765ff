#!/usr/bin/env bash
# Runs every benchmark, or those named: scripts/bench.sh scoring offsets. Goes on after one that fails, and says so.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ $# -gt 0 ]; then
    files=("${@/#/benchmarks/bench_}")
    files=("${files[@]/%/.py}")
else
    shopt -s nullglob
    files=(benchmarks/bench_*.py)
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
