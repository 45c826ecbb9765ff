"""Features and tables written into new files, such as GeoPackage, GeoJSON, GeoParquet and CSV."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pandas as pd
from osgeo import gdal
from qgis.core import (
    QgsCoordinateTransformContext,
    QgsFeatureRequest,
    QgsFeatureSink,
    QgsMapLayer,
    QgsMapLayerStyle,
    QgsVectorFileWriter,
    QgsVectorLayer,
    QgsWkbTypes,
)

from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note
from randcrowns.core.progress import Progress, iterate_with_progress, no_progress
from randcrowns.layers.compat import save_style
from randcrowns.layers.crs import check_crs, layer_crs
from randcrowns.layers.files.coordinate_notes import record_shown_coordinates
from randcrowns.layers.files.geopackage import RESERVED_TABLE_NAMES
from randcrowns.layers.vector.names import to_ascii_name, truncate_names
from randcrowns.layers.vector.tables import FeatureTable

#: Writes a file at a path and reports its progress, by which it may be cancelled.
FileWriter = Callable[[Path, Progress], object]
#: The styles of a layer by name, the current one first.
Styles = Mapping[str, QgsMapLayerStyle]
#: Maximum length of the name of a sheet in a spreadsheet, characters.
_MAX_SHEET_NAME = 31


@dataclass(frozen=True)
class LayerFormat:
    """A file format of layers or tables."""

    driver: str  #: GDAL's name of the format.
    suffix: str  #: suffix of the files, with the dot.
    options: tuple[str, ...] = ()  #: layer creation options of GDAL, ``NAME=VALUE``.
    without_geometry: bool = False  #: True if files are written without geometries.
    holds_several_tables: bool = False  #: True if a file can hold several tables.
    needs_degrees: bool = False  #: True if files hold longitude and latitude only.
    only_finite: bool = False  #: True if files cannot hold infinite numbers.


#: Formats by the key of the user's choice.
LAYER_FORMATS = {
    "gpkg": LayerFormat("GPKG", ".gpkg", holds_several_tables=True),
    # RFC 7946 requires degrees, of which 14 decimals are far below a micrometre.
    "geojson": LayerFormat(
        "GeoJSON",
        ".geojson",
        ("RFC7946=YES", "COORDINATE_PRECISION=14"),
        needs_degrees=True,
        only_finite=True,
    ),
    "parquet": LayerFormat("Parquet", ".parquet"),
    "xlsx": LayerFormat("XLSX", ".xlsx", without_geometry=True, holds_several_tables=True),
    # GDAL's default would put numbers in quotation marks.
    "csv": LayerFormat("CSV", ".csv", ("STRING_QUOTING=IF_NEEDED",), without_geometry=True),
}


@dataclass(frozen=True)
class NamedTable:
    """Features to write as a table."""

    name: str  #: name of the table.
    features: FeatureTable
    styles: Styles = field(default_factory=dict)
    #: Stores in a GeoPackage how the table was made; called with a layer that reads the table.
    add_note: Callable[[QgsVectorLayer], None] | None = None


def layer_styles(layer: QgsMapLayer) -> Styles:
    """Return all styles of a layer; call this on the layer's thread only."""
    manager = layer.styleManager()
    current_name = manager.currentStyle()
    other_names = [name for name in manager.styles() if name != current_name]
    return {name: manager.style(name) for name in [current_name, *other_names]}


def has_driver(layer_format: LayerFormat) -> bool:
    """Return True if the GDAL library of this QGIS can write a format."""
    return gdal.GetDriverByName(layer_format.driver) is not None


def check_format(layer_format: LayerFormat, layers: Iterable[QgsMapLayer | None]) -> None:
    """Raise an error if a format cannot be written, or cannot hold the coordinates of layers.

    Args:
        layer_format: the format.
        layers: the layers to write; None is skipped.

    Raises:
        InputError: if GDAL lacks the format, or if the format needs longitude and latitude and a
            layer's CRS is unknown.
    """
    if not has_driver(layer_format):
        raise InputError(
            "export.no_driver",
            "The GDAL library of this QGIS cannot write {driver}; choose another format, such as "
            "GeoPackage.",
            driver=layer_format.driver,
        )
    if not layer_format.needs_degrees:
        return
    for layer in layers:
        if layer is None or not layer.isSpatial():
            continue
        if not layer_crs(layer).isValid():
            raise InputError(
                "export.no_crs",
                "Layer '{name}' has no coordinate system, and {driver} holds longitude and "
                "latitude only: set one in the layer's properties, or choose another format, such "
                "as GeoPackage.",
                name=layer.name(),
                driver=layer_format.driver,
            )
        check_crs(layer.name(), layer_crs(layer))


