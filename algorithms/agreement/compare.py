"""randcrowns:compareannotators - compute how far annotators agree, and who is an outlier."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

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
from randcrowns.core.arrays import Ints, Objects
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, aside, part_of, steps
from randcrowns.core.remarks import Remark, note
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.raster.marks import Marks
from randcrowns.layers.raster.output import RasterTable, looked_up
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

#: Value of the agreement raster outside the study area.
_OUTSIDE = 255
#: Outputs whose rows are faces of the overlay. Unless one of them is requested, no faces are made.
_FACE_OUTPUTS = (outputs.AGREEMENT, outputs.DISAGREEMENTS)


class CompareAnnotators(CrownAlgorithm):
    """Algorithm that compares the polygons of several annotators."""

    entry = COMPARE_ANNOTATORS
    help = (
        tr(
            "Several people drew the same area. How far do they agree, where do they differ, and "
            "who is an outlier? The measures are those of Lampert, Stumpf and Gançarski (2016), "
            "complemented by chance-corrected coefficients and agreement crown by crown. Polygons "
            "may be crowns or anything else; overlapping ones of one annotator count once."
        ),
        choices.ANNOTATORS,
        choices.STUDY_AREA,
        choices.RESOLUTION,
        choices.DRAWS,
    )
    shares = (0.5, 0.9)
    parties = (choices.ANNOTATORS,)
    choices = COMPARE_CHOICES
    outputs = COMPARE_OUTPUTS
    values = COMPARE_VALUES
    showing = COMPARED
    takes_pixels = True

    def check(self, given: Given) -> None:
        """Raise an InputError for values that cannot be used."""
        choices.check_inputs(given)
        check_lengths(given, choices.MIN_AREA, choices.BLOCK_SIDE)
        choices.check_pixels(given, outputs.AGREEMENT_RASTER)
        choices.check_window(given)
        if choices.IMAGES in given:
            choices.check_several(given, choices.BLOCK_SIDE, outputs.AGREEMENT_RASTER)
        else:
            choices.check_several(
                given, choices.IMAGE, choices.BLOCK_SIDE, outputs.AGREEMENT_RASTER
            )

    def take(self, given: Given) -> AnnotatorJob:
        """Return the settings of the run with snapshots of its layers."""
        return choices.take_annotator_job(given)

    def read(self, settings: AnnotatorJob, progress: Progress) -> _Inputs:
        """Return the votes, and the image if its correlations are requested."""
        drawings_by_image = drawings_of_images(settings, part_of(progress, 0.0, 0.2))
        settings_by_image = settings.of_images
        inputs_by_image = {}
        items = list(drawings_by_image.items())
        for (image, drawings), share in steps(items, part_of(progress, 0.2, 1.0)):
            # Plots have no settings of their own.
            own_settings = settings_by_image.get(image, settings)
            inputs_by_image[image] = self._read_image(own_settings, drawings, share)
        if len(inputs_by_image) == 1:
            return next(iter(inputs_by_image.values()))
        return _merge_inputs(inputs_by_image, settings[choices.WINDOW])

    def _read_image(
        self, settings: AnnotatorJob, drawings: Drawings, progress: Progress
    ) -> _Inputs:
        """Return the votes of one image or plot, and its pixels if they are requested."""
        _check_blocks(settings, drawings)
        needs_faces = not settings.wanted.isdisjoint(_FACE_OUTPUTS)
        votes = read_votes(
            drawings,
            settings[choices.RESOLUTION],
            settings[choices.BLOCK_SIDE],
            part_of(progress, 0.0, 0.7),
            faces=needs_faces,
        )
        inputs = _Inputs(votes, votes.table if needs_faces else None, votes.remarks)
        if needs_faces and votes.grid is not None:
            inputs.faces = pixel_faces(votes.table, votes.grid, part_of(progress, 0.7, 0.75))
        _read_pixels(settings, inputs, part_of(progress, 0.75, 1.0))
        return inputs

    def compute(self, settings: AnnotatorJob, inputs: _Inputs, progress: Progress) -> _Results:
        """Return the statistics of the annotators, their pairs and their disagreements."""
        votes = inputs.votes.table
        summary = aside(
            lambda share: agreement_summary(
                votes,
                settings[choices.BLOCK_SIDE] or None,
                resamples=settings[choices.DRAWS],
                progress=share,
            ),
            part_of(progress, 0.0, 0.4),
        )
        faces = _face_rows(inputs.faces, settings[choices.MIN_AREA], part_of(progress, 0.4, 0.5))
        leaves_one_out = settings[choices.LEAVE_ONE_OUT] and votes.n_annotators > 1
        statistics = measures.annotator_statistics(
            votes, leave_one_out(votes) if leaves_one_out else None
        )
        results = _Results(
            summary=summary,
            faces=faces,
            statistics=statistics,
            instances=_compare_instances(inputs.votes, part_of(progress, 0.5, 0.9)),
            remarks=_result_messages(settings, inputs.votes, summary, statistics, faces),
            by_image={
                image: agreement_summary(part.table, resamples=0)
                for image, part in inputs.votes.parts.items()
            },
        )
        if inputs.image is not None:
            results.correlations, missing = tables.correlations(
                inputs.image,
                inputs.by_image,
                settings[choices.WINDOW],
                settings[choices.BLOCK_SIDE],
                part_of(progress, 0.9, 1.0),
            )
            results.remarks += missing
        return results

    def tables(
        self, settings: AnnotatorJob, inputs: _Inputs, results: _Results, progress: Progress
    ) -> Made:
        """Return the tables, the agreement raster and the conclusion."""
        working = inputs.votes.drawings.working
        votes = inputs.votes.table
        features: dict[Output, FeatureTable] = {}
        if results.faces is not None and inputs.faces is not None:
            rows_by_output = {
                outputs.AGREEMENT: results.faces.marked,
                outputs.DISAGREEMENTS: results.faces.differing.rows,
            }
            for output, rows in rows_by_output.items():
                features[output] = tables.places_table(
                    output, inputs.faces, rows, inputs.face_image, working, settings.crs
                )
        annotators = results.statistics.assign(
            annotator=results.statistics.index, limit=measures.outlier_limit(votes)
        )
        features |= {
            outputs.ANNOTATOR_TABLE: outputs.ANNOTATOR_TABLE.table(annotators),
            outputs.ANNOTATOR_PAIRS: tables.annotator_pairs_table(votes, results.instances),
            outputs.LINKAGE: tables.linkage_table(votes),
            outputs.RATIO: tables.ratio_table(votes),
            outputs.SUMMARY: tables.agreement_table(
                results.summary, working.unit, results.by_image
            ),
        }
        if results.correlations is not None:
            features[outputs.IMAGE_TABLE] = outputs.IMAGE_TABLE.table(results.correlations)

        files: dict[Output, MadeFile] = {}
        if inputs.raster is not None:
            files[outputs.AGREEMENT_RASTER] = _agreement_raster(inputs.raster)
        statistics = results.summary.table["value"]
        values = {
            "SMYTH_BOUND": float(statistics.get("smyth_bound", math.nan)),
            "MEAN_F1": float(statistics.get("mean_f1", math.nan)),
            UNIT.id: working.unit,
        }
        headline = tables.agreement_headline(results.summary, votes.n_annotators)
        return Made(features, values, files, headline=headline)


@dataclass(frozen=True, eq=False)
class _PixelVotes:
    """Votes on the pixels of a grid."""

    table: VoteTable
    grid: Grid


@dataclass(eq=False)
class _Inputs:
    """Votes of the annotators, with faces, image and raster as far as they are requested."""

    votes: Votes
    faces: VoteTable | None  #: votes with the faces of the overlay; None unless requested.
    #: Messages about the input. Of one image it is the list of ``votes``, so that messages added
    #: here are kept when the votes of several images are merged.
    remarks: list[Remark]
    image: ImageOfVotes | None = None  #: image with the votes on its pixels, for correlations.
    raster: _PixelVotes | None = None  #: pixels of the agreement raster.
    #: Name of the image of each face; None for a single image.
    face_image: Objects | None = None
    #: Each of several images with the votes on its pixels, by name.
    by_image: dict[str, ImageOfVotes] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class _FaceRows:
    """Faces of the overlay, as row numbers, the largest first."""

    marked: Ints  #: faces of the agreement map.
    differing: Disagreements  #: faces where annotators differ.


@dataclass(eq=False)
class _Results:
    """Results of the core."""

    summary: AgreementSummary  #: statistics of all annotators together.
    faces: _FaceRows | None  #: None unless faces are requested.
    statistics: pd.DataFrame  #: a row per annotator, see :func:`.measures.annotator_statistics`.
    instances: pd.DataFrame  #: a row per pair of annotators with the agreement crown by crown.
    remarks: list[Remark]  #: messages about the results.
    by_image: dict[str, AgreementSummary]  #: statistics of each of several images by its name.
    correlations: pd.DataFrame | None = None  #: correlations with the image.


def _merge_inputs(parts: dict[str, _Inputs], window: int) -> _Inputs:
    """Return the inputs of several images as one.

    Args:
        parts: inputs by the name of the image.
        window: side of the window for the contrast in pixels. The images are laid out so far apart
            that no window reaches from one into the next.
    """
    votes = Votes.merged({image: part.votes for image, part in parts.items()})
    inputs = _Inputs(votes, None, list(votes.remarks))
    face_tables = [part.faces for part in parts.values() if part.faces is not None]
    if face_tables:
        n_faces = [len(table.faces) for table in face_tables if table.faces is not None]
        inputs.faces = VoteTable.merged(face_tables)
        inputs.face_image = np.repeat(np.array(list(parts), dtype=object), n_faces)
    images = {name: part.image for name, part in parts.items() if part.image is not None}
    if len(images) == len(parts):
        inputs.image, messages = tables.laid_out(images, window)
        inputs.remarks += messages
        if inputs.image is not None:
            inputs.by_image = images
    return inputs


def _check_blocks(settings: AnnotatorJob, drawings: Drawings) -> None:
    """Raise an InputError for a block side that does not fit, before anything is counted."""
    block_side = settings[choices.BLOCK_SIDE]
    if not block_side > 0:
        return
    grids = []
    if drawings.grid is not None and outputs.IMAGE_TABLE in settings.wanted:
        grids.append(drawings.grid.within(np.array(drawings.bounds)))
    check_block_side(block_side, drawings, *grids)
    if settings[choices.RESOLUTION] > 0 or drawings.marks:
        grid = votes_grid(drawings, settings[choices.RESOLUTION])
        check_block_side(block_side, drawings, grid)


def _read_pixels(settings: AnnotatorJob, inputs: _Inputs, progress: Progress) -> None:
    """Set the image and the raster of ``inputs``, as far as they are requested.

    Messages are added to ``inputs.remarks``.

    Raises:
        InputError: if the agreement raster is requested but nothing defines its pixels.
    """
    drawings = inputs.votes.drawings
    needs_raster = outputs.AGREEMENT_RASTER in settings.wanted
    if needs_raster and inputs.votes.grid is not None:
        inputs.raster = _PixelVotes(inputs.votes.table, inputs.votes.grid)
        needs_raster = False
    if settings.image is None or drawings.grid is None:
        if needs_raster:
            raise InputError("The agreement raster requires a pixel size.")
        return
    grid = drawings.grid.within(np.array(drawings.bounds))
    needs_image = outputs.IMAGE_TABLE in settings.wanted
    if needs_image and tables.is_too_large(settings.image, grid):
        message = note(
            "image.too_large",
            "The image has too many pixels in the study area for its correlations. Choose a "
            "smaller study area.",
        )
        inputs.remarks.append(message)
        needs_image = False
    if not needs_image and not needs_raster:
        return
    votes = inputs.votes.table
    if grid != inputs.votes.grid:
        votes = pixel_votes(drawings, grid, progress=part_of(progress, 0.0, 0.5))
    if needs_raster:
        inputs.raster = _PixelVotes(votes, grid)
    if needs_image:
        image_progress = part_of(progress, 0.5, 1.0)
        inputs.image = tables.read_image(
            settings.image, settings.colours, drawings, grid, votes, image_progress
        )
        inputs.remarks += inputs.image.remarks


def _face_rows(faces: VoteTable | None, min_area: float, progress: Progress) -> _FaceRows | None:
    """Return the faces of the agreement map and of the disagreements; None without faces.

    Args:
        faces: votes with the faces of the overlay.
        min_area: minimum area of a disagreement, m².
        progress: called with the fraction done.
    """
    if faces is None:
        return None
    return aside(
        lambda _: _FaceRows(largest_first(faces), disagreements(faces, min_area)), progress
    )


def _result_messages(
    settings: AnnotatorJob,
    votes: Votes,
    summary: AgreementSummary,
    statistics: pd.DataFrame,
    faces: _FaceRows | None,
) -> list[Remark]:
    """Return messages about the study area, the statistics and the disagreements not listed."""
    without_area = (
        "the area that any annotator marked"
        if votes.drawings.area is None
        else rectangle_of(settings)
    )
    messages = [
        area_told(
            settings[choices.STUDY_AREA],
            votes.table.total,
            without_area,
            votes.drawings.working.unit,
        ),
        *summary.notes,
        *consensus_notes(statistics, settings[choices.LEAVE_ONE_OUT]),
    ]
    if faces is not None:
        messages += _excluded_messages(faces.differing, settings[choices.MIN_AREA])
    return messages


def _compare_instances(votes: Votes, progress: Progress) -> pd.DataFrame:
    """Return the agreement of every two annotators crown by crown.

    The rasters of annotators are compared by connected pixels if all annotators are rasters, and
    as polygons otherwise.

    Returns:
        A row per pair with the columns :data:`.measures.COLUMNS`; no rows for one annotator.
    """
    parts = list(votes.parts.values()) or [votes]
    if len(votes.drawings.annotators) < 2:
        return pd.DataFrame(columns=list(measures.COLUMNS))
    if not any(part.drawings.polygons for part in parts):
        vote_tables = [part.table for part in parts]
        return aside(lambda share: measures.pixel_instances(*vote_tables, progress=share), progress)
    images = [(_polygons_by_annotator(part.drawings), part.drawings.region) for part in parts]
    return aside(lambda share: measures.crown_instances(*images, progress=share), progress)


def _polygons_by_annotator(drawings: Drawings) -> dict[str, Objects]:
    """Return the polygons of each annotator; of a raster the outlines of its marked pixels."""
    return {
        name: drawn.polygons(drawings.working) if isinstance(drawn, Marks) else drawn
        for name, drawn in drawings.annotators.items()
    }


def _agreement_raster(votes: _PixelVotes) -> RasterTable:
    """Return the raster with the number of annotators per pixel."""
    table = votes.table
    values = np.append(table.yes_votes, _OUTSIDE).astype(np.uint8)
    description = tr(
        "Number of annotators (of {count}: {names}) who marked each pixel; 255 is outside.",
        count=table.n_annotators,
        names=", ".join(table.names),
    )
    bands = {tr("annotators"): looked_up(values, np.asarray(table.index))}
    return RasterTable(bands, "uint8", votes.grid, _OUTSIDE, description)


def _excluded_messages(differing: Disagreements, min_area: float) -> list[Remark]:
    """Return a message about disagreements that are too small to be listed; none without any."""
    if not differing.excluded:
        return []
    return [
        note(
            "places.left_out",
            "{count:,} areas below {least:g} m² (together {area:,.1f} m²) are not listed among the "
            "disagreements.",
            one="1 area below {least:g} m² ({area:,.1f} m²) is not listed among the disagreements.",
            count=differing.excluded,
            least=min_area,
            area=differing.excluded_area,
        )
    ]
