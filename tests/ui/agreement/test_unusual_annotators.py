"""Test page Annotators with unusual annotators: one, two, empty, identical, disjoint, 64, long names.

The numbers are right, or n/a with a reason.
"""

from __future__ import annotations

import itertools
import math
from types import SimpleNamespace

import pandas as pd
import pytest
from qgis.core import Qgis, QgsProject
from qgis.PyQt import sip
from support.consensus import consensus_layers, made_consensus, rows_of
from support.errors import raises
from support.layers import TARGET_BOXES, box_layer, shifted
from support.panel import errors
from support.qt import spin, wait_until
from support.shown import shows

from randcrowns.algorithms.agreement.schema.parameters import (
    BOOTSTRAP_SAMPLES,
    EXCLUDE_EACH,
    RESOLUTION,
    STUDY_AREA,
)
from randcrowns.algorithms.estimation_parameters import MAX_ITERATIONS
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.agreement.results_panel import AnnotatorResultsPanel, DisagreementTable

AREA, SIZE = (-2.0, -2.0, 78.0, 18.0), 80 * 20
CROWNS = 8 * 16.0  # square metres


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def compared(project, dock, run):
    """Compares people given as boxes by name, and looks at every tab."""

    def compare(people, resolution=0.0, look=True):
        layers = [box_layer(name, boxes) for name, boxes in people.items()]
        area = box_layer("study area", [AREA])
        project.addMapLayers([*layers, area])
        project.setCrs(area.crs())
        page = dock.show_page("annotators")
        page.form.annotator_list.check_layers(tuple(layer.id() for layer in layers))
        page.form.field(STUDY_AREA).set_area(AreaValue("layer", area.id()))
        page.form.field(RESOLUTION).setValue(resolution)
        page.form.field(BOOTSTRAP_SAMPLES).setValue(50)
        run(page)
        assert errors(page) == []
        for tab in range(page.results.tabs.count() if look else 0):
            page.results.tabs.setCurrentIndex(tab)
            spin()
        return page

    return compare


def told(page, tab):
    return page.results.tabs_by_key[tab].notes_label.text()


def shown(page, column, row=0):
    """What a cell of the table of annotators says."""
    model = page.results.annotator_table.model
    place = [one.name for one in model.columns].index(column)
    return model.data(model.index(row, place))


def consensus_area(page, method):
    """The area of a new consensus by this method."""
    QgsProject.instance().removeMapLayers([layer.id() for layer in consensus_layers()])
    return sum(row["area"] for row in rows_of(made_consensus(page, method)))


def check_that_nothing_without_a_value_is_shown(page):
    panel = page.results
    assert panel.answer_label.text().startswith("<b>1 annotator</b> marked <b>")
    assert "n/a" not in panel.answer_label.text()
    assert panel.limit_field.isHidden()
    for table in (panel.annotator_table, panel.summary_table):
        model = table.model
        shown = [
            model.data(model.index(row, column))
            for row in range(model.rowCount())
            for column in range(model.columnCount())
        ]
        assert "n/a" not in shown
    assert panel.summary_table.model.frame["value"].notna().all()
    made = [
        layer
        for layer in QgsProject.instance().mapLayers().values()
        if layer.customProperty(RESULT_PROPERTY)
    ]
    assert {layer.customProperty(RESULT_PROPERTY) for layer in made} >= {
        "ANNOTATOR_TABLE",
        "SUMMARY",
    }
    assert [
        layer.name() for layer in made if not layer.isSpatial() and layer.featureCount() == 0
    ] == []


#: Methods whose consensus of one annotator, or of several equal ones, is tested on the page. The
#: tests of core cover all methods.
METHODS = {0.0: ("0.5", "staple", "simple"), 1.0: ("excl-0.5", "lsml")}


@pytest.mark.parametrize("resolution", [0.0, 1.0])
def test_one(compared, resolution):
    page = compared({"ann": TARGET_BOXES}, resolution, look=not resolution)
    check_that_nothing_without_a_value_is_shown(page)
    assert "<b>1 annotator</b> marked <b>128.0 m²</b>" in page.results.answer_label.text()
    assert page.results.bound_label.isHidden()
    assert str(AgreementMessage.ONE_ANNOTATOR) in page.results.notes.text()
    columns = {column.name for column in page.results.annotator_table.model.columns}
    assert not columns & {"mean_f1", "sensitivity", "specificity", "ppv", "npv", "kappa"}
    assert shown(page, "marked") == "128.0"
    assert page.results.results.value("marked_by_any") == pytest.approx(CROWNS)
    assert len(page.results.results.disagreements) == 0
    page.results.consensus_form.field(MAX_ITERATIONS).setValue(50)
    for method in METHODS[resolution]:
        assert consensus_area(page, method) == pytest.approx(CROWNS), method
    page.results.consensus_form.field(EXCLUDE_EACH).setChecked(True)
    assert not page.results.consensus_form.make_button.isEnabled()
    assert shows(
        page.results.consensus_form.problem_label.text(), "annotators.too_few_to_leave_out"
    )


