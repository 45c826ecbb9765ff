"""Page Detectors end to end: real layers, the real algorithm, the real plot."""

from __future__ import annotations

import re

import numpy as np
import pytest
import shapely
from qgis.core import Qgis, QgsField, QgsProject, QgsRasterLayer
from qgis.PyQt.QtCore import Qt, QVariant
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QLabel
from support.boxes import TARGET_BOXES, box_layer, shifted
from support.qt import spin, wait_until
from support.rasters import write_raster

from randcrowns.algorithms.choices import ALPHA, CORNERS, GAMMA, OMEGA
from randcrowns.algorithms.detectors.choices import (
    ALL_DRAWN,
    CROWN_PRESET,
    CROWN_SCORE,
    DRAWS,
    GROUP_FIELD,
    HIGH,
    LOW,
    RESOLUTION,
    SCORE_FIELD,
    SKEW,
    STUDY_AREA,
    TOLERANCE,
    TRAINING,
    TRUTHS,
    UNITS,
)
from randcrowns.algorithms.detectors.outputs import AUCR, CURVES, RANK_OUTPUTS, RANKINGS
from randcrowns.algorithms.detectors.tables import AREAS, CROWNS
from randcrowns.algorithms.layer_choice import AreaValue
from randcrowns.layers.styles import DELINEATION, TARGET
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.detectors.results import as_share, rank_shade
from randcrowns.ui.services.settings import recall


def errors(page):
    return page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)


@pytest.fixture
def layers(project):
    """Two people, a good detector and a bad one."""
    people = [
        box_layer(f"person {k}", shifted(TARGET_BOXES, 0.3 * k), fields="&field=annotator:string") for k in (0, 1)
    ]
    scores = [(0.9 - 0.05 * number,) for number in range(len(TARGET_BOXES))]
    good = box_layer("good", shifted(TARGET_BOXES, 0.1), fields="&field=score:double", rows=scores)
    bad = box_layer("bad", shifted(TARGET_BOXES, 2.5), fields="&field=score:double", rows=scores)
    found = {layer.name(): layer for layer in (*people, good, bad)}
    project.addMapLayers(list(found.values()))
    project.setCrs(good.crs())
    return found


def choose(page, choice, value):
    """As a user does in the field of a choice."""
    page.form.show_settings(page.form.settings().replaced({choice: value}))


@pytest.fixture
def page(layers, dock):
    made = dock.show_page("detectors")
    made.form.field(DRAWS).setValue(50)
    return made


def ids(layers, *names):
    return {layers[name].id() for name in names}


def test_the_usual_layers_are_checked(page, layers):
    assert set(page.form.detectors.checked_ids()) == ids(layers, "good", "bad")
    assert set(page.form.annotators.checked_ids()) == ids(layers, "person 0", "person 1")
    assert page.form.settings()[SCORE_FIELD] == "score"
    assert page.form.settings()[TRAINING] == page.form.settings()[STUDY_AREA].layer == ""
    assert page.run_bar.run_button.text() == "Rank 2 detectors"
    assert page.run_bar.run_button.isEnabled()


def test_a_run_ranks_says_and_shows(page, run):
    run(page)
    assert errors(page) == []
    crowns, areas = page.results.verdict.text().split("<br>")
    assert crowns == "<b>Whole crowns: good 1.000, bad 0.000 (average precision). good can be called better.</b>"
    # Two annotators, who differ, are too few to claim it of areas.
    assert re.fullmatch(r"<b>Areas: good 0\.\d+, bad 0\.\d+ \(AUCR\)\. good cannot be called better\.</b>", areas)
    page.results.counted.show_value(AREAS)
    frame = page.results.scores.model.frame
    assert frame["truth"].tolist()[:3] == ["person 0", "person 1", "Any-GT"]
    good, bad = (page.results.results.detectors.index(name) for name in ("good", "bad"))
    assert frame["skew"].iloc[0] == pytest.approx(8 * 16 / (34.3 * 14.0), abs=1e-6)
    assert (frame[f"value_{good}"].dropna() > frame[f"value_{bad}"].dropna()).all()
    assert page.results.rankings.model.frame["ranking_1"].tolist()[:2] == ["good", "bad"]
    assert page.results.certainty.model.rowCount() == 2
    assert page.results.correlations.model.rowCount() == 2
    lsml = frame[frame["truth"] == "LSML"].iloc[0]
    assert np.isnan(lsml[f"value_{good}"])
    assert "pixel" in lsml["reason"]


