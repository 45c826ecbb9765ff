#!/usr/bin/env bash
# Install the plugin zip $1 in a QGIS profile, and missing libraries in a folder of the plugin.
# QGIS_PROFILE: name of a profile (default: default) or its folder.
# QGIS_PYTHON: Python interpreter of QGIS.
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
    echo "install: $plugins/randcrowns is a link to another folder. Remove the link first." >&2
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
    echo "install: $python cannot import QGIS, so its libraries were not checked. Set QGIS_PYTHON to the Python of QGIS, or let the plugin install missing libraries."
fi
echo "Installed in $plugins/randcrowns. Activate the plugin in QGIS under Plugins > Manage and Install Plugins > Installed."
exit "${status:-0}"