def test_two(compared):
    page = compared({"ann": TARGET_BOXES, "bob": shifted(TARGET_BOXES, 1)}, look=False)
    results = page.results.results
    assert results.value("mean_f1") == pytest.approx(0.75)
    assert results.value("smyth_bound") == pytest.approx(8 * 8 / SIZE / 2)
    assert str(AgreementMessage.TWO_ANNOTATORS_BOUND) in page.results.notes.text()
    assert str(AgreementMessage.TWO_ANNOTATORS_CONSENSUS) in told(page, "annotators")
    assert str(AgreementMessage.TOO_FEW_FOR_OUTLIERS) in told(page, "dendrogram")
    assert [shown(page, "specificity", row) for row in (0, 1)] == ["1.000", "1.000"]
    assert [shown(page, "ppv", row) for row in (0, 1)] == ["1.000", "1.000"]
    assert consensus_area(page, "staple") in (pytest.approx(8 * 12), pytest.approx(8 * 20))
    assert (
        str(AgreementMessage.STAPLE_TWO_ANNOTATORS)
        in page.results.consensus_form.description_label.text()
    )
    assert consensus_area(page, "excl-0.5") == pytest.approx(8 * 20)
    assert (
        str(AgreementMessage.TOO_FEW_FOR_OUTLIERS)
        in page.results.consensus_form.description_label.text()
    )


def test_an_empty_one(compared):
    page = compared({"ann": TARGET_BOXES, "bob": shifted(TARGET_BOXES, 1), "none": []}, look=False)
    results = page.results.results
    assert results.find_pair(0, 2)["f1"] == 0
    assert results.f1_matrix()[2].tolist() == [0, 0, 1]
    assert shown(page, "ppv", 2) == "n/a"
    assert shown(page, "marked", 2) == "0.0"
    for tab in ("annotators", "pairs"):
        assert str(AgreementMessage.EMPTY_ANNOTATOR) in told(page, tab)


def test_all_empty(compared):
    page = compared({"ann": [], "bob": []})
    assert str(AgreementMessage.NOTHING_MARKED) in page.results.notes.text()
    for tab in ("annotators", "pairs", "dendrogram", "summary"):
        assert str(AgreementMessage.NOTHING_MARKED) in told(page, tab)
    assert "mean F1 by area <b>n/a</b>" in page.results.answer_label.text()
    page.results.limit_field.setValue(0.1)
    assert page.results.bound_label.text() == "Smyth's bound <b>n/a</b>: nobody marked anything"
    assert page.results.results.find_pair(0, 1)["f1"] == 1
    assert page.results.results.ratio["ratio"].isna().all()
    assert consensus_area(page, "any") == 0
    assert "it is empty" in page.results.consensus_form.description_label.text()
    assert consensus_area(page, "staple") == 0
    assert (
        str(AgreementMessage.STAPLE_NOTHING_TO_ESTIMATE)
        in page.results.consensus_form.description_label.text()
    )
    for pair, said in (
        ((0, 0), "ann marked nothing."),
        ((0, 1), "Neither of the two annotators marked anything."),
    ):
        page.results.pair_chosen.emit(*pair)
        assert (
            page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)[-1]
            == f"RandCrowns:{said}"
        )


@pytest.mark.parametrize("resolution", [0.0, 1.0])
def test_identical_ones(compared, resolution):
    page = compared(
        dict.fromkeys(("ann", "bob", "cleo"), TARGET_BOXES), resolution, look=not resolution
    )
    results = page.results.results
    assert results.value("mean_f1") == 1
    assert results.value("smyth_bound") == 0
    assert results.value("fleiss_kappa") == pytest.approx(1)
    assert not results.annotators["outlier"].any()
    assert len(results.disagreements) == 0
    assert "no place" in page.results.disagreement_table.description_label.text()
    page.results.consensus_form.field(MAX_ITERATIONS).setValue(50)
    for method in ("staple", "lsml") if resolution else ("0.75",):
        assert consensus_area(page, method) == pytest.approx(CROWNS), method


