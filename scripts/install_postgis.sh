#!/usr/bin/env bash
# Install PostgreSQL with PostGIS through apt (as root) for tests/algorithms/test_postgis.py.
# The test starts and stops its own server: this script creates no database and starts nothing.
# It does nothing if both are installed.
set -euo pipefail

is_installed() {
    compgen -G "/usr/lib/postgresql/*/bin/initdb" >/dev/null && compgen -G "/usr/share/postgresql/*/extension/postgis.control" >/dev/null
}
fail() {
    printf 'postgis: %s\n' "$1" >&2
    exit 1
}

is_installed && exit 0
command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ] || fail "Install PostgreSQL with PostGIS (on Debian or Ubuntu, as root: apt-get install postgresql-postgis)."
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p build /etc/postgresql-common/createcluster.d
log=build/postgis-apt.log
echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.d/no-cluster.conf
apt-get update >"$log" 2>&1 || fail "apt-get update failed. See the end of $log."
server=$(apt-cache depends postgresql | sed -n 's/.*Depends: \(postgresql-[0-9]*\)$/\1/p' | head -n 1)
[ -n "$server" ] || fail "apt offers no PostgreSQL server."
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends --reinstall "$server" "$server-postgis-3" >>"$log" 2>&1 ||
    fail "apt-get cannot install $server-postgis-3. See the end of $log."
is_installed || fail "apt-get installed $server-postgis-3, but its programs are missing."
