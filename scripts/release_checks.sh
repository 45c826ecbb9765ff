#!/usr/bin/env bash
# Check the wheel and the source distribution in the folder $1 as the package index and its users do:
# the tools twine, check-wheel-contents and pyroma, licences by reuse, and installation in clean
# environments of each Python from 3.9 to 3.14 that this machine has, also with the lowest versions of
# the libraries.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Without an e-mail and addresses, which the publisher fills in at the top of the Makefile, pyroma
# gives 8, else 10.
minimum_rating=8
[ -z "${PLUGIN_EMAIL:-}" ] || minimum_rating=10
environment=build/release-environment
[ -x "$environment/bin/reuse" ] || {
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check --requirement scripts/release_requirements.txt
}
tools=$PWD/$environment/bin
tool() { "$tools/$@"; }
notebooks=$PWD/notebooks
export MPLBACKEND=agg
folder_of_files=$(cd "$1" && pwd)
wheel=$(ls "$folder_of_files"/randcrowns-*.whl)
source=$(ls "$folder_of_files"/randcrowns-*.tar.gz)

tool twine check --strict "$wheel" "$source"
tool check-wheel-contents --ignore W004 "$wheel"
tool pyroma --min "$minimum_rating" "$source"
tool reuse lint --quiet

for version in 3.9 3.10 3.11 3.12 3.13 3.14; do
    tool uv pip compile --quiet --python-version "$version" --only-binary :all: --all-extras pyproject.toml >/dev/null
    echo "release: all libraries have wheels for Python $version"
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
create() { # create NAME PYTHON [UV OPTIONS]: install the wheel in a clean environment
    local name=$1 interpreter=$2
    shift 2
    tool uv venv --quiet --python "$interpreter" "$folder/$name"
    tool uv pip install --quiet --python "$folder/$name" "$@" "randcrowns[plot,cloud] @ file://$wheel"
    (cd "$folder" && "$name/bin/randcrowns" --version >/dev/null)
}
# pyenv shows the Python of one version only, unless all are named.
if command -v pyenv >/dev/null; then
    PYENV_VERSION=$(pyenv versions --bare | paste -sd:)
    export PYENV_VERSION
fi
oldest=
for version in 3.9 3.10 3.11 3.12 3.13 3.14; do
    interpreter=$(tool uv python find --system --no-python-downloads "$version" 2>/dev/null) || {
        echo "release: Python $version is not on this machine, so the wheel was not installed with it."
        continue
    }
    oldest=${oldest:-$interpreter}
    create "python$version" "$interpreter"
    for notebook in benchmark score_deepforest; do
        (cd "$folder" && "python$version/bin/python" "$notebooks/$notebook.py" >/dev/null)
    done
    echo "release: the wheel works with Python $version"
done
(cd "$folder" && tool uvx --quiet --from "$wheel" randcrowns --help >/dev/null)
echo "release: uvx runs the command"

create lowest "$oldest" --resolution lowest-direct
for notebook in benchmark choose_parameters cloud_to_report compare_annotators rank_detectors score_deepforest; do
    (cd "$folder" && lowest/bin/python "$notebooks/$notebook.py" >/dev/null)
done
echo "release: the notebooks run with the lowest versions of the libraries"