def test_ranks_are_shaded(page, run):
    run(page)
    page.results.counted.show_value(AREAS)
    model = page.results.scores.model
    place = next(n for n, column in enumerate(model.columns) if column.title == "good")
    index = model.index(0, place)
    assert model.data(index, Qt.ItemDataRole.BackgroundRole).color().name() == rank_shade(1)
    missing = next(row for row in range(model.rowCount()) if model.data(model.index(row, place)) == "n/a")
    assert model.data(model.index(missing, place), Qt.ItemDataRole.BackgroundRole) is None


def test_tables_are_added_to_the_project_and_not_offered_again(page, run, project):
    run(page)
    made = [layer for layer in project.mapLayers().values() if layer.customProperty(RESULT_PROPERTY)]
    assert {layer.customProperty(RESULT_PROPERTY) for layer in made} >= {AUCR.id, RANKINGS.id, CURVES.id}
    (group,) = project.layerTreeRoot().findGroups()
    assert "detectors" in group.name()
    assert len(page.form.detectors.checked_ids()) == 2


def gone_to(table, row, title):
    """Go to a cell as a click does."""
    column = next(number for number, one in enumerate(table.model.columns) if one.title == title)
    table.view.setCurrentIndex(table.model.index(row, column))
    spin()


def drawn(page):
    """What is drawn on the map by colour, without the veil."""
    found = {band.strokeColor().name(): band.asGeometry() for band in page.highlight.bands}
    return {"detector": found.get(DELINEATION), "truth": found.get(TARGET)}


def areas(page):
    return [None if shape is None else pytest.approx(shape.area()) for shape in drawn(page).values()]


def test_a_score_shows_its_detector_and_its_ground_truth(page, run):
    run(page)
    page.results.counted.show_value(AREAS)
    panel = page.results
    each = len(TARGET_BOXES) * 16.0
    assert "Click a cell" in panel.on_map.text()
    gone_to(panel.scores, 0, "good")
    assert areas(page) == [each, each]
    for name, colour in (("good", DELINEATION), ("person 0", TARGET)):
        assert re.search(rf"color:{colour};[^<]*>■</span>&nbsp;{name}", panel.on_map.text())
    good, person = (shape.boundingBox().xMinimum() for shape in drawn(page).values())
    assert good - person == pytest.approx(0.1)
    row = panel.scores.model.frame["truth"].tolist().index("Any-GT")
    gone_to(panel.scores, row, "bad")
    assert areas(page) == [each, len(TARGET_BOXES) * 4 * 4.3]
    gone_to(panel.scores, row, "Ground truth")
    assert areas(page) == [None, len(TARGET_BOXES) * 4 * 4.3]
    assert DELINEATION not in panel.on_map.text()
    panel.counted.show_value(CROWNS)
    assert page.highlight.bands == []
    gone_to(panel.scores, 1, "bad")
    assert areas(page) == [each, each]
    page.leave()
    assert page.highlight.bands == []
    assert "Click a cell" in panel.on_map.text()
    gone_to(panel.scores, 1, "bad")
    assert areas(page) == [each, each]


def test_rankings_and_certainty_show_what_they_are_about(page, run):
    run(page)
    panel = page.results
    panel.tabs.setCurrentWidget(panel.rankings)
    gone_to(panel.rankings, 1, "Ranking 1")
    last = panel.rankings.model.frame["ranking_1"].iloc[-1]
    assert last.startswith("person 0")
    bad, person = (shape.boundingBox().xMinimum() for shape in drawn(page).values())
    assert bad - person == pytest.approx(2.5)
    gone_to(panel.rankings, 2, "Ranking 1")
    assert drawn(page)["detector"] is None
    assert drawn(page)["truth"] is not None
    panel.tabs.setCurrentIndex(3)
    assert page.highlight.bands == []
    gone_to(panel.certainty, 0, "Detector")
    assert drawn(page)["detector"] is not None
    assert drawn(page)["truth"] is None
    page.start()
    assert page.highlight.bands == []
    page.runs.cancel()
    wait_until(lambda: page.run is None)


