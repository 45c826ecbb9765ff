"""Tables, rasters and conclusions of runs that compare annotators or make a consensus."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

import numpy as np
import pandas as pd
import shapely
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.algorithms.agreement.consensus_methods import Consensus, describe_parameters
from randcrowns.algorithms.agreement.schema import outputs
from randcrowns.algorithms.agreement.schema.parameters import METHOD, AgreementSettings, join_names
from randcrowns.algorithms.agreement.vote_counting import DrawingSite
from randcrowns.algorithms.output_types import Output
from randcrowns.core.agreement.disagreement import face_table
from randcrowns.core.agreement.image_correlation import image_correlations
from randcrowns.core.agreement.image_stack import ImageStack
from randcrowns.core.agreement.measures import (
    agreement_ratio,
    annotator_pairs,
    dendrogram,
    vote_histogram,
)
from randcrowns.core.agreement.summary import (
    AgreementSummary,
    agreement_headline,
    summary_rows,
)
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Floats, Ints, Objects, number_text
from randcrowns.core.messages import Message, TranslatableText, info, note
from randcrowns.core.progress import Progress, iterate_with_progress, run_in_thread, subprogress
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.localization import tr
from randcrowns.layers.raster.grid import Grid, RasterSnapshot, read_band
from randcrowns.layers.raster.write import RasterOutput, RowReader, lookup_rows
from randcrowns.layers.vector.geometry import to_map_geometries
from randcrowns.layers.vector.tables import FeatureTable, LazySequence


def create_face_table(
    output: Output,
    votes: VoteTable,
    rows: Ints,
    images: Objects | None,
    working: WorkingCrs,
    crs: QgsCoordinateReferenceSystem,
) -> FeatureTable:
    """Return faces of the overlay as features, with who marked each and who did not.

    The features are created in blocks when they are written, so that few exist at a time.

    Args:
        output: output with the declared fields.
        votes: votes with faces in working coordinates.
        rows: (n,) numbers of the faces, the largest face first.
        images: name of the image of each face; None for a single image.
        working: working coordinate reference system.
        crs: coordinate reference system of the output.
    """

    # All columns of a block are read one after another, so only the last block is stored.
    @lru_cache(maxsize=1)
    def create_block(start: int, stop: int) -> FeatureTable:
        """Return the attributes of the features from ``start`` to ``stop``."""
        block_rows = rows[start:stop]
        block_images = None if images is None else images[block_rows]
        attributes = _tabulate_faces(votes, block_rows, start, block_images)
        field_names = [name for name in output.field_names if name in attributes]
        return output.create_table(attributes[field_names], crs=crs)

    def create_column(number: int) -> LazySequence:
        """Return the values of a field, which are created in blocks."""

        def read_values(span: slice) -> list[Any]:
            return list(create_block(span.start, span.stop).columns[number])

        return LazySequence(len(rows), read_values)

    def create_geometries(span: slice) -> list[Any]:
        """Return the geometries of the features of a slice."""
        faces = cast("Any", votes.faces)
        return list(to_map_geometries(faces[rows[span]], working, crs))

    # An empty block has the fields of the table. Its copy is changed, because it is cached.
    table = replace(create_block(0, 0))
    table.columns = [create_column(number) for number in range(len(table.columns))]
    table.geometries = LazySequence(len(rows), create_geometries)
    return table


def _tabulate_faces(
    votes: VoteTable, rows: Ints, first_rank: int, images: Objects | None
) -> pd.DataFrame:
    """Return the attributes of faces, one row per face.

    Args:
        votes: votes with faces.
        rows: (n,) numbers of the faces.
        first_rank: number of larger faces before the first one.
        images: (n,) names of the images; None for a single image.
    """
    faces = face_table(votes, rows)
    # Many faces have the same pattern, so texts are composed once per pattern.
    patterns, first_row, pattern_of_row = np.unique(
        faces["pattern"], return_index=True, return_inverse=True
    )
    decision_digits = np.where(votes.patterns[patterns], "1", "0")
    if votes.is_rated is not None:
        decision_digits[~votes.is_rated[patterns]] = "-"
    texts = {
        "yes": [join_names(names) for names in faces["yes"].iloc[first_row]],
        "no": [join_names(names) for names in faces["no"].iloc[first_row]],
        "votes": ["".join(digits) for digits in decision_digits],
    }
    attributes = faces.assign(rank=np.arange(first_rank + 1, first_rank + len(rows) + 1))
    for name, pattern_texts in texts.items():
        attributes[name] = np.array(pattern_texts, dtype=object)[pattern_of_row]
    if images is not None:
        attributes["image"] = images
    return attributes


def create_pair_table(votes: VoteTable, instances: pd.DataFrame) -> FeatureTable:
    """Return a row per pair of annotators: agreement by area and crown by crown.

    Args:
        votes: votes of all annotators.
        instances: agreement crown by crown, one row per pair in the order of
            ``numpy.triu_indices``.
    """
    pairs = annotator_pairs(votes, instances)
    return outputs.ANNOTATOR_PAIRS.create_table(pairs[outputs.ANNOTATOR_PAIRS.field_names])


def create_linkage_table(votes: VoteTable) -> FeatureTable:
    """Return the steps of Ward's clustering, with positions for drawing the dendrogram.

    Annotators are numbered from 0, then the clusters in the order of the steps.
    """
    linkage = dendrogram(votes)
    steps = pd.DataFrame(linkage, columns=["first", "second", "distance", "size"])
    steps["step"] = np.arange(len(linkage))
    positions, heights = _place_nodes(linkage, votes.n_annotators)
    for column in ("first", "second"):
        nodes = steps[column].to_numpy(dtype=np.int64)
        steps[f"{column}_position"] = positions[nodes]
        steps[f"{column}_height"] = heights[nodes]
    return outputs.LINKAGE.create_table(steps)


def create_ratio_table(votes: VoteTable) -> FeatureTable:
    """Return the area that at least 1, 2, … annotators marked, and its share of the marked area."""
    # Areas by their number of annotators, the largest number first; area without marks left out.
    descending_areas = vote_histogram(votes)[:0:-1]
    area_of_at_least = np.flip(np.cumsum(descending_areas))
    rows = pd.DataFrame(
        {
            "annotators": np.arange(1, votes.n_annotators + 1),
            "area": area_of_at_least,
            "ratio": agreement_ratio(votes),
        }
    )
    return outputs.RATIO.create_table(rows)


def create_summary_table(
    summary: AgreementSummary, unit: str, by_image: Mapping[str, AgreementSummary]
) -> FeatureTable:
    """Return the summary statistics with 95 % intervals.

    Args:
        summary: statistics of all images together.
        unit: unit of lengths; areas are in its square.
        by_image: statistics of each of several images by its name, whose rows follow.
    """
    rows = summary_rows(summary, unit, by_image, tr("all images"))
    rows["meaning"] = [outputs.STATISTIC_LABELS.get(name, "") for name in rows["statistic"]]
    return outputs.SUMMARY.create_table(rows)


def conclude_agreement(summary: AgreementSummary, n_annotators: int) -> list[Message]:
    """Return the conclusion: how far the annotators agree; none for a single annotator."""
    if n_annotators <= 1:
        return []
    return [agreement_headline(summary)]


def _place_nodes(linkage: Floats, n_annotators: int) -> tuple[Floats, Floats]:
    """Place the nodes of a dendrogram so that no lines cross.

    Args:
        linkage: (K - 1, 4) steps of the clustering: both nodes, distance, size.
        n_annotators: number K of annotators.

    Returns:
        (2K - 1,) positions of annotators and clusters along the axis of the annotators, and
        (2K - 1,) distances at which they were formed, 0 for annotators.
    """
    joined_nodes = linkage[:, :2].astype(np.int64)
    annotators_of_node = [[annotator] for annotator in range(n_annotators)]
    for left, right in joined_nodes:
        annotators_of_node.append(annotators_of_node[left] + annotators_of_node[right])
    # The last cluster contains all annotators, in an order in which clusters are contiguous.
    drawing_order = annotators_of_node[-1] if len(linkage) else list(range(n_annotators))
    positions = np.zeros(len(annotators_of_node))
    positions[drawing_order] = np.arange(n_annotators)
    for cluster, (left, right) in enumerate(joined_nodes, start=n_annotators):
        positions[cluster] = (positions[left] + positions[right]) / 2
    heights = np.append(np.zeros(n_annotators), linkage[:, 2])
    return positions, heights


#: Value of the probability raster outside the study area.
_NO_PROBABILITY = -1.0
#: Value of the consensus raster outside the study area.
_NO_DATA = 255


def create_consensus_table(
    consensuses: list[Consensus], settings: AgreementSettings, working: WorkingCrs
) -> FeatureTable:
    """Return a row per polygon of the consensuses, with the method and its parameters.

    Of consensuses without each annotator, rows also name the excluded annotator, and contain the
    marked area, the part of it that nobody else marked, and STAPLE's prior.

    Args:
        consensuses: one consensus, or one without each annotator.
        settings: settings of the run.
        working: coordinate reference system of the polygons.
    """
    method = settings[METHOD]
    attributes = pd.DataFrame(
        [_read_consensus_attributes(consensus, method) for consensus in consensuses]
    )
    n_polygons = [len(consensus.polygons) for consensus in consensuses]
    polygons = np.concatenate([consensus.polygons for consensus in consensuses])
    # A row per consensus is repeated for each of its polygons.
    rows = attributes.loc[attributes.index.repeat(n_polygons)]
    images: list[str] = []
    for consensus in consensuses:
        images += consensus.image_of_polygon
    if any(images):
        rows = rows.assign(image=images)
    rows = rows.assign(
        area=shapely.area(polygons),
        method=method,
        parameters=describe_parameters(settings),
    )
    if any(consensus.classes is not None for consensus in consensuses):
        classes = pd.concat([consensus.classes for consensus in consensuses], ignore_index=True)
        rows = pd.concat([rows.reset_index(drop=True), classes], axis="columns")
    geometries = to_map_geometries(polygons, working, settings.crs)
    return outputs.CONSENSUS.create_table(rows, geometries, settings.crs)


def _read_consensus_attributes(consensus: Consensus, method: str) -> dict[str, Any]:
    """Return the attributes of a consensus as a whole, by column.

    Args:
        consensus: the consensus.
        method: key of the method; that of STAPLE adds its prior.
    """
    attributes: dict[str, Any] = {"annotators": consensus.votes.n_annotators}
    if consensus.excluded_annotator:
        attributes |= {
            "excluded": consensus.excluded_annotator,
            "marked": consensus.marked_area,
            "by_nobody": consensus.area_marked_by_nobody,
        }
        if method == "staple":
            attributes["prior"] = consensus.prior
    return attributes


def consensus_values(consensuses: list[Consensus]) -> dict[str, float]:
    """Return the values MARKED and MARKED_BY_NOBODY (m²) and PRIOR_USED of a consensus.

    They are NaN for consensuses without each annotator, whose rows contain the values of each.
    """
    first_consensus = consensuses[0]
    if first_consensus.excluded_annotator or len(consensuses) > 1:
        return {"MARKED": math.nan, "MARKED_BY_NOBODY": math.nan, "PRIOR_USED": math.nan}
    return {
        "MARKED": first_consensus.marked_area,
        "MARKED_BY_NOBODY": first_consensus.area_marked_by_nobody,
        "PRIOR_USED": first_consensus.prior,
    }


def conclude_consensus(title: str, numbers: Mapping[str, float], unit: str) -> list[Message]:
    """Return the conclusion: the method, and the marked area of a single consensus.

    Args:
        title: short name of the consensus.
        numbers: values of :func:`consensus_values`.
        unit: unit of lengths; areas are in its square.
    """
    marked = numbers["MARKED"]
    if math.isnan(marked):
        return [info("headline.consensuses", "Consensus: {method}.", method=title)]
    return [
        info(
            "headline.consensus",
            "Consensus: {method}: {marked:,.1f} {unit}², {beyond:,.1f} {unit}² of it marked by "
            "nobody.",
            method=title,
            marked=marked,
            beyond=numbers["MARKED_BY_NOBODY"],
            unit=unit,
        )
    ]


def empty_consensus_messages(consensuses: list[Consensus]) -> list[Message]:
    """Return a message that names the annotators without whom the consensus has no polygons."""
    names = [
        consensus.excluded_annotator
        for consensus in consensuses
        if consensus.excluded_annotator and not len(consensus.polygons)
    ]
    if not names:
        return []
    text = "The consensus is empty without {names}."
    return [note("consensus.empty", text, names=join_names(names))]


def create_consensus_raster(
    consensuses: list[Consensus], grid: Grid, description: str
) -> RasterOutput:
    """Return a raster with a band per consensus: 1 for marked, 0 for unmarked, 255 outside.

    Args:
        consensuses: one consensus, or one without each annotator.
        grid: pixels of the raster.
        description: text for the metadata.
    """
    bands: dict[str, RowReader] = {}
    for consensus in consensuses:
        band = tr("consensus")
        if consensus.excluded_annotator:
            band = tr("consensus without {name}", name=consensus.excluded_annotator)
        pattern_index = np.asarray(consensus.votes.pattern_index)
        if consensus.is_marked.ndim == 2:
            is_inside = pattern_index < len(consensus.votes.patterns)
            values = np.where(is_inside, consensus.is_marked, _NO_DATA).astype(np.uint8)
            bands[band] = values.__getitem__
        else:
            values = np.append(consensus.is_marked, _NO_DATA).astype(np.uint8)
            bands[band] = lookup_rows(values, pattern_index)
    return RasterOutput(
        bands=bands, data_type="uint8", grid=grid, nodata=_NO_DATA, description=description
    )


def create_probability_raster(
    consensuses: list[Consensus], grid: Grid, description: str
) -> RasterOutput:
    """Return a raster with a band per consensus of STAPLE: its probability, -1 outside.

    Args:
        consensuses: one consensus, or one without each annotator.
        grid: pixels of the raster.
        description: text for the metadata.
    """
    bands = {}
    for consensus in consensuses:
        if consensus.probability is None:
            continue
        band = tr("probability")
        if consensus.excluded_annotator:
            band = tr("probability without {name}", name=consensus.excluded_annotator)
        values = np.append(consensus.probability, _NO_PROBABILITY).astype(np.float32)
        bands[band] = lookup_rows(values, np.asarray(consensus.votes.pattern_index))
    return RasterOutput(
        bands=bands, data_type="float32", grid=grid, nodata=_NO_PROBABILITY, description=description
    )


#: Maximum number of image values. More do not fit into memory together with the arrays that are
#: computed from them.
_MAX_VALUES = 100_000_000
#: Smallest possible p-value above which a message says that p-values cannot be small.
_NOTABLE_P = 0.01
#: Share of the study area with image data above which the image counts as complete.
_COMPLETE_SHARE = 0.995


@dataclass(frozen=True, eq=False)
class ImageWithVotes:
    """Image with the votes on its own pixels."""

    name: str  #: name of the image.
    grid: Grid  #: pixels of the image in the study area.
    n_annotators: Floats  #: (rows, columns) number of annotators, NaN outside the study area.
    bands: list[Floats]  #: (rows, columns) values of each band, NaN without data.
    white_value: float | None  #: value of a white pixel; None to derive it from the data.
    #: Numbers, from 1, of the red, green and blue band; None for a grey image.
    colour_bands: tuple[int, int, int] | None
    messages: list[Message]  #: messages about the image.
    #: (rows, columns) number of the block of each pixel; None for square blocks.
    block_numbers: Ints | None = None


def is_too_large(image: RasterSnapshot, grid: Grid) -> bool:
    """Return True if the image's values on the grid do not fit into memory."""
    return grid.rows * grid.columns * image.n_bands > _MAX_VALUES


