"""What the algorithms share: snapshots before the work, progress and cancel during it, outputs whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsFeatureSink,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingFeedback,
    QgsProcessingOutputLayerDefinition,
    QgsProperty,
    QgsProviderRegistry,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QCoreApplication

from randcrowns.core.errors import Cancelled, InputError, RandCrownsError
from randcrowns.core.progress import Progress, part_of
from randcrowns.layers.names import SHAPEFILE_NAME, short_names
from randcrowns.layers.protect import FileGuard, destination_file
from randcrowns.layers.snapshot import LayerSnapshot
from randcrowns.layers.tables import FeatureTable
from randcrowns.layers.tree import run_title

__all__ = ["CrownAlgorithm", "destination_of", "feedback_progress", "source_file", "tr"]


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
        try:
            self._taken = self.take(parameters, context)
            self.run_title = self.title(self._taken)
        except RandCrownsError as error:
            raise QgsProcessingException(str(error)) from error
        return True

    def processAlgorithm(  # noqa: N802 - QGIS's name
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        """Compute, then write; nothing is written by a run that is cancelled or fails."""
        progress = feedback_progress(feedback)
        try:
            tables, others = self.tables(self._taken, feedback, part_of(progress, 0.0, 0.85))
            _shorten_names(tables, parameters, context, feedback)
            written = self._write(tables, others, parameters, context, part_of(progress, 0.85, 1.0))
        except Cancelled:
            feedback.pushInfo(tr("Cancelled; nothing was written."))
            return {}
        except RandCrownsError as error:
            raise QgsProcessingException(str(error)) from error
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

    def _write(
        self,
        tables: Mapping[str, FeatureTable],
        others: dict[str, Any],
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        progress: Progress,
    ) -> dict[str, Any]:
        wanted = [name for name in tables if parameters.get(name) not in (None, "")]
        files = {name: destination_file(destination_of(parameters[name], context)) for name in wanted}
        before = dict(context.layersToLoadOnCompletion())
        written: dict[str, Any] = {}
        rows = sum(len(tables[name]) for name in wanted) or 1
        done = 0
        try:
            with FileGuard(path for path in files.values() if path is not None) as guard:
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


def _shorten_names(
    tables: Mapping[str, FeatureTable],
    parameters: dict[str, Any],
    context: QgsProcessingContext,
    feedback: QgsProcessingFeedback,
) -> None:
    """Give the fields of shapefiles names that fit, and say which."""
    for output, table in tables.items():
        file = destination_file(destination_of(parameters.get(output), context))
        if file is None or file.suffix.lower() != ".shp":
            continue
        names = [field.name() for field in table.fields]
        short = short_names(names, SHAPEFILE_NAME)
        if short != names:
            table.rename(short)
            changed = ", ".join(f"{name}: {other}" for name, other in zip(names, short) if name != other)
            feedback.pushWarning(
                tr("Field names in a shapefile have at most 10 characters; in {file}, {changed}.").format(
                    file=file.name, changed=changed
                )
            )


def source_file(layer: QgsVectorLayer) -> Path | None:
    """The file a layer is read from, if it is read from a file."""
    path = QgsProviderRegistry.instance().decodeUri(layer.providerType(), layer.source()).get("path")
    return Path(path) if path else None