def test_who_is_called_like_a_ground_truth_is_shown_and_not_the_ground_truth(page, run, layers):
    layers["person 0"].setName("Any-GT")
    spin()
    run(page)
    page.results.counted.show_value(AREAS)
    scores = page.results.scores
    truths = scores.model.frame["truth"].tolist()
    for truth, area in (("Any-GT (2)", 4.0), ("Any-GT", 4.3)):
        gone_to(scores, truths.index(truth), "Ground truth")
        assert areas(page) == [None, pytest.approx(len(TARGET_BOXES) * 4 * area)]


def test_what_is_gone_is_told(page, run, project, layers):
    run(page)
    for name in ("good", "person 0"):
        project.removeMapLayer(layers[name].id())
    gone_to(page.results.scores, 0, "good")
    assert page.highlight.bands == []
    assert "Click a cell" in page.results.on_map.text()
    assert "is gone" in page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)[-1]


def test_tables_can_be_kept_in_a_file(page, run, project, tmp_path):
    page.form.kept_in.set_path(str(tmp_path / "ranked"))
    run(page)
    page.results.counted.show_value(AREAS)
    assert errors(page) == []
    made = [layer for layer in project.mapLayers().values() if layer.customProperty(RESULT_PROPERTY)]
    assert {layer.customProperty(RESULT_PROPERTY) for layer in made} == {output.id for output in RANK_OUTPUTS}
    assert {layer.source().partition("|")[0] for layer in made} == {str(tmp_path / "ranked.gpkg")}
    gone_to(page.results.scores, 2, "good")
    assert None not in drawn(page).values()
    page.form.kept_in.set_path(str(tmp_path / "it's.gpkg"))
    assert "apostrophe" in page.why_not()
    assert not page.results.is_stale


def test_scores_of_long_names_stay_in_sight(page, run, layers):
    layers["good"].setName("the detector with the long name that was trained on everything")
    page.resize(360, 800)
    run(page)
    view = page.results.scores.view
    assert sum(view.columnWidth(number) for number in range(4)) <= page.results.width()


def test_long_names_leave_room_for_numbers_and_curves(page, run, layers):
    name = "the detector with the long name that was trained on everything"
    layers["good"].setName(name)
    layers["person 0"].setName("the person with the long name who drew nearly everything")
    run(page)
    panel = page.results
    for width in (360, 700, 360):
        panel.resize(width, 500)
        for table in (panel.scores, panel.certainty, panel.correlations):
            columns = [table.view.columnWidth(number) for number in range(3)]
            assert sum(columns) <= width
            assert (columns[0] > (90 if table is panel.correlations else 200)) is (width == 700)
    panel.resize(700, 500)
    panel.tabs.setCurrentIndex(1)
    spin(50)
    panel.plot.resize(340, 200)
    panel.plot.canvas.draw()
    axes, legend = panel.plot.axes, panel.plot.axes.get_legend()
    (written,) = (text.get_text() for text in legend.get_texts() if text.get_text() != "bad")
    assert len(written) < 30
    assert written.startswith("the d")
    assert not legend.get_window_extent().overlaps(axes.get_window_extent())
    assert axes.get_window_extent().width > 120


def test_every_table_is_saved_as_csv(page, run, tmp_path):
    run(page)
    panel = page.results
    for name, table in (("scores", panel.scores), ("rankings", panel.rankings), ("agreement", panel.correlations)):
        table.view.export(str(tmp_path / name))
        lines = (tmp_path / name).read_text(encoding="utf-8-sig").splitlines()
        assert len(lines) == table.model.rowCount() + 1
    assert not panel.scores.export.isHidden()


