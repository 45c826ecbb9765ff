"""Labelled point clouds read from LAS, LAZ and COPC files in chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext

from randcrowns.core.arrays import Floats, number_text, split_range
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, info, note, warning
from randcrowns.core.progress import Progress, no_progress
from randcrowns.layers.cloud.header import (
    CloudAttribute,
    CloudHeader,
    check_chunks,
    read_header,
    report_damage,
    require_laspy,
    truncated_file_error,
)
from randcrowns.layers.crs import WorkingCrs, is_in_degrees, metres_per_unit

#: Number of points per chunk; a chunk takes a fraction of a second.
_CHUNK_SIZE = 200_000
#: Fraction of the work that is reading; the rest is transforming the coordinates.
_READING = 0.8
#: Maximum absolute coordinate of a place on earth, in any unit.
_MAX_COORDINATE = 1e10
#: Standard attributes that are always decompressed, together with x, y and the class.
_ALWAYS_DECOMPRESSED = ("return_number", "number_of_returns", "scanner_channel")
#: Maximum label of an instance.
_MAX_LABEL = int(np.iinfo(np.int64).max)
#: Default label of points that belong to no instance. An unsigned type cannot hold it.
_DEFAULT_INVALID_ID = -1


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


class _Labels(NamedTuple):
    """Labels of n points from one attribute."""

    #: (n,) integer labels.
    labels: np.ndarray
    #: Number of points with 0 in the attribute that belong to no instance.
    n_zeros: int
    #: Messages about unusual labels.
    messages: list[Message]


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
    crs: QgsCoordinateReferenceSystem | None = None,
    other_attributes: Sequence[str] = (),
    progress: Progress = no_progress,
) -> PointCloud:
    """Read the coordinates and labels of all points of a file.

    Args:
        path: the file.
        target: name of the attribute with the target of each point; "" without one.
        prediction: name of the attribute with the predicted instance of each point; "" without one.
        transform_context: the project's transform context.
        invalid_ids: labels of points of no target and of no predicted instance. They replace NaN.
        crs: CRS that is used if the file has none.
        other_attributes: names of further attributes to read.
        progress: callback that receives the completed fraction.

    Returns:
        The points in a working CRS in metres. Without an attribute for a label, all points have
        its invalid id.

    Raises:
        InputError: if the file is damaged or has no CRS, an attribute is missing or holds values
            that are not integers, or coordinates are not finite.
        MissingLibraryError: if laspy or lazrs is not installed.
    """
    laspy = require_laspy()
    with report_damage(path, laspy):
        head = read_header(path)
        attributes = {
            name: head.find_attribute(name)
            for name in (target, prediction, *other_attributes)
            if name
        }
        check_chunks(path)
        decompression = _decompression_selection(laspy, list(attributes.values()))
        with laspy.open(str(path), decompression_selection=decompression) as reader:
            file_crs = head.resolve_crs(crs)
            height_unit = _height_unit(head, file_crs)
            xyz, values_by_name = _read_points(
                reader, head, list(attributes), height_unit.metres, progress
            )

    labels = []
    for name, invalid_id in zip((target, prediction), invalid_ids):
        if name:
            labels.append(_labels_of(path.name, name, values_by_name[name], invalid_id))
        else:
            labels.append(_Labels(np.full(len(xyz), invalid_id), 0, []))
    targets, predictions = labels

    working = WorkingCrs.for_layer(path.name, file_crs, _centre(xyz), transform_context)
    for rows in split_range(len(xyz), _CHUNK_SIZE):
        xyz[rows, :2] = working.to_working(file_crs, xyz[rows, :2], path.name)
        progress(_READING + (1 - _READING) * rows.stop / len(xyz))

    messages = [working.message, height_unit.message, *targets.messages, *predictions.messages]
    return PointCloud(
        xyz=xyz,
        target=targets.labels,
        prediction=predictions.labels,
        crs=file_crs,
        working_crs=working,
        messages=tuple(filter(None, messages)),
        n_zeros=(targets.n_zeros, predictions.n_zeros),
        height_description=height_unit.description,
        attributes={name: values_by_name[name] for name in other_attributes},
    )


def _read_points(
    reader: Any,
    head: CloudHeader,
    attributes: Sequence[str],
    metres_per_z: float,
    progress: Progress,
) -> tuple[Floats, dict[str, np.ndarray]]:
    """Read the coordinates and attributes of all points of an opened file in chunks.

    Args:
        reader: laspy's reader of the file.
        head: header of the file.
        attributes: names of the attributes, whose values must be integers or NaN.
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
    chunks: dict[str, list[np.ndarray]] = {name: [] for name in attributes}
    n_read = 0
    for points in reader.chunk_iterator(_CHUNK_SIZE):
        rows = slice(n_read, n_read + len(points))
        xyz[rows, 0] = points.x
        xyz[rows, 1] = points.y
        xyz[rows, 2] = points.z
        _check_coordinates(path, xyz[rows], n_read)
        xyz[rows, 2] *= metres_per_z

        for name in attributes:
            values = np.asarray(points[name]).copy()
            _check_integers(path.name, name, values)
            chunks[name].append(values)
        n_read += len(points)
        progress(_READING * n_read / head.n_points)
    if n_read < head.n_points:
        raise truncated_file_error(path, n_read, head.n_points)

    no_values = np.empty(0, dtype=np.int64)
    values_by_name = {
        name: np.concatenate(arrays) if arrays else no_values for name, arrays in chunks.items()
    }
    return xyz, values_by_name


