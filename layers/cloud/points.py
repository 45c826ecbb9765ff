"""Labelled point clouds read from LAS, LAZ and COPC files in chunks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext

from randcrowns.core.arrays import Floats, number_text, split_range
from randcrowns.core.errors import InputError
from randcrowns.core.instances.tree_labels import (
    Column,
    Labels,
    check_integers,
    clean_numbers,
    labels_of,
)
from randcrowns.core.messages import Message, info, note
from randcrowns.core.progress import Progress, no_progress
from randcrowns.layers.cloud.header import (
    CloudAttribute,
    CloudHeader,
    check_chunks,
    open_las,
    read_header,
    read_las_table,
    report_damage,
    require_laspy,
    table_header,
    truncated_file_error,
)
from randcrowns.layers.cloud.point_tables import PointTable, is_point_table, read_point_table
from randcrowns.layers.crs import WorkingCrs, is_in_degrees, metres_per_unit

#: Number of points per chunk; a chunk takes a fraction of a second.
_CHUNK_SIZE = 200_000
#: Fraction of the work that is reading; the rest is transforming the coordinates.
_READING = 0.8
#: Maximum absolute coordinate of a place on earth, in any unit.
_MAX_COORDINATE = 1e10
#: Standard attributes that are always decompressed, together with x, y and the class.
_ALWAYS_DECOMPRESSED = ("return_number", "number_of_returns", "scanner_channel")
#: Attribute with the flag of points that were deleted without removing them from the file.
_WITHHELD = "withheld"


@dataclass(frozen=True)
class PointCloud:
    """Cloud of n points in metres with two labels per point."""

    #: (n, 3) working coordinates x, y and z, metres.
    xyz: Floats
    #: (n,) integer label of the target of each point.
    target: np.ndarray
    #: (n,) integer label of the predicted instance of each point.
    prediction: np.ndarray
    #: CRS of the file, or the one that the user selected.
    crs: QgsCoordinateReferenceSystem
    #: Working CRS of ``xyz``.
    working_crs: WorkingCrs
    #: Messages about unusual input.
    messages: tuple[Message, ...]
    #: Number of points with label 0 that belong to no target, and to no predicted instance.
    n_zeros: tuple[int, int]
    #: Message that describes how the height of a tree is measured.
    height_description: Message
    #: (n,) values of further attributes, by name.
    attributes: Mapping[str, np.ndarray]

    def to_file_crs(self, xy: Floats) -> Floats:
        """Transform working coordinates to the CRS of the file.

        Args:
            xy: (m, 2) working coordinates, metres.

        Returns:
            Array (m, 2) of coordinates in ``crs``.
        """
        return self.working_crs.from_working(self.crs, xy)


class _HeightUnit(NamedTuple):
    """Unit of the heights of a file."""

    #: Metres per unit of z.
    metres: float
    #: Message that describes how heights are measured.
    description: Message
    #: Message about a unit other than metres; None for metres.
    message: Message | None


def read_cloud(
    path: Path,
    target: str,
    prediction: str,
    transform_context: QgsCoordinateTransformContext,
    *,
    invalid_ids: tuple[int, int] = (-1, -1),
    further_invalid_ids: tuple[Sequence[int], Sequence[int]] = ((), ()),
    crs: QgsCoordinateReferenceSystem | None = None,
    other_attributes: Sequence[str] = (),
    left_out: Mapping[str, Sequence[float]] | None = None,
    progress: Progress = no_progress,
) -> PointCloud:
    """Read the coordinates and labels of all points of a file.

    Args:
        path: the file.
        target: name of the attribute with the target of each point; "" without one.
        prediction: name of the attribute with the predicted instance of each point; "" without one.
        transform_context: the project's transform context.
        invalid_ids: labels of points of no target and of no predicted instance. They replace NaN.
        further_invalid_ids: further labels of points of no target and of no predicted instance;
            they are replaced by ``invalid_ids``.
        crs: CRS that is used if the file has none.
        other_attributes: names of further attributes to read; "no data" becomes NaN.
        left_out: values by attribute; points with one of them are left out.
        progress: callback that receives the completed fraction.

    Returns:
        The points in a working CRS in metres. Without an attribute for a label, all points have
        its invalid id.

    Raises:
        InputError: if the file is damaged or has no CRS, an attribute is missing or holds values
            that are not integers, or coordinates are not finite.
        MissingLibraryError: if laspy or lazrs is not installed.
    """
    integer_names = [name for name in (target, prediction, *other_attributes) if name]
    left_out = left_out or {}
    head, file_crs, height_unit, xyz, columns = _read_file(
        path, integer_names, list(left_out), crs, progress
    )
    messages = list(head.messages)
    is_left_out = _find_left_out(columns, left_out)
    if is_left_out.any():
        messages.append(_left_out_message(path.name, is_left_out, left_out))
        xyz = xyz[~is_left_out]
        columns = {name: column.select(~is_left_out) for name, column in columns.items()}
    messages += _withheld_messages(path.name, columns, left_out)

    labels = []
    for name, invalid_id, further in zip((target, prediction), invalid_ids, further_invalid_ids):
        if name:
            labels.append(labels_of(path.name, name, columns[name], invalid_id, further))
        else:
            labels.append(Labels(np.full(len(xyz), invalid_id), 0, []))
    targets, predictions = labels

    working = WorkingCrs.for_layer(path.name, file_crs, _centre(xyz), transform_context)
    for rows in split_range(len(xyz), _CHUNK_SIZE):
        xyz[rows, :2] = working.to_working(file_crs, xyz[rows, :2], path.name)
        progress(_READING + (1 - _READING) * rows.stop / len(xyz))

    messages += filter(None, (working.message, height_unit.message))
    messages += [*targets.messages, *predictions.messages]
    return PointCloud(
        xyz=xyz,
        target=targets.labels,
        prediction=predictions.labels,
        crs=file_crs,
        working_crs=working,
        messages=tuple(messages),
        n_zeros=(targets.n_zeros, predictions.n_zeros),
        height_description=height_unit.description,
        attributes={name: columns[name].numbers() for name in other_attributes},
    )


class _FileContent(NamedTuple):
    """Content of a file of n points."""

    head: CloudHeader  #: header of the file.
    crs: QgsCoordinateReferenceSystem  #: CRS of the file, or the selected one.
    height_unit: _HeightUnit  #: unit of the heights.
    xyz: Floats  #: (n, 3) coordinates in the CRS of the file, z in metres.
    columns: dict[str, Column]  #: attributes by name.


def _read_file(
    path: Path,
    integer_names: Sequence[str],
    conditions: Sequence[str],
    crs: QgsCoordinateReferenceSystem | None,
    progress: Progress,
) -> _FileContent:
    """Read the coordinates and some attributes of all points of a file.

    Args:
        path: the file.
        integer_names: names of attributes that hold integers.
        conditions: names of attributes that may hold any numbers.
        crs: CRS that is used if the file has none.
        progress: callback that receives the completed fraction of the whole work.

    Raises:
        InputError: as :func:`read_cloud`.
        MissingLibraryError: if a library for the file is not installed.
    """
    names = list(dict.fromkeys((*integer_names, *conditions)))
    if is_point_table(path):
        table = read_point_table(path, read_las_table)
        head = table_header(path, table)
        attributes = [head.find_attribute(name) for name in names]
        file_crs = head.resolve_crs(crs)
        height_unit = _height_unit(head, file_crs)
        chunks = _table_chunks(table)
        xyz, columns = _read_points(
            chunks, head, attributes, set(integer_names), height_unit.metres, progress
        )
        return _FileContent(head, file_crs, height_unit, xyz, columns)

    laspy = require_laspy()
    with report_damage(path, laspy):
        head = read_header(path)
        if any(attribute.name == _WITHHELD for attribute in head.attributes):
            names = list(dict.fromkeys((*names, _WITHHELD)))
        attributes = [head.find_attribute(name) for name in names]
        check_chunks(path)
        decompression = _decompression_selection(laspy, attributes)
        with open_las(path, laspy, decompression_selection=decompression) as reader:
            file_crs = head.resolve_crs(crs)
            height_unit = _height_unit(head, file_crs)
            chunks = _las_chunks(reader)
            xyz, columns = _read_points(
                chunks, head, attributes, set(integer_names), height_unit.metres, progress
            )
    return _FileContent(head, file_crs, height_unit, xyz, columns)


def _table_chunks(table: PointTable) -> Iterator[Mapping[str, np.ndarray]]:
    """Yield the points of a table in chunks, as arrays by attribute and x, y, z."""
    for rows in split_range(len(table.columns["x"]), _CHUNK_SIZE):
        yield {name: values[rows] for name, values in table.columns.items()}


def _las_chunks(reader: Any) -> Iterator[Mapping[str, np.ndarray]]:
    """Yield the points of laspy's reader in chunks, as arrays by attribute and x, y, z."""
    for points in reader.chunk_iterator(_CHUNK_SIZE):
        yield _LasChunk(points)