def test_crowns_and_areas_can_be_switched(page, run):
    run(page)
    panel = page.results
    assert [panel.counted.itemData(n) for n in range(panel.counted.count())] == [CROWNS, AREAS]
    assert panel.scores.model.frame["truth"].tolist() == ["person 0", "person 1"]
    assert panel.kind.isHidden()
    assert panel.certain.text().startswith("good can be called better than bad: ")
    assert "with an average precision 1.000 higher" in panel.certain.text()
    assert table_texts(panel.certainty)["Value"] == ["1.000", "0.000"]
    certainty, agreement = (panel.tabs.indexOf(one) for one in (panel.noted, panel.correlations))
    assert panel.tabs.isTabEnabled(certainty)
    assert not panel.tabs.isTabEnabled(agreement)
    assert "About areas" in panel.tabs.tabToolTip(agreement)
    panel.counted.show_value(AREAS)
    assert panel.certain.text().startswith("good cannot be called better than bad: ")
    assert "with an AUCR " in panel.certain.text()
    assert all(map(panel.tabs.isTabEnabled, (certainty, agreement)))
    assert "About areas" not in panel.tabs.tabToolTip(agreement)
    panel.counted.show_value(CROWNS)
    assert panel.scores.model.frame["crowns"].tolist() == [len(TARGET_BOXES)] * 2


def table_texts(table):
    """What a table shows by the titles of its columns."""
    model = table.model
    rows = range(model.rowCount())
    return {
        column.title: [model.data(model.index(row, place)) for row in rows]
        for place, column in enumerate(model.columns)
    }


def test_detections_that_were_not_judged_stand_beside_the_average_precision(page, run, project):
    away = box_layer("away", shifted(TARGET_BOXES, 5.0)[:3], fields="&field=score:double", rows=[(0.5,)] * 3)
    project.addMapLayer(away)
    page.form.detectors.check((away.id(),))
    run(page)
    page.results.counted.show_value(CROWNS)
    shown = table_texts(page.results.scores)
    assert shown["Detections"] == ["3", "3"]
    assert "Not judged" not in shown
    choose(page, ALL_DRAWN, False)
    run(page)
    page.results.counted.show_value(CROWNS)
    shown = table_texts(page.results.scores)
    assert shown["Not judged"] == ["3", "3"]
    assert shown["away"] == ["0.000", "0.000"]
    assert "Why n/a" not in shown
    assert page.results.counted.currentText() == "Whole crowns: recall"
    tabs = page.results.tabs
    assert [tabs.tabText(place) for place in range(tabs.count()) if not tabs.isTabEnabled(place)][:2] == [
        *("Curves", "Rankings")
    ]
    assert "0.000" in table_texts(page.results.thresholds)["away"]
    page.form.detectors.check((*page.form.detectors.checked_ids(), *usual(page, "good")))
    run(page)
    page.results.counted.show_value(CROWNS)
    shown = table_texts(page.results.scores)
    numbers = {"good": ("8", "0"), "away": ("3", "3")}
    for title, which in (("Detections", 0), ("Not judged", 1)):
        assert shown[title] == [" / ".join(numbers[name][which] for name in page.results.results.detectors)] * 2
    page.resize(340, 800)
    gone_to(page.results.scores, 0, "Detections")
    assert areas(page) == [None, len(TARGET_BOXES) * 16.0]


def usual(page, name):
    return (QgsProject.instance().mapLayersByName(name)[0].id(),)


def test_a_small_skew_keeps_two_digits() -> None:
    assert [as_share(value) for value in (0.000468, 0.25, 0.0, np.nan)] == ["0.00047", "0.250", "0.000", "n/a"]


def test_a_layer_that_is_a_detector_no_more_is_an_annotator_again(page, layers):
    form = page.form
    person, other = (layers[f"person {k}"].id() for k in (0, 1))
    detectors = form.detectors.checked_ids()
    score = layers["person 0"].dataProvider()
    score.addAttributes([QgsField("score", QVariant.Double)])
    layers["person 0"].updateFields()
    field = layers["person 0"].fields().lookupField("score")
    assert score.changeAttributeValues({crown.id(): {field: 0.5} for crown in layers["person 0"].getFeatures()})
    form.follow_project()

    def tick(checklist, layer_id, wanted):
        items = map(checklist.topLevelItem, range(checklist.topLevelItemCount()))
        item = next(item for item in items if item.data(0, Qt.ItemDataRole.UserRole) == layer_id)
        item.setCheckState(0, Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)

    form.detectors.check(detectors)
    # With a score it is an annotator only where it was chosen as one.
    for annotators in ({other}, {person, other}):
        if person in annotators:
            form.annotators.check(tuple(annotators))
        assert set(form.annotators.checked_ids()) == annotators
        tick(form.detectors, person, True)
        assert set(form.annotators.checked_ids()) == {other}
        tick(form.detectors, person, False)
        assert set(form.annotators.checked_ids()) == annotators
    tick(form.annotators, person, False)
    tick(form.detectors, person, True)
    tick(form.detectors, person, False)
    assert set(form.annotators.checked_ids()) == {other}


