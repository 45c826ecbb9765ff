"""Results of every page are stored in the project's file, and shown in a reopened project."""

from __future__ import annotations

import shutil

import pytest
from qgis.core import QgsVectorFileWriter, QgsVectorLayer
from support.clouds import labelled_cloud, write_cloud
from support.layers import TARGET_BOXES, box_layer, shifted
from support.panel import errors
from support.qt import spin, wait_until
from support.shown import shows

from randcrowns.algorithms.agreement.schema.parameters import RESOLUTION
from randcrowns.algorithms.common_parameters import ALPHA
from randcrowns.algorithms.instances.schema.parameters import CLOUD, TARGET_ATTRIBUTE
from randcrowns.algorithms.tuning.schema.outputs import CROWNS
from randcrowns.algorithms.tuning.schema.parameters import GRID_PARAMETERS
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.agreement.form import AGREEMENT_RASTER_FLAG
from randcrowns.ui.instances.form import INPUT_KIND
from randcrowns.ui.scoring.form import DESTINATION, FIELDS, NEW_LAYERS
from randcrowns.ui.tuning.page import ParametersPage
from randcrowns.ui.widgets.editors import RESULT_FILE


@pytest.fixture
def dock(same_dock):
    return same_dock


@pytest.fixture
def saved(project, tmp_path):
    people = [box_layer(f"person_{n}", shifted(TARGET_BOXES, n / 4)) for n in range(3)]
    project.addMapLayers(people)
    project.setCrs(people[0].crs())
    assert project.write(str(tmp_path / "plots.qgz"))
    return project


def results(project):
    return {
        layer.customProperty(RESULT_PROPERTY): (layer.name(), sum(1 for _ in layer.getFeatures()))
        for layer in project.mapLayers().values()
        if layer.customProperty(RESULT_PROPERTY) and isinstance(layer, QgsVectorLayer)
    }


def reopened(project):
    assert project.write()
    assert project.read(project.fileName())
    return results(project)


def test_instances_of_polygons_in_projects_of_any_name_and_files_of_ones_own(
    saved, dock, run, tmp_path
):
    page = dock.show_page("instances")

    def keeps(file):
        """Runs; the results are of that file."""
        run(page)
        assert errors(page) == []
        layers = [saved.mapLayer(one) for one in page.results.results.layer_ids.values()]
        assert {layer.source().partition("|")[0] for layer in layers} == {str(tmp_path / file)}
        made = results(saved)
        assert made["MATCHED_TARGETS"][1] == len(TARGET_BOXES)
        return made

    name = "Nov 22. plot v1.2"
    assert saved.write(str(tmp_path / f"{name}.qgz"))
    keeps(f"{name}_randcrowns.gpkg")
    page.form.result_file_field.set_path(str(tmp_path / "mine.v2.gpkg"))
    made = keeps("mine.v2.gpkg")
    assert QgsVectorLayer(str(tmp_path / "mine.v2.gpkg")).dataProvider().subLayerCount() == len(
        made
    )
    assert reopened(saved) == made
    there = [layer for layer in saved.mapLayers().values() if layer.name() == "Matched targets"]
    assert len(there) == 2
    for layer in there:
        assert layer.featureCount() == len(TARGET_BOXES)
        assert {category.value() for category in layer.renderer().categories()} >= {
            "true_positive",
            "false_negative",
        }


def test_instances_of_a_cloud_in_a_file_of_ones_own(saved, dock, run, tmp_path):
    xyz, target, prediction = labelled_cloud()
    cloud = write_cloud(tmp_path / "plot.laz", xyz, {"tree_id": target, "predicted_id": prediction})
    page = dock.show_page("instances")
    page.form.set_value(INPUT_KIND, "cloud")
    page.form.cloud_picker.file_field.setFilePath(str(cloud))
    page.form.result_file_field.set_path(str(tmp_path / "mine"))
    run(page)
    assert errors(page) == []
    page.results.target_table.choose_frame_row(1)
    assert len(page.map_link.highlight.bands) == 3
    made = results(saved)
    assert made["TREE_PARTITIONS"][1] > 0
    assert reopened(saved) == made
    assert {
        layer.source().partition("|")[0]
        for layer in saved.mapLayers().values()
        if layer.name() in dict(made.values())
    } == {str(tmp_path / "mine.gpkg")}


