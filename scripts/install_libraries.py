"""Installs for a profile of QGIS the libraries that the plugin in it cannot use: install_libraries.py PROFILE.

Run by QGIS's own Python. It does what the plugin's dialog does, in the terminal.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> None:
    """Look, say what is missing, run the line for this system, and look again."""
    profile = Path(sys.argv[1])
    sys.path.insert(0, str(profile / "python" / "plugins"))
    from randcrowns.layers.installing import this_system, way_for
    from randcrowns.layers.libraries import LIBRARIES, NEEDED, look, own_folder, use_folder

    use_folder(own_folder(profile))
    found = look(LIBRARIES[NEEDED])
    if not found:
        print("libraries: all that the plugin requires can be used")
        return
    way = way_for(found, this_system(profile))
    print(
        f"libraries: {', '.join(one.sentence for one in found)}\n{way.said}\n{way.line}", flush=True
    )
    done = subprocess.run(way.line, shell=True, check=False)
    if done.returncode:
        sys.exit(
            "install: the libraries could not be installed; the plugin offers them again when it is used."
        )


if __name__ == "__main__":
    main()
