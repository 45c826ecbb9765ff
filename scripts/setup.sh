#!/usr/bin/env bash
# Set up the requirements of the other make targets: QGIS (through apt if it is missing) and a
# virtual environment in .venv, based on the Python of QGIS. Do nothing if both are up to date.
# QGIS_PYTHON: Python interpreter of QGIS (default: /usr/bin/python3).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

PACKAGES=(qgis python3-qgis qgis-providers python3-gdal python3-numpy python3-scipy python3-matplotlib
    python3-venv xvfb xauth)

fail() {
    printf 'setup: %s\n' "$1" >&2
    exit 1
}

has_qgis() {
    QT_QPA_PLATFORM=offscreen "$1" -c 'import ensurepip, venv, numpy, osgeo.gdal, qgis.core' >/dev/null 2>&1
}

as_root=()
install_qgis() {
    local advice="Install QGIS with its Python bindings (on Debian or Ubuntu: apt-get install ${PACKAGES[*]}), or set QGIS_PYTHON to the Python that has them. Then run make again."
    command -v apt-get >/dev/null || fail "$advice"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null && sudo -n true 2>/dev/null || fail "$advice"
        as_root=(sudo)
    fi
    echo "setup: installing QGIS through apt (only once, a few minutes)"
    mkdir -p build
    local log=build/setup-apt.log
    {
        "${as_root[@]}" apt-get update &&
            "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
                apt-get install -y --no-install-recommends "${PACKAGES[@]}"
    } >"$log" 2>&1 || fail "apt-get cannot install QGIS. See the end of $log."
}

python=${QGIS_PYTHON:-/usr/bin/python3}
fingerprint="$PWD $python $(cat requirements.txt requirements-dev.txt scripts/setup.sh | cksum)"
stamp=.venv/setup-done
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$fingerprint" ] && [ -x .venv/bin/python ]; then
    exit 0
fi

has_qgis "$python" || {
    [ -z "${QGIS_PYTHON:-}" ] || fail "QGIS_PYTHON=$python cannot import qgis.core, osgeo, numpy and venv. Set it to the Python that QGIS uses."
    install_qgis
    has_qgis "$python" || fail "QGIS is installed, but $python cannot import qgis.core. Set QGIS_PYTHON to the Python that QGIS uses."
}

echo "setup: preparing .venv (only once, about a minute)"
# Replace an environment of another folder or another Python.
if [ ! -x .venv/bin/python ] || [ "$(.venv/bin/python -c 'import sys; print(sys.base_prefix, *sys.version_info[:2])' 2>/dev/null)" != \
    "$("$python" -c 'import sys; print(sys.base_prefix, *sys.version_info[:2])')" ] || ! grep -qsF "$PWD/.venv/bin" .venv/bin/activate; then
    "$python" -m venv --clear --system-site-packages .venv
fi

# Keep numpy and scipy of QGIS's Python: GDAL's bindings are compiled against that numpy, and the
# frozen test results depend on the last digits of that scipy.
constraints=.venv/constraints.txt
"$python" -c 'import numpy, scipy; print("numpy==" + numpy.__version__, "scipy==" + scipy.__version__, sep="\n")' >"$constraints"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --constraint "$constraints" \
    --requirement requirements.txt --requirement requirements-dev.txt ||
    fail "pip cannot install the packages of requirements.txt and requirements-dev.txt. See its message above."

# The package is imported as randcrowns, whatever the name of this folder.
mkdir -p .venv/plugins
ln -sfn ../.. .venv/plugins/randcrowns
site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
printf '%s\n' "$PWD/.venv/plugins" >"$site/randcrowns.pth"
(cd / && "$OLDPWD/.venv/bin/python" -c 'import randcrowns.core') || fail "the package randcrowns cannot be imported from .venv. Run make clean and try again."

printf '%s' "$fingerprint" >"$stamp"
