"""randcrowns:compareannotators - how far annotators agree, where they do not, and who is unlike the rest."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import (
    QgsProcessingContext,
    QgsProcessingFeedback,
)

from randcrowns.algorithms.agreement.choices import (
    BLOCK_SIDE,
    COMPARE_CHOICES,
    DRAWS,
    LEAVE_ONE_OUT,
    MIN_AREA,
    WINDOW,
    AnnotatorLayers,
    input_problem,
    raster_problem,
    take_annotators,
    window_problem,
)
from randcrowns.algorithms.agreement.drawings import Drawings, read_drawings
from randcrowns.algorithms.agreement.image import image_table
from randcrowns.algorithms.agreement.outputs import (
    AGREEMENT,
    AGREEMENT_RASTER,
    ANNOTATOR_PAIRS,
    ANNOTATOR_TABLE,
    COMPARE_OUTPUTS,
    COMPARE_VALUES,
    DISAGREEMENTS,
    IMAGE_TABLE,
    LINKAGE,
    RATIO,
    SUMMARY,
)
from randcrowns.algorithms.agreement.tables import (
    agreement_table,
    annotator_pairs_table,
    annotators_table,
    linkage_table,
    places_table,
    ratio_table,
)
from randcrowns.algorithms.agreement.votes import (
    check_block_side,
    check_counted,
    exact_votes,
    pixel_faces,
    pixel_grid,
    pixel_votes,
)
from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.choices import paragraphs
from randcrowns.algorithms.file_outputs import RasterAlgorithm, RasterTable, looked_up
from randcrowns.core.agreement.consensus import leave_one_out
from randcrowns.core.agreement.crowns import COLUMNS, annotator_instances
from randcrowns.core.agreement.measures import annotator_statistics
from randcrowns.core.agreement.notes import Note, consensus_notes
from randcrowns.core.agreement.places import Disagreements, agreement_faces, disagreements
from randcrowns.core.agreement.summary import AgreementSummary, agreement_summary
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, aside, part_of
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.styles.tree import run_title
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

__all__ = ["CompareAnnotators"]

# Value of the agreement raster outside of the study area.
_OUTSIDE = 255

_HELP = (
    (
        "Several people drew the same place. How far do they agree, where do they differ, and who is unlike the rest? "
        "The measures are those of Lampert, Stumpf and Gançarski (2016), with chance-corrected coefficients and "
        "agreement crown by crown beside them. Polygons may be crowns or anything else."
    ),
    (
        "<b>Annotators</b> are layers, one per person, or the values of a field of one layer. Overlapping polygons of "
        "one person count once."
    ),
    (
        "<b>Study area.</b> Where the annotators looked. Without one only what somebody marked is counted; with an "
        "image and no study area, the image's rectangle."
    ),
    (
        "<b>Pixel size.</b> 0 overlays the polygons exactly. With a size everything is counted at the centres of "
        "pixels; both give the same numbers within the error of a pixel."
    ),
    (
        "<b>Outputs.</b> Faces by number of annotators; places where they differ, the largest first, with who said yes "
        "and who no; a table per annotator against the consensus of half of them, a table per pair, and a summary with "
        "95 % intervals from resampled blocks of the area. Nothing is written when the run is cancelled or fails."
    ),
)


@dataclass(frozen=True)
class _Job:
    layers: AnnotatorLayers
    left_one_out: bool
    min_area: float
    window: int
    block_side: float
    draws: int
    outputs: frozenset[str]

    def check_blocks(self, drawings: Drawings) -> None:
        """Refuse blocks that do not fit, before anything is counted in them."""
        if not self.block_side > 0:
            return
        counted = drawings.grid if IMAGE_TABLE.id in self.outputs else None
        of_image = [] if counted is None else [counted.within(np.array(drawings.bounds))]
        check_block_side(self.block_side, drawings, *of_image)
        if self.layers.resolution > 0:
            check_block_side(self.block_side, drawings, pixel_grid(drawings, self.layers.resolution))


class CompareAnnotators(RasterAlgorithm):
    """Compares any number of annotators."""

    in_one = True
    choices, outputs, values = COMPARE_CHOICES, COMPARE_OUTPUTS, COMPARE_VALUES

    def name(self) -> str:
        """Id within the provider."""
        return "compareannotators"

    def displayName(self) -> str:  # noqa: N802 - QGIS's name
        """Name in the toolbox."""
        return tr("Compare annotators")

    def tags(self) -> list[str]:
        """Words it is found by."""
        return ["randcrowns", "annotator", "agreement", "kappa", "outlier", "smyth", "f1", "label", "expert"]

    def shortDescription(self) -> str:  # noqa: N802 - QGIS's name
        """One line."""
        return tr("How far several people who drew the same place agree, and where they do not.")

    def shortHelpString(self) -> str:  # noqa: N802 - QGIS's name
        """A paragraph per group of parameters."""
        return paragraphs(_HELP)

    def first_problem(self, parameters: dict[str, Any], context: QgsProcessingContext) -> str:
        """The first thing that is wrong, in a sentence; empty when nothing is."""
        given = Given(self, parameters, context)
        return input_problem(given) or raster_problem(given, AGREEMENT_RASTER) or window_problem(given)

    def take(self, parameters: dict[str, Any], context: QgsProcessingContext) -> _Job:
        """Snapshots and plain values."""
        given = Given(self, parameters, context)
        return _Job(
            layers=take_annotators(given),
            left_one_out=given[LEAVE_ONE_OUT],
            min_area=given[MIN_AREA],
            window=given[WINDOW],
            block_side=given[BLOCK_SIDE],
            draws=given[DRAWS],
            outputs=frozenset(output.id for output in self.outputs if output in given),
        )

    def title(self, taken: _Job) -> str:
        """Of the group of the results."""
        return run_title(taken.layers.title)

    def tables(  # type: ignore
        self, taken: _Job, feedback: QgsProcessingFeedback, progress: Progress
    ) -> tuple[dict[str, FeatureTable], dict[str, Any]]:
        """Read, overlay, compare, tabulate."""
        job = taken
        drawings = read_drawings(job.layers, part_of(progress, 0.0, 0.1))
        job.check_blocks(drawings)
        crs = next(iter(job.layers.layers.values())).crs
        votes, faces, grid = _votes(job, drawings, part_of(progress, 0.1, 0.45))
        summary = aside(
            lambda told: agreement_summary(votes, job.block_side or None, n_draws=job.draws, progress=told),
            part_of(progress, 0.45, 0.58),
        )
        marked, differing = aside(
            lambda _: (agreement_faces(faces), disagreements(faces, job.min_area)), part_of(progress, 0.58, 0.6)
        )
        statistics = _statistics(votes, job)
        notes = tuple(dict.fromkeys((*summary.notes, *consensus_notes(statistics, job.left_one_out))))
        colours = ""
        at_places = part_of(progress, 0.6, 0.65)
        tables = {
            AGREEMENT.id: places_table(AGREEMENT, marked, faces, drawings.working, crs, at_places),
            DISAGREEMENTS.id: places_table(DISAGREEMENTS, differing.places, faces, drawings.working, crs, at_places),
            ANNOTATOR_TABLE.id: annotators_table(statistics, votes),
            ANNOTATOR_PAIRS.id: annotator_pairs_table(votes, _instances(drawings, part_of(progress, 0.65, 0.8))),
            LINKAGE.id: linkage_table(votes),
            RATIO.id: ratio_table(votes),
            SUMMARY.id: agreement_table(summary),
        }
        if job.layers.image is not None and IMAGE_TABLE.id in job.outputs:
            found = image_table(job.layers.image, job.layers.colours, drawings, job.window, job.block_side, progress)
            colours = _colours_sentence(job.layers.colours)
            feedback.pushInfo(colours)
            if found is not None:
                tables[IMAGE_TABLE.id] = found
        if AGREEMENT_RASTER.id in job.outputs:
            self.rasters[AGREEMENT_RASTER.id] = _agreement_raster(votes, grid, drawings, part_of(progress, 0.9, 1.0))
        drawings.sentences.extend(_places_sentence(differing, job.min_area))
        for sentence in drawings.sentences:
            feedback.pushWarning(sentence)
        for note in notes:
            feedback.pushInfo(str(note))
        progress(1.0)
        return tables, {**_other_outputs(summary, notes, drawings), "COLOURS": " ".join([colours, *drawings.of_image])}


def _votes(job: _Job, drawings: Drawings, progress: Progress) -> tuple[VoteTable, VoteTable, Grid | None]:
    """The votes, the same with faces, and the pixels if that is what is counted."""
    if not job.layers.resolution > 0:
        votes = exact_votes(drawings, progress)
        return votes, votes, None
    grid = pixel_grid(drawings, job.layers.resolution)
    votes = pixel_votes(drawings, grid, job.block_side, part_of(progress, 0.0, 0.75))
    check_counted(drawings, votes, grid, part_of(progress, 0.75, 0.8))
    drawings.sentences.append(
        tr("Counted in {count:,} pixels of {size:g} m.").format(
            count=round(votes.total / job.layers.resolution**2), size=job.layers.resolution
        )
    )
    return votes, pixel_faces(votes, grid, part_of(progress, 0.8, 1.0)), grid


def _statistics(votes: VoteTable, job: _Job) -> Any:
    if job.left_one_out and votes.n_annotators > 1:
        return annotator_statistics(votes, leave_one_out(votes))
    return annotator_statistics(votes)


def _instances(drawings: Drawings, progress: Progress) -> Any:
    if len(drawings.annotators) < 2:
        return pd.DataFrame(columns=list(COLUMNS))
    return aside(lambda told: annotator_instances(drawings.annotators, drawings.region, progress=told), progress)


def _agreement_raster(votes: VoteTable, grid: Grid | None, drawings: Drawings, progress: Progress) -> RasterTable:
    """Number of annotators per pixel, on the image's pixels where areas are exact."""
    if grid is None:
        if drawings.grid is None:
            raise InputError(tr("The agreement raster needs pixels: give a pixel size."))
        grid = drawings.grid.within(np.array(drawings.bounds))
        votes = pixel_votes(drawings, grid, progress=progress)
    counted = np.append(votes.yes_votes, _OUTSIDE).astype(np.uint8)
    described = tr("Number of annotators (of {count}: {names}) who marked each pixel; 255 is outside.").format(
        count=votes.n_annotators, names=", ".join(votes.names)
    )
    bands = {tr("annotators"): looked_up(counted, np.asarray(votes.index))}
    return RasterTable(bands, "uint8", grid, _OUTSIDE, described)


def _colours_sentence(colours: tuple[int, int, int] | None) -> str:
    if colours is None:
        return tr("The image's brightness and contrast are those of its first band.")
    return tr(
        "The image's brightness and contrast are those of bands {red}, {green}, {blue} (red, green, blue)."
    ).format(red=colours[0], green=colours[1], blue=colours[2])


def _places_sentence(found: Disagreements, min_area: float) -> list[str]:
    if not found.left_out:
        return []
    return [
        tr("{count:,} places below {least:g} m² (together {area:,.1f} m²) are not among the disagreements.").format(
            count=found.left_out, least=min_area, area=found.left_out_area
        )
    ]


def _other_outputs(summary: AgreementSummary, notes: tuple[Note, ...], drawings: Drawings) -> dict[str, Any]:
    table = summary.table["value"]
    return {
        "SMYTH_BOUND": float(table.get("smyth_bound", math.nan)),
        "MEAN_F1": float(table.get("mean_f1", math.nan)),
        "NOTES": json.dumps([note.name for note in notes]),
        "OUTSIDE": "\n".join((*drawings.outside, *drawings.unnamed)),
        "REPORT": "\n".join(drawings.sentences),
    }
