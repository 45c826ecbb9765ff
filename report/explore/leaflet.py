"""Leaflet, the map library of the page: found as an installed package and verified."""

from __future__ import annotations

import hashlib
from importlib.machinery import PathFinder
from pathlib import Path
from typing import NamedTuple

from randcrowns.core.errors import MissingLibraryError

#: Python package that contains Leaflet's files unchanged.
PACKAGE = "js_lib_leaflet"
#: Version of the package, and its requirement for pip.
PACKAGE_VERSION = "1.9.4.1"
#: Version of Leaflet in the package.
LEAFLET_VERSION = "1.9.4"
REQUIREMENT = f"django-js-lib-leaflet=={PACKAGE_VERSION}"
#: SHA-256 of the files of that version, in groups of eight digits. Its authors publish them in
#: base64 for the integrity of links.
_SCRIPT_HASH = "db49d009 c841f5ca 34a888c9 6511ae93 6fd9f553 3e90d8b2 c4d57596 f4e5641a"
_STYLE_HASH = "a7837102 82418482 0dfa198d 1ebcd109 ff6d0ff9 a2672a07 4b9a1b4d 147d04c6"


class Leaflet(NamedTuple):
    """Files of Leaflet."""

    script: str  #: JavaScript.
    style: str  #: CSS.


def read_leaflet(search_path: list[str] | None = None) -> Leaflet:
    """Return the files of the installed Leaflet after a check of their checksums.

    Nothing of the package is executed.

    Args:
        search_path: folders that are searched for the package; None for those of Python.

    Raises:
        MissingLibraryError: if the package is not installed, or its files are not those of Leaflet
            1.9.4.
    """
    spec = PathFinder.find_spec(PACKAGE, search_path)
    if spec is None or not spec.has_location or spec.origin is None:
        raise MissingLibraryError(
            "explore.no_leaflet",
            "The page to explore requires the map library Leaflet: pip install {requirement}",
            requirement=REQUIREMENT,
        )
    folder = Path(spec.origin).parent / "static" / PACKAGE
    return Leaflet(
        script=_read_verified(folder / "leaflet.js", _SCRIPT_HASH),
        style=_read_verified(folder / "leaflet.css", _STYLE_HASH),
    )


def _read_verified(path: Path, expected_hash: str) -> str:
    """Return the content of a file whose checksum is as expected.

    Raises:
        MissingLibraryError: if the file cannot be read or has another checksum.
    """
    try:
        content = path.read_bytes()
    except OSError:
        content = b""
    if hashlib.sha256(content).hexdigest() != expected_hash.replace(" ", ""):
        raise MissingLibraryError(
            "explore.changed_leaflet",
            "The file {path} is missing or is not that of Leaflet {version}. Install it again: "
            "pip install --force-reinstall {requirement}",
            path=path,
            version=LEAFLET_VERSION,
            requirement=REQUIREMENT,
        )
    return content.decode("utf-8")
