#!/usr/bin/env bash
# Runs the tests in a Debian of its own: scripts/test_in_debian.sh trixie|sid [layers algorithms ui core plugin ...]
# Without parts, all of them. PYTEST_ARGS: words for pytest, as with make test.
# The root is made under build/ once (RANDCROWNS_ROOTS: another folder), with QGIS and shapely as that Debian has them.
# What is tested is the last commit. It takes root, and what it mounts is gone when it ends.
# Ends with 77 where the root cannot be made.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

suite=$1
shift
root=${RANDCROWNS_ROOTS:-$PWD/build/roots}/$suite
PACKAGES=(git make sed qgis python3-qgis qgis-providers python3-gdal python3-numpy python3-scipy python3-matplotlib
    python3-shapely python3-pandas python3-venv python3-pip proj-bin xvfb xauth)

fail() {
    printf 'test-debian: %s\n' "$1" >&2
    exit 77
}
[ "$(id -u)" -eq 0 ] || fail "making a root takes root; run it with sudo, or in a container."
if ! command -v debootstrap >/dev/null; then
    command -v apt-get >/dev/null || fail "debootstrap is not here; install it."
    { apt-get update && apt-get install -y --no-install-recommends debootstrap; } >/dev/null 2>&1 || fail "apt-get could not install debootstrap."
fi

# The suite as Debian's mirror last signed it: a copy that is a few days old will do.
apt="apt-get -qq -o Acquire::Check-Valid-Until=false"
if [ ! -f "$root/made" ]; then
    echo "test-debian: making a root of $suite in $root (some minutes, once)"
    rm -rf "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase --include=ca-certificates,python3 "$suite" "$root" >"$root.log" 2>&1 ||
        fail "debootstrap failed; the reason stands at the end of $root.log."
fi
for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /etc/pip.conf; do
    [ ! -f "$file" ] || cp "$file" "$root$file"
done

# The last commit, with the shared data beside it; the environment there stays.
tested="$root/root/w/randcrowns"
mkdir -p "$root/root/w/shared" "$tested"
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
git clone --quiet --depth 1 "file://$PWD" "$fresh/clone"
rm -rf "$tested/.git"
mv "$fresh/clone/.git" "$tested/.git"
git -C "$tested" reset --quiet --hard
git -C "$tested" clean --quiet -fd

within() {
    unshare --mount bash -c '
        root=$0
        mount --bind /proc "$root/proc"
        mount --bind /dev "$root/dev"
        [ ! -d ../shared ] || mount --bind ../shared "$root/root/w/shared"
        exec chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=/tmp CI="${CI:-}" \
            PYTEST_ARGS="${PYTEST_ARGS:-}" "$@"
    ' "$root" "$@"
}
within true || fail "a folder cannot be mounted and entered here (unshare, mount, chroot)."
if [ ! -f "$root/made" ]; then
    within sh -c "$apt update && $apt -y --no-install-recommends install ${PACKAGES[*]}" >>"$root.log" 2>&1 ||
        fail "apt-get failed in the root; the reason stands at the end of $root.log."
    touch "$root/made"
fi

parts=()
for part in "$@"; do
    case "$part" in
    plugin) parts+=(tests/test_plugin.py tests/test_packaging.py tests/test_installed.py tests/test_window.py) ;;
    *) parts+=("tests/$part") ;;
    esac
done
within sh -c 'cd /root/w/randcrowns && scripts/setup.sh && exec .venv/bin/python -m pytest -q $PYTEST_ARGS "$@"' tests "${parts[@]}"
