"""randcrowns:annotatorvariance - how much a score depends on who drew the target."""

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
    entry = ANNOTATOR_VARIANCE
    help = (
        tr(
            "How much does a score depend on who drew the target? Each annotator in turn is the target, and the others "
            "are scored against it (Stewart et al. 2021, Section IV-A); with targets drawn in the field, every "
            "annotator is scored against these (Section IV-B)."
        ),
        tr(
            "<b>Variance.</b> The variance of a target's scores over its delineations, averaged over the targets "
            "(Eq. 15), for RandCrowns, IoU and IoUCrowns, with a 95 % interval, over plots where there are several, "
            "otherwise over crowns. A variance requires two delineations per target."
        ),
        *(MIN_IOU, WARPS, LOOKS),
    )
    fewest, shares = 2, (0.25, 0.8)
    choices, outputs, values, showing = (
        VARIANCE_CHOICES,
        VARIANCE_OUTPUTS,
        VARIANCE_VALUES,
        VARIANCE_SHOWN,
    )
    told_apart_by = (SETS,)

    def check(self, given: Given) -> None:
        super().check(given)
        image = given[IMAGE]
        if image is not None:
            RasterSnapshot.of(image)
        elif IMAGE in given:
            raise InputError("The image behind the gallery cannot be found or opened.")

    def take(self, given: Given) -> ExperimentJob:
        image = given[IMAGE] if self.asked_for(GALLERY_FILE) else None
        snapshot = None if image is None else RasterSnapshot.of(image)
        return replace(super().take(given), lengths=chosen_lengths(given, SETS)[1], image=snapshot)

    def compute(
        self, job: ExperimentJob, read: ReadAnnotators, progress: Progress
    ) -> AnnotatorVariance:
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
        """Variances, targets, delineations, excluded crowns, the gallery, and the pictures that are wanted."""
        said = [*read.origin, *experiment.finding(found)]
        tables = experiment.variance_tables(found, read, job[LOOKS])
        pictures, remarks = self._draw(job, found, read, progress)
        variances = {
            f"VARIANCE_{score.upper()}": float(found.overall[f"{score}_variance"])
            for score in SCORES
        }
        values = {**variances, "FINDING": " ".join(sentences(said))}
        return Made(tables, values, pictures, [*remarks, *said], said)

    def _draw(
        self,
        job: ExperimentJob,
        result: AnnotatorVariance,
        read: ReadAnnotators,
        progress: Progress,
    ) -> tuple[dict[Output, MadeFile], list[Remark]]:
        """The pictures that are asked for; a warning where the image shows none of the gallery."""
        from randcrowns.layers.styles.figures import covers_some, gallery_picture, scatter_picture

        working = read.place.working
        drawn_files: dict[Output, MadeFile] = {}
        scatter, gallery = self.asked_for(SCATTER_FILE), self.asked_for(GALLERY_FILE)
        if scatter:
            pairs, made = experiment.numbered_pairs(result), self.record.line
            drawn_files[SCATTER_FILE] = scatter_picture(
                pairs, scatter, part_of(progress, 0.0, 0.3), made
            )
        if not gallery:
            return drawn_files, []
        picks = experiment.picked_pairs(result, job[LOOKS])
        rows = picks["pair"].to_numpy(dtype=np.int64) - 1
        drawn = result.experiment.geometry.ravel()[result.experiment.delineation.T.ravel()[rows]]
        targets = result.experiment.targets[picks["target"].to_numpy(dtype=np.int64) - 1]
        drawn_files[GALLERY_FILE] = gallery_picture(
            picks,
            targets,
            cut_to(read.place.area, drawn),
            working,
            job.image,
            gallery,
            part_of(progress, 0.3, 1.0),
            set_words(job.lengths.alpha, job.lengths.omega, job.lengths.gamma),
            self.record.line,
        )
        if job.image is None or not len(targets) or covers_some(job.image, targets, working):
            return drawn_files, []
        said = "Image '{name}' covers none of the crowns of the gallery; they are drawn on white."
        return drawn_files, [warning("gallery.image_elsewhere", said, name=job.image.name)]
