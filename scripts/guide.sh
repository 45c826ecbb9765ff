#!/usr/bin/env bash
# Builds the user's guide from docs/ into resources/guide/, with mkdocs of the project's environment, else of one of its own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=.venv/bin/python
"$python" -c 'import mkdocs, PIL' 2>/dev/null || {
    python=build/guide-environment/bin/python
    [ -x "$python" ] || python3 -m venv build/guide-environment
    "$python" -m pip install --quiet --disable-pip-version-check "mkdocs>=1.6,<2" pillow
}
# The date that its pages bear is that of the commit, so that the same commit makes the same files.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH
# What cannot be built leaves the guide as it was.
"$python" -m mkdocs build --strict --clean --site-dir build/guide
rm -rf resources/guide
mv build/guide resources/guide