def read_image(
    image: RasterSnapshot,
    colours: tuple[int, int, int] | None,
    drawings: DrawingSite,
    grid: Grid,
    votes: VoteTable,
    progress: Progress,
) -> ImageWithVotes:
    """Read all bands of an image onto the pixels of the votes.

    Args:
        image: the image.
        colours: numbers, from 1, of the red, green and blue band; None for a grey image.
        drawings: drawings of the annotators, with the study area.
        grid: pixels of the votes.
        votes: votes on these pixels.
        progress: called with the fraction done.
    """
    bands = []
    for number, share in iterate_with_progress(range(1, image.n_bands + 1), progress):
        bands.append(read_band(image, number, grid, share))
    counted = votes.on_map(votes.comparable_votes)
    messages = [_colour_message(colours)]
    messages += _incomplete_image_messages(image.name, counted, bands, grid, drawings)
    white_value = 255.0 if image.is_byte() else None
    return ImageWithVotes(
        name=image.name,
        grid=grid,
        n_annotators=counted,
        bands=bands,
        white_value=white_value,
        colour_bands=colours,
        messages=messages,
    )


def stack_images(
    images: Mapping[str, ImageWithVotes], window: int
) -> tuple[ImageWithVotes | None, list[Message]]:
    """Arrange several images in one array, each as a block of its own.

    Args:
        images: images by name.
        window: minimum distance of two images in pixels.

    Returns:
        The image, or None if all values do not fit into memory together; and messages.
    """
    all_images = list(images.values())
    first_image = all_images[0]
    image_stack = ImageStack(tuple(image.n_annotators.shape for image in all_images), window)
    if math.prod(image_stack.shape) * len(first_image.bands) > _MAX_VALUES:
        message = note(
            "image.too_large",
            "The images have too many pixels together for correlations with them. Compare fewer "
            "images at a time.",
        )
        return None, [message]

    n_annotators = image_stack.assemble([image.n_annotators for image in all_images], math.nan)
    bands = []
    for number in range(len(first_image.bands)):
        band_of_images = [image.bands[number] for image in all_images]
        bands.append(image_stack.assemble(band_of_images, math.nan))
    block_numbers = []
    for position, image in enumerate(all_images):
        # Numbers that differ by 2 mark blocks that do not adjoin.
        block_numbers.append(np.full(image.n_annotators.shape, 2 * position))
    white_values = {image.white_value for image in all_images}
    stacked_image = replace(
        first_image,
        name=tr("all images"),
        n_annotators=n_annotators,
        bands=bands,
        white_value=first_image.white_value if len(white_values) == 1 else None,
        block_numbers=image_stack.assemble(block_numbers, 0),
    )
    return stacked_image, []


