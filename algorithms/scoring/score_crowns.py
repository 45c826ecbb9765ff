"""randcrowns:scorecrowns - score delineation layers against a target layer."""

from __future__ import annotations

import json
import math
from typing import Any

from qgis.core import (
    QgsMapLayer,
    QgsProcessingContext,
    QgsProcessingFeedback,
)

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.algorithms.choices import PRESET_KEYS, SCORE_HELP, extent_of, lengths_of, paragraphs, unread_lengths
from randcrowns.algorithms.loading import load_with_style
from randcrowns.algorithms.scoring.choices import PAIRINGS, add_score_parameters
from randcrowns.algorithms.scoring.run import ScoreJob, ScoreRun, score_problem
from randcrowns.algorithms.scoring.tables import (
    ENDINGS,
    ScoredLayer,
    delineations_table,
    pairs_table,
    regions_table,
    score_summary_table,
    targets_table,
)
from randcrowns.core.progress import Progress, part_of
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.scoring.score import target_regions
from randcrowns.layers.compat import chosen_fields
from randcrowns.layers.vector.extent import plot_polygons, run_extent
from randcrowns.layers.vector.names import field_prefixes, unique_names
from randcrowns.layers.vector.read import read_crowns
from randcrowns.layers.vector.snapshot import LayerSnapshot
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

__all__ = ["ScoreCrowns"]


