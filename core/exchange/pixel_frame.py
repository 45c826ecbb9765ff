"""Pixel coordinates of an image, and the coordinates on the ground or on the canvas of QGIS."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from randcrowns.core.arrays import Bools, Floats
from randcrowns.core.exchange.exif import is_on_its_side, to_file_pixels
from randcrowns.core.exchange.values import MAX_COORDINATE

AnyFrame = TypeVar("AnyFrame", bound="PixelFrame")
AnyGeotransform = TypeVar("AnyGeotransform", bound="tuple[float, ...]")

#: Geotransform with which QGIS shows an image without a georeference: x from the left edge, y from
#: the upper edge upwards.
PIXEL_GEOTRANSFORM = (0.0, 1.0, 0.0, 0.0, 0.0, -1.0)


def usable_geotransform(geotransform: AnyGeotransform | None) -> AnyGeotransform | None:
    """Return a geotransform if it locates pixels, else None.

    Its numbers must be in the range of coordinates, and its pixels must have an area.

    Args:
        geotransform: the numbers g0 ... g5 of :class:`PixelFrame`; None without a georeference.

    >>> usable_geotransform((0, 1, 0, 0, 0, -1)), usable_geotransform((0, 1, 0, 0, 0, 0))
    ((0, 1, 0, 0, 0, -1), None)
    """
    if geotransform is None:
        return None
    # A comparison with NaN is false, so that NaN is out of range.
    is_in_range = all(abs(number) < MAX_COORDINATE for number in geotransform)
    _, g1, g2, _, g4, g5 = geotransform
    # The area of a pixel is the determinant g1 g5 - g2 g4.
    has_area = g1 * g5 != g2 * g4
    return geotransform if is_in_range and has_area else None


class PixelFrame:
    """Pixels of an image: a base class of dataclasses with the attributes below.

    Attributes:
        width: width of the upright image in pixels; 0 if unknown.
        height: height of the upright image in pixels; 0 if unknown.
        geotransform: g0 ... g5 from pixels x, y to the map: X = g0 + x g1 + y g2 and
            Y = g3 + x g4 + y g5; None for an image without a georeference.
        orientation: EXIF orientation, 1 to 8, of the file's pixels.
    """

    width: int
    height: int
    geotransform: tuple[float, ...] | None
    orientation: int

    def turn(self: AnyFrame, orientation: int) -> AnyFrame:
        """Return the image with pixel coordinates that are those of the upright image.

        Args:
            orientation: EXIF orientation of the file, 1 to 8.
        """
        width = self.width
        height = self.height
        if is_on_its_side(self.orientation) != is_on_its_side(orientation):
            width, height = height, width
        return replace(self, width=width, height=height, orientation=orientation)  # type: ignore[type-var]

    def to_map(self, pixels: Floats) -> Floats:
        """Transform pixel coordinates to map coordinates.

        Args:
            pixels: (n, 2) x, y in pixels of the upright image from its upper left corner.

        Returns:
            Array (n, 2) of coordinates in the image's CRS. For an image without a georeference,
            they are those at which QGIS shows it.
        """
        g0, g1, g2, g3, g4, g5 = self.geotransform or PIXEL_GEOTRANSFORM
        width = self.width
        height = self.height
        if is_on_its_side(self.orientation):
            width, height = height, width
        x, y = to_file_pixels(pixels, self.orientation, width, height).T
        return np.stack([g0 + x * g1 + y * g2, g3 + x * g4 + y * g5], axis=1)

    def to_pixels(self, coordinates: Floats) -> Floats:
        """Transform map coordinates to pixel coordinates, the inverse of :meth:`to_map`.

        Args:
            coordinates: (n, 2) coordinates in the image's CRS.

        Returns:
            Array (n, 2) of x, y in pixels of the upright image from its upper left corner.
        """
        g0, g1, g2, g3, g4, g5 = self.geotransform or PIXEL_GEOTRANSFORM
        inverse = np.linalg.inv(np.array([[g1, g2], [g4, g5]]))
        file_pixels: Floats = (coordinates - (g0, g3)) @ inverse.T
        # The quarter turns 6 and 8 undo each other; all other orientations undo themselves.
        inverse_orientations = {6: 8, 8: 6}
        inverse_orientation = inverse_orientations.get(self.orientation, self.orientation)
        return to_file_pixels(file_pixels, inverse_orientation, self.width, self.height)

    def contains(self, pixels: Floats) -> Bools:
        """Return a mask (n,) of the pixel coordinates (n, 2) that lie in the image."""
        is_inside: Bools = ((pixels >= 0) & (pixels <= (self.width, self.height))).all(axis=1)
        return is_inside
