"""The jobs of the command: their inputs, examples, and the functions that do them.

Functions are named by their module, which is imported when the job runs, so that the command starts
quickly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

from randcrowns.jobs.parameters import describe_jobs
from randcrowns.jobs.refused import REFUSED


class Input(NamedTuple):
    """Input of a job: a positional argument, or an option."""

    name: str  #: name of the argument of the job's function.
    help: str  #: help of the argument.
    is_several: bool = False  #: True if there may be several.
    is_required: bool = True  #: True if the job requires it.
    is_option: bool = False  #: True for an option ``--name``.


@dataclass(frozen=True)
class JobCommand:
    """A job of the command.

    Attributes:
        name: name of the job.
        function: module and name of the function, such as ``randcrowns.jobs.scoring:score``.
        about: one sentence for the help.
        example: command line for the help.
        inputs: inputs in the order of the command line.
        columns: columns of the summary that are printed; all of them if there are none.
        batch_function: name of the function of :mod:`randcrowns.batch` that works tile by tile;
            "" for none.
        reads_layers: True if inputs are layers of polygons, which may be annotation files.
    """

    name: str
    function: str
    about: str
    example: str
    inputs: tuple[Input, ...] = ()
    columns: tuple[str, ...] = ()
    batch_function: str = ""
    reads_layers: bool = True

    def load(self) -> Callable[..., Any]:
        """Import the module of the function and return the function."""
        module, _, name = self.function.partition(":")
        function: Callable[..., Any] = getattr(import_module(module), name)
        return function

    @property
    def option_names(self) -> list[str]:
        """Names of the toolbox's parameters that are options."""
        own_inputs = {item.name for item in self.inputs}
        without_option = own_inputs.union(REFUSED.get(self.name, {}))
        names = []
        for name, parameter in describe_jobs()[self.name].parameters.items():
            if name not in without_option and not parameter.is_input:
                names.append(name)
        return names


_EXTENT = Input(
    "extent",
    "study area: XMIN,YMIN,XMAX,YMAX in coordinates of the layers, or a layer of polygons; for "
    "crowns in pixels, columns and rows from the upper left corner",
    is_required=False,
    is_option=True,
)
_ANNOTATORS = Input(
    "annotators", "a layer per annotator, or one with --annotator-field", is_several=True
)
_TARGETS = Input("targets", "crowns to be found")
_FIELD_TARGETS = Input(
    "targets",
    "crowns drawn in the field; default: each annotator in turn is the target",
    is_required=False,
    is_option=True,
)


def _area(name: str, about: str) -> Input:
    """Return an optional layer of a job."""
    return Input(name, about, is_required=False, is_option=True)


_EXCLUDED = _area("excluded", "layer with areas that are excluded from the study area")
_REVIEWED = _area(
    "reviewed", "layer with the areas that annotators have reviewed, named in field annotator"
)
_IGNORED = _area(
    "ignored", "areas in which predictions without a target are neither right nor wrong"
)
_POINTS = _area("points", "points measured in the field, for the point recall")
_ANSWERS = _area("answers", "CSV file with answers to questions with known answers")

