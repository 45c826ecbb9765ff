#!/usr/bin/env bash
# Makes the wheel of core and batch, for environments without QGIS, in the folder $1, from the last commit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

git rev-parse --verify --quiet HEAD >/dev/null || {
    echo "wheel: this folder is not a git checkout, and the wheel is made from a commit: clone the project with git first." >&2
    exit 1
}
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage/src/randcrowns" "$1"
# The folders as they are committed; .gitattributes keeps batch/ out of the plugin's zip, not out of here.
git ls-tree -r --name-only HEAD -- __init__.py __main__.py core batch resources/sample.json | while IFS= read -r file; do
    mkdir -p "$stage/src/randcrowns/$(dirname "$file")"
    git show "HEAD:$file" >"$stage/src/randcrowns/$file"
done
for file in pyproject.toml README.md LICENSE; do git show "HEAD:$file" >"$stage/$file"; done
git show HEAD:metadata.txt | sed -n 's/^version=//p' >"$stage/VERSION"
.venv/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$1" "$stage"
ls "$1"/randcrowns-*.whl
