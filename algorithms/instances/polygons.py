"""randcrowns:evaluateinstances - were the crowns found, and how well were they cut out? Two polygon layers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import shapely
from qgis.core import QgsCoordinateTransformContext, QgsProcessingContext, QgsProcessingFeedback, QgsWkbTypes

from randcrowns.algorithms.base import CrownAlgorithm, layer_problem
from randcrowns.algorithms.choices import paragraphs
from randcrowns.algorithms.instances.choices import add_polygon_parameters, method_of
from randcrowns.algorithms.instances.tables import (
    Drawn,
    InstanceMatches,
    frame_table,
    prediction_columns,
    result_numbers,
    side_table,
    target_columns,
)
from randcrowns.algorithms.loading import load_with_style
from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.crowns import list_some
from randcrowns.core.errors import InputError
from randcrowns.core.instances.matching import Method, match
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.instances.summary import plots_apart, plots_of_predictions, summarise_instances
from randcrowns.core.progress import Progress, part_of
from randcrowns.core.status import ALL
from randcrowns.layers.compat import chosen_fields, is_null
from randcrowns.layers.vector.names import unique_names
from randcrowns.layers.vector.read import CrownLayer, read_crowns
from randcrowns.layers.vector.snapshot import LayerSnapshot
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

__all__ = ["EvaluateInstances"]

_HELP = (
    (
        "Matches predicted crowns with target crowns and says how many were found (precision, recall, F1, panoptic "
        "quality) and how well they were cut out (IoU, precision and recall of each crown)."
    ),
    (
        "<b>Matching.</b> Six methods of the literature, one for what was found and one for how well it was cut out. "
        "panoptic_segmentation, for_ai_net and for_ai_net_coverage give each target its best prediction; point2tree "
        "and for_instance let the tallest target choose first; tree_learn takes the one-to-one assignment of largest "
        "total IoU. Sizes are areas."
    ),
    ("<b>Height.</b> For point2tree and for_instance a field with the targets' heights, or else their areas."),
    (
        "<b>Group field.</b> With it the summary has a row per plot, and intervals come from drawing plots with "
        "replacement; without it crowns are drawn. Where the predictions have the field too, crowns meet only within "
        "their plot: its names must be spelled alike in both layers."
    ),
)


@dataclass(frozen=True)
class InstanceJob:
    """Everything a run needs, taken on the main thread."""

    targets: LayerSnapshot
    predictions: LayerSnapshot
    detection: Method
    segmentation: Method
    height_field: str
    group_field: str
    same_layer: bool
    transform_context: QgsCoordinateTransformContext


class EvaluateInstances(CrownAlgorithm):
    """Evaluates predicted crowns against target crowns."""

    def name(self) -> str:
        """Id within the provider."""
        return "evaluateinstances"

    def displayName(self) -> str:  # noqa: N802 - QGIS's name
        """Name in the toolbox."""
        return tr("Evaluate crown instances")

    def tags(self) -> list[str]:
        """Words it is found by."""
        return ["randcrowns", "instance", "segmentation", "detection", "panoptic", "precision", "recall", "f1", "tree"]

    def shortDescription(self) -> str:  # noqa: N802 - QGIS's name
        """One line."""
        return tr("Matches predicted crowns with target crowns: precision, recall, F1, panoptic quality, IoU.")

    def shortHelpString(self) -> str:  # noqa: N802 - QGIS's name
        """A paragraph per group of parameters."""
        return paragraphs(_HELP)

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:  # noqa: N802 - QGIS's name
        """Declare parameters and outputs."""
        add_polygon_parameters(self)

    def first_problem(self, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
        """The first thing that is wrong, in a sentence; empty when nothing is."""
        layers = [self.layer_of(parameters, name, context)[0] for name in ("TARGETS", "PREDICTIONS")]
        wrong = next(filter(None, map(layer_problem, layers)), "")
        return wrong or self._field_problem(parameters, context, layers[0])

    def take(self, parameters: dict[str, Any], context: QgsProcessingContext) -> InstanceJob:
        """Snapshots and plain values."""
        return InstanceJob(
            self.layer_snapshot(parameters, "TARGETS", context),
            self.layer_snapshot(parameters, "PREDICTIONS", context),
            method_of(self, parameters, "DETECTION_METHOD", context),
            method_of(self, parameters, "SEGMENTATION_METHOD", context),
            next(iter(chosen_fields(self, parameters, "HEIGHT_FIELD", context)), ""),
            next(iter(chosen_fields(self, parameters, "GROUP_FIELD", context)), ""),
            self._same(parameters, context),
            context.transformContext(),
        )

    def tables(
        self, taken: InstanceJob, feedback: QgsProcessingFeedback, progress: Progress
    ) -> tuple[dict[str, FeatureTable], dict[str, Any]]:
        """Read, overlay, match, tabulate."""
        job = taken
        targets = read_crowns(
            job.targets,
            job.transform_context,
            group_field=job.group_field,
            all_attributes=True,
            progress=part_of(progress, 0.0, 0.15),
        )
        predictions = read_crowns(
            job.predictions,
            targets.working,
            group_field=job.group_field,
            all_attributes=True,
            progress=part_of(progress, 0.15, 0.3),
        )
        sentences = targets.report.sentences() + predictions.report.sentences()
        apart, none_shared = plots_apart(targets.crowns, predictions.crowns)
        overlap = polygon_overlap(targets.crowns, predictions.crowns, part_of(progress, 0.3, 0.7))
        warning = apart if none_shared else _no_comparison(job, overlap, (targets, predictions))
        sentences += [sentence for sentence in dict.fromkeys((apart, warning)) if sentence]
        heights, decided_by = _heights(job, targets)
        if job.detection.by_height or job.segmentation.by_height:
            sentences.append(
                tr("The tallest target chooses first; taken as its height: {what}.").format(what=decided_by)
            )
        found = match(overlap, job.detection, heights, part_of(progress, 0.7, 0.72))
        cut = match(overlap, job.segmentation, heights, part_of(progress, 0.72, 0.74))
        matches = InstanceMatches(overlap, found, cut, targets.crowns.ids, predictions.crowns.ids)
        groups = targets.crowns.groups, predictions.crowns.groups
        if groups[0] is not None and groups[1] is None:
            groups = groups[0], plots_of_predictions(targets.crowns, predictions.crowns, overlap)
        plots = [None if some is None else some.tolist() for some in groups]
        summary = summarise_instances(
            overlap,
            found,
            cut,
            target_groups=plots[0],
            prediction_groups=plots[1],
            progress=part_of(progress, 0.74, 0.94),
        )
        summary = summary[summary["group"].notna()].copy()
        sentences += _call_plots_apart_from_all(summary)
        for sentence in sentences:
            feedback.pushWarning(sentence)
        return (
            {
                "MATCHED_TARGETS": _side(
                    job.targets, targets, target_columns(matches), heights if job.height_field else None, groups[0]
                ),
                "MATCHED_PREDICTIONS": _side(
                    job.predictions, predictions, prediction_columns(matches), None, groups[1]
                ),
                "SUMMARY": frame_table(summary, ("group", "resampled")),
            },
            {
                **result_numbers(summary),
                "HEIGHTS": decided_by,
                "WARNING": warning,
                "REPORT": "\n".join(sentences),
            },
        )

    def loaded(self, output: str, details: QgsProcessingContext.LayerDetails, others: dict[str, Any]) -> None:
        """Styles, and one group per run."""
        load_with_style(details, output, "", self.run_title)

    def _same(self, parameters: dict[str, Any], context: QgsProcessingContext) -> bool:
        """Whether both sides are the same features of one layer."""
        sides = []
        for name in ("TARGETS", "PREDICTIONS"):
            layer, selected_only = self.layer_of(parameters, name, context)
            value = parameters.get(name)
            chosen = selected_only, getattr(value, "filterExpression", ""), getattr(value, "featureLimit", -1)
            sides.append((None if layer is None else (layer.source(), layer.id()), chosen))
        return sides[0] == sides[1]

    def _field_problem(self, parameters: dict[str, Any], context: QgsProcessingContext, targets: Any) -> str:
        for name in ("HEIGHT_FIELD", "GROUP_FIELD"):
            for field in chosen_fields(self, parameters, name, context):
                place = -1 if targets is None else targets.fields().lookupField(field)
                if place < 0:
                    return tr("The target layer has no field '{field}'.").format(field=field)
                if name == "HEIGHT_FIELD" and not targets.fields().at(place).isNumeric():
                    return tr("Field '{field}' holds no numbers, so it cannot be the height.").format(field=field)
        return ""


def _no_comparison(job: InstanceJob, overlap: OverlapTable, sides: tuple[CrownLayer, CrownLayer]) -> str:
    """What makes the results useless, empty when nothing does."""
    if job.same_layer:
        return tr("Targets and predictions are the same layer, which says nothing of how good the predictions are.")
    none = tr("Layer '{name}' has no crowns that can be used.")
    empty = [none.format(name=side.crowns.name) for side in sides if len(side.crowns) == 0]
    if empty or len(overlap.shared):
        return " ".join(empty)
    return tr("No target and prediction overlap; do both layers have the right coordinate system?")


def _call_plots_apart_from_all(summary: pd.DataFrame) -> list[str]:
    """Rename the row of a plot that is called as the first row is, which is of all plots; a sentence that says so."""
    plots = [str(plot) for plot in summary["group"]]
    called = [plots[0], *unique_names(plots[1:], [ALL])]
    summary["group"] = np.array(called, dtype=object)
    said = tr("Plot '{plot}' is called '{name}' in the summary, where '{plot}' is the row of all plots.")
    return [said.format(plot=plot, name=name) for plot, name in zip(plots, called) if plot != name]


def _heights(job: InstanceJob, targets: CrownLayer) -> tuple[Floats, str]:
    """(T,) what the tallest target is decided by, and what that is."""
    if not job.height_field:
        return np.asarray(shapely.area(targets.crowns.geometry), dtype=np.float64), tr("area (m²)")
    place = job.targets.fields.lookupField(job.height_field)
    values = [targets.features[row].attribute(place) for row in targets.rows]
    heights = np.array([np.nan if is_null(value) else float(value) for value in values], dtype=np.float64)
    missing = np.isnan(heights)
    if missing.any() and (job.detection.by_height or job.segmentation.by_height):
        raise InputError(
            tr(
                "Field '{field}' has no height for the targets {ids}; fill it in, or leave the height field empty."
            ).format(field=job.height_field, ids=list_some(targets.crowns.ids[missing].tolist()))
        )
    return heights, tr("field {field}").format(field=job.height_field)


def _side(
    snapshot: LayerSnapshot,
    layer: CrownLayer,
    columns: pd.DataFrame,
    heights: Floats | None,
    groups: Objects | None,
) -> FeatureTable:
    columns["area"] = shapely.area(layer.crowns.geometry)
    if heights is not None:
        columns["height"] = heights
    if groups is not None:
        columns["group"] = groups
    wkb_type = snapshot.wkb_type if snapshot.wkb_type != QgsWkbTypes.Type.Unknown else QgsWkbTypes.Type.MultiPolygon
    geometry = [feature.geometry() for feature in layer.features]
    drawn = Drawn(snapshot.crs, wkb_type, geometry, snapshot.fields, layer.features)
    return side_table(drawn, columns, layer.rows)
