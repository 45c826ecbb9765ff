"""Form built from declared parameters: collapsible groups with a row per parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Union

from qgis.core import QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.gui import QgsFieldComboBox
from qgis.PyQt.QtCore import QSignalBlocker, Qt, pyqtSignal
from qgis.PyQt.QtGui import QShowEvent
from qgis.PyQt.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QVBoxLayout,
    QWidget,
)

from randcrowns.algorithms.layer_parameters import (
    AreaParameter,
    BandsParameter,
    LayerListParameter,
    LayerParameter,
    RasterParameter,
)
from randcrowns.algorithms.parameter_types import (
    BooleanParameter,
    FieldParameter,
    OptionParameter,
    Parameter,
)
from randcrowns.ui.services.layer_info import LayerCheck
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.editors import (
    RESULT_FILE,
    Editor,
    ResultFileField,
    create_editor,
    describe_field,
    make_label,
)
from randcrowns.ui.widgets.fields import BandsField
from randcrowns.ui.widgets.parts import FREE_SPACE, fill_layout, set_accessible_name, set_collapsed
from randcrowns.ui.widgets.run_question import RunQuestion
from randcrowns.ui.widgets.summary_box import SummaryBox, SummaryLine, summarise_parameters

#: Stretch factors of the column of labels and of the column of fields.
_COLUMN_STRETCHES = (4, 5)
#: Kinds of parameters in the order in which their values are set: a kind depends on those before.
_SETTING_ORDER = (
    (LayerParameter,),
    (LayerListParameter, RasterParameter, AreaParameter),
    (Parameter,),
)
#: Margins of a form in pixels: left, top, right and bottom.
_MARGINS = (6, 4, 6, 4)
#: The same of a form that shows one line, which leaves more rows of the table visible.
_LINE_MARGINS = (6, 0, 6, 0)
#: Number of letters of an option that fit beside a label in a form of 300 pixels.
_MAX_OPTION_LENGTH = 20


@dataclass(frozen=True)
class ParameterRow:
    """Row of a form with the field of a parameter."""

    #: Parameter that is edited.
    parameter: Parameter[Any]
    #: Condition on the form's settings for showing the row; None to show it always.
    is_visible: Callable[[Settings], bool] | None = None
    #: Condition on the form's settings for enabling the field; None to enable it always.
    is_enabled: Callable[[Settings], bool] | None = None
    #: True to place the field below its label, over the whole width.
    wide: bool = False
    #: False to omit the label.
    labelled: bool = True
    #: Widget to the right of the label, used only if the label is above the field.
    label_companion: QWidget | None = None


#: Row of a group: a parameter, a parameter with conditions, a heading, or a widget over the whole
#: width.
FormRow = Union[Parameter[Any], ParameterRow, str, QWidget]


@dataclass(frozen=True)
class FormGroup:
    """Group of rows in a form."""

    #: Title of the group; "" for a group without a frame, which cannot be collapsed.
    title: str
    #: Rows from top to bottom.
    rows: Sequence[FormRow]
    #: True if the group is collapsed at first.
    collapsed: bool = False


class ParameterForm(QWidget):
    """Form that edits parameters.

    A subclass implements :meth:`run_label` and :meth:`run_problem` if its page has a Run button,
    and :meth:`update_fields` if the value of one field determines what another field shows.

    Args:
        groups: groups from top to bottom.
        editors: custom editors of parameters; :func:`create_editor` makes the others. A parameter
            with a custom editor needs no row if a widget among the rows contains its field.
        check: background check of layers, whose problems the badges show.
    """

    #: Emitted when a value changes.
    changed = pyqtSignal()
    #: Emitted when a group is collapsed or expanded.
    collapsed_changed = pyqtSignal()

    def __init__(
        self,
        groups: Sequence[FormGroup],
        editors: Mapping[Parameter[Any], Editor] | None = None,
        check: LayerCheck | None = None,
    ) -> None:
        super().__init__()
        #: Background check of the layers that are selected in the form.
        self.check = check or LayerCheck()
        #: Collapsible groups from top to bottom.
        self.group_boxes: list[SummaryBox] = []
        #: Group that was expanded last; None after another one was collapsed.
        self.expanded_box: SummaryBox | None = None
        #: Line that a compact form shows instead of its collapsed groups.
        self.summary_line = SummaryLine()
        self.summary_line.clicked.connect(self._show_groups)
        #: True if there is little room for the collapsed groups, see :meth:`set_compact`.
        self._is_compact = False
        #: True if the user clicked the line or expanded a group since the last run.
        self._is_opened = False
        #: Initial collapsed state of each group of :attr:`group_boxes`.
        self._initially_folded: list[bool] = []
        #: Rows of parameters in all groups, from top to bottom.
        self._rows: list[ParameterRow] = []
        self._custom_editors = dict(editors or {})
        #: Parameter -> its editor, from top to bottom; custom editors without a row come last.
        self._editors: dict[Parameter[Any], Editor] = {}
        #: Parameter -> label of its row, if the row has a label.
        self._labels: dict[Parameter[Any], QLabel] = {}
        #: Default that was last set for each parameter, see :meth:`set_default`.
        self._presets: dict[Parameter[Any], Any] = {}
        #: True while changes are collected, so that :attr:`changed` is emitted once for all.
        self._is_updating = False
        #: True if a value changed since dependent fields were updated last.
        self._has_changed = False

        group_widgets: list[QWidget] = [self._create_group_widget(group) for group in groups]
        if self.group_boxes:
            group_widgets.insert(0, self.summary_line)
        self._layout = fill_layout(QVBoxLayout(self), *group_widgets, FREE_SPACE, margins=_MARGINS)
        self._editors.update(self._custom_editors)
        for parameter, editor in self._editors.items():
            describe_field(editor.widget, parameter)
            editor.changed.connect(self._on_value_changed)
        self.check.problems_changed.connect(self._refresh_editors)
        self._update_dependent_fields()

    @property
    def parameters(self) -> tuple[Parameter[Any], ...]:
        """Parameters of the form from top to bottom."""
        return tuple(self._editors)

    def field(self, parameter: Parameter[Any]) -> Any:
        """Return the widget that edits a parameter."""
        return self._editors[parameter].widget

    @property
    def result_file_field(self) -> ResultFileField:
        """Widget that edits :data:`RESULT_FILE`, a parameter of every page with a Run button."""
        field: ResultFileField = self.field(RESULT_FILE)
        return field

    def run_label(self) -> str:
        """Return the label of the Run button."""
        raise NotImplementedError

    def run_problem(self) -> str:
        """Return the reason why the Run button is disabled, or "" if it is enabled."""
        raise NotImplementedError

    def run_question(self) -> RunQuestion | None:
        """Return a question to ask before a run; None if nothing is in doubt."""
        return None

    def label(self, parameter: Parameter[Any]) -> QLabel | None:
        """Return the label of a parameter's row, or None if the row has no label."""
        return self._labels.get(parameter)

    def settings(self) -> Settings:
        """Return the current value of every parameter."""
        return Settings({parameter: editor.value() for parameter, editor in self._editors.items()})

    def set_value(self, parameter: Parameter[Any], value: Any) -> None:
        """Set the value of a parameter."""
        self._editors[parameter].set_value(value)

    def set_default(self, parameter: Parameter[Any], value: Any) -> None:
        """Set a value that fits the selected layers, unless the user set another value.

        The current value counts as the user's if it is neither the parameter's default nor the
        value of the last call.

        Args:
            parameter: Parameter to set.
            value: Value that fits the selected layers.
        """
        current_value = self._editors[parameter].value()
        last_preset = self._presets.get(parameter, parameter.default)
        if current_value in (value, last_preset):
            self._presets[parameter] = value
            if current_value != value:
                self._editors[parameter].set_value(value)

    def set_settings(self, settings: Settings, reset_defaults: bool = False) -> None:
        """Set the values of all parameters.

        Parameters of single layers are set before lists of layers, because a list does not offer
        the selected single layers. Fields and bands are set after the layers that they belong to.

        Args:
            settings: values by parameter.
            reset_defaults: True to forget the values set by :meth:`set_default`, as for a new
                project. These may then replace values that equal the parameter's default.
        """
        with self._collect_changes():
            for rank in range(len(_SETTING_ORDER)):
                for parameter, editor in self._editors.items():
                    if _setting_rank(parameter) == rank:
                        editor.set_value(settings[parameter])
                self._update_dependent_fields()
        if reset_defaults:
            self._presets.clear()
        self._on_value_changed()

    def reload_layers(self) -> None:
        """Update the fields after layers were added, removed or changed."""
        with self._collect_changes():
            self._refresh_editors()
        self._on_value_changed()

    def collapse(self) -> None:
        """Collapse all groups to make room for results."""
        self._is_opened = False
        for box in self.group_boxes:
            set_collapsed(box, True)
        self._update_compactness()

    def restore_collapsed(self) -> None:
        """Restore the initial collapsed state of all groups."""
        for box, folded in zip(self.group_boxes, self._initially_folded):
            set_collapsed(box, folded)

    def set_compact(self, is_compact: bool) -> None:
        """Show one line instead of the groups while all of them are collapsed, or always groups.

        Args:
            is_compact: True for one line, which leaves the room of a low window to the results.
        """
        self._is_compact = is_compact
        self._update_compactness()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Update groups that were collapsed or expanded while the form was hidden."""
        super().showEvent(event)
        self._update_contents()

    def _update_compactness(self) -> None:
        """Show the groups, or the line instead of them."""
        is_line_shown = self._is_compact and not self._is_opened and bool(self.group_boxes)
        if self.has_expanded_group():
            is_line_shown = False
        if is_line_shown == self.summary_line.isVisibleTo(self):
            return
        had_focus = self.summary_line.hasFocus()
        self.summary_line.setVisible(is_line_shown)
        margins = _LINE_MARGINS if is_line_shown else _MARGINS
        self._layout.setContentsMargins(*margins)
        for box in self.group_boxes:
            box.setVisible(not is_line_shown)
        if had_focus:
            self.group_boxes[0].setFocus(Qt.FocusReason.OtherFocusReason)
        self._update_contents()

    def _show_groups(self, *_: object) -> None:
        """Show the groups, so that the user can expand one of them."""
        self._is_opened = True
        self._update_compactness()
        self.collapsed_changed.emit()

    def _update_contents(self) -> None:
        """Show or hide the contents of the groups.

        A hidden QgsCollapsibleGroupBox changes its state but not the visibility of its content.
        """
        for box in self.group_boxes:
            content = box.layout().itemAt(0).widget()
            if box.isCollapsed() != content.isHidden():
                set_collapsed(box, box.isCollapsed())

    def offer_fields(self, parameter: Parameter[Any], layer: QgsVectorLayer | None) -> None:
        """Offer the attributes of a layer for a parameter.

        The selected attribute stays if the new layer has an attribute of the same name.

        Args:
            parameter: parameter whose widget is a QgsFieldComboBox.
            layer: layer whose attributes are offered; None for none.
        """
        box = self.field(parameter)
        if box.layer() is layer:
            return
        previous_name = box.currentField()
        with QSignalBlocker(box):
            box.setLayer(layer)
            box.setField(previous_name)
        new_name = box.currentField()
        if new_name != previous_name:
            # The attribute was deselected with its layer, so it is not a choice of the user.
            self._presets[parameter] = new_name
            box.fieldChanged.emit(new_name)

    def update_fields(self, settings: Settings) -> None:
        """Update fields that depend on the values of other fields.

        Called after every change. The default does nothing; subclasses override it for
        dependencies that the parameters do not declare.

        Args:
            settings: current value of every parameter.
        """

    def set_row_visible(self, parameter: Parameter[Any], visible: bool) -> None:
        """Show or hide the row of a parameter."""
        self.field(parameter).setVisible(visible)
        if parameter in self._labels:
            self._labels[parameter].setVisible(visible)

    @contextmanager
    def _collect_changes(self) -> Iterator[None]:
        """Suspend the reaction to changed values within a ``with`` block; may be nested."""
        was_updating = self._is_updating
        self._is_updating = True
        try:
            yield
        finally:
            self._is_updating = was_updating

    def _on_value_changed(self, *_: object) -> None:
        """Update dependent fields until no value changes any more, then emit :attr:`changed`."""
        self._has_changed = True
        if self._is_updating:
            return
        with self._collect_changes():
            while self._has_changed:
                self._has_changed = False
                self._update_dependent_fields()
        self.changed.emit()

    def _refresh_editors(self) -> None:
        """Reload the project's layers in all fields."""
        for editor in self._editors.values():
            editor.refresh()

    def _update_dependent_fields(self) -> None:
        """Update what fields offer, their defaults, their visibility and whether they are enabled.

        The settings are read again after :meth:`update_fields`, which may change them.
        """
        for parameter, editor in self._editors.items():
            layer_parameter = _layer_parameter_of(parameter)
            if layer_parameter is not None and layer_parameter in self._editors:
                layer_id = self._editors[layer_parameter].value()
                self._update_field_of_layer(parameter, editor, layer_id)

        self.update_fields(self.settings())
        settings = self.settings()
        for row in self._rows:
            if row.is_visible is not None:
                self.set_row_visible(row.parameter, row.is_visible(settings))
            if row.is_enabled is not None:
                self.field(row.parameter).setEnabled(row.is_enabled(settings))
        self._update_summaries(settings)

    def _update_summaries(self, settings: Settings) -> None:
        """Update the summaries that collapsed groups show in their titles."""
        for box, is_advanced in zip(self.group_boxes, self._initially_folded):
            shown_parameters = [
                parameter
                for parameter, editor in self._editors.items()
                if box.isAncestorOf(editor.widget) and not editor.widget.isHidden()
            ]
            box.set_summary(summarise_parameters(shown_parameters, settings, not is_advanced))
        self.summary_line.show_groups(self.group_boxes)

    def has_expanded_group(self) -> bool:
        """Return True if a group is expanded."""
        return not all(box.isCollapsed() for box in self.group_boxes)

    def _on_box_folded(self, is_collapsed: bool) -> None:
        """Show the groups from the time when one of them is expanded until the next run.

        If the line replaced the groups when the last one is collapsed, the Run button would move to
        the mouse.
        """
        sender = self.sender()
        self.expanded_box = sender if isinstance(sender, SummaryBox) and not is_collapsed else None
        self._is_opened = self._is_opened or not is_collapsed
        self._update_compactness()
        self.collapsed_changed.emit()

    def _update_field_of_layer(
        self, parameter: Parameter[Any], editor: Editor, layer_id: str
    ) -> None:
        """Offer the bands or attributes of a layer for a parameter that belongs to it.

        Args:
            parameter: Parameter that selects bands or an attribute.
            editor: Editor of the parameter.
            layer_id: Id of the layer; "" offers nothing.
        """
        layer = QgsProject.instance().mapLayer(layer_id)
        if isinstance(parameter, BandsParameter) and isinstance(editor.widget, BandsField):
            editor.widget.set_raster(layer if isinstance(layer, QgsRasterLayer) else None)
        elif isinstance(editor.widget, QgsFieldComboBox):
            self.offer_fields(parameter, layer if isinstance(layer, QgsVectorLayer) else None)
            if isinstance(parameter, FieldParameter):
                guessed_name = parameter.default_field(layer)
                if guessed_name:
                    self.set_default(parameter, guessed_name)

    def _create_group_widget(self, group: FormGroup) -> QWidget:
        """Return the widget of a group: a collapsible box, or its bare content without a title.

        A box is added to :attr:`group_boxes`.
        """
        content = self._create_group_content(group)
        if not group.title:
            return content

        # The box sets the visibility of all its direct children when it is collapsed or expanded.
        # A single child keeps rows hidden that a condition hides.
        box = SummaryBox(group.title)
        set_accessible_name(box, group.title)
        box.setSaveCollapsedState(False)
        fill_layout(QVBoxLayout(box), content, margins=(6, 4, 6, 6))
        box.setCollapsed(group.collapsed)
        box.collapsedStateChanged.connect(self._on_box_folded)
        self.group_boxes.append(box)
        self._initially_folded.append(group.collapsed)
        return box

    def _create_group_content(self, group: FormGroup) -> QWidget:
        """Return a widget with the headings, parameters and other widgets of a group in a grid.

        The editors of the parameters are registered.
        """
        content = QWidget()
        # A QFormLayout leaves gaps for hidden rows and cuts labels off instead of wrapping them.
        grid = QGridLayout(content)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(3)
        for column, stretch in enumerate(_COLUMN_STRETCHES):
            grid.setColumnStretch(column, stretch)

        for row in group.rows:
            if isinstance(row, str):
                _add_full_width(grid, _make_heading(row))
            elif isinstance(row, QWidget):
                _add_full_width(grid, row)
            elif isinstance(row, ParameterRow):
                self._add_row(grid, row)
            else:
                self._add_row(grid, ParameterRow(row))
        return content

    def _add_row(self, grid: QGridLayout, row: ParameterRow) -> None:
        """Add the label and the field of a parameter to a grid, and store its editor.

        The field is to the right of its label, or below it if it is wide. A check box is to the
        left of its label.

        Args:
            grid: Grid with two columns.
            row: Parameter and appearance of its row.
        """
        parameter = row.parameter
        self._rows.append(row)
        editor = self._custom_editors.get(parameter) or create_editor(parameter, self.check)
        self._editors[parameter] = editor
        field = editor.widget
        if not parameter.label or not row.labelled:
            _add_full_width(grid, field)
            return

        label = make_label(parameter.label, parameter.help, field)
        self._labels[parameter] = label
        if isinstance(parameter, BooleanParameter):
            line = fill_layout(QHBoxLayout(), field, label, spacing=6, stretched=label)
            _add_full_width(grid, line)
        elif row.wide or _needs_full_width(parameter):
            line = fill_layout(QHBoxLayout(), label, stretched=label)
            if row.label_companion is not None:
                line.addWidget(row.label_companion)
            _add_full_width(grid, line)
            _add_full_width(grid, field)
        else:
            next_row = grid.rowCount()
            grid.addWidget(label, next_row, 0)
            grid.addWidget(field, next_row, 1)


