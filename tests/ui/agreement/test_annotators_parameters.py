"""Test the advanced parameters of page Annotators.

Each is passed to the algorithm, shown only where it applies, and stored.
"""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import QgsMultiBandColorRenderer, QgsProject, QgsRasterLayer
from support.consensus import consensus_layers, made_consensus, rows_of
from support.layers import EAST, NORTH, TARGET_BOXES, box_layer, layer_of, shifted
from support.panel import errors
from support.qt import spin, wait_until
from support.rasters import write_raster
from support.shown import shows

from randcrowns.algorithms.agreement.schema.outputs import AGREEMENT_RASTER
from randcrowns.algorithms.agreement.schema.parameters import (
    BLOCK_SIDE,
    BOOTSTRAP_SAMPLES,
    COLOUR_BANDS,
    EXCLUDE_EACH,
    EXCLUDED,
    IMAGE,
    METHOD,
    PLOT_FIELD,
    RESOLUTION,
    STUDY_AREA,
    WINDOW,
)
from randcrowns.algorithms.estimation_parameters import (
    ASSIGN_CONSENSUS,
    CLIPPED,
    CURVATURE,
    MAX_ITERATIONS,
    SIMPLE_FACTOR,
    SIMPLE_RULE,
)
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.ui.agreement.form import AGREEMENT_RASTER_FLAG
from randcrowns.ui.services.settings import read_parameters

SHIFTS = {"ann": 0, "bob": 0.5, "cleo": 3}


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def page(project, dock):
    people = [box_layer(name, shifted(TARGET_BOXES, by)) for name, by in SHIFTS.items()]
    area = box_layer("study area", [(-10.0, -10.0, 50.0, 50.0)])
    clouds = box_layer("clouds study", [(-1.0, -1.0, 9.0, 9.0)])
    project.addMapLayers([*people, area, clouds])
    project.setCrs(area.crs())
    found = dock.show_page("annotators")
    found.form.annotator_list.check_layers(tuple(layer.id() for layer in people))
    found.form.field(STUDY_AREA).set_area(AreaValue("layer", area.id()))
    found.form.field(BOOTSTRAP_SAMPLES).setValue(80)
    return found


@pytest.fixture
def image(project, tmp_path):
    """Four bands of 60 x 60 m; the last is bright where ann drew."""
    bands = np.random.default_rng(5).uniform(1, 200, (4, 60, 60))
    bands[3] = 10.0
    for xmin, ymin, xmax, ymax in np.array(TARGET_BOXES, dtype=int) + 10:
        bands[3, 60 - ymax : 60 - ymin, xmin:xmax] = 200.0
    path = write_raster(tmp_path / "image.tif", bands, west=500000 - 10, north=3000000 + 50)
    layer = QgsRasterLayer(str(path), "image")
    layer.setRenderer(QgsMultiBandColorRenderer(layer.dataProvider(), 3, 2, 1))
    project.addMapLayer(layer)
    return layer


def choose(combo, key):
    combo.setCurrentIndex(combo.findData(key))


def test_lsml_is_made_as_published_on_demand_and_says_that_it_drifts(page, run):
    page.form.field(RESOLUTION).setValue(1.0)
    run(page)
    rows = rows_of(made_consensus(page, "lsml"))
    assert {row["parameters"] for row in rows} == {
        "clipped=True, max_iterations=1000, curvature=0.0"
    }
    assert (
        str(AgreementMessage.LEVEL_SET_DRIFT)
        not in page.results.consensus_form.description_label.text()
    )
    page.results.consensus_form.field(CLIPPED).setChecked(False)
    page.results.consensus_form.field(MAX_ITERATIONS).setValue(30)
    page.results.consensus_form.field(CURVATURE).setValue(0.2)
    QgsProject.instance().removeMapLayers([layer.id() for layer in consensus_layers()])
    rows = rows_of(made_consensus(page, "lsml"))
    assert {row["parameters"] for row in rows} == {
        "clipped=False, max_iterations=30, curvature=0.2"
    }
    said = page.results.consensus_form.description_label.text()
    assert str(AgreementMessage.LEVEL_SET_DRIFT) in said
    assert str(AgreementMessage.LEVEL_SET_START) in said


