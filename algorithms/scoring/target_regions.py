"""randcrowns:targetregions - the regions of target crowns as a layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qgis.core import (
    QgsCoordinateTransformContext,
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingParameterFeatureSink,
)

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.algorithms.checks import layer_problem
from randcrowns.algorithms.choices import (
    OWN,
    REGION_HELP,
    ExtentChoice,
    add,
    add_extent,
    add_lengths,
    add_targets,
    extent_of,
    lengths_of,
    paragraphs,
    unread_lengths,
)
from randcrowns.algorithms.loading import load_with_style
from randcrowns.algorithms.scoring.tables import regions_table
from randcrowns.core.progress import Progress, part_of
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import target_regions
from randcrowns.layers.vector.extent import inside_extent, plot_polygons, run_extent
from randcrowns.layers.vector.read import read_crowns
from randcrowns.layers.vector.snapshot import LayerSnapshot
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

__all__ = ["TargetRegionsAlgorithm"]

_PRESETS = ("image_boxes", "field_polygons", OWN)


@dataclass(frozen=True)
class _Job:
    targets: LayerSnapshot
    parameters: RandCrownsParameters
    extent: ExtentChoice
    transform_context: QgsCoordinateTransformContext
    unread: str


class TargetRegionsAlgorithm(CrownAlgorithm):
    """Draws where a crown surely is, where it may reach, and where it surely is not."""

    in_one = True

    def name(self) -> str:
        """Id within the provider."""
        return "targetregions"

    def displayName(self) -> str:  # noqa: N802 - QGIS's name
        """Name in the toolbox."""
        return tr("Regions of target crowns")

    def tags(self) -> list[str]:
        """Words it is found by."""
        return ["randcrowns", "buffer", "tree", "crown", "regions", "halo"]

    def shortDescription(self) -> str:  # noqa: N802 - QGIS's name
        """One line."""
        return tr("Makes the regions that RandCrowns judges a crown by.")

    def shortHelpString(self) -> str:  # noqa: N802 - QGIS's name
        """A paragraph per group of parameters."""
        return paragraphs(REGION_HELP)

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:  # noqa: N802 - QGIS's name
        """Declare parameters and outputs."""
        add_targets(self)
        add_lengths(self, _PRESETS)
        add_extent(self)
        add(
            self,
            QgsProcessingParameterFeatureSink("REGIONS", tr("Regions"), QgsProcessing.SourceType.TypeVectorPolygon),
            tr("Four features per target, with target id, region, tau (m) and area (m²)."),
        )
        self.add_remark_outputs()

    def first_problem(self, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
        """The first thing that is wrong, in a sentence; empty when nothing is."""
        return layer_problem(self.layer_of(parameters, "TARGETS", context)[0])

    def take(self, parameters: dict[str, Any], context: QgsProcessingContext) -> _Job:
        """Snapshots and plain values."""
        _, lengths = lengths_of(self, parameters, context, _PRESETS)
        targets = self.layer_snapshot(parameters, "TARGETS", context)
        unread = unread_lengths(self, parameters, context, _PRESETS)
        return _Job(targets, lengths, extent_of(self, parameters, context), context.transformContext(), unread)

    def tables(  # type: ignore
        self, taken: _Job, feedback: QgsProcessingFeedback, progress: Progress
    ) -> tuple[dict[str, FeatureTable], dict[str, Any]]:
        """Read, and draw the regions."""
        targets = read_crowns(taken.targets, taken.transform_context, progress=part_of(progress, 0.0, 0.2))
        plots = None if taken.extent.plots is None else plot_polygons(taken.extent.plots, targets.working)
        extent = run_extent(taken.extent.rectangle, taken.extent.crs, plots, targets.working, targets.crowns.geometry)
        targets = inside_extent(targets, extent)
        sentences = [*filter(None, [taken.unread]), *targets.report.sentences()]
        for sentence in sentences:
            feedback.pushWarning(sentence)
        regions = target_regions(
            targets.crowns.geometry, taken.parameters, extent, progress=part_of(progress, 0.2, 0.9)
        )
        table = regions_table(regions, targets, taken.targets.crs)
        progress(1.0)
        return {"REGIONS": table}, {"REPORT": "\n".join(sentences)}

    def loaded(self, output: str, details: Any, others: dict[str, Any]) -> None:
        """The paper's colours."""
        load_with_style(details, output, "", self.run_title)
