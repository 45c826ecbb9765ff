"""The tables of a comparison of annotators as features."""

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

from randcrowns.algorithms.agreement import outputs
from randcrowns.algorithms.agreement.choices import METHOD, AnnotatorJob, names_list
from randcrowns.algorithms.agreement.methods import Consensus, method_parameters
from randcrowns.algorithms.agreement.votes import Drawings
from randcrowns.algorithms.output import Output
from randcrowns.core.agreement.image import image_correlations
from randcrowns.core.agreement.images import Sheet
from randcrowns.core.agreement.measures import (
    agreement_ratio,
    dendrogram,
    pairwise_f1,
    vote_weights,
)
from randcrowns.core.agreement.places import agreement_faces
from randcrowns.core.agreement.summary import AgreementSummary
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Floats, Ints, Objects, as_words, with_interval
from randcrowns.core.progress import Progress, aside, part_of, steps
from randcrowns.core.remarks import Remark, info, note
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.raster.grid import Grid, RasterSnapshot, read_band
from randcrowns.layers.raster.output import RasterTable, Rows, looked_up
from randcrowns.layers.vector.geometry import map_shapes
from randcrowns.layers.vector.tables import FeatureTable, Pieces
from randcrowns.layers.words import tr

_AREAS = ("study_area", "marked_by_any", "marked_by_all")


def places_table(
    output: Output,
    votes: VoteTable,
    rows: Ints,
    images: Objects | None,
    working: WorkingCrs,
    crs: QgsCoordinateReferenceSystem,
) -> FeatureTable:
    """The ``rows`` of ``votes.faces``, the largest first: who marked each and who did not; ``images`` names each
    face's image, of several."""

    @lru_cache(maxsize=1)
    def part(start: int, stop: int) -> FeatureTable:
        places = agreement_faces(votes, rows[start:stop])
        used, first, row = np.unique(places["pattern"], return_index=True, return_inverse=True)
        texts = {
            name: [names_list(names) for names in places[name].iloc[first]]
            for name in ("yes", "no")
        }
        texts["votes"] = [
            "".join("1" if yes else "0" for yes in decisions) for decisions in votes.patterns[used]
        ]
        told = places.assign(
            rank=np.arange(start + 1, stop + 1),
            **{name: np.array(of_pattern, dtype=object)[row] for name, of_pattern in texts.items()},
            **({} if images is None else {"image": images[rows[start:stop]]}),
        )
        return output.table(told[[name for name in output.names if name in told]], crs=crs)

    def column(number: int) -> Pieces:
        return Pieces(len(rows), lambda some: list(part(some.start, some.stop).values[number]))  # noqa: PD011

    table, faces = replace(part(0, 0)), cast("Any", votes.faces)
    table.values = [column(number) for number in range(len(table.values))]
    table.geometry = Pieces(
        len(rows), lambda some: list(map_shapes(faces[rows[some]], working, crs))
    )
    return table


def annotator_pairs_table(votes: VoteTable, instances: pd.DataFrame) -> FeatureTable:
    """A row per two annotators: by area, and crown by crown."""
    first, second = np.triu_indices(votes.n_annotators, 1)
    names = np.array(votes.names, dtype=object)
    shared = votes.shared_sums
    crowns = instances.rename(
        columns={"only_first": "crowns_first", "only_second": "crowns_second"}
    )
    by_area = pd.DataFrame(
        {
            "first": names[first],
            "second": names[second],
            "f1": pairwise_f1(votes)[first, second],
            "shared": shared[first, second],
            "only_first": shared[first, first] - shared[first, second],
            "only_second": shared[second, second] - shared[first, second],
        }
    )
    by_crown = crowns[[name for name in outputs.ANNOTATOR_PAIRS.names if name not in by_area]]
    return outputs.ANNOTATOR_PAIRS.table(by_area.join(by_crown.reset_index(drop=True)))


def linkage_table(votes: VoteTable) -> FeatureTable:
    """The steps of Ward's clustering: annotators count from 0, then the clusters in the order they were made."""
    links = dendrogram(votes)
    frame = pd.DataFrame(links, columns=["first", "second", "distance", "size"])
    frame["step"] = np.arange(len(links))
    place, height = _drawn_tree(links, votes.n_annotators)
    for name in ("first", "second"):
        of = frame[name].to_numpy(dtype=np.int64)
        frame[f"{name}_place"], frame[f"{name}_height"] = place[of], height[of]
    return outputs.LINKAGE.table(frame)


