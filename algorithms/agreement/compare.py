"""randcrowns:compareannotators - how far annotators agree, where they do not, and who is an outlier."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from randcrowns.algorithms.agreement import choices, outputs, tables
from randcrowns.algorithms.agreement.choices import COMPARE_CHOICES, AnnotatorJob
from randcrowns.algorithms.agreement.outputs import COMPARE_OUTPUTS, COMPARE_VALUES
from randcrowns.algorithms.agreement.showing import COMPARED
from randcrowns.algorithms.agreement.tables import ImageOfVotes
from randcrowns.algorithms.agreement.votes import (
    Drawings,
    Votes,
    check_block_side,
    drawings_of_images,
    pixel_faces,
    pixel_votes,
    read_votes,
    rectangle_of,
    votes_grid,
)
from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.catalogue import COMPARE_ANNOTATORS
from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.choices import area_told, check_lengths
from randcrowns.algorithms.output import UNIT, Output
from randcrowns.algorithms.outputs import MadeFile
from randcrowns.core.agreement import measures
from randcrowns.core.agreement.consensus import leave_one_out
from randcrowns.core.agreement.notes import consensus_notes
from randcrowns.core.agreement.places import Disagreements, disagreements, largest_first
from randcrowns.core.agreement.summary import AgreementSummary, agreement_summary
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Ints
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, aside, part_of, steps
from randcrowns.core.remarks import Remark, note
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.raster.marks import Marks
from randcrowns.layers.raster.output import RasterTable, looked_up
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

# Value of the agreement raster outside of the study area.
_OUTSIDE = 255
# Outputs whose rows are places: without them no faces are made.
_OF_PLACES = (outputs.AGREEMENT, outputs.DISAGREEMENTS)


class CompareAnnotators(CrownAlgorithm):
    entry = COMPARE_ANNOTATORS
    help = (
        tr(
            "Several people drew the same place. How far do they agree, where do they differ, and who is an outlier? "
            "The measures are those of Lampert, Stumpf and Gançarski (2016), with chance-corrected coefficients and "
            "agreement crown by crown beside them. Polygons may be crowns or anything else; overlapping ones of one "
            "annotator count once."
        ),
        *(choices.ANNOTATORS, choices.STUDY_AREA, choices.RESOLUTION, choices.DRAWS),
    )
    shares = (0.5, 0.9)
    parties = (choices.ANNOTATORS,)
    choices, outputs, values, showing = COMPARE_CHOICES, COMPARE_OUTPUTS, COMPARE_VALUES, COMPARED
    takes_pixels = True

    def check(self, given: Given) -> None:
        choices.check_inputs(given)
        check_lengths(given, choices.MIN_AREA, choices.BLOCK_SIDE)
        choices.check_pixels(given, outputs.AGREEMENT_RASTER)
        choices.check_window(given)
        one = () if choices.IMAGES in given else (choices.IMAGE,)
        choices.check_several(given, *one, choices.BLOCK_SIDE, outputs.AGREEMENT_RASTER)

    def take(self, given: Given) -> AnnotatorJob:
        return choices.take_annotator_job(given)

    def read(self, job: AnnotatorJob, progress: Progress) -> _Read:
        drawn = drawings_of_images(job, part_of(progress, 0.0, 0.2))
        share = part_of(progress, 0.2, 1.0)
        jobs = job.of_images
        parts = {
            image: self._read_one(jobs.get(image, job), one, told)
            for (image, one), told in steps(list(drawn.items()), share)
        }
        return (
            next(iter(parts.values())) if len(parts) == 1 else _several(parts, job[choices.WINDOW])
        )

    def _read_one(self, job: AnnotatorJob, drawings: Drawings, progress: Progress) -> _Read:
        _check_blocks(job, drawings)
        sizes, mapped = (
            (job[choices.RESOLUTION], job[choices.BLOCK_SIDE]),
            not job.wanted.isdisjoint(_OF_PLACES),
        )
        votes = read_votes(drawings, *sizes, part_of(progress, 0.0, 0.7), faces=mapped)
        read = _Read(votes, votes.table if mapped else None, None, None, votes.remarks)
        if mapped and votes.grid is not None:
            read.faces = pixel_faces(votes.table, votes.grid, part_of(progress, 0.7, 0.75))
        _read_pixels(job, read, part_of(progress, 0.75, 1.0))
        return read

    def compute(self, job: AnnotatorJob, read: _Read, progress: Progress) -> _Found:
        votes, drawings = read.votes.table, read.votes.drawings
        summary = aside(
            lambda told: agreement_summary(
                votes, job[choices.BLOCK_SIDE] or None, resamples=job[choices.DRAWS], progress=told
            ),
            part_of(progress, 0.0, 0.4),
        )
        places = None
        if (faces := read.faces) is not None:
            places = aside(
                lambda _: (largest_first(faces), disagreements(faces, job[choices.MIN_AREA])),
                part_of(progress, 0.4, 0.5),
            )
        alone = job[choices.LEAVE_ONE_OUT] and votes.n_annotators > 1
        statistics = measures.annotator_statistics(votes, leave_one_out(votes) if alone else None)
        instances = _instances(read.votes, part_of(progress, 0.5, 0.9))
        without = "what somebody marked" if drawings.area is None else rectangle_of(job)
        remarks = [
            area_told(job[choices.STUDY_AREA], votes.total, without, drawings.working.unit),
            *summary.notes,
            *consensus_notes(statistics, job[choices.LEAVE_ONE_OUT]),
            *([] if places is None else _left_out(places[1], job[choices.MIN_AREA])),
        ]
        found = _Found(summary, places, statistics, instances, None, remarks)
        found.by_image = {
            image: agreement_summary(one.table, resamples=0)
            for image, one in read.votes.parts.items()
        }
        if read.image is not None:
            share = part_of(progress, 0.9, 1.0)
            found.correlations, missing = tables.correlations(
                read.image, read.by_image, job[choices.WINDOW], job[choices.BLOCK_SIDE], share
            )
            remarks += missing
        return found

    def tables(self, job: AnnotatorJob, read: _Read, found: _Found, progress: Progress) -> Made:
        crs, working = job.crs, read.votes.drawings.working
        votes = read.votes.table
        annotators = found.statistics.assign(
            annotator=found.statistics.index, limit=measures.outlier_limit(votes)
        )
        made: dict[Output, FeatureTable] = {}
        if found.places is not None and read.faces is not None:
            marked, differing = found.places
            for output, rows in zip(_OF_PLACES, (marked, differing.rows)):
                made[output] = tables.places_table(
                    output, read.faces, rows, read.face_image, working, crs
                )
        made |= {
            outputs.ANNOTATOR_TABLE: outputs.ANNOTATOR_TABLE.table(annotators),
            outputs.ANNOTATOR_PAIRS: tables.annotator_pairs_table(votes, found.instances),
            outputs.LINKAGE: tables.linkage_table(votes),
            outputs.RATIO: tables.ratio_table(votes),
            outputs.SUMMARY: tables.agreement_table(found.summary, working.unit, found.by_image),
        }
        if found.correlations is not None:
            made[outputs.IMAGE_TABLE] = outputs.IMAGE_TABLE.table(found.correlations)
        files: dict[Output, MadeFile] = {}
        if read.raster is not None:
            files[outputs.AGREEMENT_RASTER] = _agreement_raster(*read.raster)
        numbers = found.summary.table["value"]
        names = {"SMYTH_BOUND": "smyth_bound", "MEAN_F1": "mean_f1"}
        values: dict[str, Any] = {
            name: float(numbers.get(key, math.nan)) for name, key in names.items()
        }
        headline = tables.agreement_headline(found.summary, votes.n_annotators)
        return Made(made, {**values, UNIT.id: working.unit}, files, headline=headline)


@dataclass(eq=False)
class _Read:
    """The votes, the same with faces where a map is wanted, the image, and votes on the pixels of the agreement raster.

    Of several images ``face_image`` is the image's name of each face, and ``by_image`` has each beside its votes.
    """

    votes: Votes
    faces: VoteTable | None
    image: ImageOfVotes | None
    raster: tuple[VoteTable, Grid] | None
    remarks: list[Remark]
    face_image: np.ndarray | None = None
    by_image: dict[str, ImageOfVotes] = field(default_factory=dict)


def _several(parts: dict[str, _Read], window: int) -> _Read:
    """All images together; no ``window`` of the contrast reaches from one into the next."""
    votes = Votes.merged({image: part.votes for image, part in parts.items()})
    mapped = [part.faces for part in parts.values() if part.faces is not None]
    counts = [len(one.faces) for one in mapped if one.faces is not None]
    face_image = np.repeat(np.array(list(parts), dtype=object), counts) if mapped else None
    merged, remarks = VoteTable.merged(mapped) if mapped else None, list(votes.remarks)
    images = {name: part.image for name, part in parts.items() if part.image is not None}
    image = None
    if len(images) == len(parts):
        image, told = tables.laid_out(images, window)
        remarks += told
    return _Read(votes, merged, image, None, remarks, face_image, {} if image is None else images)


@dataclass(eq=False)
class _Found:
    """What core found."""

    summary: AgreementSummary
    places: tuple[Ints, Disagreements] | None
    statistics: pd.DataFrame
    instances: pd.DataFrame
    correlations: pd.DataFrame | None
    remarks: list[Remark]
    by_image: dict[str, AgreementSummary] = field(default_factory=dict)


def _check_blocks(job: AnnotatorJob, drawings: Drawings) -> None:
    """Refuse blocks that do not fit, before anything is counted in them."""
    if not job[choices.BLOCK_SIDE] > 0:
        return
    counted = drawings.grid if outputs.IMAGE_TABLE in job.wanted else None
    of_image = [] if counted is None else [counted.within(np.array(drawings.bounds))]
    check_block_side(job[choices.BLOCK_SIDE], drawings, *of_image)
    if job[choices.RESOLUTION] > 0 or drawings.marks:
        check_block_side(
            job[choices.BLOCK_SIDE], drawings, votes_grid(drawings, job[choices.RESOLUTION])
        )


def _read_pixels(job: AnnotatorJob, read: _Read, progress: Progress) -> None:
    """Read the image where its correlations are wanted, and vote in pixels where a raster is."""
    drawings, image = read.votes.drawings, job.image
    wants_raster = outputs.AGREEMENT_RASTER in job.wanted
    if wants_raster and read.votes.grid is not None:
        read.raster = read.votes.table, read.votes.grid
    if image is None or drawings.grid is None:
        if wants_raster and read.raster is None:
            raise InputError("The agreement raster requires a pixel size.")
        return
    grid = drawings.grid.within(np.array(drawings.bounds))
    wants_image = outputs.IMAGE_TABLE in job.wanted
    if wants_image and tables.is_too_large(image, grid):
        said = "The image has too many pixels in the study area for its correlations; choose a smaller study area."
        read.remarks.append(note("image.too_large", said))
        wants_image = False
    if wants_image or (wants_raster and read.raster is None):
        votes = read.votes.table
        if grid != read.votes.grid:
            votes = pixel_votes(drawings, grid, progress=part_of(progress, 0.0, 0.5))
        read.raster = read.raster or ((votes, grid) if wants_raster else None)
        if wants_image:
            colours, share = job.colours, part_of(progress, 0.5, 1.0)
            read.image = tables.read_image(image, colours, drawings, grid, votes, share)
            read.remarks += read.image.remarks


def _instances(votes: Votes, progress: Progress) -> pd.DataFrame:
    parts = list((votes.parts or {"": votes}).values())
    drawings = [one.drawings for one in parts]
    if len(drawings[0].annotators) < 2:
        return pd.DataFrame(columns=list(measures.COLUMNS))
    if not any(one.polygons for one in drawings):
        return aside(
            lambda told: measures.pixel_instances(*(one.table for one in parts), progress=told),
            progress,
        )
    drawn = [
        {
            name: marks.polygons(one.working) if isinstance(marks, Marks) else marks
            for name, marks in one.annotators.items()
        }
        for one in drawings
    ]
    images = zip(drawn, [one.region for one in drawings])
    return aside(lambda told: measures.crown_instances(*images, progress=told), progress)


def _agreement_raster(votes: VoteTable, grid: Grid) -> RasterTable:
    """Number of annotators per pixel."""
    counted = np.append(votes.yes_votes, _OUTSIDE).astype(np.uint8)
    said = "Number of annotators (of {count}: {names}) who marked each pixel; 255 is outside."
    described = tr(said, count=votes.n_annotators, names=", ".join(votes.names))
    bands = {tr("annotators"): looked_up(counted, np.asarray(votes.index))}
    return RasterTable(bands, "uint8", grid, _OUTSIDE, described)


def _left_out(found: Disagreements, min_area: float) -> list[Remark]:
    if not found.excluded:
        return []
    said = "{count:,} places below {least:g} m² (together {area:,.1f} m²) are not among the disagreements."
    one = "1 place below {least:g} m² ({area:,.1f} m²) is not among the disagreements."
    values = {"count": found.excluded, "least": min_area, "area": found.excluded_area}
    return [note("places.left_out", said, one=one, **values)]
