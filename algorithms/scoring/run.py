"""A scoring run, step by step, and what it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from qgis.core import QgsCoordinateTransformContext, QgsProcessingContext, QgsProcessingFeedback

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.algorithms.checks import layer_problem
from randcrowns.algorithms.choices import IDTREES, PRESET_KEYS, ExtentChoice, lengths_of
from randcrowns.algorithms.scoring.idtrees import plot_of_targets, score_plots, unlike_images
from randcrowns.algorithms.scoring.tables import ScoredLayer
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, part_of
from randcrowns.core.remarks import note
from randcrowns.core.scoring.layer import score_candidates, tabulate_scores
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.layers.compat import chosen_fields
from randcrowns.layers.vector.extent import cut_to_extent, inside_extent
from randcrowns.layers.vector.read import CrownLayer, read_crowns
from randcrowns.layers.vector.report import Oddity
from randcrowns.layers.vector.snapshot import LayerSnapshot
from randcrowns.layers.words import tr

__all__ = ["ScoreJob", "ScoreRun", "plots_needed", "score_problem"]


@dataclass(frozen=True)
class ScoreJob:
    """Everything a run needs, taken on the main thread."""

    targets: LayerSnapshot
    delineations: list[LayerSnapshot]
    names: list[str]
    preset: str
    parameters: RandCrownsParameters
    pairing: str
    search_radius: float | None
    randcrowns_threshold: float
    group_field: str
    score_field: str
    score_threshold: float
    extent: ExtentChoice
    same_layer: bool
    outputs: frozenset[str]
    transform_context: QgsCoordinateTransformContext
    unread: str = ""


class ScoreRun:
    """The steps of a run that share what was read."""

    def __init__(
        self,
        job: ScoreJob,
        feedback: QgsProcessingFeedback,
        everything: CrownLayer,
        plots: CrownLayer | None,
        extent: Any,
    ) -> None:
        self.job = job
        self.feedback = feedback
        self.targets = everything
        self.extent = extent
        self.sentences: list[str] = []
        self._bounds = np.empty((0, 4))
        if plots is not None:
            self._bounds = shapely.bounds(plots.crowns.geometry)
        elif extent is not None:
            self._bounds = np.atleast_2d(shapely.bounds(extent))
        if plots is not None:
            self.tell(plots)

    def tell(self, layer: CrownLayer, first: list[str] | None = None) -> None:
        """Say what was odd about a layer."""
        told = [*(first or []), *layer.report.sentences()]
        if len(layer.crowns) == 0:
            told.append(tr("Layer '{name}' has no crowns that can be used.").format(name=layer.crowns.name))
        for sentence in told:
            self.feedback.pushWarning(sentence)
        self.sentences += told

    def leave_targets_outside(self) -> None:
        """Keep the targets within the extent, or for IDTReeS within a plot."""
        if self.job.preset != IDTREES:
            self.targets = inside_extent(self.targets, self.extent)
            return
        if len(self._bounds) == 0:
            raise InputError(plots_needed())
        crowns = self.targets.crowns
        self._plot_of = plot_of_targets(crowns, self._bounds)
        kept = self._plot_of >= 0
        self.targets.report.add(Oddity.OUTSIDE, crowns.ids[~kept])
        self.targets = CrownLayer(
            crowns.subset(kept),
            self.targets.rows[kept],
            self.targets.features,
            self.targets.working,
            self.targets.report,
        )
        self._plot_of = self._plot_of[kept]
        odd = unlike_images(self._bounds)
        if len(odd):
            self.targets.report.notes.append(
                note(
                    "idtrees.plots",
                    "{count} of {all} plots are not 20 x 20 m, as the images of IDTReeS 2020 are.",
                    count=len(odd),
                    all=len(self._bounds),
                )
            )

    def score(self, snapshot: LayerSnapshot, name: str, prefix: str, progress: Progress) -> ScoredLayer:
        """Score one delineation layer."""
        job = self.job
        layer = read_crowns(
            snapshot,
            self.targets.working,
            name=name,
            group_field=job.group_field,
            score_field=job.score_field,
            score_threshold=job.score_threshold,
            progress=part_of(progress, 0.0, 0.2),
        )
        if job.preset == IDTREES:
            self.tell(layer)
            scores, pairs = score_plots(
                self.targets.crowns,
                layer.crowns,
                self._bounds,
                self._plot_of,
                randcrowns_threshold=job.randcrowns_threshold,
                progress=part_of(progress, 0.2, 1.0),
            )
            return ScoredLayer(prefix, layer, snapshot.crs, scores, pairs)
        layer, cut = cut_to_extent(layer, self.extent)
        self.tell(layer)
        pairing = Pairing.named(job.pairing)
        scored = score_candidates(
            self.targets.crowns,
            layer.crowns,
            job.parameters,
            pairing,
            self.extent,
            cut=cut,
            search_radius=job.search_radius,
            progress=part_of(progress, 0.2, 0.94),
        )
        scores = tabulate_scores(
            scored, self.targets.crowns, layer.crowns, pairing, randcrowns_threshold=job.randcrowns_threshold
        )
        progress(1.0)
        return ScoredLayer(prefix, layer, snapshot.crs, scores, scored.pairs)


def plots_needed() -> str:
    """What the IDTReeS preset misses, in a sentence."""
    return tr(
        "The IDTReeS 2020 preset needs the bounds of each plot's image (20 x 20 m): choose the image as 'Image "
        "extent', or a layer with one polygon per plot as 'Extent layer'."
    )


def score_problem(algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
    """The first thing that is wrong with the parameters of a scoring run; empty when nothing is."""
    target, _ = algorithm.layer_of(parameters, "TARGETS", context)
    delineations = algorithm.parameterAsLayerList(parameters, "DELINEATIONS", context)
    if not delineations:
        return tr("Choose at least one layer of delineations.")
    layers = [target, *delineations]
    return (
        next(filter(None, map(layer_problem, layers)), "")
        or _field_problem(algorithm, parameters, context, layers)
        or _plot_problem(algorithm, parameters, context)
    )


def _field_problem(
    algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext, layers: list[Any]
) -> str:
    target, *delineations = layers
    groups = chosen_fields(algorithm, parameters, "GROUP_FIELD", context)
    if groups and target is not None and target.fields().lookupField(groups[0]) < 0:
        return tr("Layer '{name}' has no field '{field}' to group by.").format(name=target.name(), field=groups[0])
    score = algorithm.parameterAsString(parameters, "SCORE_FIELD", context).strip()
    if not score:
        return ""
    if not any(layer.fields().lookupField(score) >= 0 for layer in delineations):
        return tr("None of the delineation layers has a field '{field}' with scores.").format(field=score)
    return ""


def _plot_problem(algorithm: CrownAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
    preset, _ = lengths_of(algorithm, parameters, context, PRESET_KEYS)
    extents = (parameters.get("EXTENT"), parameters.get("EXTENT_LAYER"))
    if preset == IDTREES and all(extent in (None, "") for extent in extents):
        return plots_needed()
    return ""
