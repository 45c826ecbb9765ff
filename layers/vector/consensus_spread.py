"""Spread of the annotators' outlines, read from a consensus layer of the project."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsFeatureRequest, QgsProject, QgsVectorLayer

from randcrowns.core.arrays import Floats
from randcrowns.layers.compat import is_null
from randcrowns.layers.fields import field_index
from randcrowns.layers.vector.features import iterate_features
from randcrowns.layers.vector.write import RESULT_PROPERTY

#: Id of the output that has a spread.
_CONSENSUS = "CONSENSUS"
#: Field with the spread of each crown, m.
_SPREAD = "spread"


def find_spread_layer() -> QgsVectorLayer | None:
    """Return the topmost consensus of the project whose crowns have a spread; None without one."""
    for layer in QgsProject.instance().layerTreeRoot().layerOrder():
        if isinstance(layer, QgsVectorLayer) and spread_field_of(layer):
            return layer
    return None


def spread_field_of(layer: QgsVectorLayer | None) -> str:
    """Return the field with the spread of the outlines of a consensus; "" for other layers.

    Args:
        layer: the layer, or None.
    """
    if layer is None or layer.customProperty(RESULT_PROPERTY) != _CONSENSUS:
        return ""
    return _SPREAD if field_index(layer.fields(), _SPREAD) >= 0 else ""


def read_spread(layer: QgsVectorLayer) -> Floats:
    """Return the spread (n,) of the crowns of a consensus, m; NaN where it is NULL.

    Args:
        layer: layer with the field ``spread``.
    """
    index = field_index(layer.fields(), _SPREAD)
    request = QgsFeatureRequest().setSubsetOfAttributes([index])
    request.setFlags(QgsFeatureRequest.Flag.NoGeometry)
    values = [feature.attribute(index) for feature in iterate_features(layer, request)]
    return np.array([np.nan if is_null(value) else value for value in values], dtype=float)
