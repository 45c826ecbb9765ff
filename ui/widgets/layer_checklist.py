"""A check list of layers that follows the project, with a badge beside each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Callable

from qgis.core import QgsMapLayer, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QEvent, QSignalBlocker, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor, QResizeEvent
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from randcrowns.algorithms.choice import Option
from randcrowns.algorithms.exchange.outputs import is_imported
from randcrowns.layers.words import plain, tr
from randcrowns.ui.services.layer_facts import (
    LayerCheck,
    LayerFacts,
    person_field,
    polygon_layers,
    vector_layer,
)
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.colours import QUIET, ground_of, may_stand_elsewhere

_ID = Qt.ItemDataRole.UserRole
_BADGES = Qt.ItemDataRole.UserRole
_NARROW = 400
_USUAL_ROWS, _LEAST_ROWS = 12, 3


class LayerChecklist(QTreeWidget):
    """Emits :attr:`changed` when other layers are checked. Layers that stand elsewhere can be left out.

    Args:
        check: looks for what is odd about the layers checked.
        offered: the layers to offer; the project's polygon layers unless told otherwise.
        what_for: tooltip that says what checking a layer does.
        polygons: what the layers hold is called polygons, not crowns.
    """

    changed = pyqtSignal()

    def __init__(
        self,
        check: LayerCheck | None = None,
        offered: Callable[[], Sequence[QgsMapLayer]] = polygon_layers,
        what_for: str = "",
        polygons: bool = False,
    ) -> None:
        super().__init__()
        self._check = check
        self._polygons = polygons
        self._chosen = False
        self._offered = offered
        self._what_for = what_for or tr("Check it to score it against the target.")
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._left_out: tuple[str, ...] = ()
        #: Layers that were checked when they were left out.
        self._aside: set[str] = set()
        self._narrow = False
        #: Rows beyond the usual ones that there is room for.
        self._more = 0
        self.itemChanged.connect(self._tell)
        self.refresh()

    def checked_ids(self) -> tuple[str, ...]:
        """The ids of the layers checked, in the order of the list."""
        return tuple(
            layer_id
            for item, layer_id in zip(self.layer_items(), self._ids())
            if item.checkState(0) == Qt.CheckState.Checked
        )

    def check(self, layer_ids: tuple[str, ...]) -> None:
        """Check exactly these layers; ids the project does not know are passed over."""
        self._chosen = True
        self._aside.clear()
        self._check_items(layer_ids)

    value = checked_ids

    def show_value(self, layer_ids: tuple[str, ...]) -> None:
        """Check those of these layers that are in the project; none leaves the list as it is."""
        known = tuple(
            layer_id
            for layer_id in layer_ids
            if QgsProject.instance().mapLayer(layer_id) is not None
        )
        if known:
            self.check(known)

    def check_unless_chosen(self, layer_ids: tuple[str, ...]) -> None:
        """Check these layers as long as nobody has chosen any: those that come to the project join in."""
        if not self._chosen:
            self._check_items(layer_ids)

    def check_all(self, wanted: bool = True) -> None:
        """Check every layer offered, or none."""
        self.check(self._ids() if wanted else ())

    def _check_items(self, layer_ids: tuple[str, ...]) -> None:
        before = self.checked_ids()
        with QSignalBlocker(self):
            for item in self.layer_items():
                wanted = item.data(0, _ID) in layer_ids
                item.setCheckState(0, Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)
        if self.checked_ids() != before:
            self.changed.emit()

    def leave_out(self, *layer_ids: str) -> None:
        """Do not offer these layers; those offered again are checked if they were before."""
        if layer_ids != self._left_out:
            self._aside.update(set(self.checked_ids()) & set(layer_ids))
            back = self._aside.difference(layer_ids)
            self._aside -= back
            self._left_out = layer_ids
            self._fill(back)

    def refresh(self) -> None:
        """Follow the project: its layers, their names and badges; what was checked stays checked."""
        self._fill()

    def _fill(self, back: Collection[str] = ()) -> None:
        """Offer the layers there are, those that come back checked."""
        before, known = self.checked_ids(), self._ids()
        with QSignalBlocker(self):
            self.clear()
            for layer in self._offered():
                if layer.id() not in self._left_out:
                    self._add(layer, layer.id() in before or layer.id() in back)
                    # An import changes nothing that is checked.
                    self._chosen |= bool(before) and layer.id() not in known and is_imported(layer)
        if not self.topLevelItemCount():
            self._chosen = False  # another project begins
        self.updateGeometry()
        if self.checked_ids() != before:
            self.changed.emit()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        rows = min(max(self.topLevelItemCount(), _LEAST_ROWS), _USUAL_ROWS + self._more)
        return QSize(200, rows * self._row() + 2 * self.frameWidth())

    def grow(self, pixels: int) -> int:
        """Show more than the usual rows where there are so many pixels to spare; how many are left."""
        self._more = max(0, min(self.topLevelItemCount() - _USUAL_ROWS, pixels // self._row()))
        self.updateGeometry()
        return pixels - self._more * self._row()

    def _row(self) -> int:
        return (
            self.sizeHintForRow(0) if self.topLevelItemCount() else self.fontMetrics().height() + 6
        )

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(100, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Where there is little room the badge is short, so that names can be read."""
        super().resizeEvent(event)
        narrow = self.width() < _NARROW
        if narrow != self._narrow:
            self._narrow = narrow
            with QSignalBlocker(self):
                for item in self.layer_items():
                    item.setText(1, item.data(1, _BADGES)[0 if narrow else 1])

    def _add(self, layer: QgsMapLayer, checked: bool) -> None:
        look = self._check if checked and isinstance(layer, QgsVectorLayer) else None
        found = () if look is None else look.oddities(layer)
        facts = LayerFacts.of(layer, found, self._polygons)
        long = f"{facts.text} ⚠" if facts.odd else facts.text
        item = QTreeWidgetItem([layer.name(), facts.short if self._narrow else long])
        item.setData(1, _BADGES, (facts.short, long))
        item.setData(0, _ID, layer.id())
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(0, Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked)
        item.setToolTip(0, plain(f"{layer.name()}\n{self._what_for}"))
        item.setToolTip(1, plain(facts.tooltip))
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.addTopLevelItem(item)
        self._colour(item)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if may_stand_elsewhere(event):
            with QSignalBlocker(self):
                for item in self.layer_items():
                    self._colour(item)
        return done

    def _colour(self, item: QTreeWidgetItem) -> None:
        item.setForeground(1, QColor(QUIET.on(ground_of(self.viewport()))))

    def layer_items(self) -> list[QTreeWidgetItem]:
        """A row per layer."""
        return [self.topLevelItem(number) for number in range(self.topLevelItemCount())]

    def _ids(self) -> tuple[str, ...]:
        return tuple(str(item.data(0, _ID)) for item in self.layer_items())

    def _tell(self, *_: object) -> None:
        self._chosen = True
        self.changed.emit()


def share_room(form: QWidget, height: int) -> None:
    """Let the lists of a form have as many rows as there is room for in that height, the first ones first."""
    lists, layout = form.findChildren(LayerChecklist), form.layout()
    for one in lists:
        one.grow(0)
    layout.activate()
    left = height - (
        layout.heightForWidth(form.width())
        if layout.hasHeightForWidth()
        else form.sizeHint().height()
    )
    for one in lists:
        left = one.grow(left)


def offer_people(box: OptionBox, checked: Sequence[str]) -> bool:
    """Offer the fields of the one layer checked as the one that names the annotator; whether it has any."""
    layer = (
        vector_layer(checked[0]) if len(checked) == 1 else None
    )  # several layers are several people
    names = [] if layer is None else [field.name() for field in layer.fields()]
    options = [
        Option("", tr("(the layer is one annotator)")),
        *(Option(name, name) for name in names),
    ]
    if tuple(options) != box.offered:
        box.usual = "" if layer is None else person_field(layer)
    box.offer(options, lambda before: before if before in names else box.usual)
    return bool(names)
