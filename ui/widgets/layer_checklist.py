"""Checklist of the project's layers, with a badge beside each layer."""

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

from randcrowns.algorithms.exchange.schema.outputs import is_imported
from randcrowns.algorithms.parameter_types import Option
from randcrowns.layers.localization import escape_rich_text, tr
from randcrowns.layers.vector.names import unique_names
from randcrowns.ui.services.layer_info import (
    LayerCheck,
    LayerFacts,
    annotator_field,
    polygon_layers,
    vector_layer,
)
from randcrowns.ui.widgets.boxes import OptionBox
from randcrowns.ui.widgets.colours import SECONDARY_TONE, background_of, may_change_background

#: Columns of the list: the names with the check boxes, and the badges.
_NAME_COLUMN, _BADGE_COLUMN = range(2)
#: Role of the layer id, in the column of names.
_ID_ROLE = Qt.ItemDataRole.UserRole
#: Role of the short and the long text of the badge, in the column of badges.
_BADGE_ROLE = Qt.ItemDataRole.UserRole
#: Width of the list below which the short badges are shown, pixels.
_NARROW_WIDTH = 400
#: Number of rows up to which the list grows without :meth:`LayerChecklist.grow_into`.
_DEFAULT_MAX_ROWS = 12
#: Minimum number of rows.
_MIN_ROWS = 3
#: Preferred and minimum width of the list, pixels.
_PREFERRED_WIDTH = 200
_MIN_WIDTH = 100
#: Space above and below the text of a row together, pixels.
_ROW_PADDING = 6


