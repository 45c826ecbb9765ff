"""Print layouts of what a page shows: made of its layers and its plot, and opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qgis.core import QgsProject, QgsVectorLayer
from qgis.PyQt.QtWidgets import QWidget

from randcrowns.algorithms.record import record_of
from randcrowns.core.errors import InputError
from randcrowns.layers.styles.print_layout import LaidOut, layout_of_plots, layout_of_worst
from randcrowns.ui.services.layer_facts import vector_layer
from randcrowns.ui.services.messages import Messages
from randcrowns.ui.widgets.plot import PlotWidget

#: Of a plot in a layout, inches.
_SIZE = (5.0, 2.2)


def open_layout(iface: Any, what: Callable[[], LaidOut], plots: bool) -> None:
    """Make a print layout, of the plots or of the worst crowns, and open it; a sentence where it cannot be made."""
    with Messages(iface).telling():
        layout = (layout_of_plots if plots else layout_of_worst)(QgsProject.instance(), what())
        designer = iface.openLayoutDesigner(layout)
        if designer is not None:
            designer.setAtlasPreviewEnabled(True)


def crowns_to_print(layer_id: str) -> QgsVectorLayer:
    """The layer of that id.

    Raises:
        InputError: when it is gone.
    """
    layer = vector_layer(layer_id)
    if layer is None:
        raise InputError("The layer with the results is no longer in the project; run again.")
    return layer


def words_of_run(layer: QgsVectorLayer) -> dict[str, str]:
    """What a layout says of the run that made a layer."""
    record = record_of(layer)
    return {} if record is None else {"run": record.title, "answer": record.answer, "made": record.line}


def picture_of_plot(results: QWidget) -> bytes:
    """The first plot of a page as PNG; nothing where it cannot be drawn."""
    plot = next(iter(results.findChildren(PlotWidget)), None)
    return b"" if plot is None else plot.picture(*_SIZE)
