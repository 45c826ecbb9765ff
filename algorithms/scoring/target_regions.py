"""Algorithm ``randcrowns:targetregions``: draw the regions of target crowns."""

from __future__ import annotations

from randcrowns.algorithms.algorithm_catalogue import TARGET_REGIONS
from randcrowns.algorithms.common_parameters import (
    IMAGE_EXTENT,
    LENGTHS,
    TARGETS,
    check_layers,
    read_lengths,
    unused_length_messages,
)
from randcrowns.algorithms.crown_algorithm import CrownAlgorithm, RunResults
from randcrowns.algorithms.parameter_types import RunParameters
from randcrowns.algorithms.scoring.schema.outputs import REGION_OUTPUTS, REGIONS
from randcrowns.algorithms.scoring.schema.parameters import (
    REGION_PARAMETERS,
    REGION_PRESET,
    LengthsSettings,
)
from randcrowns.algorithms.scoring.tables import regions_table
from randcrowns.core.progress import Progress
from randcrowns.core.scoring.score import TargetRegions as Regions
from randcrowns.core.scoring.score import target_regions
from randcrowns.layers.localization import tr
from randcrowns.layers.vector.read import ExtentTreatment, LayerRequest
from randcrowns.layers.vector.study_site import StudySite, read_study_site


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
    title_layers = (TARGETS,)
    declared_parameters = REGION_PARAMETERS
    outputs = REGION_OUTPUTS

    def validate(self, run_parameters: RunParameters) -> None:
        """Raise an InputError if the target layer cannot be used."""
        check_layers(run_parameters.layer(TARGETS))

    def read_settings(self, run_parameters: RunParameters) -> LengthsSettings:
        """Return the settings with alpha, omega and gamma."""
        preset, lengths = read_lengths(run_parameters, REGION_PRESET)
        messages = unused_length_messages(run_parameters, REGION_PRESET)
        return LengthsSettings.from_parameters(
            run_parameters, messages, preset=preset, lengths=lengths
        )

    def read_layers(self, settings: LengthsSettings, progress: Progress) -> StudySite:
        """Return the targets inside the extent.

        Args:
            settings: settings of the run.
            progress: called with the fraction done.
        """
        targets = LayerRequest(settings[TARGETS], extent_treatment=ExtentTreatment.SELECT)
        return read_study_site(
            [targets], settings.transform_context, settings[IMAGE_EXTENT], progress=progress
        )

    def compute(self, settings: LengthsSettings, inputs: StudySite, progress: Progress) -> Regions:
        """Return the regions of the targets.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            progress: called with the fraction done.
        """
        targets = inputs.layers[0].crowns
        return target_regions(
            targets.geometry, settings.lengths, inputs.study_area, progress=progress
        )

    def build_results(
        self, settings: LengthsSettings, inputs: StudySite, findings: Regions, progress: Progress
    ) -> RunResults:
        """Return the regions as features.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            findings: result of :meth:`compute`.
            progress: called with the fraction done.
        """
        return RunResults(
            {REGIONS: regions_table(findings, inputs.layers[0], settings[TARGETS].crs)}
        )
