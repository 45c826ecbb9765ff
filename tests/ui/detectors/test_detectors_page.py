"""Page Detectors end to end: real layers, the real algorithm, the real plot."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from qgis.core import Qgis, QgsFeature, QgsProject, QgsRasterLayer
from support.layers import TARGET_BOXES, box_layer, shifted
from support.panel import errors, opened_dock
from support.qt import spin, wait_until
from support.ranking import add_detectors, areas, choose, drawn, gone_to, table_texts
from support.rasters import write_raster
from support.shown import shows

from randcrowns.algorithms.detectors.schema import outputs
from randcrowns.algorithms.detectors.schema.outputs import (
    AREAS,
    CLASS_PRECISION,
    CROWNS,
    LOOK_AGAIN,
    RANK_OUTPUTS,
)
from randcrowns.algorithms.detectors.schema.parameters import (
    ALL_DRAWN,
    BOOTSTRAP_SAMPLES,
    CLASS_FIELD,
    COUNTED_UNITS,
    CROWN_SCORE,
    PLOT_FIELD,
    RESOLUTION,
    SCORE_FIELD,
    STUDY_AREA,
    TRAINING,
)
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.widgets.table_model import find_table_column


@pytest.fixture
def layers(project):
    return add_detectors(project)


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def page(layers, dock):
    made = dock.show_page("detectors")
    made.form.field(BOOTSTRAP_SAMPLES).setValue(20)
    made.results.unit_box.set_options(
        ()
    )  # what a run is shown by at first, not what the test before looked at
    return made


@pytest.fixture
def own_page(layers, qgis_iface):
    """In a dock of its own, for a test that changes the sizes of its parts."""
    with opened_dock(qgis_iface) as own:
        made = own.show_page("detectors")
        made.form.field(BOOTSTRAP_SAMPLES).setValue(20)
        yield made


def test_who_is_called_like_a_ground_truth_is_shown_and_a_dollar_is_drawn_and_saved_as_it_is(
    page, run, layers, tmp_path
):
    name = "$\\frac{$ from $5"
    layers["good"].setName(name)
    layers["person 0"].setName("Any-GT")
    spin()
    run(page)
    page.results.unit_box.set_value(AREAS)
    scores = page.results.score_table
    truths = scores.model.frame["truth"].tolist()
    for truth, area in (("Any-GT (2)", 4.0), ("Any-GT", 4.3)):
        gone_to(scores, truths.index(truth), "Ground truth")
        assert areas(page) == [None, pytest.approx(len(TARGET_BOXES) * 4 * area)]
    panel = page.results
    panel.tabs.setCurrentIndex(1)
    spin(50)
    panel.plot.canvas.draw()
    assert name in [text.get_text() for text in panel.plot.axes.get_legend().get_texts()]
    path = tmp_path / "curves.svg"
    panel.plot.save(str(path))
    assert path.stat().st_size > 1000


def test_classes_of_both_sides_are_preset_and_have_a_tab(page, run, project):
    panel = page.results
    run(page)
    assert not panel.tabs.isTabEnabled(panel.tabs.indexOf(panel.class_table))
    project.removeAllMapLayers()
    add_detectors(project, with_classes=True)
    spin()
    assert page.form.settings()[CLASS_FIELD] == "species"
    run(page)
    assert errors(page) == []
    table = panel.class_table.model.frame
    assert panel.tabs.isTabEnabled(panel.tabs.indexOf(panel.class_table))
    best = table[(table["kind"] == "mean") & (table["truth"] == "person 0")]
    assert best.set_index("detector")["rank"].to_dict() == {"good": 1, "bad": 2}


def test_tables_can_be_kept_in_a_file_and_what_is_gone_is_told(
    page, run, project, layers, tmp_path
):
    page.form.result_file_field.set_path(str(tmp_path / "ranked"))
    run(page)
    page.results.unit_box.set_value(AREAS)
    assert errors(page) == []
    made = [
        layer for layer in project.mapLayers().values() if layer.customProperty(RESULT_PROPERTY)
    ]
    assert {layer.customProperty(RESULT_PROPERTY) for layer in made} == {
        output.id for output in RANK_OUTPUTS if output not in (LOOK_AGAIN, CLASS_PRECISION)
    }
    assert {layer.source().partition("|")[0] for layer in made} == {str(tmp_path / "ranked.gpkg")}
    gone_to(page.results.score_table, 2, "good")
    assert None not in drawn(page).values()
    page.form.result_file_field.set_path(str(tmp_path / "nowhere" / "new.gpkg"))
    assert "There is no folder" in page.run_problem()
    assert not page.results.is_stale
    for name in ("good", "person 0"):
        project.removeMapLayer(layers[name].id())
    gone_to(page.results.score_table, 0, "good")
    assert page.highlight.bands == []
    assert "Click a cell" in page.results.map_label.text()
    assert "is gone" in page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)[-1]


def test_a_place_that_both_detectors_found_and_nobody_drew_is_listed_and_shown(
    page, run, project, layers
):
    run(page)
    panel = page.results
    tab = panel.tabs.indexOf(panel.place_table)
    assert not panel.tabs.isTabEnabled(tab)
    for name, (x, sure) in {"good": (300, 0.95), "bad": (301, 0.1)}.items():
        feature = next(box_layer(name, [(x, 0, x + 4, 4)]).getFeatures())
        added = QgsFeature(layers[name].fields())
        added.setGeometry(feature.geometry())
        added["score"] = sure
        layers[name].dataProvider().addFeature(added)
    far = box_layer("area", [(-10, -10, 400, 40)])
    project.addMapLayer(far)
    choose(page, STUDY_AREA, AreaValue("layer", layer=far.id()))
    run(page)
    assert errors(page) == []
    assert panel.tabs.isTabEnabled(tab)
    panel.tabs.setCurrentIndex(tab)
    assert panel.place_table.model.frame["votes"].tolist() == [2]
    panel.place_table.view.go_to_frame_row(0)
    assert drawn(page)["detector"].area() == pytest.approx(5 * 4)
    assert page.iface.mapCanvas().extent().contains(drawn(page)["detector"].boundingBox())


def test_long_names_stay_in_sight_and_leave_room_for_numbers_and_curves(own_page, run, layers):
    page = own_page
    name = "the detector with the long name that was trained on everything"
    layers["good"].setName(name)
    layers["person 0"].setName("the person with the long name who drew nearly everything")
    page.resize(360, 800)
    run(page)
    panel = page.results
    assert sum(panel.score_table.view.columnWidth(number) for number in range(4)) <= panel.width()
    for width in (360, 700, 360):
        panel.resize(width, 500)
        for table in (panel.score_table, panel.certainty_table, panel.correlation_table):
            columns = [table.view.columnWidth(number) for number in range(3)]
            assert sum(columns) <= width
            assert (columns[0] > (90 if table is panel.correlation_table else 200)) is (
                width == 700
            )
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


def test_detections_that_were_not_judged_stand_beside_the_average_precision(page, run, project):
    away = box_layer(
        "away", shifted(TARGET_BOXES, 5.0)[:3], fields="&field=score:double", rows=[(0.5,)] * 3
    )
    project.addMapLayer(away)
    page.form.detector_list.check_layers((away.id(),))
    run(page)
    page.results.unit_box.set_value(CROWNS)
    shown = table_texts(page.results.score_table)
    assert shown["Detections"] == ["3", "3"]
    assert "Not judged" not in shown
    choose(page, ALL_DRAWN, False)
    run(page)
    page.results.unit_box.set_value(CROWNS)
    shown = table_texts(page.results.score_table)
    assert shown["Not judged"] == ["3", "3"]
    assert shown["away"] == ["0.000", "0.000"]
    assert "Why n/a" not in shown
    assert page.results.unit_box.currentText() == "Whole crowns: recall"
    tabs = page.results.tabs
    assert [tabs.tabText(place) for place in range(tabs.count()) if not tabs.isTabEnabled(place)][
        :2
    ] == [*("Curves", "Rankings")]
    assert "0.000" in table_texts(page.results.threshold_table)["away"]
    page.form.detector_list.check_layers(
        (*page.form.detector_list.checked_ids(), *usual(page, "good"))
    )
    run(page)
    page.results.unit_box.set_value(CROWNS)
    shown = table_texts(page.results.score_table)
    numbers = {"good": ("8", "0"), "away": ("3", "3")}
    for title, which in (("Detections", 0), ("Not judged", 1)):
        assert (
            shown[title]
            == [" / ".join(numbers[name][which] for name in page.results.results.detectors)] * 2
        )
    assert "Recall at IoU 0.5" not in shown
    choose(page, CROWN_SCORE, "randcrowns")
    run(page)
    page.results.unit_box.set_value(CROWNS)
    shown = table_texts(page.results.score_table)
    recalls = {"good": "1.000", "away": "0.000"}
    assert (
        shown["Recall at IoU 0.5"]
        == [" / ".join(recalls[name] for name in page.results.results.detectors)] * 2
    )
    page.window().resize(340, 800)
    gone_to(page.results.score_table, 0, "Detections")
    assert areas(page) == [None, len(TARGET_BOXES) * 16.0]


def usual(page, name):
    return (QgsProject.instance().mapLayersByName(name)[0].id(),)


def test_a_small_skew_keeps_two_digits() -> None:
    skew = next(column for column in outputs.AUCR.columns if column.name == "skew")
    column = find_table_column(skew)
    assert column.title == "Skew (%)"
    texts = [column.format_value(value) for value in (0.000468, 0.25, 0.0, np.nan)]
    assert texts == ["0.0468", "25.0", "0", "n/a"]


def test_a_raster_is_ranked_beside_polygons(page, run, project, layers, tmp_path):
    bounds = shapely.total_bounds([shapely.box(*box) for box in TARGET_BOXES])
    extent = layers["good"].extent()
    rows, columns = int(bounds[3] - bounds[1]) + 4, int(bounds[2] - bounds[0]) + 4
    noise = np.random.default_rng(1).random((rows, columns))
    noise[0] = np.nan
    path = write_raster(
        tmp_path / "noise.tif", noise, west=extent.xMinimum() - 1, north=extent.yMaximum() + 1
    )
    raster = QgsRasterLayer(str(path), "noise")
    raster.setCrs(layers["good"].crs())
    project.addMapLayer(raster)
    page.form.detector_list.check_layers((layers["good"].id(), raster.id()))
    run(page)
    assert errors(page) == []
    assert "good can" in page.results.conclusion_label.text()
    assert page.results.notes.text().startswith("The pixels of raster 'noise' are counted.\n")
    assert shows(page.results.notes.text(), "areas.excluded")
    assert not page.results.notes.isHidden()
    frame = page.results.score_table.model.frame
    assert not np.isnan(frame.loc[frame["truth"] == "LSML", "value_0"]).any()
    assert "LSML is not in the bootstrap samples" in page.results.certainty_tab.notes_label.text()
    canvas = page.iface.mapCanvas()
    canvas.setLayers([layers["bad"]])
    gone_to(page.results.score_table, 0, "noise")
    assert [layer.name() for layer in canvas.layers()] == ["noise", "bad"]
    assert "noise (the raster above all layers)" in page.results.map_label.text()
    assert len(page.highlight.bands) == 1
    gone_to(page.results.score_table, 0, "good")
    assert [layer.name() for layer in canvas.layers()] == ["bad"]
    gone_to(page.results.score_table, 1, "noise")
    page.leave()
    assert [layer.name() for layer in canvas.layers()] == ["bad"]
    assert page.highlight.bands == []


def test_a_raster_alone_is_ranked(page, run, project, layers, tmp_path):
    raster = noise_raster("noise", layers["good"], tmp_path, 0)
    project.addMapLayer(raster)
    page.form.detector_list.check_layers((raster.id(),))
    assert page.form.settings()[SCORE_FIELD] == ""
    assert page.run_problem() == ""
    run(page)
    assert errors(page) == []
    assert page.results.results.detectors == ["noise"]
    assert page.results.results.scores["value"].notna().any()


def noise_raster(name, over, folder, seed):
    """Random scores over a layer and a metre around it."""
    extent = over.extent()
    size = int(extent.height()) + 4, int(extent.width()) + 4
    values = np.random.default_rng(seed).random(size)
    path = write_raster(
        folder / f"{name}.tif", values, west=extent.xMinimum() - 1, north=extent.yMaximum() + 1
    )
    raster = QgsRasterLayer(str(path), name)
    raster.setCrs(over.crs())
    return raster


def test_of_crowns_alone_it_is_said_that_a_raster_does_not_count(
    page, run, project, layers, tmp_path
):
    raster = noise_raster("noise", layers["good"], tmp_path, 0)
    project.addMapLayer(raster)
    page.form.detector_list.check_layers((layers["good"].id(), raster.id()))
    choose(page, COUNTED_UNITS, "crowns")
    run(page)
    assert errors(page) == []
    assert page.results.notes.text() == "Rasters hold no crowns and are not counted: noise."
    assert not page.results.notes.isHidden()
    assert "<b>good has an AP (all points) of 1.000 under 2 annotators (whole crowns).</b>" in (
        page.results.conclusion_label.text()
    )


def test_cancel_leaves_nothing(page, project):
    before = set(project.mapLayers())
    choose(page, BOOTSTRAP_SAMPLES, 100_000)
    page.start()
    wait_until(lambda: page.run_bar.progress.value() > 0 or page.run is None)
    page.runs.cancel()
    wait_until(lambda: page.run is None)
    assert set(project.mapLayers()) == before
    assert page.results.isHidden()


def test_crowns_are_counted_within_their_plots(page, run, project):
    rows = [(plot, 0.5) for plot in ["a", "b"] * 4]
    fields = "&field=plot:string&field=score:double"
    drawn = box_layer("drawn", TARGET_BOXES, fields=fields, rows=rows)
    found = box_layer("found", TARGET_BOXES[1::2], fields=fields, rows=rows[1::2])
    project.addMapLayers([drawn, found])
    page.form.detector_list.check_layers((found.id(),))
    page.form.annotator_list.check_layers((drawn.id(),))
    assert page.form.settings()[PLOT_FIELD] == "plot"
    assert page.run_problem() == ""
    run(page)
    assert errors(page) == []
    crowns = page.results.results.scores.query("counted == 'crowns'").iloc[0]
    assert (crowns["value"], crowns["crowns"]) == (pytest.approx(0.5), len(TARGET_BOXES))
    said = "Some plots are on one side only: 'drawn' alone has a (4 crowns):"
    assert page.results.notes.text().startswith(said)
    page.results.unit_box.set_value(AREAS)
    assert said not in page.results.notes.text()
    page.results.unit_box.set_value(CROWNS)
    assert not page.results.notes.isHidden()
    assert page.results.settings_label.text().endswith("Plots: plot. All crowns were drawn.")
    drawn.startEditing()
    assert not page.results.is_stale
    drawn.changeAttributeValue(next(drawn.getFeatures()).id(), 0, "b")
    assert page.results.is_stale
    drawn.rollBack()
    page.store_parameters()
    choose(page, PLOT_FIELD, "")
    page.load_parameters()
    assert page.form.settings()[PLOT_FIELD] == "plot"
    other = box_layer("no plots", TARGET_BOXES)
    project.addMapLayer(other)
    page.form.annotator_list.check_layers((drawn.id(), other.id()))
    assert page.form.settings()[PLOT_FIELD] == ""  # no layer may lack it
    assert page.run_problem() == ""


def test_where_only_some_crowns_were_drawn_it_is_preset_and_said(page, run, project):
    few = box_layer("few", TARGET_BOXES[:1], fields="&field=annotator:string")
    project.addMapLayer(few)
    assert page.form.settings()[ALL_DRAWN]
    page.form.annotator_list.check_layers((few.id(),))
    assert not page.form.settings()[ALL_DRAWN]
    assert (
        page.form.partial_notice.text()
        == "The layer compared with the targets has 8 times as many crowns."
    )
    run(page)
    assert shows(page.results.settings_label.text(), "reason.partly")
    assert page.results.unit_box.value() == CROWNS
    verdict = page.results.conclusion_label.text()
    assert verdict.startswith("<b>Whole crowns: recall ")
    assert "Only some crowns were drawn, so average precision is n/a" in verdict
    page.results.unit_box.set_value(AREAS)
    assert page.results.notes.text().startswith("Only some crowns were drawn, but by area")


def test_an_empty_project_offers_the_sample(project, dock):
    page = dock.show_page("detectors")
    assert page.stack.currentWidget() is page.empty_state
    assert QgsProject.instance().count() == 0


def test_training_areas_are_left_out(page, run, project, layers):
    west = box_layer("west", [(-1.0, -1.0, 15.0, 15.0)])
    project.addMapLayer(west)
    assert page.form.settings()[TRAINING] == ""
    choose(page, TRAINING, west.id())
    page.form.annotator_list.check_layers(
        tuple(layers[name].id() for name in ("person 0", "person 1"))
    )
    run(page)
    page.results.unit_box.set_value(AREAS)
    assert errors(page) == []
    frame = page.results.score_table.model.frame
    assert frame["skew"].iloc[0] == pytest.approx(4 * 16 / (19.3 * 14.0), abs=1e-6)
    assert page.results.results.scores.query("counted == 'crowns'")["crowns"].tolist() == [4] * 4


def test_a_constant_raster_has_a_reason_beside_its_correlations(
    page, run, project, layers, tmp_path
):
    extent = layers["good"].extent()
    path = write_raster(
        tmp_path / "flat.tif",
        np.ones((20, 40)),
        west=extent.xMinimum() - 1,
        north=extent.yMaximum() + 1,
    )
    raster = QgsRasterLayer(str(path), "flat")
    raster.setCrs(layers["good"].crs())
    project.addMapLayer(raster)
    page.form.detector_list.check_layers((layers["good"].id(), raster.id()))
    choose(page, RESOLUTION, 0.4)
    run(page)
    assert errors(page) == []
    model = page.results.correlation_table.model
    assert [column.title for column in model.columns][-1] == "Why n/a"
    last = model.columnCount() - 1
    shown = {
        model.data(model.index(row, 0)): model.data(model.index(row, last))
        for row in range(model.rowCount())
    }
    assert shown == {"good": "", "flat": "Its score is the same everywhere."}
    titles = [column.title for column in model.columns]
    assert titles[1:-1] == ["CCO", "interval", "p", "CCI", "interval", "p", "CCI - CCO"]
    table = page.results.results.correlations.set_index("detector")
    low, high = table.loc["good", ["cci_low", "cci_high"]]
    assert model.data(model.index(list(table.index).index("good"), 5)) == f"{low:.2f}–{high:.2f}"


def test_of_one_detector_whole_crowns_come_first(page, run, layers):
    page.form.detector_list.check_layers((layers["good"].id(),))
    run(page)
    assert page.results.unit_box.value() == CROWNS
    said = page.results.conclusion_label.text()
    assert said.index("AP (all points)") < said.index("AUCR")
    page.results.unit_box.set_value(AREAS)
    assert page.results.conclusion_label.text() == said
