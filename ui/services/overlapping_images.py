"""Images without a georeference, which lie on one another on the map."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from qgis.core import QgsExpression, QgsFeatureRequest, QgsMapLayer, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QObject

from randcrowns.layers.compat import is_null
from randcrowns.layers.fields import field_index
from randcrowns.layers.localization import localize_number, tr
from randcrowns.layers.raster.image_names import (
    image_field,
    is_image_in_pixels,
    names_of_image,
    read_image_names,
)
from randcrowns.layers.styles.image_filter import (
    draw_only,
    is_filtered,
    set_visible_images,
    visible_images_condition,
)
from randcrowns.ui.services.layer_watch import Connections, single_shot_timer
from randcrowns.ui.services.replaced_layers import styled_by_page

#: Signals of a layer after which its crowns may lie on other images, or an image have other names.
_DATA_SIGNALS = ("crsChanged", "dataChanged", "dataSourceChanged")
#: Further signals of a vector layer.
_CROWN_SIGNALS = (
    "afterCommitChanges",
    "afterRollBack",
    "attributeValueChanged",
    "featureAdded",
    "subsetStringChanged",
)
#: Maximum number of other images that a sentence names; more are counted.
_MAX_NAMED_IMAGES = 3


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
    images = _list_images_in_pixels()
    shown_images = [image for image in images if name in names_of_image(image)]
    if not shown_images:
        return []
    other_names = set(all_names) - {name}
    layer_tree = QgsProject.instance().layerTreeRoot()
    for image in images:
        node = layer_tree.findLayer(image.id())
        is_shown = image in shown_images
        is_other_image = not other_names.isdisjoint(names_of_image(image))
        if node is not None and (is_shown or is_other_image):
            node.setItemVisibilityChecked(is_shown)
    return shown_images


def choose_shown_image(names: Sequence[str]) -> str:
    """Return the name of the image to show of several crowns in pixels.

    Args:
        names: Names of the images of all crowns.

    Returns:
        The first name whose image is visible, else the first one whose image is in the project; ""
        if no image is.
    """
    images = _list_images_in_pixels()
    visible_images = [image for image in images if _is_visible(image)]
    for candidates in (visible_images, images):
        known_names = set().union(*map(names_of_image, candidates))
        for name in names:
            if name in known_names:
                return name
    return ""


class ShownCrowns(NamedTuple):
    """Crowns of a layer whose image the map shows."""

    #: Feature ids of the crowns.
    ids: list[int]
    #: Sentence about the crowns on other images; "" if there are none.
    sentence: str = ""


def show_image_of_crowns(
    layer: QgsVectorLayer, ids: Sequence[int], is_repeated: bool = False
) -> ShownCrowns:
    """Show the image with the largest number of the crowns, or the next one of their images.

    Nothing changes if the crowns have a CRS, or if none of their images is in the project.

    Args:
        layer: Layer with the crowns.
        ids: Feature ids of the crowns.
        is_repeated: True to show the image after the visible one, in the order of the names.

    Returns:
        The crowns on the shown image, with a sentence about the others.
    """
    names_by_id = _read_image_of_crowns(layer, ids)
    counts: dict[str, int] = {}
    for name in sorted(filter(None, names_by_id.values())):
        counts[name] = counts.get(name, 0) + 1
    known_names = set().union(*map(names_of_image, _list_images_in_pixels()))
    names = [name for name in counts if name in known_names]
    if not names:
        return ShownCrowns(list(ids))
    shown_name = max(names, key=lambda name: counts[name])
    if is_repeated:
        shown_name = names[(names.index(choose_shown_image(names)) + 1) % len(names)]
    show_image(shown_name, read_image_names(layer))
    # Crowns without an image are drawn on all images.
    shown_ids = [
        feature_id for feature_id in ids if names_by_id.get(feature_id) in ("", shown_name)
    ]
    other_counts = [
        f"{name} ({localize_number(format(number, ','))})"
        for name, number in counts.items()
        if name != shown_name
    ]
    if not other_counts:
        return ShownCrowns(shown_ids)
    if len(other_counts) > _MAX_NAMED_IMAGES:
        others = tr("{count:,} other images", count=len(other_counts))
    else:
        others = ", ".join(other_counts)
    sentence = tr(
        "Image {image} shows {shown:,} of {number:,} crowns; the rest: {others}. Click again for "
        "the next image.",
        image=shown_name,
        shown=len(shown_ids),
        number=len(ids),
        others=others,
    )
    return ShownCrowns(shown_ids, sentence)


def _read_image_of_crowns(layer: QgsVectorLayer, ids: Sequence[int]) -> dict[int, str]:
    """Return the name of the image of crowns in pixels by feature id; empty for other crowns.

    Args:
        layer: Layer with the crowns.
        ids: Feature ids of the crowns.

    Returns:
        Names of images; "" for a crown without an image.
    """
    field = image_field(layer)
    if not field:
        return {}
    request = QgsFeatureRequest(list(ids))
    request.setFlags(QgsFeatureRequest.Flag.NoGeometry)
    request.setSubsetOfAttributes([field_index(layer.fields(), field)])
    return {
        feature.id(): "" if is_null(feature[field]) else str(feature[field])
        for feature in layer.getFeatures(request)
    }


def _list_images_in_pixels() -> list[QgsMapLayer]:
    """Return the images in pixels of the project."""
    return [
        layer for layer in QgsProject.instance().mapLayers().values() if is_image_in_pixels(layer)
    ]


def condition_of_image(layer: QgsVectorLayer, image: str) -> str:
    """Return the expression that selects the outlines on an image; "" for all outlines.

    Args:
        layer: Layer of a run, with the image in the field ``plot``, or an imported one.
        image: Name of the image.
    """
    field = image_field(layer)
    return str(QgsExpression.createFieldEqualityExpression(field, image)) if field else ""


class ImageFollower(QObject):
    """Draws the crowns of the visible images alone, whenever the user shows another image.

    All crowns of a layer are drawn if none of its images is in the project, or if no image is
    visible.

    Args:
        parent: Qt parent of this object.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._connections = Connections()
        #: Id of a layer -> names of the images of its crowns, or of an image; until a change.
        self._names: dict[str, set[str]] = {}
        #: True while this object changes the style of layers.
        self._is_styling = False
        #: Many nodes of the layer tree change together.
        self._timer = single_shot_timer(0, self._draw_crowns_of_visible_images, self)
        project = QgsProject.instance()
        # Qt disconnects a method of an object that is deleted, but not a function.
        self._connections.connect(project, "layersAdded", self._watch)
        for sender, signal in (
            (project, "layersRemoved"),
            (project, "readProject"),
            (project.layerTreeRoot(), "visibilityChanged"),
        ):
            self._connections.connect(sender, signal, self._follow_soon)
        self._watch(list(project.mapLayers().values()))

    def close(self) -> None:
        """Stop to follow the images."""
        self._timer.stop()
        self._connections.close()

    def _watch(self, layers: list[QgsMapLayer]) -> None:
        """Follow changes of the data and the style of new layers."""
        for layer in layers:
            signals: tuple[str, ...] = _DATA_SIGNALS
            if isinstance(layer, QgsVectorLayer):
                signals = (*_DATA_SIGNALS, *_CROWN_SIGNALS)
                self._connections.connect(layer, "styleChanged", self._follow_style)
            for signal in signals:
                self._connections.connect(layer, signal, self._forget_names)
        self._follow_soon()

    def _forget_names(self, *_: object) -> None:
        """Read the names of the images of a changed layer again."""
        layer = self.sender()
        if isinstance(layer, QgsMapLayer):
            self._names.pop(layer.id(), None)
        self._follow_soon()

    def _follow_style(self) -> None:
        """Filter the crowns of a layer to which the user has given another style."""
        if not self._is_styling:
            self._follow_soon()

    def _follow_soon(self, *_: object) -> None:
        """Draw the crowns of the visible images once the event is over."""
        self._timer.start()

    def _names_of(self, layer: QgsMapLayer) -> set[str]:
        """Return the names of the images of a layer's crowns, or the names of an image."""
        names = self._names.get(layer.id())
        if names is None:
            names = set()
            if isinstance(layer, QgsVectorLayer):
                names = read_image_names(layer)
            elif is_image_in_pixels(layer):
                names = names_of_image(layer)
            self._names[layer.id()] = names
        return names

    def _draw_crowns_of_visible_images(self) -> None:
        """Draw only the crowns on the visible images in pixels."""
        project = QgsProject.instance()
        layers = project.mapLayers()
        self._names = {key: names for key, names in self._names.items() if key in layers}
        known_names: set[str] = set()
        visible_names: set[str] = set()
        crown_layers = []
        for layer in layers.values():
            if isinstance(layer, QgsVectorLayer):
                crown_layers.append(layer)
                continue
            known_names |= self._names_of(layer)
            visible_names |= self._names_of(layer) if _is_visible(layer) else set()
        shown_names = None
        if visible_names:
            # The project does not store paths that no crown needs.
            crown_names = set().union(*map(self._names_of, crown_layers))
            shown_names = visible_names & crown_names
        have_names_changed = set_visible_images(project, shown_names)
        self._is_styling = True
        try:
            for layer in crown_layers:
                if known_names or is_filtered(layer):
                    self._draw_crowns(layer, known_names, have_names_changed)
        finally:
            self._is_styling = False

    def _draw_crowns(
        self, layer: QgsVectorLayer, known_names: set[str], have_names_changed: bool
    ) -> None:
        """Draw only the crowns of a layer on the visible images, if it has any on an image.

        Args:
            layer: Layer, which may contain no crowns.
            known_names: Names of all images in pixels of the project.
            have_names_changed: True if other images are visible than before.
        """
        condition = ""
        if not known_names.isdisjoint(self._names_of(layer)):
            condition = visible_images_condition(image_field(layer))
        if not (condition or is_filtered(layer)):
            return
        with styled_by_page(layer):
            is_repainted = draw_only(layer, condition)
        if have_names_changed and not is_repainted:
            layer.triggerRepaint()


def _is_visible(layer: QgsMapLayer) -> bool:
    """Return True if the layer tree shows a layer."""
    node = QgsProject.instance().layerTreeRoot().findLayer(layer.id())
    return node is not None and bool(node.isVisible())
