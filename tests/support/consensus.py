"""Consensus layers of page Annotators."""

from __future__ import annotations

from typing import Any

from qgis.core import Qgis, QgsProject, QgsVectorLayer
from support.qt import RUN_SECONDS, wait_until

from randcrowns.algorithms.agreement.schema.parameters import METHOD
from randcrowns.layers.vector.write import RESULT_PROPERTY

__all__ = ["consensus_layers", "made_consensus", "rows_of"]


def consensus_layers() -> list[QgsVectorLayer]:
    """Return the consensus layers of the project."""
    layers = QgsProject.instance().mapLayers().values()
    return [layer for layer in layers if layer.customProperty(RESULT_PROPERTY) == "CONSENSUS"]


def made_consensus(page: Any, method: str) -> QgsVectorLayer:
    """Make a consensus on the page and return its layer, which must be the only one."""
    bar = page.results.consensus_form
    combo = bar.field(METHOD)
    combo.setCurrentIndex(combo.findData(method))
    bar.make_button.click()
    assert page.run is not None, bar.run_problem()
    wait_until(lambda: page.run is None, RUN_SECONDS)
    assert page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical) == []
    (layer,) = consensus_layers()
    return layer


def rows_of(layer: QgsVectorLayer) -> list[dict[str, Any]]:
    """Return the attributes of each feature by the names of the fields."""
    names = layer.fields().names()
    return [dict(zip(names, feature.attributes())) for feature in layer.getFeatures()]
