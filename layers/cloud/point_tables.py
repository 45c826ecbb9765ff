"""Point clouds in files other than LAS, whose libraries QGIS may lack."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from randcrowns.core.errors import MissingLibraryError
from randcrowns.core.instances import point_tables
from randcrowns.core.instances.point_tables import PointTable, is_folder, tree_files
from randcrowns.layers.installation import libraries_message
from randcrowns.layers.libraries import PLY_FILES


def read_point_table(path: Path, read_las: Callable[[Path], PointTable]) -> PointTable:
    """Read the points of a file, or of a folder with one file per tree.

    Args:
        path: the file or folder.
        read_las: function that reads a LAS file of the folder.

    Raises:
        InputError: if the file is damaged, has no columns x, y and z, or the folder holds no files
            of points.
        MissingLibraryError: if the library for the file is not installed.
    """
    files = tree_files(path) if is_folder(path) else [path]
    if any(file.suffix.lower() == ".ply" for file in files):
        message = libraries_message(PLY_FILES)
        if message:
            raise MissingLibraryError("libraries.unusable", message)
    return point_tables.read_point_table(path, read_las)
