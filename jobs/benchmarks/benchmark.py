"""Job ``benchmark``: submissions to a published benchmark, evaluated as its authors do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Union

import pandas as pd

from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message
from randcrowns.core.names import unused_name
from randcrowns.jobs.benchmarks.clouds import FOR_INSTANCE, POINTTREE, CloudFiles, evaluate_clouds
from randcrowns.jobs.benchmarks.comparison import (
    SubmissionResult,
    compare_submissions,
    conclude_comparison,
)
from randcrowns.jobs.benchmarks.idtrees import (
    IdtreesFiles,
    evaluate_delineations,
    evaluate_species,
)
from randcrowns.jobs.benchmarks.neon import (
    NeonFiles,
    evaluate_field_crowns,
    evaluate_image_crowns,
)
from randcrowns.jobs.results import JobResult
from randcrowns.jobs.written_files import path_of

#: Submissions: a path, several of them, or paths by name.
Submissions = Union[str, Path, Sequence[Union[str, Path]], Mapping[str, Union[str, Path]]]


@dataclass(frozen=True)
class BenchmarkFiles:
    """Files and attributes of a benchmark.

    Attributes:
        truth: path of the ground truth; "" if the submissions contain it.
        images: folder of the images; "" without one.
        plot_field: field of layers with the plot.
        target_attribute: attribute of points with the target trees; "" for that of the layout.
        prediction_attribute: attribute of points with the predicted trees.
    """

    truth: str = ""
    images: str = ""
    plot_field: str = "plotID"
    target_attribute: str = ""
    prediction_attribute: str = ""


class BenchmarkLayout(NamedTuple):
    """Layout of the files of a benchmark, and its evaluation."""

    about: str  #: one sentence for the help.
    evaluate: Callable[[BenchmarkFiles, str], SubmissionResult]  #: evaluates a submission.
    score: str  #: score by which submissions are compared.
    requires_truth: bool = True  #: True if the ground truth is in files of its own.
    units_are_plots: bool = False  #: True if submissions are compared plot by plot.


def _neon_image(files: BenchmarkFiles, submission: str) -> SubmissionResult:
    """Evaluate a submission to NeonTreeEvaluation against annotated crowns."""
    return evaluate_image_crowns(NeonFiles(files.truth, files.images), Path(submission))


def _neon_field(files: BenchmarkFiles, submission: str) -> SubmissionResult:
    """Evaluate a submission to NeonTreeEvaluation against field crowns."""
    own_files = NeonFiles(files.truth, files.images, files.plot_field)
    return evaluate_field_crowns(own_files, Path(submission))


def _idtrees_task1(files: BenchmarkFiles, submission: str) -> SubmissionResult:
    """Evaluate a submission to task 1 of IDTReeS 2020."""
    return evaluate_delineations(IdtreesFiles(Path(files.truth), files.images), Path(submission))


def _idtrees_task2(files: BenchmarkFiles, submission: str) -> SubmissionResult:
    """Evaluate a submission to task 2 of IDTReeS 2020."""
    return evaluate_species(IdtreesFiles(Path(files.truth)), Path(submission))


def _pointtree(files: BenchmarkFiles, submission: str) -> SubmissionResult:
    """Evaluate labelled clouds as pointtree does."""
    attributes = (files.target_attribute, files.prediction_attribute)
    return evaluate_clouds(CloudFiles(POINTTREE, *attributes), submission)


def _for_instance(files: BenchmarkFiles, submission: str) -> SubmissionResult:
    """Evaluate labelled clouds as FOR-instance does."""
    attributes = (files.target_attribute, files.prediction_attribute)
    return evaluate_clouds(CloudFiles(FOR_INSTANCE, *attributes), submission)


#: Layouts of all benchmarks by name.
LAYOUTS = {
    "neon-image": BenchmarkLayout(
        "NeonTreeEvaluation: boxes against crowns annotated on images",
        _neon_image,
        "F1 per plot",
        units_are_plots=True,
    ),
    "neon-field": BenchmarkLayout(
        "NeonTreeEvaluation: boxes against crowns drawn in the field",
        _neon_field,
        "recall of crowns",
    ),
    "idtrees-task1": BenchmarkLayout(
        "IDTReeS 2020, task 1: delineated crowns", _idtrees_task1, "RandCrowns per target"
    ),
    "idtrees-task2": BenchmarkLayout(
        "IDTReeS 2020, task 2: species from probabilities", _idtrees_task2, "accuracy"
    ),
    "pointtree": BenchmarkLayout(
        "labelled point clouds with the metrics of pointtree",
        _pointtree,
        "IoU per target tree",
        requires_truth=False,
    ),
    "for-instance": BenchmarkLayout(
        "labelled point clouds in the layout of FOR-instance",
        _for_instance,
        "IoU per target tree",
        requires_truth=False,
    ),
}


def benchmark(
    layout: str,
    submissions: Submissions,
    *,
    truth: str | Path = "",
    images: str | Path = "",
    plot_field: str = "plotID",
    target_attribute: str = "",
    prediction_attribute: str = "",
) -> JobResult:
    """Evaluate submissions to a published benchmark, and compare them.

    Args:
        layout: ``neon-image``, ``neon-field``, ``idtrees-task1``, ``idtrees-task2``, ``pointtree``
            or ``for-instance``.
        submissions: files or folders of the submissions; a dictionary names them.
        truth: annotation files, layer, folder or table of the ground truth; point clouds contain
            it.
        images: folder of the images, named after the plots.
        plot_field: field of layers with the plot, for ``neon-field``.
        target_attribute: attribute of the points with the target trees.
        prediction_attribute: attribute of the points with the predicted trees.

    Returns:
        The result with the tables ``summary`` (a row per submission: the metrics with their 95 %
        intervals) and ``table``: what the authors of the benchmark print, per submission.

    Raises:
        InputError: if the layout is unknown, or a file is missing or cannot be read.

    >>> truth = pd.DataFrame({"ID": [1, 2], "speciesID": ["oak", "ash"]})
    >>> truth.to_csv("truth.csv", index=False)
    >>> team = pd.DataFrame({"ID": [1, 2], "taxonID": ["oak", "oak"], "probability": [0.9, 0.6]})
    >>> team.to_csv("team.csv", index=False)
    >>> benchmark("idtrees-task2", "team.csv", truth="truth.csv").summary["accuracy"].tolist()
    [0.5]
    """
    own_layout = _find_layout(layout, has_truth=bool(str(truth)))
    files = BenchmarkFiles(
        truth=str(path_of(truth)) if truth else "",
        images=str(path_of(images)) if images else "",
        plot_field=plot_field,
        target_attribute=target_attribute,
        prediction_attribute=prediction_attribute,
    )
    paths = _named_paths(submissions)
    results = {}
    submission_messages: list[Message] = []
    for name, path in paths.items():
        results[name] = own_layout.evaluate(files, path)
        submission_messages += results[name].messages
    comparison = compare_submissions(results, own_layout.units_are_plots)
    # Submissions share messages about the ground truth, which are reported once.
    distinct_messages = list(dict.fromkeys(submission_messages))
    return JobResult(
        job="benchmark",
        summary=comparison.summary,
        tables={"summary": comparison.summary, "table": _table_of_all(results)},
        messages=[*distinct_messages, *comparison.messages],
        parameters={
            "layout": layout,
            "truth": str(truth),
            "images": str(images),
            "submissions": paths,
        },
        conclusion=str(conclude_comparison(comparison, own_layout.score)),
    )


def _find_layout(name: str, *, has_truth: bool) -> BenchmarkLayout:
    """Return the layout of a benchmark.

    Args:
        name: name of the layout.
        has_truth: True if the caller names a ground truth.

    Raises:
        InputError: if the layout is unknown, or requires a ground truth.
    """
    if name not in LAYOUTS:
        raise InputError(
            "benchmark.unknown_layout",
            "There is no benchmark '{layout}'; there are {layouts}.",
            layout=name,
            layouts=list(LAYOUTS),
        )
    layout = LAYOUTS[name]
    if layout.requires_truth and not has_truth:
        raise InputError(
            "benchmark.no_truth",
            "Benchmark {layout} requires the ground truth (truth).",
            layout=name,
        )
    return layout


def _table_of_all(results: Mapping[str, SubmissionResult]) -> pd.DataFrame:
    """Return the tables that the authors print, one below the other, with the submission first."""
    tables = []
    for name, result in results.items():
        table = result.table.reset_index(drop=True)
        table.insert(0, "entry", name)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def _named_paths(submissions: Submissions) -> dict[str, str]:
    """Return the paths of submissions by unique names, those of the files without their endings.

    Raises:
        InputError: if there is none.
    """
    named_paths: list[tuple[str, Path]] = []
    if isinstance(submissions, Mapping):
        for name, source in submissions.items():
            named_paths.append((str(name), path_of(source)))
    else:
        sources = [submissions] if isinstance(submissions, (str, Path)) else submissions
        for source in sources:
            path = path_of(source)
            named_paths.append((path.stem, path))
    if not named_paths:
        raise InputError("benchmark.no_submissions", "Name the submissions, at least one.")
    paths: dict[str, str] = {}
    for name, path in named_paths:
        paths[unused_name(name, paths)] = str(path)
    return paths
