"""Names and values with HTML, script and templates in them are shown letter by letter, in every
place of rich text.
"""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from qgis.core import QgsExpressionContextUtils, QgsFeature, QgsGeometry, QgsProject, QgsVectorLayer
from qgis.gui import QgsMessageBar
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QTextDocumentFragment
from support.layers import TARGET_BOXES, shifted
from support.pages import running_pages
from support.qt import spin
from support.rich_texts import EVIL, evil_layer, is_safe, looked_at, of_layer, rich_texts, tips
from support.searching import show_small_grid

from randcrowns.layers.localization import escape_rich_text
from randcrowns.layers.styles.styles import escape_map_tip, escape_values
from randcrowns.ui.services.message_bar import MessageBar
from randcrowns.ui.widgets.colours import annotator_colours, coloured_name

RESOURCES = Path(__file__).parents[2] / "resources"


@pytest.fixture
def evil(project):
    layers = [evil_layer(number, shifted(TARGET_BOXES, 0.4 * number)) for number in range(3)]
    project.addMapLayers(layers)
    project.setCrs(layers[0].crs())
    return layers


@pytest.mark.parametrize("key", running_pages())
def test_pages_and_the_layers_they_make_show_names_letter_by_letter(evil, dock, run, key):
    page = dock.show_page(key)
    if key == "parameters":
        show_small_grid(page)
    if key == "detectors":
        assert page.run_problem()  # nothing has scores here; its form is looked at
    else:
        run(page)
        assert not page.results.isHidden()
    looked_at(page)
    texts = list(rich_texts(dock))
    assert texts
    assert [text for text in texts if not is_safe(text)] == []
    made = [layer for layer in QgsProject.instance().mapLayers().values() if layer not in evil]
    assert [text for layer in made for text in of_layer(layer) if not is_safe(text)] == []
    QgsProject.instance().removeMapLayer(
        evil[1].id()
    )  # results are out of date now, and say of which layer
    spin()
    assert [text for text in rich_texts(dock) if not is_safe(text)] == []


@pytest.mark.parametrize("file", sorted(RESOURCES.glob("*.qml")), ids=lambda file: file.stem)
def test_every_style_escapes_every_field_in_its_map_tip(qgis_app, file):
    """With what stands in a field of any name, also where a number is expected."""
    text = file.read_text(encoding="utf-8")
    found = re.search(r"<mapTip[^>]*>(.*?)</mapTip>", text, re.DOTALL)
    template = unescape(found.group(1)) if found else ""
    assert escape_values(template) == template
    names = sorted(set(re.findall(r'"(\w+)"', template)))
    layer = QgsVectorLayer(
        "Polygon?" + "&".join(f"field={name}:string" for name in [*names, "x_rc"]), "x", "memory"
    )
    layer.loadNamedStyle(str(file))
    feature = QgsFeature(layer.fields())
    feature.setAttributes([EVIL.format(number) for number in range(len(names) + 1)])
    feature.setGeometry(QgsGeometry.fromWkt("POLYGON((0 0, 1 0, 1 1, 0 0))"))
    layer.dataProvider().addFeature(feature)
    QgsExpressionContextUtils.setLayerVariable(layer, "randcrowns_prefix", EVIL.format(9))
    assert all(map(is_safe, tips(layer)))


def test_a_map_tip_shows_what_stands_in_the_field(qgis_app):
    layer = QgsVectorLayer("Polygon?field=layer:string&field=n:integer", "x", "memory")
    layer.setMapTipTemplate(
        escape_map_tip('<b>[% "layer" %]</b> [% "n" + 1 %][% "layer" is null %]')
    )
    rows = [(EVIL.format(1), 4), (None, None)]
    for row in rows:
        feature = QgsFeature(layer.fields())
        feature.setAttributes(list(row))
        layer.dataProvider().addFeature(feature)
    shown = [QTextDocumentFragment.fromHtml(tip).toPlainText() for tip in tips(layer)]
    assert shown == [f"{EVIL.format(1)} 50", "1"]


def test_a_tooltip_is_plain_where_it_can_be(qgis_app):
    assert escape_rich_text("a\nb") == "a\nb"
    for text in (EVIL.format(1), "a & b", "&lt;b&gt;", "a < b\nc"):
        assert Qt.mightBeRichText(escape_rich_text(text))
        assert QTextDocumentFragment.fromHtml(escape_rich_text(text)).toPlainText() == text


def test_the_message_bar_shows_names_letter_by_letter(qgis_app):
    class Window:
        def __init__(self):
            self.bar = QgsMessageBar()

        def messageBar(self):  # noqa: N802 - QGIS's name
            return self.bar

    window = Window()
    for _ in range(2):  # the same twice takes the place of the first
        MessageBar(window).error(f"Layer '{EVIL.format(1)}' cannot be read.")
    assert len(window.bar.items()) == 1
    assert is_safe(window.bar.currentItem().text())


def test_a_colour_of_a_crafted_project_is_none(qgis_new_project):
    QgsProject.instance().writeEntry(
        "RandCrowns", "annotator_colours", '{"ann": "red\'><script>", "ben": 5}'
    )
    assert is_safe(
        "".join(coloured_name(*pair) for pair in annotator_colours(["ann", "ben"]).items())
    )