class _LasChunk(Mapping[str, np.ndarray]):
    """Points of laspy as arrays by name, which are made when they are used.

    Args:
        points: record of points of laspy.
    """

    def __init__(self, points: Any) -> None:
        self._points = points

    def __getitem__(self, name: str) -> np.ndarray:
        return np.asarray(getattr(self._points, name) if name in "xyz" else self._points[name])

    def __iter__(self) -> Iterator[str]:
        return iter(("x", "y", "z", *self._points.point_format.dimension_names))

    def __len__(self) -> int:
        return len(list(iter(self)))


def _find_left_out(
    columns: Mapping[str, Column], left_out: Mapping[str, Sequence[float]]
) -> np.ndarray:
    """Return a mask (n,) of the points that have one of the values to leave out.

    Args:
        columns: attributes of n points by name.
        left_out: values by attribute.
    """
    masks = [np.isin(columns[name].values, list(values)) for name, values in left_out.items()]
    return np.logical_or.reduce(masks) if masks else np.zeros(1, dtype=bool)


def _withheld_messages(
    file: str, columns: Mapping[str, Column], left_out: Mapping[str, Sequence[float]]
) -> list[Message]:
    """Return a note if withheld points are counted; [] without any, or if the user decided on them.

    Args:
        file: name of the file.
        columns: attributes of the n points that are counted, by name.
        left_out: values by attribute that the user has chosen to leave out.
    """
    if _WITHHELD not in columns or _WITHHELD in left_out:
        return []
    is_withheld = columns[_WITHHELD].values == 1
    if not is_withheld.any():
        return []
    return [
        note(
            "cloud.withheld",
            "{file}: {count:,} points ({share:.1%}) have the flag 'withheld' of deleted points. "
            "They are counted; to leave them out, give withheld=1 as points to leave out.",
            one="{file}: 1 point ({share:.1%}) has the flag 'withheld' of deleted points. It is "
            "counted; to leave it out, give withheld=1 as points to leave out.",
            file=file,
            count=int(is_withheld.sum()),
            share=float(is_withheld.mean()),
        )
    ]


