"""Test what page Annotators shows of one run: tables, plots, the map, and a consensus."""

from __future__ import annotations

from html import escape
from types import SimpleNamespace

import numpy as np
import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsProject, QgsRasterLayer
from qgis.PyQt.QtCore import QPoint, Qt
from support.consensus import made_consensus, rows_of
from support.layers import TARGET_BOXES, box_layer, shifted
from support.panel import empty_project, errors, opened_dock, run_page
from support.qt import spin, wait_until
from support.rasters import write_raster
from support.shown import shows

from randcrowns.algorithms.agreement.schema.parameters import EXCLUDE_EACH, METHOD, STUDY_AREA
from randcrowns.algorithms.estimation_parameters import (
    ASSIGN_CONSENSUS,
    MAX_ITERATIONS,
    PRIOR,
    PRIOR_VALUE,
    SIMPLE_FACTOR,
    SIMPLE_RULE,
)
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.layers.styles.casing import main_outline
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.report.agreement_content import kappa_sentence
from randcrowns.ui.services.settings import read_parameters
from randcrowns.ui.widgets.colours import MISSED, SHARED, annotator_colours, coloured_name

SHIFTS = {"ann": 0, "bob": 0.5, "cleo": 3}


@pytest.fixture(scope="module")
def after_run(qgis_iface):
    """The page after one run, with its choices and the project's layers then."""
    with empty_project() as project, opened_dock(qgis_iface) as dock:
        people = [box_layer(name, shifted(TARGET_BOXES, by)) for name, by in SHIFTS.items()]
        area = box_layer(
            "study area", [(-2.0, -2.0, 40.0, 20.0)]
        )  # small enough for ten blocks with marks
        project.addMapLayers([*people, area])
        project.setCrs(area.crs())
        page = dock.show_page("annotators")
        page.form.field(STUDY_AREA).set_area(AreaValue("layer", area.id()))
        run_page(page)
        assert errors(page) == []
        yield page, page.settings().to_stored(), set(project.mapLayers())


@pytest.fixture
def compared(after_run):
    """The page as its run left it: layers, choices, size, and nothing chosen."""
    page, choices, layers = after_run
    project = QgsProject.instance()
    project.removeMapLayers([key for key in project.mapLayers() if key not in layers])
    root = project.layerTreeRoot()
    for group in root.findGroups():
        if not group.findLayers():
            root.removeChildNode(group)
    page.window().resize(400, 900)
    if page.settings().to_stored() != choices:
        page.form.set_settings(page.settings_of(choices))
    page.results.consensus_form.show_description("")
    page.results.tabs.setCurrentIndex(0)
    page.leave()
    spin()
    assert not page.results.is_stale
    return page


def made_layer(page, output):
    return QgsProject.instance().mapLayer(page.results.results.layer_ids[output])


def choose(combo, key):
    combo.setCurrentIndex(combo.findData(key))


# The answer and the tables


def test_a_run_answers_in_a_line_and_in_tables(compared):
    panel = compared.results
    assert "3 annotators" in panel.answer_label.text()
    assert "Smyth" in panel.bound_label.text()
    table = panel.annotator_table.model.frame
    assert list(table["annotator"]) == ["ann", "bob", "cleo"]
    assert table["colour"].nunique() == 3
    assert len(panel.summary_table.model.frame) == 12
    assert (
        panel.annotator_table.model.to_csv()
        .splitlines()[0]
        .startswith("Annotator,Unlike the others,Mean F1")
    )
    assert (
        str(AgreementMessage.OUTLIER_MEANING) in panel.tabs_by_key["dendrogram"].notes_label.text()
    )
    for tab in range(panel.tabs.count()):
        panel.tabs.setCurrentIndex(tab)
        spin()


def test_the_agreement_map_is_a_styled_layer_in_a_group(compared):
    layer = made_layer(compared, "AGREEMENT")
    assert layer.customProperty(RESULT_PROPERTY) == "AGREEMENT"
    assert [category.label() for category in layer.renderer().categories()] == [
        "1 of 3",
        "2 of 3",
        "3 of 3",
    ]
    (group,) = QgsProject.instance().layerTreeRoot().findGroups()
    assert {node.layer().customProperty(RESULT_PROPERTY) for node in group.findLayers()} >= {
        "AGREEMENT",
        "DISAGREEMENTS",
        "ANNOTATOR_PAIRS",
    }


