"""Labelled point clouds read from LAS, LAZ and COPC files, in chunks and only what is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext

from randcrowns.core.arrays import Floats, Ints, slices
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
    """N points in metres with two labels each.

    Attributes:
        xyz: (N, 3) working coordinates.
        target, prediction: (N,) whole numbers.
        crs: the file's system, or the one chosen for it.
        working: where ``xyz`` are.
        remarks: what was odd.
        zeros: number of points that belong to no target because they have 0, and to no prediction.
        height: what the height of a tree is.
    """

    xyz: Floats
    target: np.ndarray
    prediction: np.ndarray
    crs: QgsCoordinateReferenceSystem
    working: WorkingCrs
    remarks: tuple[Remark, ...]
    zeros: tuple[int, int]
    height: Remark

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
    progress: Progress = no_progress,
) -> PointCloud:
    """Read the coordinates and two attributes of all points.

    Args:
        path: the file.
        target, prediction: names of the attributes with the instance of each point.
        transform_context: the project's choices of datum transformations.
        invalid_ids: label of points of no target, and of no prediction. A label that is not a number (NaN) is taken for
            it, and so is in an unsigned type the largest number there is, or 0: see :class:`LabelReader`.
        crs: the system to take if the file does not tell one.

    Raises:
        InputError: naming the file, if it ends early, cannot be read or has no system, an attribute is not there or
            holds no whole numbers, or coordinates are not finite.
        MissingLibraryError: if laspy or lazrs is not installed.
    """
    laspy = require_laspy()
    with in_sentences(path, laspy):
        head = look_into(path)
        chosen = [head.attribute(name) for name in (target, prediction)]
        check_chunks(path)
        with laspy.open(str(path), decompression_selection=_needed(laspy, chosen)) as reader:
            known = head.system(crs)
            z_unit, height, z_note = _heights(head, known)
            xyz = np.empty((head.n_points, 3))
            labels = [
                LabelReader(path, attribute, head.n_points, invalid_id)
                for attribute, invalid_id in zip(chosen, invalid_ids)
            ]
            done = 0
            for points in reader.chunk_iterator(_CHUNK):
                rows = slice(done, done + len(points))
                xyz[rows, 0], xyz[rows, 1], xyz[rows, 2] = points.x, points.y, points.z
                _check_places(path, xyz[rows], done)
                xyz[rows, 2] *= z_unit
                for label in labels:
                    label.take(rows, points[label.attribute.name])
                done += len(points)
                progress(_READING * done / head.n_points)
    if done < head.n_points:
        raise InputError(ends_early(path, done, head.n_points))
    working = WorkingCrs.for_layer(path.name, known, _centre(xyz), transform_context)
    for rows in slices(len(xyz), _CHUNK):
        xyz[rows, :2] = working.metres_from(known, xyz[rows, :2], path.name)
        progress(_READING + (1 - _READING) * rows.stop / len(xyz))
    taken = [label.finished() for label in labels]
    remarks = tuple(filter(None, [working.note, z_note, *labels[0].remarks, *labels[1].remarks]))
    zeros = labels[0].zeros, labels[1].zeros
    return PointCloud(xyz, taken[0], taken[1], known, working, remarks, zeros, height)


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


def _heights(head: CloudHead, crs: QgsCoordinateReferenceSystem) -> tuple[float, Remark, Remark | None]:
    """Metres per unit of z; what heights are; and a remark, where it is not plainly metres."""
    what = "Height, where the tallest target chooses first: highest point above the lowest"
    told, file = head.unit_of_heights(crs), head.path.name
    if told is not None:
        said = "The heights of {file} are in units of {unit:.4g} m; they are worked on in metres."
        units = None if told == 1.0 else note("cloud.height_units", said, file=file, unit=told)
        return told, info("height.points", f"{what}."), units
    unit = 1.0 if in_degrees(crs) else unit_length(crs)
    words = info("unit.metres", "metres")
    if unit != 1.0:
        words = info("unit.of_coordinates", "units of {unit:.4g} m, as its coordinates", unit=unit)
    height = info("height.points", f"{what} (the file does not say the unit of z; taken: {{unit}}).", unit=words)
    if unit == 1.0 and not in_degrees(crs):
        return unit, height, None
    said = "Neither {file} nor its coordinate system says the unit of its heights; they are taken to be in {unit}."
    return unit, height, note("cloud.height_units_taken", said, file=file, unit=words)


def _check_places(path: Path, xyz: Floats, before: int) -> None:
    wrong = np.flatnonzero(~(np.abs(xyz) <= _FARTHEST).all(axis=1))
    if len(wrong) == 0:
        return
    number, place = before + int(wrong[0]) + 1, xyz[wrong[0]]
    why = f"point {number} lies at {', '.join(f'{value:g}' for value in place)}, which is no place on earth"
    if not np.isfinite(place).all():
        why = f"every point needs finite coordinates, but those of point {number} are not numbers"
    raise InputError(f"{path.name}: {why}; remove such points, or check the scale and offset in the file's header.")


#: The largest number of a tree.
_LARGEST = int(np.iinfo(np.int64).max)
#: What no tree is called where nothing else is said; an unsigned type cannot hold it.
_USUAL = -1


class LabelReader:
    """The labels of one attribute, filled chunk by chunk; numbers with a fraction are refused.

    An unsigned type cannot hold -1. Where its largest number occurs, and does not just follow the others, that is what
    became of -1. Otherwise 0 is taken for no tree if ``invalid_id`` is -1.

    Attributes, the last two once :meth:`finished` was called:
        attribute: which one.
        remarks: what was odd.
        zeros: number of points that have 0 and belong to no tree for that.
    """

    def __init__(self, path: Path, attribute: CloudAttribute, n_points: int, invalid_id: int) -> None:
        self.attribute = attribute
        self.remarks: list[Remark] = []
        self.zeros = 0
        self._file = path.name
        self._n_points = n_points
        self._invalid_id = invalid_id
        self._missing = 0
        self._blurred = 0
        self._values: np.ndarray = np.empty(0, dtype=np.int64)

    def take(self, rows: slice, values: Any) -> None:
        """Keep the labels of these points."""
        found = np.asarray(values)
        if not np.issubdtype(found.dtype, np.integer):
            found = self._whole(found)
        if len(self._values) == 0:
            self._values = np.empty(self._n_points, dtype=found.dtype)
        self._values[rows] = found

    def finished(self) -> np.ndarray:
        """All labels, once every point was taken.

        Raises:
            InputError: for numbers too large to be worked with.
        """
        self._tell_odd_decimals()
        values = self._values
        if not np.issubdtype(values.dtype, np.unsignedinteger) or len(values) == 0:
            if self._invalid_id == 0:
                self.zeros = int(np.count_nonzero(values == 0)) - self._missing
            return values
        largest = int(np.iinfo(values.dtype).max)
        n_largest = int(np.count_nonzero(values == largest))
        stored_negative = n_largest > 0 and self._invalid_id != largest and not (values == largest - 1).any()
        by_itself = self._invalid_id == _USUAL and not stored_negative
        if by_itself or self._invalid_id == 0:
            self.zeros = int(np.count_nonzero(values == 0))
        no_tree = largest if stored_negative else 0
        taken = stored_negative or (by_itself and self.zeros > 0)
        if values.dtype == np.uint64:
            self._refuse_larger(values[values != no_tree] if taken else values)
        if not taken:
            return values
        self._tell_unsigned(no_tree, n_largest if stored_negative else self.zeros)
        signed = values.astype(np.int64)
        signed[values == no_tree] = self._invalid_id
        return signed

    def _refuse_larger(self, values: Ints) -> None:
        highest = int(values.max(initial=np.uint64(0)))
        if highest > _LARGEST:
            raise InputError(
                f"Attribute '{self.attribute.name}' of {self._file} has the number {highest}; numbers of trees can "
                f"be at most {_LARGEST}. Number them from 1 on, or choose another attribute."
            )

    def _tell_unsigned(self, no_tree: int, count: int) -> None:
        why = "which is -1 where numbers cannot be negative" if no_tree else "where numbers cannot be negative"
        rest = f"{{number}} in attribute '{{name}}', {why}; they are taken to belong to no instance."
        self._tell_points("cloud.unsigned", rest, count, number=no_tree)

    def _tell_odd_decimals(self) -> None:
        if self._missing:
            rest = "no number in attribute '{name}'; they belong to no instance ({number})."
            self._tell_points("cloud.no_number", rest, self._missing, number=self._invalid_id)
        if self._blurred:
            said = (
                "{file}: trees may have become one, for attribute '{name}' cannot tell {number} from the next "
                "number; store whole numbers, or number the trees from 1 on."
            )
            values: dict[str, Any] = {"file": self._file, "name": self.attribute.name, "number": self._blurred}
            self.remarks.append(warning("cloud.blurred", said, **values))

    def _tell_points(self, key: str, rest: str, count: int, number: int) -> None:
        one, many = f"{{file}}: 1 point has {rest}", f"{{file}}: {{count:,}} points have {rest}"
        self.remarks.append(
            note(key, many, one=one, file=self._file, name=self.attribute.name, count=count, number=number)
        )

    def _whole(self, values: np.ndarray) -> Ints:
        missing = np.isnan(values)
        self._missing += int(missing.sum())
        numbers = np.where(missing, self._invalid_id, values)
        size = np.abs(numbers)
        wrong = numbers[(numbers != np.floor(numbers)) | (size >= 2.0**63)]
        if len(wrong):
            raise InputError(
                f"Attribute '{self.attribute.name}' of {self._file} must hold the number of an instance, a whole "
                f"number, but it holds {wrong[0]:g}; choose another attribute."
            )
        blurred = size[~missing & (size >= 2.0 ** (np.finfo(values.dtype).nmant + 1))]
        if len(blurred) and not self._blurred:
            self._blurred = int(blurred[0])
        return numbers.astype(np.int64)
