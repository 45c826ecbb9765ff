"""Algorithm ``randcrowns:exportlayers``: write layers and tables to files."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from qgis.core import QgsVectorLayer

from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.catalogue import EXPORT_LAYERS
from randcrowns.algorithms.choice import Given, Job
from randcrowns.algorithms.exchange import choices
from randcrowns.algorithms.exchange.choices import LAYER_CHOICES
from randcrowns.algorithms.exchange.outputs import (
    FOLDER,
    LAYER_VALUES,
    files_message,
    fit_tables,
)
from randcrowns.algorithms.outputs import destination_of
from randcrowns.algorithms.record import Record, output_of, record_of
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, aside, part_of, steps
from randcrowns.layers.files.export import (
    LAYER_FORMATS,
    NamedTable,
    Styles,
    check_form,
    files_of_tables,
    styles_of,
    table_names,
)
from randcrowns.layers.vector.read import LayerSnapshot
from randcrowns.layers.vector.tables import copied
from randcrowns.layers.words import tr


@dataclass(frozen=True)
class LayerCopy:
    """Snapshot of a layer to export, without a reference to the layer itself."""

    name: str  #: name of the table that is written.
    snapshot: LayerSnapshot  #: features and fields.
    styles: Styles  #: styles of the layer.
    provenance: Record | None  #: provenance of the run that made the layer; None for other layers.
    output_id: str  #: id of the run's output that the layer is; empty for other layers.

    @classmethod
    def of(cls, layer: QgsVectorLayer, name: str) -> LayerCopy:
        """Take a snapshot of a layer, with its unsaved edits; call on the layer's thread.

        Args:
            layer: layer to export.
            name: name of the table that is written.
        """
        snapshot = LayerSnapshot.of(layer, polygons=False)
        return cls(name, snapshot, styles_of(layer), record_of(layer), output_of(layer))

    def read(self, progress: Progress) -> NamedTable:
        """Return all features of the snapshot as a table."""
        snapshot = self.snapshot
        features = snapshot.features(progress=part_of(progress, 0.0, 0.5))
        table = aside(
            lambda _report: copied(features, snapshot.fields, snapshot.crs, snapshot.wkb_type),
            part_of(progress, 0.5, 1.0),
        )
        write_provenance = None
        if self.provenance is not None:
            write_provenance = partial(self.provenance.keep, output=self.output_id)
        return NamedTable(self.name, table, self.styles, write_provenance)


@dataclass(frozen=True)
class LayerExportSettings(Job):
    """Settings of a run that exports layers."""

    layers: list[LayerCopy] = field(default_factory=list)  #: layers to export.
    folder: str = ""  #: folder of the files.


class ExportLayers(CrownAlgorithm):
    """Algorithm that writes layers and tables of the project to files of one format."""

    entry = EXPORT_LAYERS
    help = (
        tr(
            "A GeoPackage stores everything in one file: the layers, their styles and how they "
            "were made. QGIS shows it as in this project, with or without this plugin. Rasters are "
            "not exported."
        ),
        choices.LAYER_FORMAT,
    )
    parties = (choices.LAYERS,)
    told_apart_by = (choices.LAYER_FORMAT,)
    choices = LAYER_CHOICES
    outputs = (FOLDER,)
    values = LAYER_VALUES

    def check(self, given: Given) -> None:
        """Raise an InputError unless all layers can be read and written in the format."""
        layers = given[choices.LAYERS]
        if not layers:
            raise InputError("Choose at least one layer or table.")
        for layer in layers:
            if not isinstance(layer, QgsVectorLayer) or not layer.isValid():
                raise InputError(
                    "Layer '{name}' has no features that can be read.", name=layer.name()
                )
        check_form(LAYER_FORMATS[given[choices.LAYER_FORMAT]], layers)

    def take(self, given: Given) -> LayerExportSettings:
        """Return the settings with snapshots of the layers."""
        layers = given[choices.LAYERS]
        names = table_names([layer.name() for layer in layers])
        copies = [LayerCopy.of(layer, name) for layer, name in zip(layers, names)]
        folder = destination_of(given, FOLDER)
        return LayerExportSettings.of(given, layers=copies, folder=folder)

    def read(self, job: LayerExportSettings, progress: Progress) -> list[NamedTable]:
        """Return a table per layer."""
        return [layer.read(share) for layer, share in steps(job.layers, progress)]

    def compute(
        self, job: LayerExportSettings, read: list[NamedTable], progress: Progress
    ) -> list[NamedTable]:
        """Return the tables unchanged; nothing is computed."""
        return read

    def tables(
        self,
        job: LayerExportSettings,
        read: list[NamedTable],
        found: list[NamedTable],
        progress: Progress,
    ) -> Made:
        """Return the files, with messages about changed names, numbers and layers."""
        form = LAYER_FORMATS[job[choices.LAYER_FORMAT]]
        messages = fit_tables(form, found)
        for layer, table in zip(job.layers, read):
            changed = layer.snapshot.changed_since(layer.snapshot.name, len(table.features))
            if changed is not None:
                messages.append(changed)
        files = files_of_tables("results", form, found, job.transform_context)
        return Made(
            tables={},
            values={"EXPORTED": len(found)},
            files={FOLDER: files},
            remarks=messages,
            headline=[files_message(job.folder, files)],
        )
