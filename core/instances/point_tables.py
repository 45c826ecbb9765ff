"""Point clouds in files other than LAS: PLY, text with a heading, NPY, NPZ, and folders.

A folder holds one file per tree. All points of a file belong to the tree with the number in the
file's name.
"""

from __future__ import annotations

import math
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Array
from randcrowns.core.errors import InputError, MissingLibraryError
from randcrowns.core.instances.cloud_values import CloudAttribute, damaged_file_error
from randcrowns.core.messages import Message, abbreviate, note

#: File name extensions of LAS files.
LAS_EXTENSIONS = (".las", ".laz")
#: File name extensions of text files, and of all files that this module reads.
TEXT_EXTENSIONS = (".txt", ".csv", ".xyz", ".asc")
TABLE_EXTENSIONS = (".ply", ".npy", ".npz", *TEXT_EXTENSIONS)
#: Attribute with the number of the tree, in a folder with one file per tree.
TREE_OF_FILE = "tree_of_file"
#: Value of that attribute for files without a tree.
NO_TREE_OF_FILE = -1
#: Maximum number of columns of a text file; the time to read them grows with their square.
_MAX_COLUMNS = 10_000
#: Names of the columns with coordinates in lower case, by axis.
_AXIS_NAMES = (
    ("x", "easting", "x_coord", "coord_x", "pointx"),
    ("y", "northing", "y_coord", "coord_y", "pointy"),
    ("z", "elevation", "z_coord", "coord_z", "pointz", "height"),
)
#: Names of arrays (n, 3) with coordinates in NPZ files, in lower case.
_COORDINATE_ARRAYS = ("points", "xyz", "coords", "coordinates", "pos", "coord")
#: Words in the names of files of a folder that hold no tree.
_NO_TREE_WORDS = ("ground", "terrain", "dtm", "noise", "unclassified", "nontree", "none", "rest")
#: Attributes that describe a point but no tree, in lower case.
_STANDARD_NAMES = frozenset(
    (
        *("intensity", "classification", "class", "red", "green", "blue", "r", "g", "b", "alpha"),
        *("nx", "ny", "nz", "returnnumber", "return_number", "numberofreturns"),
        *("number_of_returns", "gpstime", "gps_time", "time", "scanangle", "scan_angle"),
        *("pointsourceid", "point_source_id", "userdata", "user_data"),
    )
)
#: Functions that read the header of an array, by the version of its format.
_HEADER_READERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
#: Prefix that CloudCompare writes before the names of attributes in PLY files.
_SCALAR_PREFIX = "scalar_"


class PointTable(NamedTuple):
    """Points of a file: coordinates and attributes as arrays of n values."""

    columns: dict[str, Array]  #: x, y and z first, then the attributes by name.
    crs: str  #: definition of the CRS of the file; "" if it has none.
    z_unit: float | None  #: metres per unit of z; None if the file does not specify it.
    messages: tuple[Message, ...]  #: messages about the file.


def is_point_table(path: Path) -> bool:
    """Return True for a file or folder that this module reads."""
    return path.suffix.lower() in TABLE_EXTENSIONS or is_folder(path)


def check_is_cloud(path: Path, source: str) -> None:
    """Raise an InputError for a file whose extension is not that of a point cloud.

    Args:
        path: the file.
        source: the file as the user named it, for the message.
    """
    if path.suffix.lower() not in (*LAS_EXTENSIONS, *TABLE_EXTENSIONS):
        raise InputError(
            "cloud.not_a_cloud",
            "{source} cannot be read as a point cloud; choose a LAS, LAZ, COPC, PLY, NPY, NPZ, "
            "TXT or CSV file.",
            source=source,
        )


def is_folder(path: Path) -> bool:
    """Return True for an existing folder; False for a path that no file can have."""
    try:
        return path.is_dir()
    except (OSError, ValueError):  # The name is too long or invalid.
        return False


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
    return _read_folder(path, read_las) if path.is_dir() else _read_file(path)


