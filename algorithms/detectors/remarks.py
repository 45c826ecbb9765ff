"""Remarks on what a ranking is about: whose pixels, which band holds the score, what is excluded or missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely

from randcrowns.algorithms.detectors.choices import BAND, RESOLUTION, DetectorJob
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats
from randcrowns.core.remarks import Remark, info, note, some
from randcrowns.layers.raster.grid import Grid

#: Whole numbers beyond it are no longer all different once they are floating point numbers.
_EXACT = 2**53
#: Share of the study area that is not worth a remark.
_HARDLY = 1e-3


def pixel_remarks(job: DetectorJob, grid: Grid, first: str) -> list[Remark]:
    """Which raster sets the grid where several could, and which band of those of several bands is taken."""
    if not job.areas:
        said = "Rasters hold no crowns and are not counted: {names}."
        return [note("areas.rasters_not_counted", said, names=list(job.rasters))]
    told, others = [], _of_other_pixels(job, grid)
    if job[RESOLUTION] > 0:
        said = "Rasters were resampled to pixels of {size:g} m (nearest neighbour)."
        told.append(note("areas.pixels_given", said, size=job[RESOLUTION]))
    elif others:
        said = "Raster '{first}' sets the pixels ({width:g} x {height:g} m); aligned to them: {others}."
        told.append(note("areas.pixels_aligned", said, first=first, others=others, **_pixel(grid)))
    elif len(job.detectors) > 1:
        told.append(note("areas.pixels_of", "The pixels of raster '{first}' are counted.", first=first))
    said = "Raster '{name}' has {bands} bands; band {band} holds its score."
    return told + [
        note("areas.band", said, name=name, bands=raster.bands, band=job[BAND])
        for name, raster in job.rasters.items()
        if raster.bands > 1
    ]


def excluded_remarks(valid: Bools, scores: dict[str, Floats]) -> list[Remark]:
    """How much of the area is excluded, and because of which detector."""
    every = int(valid.sum())
    gaps = {name: int((valid & np.isnan(score)).sum()) for name, score in scores.items()}
    gaps = {name: gap for name, gap in gaps.items() if 0 < gap < every}
    if not gaps:
        return []
    gone = every - int(known_to_all(valid, scores).sum())
    who = [
        info("areas.gap", "{name} has no scores in {share} %", name=name, share=_percent(gap, every))
        for name, gap in gaps.items()
    ]
    if len(gaps) == 1:
        who = [info("areas.gap", "{name} has no scores there", name=next(iter(gaps)))]
    said = "{share} % of the area is excluded for all detectors: {who} ({gone:,} of {every:,} pixels)."
    return [note("areas.excluded", said, share=_percent(gone, every), who=who, gone=gone, every=every)]


def beyond_the_raster(area: shapely.Geometry, grid: Grid, first: str) -> list[Remark]:
    """How much of the study area the raster that sets the pixels does not reach."""
    covered = shapely.intersection(area, shapely.box(*grid.bounds)).area
    if covered >= (1 - _HARDLY) * area.area:
        return []
    said = "{share} % of the study area lies outside raster '{first}' and is not counted."
    return [note("areas.beyond", said, share=_percent(area.area - covered, area.area), first=first)]


def nothing_here(
    job: DetectorJob, area: shapely.Geometry | None, votes: VoteTable, scores: dict[str, Floats], valid: Bools
) -> list[Remark]:
    """Which annotators and detectors have nothing where detectors are compared, and whose score is constant."""
    where = info("areas.study_area", "the study area")
    if area is None and job.rasters:
        where = info("areas.raster", "the pixels of raster '{first}'", first=next(iter(job.rasters)))
    marked = votes.patterns[votes.weights > 0].any(axis=0)
    absent = [name for name, any_mark in zip(votes.names, marked) if not any_mark]
    told = []
    if absent:
        one = "Annotator {names} has no polygons inside {where}."
        many = "Annotators {names} have no polygons inside {where}."
        told.append(note("areas.absent", many, one=one, count=len(absent), names=some(absent), where=where))
    for name, score in scores.items():
        seen = score[valid]
        if seen.size and (seen == seen[0]).all():
            nothing = np.isneginf(seen[0])
            what = "found nothing" if nothing else "has the same score everywhere"
            said = f"{{name}} {what} inside {{where}}: its AUCR is at chance level, half way between the skew limits."
            told.append(note("areas.nothing_found" if nothing else "areas.constant", said, name=name, where=where))
    return told


def excluded_crowns(name: str, plots: Sequence[str], all_of_them: int) -> Remark:
    """That crowns of an annotator lie in plots, one for each crown, in which no detector found anything."""
    said = "{name}: {gone:,} of {all:,} crowns are excluded: no detector found anything in their plots ({plots})."
    where = some(sorted(set(plots)))
    return note("crowns.excluded", said, name=name, gone=len(plots), all=all_of_them, plots=where)


def tolerance_remarks(tolerance: float, grid: Grid) -> list[Remark]:
    """That a tolerance is too small to do anything."""
    if not 0 < tolerance < min(grid.pixel_width, grid.pixel_height):
        return []
    said = "The tolerance of {tolerance:g} m is less than a pixel ({width:g} x {height:g} m) and does nothing."
    return [note("areas.tolerance", said, tolerance=tolerance, **_pixel(grid))]


def merged_scores(name: str, values: Sequence[Any]) -> list[Remark]:
    """That whole numbers are too large to be distinguished."""
    large = {value for value in values if isinstance(value, int) and abs(value) > _EXACT}
    left = len(set(map(float, large)))
    if left == len(large):
        return []
    said = (
        "Layer '{name}': {number:,} different scores beyond {exact:,} became {left:,}, since larger whole numbers are "
        "rounded. Use smaller ones; only the order of the scores counts."
    )
    return [note("input.merged_scores", said, name=name, number=len(large), exact=_EXACT, left=left)]


def known_to_all(valid: Bools, scores: dict[str, Floats]) -> Bools:
    """Where each detector that has any score has one; nowhere when none has any."""
    common, any_score = valid.copy(), False
    for score in scores.values():
        known = valid & ~np.isnan(score)
        if known.any():
            common &= known
            any_score = True
    return common if any_score else np.zeros_like(valid)


def _of_other_pixels(job: DetectorJob, grid: Grid) -> list[str]:
    return [
        name for name, raster in job.rasters.items() if not Grid.of_raster(raster, job.transform_context).same_as(grid)
    ]


def _pixel(grid: Grid) -> dict[str, Any]:
    return {"width": round(grid.pixel_width, 4), "height": round(grid.pixel_height, 4)}


def _percent(part: int, whole: int) -> str:
    share = 100 * part / whole
    return f"{share:.0f}" if share >= 1 else f"{share:.1g}"