def correlate_images(
    image: ImageWithVotes,
    by_image: Mapping[str, ImageWithVotes],
    window: int,
    block_side: float,
    progress: Progress,
) -> tuple[pd.DataFrame, list[Message]]:
    """Compute the correlations of the number of annotators with one or several images.

    Args:
        image: the image, or all images laid out in one.
        by_image: each of several images by its name; empty for one image.
        window: side of the window for the contrast, pixels.
        block_side: side of the resampled blocks in metres; 0 for the default.
        progress: called with the fraction done.

    Returns:
        A row per property of the image, those of all images first, with a column ``image`` if
        there are several; and messages about missing correlations.
    """
    share = 1 / (1 + len(by_image))
    rows, messages = correlate_image(image, window, block_side, subprogress(progress, 0.0, share))
    rows = rows.assign(property=rows.index)
    if not by_image:
        return rows, messages

    tables = [rows.assign(image=tr("all images"))]
    images_progress = subprogress(progress, share, 1.0)
    for name, image_progress in iterate_with_progress(list(by_image), images_progress):
        image_rows, image_messages = correlate_image(
            by_image[name], window, block_side, image_progress
        )
        tables.append(image_rows.assign(property=image_rows.index, image=name))
        messages += [message for message in image_messages if message.key == "image.no_correlation"]
    return pd.concat(tables, ignore_index=True), messages


