#!/usr/bin/env bash
# Makes the wheel of core and batch, for environments without QGIS, in the folder $1, from the last commit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

git rev-parse --verify --quiet HEAD >/dev/null || {
    echo "wheel: this folder is not a git checkout, and the wheel is made from a commit: clone the project with git first." >&2
    exit 1
}
python=$PWD/.venv/bin/python
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$1"
export GIT_INDEX_FILE=$stage/index
git read-tree HEAD
# The folders as they are committed; .gitattributes keeps batch/ out of the plugin's zip, not out of here.
git ls-files -z -- __init__.py __main__.py core batch resources/sample.json |
    git checkout-index -z --stdin --prefix="$stage/src/randcrowns/"
git checkout-index --prefix="$stage/" -- pyproject.toml README.md LICENSE
git show HEAD:metadata.txt | sed -n 's/^version=//p' >"$stage/VERSION"
folder=$(cd "$1" && pwd)
cd "$stage"
"$python" -c 'import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])' "$folder" >"$stage/log" 2>&1 || {
    cat "$stage/log" >&2
    exit 1
}
ls "$folder"/randcrowns-*.whl
