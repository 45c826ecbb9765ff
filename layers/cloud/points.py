"""Labelled point clouds read from LAS, LAZ and COPC files, in chunks and only what is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext

from randcrowns.core.arrays import Floats, as_words, slices
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.remarks import Remark, info, note, warning
from randcrowns.layers.cloud.head import (
    CloudAttribute,
    CloudHead,
    check_chunks,
    ends_early,
    in_sentences,
    look_into,
    require_laspy,
)
from randcrowns.layers.crs import WorkingCrs, in_degrees, unit_length

#: Points at a time: a fraction of a second's work.
_CHUNK = 200_000
#: Share of the work that reading is; the rest is bringing the coordinates to metres.
_READING = 0.8
#: No coordinate of a place on earth is larger, in whatever unit.
_FARTHEST = 1e10
#: The parts of a compressed point that are read anyway or by name; the others are extra attributes.
_ALWAYS = ("return_number", "number_of_returns", "scanner_channel")


@dataclass(frozen=True)
class PointCloud:
    """N points in metres with two labels each."""

    xyz: Floats  #: (N, 3) working coordinates.
    #: target, prediction: (N,) whole numbers.
    target: np.ndarray
    prediction: np.ndarray
    crs: QgsCoordinateReferenceSystem  #: the file's system, or the one chosen for it.
    working: WorkingCrs  #: where ``xyz`` are.
    remarks: tuple[Remark, ...]  #: what was odd.
    #: Number of points that belong to no target because they have 0, and to no prediction.
    zeros: tuple[int, int]
    height: Remark  #: what the height of a tree is.
    others: Mapping[str, np.ndarray]  #: (N,) whole numbers of further attributes, by name.

    def on_map(self, xy: Floats) -> Floats:
        """(n, 2) working coordinates in the file's own system."""
        return self.working.metres_to(self.crs, xy)


def read_cloud(
    path: Path,
    target: str,
    prediction: str,
    transform_context: QgsCoordinateTransformContext,
    *,
    invalid_ids: tuple[int, int] = (-1, -1),
    crs: QgsCoordinateReferenceSystem | None = None,
    others: Sequence[str] = (),
    progress: Progress = no_progress,
) -> PointCloud:
    """Read the coordinates and two attributes of all points.

    Args:
        target, prediction: names of the attributes with the instance of each point; empty where there is none.
        invalid_ids: label of points of no target, and of no prediction; a label that is not a number (NaN) becomes it.
        crs: the system to take if the file does not tell one.
        others: names of further attributes to read.

    Raises:
        InputError: naming the file, if it ends early, cannot be read or has no system, an attribute is not there or
            holds no whole numbers, or coordinates are not finite.
        MissingLibraryError: if laspy or lazrs is not installed.
    """
    laspy = require_laspy()
    with in_sentences(path, laspy):
        head = look_into(path)
        chosen = {name: head.attribute(name) for name in (target, prediction, *others) if name}
        check_chunks(path)
        with laspy.open(
            str(path), decompression_selection=_needed(laspy, [*chosen.values()])
        ) as reader:
            known = head.system(crs)
            z_unit, height, z_note = _heights(head, known)
            xyz = np.empty((head.n_points, 3))
            stored: dict[str, list[np.ndarray]] = {name: [] for name in chosen}
            done = 0
            for points in reader.chunk_iterator(_CHUNK):
                rows = slice(done, done + len(points))
                xyz[rows, 0], xyz[rows, 1], xyz[rows, 2] = points.x, points.y, points.z
                _check_places(path, xyz[rows], done)
                xyz[rows, 2] *= z_unit
                for name, column in stored.items():
                    column.append(np.asarray(points[name]).copy())
                    _check_whole(path.name, name, column[-1])
                done += len(points)
                progress(_READING * done / head.n_points)
    if done < head.n_points:
        raise ends_early(path, done, head.n_points)
    columns = {
        name: np.concatenate(column) if column else np.empty(0, dtype=np.int64)
        for name, column in stored.items()
    }
    none: list[Remark] = []
    labels = [
        _labels(path.name, name, columns[name], invalid_id)
        if name
        else (np.full(done, invalid_id), 0, none)
        for name, invalid_id in zip((target, prediction), invalid_ids)
    ]
    working = WorkingCrs.for_layer(path.name, known, _centre(xyz), transform_context)
    for rows in slices(len(xyz), _CHUNK):
        xyz[rows, :2] = working.metres_from(known, xyz[rows, :2], path.name)
        progress(_READING + (1 - _READING) * rows.stop / len(xyz))
    (targets, no_target, odd_targets), (predictions, no_prediction, odd_predictions) = labels
    remarks = tuple(filter(None, [working.note, z_note, *odd_targets, *odd_predictions]))
    return PointCloud(
        xyz,
        targets,
        predictions,
        known,
        working,
        remarks,
        (no_target, no_prediction),
        height,
        {name: columns[name] for name in others},
    )


