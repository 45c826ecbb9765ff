"""Scores as the evaluation toolbox of the IDTReeS 2020 competition gives them.

The toolbox works on whole pixels of one 0.1 m image, draws the regions around the submitted box, not the target, and
matches RandCrowns and IoU each by an assignment of its own. All its pixel sets are rectangles of whole numbers, so
their sizes are counted here, not listed.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import pandas as pd
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Floats, Ints, Objects, float_array
from randcrowns.core.crowns import Crowns, polygon_array
from randcrowns.core.errors import InputError
from randcrowns.core.given import as_declared
from randcrowns.core.progress import Progress, steps
from randcrowns.core.scoring.layer import (
    CrownScores,
    ScoredPairs,
    delineation_table,
    kept_pairs,
    summarise,
    target_table,
)
from randcrowns.core.scoring.pairing import Pairing
from randcrowns.core.statistics import largest_total, overlap_rates
from randcrowns.core.status import Status

_PIXELS_PER_METRE = 10
#: Metres along each side of an image.
_SIDE = 20.0
_HALO = 1


@as_declared
def idtrees_scores(
    targets: ArrayLike, submissions: ArrayLike, bounds: ArrayLike, *, image_size: int = 200
) -> pd.DataFrame:
    """RandCrowns and IoU of the targets of one plot, as the IDTReeS 2020 toolbox gives them.

    Args:
        targets: (T,) polygons, metres.
        submissions: (S,) polygons, metres. Polygons that do not meet the bounds are ignored.
        bounds: xmin, ymin, xmax, ymax of the plot's image, metres.
        image_size: pixels of 0.1 m along each side of the image.

    Returns:
        A row per target: ``randcrowns`` and ``iou``, 0 where the assignment leaves the target alone, NaN where the
        target does not meet the bounds; ``submission`` and ``iou_submission``, the rows matched in
        each of the two assignments, or -1 where nothing is shared.

    Raises:
        InputError: if the bounds are not four finite numbers, or anything but valid polygons is given.

    >>> idtrees_scores([shapely.box(0, 0, 4, 4)], [shapely.box(0, 0, 4, 2)], (0, 0, 20, 20))["iou"].tolist()
    [0.5]
    """
    corners = float_array(bounds, "The row of bounds")
    if corners.shape != (4,) or not np.isfinite(corners).all():
        raise InputError("The bounds of the plot must be four numbers: xmin, ymin, xmax, ymax.")
    if not (corners[2:] > corners[:2]).all():
        raise InputError("The bounds of the plot have no area; they are xmin, ymin, xmax, ymax.")
    if int(image_size) != image_size or image_size < 1:
        said = "The image must be a whole number of pixels wide, at least 1, not {image_size}."
        raise InputError(said, image_size=image_size)
    target_row, target_box = _pixel_boxes(polygon_array(targets, "targets"), corners)
    drawn_row, drawn_box = _pixel_boxes(polygon_array(submissions, "submissions"), corners)
    table = pd.DataFrame(
        {"randcrowns": np.nan, "iou": np.nan, "submission": -1, "iou_submission": -1},
        index=range(len(np.asarray(targets, dtype=object))),
    )
    table.loc[target_row, ["randcrowns", "iou"]] = 0.0
    if len(target_row) and len(drawn_row):
        for score, match, values in (
            (
                "randcrowns",
                "submission",
                _randcrowns(target_box[:, None], drawn_box[None], image_size),
            ),
            ("iou", "iou_submission", _iou(target_box[:, None], drawn_box[None])),
        ):
            target, drawn = np.nonzero(values > 0)
            chosen = largest_total(
                target, drawn, values[target, drawn], (len(target_row), len(drawn_row))
            )
            target, drawn = target[chosen], drawn[chosen]
            table.loc[target_row[target], score] = values[target, drawn]
            table.loc[target_row[target], match] = drawn_row[drawn]
    return cast("pd.DataFrame", table)


def _pixel_boxes(polygons: Objects, bounds: Floats) -> tuple[Ints, Ints]:
    """Rows of the polygons that meet the bounds, and their boxes x, y, width, height in whole pixels."""
    meeting = shapely.intersects(polygons, shapely.box(*bounds))
    xmin, ymin, xmax, ymax = shapely.bounds(polygons[meeting]).T
    sides = np.stack([xmin - bounds[0], ymin - bounds[1], xmax - xmin, ymax - ymin], axis=-1)
    return np.flatnonzero(meeting), np.floor(sides * _PIXELS_PER_METRE).astype(np.int64)


def _randcrowns(scored: Ints, halo: Ints, image_size: int) -> Floats:
    """RandCrowns of boxes (..., 4) against regions drawn around other boxes, in pixels."""
    width, height = np.moveaxis(halo[..., 2:], -1, 0).astype(float)
    perimeter = 2 * (width + height + 4 * _HALO)
    widen = (-perimeter + np.sqrt(perimeter**2 + 16 * width * height)) / 8
    inner = _pixels(halo + np.array([_HALO, _HALO, -2 * _HALO, -2 * _HALO]), image_size)
    outer_box = halo + np.array([-_HALO, -_HALO, 2 * _HALO, 2 * _HALO])
    outer = _pixels(outer_box, image_size)
    edge_box = outer_box + np.stack([-widen, -widen, 2 * widen, 2 * widen], axis=-1)
    edge = _pixels(np.trunc(edge_box).astype(np.int64), image_size)
    box = _pixels(scored, image_size)

    # Growing the edge by a box that leaves it changes neither b nor c.
    hit = _count(_both(box, inner))
    a = hit**2
    ring = _count(edge) - _count(_both(edge, outer))
    b = (ring - _count(_both(edge, box)) + _count(_both(_both(edge, outer), box))) ** 2
    c = (_count(box) - _count(_both(box, outer))) ** 2
    d = (_count(inner) - hit) ** 2
    with np.errstate(invalid="ignore"):
        return np.where(a == 0, 0.0, (a + b) / (a + b + c + d))


def _iou(first: Ints, second: Ints) -> Floats:
    """IoU of boxes x, y, width, height."""
    low = np.maximum(first[..., :2], second[..., :2])
    high = np.minimum(first[..., :2] + first[..., 2:], second[..., :2] + second[..., 2:])
    shared = np.prod(np.maximum(high - low, 0), axis=-1)
    return cast(
        "Floats",
        np.nan_to_num(
            overlap_rates(
                shared, np.prod(first[..., 2:], axis=-1), np.prod(second[..., 2:], axis=-1)
            )[0]
        ),
    )


def _pixels(box: Ints, image_size: int) -> Ints:
    """First and last pixel of boxes in x and y, (..., 4); coordinates beyond the image are held at its border."""
    first = box[..., :2]
    last = first + box[..., 2:] - 1
    empty = (box[..., 2:] <= 0).any(axis=-1, keepdims=True)
    held = np.clip(np.concatenate([first, last], axis=-1), 0, image_size - 1)
    return np.where(empty, np.array([0, 0, -1, -1]), held)


def _both(first: Ints, second: Ints) -> Ints:
    """Pixels that two rectangles share, again a rectangle."""
    low = np.maximum(first[..., :2], second[..., :2])
    high = np.minimum(first[..., 2:], second[..., 2:])
    return np.concatenate([low, high], axis=-1)


def _count(rectangle: Ints) -> Ints:
    """Number of pixels of rectangles given by their first and last."""
    return cast(
        "Ints", np.prod(np.maximum(rectangle[..., 2:] - rectangle[..., :2] + 1, 0), axis=-1)
    )


def unlike_images(plots: Floats) -> Ints:
    """Rows of the plots that are not 20 x 20 m, as the competition's images are."""
    sides = plots[:, 2:] - plots[:, :2]
    return np.flatnonzero((np.abs(sides - _SIDE) > 0.5 / _PIXELS_PER_METRE).any(axis=1))


