"""Where layers stand in the project's layer tree: one group per run."""

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
from randcrowns.core.remarks import Said
from randcrowns.layers.crs import name_of, system_of, transform_between


def add_run_group(
    project: QgsProject, title: str, layers: Sequence[QgsMapLayer], inputs: bool = False
) -> QgsLayerTreeGroup:
    """A new group at the top of the layer tree with the layers in the order given, the first on top.

    Layers that are not in the project yet are added to it; the groups of earlier runs are unticked and folded, unless
    they hold ``inputs``, or the new one does.
    """
    group = _new_group(project.layerTreeRoot(), title, inputs)
    project.addMapLayers([layer for layer in layers if project.mapLayer(layer.id()) is None], False)
    for layer in layers:
        node = project.layerTreeRoot().findLayer(layer.id())
        group.addLayer(layer)
        if node is not None and node.parent() is not None:
            node.parent().removeChildNode(node)
    _unfold(group)
    return group


def add_images(project: QgsProject, paths: Sequence[str]) -> list[QgsMapLayer]:
    """The images of these files; those that the project lacks are added below the topmost group."""
    known = {os.path.realpath(layer.source()): layer for layer in project.mapLayers().values()}
    found = [
        known.get(os.path.realpath(path)) or QgsRasterLayer(path, Path(path).stem) for path in paths
    ]
    for layer in found:
        if project.mapLayer(layer.id()) is None and layer.isValid():
            project.addMapLayer(layer, False)
            project.layerTreeRoot().insertLayer(1, layer)
    return [layer for layer in found if layer.isValid()]


def move_to_group(
    project: QgsProject, layer: QgsMapLayer, title: str, place: int, inputs: bool = False
) -> None:
    """Move a layer into the run's group of that title, made unless it is there, where layers stand by their ``place``.

    A layer that stands nowhere in the tree is left alone; ``inputs`` as :func:`add_run_group` has it.
    """
    root = project.layerTreeRoot()
    node = root.findLayer(layer.id())
    if node is None or node.parent() is None:
        return
    parent = node.parent()
    group = next(
        (child for child in root.children() if _is_run(child) and child.name() == title), None
    )
    if group is None:
        group = _new_group(root, title, inputs)
    if parent is group and node.customProperty(_PLACE) is not None:
        return
    copy = node.clone()
    copy.setCustomProperty(_PLACE, place)
    before = [other for other in group.children() if _place_in(other) < place]
    group.insertChildNode(len(before), copy)
    parent.removeChildNode(node)
    _unfold(group)


def show_run_group(project: QgsProject, layers: Iterable[str]) -> None:
    """Show the groups of runs that hold one of these layers, by id, and hide those of the other runs."""
    wanted = set(layers)
    for group in filter(_is_of_results, project.layerTreeRoot().children()):
        shown = any(node.layerId() in wanted for node in group.findLayers())
        group.setItemVisibilityChecked(shown)
        group.setExpanded(shown)


def take_place(project: QgsProject, title: str, leaving: Sequence[str]) -> None:
    """Put the newest run's group of that title where the group is that holds only the ``leaving`` layers, by id.

    That group goes; the layers themselves stay in the project.
    """
    root, left = project.layerTreeRoot(), set(leaving)
    groups = [child for child in root.children() if _is_run(child)]
    new = next((group for group in groups if group.name() == title), None)
    for old in groups:
        inside = {node.layerId() for node in old.findLayers()}
        if new is None or old is new or not inside or not inside <= left or old.findGroups():
            continue
        place = root.children().index(old)
        copy = new.clone()
        root.insertChildNode(place, copy)
        root.removeChildNode(new)
        root.removeChildNode(old)
        new = copy


def _place_in(node: QgsLayerTreeNode) -> int:
    """Where a layer stands in its group; first, where the project says nothing that can be read."""
    place = str(node.customProperty(_PLACE))
    return int(place) if place.isdecimal() and len(place) < _DIGITS else 0


def _new_group(parent: QgsLayerTreeGroup, title: str, inputs: bool) -> QgsLayerTreeGroup:
    """A group for a run, on top; results of earlier runs would lie over each other on the map, so they are hidden."""
    for earlier in [] if inputs else filter(_is_of_results, parent.children()):
        earlier.setItemVisibilityChecked(False)
        earlier.setExpanded(False)
    group = parent.insertGroup(0, title)
    group.setCustomProperty(_RUN, _INPUTS if inputs else True)
    return group


def _unfold(group: QgsLayerTreeGroup) -> None:
    """Show what is in the group; the layer tree unfolds a group only when this changes."""
    group.setExpanded(False)
    group.setExpanded(True)


def _is_run(node: QgsLayerTreeNode) -> bool:
    return isinstance(node, QgsLayerTreeGroup) and bool(node.customProperty(_RUN))


def _is_of_results(node: QgsLayerTreeNode) -> bool:
    return _is_run(node) and node.customProperty(_RUN) != _INPUTS


_PLACE = "randcrowns/place"
_DIGITS = 9
_RUN, _INPUTS = "randcrowns/run", "inputs"


def on_map(
    geometry: QgsGeometry, layer: QgsMapLayer, map_crs: QgsCoordinateReferenceSystem
) -> QgsGeometry:
    """A geometry of ``layer`` in the coordinates of the map; an InputError where these have no place for it."""
    moved = QgsGeometry(geometry)
    if moved.isEmpty():
        return moved
    try:
        failed = moved.transform(transform_between(system_of(layer), map_crs)) != 0
    except QgsCsException as error:
        raise _no_place(layer, map_crs) from error
    if failed or not moved.boundingBox().isFinite():  # QGIS takes infinite places for a success
        raise _no_place(layer, map_crs)
    return moved


def extent_on_map(layer: QgsMapLayer, map_crs: QgsCoordinateReferenceSystem) -> QgsRectangle:
    """The extent of ``layer`` in the coordinates of the map, null where it is; an InputError as of :func:`on_map`."""
    extent = layer.extent()
    if extent.isNull():
        return QgsRectangle()
    try:
        found: QgsRectangle = transform_between(system_of(layer), map_crs).transformBoundingBox(
            extent
        )
    except QgsCsException as error:
        raise _no_place(layer, map_crs) from error
    if not found.isFinite():
        raise _no_place(layer, map_crs)
    return found


def extent_of(shapes: Iterable[QgsGeometry | None]) -> QgsRectangle:
    """The rectangle around these shapes; empty where none of them has any."""
    box = QgsRectangle()
    for shape in shapes:
        if shape is not None and not shape.isEmpty():
            box.combineExtentWith(shape.boundingBox())
    return box


def _no_place(layer: QgsMapLayer, map_crs: QgsCoordinateReferenceSystem) -> InputError:
    there = (
        name_of(map_crs)
        if map_crs.authid() or map_crs.description()
        else Said("the map's coordinate system")
    )
    return InputError(
        "Layer '{layer}' ({crs}) has no place on a map in {there}; choose another coordinate system for the project.",
        layer=layer.name(),
        crs=name_of(layer.crs()),
        there=there,
    )
