"""randcrowns:scorecrowns - score delineation layers against a target layer."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from qgis.core import QgsMapLayer, QgsProcessingContext

from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.choices import PRESET_KEYS, SCORE_HELP, extent_of, lengths_of, paragraphs, unread_lengths
from randcrowns.algorithms.loading import load_with_style
from randcrowns.algorithms.scoring.choices import PAIRINGS, add_score_parameters
from randcrowns.algorithms.scoring.run import ScoreJob, read_scene, score_layers, score_problem
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
from randcrowns.core.remarks import note
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.scoring.score import TargetRegions as Regions
from randcrowns.core.scoring.score import target_regions
from randcrowns.layers.compat import chosen_fields
from randcrowns.layers.vector.names import field_prefixes, unique_names
from randcrowns.layers.vector.place import Place
from randcrowns.layers.vector.snapshot import LayerSnapshot
from randcrowns.layers.words import tr

__all__ = ["ScoreCrowns"]


@dataclass(frozen=True)
class Scored:
    """The scores of every delineation layer, and the targets' regions where they are wanted."""

    layers: list[ScoredLayer]
    regions: Regions | None


class ScoreCrowns(CrownAlgorithm):
    """Scores every target crown against one or more delineation layers."""

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
        said = "The target layer is among the delineations: scored against itself, it scores 1."
        itself = [note("scoring.same_layer", said)] * any(_same(layer, target_layer) for layer in layers)
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
            outputs=frozenset(
                output.name() for output in self.outputDefinitions() if parameters.get(output.name()) not in (None, "")
            ),
            transform_context=context.transformContext(),
            remarks=[*unread_lengths(self, parameters, context, PRESET_KEYS), *itself],
        )

    def read(self, job: ScoreJob, progress: Progress) -> Place:
        """Targets and delineations."""
        return read_scene(job, progress)

    def compute(self, job: ScoreJob, read: Place, progress: Progress) -> Scored:
        """Every delineation layer against the targets, and the targets' regions where they are wanted."""
        prefixes = field_prefixes(job.names, _kept_names(job.targets), tuple(ENDINGS))
        layers = score_layers(job, read, prefixes, part_of(progress, 0.0, 0.85))
        regions = None
        if "REGIONS" in job.outputs:
            crowns = read.layers[0].crowns.geometry
            regions = target_regions(crowns, job.parameters, read.area, progress=part_of(progress, 0.85, 1.0))
        return Scored(layers, regions)

    def tables(self, job: ScoreJob, read: Place, found: Scored, progress: Progress) -> Made:
        """Targets, delineations, pairs, regions and the summary."""
        targets, crs = read.layers[0], job.targets.crs
        tables = {
            "SCORED_TARGETS": targets_table(job.targets, targets, found.layers),
            "SCORED_DELINEATIONS": delineations_table(found.layers, crs, job.transform_context),
            "SUMMARY": score_summary_table(found.layers),
        }
        if "PAIRS" in job.outputs:
            tables["PAIRS"] = pairs_table(found.layers, targets, crs)
        if found.regions is not None:
            tables["REGIONS"] = regions_table(found.regions, targets, crs)
        return Made(tables, _other_outputs(found.layers))

    def loaded(self, output: str, details: QgsProcessingContext.LayerDetails, others: dict[str, Any]) -> None:
        """Styles, and one group per run."""
        prefixes = json.loads(others["PREFIXES"])
        load_with_style(details, output, prefixes[0]["prefix"] if prefixes else "", self.run_title)


def _other_outputs(results: list[ScoredLayer]) -> dict[str, Any]:
    overall: Any = results[0].scores.summary.iloc[0] if results else {}
    names = {"randcrowns": "MEAN_RANDCROWNS", "iou": "MEAN_IOU", "iou_crowns": "MEAN_IOU_CROWNS"}
    means = {names[score]: float(overall.get(f"{score}_mean", math.nan)) for score in SCORES}
    prefixes = [{"layer": result.layer.crowns.name, "prefix": result.prefix} for result in results]
    return {**means, "PREFIXES": json.dumps(prefixes)}


def _kept_names(snapshot: LayerSnapshot) -> list[str]:
    ours = {name.lower() for name in snapshot.our_fields}
    return [field.name() for field in snapshot.fields if field.name().lower() not in ours]


def _same(layer: QgsMapLayer, other: QgsMapLayer | None) -> bool:
    return other is not None and (layer.id() == other.id() or layer.source() == other.source())
