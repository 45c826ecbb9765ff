"""Features written into files of their own: GeoPackage with its style, GeoJSON, GeoParquet, tables."""

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
from randcrowns.core.progress import Progress, no_progress, steps
from randcrowns.core.remarks import Remark, note
from randcrowns.layers.compat import save_style
from randcrowns.layers.crs import check_crs, system_of
from randcrowns.layers.files.geopackage import KEPT_TABLES
from randcrowns.layers.vector.names import fitted_names, plain_name
from randcrowns.layers.vector.tables import FeatureTable

#: Writes a file where it is told to, and tells its progress, by which it may be stopped.
FileWriter = Callable[[Path, Progress], object]


@dataclass(frozen=True)
class LayerFormat:
    """A format of files: GDAL's name for it, the ending, and options."""

    driver: str
    ending: str
    options: tuple[str, ...] = ()
    flat: bool = False  #: it is written without geometries.
    together: bool = False  #: several tables stand in one file.
    in_degrees: bool = False  #: it holds longitude and latitude only.
    finite: bool = False  #: it holds no infinite numbers.


#: By the key of the user's choice. RFC 7946 wants degrees, of which 14 decimals are far below a micrometre.
LAYER_FORMATS = {
    "gpkg": LayerFormat("GPKG", ".gpkg", together=True),
    "geojson": LayerFormat(
        "GeoJSON",
        ".geojson",
        ("RFC7946=YES", "COORDINATE_PRECISION=14"),
        in_degrees=True,
        finite=True,
    ),
    "parquet": LayerFormat("Parquet", ".parquet"),
    "xlsx": LayerFormat("XLSX", ".xlsx", flat=True, together=True),
    "csv": LayerFormat(
        "CSV", ".csv", ("STRING_QUOTING=IF_NEEDED",), flat=True
    ),  # else numbers stand in quotes
}


#: Most characters of the name of a sheet.
_LONGEST_SHEET = 31
#: The styles of a layer by name, the one that it is shown with first.
Styles = Mapping[str, QgsMapLayerStyle]


def styles_of(layer: QgsMapLayer) -> Styles:
    """All styles of a layer; on the thread that it lives on."""
    manager = layer.styleManager()
    names = [
        manager.currentStyle(),
        *(name for name in manager.styles() if name != manager.currentStyle()),
    ]
    return {name: manager.style(name) for name in names}


def has_driver(form: LayerFormat) -> bool:
    """Whether the GDAL of this QGIS writes the format."""
    return gdal.GetDriverByName(form.driver) is not None


def check_form(form: LayerFormat, layers: Iterable[QgsMapLayer | None]) -> None:
    """Refuse a format that the GDAL of this QGIS does not write, or that cannot hold where these layers lie."""
    if not has_driver(form):
        said = "The GDAL of this QGIS cannot write {driver}; choose another format, such as GeoPackage."
        raise InputError(said, driver=form.driver)
    for layer in (one for one in layers if form.in_degrees and one is not None and one.isSpatial()):
        if not system_of(layer).isValid():
            said = (
                "Layer '{name}' has no coordinate system, and {driver} holds longitude and latitude only: set one in "
                "the layer's properties, or choose another format, such as GeoPackage."
            )
            raise InputError(said, name=layer.name(), driver=form.driver)
        check_crs(layer.name(), system_of(layer))


@dataclass(frozen=True)
class NamedTable:
    """Features with the name of their table, and their styles."""

    name: str
    features: FeatureTable
    styles: Styles = field(default_factory=dict)
    #: Keeps in a GeoPackage how the table was made, handed it as a layer.
    told: Callable[[QgsVectorLayer], None] | None = None


def table_names(names: Sequence[str]) -> list[str]:
    """Names for tables, and for sheets, that all formats take, unlike each other.

    >>> table_names(["Scored targets", "scored targets", "a/b", "gpkg_x"])
    ['Scored targets', 'scored targets2', 'a_b', 't_gpkg_x']
    """
    plain = [re.sub(r"[^\w ()-]+", "_", name).strip() or "layer" for name in names]
    kept = [f"t_{name}" if KEPT_TABLES.match(name) else name for name in plain]
    return fitted_names(kept, _LONGEST_SHEET)


