"""Names and values with HTML, script and templates in them are shown letter by letter, in every place of rich text."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from qgis.core import (
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsFeature,
    QgsField,
    QgsGeometry,
    QgsLayerMetadataFormatter,
    QgsProject,
    QgsVectorLayer,
)
from qgis.gui import QgsFieldComboBox, QgsMessageBar
from qgis.PyQt.QtCore import QAbstractTableModel, Qt, QVariant
from qgis.PyQt.QtGui import QTextDocumentFragment
from qgis.PyQt.QtWidgets import QAbstractItemView, QLabel, QWidget
from support.boxes import TARGET_BOXES, box_layer, shifted
from support.qt import spin

from randcrowns.layers.styles.styles import map_tip
from randcrowns.layers.words import plain
from randcrowns.ui.services.messages import Messages
from randcrowns.ui.widgets.colours import annotator_colours, coloured

RESOURCES = Path(__file__).parents[2] / "resources"
#: What would run, load or be filled in, were it not escaped; the number tells where it came from.
EVIL = "b{}<script>alert(1)</script><img src=x onerror=alert(1)>&lt;i&gt; '\" {{{{7*7}}}} [% 7*7 %]"
_MARKS = ("<script", "<img", "&lt;i")


def is_safe(shown: str) -> bool:
    """Whether rich text shows the marks, if it has them, as letters."""
    return not re.search(r"<(script|img|i)\b", shown)


def evil_layer(number: int, boxes) -> QgsVectorLayer:
    """Delineations of a hostile name, of a hostile annotator, with hostile values."""
    layer = box_layer(EVIL.format(number), boxes)
    provider = layer.dataProvider()
    provider.addAttributes([QgsField("plot<img src=x>", QVariant.String), QgsField("who", QVariant.String)])
    layer.updateFields()
    places = [layer.fields().lookupField(name) for name in ("plot<img src=x>", "who")]
    provider.changeAttributeValues(
        {feature.id(): dict.fromkeys(places, EVIL.format(number)) for feature in layer.getFeatures()}
    )
    return layer


@pytest.fixture
def evil(project):
    layers = [evil_layer(number, shifted(TARGET_BOXES, 0.4 * number)) for number in range(3)]
    project.addMapLayers(layers)
    project.setCrs(layers[0].crs())
    return layers


def rich_texts(widget: QWidget):
    """Everything that Qt shows as rich text: labels, tooltips, tooltips of rows and columns."""
    for one in (widget, *widget.findChildren(QWidget)):
        texts = [one.toolTip()]
        if isinstance(one, QLabel):
            form = one.textFormat()
            rich = form == Qt.TextFormat.RichText or (form == Qt.TextFormat.AutoText and Qt.mightBeRichText(one.text()))
            texts += ["<p>" + one.text()] if rich else []
        of_qgis = isinstance(one.parent(), QWidget) and isinstance(one.parent().parent(), QgsFieldComboBox)
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


@pytest.mark.parametrize("key", ["score", "annotators", "detectors", "instances", "parameters"])
def test_pages_and_the_layers_they_make_show_names_letter_by_letter(evil, dock, run, key):
    page = dock.show_page(key)
    if key == "detectors":
        assert page.why_not()  # nothing has scores here; its form is looked at
    else:
        run(page)
        assert not page.results.isHidden()
    spin()
    for number in range(page.results.count()) if hasattr(page.results, "count") else ():
        page.results.setCurrentIndex(number)
        spin()
    for view in page.results.findChildren(QAbstractItemView):
        if view.model() is not None and view.model().rowCount():
            view.setCurrentIndex(view.model().index(0, 0))
            spin()
    texts = list(rich_texts(dock))
    assert texts
    assert [text for text in texts if not is_safe(text)] == []
    made = [layer for layer in QgsProject.instance().mapLayers().values() if layer not in evil]
    for layer in made:
        if isinstance(layer, QgsVectorLayer):
            assert [tip for tip in tips(layer)[:50] if not is_safe(tip)] == []
            assert is_safe(layer.metadata().abstract())
        assert is_safe(QgsLayerMetadataFormatter(layer.metadata()).identificationSectionHtml())
        assert is_safe(QgsLayerMetadataFormatter(layer.metadata()).historySectionHtml())


@pytest.mark.parametrize("file", sorted(RESOURCES.glob("*.qml")), ids=lambda file: file.stem)
def test_every_style_escapes_every_field_in_its_map_tip(qgis_app, file):
    """With what stands in a field of any name, also where a number is expected."""
    text = file.read_text(encoding="utf-8")
    found = re.search(r"<mapTip[^>]*>(.*?)</mapTip>", text, re.DOTALL)
    template = unescape(found.group(1)) if found else ""
    assert map_tip(template) == template
    names = sorted(set(re.findall(r'"(\w+)"', template)))
    layer = QgsVectorLayer("Polygon?" + "&".join(f"field={name}:string" for name in [*names, "x_rc"]), "x", "memory")
    layer.loadNamedStyle(str(file))
    feature = QgsFeature(layer.fields())
    feature.setAttributes([EVIL.format(number) for number in range(len(names) + 1)])
    feature.setGeometry(QgsGeometry.fromWkt("POLYGON((0 0, 1 0, 1 1, 0 0))"))
    layer.dataProvider().addFeature(feature)
    QgsExpressionContextUtils.setLayerVariable(layer, "randcrowns_prefix", EVIL.format(9))
    assert all(map(is_safe, tips(layer)))


def test_a_map_tip_shows_what_stands_in_the_field(qgis_app):
    layer = QgsVectorLayer("Polygon?field=layer:string&field=n:integer", "x", "memory")
    layer.setMapTipTemplate(map_tip('<b>[% "layer" %]</b> [% "n" + 1 %][% "layer" is null %]'))
    rows = [(EVIL.format(1), 4), (None, None)]
    for row in rows:
        feature = QgsFeature(layer.fields())
        feature.setAttributes(list(row))
        layer.dataProvider().addFeature(feature)
    shown = [QTextDocumentFragment.fromHtml(tip).toPlainText() for tip in tips(layer)]
    assert shown == [f"{EVIL.format(1)} 50", "1"]


def test_a_tooltip_is_plain_where_it_can_be(qgis_app):
    assert plain("a\nb") == "a\nb"
    for text in (EVIL.format(1), "a & b", "&lt;b&gt;", "a < b\nc"):
        assert Qt.mightBeRichText(plain(text))
        assert QTextDocumentFragment.fromHtml(plain(text)).toPlainText() == text


def test_the_message_bar_shows_names_letter_by_letter(qgis_app):
    class Window:
        def __init__(self):
            self.bar = QgsMessageBar()

        def messageBar(self):  # noqa: N802 - QGIS's name
            return self.bar

    window = Window()
    for _ in range(2):  # the same twice takes the place of the first
        Messages(window).error(f"Layer '{EVIL.format(1)}' cannot be read.")
    assert len(window.bar.items()) == 1
    assert is_safe(window.bar.currentItem().text())


def test_a_colour_of_a_crafted_project_is_none(qgis_new_project):
    QgsProject.instance().writeEntry("RandCrowns", "annotator_colours", '{"ann": "red\'><script>", "ben": 5}')
    assert is_safe("".join(coloured(*pair) for pair in annotator_colours(["ann", "ben"]).items()))