def plot_of_targets(targets: Crowns, plots: Floats) -> Ints:
    """(n,) row of the plot of each target, -1 for none: the one that most of the target's group lies in, or without
    groups most of the target itself.

    Args:
        plots: (p, 4) xmin, ymin, xmax, ymax of the images.
    """
    boxes = shapely.box(*plots.T)
    target, plot = shapely.STRtree(boxes).query(targets.geometry, predicate="intersects")
    shared = shapely.area(shapely.intersection(targets.geometry[target], boxes[plot]))
    keys = np.arange(len(targets))
    if targets.groups is not None:
        keys = pd.factorize(pd.Series(targets.groups, dtype=object), use_na_sentinel=False)[0]
    by_key = pd.DataFrame({"key": keys[target], "plot": plot, "shared": shared})
    sums = by_key.groupby(["key", "plot"], as_index=False)["shared"].sum()
    best = sums.sort_values(
        ["key", "shared", "plot"], ascending=[True, False, True]
    ).drop_duplicates("key")
    plot_of_key = best.set_index("key")["plot"].reindex(keys).fillna(-1).to_numpy(dtype=np.int64)
    inside = plot == plot_of_key[target]
    found = np.full(len(targets), -1)
    found[target[inside]] = plot[inside]
    return found


def score_plots(
    targets: Crowns,
    delineations: Crowns,
    plots: Floats,
    plot_of: Ints,
    *,
    randcrowns_threshold: float,
    progress: Progress,
) -> CrownScores:
    """Score every plot as the toolbox does.

    Args:
        targets: crowns that belong to a plot.
        delineations: what was submitted, for all plots together.
        plots: (p, 4) xmin, ymin, xmax, ymax.
        plot_of: (n,) row of each target's plot.
        randcrowns_threshold: least RandCrowns of a crown that counts as found.

    Returns:
        The tables of :func:`randcrowns.core.scoring.layer.score_crowns`; the pairs are those matched by RandCrowns.
        ``iou`` comes of a matching of its own, so it may belong to another delineation; IoUCrowns, the terms and
        tau have no place in the toolbox and are NaN.
    """
    if (plot_of < 0).any():
        raise InputError("Every target must lie in a plot.")
    n = len(targets)
    scores = np.zeros((2, n))
    match = np.full(n, -1, dtype=np.int64)
    for plot, _ in steps(np.unique(plot_of).tolist(), progress):
        some = np.flatnonzero(plot_of == plot)
        drawn = _submitted(targets, delineations, some)
        size = round(float(np.max(plots[plot, 2:] - plots[plot, :2])) * _PIXELS_PER_METRE)
        table = idtrees_scores(
            targets.geometry[some], delineations.geometry[drawn], plots[plot], image_size=size
        )
        scores[:, some] = table[["randcrowns", "iou"]].to_numpy().T
        row = table["submission"].to_numpy()
        match[some[row >= 0]] = drawn[row[row >= 0]]
    row = np.flatnonzero(match >= 0)
    drawn = match[row]
    apart = shapely.distance(
        shapely.centroid(targets.geometry[row]), shapely.centroid(delineations.geometry[drawn])
    )
    pairs = pd.DataFrame(
        {
            "target": row,
            "delineation": drawn,
            "target_id": targets.ids[row],
            "delineation_id": delineations.ids[drawn],
            "distance": apart,
            "randcrowns": scores[0, row],
            "iou": scores[1, row],
            **dict.fromkeys(("iou_crowns", "a", "b", "c", "d", "tau"), np.nan),
            "status": Status.SCORED.value,
            "assigned": True,
        }
    )
    scored = ScoredPairs(pairs, np.full(n, np.nan), np.zeros(n, dtype=bool))
    assigned = kept_pairs(pairs)
    per_target = target_table(assigned, scored, targets, Pairing.HUNGARIAN).assign(
        randcrowns=scores[0],
        iou=scores[1],
        iou_crowns=np.nan,
        best_iou=scores[1],
        best_randcrowns=scores[0],
    )
    per_delineation = delineation_table(assigned, targets, delineations)
    if delineations.groups is None:
        per_delineation["group"] = None
    summary = summarise(per_target, per_delineation, randcrowns_threshold=randcrowns_threshold)
    return CrownScores(per_target, per_delineation, summary, pairs)


def _submitted(targets: Crowns, delineations: Crowns, some: Ints) -> Ints:
    """Rows of the delineations that may belong to the plot of these targets; those off the image are dropped later."""
    if targets.groups is None or delineations.groups is None:
        return np.arange(len(delineations))
    wanted = set(targets.groups[some])
    return np.flatnonzero([group in wanted for group in delineations.groups])