def table_names(names: Sequence[str]) -> list[str]:
    """Return distinct names for tables and sheets that all formats accept.

    >>> table_names(["Scored targets", "scored targets", "a/b", "gpkg_x"])
    ['Scored targets', 'scored targets2', 'a_b', 't_gpkg_x']
    """
    valid_names = [re.sub(r"[^\w ()-]+", "_", name).strip() or "layer" for name in names]
    allowed_names = [
        f"t_{name}" if RESERVED_TABLE_NAMES.match(name) else name for name in valid_names
    ]
    return truncate_names(allowed_names, _MAX_SHEET_NAME)


def infinite_number_messages(
    layer_format: LayerFormat, tables: Sequence[NamedTable]
) -> list[Message]:
    """Return a message for each field with infinite numbers that a format cannot hold.

    Args:
        layer_format: the format. If it cannot hold infinite numbers, they are written as empty
            values.
        tables: the tables to write.
    """
    if not layer_format.only_finite:
        return []
    messages = []
    for table in tables:
        for field_definition, values in zip(table.features.fields, table.features.columns):
            count = sum(isinstance(value, float) and math.isinf(value) for value in values)
            if count == 0:
                continue
            message = note(
                "export.infinite",
                "{table}: {count:,} infinite numbers in field '{field}' are empty in {form}, "
                "which has none.",
                one="{table}: 1 infinite number in field '{field}' is empty in {form}, which has "
                "none.",
                count=count,
                table=table.name,
                field=field_definition.name(),
                form=layer_format.driver,
            )
            messages.append(message)
    return messages


def table_writers(
    common_name: str,
    layer_format: LayerFormat,
    tables: Sequence[NamedTable],
    context: QgsCoordinateTransformContext,
) -> dict[str, FileWriter]:
    """Return the files for tables, as functions that write them.

    Args:
        common_name: name, without suffix, of the file for all tables. It is used if the format can
            hold several tables; otherwise each table has a file with the name of the table.
        layer_format: the format.
        tables: the tables.
        context: datum transformations of the project.

    Returns:
        The function that writes each file, by the file's name.
    """
    if layer_format.holds_several_tables:
        tables_by_name = {common_name: list(tables)}
    else:
        ascii_names = [to_ascii_name(table.name) for table in tables]
        names = truncate_names(ascii_names, _MAX_SHEET_NAME)
        tables_by_name = {name: [table] for name, table in zip(names, tables)}
    writers: dict[str, FileWriter] = {}
    for name, file_tables in tables_by_name.items():
        file_name = f"{name}{layer_format.suffix}"
        writers[file_name] = partial(write_tables, layer_format, file_tables, context)
    return writers


def write_tables(
    layer_format: LayerFormat,
    tables: Sequence[NamedTable],
    context: QgsCoordinateTransformContext,
    path: Path,
    progress: Progress = no_progress,
) -> None:
    """Write tables into a new file; a GeoPackage gets their styles and notes too.

    Args:
        layer_format: the format.
        tables: the tables; only one if the format holds no more.
        context: datum transformations of the project.
        path: the file to create.
        progress: receives the fraction done; may raise to cancel.

    Raises:
        OSError: if the tables cannot be written, with the message of the driver.
    """
    for table, table_progress in iterate_with_progress(tables, progress):
        _write_table(layer_format, table, context, path, table is not tables[0], table_progress)
    if layer_format.driver != "GPKG":
        return
    for table in tables:
        record_shown_coordinates(path, table.name, table.features)
        layer = QgsVectorLayer(f"{path}|layername={table.name}", table.name, "ogr")
        _save_styles(layer, table)
        if table.add_note is not None:
            table.add_note(layer)


