#!/usr/bin/env bash
# Style, types, the import rules of pyproject.toml, and what the public repository scans the plugin with.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

.venv/bin/python -m ruff check .
.venv/bin/python -m ruff format --check --quiet .
.venv/bin/codespell
python3 scripts/check_commit_message.py

# The last commit, as it is published; beside the types, on another processor.
scan() {
    if [ ! -e .git ]; then
        echo "scanners: not run: the zip is made from a git commit, and this folder is no git checkout"
        return
    fi
    local folder
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    python3 scripts/package.py "$folder/randcrowns.zip" >/dev/null
    .venv/bin/python scripts/scanners.py "$folder/randcrowns.zip"
}
scan &
scanners=$!
trap 'wait "$scanners"' EXIT

# numpy 2 describes its arrays in other types than numpy 1, and the two cannot both be satisfied.
if .venv/bin/python -c 'import numpy, sys; sys.exit(numpy.__version__.startswith("1.") is False)'; then
    .venv/bin/python -m mypy
else
    echo "types: not checked here; they are checked with the numpy 1 of Debian 12"
fi
PYTHONPATH=.venv/plugins .venv/bin/lint-imports --no-cache
wait "$scanners"
