"""randcrowns:targetregions - the regions of target crowns as a layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qgis.core import (
    QgsCoordinateTransformContext,
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingParameterFeatureSink,
)

from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.checks import layer_problem
from randcrowns.algorithms.choices import (
    OWN,
    REGION_HELP,
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
from randcrowns.core.progress import Progress
from randcrowns.core.remarks import Remark
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import TargetRegions as Regions
from randcrowns.core.scoring.score import target_regions
from randcrowns.layers.vector.extent import ExtentChoice
from randcrowns.layers.vector.place import AtExtent, LayerRequest, Place, read_place
from randcrowns.layers.vector.snapshot import LayerSnapshot
from randcrowns.layers.words import tr

__all__ = ["TargetRegionsAlgorithm"]

_PRESETS = ("image_boxes", "field_polygons", OWN)


@dataclass(frozen=True)
class _Job:
    targets: LayerSnapshot
    parameters: RandCrownsParameters
    extent: ExtentChoice
    transform_context: QgsCoordinateTransformContext
    remarks: list[Remark]


class TargetRegionsAlgorithm(CrownAlgorithm):
    """Draws where a crown surely is, where it may reach, and where it surely is not."""

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

    def read(self, job: _Job, progress: Progress) -> Place:
        """The targets in the extent."""
        targets = LayerRequest(job.targets, at_extent=AtExtent.INSIDE)
        return read_place([targets], job.transform_context, job.extent, progress=progress)

    def compute(self, job: _Job, read: Place, progress: Progress) -> Regions:
        """Their regions."""
        return target_regions(read.layers[0].crowns.geometry, job.parameters, read.area, progress=progress)

    def tables(self, job: _Job, read: Place, found: Regions, progress: Progress) -> Made:
        """The regions."""
        return Made({"REGIONS": regions_table(found, read.layers[0], job.targets.crs)})

    def loaded(self, output: str, details: Any, others: dict[str, Any]) -> None:
        """The paper's colours."""
        load_with_style(details, output, "", self.run_title)