#: All jobs of the toolbox, in the order of the help.
JOBS = (
    JobCommand(
        name="score",
        function="randcrowns.jobs.scoring:score",
        about=(
            "Score delineations against target crowns: RandCrowns, IoU and IoUCrowns of "
            "every crown."
        ),
        example=(
            "randcrowns score crowns.gpkg anna.gpkg ben.gpkg --plot-field plotID --out scores.gpkg"
        ),
        inputs=(
            _TARGETS,
            Input(
                "delineations",
                "crowns to be scored, a layer per annotator or method",
                is_several=True,
            ),
            _EXTENT,
        ),
        columns=(
            "layer",
            "plot",
            "targets",
            "matched",
            "randcrowns_mean",
            "iou_mean",
            "iou_crowns_mean",
        ),
        batch_function="score",
    ),
    JobCommand(
        name="agree",
        function="randcrowns.jobs.agreement:compare_annotators",
        about="Compare annotators who delineated the same area: agreement, F1, kappa, outliers.",
        example="randcrowns agree anna.gpkg ben.gpkg cleo.gpkg --out agreement.gpkg",
        inputs=(_ANNOTATORS, _EXTENT, _EXCLUDED, _REVIEWED),
        columns=("image", "statistic", "value", "low", "high"),
        batch_function="agree",
    ),
    JobCommand(
        name="consensus",
        function="randcrowns.jobs.agreement:consensus",
        about="Combine the polygons of several annotators of the same area into one layer.",
        example=(
            "randcrowns consensus anna.gpkg ben.gpkg cleo.gpkg --method staple --out consensus.gpkg"
        ),
        inputs=(
            _ANNOTATORS,
            _EXTENT,
            _EXCLUDED,
            _REVIEWED,
            _ANSWERS,
        ),
    ),
    JobCommand(
        name="rank",
        function="randcrowns.jobs.ranking:rank",
        about="Rank detectors under every ground truth that several annotators make together.",
        example="randcrowns rank --detectors net1.gpkg net2.gpkg --annotators anna.gpkg ben.gpkg",
        inputs=(
            Input("detectors", "a layer with scores per detector", is_several=True, is_option=True),
            Input("annotators", "a layer per annotator", is_several=True, is_option=True),
            _EXTENT,
            _area("training", "layer with areas that are excluded, such as those of the training"),
            _IGNORED,
            _REVIEWED,
            _POINTS,
            _ANSWERS,
        ),
        columns=("counted", "measure", "detector", "truth", "value", "rank", "reason"),
    ),
    JobCommand(
        name="evaluate",
        function="randcrowns.jobs.evaluation:evaluate",
        about="Match predicted crowns with target crowns: precision, recall, F1, PQ, IoU and AP.",
        example=(
            "randcrowns evaluate crowns.gpkg predictions.csv --images tiles --out evaluation.gpkg"
        ),
        inputs=(
            _TARGETS,
            Input("predictions", "crowns that a method predicted"),
            _IGNORED,
            _POINTS,
        ),
        columns=(
            "plot",
            "tp",
            "fp",
            "fn",
            "precision",
            "recall",
            "f1",
            "pq",
            "mean_iou",
            "ap",
            "ap50",
        ),
        batch_function="evaluate",
    ),
    JobCommand(
        name="evaluate-cloud",
        function="randcrowns.jobs.point_clouds:evaluate_cloud",
        about="Match the predicted trees of a labelled point cloud with its target trees.",
        example=(
            "randcrowns evaluate-cloud plot.laz --target-attribute tree "
            "--prediction-attribute found"
        ),
        inputs=(
            Input("input", "a LAS, LAZ, PLY, NPY or NPZ file, or a table"),
            Input(
                "prediction_input",
                "the file with the predictions, if they are in a file of their own: in another "
                "order, thinned or voxelised",
                is_required=False,
                is_option=True,
            ),
        ),
        columns=("tp", "fp", "fn", "precision", "recall", "f1", "pq", "mean_iou"),
        reads_layers=False,
    ),
    JobCommand(
        name="variance",
        function="randcrowns.jobs.tuning:variance",
        about="Measure how much RandCrowns, IoU and IoUCrowns depend on the annotator.",
        example="randcrowns variance anna.gpkg ben.gpkg cleo.gpkg --out variance.gpkg",
        inputs=(_ANNOTATORS, _FIELD_TARGETS, _EXTENT),
        columns=("target_annotator", "crowns", "randcrowns_variance", "iou_variance", "reason"),
    ),
    JobCommand(
        name="tune",
        function="randcrowns.jobs.tuning:tune",
        about="Choose alpha, omega and gamma by the variance between annotators.",
        example="randcrowns tune anna.gpkg ben.gpkg cleo.gpkg --alphas 0.5:1:0.1 --out grid.csv",
        inputs=(_ANNOTATORS, _FIELD_TARGETS, _EXTENT),
        columns=("rank", "alpha", "omega", "gamma", "mean", "variance", "wrong"),
    ),
    JobCommand(
        name="import",
        function="randcrowns.jobs.exchange:read_annotations",
        about="Read crowns from annotation files, such as COCO, DeepForest or CVAT files.",
        example="randcrowns import 'plots/*.xml' --images tiles --out crowns.gpkg",
        inputs=(Input("files", "files, folders or patterns", is_several=True),),
        columns=("file", "format", "read", "crowns", "points", "ignored", "skipped"),
    ),
)


def job_named(name: str) -> JobCommand:
    """Return the job of a name."""
    return next(job for job in JOBS if job.name == name)