def test_intervals_are_told_on_hover(compared):
    page = compared
    table = page.results.results.summary.set_index("statistic")
    for statistic in ("mean_f1", "fleiss_kappa"):
        assert (
            f"{table.loc[statistic, 'low']:.3f} to {table.loc[statistic, 'high']:.3f}"
            in page.results.answer_label.toolTip()
        )
    low, high = (page.results.results.value(name) for name in ("min_f1", "max_f1"))
    text = page.results.answer_label.text()
    assert f"(pairs {low:.3f} to {high:.3f})" in text
    # F1 leads; kappa follows with the agreement that chance alone gives.
    kappa = table.loc["fleiss_kappa", "value"]
    sentence = kappa_sentence(kappa, table.loc["raw_agreement", "value"], is_short=True)
    assert sentence
    assert text.index("mean F1") < text.index(escape(sentence, quote=False))


def test_the_rule_of_lampert_heads_nothing(compared):
    titles = [column.title for column in compared.results.annotator_table.model.columns]
    assert titles.index("Unlike the others") < titles.index("Mean F1") < titles.index("Outlier")
    assert titles[-1] == "Outlier"


def test_the_limit_is_the_users(compared):
    bound = compared.results.results.value("smyth_bound")
    assert "limit not set" in compared.results.bound_label.text()
    compared.results.limit_field.setValue(min(0.5, bound + 0.01))
    assert "within" in compared.results.bound_label.text()
    compared.results.limit_field.setValue(0.0)
    assert "above" in compared.results.bound_label.text()
    assert read_parameters("annotators")["limit"] == 0.0
    assert not compared.results.is_stale


def test_the_summary_fits_into_a_narrow_dock(compared):
    compared.window().resize(360, 900)
    compared.results.tabs.setCurrentWidget(compared.results.tabs_by_key["summary"])
    spin(20)
    view = compared.results.summary_table.view
    last = view.model().columnCount() - 1
    assert view.columnViewportPosition(last) + view.columnWidth(last) <= view.viewport().width()
    assert "m²" in view.model().data(view.model().index(1, 0))


@pytest.mark.parametrize(("width", "line_count"), [(360, 4), (600, 2)])
def test_the_hint_above_the_table_stands_beside_the_buttons(compared, width, line_count):
    page = compared
    page.window().resize(width, 900)
    page.results.tabs.setCurrentIndex(0)
    spin(30)
    hint, button = page.results.legend_label, page.results.annotator_table.copy_button
    assert hint.isVisible()
    assert hint.heightForWidth(hint.width()) <= (line_count + 0.5) * hint.fontMetrics().height()
    assert hint.height() >= hint.heightForWidth(hint.width())
    assert hint.geometry().right() < button.geometry().left()
    assert hint.geometry().top() <= button.geometry().center().y() <= hint.geometry().bottom()


def test_the_legend_of_an_annotator_is_seen_in_a_low_window_and_moves_no_row(compared):
    """The dock of a window of 768 pixels; the row under the mouse stays there."""
    page = compared
    page.window().resize(440, 560)
    page.results.tabs.setCurrentIndex(0)
    spin(30)
    legend, view = page.results.legend_label, page.results.annotator_table.view
    top = view.mapTo(page, QPoint(0, 0)).y()
    view.selectRow(2)
    spin(30)
    assert "cleo" in legend.text()
    assert legend.visibleRegion().boundingRect() == legend.rect()
    assert view.mapTo(page, QPoint(0, 0)).y() == top


def test_a_selected_annotator_keeps_the_colour(compared):
    page = compared
    page.results.tabs.setCurrentIndex(0)
    view = page.results.annotator_table.view
    view.selectRow(2)
    spin()
    cell = view.visualRect(view.model().index(2, 0))
    picture = view.viewport().grab().toImage()
    ratio = picture.devicePixelRatio()
    colour = picture.pixelColor(cell.center() * ratio).name()
    assert colour == annotator_colours(page.results.results.names)["cleo"]


def test_plots_are_saved_as_picture_and_drawing(compared, tmp_path):
    results = compared.results
    for plot, ending in (
        (results.heatmap, "png"),
        (results.dendrogram, "svg"),
        (results.ratio_plot, "png"),
    ):
        path = tmp_path / f"plot.{ending}"
        plot.save(str(path))
        assert path.stat().st_size > 1000


def test_a_map_without_a_system_is_blamed_itself(compared):
    page, project = compared, QgsProject.instance()
    page.form.field(STUDY_AREA).set_area(AreaValue("canvas"))
    assert page.run_bar.run_button.isEnabled()
    crs = project.crs()
    project.setCrs(QgsCoordinateReferenceSystem())
    assert "The map has no coordinate system" in page.run_bar.problem_label.text()
    assert not page.run_bar.run_button.isEnabled()
    project.setCrs(crs)
    assert page.run_bar.run_button.isEnabled()


