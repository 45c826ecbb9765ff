"""Print layouts with an atlas over the worst crowns or the plots, exported as pages of a PDF."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from qgis.core import QgsExpression, QgsFeatureRequest, QgsLayoutExporter, QgsPrintLayout, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QBuffer, QIODevice
from qgis.PyQt.QtGui import QColor, QImage
from qgis.PyQt.QtXml import QDomDocument
from support.layers import crowns_at, layer_of

from randcrowns.core.errors import InputError
from randcrowns.layers.styles.print_layout import LaidOut, fields_of, layout_of_plots, layout_of_worst, worst_crowns

FIELDS = "&field=target_id:integer&field=plot ID:string&field=a_rc:double&field=a_iou:double&field=a_rc_problem:string"


@pytest.fixture
def shown(qgis_new_project):
    """24 scored crowns on three plots, of which two have no score and one no plot."""
    places = [(9 * column + 200 * (column // 2), 9 * row) for column in range(6) for row in range(4)]
    scores = np.round(np.random.default_rng(2).uniform(size=24), 4).tolist()
    scores[3] = scores[20] = None
    plots = [f"p'{place // 8}" if place != 5 else None for place in range(24)]
    rows = [[100 + place, plots[place], scores[place], 0.5, "<b>shifted</b>"] for place in range(24)]
    crowns = layer_of("Scored targets", crowns_at(places), fields=FIELDS, rows=rows)
    fields = "&field=group:string&field=targets:integer&field=randcrowns_mean:double"
    summary = QgsVectorLayer(f"None?{fields[1:]}", "Summary", "memory")
    summary.dataProvider().addFeatures([])
    QgsProject.instance().addMapLayers([crowns, summary])
    words = {"run": "field vs boxes", "answer": "Mean RandCrowns 0.5 <i>", "made": "Algorithm: Score crowns"}
    picture = QImage(40, 20, QImage.Format.Format_RGB32)
    picture.fill(QColor("#ff00ff"))
    held = QBuffer()
    held.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(held, "PNG")
    named = fields_of(crowns, ["target_id", "a_rc", "a_iou", "a_rc_problem", "gone"])
    return LaidOut(
        crowns,
        "target_id",
        "a_rc",
        named,
        "plot ID",
        summary,
        ("group", "targets", "nothing"),
        words,
        bytes(held.data()),
    )


def pages_of(layout: QgsPrintLayout, folder: Path) -> list[QImage]:
    """The pages of the atlas as pictures."""
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
    """Name and words of every page."""
    found, atlas = [], layout.atlas()
    atlas.beginRender()
    while atlas.next():
        words = {name: layout.itemById(name).currentText() for name in ("title", "values", "run", "answer", "made")}
        table = layout.itemById("crowns").multiFrame()
        request = QgsFeatureRequest(QgsExpression(table.featureFilter()))
        request.setExpressionContext(table.createExpressionContext())
        rows = [feature["target_id"] for feature in table.sourceLayer().getFeatures(request)]
        found.append({**words, "rows": rows, "columns": [column.heading() for column in table.columns()]})
    atlas.endRender()
    return found


def pdf_of(layout: QgsPrintLayout, path: Path) -> int:
    """Pages of the PDF that the atlas is exported to."""
    result, problem = QgsLayoutExporter.exportToPdf(layout.atlas(), str(path), QgsLayoutExporter.PdfExportSettings())
    assert result == QgsLayoutExporter.ExportResult.Success, problem
    assert path.read_bytes().startswith(b"%PDF")
    return path.read_bytes().replace(b"/Type /Pages", b"").count(b"/Type /Page")


def test_a_page_for_each_of_the_worst_crowns(shown, tmp_path):
    shown.crowns.setFieldAlias(shown.crowns.fields().lookupField("a_rc"), "a: R'C \"<b>")
    layout = layout_of_worst(QgsProject.instance(), shown, 5)
    worst = worst_crowns(shown.crowns, "a_rc", 5)
    scores = {feature.id(): feature["a_rc"] for feature in shown.crowns.getFeatures()}
    assert [scores[one] for one in worst] == sorted(value for value in scores.values() if value)[:5]
    found = texts_of(layout)
    ids = {feature.id(): feature["target_id"] for feature in shown.crowns.getFeatures()}
    assert [page["title"] for page in found] == [f"Target {ids[one]}" for one in worst]
    assert f"a: R'C \"<b>: {round(scores[worst[0]], 3):g}" in found[0]["values"]
    assert "a_iou: 0.5" in found[0]["values"]
    assert "<b>shifted</b>" in found[0]["values"]
    assert found[0]["run"] == "field vs boxes"
    assert found[0]["answer"] == "Mean RandCrowns 0.5 <i>"
    assert set(found[0]["rows"]) == {ids[one] for one in worst}
    assert found[0]["columns"] == ["target_id", "a_rc", "a_iou", "a_rc_problem"]
    assert pdf_of(layout, tmp_path / "worst.pdf") == 5
    pages = pages_of(layout, tmp_path)
    assert len(pages) == 5
    for page in pages:
        colours = {page.pixelColor(x, y).name() for x in range(0, page.width(), 2) for y in range(0, page.height(), 2)}
        assert "#ff00ff" in colours  # the plot
        assert len(colours) > 10
    again = layout_of_worst(QgsProject.instance(), shown, 5)
    assert again.name() == f"{layout.name()} (2)"


def test_a_page_for_each_plot_that_follows_the_crowns(shown, tmp_path):
    layout = layout_of_plots(QgsProject.instance(), shown)
    found = texts_of(layout)
    assert sorted(page["title"] for page in found) == ["p'0", "p'1", "p'2"]
    by_plot = {}
    for feature in shown.crowns.getFeatures():
        if feature["plot ID"]:
            by_plot.setdefault(feature["plot ID"], []).append(feature["a_rc"])
    means = {plot: np.mean([value for value in values if value]) for plot, values in by_plot.items()}
    assert [page["title"] for page in found] == sorted(means, key=means.get)
    for page in found:
        assert f"crowns: {len(by_plot[page['title']])}" in page["values"]
        assert f"mean: {round(means[page['title']], 3):g}" in page["values"]
        assert len(page["rows"]) == len(by_plot[page["title"]])
    assert pdf_of(layout, tmp_path / "plots.pdf") == 3
    place = shown.crowns.fields().lookupField("plot ID")
    moved = {feature.id(): {place: "new"} for feature in shown.crowns.getFeatures() if feature["plot ID"] == "p'1"}
    shown.crowns.dataProvider().changeAttributeValues(moved)
    layout.atlas().updateFeatures()
    assert sorted(page["title"] for page in texts_of(layout)) == ["new", "p'0", "p'2"]


def test_a_layout_shows_its_crowns_when_a_later_run_hides_them(shown):
    project = QgsProject.instance()
    other, hidden = layer_of("other", crowns_at([(0, 0)])), layer_of("hidden", crowns_at([(0, 0)]))
    project.addMapLayers([other, hidden])
    root = project.layerTreeRoot()
    root.findLayer(hidden.id()).setItemVisibilityChecked(False)
    worst, plots = layout_of_worst(project, shown), layout_of_plots(project, shown)
    for layer in (shown.crowns, other):
        root.findLayer(layer.id()).setItemVisibilityChecked(False)
    root.findLayer(hidden.id()).setItemVisibilityChecked(True)
    for layout, own in ((worst, {shown.crowns}), (plots, {shown.crowns, plots.atlas().coverageLayer()})):
        assert set(layout.itemById("map").layersToRender()) == {other, *own}
    root.findLayer(other.id()).parent().removeLayer(other)
    again = layout_of_worst(project, shown)
    assert set(again.itemById("map").layersToRender()) >= {shown.crowns, hidden}


def test_a_layout_is_kept_in_the_project(shown, tmp_path):
    path = tmp_path / "p.qgz"
    layout_of_worst(QgsProject.instance(), shown, 4)
    assert QgsProject.instance().write(str(path))
    project = QgsProject()
    assert project.read(str(path))
    (kept,) = project.layoutManager().layouts()
    assert kept.atlas().coverageLayer().name() == "Scored targets"
    assert kept.atlas().filterFeatures()


def test_without_scores_or_plots_there_is_a_sentence(shown):
    crowns = layer_of("bare", crowns_at([(0, 0)]), fields=FIELDS, rows=[[1, None, None, None, None]])
    QgsProject.instance().addMapLayer(crowns)
    bare = LaidOut(crowns, "target_id", "a_rc", {}, "plot ID")
    with pytest.raises(InputError, match="No crown has a score"):
        layout_of_worst(QgsProject.instance(), bare)
    for plot in ("plot ID", ""):
        with pytest.raises(InputError, match="No crown has a plot"):
            layout_of_plots(QgsProject.instance(), LaidOut(crowns, "target_id", "a_rc", {}, plot))
    assert QgsProject.instance().layoutManager().layouts() == []


def test_the_template_is_used_by_hand(shown, tmp_path):
    from qgis.core import QgsReadWriteContext

    from randcrowns.layers.styles.print_layout import TEMPLATE

    document = QDomDocument()
    assert document.setContent(TEMPLATE.read_text())[0]
    layout = QgsPrintLayout(QgsProject.instance())
    _, loaded = layout.loadFromTemplate(document, QgsReadWriteContext())
    assert loaded
    layout.atlas().setCoverageLayer(shown.crowns)
    assert pdf_of(layout, tmp_path / "hand.pdf") == 24