def test_only_the_choices_of_the_method_are_shown_and_all_are_kept(page):
    bar = page.results.consensus_form
    page.results.show()  # a part of a page that was on show before unfolds only when it is again
    page.results.consensus_box.setCollapsed(False)
    bar.group_boxes[0].setCollapsed(False)
    own = {
        "0.5": set(),
        "staple": {ASSIGN_CONSENSUS},
        "simple": {SIMPLE_RULE, SIMPLE_FACTOR},
        "lsml": {CLIPPED, MAX_ITERATIONS, CURVATURE},
    }
    every = set().union(*own.values())
    for method, choices in own.items():
        choose(bar.field(METHOD), method)
        shown = {choice for choice in every if bar.field(choice).isVisibleTo(bar)}
        assert shown == choices, method
        assert bar.field(EXCLUDE_EACH).isVisibleTo(bar)
    bar.field(MAX_ITERATIONS).setValue(77)
    bar.field(EXCLUDE_EACH).setChecked(True)
    kept = read_parameters("annotators")
    assert (kept["max_iterations"], kept["consensus_leave_one_out"], kept["method"]) == (
        77,
        True,
        "lsml",
    )
    bar.field(MAX_ITERATIONS).setValue(1000)
    page.store_parameters()
    page.load_parameters()
    assert bar.field(MAX_ITERATIONS).value() == 1000


def test_polygons_are_left_out_of_the_study_area(page, run):
    clouds = QgsProject.instance().mapLayersByName("clouds study")[0]
    page.form.field(EXCLUDED).select_layer(clouds.id())
    run(page)
    assert errors(page) == []
    assert page.results.results.value("study_area") == pytest.approx(60 * 60 - 100)
    rows = rows_of(made_consensus(page, "any"))
    assert sum(row["area"] for row in rows) == pytest.approx(
        7 * 7 * 4
    )  # one crown of eight lies in the clouds
    page.form.set_value(EXCLUDED, "")
    assert page.results.is_stale


def test_the_agreement_map_as_a_raster(page, run):
    page.form.group_boxes[1].setCollapsed(False)
    page.form.field(AGREEMENT_RASTER_FLAG).setChecked(True)
    assert page.form.field(AGREEMENT_RASTER_FLAG).isHidden()
    assert AGREEMENT_RASTER not in page.requested_outputs(page.settings())
    page.form.field(RESOLUTION).setValue(0.5)
    assert not page.form.field(AGREEMENT_RASTER_FLAG).isHidden()
    run(page)
    assert errors(page) == []
    layer = QgsProject.instance().mapLayer(page.results.results.layer_ids["AGREEMENT_RASTER"])
    values = gdal.Open(layer.source()).ReadAsArray()
    counts = [int((values == number).sum()) for number in range(4)]
    # Each of the eight crowns is 4 m high. One annotator marked 3.5 + 2.5 - 3 = 3 m of its width,
    # two marked 3 m, and all marked 1 m.
    assert counts[1:] == [8 * 8 * 2 * width for width in (3, 3, 1)]
    assert sum(counts) == values.size == 120 * 120
    marked = page.results.results.value("marked_by_any")
    assert sum(counts[1:]) * 0.25 == pytest.approx(marked)


def test_an_image_of_a_part_of_the_study_area_is_told_beside_its_numbers(
    page, project, tmp_path, run
):
    values = np.random.default_rng(5).uniform(1, 200, (60, 30))
    half = QgsRasterLayer(
        str(write_raster(tmp_path / "half.tif", values, west=499990, north=3000050)), "half"
    )
    project.addMapLayer(half)
    page.form.field(IMAGE).set_value(half.id())
    run(page)
    said = page.results.tabs_by_key["image"].notes_label.text()
    assert shows(said, "image.part", name="half", share=50)


def test_polygons_that_name_nobody_are_told_on_the_page(page, project, run):
    rows = [("ann",)] * 3 + [("bob",)] * 3 + [("",), (None,)]
    everybody = box_layer("everybody", TARGET_BOXES, fields="&field=annotator:string", rows=rows)
    project.addMapLayer(everybody)
    page.form.annotator_list.check_layers((everybody.id(),))
    assert page.form.annotator_box.currentData() == "annotator"
    run(page)
    said = "Layer 'everybody': 2 crowns without an annotator's name are excluded (features 7, 8)."
    assert said in page.results.notes.text()
    assert said in page.results.tabs_by_key["annotators"].notes_label.text()