def test_a_dollar_in_a_layers_name_is_drawn_and_saved_as_it_is(page, run, layers, tmp_path):
    name = "$\\frac{$ from $5"
    layers["good"].setName(name)
    spin()
    run(page)
    panel = page.results
    panel.tabs.setCurrentIndex(1)
    spin(50)
    panel.plot.canvas.draw()
    assert name in [text.get_text() for text in panel.plot.axes.get_legend().get_texts()]
    path = tmp_path / "curves.svg"
    panel.plot.save(str(path))
    assert path.stat().st_size > 1000


def test_curves_are_drawn_and_saved(page, run, tmp_path):
    run(page)
    page.results.counted.show_value(AREAS)
    panel = page.results
    panel.tabs.setCurrentIndex(1)
    spin(50)
    axes = panel.plot.axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == panel.results.detectors
    assert len(axes.collections) == 2
    for kind in range(panel.kind.count()):
        panel.kind.setCurrentIndex(kind)
    panel.truth.setCurrentIndex(1)
    assert axes.get_title() == "person 0"
    panel.counted.show_value(CROWNS)
    panel.plot.save(str(tmp_path / "curves.svg"))
    panel.plot.save(str(tmp_path / "curves.png"))
    assert (tmp_path / "curves.svg").stat().st_size > 1000
    assert (tmp_path / "curves.png").stat().st_size > 1000


def test_results_grow_old_with_a_choice_or_a_layer(page, run, layers):
    run(page)
    assert not page.results.is_stale
    choose(page, HIGH, 0.6)
    assert page.results.is_stale
    choose(page, HIGH, 0.5)
    assert not page.results.is_stale
    layers["good"].startEditing()
    layers["good"].deleteFeature(next(layers["good"].getFeatures()).id())
    assert page.results.is_stale
    layers["good"].rollBack()


def test_what_is_missing_is_said_on_the_button(page, layers):
    page.form.annotators.check(())
    assert "annotator" in page.run_bar.run_button.toolTip()
    assert not page.run_bar.run_button.isEnabled()
    page.form.annotators.check((layers["person 0"].id(),))
    choose(page, TOLERANCE, 0.5)
    assert "pixel size" in page.why_not()
    choose(page, RESOLUTION, 0.1)
    assert page.why_not() == ""
    choose(page, LOW, 0.6)
    assert "skew limit" in page.why_not()
    choose(page, SKEW, "truths")
    assert page.why_not() == ""
    page.form.detectors.check(())
    assert "detector" in page.why_not()


def test_a_raster_is_ranked_beside_polygons(page, run, project, layers, tmp_path):
    bounds = shapely.total_bounds([shapely.box(*box) for box in TARGET_BOXES])
    extent = layers["good"].extent()
    rows, columns = int(bounds[3] - bounds[1]) + 4, int(bounds[2] - bounds[0]) + 4
    noise = np.random.default_rng(1).random((rows, columns))
    noise[0] = np.nan
    path = write_raster(tmp_path / "noise.tif", noise, west=extent.xMinimum() - 1, north=extent.yMaximum() + 1)
    raster = QgsRasterLayer(str(path), "noise")
    raster.setCrs(layers["good"].crs())
    project.addMapLayer(raster)
    page.form.detectors.check((layers["good"].id(), raster.id()))
    run(page)
    assert errors(page) == []
    assert "good can" in page.results.verdict.text()
    assert page.results.notes.text().startswith("The pixels of raster 'noise' are counted.\n")
    assert "of the area is excluded for all detectors: noise has no scores there" in page.results.notes.text()
    assert not page.results.notes.isHidden()
    frame = page.results.scores.model.frame
    assert not np.isnan(frame.loc[frame["truth"] == "LSML", "value_0"]).any()
    assert "LSML is not in the bootstrap samples" in page.results.noted.sentences.text()
    canvas = page.iface.mapCanvas()
    canvas.setLayers([layers["bad"]])
    gone_to(page.results.scores, 0, "noise")
    assert [layer.name() for layer in canvas.layers()] == ["noise", "bad"]
    assert "noise (the raster above all layers)" in page.results.on_map.text()
    assert len(page.highlight.bands) == 1
    gone_to(page.results.scores, 0, "good")
    assert [layer.name() for layer in canvas.layers()] == ["bad"]
    gone_to(page.results.scores, 1, "noise")
    page.leave()
    assert [layer.name() for layer in canvas.layers()] == ["bad"]
    assert page.highlight.bands == []


