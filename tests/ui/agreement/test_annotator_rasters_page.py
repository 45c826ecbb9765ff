"""Test images without a georeference on pages Annotators and Detectors."""

from __future__ import annotations

import numpy as np
import pytest
from osgeo import gdal
from qgis.core import Qgis, QgsCoordinateReferenceSystem, QgsProject, QgsRasterLayer, QgsRectangle
from support.marks import image_case, plain_raster, plain_rasters, smyth
from support.qt import spin, wait_until

from randcrowns.algorithms.agreement.schema.parameters import (
    EXCLUDED,
    IMAGE,
    METHOD,
    STUDY_AREA,
)
from randcrowns.algorithms.common_parameters import MARK_VALUE
from randcrowns.algorithms.detectors.schema.parameters import (
    ALL_DRAWN,
    BOOTSTRAP_SAMPLES,
    PLOT_FIELD,
    TOLERANCE,
    TRAINING,
)
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.algorithms.multiple_images import IMAGES


@pytest.fixture(scope="module")
def case():
    return image_case(21)


@pytest.fixture(scope="module")
def folder(case, tmp_path_factory):
    """Annotators, detectors, and a mask of where somebody could look."""
    made = tmp_path_factory.mktemp("rasters")
    rows, columns = np.indices((60, 90))
    plain_raster(made / "field_of_view.tif", np.hypot(rows - 30, columns - 45) < 40)
    plain_rasters(made, {**case.annotators, **case.detectors})
    return made


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def layers(project, folder):
    found = [QgsRasterLayer(str(path), path.stem) for path in sorted(folder.glob("*.tif"))]
    project.addMapLayers(found)
    spin()
    return {layer.name(): layer for layer in found}


def names_of(layer_ids):
    return [QgsProject.instance().mapLayer(layer_id).name() for layer_id in layer_ids]


def test_rasters_are_compared_in_px_from_loading_to_consensus(dock, layers, case, run):
    page = dock.show_page("annotators")
    assert page.stack.currentWidget() is not page.empty_state
    assert names_of(page.form.annotator_list.checked_ids()) == list(case.annotators)
    assert not page.form.field(MARK_VALUE).isHidden()
    page.form.set_value(STUDY_AREA, AreaValue("layer", layers["field_of_view"].id()))
    run(page)
    view = gdal.Open(layers["field_of_view"].source()).ReadAsArray() > 0
    results = page.results.results
    assert results.value("smyth_bound") == pytest.approx(smyth(case.annotators, view), abs=1e-12)
    assert f"({view.sum():,} px²)" in page.results.answer_label.text()
    assert "px²" in page.results.disagreement_table.description_label.text()
    header = page.results.annotator_table.model
    assert any("px²" in str(header.headerData(k, 1)) for k in range(header.columnCount()))
    page.results.consensus_form.set_value(METHOD, "lsml")
    assert page.results.consensus_form.make_button.isEnabled()
    page.results.consensus_form.set_value(METHOD, "0.5")
    page.results.consensus_form.make_button.click()
    wait_until(lambda: "px²" in page.results.consensus_form.description_label.text())
    made = [
        one
        for one in QgsProject.instance().mapLayers().values()
        if one.name().startswith("Consensus")
    ]
    assert sorted(one.extent().yMaximum() <= 0 and not one.crs().isValid() for one in made) == [
        True,
        True,
    ]


def test_rasters_are_ranked_against_rasters(dock, layers, case, run):
    page = dock.show_page("detectors")
    assert names_of(page.form.detector_list.checked_ids()) == list(case.detectors)
    assert names_of(page.form.annotator_list.checked_ids()) == list(case.annotators)
    page.form.set_value(TRAINING, layers["field_of_view"].id())
    page.form.set_value(BOOTSTRAP_SAMPLES, 0)
    run(page)
    assert "px²" in page.results.settings_label.text()
    page.results.cell_selected.emit("", "person_1")
    assert "person_1" in page.results.map_label.text()
    bars = page.iface.messageBar()
    assert not bars.get_messages(Qgis.MessageLevel.Warning)


def test_the_tolerance_is_in_the_unit_of_the_layers_checked_and_only_crowns_have_plots(
    dock, layers
):
    form = dock.show_page("detectors").form
    field = form.field(TOLERANCE)
    assert field.suffix() == " px"
    assert [form.field(choice).isHidden() for choice in (PLOT_FIELD, ALL_DRAWN)] == [True, True]
    form.annotator_list.check_layers(())
    form.detector_list.check_layers(())
    assert field.suffix() == " m"
    assert [form.field(choice).isHidden() for choice in (PLOT_FIELD, ALL_DRAWN)] == [False, False]
    form.detector_list.check_layers([layers["detector_1"].id()])
    form.set_value(TOLERANCE, 3.0)
    assert field.text() == "3.00 px"


