"""Collapsible group of a form that shows its content in its title while it is collapsed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PureWindowsPath
from typing import Any

from qgis.core import QgsApplication, QgsProject
from qgis.gui import QgsCollapsibleGroupBox
from qgis.PyQt.QtCore import QSize, Qt
from qgis.PyQt.QtGui import QFont, QFontMetrics, QResizeEvent
from qgis.PyQt.QtWidgets import QSizePolicy, QToolButton

from randcrowns.algorithms.common_parameters import LENGTHS, OWN, PRESET
from randcrowns.algorithms.layer_parameters import (
    FileParameter,
    LayerListParameter,
    LayerParameter,
    RasterParameter,
)
from randcrowns.algorithms.parameter_types import (
    BooleanParameter,
    NumericParameter,
    OptionParameter,
    Parameter,
)
from randcrowns.layers.localization import escape_rich_text, tr
from randcrowns.ui.services.layer_info import layer_name
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.parts import set_accessible_name

#: Maximum number of layers of a list that are named; more are counted.
_MAX_NAMED_LAYERS = 2
#: Width of the arrow and of the margins of the title, pixels.
_TITLE_MARGIN = 44
#: Minimum width of a collapsed group, whose title is cut off, pixels.
_MIN_COLLAPSED_WIDTH = 120


class SummaryBox(QgsCollapsibleGroupBox):
    """Group box whose title continues with a summary of its content while it is collapsed.

    Args:
        title: title of the group.
    """

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self._base_title = title
        self._summary = ""
        set_accessible_name(self, title)
        self.collapsedStateChanged.connect(self._update_title)

    @property
    def summary(self) -> str:
        """Summary of the content; "" if all values are the defaults."""
        return self._summary

    @property
    def full_title(self) -> str:
        """Title with the summary of the content."""
        content = self._summary or tr("defaults")
        return tr("{group}: {content}", group=self._base_title, content=content)

    def set_summary(self, summary: str) -> None:
        """Set the summary of the content; "" if all values are the defaults."""
        self._summary = summary
        self._update_title()

    def setCollapsed(self, collapse: bool) -> None:  # noqa: N802 - Qt's name
        """Collapse or expand the group; emit ``collapsedStateChanged`` also while it is hidden."""
        has_changed = collapse != self.isCollapsed()
        super().setCollapsed(collapse)
        # QGIS reports the change of visible groups only.
        if has_changed and not self.isVisible():
            self.collapsedStateChanged.emit(collapse)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Cut the summary to the new width."""
        super().resizeEvent(event)
        self._update_title()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return a size that does not depend on the summary, which is cut to the width."""
        hint = super().minimumSizeHint()
        if self.isCollapsed():
            hint.setWidth(min(hint.width(), _MIN_COLLAPSED_WIDTH))
        return hint

    def _update_title(self, *_: object) -> None:
        """Show the title alone, or with the summary while the group is collapsed."""
        title, tooltip = self._base_title, ""
        if self.isCollapsed():
            full_title = self.full_title
            available_width = max(self.width() - _TITLE_MARGIN, 0)
            bold_font = QFont(self.font())
            bold_font.setBold(True)  # QGIS draws the titles of groups in bold
            title = QFontMetrics(bold_font).elidedText(
                full_title, Qt.TextElideMode.ElideRight, available_width
            )
            tooltip = escape_rich_text(full_title)
        # In the title of a group box, a single "&" would mark a shortcut key.
        shown_title = title.replace("&", "&&")
        if shown_title != self.title():
            self.setTitle(shown_title)
            self.setToolTip(tooltip)


class SummaryLine(QToolButton):
    """Button with the titles of collapsed groups in one line, which a low window has room for.

    A click on it shows the groups.
    """

    def __init__(self) -> None:
        super().__init__()
        self._full_text = ""
        self.setAutoRaise(True)
        self.setIcon(QgsApplication.getThemeIcon("/mIconExpandSmall.svg"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        font = QFont(self.font())
        font.setBold(True)  # as the titles of groups
        self.setFont(font)
        self.hide()

    def show_groups(self, boxes: Iterable[SummaryBox]) -> None:
        """Show the titles of groups, without those that have only defaults.

        Args:
            boxes: the groups from top to bottom.
        """
        all_boxes = list(boxes)
        summarised_boxes = [box for box in all_boxes if box.summary]
        # If all groups have only defaults, the first one says so.
        named_boxes = summarised_boxes or all_boxes[:1]
        self._full_text = " · ".join(box.full_title for box in named_boxes)
        self.setToolTip(escape_rich_text(self._full_text))
        self.setAccessibleName(self._full_text)
        self._cut_text()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Cut the text to the new width."""
        super().resizeEvent(event)
        self._cut_text()

    def _cut_text(self) -> None:
        """Show as much of the text as fits; a single "&" would mark a shortcut key."""
        available_width = max(self.width() - _TITLE_MARGIN, 0)
        right = Qt.TextElideMode.ElideRight
        content = self.fontMetrics().elidedText(self._full_text, right, available_width)
        self.setText(content.replace("&", "&&"))


def summarise_parameters(
    parameters: Iterable[Parameter[Any]], settings: Settings, with_options: bool
) -> str:
    """Return the values of parameters in a line: the layers, then all that is not a default.

    Args:
        parameters: parameters in the order of their rows.
        settings: their values.
        with_options: True to name selected options that are the default, too.

    Returns:
        The line, such as ``crowns vs boxes · Plot: plot``; "" if there is nothing to name.
    """
    # The name of a preset gives its numbers.
    has_preset = settings.get(PRESET, OWN) != OWN
    layers_text = ""
    other_texts = []
    for parameter in parameters:
        if has_preset and parameter in LENGTHS:
            continue
        value = settings[parameter]
        is_option = isinstance(parameter, OptionParameter)
        if isinstance(parameter, (LayerParameter, LayerListParameter)):
            layers_text = _compared_text(layers_text, _describe_layers(value))
        elif value != parameter.default or (with_options and is_option):
            other_texts.append(_describe_value(parameter, value))
    return " · ".join(filter(None, [layers_text, *other_texts]))


def _compared_text(text: str, other: str) -> str:
    """Return a text with the names of layers that are compared; either may be empty."""
    if text and other:
        return tr("{first} vs {other}", first=text, other=other)
    return text or other


def _describe_layers(value: Any) -> str:
    """Return the names of layers, or their number if there are many.

    Args:
        value: id of a layer, or ids of layers.
    """
    layer_ids = [value] if isinstance(value, str) else list(value)
    names = [layer_name(layer_id) for layer_id in layer_ids if layer_id]
    if len(names) > _MAX_NAMED_LAYERS:
        return tr("{count:,} layers", one="1 layer", count=len(names))
    return ", ".join(names)


def _describe_value(parameter: Parameter[Any], value: Any) -> str:
    """Return the label of a parameter with its value."""
    if isinstance(parameter, OptionParameter):
        return parameter.label_of(value)
    text = ""
    if isinstance(parameter, BooleanParameter):
        text = tr("yes") if value else tr("no")
    elif isinstance(parameter, NumericParameter):
        text = parameter.format_value(value)
    elif isinstance(parameter, RasterParameter):
        if QgsProject.instance().mapLayer(value):
            text = layer_name(value)
    elif isinstance(parameter, FileParameter):
        text = PureWindowsPath(str(value)).name  # the path may have slashes or backslashes
    elif isinstance(value, str):
        text = value
    if not text:
        return parameter.label
    return tr("{label}: {value}", label=parameter.label, value=text)
