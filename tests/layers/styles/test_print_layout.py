"""Tests of print layouts with an atlas over the worst crowns or over plots."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsExpression,
    QgsFeature,
    QgsFeatureRequest,
    QgsFillSymbol,
    QgsLayoutExporter,
    QgsLayoutPoint,
    QgsPrintLayout,
    QgsProject,
    QgsRendererCategory,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QBuffer, QIODevice
from qgis.PyQt.QtGui import QColor, QImage
from qgis.PyQt.QtXml import QDomDocument
from support.errors import raises
from support.layers import crowns_at, layer_of

from randcrowns.layers.markup import escape_expressions
from randcrowns.layers.styles.print_layout import (
    AtlasPages,
    LayoutContent,
    atlas_feature_ids,
    create_layout,
    run_layouts,
    update_layout,
)
from randcrowns.layers.styles.tree import add_run_group
from randcrowns.layers.vector.write import RESULT_PROPERTY

FIELDS = (
    "&field=target_id:integer&field=plot ID:string&field=a_rc:double&field=a_iou:double"
    "&field=a_rc_problem:string"
)


def png(colour: str) -> bytes:
    """Return a PNG image of one colour."""
    picture, held = QImage(40, 20, QImage.Format.Format_RGB32), QBuffer()
    picture.fill(QColor(colour))
    held.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(held, "PNG")
    return bytes(held.data())


def of_all(shown: LayoutContent) -> list[QgsFeature]:
    """Return all outlines."""
    return list(shown.outlines.getFeatures())


@pytest.fixture
def shown(qgis_new_project):
    """Return a layout content with 24 crowns on three plots; two have no score, one no plot."""
    places = [
        (9 * column + 200 * (column // 2), 9 * row) for column in range(6) for row in range(4)
    ]
    scores = np.round(np.random.default_rng(2).uniform(size=24), 4).tolist()
    scores[3] = scores[20] = None
    plots = [f"p'{place // 8}" if place != 5 else None for place in range(24)]
    rows = [
        [100 + place, plots[place], scores[place], 0.5, "<b>shifted</b>"] for place in range(24)
    ]
    crowns = layer_of("Scored targets", crowns_at(places), fields=FIELDS, rows=rows)
    fields = "&field=plot:string&field=targets:integer&field=randcrowns_mean:double"
    summary = QgsVectorLayer(f"None?{fields[1:]}", "Summary", "memory")
    summary.dataProvider().addFeatures([])
    QgsProject.instance().addMapLayers([crowns, summary])
    words = {
        "run": "field vs boxes",
        "answer": "Mean RandCrowns 0.5 <i>",
        "made": "Algorithm: Score crowns",
    }
    fields = ("target_id", "a_rc", "a_iou", "a_rc_problem", "gone")
    pages = AtlasPages(
        "Target {name}",
        "target_id",
        "a_rc",
        fields,
        plot_field="plot ID",
        summary_fields=("plot", "targets", "nothing"),
    )
    return LayoutContent(
        crowns, pages, "worst crowns", "run 1", "score", summary, words, png("#ff00ff")
    )


def first(shown: LayoutContent, most: int = 10, **more) -> QgsPrintLayout:
    """Return a layout with a page for each of the first outlines."""
    return create_layout(
        QgsProject.instance(),
        replace(shown, pages=replace(shown.pages, max_pages=most, **more)),
        False,
    )


def colours_at_the_edge(page: QImage) -> set[str]:
    """Return the colours on the horizontal centre line of the map, which the outline crosses."""
    left, top, wide, high = (value * page.width() / 297 for value in (10, 22, 170, 160))
    return {
        page.pixelColor(round(left + x), round(top + high / 2)).name() for x in range(round(wide))
    }


def pages_of(layout: QgsPrintLayout, folder: Path) -> list[QImage]:
    """Return the pages of the atlas as images."""
    pages, atlas = [], layout.atlas()
    atlas.beginRender()
    exporter = QgsLayoutExporter(layout)
    while atlas.next():
        settings = QgsLayoutExporter.ImageExportSettings()
        settings.dpi = 60
        path = folder / f"{len(pages)}.png"
        assert exporter.exportToImage(str(path), settings) == QgsLayoutExporter.ExportResult.Success
        pages.append(QImage(str(path)))
    atlas.endRender()
    return pages


def texts_of(layout: QgsPrintLayout) -> list[dict[str, str]]:
    """Return the texts and table of each page of the atlas."""
    found, atlas = [], layout.atlas()
    atlas.beginRender()
    while atlas.next():
        words = {
            name: layout.itemById(name).currentText()
            for name in ("title", "values", "run", "answer", "made")
        }
        table = layout.itemById("crowns").multiFrame()
        request = QgsFeatureRequest(QgsExpression(table.featureFilter()))
        request.setExpressionContext(table.createExpressionContext())
        rows = [feature["target_id"] for feature in table.sourceLayer().getFeatures(request)]
        found.append(
            {**words, "rows": rows, "columns": [column.heading() for column in table.columns()]}
        )
    atlas.endRender()
    return found


def pdf_of(layout: QgsPrintLayout, path: Path) -> int:
    """Export the atlas as PDF and return its number of pages."""
    result, problem = QgsLayoutExporter.exportToPdf(
        layout.atlas(), str(path), QgsLayoutExporter.PdfExportSettings()
    )
    assert result == QgsLayoutExporter.ExportResult.Success, problem
    assert path.read_bytes().startswith(b"%PDF")
    return path.read_bytes().replace(b"/Type /Pages", b"").count(b"/Type /Page")


def test_a_page_for_each_of_the_worst_crowns(shown, tmp_path):
    shown.outlines.setFieldAlias(shown.outlines.fields().lookupField("a_rc"), "a: R'C \"<b>")
    layout = first(shown, 5)
    worst = atlas_feature_ids(shown.outlines, replace(shown.pages, max_pages=5))
    scores = {feature.id(): feature["a_rc"] for feature in shown.outlines.getFeatures()}
    assert [scores[one] for one in worst] == sorted(value for value in scores.values() if value)[:5]
    found = texts_of(layout)
    ids = {feature.id(): feature["target_id"] for feature in shown.outlines.getFeatures()}
    assert [page["title"] for page in found] == [f"Target {ids[one]}" for one in worst]
    assert f"a: R'C \"<b>: {round(scores[worst[0]], 3):g}" in found[0]["values"]
    assert "a_iou: 0.5" in found[0]["values"]
    assert "<b>shifted</b>" in found[0]["values"]
    assert found[0]["run"] == "field vs boxes"
    assert found[0]["answer"] == "Mean RandCrowns 0.5 <i>"
    assert set(found[0]["rows"]) == {ids[one] for one in worst}
    assert found[0]["columns"] == ["target_id", "R'C \"<b>", "a_iou", "a_rc_problem"]
    layout.atlas().first()
    assert (
        layout.itemById("map").rect().width(),
        layout.itemById("map").rect().height(),
    ) == pytest.approx((127, 160))
    assert pdf_of(layout, tmp_path / "worst.pdf") == 5
    pages = pages_of(layout, tmp_path)
    assert len(pages) == 5
    for page in pages:
        colours = {
            page.pixelColor(x, y).name()
            for x in range(0, page.width(), 2)
            for y in range(0, page.height(), 2)
        }
        assert "#ff00ff" in colours  # the plot
        assert len(colours) > 10
        assert (
            min(QColor(one).lightness() for one in colours_at_the_edge(page)) < 16
        )  # the mark of the crown
    again = first(shown, 5)
    assert again.name() == f"{layout.name()} (2)"


def test_a_page_for_each_plot_that_follows_the_crowns(shown, tmp_path):
    layout = create_layout(QgsProject.instance(), shown, True)
    found = texts_of(layout)
    assert sorted(page["title"] for page in found) == ["p'0", "p'1", "p'2"]
    by_plot = {}
    for feature in shown.outlines.getFeatures():
        if feature["plot ID"]:
            by_plot.setdefault(feature["plot ID"], []).append(feature["a_rc"])
    means = {
        plot: np.mean([value for value in values if value]) for plot, values in by_plot.items()
    }
    assert [page["title"] for page in found] == sorted(means, key=means.get)
    for page in found:
        # The number is that of the crowns behind the mean.
        with_score = [value for value in by_plot[page["title"]] if value]
        assert f"Number: {len(with_score)}" in page["values"]
        assert f"Mean a_rc: {round(means[page['title']], 3):g}" in page["values"]
        assert len(page["rows"]) == len(by_plot[page["title"]])
    assert pdf_of(layout, tmp_path / "plots.pdf") == 3
    place = shown.outlines.fields().lookupField("plot ID")
    moved = {
        feature.id(): {place: "new"}
        for feature in shown.outlines.getFeatures()
        if feature["plot ID"] == "p'1"
    }
    shown.outlines.dataProvider().changeAttributeValues(moved)
    layout.atlas().updateFeatures()
    assert sorted(page["title"] for page in texts_of(layout)) == ["new", "p'0", "p'2"]


def test_a_layout_shows_its_crowns_when_a_later_run_hides_them(shown):
    project = QgsProject.instance()
    other, hidden = layer_of("other", crowns_at([(0, 0)])), layer_of("hidden", crowns_at([(0, 0)]))
    project.addMapLayers([other, hidden])
    root = project.layerTreeRoot()
    root.findLayer(hidden.id()).setItemVisibilityChecked(False)
    worst, plots = first(shown), create_layout(project, shown, True)
    for layer in (shown.outlines, other):
        root.findLayer(layer.id()).setItemVisibilityChecked(False)
    root.findLayer(hidden.id()).setItemVisibilityChecked(True)
    for layout, own in (
        (worst, {shown.outlines}),
        (plots, {shown.outlines, plots.atlas().coverageLayer()}),
    ):
        assert set(layout.itemById("map").layersToRender()) == {other, *own}
    root.findLayer(other.id()).parent().removeLayer(other)
    again = first(shown)
    assert set(again.itemById("map").layersToRender()) >= {shown.outlines, hidden}


def test_a_layout_has_no_results_of_other_runs(shown):
    """Results in the group of its own run, such as regions, may be on the map."""
    project = QgsProject.instance()
    names = ("of another run", "of this run")
    others = {name: layer_of(name, crowns_at([(0, 0)])) for name in names}
    for layer in others.values():
        layer.setCustomProperty(RESULT_PROPERTY, "REGIONS")
    add_run_group(project, "another run", [others["of another run"]])
    group = add_run_group(project, "this run", [shown.outlines, others["of this run"]])
    for node in project.layerTreeRoot().findGroups():
        node.setItemVisibilityChecked(True)
    assert group.itemVisibilityChecked()
    on_map = set(first(shown).itemById("map").layersToRender())
    assert on_map == {shown.outlines, others["of this run"]}


def test_the_legend_names_what_the_map_shows_and_follows_it(shown):
    layout = first(shown)
    legend = layout.itemById("legend")
    of_map = [
        layer for layer in layout.itemById("map").layers() if isinstance(layer, QgsVectorLayer)
    ]
    assert (
        [node.layer() for node in legend.model().rootGroup().findLayers()]
        == of_map
        == [shown.outlines]
    )
    layout.atlas().beginRender()
    layout.atlas().first()
    legend.adjustBoxSize()
    items = [layout.itemById(name) for name in ("legend", "map", "crowns", "answer")]
    covered, *others = (one.mapRectToScene(one.rect()) for one in items)
    assert not any(map(covered.intersects, others)), "the legend covers nothing"
    assert "subject of this page" in [
        one.data(0) for one in legend.model().layerLegendNodes(legend_layer(legend))
    ]
    other = shown.outlines.clone()
    other.setName("Scored targets 2")
    QgsProject.instance().addMapLayer(other)
    QgsProject.instance().layerTreeRoot().findLayer(shown.outlines).setItemVisibilityChecked(False)
    update_layout(QgsProject.instance(), layout, replace(shown, outlines=other, run_id="run 2"))
    assert [node.layer() for node in legend.model().rootGroup().findLayers()] == [other]


@pytest.mark.parametrize("plots", [False, True])
@pytest.mark.parametrize("classes", [False, True])
def test_names_of_layers_and_classes_are_no_expressions(
    shown, plots, classes, tmp_path, monkeypatch
):
    name, called = "[% env('RC_SECRET') %] [[%x", "without [% env('RC_SECRET') %]"
    shown.outlines.setName(name)
    if classes:
        category = QgsRendererCategory(0.5, QgsFillSymbol.createSimple({}), called)
        shown.outlines.setRenderer(QgsCategorizedSymbolRenderer("a_iou", [category]))
    monkeypatch.setenv("RC_SECRET", "first")
    layout = create_layout(QgsProject.instance(), shown, plots)
    pages = pages_of(layout, tmp_path)
    model = layout.itemById("legend").model()
    texts = [model.data(model.node2index(node), 0) for node in model.rootGroup().findLayers()]
    nodes = [
        node for layer in model.rootGroup().findLayers() for node in model.layerLegendNodes(layer)
    ]
    assert texts == [
        escape_expressions(name),
        *([escape_expressions(f"Plots of {name}")] if plots else []),
    ]
    assert (escape_expressions(called) in [node.data(0) for node in nodes]) == classes
    assert "[%" not in escape_expressions(name + called)
    monkeypatch.setenv("RC_SECRET", "another that is longer")
    assert pages_of(layout, tmp_path) == pages
    QgsProject.instance().layoutManager().clear()  # nothing of it is kept


def legend_layer(legend):
    """Return the node of the first layer of a legend."""
    return legend.model().rootGroup().findLayers()[0]


def test_a_layout_is_kept_in_the_project(shown, tmp_path):
    path = tmp_path / "p.qgz"
    first(shown, 4)
    assert QgsProject.instance().write(str(path))
    project = QgsProject()
    assert project.read(str(path))
    (kept,) = project.layoutManager().layouts()
    assert kept.atlas().coverageLayer().name() == "Scored targets"
    assert kept.atlas().filterFeatures()


def test_without_scores_or_plots_there_is_a_sentence(shown):
    crowns = layer_of(
        "bare", crowns_at([(0, 0)]), fields=FIELDS, rows=[[1, None, None, None, None]]
    )
    QgsProject.instance().addMapLayer(crowns)
    bare = replace(shown, outlines=crowns, pages=replace(shown.pages, fields=()))
    with raises("print_layout.no_numbers", layer="bare", field="a_rc"):
        first(bare)
    for plot in ("plot ID", ""):
        with raises("print_layout.no_plots", layer="bare"):
            create_layout(
                QgsProject.instance(),
                replace(bare, pages=replace(bare.pages, plot_field=plot)),
                True,
            )
    assert QgsProject.instance().layoutManager().layouts() == []


def test_the_largest_come_first_where_they_are_the_worst(shown):
    largest = [page["title"] for page in texts_of(first(shown, 3, is_descending=True))]
    scores = {feature["target_id"]: feature["a_rc"] for feature in shown.outlines.getFeatures()}
    known = sorted((one for one in scores if scores[one]), key=scores.get, reverse=True)
    assert largest == [f"Target {one}" for one in known[:3]]


@pytest.mark.parametrize("plots", [False, True])
def test_a_layout_shows_another_run_and_keeps_how_it_looks(shown, plots, tmp_path):
    project = QgsProject.instance()
    layout = create_layout(project, shown, plots)
    layers = set(project.mapLayers())
    layout.itemById("title").attemptMove(QgsLayoutPoint(33, 9))
    table = layout.itemById("crowns").multiFrame()
    table.setColumns(table.columns()[:2])
    style = shown.outlines.renderer().type()
    rows = [
        [one["target_id"], f"q{number % 2}", number / 100, 0.25, None]
        for number, one in enumerate(of_all(shown))
    ]
    shapes = [feature.geometry().asWkt() for feature in of_all(shown)]
    other = layer_of("Later targets", shapes, fields=FIELDS, rows=rows)
    project.addMapLayer(other)
    picture = png("#00aa00")
    words = {"run": "later run", "answer": "Mean RandCrowns 0.1", "made": "later"}
    later = replace(shown, outlines=other, run_id="run 2", texts=words, plot_image=picture)
    update_layout(project, layout, later)
    assert run_layouts(project) == [(layout, "run 2", "score")]
    assert layout.name() == f"later run: {'plots' if plots else 'worst crowns'}"
    assert layout.itemById("title").positionWithUnits().x() == 33
    assert [column.heading() for column in table.columns()] == ["target_id", "a_rc"]
    assert table.sourceLayer() == other
    found = texts_of(layout)
    assert [page["title"] for page in found][:2] == (
        ["q0", "q1"] if plots else ["Target 100", "Target 101"]
    )
    assert found[0]["answer"] == "Mean RandCrowns 0.1"
    assert found[0]["run"] == "later run"
    assert other in layout.itemById("map").layersToRender()
    assert shown.outlines.renderer().type() == style
    if plots:  # the layer of plots of the earlier run has gone
        assert len(project.mapLayers()) == len(layers) + 1
    (page, *_) = pages_of(layout, tmp_path)
    colours = {
        page.pixelColor(x, y).name()
        for x in range(0, page.width(), 2)
        for y in range(0, page.height(), 2)
    }
    assert "#00aa00" in colours
    assert "#ff00ff" not in colours
    layout.setName("mine")
    update_layout(project, layout, shown)
    assert layout.name() == "mine"


def test_a_layout_that_cannot_show_a_run_stays_as_it_is(shown):
    project = QgsProject.instance()
    layout = first(shown, 4)
    bare = layer_of("bare", crowns_at([(0, 0)]), fields=FIELDS, rows=[[1, None, None, None, None]])
    project.addMapLayer(bare)
    with raises("print_layout.no_numbers"):
        update_layout(project, layout, replace(shown, outlines=bare, run_id="run 2"))
    assert layout.atlas().coverageLayer() == shown.outlines
    assert run_layouts(project) == [(layout, "run 1", "score")]


def test_the_template_is_used_by_hand(shown, tmp_path):
    from qgis.core import QgsReadWriteContext

    from randcrowns.layers.styles.print_layout import TEMPLATE

    document = QDomDocument()
    assert document.setContent(TEMPLATE.read_text())[0]
    layout = QgsPrintLayout(QgsProject.instance())
    _, loaded = layout.loadFromTemplate(document, QgsReadWriteContext())
    assert loaded
    layout.atlas().setCoverageLayer(shown.outlines)
    assert pdf_of(layout, tmp_path / "hand.pdf") == 24


def test_a_layout_whose_legend_somebody_removed_shows_another_run(shown):
    project = QgsProject.instance()
    layout = create_layout(project, shown, is_by_plot=False)
    layout.removeLayoutItem(layout.itemById("legend"))
    update_layout(project, layout, shown)
    assert layout.itemById("legend") is None
