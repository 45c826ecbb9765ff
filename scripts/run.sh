#!/usr/bin/env bash
# Opens QGIS with the plugin switched on and the sample project open, in a profile of its own under build/.
# Without a screen it runs on a virtual one (xvfb). Further arguments go to QGIS, e.g. --code script.py.
# RANDCROWNS_RUN names another folder than build/ for the sample and the profile.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=${RANDCROWNS_RUN:-$PWD/build}
project="$folder/sample/sample.qgz"
[ -f "$project" ] || QT_QPA_PLATFORM=offscreen .venv/bin/python scripts/make_sample.py "$folder/sample"

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

# QGIS switches a plugin off after a start that was cut short; here it is always wanted.
sed -i.old -e 's/^randcrowns=.*/randcrowns=true/' -e '/^watchDog.*randcrowns/d' "$settings"

# QGIS runs its own Python: show it the environment's packages and the plugin.
site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
export PYTHONPATH="$site${PYTHONPATH:+:$PYTHONPATH}"
export QGIS_PLUGINPATH="$PWD/.venv/plugins"
unset QT_QPA_PLATFORM

screen=()
if [ "$(uname)" = Linux ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    command -v xvfb-run >/dev/null || {
        echo "run: there is no screen here, and no xvfb-run (on Debian: apt-get install xvfb xauth) to stand in for one." >&2
        exit 1
    }
    screen=(xvfb-run --auto-servernum --server-args="-screen 0 1600x1000x24")
fi
# The panel opens by itself, unless the caller runs a script of its own.
panel=(--code scripts/open_panel.py)
case " $* " in *" --code "*) panel=() ;; esac
exec "${screen[@]}" "${QGIS:-qgis}" --nologo --noversioncheck --profiles-path "$profiles" --profile default \
    --project "$project" "${panel[@]}" "$@"
