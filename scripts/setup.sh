#!/usr/bin/env bash
# Sets up what the other make targets need: QGIS (through apt where it is absent) and a virtual environment in
# .venv on top of the Python that QGIS uses. Does nothing when all of it is there already.
# QGIS_PYTHON may name the Python that has QGIS, where that is not /usr/bin/python3.
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
    local ask="Install QGIS with its Python bindings (on Debian or Ubuntu: apt-get install ${PACKAGES[*]}), or set QGIS_PYTHON to the Python that has them, and run make again."
    command -v apt-get >/dev/null || fail "$ask"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null && sudo -n true 2>/dev/null || fail "$ask"
        as_root=(sudo)
    fi
    echo "setup: installing QGIS through apt (a few minutes, once)"
    mkdir -p build
    local log=build/setup-apt.log
    {
        "${as_root[@]}" apt-get update &&
            "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
                apt-get install -y --no-install-recommends "${PACKAGES[@]}"
    } >"$log" 2>&1 || fail "apt-get could not install QGIS; the reason stands at the end of $log."
}

python=${QGIS_PYTHON:-/usr/bin/python3}
wanted="$PWD $python $(cat requirements.txt requirements-dev.txt scripts/setup.sh | cksum)"
stamp=.venv/setup-done
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && [ -x .venv/bin/python ]; then
    exit 0
fi

has_qgis "$python" || {
    [ -z "${QGIS_PYTHON:-}" ] || fail "QGIS_PYTHON=$python cannot import qgis.core, osgeo, numpy and venv; name the Python that QGIS uses."
    install_qgis
    has_qgis "$python" || fail "QGIS is installed but $python cannot import qgis.core; set QGIS_PYTHON to the Python that QGIS uses."
}

echo "setup: preparing .venv (a minute, once)"
# An environment of another folder or another Python is made anew.
if [ ! -x .venv/bin/python ] || [ "$(.venv/bin/python -c 'import sys; print(sys.base_prefix, *sys.version_info[:2])' 2>/dev/null)" != \
    "$("$python" -c 'import sys; print(sys.base_prefix, *sys.version_info[:2])')" ] || ! grep -qsF "$PWD/.venv/bin" .venv/bin/activate; then
    "$python" -m venv --clear --system-site-packages .venv
fi

# GDAL's bindings are compiled against the numpy of QGIS's Python: no other may stand in front of it, nor of its scipy,
# whose last digits the frozen numbers have.
constraints=.venv/constraints.txt
"$python" -c 'import numpy, scipy; print("numpy==" + numpy.__version__, "scipy==" + scipy.__version__, sep="\n")' >"$constraints"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --constraint "$constraints" \
    --requirement requirements.txt --requirement requirements-dev.txt ||
    fail "pip could not install what requirements.txt and requirements-dev.txt list; its own message stands above."

# The import name is randcrowns, whatever this folder is called.
mkdir -p .venv/plugins
ln -sfn ../.. .venv/plugins/randcrowns
site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
printf '%s\n' "$PWD/.venv/plugins" >"$site/randcrowns.pth"
(cd / && "$OLDPWD/.venv/bin/python" -c 'import randcrowns.core') || fail "the package randcrowns cannot be imported from .venv; run make clean and try again."

printf '%s' "$wanted" >"$stamp"
