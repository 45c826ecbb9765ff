"""How the outputs of comparing annotators look when Processing loads them: styled, in one group per run."""

from __future__ import annotations

from collections import deque
from typing import Any

from qgis.core import (
    QgsMapLayer,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingLayerPostProcessorInterface,
    QgsProject,
)

from randcrowns.layers.styles.styles import style_annotator_output
from randcrowns.layers.styles.tree import move_to_group

__all__ = ["ORDER", "load_in_group"]

#: From top to bottom in the layer tree.
ORDER = (
    "DISAGREEMENTS",
    "CONSENSUS",
    "AGREEMENT",
    "ANNOTATOR_TABLE",
    "ANNOTATOR_PAIRS",
    "SUMMARY",
    "RATIO",
    "LINKAGE",
    "IMAGE_TABLE",
    "PERFORMANCE",
    "PRIORS",
    "AGREEMENT_RASTER",
    "PROBABILITY",
)
#: Processing does not keep the Python half of a post-processor alive. Runs that are never loaded are forgotten in time.
_WAITING: deque[QgsProcessingLayerPostProcessorInterface] = deque(maxlen=100)


class _AnnotatorStyler(QgsProcessingLayerPostProcessorInterface):
    """Styles one output and moves it into the run's group."""

    def __init__(self, output: str, title: str) -> None:
        super().__init__()
        self._output = output
        self._title = title

    def postProcessLayer(  # noqa: N802 - QGIS's name
        self, layer: QgsMapLayer, context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> None:
        """Called on the main thread once the layer is loaded."""
        if layer.isValid():
            style_annotator_output(layer, self._output)
            move_to_group(context.project() or QgsProject.instance(), layer, self._title, ORDER.index(self._output))


def load_in_group(details: Any, output: str, title: str) -> None:
    """Have an output that is going to be loaded styled and moved into the run's group."""
    styler = _AnnotatorStyler(output, title)
    _WAITING.append(styler)
    details.setPostProcessor(styler)
