"""Images in pixels, and the names by which crowns refer to the image that they lie on.

Images without a georeference lie on one another on the map, and so do their crowns.
"""

from __future__ import annotations

from pathlib import Path

from qgis.core import QgsMapLayer, QgsRasterLayer, QgsVectorLayer

from randcrowns.layers.compat import is_null
from randcrowns.layers.fields import field_index
from randcrowns.layers.raster.grid import is_in_pixel_coordinates

#: Names of the fields with the image of a crown: of the results of a run, and of imported crowns.
_IMAGE_FIELDS = ("plot", "image")


def is_image_in_pixels(layer: QgsMapLayer) -> bool:
    """Return True if a layer is a raster without a georeference."""
    return isinstance(layer, QgsRasterLayer) and is_in_pixel_coordinates(layer)


def names_of_image(image: QgsMapLayer) -> set[str]:
    """Return the names by which crowns may refer to an image.

    These are the path of its file from each folder on, and the absolute path. Each of them may lack
    the extension.

    >>> from types import SimpleNamespace
    >>> sorted(names_of_image(SimpleNamespace(source=lambda: "/a/tile.png")))
    ['/a/tile', '/a/tile.png', 'a/tile', 'a/tile.png', 'tile', 'tile.png']
    """
    path = Path(image.source())
    names = set()
    for candidate in (path, path.parent / path.stem):
        parts = candidate.parts
        names.add(candidate.as_posix())
        names.update("/".join(parts[number:]) for number in range(1, len(parts)))
    return names


def image_field(layer: QgsVectorLayer) -> str:
    """Return the name of the field with the image of each crown in pixels; "" without one."""
    names = layer.fields().names()
    field = next((name for name in _IMAGE_FIELDS if name in names), "")
    return field if field and is_in_pixel_coordinates(layer) else ""


def read_image_names(layer: QgsVectorLayer) -> set[str]:
    """Return the names of the images of a layer's crowns in pixels; empty for other crowns."""
    field = image_field(layer)
    if not field:
        return set()
    values = layer.uniqueValues(field_index(layer.fields(), field))
    return {str(value) for value in values if not is_null(value)}
