"""Images without a georeference, which lie on one another on the map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from qgis.core import (
    QgsExpression,
    QgsMapLayer,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QObject

from randcrowns.layers.raster.grid import is_in_pixel_coordinates
from randcrowns.layers.styles.image_filter import draw_only, is_filtered
from randcrowns.ui.services.layer_watch import Connections, single_shot_timer
from randcrowns.ui.services.replaced_layers import styled_by_page

#: Names of the fields with the image of a crown: of the results of a run, and of imported crowns.
_IMAGE_FIELDS = ("plot", "image")


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
    field = _image_field(layer)
    return str(QgsExpression.createFieldEqualityExpression(field, image)) if field else ""


class ImageFollower(QObject):
    """Draws the crowns of the visible images alone, whenever the user shows another image.

    Args:
        parent: Qt parent of this object.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._connections = Connections()
        #: Many nodes of the layer tree change together.
        self._timer = single_shot_timer(0, draw_crowns_of_visible_images, self)
        project = QgsProject.instance()
        root = project.layerTreeRoot()
        for sender, signal in (
            (project, "layersAdded"),
            (project, "layersRemoved"),
            (root, "visibilityChanged"),
        ):
            # Qt disconnects a method of an object that is deleted, but not a function.
            self._connections.connect(sender, signal, self._follow_soon)
        self._timer.start()

    def _follow_soon(self, *_: object) -> None:
        """Draw the crowns of the visible images once the event is over."""
        self._timer.start()

    def close(self) -> None:
        """Stop to follow the images."""
        self._timer.stop()
        self._connections.close()


def draw_crowns_of_visible_images() -> None:
    """Draw only the crowns on the visible images in pixels.

    All crowns of a layer are drawn if none of its images is in the project, or none is visible.
    """
    project = QgsProject.instance()
    layers = list(project.mapLayers().values())
    images = [layer for layer in layers if _is_image_in_pixels(layer)]
    root = project.layerTreeRoot()
    nodes = {image.id(): root.findLayer(image.id()) for image in images}
    visible_ids = {
        image_id for image_id, node in nodes.items() if node is not None and node.isVisible()
    }
    image_ids = _image_ids_by_name(images)
    for layer in layers:
        if not isinstance(layer, QgsVectorLayer) or not (images or is_filtered(layer)):
            continue
        condition = _drawn_condition(layer, image_ids, visible_ids)
        if condition or is_filtered(layer):
            with styled_by_page(layer):
                draw_only(layer, condition)


def _drawn_condition(
    layer: QgsVectorLayer, image_ids: Mapping[str, set[str]], visible_ids: set[str]
) -> str:
    """Return the expression that selects the crowns on visible images; "" for all crowns.

    Args:
        layer: Layer of crowns.
        image_ids: Name of images in pixels, as crowns may store it -> ids of their layers.
        visible_ids: Ids of the images that are visible.
    """
    field = _image_field(layer)
    if not (field and visible_ids and is_in_pixel_coordinates(layer)):
        return ""
    values = layer.uniqueValues(layer.fields().lookupField(field))
    names = sorted(str(value) for value in values)
    shown_names = [name for name in names if image_ids.get(name, set()) & visible_ids]
    if len(shown_names) == len(names) or image_ids.keys().isdisjoint(names):
        return ""
    column = QgsExpression.quotedColumnRef(field)
    texts = ", ".join(map(QgsExpression.quotedString, shown_names))
    return f"to_string({column}) IN ({texts})" if shown_names else "FALSE"


def _image_ids_by_name(images: Sequence[QgsMapLayer]) -> dict[str, set[str]]:
    """Return the ids of images by their names: the path from each folder, with its ending or not.

    >>> from types import SimpleNamespace
    >>> tile = SimpleNamespace(source=lambda: "/a/tile.png", id=lambda: "1")
    >>> sorted(_image_ids_by_name([tile]))
    ['a/tile', 'a/tile.png', 'tile', 'tile.png']
    """
    ids: dict[str, set[str]] = {}
    for image in images:
        path = Path(image.source())
        for parts in (path.parts, path.with_suffix("").parts):
            for number in range(1, len(parts)):
                ids.setdefault("/".join(parts[number:]), set()).add(image.id())
    return ids


def _image_field(layer: QgsVectorLayer) -> str:
    """Return the name of the field with the image of each crown; "" without one."""
    names = layer.fields().names()
    return next((name for name in _IMAGE_FIELDS if name in names), "")


def _is_image_in_pixels(layer: QgsMapLayer) -> bool:
    """Return True if a layer is a raster without a georeference."""
    return isinstance(layer, QgsRasterLayer) and is_in_pixel_coordinates(layer)


def _is_named(layer: QgsMapLayer, name: str) -> bool:
    """Return True if the file of a layer has a name, which may lack the extension."""
    path = Path(layer.source())
    # The slashes avoid that a name is taken for the end of a longer one.
    paths = (f"/{path.as_posix()}", f"/{path.with_suffix('').as_posix()}")
    return any(candidate.endswith(f"/{name}") for candidate in paths)