def correlate_image(
    image: ImageWithVotes, window: int, block_side: float, progress: Progress
) -> tuple[pd.DataFrame, list[Message]]:
    """Compute the correlations of the number of annotators with an image.

    Args:
        image: image with the votes on its pixels.
        window: side of the window for the contrast, pixels.
        block_side: side of the resampled blocks in metres; 0 for the default.
        progress: called with the fraction done.

    Returns:
        Rows of :func:`~randcrowns.core.agreement.image_correlation.image_correlations`, and
        messages about missing values.
    """
    colour_indices = None
    if image.colour_bands is not None:
        colour_indices = [band - 1 for band in image.colour_bands]
    block_side_in_pixels = None
    if block_side > 0:
        pixel_side = float(np.sqrt(image.grid.pixel_width * image.grid.pixel_height))
        block_side_in_pixels = max(block_side / pixel_side, 1.0)
    rows = run_in_thread(
        lambda share: image_correlations(
            image.n_annotators,
            np.stack(image.bands),
            rgb=colour_indices,
            white=image.white_value,
            window=window,
            block_side=block_side_in_pixels,
            blocks=image.block_numbers,
            progress=share,
        ),
        progress,
    )
    return rows, _correlation_messages(image.name, rows)


def _correlation_messages(name: str, rows: pd.DataFrame) -> list[Message]:
    """Return messages about missing correlations, intervals and small p-values of an image."""
    messages = []
    property_column = outputs.IMAGE_TABLE.columns[0]
    for reason, rows_of_reason in rows[rows["reason"] != ""].groupby("reason", sort=False):
        properties = [property_column.display_text(key) for key in rows_of_reason.index]
        if rows_of_reason["correlation"].notna().all():
            message = note(
                "image.no_interval",
                "Image '{name}': no interval and no p-value for {rows}: {reason}.",
                name=name,
                rows=properties,
                reason=reason,
            )
        else:
            message = note(
                "image.no_correlation",
                "Image '{name}': no correlation with {rows}: {reason}.",
                name=name,
                rows=properties,
                reason=reason,
            )
        messages.append(message)
    smallest_p = rows["min_p_value"].where(rows["p_value"].notna()).max()
    if smallest_p > _NOTABLE_P:
        messages.append(
            note(
                "image.least_p",
                "The number of annotators varies in few blocks. Even an image equal to it would "
                "have p = {p:.2f} here, so a p-value of that size does not mean that the "
                "correlation is weak.",
                p=smallest_p,
            )
        )
    return messages