@pytest.mark.parametrize("count", [1, 2])
def test_rasters_alone_are_ranked(page, run, project, layers, tmp_path, count):
    rasters = [noise_raster(f"noise {k}", layers["good"], tmp_path, k) for k in range(count)]
    project.addMapLayers(rasters)
    page.form.detectors.check(tuple(raster.id() for raster in rasters))
    assert page.form.settings()[SCORE_FIELD] == ""
    assert page.why_not() == ""
    run(page)
    assert errors(page) == []
    assert page.results.results.detectors == [raster.name() for raster in rasters]
    assert page.results.results.scores["value"].notna().any()


def noise_raster(name, over, folder, seed):
    """Random scores over a layer and a metre around it."""
    extent = over.extent()
    size = int(extent.height()) + 4, int(extent.width()) + 4
    values = np.random.default_rng(seed).random(size)
    path = write_raster(folder / f"{name}.tif", values, west=extent.xMinimum() - 1, north=extent.yMaximum() + 1)
    raster = QgsRasterLayer(str(path), name)
    raster.setCrs(over.crs())
    return raster


def test_of_crowns_alone_it_is_said_that_a_raster_does_not_count(page, run, project, layers, tmp_path):
    raster = noise_raster("noise", layers["good"], tmp_path, 0)
    project.addMapLayer(raster)
    page.form.detectors.check((layers["good"].id(), raster.id()))
    choose(page, UNITS, "crowns")
    run(page)
    assert errors(page) == []
    assert page.results.notes.text() == "Rasters hold no crowns and are not counted: noise."
    assert not page.results.notes.isHidden()
    assert "<b>good has an average precision of 1.000 under 2 annotators (whole crowns).</b>" in (
        page.results.verdict.text()
    )


def test_cancel_leaves_nothing(page, project):
    before = set(project.mapLayers())
    choose(page, DRAWS, 100_000)
    page.start()
    wait_until(lambda: page.run_bar.progress.value() > 0 or page.run is None)
    page.runs.cancel()
    wait_until(lambda: page.run is None)
    assert set(project.mapLayers()) == before
    assert page.results.isHidden()


def test_choices_are_kept_in_the_project(page, project):
    choose(page, TOLERANCE, 0.4)
    choose(page, TRUTHS, ("any", "staple"))
    choose(page, ALL_DRAWN, False)
    wanted = page.form.settings()
    page.keep()
    assert recall("detectors")["tolerance"] == pytest.approx(0.4)
    choose(page, TOLERANCE, 0.0)
    choose(page, TRUTHS, ("any",))
    choose(page, ALL_DRAWN, True)
    page.restore()
    assert page.form.settings() == wanted


