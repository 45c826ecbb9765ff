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
    from randcrowns.layers.installation import current_system, installation_instructions
    from randcrowns.layers.libraries import (
        LIBRARIES,
        REQUIRED,
        add_library_folder,
        check_libraries,
        library_folder,
    )

    add_library_folder(library_folder(profile))
    unusable = check_libraries(LIBRARIES[REQUIRED])
    if not unusable:
        print("libraries: all required libraries can be used")
        return

    way = installation_instructions(unusable, current_system(profile))
    sentences = ", ".join(library.sentence for library in unusable)
    print(f"libraries: {sentences}\n{way.explanation}\n{way.shell_line}", flush=True)
    process = subprocess.run(way.shell_line, shell=True, check=False)
    if process.returncode:
        sys.exit(
            "install: The libraries cannot be installed. "
            "The plugin offers the installation again when it needs them."
        )


if __name__ == "__main__":
    main()
