"""Which bands of an image are its red, green and blue."""

from __future__ import annotations

from qgis.core import QgsMultiBandColorRenderer, QgsRasterLayer

__all__ = ["colour_bands"]


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
