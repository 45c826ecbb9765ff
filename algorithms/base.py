"""What the algorithms share: snapshots before the work, progress and cancel during it, outputs whole or not at all."""

from __future__ import annotations

import sqlite3
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsFeatureSink,
    QgsMapLayer,
    QgsProcessing,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingDestinationParameter,
    QgsProcessingException,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingFeedback,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingParameterFeatureSink,
    QgsProperty,
    QgsProviderRegistry,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QCoreApplication
from shapely.errors import GEOSException

from randcrowns.core.errors import Cancelled, InputError, RandCrownsError
from randcrowns.core.progress import Progress, part_of
from randcrowns.layers.names import SHAPEFILE_NAME, short_names
from randcrowns.layers.places import Place, destination_file, destination_place, layer_place
from randcrowns.layers.protect import FileGuard
from randcrowns.layers.snapshot import LayerSnapshot
from randcrowns.layers.tables import FeatureTable
from randcrowns.layers.tree import run_title

__all__ = ["CrownAlgorithm", "destination_of", "feedback_progress", "tr"]


#: Formats that hold no table without geometry.
_GEOMETRY_ONLY = (".shp", ".dbf", ".shx", ".fgb", ".dxf", ".gpx")
_GEOPACKAGE_GEOMETRY = "geom"
_LONG_ENOUGH = 1000


def tr(text: str) -> str:
    """The text in the user's language."""
    return QCoreApplication.translate("RandCrowns", text)


def feedback_progress(feedback: QgsProcessingFeedback) -> Progress:
    """A progress that moves the bar and raises Cancelled when the user cancelled."""
    told = -1.0

    def report(fraction: float) -> None:
        nonlocal told
        if feedback.isCanceled():
            raise Cancelled("Cancelled.")
        if abs(fraction - told) >= 0.002:
            told = fraction
            feedback.setProgress(100 * fraction)

    return report


@contextmanager
def _told(feedback: QgsProcessingFeedback) -> Iterator[None]:
    """What goes wrong within is told as a sentence, with the details in the log."""
    try:
        yield
    except Cancelled:
        raise
    except RandCrownsError as error:
        raise QgsProcessingException(str(error)) from error
    except (OSError, sqlite3.Error) as error:
        feedback.pushDebugInfo(traceback.format_exc())
        raise QgsProcessingException(
            tr(
                "A file cannot be read or written ({why}); check the disk's space and rights, or choose another place."
            ).format(why=error)
        ) from error
    except GEOSException as error:
        feedback.pushDebugInfo(traceback.format_exc())
        raise QgsProcessingException(
            tr(
                "An outline cannot be worked on ({why}); run 'Check validity' and 'Fix geometries' on the layers and "
                "try again."
            ).format(why=error)
        ) from error