def _decompression_selection(laspy: Any, attributes: Sequence[CloudAttribute]) -> Any:
    """Return laspy's flags of the parts of a point to decompress: x, y, z and the attributes."""
    flags = laspy.DecompressionSelection
    selection = flags.XY_RETURNS_CHANNEL | flags.Z
    for attribute in attributes:
        if attribute.is_extra:
            selection |= flags.ALL_EXTRA_BYTES
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


def _labels_of(file: str, name: str, values: np.ndarray, invalid_id: int) -> _Labels:
    """Return the labels in an attribute.

    Args:
        file: name of the file, for messages.
        name: name of the attribute.
        values: (n,) values of the attribute.
        invalid_id: label of points that belong to no instance.

    Raises:
        InputError: if a label does not fit into a signed 64-bit integer.
    """
    if np.issubdtype(values.dtype, np.unsignedinteger):
        return _unsigned_labels(file, name, values, invalid_id)
    if np.issubdtype(values.dtype, np.integer):
        n_zeros = int(np.count_nonzero(values == 0)) if invalid_id == 0 else 0
        return _Labels(values, n_zeros, [])
    return _float_labels(file, name, values, invalid_id)


def _unsigned_labels(file: str, name: str, values: np.ndarray, invalid_id: int) -> _Labels:
    """Return the labels in an attribute of an unsigned type, which cannot hold -1.

    If the largest number of the type occurs and the number before it does not, it is a stored -1.
    Otherwise 0 stands for no instance if ``invalid_id`` is -1. Both are replaced by ``invalid_id``.

    Args:
        file: name of the file, for messages.
        name: name of the attribute.
        values: (n,) values of the attribute, of an unsigned integer type.
        invalid_id: label of points that belong to no instance.

    Raises:
        InputError: if a label does not fit into a signed 64-bit integer.
    """
    largest = int(np.iinfo(values.dtype).max)
    n_largest = int(np.count_nonzero(values == largest))
    is_largest_negative = (
        n_largest > 0 and invalid_id != largest and not (values == largest - 1).any()
    )
    is_zero_invalid = invalid_id == _DEFAULT_INVALID_ID and not is_largest_negative
    counts_zeros = is_zero_invalid or invalid_id == 0
    n_zeros = int(np.count_nonzero(values == 0)) if counts_zeros else 0
    has_replacement = is_largest_negative or (is_zero_invalid and n_zeros > 0)
    replaced_label = largest if is_largest_negative else 0

    labels = values[values != replaced_label] if has_replacement else values
    highest = int(labels.max(initial=0))
    if highest > _MAX_LABEL:
        raise InputError(
            "cloud.number_too_large",
            "Attribute '{name}' of {file} has the number {highest}; numbers of trees can be at "
            "most {largest}. Number them from 1 on, or choose another attribute.",
            name=name,
            file=file,
            highest=highest,
            largest=_MAX_LABEL,
        )
    if not has_replacement:
        return _Labels(values, n_zeros, [])

    signed_labels = values.astype(np.int64)
    signed_labels[values == replaced_label] = invalid_id
    if is_largest_negative:
        message = note(
            "cloud.unsigned",
            "{file}: {count:,} points have {number} in attribute '{name}', which is -1 where "
            "numbers cannot be negative; they are taken to belong to no instance.",
            one="{file}: 1 point has {number} in attribute '{name}', which is -1 where numbers "
            "cannot be negative; it is taken to belong to no instance.",
            file=file,
            name=name,
            count=n_largest,
            number=largest,
        )
    else:
        message = note(
            "cloud.unsigned",
            "{file}: {count:,} points have {number} in attribute '{name}', where numbers cannot be "
            "negative; they are taken to belong to no instance.",
            one="{file}: 1 point has {number} in attribute '{name}', where numbers cannot be "
            "negative; it is taken to belong to no instance.",
            file=file,
            name=name,
            count=n_zeros,
            number=0,
        )
    return _Labels(signed_labels, n_zeros, [message])


