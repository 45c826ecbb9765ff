"""Systems as they are, and what is asked of the index for them."""

from __future__ import annotations

import sys
from dataclasses import replace

from randcrowns.layers.installation import System, installation_instructions
from randcrowns.layers.libraries import LIBRARIES, REQUIRED, LibraryProblem

HERE = System(
    platform="linux",
    is_debian=True,
    is_flatpak=False,
    python="/usr/bin/python3",
    python_version=(3, 13),
    numpy_version="2.2.4",
    has_pip=False,
    is_root=False,
    can_ask_password=True,
    pip_folder="/home/anna/QGIS/python/randcrowns_libraries/py3.13",
)
DEBIAN_13 = HERE
SID = replace(HERE, python_version=(3, 14), numpy_version="2.4.6")
UBUNTU_24 = replace(HERE, python_version=(3, 12), numpy_version="1.26.4")
DEBIAN_12 = replace(HERE, python_version=(3, 11), numpy_version="1.24.2", pip_folder="/home/anna/p")
UBUNTU_22 = replace(
    HERE, python_version=(3, 10), numpy_version="1.21.5", has_pip=True, pip_folder="/home/anna/p"
)
FLATPAK = replace(
    HERE,
    is_debian=False,
    is_flatpak=True,
    python_version=(3, 12),
    numpy_version="2.2.6",
    pip_folder="/home/anna/p",
)
FEDORA = replace(
    HERE,
    is_debian=False,
    python_version=(3, 13),
    numpy_version="2.2.6",
    has_pip=True,
    pip_folder="/home/anna/p",
)
MACOS = replace(
    FEDORA,
    platform="darwin",
    python="/Applications/QGIS.app/Contents/MacOS/bin/python3",
    python_version=(3, 9),
    numpy_version="1.20.1",
    pip_folder="/Users/anna/Library/Application Support/QGIS/p",
)
WINDOWS = replace(
    FEDORA,
    platform="win32",
    python="C:\\OSGeo4W\\apps\\Python312\\python3.exe",
    python_version=(3, 12),
    numpy_version="2.2.6",
    pip_folder="C:\\Users\\Anna B\\p",
)
SHAPELY, PANDAS, SCIPY = (LibraryProblem(one, "not installed") for one in LIBRARIES[REQUIRED][1:])
ALL = (SHAPELY, PANDAS, SCIPY)
#: Systems, and what uv calls them, for which pip is to find versions; by their names.
RESOLVED = {
    "Debian 12": (replace(DEBIAN_12, has_pip=True), "x86_64-manylinux2014"),
    "Ubuntu 22.04": (UBUNTU_22, "x86_64-manylinux2014"),
    "Flatpak": (replace(FLATPAK, has_pip=True), "x86_64-manylinux_2_28"),
    "macOS": (
        replace(MACOS, numpy_version="1.26.4", python_version=(3, 12)),
        "aarch64-apple-darwin",
    ),
    "macOS with numpy 1.20.3": (replace(MACOS, numpy_version="1.20.3"), "x86_64-apple-darwin"),
    "macOS with numpy 1.20.1": (MACOS, "x86_64-apple-darwin"),
    "Windows": (WINDOWS, "x86_64-pc-windows-msvc"),
}


def questions() -> dict[str, tuple[list[str], str]]:
    """By system the words of uv, and its input: what the line asks for, for its Python and
    platform, wheels only.
    """
    asked = {}
    for name, (system, platform) in RESOLVED.items():
        lines = [
            word
            for word in installation_instructions(ALL, system).commands[-1]
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
            "{}.{}".format(*system.python_version),
            "--python-platform",
            platform,
        ]
        asked[name] = ([sys.executable, *words], "\n".join(lines))
    return asked