def _write_table(
    layer_format: LayerFormat,
    table: NamedTable,
    context: QgsCoordinateTransformContext,
    path: Path,
    file_exists: bool,
    progress: Progress,
) -> None:
    """Write a table into a new file, or into an existing file that holds several tables.

    Args:
        layer_format: format of the file.
        table: the table.
        context: datum transformations of the project.
        path: the file.
        file_exists: True to add the table to the existing file.
        progress: callback that receives the completed fraction; may raise to cancel.

    Raises:
        OSError: if the table cannot be written, or not all rows can be read again.
    """
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName = layer_format.driver
    options.layerName = table.name
    options.layerOptions = list(layer_format.options)
    if file_exists:
        options.actionOnExistingFile = (
            QgsVectorFileWriter.ActionOnExistingFile.CreateOrOverwriteLayer
        )
    features = table.features
    geometry_type = features.wkb_type
    if layer_format.without_geometry:
        geometry_type = QgsWkbTypes.Type.NoGeometry
    writer = QgsVectorFileWriter.create(
        str(path), features.fields, geometry_type, features.crs, context, options
    )
    has_failed = writer.hasError() != QgsVectorFileWriter.WriterError.NoError
    n_added = 0
    try:
        blocks = [] if has_failed else features.iterate_blocks()
        for block in blocks:
            if layer_format.without_geometry:
                for feature in block:
                    feature.clearGeometry()
            if not writer.addFeatures(block, QgsFeatureSink.Flag.FastInsert):
                has_failed = True
                break
            n_added += len(block)
            progress(n_added / len(features))
    finally:
        # The file is closed when the last reference to the writer is deleted. The traceback of a
        # cancel must not hold another one.
        error_text = writer.errorMessage()
        del writer
    if has_failed:
        raise OSError(error_text)
    source = f"{path}|layername={table.name}" if layer_format.holds_several_tables else str(path)
    n_readable = count_written_rows(source)
    is_number_known = n_readable >= 0
    if is_number_known and n_readable < len(features):
        raise OSError(error_text)


def count_written_rows(source: str) -> int:
    """Return the number of rows that can be read from a file after it was written.

    Drivers may write only when a file is closed, and report no failure then. The head of a file may
    name more rows than the file contains.

    Args:
        source: source of an OGR layer, for example ``x.gpkg|layername=trees``.

    Returns:
        The number of rows, 0 if the layer cannot be opened; -1 if the number is unknown.
    """
    layer = QgsVectorLayer(
        source, "written", "ogr", QgsVectorLayer.LayerOptions(loadDefaultStyle=False)
    )
    if not layer.isValid():
        return 0
    if layer.storageType() == "GPKG":
        return int(layer.featureCount())
    request = QgsFeatureRequest()
    request.setFlags(QgsFeatureRequest.Flag.NoGeometry)
    request.setSubsetOfAttributes([])
    return sum(1 for _ in layer.getFeatures(request))


def write_frame(path: Path, layer_format: LayerFormat, name: str, frame: pd.DataFrame) -> None:
    """Write a frame as a table without geometries into a new file.

    Args:
        path: the file to create.
        layer_format: the format.
        name: name of the table, changed if the format does not accept it.
        frame: the frame; its column labels become field names.

    Raises:
        OSError: if the table cannot be written, with the message of the driver.
    """
    table = FeatureTable()
    for title, values in frame.convert_dtypes().items():
        table.add_column(str(title), values)
    (table_name,) = table_names([name])
    write_tables(
        layer_format, [NamedTable(table_name, table)], QgsCoordinateTransformContext(), path
    )


def _save_styles(layer: QgsVectorLayer, table: NamedTable) -> None:
    """Save the styles of a table in its GeoPackage, the first one as default.

    QGIS applies them when the table is opened. The style of ``layer`` changes.

    Raises:
        OSError: if a style cannot be saved.
    """
    for number, (name, style) in enumerate(table.styles.items()):
        if style.isValid():
            style.writeToLayer(layer)
            error_text = save_style(layer, name, is_default=number == 0)
            if error_text:
                raise OSError(error_text)
