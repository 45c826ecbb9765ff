"""Temporary layers of the plugin, which are stored with the project when it is saved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from qgis.core import QgsProject, QgsVectorLayer

from randcrowns.algorithms.provenance import read_output_id, read_provenance
from randcrowns.core.crowns import unique_name
from randcrowns.layers.databases import table_source
from randcrowns.layers.files.project_results import project_geopackage
from randcrowns.layers.files.staging import write_layers
from randcrowns.layers.vector.guesses import imported_role
from randcrowns.ui.services.layer_watch import LAYERS_BEING_STORED
from randcrowns.ui.services.run_outcome import table_name


def store_temporary_layers() -> int:
    """Write the plugin's temporary layers of the project as tables of its GeoPackage.

    These are imported crowns, new crown layers and results of runs. The layers stay, with their
    ids and styles, and read the tables from now on. Layers that are being edited stay temporary.
    Call this before a project writes its layers, since QGIS stores temporary layers without their
    features.

    Returns:
        Number of layers that were written.

    Raises:
        InputError: if the tables cannot be written; all layers then stay temporary.
    """
    file = project_geopackage()
    layers = list(_temporary_layers())
    if not file or not layers:
        return 0
    tables: dict[str, QgsVectorLayer] = {}
    for layer in layers:
        preferred_name = table_name(read_output_id(layer) or "crowns")
        free_name = unique_name(preferred_name, tables.__contains__, "{}_{}")
        tables[free_name] = layer
    write_layers(tables, Path(file))
    for table, layer in tables.items():
        _set_source(layer, table_source(Path(file), table))
    return len(tables)


def _temporary_layers() -> Iterator[QgsVectorLayer]:
    """Yield the layers in memory that the plugin has made and nobody edits."""
    for layer in QgsProject.instance().mapLayers().values():
        if not isinstance(layer, QgsVectorLayer) or layer.providerType() != "memory":
            continue
        if layer.isEditable():
            continue
        if imported_role(layer) is not None or read_output_id(layer):
            yield layer


def _set_source(layer: QgsVectorLayer, source: str) -> None:
    """Let a layer read its features from a table, with its coordinate system and style.

    Args:
        layer: A temporary layer whose features were written to the table.
        source: Data source of the table.
    """
    crs = layer.crs()
    LAYERS_BEING_STORED.add(layer.id())
    try:
        layer.setDataSource(source, layer.name(), "ogr")
        layer.setCrs(crs)
    finally:
        LAYERS_BEING_STORED.discard(layer.id())
    record = read_provenance(layer)
    output = read_output_id(layer)
    if record is not None and output:
        record.write_to_geopackage(QgsVectorLayer(source, layer.name(), "ogr"), output)
