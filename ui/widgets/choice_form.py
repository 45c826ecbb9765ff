"""A form built from declared choices: parts that fold, a row per choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Union

from qgis.core import QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.gui import QgsCollapsibleGroupBox, QgsFieldComboBox
from qgis.PyQt.QtCore import QSignalBlocker, pyqtSignal
from qgis.PyQt.QtGui import QShowEvent
from qgis.PyQt.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from randcrowns.algorithms.choice import Choice, Field, Flag, OneOf
from randcrowns.algorithms.layer_choice import Area, Bands, Layer, Layers, Raster
from randcrowns.ui.services.layer_facts import LayerCheck
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.editors import FILE, Editor, KeptIn, editor_of, explain, label_of
from randcrowns.ui.widgets.fields import BandsField
from randcrowns.ui.widgets.parts import fill, read_out_as, set_folded

#: Of the width, for labels and fields.
_SHARES = (4, 5)
#: Letters of an option that fit beside a label at 300 pixels.
_LONGEST_OPTION = 20


@dataclass(frozen=True)
class Row:
    """A choice in a form."""

    choice: Choice[Any]  #: what is edited.
    shown: Callable[[Settings], bool] | None = (
        None  #: tells from the form's settings whether it is shown.
    )
    enabled: Callable[[Settings], bool] | None = None  #: tells from them whether it can be edited.
    wide: bool = False  #: below its label, over the whole width.
    labelled: bool = True  #: its label stands before it.
    beside: QWidget | None = None  #: stands beside its label, where that is above it.


#: A row of a part: a choice, a choice with conditions, a heading, or any widget over the whole width.
Line = Union[Choice[Any], Row, str, QWidget]


@dataclass(frozen=True)
class Part:
    """A part of a form that folds: a title, and rows from top to bottom."""

    title: str
    lines: Sequence[Line]
    folded: bool = False


class ChoiceForm(QWidget):
    """Edits the choices of its parts. Emits :attr:`changed` when a value changes, :attr:`folded` when a part folds.

    Args:
        parts: from top to bottom. A part without a title does not fold.
        editors: fields of one's own for some choices, which need no row where a widget among the lines holds them; the
            others have those of :func:`editor_of`.
        check: tells the oddities of layers for their badges.
    """

    changed = pyqtSignal()
    folded = pyqtSignal()

    def __init__(
        self,
        parts: Sequence[Part],
        editors: Mapping[Choice[Any], Editor] | None = None,
        check: LayerCheck | None = None,
    ) -> None:
        super().__init__()
        self.check = check or LayerCheck()
        self.boxes: list[QgsCollapsibleGroupBox] = []
        self._folded: list[bool] = []
        self._rows: list[Row] = []
        self._own = dict(editors or {})
        self._editors: dict[Choice[Any], Editor] = {}
        self._labels: dict[Choice[Any], QLabel] = {}
        #: What each choice was preset to.
        self._preset: dict[Choice[Any], Any] = {}
        #: Whether a change is being passed on, and whether one came since: what follows from it is told with it.
        self._passing = self._came = False
        fill(QVBoxLayout(self), *map(self._box, parts), 1, margins=(6, 4, 6, 4))
        self._editors.update(self._own)
        for choice, editor in self._editors.items():
            explain(editor.widget, choice)
            editor.changed.connect(self._tell)
        self.check.found.connect(self._refresh)
        self._pass_on()

    @property
    def choices(self) -> tuple[Choice[Any], ...]:
        """Its choices, from top to bottom."""
        return tuple(self._editors)

    def field(self, choice: Choice[Any]) -> Any:
        """The widget that edits a choice."""
        return self._editors[choice].widget

    @property
    def kept_in(self) -> KeptIn:
        """The widget that edits :data:`FILE`, which every page asks for."""
        field: KeptIn = self.field(FILE)
        return field

    def what_run_does(self) -> str:
        """For the button that runs."""
        raise NotImplementedError

    def why_not(self) -> str:
        """Why the button cannot be pressed; empty when it can."""
        raise NotImplementedError

    def label(self, choice: Choice[Any]) -> QLabel | None:
        """The words before the widget that edits a choice; None where the form has them elsewhere."""
        return self._labels.get(choice)

    def settings(self) -> Settings:
        """What is chosen now."""
        return Settings({choice: editor.value() for choice, editor in self._editors.items()})

    def choose(self, choice: Choice[Any], value: Any) -> None:
        """Show another value of one choice."""
        self._editors[choice].show(value)

    def preset(self, choice: Choice[Any], value: Any) -> None:
        """Show what fits the layers, unless somebody chose another value than the last that did."""
        now = self._editors[choice].value()
        if now in (value, self._preset.get(choice, choice.default)):
            self._preset[choice] = value
            if now != value:
                self._editors[choice].show(value)

    def show_settings(self, settings: Settings, anew: bool = False) -> None:
        """Show these; ``anew``, what fits the layers comes first.

        Single layers come before lists, which do not offer them; fields and bands after the layers they are of.
        """
        left = dict(self._editors)
        with self._untold():
            for kinds in ((Layer,), (Layers, Raster, Area), (Choice,)):
                for choice in [choice for choice in left if isinstance(choice, kinds)]:
                    left.pop(choice).show(settings[choice])
                self._pass_on()
        if anew:
            self._preset.clear()
        self._tell()

    def follow_project(self) -> None:
        """Take up layers that came, went or changed."""
        with self._untold():
            self._refresh()
        self._tell()

    def fold(self) -> None:
        """Fold every part away: what comes of a run needs the room."""
        for box in self.boxes:
            set_folded(box, True)

    def unfold(self) -> None:
        """Fold every part as it begins: there are no results yet that need the room."""
        for box, folded in zip(self.boxes, self._folded):
            set_folded(box, folded)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Parts that were folded or unfolded while the page was hidden look so: QGIS's boxes do it on show alone."""
        super().showEvent(event)
        for box in self.boxes:
            if box.isCollapsed() != box.layout().itemAt(0).widget().isHidden():
                set_folded(box, box.isCollapsed())

    def offer_fields(self, choice: Choice[Any], layer: QgsVectorLayer | None) -> None:
        """Offer the fields of a layer; the one chosen stays if the layer has it too."""
        box = self.field(choice)
        if box.layer() is layer:
            return
        before = box.currentField()
        with QSignalBlocker(box):
            box.setLayer(layer)
            box.setField(before)
        if box.currentField() != before:
            self._preset[choice] = box.currentField()  # gone with its layer, not chosen
            box.fieldChanged.emit(box.currentField())

    def pass_on(self, settings: Settings) -> None:
        """What one field says about another; for forms that know more than their declarations."""

    @contextmanager
    def _untold(self) -> Iterator[None]:
        before, self._passing = self._passing, True
        try:
            yield
        finally:
            self._passing = before

    def _tell(self, *_: object) -> None:
        self._came = True
        if self._passing:
            return
        with self._untold():
            while self._came:
                self._came = False
                self._pass_on()
        self.changed.emit()

    def _refresh(self) -> None:
        for editor in self._editors.values():
            editor.refresh()

    def _pass_on(self) -> None:
        for choice, editor in self._editors.items():
            of = getattr(choice, "of", None)
            if of in self._editors:
                layer = QgsProject.instance().mapLayer(self._editors[of].value())
                if isinstance(choice, Bands) and isinstance(editor.widget, BandsField):
                    editor.widget.offer(layer if isinstance(layer, QgsRasterLayer) else None)
                elif isinstance(editor.widget, QgsFieldComboBox):
                    self.offer_fields(choice, layer if isinstance(layer, QgsVectorLayer) else None)
                    if isinstance(choice, Field) and choice.guessed(layer):
                        self.preset(choice, choice.guessed(layer))
        self.pass_on(self.settings())
        settings = self.settings()
        for row in self._rows:
            if row.shown is not None:
                self.show_row(row.choice, row.shown(settings))
            if row.enabled is not None:
                self.field(row.choice).setEnabled(row.enabled(settings))

    def show_row(self, choice: Choice[Any], shown: bool) -> None:
        """Show or hide the row of a choice."""
        self.field(choice).setVisible(shown)
        if choice in self._labels:
            self._labels[choice].setVisible(shown)

    def _box(self, part: Part) -> QWidget:
        inside = QWidget()
        # Not a QFormLayout, whose hidden rows leave gaps and whose labels are cut instead of wrapped.
        rows = QGridLayout(inside)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setVerticalSpacing(3)
        for column, share in enumerate(_SHARES):
            rows.setColumnStretch(column, share)
        for line in part.lines:
            if isinstance(line, (str, QWidget)):
                _across(rows, _heading(line) if isinstance(line, str) else line)
            else:
                self._add_row(rows, line if isinstance(line, Row) else Row(line))
        if not part.title:
            return inside
        # The box shows and hides every direct child when it folds, whatever that was meant to be.
        box = QgsCollapsibleGroupBox(part.title)
        read_out_as(box, part.title)
        box.setSaveCollapsedState(False)
        fill(QVBoxLayout(box), inside, margins=(6, 4, 6, 6))
        box.setCollapsed(part.folded)
        box.collapsedStateChanged.connect(self.folded)
        self.boxes.append(box)
        self._folded.append(part.folded)
        return box

    def _add_row(self, rows: QGridLayout, row: Row) -> None:
        self._rows.append(row)
        editor = self._editors[row.choice] = self._own.get(row.choice) or editor_of(
            row.choice, self.check
        )
        field = editor.widget
        if not row.choice.label or not row.labelled:
            _across(rows, field)
            return
        label = self._labels[row.choice] = label_of(row.choice.label, row.choice.help, field)
        if isinstance(row.choice, Flag):
            rows.addLayout(
                fill(QHBoxLayout(), field, label, spacing=6, wide=label), rows.rowCount(), 0, 1, 2
            )
        elif row.wide or _is_long(row.choice):
            beside = [] if row.beside is None else [row.beside]
            rows.addLayout(
                fill(QHBoxLayout(), label, *beside, wide=label), rows.rowCount(), 0, 1, 2
            )
            _across(rows, field)
        else:
            number = rows.rowCount()
            rows.addWidget(label, number, 0)
            rows.addWidget(field, number, 1)


def _across(rows: QGridLayout, widget: QWidget) -> None:
    rows.addWidget(widget, rows.rowCount(), 0, 1, 2)


def _is_long(choice: Choice[Any]) -> bool:
    """Whether an option needs the whole width of a narrow dock."""
    longest = (
        max(len(option.label) for option in choice.options) if isinstance(choice, OneOf) else 0
    )
    return isinstance(choice, Bands) or longest > _LONGEST_OPTION


def _heading(words: str) -> QLabel:
    """Stands above the rows of a part that belong together."""
    label = QLabel(f"<b>{words}</b>")
    label.setContentsMargins(0, 6, 0, 0)
    return label