def _needed(laspy: Any, attributes: Sequence[CloudAttribute]) -> Any:
    parts = laspy.DecompressionSelection
    wanted = parts.XY_RETURNS_CHANNEL | parts.Z
    for attribute in attributes:
        if attribute.extra:
            wanted |= parts.ALL_EXTRA_BYTES
        elif attribute.name not in _ALWAYS:
            wanted |= getattr(parts, attribute.name.upper(), parts.all())
    return wanted


def _centre(xyz: Floats) -> tuple[float, float]:
    """x, y of the middle of the points; what the file's header says of it may be wrong."""
    if len(xyz) == 0:
        return 0.0, 0.0
    west, south = xyz[:, :2].min(axis=0)
    east, north = xyz[:, :2].max(axis=0)
    return float(west + east) / 2, float(south + north) / 2


_HEIGHT = "Height, where the tallest target chooses first: highest point above the lowest."
_HEIGHT_OF_UNIT = (
    "Height, where the tallest target chooses first: highest point above the lowest (the file does not say the unit of "
    "z; taken: {unit})."
)


def _heights(
    head: CloudHead, crs: QgsCoordinateReferenceSystem
) -> tuple[float, Remark, Remark | None]:
    """Metres per unit of z; what heights are; and a remark, where it is not plainly metres."""
    told, file = head.unit_of_heights(crs), head.path.name
    if told is not None:
        said = "The heights of {file} are in units of {unit:.4g} m; they are worked on in metres."
        units = None if told == 1.0 else note("cloud.height_units", said, file=file, unit=told)
        return told, info("height.points", _HEIGHT), units
    unit = 1.0 if in_degrees(crs) else unit_length(crs)
    words = info("unit.metres", "metres")
    if unit != 1.0:
        words = info("unit.of_coordinates", "units of {unit:.4g} m, as its coordinates", unit=unit)
    height = info("height.points", _HEIGHT_OF_UNIT, unit=words)
    if unit == 1.0 and not in_degrees(crs):
        return unit, height, None
    said = "Neither {file} nor its coordinate system says the unit of its heights; they are taken to be in {unit}."
    return unit, height, note("cloud.height_units_taken", said, file=file, unit=words)


def _check_places(path: Path, xyz: Floats, before: int) -> None:
    right = np.abs(xyz) <= _FARTHEST
    if right.all():
        return
    first = int(right.all(axis=1).argmin())
    number, place = before + first + 1, xyz[first]
    if np.isfinite(place).all():
        said = (
            "{file}: point {number} lies at {place}, which is no place on earth; remove such points, or check the "
            "scale and offset in the file's header."
        )
    else:
        said = (
            "{file}: every point needs finite coordinates, but those of point {number} are not numbers; remove such "
            "points, or check the scale and offset in the file's header."
        )
    raise InputError(
        said, file=path.name, number=number, place=[as_words(value, -6) for value in place]
    )


#: The largest number of a tree.
_LARGEST = int(np.iinfo(np.int64).max)
#: What no tree is called where nothing else is said; an unsigned type cannot hold it.
_USUAL = -1
#: What is said of points with the number that means none: of many, of one.
_STORED_NEGATIVE = (
    "{file}: {count:,} points have {number} in attribute '{name}', which is -1 where numbers cannot be negative; they "
    "are taken to belong to no instance.",
    "{file}: 1 point has {number} in attribute '{name}', which is -1 where numbers cannot be negative; it is taken to "
    "belong to no instance.",
)
_STORED_ZERO = (
    "{file}: {count:,} points have {number} in attribute '{name}', where numbers cannot be negative; they are taken to "
    "belong to no instance.",
    "{file}: 1 point has {number} in attribute '{name}', where numbers cannot be negative; it is taken to belong to no "
    "instance.",
)


