#!/usr/bin/env bash
# Style, types, and the import rules of pyproject.toml.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

.venv/bin/python -m ruff check .
# numpy 2 describes its arrays in other types than numpy 1, and the two cannot both be satisfied.
if .venv/bin/python -c 'import numpy, sys; sys.exit(numpy.__version__.startswith("1.") is False)'; then
    .venv/bin/python -m mypy
else
    echo "types: not checked here; they are checked with the numpy 1 of Debian 12"
fi
PYTHONPATH=.venv/plugins .venv/bin/lint-imports --no-cache
