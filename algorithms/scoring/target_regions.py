"""Algorithm ``randcrowns:targetregions``: draw the regions of target crowns."""

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
from randcrowns.algorithms.scoring.choices import REGION_CHOICES, REGION_PRESET, LengthsSettings
from randcrowns.algorithms.scoring.outputs import REGION_OUTPUTS, REGIONS
from randcrowns.algorithms.scoring.tables import regions_table
from randcrowns.core.progress import Progress
from randcrowns.core.scoring.score import TargetRegions as Regions
from randcrowns.core.scoring.score import target_regions
from randcrowns.layers.vector.place import Place, read_place
from randcrowns.layers.vector.read import AtExtent, LayerRequest
from randcrowns.layers.words import tr


class TargetRegionsAlgorithm(CrownAlgorithm):
    """Algorithm that draws the regions of target crowns as polygons."""

    entry = TARGET_REGIONS
    help = (
        tr(
            "Draws four polygons for each target crown: <b>a</b>, surely crown; <b>o</b>, up to "
            "where the crown may reach; <b>e</b>, the outer edge; <b>b</b>, between o and e, "
            "surely not crown."
        ),
        REGION_PRESET,
        *LENGTHS,
        IMAGE_EXTENT,
    )
    parties = (TARGETS,)
    told_apart_by = (REGION_PRESET,)
    choices = REGION_CHOICES
    outputs = REGION_OUTPUTS

    def check(self, given: Given) -> None:
        """Raise an InputError if the target layer cannot be used."""
        check_layers(given.layer(TARGETS))

    def take(self, given: Given) -> LengthsSettings:
        """Return the settings with alpha, omega and gamma."""
        preset, lengths = chosen_lengths(given, REGION_PRESET)
        messages = unused_lengths(given, REGION_PRESET)
        return LengthsSettings.of(given, messages, preset=preset, lengths=lengths)

    def read(self, job: LengthsSettings, progress: Progress) -> Place:
        """Return the targets inside the extent."""
        targets = LayerRequest(job[TARGETS], at_extent=AtExtent.INSIDE)
        return read_place([targets], job.transform_context, job[IMAGE_EXTENT], progress=progress)

    def compute(self, job: LengthsSettings, read: Place, progress: Progress) -> Regions:
        """Return the regions of the targets."""
        targets = read.layers[0].crowns
        return target_regions(targets.geometry, job.lengths, read.area, progress=progress)

    def tables(self, job: LengthsSettings, read: Place, found: Regions, progress: Progress) -> Made:
        """Return the regions as features."""
        return Made({REGIONS: regions_table(found, read.layers[0], job[TARGETS].crs)})
