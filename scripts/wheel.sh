#!/usr/bin/env bash
# Make the wheel and the source distribution of core, jobs, batch and the command from the last commit, in the folder
# $1. They are for environments without QGIS.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

git rev-parse --verify --quiet HEAD >/dev/null || {
    echo "wheel: This folder is not a git checkout, and the wheel is made from a commit. Clone the project with git first." >&2
    exit 1
}
python=$PWD/.venv/bin/python
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$1"
export GIT_INDEX_FILE=$stage/index
git read-tree HEAD
# Not git archive, because .gitattributes excludes batch/ from archives.
git ls-files -z -- __init__.py __main__.py plotting.py core report jobs batch command \
    resources/sample resources/explore 'resources/report*.html' resources/sources.bib |
    git checkout-index -z --stdin --prefix="$stage/src/randcrowns/"
git checkout-index --prefix="$stage/" -- pyproject.toml README.md LICENSE
"$python" scripts/publisher_metadata.py "$stage/pyproject.toml"
git show HEAD:metadata.txt | sed -n 's/^version=//p' >"$stage/VERSION"
folder=$(cd "$1" && pwd)
cd "$stage"
# In processes of their own: the second call of one process writes no wheel.
for kind in sdist wheel; do
    "$python" -c "import sys; from setuptools import build_meta; build_meta.build_$kind(sys.argv[1])" "$folder" >"$stage/log" 2>&1 || {
        cat "$stage/log" >&2
        exit 1
    }
done
ls "$folder"/randcrowns-*.whl
