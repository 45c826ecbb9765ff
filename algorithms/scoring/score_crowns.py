"""randcrowns:scorecrowns - score delineation layers against a target layer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from qgis.core import QgsMapLayer, QgsProcessingContext

from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.choices import PRESET, TARGETS, chosen_lengths, paragraphs, unused_lengths
from randcrowns.algorithms.scoring.choices import DELINEATIONS, RANDCROWNS_THRESHOLD, SCORE_CHOICES, score_problem
from randcrowns.algorithms.scoring.outputs import (
    ENDINGS,
    PAIRS,
    REGIONS,
    SCORE_OUTPUTS,
    SCORE_VALUES,
    SCORED_DELINEATIONS,
    SCORED_TARGETS,
    SUMMARY,
    prefixes_text,
)
from randcrowns.algorithms.scoring.run import ScoreJob, read_scene, score_layers
from randcrowns.algorithms.scoring.tables import (
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
from randcrowns.layers.vector.names import field_prefixes, unique_names
from randcrowns.layers.vector.place import Place
from randcrowns.layers.vector.snapshot import LayerSnapshot
from randcrowns.layers.words import tr

_HELP = (
    (
        "Scores every target crown against the delineation that belongs to it: RandCrowns (Stewart et al. "
        "2021), IoU, and IoUCrowns. The three belong together: a high RandCrowns alone is no proof of a good "
        "crown."
    ),
    (
        "<b>Layers.</b> Polygons in any known coordinate system; lengths are metres on the ground. Degrees are "
        "worked on in the UTM zone, feet are converted, unlike systems meet in the target's. Crowns that are "
        "not valid are repaired, empty ones skipped; all of it is listed in the log by feature id."
    ),
    (
        "<b>Preset and lengths.</b> Alpha is how far inside the target the certain crown begins, omega how far "
        "outside the crown may still reach, gamma the area ratio of what is surely not crown to what surely is."
        " A target narrower than twice alpha cannot be scored: no value, status target_too_small. The preset "
        "IDTReeS 2020 gives the scores of that competition's toolbox; it needs the 20 x 20 m bounds of each "
        "plot, as the image extent (one plot) or as a layer with one polygon per plot. With a group field, all "
        "targets of a group belong to the plot that most of them lie in."
    ),
    (
        "<b>Pairing.</b> Nearest centroid is what the paper recommends for global scores. A target without a "
        "delineation scores 0 with status unmatched; one whose delineation misses what is surely crown scores 0"
        " with status missed."
    ),
    (
        "<b>Groups and detector scores.</b> A group field gives a summary per plot. A score field and threshold"
        " leave out a detector's unsure crowns."
    ),
    (
        "<b>Extent.</b> Nothing exists outside the image: regions and delineations are cut to it, targets "
        "outside it are left out and counted."
    ),
    (
        "<b>Outputs.</b> Scored targets keep their geometry, fields and coordinate system. Nothing is written "
        "when the run is cancelled or fails."
    ),
)


@dataclass(frozen=True)
class Scored:
    """The scores of every delineation layer, and the targets' regions where they are wanted."""

    layers: list[ScoredLayer]
    regions: Regions | None


class ScoreCrowns(CrownAlgorithm):
    """Scores every target crown against one or more delineation layers."""

    choices, outputs, values = SCORE_CHOICES, SCORE_OUTPUTS, SCORE_VALUES

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
        return paragraphs(_HELP)

    def first_problem(self, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
        """The first thing that is wrong, in a sentence; empty when nothing is."""
        return score_problem(Given(self, parameters, context))

    def take(self, parameters: dict[str, Any], context: QgsProcessingContext) -> ScoreJob:
        """Snapshots and plain values."""
        given = Given(self, parameters, context)
        preset, lengths = chosen_lengths(given, PRESET)
        layers, (target_layer, _) = given[DELINEATIONS], self.layer_of(parameters, TARGETS.ids[0], context)
        said = "The target layer is among the delineations: scored against itself, it scores 1."
        itself = [note("scoring.same_layer", said)] * any(_same(layer, target_layer) for layer in layers)
        return ScoreJob(
            targets=self.layer_snapshot(parameters, TARGETS.ids[0], context),
            delineations=[LayerSnapshot.of(layer) for layer in layers],
            names=unique_names([layer.name() for layer in layers]),
            preset=preset,
            parameters=lengths,
            chosen=given.chosen(choice for choice in SCORE_CHOICES if choice not in (TARGETS, DELINEATIONS)),
            wants_pairs=PAIRS in given,
            wants_regions=REGIONS in given,
            transform_context=context.transformContext(),
            remarks=[*unused_lengths(given, PRESET), *itself],
        )

    def read(self, job: ScoreJob, progress: Progress) -> Place:
        """Targets and delineations."""
        return read_scene(job, progress)

    def compute(self, job: ScoreJob, read: Place, progress: Progress) -> Scored:
        """Every delineation layer against the targets, and the targets' regions where they are wanted."""
        prefixes = field_prefixes(job.names, _kept_names(job.targets), ENDINGS)
        layers = score_layers(job, read, prefixes, part_of(progress, 0.0, 0.85))
        regions = None
        if job.wants_regions:
            crowns = read.layers[0].crowns.geometry
            regions = target_regions(crowns, job.parameters, read.area, progress=part_of(progress, 0.85, 1.0))
        return Scored(layers, regions)

    def tables(self, job: ScoreJob, read: Place, found: Scored, progress: Progress) -> Made:
        """Targets, delineations, pairs, regions and the summary."""
        targets, crs = read.layers[0], job.targets.crs
        tables = {
            SCORED_TARGETS.id: targets_table(job.targets, targets, found.layers),
            SCORED_DELINEATIONS.id: delineations_table(found.layers, crs, job.transform_context),
            SUMMARY.id: score_summary_table(found.layers, job.chosen[RANDCROWNS_THRESHOLD]),
        }
        if job.wants_pairs:
            tables[PAIRS.id] = pairs_table(found.layers, targets, crs)
        if found.regions is not None:
            tables[REGIONS.id] = regions_table(found.regions, targets, crs)
        return Made(tables, _other_outputs(found.layers))


def _other_outputs(results: list[ScoredLayer]) -> dict[str, Any]:
    overall: Any = results[0].scores.summary.iloc[0] if results else {}
    means = {f"MEAN_{score.upper()}": float(overall.get(f"{score}_mean", math.nan)) for score in SCORES}
    return {**means, **prefixes_text((result.layer.crowns.name, result.prefix) for result in results)}


def _kept_names(snapshot: LayerSnapshot) -> list[str]:
    ours = {name.lower() for name in snapshot.our_fields}
    return [field.name() for field in snapshot.fields if field.name().lower() not in ours]


def _same(layer: QgsMapLayer, other: QgsMapLayer | None) -> bool:
    return other is not None and (layer.id() == other.id() or layer.source() == other.source())