def test_crowns_are_counted_within_their_plots(page, run, project):
    rows = [(plot, 0.5) for plot in ["a", "b"] * 4]
    fields = "&field=plot:string&field=score:double"
    drawn = box_layer("drawn", TARGET_BOXES, fields=fields, rows=rows)
    found = box_layer("found", TARGET_BOXES[1::2], fields=fields, rows=rows[1::2])
    project.addMapLayers([drawn, found])
    page.form.detectors.check((found.id(),))
    page.form.annotators.check((drawn.id(),))
    assert page.form.settings()[GROUP_FIELD] == "plot"
    assert page.why_not() == ""
    run(page)
    assert errors(page) == []
    crowns = page.results.results.scores.query("counted == 'crowns'").iloc[0]
    assert (crowns["value"], crowns["crowns"]) == (pytest.approx(0.5), len(TARGET_BOXES))
    said = "Some plots are on one side only: 'drawn' alone has a (4 crowns):"
    assert page.results.notes.text().startswith(said)
    page.results.counted.show_value(AREAS)
    assert said not in page.results.notes.text()
    page.results.counted.show_value(CROWNS)
    assert not page.results.notes.isHidden()
    assert page.results.decided.text().endswith("Plots: plot. All crowns were drawn.")
    drawn.startEditing()
    assert not page.results.is_stale
    drawn.changeAttributeValue(next(drawn.getFeatures()).id(), 0, "b")
    assert page.results.is_stale
    drawn.rollBack()
    page.keep()
    choose(page, GROUP_FIELD, "")
    page.restore()
    assert page.form.settings()[GROUP_FIELD] == "plot"
    other = box_layer("no plots", TARGET_BOXES)
    project.addMapLayer(other)
    page.form.annotators.check((drawn.id(), other.id()))
    assert page.form.settings()[GROUP_FIELD] == ""  # no layer may lack it
    assert page.why_not() == ""


def test_where_only_some_crowns_were_drawn_it_is_preset_and_said(page, run, project):
    few = box_layer("few", TARGET_BOXES[:1], fields="&field=annotator:string")
    project.addMapLayer(few)
    assert page.form.settings()[ALL_DRAWN]
    page.form.annotators.check((few.id(),))
    assert not page.form.settings()[ALL_DRAWN]
    assert page.form.why_partial.text() == "The layer compared with the targets has 8 times as many crowns."
    run(page)
    assert "Only some crowns were drawn: detections that match none are not judged." in page.results.decided.text()
    assert page.results.counted.value() == CROWNS
    verdict = page.results.verdict.text()
    assert verdict.startswith("<b>Whole crowns: recall ")
    assert "Only some crowns were drawn, so average precision is n/a" in verdict
    page.results.counted.show_value(AREAS)
    assert page.results.notes.text().startswith("Only some crowns were drawn, but by area")


def test_an_empty_project_offers_the_sample(project, dock):
    page = dock.show_page("detectors")
    assert page.stack.currentWidget() is page.empty
    assert QgsProject.instance().count() == 0


def test_training_areas_are_left_out(page, run, project, layers):
    west = box_layer("west", [(-1.0, -1.0, 15.0, 15.0)])
    project.addMapLayer(west)
    assert page.form.settings()[TRAINING] == ""
    choose(page, TRAINING, west.id())
    page.form.annotators.check(tuple(layers[name].id() for name in ("person 0", "person 1")))
    run(page)
    page.results.counted.show_value(AREAS)
    assert errors(page) == []
    frame = page.results.scores.model.frame
    assert frame["skew"].iloc[0] == pytest.approx(4 * 16 / (19.3 * 14.0), abs=1e-6)
    assert page.results.results.scores.query("counted == 'crowns'")["crowns"].tolist() == [4] * 4


def test_a_constant_raster_has_a_reason_beside_its_correlations(page, run, project, layers, tmp_path):
    extent = layers["good"].extent()
    path = write_raster(
        tmp_path / "flat.tif", np.ones((20, 40)), west=extent.xMinimum() - 1, north=extent.yMaximum() + 1
    )
    raster = QgsRasterLayer(str(path), "flat")
    raster.setCrs(layers["good"].crs())
    project.addMapLayer(raster)
    page.form.detectors.check((layers["good"].id(), raster.id()))
    choose(page, RESOLUTION, 0.1)
    run(page)
    assert errors(page) == []
    model = page.results.correlations.model
    assert [column.title for column in model.columns][-1] == "Why n/a"
    last = model.columnCount() - 1
    shown = {model.data(model.index(row, 0)): model.data(model.index(row, last)) for row in range(model.rowCount())}
    assert shown == {"good": "", "flat": "Its score is the same everywhere."}
    titles = [column.title for column in model.columns]
    assert titles[1:-1] == ["CCO", "interval", "p", "CCI", "interval", "p", "CCI - CCO"]
    table = page.results.results.correlations.set_index("detector")
    low, high = table.loc["good", ["cci_low", "cci_high"]]
    assert model.data(model.index(list(table.index).index("good"), 5)) == f"{low:.2f}–{high:.2f}"


