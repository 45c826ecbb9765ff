"""Install the libraries that the plugin in a QGIS profile requires: install_libraries.py PROFILE.

QGIS's own Python must run this file. It does the same as the plugin's dialog, in the terminal.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> None:
    """Print which required libraries are unusable and run the installation command for them."""
    profile = Path(sys.argv[1])
    sys.path.insert(0, str(profile / "python" / "plugins"))
    from randcrowns.layers.installing import this_system, way_for
    from randcrowns.layers.libraries import LIBRARIES, NEEDED, look, own_folder, use_folder

    use_folder(own_folder(profile))
    unusable = look(LIBRARIES[NEEDED])
    if not unusable:
        print("libraries: all required libraries can be used")
        return

    way = way_for(unusable, this_system(profile))
    sentences = ", ".join(library.sentence for library in unusable)
    print(f"libraries: {sentences}\n{way.said}\n{way.line}", flush=True)
    process = subprocess.run(way.line, shell=True, check=False)
    if process.returncode:
        sys.exit(
            "install: The libraries cannot be installed. "
            "The plugin offers the installation again when it needs them."
        )


if __name__ == "__main__":
    main()