# The map


def test_a_cell_of_the_heatmap_shows_the_two_on_the_map(compared):
    heatmap = compared.results.heatmap
    compared.results.tabs.setCurrentWidget(compared.results.tabs_by_key["pairs"])
    spin(20)
    heatmap.show_cell_description(SimpleNamespace(inaxes=heatmap.axes, xdata=1.1, ydata=0.2))
    pair = compared.results.results.find_pair(0, 1)
    assert f"F1 {pair['f1']:.3f}" in heatmap.cell_label.text()
    assert "shared" in heatmap.cell_label.text()
    heatmap.on_axes_clicked(SimpleNamespace(inaxes=heatmap.axes, xdata=1.1, ydata=0.2))
    bands = compared.highlight.bands
    assert len(bands) == 3  # what both marked, what one and what the other
    shared = bands[0].asGeometry().area()
    assert shared == pytest.approx(pair["shared"], rel=1e-6)
    assert bands[1].asGeometry().area() == pytest.approx(pair["only_first"], rel=1e-6)
    colours = annotator_colours(["ann", "bob"])
    assert bands[1].strokeColor().name() == colours["ann"]
    assert bands[2].strokeColor().name() == colours["bob"]
    heatmap.canvas.callbacks.process("figure_leave_event", None)
    assert (
        f"F1 {pair['f1']:.3f}" in heatmap.cell_label.text()
    )  # which colour is whose, while it is on the map
    heatmap.on_axes_clicked(SimpleNamespace(inaxes=heatmap.axes, xdata=1.1, ydata=1.2))
    (band,) = (band for band in compared.highlight.bands if not band.asGeometry().isEmpty())
    assert band.strokeColor().name() == colours["bob"]
    assert colours["bob"] in heatmap.cell_label.text()
    compared.results.tabs.setCurrentIndex(0)
    assert colours["bob"] not in heatmap.cell_label.text()
    compared.leave()
    assert compared.highlight.bands == []


def test_clicking_away_leaves_no_trace(compared):
    heatmap, tabs = compared.results.heatmap, compared.results.tabs
    tabs.setCurrentWidget(compared.results.tabs_by_key["pairs"])
    spin(20)

    def click(x, y):
        from matplotlib.backend_bases import MouseButton, MouseEvent

        place = heatmap.axes.transData.transform((x, y))
        event = MouseEvent("button_press_event", heatmap.canvas, *place, MouseButton.LEFT)
        heatmap.canvas.callbacks.process("button_press_event", event)

    click(1, 0)
    assert len(compared.highlight.bands) == 3
    click(-0.9, 1)  # beside the cells, where the names are
    assert compared.highlight.bands == []
    click(2, 0)
    assert len(compared.highlight.bands) == 3
    tabs.setCurrentWidget(compared.results.tabs_by_key["dendrogram"])
    assert compared.highlight.bands == []


def test_the_words_say_who_is_which_colour(compared):
    colours = annotator_colours(SHIFTS)
    words = compared.results.heatmap.describe_cell(0, 2)
    for name, colour in (("ann", colours["ann"]), ("cleo", colours["cleo"]), ("both", SHARED)):
        assert coloured_name(name, colour) in words


def test_a_pair_hides_what_the_others_drew_and_keeps_the_image(compared, tmp_path):
    page = compared
    canvas, project = page.iface.mapCanvas(), QgsProject.instance()
    file = write_raster(tmp_path / "image.tif", np.ones((60, 60)), west=500000, north=3000050)
    image = QgsRasterLayer(str(file), "image")
    before = canvas.layers()
    project.addMapLayer(image)
    shown = [*project.mapLayersByName("ann"), *project.mapLayersByName("Agreement map"), image]
    canvas.setLayers(shown)
    page.results.pair_chosen.emit(0, 1)
    assert canvas.layers() == [image]
    assert page.highlight.bands[0].fillColor().name() == SHARED
    assert {band.fillColor().alpha() for band in page.highlight.bands} <= set(
        range(1, 200)
    )  # it shows through
    page.results.pair_chosen.emit(0, 2)
    assert canvas.layers() == [image]
    page.leave()
    assert canvas.layers() == shown
    project.removeMapLayer(image)
    canvas.setLayers(before)