def _labels(
    file: str, name: str, values: np.ndarray, invalid_id: int
) -> tuple[np.ndarray, int, list[Remark]]:
    """The labels in an attribute, the number of points that have 0 and belong to no tree for that, and remarks.

    An unsigned type cannot hold -1. Where its largest number occurs, and does not just follow the others, that is what
    became of -1. Otherwise 0 is taken for no tree if ``invalid_id`` is -1.
    """
    if not np.issubdtype(values.dtype, np.unsignedinteger):
        whole, missing, odd = _whole(file, name, values, invalid_id)
        return whole, int(np.count_nonzero(whole == 0)) - missing if invalid_id == 0 else 0, odd
    largest = int(np.iinfo(values.dtype).max)
    n_largest = int(np.count_nonzero(values == largest))
    stored_negative = n_largest > 0 and invalid_id != largest and not (values == largest - 1).any()
    by_itself = invalid_id == _USUAL and not stored_negative
    zeros = int(np.count_nonzero(values == 0)) if by_itself or invalid_id == 0 else 0
    no_tree = largest if stored_negative else 0
    taken = stored_negative or (by_itself and zeros > 0)
    highest = int((values[values != no_tree] if taken else values).max(initial=0))
    if highest > _LARGEST:
        said = (
            "Attribute '{name}' of {file} has the number {highest}; numbers of trees can be at most {largest}. Number "
            "them from 1 on, or choose another attribute."
        )
        raise InputError(said, name=name, file=file, highest=highest, largest=_LARGEST)
    if not taken:
        return values, zeros, []
    many, one = _STORED_NEGATIVE if stored_negative else _STORED_ZERO
    count = n_largest if stored_negative else zeros
    signed = values.astype(np.int64)
    signed[values == no_tree] = invalid_id
    return (
        signed,
        zeros,
        [note("cloud.unsigned", many, one=one, file=file, name=name, count=count, number=no_tree)],
    )


def _check_whole(file: str, name: str, values: np.ndarray) -> None:
    """Refuse labels with a fraction, or larger than whole numbers can be."""
    if np.issubdtype(values.dtype, np.integer):
        return
    wrong = values[(values != np.floor(values)) & ~np.isnan(values) | (np.abs(values) >= 2.0**63)]
    if len(wrong):
        said = (
            "Attribute '{name}' of {file} must hold the number of an instance, a whole number, but it holds "
            "{value:g}; choose another attribute."
        )
        raise InputError(said, name=name, file=file, value=wrong[0])


def _whole(
    file: str, name: str, values: np.ndarray, invalid_id: int
) -> tuple[np.ndarray, int, list[Remark]]:
    """The values, checked before, as whole numbers, how many are no numbers, and remarks."""
    if np.issubdtype(values.dtype, np.integer):
        return values, 0, []
    whole, missing, blurred = np.empty(len(values), dtype=np.int64), 0, 0
    for rows in slices(len(values), _CHUNK):
        none = np.isnan(values[rows])
        numbers = np.where(none, invalid_id, values[rows])
        size = np.abs(numbers)
        missing += int(none.sum())
        blurred = blurred or int(
            next(iter(size[~none & (size >= 2.0 ** (np.finfo(values.dtype).nmant + 1))]), 0)
        )
        whole[rows] = numbers
    odd = []
    if missing:
        said = (
            "{file}: {count:,} points have no number in attribute '{name}'; they belong to no instance ({number}).",
            "{file}: 1 point has no number in attribute '{name}'; it belongs to no instance ({number}).",
        )
        odd.append(
            note(
                "cloud.no_number",
                said[0],
                one=said[1],
                file=file,
                name=name,
                count=missing,
                number=invalid_id,
            )
        )
    if blurred:
        text = (
            "{file}: trees may have become one, for attribute '{name}' cannot tell {number} from the next number; "
            "store whole numbers, or number the trees from 1 on."
        )
        odd.append(warning("cloud.blurred", text, number=blurred, file=file, name=name))
    return whole, missing, odd