def test_a_plot_is_saved_with_its_numbers_however_small_it_is_shown(compared, tmp_path):
    people = {f"person_{number:02}": shifted(TARGET_BOXES[:1], number / 4) for number in range(16)}
    page = compared(people, look=False)
    page.results.tabs.setCurrentWidget(page.results.tabs_by_key["pairs"])
    page.window().resize(360, 500)
    heatmap = page.results.heatmap
    wait_until(lambda: not heatmap.axes.texts)
    assert [label.get_text() for label in heatmap.axes.get_yticklabels()] == [
        f"{number:02}" for number in range(16)
    ]
    heatmap.save(str(tmp_path / "plot.svg"))
    written = (tmp_path / "plot.svg").read_text()
    assert f"<!-- {results_f1(page, 0, 1):.2f} -->" in written
    assert not heatmap.axes.texts


def results_f1(page, one, other):
    return page.results.results.find_pair(one, other)["f1"]


def test_disjoint_ones(compared):
    page = compared(
        {name: shifted(TARGET_BOXES, by) for name, by in (("ann", 0), ("bob", 5), ("cleo", 40))}
    )
    results = page.results.results
    assert results.value("max_f1") == 0
    assert results.value("smyth_bound") == pytest.approx(3 * CROWNS / (3 * SIZE))
    assert results.value("fleiss_kappa") < 0
    assert not results.annotators["outlier"].any()
    assert shown(page, "ppv") == "0.000"
    assert shown(page, "sensitivity") == "n/a"
    assert str(AgreementMessage.EMPTY_CONSENSUS) in told(page, "annotators")
    assert consensus_area(page, "0.5") == 0
    assert consensus_area(page, "any") == pytest.approx(3 * CROWNS)


def test_sixty_four(compared):
    people = {f"person_{number:02}": shifted(TARGET_BOXES[:1], number / 64) for number in range(64)}
    page = compared(people)
    results = page.results.results
    assert len(results.names) == 64
    assert len(results.pairs) == 64 * 63 // 2
    assert results.find_pair(0, 63)["f1"] == pytest.approx((4 - 63 / 64) / 4)
    assert not math.isnan(results.value("fleiss_kappa"))
    assert consensus_area(page, "unanimous") == pytest.approx(4 * (4 - 63 / 64))
    page.results.pair_chosen.emit(0, 63)
    assert page.highlight.bands[0].asGeometry().area() == pytest.approx(4 * (4 - 63 / 64), rel=1e-6)
    assert page.results.disagreement_table.table.model.rowCount() > 0
    page.results.disagreement_table.select_frame_row(0)
    assert len(page.results.disagreement_table.description_label.text()) < 200


def test_the_tabs_take_no_more_height_than_there_is(qgis_app):
    panel = AnnotatorResultsPanel()
    assert panel.tabs.sizeHint().height() < 350
    sip.delete(panel)  # left to the search for garbage it may go while one of its slots is called


def test_names_with_commas_are_not_taken_apart(qgis_app):
    names = ["Muster, Max", "ann", "bob", "cleo", "dan", "eve"]
    row = {
        "rank": 1,
        "area": 2.0,
        "n_yes": 5,
        "n_no": 1,
        "yes": "all but one",
        "no": "bob",
        "votes": "110111",
    }
    steps = DisagreementTable()
    steps.show_frame(pd.DataFrame([row]), names, "m")
    steps.next_button.click()
    assert "5 yes: Muster, Max, ann, cleo, dan, …\n1 no: bob" in steps.description_label.text()
    for lost in ("votes", "yes", "rank"):
        with raises("results.field_lost", field=lost):
            steps.show_frame(pd.DataFrame([row]).drop(columns=lost), names, "m")


def test_long_names_one_of_whom_drew_elsewhere(compared):
    """Who did is named, and the heatmap stands still under the mouse."""
    names = ("somebody_with_quite_a_long_name", "another_with_quite_a_long_name", "far")
    page = compared(
        {name: shifted(TARGET_BOXES, by) for name, by in zip(names, (0, 1, 200))}, look=False
    )
    assert "far: all 8 polygons lie outside" in page.results.notes.text()
    assert "far: all 8 polygons" in page.results.tabs_by_key["pairs"].notes_label.text()
    assert "name:" not in page.results.notes.text()
    heatmap = page.results.heatmap
    page.results.tabs.setCurrentWidget(page.results.tabs_by_key["pairs"])
    page.window().resize(360, 800)
    spin(50)
    sizes = set()
    for row, column in itertools.product(range(3), repeat=2):
        heatmap.show_cell_description(SimpleNamespace(inaxes=heatmap.axes, xdata=column, ydata=row))
        spin(10)
        assert (
            heatmap.cell_label.heightForWidth(heatmap.cell_label.width())
            <= heatmap.cell_label.height()
        )
        sizes.add((heatmap.canvas.width(), heatmap.canvas.height(), heatmap.cell_label.height()))
    assert len(sizes) == 1
