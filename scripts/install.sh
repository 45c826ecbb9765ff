#!/usr/bin/env bash
# Puts the plugin zip $1 into a QGIS profile. QGIS_PROFILE: a profile's name (default: default) or its folder.
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
echo "installed in $plugins/randcrowns; switch it on in QGIS under Plugins > Manage and Install Plugins > Installed"
