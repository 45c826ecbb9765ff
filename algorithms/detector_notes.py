"""Sentences on the pixels of a ranking: whose they are, which band holds the score, and what is left out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from randcrowns.algorithms.base import tr
from randcrowns.algorithms.detector_job import DetectorJob
from randcrowns.layers.raster import Grid

__all__ = ["known_to_all", "pixel_notes", "what_is_left_out"]


def pixel_notes(job: DetectorJob, grid: Grid, first: str) -> list[str]:
    """Which raster sets the grid where several could, and which band of those of several bands is taken."""
    told = []
    if job.units == "crowns":
        return [tr("Rasters hold no crowns and are not counted: {names}.").format(names=", ".join(job.rasters))]
    if job.resolution > 0:
        told.append(
            tr("Rasters were read at pixels of {size:g} m, each the nearest of theirs.").format(size=job.resolution)
        )
    elif others := _of_other_pixels(job, grid):
        told.append(
            tr("Raster '{first}' sets the pixels ({width:g} x {height:g} m); aligned to them: {others}.").format(
                first=first,
                width=round(grid.pixel_width, 4),
                height=round(grid.pixel_height, 4),
                others=", ".join(others),
            )
        )
    elif len(job.detectors) > 1:
        told.append(tr("The pixels of raster '{first}' are counted.").format(first=first))
    for name, raster in job.rasters.items():
        if raster.bands > 1:
            told.append(
                tr("Raster '{name}' has {bands} bands; band {band} was taken for its score.").format(
                    name=name, bands=raster.bands, band=job.band
                )
            )
    return told


def what_is_left_out(valid: NDArray[np.bool_], scores: dict[str, NDArray[np.float64]]) -> str:
    """How much of the area is counted for nobody, and because of whom; empty when nothing is left out."""
    every = int(valid.sum())
    gaps = {name: int((valid & np.isnan(score)).sum()) for name, score in scores.items()}
    gaps = {name: gap for name, gap in gaps.items() if 0 < gap < every}
    if not gaps:
        return ""
    gone = every - int(known_to_all(valid, scores).sum())
    who = ", ".join(
        tr("{name} has no scores in {share} %").format(name=name, share=_percent(gap, every))
        for name, gap in gaps.items()
    )
    if len(gaps) == 1:
        who = tr("{name} has no scores there").format(name=next(iter(gaps)))
    said = tr("{share} % of the area left out for all detectors: {who} ({gone:,} of {every:,} pixels).")
    return said.format(share=_percent(gone, every), who=who, gone=gone, every=every)


def known_to_all(valid: NDArray[np.bool_], scores: dict[str, NDArray[np.float64]]) -> NDArray[np.bool_]:
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


def _percent(part: int, whole: int) -> str:
    share = 100 * part / whole
    return f"{share:.0f}" if share >= 1 else f"{share:.1g}"
