"""randcrowns:evaluatepointcloud - detection and segmentation metrics of the trees of a labelled point cloud."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import QgsCoordinateReferenceSystem, QgsPointCloudLayer, QgsProcessingContext, QgsProject

from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.choices import paragraphs
from randcrowns.algorithms.instances.choices import (
    CELL,
    CLOUD,
    CLOUD_CHOICES,
    CRS,
    DETECTION,
    INCLUDE_UNMATCHED,
    INVALID_ID,
    MATCHING_HELP,
    MIN_HEIGHT,
    MIN_SHARE,
    N_PARTITIONS,
    PREDICTION,
    PREDICTION_INVALID_ID,
    REACH,
    REACHES,
    SEGMENTATION,
    TARGET,
)
from randcrowns.algorithms.instances.outputs import CLOUD_OUTPUTS, VALUES
from randcrowns.algorithms.instances.run import (
    CloudEvaluation,
    CloudJob,
    LabelledCloud,
    cloud_tables,
    evaluate_cloud,
    read_labels,
)
from randcrowns.algorithms.instances.tables import result_numbers
from randcrowns.core.errors import InputError, RandCrownsError
from randcrowns.core.instances.matching import Method
from randcrowns.core.progress import Progress
from randcrowns.layers.cloud.head import cloud_file, look_into
from randcrowns.layers.styles.tree import run_title
from randcrowns.layers.words import tr

__all__ = ["EvaluatePointCloud"]

_HELP = (
    (
        "Matches the predicted trees of a labelled point cloud with the target trees: how many were found (precision, "
        "recall, F1, panoptic quality), how well each was segmented (IoU, precision, recall), and which parts of the "
        "trees, by distance to the trunk and by height."
    ),
    (
        "<b>Point cloud.</b> LAS, LAZ or COPC with two attributes that hold the id of the tree of each point. Points "
        "without a tree have an id of their own in each attribute, such as -1 or 0, below all others. For a cloud that "
        "names no coordinate system choose one; for local coordinates in metres any system in metres will do."
    ),
    MATCHING_HELP,
    "<b>Sizes</b> are numbers of points. The height of a tree is that of its highest point above its lowest.",
    (
        "<b>Uncertain</b> predictions are unmatched ones with too few points on labelled trees, or too low to be a "
        "tree. They are no false positives."
    ),
    (
        "<b>Outputs.</b> A polygon per tree, around its points as seen from above, and tables of metrics. Nothing is "
        "written when the run is cancelled or fails."
    ),
)


class EvaluatePointCloud(CrownAlgorithm):
    """Evaluates the predicted trees of a point cloud."""

    shares = (0.5, 0.75)
    choices, outputs, values = CLOUD_CHOICES, CLOUD_OUTPUTS, VALUES

    def name(self) -> str:
        """Id within the provider."""
        return "evaluatepointcloud"

    def displayName(self) -> str:  # noqa: N802 - QGIS's name
        """Name in the toolbox."""
        return tr("Evaluate point cloud instances")

    def tags(self) -> list[str]:
        """Words it is found by."""
        return ["randcrowns", "point cloud", "las", "laz", "copc", "instance", "segmentation", "tree", "pointtree"]

    def shortDescription(self) -> str:  # noqa: N802 - QGIS's name
        """One line."""
        return tr("Matches the predicted trees of a labelled point cloud with its target trees.")

    def shortHelpString(self) -> str:  # noqa: N802 - QGIS's name
        """A paragraph per group of parameters."""
        return paragraphs(_HELP)

    def first_problem(self, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
        """The first thing that is wrong, in a sentence; empty when nothing is."""
        given = Given(self, parameters, context)
        names = given[TARGET], given[PREDICTION]
        try:
            path, crs = _cloud(given)
            head = look_into(path)
            for name in names:
                head.attribute(name)
            head.system(crs)
        except RandCrownsError as error:
            return str(error)
        if names[0] == names[1]:
            return tr("Targets and predictions are the same attribute, '{name}'; choose another.").format(name=names[0])
        return ""

    def take(self, parameters: dict[str, Any], context: QgsProcessingContext) -> CloudJob:
        """Plain values."""
        given = Given(self, parameters, context)
        path, crs = _cloud(given)
        return CloudJob(
            path=path,
            target=given[TARGET],
            prediction=given[PREDICTION],
            invalid_id=given[INVALID_ID],
            prediction_invalid_id=given[PREDICTION_INVALID_ID],
            detection=Method(given[DETECTION]),
            segmentation=Method(given[SEGMENTATION]),
            include_unmatched=given[INCLUDE_UNMATCHED],
            n_partitions=given[N_PARTITIONS],
            reach=REACHES[given[REACH]],
            min_share=given[MIN_SHARE],
            min_height=given[MIN_HEIGHT],
            cell=given[CELL],
            crs=crs,
            outputs=frozenset(output for output in self.outputs if output in given),
            transform_context=context.transformContext(),
        )

    def title(self, taken: CloudJob) -> str:
        """Of the group of the results."""
        return run_title(taken.path.stem)

    def read(self, job: CloudJob, progress: Progress) -> LabelledCloud:
        """The points with their labels."""
        return read_labels(job, progress)

    def compute(self, job: CloudJob, read: LabelledCloud, progress: Progress) -> CloudEvaluation:
        """Matches and metrics."""
        return evaluate_cloud(job, read, progress)

    def tables(self, job: CloudJob, read: LabelledCloud, found: CloudEvaluation, progress: Progress) -> Made:
        """Outlines and tables."""
        return Made(cloud_tables(job, read, found, progress), result_numbers(found.summary))


def _cloud(given: Given) -> tuple[Path, QgsCoordinateReferenceSystem]:
    """The file that the input names (a path, or a layer by id or name), and the system chosen for it."""
    source, crs, chosen = given[CLOUD], given[CRS], given.parameters.get(CRS.ids[0])
    if isinstance(chosen, str) and chosen.strip() and not crs.isValid():
        raise InputError(tr("There is no coordinate system '{name}'; choose another one.").format(name=chosen))
    project = given.context.project() or QgsProject.instance()
    for layer in (project.mapLayer(source), *project.mapLayersByName(source)):
        if isinstance(layer, QgsPointCloudLayer):
            return cloud_file(layer.source()), crs if crs.isValid() else layer.crs()
    return cloud_file(source), crs