def test_a_row_shows_the_annotator_against_the_consensus(compared):
    page, table = compared, compared.results.annotator_table
    table.view.selectRow(2)
    assert table.model.frame["annotator"].iloc[2] == "cleo"
    bands = {band.fillColor().name(): band.asGeometry().area() for band in page.highlight.bands}
    # Boxes 4 m wide, shifted by 0, 0.5 and 3: half of three is two of them.
    both, only, missed = 1.5, 2.5, 2.5
    expected = {SHARED: both, annotator_colours(["cleo"])["cleo"]: only, MISSED: missed}
    assert bands == pytest.approx({colour: 8 * 4 * width for colour, width in expected.items()})
    assert table.model.frame["sensitivity"].iloc[2] == pytest.approx(both / (both + missed))
    assert "cleo" in page.results.legend_label.text()
    page.results.tabs.setCurrentIndex(1)
    assert page.highlight.bands == []
    page.results.tabs.setCurrentIndex(0)
    table.view.selectRow(2)
    assert len(page.highlight.bands) == 3
    table.view.clearSelection()
    assert page.highlight.bands == []


def test_a_map_that_has_no_place_for_the_results_is_told(compared, elsewhere):
    compared.results.pair_chosen.emit(0, 1)
    compared.results.annotator_chosen.emit(0)
    compared.results.disagreement_chosen.emit(1)
    assert compared.highlight.bands == []
    assert len(errors(compared)) == 3
    assert all(shows(said, "crs.no_place_on_map") for said in errors(compared))


def test_a_field_renamed_since_is_named(compared):
    layer = made_layer(compared, "AGREEMENT")
    layer.startEditing()
    layer.renameAttribute(layer.fields().lookupField("votes"), "voices")
    compared.results.pair_chosen.emit(0, 1)
    assert shows(errors(compared)[-1], "results.no_field", missing="votes")
    layer.rollBack()
    compared.results.pair_chosen.emit(0, 1)
    assert len(errors(compared)) == 1


# Places where annotators differ


@pytest.fixture
def steps(compared):
    """Before the first place, in the order of the run."""
    made, results = compared.results.disagreement_table, compared.results.results
    made.table.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    made.show_frame(results.disagreements, results.names, results.unit)
    return made


def test_steps_go_through_the_disagreements_by_area(compared, steps):
    areas = steps.table.model.frame["area"]
    assert areas.is_monotonic_decreasing
    assert not steps.previous_button.isEnabled()
    steps.next_button.click()
    assert "1 of" in steps.description_label.text()
    assert compared.highlight.bands[0].asGeometry().area() == pytest.approx(areas.iloc[0], rel=1e-6)
    steps.next_button.click()
    assert "2 of" in steps.description_label.text()
    steps.previous_button.click()
    assert "1 of" in steps.description_label.text()


def test_the_steps_follow_the_order_shown(steps):
    area = [column.name for column in steps.table.model.columns].index("area")
    steps.table.view.sortByColumn(area, Qt.SortOrder.AscendingOrder)
    shown = [steps.table.model.frame_row(row) + 1 for row in range(2)]
    assert shown[0] != 1
    steps.next_button.click()
    assert steps.description_label.text().startswith(f"{shown[0]} of ")
    assert not steps.previous_button.isEnabled()
    steps.next_button.click()
    assert steps.description_label.text().startswith(f"{shown[1]} of ")
    assert steps.table.view.currentIndex().row() == 1
    steps.previous_button.click()
    assert steps.description_label.text().startswith(f"{shown[0]} of ")
    steps.select_frame_row(steps.table.model.frame_row(steps.table.model.rowCount() - 1))
    assert not steps.next_button.isEnabled()
    steps.table.view.sortByColumn(area, Qt.SortOrder.DescendingOrder)
    assert steps.next_button.isEnabled()


# A consensus


def test_a_consensus_is_a_new_layer_that_says_how_it_was_made(compared):
    before = len(QgsProject.instance().mapLayers())
    made = made_consensus(compared, "staple")
    assert made.name() == "Consensus: STAPLE, prior any"
    assert len(QgsProject.instance().mapLayers()) > before
    assert "STAPLE: prior: Marked by any annotator" in made.metadata().abstract()
    said = compared.results.consensus_form.description_label.text()
    assert shows(said, "staple.prior")
    assert said.startswith("Consensus: STAPLE, prior any: ")
    groups = [group.name() for group in QgsProject.instance().layerTreeRoot().findGroups()]
    assert any(name.startswith("3 annotators, STAPLE, ") for name in groups)
    assert compared.results.tabs.currentWidget() is compared.results.tabs_by_key["prior"]
    assert len(compared.results.prior_plot.data[0]) == 16
    spin(20)
    assert not compared.results.is_stale


def test_a_plot_of_priors_is_scrolled_to(compared):
    compared.window().resize(600, 700)
    made_consensus(compared, "staple")
    spin(20)
    shown = compared.results.tabs.visibleRegion().boundingRect()
    assert shown.bottom() == compared.results.tabs.rect().bottom()


