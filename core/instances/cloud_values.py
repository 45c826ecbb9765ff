"""Values of the points of a cloud, read in chunks, and messages about them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from randcrowns.core.arrays import Array, Floats, number_text
from randcrowns.core.errors import InputError
from randcrowns.core.instances.tree_labels import Column, check_integers, clean_numbers
from randcrowns.core.messages import Message, abbreviate, info, note
from randcrowns.core.progress import Progress, no_progress

#: Attribute with the flag of points that were deleted without removing them from the file.
WITHHELD = "withheld"
#: Maximum number of attributes that an error message lists.
_MAX_LISTED_ATTRIBUTES = 12
#: Maximum absolute coordinate of a place on earth, in any unit.
_MAX_COORDINATE = 1e10


@dataclass(frozen=True)
class CloudAttribute:
    """Attribute of the points of a cloud."""

    #: Name of the attribute.
    name: str
    #: True if all values are integers.
    is_integer: bool
    #: True for an attribute that is not part of the LAS standard.
    is_extra: bool
    #: Value that the file declares to mean "no data"; None without one. For an attribute with a
    #: scale it is the stored number.
    no_data: int | float | None = None
    #: Factor and offset that convert stored numbers to values.
    scaling: tuple[float, float] = (1.0, 0.0)
    #: Largest number of its type if that has no negative numbers; None for other types.
    largest_unsigned: int | None = None


def find_attribute(file: str, attributes: Iterable[CloudAttribute], name: str) -> CloudAttribute:
    """Return the attribute with a name.

    Args:
        file: name of the file, for the message.
        attributes: attributes of the file.
        name: the name.

    Raises:
        InputError: if there is no such attribute; the message lists the existing ones.
    """
    for attribute in attributes:
        if attribute.name == name:
            return attribute
    extra_first = sorted(attributes, key=lambda attribute: not attribute.is_extra)
    raise InputError(
        "cloud.no_attribute",
        "{file} has no attribute '{name}' with one number per point; it has {names}.",
        file=file,
        name=name,
        names=abbreviate([attribute.name for attribute in extra_first], _MAX_LISTED_ATTRIBUTES),
    )


class HeightUnit(NamedTuple):
    """Unit of the heights of a file."""

    #: Metres per unit of z.
    metres: float
    #: Message that describes how heights are measured.
    description: Message
    #: Message about a unit other than metres; None for metres.
    message: Message | None


def height_unit(
    file: str, specified_unit: float | None, coordinate_unit: float | None
) -> HeightUnit:
    """Return the unit of the heights of a file.

    It is the unit that the file or its CRS specifies; otherwise that of the horizontal coordinates,
    or metres if those are in degrees.

    Args:
        file: name of the file, for messages.
        specified_unit: metres per unit of z that the file or its CRS specifies; None for none.
        coordinate_unit: metres per unit of x and y; None for degrees.
    """
    if specified_unit is not None:
        description = info(
            "height.points",
            "Height, for matching the tallest target first: highest point above the lowest.",
        )
        if specified_unit == 1.0:
            return HeightUnit(specified_unit, description, message=None)
        template = (
            "The heights of {file} are in units of {unit:.4g} m; they are converted to metres."
        )
        message = note("cloud.height_units", template, file=file, unit=specified_unit)
        return HeightUnit(specified_unit, description, message)

    assumed_unit = 1.0 if coordinate_unit is None else coordinate_unit
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
    if coordinate_unit == 1.0:
        return HeightUnit(assumed_unit, description, message=None)
    message = note(
        "cloud.height_units_taken",
        "Neither {file} nor its coordinate system says the unit of its heights; they are taken to "
        "be in {unit}.",
        file=file,
        unit=unit_name,
    )
    return HeightUnit(assumed_unit, description, message)


def read_points(
    all_chunks: Iterable[Mapping[str, Array]],
    path: Path,
    n_points: int,
    attributes: Sequence[CloudAttribute],
    integer_names: Collection[str],
    metres_per_z: float,
    progress: Progress = no_progress,
) -> tuple[Floats, dict[str, Column]]:
    """Read the coordinates and attributes of all points of an opened file in chunks.

    Args:
        all_chunks: the points in chunks, as arrays by attribute and x, y, z.
        path: the file, for messages.
        n_points: number of points that the file specifies.
        attributes: the attributes to read.
        integer_names: names of the attributes whose values must be integers or NaN.
        metres_per_z: metres per unit of z.
        progress: callback that receives the completed fraction; may raise to cancel.

    Returns:
        Coordinates (n, 3), x and y in the CRS of the file and z in metres; and values (n,) of each
        attribute by name.

    Raises:
        InputError: if the file has fewer points than its header says, a coordinate is unusable, or
            an attribute holds values that are not integers.
    """
    xyz = np.empty((n_points, 3))
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
        progress(n_read / n_points)
    if n_read < n_points:
        raise truncated_file_error(path, n_read, n_points)

    columns_by_name = {name: _join(columns) for name, columns in chunks.items()}
    return xyz, columns_by_name


def _join(columns: Sequence[Column]) -> Column:
    """Return the values of several chunks in one column."""
    if not columns:
        return Column(np.empty(0, dtype=np.int64), is_missing=None)
    values = np.concatenate([column.values for column in columns])
    if all(column.is_missing is None for column in columns):
        return Column(values, is_missing=None)
    masks = []
    for column in columns:
        none_missing = np.zeros(len(column.values), dtype=bool)
        masks.append(none_missing if column.is_missing is None else column.is_missing)
    return Column(values, is_missing=np.concatenate(masks))


def _prepare_values(attribute: CloudAttribute, values: Array) -> Column:
    """Return the values of an attribute, cleaned of rounding and of numbers that mean "no data".

    Floating point values that differ from an integer by rounding become that integer. "No data",
    and the largest number of the type, which other programs write for it, become NaN.

    Args:
        attribute: the attribute.
        values: (m,) values, which may be changed.
    """
    is_missing = _find_no_data(attribute, values)
    if np.issubdtype(values.dtype, np.integer):
        if is_missing is not None and not is_missing.any():
            is_missing = None
        return Column(values, is_missing)
    return Column(clean_numbers(values, is_missing), None)


def _find_no_data(attribute: CloudAttribute, values: Array) -> Array | None:
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


def find_left_out(columns: Mapping[str, Column], left_out: Mapping[str, Sequence[float]]) -> Array:
    """Return a mask (n,) of the points that have one of the values to leave out.

    Args:
        columns: attributes of n points by name.
        left_out: values by attribute.
    """
    masks = [np.isin(columns[name].values, list(values)) for name, values in left_out.items()]
    return np.logical_or.reduce(masks) if masks else np.zeros(1, dtype=bool)


def left_out_message(
    file: str, is_left_out: Array, left_out: Mapping[str, Sequence[float]]
) -> Message:
    """Return the message that points are left out.

    Args:
        file: name of the file.
        is_left_out: (n,) mask of the points that are left out.
        left_out: values by attribute.
    """
    conditions = []
    for name, values in left_out.items():
        # Whole numbers are written without decimals: classification=7+18
        numbers = [str(int(value)) if value.is_integer() else str(value) for value in values]
        joined_numbers = "+".join(numbers)
        conditions.append(f"{name}={joined_numbers}")
    return note(
        "cloud.left_out",
        "{file}: {count:,} points ({share:.1%}) are left out ({conditions}).",
        one="{file}: 1 point ({share:.1%}) is left out ({conditions}).",
        file=file,
        count=int(is_left_out.sum()),
        share=float(is_left_out.mean()),
        conditions=conditions,
    )


def withheld_messages(
    file: str, columns: Mapping[str, Column], left_out: Mapping[str, Sequence[float]]
) -> list[Message]:
    """Return a note if withheld points are counted; [] without any, or if the user decided on them.

    Args:
        file: name of the file.
        columns: attributes of the n points that are counted, by name.
        left_out: values by attribute that the user has chosen to leave out.
    """
    if WITHHELD not in columns or WITHHELD in left_out:
        return []
    is_withheld = columns[WITHHELD].values == 1
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


def truncated_file_error(path: Path, n_points: int, n_expected: int) -> InputError:
    """Return the error that a file has fewer points than its header specifies.

    Args:
        path: the file.
        n_points: number of points in the file.
        n_expected: number of points according to the header.
    """
    return InputError(
        "cloud.ends_early",
        "{file} ends early: it has only {found:,} of {expected:,} points. Copy or download it "
        "again.",
        file=path.name,
        found=n_points,
        expected=n_expected,
    )


def damaged_file_error(path: Path, why: Message | BaseException) -> InputError:
    """Return the error that a file is damaged.

    Args:
        path: the file.
        why: reason, a clause or an exception.
    """
    return InputError(
        "cloud.unreadable",
        "{file} cannot be read as a point cloud; it is damaged or ends early ({why}). Copy or "
        "download it again.",
        file=path.name,
        why=why,
    )
