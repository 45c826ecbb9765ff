#!/usr/bin/env bash
# Build the user's guide from docs/ into resources/guide/. Mkdocs comes from the project's
# environment if it is installed there, else from a separate environment.
# scripts/guide.sh site: build it as a website with a list of versions into build/site/ instead.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The theme announces a version of mkdocs that the project does not use.
export NO_MKDOCS_2_WARNING=1
has_packages() { "$1" -c 'import latex2mathml, material, mkdocstrings_handlers.python, PIL' 2>/dev/null; }

python=.venv/bin/python
has_packages "$python" || {
    python=build/guide-environment/bin/python
    [ -x "$python" ] || python3 -m venv build/guide-environment
    # The section of the guide, and ruff, which formats the signatures.
    sed -n "/^ruff==/p; /^# The user's guide/,/^# Scoring/p" requirements-dev.txt >build/guide-environment/requirements.txt
    "$python" -m pip install --quiet --disable-pip-version-check --requirement build/guide-environment/requirements.txt
}
# The pages are dated with the commit, so that a commit always gives the same files.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH
if [ "${1:-}" = site ]; then
    version=$(sed -n 's/^version=//p' metadata.txt)
    OFFLINE=false "$python" -m mkdocs build --strict --clean --site-dir "build/site/$version"
    "$python" scripts/site_versions.py build/site
    exit
fi
# Build in another folder first: a failed build must not damage the existing guide.
"$python" -m mkdocs build --strict --clean --site-dir build/guide
rm -rf resources/guide
mv build/guide resources/guide