class LayerChecklist(QTreeWidget):
    """List of layers with a check box and a badge each.

    Args:
        check: background check of the checked layers for problems; None for no check.
        offered: function that returns the layers to list; by default the polygon layers.
        what_for: tooltip that says what checking a layer does; "" for that of a scored layer.
        polygons: True to call the features of a layer polygons, False to call them crowns.
    """

    #: Emitted when the set of checked layers changes.
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
        #: True if the user or a stored setting decided which layers are checked.
        self._is_chosen = False
        self._offered = offered
        self._tooltip = what_for or tr("Tick it to score it against the target.")
        #: Ids of the layers of the project at the last reload, with those that are excluded.
        self._known_ids: set[str] = set()
        #: Ids of layers that the list does not offer.
        self._excluded_ids: tuple[str, ...] = ()
        #: Ids of excluded layers that were checked before.
        self._checked_when_excluded: set[str] = set()
        #: True while the short badges are shown.
        self._is_narrow = False
        #: Number of rows above the default maximum for which there is room.
        self._n_extra_rows = 0
        self._set_up_columns()
        self.itemChanged.connect(self._on_item_changed)
        self.refresh()

    def _set_up_columns(self) -> None:
        """Set up a wide column of elided names and a narrow column of badges."""
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(_NAME_COLUMN, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(_BADGE_COLUMN, QHeaderView.ResizeMode.ResizeToContents)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def checked_ids(self) -> tuple[str, ...]:
        """Return the ids of the checked layers in the order of the list."""
        checked_items = [
            item for item in self.layer_items() if item.checkState(0) == Qt.CheckState.Checked
        ]
        return tuple(str(item.data(_NAME_COLUMN, _ID_ROLE)) for item in checked_items)

    def check_layers(self, layer_ids: tuple[str, ...]) -> None:
        """Check these layers and uncheck the others; unknown ids are ignored.

        The layers count as chosen by the user.
        """
        self._is_chosen = True
        self._checked_when_excluded.clear()
        self._check_items(layer_ids)

    value = checked_ids

    def set_value(self, layer_ids: tuple[str, ...]) -> None:
        """Check those of the layers that the project has; do nothing if it has none of them."""
        known_ids = tuple(
            layer_id
            for layer_id in layer_ids
            if QgsProject.instance().mapLayer(layer_id) is not None
        )
        if known_ids:
            self.check_layers(known_ids)

    def check_unless_chosen(self, layer_ids: tuple[str, ...]) -> None:
        """Check these layers as the default, unless the user chose layers."""
        if not self._is_chosen:
            self._check_items(layer_ids)

    def check_all(self, checked: bool = True) -> None:
        """Check all layers of the list, or uncheck all if ``checked`` is False."""
        self.check_layers(self._layer_ids() if checked else ())

    def _check_items(self, layer_ids: tuple[str, ...]) -> None:
        """Check these layers and uncheck the others; emit :attr:`changed` at most once."""
        previous_ids = self.checked_ids()
        with QSignalBlocker(self):
            for item in self.layer_items():
                _set_checked(item, item.data(_NAME_COLUMN, _ID_ROLE) in layer_ids)
        if self.checked_ids() != previous_ids:
            self.changed.emit()

    def exclude(self, *layer_ids: str) -> None:
        """Exclude layers from the list; replaces the layers that were excluded before.

        A layer that is offered again is checked if it was checked when it was excluded.
        """
        if layer_ids == self._excluded_ids:
            return
        self._checked_when_excluded.update(set(self.checked_ids()) & set(layer_ids))
        returning_ids = self._checked_when_excluded.difference(layer_ids)
        self._checked_when_excluded -= returning_ids
        self._excluded_ids = layer_ids
        self._reload(returning_ids)

    def refresh(self) -> None:
        """Reload the project's layers, their names and badges; checked layers stay checked."""
        self._reload()

    def _reload(self, returning_ids: Collection[str] = ()) -> None:
        """Reload the layers; layers that were checked stay checked.

        Emits :attr:`changed` if other layers are checked then.

        Args:
            returning_ids: Ids of further layers to check, if they are offered.
        """
        previous_ids = self.checked_ids()
        ids_to_check = {*previous_ids, *returning_ids}
        layers = self._offered()
        new_layers = [layer for layer in layers if layer.id() not in self._known_ids]
        self._known_ids = {layer.id() for layer in layers}
        offered_layers = [layer for layer in layers if layer.id() not in self._excluded_ids]
        with QSignalBlocker(self):
            self.clear()
            # Runs give the same names to layers of equal names.
            names = unique_names([layer.name() for layer in offered_layers])
            for layer, name in zip(offered_layers, names):
                self._add_layer(layer, name, layer.id() in ids_to_check)
        if previous_ids and self._keeps_checks(previous_ids, new_layers):
            self._is_chosen = True
        if not self.topLevelItemCount():
            # An empty list means that the project was closed.
            self._is_chosen = False
        self.updateGeometry()
        if self.checked_ids() != previous_ids:
            self.changed.emit()

    def _keeps_checks(self, checked_ids: Sequence[str], new_layers: Sequence[QgsMapLayer]) -> bool:
        """Return True if new layers must not change which layers are checked by default.

        This is so for imported layers.

        Args:
            checked_ids: Ids of the layers that were checked before.
            new_layers: Layers that the list offers for the first time.
        """
        return any(map(is_imported, new_layers))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return a size with a row per layer, within the minimum and maximum number of rows."""
        max_rows = _DEFAULT_MAX_ROWS + self._n_extra_rows
        n_rows = min(max(self.topLevelItemCount(), _MIN_ROWS), max_rows)
        return QSize(_PREFERRED_WIDTH, n_rows * self._row_height() + 2 * self.frameWidth())

    def grow_into(self, pixels: int) -> int:
        """Show more rows than the default maximum if there are more layers.

        Args:
            pixels: height that is available for additional rows.

        Returns:
            The height that is left, pixels.
        """
        n_layers = self.topLevelItemCount()
        n_rows_with_room = pixels // self._row_height()
        self._n_extra_rows = max(0, min(n_layers - _DEFAULT_MAX_ROWS, n_rows_with_room))
        self.updateGeometry()
        return pixels - self._n_extra_rows * self._row_height()

    def _row_height(self) -> int:
        """Return the height of a row in pixels; an estimate if the list is empty."""
        if self.topLevelItemCount():
            return self.sizeHintForRow(0)
        return self.fontMetrics().height() + _ROW_PADDING

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return a size with the preferred height, so that the form scrolls and not the list."""
        return QSize(_MIN_WIDTH, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Show short badges in a narrow list, so that the names stay readable."""
        super().resizeEvent(event)
        is_narrow = self.width() < _NARROW_WIDTH
        if is_narrow == self._is_narrow:
            return
        self._is_narrow = is_narrow
        with QSignalBlocker(self):
            for item in self.layer_items():
                short_text, long_text = item.data(_BADGE_COLUMN, _BADGE_ROLE)
                item.setText(_BADGE_COLUMN, short_text if is_narrow else long_text)

    def _add_layer(self, layer: QgsMapLayer, name: str, is_checked: bool) -> None:
        """Append a row for a layer; only vector layers that are checked are examined.

        Args:
            layer: The layer.
            name: Name of the layer, different from those of the other rows.
            is_checked: True to check the layer.
        """
        problems: tuple[str, ...] = ()
        if is_checked and self._check is not None and isinstance(layer, QgsVectorLayer):
            problems = self._check.problems(layer)
        facts = LayerFacts.of_layer(layer, problems, self._polygons)
        long_text = f"{facts.text} ⚠" if facts.notices else facts.text

        item = QTreeWidgetItem([name, facts.short if self._is_narrow else long_text])
        item.setData(_BADGE_COLUMN, _BADGE_ROLE, (facts.short, long_text))
        item.setData(_NAME_COLUMN, _ID_ROLE, layer.id())
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        _set_checked(item, is_checked)
        name_tooltip = f"{name}\n{self._tooltip}"
        item.setToolTip(_NAME_COLUMN, escape_rich_text(name_tooltip))
        item.setToolTip(_BADGE_COLUMN, escape_rich_text(facts.tooltip))
        alignment = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        item.setTextAlignment(_BADGE_COLUMN, alignment)
        self.addTopLevelItem(item)
        self._colour_badge(item)

    def event(self, event: QEvent) -> bool:
        """Update the colour of the badges after an event that may change the background."""
        is_handled = super().event(event)
        if may_change_background(event):
            with QSignalBlocker(self):
                for item in self.layer_items():
                    self._colour_badge(item)
        return is_handled

    def _colour_badge(self, item: QTreeWidgetItem) -> None:
        """Set the text colour of a row's badge for the current background."""
        colour = SECONDARY_TONE.readable_on(background_of(self.viewport()))
        item.setForeground(_BADGE_COLUMN, QColor(colour))

    def layer_items(self) -> list[QTreeWidgetItem]:
        """Return the rows from top to bottom, one per layer."""
        return [self.topLevelItem(row) for row in range(self.topLevelItemCount())]

    def _layer_ids(self) -> tuple[str, ...]:
        """Return the layer id of each row."""
        return tuple(str(item.data(_NAME_COLUMN, _ID_ROLE)) for item in self.layer_items())

    def _on_item_changed(self, *_: object) -> None:
        """Remember that the user chose layers; other changes block the signal of the items."""
        self._is_chosen = True
        self.changed.emit()


def _set_checked(item: QTreeWidgetItem, is_checked: bool) -> None:
    """Set the check box of a row."""
    state = Qt.CheckState.Checked if is_checked else Qt.CheckState.Unchecked
    item.setCheckState(_NAME_COLUMN, state)


def distribute_height(form: QWidget, height: int) -> None:
    """Let the checklists of a form grow into its spare height, from the first to the last list.

    Args:
        form: widget with a layout.
        height: height that is available for the form, pixels.
    """
    checklists = form.findChildren(LayerChecklist)
    layout = form.layout()
    for checklist in checklists:
        checklist.grow_into(0)
    layout.activate()

    if layout.hasHeightForWidth():
        needed_height = layout.heightForWidth(form.width())
    else:
        needed_height = form.sizeHint().height()
    spare_height = height - needed_height
    for checklist in checklists:
        spare_height = checklist.grow_into(spare_height)


def offer_annotator_fields(box: OptionBox, checked: Sequence[str]) -> bool:
    """Offer the attributes that may name the annotator of each crown.

    Attributes are offered if exactly one layer is checked, because each of several layers counts
    as one annotator. If the options change, the default of the box is the attribute that most
    likely names annotators. A selected attribute stays if the layer has it.

    Args:
        box: combo box to fill; its first option stands for no attribute.
        checked: ids of the checked layers.

    Returns:
        True if there are attributes to select.
    """
    layer = vector_layer(checked[0]) if len(checked) == 1 else None
    names = [] if layer is None else layer.fields().names()
    options = (
        Option("", tr("(the layer is one annotator)")),
        *(Option(name, name) for name in names),
    )
    if options != box.options:
        box.default_key = "" if layer is None else annotator_field(layer)

    def keep_or_replace(selected_name: str) -> str:
        """Return the attribute to select instead of the selected one."""
        return selected_name if selected_name in names else box.default_key

    box.set_options(options, keep_or_replace)
    return bool(names)