def _read_file(path: Path) -> PointTable:
    """Read the points of a PLY, text or numpy file; the errors are those of read_point_table."""
    extension = path.suffix.lower()
    try:
        if extension == ".ply":
            columns = _read_ply(path)
        elif extension in (".npy", ".npz"):
            columns = _read_numpy(path)
        else:
            columns = _read_text(path)
        ordered = _order_columns(path.name, columns)
    except (MissingLibraryError, InputError):
        raise
    except MemoryError:
        raise
    except Exception as error:  # the libraries raise many types for damaged files
        raise damaged_file_error(path, error) from error
    return PointTable(ordered, crs="", z_unit=None, messages=())


def is_standard_name(name: str) -> bool:
    """Return True for the name of an attribute that describes a point but no tree."""
    return name.lower() in _STANDARD_NAMES


def table_attributes(table: PointTable) -> tuple[CloudAttribute, ...]:
    """Return the attributes of points that were read from another file than LAS."""
    attributes = []
    for name, values in table.columns.items():
        if not name or name in ("x", "y", "z"):
            continue
        is_unsigned = values.dtype.kind == "u"
        attribute = CloudAttribute(
            name=name,
            is_integer=values.dtype.kind in "iu" or _holds_integers(values),
            is_extra=not is_standard_name(name),
            no_data=NO_TREE_OF_FILE if name == TREE_OF_FILE else None,
            largest_unsigned=int(np.iinfo(values.dtype).max) if is_unsigned else None,
        )
        attributes.append(attribute)
    return tuple(attributes)


def _holds_integers(values: Array) -> bool:
    """Return True if all values (n,) of a floating point type are integers or NaN."""
    return bool(np.all((values == np.rint(values)) | np.isnan(values)))


def table_chunks(table: PointTable, size: int) -> Iterator[Mapping[str, Array]]:
    """Yield the points of a table in chunks, as arrays by attribute and x, y, z.

    Args:
        table: the points.
        size: number of points per chunk.
    """
    for start in range(0, len(table.columns["x"]), size):
        yield {name: values[start : start + size] for name, values in table.columns.items()}


def _order_columns(file: str, columns: Mapping[str, Array]) -> dict[str, Array]:
    """Return numeric columns by name, the coordinates first as x, y and z.

    Args:
        file: name of the file.
        columns: columns of n points.

    Raises:
        InputError: if there are no coordinates.
    """
    # The first of several columns whose names differ in case only is used.
    written_names = {name.lower().strip(): name for name in reversed(list(columns))}
    ordered: dict[str, Array] = {}
    coordinate_names = []
    for axis, axis_names in zip("xyz", _AXIS_NAMES):
        candidates = [written_names[name] for name in axis_names if name in written_names]
        if not candidates:
            raise InputError(
                "cloud.no_coordinates",
                "{file} has no column {axis}; it has {names}. A point cloud needs columns x, y and "
                "z, named in its first line or header.",
                file=file,
                axis=axis,
                names=abbreviate(list(columns), 12),
            )
        coordinates = np.asarray(columns[candidates[0]], dtype=np.float64)
        ordered[axis] = coordinates
        coordinate_names.append(candidates[0])
        if coordinates.ndim != 1 or len(coordinates) != len(ordered["x"]):
            raise ValueError("The columns of coordinates do not have one number per point.")

    n_points = len(ordered["x"])
    for name, column in columns.items():
        values = np.asarray(column)
        is_numeric = values.dtype.kind in "iufb"
        if name in coordinate_names or not is_numeric or values.shape != (n_points,):
            continue
        if values.dtype.kind == "b":
            values = values.astype(np.uint8)
        short_name = name.strip()
        if short_name.lower().startswith(_SCALAR_PREFIX):
            short_name = short_name[len(_SCALAR_PREFIX) :]
        unused_name = name if short_name in ordered else short_name
        ordered[unused_name] = values
    return ordered


