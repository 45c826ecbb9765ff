"""The colours of scored targets on the map, selected on page Score with one click."""

from __future__ import annotations

import pytest
from qgis.core import QgsProject, QgsRenderContext, QgsSymbolLayer
from qgis.PyQt.QtCore import QSize
from support.layers import TARGET_BOXES, box_layer
from support.panel import opened_dock, run_page

from randcrowns.algorithms.scoring.schema.outputs import PROBLEM_STYLE, SCORE_STYLE
from randcrowns.ui.services.layer_info import vector_layer

#: Boxes that fit, one that is shifted by more than half its width, and none for the last target.
DRAWN = [*TARGET_BOXES[:-2], tuple(value + 2.5 for value in TARGET_BOXES[-2])]


@pytest.fixture
def page(project, qgis_iface):
    fields = "&field=species:string&field=height:double"
    rows = [["oak" if i % 2 else "elm", 10.0 + i] for i in range(len(TARGET_BOXES))]
    layers = [
        box_layer("crowns", TARGET_BOXES, fields=fields, rows=rows),
        box_layer("drawn", DRAWN),
    ]
    project.addMapLayers(layers)
    project.setCrs(layers[0].crs())
    with opened_dock(qgis_iface) as dock:
        page = dock.show_page("score")
        page.form.set_roles(layers[0].id(), layers[1].id())
        run_page(page)
        yield page


def scored_layer(page):
    return vector_layer(page.results.results.layer_ids["SCORED_TARGETS"])


def low_targets(page):
    """Numbers of the targets whose symbol draws the line around low scores, by the renderer."""
    layer = scored_layer(page)
    renderer = layer.renderer().clone()
    context = QgsRenderContext()
    context.setExpressionContext(layer.createExpressionContext())
    renderer.startRender(context, layer.fields())
    stroke_style = QgsSymbolLayer.Property.PropertyStrokeStyle
    found = set()
    for feature in layer.getFeatures():
        context.expressionContext().setFeature(feature)
        symbol = renderer.symbolForFeature(feature, context)
        line = symbol.symbolLayer(symbol.symbolLayerCount() - 1)
        style = line.dataDefinedProperties().property(stroke_style)
        if style.valueAsString(context.expressionContext(), "")[0] == "dash":
            found.add(feature["target_id"])
    renderer.stopRender(context)
    return found


def labels(box):
    return [box.itemText(index) for index in range(box.count())]


def select(page, label):
    page.results.colour_box.setCurrentIndex(labels(page.results.colour_box).index(label))


def test_scores_problems_and_fields_of_the_targets_are_offered(page):
    offered = labels(page.results.colour_box)
    assert offered[:4] == ["RandCrowns", "IoU", "IoUCrowns", "Problem"]
    assert {"species", "height"} <= set(offered)
    assert scored_layer(page).styleManager().currentStyle() == SCORE_STYLE


@pytest.mark.parametrize(
    ("label", "style", "attribute"),
    [
        ("RandCrowns", SCORE_STYLE, '"drawn_rc"'),
        ("IoU", "Colours by field", '"drawn_iou"'),
        ("Problem", PROBLEM_STYLE, "_rc_problem"),
        ("species", "Colours by field", '"species"'),
        ("height", "Colours by field", '"height"'),
    ],
)
def test_one_click_colours_the_map_and_low_scores_stay_outlined(page, label, style, attribute):
    select(page, label)
    layer = scored_layer(page)
    assert layer.styleManager().currentStyle() == style
    assert attribute in layer.renderer().classAttribute()
    crowns = page.results.displayed_scores().crowns
    is_low = (crowns["randcrowns"] < 0.5) | (crowns["iou"] < 0.5)
    assert 0 < is_low.sum() < len(crowns)
    assert low_targets(page) == set(crowns.loc[is_low, "target_id"])


def test_classes_of_a_score_are_those_of_randcrowns(page):
    select(page, "IoU")
    limits = [
        (part.lowerValue(), part.upperValue()) for part in scored_layer(page).renderer().ranges()
    ]
    assert limits == [(0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 0.9), (0.9, 1)]


def test_a_text_has_a_colour_per_value(page):
    select(page, "species")
    categories = scored_layer(page).renderer().categories()
    assert [category.label() for category in categories] == ["elm", "oak", "other"]
    assert len({category.symbol().color().name() for category in categories}) == 3


def test_the_colours_follow_the_displayed_layer_and_stay_after_another_run(page):
    QgsProject.instance().addMapLayer(box_layer("second", TARGET_BOXES))
    second = QgsProject.instance().mapLayersByName("second")[0]
    select(page, "IoU")
    page.form.delineation_list.check_layers((*page.form.other_layer_ids(), second.id()))
    run_page(page)
    assert page.results.colour_box.currentText() == "IoU"
    page.results.layer_box.set_value(second.id())
    assert scored_layer(page).renderer().classAttribute() == '"second_iou"'


def test_a_legend_shows_no_line_around_low_scores(page):
    categories = scored_layer(page).renderer().categories()
    image = categories[0].symbol().asImage(QSize(24, 24))
    colours = [image.pixelColor(x, y) for x in range(24) for y in range(24)]
    assert not any(colour.red() - colour.green() > 60 for colour in colours)
