"""Groups of runs in the project's layer tree, and positions of layers on the map."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCsException,
    QgsGeometry,
    QgsLayerTreeGroup,
    QgsLayerTreeNode,
    QgsMapLayer,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
)

from randcrowns.core.errors import InputError
from randcrowns.core.messages import TranslatableText
from randcrowns.layers.crs import create_transform, crs_name, find_operation, layer_crs
from randcrowns.layers.localization import tr
from randcrowns.layers.raster.grid import is_in_pixel_coordinates

#: Custom property of a layer's node: position of the layer in the group of its run.
_POSITION_PROPERTY = "randcrowns/place"
#: Maximum number of digits of a position; a project edited by hand may contain longer ones.
_MAX_POSITION_DIGITS = 8
#: Custom property of a group that belongs to a run.
_RUN_PROPERTY = "randcrowns/run"
#: CRS of longitudes and latitudes in which QGIS keeps the extents of layers.
_WGS_84 = "EPSG:4326"
#: Custom property of the group of images without a georeference.
_IMAGES_PROPERTY = "randcrowns/images"
#: Value of the property for a group of imported layers, which are inputs of other runs.
_INPUTS_VALUE = "inputs"


def add_run_group(
    project: QgsProject, title: str, layers: Sequence[QgsMapLayer], is_input: bool = False
) -> QgsLayerTreeGroup:
    """Add a group with the layers of a run at the top of the layer tree.

    Imported layers are added at the top of the group with the same title if there is one.

    Layers that are not in the project are added to it; other layers are moved to the group. The
    groups of earlier results are hidden and collapsed, unless the new group contains inputs.

    Args:
        project: project to change.
        title: name of the group.
        layers: layers of the group, the topmost first.
        is_input: True if the layers are imported inputs. Such a group does not hide other groups,
            and later runs do not hide it.

    Returns:
        The group, expanded.
    """
    root = project.layerTreeRoot()
    # Imports share one group, so that two files do not make two groups.
    earlier_group = _find_run_group(root, title) if is_input else None
    group = earlier_group or _add_group(root, title, is_input)
    new_layers = [layer for layer in layers if project.mapLayer(layer.id()) is None]
    for layer in new_layers if is_input else ():
        _select_transforms(project, layer.crs())
    project.addMapLayers(new_layers, False)
    for number, layer in enumerate(layers):
        node = root.findLayer(layer.id())
        group.insertLayer(number, layer)
        if node is not None and node.parent() is not None:
            node.parent().removeChildNode(node)
    _hide_other_results(group)
    _expand_group(group)
    return group


def add_images(project: QgsProject, paths: Sequence[str]) -> list[QgsMapLayer]:
    """Return the layers of image files; add missing ones to the project below the topmost group.

    Images without a georeference lie on one another. They are in a group of their own, in which
    one image is visible at a time, at first the first one.

    Args:
        project: project to change.
        paths: paths of the image files.

    Returns:
        The valid layers in the order of ``paths``, each once.
    """
    layer_by_file = {}
    for layer in project.mapLayers().values():
        layer_by_file[os.path.realpath(layer.source())] = layer
    # Several paths may lead to one file.
    path_by_file = {os.path.realpath(path): path for path in paths}
    images = []
    for file, path in path_by_file.items():
        image = layer_by_file.get(file) or QgsRasterLayer(path, Path(path).stem)
        if image.isValid():
            images.append(image)
    for image in images:
        if project.mapLayer(image.id()) is not None:
            continue
        _select_transforms(project, image.crs())
        project.addMapLayer(image, addToLegend=False)
        if is_in_pixel_coordinates(image):
            _add_overlapping_image(project.layerTreeRoot(), image)
        else:
            project.layerTreeRoot().insertLayer(1, image)
    return images


def _add_overlapping_image(root: QgsLayerTreeGroup, layer: QgsMapLayer) -> None:
    """Add an image without a georeference to the group in which one image is visible at a time."""
    groups = (node for node in root.children() if node.customProperty(_IMAGES_PROPERTY))
    group = next(groups, None)
    if not isinstance(group, QgsLayerTreeGroup):
        group = root.insertGroup(1, tr("Images"))
        group.setCustomProperty(_IMAGES_PROPERTY, True)
    group.addLayer(layer)
    # The only image of a group can be switched off.
    group.setIsMutuallyExclusive(len(group.children()) > 1)


def _select_transforms(project: QgsProject, crs: QgsCoordinateReferenceSystem) -> None:
    """Select the transformations from a CRS to that of the map, and to WGS 84.

    If there are several, QGIS otherwise asks for them in a dialog when a raster is added. If the
    preferred one requires a grid that is not installed, QGIS otherwise warns in the message bar,
    and covers the messages of an import; the same other transformation is then used without a word.
    The map takes the CRS of the first layer of a project later, so that those of all layers are
    prepared. QGIS needs the extent of each layer in WGS 84.

    Args:
        project: project whose transformations are changed.
        crs: CRS of a layer to add.
    """
    crs_by_id = {_WGS_84: QgsCoordinateReferenceSystem(_WGS_84)}
    for layer in project.mapLayers().values():
        if layer.isSpatial():
            possible_map_crs = layer_crs(layer)
            crs_by_id[possible_map_crs.authid()] = possible_map_crs
    for map_crs in crs_by_id.values():
        _select_transform(project, crs, map_crs)
    _select_transform(project, crs, project.crs())


def _select_transform(
    project: QgsProject, crs: QgsCoordinateReferenceSystem, map_crs: QgsCoordinateReferenceSystem
) -> None:
    """Select the first usable transformation if there are several and none is selected.

    Args:
        project: project whose transformations are changed.
        crs: CRS of a layer.
        map_crs: CRS of the map.
    """
    context = project.transformContext()
    if crs == map_crs or context.hasTransform(crs, map_crs):
        return
    operation = find_operation(crs, map_crs)
    if operation is not None and operation.has_alternatives:
        allow_fallback = True  # QGIS may use another one outside the area of this one
        context.addCoordinateOperation(crs, map_crs, operation.proj, allow_fallback)
        project.setTransformContext(context)


def prepare_saving(project: QgsProject) -> None:
    """Let QGIS save a project without a warning of a missing grid.

    QGIS saves the extent of each layer in WGS 84. If the preferred transformation requires a grid
    that is not installed, QGIS otherwise warns in the message bar, above the plugin's messages; the
    same other transformation is then used without a word.

    Args:
        project: project whose transformations are changed.
    """
    wgs84 = QgsCoordinateReferenceSystem(_WGS_84)
    for layer in project.mapLayers().values():
        operation = find_operation(layer.crs(), wgs84) if layer.isSpatial() else None
        if operation is not None and not operation.is_preferred:
            _select_transform(project, layer.crs(), wgs84)


def move_to_group(
    project: QgsProject, layer: QgsMapLayer, title: str, position: int, is_input: bool = False
) -> None:
    """Move a layer to its position in the group of a run; add the group if it does not exist.

    A layer that is not in the layer tree is ignored, and so is a layer that was moved before.

    Args:
        project: project to change.
        layer: layer to move.
        title: name of the group.
        position: position of the layer; the layers of the group are sorted by it.
        is_input: as in :func:`add_run_group`, for a new group.
    """
    root = project.layerTreeRoot()
    node = root.findLayer(layer.id())
    if node is None or node.parent() is None:
        return
    parent = node.parent()
    group = _find_run_group(root, title)
    if group is None:
        group = _add_group(root, title, is_input)
    if parent is group and node.customProperty(_POSITION_PROPERTY) is not None:
        return

    was_on_map = _is_on_map(group)
    moved_node = node.clone()
    moved_node.setCustomProperty(_POSITION_PROPERTY, position)
    index = sum(_find_position(child) < position for child in group.children())
    group.insertChildNode(index, moved_node)
    parent.removeChildNode(node)
    if not was_on_map:
        _hide_other_results(group)
    _expand_group(group)


def show_groups_of(project: QgsProject, layer_ids: Iterable[str]) -> None:
    """Show the result groups that contain one of the layers; hide all other result groups.

    Groups of tables have nothing on the map. Showing only such groups hides no other group.

    Args:
        project: project to change.
        layer_ids: ids of the layers to show.
    """
    shown_ids = set(layer_ids)
    groups = list(filter(_is_result_group, project.layerTreeRoot().children()))
    shown_groups = [
        group for group in groups if any(node.layerId() in shown_ids for node in group.findLayers())
    ]
    for group in shown_groups:
        group.setItemVisibilityChecked(True)
    if any(map(_is_on_map, shown_groups)):
        for group in groups:
            group.setItemVisibilityChecked(group in shown_groups)
    for group in groups:
        group.setExpanded(group in shown_groups)


def replace_group(project: QgsProject, title: str, replaced_ids: Sequence[str]) -> None:
    """Replace groups whose layers are all replaced by the newest run group with a title.

    A group is replaced if it contains layers, all of them in ``replaced_ids``, and no subgroup. It
    is removed from the layer tree; its layers stay in the project.

    Args:
        project: project to change.
        title: name of the new group, which moves to the position of the replaced one.
        replaced_ids: ids of the layers that a new run replaced.
    """
    root = project.layerTreeRoot()
    new_group = _find_run_group(root, title)
    if new_group is None:
        return
    groups = [child for child in root.children() if _is_run_group(child)]
    for group in groups:
        if group is new_group or group.findGroups():
            continue
        layer_ids = {node.layerId() for node in group.findLayers()}
        is_replaced = bool(layer_ids) and layer_ids <= set(replaced_ids)
        if not is_replaced:
            continue
        moved_group = new_group.clone()
        root.insertChildNode(root.children().index(group), moved_group)
        root.removeChildNode(new_group)
        root.removeChildNode(group)
        new_group = moved_group


def rename_run_group(project: QgsProject, title: str, new_title: str) -> None:
    """Rename the newest run group with a title; do nothing if there is none.

    Args:
        project: project to change.
        title: title of the group.
        new_title: its new title.
    """
    group = _find_run_group(project.layerTreeRoot(), title)
    if group is not None:
        group.setName(new_title)


def _find_run_group(root: QgsLayerTreeGroup, title: str) -> QgsLayerTreeGroup | None:
    """Return the topmost run group with a title, which is the newest, or None."""
    for child in root.children():
        if _is_run_group(child) and child.name() == title:
            return child
    return None


def _find_position(node: QgsLayerTreeNode) -> int:
    """Return the position of a layer in its group; 0 if the project contains no valid position."""
    position = str(node.customProperty(_POSITION_PROPERTY))
    is_valid = position.isdecimal() and len(position) <= _MAX_POSITION_DIGITS
    return int(position) if is_valid else 0


def _add_group(parent: QgsLayerTreeGroup, title: str, is_input: bool) -> QgsLayerTreeGroup:
    """Add an empty group of a run at the top of a group.

    Groups of earlier results are collapsed, but not by a group of inputs.

    Args:
        parent: group of the layer tree.
        title: name of the new group.
        is_input: True for imported inputs, False for results of a run.
    """
    if not is_input:
        for earlier_group in filter(_is_result_group, parent.children()):
            earlier_group.setExpanded(False)
    group = parent.insertGroup(0, title)
    group.setCustomProperty(_RUN_PROPERTY, _INPUTS_VALUE if is_input else True)
    return group


def _hide_other_results(group: QgsLayerTreeGroup) -> None:
    """Hide the results of earlier runs, which a group of results would cover on the map.

    A group of inputs or of tables only covers nothing.
    """
    if not _is_result_group(group) or not _is_on_map(group):
        return
    for other_group in filter(_is_result_group, group.parent().children()):
        if other_group is not group:
            other_group.setItemVisibilityChecked(False)


def _is_on_map(group: QgsLayerTreeGroup) -> bool:
    """Return True if a group contains a layer with geometries or an image."""
    layers = [node.layer() for node in group.findLayers()]
    return any(layer is not None and layer.isSpatial() for layer in layers)


def _expand_group(group: QgsLayerTreeGroup) -> None:
    """Expand a group; it is collapsed first because the layer tree reacts only to a change."""
    group.setExpanded(False)
    group.setExpanded(True)


def _is_run_group(node: QgsLayerTreeNode) -> bool:
    """Return True if a node is the group of a run: its results, or imported inputs."""
    return isinstance(node, QgsLayerTreeGroup) and bool(node.customProperty(_RUN_PROPERTY))


def _is_result_group(node: QgsLayerTreeNode) -> bool:
    """Return True if a node is the group of a run whose layers are results, not inputs."""
    return _is_run_group(node) and node.customProperty(_RUN_PROPERTY) != _INPUTS_VALUE


def transform_to_map(
    geometry: QgsGeometry, layer: QgsMapLayer, map_crs: QgsCoordinateReferenceSystem
) -> QgsGeometry:
    """Transform a geometry of a layer to the CRS of the map.

    Args:
        geometry: geometry in the CRS of ``layer``; it is not changed.
        layer: layer of the geometry.
        map_crs: CRS of the map.

    Returns:
        The transformed geometry; an empty geometry stays empty.

    Raises:
        InputError: if the geometry has no coordinates in the CRS of the map.
    """
    transformed = QgsGeometry(geometry)
    if transformed.isEmpty():
        return transformed
    try:
        transform = create_transform(layer_crs(layer), map_crs)
        is_failed = transformed.transform(transform) != 0
    except QgsCsException as error:
        raise _not_on_map_error(layer, map_crs) from error
    # QGIS reports success for infinite coordinates.
    if is_failed or not transformed.boundingBox().isFinite():
        raise _not_on_map_error(layer, map_crs)
    return transformed


def extent_in_map_crs(layer: QgsMapLayer, map_crs: QgsCoordinateReferenceSystem) -> QgsRectangle:
    """Return the extent of a layer in the CRS of the map; a null rectangle for a null extent.

    Raises:
        InputError: if the extent has no coordinates in the CRS of the map.
    """
    layer_extent = layer.extent()
    if layer_extent.isNull():
        return QgsRectangle()
    try:
        transform = create_transform(layer_crs(layer), map_crs)
        extent: QgsRectangle = transform.transformBoundingBox(layer_extent)
    except QgsCsException as error:
        raise _not_on_map_error(layer, map_crs) from error
    if not extent.isFinite():
        raise _not_on_map_error(layer, map_crs)
    return extent


def combined_extent(shapes: Iterable[QgsGeometry | None]) -> QgsRectangle:
    """Return the bounding box of all shapes; a null rectangle if all are None or empty."""
    box = QgsRectangle()
    for shape in shapes:
        if shape is not None and not shape.isEmpty():
            box.combineExtentWith(shape.boundingBox())
    return box


def _not_on_map_error(layer: QgsMapLayer, map_crs: QgsCoordinateReferenceSystem) -> InputError:
    """Return the error for a layer without coordinates in the CRS of the map."""
    has_name = map_crs.authid() or map_crs.description()
    map_crs_name = (
        crs_name(map_crs) if has_name else TranslatableText("the map's coordinate system")
    )
    return InputError(
        "crs.no_place_on_map",
        "Layer '{layer}' ({crs}) has no place on a map in {there}; choose another coordinate "
        "system for the project.",
        layer=layer.name(),
        crs=crs_name(layer.crs()),
        there=map_crs_name,
    )
