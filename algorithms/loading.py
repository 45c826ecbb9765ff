"""How results look when Processing loads them into a project: styled, and in one group per run."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from qgis.core import (
    QgsMapLayer,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingLayerPostProcessorInterface,
    QgsProject,
)

from randcrowns.algorithms.output import Output
from randcrowns.layers.styles.tree import move_to_group

#: Processing does not keep the Python half of a post-processor alive. Runs that are never loaded are forgotten in time.
_WAITING: deque[QgsProcessingLayerPostProcessorInterface] = deque(maxlen=100)


class _Loader(QgsProcessingLayerPostProcessorInterface):
    """Styles one output and moves it into the run's group."""

    def __init__(self, output: Output, place: int, title: str, others: Mapping[str, Any]) -> None:
        super().__init__()
        self._output = output
        self._place = place
        self._title = title
        self._others = others

    def postProcessLayer(  # noqa: N802 - QGIS's name
        self, layer: QgsMapLayer, context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> None:
        """Called on the main thread once the layer is loaded."""
        if layer is None or not layer.isValid():  # it was deleted meanwhile
            return
        self._output.dress(layer, self._others, mark=not self._output.reusable)
        project = context.project() or QgsProject.instance()
        move_to_group(project, layer, self._title, self._place)
        node = project.layerTreeRoot().findLayer(layer.id())
        if node is not None and not self._output.shown:
            node.setItemVisibilityChecked(False)


def load_in_group(details: Any, outputs: Sequence[Output], name: str, title: str, others: Mapping[str, Any]) -> None:
    """Have an output that is going to be loaded styled and moved into the run's group.

    Args:
        details: what Processing keeps about the output.
        outputs: all of the algorithm's, in the order of the layer tree.
        name: id of the output.
        title: of the run's group.
        others: the run's other outputs, by id.
    """
    place = next(place for place, output in enumerate(outputs) if output.id == name)
    loader = _Loader(outputs[place], place, title, others)
    _WAITING.append(loader)
    details.setPostProcessor(loader)
