"""RandCrowns, IoU and IoUCrowns of pairs of crowns (Stewart et al. 2021, "RandCrowns: A Quantitative Metric for
Imprecisely Labeled Tree Crown Delineation", Eq. 5-14 and Table II)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely
from numpy.typing import ArrayLike

from randcrowns.core.arrays import Bools, Floats, Ints, Objects, slices
from randcrowns.core.crowns import polygon_array
from randcrowns.core.errors import InputError
from randcrowns.core.geometry.areas import centre_of, to_origin
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.scoring.offset_table import OffsetTable, offset_table
from randcrowns.core.scoring.offsets import offsets_of, target_offsets
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.statistics import iou_of
from randcrowns.core.status import Status

SCORE_COLUMNS = ["randcrowns", "iou", "iou_crowns", "a", "b", "c", "d", "tau", "status"]

_OUTCOMES = np.array(
    [status.value for status in (Status.SCORED, Status.EXTENT_LIMITED, Status.MISSED, Status.TARGET_TOO_SMALL)],
    dtype=object,
)


def score_pairs(
    targets: ArrayLike,
    delineations: ArrayLike,
    parameters: RandCrownsParameters,
    extent: Any = None,
    *,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Score delineations against targets, row by row.

    Args:
        targets: (n,) shapely polygons or multipolygons, metres; None where there is none.
        delineations: (n,) the delineation scored against each target.
        parameters: alpha, omega, gamma and the kind of offsets.
        extent: a polygon, or xmin, ymin, xmax, ymax; every offset of a target is cut to it, as the paper cuts to
            the image. Delineations are taken whole.

    Returns:
        A row per pair: ``randcrowns``, ``iou``, ``iou_crowns`` (0 to 1; NaN where nothing can be scored); ``a``,
        ``b``, ``c``, ``d``, the pairs of points of Eq. 10-13 (m⁴); ``tau`` (m); ``status`` (a :class:`Status` as
        text).

    Raises:
        InputError: if the arrays differ in length or hold anything but valid polygons.

    >>> square, half = shapely.box(0, 0, 5, 5), shapely.box(0, 0, 5, 2.5)
    >>> score_pairs([square], [half], RandCrownsParameters(0.7, 1.2, 3))["randcrowns"].round(3).tolist()
    [0.974]
    """
    target_shapes, target_row = _distinct(polygon_array(targets, "targets"))
    drawn_shapes, drawn_row = _distinct(polygon_array(delineations, "delineations"))
    if len(target_row) != len(drawn_row):
        raise InputError(
            f"Pairs need as many targets as delineations, but there are {len(target_row)} and {len(drawn_row)}."
        )
    usable = (~_no_geometry(target_shapes))[target_row] & (~_no_geometry(drawn_shapes))[drawn_row]
    some = np.flatnonzero(usable)
    kept, row_of_kept = np.unique(target_row[some], return_inverse=True)
    drawn, row_of_drawn = np.unique(drawn_row[some], return_inverse=True)
    table = offset_table(
        target_shapes[kept],
        drawn_shapes[drawn],
        row_of_kept,
        row_of_drawn,
        parameters,
        extent_polygon(extent),
        progress,
    )
    scores = score_table(table)
    scores.index = pd.Index(some)
    scores = scores.reindex(range(len(usable)))
    scores["status"] = scores["status"].where(usable, Status.NO_GEOMETRY.value)
    return scores