def correlations(page):
    return page.results.results.image_correlations.set_index("property")["correlation"]


def test_bands_window_draws_and_blocks_reach_the_run(page, image, run):
    form, sentences = page.form, page.results.tabs_by_key["image"].notes_label
    form.group_boxes[1].setCollapsed(False)
    assert form.field(COLOUR_BANDS).isHidden()
    assert form.field(WINDOW).isHidden()
    form.field(IMAGE).set_value(image.id())
    assert not form.field(COLOUR_BANDS).isHidden()
    assert form.field(COLOUR_BANDS).value() == (3, 2, 1)  # those shown
    run(page)
    assert errors(page) == []
    first, noise = page.results.results, correlations(page)
    assert shows(sentences.text(), "image.colours", bands="3, 2, 1")
    assert str(AgreementMessage.BLOCK_CORRELATION) in sentences.text()
    assert "too few blocks" not in sentences.text()
    form.field(WINDOW).setValue(4)
    form.field(WINDOW).editingFinished.emit()
    assert form.field(WINDOW).value() == 5
    form.field(BOOTSTRAP_SAMPLES).setValue(50)
    run(page)
    assert errors(page) == []
    second = page.results.results
    assert correlations(page)["contrast"] != pytest.approx(noise["contrast"])
    assert first.value("mean_f1", "low") != second.value("mean_f1", "low")
    for box in form.field(COLOUR_BANDS).boxes:
        box.setValue(4)
    assert page.results.is_stale
    form.field(BLOCK_SIDE).setValue(40.0)
    run(page)
    found = correlations(page)
    assert found["intensity"] == pytest.approx(found["band 4"])
    assert found["intensity"] > noise["intensity"] + 0.5
    assert "the number of annotators varies in too few blocks" in sentences.text()
    assert shows(sentences.text(), "image.colours", bands="4, 4, 4")
    page.store_parameters()
    form.field(COLOUR_BANDS).boxes[0].setValue(1)
    page.load_parameters()
    assert form.field(COLOUR_BANDS).value() == (4, 4, 4)


def test_plots_of_a_field_are_compared_and_made_into_a_consensus(project, dock, run):
    fields, rows = "&field=plot:string", [(plot,) for plot in "aabb"]
    corners = [(0, 0), (10, 0), (200, 0), (210, 0)]
    people = [
        layer_of(
            name,
            [
                shapely.box(EAST + x + by, NORTH + y, EAST + x + 6, NORTH + y + 6)
                for x, y in corners
            ],
            "EPSG:32617",
            "Polygon",
            fields,
            rows,
        )
        for name, by in (("ann", 0), ("ben", 1))
    ]
    project.addMapLayers(people)
    project.setCrs(people[0].crs())
    page = dock.show_page("annotators")
    assert names_in(page.form.field(PLOT_FIELD)) == ["plot"]
    page.form.set_value(PLOT_FIELD, "plot")
    run(page)
    results = page.results.results
    assert results.summary_by_image["image"].unique().tolist() == ["all images", "a", "b"]
    assert results.value("study_area") == pytest.approx(4 * 36)
    page.results.consensus_form.make_button.click()
    wait_until(lambda: bool(consensus_layers()))
    (made,) = consensus_layers()
    assert {one["image"] for one in made.getFeatures()} == {"a", "b"}
    people[0].startEditing()
    people[0].changeAttributeValue(next(people[0].getFeatures()).id(), 0, "b")
    wait_until(lambda: page.results.is_stale)  # the plot of a crown is another


def names_in(box):
    return [box.itemText(row) for row in range(box.count()) if box.itemText(row)]


def test_no_consensus_of_results_that_are_out_of_date(page, run):
    run(page)
    made_consensus(page, "0.5")
    assert page.results.consensus_form.description_label.text()
    bob = QgsProject.instance().mapLayersByName("bob")[0]
    QgsProject.instance().removeMapLayer(bob.id())
    spin()
    bar = page.results.consensus_form
    assert not bar.make_button.isEnabled()
    assert "layer bob was removed." in bar.problem_label.text()
    assert "Run again" in bar.problem_label.text()
    page.make_consensus()
    assert page.run is None
    assert len(consensus_layers()) == 1
    run(page)
    assert bar.make_button.isEnabled()
    assert not bar.description_label.text()
