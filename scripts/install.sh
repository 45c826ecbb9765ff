#!/usr/bin/env bash
# Puts the plugin zip $1 into a QGIS profile, and the libraries it lacks where only it uses them.
# QGIS_PROFILE: a profile's name (default: default) or its folder. QGIS_PYTHON: the Python that QGIS uses.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

profile=${QGIS_PROFILE:-default}
case "$profile" in
*/*) ;;
*)
    case "$(uname)" in
    Darwin) base="$HOME/Library/Application Support/QGIS" ;;
    *) base="${XDG_DATA_HOME:-$HOME/.local/share}/QGIS" ;;
    esac
    newest="$base/QGIS3"
    [ -d "$base/QGIS4" ] && newest="$base/QGIS4"
    profile="$newest/profiles/$profile"
    ;;
esac

plugins="$profile/python/plugins"
mkdir -p "$plugins"
[ ! -L "$plugins/randcrowns" ] || {
    echo "install: $plugins/randcrowns is a link to another folder; remove the link first." >&2
    exit 1
}
unpacked=$(mktemp -d "$plugins/.randcrowns-XXXXXX")
trap 'rm -rf "$unpacked"' EXIT
python3 -m zipfile -e "$1" "$unpacked"
rm -rf "$plugins/randcrowns"
mv "$unpacked/randcrowns" "$plugins/randcrowns"

python=${QGIS_PYTHON:-/usr/bin/python3}
bundled=/Applications/QGIS.app/Contents/MacOS/bin/python3
[ -n "${QGIS_PYTHON:-}" ] || [ ! -x "$bundled" ] || python=$bundled
if QT_QPA_PLATFORM=offscreen "$python" -c 'import qgis.core' >/dev/null 2>&1; then
    QT_QPA_PLATFORM=offscreen "$python" scripts/install_libraries.py "$profile" || status=$?
else
    echo "install: $python has no QGIS, so its libraries were not looked at (QGIS_PYTHON names another); the plugin offers what is missing."
fi
echo "installed in $plugins/randcrowns; switch it on in QGIS under Plugins > Manage and Install Plugins > Installed"
exit "${status:-0}"