class ScoreCrowns(CrownAlgorithm):
    """Scores every target crown against one or more delineation layers."""

    in_one = True

    def name(self) -> str:
        """Id within the provider."""
        return "scorecrowns"

    def displayName(self) -> str:  # noqa: N802 - QGIS's name
        """Name in the toolbox."""
        return tr("Score crowns")

    def tags(self) -> list[str]:
        """Words it is found by."""
        return ["randcrowns", "iou", "accuracy", "tree", "crown", "delineation", "segmentation", "forest", "idtrees"]

    def shortDescription(self) -> str:  # noqa: N802 - QGIS's name
        """One line."""
        return tr("Scores tree crown delineations against target crowns with RandCrowns, IoU and IoUCrowns.")

    def shortHelpString(self) -> str:  # noqa: N802 - QGIS's name
        """A paragraph per group of parameters."""
        return paragraphs(SCORE_HELP)

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:  # noqa: N802 - QGIS's name
        """Declare parameters and outputs."""
        add_score_parameters(self)

    def first_problem(self, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
        """The first thing that is wrong, in a sentence; empty when nothing is."""
        return score_problem(self, parameters, context)

    def take(self, parameters: dict[str, Any], context: QgsProcessingContext) -> ScoreJob:
        """Snapshots and plain values."""
        preset, lengths = lengths_of(self, parameters, context, PRESET_KEYS)
        layers = [layer for layer in self.parameterAsLayerList(parameters, "DELINEATIONS", context) if layer]
        target_layer, _ = self.layer_of(parameters, "TARGETS", context)
        radius = self.parameterAsDouble(parameters, "SEARCH_RADIUS", context)
        return ScoreJob(
            targets=self.layer_snapshot(parameters, "TARGETS", context),
            delineations=[LayerSnapshot.of(layer) for layer in layers],
            names=unique_names([layer.name() for layer in layers]),
            preset=preset,
            parameters=lengths,
            pairing=PAIRINGS[self.parameterAsEnum(parameters, "PAIRING", context)],
            search_radius=radius if radius > 0 else None,
            randcrowns_threshold=self.parameterAsDouble(parameters, "RANDCROWNS_THRESHOLD", context),
            group_field=next(iter(chosen_fields(self, parameters, "GROUP_FIELD", context)), ""),
            score_field=self.parameterAsString(parameters, "SCORE_FIELD", context).strip(),
            score_threshold=self.parameterAsDouble(parameters, "SCORE_THRESHOLD", context),
            extent=extent_of(self, parameters, context),
            same_layer=any(_same(layer, target_layer) for layer in layers),
            outputs=frozenset(
                output.name() for output in self.outputDefinitions() if parameters.get(output.name()) not in (None, "")
            ),
            transform_context=context.transformContext(),
            unread=unread_lengths(self, parameters, context, PRESET_KEYS),
        )

    def tables(  # type: ignore
        self, taken: ScoreJob, feedback: QgsProcessingFeedback, progress: Progress
    ) -> tuple[dict[str, FeatureTable], dict[str, Any]]:
        """Read, score every delineation layer, and tabulate."""
        job = taken
        everything = read_crowns(
            job.targets,
            job.transform_context,
            group_field=job.group_field,
            all_attributes=True,
            progress=part_of(progress, 0.0, 0.1),
        )
        plots = None if job.extent.plots is None else plot_polygons(job.extent.plots, everything.working)
        extent = run_extent(job.extent.rectangle, job.extent.crs, plots, everything.working, everything.crowns.geometry)
        sentences = [job.unread] if job.unread else []
        sentences += [_same_layer_sentence()] if job.same_layer else []
        run = ScoreRun(job, feedback, everything, plots, extent)
        run.leave_targets_outside()
        run.tell(everything, sentences)
        results: list[ScoredLayer] = []
        prefixes = field_prefixes(job.names, _kept_names(job.targets), tuple(ENDINGS))
        for number, (snapshot, name, prefix) in enumerate(zip(job.delineations, job.names, prefixes)):
            share = part_of(progress, 0.1 + 0.7 * number / len(prefixes), 0.1 + 0.7 * (number + 1) / len(prefixes))
            results.append(run.score(snapshot, name, prefix, share))
        tables = {
            "SCORED_TARGETS": targets_table(job.targets, everything, run.targets, results, job.targets.wkb_type),
            "SCORED_DELINEATIONS": delineations_table(results, job.targets.crs, job.transform_context),
            "SUMMARY": score_summary_table(results),
        }
        progress(0.85)
        if "PAIRS" in job.outputs:
            tables["PAIRS"] = pairs_table(results, run.targets, job.targets.crs)
        if "REGIONS" in job.outputs:
            regions = target_regions(
                run.targets.crowns.geometry, job.parameters, extent, progress=part_of(progress, 0.85, 0.94)
            )
            tables["REGIONS"] = regions_table(regions, run.targets, job.targets.crs)
        progress(1.0)
        return tables, _other_outputs(results, run.sentences)

    def loaded(self, output: str, details: QgsProcessingContext.LayerDetails, others: dict[str, Any]) -> None:
        """Styles, and one group per run."""
        prefixes = json.loads(others["PREFIXES"])
        load_with_style(details, output, prefixes[0]["prefix"] if prefixes else "", self.run_title)


def _other_outputs(results: list[ScoredLayer], sentences: list[str]) -> dict[str, Any]:
    overall: Any = results[0].scores.summary.iloc[0] if results else {}
    names = {"randcrowns": "MEAN_RANDCROWNS", "iou": "MEAN_IOU", "iou_crowns": "MEAN_IOU_CROWNS"}
    means = {names[score]: float(overall.get(f"{score}_mean", math.nan)) for score in SCORES}
    prefixes = [{"layer": result.layer.crowns.name, "prefix": result.prefix} for result in results]
    return {**means, "PREFIXES": json.dumps(prefixes), "REPORT": "\n".join(sentences)}


def _kept_names(snapshot: LayerSnapshot) -> list[str]:
    ours = {name.lower() for name in snapshot.our_fields}
    return [field.name() for field in snapshot.fields if field.name().lower() not in ours]


def _same(layer: QgsMapLayer, other: QgsMapLayer | None) -> bool:
    return other is not None and (layer.id() == other.id() or layer.source() == other.source())


def _same_layer_sentence() -> str:
    return tr("The target layer is among the delineations: scored against itself, it scores 1.")
