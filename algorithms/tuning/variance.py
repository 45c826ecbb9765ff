"""randcrowns:annotatorvariance: how much a score depends on who drew the target."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from randcrowns.algorithms.algorithm_catalogue import ANNOTATOR_VARIANCE
from randcrowns.algorithms.common_parameters import read_lengths
from randcrowns.algorithms.crown_algorithm import RunResults
from randcrowns.algorithms.destinations import FileContent
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.parameter_types import RunParameters
from randcrowns.algorithms.tuning import experiment
from randcrowns.algorithms.tuning.experiment import (
    ExperimentAlgorithm,
    ExperimentInputs,
    ExperimentSettings,
)
from randcrowns.algorithms.tuning.schema.outputs import (
    GALLERY_FILE,
    SCATTER_FILE,
    VARIANCE_OUTPUTS,
    VARIANCE_VALUES,
)
from randcrowns.algorithms.tuning.schema.parameters import (
    EXAMPLES,
    IMAGE,
    MIN_IOU,
    PRESET,
    VARIANCE_PARAMETERS,
    WARPS,
    describe_set,
)
from randcrowns.algorithms.tuning.schema.report_content import VARIANCE_CONTENT
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import clip_geometries
from randcrowns.core.messages import Message, warning
from randcrowns.core.progress import Progress, subprogress
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.tuning.conclusion import variance_conclusion
from randcrowns.core.tuning.variance import (
    AnnotatorVariance,
    annotator_variance,
    numbered_pairs,
)
from randcrowns.layers.localization import message_texts, tr
from randcrowns.layers.raster.grid import RasterSnapshot


class MeasureVariance(ExperimentAlgorithm):
    """Algorithm that measures the variance of scores between annotators."""

    entry = ANNOTATOR_VARIANCE
    help = (
        tr(
            "How much does a score depend on who drew the target? Each annotator in turn is the "
            "target, and the other annotators are scored against it (Stewart et al. 2021, Section "
            "IV-A). With targets drawn in the field, every annotator is scored against these "
            "(Section IV-B)."
        ),
        tr(
            "<b>Variance.</b> The variance of a target's scores over its delineations, averaged "
            "over the targets (Eq. 15), for RandCrowns, IoU and IoUCrowns, with a 95 % interval. "
            "The interval is over plots if there are several, otherwise over crowns. A variance "
            "requires two delineations per target."
        ),
        *(MIN_IOU, WARPS, EXAMPLES),
    )
    minimum_annotators = 2
    progress_shares = (0.25, 0.8)
    declared_parameters = VARIANCE_PARAMETERS
    outputs = VARIANCE_OUTPUTS
    value_outputs = VARIANCE_VALUES
    report_content = VARIANCE_CONTENT

    def validate(self, run_parameters: RunParameters) -> None:
        """Raise InputError if annotators or image cannot be used."""
        super().validate(run_parameters)
        image = run_parameters[IMAGE]
        if image is not None:
            RasterSnapshot.from_layer(image)
        elif IMAGE in run_parameters:
            raise InputError(
                "gallery.image_not_found", "The image behind the gallery cannot be found or opened."
            )

    def read_settings(self, run_parameters: RunParameters) -> ExperimentSettings:
        """Return the settings of a run, with a snapshot of the image if a gallery is requested."""
        image = run_parameters[IMAGE] if self.picture_format(GALLERY_FILE) else None
        snapshot = None if image is None else RasterSnapshot.from_layer(image)
        _, lengths = read_lengths(run_parameters, PRESET)
        return replace(super().read_settings(run_parameters), lengths=lengths, image=snapshot)

    def compute(
        self, settings: ExperimentSettings, inputs: ExperimentInputs, progress: Progress
    ) -> AnnotatorVariance:
        """Score all pairs of drawings of the shared crowns and compute the variances.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            progress: called with the fraction done.
        """
        return annotator_variance(
            inputs.annotators,
            settings.lengths,
            inputs.site.study_area,
            targets=inputs.targets,
            min_iou=settings[MIN_IOU],
            progress=progress,
        )

    def build_results(
        self,
        settings: ExperimentSettings,
        inputs: ExperimentInputs,
        findings: AnnotatorVariance,
        progress: Progress,
    ) -> RunResults:
        """Return tables and layers, the requested pictures, the variances and the conclusion.

        Args:
            settings: settings of the run.
            inputs: targets and delineations, with messages about their origin.
            findings: result of :meth:`compute`.
            progress: called with the fraction of the pictures done.
        """
        conclusion = list(inputs.origin_messages)
        conclusion += variance_conclusion(findings)
        tables = experiment.variance_tables(findings, inputs, settings[EXAMPLES])
        files: dict[Output, FileContent] = {}
        messages: list[Message] = []
        scatter_format = self.picture_format(SCATTER_FILE)
        if scatter_format:
            files[SCATTER_FILE] = self._draw_scatter_plot(
                findings, scatter_format, subprogress(progress, 0.0, 0.3)
            )
        gallery_format = self.picture_format(GALLERY_FILE)
        if gallery_format:
            files[GALLERY_FILE], messages = self._draw_gallery(
                settings, findings, inputs, gallery_format, subprogress(progress, 0.3, 1.0)
            )
        values: dict[str, object] = {}
        for score in SCORES:
            variance = findings.overall[f"{score}_variance"]
            values[f"VARIANCE_{score.upper()}"] = float(variance)
        values["CONCLUSION"] = " ".join(message_texts(conclusion))
        return RunResults(
            tables=tables,
            values=values,
            files=files,
            messages=[*messages, *conclusion],
            headline=conclusion,
        )

    def _draw_scatter_plot(
        self, result: AnnotatorVariance, file_format: str, progress: Progress
    ) -> FileContent:
        """Return the picture with RandCrowns over IoU of every pair.

        Args:
            result: scores of all pairs.
            file_format: ``png`` or ``svg``.
            progress: called with the fraction done.
        """
        from randcrowns.layers.styles.figures import render_scatter

        pairs = numbered_pairs(result)
        return render_scatter(pairs, file_format, progress, self.provenance.one_line_text)

    def _draw_gallery(
        self,
        settings: ExperimentSettings,
        result: AnnotatorVariance,
        inputs: ExperimentInputs,
        file_format: str,
        progress: Progress,
    ) -> tuple[FileContent, list[Message]]:
        """Return the picture of the gallery, and a warning if the image covers none of it.

        Args:
            settings: settings of the run, with the image behind the outlines.
            result: scores of all pairs.
            inputs: study site of the crowns.
            file_format: ``png`` or ``svg``.
            progress: called with the fraction done.
        """
        from randcrowns.layers.styles.figures import image_covers_any, render_gallery

        crs = inputs.site.working_crs
        pairs = experiment.gallery_pairs(result, settings[EXAMPLES])
        # Pairs and targets are numbered from 1.
        pair_rows = pairs["pair"].to_numpy(dtype=np.int64) - 1
        target_rows = pairs["target"].to_numpy(dtype=np.int64) - 1
        targets = result.experiment.targets[target_rows]
        # Pairs are in the order of the transposed index of delineations.
        delineation_of_pair = result.experiment.delineation_index.T.ravel()
        delineations = result.experiment.geometry.ravel()[delineation_of_pair[pair_rows]]
        lengths = settings.lengths
        image = settings.image
        picture = render_gallery(
            pairs,
            targets,
            clip_geometries(inputs.site.study_area, delineations),
            working=crs,
            image=image,
            kind=file_format,
            progress=progress,
            title=describe_set(lengths.alpha, lengths.omega, lengths.gamma),
            provenance=self.provenance.one_line_text,
        )
        if image is None or not len(targets) or image_covers_any(image, targets, crs):
            return picture, []
        text = "Image '{name}' covers none of the crowns of the gallery; they are drawn on white."
        return picture, [warning("gallery.image_elsewhere", text, name=image.name)]