def test_a_mask_that_is_chosen_is_kept_with_the_project(dock, layers):
    page = dock.show_page("annotators")
    page.form.set_value(EXCLUDED, layers["field_of_view"].id())
    assert page.form.settings()[EXCLUDED] == layers["field_of_view"].id()
    given = page.form.settings().to_parameters((EXCLUDED,))
    assert given == {"EXCLUDED_RASTER": layers["field_of_view"].id()}


def test_several_images_are_compared_on_the_page(dock, project, tmp_path, run):
    for seed in (1, 2):
        drawn = image_case(seed, people=3).annotators
        project.addMapLayers(
            plain_rasters(tmp_path, {f"{seed}_{name[-1]}": marks for name, marks in drawn.items()})
        )
    spin()
    page = dock.show_page("annotators")
    page.form.set_value(IMAGES, "{image}_{annotator}")
    assert page.run_bar.run_button.text() == "Compare 6 rasters of several images"
    run(page)
    results = page.results.results
    assert results.names == ["1", "2", "3"]
    assert results.value("study_area") == 2 * 60 * 90
    assert len(results.summary_by_image) == 3 * len(results.summary)
    page.results.consensus_form.make_button.click()
    wait_until(lambda: "px²" in page.results.consensus_form.description_label.text())
    (made,) = [
        one
        for one in QgsProject.instance().mapLayers().values()
        if one.name().startswith("Consensus")
    ]
    assert {one["image"] for one in made.getFeatures()} == {"1", "2"}


def test_agreement_and_the_photograph_of_each_of_several_images(dock, project, tmp_path, run):
    for seed in range(4):
        drawn = image_case(seed, people=2).annotators
        named = {f"{seed}_{name[-1]}": marks for name, marks in drawn.items()}
        photo = np.float32(sum(marks.astype(int) for marks in drawn.values())) + np.float32(
            np.eye(60, 90)
        )
        project.addMapLayers(plain_rasters(tmp_path, {**named, f"{seed}": 30 * photo}))
    spin()
    page = dock.show_page("annotators")
    assert len(page.form.annotator_list.checked_ids()) == 8
    page.form.set_value(IMAGES, "{image}_{annotator}")
    page.form.set_value(IMAGE, QgsProject.instance().mapLayersByName("3")[0].id())
    assert page.form.run_problem() == ""
    run(page)
    shown = page.results.image_table.model.frame
    assert shown["image"].drop_duplicates().tolist() == ["all images", "0", "1", "2", "3"]
    over_all = shown[(shown["image"] == "all images") & (shown["property"] == "intensity")].iloc[0]
    assert over_all["correlation"] > 0.5
    assert over_all["n_effective"] > 3
    assert page.results.image_table.model.headerData(0, 1) == "Image"
    # A disagreement is shown on the photograph of its image.
    layer = QgsProject.instance().mapLayer(page.results.results.layer_ids["DISAGREEMENTS"])
    image_of_rank = {one["rank"]: one["image"] for one in layer.getFeatures()}
    root = QgsProject.instance().layerTreeRoot()
    for image in ("0", "2"):
        rank = next(rank for rank, name in image_of_rank.items() if name == image)
        page.results.disagreement_chosen.emit(rank)
        photos = {name: QgsProject.instance().mapLayersByName(name)[0] for name in "0123"}
        visible = [name for name, one in photos.items() if root.findLayer(one.id()).isVisible()]
        assert visible == [image]


def test_the_map_as_shown_is_a_study_area_of_pixels(dock, layers, run):
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem())
    page = dock.show_page("annotators")
    page.iface.mapCanvas().setExtent(QgsRectangle(10, -30, 40, -10))
    page.form.set_value(STUDY_AREA, AreaValue("canvas"))
    assert page.form.run_problem() == ""
    run(page)
    shown = page.iface.mapCanvas().extent()
    inside = shown.intersect(QgsRectangle(0, -60, 90, 0))
    assert page.results.results.value("study_area") == pytest.approx(inside.area(), rel=0.1)


def test_detectors_of_several_images_are_ranked_on_the_page(dock, project, tmp_path, run):
    for seed in (1, 2):
        case = image_case(seed, people=2, detectors=2)
        named = {
            f"{seed}_{name.replace('_', '')}": one
            for name, one in {**case.annotators, **case.detectors}.items()
        }
        project.addMapLayers(plain_rasters(tmp_path, named))
    spin()
    page = dock.show_page("detectors")
    page.form.set_value(BOOTSTRAP_SAMPLES, 0)
    page.form.set_value(IMAGES, "{image}_{annotator}")
    assert page.run_bar.run_button.text() == "Rank 4 rasters of several images"
    run(page)
    results = page.results.results
    assert results.detectors == ["detector1", "detector2"]
    assert results.truths_of("areas")[:2] == ["person1", "person2"]
    shown = page.results.score_table.model.frame
    assert shown["image"].unique().tolist() == ["all images", "1", "2"]
    assert len(shown) == 3 * len(results.truths_of("areas"))