def lost_numbers(form: LayerFormat, tables: Sequence[NamedTable]) -> list[Remark]:
    """What is left empty in the files of a format that holds no infinite numbers."""
    said = "{table}: {count:,} infinite numbers in field '{field}' are empty in {form}, which has none."
    one = "{table}: 1 infinite number in field '{field}' is empty in {form}, which has none."
    told = []
    for table in tables if form.finite else ():
        for known, values in zip(table.features.fields, table.features.values):
            count = sum(isinstance(value, float) and math.isinf(value) for value in values)
            named = {"table": table.name, "field": known.name(), "form": form.driver}
            told += [note("export.infinite", said, one=one, count=count, **named)] if count else []
    return told


def files_of_tables(
    together: str,
    form: LayerFormat,
    tables: Sequence[NamedTable],
    context: QgsCoordinateTransformContext,
) -> dict[str, FileWriter]:
    """The files that tables are written into, by name, each with what writes it where it is told to.

    Args:
        together: name of the file, without ending, of a format that holds several tables; others have one each.
    """
    groups = {together: list(tables)}
    if not form.together:
        names = fitted_names([plain_name(one.name) for one in tables], _LONGEST_SHEET)
        groups = {name: [one] for name, one in zip(names, tables)}
    return {
        f"{name}{form.ending}": partial(write_tables_to, form, some, context)
        for name, some in groups.items()
    }


def write_tables_to(
    form: LayerFormat,
    tables: Sequence[NamedTable],
    context: QgsCoordinateTransformContext,
    path: Path,
    progress: Progress = no_progress,
) -> None:
    """Write tables into one new file.

    Raises:
        OSError: when they cannot be written, in the words of the driver.
    """
    for table, told in steps(tables, progress):
        options = QgsVectorFileWriter.SaveVectorOptions()
        options.driverName, options.layerName = form.driver, table.name
        options.layerOptions = list(form.options)
        if table is not tables[0]:
            options.actionOnExistingFile = (
                QgsVectorFileWriter.ActionOnExistingFile.CreateOrOverwriteLayer
            )
        features = table.features
        kind = QgsWkbTypes.Type.NoGeometry if form.flat else features.wkb_type
        writer = QgsVectorFileWriter.create(
            str(path), features.fields, kind, features.crs, context, options
        )
        failed, done = writer.hasError() != QgsVectorFileWriter.WriterError.NoError, 0
        try:
            for block in [] if failed else features.blocks():
                if form.flat:
                    for feature in block:
                        feature.clearGeometry()
                failed = failed or not writer.addFeatures(block, QgsFeatureSink.Flag.FastInsert)
                done += len(block)
                told(done / len(features))
        finally:
            why = writer.errorMessage()
            del writer  # which closes the file
        source = f"{path}|layername={table.name}" if form.together else str(path)
        if failed or 0 <= rows_kept(source) < len(features):
            raise OSError(why)
    for table in tables:
        if form.driver == "GPKG":
            layer = QgsVectorLayer(f"{path}|layername={table.name}", table.name, "ogr")
            _save_styles(layer, table)
            if table.told is not None:
                table.told(layer)


def rows_kept(source: str) -> int:
    """How many rows of a file that was closed can be read; -1 where it cannot tell.

    Drivers write at the end, and say nothing where that fails; heads of files may speak of rows that are not there.
    """
    layer = QgsVectorLayer(
        source, "written", "ogr", QgsVectorLayer.LayerOptions(loadDefaultStyle=False)
    )
    if not layer.isValid():
        return 0
    if layer.storageType() == "GPKG":
        return int(layer.featureCount())
    bare = QgsFeatureRequest().setFlags(QgsFeatureRequest.Flag.NoGeometry).setSubsetOfAttributes([])
    return sum(1 for _ in layer.getFeatures(bare))


def write_frame_to(path: Path, form: LayerFormat, name: str, frame: pd.DataFrame) -> None:
    """Write a frame as a table without geometries into a new file; its columns keep their titles.

    Raises:
        OSError: when it cannot be written.
    """
    table = FeatureTable()
    for title, values in frame.convert_dtypes().items():
        table.add(str(title), values)
    (named,) = table_names([name])
    write_tables_to(form, [NamedTable(named, table)], QgsCoordinateTransformContext(), path)


def _save_styles(layer: QgsVectorLayer, table: NamedTable) -> None:
    """Keep the styles within the file, where QGIS finds them when the table is opened."""
    for number, (name, style) in enumerate(table.styles.items()):
        if style.isValid():
            style.writeToLayer(layer)
            if why := save_style(layer, name, usual=number == 0):
                raise OSError(why)