def _colour_message(colours: tuple[int, int, int] | None) -> Message:
    """Return a message about the bands that brightness and contrast are computed from."""
    if colours is None:
        return info(
            "image.grey", "The image's brightness and contrast are those of its first band."
        )
    return info(
        "image.colours",
        "The image's brightness and contrast are those of bands {bands} (red, green, blue).",
        bands=colours,
    )


def _incomplete_image_messages(
    name: str, counted: Floats, bands: list[Floats], grid: Grid, drawings: DrawingSite
) -> list[Message]:
    """Return a message if the image has data in a part of the study area only, or none.

    Args:
        name: name of the image.
        counted: (rows, columns) number of annotators, NaN outside the study area.
        bands: (rows, columns) values of each band, NaN without data.
        grid: pixels of these arrays.
        drawings: drawings of the annotators, with the study area.
    """
    is_inside = np.isfinite(counted)
    has_data = is_inside & np.logical_and.reduce([np.isfinite(band) for band in bands])
    share_of_pixels = np.count_nonzero(has_data) / max(np.count_nonzero(is_inside), 1)
    study_area = drawings.remaining_area
    area_in_image = shapely.intersection(study_area, shapely.box(*grid.bounds))
    share_in_image = shapely.area(area_in_image) / shapely.area(study_area)
    share = share_in_image * share_of_pixels
    if not 0 < share < _COMPLETE_SHARE:
        return []
    percentage: Message | TranslatableText = info("image.hardly", "less than 1")
    if share >= 0.01:
        percentage = number_text(100 * share, 0)
    return [
        note(
            "image.part",
            "Image '{name}' has data in {share} % of the study area. The correlations are of that "
            "part alone.",
            name=name,
            share=percentage,
        )
    ]
