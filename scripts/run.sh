#!/usr/bin/env bash
# Open QGIS with the plugin and the sample project, in a separate profile under build/.
# Without a display QGIS runs on a virtual one (xvfb).
# Arguments are passed on to QGIS, e.g. --code script.py.
# RANDCROWNS_RUN: folder for the sample and the profile (default: build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=${RANDCROWNS_RUN:-$PWD/build}
project="$folder/sample/sample.qgz"
[ -f "$project" ] || QT_QPA_PLATFORM=offscreen .venv/bin/python scripts/sample_project.py "$folder/sample"

profiles="$folder/qgis"
settings="$profiles/profiles/default/QGIS/QGIS3.ini"
if [ ! -f "$settings" ]; then
    mkdir -p "$(dirname "$settings")"
    cat >"$settings" <<'INI'
[PythonPlugins]
randcrowns=true
processing=true

[qgis]
checkVersion=false
newsFeed\httpsfeedqgisorg\disabled=true

[app]
projections\defaultProjectCrs=EPSG:32617
INI
fi

# QGIS deactivates a plugin after an interrupted start. Activate it again.
sed -i.old -e 's/^randcrowns=.*/randcrowns=true/' -e '/^watchDog.*randcrowns/d' "$settings"

# QGIS uses its own Python, which must find the packages of the environment and the plugin.
site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
export PYTHONPATH="$site${PYTHONPATH:+:$PYTHONPATH}"
export QGIS_PLUGINPATH="$PWD/.venv/plugins"
unset QT_QPA_PLATFORM

screen=()
if [ "$(uname)" = Linux ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    command -v xvfb-run >/dev/null || {
        echo "run: There is no display. Install xvfb-run (on Debian: apt-get install xvfb xauth)." >&2
        exit 1
    }
    screen=(xvfb-run --auto-servernum --server-args="-screen 0 1600x1000x24")
fi
# Open the panel, unless the arguments contain a script.
panel=(--code scripts/open_panel.py)
case " $* " in *" --code "*) panel=() ;; esac
exec "${screen[@]}" "${QGIS:-qgis}" --nologo --noversioncheck --profiles-path "$profiles" --profile default \
    --project "$project" "${panel[@]}" "$@"
