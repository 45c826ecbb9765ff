"""Colours in which the outlines of delineation layers are drawn next to the red targets."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
from qgis.core import QgsVectorLayer
from qgis.PyQt.QtGui import QColor

from randcrowns.layers.styles import TARGET_COLOUR
from randcrowns.layers.styles.roles import layer_colour
from randcrowns.ui.widgets.colours import annotator_colours

#: Maximum difference of red, green and blue (0 to 255) between colours that look alike.
_MAX_ALIKE_DIFFERENCE = 60


def choose_delineation_colours(layers: Mapping[str, QgsVectorLayer | None]) -> dict[str, str]:
    """Return the colour of each delineation layer.

    These are the colours of the layers on the map, unless two of them, or one of them and the
    colour of targets, look alike. Default colours are used then.

    Args:
        layers: Name of the delineation layer -> the layer, or None if the project has it no more.

    Returns:
        Name of the delineation layer -> colour, ``#rrggbb``.
    """
    known_colours = {name: layer_colour(layer) for name, layer in layers.items()}
    map_colours = {name: colour for name, colour in known_colours.items() if colour}
    default_colours = annotator_colours(layers, map_colours)
    colours = {**default_colours, **map_colours}
    pairs = combinations((TARGET_COLOUR, *colours.values()), 2)
    has_alike_colours = any(_look_alike(colour, other) for colour, other in pairs)
    return default_colours if has_alike_colours else colours


def _look_alike(colour: str, other: str) -> bool:
    """Return True if no channel (red, green, blue) of two colours ``#rrggbb`` differs enough."""
    differences = np.subtract(QColor(colour).getRgb(), QColor(other).getRgb())
    return bool(np.abs(differences).max() <= _MAX_ALIKE_DIFFERENCE)
