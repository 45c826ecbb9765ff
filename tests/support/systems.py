"""Systems as they are, and what is asked of the index for them."""

from __future__ import annotations

import sys
from dataclasses import replace

from randcrowns.layers.installing import System, way_for
from randcrowns.layers.libraries import LIBRARIES, NEEDED, Trouble

HERE = System(
    platform="linux",
    debian=True,
    flatpak=False,
    python="/usr/bin/python3",
    version=(3, 13),
    numpy="2.2.4",
    pip=False,
    root=False,
    asks=True,
    folder="/home/anna/QGIS/python/randcrowns_libraries/py3.13",
)
DEBIAN_13 = HERE
SID = replace(HERE, version=(3, 14), numpy="2.4.6")
UBUNTU_24 = replace(HERE, version=(3, 12), numpy="1.26.4")
DEBIAN_12 = replace(HERE, version=(3, 11), numpy="1.24.2", folder="/home/anna/p")
UBUNTU_22 = replace(HERE, version=(3, 10), numpy="1.21.5", pip=True, folder="/home/anna/p")
FLATPAK = replace(
    HERE, debian=False, flatpak=True, version=(3, 12), numpy="2.2.6", folder="/home/anna/p"
)
FEDORA = replace(
    HERE, debian=False, version=(3, 13), numpy="2.2.6", pip=True, folder="/home/anna/p"
)
MACOS = replace(
    FEDORA,
    platform="darwin",
    python="/Applications/QGIS.app/Contents/MacOS/bin/python3",
    version=(3, 9),
    numpy="1.20.1",
    folder="/Users/anna/Library/Application Support/QGIS/p",
)
WINDOWS = replace(
    FEDORA,
    platform="win32",
    python="C:\\OSGeo4W\\apps\\Python312\\python3.exe",
    version=(3, 12),
    numpy="2.2.6",
    folder="C:\\Users\\Anna B\\p",
)
SHAPELY, PANDAS, SCIPY = (Trouble(one, "not installed") for one in LIBRARIES[NEEDED][1:])
ALL = (SHAPELY, PANDAS, SCIPY)
#: Systems, and what uv calls them, for which pip is to find versions; by their names.
RESOLVED = {
    "Debian 12": (replace(DEBIAN_12, pip=True), "x86_64-manylinux2014"),
    "Ubuntu 22.04": (UBUNTU_22, "x86_64-manylinux2014"),
    "Flatpak": (replace(FLATPAK, pip=True), "x86_64-manylinux_2_28"),
    "macOS": (replace(MACOS, numpy="1.26.4", version=(3, 12)), "aarch64-apple-darwin"),
    "macOS with numpy 1.20.3": (replace(MACOS, numpy="1.20.3"), "x86_64-apple-darwin"),
    "macOS with numpy 1.20.1": (MACOS, "x86_64-apple-darwin"),
    "Windows": (WINDOWS, "x86_64-pc-windows-msvc"),
}


def questions() -> dict[str, tuple[list[str], str]]:
    """By system the words of uv, and its input: what the line asks for, for its Python and platform, wheels only."""
    asked = {}
    for name, (system, platform) in RESOLVED.items():
        lines = [
            word
            for word in way_for(ALL, system).commands[-1]
            if "=" in word and not word.startswith("-")
        ]
        words = [
            "-m",
            "uv",
            "pip",
            "compile",
            "-",
            "--only-binary",
            ":all:",
            "--quiet",
            "--no-header",
            "--no-annotate",
        ]
        words += [
            "--python-version",
            "{}.{}".format(*system.version),
            "--python-platform",
            platform,
        ]
        asked[name] = ([sys.executable, *words], "\n".join(lines))
    return asked
