"""Both tasks of IDTReeS 2020: crowns delineated on images, and their species.

The tables are those that the evaluation toolbox of the competition writes.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Floats
from randcrowns.core.classes.idtrees import idtrees_task2, most_probable_classes
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note
from randcrowns.core.scoring.idtrees import idtrees_scores
from randcrowns.core.statistics import plot_codes
from randcrowns.jobs.benchmarks.comparison import Estimate, SubmissionResult
from randcrowns.jobs.benchmarks.tables import read_table, read_wkt, required_columns
from randcrowns.jobs.images import read_image

#: Ends of the names of files, after the name of the site.
_GROUND = "_ground.csv"
_SUBMISSION = "_submission.csv"
#: Names of the columns of the toolbox's table of task 1.
_TASK_1_COLUMNS = {"randcrowns": "rand_index", "iou": "IoU"}


@dataclass(frozen=True)
class IdtreesFiles:
    """Files of the competition.

    Attributes:
        truth: folder with a file ``SITE_ground.csv`` per site (task 1), or the table of species
            (task 2).
        images: folder with an image ``SITE_NUMBER.tif`` per plot, for task 1.
    """

    truth: Path
    images: str = ""


def evaluate_delineations(files: IdtreesFiles, submission: Path) -> SubmissionResult:
    """Evaluate a submission to task 1, plot by plot.

    Args:
        files: files of the competition.
        submission: folder with a file ``SITE_submission.csv`` per site.

    Raises:
        InputError: if a file is missing or cannot be read.
    """
    images = sorted(Path(files.images).glob("*.tif")) if files.images else []
    if not images:
        raise InputError(
            "benchmark.no_plots",
            "The plots of task 1 are the images SITE_NUMBER.tif. Name their folder (images).",
        )
    plot_scores = [_score_plot(files.truth, submission, image) for image in images]
    scores = pd.concat(plot_scores, ignore_index=True)
    plots = scores["plot"].to_numpy(dtype=object)
    randcrowns = scores["rand_index"].to_numpy(dtype=float)
    iou = scores["IoU"].to_numpy(dtype=float)
    units = pd.Index(scores["plot"] + " " + scores["itc_id"].astype(str))
    return SubmissionResult(
        table=scores[["itc_id", *_TASK_1_COLUMNS.values()]],
        counts={"plots": len(images), "targets": len(scores)},
        estimates=(
            Estimate.of_mean("rand_index", randcrowns, plot_codes(plots)),
            Estimate.of_mean("iou", iou, plot_codes(plots)),
        ),
        unit_scores=pd.Series(randcrowns, index=units),
        unit_plots=pd.Series(plots, index=units),
        messages=_unscored_target_messages(files.truth, scores),
    )


def _unscored_target_messages(truth: Path, scores: pd.DataFrame) -> tuple[Message, ...]:
    """Return a note about targets that lie on no image and are therefore not evaluated.

    Args:
        truth: folder with a file ``SITE_ground.csv`` per site.
        scores: scores of all plots with the columns ``plot`` and ``itc_id``.
    """
    evaluated = set(zip(scores["plot"].map(_site_of), scores["itc_id"]))
    n_targets = 0
    n_missing_by_site = {}
    for file in sorted(truth.glob(f"*{_GROUND}")):
        site = file.name.removesuffix(_GROUND)
        ground = read_table(file)
        required_columns(ground, ("id",), file.name)
        n_targets += len(ground)
        n_missing = sum((site, target_id) not in evaluated for target_id in ground["id"])
        if n_missing:
            n_missing_by_site[site] = n_missing
    if not n_missing_by_site:
        return ()
    return (
        note(
            "benchmark.targets_without_image",
            "{count:,} of {total:,} targets lie on no image and are not evaluated (sites {sites}). "
            "Copy all images of the plots into the folder of the images.",
            one="1 of {total:,} targets lies on no image and is not evaluated (site {sites}). "
            "Copy all images of the plots into the folder of the images.",
            count=sum(n_missing_by_site.values()),
            total=n_targets,
            sites=list(n_missing_by_site),
        ),
    )


def _site_of(plot: str) -> str:
    """Return the site in the name of a plot."""
    return plot.partition("_")[0]


def _score_plot(truth: Path, submission: Path, image: Path) -> pd.DataFrame:
    """Return the table of a plot with its name: a row per target on its image.

    Args:
        truth: folder of the ground truth.
        submission: folder of the submission.
        image: image of the plot.

    Raises:
        InputError: if a file is missing or cannot be read.
    """
    site = _site_of(image.stem)
    ground_file = truth / f"{site}{_GROUND}"
    ground = read_table(ground_file)
    required_columns(ground, ("id",), ground_file.name)
    submitted_file = submission / f"{site}{_SUBMISSION}"
    bounds, size = _bounds_of_image(image)
    scores = idtrees_scores(
        read_wkt(ground, ground_file.name),
        read_wkt(read_table(submitted_file), submitted_file.name),
        bounds,
        image_size=size,
    )
    table = scores[list(_TASK_1_COLUMNS)].rename(columns=_TASK_1_COLUMNS)
    table.insert(0, "itc_id", ground["id"].to_numpy())
    table.insert(0, "plot", image.stem)
    return table[table["rand_index"].notna()]


def _bounds_of_image(path: Path) -> tuple[Floats, int]:
    """Return the bounds (4,) of an image and the number of its pixels along the longer side.

    Raises:
        InputError: if the image has no georeference.
    """
    image = read_image(path)
    if image.geotransform is None:
        raise InputError(
            "benchmark.no_georeference",
            "{file} cannot be read as a georeferenced image.",
            file=path.name,
        )
    corners = image.to_map(np.array([[0, 0], [image.width, image.height]]))
    bounds = np.concatenate([corners.min(axis=0), corners.max(axis=0)])
    return bounds, max(image.width, image.height)


def evaluate_species(files: IdtreesFiles, submission: Path) -> SubmissionResult:
    """Evaluate a submission to task 2.

    Args:
        files: files of the competition; the truth has the columns ``ID`` and ``speciesID``.
        submission: table with ``ID``, ``taxonID`` and ``probability``.

    Raises:
        InputError: if a file cannot be read, or lacks a column.
    """
    truth = read_table(files.truth)
    required_columns(truth, ("ID", "speciesID"), files.truth.name)
    table = read_table(submission)
    required_columns(table, ("ID", "taxonID", "probability"), submission.name)
    crowns, species, probabilities = table["ID"], table["taxonID"], table["probability"]
    result = idtrees_task2(truth["ID"], truth["speciesID"], crowns, species, probabilities)
    best = most_probable_classes(crowns, species, probabilities)
    best_answers = pd.DataFrame({"ID": best.crown, "answer": best.classes})
    answers = best_answers.merge(truth, on="ID")
    true_species = answers["speciesID"].astype(str).str.strip()
    is_right = (answers["answer"] == true_species).astype(float)
    return SubmissionResult(
        table=result.report.rename_axis("class").reset_index(),
        counts={"crowns": len(answers), "classes": len(result.confusion)},
        estimates=(Estimate.of_mean("accuracy", is_right.to_numpy()),),
        unit_scores=is_right.groupby(answers["ID"]).mean(),
        messages=result.messages,
    )