def _read_ply(path: Path) -> dict[str, Array]:
    """Read the vertices of a PLY file, text or binary.

    Raises:
        InputError: if the file has no vertices.
        MissingLibraryError: if plyfile is not installed.
    """
    try:
        import plyfile
    except ImportError as error:
        raise MissingLibraryError(
            "cloud.no_plyfile",
            "PLY files are read with plyfile, which is not installed. Install it: pip install "
            "plyfile",
        ) from error

    _check_ply_length(path)
    content = plyfile.PlyData.read(str(path))
    if "vertex" not in content:
        raise InputError(
            "cloud.no_vertices", "{file} has no element 'vertex' with points.", file=path.name
        )
    vertices = content["vertex"].data
    return {name: _native(vertices[name]) for name in vertices.dtype.names}


def _check_ply_length(path: Path) -> None:
    """Raise ValueError if a PLY file is too short for the rows that its header declares.

    plyfile would request memory for all of them. A row takes at least one byte.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        for line in file:
            words = line.split()
            if words == [b"end_header"]:
                return
            is_element = len(words) == 3 and words[0] == b"element"
            if is_element and words[2].isdigit() and int(words[2]) > size:
                raise ValueError(f"The file ends before its {int(words[2])} rows.")


def _native(values: Array) -> Array:
    """Return values in the byte order of this computer."""
    return values.astype(values.dtype.newbyteorder("="), copy=False)


def _read_numpy(path: Path) -> dict[str, Array]:
    """Read an array with named columns, a table (n, 3 or more), or several arrays by name.

    Raises:
        InputError: if the arrays are no points.
    """
    _check_array_lengths(path)
    # Pickled objects could run any code and are refused.
    content = np.load(str(path), allow_pickle=False)
    if isinstance(content, np.ndarray):
        return _columns_of_array(path, content)
    names = content.files
    if len(names) == 1:
        return _columns_of_array(path, content[names[0]])
    columns: dict[str, Array] = {}
    for name in names:
        values = content[name]
        is_coordinates = values.ndim == 2 and values.shape[1] == 3
        if is_coordinates and name.lower() in _COORDINATE_ARRAYS and "x" not in columns:
            columns.update(zip("xyz", values.T))
        elif values.ndim == 2 and values.shape[1] == 1:
            columns[name] = values[:, 0]
        else:
            columns[name] = values
    return columns


def _check_array_lengths(path: Path) -> None:
    """Raise an error if a numpy file is too short for the arrays that it declares.

    numpy would request memory for all of their values.

    Raises:
        ValueError: if an array is cut off, or its header is damaged.
        zipfile.BadZipFile: if the file of several arrays is damaged.
    """
    if not zipfile.is_zipfile(path):
        with path.open("rb") as file:
            _check_array_length(file, path.stat().st_size)
        return
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            with archive.open(member) as file:
                _check_array_length(file, member.file_size)


def _check_array_length(file: IO[bytes], size: int) -> None:
    """Raise ValueError if an array needs more than the ``size`` bytes of its file."""
    version = np.lib.format.read_magic(file)
    read_header: Any = _HEADER_READERS.get(version)
    if read_header is None:
        return
    shape, _, dtype = read_header(file)
    if math.prod(shape) * dtype.itemsize > size:
        raise ValueError(f"The file ends before its array of shape {shape}.")


def _columns_of_array(path: Path, array: Array) -> dict[str, Array]:
    """Return the columns of an array: its fields, or x, y, z, column_4 and so on.

    Args:
        path: the file.
        array: structured array (n,), or numbers (n, 3 or more).

    Raises:
        InputError: for an array of another shape.
    """
    if array.dtype.names:
        return {name: _native(array[name]) for name in array.dtype.names}
    if array.ndim != 2 or array.shape[1] < 3 or array.dtype.kind not in "iuf":
        raise InputError(
            "cloud.array_shape",
            "{file} holds an array of shape {shape}; a point cloud needs named fields, or a row "
            "of at least x, y and z per point.",
            file=path.name,
            shape=str(array.shape),
        )
    n_columns = array.shape[1]
    further_names = [f"column_{number}" for number in range(4, n_columns + 1)]
    return dict(zip(["x", "y", "z", *further_names], array.T))


def _split_heading(path: Path, heading: str, delimiter: str | None) -> list[str]:
    """Return the names of columns in the first line of a text file.

    Args:
        path: path of the file, for messages.
        heading: the first line, without marks of a comment.
        delimiter: character between two names; None for spaces.

    Raises:
        InputError: if the line does not name the columns, or names too many.
    """
    quoted_names = heading.split(delimiter) if heading else []
    names = [name.strip().strip("\"'") for name in quoted_names]
    if not names or all(map(_is_number, names)):
        raise InputError(
            "cloud.no_heading",
            "The first line of {file} does not name the columns; write a first line such as: x y z "
            "tree_id.",
            file=path.name,
        )

    if len(names) > _MAX_COLUMNS:
        raise InputError(
            "cloud.too_many_columns",
            "The first line of {file} names {count:,} columns; at most {limit:,} are read.",
            file=path.name,
            count=len(names),
            limit=_MAX_COLUMNS,
        )
    return names


def _read_text(path: Path) -> dict[str, Array]:
    """Read a text file whose first line names the columns.

    The columns are separated by commas, semicolons, tabs or spaces. CloudCompare's first line with
    ``//`` and its second line with the number of points are understood.

    Raises:
        InputError: if the first line names no columns or too many, or a column of coordinates is
            not numeric.
    """
    with path.open("rb") as file:
        is_utf_16 = file.read(2) in (b"\xff\xfe", b"\xfe\xff")
    encoding = "utf-16" if is_utf_16 else "utf-8-sig"
    with path.open(encoding=encoding, errors="replace") as text:
        heading = text.readline().strip().lstrip("/#").strip()
        second_line = text.readline().strip()

    delimiters = [mark for mark in (";", ",", "\t") if mark in heading]
    delimiter = delimiters[0] if delimiters else None  # None stands for spaces
    names = _split_heading(path, heading, delimiter)
    has_count_line = second_line.isdigit() and len(names) > 1
    may_have_decimal_comma = delimiter in (";", "\t")
    has_decimal_comma = may_have_decimal_comma and "," in second_line and "." not in second_line
    table = pd.read_csv(
        path,
        sep=delimiter or r"\s+",
        names=_distinct(names),
        header=None,
        skiprows=2 if has_count_line else 1,
        decimal="," if has_decimal_comma else ".",
        encoding=encoding,
        encoding_errors="replace",
        index_col=False,
        skipinitialspace=True,
    )
    return {str(name): table[name].to_numpy() for name in table}


def _distinct(names: Sequence[str]) -> list[str]:
    """Return names of which repeated ones have a number.

    >>> _distinct(["tree", "tree"])
    ['tree', 'tree_2']
    """
    distinct_names: dict[str, None] = {}
    last_numbers: dict[str, int] = {}
    for name in names:
        new_name = name
        while new_name in distinct_names:
            last_numbers[name] = last_numbers.get(name, 1) + 1
            new_name = f"{name}_{last_numbers[name]}"
        distinct_names[new_name] = None
    return list(distinct_names)


def _is_number(name: str) -> bool:
    """Return True if the name of a column is a number."""
    try:
        float(name.replace(",", "."))
    except ValueError:
        return False
    return True


def _read_folder(folder: Path, read_las: Callable[[Path], PointTable]) -> PointTable:
    """Read the files of a folder with one tree per file.

    The number of a tree is the last number in the file's name; if these numbers are missing or not
    unique, the files are numbered from 1 on in the order of their names. Files whose names say
    ground or noise have no tree.

    Args:
        folder: the folder.
        read_las: function that reads a LAS file.

    Raises:
        InputError: if the folder holds no point clouds.
    """
    files = tree_files(folder)
    is_tree = np.array([not _NO_TREE.search(file.stem.lower()) for file in files], dtype=bool)
    tree_rows = np.flatnonzero(is_tree)
    number_of_file = np.full(len(files), NO_TREE_OF_FILE, dtype=np.int64)
    number_of_file[tree_rows] = _tree_numbers([files[row].stem for row in tree_rows])

    tables = []
    for file in files:
        is_table = file.suffix.lower() in TABLE_EXTENSIONS
        tables.append(_read_file(file) if is_table else read_las(file))
    columns = _common_columns(tables)
    n_points_of_file = [len(table.columns["x"]) for table in tables]
    columns[TREE_OF_FILE] = np.repeat(number_of_file, n_points_of_file)

    crs, z_unit = _common_system(folder, tables)
    message = note(
        "cloud.folder",
        "{folder}: {files} files are read as one tree each, in attribute '{name}'; {without} "
        "files of ground or noise have no tree.",
        folder=folder.name,
        files=len(tree_rows),
        name=TREE_OF_FILE,
        without=len(files) - len(tree_rows),
    )
    return PointTable(columns, crs, z_unit, (message,))


#: Pattern of the names of files without a tree.
_NO_TREE = re.compile(r"(?<![a-z])(non?[-_ ]?tree|" + "|".join(_NO_TREE_WORDS) + r")(?![a-z])")


def _common_columns(tables: Sequence[PointTable]) -> dict[str, Array]:
    """Return the columns that all tables have, with the points of all tables, by name.

    Args:
        tables: at least one table. A column with the tree of a file is left out.
    """
    columns = {}
    for name in tables[0].columns:
        is_common = all(name in table.columns for table in tables)
        if is_common and name != TREE_OF_FILE:
            columns[name] = np.concatenate([table.columns[name] for table in tables])
    return columns


def tree_files(folder: Path) -> list[Path]:
    """Return the files of points in a folder, in the order of the numbers in their names.

    Raises:
        InputError: if there are none.
    """
    extensions = (*LAS_EXTENSIONS, *TABLE_EXTENSIONS)
    files = [file for file in folder.iterdir() if file.suffix.lower() in extensions]
    if not files:
        raise InputError(
            "cloud.empty_folder",
            "The folder {folder} holds no point clouds; choose a folder with one file per tree.",
            folder=folder.name,
        )
    return sorted(files, key=lambda file: _natural_key(file.name))


def _natural_key(name: str) -> list[tuple[int, str]]:
    """Return a key that sorts names by the numbers in them."""
    parts = re.split(r"(\d+)", name.lower())
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def _tree_numbers(stems: Sequence[str]) -> list[int]:
    """Return the number of the tree of each file, by names without extensions.

    >>> _tree_numbers(["tree_7", "tree_12"]), _tree_numbers(["oak", "ash"])
    ([7, 12], [1, 2])
    """
    numbers_in_names = [re.findall(r"\d+", stem) for stem in stems]
    numbers = [int(digits[-1]) for digits in numbers_in_names if digits and len(digits[-1]) < 10]
    if len(set(numbers)) == len(stems):
        return numbers
    return list(range(1, len(stems) + 1))


def _common_system(folder: Path, tables: Sequence[PointTable]) -> tuple[str, float | None]:
    """Return the definition of the CRS and the unit of z of the files of a folder.

    Args:
        folder: the folder, for messages.
        tables: points of each file.

    Raises:
        InputError: if files have different systems.
    """
    first = next((table for table in tables if table.crs), tables[0])
    for table in tables:
        if table.crs and table.crs != first.crs:
            raise InputError(
                "cloud.several_systems",
                "The files in {folder} have different coordinate systems ({systems}); transform "
                "them to one.",
                folder=folder.name,
                systems=[first.crs, table.crs],
            )
    return first.crs, first.z_unit
