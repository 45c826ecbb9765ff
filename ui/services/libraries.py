"""Are the Python libraries there that the plugin stands on?"""

from __future__ import annotations

import re
import sys
from importlib import metadata

from randcrowns.layers.words import tr

#: Library and the oldest version that works.
_NEEDED = (("numpy", (1, 20)), ("shapely", (2, 0)), ("pandas", (1, 5)), ("scipy", (1, 9)))


def missing_libraries(needed: tuple[tuple[str, tuple[int, ...]], ...] = _NEEDED) -> list[str]:
    """What to install, as pip wants it (``shapely>=2.0``), for each library that is absent or too old."""
    return [f"{name}>={'.'.join(map(str, oldest))}" for name, oldest in needed if _installed_version(name) < oldest]


def what_to_install(missing: list[str]) -> str:
    """One sentence that says what is missing and the command that brings it."""
    quoted = " ".join(f'"{requirement}"' for requirement in missing)
    python = "python" if sys.platform == "win32" else "python3"
    shell = tr("the OSGeo4W shell") if sys.platform == "win32" else tr("a terminal")
    return tr(
        "RandCrowns needs Python libraries that are not here: {names}. "
        "Type this in {shell}, then start QGIS again: {python} -m pip install --user {quoted}"
    ).format(names=", ".join(missing), shell=shell, python=python, quoted=quoted)


def shapely_trouble() -> str:
    """Why shapely, which is installed, cannot be used in this QGIS; empty when it can."""
    from randcrowns.core import shapely_answers_rightly  # not above: it imports shapely, which may be missing

    if shapely_answers_rightly():
        return ""
    return tr(
        "RandCrowns is off, since its results would be wrong: another plugin loaded the library shapely first, and in "
        "a way that mixes it up with QGIS's own geometry library. Switch that plugin off (Plugins > Manage and Install "
        "Plugins; it is one that works with shapely or geopandas), then start QGIS again."
    )


def _installed_version(name: str) -> tuple[int, ...]:
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return ()
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2])
