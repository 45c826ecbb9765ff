"""Button that draws the selected layers as outlines in the colours of their roles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from qgis.core import QgsApplication, QgsVectorLayer
from qgis.PyQt.QtWidgets import QToolButton

from randcrowns.layers.localization import tr
from randcrowns.layers.styles import TARGET_COLOUR
from randcrowns.layers.styles.roles import (
    has_role_style,
    layer_colour,
    restore_own_style,
    show_role_style,
)
from randcrowns.layers.vector.names import unique_names
from randcrowns.ui.services.layer_info import polygon_layers, vector_layers
from randcrowns.ui.services.replaced_layers import styled_by_page
from randcrowns.ui.widgets.colours import annotator_colours
from randcrowns.ui.widgets.parts import set_accessible_name


class SelectedCrowns(NamedTuple):
    """Layers with crowns that are selected on a page."""

    target_id: str  #: Id of the layer with the targets; "" for none.
    other_ids: Sequence[str]  #: Ids of the layers of annotators and detectors.

    def layers(self) -> list[QgsVectorLayer]:
        """Return the vector layers; other layers and those that do not exist are skipped."""
        return vector_layers((self.target_id, *self.other_ids))


class OutlineButton(QToolButton):
    """Button that is pressed while the selected layers are outlines in the colours of their roles.

    Targets are red, every other layer has the colour that page Annotators gives it. A second click
    shows all layers in their own styles again.

    Args:
        selected: returns the layers that are selected on the page.
    """

    def __init__(self, selected: Callable[[], SelectedCrowns]) -> None:
        super().__init__()
        self._selected = selected
        self.setCheckable(True)
        self.setAutoRaise(True)
        self.setIcon(QgsApplication.getThemeIcon("/propertyicons/symbology.svg"))
        self.setToolTip(
            tr(
                "Draw the selected layers as outlines: targets in red, every other layer in a "
                "colour of its own. A second click shows their own styles again."
            )
        )
        set_accessible_name(self, tr("Draw the selected layers as outlines"))
        self.clicked.connect(self._on_clicked)

    def update_state(self) -> None:
        """Press the button if all selected layers are outlines in the colours of their roles."""
        selected = self._selected()
        layers = selected.layers()
        self.setChecked(bool(layers) and all(_is_outlined(layer, selected) for layer in layers))
        self.setVisible(bool(layers))

    def follow_selection(self) -> None:
        """Draw newly selected layers as outlines too while the button is pressed."""
        if self.isChecked():
            self._show_outlines(self._selected().layers())
        self.update_state()

    def _on_clicked(self, is_pressed: bool) -> None:
        """Show outlines, or the layers' own styles."""
        if is_pressed:
            self._show_outlines(self._selected().layers())
        else:
            for layer in polygon_layers():
                with styled_by_page(layer):
                    restore_own_style(layer)
        self.update_state()

    def _show_outlines(self, layers: Iterable[QgsVectorLayer]) -> None:
        """Draw layers as outlines, unless they are drawn so already."""
        selected = self._selected()
        outdated_layers = [layer for layer in layers if not _is_outlined(layer, selected)]
        if not outdated_layers:
            return
        colours = _role_colours(selected)
        for layer in outdated_layers:
            with styled_by_page(layer):
                show_role_style(layer, colours[layer.id()])


def _is_outlined(layer: QgsVectorLayer, selected: SelectedCrowns) -> bool:
    """Return True if a layer is an outline in the colour of its role."""
    is_red = layer_colour(layer) == TARGET_COLOUR
    return has_role_style(layer) and is_red == (layer.id() == selected.target_id)


def _role_colours(selected: SelectedCrowns) -> dict[str, str]:
    """Return the colours of selected layers (``#rrggbb``) by their ids."""
    other_layers = vector_layers(selected.other_ids)
    names = unique_names([layer.name() for layer in other_layers])
    layer_by_name = dict(zip(names, other_layers))
    map_colours = {name: layer_colour(layer) for name, layer in layer_by_name.items()}
    colour_by_name = annotator_colours(names, map_colours)
    colour_by_id = {layer.id(): colour_by_name[name] for name, layer in layer_by_name.items()}
    return {**colour_by_id, selected.target_id: TARGET_COLOUR}
