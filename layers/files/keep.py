"""Layers in memory written into a GeoPackage, so that they are there when the project is opened again."""

from __future__ import annotations

from pathlib import Path

from qgis.core import QgsMapLayerStyle, QgsProject, QgsVectorFileWriter, QgsVectorLayer

from randcrowns.core.errors import InputError

__all__ = ["keep_in_file"]


def keep_in_file(layer: QgsVectorLayer, file: Path, table: str) -> QgsVectorLayer:
    """Write a layer as a new table of a GeoPackage, other tables stay as they are, and open it with the same style.

    A table of that name that is there already stays too: the new one gets the next name that is free.

    Raises:
        InputError: if it cannot be written there.
    """
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName = "GPKG"
    options.layerName = table = _free_name(file, table)
    if file.exists():
        options.actionOnExistingFile = QgsVectorFileWriter.ActionOnExistingFile.CreateOrOverwriteLayer
    code, message, *_ = QgsVectorFileWriter.writeAsVectorFormatV3(
        layer, str(file), QgsProject.instance().transformContext(), options
    )
    kept = QgsVectorLayer(f"{file}|layername={table}", layer.name(), "ogr")
    if code != QgsVectorFileWriter.WriterError.NoError or not kept.isValid():
        raise InputError(f"Layer '{layer.name()}' cannot be kept in {file} ({message}); choose another file.")
    style = QgsMapLayerStyle()
    style.readFromLayer(layer)
    style.writeToLayer(kept)
    return kept


def _free_name(file: Path, table: str) -> str:
    free, number = table, 1
    while file.exists() and QgsVectorLayer(f"{file}|layername={free}", "", "ogr").isValid():
        number += 1
        free = f"{table}_{number}"
    return free
