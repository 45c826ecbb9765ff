"""Page Annotators end to end: real layers, the real algorithms, the real map."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from qgis.core import Qgis, QgsProject, QgsVectorLayer
from support.boxes import TARGET_BOXES, box_layer, shifted
from support.data import real_data
from support.qt import spin, wait_until

from randcrowns.algorithms.agreement.choices import METHOD, MIN_AREA, RESOLUTION, STUDY_AREA
from randcrowns.algorithms.layer_choice import AreaValue
from randcrowns.core.agreement.notes import Note
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.services.settings import recall
from randcrowns.ui.widgets.colours import annotator_colours


def errors(page):
    return page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)


@pytest.fixture
def layers(project):
    """Three people of whom the last drew elsewhere, and a study area."""
    people = {name: box_layer(name, shifted(TARGET_BOXES, by)) for name, by in (("ann", 0), ("bob", 0.5), ("cleo", 3))}
    area = box_layer("study area", [(-20.0, -20.0, 80.0, 80.0)])
    found = {**people, "area": area}
    project.addMapLayers(list(found.values()))
    project.setCrs(area.crs())
    return found


@pytest.fixture
def page(layers, dock):
    return dock.show_page("annotators")


@pytest.fixture
def compared(page, layers, run):
    page.form.field(STUDY_AREA).show_area(AreaValue("layer", layers["area"].id()))
    run(page)
    assert errors(page) == []
    return page


def made_layer(page, output):
    return QgsProject.instance().mapLayer(page.results.results.made[output])


def test_the_people_are_checked_and_the_area_is_not(page, layers):
    assert set(page.form.annotators.checked_ids()) == {layers[name].id() for name in ("ann", "bob", "cleo")}
    assert page.run_bar.run_button.text() == "Compare 3 annotators"
    assert page.run_bar.run_button.isEnabled()


def test_a_run_answers_in_a_line_and_in_tables(compared):
    panel = compared.results
    assert "3 annotators" in panel.answer.text()
    assert "Smyth" in panel.verdict.text()
    table = panel.annotators.model.frame
    assert list(table["annotator"]) == ["ann", "bob", "cleo"]
    assert table["colour"].nunique() == 3
    assert len(panel.summary.model.frame) == 12
    assert panel.annotators.model.as_csv().splitlines()[0].startswith("Annotator,Outlier,Mean F1")
    assert str(Note.OUTLIER_MEANING) in panel.pages["tree"].sentences.text()
    for tab in range(panel.tabs.count()):
        panel.tabs.setCurrentIndex(tab)
        spin()


def test_the_agreement_map_is_a_styled_layer_in_a_group(compared):
    layer = made_layer(compared, "AGREEMENT")
    assert layer.customProperty(RESULT_PROPERTY) == "AGREEMENT"
    assert [category.label() for category in layer.renderer().categories()] == ["1 of 3", "2 of 3", "3 of 3"]
    (group,) = QgsProject.instance().layerTreeRoot().findGroups()
    assert {node.layer().customProperty(RESULT_PROPERTY) for node in group.findLayers()} >= {
        "AGREEMENT",
        "DISAGREEMENTS",
        "ANNOTATOR_PAIRS",
    }


def test_the_limit_is_the_users(compared):
    bound = compared.results.results.value("smyth_bound")
    assert "limit not set" in compared.results.verdict.text()
    compared.results.limit.setValue(min(0.5, bound + 0.01))
    assert "within" in compared.results.verdict.text()
    compared.results.limit.setValue(0.0)
    assert "above" in compared.results.verdict.text()
    assert recall("annotators")["limit"] == 0.0
    assert not compared.results.is_stale


def test_a_cell_of_the_heatmap_shows_the_two_on_the_map(compared):
    heatmap = compared.results.heatmap
    compared.results.tabs.setCurrentIndex(1)
    spin(20)
    heatmap.point_at(SimpleNamespace(inaxes=heatmap.axes, xdata=1.1, ydata=0.2))
    pair = compared.results.results.pair(0, 1)
    assert f"F1 {pair['f1']:.3f}" in heatmap.told.text()
    assert "shared" in heatmap.told.text()
    heatmap.clicked(SimpleNamespace(inaxes=heatmap.axes, xdata=1.1, ydata=0.2))
    bands = compared.highlight.bands
    assert len(bands) == 3  # what both marked, what one and what the other
    shared = bands[0].asGeometry().area()
    assert shared == pytest.approx(pair["shared"], rel=1e-6)
    assert bands[1].asGeometry().area() == pytest.approx(pair["only_first"], rel=1e-6)
    colours = annotator_colours(["ann", "bob"])
    assert bands[1].strokeColor().name() == colours["ann"]
    assert bands[2].strokeColor().name() == colours["bob"]
    heatmap.canvas.callbacks.process("figure_leave_event", None)
    assert f"F1 {pair['f1']:.3f}" in heatmap.told.text()  # which colour is whose, while it is on the map
    heatmap.clicked(SimpleNamespace(inaxes=heatmap.axes, xdata=1.1, ydata=1.2))
    (band,) = (band for band in compared.highlight.bands if not band.asGeometry().isEmpty())
    assert band.strokeColor().name() == colours["bob"]
    assert colours["bob"] in heatmap.told.text()
    compared.results.tabs.setCurrentIndex(0)
    assert colours["bob"] not in heatmap.told.text()
    compared.leave()
    assert compared.highlight.bands == []


def test_clicking_away_leaves_no_trace(compared):
    heatmap, tabs = compared.results.heatmap, compared.results.tabs
    tabs.setCurrentIndex(1)
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
    tabs.setCurrentIndex(2)
    assert compared.highlight.bands == []


def test_the_summary_fits_into_a_narrow_dock(compared):
    compared.window().resize(360, 900)
    compared.results.tabs.setCurrentWidget(compared.results.pages["summary"])
    spin(20)
    view = compared.results.summary.view
    last = view.model().columnCount() - 1
    assert view.columnViewportPosition(last) + view.columnWidth(last) <= view.viewport().width()
    assert "m²" in view.model().data(view.model().index(1, 0))


def test_plots_are_saved_as_picture_and_drawing(compared, tmp_path):
    for plot in (compared.results.heatmap, compared.results.tree, compared.results.ratio):
        for ending in ("png", "svg"):
            path = tmp_path / f"plot.{ending}"
            plot.save(str(path))
            assert path.stat().st_size > 1000
            path.unlink()


def test_steps_go_through_the_disagreements_by_area(compared):
    steps = compared.results.disagreements
    areas = steps.table.model.frame["area"]
    assert areas.is_monotonic_decreasing
    assert not steps.previous.isEnabled()
    steps.next.click()
    assert "1 of" in steps.told.text()
    assert compared.highlight.bands[0].asGeometry().area() == pytest.approx(areas.iloc[0], rel=1e-6)
    steps.next.click()
    assert "2 of" in steps.told.text()
    steps.previous.click()
    assert "1 of" in steps.told.text()


def test_outliers_and_warnings_stand_where_the_numbers_are(page, layers, run):
    page.form.field(STUDY_AREA).show_area(AreaValue())
    run(page)
    assert str(Note.NO_STUDY_AREA) in page.results.notes.text()
    assert not any(str(Note.NO_STUDY_AREA) in one.sentences.text() for one in page.results.pages.values())
    page.form.annotators.check((layers["ann"].id(), layers["bob"].id()))
    assert page.results.is_stale
    run(page)
    assert str(Note.TWO_ANNOTATORS_BOUND) in page.results.notes.text()
    assert str(Note.TWO_ANNOTATORS_PPV) in page.results.pages["table"].sentences.text()
    assert str(Note.TOO_FEW_FOR_OUTLIERS) in page.results.pages["tree"].sentences.text()


def test_a_plot_of_priors_is_scrolled_to(compared):
    compared.window().resize(600, 700)
    bar, results = compared.results.consensus, compared.results
    bar.field(METHOD).setCurrentIndex(bar.field(METHOD).findData("staple"))
    bar.button.click()
    wait_until(lambda: compared.run is None)
    spin(20)
    shown = results.tabs.visibleRegion().boundingRect()
    assert shown.bottom() == results.tabs.rect().bottom()


def test_a_consensus_is_a_new_layer_that_says_how_it_was_made(compared):
    bar = compared.results.consensus
    bar.field(METHOD).setCurrentIndex(bar.field(METHOD).findData("staple"))
    before = len(QgsProject.instance().mapLayers())
    bar.button.click()
    wait_until(lambda: compared.run is None)
    assert errors(compared) == []
    found = [
        layer for layer in QgsProject.instance().mapLayers().values() if layer.name() == "Consensus: STAPLE, prior any"
    ]
    assert len(found) == 1
    assert len(QgsProject.instance().mapLayers()) > before
    assert "STAPLE: prior: Marked by any annotator" in found[0].metadata().abstract()
    assert "The prior decides how much is marked: with " in bar.said.text()
    assert bar.said.text().startswith("Consensus: STAPLE, prior any: ")
    groups = [group.name() for group in QgsProject.instance().layerTreeRoot().findGroups()]
    assert any(name.startswith("3 annotators, STAPLE, ") for name in groups)
    assert compared.results.tabs.currentWidget() is compared.results.pages["prior"]
    assert len(compared.results.prior.data[0]) == 15
    spin(20)
    assert not compared.results.is_stale


def test_lsml_says_that_it_needs_pixels(compared, run):
    bar = compared.results.consensus
    bar.field(METHOD).setCurrentIndex(bar.field(METHOD).findData("lsml"))
    assert not bar.button.isEnabled()
    assert "pixel size" in bar.button.toolTip()
    compared.form.field(RESOLUTION).setValue(0.5)
    run(compared)
    assert bar.button.isEnabled()


def test_one_layer_with_a_field(project, dock, run):
    rows = [(name,) for name in ("ann", "bob") for _ in TARGET_BOXES]
    boxes = [*TARGET_BOXES, *shifted(TARGET_BOXES, 0.5)]
    layer = box_layer("all", boxes, fields="&field=annotator:string", rows=rows)
    project.addMapLayer(layer)
    project.setCrs(layer.crs())
    page = dock.show_page("annotators")
    assert page.form.person.currentData() == "annotator"  # it names several people
    assert "annotator" in page.run_bar.run_button.text()
    run(page)
    assert page.results.results.names == ["ann", "bob"]


def test_choices_and_colours_are_kept(compared, layers):
    colours = annotator_colours(["ann", "bob", "cleo"])
    compared.form.field(MIN_AREA).setValue(2.0)
    compared.keep()
    compared.form.field(MIN_AREA).setValue(0.0)
    compared.restore()
    assert compared.form.field(MIN_AREA).value() == 2.0
    assert compared.form.field(STUDY_AREA).area().layer == layers["area"].id()
    assert annotator_colours(["dan", "cleo", "bob", "ann"]) == {**colours, "dan": annotator_colours(["dan"])["dan"]}


def test_a_layer_without_a_system_is_told_before_the_run(page, layers):
    from qgis.core import QgsCoordinateReferenceSystem

    layers["bob"].setCrs(QgsCoordinateReferenceSystem())
    page.start()
    assert page.run is None
    assert "'bob'" in page.run_bar.why_not.text()


def test_cancel_leaves_nothing(page):
    before = set(QgsProject.instance().mapLayers())
    page.start()
    page.runs.cancel()
    wait_until(lambda: page.run is None)
    spin()
    assert set(QgsProject.instance().mapLayers()) == before
    assert page.results.isHidden()


def test_twelve_experts_through_the_dock(project, dock, run):
    folder = real_data("rts_peel")
    files = [*sorted(folder.glob("annotator_*.shp")), folder / "Peel_AOI_2500.geojson"]
    found = [
        QgsVectorLayer(str(file), "area" if file.suffix == ".geojson" else file.stem[-2:], "ogr") for file in files
    ]
    project.addMapLayers(found)
    page = dock.show_page("annotators")
    page.form.field(STUDY_AREA).show_area(AreaValue("layer", found[-1].id()))
    run(page)
    assert errors(page) == []
    assert "mean F1 <b>0.740</b> (pairs 0.508 to 0.871)" in page.results.answer.text()
    assert "0.0205" in page.results.verdict.text()
    table = page.results.annotators.model.frame
    assert list(table.loc[table["outlier"] == 1, "annotator"]) == ["05", "08"]
    exact = page.results.results.pairs["f1"]
    page.form.field(RESOLUTION).setValue(2.0)
    run(page)
    assert (page.results.results.pairs["f1"] - exact).abs().max() < 6e-4
    assert str(Note.OUTLIER_MEANING) in page.results.pages["table"].sentences.text()


def test_a_consensus_can_be_cancelled(compared):
    before = set(QgsProject.instance().mapLayers())
    compared.make_consensus()
    assert compared.run_bar.running
    consensus = compared.run
    compared.start()
    assert compared.run is consensus  # one thing at a time
    compared.runs.cancel()
    wait_until(lambda: compared.run is None)
    assert set(QgsProject.instance().mapLayers()) == before
    assert compared.results.consensus.button.isEnabled()
    assert errors(compared) == []


def test_layers_that_are_gone_are_told(compared):
    QgsProject.instance().removeMapLayers(list(compared.results.results.made.values()))
    compared.results.pair_chosen.emit(0, 1)
    compared.results.place_chosen.emit(1)
    warned = compared.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)
    assert len(warned) == 2
    assert compared.highlight.bands == []


def test_a_map_that_has_no_place_for_the_results_is_told(compared, elsewhere):
    compared.results.pair_chosen.emit(0, 1)
    compared.results.annotator_chosen.emit(0)
    compared.results.place_chosen.emit(1)
    assert compared.highlight.bands == []
    assert len(errors(compared)) == 3
    assert all("has no place on a map in" in said for said in errors(compared))


def test_a_field_renamed_since_is_named(compared):
    layer = made_layer(compared, "AGREEMENT")
    layer.startEditing()
    layer.renameAttribute(layer.fields().lookupField("votes"), "voices")
    compared.results.pair_chosen.emit(0, 1)
    assert "has no field 'votes' any more" in errors(compared)[-1]
    layer.rollBack()