def _left_out_message(
    file: str, is_left_out: np.ndarray, left_out: Mapping[str, Sequence[float]]
) -> Message:
    """Return the message that points are left out.

    Args:
        file: name of the file.
        is_left_out: (n,) mask of the points that are left out.
        left_out: values by attribute.
    """
    conditions = [
        name + "=" + "+".join(str(int(value) if value.is_integer() else value) for value in values)
        for name, values in left_out.items()
    ]
    return note(
        "cloud.left_out",
        "{file}: {count:,} points ({share:.1%}) are left out ({conditions}).",
        one="{file}: 1 point ({share:.1%}) is left out ({conditions}).",
        file=file,
        count=int(is_left_out.sum()),
        share=float(is_left_out.mean()),
        conditions=conditions,
    )


def _read_points(
    all_chunks: Iterable[Mapping[str, np.ndarray]],
    head: CloudHeader,
    attributes: Sequence[CloudAttribute],
    integer_names: Collection[str],
    metres_per_z: float,
    progress: Progress,
) -> tuple[Floats, dict[str, Column]]:
    """Read the coordinates and attributes of all points of an opened file in chunks.

    Args:
        all_chunks: the points in chunks, as arrays by attribute and x, y, z.
        head: header of the file.
        attributes: the attributes to read.
        integer_names: names of the attributes whose values must be integers or NaN.
        metres_per_z: metres per unit of z.
        progress: callback that receives the completed fraction of the whole work.

    Returns:
        Coordinates (n, 3), x and y in the CRS of the file and z in metres; and values (n,) of each
        attribute by name.

    Raises:
        InputError: if the file has fewer points than its header says, a coordinate is unusable, or
            an attribute holds values that are not integers.
    """
    path = head.path
    xyz = np.empty((head.n_points, 3))
    chunks: dict[str, list[Column]] = {attribute.name: [] for attribute in attributes}
    n_read = 0
    for points in all_chunks:
        x = points["x"]
        rows = slice(n_read, n_read + len(x))
        xyz[rows, 0] = x
        xyz[rows, 1] = points["y"]
        xyz[rows, 2] = points["z"]
        _check_coordinates(path, xyz[rows], n_read)
        xyz[rows, 2] *= metres_per_z

        for attribute in attributes:
            column = _prepare_values(attribute, np.array(points[attribute.name]))
            if attribute.name in integer_names:
                check_integers(path.name, attribute.name, column.values)
            chunks[attribute.name].append(column)
        n_read += len(x)
        progress(_READING * n_read / head.n_points)
    if n_read < head.n_points:
        raise truncated_file_error(path, n_read, head.n_points)

    return xyz, {name: _join(columns) for name, columns in chunks.items()}


