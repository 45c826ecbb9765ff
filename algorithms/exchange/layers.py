"""randcrowns:exportlayers - what a run made, layers and tables, as files of their own."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from qgis.core import QgsVectorLayer

from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.catalogue import EXPORT_LAYERS
from randcrowns.algorithms.choice import Given, Job
from randcrowns.algorithms.exchange import choices
from randcrowns.algorithms.exchange.outputs import FOLDER, LAYER_VALUES, fit_tables, written_to
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
class Copied:
    """What is needed of a layer to write it again; holds no layer."""

    name: str  #: of its table.
    snapshot: LayerSnapshot
    styles: Styles
    #: made, output: the record of the run that made it, where one did, and which output it is.
    made: Record | None
    output: str

    @classmethod
    def of(cls, layer: QgsVectorLayer, name: str) -> Copied:
        """Taken on the thread that the layer lives on; unsaved edits are in it."""
        snapshot = LayerSnapshot.of(layer, polygons=False)
        return cls(name, snapshot, styles_of(layer), record_of(layer), output_of(layer))

    def read(self, progress: Progress) -> NamedTable:
        """All its features."""
        one, features = self.snapshot, self.snapshot.features(progress=part_of(progress, 0.0, 0.5))
        told = None if self.made is None else partial(self.made.keep, output=self.output)
        table = aside(
            lambda _told: copied(features, one.fields, one.crs, one.wkb_type),
            part_of(progress, 0.5, 1.0),
        )
        return NamedTable(self.name, table, self.styles, told)


@dataclass(frozen=True)
class LayersJob(Job):
    """What a run needs besides: the layers, and where their files go."""

    layers: list[Copied] = field(default_factory=list)
    folder: str = ""


class ExportLayers(CrownAlgorithm):
    entry = EXPORT_LAYERS
    help = (
        tr(
            "A GeoPackage holds everything in one file, with every style and with how it was made: QGIS shows it as it "
            "is shown here, with or without this plugin. Rasters are not among it."
        ),
        choices.LAYER_FORMAT,
    )
    parties, told_apart_by = (choices.LAYERS,), (choices.LAYER_FORMAT,)
    choices, outputs, values = choices.LAYER_CHOICES, (FOLDER,), LAYER_VALUES

    def check(self, given: Given) -> None:
        form = LAYER_FORMATS[given[choices.LAYER_FORMAT]]
        layers = given[choices.LAYERS]
        if not layers:
            raise InputError("Choose at least one layer or table.")
        for layer in layers:
            if not isinstance(layer, QgsVectorLayer) or not layer.isValid():
                raise InputError(
                    "Layer '{name}' holds no features that can be read.", name=layer.name()
                )
        check_form(form, layers)

    def take(self, given: Given) -> LayersJob:
        layers = given[choices.LAYERS]
        names = table_names([layer.name() for layer in layers])
        copies = [Copied.of(layer, name) for layer, name in zip(layers, names)]
        return LayersJob.of(given, layers=copies, folder=destination_of(given, FOLDER))

    def read(self, job: LayersJob, progress: Progress) -> list[NamedTable]:
        return [layer.read(told) for layer, told in steps(job.layers, progress)]

    def compute(
        self, job: LayersJob, read: list[NamedTable], progress: Progress
    ) -> list[NamedTable]:
        return read

    def tables(
        self, job: LayersJob, read: list[NamedTable], found: list[NamedTable], progress: Progress
    ) -> Made:
        form = LAYER_FORMATS[job[choices.LAYER_FORMAT]]
        told = fit_tables(form, found)
        pairs = [(layer.snapshot, len(one.features)) for layer, one in zip(job.layers, read)]
        told += filter(
            None, (snapshot.changed_since(snapshot.name, count) for snapshot, count in pairs)
        )
        files = files_of_tables("results", form, found, job.transform_context)
        return Made(
            {}, {"EXPORTED": len(found)}, {FOLDER: files}, told, [written_to(job.folder, files)]
        )
