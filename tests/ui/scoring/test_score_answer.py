"""The answer of page Score: dock, copied answer, run, report and print layout say the same."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest
import shapely
from qgis.core import QgsProject
from qgis.PyQt.QtWidgets import QApplication
from support.layers import EAST, NORTH, layer_of
from support.panel import empty_project, errors, opened_dock, run_page
from support.processing import run_algorithm
from support.shown import shows

from randcrowns.algorithms.common_parameters import IMAGE_EXTENT, TARGETS
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.algorithms.scoring.schema.parameters import ALL_DRAWN, DELINEATIONS, PLOT_FIELD
from randcrowns.layers.vector.write import RESULT_PROPERTY

#: Parts of a sentence with the number of targets of each status, and the status.
_STATUS_OF_TEXT = {
    "too small targets: {}": "target_too_small",
    "not counted: {} without geometry": "no_geometry",
}


@pytest.fixture(scope="module")
def page(qgis_iface):
    """Page Score of a dock for all tests."""
    with empty_project(), opened_dock(qgis_iface) as dock:
        yield dock.show_page("score")


def random_scene(seed):
    """Return outlines of targets and delineations: some tiny, missing, shifted far or extra."""
    random = np.random.default_rng(seed)
    n = int(random.integers(12, 30))
    corner = 12.0 * np.stack(np.divmod(np.arange(n), 6), axis=1) + [EAST, NORTH]
    side = random.uniform(2.5, 8, n)
    side[random.random(n) < 0.3] = 0.3  # below twice alpha
    targets = shapely.box(*corner.T, *(corner + side[:, None]).T)
    shift = random.normal(0, 0.4, (n, 2))
    shift[random.random(n) < 0.2] = 5.0
    drawn = shapely.box(*(corner + shift).T, *(corner + shift + 4).T)
    drawn = drawn[random.random(n) < 0.8]
    extra = [shapely.box(EAST - 90, NORTH + 20 * k, EAST - 85, NORTH + 20 * k + 5) for k in (0, 1)]
    without_geometry = [None] * int(random.integers(0, 3))
    return [*targets, *without_geometry], [*drawn, *extra]


@pytest.mark.parametrize("all_drawn", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_every_surface_states_one_answer(page, seed, all_drawn, tmp_path, monkeypatch):
    project = QgsProject.instance()
    target_outlines, outlines = random_scene(seed)
    layers = [layer_of("field", target_outlines), layer_of("drawn", outlines)]
    project.addMapLayers(layers)
    project.setCrs(layers[0].crs())
    page.form.reload_layers()
    page.form.set_value(TARGETS, layers[0].id())
    page.form.set_value(DELINEATIONS, [layers[1].id()])
    page.form.set_value(ALL_DRAWN, all_drawn)
    run_page(page)
    assert errors(page) == []

    # The numbers behind the means, counted from the scored targets.
    crowns = page.results.displayed_scores().crowns
    scored = crowns["randcrowns"].notna()
    counts = crowns["status"].value_counts()
    assert 0 < scored.sum() < len(crowns) == len(target_outlines)
    record = page.history.shown_record
    conclusion = record.conclusion
    # A feature without geometry is no target, in the sentence as in the tables.
    n_targets = len(crowns) - counts.get("no_geometry", 0)
    assert page.results.displayed_scores().overall["targets"] == n_targets
    assert shows(
        conclusion, "headline.scores", layer="drawn", scored=scored.sum(), targets=n_targets
    )
    mean = re.search(r"RandCrowns (\d\.\d+)", conclusion)
    assert float(mean.group(1)) == pytest.approx(crowns["randcrowns"].mean(), abs=0.0051)
    n_not_detected = counts.get("missed", 0) + counts.get("unmatched", 0)
    assert f"targets not detected: {n_not_detected}" in conclusion
    for text, status in _STATUS_OF_TEXT.items():
        number = counts.get(status, 0)
        is_listed = text.format(number) in conclusion
        assert is_listed or (number == 0 and text.partition("{}")[2] not in conclusion)
    unmatched = len(page.results.displayed_scores().unmatched_ids)
    kind = "false detections" if all_drawn else "delineations not judged"
    assert conclusion.endswith(f"{kind}: {unmatched}.")

    # The dock.
    answer = html.unescape(page.results.answer_view.answer.text()).replace("\xa0", " ")
    assert f"<b>{scored.sum()} of {n_targets} crowns</b>" in answer
    links = html.unescape(page.results.answer_view.counts.text()).replace("\xa0", " ")
    number_by_label = {label: number for number, label in re.findall(r">(\d+) ([a-z ()]+)<", links)}
    assert number_by_label.get("too small", "0") == str(counts.get("target_too_small", 0))
    assert number_by_label.get("not detected (not reached)", "0") == str(counts.get("missed", 0))
    assert number_by_label.get("no geometry", "0") == str(counts.get("no_geometry", 0))

    # The copied answer, the report and the print layout.
    page.quote_row.copy.menu().actions()[0].trigger()
    assert QApplication.clipboard().text() == conclusion
    report_file = tmp_path / "report.html"
    scored_targets = next(
        layer
        for layer in project.mapLayers().values()
        if layer.customProperty(RESULT_PROPERTY) == "SCORED_TARGETS"
    )
    done = run_algorithm("report", {"RUNS": [scored_targets], "HTML": str(report_file)}, outputs=())
    assert done.ok, done.refused or done.error
    report = html.unescape(report_file.read_text(encoding="utf-8"))
    mean = f"{crowns['randcrowns'].mean():.3f}"
    first = f"drawn has a mean RandCrowns of {mean}, over {scored.sum()} of {n_targets} targets."
    assert first in report
    (counts_sentence,) = (
        str(message) for message in record.headline if message.key == "headline.counts"
    )
    assert conclusion.endswith(f" targets. {counts_sentence}")
    assert counts_sentence in report
    n_detected = int(counts.get("scored", 0))
    assert f">{n_detected} of {n_targets}</td>" in report
    monkeypatch.setattr(page.iface, "openLayoutDesigner", lambda layout: None, raising=False)
    layout_action = next(
        action for action in page.export_button.menu().actions() if "Print layout" in action.text()
    )
    layout_action.trigger()
    (layout,) = project.layoutManager().layouts()
    assert layout.itemById("answer").currentText() == conclusion
    project.clear()


@pytest.fixture
def opened(monkeypatch, page):
    """Print layouts that were opened, in their order."""
    layouts = []
    monkeypatch.setattr(page.iface, "openLayoutDesigner", layouts.append, raising=False)
    return layouts


def page_titles(layout):
    """Return the title of each page of an atlas."""
    atlas = layout.atlas()
    titles = []
    atlas.beginRender()
    while atlas.next():
        titles.append(layout.itemById("title").currentText())
    atlas.endRender()
    return titles


def test_layout_shows_the_worst_crowns_of_the_report(page, opened, tmp_path):
    # More than ten targets have no delineation and the score 0: the lowest ids are shown first.
    sides = [2.0, 5.0, 3.5, 4.0, 2.5, 6.0, 3.0, 5.5, 4.5, 6.5, 2.2, 5.2, 3.2, 4.2]
    targets = [
        shapely.box(EAST, NORTH + 10 * k, EAST + s, NORTH + 10 * k + s) for k, s in enumerate(sides)
    ]
    project = QgsProject.instance()
    layers = [layer_of("field", targets), layer_of("drawn", targets[:1])]
    project.addMapLayers(layers)
    project.setCrs(layers[0].crs())
    page.form.reload_layers()
    page.form.set_value(TARGETS, layers[0].id())
    page.form.set_value(DELINEATIONS, [layers[1].id()])
    page.form.set_value(ALL_DRAWN, True)
    run_page(page)
    ids = layers[0].allFeatureIds()
    expected = [f"Target {number}" for number in sorted(ids)[1:11]]

    printing = [a for a in page.export_button.menu().actions() if "Print layout" in a.text()]
    printing[0].trigger()
    assert page_titles(opened[0]) == expected

    report_file = tmp_path / "report.html"
    (scored_targets, delineations) = (
        next(
            layer
            for layer in project.mapLayers().values()
            if layer.customProperty(RESULT_PROPERTY) == output
        )
        for output in ("SCORED_TARGETS", "SUMMARY")
    )
    runs = [scored_targets, delineations]
    done = run_algorithm("report", {"RUNS": runs, "HTML": str(report_file)}, outputs=())
    assert done.ok, done.refused or done.error
    text = report_file.read_text(encoding="utf-8")
    sheet = text[text.index("Worst crowns") :]
    assert list(dict.fromkeys(re.findall(r"Target \d+", sheet)))[:10] == expected
    (named,) = re.findall(r"the worst targets: ([\d, ]+)", text)
    assert [f"Target {number}" for number in named.split(", ")] == expected[:3]
    project.clear()


def test_layout_of_plots_counts_the_targets_behind_each_mean(page, opened):
    # The extent leaves out the targets in the north.
    outlines = [shapely.box(EAST, NORTH + 10 * k, EAST + 4, NORTH + 10 * k + 4) for k in range(9)]
    rows = [("p",)] * 9
    project = QgsProject.instance()
    layers = [
        layer_of("field", outlines, fields="&field=plot:string", rows=rows),
        layer_of("drawn", outlines[:6], fields="&field=plot:string", rows=rows[:6]),
        layer_of("image", [shapely.box(EAST - 9, NORTH - 9, EAST + 13, NORTH + 48)]),
    ]
    project.addMapLayers(layers)
    project.setCrs(layers[0].crs())
    page.form.reload_layers()
    page.form.set_value(TARGETS, layers[0].id())
    page.form.set_value(DELINEATIONS, [layers[1].id()])
    page.form.set_value(PLOT_FIELD, "plot")
    page.form.set_value(IMAGE_EXTENT, AreaValue(kind="layer", layer=layers[2].id()))
    run_page(page)
    assert errors(page) == []
    assert page.results.displayed_scores().answer.n_scored == 5
    printing = [a for a in page.export_button.menu().actions() if "Print layout" in a.text()]
    printing[1].trigger()
    (plot,) = opened[0].atlas().coverageLayer().getFeatures()
    assert plot["crowns"] == 5
    project.clear()