def _join(columns: Sequence[Column]) -> Column:
    """Return the values of several chunks in one column."""
    if not columns:
        return Column(np.empty(0, dtype=np.int64), None)
    values = np.concatenate([column.values for column in columns])
    if all(column.is_missing is None for column in columns):
        return Column(values, None)
    masks = [
        np.zeros(len(column.values), dtype=bool) if column.is_missing is None else column.is_missing
        for column in columns
    ]
    return Column(values, np.concatenate(masks))


def _prepare_values(attribute: CloudAttribute, values: np.ndarray) -> Column:
    """Return the values of an attribute, cleaned of rounding and of numbers that mean "no data".

    Floating point values that differ from an integer by rounding become that integer. "No data",
    and the largest number of the type, which other programs write for it, become NaN.

    Args:
        attribute: the attribute.
        values: (m,) values, which may be changed.
    """
    is_missing = _find_no_data(attribute, values)
    if np.issubdtype(values.dtype, np.integer):
        return Column(values, is_missing if is_missing is not None and is_missing.any() else None)
    return Column(clean_numbers(values, is_missing), None)


def _find_no_data(attribute: CloudAttribute, values: np.ndarray) -> np.ndarray | None:
    """Return a mask (m,) of the values that the file declares to mean "no data"; None without one.

    Args:
        attribute: the attribute.
        values: (m,) values.
    """
    number = attribute.no_data
    if number is None:
        return None
    if np.issubdtype(values.dtype, np.integer):
        limits = np.iinfo(values.dtype)
        if not limits.min <= number <= limits.max:
            return None
        return np.asarray(values == values.dtype.type(number))
    scale, offset = attribute.scaling
    if (scale, offset) != (1.0, 0.0):
        # The value is a stored number by the specification; some programs scale it.
        is_stored_number = np.rint((values - offset) / scale) == number
        return np.asarray(is_stored_number | np.isclose(values, number, rtol=1e-9, atol=0))
    with np.errstate(over="ignore"):
        return np.asarray(values == values.dtype.type(number))


