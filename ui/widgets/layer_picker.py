"""Pickers of layers that follow the project, with a badge beside each polygon layer."""

from __future__ import annotations

from html import escape

from qgis.core import QgsMapLayerProxyModel, QgsProject, QgsVectorLayer
from qgis.gui import QgsMapLayerComboBox
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from randcrowns.algorithms.choice import Option
from randcrowns.layers.vector.guesses import is_made, polygon_layers
from randcrowns.layers.words import tr
from randcrowns.ui.services.layer_facts import LayerCheck, LayerFacts, raster_layers
from randcrowns.ui.widgets.colours import QUIET, WARN
from randcrowns.ui.widgets.parts import OptionBox, fill, wrapped


class LayerPicker(QWidget):
    """A combo box of the project's polygon layers, and the badge of the one picked."""

    changed = pyqtSignal()

    def __init__(self, check: LayerCheck | None, optional: bool) -> None:
        super().__init__()
        self._check = check
        self._facts: LayerFacts | None = None
        #: Id of the layer that was picked by somebody, not by the box as layers came and went.
        self._chosen = ""
        self.combo = QgsMapLayerComboBox()
        self.combo.setFilters(QgsMapLayerProxyModel.PolygonLayer)
        self.combo.setAllowEmptyLayer(optional, tr("none"))
        if optional:
            self._pick_none()  # the box would show the first layer there is
        self.combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.combo.setMinimumContentsLength(8)
        self.badge = wrapped(colour=QUIET)
        self.badge.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        fill(QVBoxLayout(self), self.combo, self.badge, spacing=1)
        self.setFocusProxy(self.combo)
        self.combo.layerChanged.connect(self._tell)
        self.combo.activated.connect(lambda _: setattr(self, "_chosen", self.layer_id()))
        self.refresh()

    def layer(self) -> QgsVectorLayer | None:
        """The layer picked."""
        layer = self.combo.currentLayer()
        return layer if isinstance(layer, QgsVectorLayer) else None

    def layer_id(self) -> str:
        """The id of the layer picked, empty when there is none."""
        layer = self.layer()
        return "" if layer is None else str(layer.id())

    def pick(self, layer_id: str) -> bool:
        """Pick the layer of that id; False (and nothing changed) when the project has none."""
        layer = QgsProject.instance().mapLayer(layer_id)
        if layer is None:
            return False
        self._chosen = layer_id
        self.combo.setLayer(layer)
        return self.layer_id() == layer_id

    def pick_unless_chosen(self, layer: QgsVectorLayer | None) -> None:
        """Pick a layer as long as nobody has chosen the one that is picked."""
        if layer is not None and not (self._chosen and self._chosen == self.layer_id()):
            self.combo.setLayer(layer)

    def pick_or_none(self, layer_id: str) -> None:
        """Pick the layer of that id, or none when the project has no such layer."""
        if not self.pick(layer_id):
            self._pick_none()

    def allow_none(self, words: str) -> None:
        """Let no layer be picked, and pick none; the box then shows the words."""
        self.combo.setAllowEmptyLayer(True, words)
        self._pick_none()

    def _pick_none(self) -> None:
        # setLayer(None) would leave the box without any entry, its words unread.
        self.combo.setCurrentIndex(0 if self.combo.allowEmptyLayer() else -1)

    def refresh(self) -> None:
        """Read the badge anew; what a run made stays only where somebody picked it."""
        layer = self.layer()
        if layer is not None and is_made(layer) and layer.id() != self._chosen:  # the box itself picks any layer
            offered = () if self.combo.allowEmptyLayer() else polygon_layers()
            self.combo.setLayer(offered[0]) if offered else self._pick_none()
            layer = self.layer()
        found = () if layer is None or self._check is None else self._check.oddities(layer)
        self._facts = None if layer is None else LayerFacts.of(layer, found)
        self._write_badge()

    def _write_badge(self) -> None:
        if self._facts is None:
            optional = self.combo.allowEmptyLayer()
            self.badge.setText("" if optional else tr("no polygon layer"))
            self.badge.setToolTip("")
            self.badge.setHidden(optional)
            return
        odd = "".join(f" <span style='color:{WARN}'>⚠ {escape(one)}</span>" for one in self._facts.odd[:1])
        self.badge.setText(f"{escape(self._facts.text)}{odd}")
        self.badge.setToolTip(self._facts.tooltip)
        self.badge.show()

    def _tell(self, *_: object) -> None:
        self.refresh()
        self.changed.emit()


class RasterBox(OptionBox):
    """The project's rasters; the first entry is for none."""

    def __init__(self) -> None:
        super().__init__()
        self.refresh()

    def refresh(self) -> None:
        """Follow the project's layers."""
        self.offer([Option("", tr("none")), *(Option(layer.id(), layer.name()) for layer in raster_layers())])
