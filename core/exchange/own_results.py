"""GeoPackages with results of RandCrowns, which a folder of annotation files may contain."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from randcrowns.core.messages import Message, abbreviate, info

#: Value of ``md_standard_uri`` that marks the metadata of RandCrowns in a GeoPackage.
METADATA_STANDARD = "urn:randcrowns:run"
#: End of the name of the GeoPackage with the results of a project.
PROJECT_FILE_END = "_randcrowns.gpkg"


def is_own_result(path: Path) -> bool:
    """Return True if a file is a GeoPackage to which RandCrowns has written results.

    >>> is_own_result(Path("forest_randcrowns.gpkg")), is_own_result(Path("crowns.json"))
    (True, False)
    """
    if path.name.lower().endswith(PROJECT_FILE_END):
        return True
    if path.suffix.lower() != ".gpkg":
        return False
    # A path may contain "?" or "#", which a URI does not.
    uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    query = "SELECT 1 FROM gpkg_metadata WHERE md_standard_uri = ? LIMIT 1"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as database:
            return database.execute(query, (METADATA_STANDARD,)).fetchone() is not None
    except sqlite3.Error:
        return False  # The reader of the file reports what is wrong with it.


def find_own_results(folder: str) -> list[Path]:
    """Return the results of RandCrowns in a folder and its subfolders, sorted by path.

    Args:
        folder: path of a folder; other texts yield no results.
    """
    if not os.path.isdir(folder):  # noqa: PTH112  # Path.is_dir raises errors.
        return []
    return sorted(path for path in Path(folder).rglob("*") if is_own_result(path))


def own_result_messages(paths: Sequence[Path]) -> list[Message]:
    """Return a message that names results of RandCrowns which a folder's import leaves out.

    Args:
        paths: the files; may be empty.
    """
    if not paths:
        return []
    template = (
        "Not read from the folder: {files}, with results of RandCrowns. Select a file itself to "
        "import it."
    )
    return [info("import.own_results", template, files=abbreviate([path.name for path in paths]))]