def _setting_rank(parameter: Parameter[Any]) -> int:
    """Return the position of the kind of a parameter in :data:`_SETTING_ORDER`."""
    return next(rank for rank, kinds in enumerate(_SETTING_ORDER) if isinstance(parameter, kinds))


def _add_full_width(grid: QGridLayout, item: QWidget | QLayout) -> None:
    """Add a widget or a layout that spans both columns below the last row of a grid."""
    next_row = grid.rowCount()
    if isinstance(item, QLayout):
        grid.addLayout(item, next_row, 0, 1, len(_COLUMN_STRETCHES))
    else:
        grid.addWidget(item, next_row, 0, 1, len(_COLUMN_STRETCHES))


def _layer_parameter_of(parameter: Parameter[Any]) -> Parameter[Any] | None:
    """Return the parameter with the layer that has the attributes or bands to select, or None."""
    if isinstance(parameter, FieldParameter):
        return parameter.layer_parameter
    if isinstance(parameter, BandsParameter):
        return parameter.raster_parameter
    return None


def _needs_full_width(parameter: Parameter[Any]) -> bool:
    """Return True if the field of a parameter needs the whole width of a narrow dock."""
    if isinstance(parameter, OptionParameter):
        return max(len(option.label) for option in parameter.options) > _MAX_OPTION_LENGTH
    return isinstance(parameter, BandsParameter)


def _make_heading(text: str) -> QLabel:
    """Return a heading for a group of rows."""
    label = QLabel(f"<b>{text}</b>")
    label.setContentsMargins(0, 6, 0, 0)
    return label