def _decompression_selection(laspy: Any, attributes: Sequence[CloudAttribute]) -> Any:
    """Return laspy's flags of the parts of a point to decompress: x, y, z and the attributes."""
    flags = laspy.DecompressionSelection
    selection = flags.XY_RETURNS_CHANNEL | flags.Z
    for attribute in attributes:
        if attribute.is_extra:
            selection |= flags.ALL_EXTRA_BYTES
        elif attribute.name == _WITHHELD:
            selection |= (
                flags.CLASSIFICATION | flags.FLAGS
            )  # the flag's place up to format 5, since
        elif attribute.name not in _ALWAYS_DECOMPRESSED:
            selection |= getattr(flags, attribute.name.upper(), flags.all())
    return selection


def _centre(xyz: Floats) -> tuple[float, float]:
    """Return x, y of the centre of points (n, 3).

    The bounds in the file's header may be wrong and are not used.
    """
    if len(xyz) == 0:
        return 0.0, 0.0
    west, south = xyz[:, :2].min(axis=0)
    east, north = xyz[:, :2].max(axis=0)
    return float(west + east) / 2, float(south + north) / 2


def _height_unit(head: CloudHeader, crs: QgsCoordinateReferenceSystem) -> _HeightUnit:
    """Return the unit of the heights of a file.

    It is the unit that the file or its CRS specifies; otherwise that of the horizontal coordinates,
    or metres if those are in degrees.
    """
    file = head.path.name
    specified_unit = head.height_unit(crs)
    if specified_unit is not None:
        description = info(
            "height.points",
            "Height, for matching the tallest target first: highest point above the lowest.",
        )
        if specified_unit == 1.0:
            return _HeightUnit(specified_unit, description, None)
        template = (
            "The heights of {file} are in units of {unit:.4g} m; they are converted to metres."
        )
        message = note("cloud.height_units", template, file=file, unit=specified_unit)
        return _HeightUnit(specified_unit, description, message)

    is_geographic = is_in_degrees(crs)
    assumed_unit = 1.0 if is_geographic else metres_per_unit(crs)
    unit_name = info("unit.metres", "metres")
    if assumed_unit != 1.0:
        unit_name = info(
            "unit.of_coordinates",
            "units of {unit:.4g} m, as its coordinates",
            unit=assumed_unit,
        )
    description = info(
        "height.points",
        "Height, for matching the tallest target first: highest point above the lowest (the file "
        "does not say the unit of z; taken: {unit}).",
        unit=unit_name,
    )
    if assumed_unit == 1.0 and not is_geographic:
        return _HeightUnit(assumed_unit, description, None)
    message = note(
        "cloud.height_units_taken",
        "Neither {file} nor its coordinate system says the unit of its heights; they are taken to "
        "be in {unit}.",
        file=file,
        unit=unit_name,
    )
    return _HeightUnit(assumed_unit, description, message)


def _check_coordinates(path: Path, xyz: Floats, n_before: int) -> None:
    """Raise InputError if a coordinate is not finite or too large.

    Args:
        path: the file, for messages.
        xyz: (m, 3) coordinates.
        n_before: number of points in the file before these.
    """
    is_usable = np.abs(xyz) <= _MAX_COORDINATE
    if is_usable.all():
        return
    first_row = int(is_usable.all(axis=1).argmin())
    point = xyz[first_row]
    number = n_before + first_row + 1
    if np.isfinite(point).all():
        raise InputError(
            "cloud.beyond_earth",
            "{file}: point {number} lies at {place}, which is no place on earth; remove such "
            "points, or check the scale and offset in the file's header.",
            file=path.name,
            number=number,
            place=[number_text(value, -6) for value in point],
        )
    raise InputError(
        "cloud.not_finite",
        "{file}: every point needs finite coordinates, but those of point {number} are not "
        "numbers; remove such points, or check the scale and offset in the file's header.",
        file=path.name,
        number=number,
    )
