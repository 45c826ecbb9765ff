"""Whether agreement follows what the image shows, as a table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import shapely
from osgeo import gdal

from randcrowns.algorithms.agreement.drawings import Drawings
from randcrowns.algorithms.agreement.tables import image_correlations_table
from randcrowns.algorithms.agreement.votes import pixel_votes
from randcrowns.core.agreement.image import image_correlations
from randcrowns.core.arrays import Floats
from randcrowns.core.progress import Progress, aside, part_of
from randcrowns.layers.raster.grid import Grid, RasterSnapshot, read_band
from randcrowns.layers.vector.tables import FeatureTable
from randcrowns.layers.words import tr

__all__ = ["image_table", "least_p_sentence"]

#: More numbers than these do not fit into memory beside what is made of them.
_MOST_VALUES = 100_000_000
#: Larger p-values of a perfect correlation are worth a sentence.
_SMALL_P = 0.01
#: Smaller shares of the study area are a part of it.
_WHOLE = 0.995


def image_table(
    image: RasterSnapshot,
    colours: tuple[int, int, int] | None,
    drawings: Drawings,
    window: int,
    block_side: float,
    progress: Progress,
) -> FeatureTable | None:
    """Correlations on the image's own pixels; None, with a sentence, where these are too many."""
    if drawings.grid is None:
        return None
    grid = drawings.grid.within(np.array(drawings.bounds))
    if grid.rows * grid.columns * image.bands > _MOST_VALUES:
        drawings.sentences.append(
            tr("The image has too many pixels in the study area for its correlations; choose a smaller study area.")
        )
        return None
    votes = pixel_votes(drawings, grid, progress=part_of(progress, 0.8, 0.84))
    each = 0.04 / image.bands
    bands = [
        read_band(image, band, grid, part_of(progress, 0.84 + each * (band - 1), 0.84 + each * band))
        for band in range(1, image.bands + 1)
    ]
    opened = image.open()
    counted = votes.on_map(votes.yes_votes)
    drawings.of_image.extend(_part_sentence(image.name, counted, bands, grid, drawings))
    drawings.sentences.extend(drawings.of_image)
    is_byte = opened.GetRasterBand(1).DataType == gdal.GDT_Byte
    pixel = float(np.sqrt(grid.pixel_width * grid.pixel_height))
    found = aside(
        lambda told: image_correlations(
            counted,
            np.stack(bands),
            rgb=None if colours is None else [band - 1 for band in colours],
            white=255.0 if is_byte else None,
            window=window,
            block_side=max(block_side / pixel, 1.0) if block_side > 0 else None,
            progress=told,
        ),
        part_of(progress, 0.88, 0.9),
    )
    for reason, rows in found[found["reason"] != ""].groupby("reason", sort=False):
        said = tr("Image '{name}': no correlation with {rows}: {reason}.")
        if rows["correlation"].notna().all():
            said = tr("Image '{name}': no interval and no p-value for {rows}: {reason}.")
        drawings.sentences.append(said.format(name=image.name, rows=", ".join(rows.index), reason=reason))
    said = least_p_sentence(found)
    drawings.sentences.extend([said] if said else [])
    return image_correlations_table(found)


def _part_sentence(name: str, counted: Floats, bands: list[Floats], grid: Grid, drawings: Drawings) -> list[str]:
    """That the image has data in a part of the study area only."""
    studied = np.isfinite(counted)
    with_data = studied & np.logical_and.reduce([np.isfinite(band) for band in bands])
    region = drawings.region
    reached = shapely.area(shapely.intersection(region, shapely.box(*grid.bounds))) / shapely.area(region)
    share = reached * np.count_nonzero(with_data) / max(np.count_nonzero(studied), 1)
    if not 0 < share < _WHOLE:
        return []
    return [
        tr("Image '{name}' has data in {share} % of the study area; the correlations are of that part alone.").format(
            name=name, share=f"{100 * share:.0f}" if share >= 0.01 else tr("less than 1")
        )
    ]


def least_p_sentence(found: pd.DataFrame) -> str:
    """That a perfect correlation would have a large p-value too, of a table with ``p_value`` and ``least_p``."""
    least = found["least_p"].where(found["p_value"].notna()).max()
    if not least > _SMALL_P:
        return ""
    return tr(
        "The number of annotators varies in few blocks: even an image that follows it exactly would have p = {p:.2f} "
        "here, so a p-value like that does not mean that the correlation is weak."
    ).format(p=least)
