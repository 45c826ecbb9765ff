"""Sentences on what a ranking is about: whose pixels, which band holds the score, what is left out or not there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely

from randcrowns.algorithms.detectors.choices import BAND, RESOLUTION, DetectorJob
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Bools, Floats
from randcrowns.core.crowns import list_some
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.words import tr

#: Whole numbers beyond it are no longer all different once they are floating point numbers.
_EXACT = 2**53
#: Share of the study area that is not worth telling.
_HARDLY = 1e-3


@dataclass(frozen=True)
class Told:
    """What was said.

    Attributes:
        sentences: all of it.
        notes: what changes what all values are about.
        crown_notes: the same of those over whole crowns.
    """

    sentences: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    crown_notes: list[str] = field(default_factory=list)

    def say(self, *said: str) -> None:
        """Say this in the log; empty ones are not said."""
        self.sentences.extend(filter(None, said))

    def note(self, *said: str) -> None:
        """Say this in the log and on the page."""
        self.say(*said)
        self.notes.extend(filter(None, said))

    def note_crowns(self, *said: str) -> None:
        """Say this in the log, and on the page beside what is about whole crowns."""
        self.say(*said)
        self.crown_notes.extend(filter(None, said))


def pixel_notes(job: DetectorJob, grid: Grid, first: str) -> list[str]:
    """Which raster sets the grid where several could, and which band of those of several bands is taken."""
    told = []
    if not job.areas:
        return [tr("Rasters hold no crowns and are not counted: {names}.").format(names=", ".join(job.rasters))]
    if job[RESOLUTION] > 0:
        told.append(
            tr("Rasters were read at pixels of {size:g} m, each the nearest of theirs.").format(size=job[RESOLUTION])
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
                    name=name, bands=raster.bands, band=job[BAND]
                )
            )
    return told


def what_is_left_out(valid: Bools, scores: dict[str, Floats]) -> str:
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


def beyond_the_raster(area: shapely.Geometry, grid: Grid, first: str) -> str:
    """How much of the study area the raster that sets the pixels does not reach; empty when it covers it."""
    covered = shapely.intersection(area, shapely.box(*grid.bounds)).area
    if covered >= (1 - _HARDLY) * area.area:
        return ""
    share = _percent(area.area - covered, area.area)
    return tr("{share} % of the study area lies outside raster '{first}' and is not counted.").format(
        share=share, first=first
    )


def nothing_here(
    job: DetectorJob,
    area: shapely.Geometry | None,
    votes: VoteTable,
    scores: dict[str, Floats],
    valid: Bools,
) -> list[str]:
    """Which annotators and polygon detectors have nothing where detectors are judged, and whose score is constant."""
    where = tr("the study area")
    if area is None and job.rasters:
        where = tr("the pixels of raster '{first}'").format(first=next(iter(job.rasters)))
    marked = votes.patterns[votes.weights > 0].any(axis=0)
    absent = [name for name, any_mark in zip(votes.names, marked) if not any_mark]
    told = []
    if absent:
        have = tr("Annotator {names} has") if len(absent) == 1 else tr("Annotators {names} have")
        who = have.format(names=list_some(absent))
        told.append(tr("{who} nothing inside {where}.").format(who=who, where=where))
    for name, score in scores.items():
        seen = score[valid]
        if seen.size and (seen == seen[0]).all():
            what = tr("found nothing") if np.isneginf(seen[0]) else tr("has the same score everywhere")
            told.append(
                tr(
                    "{name} {what} inside {where}: its AUCR is that of guessing, half way between the skew limits."
                ).format(name=name, what=what, where=where)
            )
    return told


def crowns_left_out(name: str, plots: Sequence[str], all_of_them: int) -> str:
    """That crowns of an annotator lie in plots, one for each crown, in which no detector found anything."""
    return tr(
        "{name}: {gone:,} of {all:,} crowns were left out, for no detector found anything in their plots ({plots})."
    ).format(name=name, gone=len(plots), all=all_of_them, plots=list_some(sorted(set(plots))))


def tolerance_note(tolerance: float, grid: Grid) -> str:
    """That a tolerance is too small to do anything; empty when it is not."""
    if not 0 < tolerance < min(grid.pixel_width, grid.pixel_height):
        return ""
    said = tr("The tolerance of {tolerance:g} m is less than a pixel ({width:g} x {height:g} m) and does nothing.")
    return said.format(tolerance=tolerance, width=round(grid.pixel_width, 4), height=round(grid.pixel_height, 4))


def merged_scores(name: str, values: Sequence[Any]) -> str:
    """That whole numbers are too large to be told apart; empty when none are."""
    large = {value for value in values if isinstance(value, int) and abs(value) > _EXACT}
    left = len(set(map(float, large)))
    if left == len(large):
        return ""
    return tr(
        "Layer '{name}': {number:,} different scores beyond {exact:,} became {left:,}, for larger whole numbers are "
        "rounded; take smaller ones, only their order counts."
    ).format(name=name, number=len(large), exact=_EXACT, left=left)


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


def _percent(part: int, whole: int) -> str:
    share = 100 * part / whole
    return f"{share:.0f}" if share >= 1 else f"{share:.1g}"
