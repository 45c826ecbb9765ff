"""Temporary layers of the plugin, which are stored with the project when it is saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from qgis.core import QgsProject, QgsVectorLayer

from randcrowns.algorithms.provenance import read_output_id, read_provenance
from randcrowns.core.crowns import unique_name
from randcrowns.layers.databases import layer_file, table_source
from randcrowns.layers.files.project_results import project_geopackage
from randcrowns.layers.files.staging import write_layers
from randcrowns.layers.public_sources import public_id
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
    sources = {public_id(layer): table_source(Path(file), table) for table, layer in tables.items()}
    for layer in tables.values():
        _set_source(layer, sources[public_id(layer)])
    _update_records(sources)
    _reopen_layers(Path(file))
    return len(tables)


def has_temporary_layers() -> bool:
    """Return True if the plugin has temporary layers that are stored with the project."""
    return any(True for _ in _temporary_layers())


def _update_records(sources: Mapping[str, str]) -> None:
    """Write the sources of stored layers into the records of the runs that have read them.

    The commands of these runs can then be repeated.

    Args:
        sources: source of each layer that was stored, by its public id.
    """
    for layer in QgsProject.instance().mapLayers().values():
        record = read_provenance(layer)
        if record is None:
            continue
        new_record = record.with_stored_inputs(sources)
        if new_record.inputs != record.inputs or public_id(layer) in sources:
            output = read_output_id(layer)
            new_record.write_to_layer(layer, output)
            if output and isinstance(layer, QgsVectorLayer):
                stored = QgsVectorLayer(layer.source(), layer.name(), "ogr")
                new_record.write_to_geopackage(stored, output)


def _reopen_layers(file: Path) -> None:
    """Reopen the layers of a GeoPackage to which QGIS has written records.

    QGIS writes them with a write-ahead log, which remains. Layers that were opened before, without
    locks, cannot query the file any more: GDAL writes "unable to open database file" to the
    console, and QGIS reads all rows instead. Layers with unsaved edits are not reopened.
    """
    for layer in QgsProject.instance().mapLayers().values():
        if not isinstance(layer, QgsVectorLayer) or layer.providerType() != "ogr":
            continue
        source_file = layer_file(layer)
        if source_file is None or layer.isEditable() or source_file.resolve() != file.resolve():
            continue
        LAYERS_BEING_STORED.add(layer.id())
        try:
            layer.dataProvider().reloadData()
        finally:
            LAYERS_BEING_STORED.discard(layer.id())


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
