#!/usr/bin/env bash
# Test the last commit in another release of Debian, with its versions of QGIS and shapely:
# scripts/test_in_debian.sh trixie|sid [layers algorithms ui core plugin ...]
# Without parts, all tests run. PYTEST_ARGS: arguments of pytest, as in make test.
# The root file system of the release is created once, under build/ (RANDCROWNS_ROOTS: another
# folder). The script requires root; its mounts end with it.
# The exit status is 77 if the root file system cannot be created.
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
[ "$(id -u)" -eq 0 ] || fail "Creating a root file system requires root. Run the script with sudo or in a container."
if ! command -v debootstrap >/dev/null; then
    command -v apt-get >/dev/null || fail "debootstrap is missing. Install it."
    { apt-get update && apt-get install -y --no-install-recommends debootstrap; } >/dev/null 2>&1 || fail "apt-get cannot install debootstrap."
fi

# Accept package lists whose signature expired a few days ago.
apt="apt-get -qq -o Acquire::Check-Valid-Until=false"
if [ ! -f "$root/made" ]; then
    echo "test-debian: creating a root file system of $suite in $root (only once, some minutes)"
    rm -rf "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase --include=ca-certificates,python3 "$suite" "$root" >"$root.log" 2>&1 ||
        fail "debootstrap failed. See the end of $root.log."
fi
for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /etc/pip.conf; do
    [ ! -f "$file" ] || cp "$file" "$root$file"
done

# Replace the checkout in the root file system by the last commit, but keep its environment.
# The shared data, if any, is mounted next to it.
checkout="$root/root/w/randcrowns"
mkdir -p "$root/root/w/shared" "$checkout"
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
git clone --quiet --depth 1 "file://$PWD" "$temporary/clone"
rm -rf "$checkout/.git"
mv "$temporary/clone/.git" "$checkout/.git"
git -C "$checkout" reset --quiet --hard
git -C "$checkout" clean --quiet -fd

run_in_root() {
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
run_in_root true || fail "This machine does not allow to mount and enter a folder (unshare, mount, chroot)."
if [ ! -f "$root/made" ]; then
    run_in_root sh -c "$apt update && $apt -y --no-install-recommends install ${PACKAGES[*]}" >>"$root.log" 2>&1 ||
        fail "apt-get failed in the root file system. See the end of $root.log."
    touch "$root/made"
fi

parts=()
for part in "$@"; do
    case "$part" in
    plugin) parts+=(tests/test_plugin.py tests/test_packaging.py tests/window/test_installed.py tests/window/test_window.py) ;;
    *) parts+=("tests/$part") ;;
    esac
done
run_in_root sh -c 'cd /root/w/randcrowns && exec scripts/setup.sh'
if [ "${#parts[@]}" -gt 0 ]; then
    run_in_root sh -c 'cd /root/w/randcrowns && exec .venv/bin/python -m pytest -q $PYTEST_ARGS "$@"' tests "${parts[@]}"
else
    run_in_root sh -c 'cd /root/w/randcrowns && exec scripts/run_tests.sh -q $PYTEST_ARGS'
fi
