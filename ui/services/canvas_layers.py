"""Hide layers of a map temporarily, without a change of the layer tree."""

from __future__ import annotations

from collections.abc import Iterable

from qgis.core import QgsMapLayer, QgsProject, QgsVectorLayer
from qgis.gui import QgsMapCanvas

from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.services.layer_watch import Connections


class CanvasLayers:
    """The layers of a map canvas, which can be limited to a selection and restored.

    Args:
        canvas: The map canvas.
    """

    def __init__(self, canvas: QgsMapCanvas) -> None:
        self._canvas = canvas
        self._connections = Connections()
        #: Ids of the layers that are visible in the layer tree; [] while the map is not limited.
        self._visible_in_tree: list[str] = []
        #: Ids of the layers that this object set on the canvas last.
        self._set_on_canvas: list[str] = []

    def background_layers(self) -> list[QgsMapLayer]:
        """Return the background layers of the map: neither vector layers nor results of runs."""
        return [
            layer
            for layer in self._canvas.layers()
            if not (isinstance(layer, QgsVectorLayer) or layer.customProperty(RESULT_PROPERTY))
        ]

    def show_only(self, layers: Iterable[QgsMapLayer]) -> None:
        """Limit the map to some layers until :meth:`restore` is called.

        Layers in edit mode stay on the map, and layers that become visible in the layer tree
        from now on are added to it.

        Args:
            layers: Layers to show, the topmost first.
        """
        self.restore()
        self._visible_in_tree = self._canvas_layer_ids()
        vector_layers = [
            layer for layer in self._canvas.layers() if isinstance(layer, QgsVectorLayer)
        ]
        edited_layers = [layer for layer in vector_layers if layer.isEditable()]
        distinct_ids = dict.fromkeys(layer.id() for layer in (*edited_layers, *layers))
        self._set_layers(distinct_ids)
        self._connections.connect(self._canvas, "layersChanged", self._limit_again)

    def restore(self) -> None:
        """Show all layers again that are visible in the layer tree."""
        self._connections.close()
        if self._visible_in_tree and self._canvas_layer_ids() == self._set_on_canvas:
            self._set_layers(self._visible_in_tree)
        self._visible_in_tree = []

    def _limit_again(self) -> None:
        """Limit the map again after a change of the layer tree.

        QGIS sets all visible layers on the canvas as soon as a layer is added, removed, shown or
        hidden.
        """
        visible_ids = self._canvas_layer_ids()
        previously_visible_ids = self._visible_in_tree
        previously_set_ids = self._set_on_canvas
        if visible_ids == previously_set_ids:
            return  # this class has set the layers itself
        self._visible_in_tree = visible_ids
        hidden_ids = set(previously_visible_ids) - set(visible_ids)
        new_ids = set(visible_ids) - set(previously_visible_ids) - set(previously_set_ids)
        # New layers come first; hidden layers are removed.
        shown_ids = [layer_id for layer_id in visible_ids if layer_id in new_ids]
        shown_ids += [layer_id for layer_id in previously_set_ids if layer_id not in hidden_ids]
        self._set_layers(shown_ids)

    def _canvas_layer_ids(self) -> list[str]:
        """Return the ids of the layers that the canvas shows, the topmost first."""
        return [layer.id() for layer in self._canvas.layers()]

    def _set_layers(self, ids: Iterable[str]) -> None:
        """Set the layers of the canvas by id; layers that the project no longer has are skipped."""
        layers = [layer for layer in map(QgsProject.instance().mapLayer, ids) if layer is not None]
        self._set_on_canvas = [layer.id() for layer in layers]
        # QGIS regards other layers on the canvas as a change and would ask to save the project.
        with QgsProject.blockDirtying(QgsProject.instance()):
            self._canvas.setLayers(layers)
