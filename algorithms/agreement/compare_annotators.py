"""randcrowns:compareannotators - compute how far annotators agree, and who is an outlier."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pandas as pd
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.algorithms.agreement import tables
from randcrowns.algorithms.agreement.class_areas import compare_area_classes
from randcrowns.algorithms.agreement.schema import outputs, parameters
from randcrowns.algorithms.agreement.schema.outputs import COMPARE_OUTPUTS, COMPARE_VALUES
from randcrowns.algorithms.agreement.schema.parameters import COMPARE_PARAMETERS, AgreementSettings
from randcrowns.algorithms.agreement.schema.report_content import COMPARISON_REPORT
from randcrowns.algorithms.agreement.tables import ImageWithVotes
from randcrowns.algorithms.agreement.vote_counting import (
    CountedVotes,
    DrawingSite,
    count_pixel_votes,
    count_votes,
    create_pixel_faces,
    create_votes_grid,
    default_area_phrase,
    read_drawings_by_image,
    validate_block_length,
)
from randcrowns.algorithms.algorithm_catalogue import COMPARE_ANNOTATORS
from randcrowns.algorithms.common_parameters import check_lengths, extent_message
from randcrowns.algorithms.crown_algorithm import CrownAlgorithm, RunResults
from randcrowns.algorithms.destinations import FileContent
from randcrowns.algorithms.output_types import UNIT, Output
from randcrowns.algorithms.parameter_types import RunParameters
from randcrowns.core.agreement import measures
from randcrowns.core.agreement.agreement_messages import consensus_messages
from randcrowns.core.agreement.consensus import leave_one_out
from randcrowns.core.agreement.disagreement import Disagreements, disagreements, faces_by_area
from randcrowns.core.agreement.outlier_testing import OutlierTest, outlier_test
from randcrowns.core.agreement.summary import AgreementSummary, agreement_summary
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Ints, Objects
from randcrowns.core.classes.annotators import CrownClassAgreement, crown_class_agreement
from randcrowns.core.classes.area_classes import (
    AreaClassAgreement,
    add_area_columns,
    add_area_confusion,
)
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note
from randcrowns.core.progress import Progress, iterate_with_progress, run_in_thread, subprogress
from randcrowns.layers.localization import tr
from randcrowns.layers.raster.grid import MAX_NUMERIC_PIXELS, Grid
from randcrowns.layers.raster.masks import ReferenceMask, ValueMeaning
from randcrowns.layers.raster.write import RasterOutput, lookup_rows
from randcrowns.layers.vector.tables import FeatureTable

#: Value of the agreement raster outside the study area.
_OUTSIDE = 255
#: Outputs whose rows are faces of the overlay. Unless one of them is requested, no faces are made.
_FACE_OUTPUTS = (outputs.AGREEMENT, outputs.DISAGREEMENTS)
_IMAGE_TOO_LARGE = note(
    "image.too_large",
    "The image has too many pixels in the study area for its correlations. Choose a smaller study "
    "area.",
)


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
        parameters.ANNOTATORS,
        parameters.STUDY_AREA,
        parameters.RESOLUTION,
        parameters.BOOTSTRAP_SAMPLES,
    )
    progress_shares = (0.5, 0.9)
    title_layers = (parameters.ANNOTATORS,)
    declared_parameters = COMPARE_PARAMETERS
    outputs = COMPARE_OUTPUTS
    value_outputs = COMPARE_VALUES
    report_content = COMPARISON_REPORT
    supports_pixels = True

    def validate(self, run_parameters: RunParameters) -> None:
        """Raise an InputError for values that cannot be used."""
        parameters.check_inputs(run_parameters)
        check_lengths(run_parameters, parameters.MIN_AREA, parameters.BLOCK_SIDE)
        parameters.check_raster_output(run_parameters, outputs.AGREEMENT_RASTER)
        parameters.check_window(run_parameters)
        parameters.check_class_groups(
            run_parameters, parameters.COMPARED_CLASS_FIELD, parameters.COMPARED_CLASS_VALUES
        )
        parameters.check_class_scale(run_parameters)
        if parameters.IMAGES in run_parameters:
            parameters.check_multiple_images(
                run_parameters, parameters.BLOCK_SIDE, outputs.AGREEMENT_RASTER
            )
        else:
            parameters.check_multiple_images(
                run_parameters, parameters.IMAGE, parameters.BLOCK_SIDE, outputs.AGREEMENT_RASTER
            )

    def read_settings(self, run_parameters: RunParameters) -> AgreementSettings:
        """Return the settings of the run with snapshots of its layers."""
        return parameters.read_settings(run_parameters)

    def read_layers(self, settings: AgreementSettings, progress: Progress) -> _Inputs:
        """Return the votes, and the image if its correlations are requested.

        Args:
            settings: settings of the run.
            progress: called with the fraction done.
        """
        drawings_by_image = read_drawings_by_image(settings, subprogress(progress, 0.0, 0.2))
        settings_by_image = settings.by_image
        inputs_by_image = {}
        items = list(drawings_by_image.items())
        for (image, drawings), share in iterate_with_progress(
            items, subprogress(progress, 0.2, 1.0)
        ):
            # Plots have no settings of their own.
            own_settings = settings_by_image.get(image, settings)
            inputs_by_image[image] = self._read_image(own_settings, drawings, share)
        if len(inputs_by_image) == 1:
            return next(iter(inputs_by_image.values()))
        return _merge_inputs(inputs_by_image, settings[parameters.WINDOW])

    def _read_image(
        self, settings: AgreementSettings, drawings: DrawingSite, progress: Progress
    ) -> _Inputs:
        """Return the votes of one image or plot, and its pixels if they are requested.

        Args:
            settings: settings of the image.
            drawings: drawings of the annotators in the image or plot.
            progress: called with the fraction done.

        Raises:
            InputError: if the block side does not fit the study area or the pixels.
        """
        _check_blocks(settings, drawings)
        needs_faces = not settings.requested_outputs.isdisjoint(_FACE_OUTPUTS)
        votes = count_votes(
            drawings,
            settings[parameters.RESOLUTION],
            settings[parameters.BLOCK_SIDE],
            subprogress(progress, 0.0, 0.7),
            faces=needs_faces,
        )
        inputs = _Inputs(
            votes=votes, faces=votes.table if needs_faces else None, messages=votes.messages
        )
        if needs_faces and votes.grid is not None:
            inputs.faces = create_pixel_faces(
                votes.table, votes.grid, subprogress(progress, 0.7, 0.75)
            )
        _add_pixels(settings, inputs, subprogress(progress, 0.75, 1.0))
        return inputs

    def compute(self, settings: AgreementSettings, inputs: _Inputs, progress: Progress) -> _Results:
        """Return the statistics of the annotators, their pairs and their disagreements.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            progress: called with the fraction done.
        """
        votes = inputs.votes.table
        summary, outliers = _summarise_votes(settings, votes, subprogress(progress, 0.0, 0.4))
        faces = _order_faces(
            inputs.faces, settings[parameters.MIN_AREA], subprogress(progress, 0.4, 0.5)
        )
        excluded_votes = None
        if settings[parameters.LEAVE_ONE_OUT] and votes.n_annotators > 1:
            excluded_votes = leave_one_out(votes)
        statistics = measures.annotator_statistics(votes, excluded_votes)
        messages = _result_messages(settings, inputs.votes, summary, statistics, faces)
        messages += outliers.messages
        messages += inputs.votes.drawings.class_rasters.messages

        instances = _compare_instances(inputs.votes, subprogress(progress, 0.5, 0.9))
        classes = _compare_classes(settings, inputs.votes, subprogress(progress, 0.9, 0.94))
        if classes is not None:
            messages += classes.messages
        correlations = None
        if inputs.image is not None:
            correlations, correlation_messages = tables.correlate_images(
                inputs.image,
                inputs.by_image,
                window=settings[parameters.WINDOW],
                block_side=settings[parameters.BLOCK_SIDE],
                progress=subprogress(progress, 0.94, 1.0),
            )
            messages += correlation_messages
        summary_by_image = {}
        for image, image_votes in inputs.votes.votes_by_image.items():
            summary_by_image[image] = agreement_summary(image_votes.table, n_resamples=0)
        return _Results(
            summary=summary,
            faces=faces,
            statistics=statistics,
            outliers=outliers,
            instances=instances,
            messages=messages,
            by_image=summary_by_image,
            correlations=correlations,
            classes=classes,
        )

    def build_results(
        self, settings: AgreementSettings, inputs: _Inputs, findings: _Results, progress: Progress
    ) -> RunResults:
        """Return the tables, the agreement raster and the conclusion.

        Args:
            settings: settings of the run.
            inputs: votes of the annotators.
            findings: result of :meth:`compute`.
            progress: not called, because the tables are small or written later.
        """
        votes = inputs.votes.table
        unit = inputs.votes.drawings.working_crs.unit
        output_tables = _create_face_tables(inputs, findings, settings.crs)
        output_tables[outputs.ANNOTATOR_TABLE] = _create_annotator_table(votes, findings)
        output_tables[outputs.ANNOTATOR_PAIRS] = tables.create_pair_table(votes, findings.instances)
        output_tables[outputs.LINKAGE] = tables.create_linkage_table(votes)
        output_tables[outputs.RATIO] = tables.create_ratio_table(votes)
        output_tables[outputs.SUMMARY] = tables.create_summary_table(
            findings.summary, unit, findings.by_image
        )
        if findings.classes is not None:
            output_tables.update(_create_class_tables(findings.classes))
        if findings.correlations is not None:
            correlation_table = outputs.IMAGE_TABLE.create_table(findings.correlations)
            output_tables[outputs.IMAGE_TABLE] = correlation_table

        files: dict[Output, FileContent] = {}
        if inputs.raster is not None:
            files[outputs.AGREEMENT_RASTER] = _create_agreement_raster(inputs.raster)
        statistics = findings.summary.table["value"]
        values = {
            "SMYTH_BOUND": float(statistics.get("smyth_bound", math.nan)),
            "MEAN_F1": float(statistics.get("mean_f1", math.nan)),
            UNIT.id: unit,
        }
        headline = tables.conclude_agreement(findings.summary, votes.n_annotators)
        return RunResults(output_tables, values, files, headline=headline)


@dataclass(frozen=True, eq=False)
class _PixelVotes:
    """Votes on the pixels of a grid."""

    table: VoteTable
    grid: Grid


@dataclass(eq=False)
class _Inputs:
    """Votes of the annotators, with faces, image and raster as far as they are requested."""

    votes: CountedVotes
    faces: VoteTable | None  #: votes with the faces of the overlay; None unless requested.
    #: Messages about the input. Of one image it is the list of ``votes``, so that messages added
    #: here are kept when the votes of several images are merged.
    messages: list[Message]
    image: ImageWithVotes | None = None  #: image with the votes on its pixels, for correlations.
    raster: _PixelVotes | None = None  #: pixels of the agreement raster.
    #: Name of the image of each face; None for a single image.
    face_image: Objects | None = None
    #: Each of several images with the votes on its pixels, by name.
    by_image: dict[str, ImageWithVotes] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class _FaceRows:
    """Faces of the overlay, as row numbers, the largest first."""

    marked: Ints  #: faces of the agreement map.
    differing: Disagreements  #: faces where annotators differ.


class _ClassResults(NamedTuple):
    """Agreement of the annotators on classes."""

    crowns: CrownClassAgreement  #: agreement on the classes of crowns.
    areas: AreaClassAgreement  #: agreement on the classes of areas or pixels.
    messages: list[Message]  #: messages about both.


@dataclass(eq=False)
class _Results:
    """Results of the core."""

    summary: AgreementSummary  #: statistics of all annotators together.
    faces: _FaceRows | None  #: None unless faces are requested.
    statistics: (
        pd.DataFrame
    )  #: a row per annotator, see :func:`randcrowns.core.agreement.measures.annotator_statistics`.
    outliers: OutlierTest  #: annotators who are unlike the others.
    instances: pd.DataFrame  #: a row per pair of annotators with the agreement crown by crown.
    messages: list[Message]  #: messages about the results.
    by_image: dict[str, AgreementSummary]  #: statistics of each of several images by its name.
    correlations: pd.DataFrame | None = None  #: correlations with the image.
    #: Agreement on classes; None without a class field and without rasters of classes.
    classes: _ClassResults | None = None


def _merge_inputs(parts: dict[str, _Inputs], window: int) -> _Inputs:
    """Return the inputs of several images as one.

    Args:
        parts: inputs by the name of the image.
        window: side of the window for the contrast in pixels. The images are laid out so far apart
            that no window reaches from one into the next.
    """
    votes = CountedVotes.merge({image: part.votes for image, part in parts.items()})
    merged = _Inputs(votes=votes, faces=None, messages=list(votes.messages))
    face_tables = []
    n_faces = []
    images = {}
    for name, part in parts.items():
        if part.faces is not None:
            face_tables.append(part.faces)
            if part.faces.faces is not None:
                n_faces.append(len(part.faces.faces))
        if part.image is not None:
            images[name] = part.image
    if face_tables:
        merged.faces = VoteTable.merge(face_tables)
        merged.face_image = np.repeat(np.array(list(parts), dtype=object), n_faces)
    if len(images) == len(parts):
        merged.image, messages = tables.stack_images(images, window)
        merged.messages += messages
        if merged.image is not None:
            merged.by_image = images
    return merged


def _check_blocks(settings: AgreementSettings, drawings: DrawingSite) -> None:
    """Raise an InputError for a block side that does not fit, before anything is counted."""
    block_side = settings[parameters.BLOCK_SIDE]
    if not block_side > 0:
        return
    grids = []
    if drawings.grid is not None and outputs.IMAGE_TABLE in settings.requested_outputs:
        grids.append(drawings.grid.crop(np.array(drawings.bounds)))
    validate_block_length(block_side, drawings, *grids)
    if settings[parameters.RESOLUTION] > 0 or drawings.raster_drawings:
        grid = create_votes_grid(drawings, settings[parameters.RESOLUTION])
        validate_block_length(block_side, drawings, grid)


def _add_pixels(settings: AgreementSettings, inputs: _Inputs, progress: Progress) -> None:
    """Add the image and the votes for the agreement raster to inputs, as far as requested.

    Args:
        settings: settings of the run.
        inputs: counted votes. Its ``image`` and ``raster`` are set and its ``messages`` extended.
        progress: called with the fraction done.

    Raises:
        InputError: if the agreement raster is requested but nothing defines its pixels.
    """
    drawings = inputs.votes.drawings
    is_raster_requested = outputs.AGREEMENT_RASTER in settings.requested_outputs
    has_pixel_votes = inputs.votes.grid is not None
    if is_raster_requested and inputs.votes.grid is not None:
        inputs.raster = _PixelVotes(inputs.votes.table, inputs.votes.grid)
    # Without a pixel size, the raster has the pixels of the image.
    needs_image_pixels = is_raster_requested and not has_pixel_votes
    if settings.image is None or drawings.grid is None:
        if needs_image_pixels:
            raise InputError(
                "agreement.no_pixel_size", "The agreement raster requires a pixel size."
            )
        return

    grid = drawings.grid.crop(np.array(drawings.bounds))
    needs_correlations = False
    if outputs.IMAGE_TABLE in settings.requested_outputs:
        needs_correlations = not tables.is_too_large(settings.image, grid)
        if not needs_correlations:
            inputs.messages.append(_IMAGE_TOO_LARGE)
    if not needs_correlations and not needs_image_pixels:
        return

    # Both outputs use the votes on the pixels of the image, which may have been counted before.
    votes = inputs.votes.table
    if grid != inputs.votes.grid:
        votes = count_pixel_votes(drawings, grid, progress=subprogress(progress, 0.0, 0.5))
    if needs_image_pixels:
        inputs.raster = _PixelVotes(votes, grid)
    if needs_correlations:
        image_progress = subprogress(progress, 0.5, 1.0)
        inputs.image = tables.read_image(
            settings.image, settings.colour_bands, drawings, grid, votes, image_progress
        )
        inputs.messages += inputs.image.messages


def _summarise_votes(
    settings: AgreementSettings, votes: VoteTable, progress: Progress
) -> tuple[AgreementSummary, OutlierTest]:
    """Return the statistics of all annotators together, and the test for outliers.

    Both resample blocks of the side that the settings contain; 0 selects the default side.

    Args:
        settings: settings of the run.
        votes: votes of all images.
        progress: called with the fraction done.
    """
    block_side = settings[parameters.BLOCK_SIDE] or None
    summary = run_in_thread(
        lambda share: agreement_summary(
            votes, block_side, n_resamples=settings[parameters.BOOTSTRAP_SAMPLES], progress=share
        ),
        subprogress(progress, 0.0, 0.75),
    )
    outliers = run_in_thread(
        lambda share: outlier_test(votes, block_side, progress=share),
        subprogress(progress, 0.75, 1.0),
    )
    return summary, outliers


def _order_faces(faces: VoteTable | None, min_area: float, progress: Progress) -> _FaceRows | None:
    """Order the faces of the agreement map and of the disagreements by area; None without faces.

    Args:
        faces: votes with the faces of the overlay.
        min_area: minimum area of a disagreement, m².
        progress: called with the fraction done.
    """
    if faces is None:
        return None
    return run_in_thread(
        lambda _: _FaceRows(faces_by_area(faces), disagreements(faces, min_area)), progress
    )


def _result_messages(
    settings: AgreementSettings,
    votes: CountedVotes,
    summary: AgreementSummary,
    statistics: pd.DataFrame,
    faces: _FaceRows | None,
) -> list[Message]:
    """Return messages about the study area, the statistics and the disagreements not listed.

    Args:
        settings: settings of the run.
        votes: counted votes with the study area.
        summary: statistics of all annotators together.
        statistics: a row per annotator.
        faces: ordered faces; None unless they are requested.
    """
    area_phrase = "the area that any annotator marked"
    if votes.drawings.study_area is not None:
        area_phrase = default_area_phrase(settings)
    messages = [
        extent_message(
            settings[parameters.STUDY_AREA],
            votes.table.total_weight,
            area_phrase,
            votes.drawings.working_crs.unit,
        ),
        *summary.messages,
        *consensus_messages(statistics, settings[parameters.LEAVE_ONE_OUT]),
    ]
    if faces is not None:
        messages += _small_disagreement_messages(faces.differing, settings[parameters.MIN_AREA])
    return messages


def _create_face_tables(
    inputs: _Inputs, findings: _Results, crs: QgsCoordinateReferenceSystem
) -> dict[Output, FeatureTable]:
    """Return the agreement map and the disagreements by output; {} unless faces are requested.

    Args:
        inputs: faces of the overlay.
        findings: results with the rows of the faces.
        crs: coordinate reference system of the outputs.
    """
    if findings.faces is None or inputs.faces is None:
        return {}
    rows_by_output = {
        outputs.AGREEMENT: findings.faces.marked,
        outputs.DISAGREEMENTS: findings.faces.differing.rows,
    }
    working_crs = inputs.votes.drawings.working_crs
    return {
        output: tables.create_face_table(
            output, inputs.faces, rows, images=inputs.face_image, working=working_crs, crs=crs
        )
        for output, rows in rows_by_output.items()
    }


def _create_annotator_table(votes: VoteTable, findings: _Results) -> FeatureTable:
    """Return a row per annotator: statistics, limit of outliers and the test for outliers."""
    rows = findings.statistics.assign(
        annotator=findings.statistics.index,
        limit=measures.outlier_limit(votes),
        unlike=findings.outliers.is_unlike.astype(int),
        p_unlike=findings.outliers.p_value,
    )
    return outputs.ANNOTATOR_TABLE.create_table(rows)


def _create_class_tables(classes: _ClassResults) -> dict[Output, FeatureTable]:
    """Return the agreement on classes and the confusions by output, of crowns and of areas."""
    agreement_rows = add_area_columns(classes.crowns.table, classes.areas.table)
    confusion_rows = add_area_confusion(classes.crowns.confusion, classes.areas.confusion)
    return {
        outputs.CLASS_AGREEMENT: outputs.CLASS_AGREEMENT.create_table(agreement_rows),
        outputs.CLASS_CONFUSION: outputs.CLASS_CONFUSION.create_table(confusion_rows),
    }


def _compare_instances(votes: CountedVotes, progress: Progress) -> pd.DataFrame:
    """Return the agreement of every two annotators crown by crown.

    The rasters of annotators are compared by connected pixels if all annotators are rasters, and
    as polygons otherwise.

    Args:
        votes: counted votes, of several images those of all images.
        progress: called with the fraction done.

    Returns:
        A row per pair with the columns :data:`randcrowns.core.agreement.measures.PAIR_COLUMNS`; no
        rows for one annotator.
    """
    if len(votes.drawings.annotators) < 2:
        return pd.DataFrame(columns=list(measures.PAIR_COLUMNS))
    image_votes = list(votes.votes_by_image.values()) or [votes]
    has_polygons = any(part.drawings.polygon_drawings for part in image_votes)
    if not has_polygons:
        vote_tables = [part.table for part in image_votes]
        labels = [_read_instance_labels(part) for part in image_votes]
        return run_in_thread(
            lambda share: measures.pixel_instances(*vote_tables, labels=labels, progress=share),
            progress,
        )

    images = []
    reviewed = []
    for part in image_votes:
        images.append((_outline_drawings(part), part.drawings.remaining_area))
        reviewed.append(part.drawings.reviewed_areas)
    return run_in_thread(
        lambda share: measures.crown_instances(*images, reviewed=reviewed, progress=share), progress
    )


def _compare_classes(
    settings: AgreementSettings, votes: CountedVotes, progress: Progress
) -> _ClassResults | None:
    """Return the agreement of the annotators on classes.

    Args:
        settings: settings of the run.
        votes: counted votes of the run.
        progress: called with the fraction done.

    Returns:
        The agreement; None without a class field and without rasters of classes.
    """
    has_class_field = bool(settings[parameters.COMPARED_CLASS_FIELD])
    if not has_class_field and not votes.drawings.class_rasters.has_classes:
        return None
    image_votes = list(votes.votes_by_image.values()) or [votes]
    options = settings.class_scale
    crowns = crown_class_agreement(
        [part.drawings.crowns for part in image_votes],
        scale=options.scale,
        reviewed=[part.drawings.reviewed_areas for part in image_votes],
    )
    areas = compare_area_classes(votes, options, progress)
    messages: list[Message] = []
    if has_class_field:  # Rasters of classes have no crowns.
        messages += crowns.messages
    messages += areas.messages
    return _ClassResults(crowns, areas, messages)


def _outline_drawings(votes: CountedVotes) -> dict[str, Objects]:
    """Return the polygons (n,) of each annotator; of a raster the outlines of its marked pixels.

    A raster of too many pixels is outlined in the pixels of the votes.

    Args:
        votes: counted votes of one image, with the drawings of the annotators.
    """
    working_crs = votes.drawings.working_crs
    polygons_by_annotator = {}
    for annotator, drawing in votes.drawings.annotators.items():
        if not isinstance(drawing, ReferenceMask):
            polygons_by_annotator[annotator] = drawing
            continue
        grid: Grid | None = drawing.own_grid(working_crs.transform_context)
        if grid is not None and grid.rows * grid.columns > MAX_NUMERIC_PIXELS:
            grid = votes.grid
        polygons_by_annotator[annotator] = drawing.polygons(working_crs, grid=grid)
    return polygons_by_annotator


def _read_instance_labels(votes: CountedVotes) -> dict[str, Ints]:
    """Return the numbers of the instances on the pixels of the votes, by annotator.

    Annotators whose rasters do not number instances are left out.

    Args:
        votes: counted votes of one image, with the rasters of the annotators.

    Returns:
        (rows, columns) numbers per annotator; {} if the votes are not counted in pixels.
    """
    if votes.grid is None:
        return {}
    return {
        annotator: raster.read_labels(votes.grid)
        for annotator, raster in votes.drawings.raster_drawings.items()
        if raster.used_meaning is ValueMeaning.IDS
    }


def _create_agreement_raster(votes: _PixelVotes) -> RasterOutput:
    """Return the raster with the number of annotators per pixel, and 255 outside the study area."""
    table = votes.table
    # The pattern index of a pixel outside is the number of patterns: the value at the end.
    values = np.append(table.n_yes, _OUTSIDE).astype(np.uint8)
    description = tr(
        "Number of annotators (of {count}: {names}) who marked each pixel; 255 is outside.",
        count=table.n_annotators,
        names=", ".join(table.names),
    )
    bands = {tr("annotators"): lookup_rows(values, np.asarray(table.pattern_index))}
    return RasterOutput(
        bands=bands, data_type="uint8", grid=votes.grid, nodata=_OUTSIDE, description=description
    )


def _small_disagreement_messages(differing: Disagreements, min_area: float) -> list[Message]:
    """Return a message about disagreements that are too small to be listed; none without any.

    Args:
        differing: disagreements with the number and the area of those that are not listed.
        min_area: minimum area of a listed disagreement, m².
    """
    if not differing.n_excluded:
        return []
    return [
        note(
            "places.left_out",
            "{count:,} areas below {least:g} m² (together {area:,.1f} m²) are not listed among the "
            "disagreements.",
            one="1 area below {least:g} m² ({area:,.1f} m²) is not listed among the disagreements.",
            count=differing.n_excluded,
            least=min_area,
            area=differing.excluded_area,
        )
    ]