def _check_integers(file: str, name: str, values: np.ndarray) -> None:
    """Raise InputError if values have decimals or do not fit into a signed 64-bit integer.

    NaN is accepted.
    """
    if np.issubdtype(values.dtype, np.integer):
        return
    has_decimals = (values != np.floor(values)) & ~np.isnan(values)
    invalid_values = values[has_decimals | (np.abs(values) >= 2.0**63)]
    if len(invalid_values):
        raise InputError(
            "cloud.not_whole",
            "Attribute '{name}' of {file} must hold the number of an instance, a whole number, but "
            "it holds {value:g}; choose another attribute.",
            name=name,
            file=file,
            value=invalid_values[0],
        )


def _float_labels(file: str, name: str, values: np.ndarray, invalid_id: int) -> _Labels:
    """Return the labels in an attribute of a floating point type, checked by _check_integers.

    NaN becomes ``invalid_id``. A message warns of labels above which the type cannot hold all
    integers.

    Args:
        file: name of the file, for messages.
        name: name of the attribute.
        values: (n,) values of the attribute: integers or NaN.
        invalid_id: label of points that belong to no instance.
    """
    labels = np.empty(len(values), dtype=np.int64)
    n_missing = 0
    first_inexact = 0
    # From here on, a float with nmant bits after the first one skips integers.
    inexact_limit = 2.0 ** (np.finfo(values.dtype).nmant + 1)
    for rows in split_range(len(values), _CHUNK_SIZE):
        is_missing = np.isnan(values[rows])
        numbers = np.where(is_missing, invalid_id, values[rows])
        n_missing += int(is_missing.sum())
        if not first_inexact:
            sizes = np.abs(numbers)
            inexact = sizes[~is_missing & (sizes >= inexact_limit)]
            first_inexact = int(inexact[0]) if len(inexact) else 0
        labels[rows] = numbers

    messages = []
    if n_missing:
        messages.append(
            note(
                "cloud.no_number",
                "{file}: {count:,} points have no number in attribute '{name}'; they belong to no "
                "instance ({number}).",
                one="{file}: 1 point has no number in attribute '{name}'; it belongs to no "
                "instance ({number}).",
                file=file,
                name=name,
                count=n_missing,
                number=invalid_id,
            )
        )
    if first_inexact:
        messages.append(
            warning(
                "cloud.blurred",
                "{file}: different trees may have the same number, because attribute '{name}' "
                "cannot tell {number} from the next number. Store whole numbers, or number "
                "the trees from 1 on.",
                number=first_inexact,
                file=file,
                name=name,
            )
        )
    n_zeros = int(np.count_nonzero(labels == 0)) - n_missing if invalid_id == 0 else 0
    return _Labels(labels, n_zeros, messages)
