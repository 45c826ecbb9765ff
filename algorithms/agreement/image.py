"""Correlation of agreement with an image."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import shapely
from osgeo import gdal

from randcrowns.algorithms.agreement.drawings import Drawings
from randcrowns.core.agreement.image import image_correlations
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.arrays import Floats
from randcrowns.core.progress import Progress, aside, part_of
from randcrowns.core.remarks import Remark, info, note
from randcrowns.layers.raster.grid import Grid, RasterSnapshot, read_band

#: More numbers than these do not fit into memory beside what is made of them.
_MOST_VALUES = 100_000_000
#: Larger p-values of a perfect correlation are worth a sentence.
_SMALL_P = 0.01
#: Smaller shares of the study area are a part of it.
_WHOLE = 0.995


@dataclass(frozen=True, eq=False)
class ImageOfVotes:
    """An image beside the votes, on its own pixels.

    Attributes:
        name: of the image.
        grid: its pixels in the study area.
        counted: (rows, columns) number of annotators, NaN outside.
        bands: (rows, columns) values of each band, NaN where there are none.
        white: value of a white pixel; None where the data decide.
        colours: numbers, from 1, of the red, green and blue band; None where it is grey.
        remarks: what must be known beside its correlations.
    """

    name: str
    grid: Grid
    counted: Floats
    bands: list[Floats]
    white: float | None
    colours: tuple[int, int, int] | None
    remarks: list[Remark]


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
        read_band(image, band, grid, part_of(progress, (band - 1) / image.bands, band / image.bands))
        for band in range(1, image.bands + 1)
    ]
    counted = votes.on_map(votes.yes_votes)
    is_byte = image.open().GetRasterBand(1).DataType == gdal.GDT_Byte
    told = [_colours_told(colours), *_part_told(image.name, counted, bands, grid, drawings)]
    return ImageOfVotes(image.name, grid, counted, bands, 255.0 if is_byte else None, colours, told)


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
            progress=told,
        ),
        progress,
    )
    told = []
    for reason, rows in found[found["reason"] != ""].groupby("reason", sort=False):
        key, said = "image.no_correlation", "Image '{name}': no correlation with {rows}: {reason}."
        if rows["correlation"].notna().all():
            key, said = "image.no_interval", "Image '{name}': no interval and no p-value for {rows}: {reason}."
        told.append(note(key, said, name=image.name, rows=list(rows.index), reason=reason))
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
        return info("image.grey", "The image's brightness and contrast are those of its first band.")
    said = "The image's brightness and contrast are those of bands {bands} (red, green, blue)."
    return info("image.colours", said, bands=colours)


def _part_told(name: str, counted: Floats, bands: list[Floats], grid: Grid, drawings: Drawings) -> list[Remark]:
    """That the image has data in a part of the study area only."""
    studied = np.isfinite(counted)
    with_data = studied & np.logical_and.reduce([np.isfinite(band) for band in bands])
    region = drawings.region
    reached = shapely.area(shapely.intersection(region, shapely.box(*grid.bounds))) / shapely.area(region)
    share = reached * np.count_nonzero(with_data) / max(np.count_nonzero(studied), 1)
    if not 0 < share < _WHOLE:
        return []
    said = "Image '{name}' has data in {share} % of the study area; the correlations are of that part alone."
    shown = f"{100 * share:.0f}" if share >= 0.01 else info("image.hardly", "less than 1")
    return [note("image.part", said, name=name, share=shown)]
