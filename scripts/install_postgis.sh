#!/usr/bin/env bash
# Installs PostgreSQL with PostGIS through apt (as root), for tests/algorithms/test_postgis.py, which starts a server of
# its own and takes it down. Makes no database and starts nothing. Does nothing when both are there already.
set -euo pipefail

have() {
    compgen -G "/usr/lib/postgresql/*/bin/initdb" >/dev/null && compgen -G "/usr/share/postgresql/*/extension/postgis.control" >/dev/null
}
fail() {
    printf 'postgis: %s\n' "$1" >&2
    exit 1
}

have && exit 0
command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ] || fail "install PostgreSQL with PostGIS (on Debian or Ubuntu, as root: apt-get install postgresql-postgis)."
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p build /etc/postgresql-common/createcluster.d
log=build/postgis-apt.log
echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.d/no-cluster.conf
apt-get update >"$log" 2>&1 || fail "apt-get update failed; the reason stands at the end of $log."
server=$(apt-cache depends postgresql | sed -n 's/.*Depends: \(postgresql-[0-9]*\)$/\1/p' | head -n 1)
[ -n "$server" ] || fail "apt knows no PostgreSQL server."
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends --reinstall "$server" "$server-postgis-3" >>"$log" 2>&1 ||
    fail "apt-get could not install $server-postgis-3; the reason stands at the end of $log."
have || fail "apt-get installed $server-postgis-3, but its programs are not there."