def test_a_map_that_has_no_place_for_them_is_told(page, run, elsewhere):
    run(page)
    gone_to(page.results.scores, 0, "good")
    assert page.highlight.bands == []
    assert "has no place on a map in" in page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)[-1]


def test_training_areas_and_the_study_area_are_no_annotators(page, project):
    form = page.form
    everybody = form.annotators.checked_ids()
    form.field(TRAINING).pick(everybody[0])
    assert form.annotators.checked_ids() == everybody[1:]
    form.field(STUDY_AREA).show_area(AreaValue("layer", everybody[1]))
    assert form.annotators.checked_ids() == everybody[2:]


def test_own_lengths_can_be_chosen_where_randcrowns_decides(page):
    form = page.form
    assert form.field(ALPHA).isHidden()
    choose(page, CROWN_PRESET, "own")
    assert form.field(ALPHA).isHidden()
    choose(page, CROWN_SCORE, "randcrowns")
    assert not any(form.field(choice).isHidden() for choice in (ALPHA, OMEGA, GAMMA, CORNERS))
    choose(page, OMEGA, 2.5)
    assert page.parameters(form.settings())["OMEGA"] == 2.5
    assert page.parameters(form.settings())["PRESET"] == 2


@pytest.mark.parametrize("width", [300, 360])
def test_nothing_of_the_form_is_cut_in_a_narrow_dock(page, dock, width):
    for box in page.form.boxes:
        box.setCollapsed(False)
    choose(page, CROWN_SCORE, "randcrowns")
    choose(page, CROWN_PRESET, "own")
    dock.resize(width, 900)
    spin(50)
    assert dock.width() == width
    assert page.form.width() <= page.form.parentWidget().width()
    headings = [label.text() for label in page.form.findChildren(QLabel) if label.text().startswith("<b>")]
    assert headings == ["<b>Curve</b>", "<b>Crowns</b>", "<b>Certainty</b>", "<b>Consensus</b>"]


def test_a_click_on_its_words_checks_a_box(page):
    box, words = page.form.field(ALL_DRAWN), page.form.label(ALL_DRAWN)
    assert words.text() == ALL_DRAWN.label
    QTest.mouseClick(words, Qt.MouseButton.LeftButton)
    assert not box.isChecked()
    assert not page.form.settings()[ALL_DRAWN]


def test_of_one_detector_whole_crowns_come_first(page, run, layers):
    page.form.detectors.check((layers["good"].id(),))
    run(page)
    assert page.results.counted.value() == CROWNS
    said = page.results.verdict.text()
    assert said.index("average precision") < said.index("AUCR")
    page.results.counted.show_value(AREAS)
    assert page.results.verdict.text() == said


def test_coco_and_thresholds_stand_in_tabs_of_their_own(page, run):
    run(page)
    panel = page.results
    assert all(map(panel.tabs.isTabEnabled, map(panel.tabs.indexOf, (panel.coco, panel.thresholds))))
    frame = panel.coco.model.frame.set_index(["detector", "truth"])
    assert frame.loc[("good", "person 0"), "ap"] > frame.loc[("bad", "person 0"), "ap"]
    thresholds = panel.thresholds.model.frame.set_index("iou")
    assert len(thresholds) == 18
    place = panel.results.detectors.index("good")
    mean = frame.loc["good", "ap50"].mean()
    assert thresholds.loc[0.5, f"ap_{place}"] == pytest.approx(mean)
    chosen = []
    panel.chosen.connect(lambda detector, truth: chosen.append((detector, truth)))
    panel.tabs.setCurrentWidget(panel.thresholds)
    panel.thresholds.view.setCurrentIndex(panel.thresholds.view.model().index(0, 1 + place))
    assert chosen[-1] == ("good", "")
    panel.coco.view.setCurrentIndex(panel.coco.view.model().index(0, 0))
    assert chosen[-1][0] in ("good", "bad")
    assert chosen[-1][1].startswith("person")