def ratio_table(votes: VoteTable) -> FeatureTable:
    """The agreement-ratio curve."""
    at_least = np.cumsum(vote_weights(votes)[:0:-1])[::-1]
    numbers = np.arange(1, votes.n_annotators + 1)
    return outputs.RATIO.table(
        pd.DataFrame({"annotators": numbers, "area": at_least, "ratio": agreement_ratio(votes)})
    )


def agreement_table(
    found: AgreementSummary, unit: str, by_image: Mapping[str, AgreementSummary]
) -> FeatureTable:
    """The headline numbers with 95 % intervals, those of all images first; areas in square units."""
    rows = _summary_rows(found, unit)
    if by_image:
        parts = [_summary_rows(one, unit).assign(image=image) for image, one in by_image.items()]
        rows = pd.concat([rows.assign(image=tr("all images")), *parts], ignore_index=True)
    return outputs.SUMMARY.table(rows)


def agreement_headline(found: AgreementSummary, annotators: int) -> list[Remark]:
    """The answer: how far the annotators agree; nothing of one alone."""
    names = {"f1": "mean_f1", "kappa": "fleiss_kappa", "bound": "smyth_bound"}
    value, low, high = (found.table[column].astype(float) for column in ("value", "low", "high"))
    numbers = {
        name: with_interval(value[one], low[one], high[one], 3) for name, one in names.items()
    }
    ends = {"least": "min_f1", "most": "max_f1"}
    numbers |= {name: as_words(value[one], 3) for name, one in ends.items()}
    said = (
        "{count} annotators: mean F1 {f1}, pairs {least} to {most}; Fleiss' kappa {kappa}, Smyth's bound on the mean "
        "error {bound}."
    )
    return [info("headline.agreement", said, count=annotators, **numbers)] if annotators > 1 else []


def _summary_rows(found: AgreementSummary, unit: str) -> pd.DataFrame:
    names = list(found.table.index)
    return found.table.assign(
        statistic=names,
        unit=[f"{unit}²" if name in _AREAS else "" for name in names],
        blocks=found.n_blocks,
        marked_blocks=found.n_marked,
        meaning=[outputs.MEANINGS.get(name, "") for name in names],
    )


def _drawn_tree(links: Floats, count: int) -> tuple[Floats, Floats]:
    """(2K - 1,) where every annotator and cluster stands so that no lines cross, and the distance it was made at."""
    members = [[k] for k in range(count)]
    for first, second in links[:, :2].astype(np.int64):
        members.append(members[first] + members[second])
    place, height = np.zeros(len(members)), np.zeros(len(members))
    place[members[-1] if len(links) else list(range(count))] = np.arange(count)
    for step, (first, second, distance, _) in enumerate(links):
        place[count + step] = (place[int(first)] + place[int(second)]) / 2
        height[count + step] = distance
    return place, height


# Probability outside of the study area, and what a consensus is there.
_OUTSIDE, _NO_DATA = -1.0, 255


def consensus_table(made: list[Consensus], job: AnnotatorJob, working: WorkingCrs) -> FeatureTable:
    """A row per polygon, with how it was made; of several consensuses also whose polygons were excluded."""
    polygons = np.concatenate([one.polygons for one in made])
    of_each: dict[str, list[Any]] = {"annotators": [one.votes.n_annotators for one in made]}
    if made[0].left_out:
        names = ("left_out", "area", "beyond", *(["prior"] if job[METHOD] == "staple" else []))
        renamed = {"area": "marked", "beyond": "by_nobody"}
        of_each.update(
            {renamed.get(name, name): [getattr(one, name) for one in made] for name in names}
        )
    rows = pd.DataFrame(of_each).iloc[
        np.repeat(np.arange(len(made)), [len(one.polygons) for one in made])
    ]
    images = [image for one in made for image in one.images]
    if any(images):
        rows = rows.assign(image=images)
    rows = rows.assign(
        area=shapely.area(polygons), method=job[METHOD], parameters=method_parameters(job)
    )
    return outputs.CONSENSUS.table(rows, map_shapes(polygons, working, job.crs), job.crs)


def made_outputs(made: list[Consensus]) -> dict[str, float]:
    """How much is marked and with which prior; of several consensuses, each in its rows, no one number holds."""
    (one, *others) = made
    numbers = (math.nan,) * 3 if one.left_out or others else (one.area, one.beyond, one.prior)
    return dict(zip(("MARKED", "MARKED_BY_NOBODY", "PRIOR_USED"), numbers))


