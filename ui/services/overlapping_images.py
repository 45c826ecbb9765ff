"""Images without a georeference, which lie on one another on the map."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from qgis.core import QgsExpression, QgsMapLayer, QgsProject, QgsRasterLayer, QgsVectorLayer

from randcrowns.layers.raster.grid import is_in_pixel_coordinates


def show_image(name: str, all_names: Iterable[str]) -> list[QgsMapLayer]:
    """Show the image of a crown in pixels, and hide the other images of the crowns.

    The visibility in the layer tree changes. Images with a georeference stay as they are, and so do
    all images if that of the crown is not in the project.

    Args:
        name: Name of the image, as imported crowns store it; it may have no extension, and may
            contain folders.
        all_names: Names of the images of all crowns.

    Returns:
        The layers of the image; none if it is not in the project.
    """
    project = QgsProject.instance()
    rasters = [layer for layer in project.mapLayers().values() if _is_image_in_pixels(layer)]
    shown_rasters = [layer for layer in rasters if _is_named(layer, name)]
    if not shown_rasters:
        return []
    other_names = set(all_names) - {name}
    layer_tree = project.layerTreeRoot()
    for raster in rasters:
        is_shown = raster in shown_rasters
        is_other_image = any(_is_named(raster, other_name) for other_name in other_names)
        node = layer_tree.findLayer(raster.id())
        if node is not None and (is_shown or is_other_image):
            node.setItemVisibilityChecked(is_shown)
    return shown_rasters


def condition_of_image(layer: QgsVectorLayer, image: str) -> str:
    """Return the expression that selects the outlines on an image; "" for all outlines.

    Args:
        layer: Layer of a run, with the image in the field ``plot``, or an imported one.
        image: Name of the image.
    """
    for name in ("plot", "image"):
        if name in layer.fields().names():
            return str(QgsExpression.createFieldEqualityExpression(name, image))
    return ""


def _is_image_in_pixels(layer: QgsMapLayer) -> bool:
    """Return True if a layer is a raster without a georeference."""
    return isinstance(layer, QgsRasterLayer) and is_in_pixel_coordinates(layer)


def _is_named(layer: QgsMapLayer, name: str) -> bool:
    """Return True if the file of a layer has a name, which may lack the extension."""
    path = Path(layer.source())
    # The slashes avoid that a name is taken for the end of a longer one.
    paths = (f"/{path.as_posix()}", f"/{path.with_suffix('').as_posix()}")
    return any(candidate.endswith(f"/{name}") for candidate in paths)
