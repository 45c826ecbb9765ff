#!/usr/bin/env bash
# Check style, types and the import rules of pyproject.toml, and run the scanners of the public
# plugin repository.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

.venv/bin/python -m ruff check .
.venv/bin/python -m ruff format --check --quiet .
.venv/bin/codespell
python3 scripts/check_commit_message.py

# Scan the zip of the last commit. This runs in the background while mypy checks the types.
scan() {
    if [ ! -e .git ]; then
        echo "scanners: skipped, because the zip is made from a git commit and this folder is not a git checkout"
        return
    fi
    # Not a local variable: the trap runs when the function has ended.
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    python3 scripts/package.py "$folder/randcrowns.zip" >/dev/null
    .venv/bin/python scripts/scanners.py "$folder/randcrowns.zip"
}
scan &
scanners=$!
trap 'wait "$scanners"' EXIT

# The type hints of numpy 1 and numpy 2 differ; no code satisfies both.
if .venv/bin/python -c 'import numpy, sys; sys.exit(numpy.__version__.startswith("1.") is False)'; then
    .venv/bin/python -m mypy
else
    echo "types: skipped; they are checked with numpy 1 (Debian 12)"
fi
PYTHONPATH=.venv/plugins .venv/bin/lint-imports --no-cache
wait "$scanners"