def test_agreement_and_consensus(saved, dock, run):
    page = dock.show_page("annotators")
    page.form.field(RESOLUTION).setValue(0.5)
    page.form.field(AGREEMENT_RASTER_FLAG).setChecked(True)
    run(page)
    assert errors(page) == []
    page.make_consensus()
    wait_until(lambda: page.run is None)
    assert errors(page) == []
    made = results(saved)
    assert made["AGREEMENT"][1] > 0
    assert made["CONSENSUS"][1] > 0
    rasters = [layer for layer in saved.mapLayers().values() if layer.name() == "Agreement raster"]
    assert [layer.source().startswith(saved.absolutePath()) for layer in rasters] == [True]
    assert reopened(saved) == made


def test_layers_added_from_page_parameters_or_told_that_they_cannot_be_kept(
    saved, dock, run, tmp_path
):
    page: ParametersPage = dock.show_page("parameters")
    for choice, value in zip(GRID_PARAMETERS, ((0.2, 0.4, 0.1), (0.3, 0.6, 0.1), (2.0, 3.0, 1.0))):
        page.form.field(choice).set_value(value)
    run(page)
    wait_until(lambda: not page.runs.side_run_keys)
    spin()
    page.form.result_file_field.set_path(str(tmp_path / "no such folder" / "kept.gpkg"))
    page.results.layers_button.click()
    assert shows(errors(page)[0], "layer.not_saved")
    assert results(saved) == {}
    page.form.result_file_field.set_path("")
    page.iface.messageBar().clear_messages()
    page.results.layers_button.click()
    assert errors(page) == []
    made = results(saved)
    assert made[CROWNS.id][1] > 0
    assert reopened(saved) == made


def test_paths_move_with_the_project_and_stay_out_of_a_new_one(saved, dock, tmp_path):
    xyz, target, prediction = labelled_cloud()
    write_cloud(tmp_path / "plot.laz", xyz, {"tree_id": target, "predicted_id": prediction})
    page = dock.show_page("instances")
    page.form.set_value(INPUT_KIND, "cloud")
    page.form.cloud_picker.file_field.setFilePath(str(tmp_path / "plot.laz"))
    page.form.result_file_field.set_path(str(tmp_path / "mine.gpkg"))
    assert saved.write()
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in ("plots.qgz", "plot.laz"):
        shutil.move(tmp_path / name, moved / name)
    saved.clear()
    assert page.form.settings()[CLOUD] == ""
    assert page.form.settings()[RESULT_FILE] == ""
    assert saved.read(str(moved / "plots.qgz"))
    settings = page.form.settings()
    assert settings[CLOUD] == str(moved / "plot.laz")
    assert settings[TARGET_ATTRIBUTE] == "tree_id"
    assert settings[RESULT_FILE] == str(moved / "mine.gpkg")


def test_choices_of_one_project_are_not_those_of_the_next(saved, dock):
    page = dock.show_page("score")
    page.form.set_value(DESTINATION, FIELDS)
    page.form.set_value(ALPHA, 0.9)
    saved.clear()
    people = [box_layer(f"another_{n}", shifted(TARGET_BOXES, n / 4)) for n in range(2)]
    saved.addMapLayers(people)
    spin()
    settings = page.form.settings()
    assert settings[DESTINATION] == NEW_LAYERS
    assert settings[ALPHA] == ALPHA.default
    assert page.form.run_problem() == ""


@pytest.mark.parametrize("store", ["plots.qgz", "store.gpkg"])
def test_in_folders_with_an_apostrophe_and_in_projects_of_a_geopackage(
    saved, dock, run, tmp_path, store
):
    """The results lie beside the project, and no page says that there is no file yet."""
    folder = tmp_path / "O'Brien's plots"
    folder.mkdir()
    expected = folder / "plots_randcrowns.gpkg"
    name = str(folder / store)
    if store.endswith(".gpkg"):
        layer = next(iter(saved.mapLayers().values()))
        options = QgsVectorFileWriter.SaveVectorOptions()
        QgsVectorFileWriter.writeAsVectorFormatV3(layer, name, saved.transformContext(), options)
        expected = folder / "store_my plots_randcrowns.gpkg"
        name = f"geopackage:{name}?projectName=my%20plots"
    assert saved.write(name)
    page = dock.show_page("instances")
    assert page.form.result_file_field.temporary_warning.isHidden()
    run(page)
    assert errors(page) == []
    sources = {
        saved.mapLayer(one).source().partition("|")[0]
        for one in page.results.results.layer_ids.values()
    }
    assert sources == {str(expected)}
    made = results(saved)
    assert made
    assert reopened(saved) == made
    assert dock.show_page("review").storage_problem_label.isHidden()