def test_staple_says_what_nobody_marked_and_marks_the_prior(compared):
    page, bar = compared, compared.results.consensus_form
    choose(bar.field(PRIOR), "number")
    bar.field(PRIOR_VALUE).setValue(0.999)
    marked = sum(feature["area"] for feature in made_consensus(page, "staple").getFeatures())
    anybody = page.results.results.value("marked_by_any")
    assert marked > anybody
    assert (
        f"{marked - anybody:,.1f} m² of it were marked by nobody." in bar.description_label.text()
    )
    spin(20)
    plot = page.results.prior_plot
    assert plot.data[1:3] == pytest.approx((0.999, anybody))
    assert plot.axes.get_ylim()[1] < 1.3 * anybody
    assert {text.get_text().strip() for text in plot.axes.texts} == {
        "marked by anybody",
        "prior used",
    }
    assert [label.get_text() for label in plot.axes.get_xticklabels()][:3] == [
        "0.001",
        "0.01",
        "0.1",
    ]


def test_staple_fixes_what_all_agree_on_only_when_asked(compared):
    compared.results.consensus_form.field(ASSIGN_CONSENSUS).setChecked(True)
    (parameters,) = {row["parameters"] for row in rows_of(made_consensus(compared, "staple"))}
    assert "consensus_units=assigned" in parameters


def test_simple_is_made_by_the_rule_and_the_factor_chosen(compared):
    choose(compared.results.consensus_form.field(SIMPLE_RULE), "share")
    compared.results.consensus_form.field(SIMPLE_FACTOR).setValue(0.9)
    rows = rows_of(made_consensus(compared, "simple"))
    assert {row["parameters"] for row in rows} == {"rule=share, a=0.9"}
    assert (
        str(AgreementMessage.SIMPLE_RULE)
        in compared.results.consensus_form.description_label.text()
    )


def test_a_consensus_without_each_annotator(compared):
    compared.results.consensus_form.field(EXCLUDE_EACH).setChecked(True)
    rows = rows_of(made_consensus(compared, "unanimous"))
    areas = {name: sum(row["area"] for row in rows if row["excluded"] == name) for name in SHIFTS}
    # Boxes 4 m wide, shifted by 0, 0.5 and 3 m: the two that remain share 0.5 x 4, 1 x 4 or
    # 3.5 x 4 m of each of the eight.
    assert areas == pytest.approx({"ann": 8 * 1.5 * 4, "bob": 8 * 1 * 4, "cleo": 8 * 3.5 * 4})
    assert "without each annotator" in compared.results.consensus_form.description_label.text()


def test_consensuses_without_each_annotator_have_their_colours(compared):
    compared.results.consensus_form.field(EXCLUDE_EACH).setChecked(True)
    layer = made_consensus(compared, "0.5")
    assert layer.name() == "Consensus: Half or more (0.5-GT), without each annotator"
    found = {
        one.value(): main_outline(one.symbol()).strokeColor().name()
        for one in layer.renderer().categories()
    }
    assert found == annotator_colours(SHIFTS)


def test_lsml_says_that_it_needs_pixels(compared):
    bar = compared.results.consensus_form
    choose(bar.field(METHOD), "lsml")
    assert not bar.make_button.isEnabled()
    assert "pixel size" in bar.make_button.toolTip()


def test_choices_of_a_consensus_leave_the_comparison_as_it_is(compared):
    bar = compared.results.consensus_form
    choose(bar.field(METHOD), "lsml")
    bar.field(MAX_ITERATIONS).setValue(77)
    bar.field(EXCLUDE_EACH).setChecked(True)
    assert not compared.results.is_stale


def test_a_consensus_can_be_cancelled(compared):
    before = set(QgsProject.instance().mapLayers())
    compared.make_consensus()
    assert compared.run_bar.is_running
    consensus = compared.run
    compared.start()
    assert compared.run is consensus  # one thing at a time
    compared.runs.cancel()
    wait_until(lambda: compared.run is None)
    assert set(QgsProject.instance().mapLayers()) == before
    assert compared.results.consensus_form.make_button.isEnabled()
    assert errors(compared) == []


def test_one_thing_at_a_time(compared):
    page, bar = compared, compared.results.consensus_form
    made_consensus(page, "any")
    assert bar.description_label.text()
    page.make_consensus()
    assert not bar.description_label.text()
    page.runs.cancel()
    wait_until(lambda: page.run is None)
    page.start()
    assert not bar.make_button.isEnabled()
    page.runs.cancel()
    wait_until(lambda: page.run is None)
    spin()
    assert bar.make_button.isEnabled()
