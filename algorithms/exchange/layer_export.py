"""Algorithm ``randcrowns:exportlayers``: write layers and tables to files."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from qgis.core import QgsVectorLayer

from randcrowns.algorithms.algorithm_catalogue import EXPORT_LAYERS
from randcrowns.algorithms.crown_algorithm import CrownAlgorithm, RunResults
from randcrowns.algorithms.destinations import output_destination
from randcrowns.algorithms.exchange.schema import parameters
from randcrowns.algorithms.exchange.schema.outputs import (
    EXPORT_FOLDER,
    LAYER_VALUES,
    files_message,
    fit_field_names,
)
from randcrowns.algorithms.exchange.schema.parameters import LAYER_EXPORT_PARAMETERS
from randcrowns.algorithms.parameter_types import RunParameters, RunSettings
from randcrowns.algorithms.provenance import Provenance, read_output_id, read_provenance
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, iterate_with_progress, run_in_thread, subprogress
from randcrowns.layers.files.export import (
    LAYER_FORMATS,
    NamedTable,
    Styles,
    check_format,
    layer_styles,
    table_names,
    table_writers,
)
from randcrowns.layers.localization import tr
from randcrowns.layers.vector.read import LayerSnapshot
from randcrowns.layers.vector.tables import copy_features


@dataclass(frozen=True)
class LayerCopy:
    """Snapshot of a layer to export, without a reference to the layer itself."""

    name: str  #: name of the table that is written.
    snapshot: LayerSnapshot  #: features and fields.
    styles: Styles  #: styles of the layer.
    provenance: (
        Provenance | None
    )  #: provenance of the run that made the layer; None for other layers.
    output_id: str  #: id of the run's output that the layer is; empty for other layers.

    @classmethod
    def of(cls, layer: QgsVectorLayer, name: str) -> LayerCopy:
        """Take a snapshot of a layer, with its unsaved edits; call on the layer's thread.

        Args:
            layer: layer to export.
            name: name of the table that is written.
        """
        snapshot = LayerSnapshot.from_layer(layer, require_polygons=False)
        return cls(
            name, snapshot, layer_styles(layer), read_provenance(layer), read_output_id(layer)
        )

    def read(self, progress: Progress) -> NamedTable:
        """Return all features of the snapshot as a table."""
        snapshot = self.snapshot
        features = snapshot.read_features(progress=subprogress(progress, 0.0, 0.5))
        table = run_in_thread(
            lambda _report: copy_features(
                features, snapshot.fields, snapshot.crs, snapshot.wkb_type
            ),
            subprogress(progress, 0.5, 1.0),
        )
        write_provenance = None
        if self.provenance is not None:
            write_provenance = partial(self.provenance.write_to_geopackage, output=self.output_id)
        return NamedTable(self.name, table, self.styles, write_provenance)


@dataclass(frozen=True)
class LayerExportSettings(RunSettings):
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
        parameters.LAYER_FORMAT,
    )
    title_layers = (parameters.LAYERS,)
    title_parameters = (parameters.LAYER_FORMAT,)
    declared_parameters = LAYER_EXPORT_PARAMETERS
    outputs = (EXPORT_FOLDER,)
    value_outputs = LAYER_VALUES

    def validate(self, run_parameters: RunParameters) -> None:
        """Raise an InputError unless all layers can be read and written in the format."""
        layers = run_parameters[parameters.LAYERS]
        if not layers:
            raise InputError("export.no_layers", "Choose at least one layer or table.")
        for layer in layers:
            if not isinstance(layer, QgsVectorLayer) or not layer.isValid():
                raise InputError(
                    "layer.no_features",
                    "Layer '{name}' has no features that can be read.",
                    name=layer.name(),
                )
        check_format(LAYER_FORMATS[run_parameters[parameters.LAYER_FORMAT]], layers)

    def read_settings(self, run_parameters: RunParameters) -> LayerExportSettings:
        """Return the settings with snapshots of the layers."""
        layers = run_parameters[parameters.LAYERS]
        names = table_names([layer.name() for layer in layers])
        copies = [LayerCopy.of(layer, name) for layer, name in zip(layers, names)]
        folder = output_destination(run_parameters, EXPORT_FOLDER)
        return LayerExportSettings.from_parameters(run_parameters, layers=copies, folder=folder)

    def read_layers(self, settings: LayerExportSettings, progress: Progress) -> list[NamedTable]:
        """Return a table per layer.

        Args:
            settings: settings of the run.
            progress: called with the fraction done.
        """
        return [
            layer.read(share) for layer, share in iterate_with_progress(settings.layers, progress)
        ]

    def compute(
        self, settings: LayerExportSettings, inputs: list[NamedTable], progress: Progress
    ) -> list[NamedTable]:
        """Return the tables unchanged; nothing is computed.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            progress: called with the fraction done.
        """
        return inputs

    def build_results(
        self,
        settings: LayerExportSettings,
        inputs: list[NamedTable],
        findings: list[NamedTable],
        progress: Progress,
    ) -> RunResults:
        """Return the files, with messages about changed names, numbers and layers.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            findings: result of :meth:`compute`.
            progress: called with the fraction done.
        """
        form = LAYER_FORMATS[settings[parameters.LAYER_FORMAT]]
        messages = fit_field_names(form, findings)
        for layer, table in zip(settings.layers, inputs):
            changed = layer.snapshot.count_change_message(layer.snapshot.name, len(table.features))
            if changed is not None:
                messages.append(changed)
        files = table_writers("results", form, findings, settings.transform_context)
        return RunResults(
            tables={},
            values={"EXPORTED": len(findings)},
            files={EXPORT_FOLDER: files},
            messages=messages,
            headline=[files_message(settings.folder, files)],
        )
