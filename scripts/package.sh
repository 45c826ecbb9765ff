#!/usr/bin/env bash
# Makes the plugin zip $1 from the last commit: one folder randcrowns/, without what .gitattributes leaves out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

git rev-parse --verify --quiet HEAD >/dev/null || {
    echo "package: this folder is not a git checkout, and the zip is made from a commit: clone the project with git first." >&2
    exit 1
}
[ -z "$(git status --porcelain --untracked-files=no)" ] || echo "package: changes that are not committed are left out" >&2
mkdir -p "$(dirname "$1")"
git archive --format=zip --prefix=randcrowns/ --output="$1" HEAD
echo "$1"
