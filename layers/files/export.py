"""Features written into files of their own: GeoPackage with its style, GeoJSON, GeoParquet, tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from osgeo import gdal
from qgis.core import (
    QgsCoordinateTransformContext,
    QgsFeatureSink,
    QgsMapLayerStyle,
    QgsVectorFileWriter,
    QgsVectorLayer,
    QgsWkbTypes,
)

from randcrowns.core.errors import InputError
from randcrowns.layers.vector.tables import FeatureTable


@dataclass(frozen=True)
class LayerFormat:
    """A format of files: GDAL's name for it, the ending, and options.

    Attributes:
        flat: it is written without geometries.
        together: several tables stand in one file.
        in_degrees: it holds longitude and latitude only.
    """

    driver: str
    ending: str
    options: tuple[str, ...] = ()
    flat: bool = False
    together: bool = False
    in_degrees: bool = False


#: By the key of the user's choice. RFC 7946 wants degrees, of which 14 decimals are far below a micrometre.
LAYER_FORMATS = {
    "gpkg": LayerFormat("GPKG", ".gpkg", together=True),
    "geojson": LayerFormat("GeoJSON", ".geojson", ("RFC7946=YES", "COORDINATE_PRECISION=14"), in_degrees=True),
    "parquet": LayerFormat("Parquet", ".parquet"),
    "xlsx": LayerFormat("XLSX", ".xlsx", flat=True, together=True),
    "csv": LayerFormat("CSV", ".csv", flat=True),
}


def has_driver(form: LayerFormat) -> bool:
    """Whether the GDAL of this QGIS writes the format."""
    return gdal.GetDriverByName(form.driver) is not None


@dataclass(frozen=True)
class NamedTable:
    """Features with the name of their table, and their style as QGIS keeps it."""

    name: str
    features: FeatureTable
    style: QgsMapLayerStyle = field(default_factory=QgsMapLayerStyle)


def write_tables_to(
    path: Path, form: LayerFormat, tables: list[NamedTable], context: QgsCoordinateTransformContext
) -> None:
    """Write tables into one new file.

    Raises:
        InputError: when they cannot be written.
    """
    for number, table in enumerate(tables):
        options = QgsVectorFileWriter.SaveVectorOptions()
        options.driverName, options.layerName = form.driver, table.name
        options.layerOptions = list(form.options)
        if number:
            options.actionOnExistingFile = QgsVectorFileWriter.ActionOnExistingFile.CreateOrOverwriteLayer
        features = table.features
        kind = QgsWkbTypes.Type.NoGeometry if form.flat else features.wkb_type
        writer = QgsVectorFileWriter.create(str(path), features.fields, kind, features.crs, context, options)
        failed = writer.hasError() != QgsVectorFileWriter.WriterError.NoError
        for block in [] if failed else features.blocks():
            if form.flat:
                for feature in block:
                    feature.clearGeometry()
            failed = failed or not writer.addFeatures(block, QgsFeatureSink.Flag.FastInsert)
        why = writer.errorMessage()
        del writer  # which closes the file
        if failed or not path.exists():
            raise InputError(f"The file {path.name} cannot be written ({why}); is the disk full?")
    for table in tables:
        if form.driver == "GPKG" and table.style.isValid():
            _save_style(path, table)


def _save_style(path: Path, table: NamedTable) -> None:
    """Keep the style within the file, where QGIS finds it when the table is opened."""
    layer = QgsVectorLayer(f"{path}|layername={table.name}", table.name, "ogr")
    if layer.isValid():
        table.style.writeToLayer(layer)
        layer.saveStyleToDatabase(table.name, "", True, "")
