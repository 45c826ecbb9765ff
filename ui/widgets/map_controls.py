"""Controls of the map next to the results: opacity of the fills, and the other layers."""

from __future__ import annotations

from collections.abc import Iterable

from qgis.core import QgsApplication, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QSignalBlocker, Qt
from qgis.PyQt.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QToolButton, QWidget

from randcrowns.layers.localization import tr
from randcrowns.layers.styles.casing import fill_opacity, set_fill_opacity
from randcrowns.layers.styles.step_back import (
    bring_back,
    step_back,
    stepped_back_nodes,
    visible_polygon_layers,
)
from randcrowns.ui.services.layer_watch import Connections, single_shot_timer
from randcrowns.ui.services.replaced_layers import styled_by_page
from randcrowns.ui.widgets.parts import fill_layout, set_accessible_name

#: Largest width of the slider, pixels.
_MAX_SLIDER_WIDTH = 110
#: Smallest width of the slider, pixels.
_MIN_SLIDER_WIDTH = 40
#: Time after which the opacity is applied while the slider moves, ms.
_DELAY = 40


class MapControls(QWidget):
    """Slider for the fill of the displayed crowns, and a button that shows the other layers.

    Layers that do not belong to the displayed run are hidden by :meth:`step_back`. The pressed
    button means that they are hidden; a click shows them again, and a second one hides them.
    """

    def __init__(self) -> None:
        super().__init__()
        #: Ids of the layers of the displayed run.
        self._layer_ids: tuple[str, ...] = ()
        #: Connections to layers that come back when the user begins to edit them.
        self._editing = Connections()
        self._create_slider()
        self._create_button()
        self._fill_timer = single_shot_timer(_DELAY, self._apply_fill, self)
        self.fill_slider.valueChanged.connect(lambda *_: self._fill_timer.start())
        self.alone_button.clicked.connect(self._toggle_others)
        fill_layout(QHBoxLayout(self), self.alone_button, self.fill_slider, spacing=4)

    def _create_slider(self) -> None:
        """Create the slider of the opacity of the fills."""
        #: Opacity of the fills in percent.
        self.fill_slider = QSlider(Qt.Orientation.Horizontal)
        self.fill_slider.setRange(0, 100)
        self.fill_slider.setPageStep(10)
        self.fill_slider.setMinimumWidth(_MIN_SLIDER_WIDTH)
        self.fill_slider.setMaximumWidth(_MAX_SLIDER_WIDTH)
        self.fill_slider.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.fill_slider.setToolTip(
            tr("Opacity of the fill of the crowns on the map: to the left, the image is visible.")
        )
        set_accessible_name(self.fill_slider, tr("Opacity of the fill of the crowns"))

    def _create_button(self) -> None:
        """Create the button that hides the other layers."""
        #: Button that is pressed while the other layers are hidden.
        self.alone_button = QToolButton()
        self.alone_button.setText(tr("Only this run on the map"))
        self.alone_button.setIcon(QgsApplication.getThemeIcon("/mActionHideDeselectedLayers.svg"))
        self.alone_button.setToolTip(
            tr("Only this run on the map: click to show or hide the other crown layers.")
        )
        self.alone_button.setCheckable(True)
        self.alone_button.setAutoRaise(True)

    def show_run(self, layer_ids: Iterable[str]) -> None:
        """Set the layers of the displayed run; hide the controls that would have no effect."""
        self._layer_ids = tuple(layer_ids)
        self.update_state()

    def step_back(self) -> None:
        """Hide the crown layers that do not belong to the displayed run."""
        self._editing.close()
        step_back(QgsProject.instance(), self._layer_ids)
        # Those that an earlier run has hidden are hidden still.
        for node in stepped_back_nodes(QgsProject.instance()):
            if isinstance(node.layer(), QgsVectorLayer):
                self._bring_back_when_edited(node.layer())
        self.update_state()

    def update_state(self) -> None:
        """Show the current opacity of the fills, and whether other layers are hidden."""
        opacities = [fill_opacity(layer) for layer in self._shown_layers()]
        known_opacities = [opacity for opacity in opacities if opacity is not None]
        self.fill_slider.setVisible(bool(known_opacities))
        if known_opacities:
            with QSignalBlocker(self.fill_slider):
                self.fill_slider.setValue(round(100 * known_opacities[0]))
        self.alone_button.setVisible(bool(self._shown_layers()))
        self.alone_button.setChecked(bool(stepped_back_nodes(QgsProject.instance())))

    def close_down(self) -> None:
        """Remove the signal connections."""
        self._editing.close()

    def _shown_layers(self) -> list[QgsVectorLayer]:
        """Return the polygon layers of the displayed run that the map shows."""
        return visible_polygon_layers(QgsProject.instance(), self._layer_ids)

    def _apply_fill(self) -> None:
        """Apply the opacity to the layers of the displayed run."""
        for layer in self._shown_layers():
            with styled_by_page(layer):
                set_fill_opacity(layer, self.fill_slider.value() / 100)

    def _toggle_others(self, hide: bool) -> None:
        """Hide or show the other crown layers."""
        if hide:
            self.step_back()
        else:
            bring_back(QgsProject.instance())
            self.update_state()

    def _bring_back_when_edited(self, layer: QgsVectorLayer) -> None:
        """Show a layer again when the user begins to edit it, because edits must be visible."""
        layer_id = layer.id()

        def show_layer() -> None:
            """Show the layer, and update the buttons."""
            bring_back(QgsProject.instance(), (layer_id,))
            self.update_state()

        self._editing.connect(layer, "editingStarted", show_layer)
