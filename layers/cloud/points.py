"""Labelled point clouds read from LAS, LAZ and COPC files in chunks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext

from randcrowns.core.arrays import Array, Bools, Floats, split_range
from randcrowns.core.instances.cloud_values import (
    WITHHELD,
    CloudAttribute,
    HeightUnit,
    find_left_out,
    height_unit,
    left_out_message,
    read_points,
    withheld_messages,
)
from randcrowns.core.instances.las_files import (
    CHUNK_SIZE,
    check_chunks,
    decompression_selection,
    las_chunks,
    open_las,
    report_damage,
)
from randcrowns.core.instances.no_tree_values import NoTreeValues
from randcrowns.core.instances.point_tables import is_point_table, table_chunks
from randcrowns.core.instances.tree_labels import Column, Labels, labels_of
from randcrowns.core.messages import Message
from randcrowns.core.progress import Progress, no_progress, subprogress
from randcrowns.layers.cloud.header import (
    CloudHeader,
    read_header,
    read_las_table,
    require_laspy,
    table_header,
)
from randcrowns.layers.cloud.point_tables import read_point_table
from randcrowns.layers.crs import WorkingCrs, is_in_degrees, metres_per_unit

#: Fraction of the work that is reading; the rest is transforming the coordinates.
_READING = 0.8


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
    #: (n,) values of further attributes of the predictions, by name. They may be those of another
    #: file, where attributes may have the same names.
    prediction_attributes: Mapping[str, np.ndarray]

    def to_file_crs(self, xy: Floats) -> Floats:
        """Transform working coordinates to the CRS of the file.

        Args:
            xy: (m, 2) working coordinates, metres.

        Returns:
            Array (m, 2) of coordinates in ``crs``.
        """
        return self.working_crs.from_working(self.crs, xy)


def read_cloud(
    path: Path,
    target: str,
    prediction: str,
    transform_context: QgsCoordinateTransformContext,
    *,
    no_tree: tuple[NoTreeValues, NoTreeValues] = (NoTreeValues((-1,)), NoTreeValues((-1,))),
    crs: QgsCoordinateReferenceSystem | None = None,
    other_attributes: Sequence[str] = (),
    decimal_attributes: Sequence[str] = (),
    left_out: Mapping[str, Sequence[float]] | None = None,
    progress: Progress = no_progress,
) -> PointCloud:
    """Read the coordinates and labels of all points of a file.

    Args:
        path: the file.
        target: name of the attribute with the target of each point; "" without one.
        prediction: name of the attribute with the predicted instance of each point; "" without one.
        transform_context: the project's transform context.
        no_tree: labels of points of no target and of no predicted instance. The first one of each
            side replaces the others, and NaN.
        crs: CRS that is used if the file has none.
        other_attributes: names of further attributes to read, which hold integers; "no data"
            becomes NaN.
        decimal_attributes: names of further attributes to read, which may hold any numbers.
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
    values_left_out = left_out or {}
    other_names = [*decimal_attributes, *values_left_out]
    content = _read_file(path, integer_names, other_names, crs, progress)
    messages = list(content.head.messages)
    is_left_out = find_left_out(content.columns, values_left_out)
    if is_left_out.any():
        messages.append(left_out_message(path.name, is_left_out, values_left_out))
        content = content.select(~is_left_out)
    messages += withheld_messages(path.name, content.columns, values_left_out)

    xyz = content.xyz
    working_crs = _move_to_working_crs(path, content, transform_context, progress)
    if working_crs.message is not None:
        messages.append(working_crs.message)
    if content.heights.message is not None:
        messages.append(content.heights.message)

    no_target, no_prediction = no_tree
    targets = _read_labels(path, target, content.columns, no_target, xyz)
    predictions = _read_labels(path, prediction, content.columns, no_prediction, xyz)
    messages += targets.messages
    messages += predictions.messages
    attributes = {}
    for name in (*other_attributes, *decimal_attributes):
        attributes[name] = content.columns[name].numbers()
    return PointCloud(
        xyz=xyz,
        target=targets.labels,
        prediction=predictions.labels,
        crs=content.crs,
        working_crs=working_crs,
        messages=tuple(messages),
        n_zeros=(targets.n_zeros, predictions.n_zeros),
        height_description=content.heights.description,
        attributes=attributes,
        prediction_attributes=attributes,
    )


def _move_to_working_crs(
    path: Path,
    content: _FileContent,
    transform_context: QgsCoordinateTransformContext,
    progress: Progress,
) -> WorkingCrs:
    """Transform the coordinates of a file to a working CRS in metres, in place.

    Args:
        path: the file, for messages.
        content: content of the file, whose coordinates are changed.
        transform_context: the project's transform context.
        progress: callback that receives the completed fraction of the whole work.

    Returns:
        The working CRS.

    Raises:
        InputError: if the file has no CRS, or coordinates cannot be transformed.
    """
    xyz = content.xyz
    centre = _compute_centre(xyz)
    working_crs = WorkingCrs.for_layer(path.name, content.crs, centre, transform_context)
    # The coordinates are replaced in place, because a copy could take too much memory.
    for rows in split_range(len(xyz), CHUNK_SIZE):
        xyz[rows, :2] = working_crs.to_working(content.crs, xyz[rows, :2], path.name)
        progress(_READING + (1 - _READING) * rows.stop / len(xyz))
    return working_crs