def consensus_headline(method: str, numbers: Mapping[str, float], unit: str) -> list[Remark]:
    """The answer: the method, and how much it marks; of several consensuses no one number holds."""
    marked, beyond = numbers["MARKED"], numbers["MARKED_BY_NOBODY"]
    if math.isnan(marked):
        return [info("headline.consensuses", "Consensus: {method}.", method=method)]
    said = (
        "Consensus: {method}: {marked:,.1f} {unit}², {beyond:,.1f} {unit}² of it marked by nobody."
    )
    return [
        info("headline.consensus", said, method=method, marked=marked, beyond=beyond, unit=unit)
    ]


def empty_consensuses(made: list[Consensus]) -> list[Remark]:
    """Without whom the consensus is empty, and so has no rows."""
    empty = [one.left_out for one in made if one.left_out and not len(one.polygons)]
    return (
        [
            note(
                "consensus.empty",
                "The consensus is empty without {names}.",
                names=names_list(empty),
            )
        ]
        if empty
        else []
    )


def consensus_raster(made: list[Consensus], grid: Grid, described: str) -> RasterTable:
    """A band per consensus: 1 where it marks, 0 where it does not."""
    bands: dict[str, Rows] = {}
    for one in made:
        name = (
            tr("consensus without {name}", name=one.left_out) if one.left_out else tr("consensus")
        )
        index = np.asarray(one.votes.index)
        if one.marked.ndim == 2:
            values = np.where(index < len(one.votes.patterns), one.marked, _NO_DATA).astype(
                np.uint8
            )
            bands[name] = values.__getitem__
        else:
            bands[name] = looked_up(np.append(one.marked, _NO_DATA).astype(np.uint8), index)
    return RasterTable(bands, "uint8", grid, _NO_DATA, described)


def probability_raster(made: list[Consensus], grid: Grid, described: str) -> RasterTable:
    """A band per consensus."""
    bands = {}
    for one in made:
        if one.probability is not None:
            name = (
                tr("probability without {name}", name=one.left_out)
                if one.left_out
                else tr("probability")
            )
            values = np.append(one.probability, _OUTSIDE).astype(np.float32)
            bands[name] = looked_up(values, np.asarray(one.votes.index))
    return RasterTable(bands, "float32", grid, _OUTSIDE, described)


#: More numbers than these do not fit into memory beside what is made of them.
_MOST_VALUES = 100_000_000
#: Larger p-values of a perfect correlation are worth a sentence.
_SMALL_P = 0.01
#: Smaller shares of the study area are a part of it.
_WHOLE = 0.995


@dataclass(frozen=True, eq=False)
class ImageOfVotes:
    """An image beside the votes, on its own pixels."""

    name: str  #: of the image.
    grid: Grid  #: its pixels in the study area.
    counted: Floats  #: (rows, columns) number of annotators, NaN outside.
    bands: list[Floats]  #: (rows, columns) values of each band, NaN where there are none.
    white: float | None  #: value of a white pixel; None where the data decide.
    #: Numbers, from 1, of the red, green and blue band; None where it is grey.
    colours: tuple[int, int, int] | None
    remarks: list[Remark]  #: what must be known beside its correlations.
    blocks: Ints | None = (
        None  #: (rows, columns) number of the block of each pixel; None for square ones.
    )


def is_too_large(image: RasterSnapshot, grid: Grid) -> bool:
    """Whether the image's values on the grid do not fit into memory."""
    return grid.rows * grid.columns * image.bands > _MOST_VALUES


def read_image(
    image: RasterSnapshot,
    colours: tuple[int, int, int] | None,
    drawings: Drawings,
    grid: Grid,
    votes: VoteTable,
    progress: Progress,
) -> ImageOfVotes:
    """Read the bands onto the grid of the votes."""
    bands = [
        read_band(
            image, band, grid, part_of(progress, (band - 1) / image.bands, band / image.bands)
        )
        for band in range(1, image.bands + 1)
    ]
    counted = votes.on_map(votes.yes_votes)
    told = [_colours_told(colours), *_part_told(image.name, counted, bands, grid, drawings)]
    return ImageOfVotes(
        image.name, grid, counted, bands, 255.0 if image.is_byte() else None, colours, told
    )


