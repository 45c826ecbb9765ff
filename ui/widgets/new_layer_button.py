"""Button that adds a layer for an annotator's crowns."""

from __future__ import annotations

from typing import Any

from qgis.PyQt.QtWidgets import QToolButton

from randcrowns.layers.localization import tr
from randcrowns.ui.services.new_crown_layer import NEW_LAYER_TOOLTIP, add_crown_layer
from randcrowns.ui.widgets.colours import load_icon

__all__ = ["make_new_layer_button"]


def make_new_layer_button(iface: Any) -> QToolButton:
    """Return a button that adds a layer for an annotator's crowns and starts to draw.

    Args:
        iface: The interface of the QGIS window.
    """
    button = QToolButton()
    button.setText(tr("New crown layer…"))
    button.setIcon(load_icon("import"))
    button.setToolTip(NEW_LAYER_TOOLTIP)
    button.clicked.connect(lambda *_: add_crown_layer(iface))
    return button