class CrownAlgorithm(QgsProcessingAlgorithm):
    """An algorithm in three steps: :meth:`take` the layers on the main thread, :meth:`tables` in the background,
    and the outputs written at the very end.
    """

    def __init__(self) -> None:
        super().__init__()
        self._taken: Any = None
        #: Name of the group that the outputs are loaded into.
        self.run_title = ""

    def createInstance(self) -> QgsProcessingAlgorithm:  # noqa: N802 - QGIS's name
        """A fresh one for every run."""
        return type(self)()

    def take(self, parameters: dict[str, Any], context: QgsProcessingContext) -> Any:
        """Everything the run needs, as plain values and snapshots; called on the main thread."""
        raise NotImplementedError

    def title(self, taken: Any) -> str:
        """Title of the group that the outputs are loaded into; unless told otherwise after the target layer."""
        return run_title(taken.targets.name)

    def tables(
        self, taken: Any, feedback: QgsProcessingFeedback, progress: Progress
    ) -> tuple[dict[str, FeatureTable], dict[str, Any]]:
        """The feature tables by output name, and the other outputs."""
        raise NotImplementedError

    def loaded(self, output: str, details: QgsProcessingContext.LayerDetails, others: dict[str, Any]) -> None:
        """Say how an output that is going to be loaded looks."""

    def prepareAlgorithm(  # noqa: N802 - QGIS's name
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> bool:
        """Take the snapshots; what is wrong is told as a sentence."""
        with _told(feedback):
            replaced = self._replaced_input(parameters, context)  # a model does not check the values first
            if replaced:
                raise InputError(replaced)
            self._taken = self.take(parameters, context)
            self.run_title = self.title(self._taken)
        return True

    def checkParameterValues(  # noqa: N802 - QGIS's name
        self, parameters: dict[str, Any], context: QgsProcessingContext
    ) -> tuple[bool, str]:
        """No output may replace an input."""
        fits, why = super().checkParameterValues(parameters, context)
        if not fits:
            return fits, why
        replaced = self._replaced_input(parameters, context)
        return not replaced, replaced

    def processAlgorithm(  # noqa: N802 - QGIS's name
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        """Compute, then write; nothing is written by a run that is cancelled or fails."""
        progress = feedback_progress(feedback)
        try:
            with _told(feedback):
                tables, others = self.tables(self._taken, feedback, part_of(progress, 0.0, 0.85))
                _fit_names(tables, parameters, context, feedback)
                written = self._write(tables, others, parameters, context, part_of(progress, 0.85, 1.0))
        except Cancelled:
            feedback.pushInfo(tr("Cancelled; nothing was written."))
            return {}
        return {**written, **others}

    def layer_snapshot(self, parameters: dict[str, Any], name: str, context: QgsProcessingContext) -> LayerSnapshot:
        """Snapshot of the layer that a parameter for a feature source names."""
        layer, selected_only = self.layer_of(parameters, name, context)
        if layer is None:
            described = self.parameterDefinition(name).description()
            raise InputError(tr("The layer for '{name}' cannot be found or opened.").format(name=described))
        value = parameters.get(name)
        expression = getattr(value, "filterExpression", "") or ""  # QGIS 3.32 and later
        return LayerSnapshot.of(layer, selected_only, expression, getattr(value, "featureLimit", -1))

    def layer_of(
        self, parameters: dict[str, Any], name: str, context: QgsProcessingContext
    ) -> tuple[QgsVectorLayer | None, bool]:
        """The layer that a parameter for a feature source names, and whether only its selected features are meant."""
        value = parameters.get(name)
        selected_only = False
        if isinstance(value, QgsProcessingFeatureSourceDefinition):
            selected_only = value.selectedFeaturesOnly
            value = value.source
        if isinstance(value, QgsProperty):
            value = value.valueAsString(context.expressionContext())[0]
        if isinstance(value, QgsVectorLayer):
            return value, selected_only
        return self.parameterAsVectorLayer({**parameters, name: value}, name, context), selected_only

    def input_layers(self, parameters: dict[str, Any], context: QgsProcessingContext) -> list[QgsMapLayer]:
        """Every layer that the parameters name as an input."""
        found: list[QgsMapLayer | None] = []
        for definition in self.parameterDefinitions():
            name, kind = definition.name(), definition.type()
            if parameters.get(name) in (None, "", []):
                continue
            if kind in ("source", "vector"):
                found.append(self.layer_of(parameters, name, context)[0])
            elif kind in ("layer", "raster", "mesh", "pointcloud"):
                found.append(self.parameterAsLayer(parameters, name, context))
            elif kind == "multilayer":
                found += self.parameterAsLayerList(parameters, name, context)
        layers = [layer for layer in found if layer is not None]
        for layer in layers:
            _name_after_table(layer, context)
        return layers

    def _replaced_input(self, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
        """Which input an output would replace, in a sentence; empty when none."""
        wanted: list[tuple[QgsProcessingDestinationParameter, Place]] = []
        for definition in self.parameterDefinitions():
            value = parameters.get(definition.name())
            if isinstance(definition, QgsProcessingDestinationParameter) and value not in (None, ""):
                place = destination_place(destination_of(value, context))
                if place is not None:
                    wanted.append((definition, place))
        inputs = self.input_layers(parameters, context)
        for definition, place in wanted:
            if isinstance(definition, QgsProcessingParameterFeatureSink) and not _can_hold(definition, place):
                return tr(
                    "'{output}' is a table without geometry, which a {ending} file cannot hold; choose .gpkg, .csv or "
                    ".xlsx."
                ).format(output=definition.description(), ending=place.file.suffix if place.file else "")
        for layer in inputs:
            source = layer_place(layer)
            for definition, place in wanted:
                if source is not None and place.meets(source):
                    return tr(
                        "'{output}' would overwrite layer '{layer}', which is read in this run; choose another file."
                    ).format(output=definition.description(), layer=layer.name())
        return ""

    def _write(
        self,
        tables: Mapping[str, FeatureTable],
        others: dict[str, Any],
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        progress: Progress,
    ) -> dict[str, Any]:
        wanted = [name for name in tables if parameters.get(name) not in (None, "")]
        places = {name: destination_place(destination_of(parameters[name], context)) for name in wanted}
        files = {name: None if place is None else place.file for name, place in places.items()}
        before = dict(context.layersToLoadOnCompletion())
        written: dict[str, Any] = {}
        rows = sum(len(tables[name]) for name in wanted) or 1
        done = 0
        try:
            guarded = [place for place in places.values() if place is not None]
            with FileGuard(guarded, lambda: progress(0.0)) as guard:
                for name in wanted:
                    share = (done / rows, (done + len(tables[name])) / rows)
                    destination = self._write_one(
                        name, tables[name], parameters, context, part_of(progress, *share) if guard.holds else None
                    )
                    if files[name] is not None:
                        _check_count(destination, len(tables[name]), files[name])
                    written[name] = destination
                    done += len(tables[name])
                if guard.holds:
                    progress(1.0)
        except BaseException:
            context.setLayersToLoadOnCompletion(before)
            raise
        for name, destination in written.items():
            if context.willLoadLayerOnCompletion(destination):
                self.loaded(name, context.layerToLoadOnCompletionDetails(destination), others)
        return written

    def _write_one(
        self,
        name: str,
        table: FeatureTable,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        progress: Progress | None,
    ) -> str:
        sink, destination = self.parameterAsSink(parameters, name, context, table.fields, table.wkb_type, table.crs)
        if sink is None:
            raise InputError(
                tr("The output '{name}' cannot be written to {where}; choose another place.").format(
                    name=self.parameterDefinition(name).description(), where=destination_of(parameters[name], context)
                )
            )
        done = 0
        try:
            for block in table.blocks():
                if not sink.addFeatures(block, QgsFeatureSink.Flag.FastInsert):
                    described, why = self.parameterDefinition(name).description(), sink.lastError()
                    raise InputError(
                        tr("Writing the output '{name}' failed: {why}").format(
                            name=described, why=why or tr("no reason given")
                        )
                    )
                done += len(block)
                if progress is not None:
                    progress(done / len(table))
        finally:
            del sink
        return str(destination)


def _name_after_table(layer: QgsMapLayer, context: QgsProcessingContext) -> None:
    """Name a layer that was given as ``file|layername=table`` after the table: many share one file."""
    parts = QgsProviderRegistry.instance().decodeUri(layer.providerType(), layer.source())
    table, path = parts.get("layerName"), parts.get("path")
    loaded_here = context.temporaryLayerStore().mapLayer(layer.id()) is not None
    if table and path and loaded_here and layer.name() == Path(path).stem:
        layer.setName(table)


def _can_hold(definition: QgsProcessingParameterFeatureSink, place: Place) -> bool:
    table = definition.dataType() == QgsProcessing.SourceType.TypeVector
    return not table or place.file is None or place.file.suffix.lower() not in _GEOMETRY_ONLY


def destination_of(value: Any, context: QgsProcessingContext) -> str:
    """Where an output goes, as text: a file, ``memory:``, a database table."""
    if isinstance(value, QgsProcessingOutputLayerDefinition):
        value = value.sink
    if isinstance(value, QgsProperty):
        value = value.valueAsString(context.expressionContext())[0]
    return str(value)


def _check_count(destination: str, expected: int, file: Path | None) -> None:
    found = _found_rows(destination)
    if 0 <= found != expected:
        raise InputError(
            tr("Only {found} of {expected} rows reached {file}; is the disk full?").format(
                found=found, expected=expected, file=file
            )
        )


def _found_rows(destination: str) -> int:
    """Number of rows that stand in a file that was written, -1 when the file cannot tell."""
    layer = QgsVectorLayer(destination, "written", "ogr")
    return int(layer.featureCount()) if layer.isValid() else 0


def _fit_names(
    tables: Mapping[str, FeatureTable],
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    feedback: QgsProcessingFeedback,
) -> None:
    """Give the fields of shapefiles and GeoPackages names that fit, and say which."""
    for output, table in tables.items():
        file = destination_file(destination_of(parameters.get(output), context))
        ending = "" if file is None else file.suffix.lower()
        names = [field.name() for field in table.fields]
        if ending == ".shp":
            fitting = short_names(names, SHAPEFILE_NAME)
            said = tr("Field names in a shapefile have at most 10 characters; in {file}, {changed}.")
        elif ending == ".gpkg":
            fitting = short_names(names, _LONG_ENOUGH, [_GEOPACKAGE_GEOMETRY])
            said = tr("Fields that a GeoPackage cannot hold beside others were renamed; in {file}, {changed}.")
        else:
            continue
        if fitting != names:
            table.rename(fitting)
            changed = ", ".join(f"{name}: {other}" for name, other in zip(names, fitting) if name != other)
            feedback.pushWarning(said.format(file=file.name if file else "", changed=changed))
