"""Which bands of an image are its red, green and blue."""

from __future__ import annotations

from qgis.core import QgsMultiBandColorRenderer, QgsRasterLayer

from randcrowns.layers.raster import RasterSnapshot

__all__ = ["colour_bands", "has_palette"]


def has_palette(image: RasterSnapshot) -> bool:
    """Whether the values of the first band are numbers of colours in a table, which say nothing of brightness.

    Raises:
        InputError: if the image cannot be opened.
    """
    opened = image.open()  # its bands live as long as it does
    return opened.GetRasterBand(1).GetColorTable() is not None


def colour_bands(layer: QgsRasterLayer) -> tuple[int, int, int] | None:
    """Numbers, from 1, of the bands that the layer shows as red, green and blue.

    The first three where it is drawn in another way; None for an image of fewer than three bands, which is grey.
    """
    if layer.bandCount() < 3:
        return None
    renderer = layer.renderer()
    if isinstance(renderer, QgsMultiBandColorRenderer):
        shown = (renderer.redBand(), renderer.greenBand(), renderer.blueBand())
        if all(1 <= band <= layer.bandCount() for band in shown):
            return shown
    return (1, 2, 3)