def _read_labels(
    path: Path, name: str, columns: Mapping[str, Column], no_tree: NoTreeValues, xyz: Floats
) -> Labels:
    """Return the labels of n points; the replacement of points of no tree without an attribute.

    Args:
        path: file of the points, for messages.
        name: name of the attribute with the labels; "" without one.
        columns: attributes by name.
        no_tree: labels of points of no tree, and the value that replaces them.
        xyz: (n, 3) working coordinates, by which messages locate unusual labels.
    """
    if not name:
        return Labels(np.full(len(xyz), no_tree.replacement), 0, messages=[])
    return labels_of(path.name, name, columns[name], no_tree, xyz[:, :2])


class _FileContent(NamedTuple):
    """Content of a file of n points."""

    head: CloudHeader  #: header of the file.
    crs: QgsCoordinateReferenceSystem  #: CRS of the file, or the selected one.
    heights: HeightUnit  #: unit of the heights.
    xyz: Floats  #: (n, 3) coordinates in the CRS of the file, z in metres.
    columns: dict[str, Column]  #: attributes by name.

    def select(self, mask: Bools) -> _FileContent:
        """Return the content restricted to the points of a mask (n,)."""
        columns = {name: column.select(mask) for name, column in self.columns.items()}
        return self._replace(xyz=self.xyz[mask], columns=columns)


def _read_file(
    path: Path,
    integer_names: Sequence[str],
    other_names: Sequence[str],
    crs: QgsCoordinateReferenceSystem | None,
    progress: Progress,
) -> _FileContent:
    """Read the coordinates and some attributes of all points of a file.

    Args:
        path: the file.
        integer_names: names of attributes that hold integers.
        other_names: names of attributes that may hold any numbers.
        crs: CRS that is used if the file has none.
        progress: callback that receives the completed fraction of the whole work.

    Raises:
        InputError: as :func:`read_cloud`.
        MissingLibraryError: if a library for the file is not installed.
    """
    # dict.fromkeys drops repeated names and keeps the order.
    names = list(dict.fromkeys((*integer_names, *other_names)))
    read_progress = subprogress(progress, 0.0, _READING)

    def read_content(
        head: CloudHeader,
        attributes: Sequence[CloudAttribute],
        chunks: Iterable[Mapping[str, Array]],
    ) -> _FileContent:
        """Read the points of the file chunk by chunk.

        Args:
            head: header of the file.
            attributes: attributes to read.
            chunks: coordinates and attributes of successive points, by name.
        """
        file_crs = head.resolve_crs(crs)
        heights = _choose_height_unit(head, file_crs)
        xyz, columns = read_points(
            chunks,
            path,
            head.n_points,
            attributes,
            set(integer_names),
            heights.metres,
            read_progress,
        )
        return _FileContent(head=head, crs=file_crs, heights=heights, xyz=xyz, columns=columns)

    if is_point_table(path):
        table = read_point_table(path, read_las_table)
        head = table_header(path, table)
        attributes = [head.find_attribute(name) for name in names]
        return read_content(head, attributes, table_chunks(table, CHUNK_SIZE))

    laspy = require_laspy()
    with report_damage(path, laspy):
        head = read_header(path)
        if any(attribute.name == WITHHELD for attribute in head.attributes):
            names = list(dict.fromkeys((*names, WITHHELD)))
        attributes = [head.find_attribute(name) for name in names]
        check_chunks(path)
        decompression = decompression_selection(laspy, attributes)
        with open_las(path, laspy, decompression_selection=decompression) as reader:
            return read_content(head, attributes, las_chunks(reader))


def _choose_height_unit(head: CloudHeader, crs: QgsCoordinateReferenceSystem) -> HeightUnit:
    """Return the unit of the heights of a file whose coordinates are in a CRS."""
    coordinate_unit = None if is_in_degrees(crs) else metres_per_unit(crs)
    return height_unit(head.path.name, head.height_unit(crs), coordinate_unit)


def _compute_centre(xyz: Floats) -> tuple[float, float]:
    """Return x, y of the centre of points (n, 3).

    The bounds in the file's header may be wrong and are not used.
    """
    if len(xyz) == 0:
        return 0.0, 0.0
    west, south = xyz[:, :2].min(axis=0)
    east, north = xyz[:, :2].max(axis=0)
    return float(west + east) / 2, float(south + north) / 2
