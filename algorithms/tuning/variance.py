"""randcrowns:annotatorvariance - how much a score depends on who drew the target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from qgis.core import QgsProcessingContext, QgsProcessingFeedback, QgsProcessingParameterNumber

from randcrowns.algorithms.choices import (
    add,
    add_lengths,
    lengths_of,
    paragraphs,
)
from randcrowns.algorithms.file_outputs import PictureAlgorithm
from randcrowns.algorithms.tuning.choices import PRESETS_HERE, add_labelers, add_variance_outputs
from randcrowns.algorithms.tuning.job import (
    LabelerJob,
    Labelers,
    labeler_problem,
    nobody_chosen,
    read_labelers,
    take_labelers,
)
from randcrowns.algorithms.tuning.tables import cautions, finding, numbered_pairs, picked_pairs, variance_tables
from randcrowns.core.errors import RandCrownsError
from randcrowns.core.progress import Progress, part_of
from randcrowns.core.scoring.layer import SCORES
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.tuning.experiment import cut_to
from randcrowns.core.tuning.variance import AnnotatorVariance, annotator_variance, field_variance
from randcrowns.layers.raster.grid import RasterSnapshot
from randcrowns.layers.styles.tree import run_title
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

__all__ = ["AnnotatorVarianceAlgorithm"]

_HELP = (
    (
        "How much does a score depend on who drew the target? Each annotator in turn is the target and the others are "
        "scored against it (Stewart et al. 2021, Section IV-A); with targets drawn in the field, everybody is scored "
        "against these (Section IV-B)."
    ),
    (
        "<b>Crowns.</b> Only crowns that everybody drew take part: any two drawings are each other's best by IoU. All "
        "others are listed with the reason."
    ),
    (
        "<b>Variance.</b> For each target the variance of its scores over the delineations, averaged over the targets "
        "(Eq. 15), for RandCrowns, IoU and IoUCrowns, with a 95 % bootstrap interval over crowns. A variance needs two "
        "delineations per target."
    ),
    (
        "<b>One annotator.</b> Of a single layer warped copies are made, which stand for other annotators; how much "
        "they differ is yours to say, so read such a variance as an answer to 'what if'."
    ),
    (
        "<b>Gallery.</b> The pairs on which RandCrowns and IoU disagree most, agree, or are both low, as a table and "
        "as a sheet of small maps over an image."
    ),
)


@dataclass(frozen=True)
class VarianceJob:
    """Everything a run needs, taken on the main thread."""

    labelers: LabelerJob
    lengths: RandCrownsParameters
    image: RasterSnapshot | None
    looks: int


class AnnotatorVarianceAlgorithm(PictureAlgorithm):
    """The experiment of Section IV on the user's own annotators."""

    in_one = True

    def name(self) -> str:
        """Id within the provider."""
        return "annotatorvariance"

    def displayName(self) -> str:  # noqa: N802 - QGIS's name
        """Name in the toolbox."""
        return tr("Annotator variance")

    def tags(self) -> list[str]:
        """Words it is found by."""
        return ["randcrowns", "variance", "annotator", "cross-validation", "iou", "gallery", "scatter", "tree", "crown"]

    def shortDescription(self) -> str:  # noqa: N802 - QGIS's name
        """One line."""
        return tr("How much RandCrowns, IoU and IoUCrowns depend on who drew the target.")

    def shortHelpString(self) -> str:  # noqa: N802 - QGIS's name
        """A paragraph per group of parameters."""
        return paragraphs(_HELP)

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:  # noqa: N802 - QGIS's name
        """Declare parameters and outputs."""
        add_labelers(self)
        add_lengths(self, PRESETS_HERE)
        number = QgsProcessingParameterNumber.Type.Integer
        add(
            self,
            QgsProcessingParameterNumber(
                "LOOKS", tr("Crowns of each kind to look at"), number, defaultValue=4, minValue=1, maxValue=50
            ),
            tr("Most pairs of each kind in the gallery, and most crowns marked as worst and as typical."),
            advanced=True,
        )
        add_variance_outputs(self)

    def early_problem(self, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
        """What is better said before QGIS looks."""
        return nobody_chosen(parameters)

    def first_problem(self, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
        """The first thing that is wrong, in a sentence; empty when nothing is."""
        return (
            labeler_problem(self, parameters, context, fewest=2)
            or self.picture_problem(parameters, context)
            or self._image_problem(parameters, context)
        )

    def take(self, parameters: dict[str, Any], context: QgsProcessingContext) -> VarianceJob:
        """Snapshots and plain values."""
        image = None
        if self.asked_for("GALLERY_FILE") and parameters.get("IMAGE") not in (None, ""):
            image = RasterSnapshot.of(self.parameterAsRasterLayer(parameters, "IMAGE", context))
        return VarianceJob(
            labelers=take_labelers(self, parameters, context),
            lengths=lengths_of(self, parameters, context, PRESETS_HERE)[1],
            image=image,
            looks=self.parameterAsInt(parameters, "LOOKS", context),
        )

    def title(self, taken: VarianceJob) -> str:
        """Of the group of the results."""
        return run_title(tr("variance"))

    def tables(  # type: ignore
        self, taken: VarianceJob, feedback: QgsProcessingFeedback, progress: Progress
    ) -> tuple[dict[str, FeatureTable], dict[str, Any]]:
        """Read, match, score, tabulate, draw."""
        labelers = read_labelers(taken.labelers, part_of(progress, 0.0, 0.2))
        for sentence in labelers.sentences:
            feedback.pushWarning(sentence)
        options: dict[str, Any] = {"min_iou": taken.labelers.min_iou, "progress": part_of(progress, 0.2, 0.7)}
        if labelers.targets is None:
            result = annotator_variance(labelers.annotators, taken.lengths, labelers.extent, **options)
        else:
            result = field_variance(labelers.targets, labelers.annotators, taken.lengths, labelers.extent, **options)
        tables = variance_tables(result, labelers, taken.looks)
        warned = self._draw(taken, result, labelers, part_of(progress, 0.75, 1.0))
        if warned:
            feedback.pushWarning(warned)
        said = labelers.origin + finding(result)
        (feedback.pushWarning if cautions(result.experiment) else feedback.pushInfo)(said)
        progress(1.0)
        overall = result.overall
        variances = {f"VARIANCE_{score.upper()}": float(overall[f"{score}_variance"]) for score in SCORES}
        return tables, {**variances, "FINDING": said, "WARNING": warned, "REPORT": "\n".join(labelers.sentences)}

    def _draw(self, job: VarianceJob, result: AnnotatorVariance, labelers: Labelers, progress: Progress) -> str:
        """Draw what was asked for; a warning where the image shows none of it, else empty."""
        from randcrowns.layers.styles.figures import scatter_picture
        from randcrowns.layers.styles.gallery import covers_some, gallery_picture

        if self.asked_for("SCATTER_FILE"):
            kind = self.asked_for("SCATTER_FILE")
            self.pictures["SCATTER_FILE"] = scatter_picture(
                numbered_pairs(result), kind, progress=part_of(progress, 0.0, 0.3)
            )
        if self.asked_for("GALLERY_FILE"):
            picks = picked_pairs(result, job.looks)
            rows = picks["pair"].to_numpy(dtype=np.int64) - 1
            drawn = result.experiment.geometry.ravel()[result.experiment.delineation.T.ravel()[rows]]
            targets = result.experiment.targets[picks["target"].to_numpy(dtype=np.int64) - 1]
            kind = self.asked_for("GALLERY_FILE")
            self.pictures["GALLERY_FILE"] = gallery_picture(
                picks,
                targets,
                cut_to(labelers.extent, drawn),
                labelers.working,
                job.image,
                kind,
                part_of(progress, 0.3, 1.0),
                _title(job),
            )
            if job.image is not None and len(targets) and not covers_some(job.image, targets, labelers.working):
                return tr("Image '{name}' covers none of the crowns of the gallery; they are drawn on white.").format(
                    name=job.image.name
                )
        return ""

    def _image_problem(self, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
        if parameters.get("IMAGE") in (None, ""):
            return ""
        image = self.parameterAsRasterLayer(parameters, "IMAGE", context)
        if image is None:
            return tr("The image behind the gallery cannot be found or opened.")
        try:
            RasterSnapshot.of(image)
        except RandCrownsError as error:
            return str(error)
        return ""


def _title(job: VarianceJob) -> str:
    lengths = job.lengths
    return tr("alpha {alpha:g} m, omega {omega:g} m, gamma {gamma:g}").format(
        alpha=lengths.alpha, omega=lengths.omega, gamma=lengths.gamma
    )
