"""Hostile names and values, and all rich texts that are displayed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from qgis.core import (
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsField,
    QgsLayerMetadataFormatter,
    QgsMapLayer,
    QgsVectorLayer,
)
from qgis.gui import QgsFieldComboBox
from qgis.PyQt.QtCore import QAbstractTableModel, Qt, QVariant
from qgis.PyQt.QtWidgets import QAbstractItemView, QLabel, QWidget
from support.layers import box_layer
from support.qt import spin

__all__ = ["EVIL", "evil_layer", "is_safe", "looked_at", "of_layer", "rich_texts", "tips"]

#: Text that would run, load or be evaluated if it were not escaped; the number tells its source.
EVIL = "b{}<script>alert(1)</script><img src=x onerror=alert(1)>&lt;i&gt; '\" {{{{7*7}}}} [% 7*7 %]"

#: Tags that the plugin does not use, and code within a tag.
_RUNS = re.compile(
    r"<(script|img|i|svg|iframe|object|style)\b|<[^>]*\b(on[a-z]+\s*=|javascript:)", re.IGNORECASE
)


def is_safe(shown: str) -> bool:
    """Return True if no markup of a hostile text is active in rich text."""
    return not _RUNS.search(shown)


def evil_layer(number: int, boxes: Any, evil: str = EVIL) -> QgsVectorLayer:
    """Return delineations with hostile names of layer and field, and hostile values."""
    layer = box_layer(evil.format(number), boxes)
    provider = layer.dataProvider()
    provider.addAttributes(
        [QgsField("plot<img src=x>", QVariant.String), QgsField("who", QVariant.String)]
    )
    layer.updateFields()
    places = [layer.fields().lookupField(name) for name in ("plot<img src=x>", "who")]
    provider.changeAttributeValues(
        {
            feature.id(): dict.fromkeys(places, evil.format(number))
            for feature in layer.getFeatures()
        }
    )
    return layer


def rich_texts(widget: QWidget) -> Iterator[str]:
    """Yield all rich texts of a widget: labels, tooltips, tooltips of rows and columns."""
    for one in (widget, *widget.findChildren(QWidget)):
        texts = [one.toolTip()]
        if isinstance(one, QLabel):
            form = one.textFormat()
            rich = form == Qt.TextFormat.RichText or (
                form == Qt.TextFormat.AutoText and Qt.mightBeRichText(one.text())
            )
            texts += ["<p>" + one.text()] if rich else []
        of_qgis = isinstance(one.parent(), QWidget) and isinstance(
            one.parent().parent(), QgsFieldComboBox
        )
        if isinstance(one, QAbstractItemView) and one.model() is not None and not of_qgis:
            model, role = one.model(), Qt.ItemDataRole.ToolTipRole
            rows = range(min(model.rowCount(), 20))
            columns = range(model.columnCount() if isinstance(model, QAbstractTableModel) else 1)
            texts += [model.data(model.index(row, c), role) for row in rows for c in columns]
            texts += [model.headerData(c, Qt.Orientation.Horizontal, role) for c in columns]
        yield from (str(text) for text in texts if text and Qt.mightBeRichText(str(text)))


def tips(layer: QgsVectorLayer) -> list[str]:
    context = QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
    found = []
    for feature in layer.getFeatures():
        context.setFeature(feature)
        found.append(QgsExpression.replaceExpressionText(layer.mapTipTemplate(), context))
    return found


def looked_at(page: Any) -> None:
    """Open every tab of a page's results, and select the first row of every table."""
    spin()
    for number in range(page.results.count()) if hasattr(page.results, "count") else ():
        page.results.setCurrentIndex(number)
        spin()
    for view in page.results.findChildren(QAbstractItemView):
        if view.model() is not None and view.model().rowCount():
            view.setCurrentIndex(view.model().index(0, 0))
            spin()


def of_layer(layer: QgsMapLayer) -> list[str]:
    """Return rich texts of a layer: map tips of its first features, and metadata."""
    shown = QgsLayerMetadataFormatter(layer.metadata())
    texts = [shown.identificationSectionHtml(), shown.historySectionHtml()]
    if isinstance(layer, QgsVectorLayer):
        texts += [*tips(layer)[:50], layer.metadata().abstract()]
    return texts