def score_table(table: OffsetTable) -> pd.DataFrame:
    """The terms, the three scores and the status of every pair of an offset table (Eq. 10-14).

    A delineation that misses the true positive region scores 0 (Fig. 3); a target whose true positive region is
    empty cannot be scored.
    """
    target = table.target
    certain, tolerated = table.certain_area[target], table.tolerated_area[target]
    ring = table.edge_area[target] - tolerated
    a = table.certain_shared**2
    b = np.maximum(ring - (table.edge_shared - table.tolerated_shared), 0.0) ** 2
    c = np.maximum(table.delineation_area - table.tolerated_shared, 0.0) ** 2
    d = np.maximum(certain - table.certain_shared, 0.0) ** 2

    too_small = certain == 0
    missed = ~too_small & (a == 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        randcrowns = np.where(missed, 0.0, (a + b) / (a + b + c + d))
        iou_crowns = np.where(missed, 0.0, a / (a + c + d))
        iou = iou_of(table.shared, table.delineation_area, table.area[target])
    randcrowns[too_small] = iou_crowns[too_small] = np.nan

    outcome = table.limited[target].astype(np.intp)
    outcome[missed], outcome[too_small] = 2, 3
    columns = [randcrowns, iou, iou_crowns, a, b, c, d, table.tau[target], _OUTCOMES[outcome]]
    return pd.DataFrame(dict(zip(SCORE_COLUMNS, columns)))


class TargetRegions(NamedTuple):
    """The regions of targets as polygons (empty where a region is), and what made them.

    Attributes:
        R_a: (n,) true positive regions, T(-alpha) (Eq. 5).
        R_o: (n,) outer regions as filled areas, T(omega) (Eq. 6).
        R_e: (n,) T(omega + tau) (Eq. 9).
        R_b: (n,) true negative regions without a delineation, R_e minus R_o.
        tau: (n,) metres; NaN where the target is too small.
        status: (n,) values of :class:`Status`: scored (the regions are as the parameters say), extent_limited,
            target_too_small or no_geometry.
    """

    R_a: Objects
    R_o: Objects
    R_e: Objects
    R_b: Objects
    tau: Floats
    status: Objects


def target_regions(
    targets: ArrayLike, parameters: RandCrownsParameters, extent: Any = None, *, progress: Progress = no_progress
) -> TargetRegions:
    """The regions of every target as geometries.

    Args:
        targets: (n,) shapely polygons or multipolygons, metres; None where there is none.
        parameters: alpha, omega, gamma and the kind of offsets.
        extent: a polygon, or xmin, ymin, xmax, ymax, that every region is cut to.

    Raises:
        InputError: if the array holds anything but valid polygons.

    >>> target_regions([shapely.box(0, 0, 5, 5)], RandCrownsParameters(0.7, 1.2, 3)).tau.round(3).tolist()
    [1.138]
    """
    shapes = polygon_array(targets, "targets")
    found = np.full((4, len(shapes)), shapely.Polygon(), dtype=object)
    tau = np.full(len(shapes), np.nan)
    status = np.full(len(shapes), Status.NO_GEOMETRY.value, dtype=object)
    usable = np.flatnonzero(~_no_geometry(shapes))
    if len(usable):
        origin = centre_of(shapes[usable])
        done = 0
        for rows, offsets in offsets_of(shapes[usable], parameters, extent_polygon(extent), origin):
            for block in slices(len(rows), 1024):
                near = offsets.take(block)
                regions = target_offsets(near, parameters)
                places = usable[rows[block]]
                certain, tolerated, edge = (
                    to_origin(near.polygons(region), -origin)
                    for region in (regions.certain, regions.tolerated, regions.edge)
                )
                certain[np.isnan(regions.tau)] = shapely.Polygon()
                found[:, places] = certain, tolerated, edge, shapely.difference(edge, tolerated)
                tau[places] = regions.tau
                status[places] = Status.SCORED.value
                status[places[regions.limited]] = Status.EXTENT_LIMITED.value
                status[places[np.isnan(regions.tau)]] = Status.TARGET_TOO_SMALL.value
                done += len(places)
                progress(done / len(usable))
    R_a, R_o, R_e, R_b = found
    return TargetRegions(R_a, R_o, R_e, R_b, tau, status)


def extent_polygon(extent: Any) -> Any:
    """The extent as a valid polygon: given as one, as xmin, ymin, xmax, ymax, or None.

    Raises:
        InputError: if it is neither, or has no area.
    """
    if extent is None:
        return None
    if not isinstance(extent, shapely.Geometry):
        try:
            corners = np.asarray(extent, dtype=float)
        except (TypeError, ValueError):
            corners = np.empty(0)
        if corners.shape != (4,) or not np.isfinite(corners).all():
            raise InputError("The extent must be a polygon, or four numbers: xmin, ymin, xmax, ymax.")
        extent = shapely.box(*corners) if (corners[2:] > corners[:2]).all() else shapely.Polygon()
    (polygon,) = polygon_array([extent], "extent")
    if polygon.is_empty:
        raise InputError("The extent has no area.")
    return polygon


def _no_geometry(polygons: Objects) -> Bools:
    return shapely.is_missing(polygons) | shapely.is_empty(polygons)


def _distinct(polygons: Objects) -> tuple[Objects, Ints]:
    """The distinct geometry objects, and which of them stands in each row."""
    identity = np.fromiter((id(polygon) for polygon in polygons), dtype=np.int64, count=len(polygons))
    _, first, row = np.unique(identity, return_index=True, return_inverse=True)
    return polygons[first], row
