"""randcrowns:evaluatepointcloud - were the trees found, and how well were they cut out? A labelled point cloud."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import QgsCoordinateReferenceSystem, QgsPointCloudLayer, QgsProcessingContext, QgsProject

from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.choices import paragraphs
from randcrowns.algorithms.instances.choices import REACHES, add_cloud_parameters, matching_method
from randcrowns.algorithms.instances.run import (
    CloudEvaluation,
    CloudJob,
    LabelledCloud,
    cloud_tables,
    evaluate_cloud,
    read_labels,
)
from randcrowns.algorithms.instances.tables import result_numbers
from randcrowns.algorithms.loading import load_with_style
from randcrowns.core.errors import InputError, RandCrownsError
from randcrowns.core.progress import Progress
from randcrowns.layers.cloud.head import cloud_file, look_into
from randcrowns.layers.styles.tree import run_title
from randcrowns.layers.words import tr

__all__ = ["EvaluatePointCloud"]

_HELP = (
    (
        "Matches the predicted trees of a labelled point cloud with the target trees and says how many were found "
        "(precision, recall, F1, panoptic quality), how well they were cut out (IoU, precision and recall of each "
        "tree), and which parts of them: by distance to the trunk and by height."
    ),
    (
        "<b>Point cloud.</b> LAS, LAZ or COPC with two attributes that hold the number of the tree of each point. "
        "Points without a tree have one number in each attribute, such as -1 or 0, below all others. A cloud "
        "that names no coordinate system needs one chosen; for local coordinates in metres any system in metres will "
        "do."
    ),
    (
        "<b>Matching.</b> Six methods of the literature, one for what was found and one for how well it was cut out. "
        "Sizes are numbers of points; the height of a tree is that of its highest point above its lowest."
    ),
    (
        "<b>Uncertain.</b> Unmatched predictions on ground that nobody labelled, or too low to be a tree, can be left "
        "out of the mistakes."
    ),
    (
        "<b>Outputs.</b> A polygon per tree, around its points as seen from above; tables of the metrics per "
        "partition. Nothing is written when the run is cancelled or fails."
    ),
)


class EvaluatePointCloud(CrownAlgorithm):
    """Evaluates the predicted trees of a point cloud."""

    shares = (0.5, 0.75)

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

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:  # noqa: N802 - QGIS's name
        """Declare parameters and outputs."""
        add_cloud_parameters(self)

    def first_problem(self, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
        """The first thing that is wrong, in a sentence; empty when nothing is."""
        try:
            path, crs = self._cloud(parameters, context)
            head = look_into(path)
            names = [self.parameterAsString(parameters, name, context).strip() for name in ("TARGET", "PREDICTION")]
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
        number, text = self.parameterAsDouble, self.parameterAsString
        path, crs = self._cloud(parameters, context)
        return CloudJob(
            path=path,
            target=text(parameters, "TARGET", context).strip(),
            prediction=text(parameters, "PREDICTION", context).strip(),
            invalid_id=self.parameterAsInt(parameters, "INVALID_ID", context),
            prediction_invalid_id=self.parameterAsInt(
                parameters,
                "INVALID_ID" if parameters.get("PREDICTION_INVALID_ID") in (None, "") else "PREDICTION_INVALID_ID",
                context,
            ),
            detection=matching_method(self, parameters, "DETECTION_METHOD", context),
            segmentation=matching_method(self, parameters, "SEGMENTATION_METHOD", context),
            include_unmatched=self.parameterAsBool(parameters, "INCLUDE_UNMATCHED", context),
            n_partitions=self.parameterAsInt(parameters, "NUM_PARTITIONS", context),
            reach=REACHES[self.parameterAsEnum(parameters, "REACH", context)],
            min_share=number(parameters, "MIN_PRECISION_FP", context),
            min_height=number(parameters, "MIN_HEIGHT_FP", context),
            cell=number(parameters, "CELL", context),
            crs=crs,
            outputs=frozenset(
                output.name() for output in self.outputDefinitions() if parameters.get(output.name()) not in (None, "")
            ),
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

    def loaded(self, output: str, details: QgsProcessingContext.LayerDetails, others: dict[str, Any]) -> None:
        """Styles, and one group per run."""
        load_with_style(details, output, "", self.run_title)

    def _cloud(
        self, parameters: dict[str, Any], context: QgsProcessingContext
    ) -> tuple[Path, QgsCoordinateReferenceSystem]:
        """The file that the input names (a path, or a layer by id or name), and the system chosen for it."""
        given = self.parameterAsString(parameters, "INPUT", context).strip()
        crs = self.parameterAsCrs(parameters, "CRS", context)
        chosen = parameters.get("CRS")
        if isinstance(chosen, str) and chosen.strip() and not crs.isValid():
            raise InputError(tr("There is no coordinate system '{name}'; choose another one.").format(name=chosen))
        project = context.project() or QgsProject.instance()
        layers = [project.mapLayer(given), *project.mapLayersByName(given)]
        for layer in layers:
            if isinstance(layer, QgsPointCloudLayer):
                return cloud_file(layer.source()), crs if crs.isValid() else layer.crs()
        return cloud_file(given), crs