def laid_out(
    images: Mapping[str, ImageOfVotes], window: int
) -> tuple[ImageOfVotes | None, list[Remark]]:
    """Several images as one, each a block of its own; nothing where they do not fit into memory together."""
    first = next(iter(images.values()))
    sheet = Sheet(tuple(one.counted.shape for one in images.values()), window)
    if math.prod(sheet.shape) * len(first.bands) > _MOST_VALUES:
        said = "The images have too many pixels together for correlations with them; compare fewer at a time."
        return None, [note("image.too_large", said)]
    counted = sheet.filled([one.counted for one in images.values()], math.nan)
    bands = [
        sheet.filled(list(of_band), math.nan)
        for of_band in zip(*(one.bands for one in images.values()))
    ]
    # Every other number: images do not adjoin.
    numbers = [np.full(one.counted.shape, 2 * number) for number, one in enumerate(images.values())]
    white = first.white if all(one.white == first.white for one in images.values()) else None
    blocks = sheet.filled(numbers, 0)
    return replace(
        first, name=tr("all images"), counted=counted, bands=bands, white=white, blocks=blocks
    ), []


def correlations(
    image: ImageOfVotes,
    by_image: Mapping[str, ImageOfVotes],
    window: int,
    block_side: float,
    progress: Progress,
) -> tuple[pd.DataFrame, list[Remark]]:
    """The rows of the correlations, those of all images first; what is missing, and which images cannot count."""
    share = 1 / (1 + len(by_image))
    found, told = correlate(image, window, block_side, part_of(progress, 0.0, share))
    found = found.assign(property=found.index)
    if by_image:
        rows = [found.assign(image=tr("all images"))]
        for (name, one), part in steps(list(by_image.items()), part_of(progress, share, 1.0)):
            of_one, missing = correlate(one, window, block_side, part)
            told += [remark for remark in missing if remark.key == "image.no_correlation"]
            rows.append(of_one.assign(property=of_one.index, image=name))
        found = pd.concat(rows, ignore_index=True)
    return found, told


def correlate(
    image: ImageOfVotes, window: int, block_side: float, progress: Progress
) -> tuple[pd.DataFrame, list[Remark]]:
    """The correlations of the votes with the image, and why some are missing."""
    pixel = float(np.sqrt(image.grid.pixel_width * image.grid.pixel_height))
    found = aside(
        lambda told: image_correlations(
            image.counted,
            np.stack(image.bands),
            rgb=None if image.colours is None else [band - 1 for band in image.colours],
            white=image.white,
            window=window,
            block_side=max(block_side / pixel, 1.0) if block_side > 0 else None,
            blocks=image.blocks,
            progress=told,
        ),
        progress,
    )
    told = []
    shown = outputs.IMAGE_TABLE.columns[0].shown
    for reason, rows in found[found["reason"] != ""].groupby("reason", sort=False):
        key, said = "image.no_correlation", "Image '{name}': no correlation with {rows}: {reason}."
        if rows["correlation"].notna().all():
            key, said = (
                "image.no_interval",
                "Image '{name}': no interval and no p-value for {rows}: {reason}.",
            )
        told.append(
            note(key, said, name=image.name, rows=[shown(row) for row in rows.index], reason=reason)
        )
    least = found["least_p"].where(found["p_value"].notna()).max()
    if least > _SMALL_P:
        said = (
            "The number of annotators varies in few blocks: even an image equal to it would have p = {p:.2f} here, so "
            "a p-value of that size does not mean that the correlation is weak."
        )
        told.append(note("image.least_p", said, p=least))
    return found, told


def _colours_told(colours: tuple[int, int, int] | None) -> Remark:
    if colours is None:
        return info(
            "image.grey", "The image's brightness and contrast are those of its first band."
        )
    said = "The image's brightness and contrast are those of bands {bands} (red, green, blue)."
    return info("image.colours", said, bands=colours)


def _part_told(
    name: str, counted: Floats, bands: list[Floats], grid: Grid, drawings: Drawings
) -> list[Remark]:
    """That the image has data in a part of the study area only."""
    studied = np.isfinite(counted)
    with_data = studied & np.logical_and.reduce([np.isfinite(band) for band in bands])
    region = drawings.region
    reached = shapely.area(shapely.intersection(region, shapely.box(*grid.bounds))) / shapely.area(
        region
    )
    share = reached * np.count_nonzero(with_data) / max(np.count_nonzero(studied), 1)
    if not 0 < share < _WHOLE:
        return []
    said = "Image '{name}' has data in {share} % of the study area; the correlations are of that part alone."
    shown = as_words(100 * share, 0) if share >= 0.01 else info("image.hardly", "less than 1")
    return [note("image.part", said, name=name, share=shown)]
