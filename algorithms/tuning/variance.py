"""randcrowns:annotatorvariance: how much a score depends on who drew the target."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from randcrowns.algorithms.base import Made
from randcrowns.algorithms.catalogue import ANNOTATOR_VARIANCE
from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.choices import chosen_lengths
from randcrowns.algorithms.output import Output
from randcrowns.algorithms.outputs import MadeFile
from randcrowns.algorithms.tuning import experiment
from randcrowns.algorithms.tuning.choices import (
    IMAGE,
    LOOKS,
    MIN_IOU,
    SETS,
    VARIANCE_CHOICES,
    WARPS,
    set_words,
)
from randcrowns.algorithms.tuning.experiment import (
    ExperimentAlgorithm,
    ExperimentJob,
    ReadAnnotators,
)
from randcrowns.algorithms.tuning.outputs import (
    GALLERY_FILE,
    SCATTER_FILE,
    VARIANCE_OUTPUTS,
    VARIANCE_VALUES,
)
from randcrowns.algorithms.tuning.showing import VARIANCE_SHOWN
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import cut_to
from randcrowns.core.progress import Progress, part_of
from randcrowns.core.remarks import Remark, warning
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.tuning.variance import AnnotatorVariance, annotator_variance
from randcrowns.layers.raster.grid import RasterSnapshot
from randcrowns.layers.words import sentences, tr


class AnnotatorVarianceAlgorithm(ExperimentAlgorithm):
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
        *(MIN_IOU, WARPS, LOOKS),
    )
    fewest = 2
    shares = (0.25, 0.8)
    choices, outputs, values, showing = (
        VARIANCE_CHOICES,
        VARIANCE_OUTPUTS,
        VARIANCE_VALUES,
        VARIANCE_SHOWN,
    )
    told_apart_by = (SETS,)

    def check(self, given: Given) -> None:
        """Raise InputError if annotators or image cannot be used."""
        super().check(given)
        image = given[IMAGE]
        if image is not None:
            RasterSnapshot.of(image)
        elif IMAGE in given:
            raise InputError("The image behind the gallery cannot be found or opened.")

    def take(self, given: Given) -> ExperimentJob:
        """Return the settings of a run, with a snapshot of the image if a gallery is requested."""
        image = given[IMAGE] if self.asked_for(GALLERY_FILE) else None
        snapshot = None if image is None else RasterSnapshot.of(image)
        _, lengths = chosen_lengths(given, SETS)
        return replace(super().take(given), lengths=lengths, image=snapshot)

    def compute(
        self, job: ExperimentJob, read: ReadAnnotators, progress: Progress
    ) -> AnnotatorVariance:
        """Score all pairs of drawings of the shared crowns and compute the variances."""
        return annotator_variance(
            read.annotators,
            job.lengths,
            read.place.area,
            targets=read.targets,
            min_iou=job[MIN_IOU],
            progress=progress,
        )

    def tables(
        self, job: ExperimentJob, read: ReadAnnotators, found: AnnotatorVariance, progress: Progress
    ) -> Made:
        """Return tables and layers, the requested pictures, the variances and the conclusion."""
        conclusion = [*read.origin, *experiment.finding(found)]
        tables = experiment.variance_tables(found, read, job[LOOKS])
        files: dict[Output, MadeFile] = {}
        messages: list[Remark] = []
        scatter_format = self.asked_for(SCATTER_FILE)
        if scatter_format:
            files[SCATTER_FILE] = self._draw_scatter_plot(
                found, scatter_format, part_of(progress, 0.0, 0.3)
            )
        gallery_format = self.asked_for(GALLERY_FILE)
        if gallery_format:
            files[GALLERY_FILE], messages = self._draw_gallery(
                job, found, read, gallery_format, part_of(progress, 0.3, 1.0)
            )
        values: dict[str, object] = {
            f"VARIANCE_{score.upper()}": float(found.overall[f"{score}_variance"])
            for score in SCORES
        }
        values["FINDING"] = " ".join(sentences(conclusion))
        return Made(tables, values, files, [*messages, *conclusion], conclusion)

    def _draw_scatter_plot(
        self, result: AnnotatorVariance, file_format: str, progress: Progress
    ) -> MadeFile:
        """Return the picture with RandCrowns over IoU of every pair."""
        from randcrowns.layers.styles.figures import scatter_picture

        pairs = experiment.numbered_pairs(result)
        return scatter_picture(pairs, file_format, progress, self.record.line)

    def _draw_gallery(
        self,
        job: ExperimentJob,
        result: AnnotatorVariance,
        read: ReadAnnotators,
        file_format: str,
        progress: Progress,
    ) -> tuple[MadeFile, list[Remark]]:
        """Return the picture of the gallery, and a warning if the image covers none of it."""
        from randcrowns.layers.styles.figures import covers_some, gallery_picture

        crs = read.place.working
        pairs = experiment.picked_pairs(result, job[LOOKS])
        rows = pairs["pair"].to_numpy(dtype=np.int64) - 1
        delineations = result.experiment.geometry.ravel()[
            result.experiment.delineation.T.ravel()[rows]
        ]
        targets = result.experiment.targets[pairs["target"].to_numpy(dtype=np.int64) - 1]
        picture = gallery_picture(
            pairs,
            targets,
            cut_to(read.place.area, delineations),
            crs,
            job.image,
            file_format,
            progress,
            set_words(job.lengths.alpha, job.lengths.omega, job.lengths.gamma),
            self.record.line,
        )
        if job.image is None or not len(targets) or covers_some(job.image, targets, crs):
            return picture, []
        text = "Image '{name}' covers none of the crowns of the gallery; they are drawn on white."
        return picture, [warning("gallery.image_elsewhere", text, name=job.image.name)]
