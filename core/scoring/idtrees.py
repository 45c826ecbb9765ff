"""Scores of the evaluation toolbox of the IDTReeS 2020 competition, reproduced exactly.

The toolbox differs from the paper: it works on the whole pixels of an image of 0.1 m resolution, it
draws the regions around the submitted box, not around the target, and it assigns submissions to
targets twice, once by RandCrowns and once by IoU. All its pixel sets are rectangles, whose pixels
are counted here without listing them.

The regions of a submitted box are, with all sides in pixels: the inner box, 1 pixel smaller on each
side (true positive); the outer box, 1 pixel larger; and the edge box, which extends the outer box
further by t = (-C + sqrt(C² + 16·w·h)) / 8, where w and h are the sides of the submitted box and C
is the perimeter of the outer box. The ring between the outer and the edge box is true negative.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import pandas as pd
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Floats, Ints, Objects, as_float_array
from randcrowns.core.crowns import Crowns, polygon_array
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, iterate_with_progress
from randcrowns.core.scoring.layer import (
    CrownScores,
    ScoredPairs,
    assigned_pairs,
    delineation_table,
    summarise,
    target_table,
)
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.statistics import assign_max_gain, overlap_rates
from randcrowns.core.status import Status
from randcrowns.core.validation import validate_arguments

#: Pixels per metre of the competition's images.
_PIXELS_PER_METRE = 10
#: Length of each side of the competition's images, metres.
_SIDE = 20.0
#: Distance of the inner and of the outer box from the submitted box, pixels.
_HALO = 1


@validate_arguments
def idtrees_scores(
    targets: ArrayLike, submissions: ArrayLike, bounds: ArrayLike, *, image_size: int = 200
) -> pd.DataFrame:
    """Compute RandCrowns and IoU of the targets of one plot as the IDTReeS 2020 toolbox does.

    Polygons are replaced by their bounding boxes in whole pixels.

    Args:
        targets: (T,) polygons, metres.
        submissions: (S,) polygons, metres; polygons that do not meet the bounds are ignored.
        bounds: xmin, ymin, xmax, ymax of the plot's image, metres.
        image_size: number of pixels of 0.1 m along each side of the image.

    Returns:
        A row per target: ``randcrowns`` and ``iou``, 0 where the assignment has no submission for
        the target, NaN where the target does not meet the bounds; ``submission`` and
        ``iou_submission``, the rows of the submissions in the two assignments, -1 for none.

    Raises:
        InputError: if the bounds are not four finite numbers or have no area, if the image size is
            not a whole number of at least 1, or if a geometry is not a valid polygon.

    >>> target, drawn = shapely.box(0, 0, 4, 4), shapely.box(0, 0, 4, 2)
    >>> idtrees_scores([target], [drawn], (0, 0, 20, 20))["iou"].tolist()
    [0.5]
    """
    plot_bounds = _plot_bounds(bounds)
    if int(image_size) != image_size or image_size < 1:
        text = "The image must be a whole number of pixels wide, at least 1, not {image_size}."
        raise InputError("idtrees.invalid_image_size", text, image_size=image_size)
    target_polygons = polygon_array(targets, "targets")
    drawn_polygons = polygon_array(submissions, "submissions")
    # Rows of the polygons that meet the bounds, and their boxes in pixels.
    target_rows, target_boxes = _pixel_boxes(target_polygons, plot_bounds)
    drawn_rows, drawn_boxes = _pixel_boxes(drawn_polygons, plot_bounds)
    table = pd.DataFrame(
        {"randcrowns": np.nan, "iou": np.nan, "submission": -1, "iou_submission": -1},
        index=range(len(target_polygons)),
    )
    table.loc[target_rows, ["randcrowns", "iou"]] = 0.0
    if len(target_rows) == 0 or len(drawn_rows) == 0:
        return cast("pd.DataFrame", table)

    # Scores (targets, submissions) of all combinations; each score has its own assignment.
    every_target = target_boxes[:, None]
    every_submission = drawn_boxes[None]
    scores_of_columns = {
        ("randcrowns", "submission"): _randcrowns(every_target, every_submission, image_size),
        ("iou", "iou_submission"): _iou(every_target, every_submission),
    }
    for (score_column, match_column), scores in scores_of_columns.items():
        assigned_targets, assigned_drawn = _assign(scores)
        rows = target_rows[assigned_targets]
        table.loc[rows, score_column] = scores[assigned_targets, assigned_drawn]
        table.loc[rows, match_column] = drawn_rows[assigned_drawn]
    return cast("pd.DataFrame", table)


def _plot_bounds(bounds: ArrayLike) -> Floats:
    """Return the bounds of a plot as an array (4,): xmin, ymin, xmax, ymax.

    Raises:
        InputError: if the bounds are not four finite numbers or have no area.
    """
    plot_bounds = as_float_array(bounds, "The row of bounds")
    if plot_bounds.shape != (4,) or not np.isfinite(plot_bounds).all():
        raise InputError(
            "idtrees.invalid_bounds",
            "The bounds of the plot must be four numbers: xmin, ymin, xmax, ymax.",
        )
    if not (plot_bounds[2:] > plot_bounds[:2]).all():
        raise InputError(
            "idtrees.no_area",
            "The bounds of the plot have no area; they are xmin, ymin, xmax, ymax.",
        )
    return plot_bounds


def _assign(scores: Floats) -> tuple[Ints, Ints]:
    """Return the rows and columns of the one-to-one assignment with the largest total score.

    Args:
        scores: (T, S) scores; pairs with a score of 0 are not assigned.
    """
    row, column = np.nonzero(scores > 0)
    shape = (len(scores), scores.shape[1])
    assigned = assign_max_gain(row, column, scores[row, column], shape)
    return row[assigned], column[assigned]


def _pixel_boxes(polygons: Objects, bounds: Floats) -> tuple[Ints, Ints]:
    """Return the polygons that meet an image as boxes in whole pixels.

    Args:
        polygons: (n,) polygons, metres.
        bounds: (4,) xmin, ymin, xmax, ymax of the image, metres.

    Returns:
        (m,) rows of the polygons, and (m, 4) boxes: x, y, width, height from the lower left corner
        of the image, each rounded down on its own.
    """
    is_meeting = shapely.intersects(polygons, shapely.box(*bounds))
    polygon_bounds = shapely.bounds(polygons[is_meeting])
    lower_left, upper_right = polygon_bounds[:, :2], polygon_bounds[:, 2:]
    boxes = np.hstack([lower_left - bounds[:2], upper_right - lower_left])  # metres
    pixel_boxes = np.floor(boxes * _PIXELS_PER_METRE).astype(np.int64)
    return np.flatnonzero(is_meeting), pixel_boxes


def _randcrowns(scored: Ints, halo: Ints, image_size: int) -> Floats:
    """Compute RandCrowns of boxes against the regions around other boxes.

    Args:
        scored: (..., 4) boxes to score: x, y, width, height, pixels.
        halo: (..., 4) boxes that the regions are drawn around.
        image_size: number of pixels along each side of the image.

    Returns:
        (...) scores, in the common shape of both arrays.
    """
    width = halo[..., 2].astype(float)
    height = halo[..., 3].astype(float)
    # Widening by w around the outer box adds the area perimeter * w + 4 * w². It is to be as large
    # as the box itself; this is the solution of that quadratic equation.
    perimeter = 2 * (width + height + 4 * _HALO)
    widening = (-perimeter + np.sqrt(perimeter**2 + 16 * width * height)) / 8
    inner_box = halo + np.array([_HALO, _HALO, -2 * _HALO, -2 * _HALO])
    outer_box = halo + np.array([-_HALO, -_HALO, 2 * _HALO, 2 * _HALO])
    edge_box = outer_box + np.stack([-widening, -widening, 2 * widening, 2 * widening], axis=-1)
    scored_pixels = _pixels(scored, image_size)
    inner_pixels = _pixels(inner_box, image_size)
    outer_pixels = _pixels(outer_box, image_size)
    edge_pixels = _pixels(np.trunc(edge_box).astype(np.int64), image_size)

    # The toolbox extends the edge by a box that leaves it, which changes neither b nor c.
    outer_in_edge = _intersection(edge_pixels, outer_pixels)
    n_hit = _count(_intersection(scored_pixels, inner_pixels))
    n_ring = _count(edge_pixels) - _count(outer_in_edge)
    n_box_in_edge = _count(_intersection(edge_pixels, scored_pixels))
    n_box_in_both = _count(_intersection(outer_in_edge, scored_pixels))
    n_box_in_outer = _count(_intersection(scored_pixels, outer_pixels))
    a = n_hit**2
    b = (n_ring - n_box_in_edge + n_box_in_both) ** 2
    c = (_count(scored_pixels) - n_box_in_outer) ** 2
    d = (_count(inner_pixels) - n_hit) ** 2
    with np.errstate(invalid="ignore"):
        return np.where(a == 0, 0.0, (a + b) / (a + b + c + d))


def _iou(first: Ints, second: Ints) -> Floats:
    """Compute the IoU (...) of boxes (..., 4): x, y, width, height; 0 if both have no area."""
    low = np.maximum(first[..., :2], second[..., :2])
    high = np.minimum(first[..., :2] + first[..., 2:], second[..., :2] + second[..., 2:])
    shared = np.prod(np.maximum(high - low, 0), axis=-1)
    first_area = np.prod(first[..., 2:], axis=-1)
    second_area = np.prod(second[..., 2:], axis=-1)
    return cast("Floats", np.nan_to_num(overlap_rates(shared, first_area, second_area)[0]))


def _pixels(box: Ints, image_size: int) -> Ints:
    """Return the pixel rectangles of boxes.

    Args:
        box: (..., 4) x, y, width, height, pixels.
        image_size: number of pixels along each side of the image.

    Returns:
        (..., 4) first x, first y, last x, last y. Pixels beyond the image are moved to its border;
        an empty box has a last pixel before the first.
    """
    first = box[..., :2]
    last = first + box[..., 2:] - 1
    is_empty = (box[..., 2:] <= 0).any(axis=-1, keepdims=True)
    clamped = np.clip(np.concatenate([first, last], axis=-1), 0, image_size - 1)
    return np.where(is_empty, np.array([0, 0, -1, -1]), clamped)


def _intersection(first: Ints, second: Ints) -> Ints:
    """Return the pixel rectangles (..., 4) that two pixel rectangles share."""
    low = np.maximum(first[..., :2], second[..., :2])
    high = np.minimum(first[..., 2:], second[..., 2:])
    return np.concatenate([low, high], axis=-1)


def _count(rectangle: Ints) -> Ints:
    """Return the number of pixels (...) of pixel rectangles (..., 4)."""
    sides = np.maximum(rectangle[..., 2:] - rectangle[..., :2] + 1, 0)
    return cast("Ints", np.prod(sides, axis=-1))


def rows_of_other_size(plots: Floats) -> Ints:
    """Return the rows of the plots that are not 20 m x 20 m, as the competition's images are.

    Args:
        plots: (p, 4) xmin, ymin, xmax, ymax, metres.

    >>> rows_of_other_size(np.array([[0.0, 0.0, 20.0, 20.0], [0.0, 0.0, 30.0, 20.0]])).tolist()
    [1]
    """
    sides = plots[:, 2:] - plots[:, :2]
    half_a_pixel = 0.5 / _PIXELS_PER_METRE
    has_other_side = np.abs(sides - _SIDE) > half_a_pixel
    return np.flatnonzero(has_other_side.any(axis=1))


def find_target_plots(targets: Crowns, plots: Floats) -> Ints:
    """Return the row of the image that each target lies in.

    Targets of the same plot name get the image that contains most of their area. Targets without
    plot names get the image that contains most of their own area. A target that does not meet that
    image gets none.

    Args:
        targets: n crowns.
        plots: (p, 4) xmin, ymin, xmax, ymax of the images, metres.

    Returns:
        (n,) rows of the images; -1 for none. Ties go to the lowest row.

    >>> images = np.array([[0.0, 0.0, 20.0, 20.0], [20.0, 0.0, 40.0, 20.0]])
    >>> find_target_plots(Crowns([shapely.box(18, 0, 21, 2), shapely.box(50, 0, 51, 1)]), images)
    array([ 0, -1])
    """
    # Pairs of a target and an image that it meets.
    images = shapely.box(*plots.T)
    target_rows, image_rows = shapely.STRtree(images).query(
        targets.geometry, predicate="intersects"
    )
    shared = shapely.intersection(targets.geometry[target_rows], images[image_rows])

    # Number of each target's plot name; without names each target has its own number.
    name_numbers = np.arange(len(targets))
    if targets.plots is not None:
        names = pd.Series(targets.plots, dtype=object)
        name_numbers, _ = pd.factorize(names, use_na_sentinel=False)

    # The image that contains most of the area of each name's targets.
    overlaps = pd.DataFrame(
        {"name": name_numbers[target_rows], "image": image_rows, "shared": shapely.area(shared)}
    )
    sums = overlaps.groupby(["name", "image"], as_index=False)["shared"].sum()
    sorted_sums = sums.sort_values(["name", "shared", "image"], ascending=[True, False, True])
    best_images = sorted_sums.drop_duplicates("name").set_index("name")["image"]
    image_of_target = best_images.reindex(name_numbers).fillna(-1).to_numpy(dtype=np.int64)

    # Targets that do not meet the image of their name get none.
    is_best = image_rows == image_of_target[target_rows]
    meets_image = np.zeros(len(targets), dtype=bool)
    meets_image[target_rows[is_best]] = True
    return np.where(meets_image, image_of_target, -1)


def score_plots(
    targets: Crowns,
    delineations: Crowns,
    plots: Floats,
    target_plot: Ints,
    *,
    randcrowns_threshold: float,
    progress: Progress,
) -> CrownScores:
    """Score all plots as the toolbox does.

    Args:
        targets: n crowns that each lie in a plot.
        delineations: submitted crowns of all plots together.
        plots: (p, 4) xmin, ymin, xmax, ymax of the plots' images, metres.
        target_plot: (n,) row of each target's plot.
        randcrowns_threshold: minimum RandCrowns of a crown that counts as found.
        progress: receives the fraction done.

    Returns:
        The tables of :func:`randcrowns.core.scoring.layer.score_crowns`. The pairs are those
        assigned by RandCrowns; ``iou`` is that of the toolbox's second assignment, so it may belong
        to another delineation. IoUCrowns, the terms a to d and tau do not exist in the toolbox and
        are NaN.

    Raises:
        InputError: if a target lies in no plot.

    >>> trees = Crowns([shapely.box(0, 0, 4, 4)])
    >>> image = np.array([[0.0, 0.0, 20.0, 20.0]])
    >>> scores = score_plots(
    ...     trees, trees, image, np.array([0]), randcrowns_threshold=0.5, progress=lambda _: None
    ... )
    >>> scores.targets["randcrowns"].tolist()
    [1.0]
    """
    if (target_plot < 0).any():
        raise InputError("idtrees.target_without_plot", "Every target must lie in a plot.")
    n_targets = len(targets)
    randcrowns = np.zeros(n_targets)
    iou = np.zeros(n_targets)
    match_of_target = np.full(n_targets, -1, dtype=np.int64)  # row of each target's delineation
    for plot, _ in iterate_with_progress(np.unique(target_plot).tolist(), progress):
        target_rows = np.flatnonzero(target_plot == plot)
        submitted_rows = _rows_submitted(targets, delineations, target_rows)
        longest_side = float(np.max(plots[plot, 2:] - plots[plot, :2]))
        table = idtrees_scores(
            targets.geometry[target_rows],
            delineations.geometry[submitted_rows],
            plots[plot],
            image_size=round(longest_side * _PIXELS_PER_METRE),
        )
        randcrowns[target_rows] = table["randcrowns"].to_numpy()
        iou[target_rows] = table["iou"].to_numpy()
        submission_numbers = table["submission"].to_numpy()
        is_matched = submission_numbers >= 0
        match_of_target[target_rows[is_matched]] = submitted_rows[submission_numbers[is_matched]]

    pairs = _tabulate_pairs(targets, delineations, match_of_target, randcrowns, iou)
    # The toolbox has no tau and scores targets of any size.
    no_tau = np.full(n_targets, np.nan)
    none_too_small = np.zeros(n_targets, dtype=bool)
    scored = ScoredPairs(pairs, tau=no_tau, is_too_small=none_too_small)
    assigned = assigned_pairs(pairs)
    per_target = target_table(assigned, scored, targets, Pairing.HUNGARIAN)
    per_target = per_target.assign(
        randcrowns=randcrowns,
        iou=iou,
        iou_crowns=np.nan,
        best_iou=iou,
        best_randcrowns=randcrowns,
    )
    per_delineation = delineation_table(assigned, targets, delineations)
    if delineations.plots is None:
        per_delineation["plot"] = None
    summary = summarise(per_target, per_delineation, randcrowns_threshold=randcrowns_threshold)
    return CrownScores(
        targets=per_target, delineations=per_delineation, summary=summary, pairs=pairs
    )


def _tabulate_pairs(
    targets: Crowns, delineations: Crowns, match: Ints, randcrowns: Floats, iou: Floats
) -> pd.DataFrame:
    """Return the table of pairs of :class:`randcrowns.core.scoring.layer.ScoredPairs`.

    Args:
        targets: n crowns.
        delineations: submitted crowns.
        match: (n,) row of each target's delineation; -1 for none.
        randcrowns: (n,) RandCrowns of the targets.
        iou: (n,) IoU of the targets.
    """
    target_rows = np.flatnonzero(match >= 0)
    drawn_rows = match[target_rows]
    target_centroids = shapely.centroid(targets.geometry[target_rows])
    drawn_centroids = shapely.centroid(delineations.geometry[drawn_rows])
    table = pd.DataFrame(
        {
            "target": target_rows,
            "delineation": drawn_rows,
            "target_id": targets.ids[target_rows],
            "delineation_id": delineations.ids[drawn_rows],
            "distance": shapely.distance(target_centroids, drawn_centroids),
            "randcrowns": randcrowns[target_rows],
            "iou": iou[target_rows],
            **dict.fromkeys(("iou_crowns", "a", "b", "c", "d", "tau"), np.nan),
            "status": Status.SCORED.value,
            "assigned": True,
        }
    )
    return cast("pd.DataFrame", table)


def _rows_submitted(targets: Crowns, delineations: Crowns, rows: Ints) -> Ints:
    """Return the rows of the delineations that may belong to the plot of some targets.

    Without plot names these are all delineations; the ones off the image are ignored later.

    Args:
        targets: crowns to be found.
        delineations: submitted crowns of all plots.
        rows: rows of the targets of one plot.
    """
    if targets.plots is None or delineations.plots is None:
        return np.arange(len(delineations))
    plots = set(targets.plots[rows])
    return np.flatnonzero([plot in plots for plot in delineations.plots])
