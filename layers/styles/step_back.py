"""Layers that step back while a run is shown: they are hidden until the user brings them back."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from qgis.core import (
    QgsLayerTreeLayer,
    QgsMapLayer,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
    QgsWkbTypes,
)

#: Custom property of the node of a layer that was hidden because a run is shown.
_STEPPED_BACK_PROPERTY = "randcrowns/stepped_back"


def step_back(project: QgsProject, shown_layer_ids: Collection[str]) -> list[QgsVectorLayer]:
    """Hide the visible polygon layers that do not belong to the run that is shown.

    Images and all other kinds of layers stay visible, and so does a layer in edit mode. Nothing
    changes if the map shows no layer of the run, such as a run whose results are tables.

    Args:
        project: project to change.
        shown_layer_ids: ids of the layers of the run.

    Returns:
        The layers that were hidden.
    """
    nodes = project.layerTreeRoot().findLayers()
    if not any(_shows_results(node, shown_layer_ids) for node in nodes):
        return []
    hidden_layers = []
    for node in nodes:
        layer = node.layer()
        is_of_run = node.layerId() in shown_layer_ids
        if is_of_run or not node.isVisible() or not _is_polygon_layer(layer):
            continue
        if layer.isEditable():
            continue
        node.setCustomProperty(_STEPPED_BACK_PROPERTY, True)
        node.setItemVisibilityChecked(False)
        hidden_layers.append(layer)
    return hidden_layers


def bring_back(project: QgsProject, layer_ids: Collection[str] | None = None) -> None:
    """Show layers that have stepped back.

    Args:
        project: project to change.
        layer_ids: ids of the layers to show; None for all that have stepped back.
    """
    for node in stepped_back_nodes(project):
        if layer_ids is None or node.layerId() in layer_ids:
            node.removeCustomProperty(_STEPPED_BACK_PROPERTY)
            node.setItemVisibilityCheckedParentRecursive(True)


def stepped_back_nodes(project: QgsProject) -> list[QgsLayerTreeLayer]:
    """Return the nodes of the layers that have stepped back and are still hidden."""
    return [
        node
        for node in project.layerTreeRoot().findLayers()
        if node.customProperty(_STEPPED_BACK_PROPERTY) and not node.itemVisibilityChecked()
    ]


def visible_polygon_layers(project: QgsProject, layer_ids: Iterable[str]) -> list[QgsVectorLayer]:
    """Return the polygon layers among some layers that the map shows.

    Args:
        project: project with the layers.
        layer_ids: ids of the layers; those that the project does not have are skipped.
    """
    root = project.layerTreeRoot()
    visible_layers = []
    for layer_id in layer_ids:
        node = root.findLayer(layer_id)
        if node is None or not node.isVisible():
            continue
        if _is_polygon_layer(node.layer()):
            visible_layers.append(node.layer())
    return visible_layers


def _shows_results(node: QgsLayerTreeLayer, shown_layer_ids: Collection[str]) -> bool:
    """Return True if a node shows a layer of the run on the map."""
    layer = node.layer()
    has_pixels_or_polygons = isinstance(layer, QgsRasterLayer) or _is_polygon_layer(layer)
    return node.layerId() in shown_layer_ids and node.isVisible() and has_pixels_or_polygons


def _is_polygon_layer(layer: QgsMapLayer | None) -> bool:
    """Return True for a vector layer with polygons."""
    polygon_type = QgsWkbTypes.GeometryType.PolygonGeometry
    return isinstance(layer, QgsVectorLayer) and layer.geometryType() == polygon_type
