"""Labelled point clouds read without QGIS, with the readers that the plugin uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from randcrowns.core.arrays import Floats
from randcrowns.core.errors import InputError, MissingLibraryError
from randcrowns.core.instances.cloud_values import (
    WITHHELD,
    CloudAttribute,
    find_attribute,
    find_left_out,
    height_unit,
    left_out_message,
    read_points,
    withheld_messages,
)
from randcrowns.core.instances.las_files import (
    CHUNK_SIZE,
    UNIT_LENGTHS,
    VERTICAL_UNIT_KEY,
    check_chunks,
    check_header,
    check_length,
    epsg_code,
    geo_keys,
    las_attributes,
    las_chunks,
    name_messages,
    open_las,
    projection_records,
    report_damage,
    wkt_of,
)
from randcrowns.core.instances.point_tables import (
    PointTable,
    check_is_cloud,
    is_folder,
    is_point_table,
    read_point_table,
    table_attributes,
    table_chunks,
)
from randcrowns.core.instances.tree_labels import Column
from randcrowns.core.messages import Message, note
from randcrowns.jobs.sites import WorkingCrs, find_working_crs


@dataclass(frozen=True)
class CloudRequest:
    """File of points, and what is read of it."""

    path: Path  #: a LAS, LAZ, PLY, NPY, NPZ, TXT or CSV file, or a folder with one file per tree.
    integer_names: Sequence[str]  #: attributes that hold integers; case is ignored.
    other_names: Sequence[str] = ()  #: attributes that may hold any numbers.
    #: Values by attribute; points with one of them are left out.
    left_out: Mapping[str, Sequence[float]] = field(default_factory=dict)
    may_lack_left_out: bool = False  #: True if the file may lack attributes of ``left_out``.
    crs: Any = (
        None  #: a :class:`pyproj.CRS` for a file without one; None for coordinates in metres.
    )
    working_crs: WorkingCrs | None = None  #: system of the result; None for metres on the ground.


class CloudPoints(NamedTuple):
    """Points of a cloud in metres, without those that are left out."""

    name: str  #: name of the file.
    xyz: Floats  #: (n, 3) coordinates, metres if the file specifies its CRS.
    columns: Mapping[str, Column]  #: values of n points by the name that was requested.
    messages: list[Message]  #: messages about the file and its points.
    crs: Any  #: a :class:`pyproj.CRS`, that of the file or the requested one; None without one.
    working_crs: WorkingCrs  #: system of ``xyz``.


class _CoordinateSystem(NamedTuple):
    """Coordinate system of a file."""

    crs: Any = None  #: a :class:`pyproj.CRS`; None if the file has none.
    z_unit: float | None = None  #: metres per unit of z; None if the file does not specify it.

    @property
    def xy_unit(self) -> float | None:
        """Metres per unit of x and y, 1 without a CRS; None for degrees."""
        if self.crs is None:
            return 1.0
        is_projected = bool(self.crs.is_projected)
        return float(self.crs.axis_info[0].unit_conversion_factor) if is_projected else None


class _OpenedCloud(NamedTuple):
    """File of points that is opened for reading."""

    attributes: tuple[CloudAttribute, ...]
    n_points: int
    chunks: Iterable[Mapping[str, Any]]  #: the points in chunks, as arrays by attribute.
    system: _CoordinateSystem
    messages: list[Message]


def read_cloud_points(request: CloudRequest) -> CloudPoints:
    """Read the coordinates and some attributes of the points of a file.

    Args:
        request: the file, and what is read of it.

    Raises:
        InputError: if the file cannot be read or lacks an attribute, or a value cannot be used.
        MissingLibraryError: if a library for the file is not installed.
    """
    path = request.path
    _check_file(path)
    content = _read_file(request)
    left_out = {
        name: values for name, values in request.left_out.items() if name in content.columns
    }
    messages = [*content.messages]
    xyz = content.xyz
    columns = content.columns
    is_left_out = find_left_out(columns, left_out)
    if is_left_out.any():
        messages.append(left_out_message(path.name, is_left_out, left_out))
        xyz = xyz[~is_left_out]
        columns = {name: column.select(~is_left_out) for name, column in columns.items()}
    messages += withheld_messages(path.name, columns, left_out)
    return content._replace(xyz=xyz, columns=columns, messages=messages)


def find_cloud_crs(path: Path) -> Any:
    """Return the CRS of a file of points, a :class:`pyproj.CRS`; None if the file has none.

    Raises:
        InputError: if the file cannot be read.
        MissingLibraryError: if a library for the file is not installed.
    """
    _check_file(path)
    with _open_cloud(path) as cloud:
        return cloud.system.crs


def _check_file(path: Path) -> None:
    """Raise an InputError if there is no file of a path, or it is no point cloud."""
    if not path.is_file() and not is_folder(path):
        raise InputError("file.missing", "There is no file {file}.", file=str(path))
    if not is_folder(path):
        check_is_cloud(path, str(path))


def _read_file(request: CloudRequest) -> CloudPoints:
    """Read all points of a file; errors as in :func:`read_cloud_points`."""
    path = request.path
    with _open_cloud(path) as cloud:
        attribute_by_name = _find_attributes(request, cloud.attributes)
        # Several names may stand for one attribute, which is read once.
        attributes = {attribute.name: attribute for attribute in attribute_by_name.values()}
        integer_attributes = {attribute_by_name[name].name for name in request.integer_names}
        system = cloud.system
        if system.crs is None:
            system = _CoordinateSystem(request.crs)
        z_unit = cloud.system.z_unit or _vertical_unit(system.crs)
        heights = height_unit(path.name, z_unit, system.xy_unit)
        xyz, columns = read_points(
            cloud.chunks,
            path,
            cloud.n_points,
            list(attributes.values()),
            integer_attributes,
            heights.metres,
        )
    messages = list(cloud.messages)
    if heights.message is not None:
        messages.append(heights.message)
    has_unusable_crs = any(message.key == "jobs.cloud_crs_not_used" for message in messages)
    if system.crs is None and not has_unusable_crs:
        messages.append(_without_crs_message(path.name))
    working = request.working_crs or _working_crs(path.name, xyz[:, :2], system.crs)
    xyz[:, :2] = working.to_working(system.crs, xyz[:, :2], path.name)
    named_columns = {name: columns[attribute.name] for name, attribute in attribute_by_name.items()}
    return CloudPoints(
        name=path.name,
        xyz=xyz,
        columns=named_columns,
        messages=messages,
        crs=system.crs,
        working_crs=working,
    )


def _without_crs_message(file: str) -> Message:
    """Return the message that a file has no CRS, so that its coordinates were taken for metres."""
    return note(
        "jobs.cloud_without_crs",
        "{file} does not say its coordinate system; its coordinates were taken for "
        "metres. If they are not, name the system (crs), such as EPSG:4326.",
        file=file,
    )


def _find_attributes(
    request: CloudRequest, attributes: Sequence[CloudAttribute]
) -> dict[str, CloudAttribute]:
    """Return the attributes to read by the name that was requested.

    Args:
        request: what is read of the file.
        attributes: all attributes of the file.

    Raises:
        InputError: if the file lacks one.
    """
    file = request.path.name
    lower_names = {attribute.name.lower() for attribute in attributes}
    left_out = list(request.left_out)
    if request.may_lack_left_out:
        left_out = [name for name in left_out if name.lower() in lower_names]
    attribute_by_name = {}
    for name in (*request.integer_names, *request.other_names, *left_out):
        attribute_by_name[name] = _find_attribute(file, attributes, name)
    # Withheld points are counted for a message.
    if any(attribute.name == WITHHELD for attribute in attributes):
        attribute_by_name[WITHHELD] = find_attribute(file, attributes, WITHHELD)
    return attribute_by_name


def _find_attribute(file: str, attributes: Sequence[CloudAttribute], name: str) -> CloudAttribute:
    """Return the attribute with a name, or else the only one whose name differs in case only."""
    same_letters = [attribute for attribute in attributes if attribute.name.lower() == name.lower()]
    is_exact = any(attribute.name == name for attribute in same_letters)
    if len(same_letters) == 1 and not is_exact:
        return same_letters[0]
    return find_attribute(file, attributes, name)


@contextmanager
def _open_cloud(path: Path) -> Iterator[_OpenedCloud]:
    """Open a file of points, or a folder with one file per tree, for reading in the context.

    Raises:
        InputError: if the file cannot be read, also while its points are read in the context.
        MissingLibraryError: if a library for the file is not installed.
    """
    if is_point_table(path):
        table = read_point_table(path, _read_las_table)
        yield _OpenedCloud(
            attributes=table_attributes(table),
            n_points=len(table.columns["x"]),
            chunks=table_chunks(table, CHUNK_SIZE),
            system=_CoordinateSystem(_parse_crs(table.crs), table.z_unit),
            messages=list(table.messages),
        )
        return
    laspy = _require_laspy(path)
    with report_damage(path, laspy):
        check_header(path)
        check_chunks(path)
        messages = list(name_messages(path, laspy))
        with open_las(path, laspy) as reader:
            header = reader.header
            check_length(path, header)
            attributes = las_attributes(header)
            system, system_messages = _system_of(path.name, projection_records(header))
            messages += system_messages
            yield _OpenedCloud(
                attributes=attributes,
                n_points=int(header.point_count),
                chunks=las_chunks(reader),
                system=system,
                messages=messages,
            )


def _require_laspy(path: Path) -> Any:
    """Return the module laspy for reading a file.

    Raises:
        MissingLibraryError: if it is not installed, or lazrs is not and the file is compressed.
    """
    try:
        import laspy

        if path.suffix.lower() == ".laz":
            import lazrs  # noqa: F401 - only its presence matters
    except ImportError as error:
        raise MissingLibraryError(
            "cloud.no_laspy",
            "LAS and LAZ files are read with laspy, which is not installed. Install it: pip "
            "install 'laspy[lazrs]'",
        ) from error
    return laspy


def _read_las_table(path: Path) -> PointTable:
    """Read all points of a LAS file with the attributes that are not in the LAS standard."""
    with _open_cloud(path) as cloud:
        names = ["x", "y", "z"]
        names += [attribute.name for attribute in cloud.attributes if attribute.is_extra]
        parts_of_columns: dict[str, list[Any]] = {name: [] for name in names}
        for chunk in cloud.chunks:
            for name, parts in parts_of_columns.items():
                parts.append(chunk[name])
    columns = {}
    for name, parts in parts_of_columns.items():
        # A file without points has no chunks.
        columns[name] = np.concatenate(parts) if parts else np.empty(0)
    definition = ""
    if cloud.system.crs is not None:
        definition = str(cloud.system.crs.to_wkt())
    return PointTable(columns, definition, cloud.system.z_unit, tuple(cloud.messages))


def _system_of(file: str, records: Sequence[Any]) -> tuple[_CoordinateSystem, list[Message]]:
    """Return the coordinate system of a LAS file, and a message if it cannot be used.

    Args:
        file: name of the file, for the message.
        records: records about the coordinate system, as laspy reads them.
    """
    code = epsg_code(records)
    definition = wkt_of(records)
    if not definition and code is not None:
        definition = f"EPSG:{code}"
    crs = _parse_crs(definition)
    unit_of_keys = UNIT_LENGTHS.get(geo_keys(records).get(VERTICAL_UNIT_KEY, 0))
    system = _CoordinateSystem(crs, unit_of_keys or _vertical_unit(crs))
    if crs is not None or not definition:
        return system, []
    message = note(
        "jobs.cloud_crs_not_used",
        "{file}: its coordinate system cannot be read, or pyproj is not installed; its "
        "coordinates were taken for metres.",
        file=file,
    )
    return system, [message]


def _parse_crs(definition: str) -> Any:
    """Return the :class:`pyproj.CRS` of a definition; None if it is empty or cannot be read."""
    try:
        import pyproj
    except ImportError:
        return None
    try:
        return pyproj.CRS(definition) if definition else None
    except pyproj.exceptions.CRSError:
        return None


def _vertical_unit(crs: Any) -> float | None:
    """Return the metres per unit of the heights in a CRS; None if it has no heights."""
    if crs is None:
        return None
    parts = [crs, *crs.sub_crs_list]
    axes = [axis for part in parts for axis in part.axis_info if axis.direction in ("up", "down")]
    return float(axes[0].unit_conversion_factor) if axes else None


def _working_crs(file: str, xy: Floats, crs: Any) -> WorkingCrs:
    """Return a system in metres on the ground for coordinates (n, 2); metres without a CRS.

    Args:
        file: name of the file, for the error.
        xy: (n, 2) coordinates.
        crs: their CRS; None without one.

    Raises:
        InputError: if the coordinates are no place on earth in the CRS.
    """
    if crs is None or not len(xy):
        return WorkingCrs()
    bounds = np.concatenate([xy.min(axis=0), xy.max(axis=0)])
    return find_working_crs(file, bounds, crs)
