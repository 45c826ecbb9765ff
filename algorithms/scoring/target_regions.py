"""randcrowns:targetregions - the regions of target crowns as a layer."""

from __future__ import annotations

from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.catalogue import TARGET_REGIONS
from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.choices import (
    IMAGE_EXTENT,
    LENGTHS,
    TARGETS,
    check_layers,
    chosen_lengths,
    unused_lengths,
)
from randcrowns.algorithms.scoring.choices import REGION_CHOICES, REGION_PRESET, LengthsJob
from randcrowns.algorithms.scoring.outputs import REGION_OUTPUTS, REGIONS
from randcrowns.algorithms.scoring.tables import regions_table
from randcrowns.core.progress import Progress
from randcrowns.core.scoring.score import TargetRegions as Regions
from randcrowns.core.scoring.score import target_regions
from randcrowns.layers.vector.place import Place, read_place
from randcrowns.layers.vector.read import AtExtent, LayerRequest
from randcrowns.layers.words import tr


class TargetRegionsAlgorithm(CrownAlgorithm):
    entry = TARGET_REGIONS
    help = (
        tr(
            "For every target crown four polygons: <b>a</b>, surely crown; <b>o</b>, up to where the crown may reach; "
            "<b>e</b>, the outer edge; <b>b</b>, between o and e, surely not crown."
        ),
        *(REGION_PRESET, *LENGTHS, IMAGE_EXTENT),
    )
    parties, told_apart_by = (TARGETS,), (REGION_PRESET,)
    choices, outputs = REGION_CHOICES, REGION_OUTPUTS

    def check(self, given: Given) -> None:
        check_layers(given.layer(TARGETS))

    def take(self, given: Given) -> LengthsJob:
        key, lengths = chosen_lengths(given, REGION_PRESET)
        return LengthsJob.of(
            given, unused_lengths(given, REGION_PRESET), preset=key, lengths=lengths
        )

    def read(self, job: LengthsJob, progress: Progress) -> Place:
        targets = LayerRequest(job[TARGETS], at_extent=AtExtent.INSIDE)
        return read_place([targets], job.transform_context, job[IMAGE_EXTENT], progress=progress)

    def compute(self, job: LengthsJob, read: Place, progress: Progress) -> Regions:
        return target_regions(
            read.layers[0].crowns.geometry, job.lengths, read.area, progress=progress
        )

    def tables(self, job: LengthsJob, read: Place, found: Regions, progress: Progress) -> Made:
        return Made({REGIONS: regions_table(found, read.layers[0], job[TARGETS].crs)})
