"""New layers in which an annotator draws crowns."""

from __future__ import annotations

from getpass import getuser
from pathlib import Path
from typing import Any

from qgis.core import QgsCoordinateReferenceSystem, QgsProject, QgsVectorLayer

from randcrowns.core.crowns import unique_name
from randcrowns.layers.crs import layer_crs
from randcrowns.layers.files.project_results import project_geopackage
from randcrowns.layers.files.staging import save_as_table
from randcrowns.layers.localization import tr
from randcrowns.layers.styles.roles import style_imported_crowns
from randcrowns.layers.vector.guesses import (
    LayerRole,
    guess_target,
    polygon_layers,
    raster_layers,
    set_imported_role,
)
from randcrowns.ui.services.message_bar import MessageBar
from randcrowns.ui.services.settings import REVIEWER_PREFERENCE, preference

#: Tooltip of a button that adds a layer.
NEW_LAYER_TOOLTIP = tr(
    "Add an empty layer for your crowns and start to draw. It is saved in the GeoPackage next to "
    "the project."
)
#: Fields of a new layer, as a memory layer declares them.
_FIELDS = "field=crown_id:integer&field=species:string&field=comment:string"


def add_crown_layer(iface: Any) -> QgsVectorLayer | None:
    """Add an empty layer for an annotator's crowns, and start to draw in it.

    The layer is a table of the GeoPackage next to the project; it is temporary until the project
    is saved. Its coordinate system is that of the targets, else that of the image or the project.

    Args:
        iface: The interface of the QGIS window.

    Returns:
        The layer; None after an error, which is shown in the message bar.
    """
    messages = MessageBar(iface)
    project = QgsProject.instance()
    with messages.show_errors():
        layer = _create_layer()
        file = project_geopackage()
        if file:
            layer = save_as_table(layer, Path(file), "crowns")
            set_imported_role(layer, LayerRole.ANNOTATOR)
        project.addMapLayer(layer)
        style_imported_crowns(layer)
        iface.setActiveLayer(layer)
        layer.startEditing()
        iface.actionAddFeature().trigger()
        _show_next_step(messages, layer.name(), is_temporary=not file)
        return layer
    return None


def _show_next_step(messages: MessageBar, layer_name: str, is_temporary: bool) -> None:
    """Show a message that asks for crowns in a new layer, and says how they are kept.

    Args:
        messages: Message bar of the window.
        layer_name: Name of the layer.
        is_temporary: True if the layer is in memory, because the project is not saved.
    """
    if is_temporary:
        messages.warning(
            tr(
                "Draw crowns in layer '{name}'. It is temporary, because the project is not "
                "saved: save the project first to keep the crowns.",
                name=layer_name,
            )
        )
    else:
        messages.info(tr("Draw crowns in layer '{name}'; save its edits.", name=layer_name))


def _create_layer() -> QgsVectorLayer:
    """Return an empty memory layer with a free name and a suitable coordinate system."""
    names = {layer.name() for layer in QgsProject.instance().mapLayers().values()}
    person = preference(REVIEWER_PREFERENCE, "") or getuser()
    name = unique_name(tr("crowns of {name}", name=person), names.__contains__, "{} {}")
    layer = QgsVectorLayer(f"MultiPolygon?{_FIELDS}", name, "memory")
    layer.setCrs(_suitable_crs())
    set_imported_role(layer, LayerRole.ANNOTATOR)
    return layer


def _suitable_crs() -> QgsCoordinateReferenceSystem:
    """Return the coordinate system of the targets, of the first image, or of the project."""
    target = guess_target(polygon_layers())
    if target is not None:
        return layer_crs(target)
    images = raster_layers()
    return layer_crs(images[0]) if images else QgsProject.instance().crs()
