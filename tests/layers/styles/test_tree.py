from __future__ import annotations

import numpy as np
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsDatumTransform,
    QgsGeometry,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)
from support.layers import layer_of
from support.rasters import write_raster

from randcrowns.layers.styles.tree import (
    add_images,
    add_run_group,
    combined_extent,
    move_to_group,
    prepare_saving,
    show_groups_of,
)


def names(group):
    return [child.name() for child in group.children()]


def test_a_group_per_run_on_top(qgis_new_project):
    project = QgsProject.instance()
    old = layer_of("old", [])
    project.addMapLayer(old)
    first = add_run_group(project, "run", [layer_of("a", []), layer_of("b", []), old])
    assert names(first) == ["a", "b", "old"]
    assert names(project.layerTreeRoot()) == ["run"]
    users = project.layerTreeRoot().insertGroup(0, "mine")
    second = add_run_group(project, "run", [layer_of("c", [])])
    assert [group.itemVisibilityChecked() for group in (first, users, second)] == [
        False,
        True,
        True,
    ]
    assert not first.isExpanded()
    project.layerTreeRoot().removeChildNode(users)
    assert names(project.layerTreeRoot()) == ["run", "run"]
    assert len(project.mapLayers()) == 4


def test_the_layers_of_a_run_come_into_the_project_together(qgis_new_project):
    told = []
    QgsProject.instance().layersAdded.connect(
        lambda layers: told.append([layer.name() for layer in layers])
    )
    add_run_group(QgsProject.instance(), "run", [layer_of("a", []), layer_of("b", [])])
    assert told == [["a", "b"]]


def test_layers_join_the_group_in_their_order(qgis_new_project):
    project = QgsProject.instance()
    for name, place in (("regions", 3), ("targets", 0), ("pairs", 2)):
        layer = layer_of(name, [])
        project.addMapLayer(layer)
        move_to_group(project, layer, "run", place)
        move_to_group(project, layer, "run", place)
    assert names(project.layerTreeRoot()) == ["run"]
    assert names(project.layerTreeRoot().children()[0]) == ["targets", "pairs", "regions"]


def test_the_group_stands_at_the_top_wherever_layers_were_loaded(qgis_new_project):
    project = QgsProject.instance()
    root = project.layerTreeRoot()
    earlier = add_run_group(project, "earlier", [layer_of("a", [])])
    mine = root.addGroup("mine")
    for place, inside in ((2, mine), (0, earlier), (1, root)):
        layer = layer_of(f"{place}", [])
        project.addMapLayer(layer, False)
        inside.addLayer(layer)
        move_to_group(project, layer, "run", place)
    assert names(root) == ["run", "earlier", "mine"]
    assert names(root.children()[0]) == ["0", "1", "2"]
    assert [names(mine), names(earlier)] == [[], ["a"]]
    assert root.children()[0].isExpanded()
    assert not earlier.isExpanded()


def test_a_layer_loaded_into_the_group_itself_takes_its_place(qgis_new_project):
    project = QgsProject.instance()
    first, second = layer_of("targets", []), layer_of("summary", [])
    project.addMapLayer(second)
    move_to_group(project, second, "run", 5)
    project.addMapLayer(first, False)
    (group,) = project.layerTreeRoot().children()
    group.addLayer(first)
    move_to_group(project, first, "run", 0)
    assert names(group) == ["targets", "summary"]


def test_a_layer_that_is_not_in_the_tree_is_left_alone(qgis_new_project):
    move_to_group(QgsProject.instance(), layer_of("x", []), "run", 0)
    assert names(QgsProject.instance().layerTreeRoot()) == []


def test_groups_of_inputs_hide_no_others_and_are_not_hidden(qgis_new_project):
    project = QgsProject.instance()
    run = add_run_group(project, "run", [layer_of("a", [])])
    imports = [
        add_run_group(project, name, [layer_of(name, [])], is_input=True)
        for name in ("first", "second")
    ]
    move_to_group(project, project.addMapLayer(layer_of("third", [])), "third", 0, is_input=True)
    assert all(group.itemVisibilityChecked() for group in (run, *imports))
    later = add_run_group(project, "later", [layer_of("b", [])])
    assert not run.itemVisibilityChecked()
    assert all(group.itemVisibilityChecked() for group in (later, *imports))
    show_groups_of(project, run.findLayerIds())
    assert all(group.itemVisibilityChecked() for group in (run, *imports))
    assert not later.itemVisibilityChecked()


def test_a_group_of_tables_hides_no_results_on_the_map(qgis_new_project):
    project = QgsProject.instance()
    scores = add_run_group(project, "scores", [layer_of("a", [])])

    def table(name):
        return QgsVectorLayer("None?field=x:int", name, "memory")

    ranking = add_run_group(project, "ranking", [table("b")])
    assert scores.itemVisibilityChecked()
    assert not scores.isExpanded()
    show_groups_of(project, ranking.findLayerIds())
    assert scores.itemVisibilityChecked()
    assert ranking.isExpanded()
    move_to_group(project, project.addMapLayer(table("c")), "toolbox", 1)
    assert scores.itemVisibilityChecked()
    move_to_group(project, project.addMapLayer(layer_of("d", [])), "toolbox", 0)
    assert not scores.itemVisibilityChecked()
    show_groups_of(project, scores.findLayerIds())
    visible = [
        group.name()
        for group in project.layerTreeRoot().findGroups()
        if group.itemVisibilityChecked()
    ]
    assert visible == ["scores"]


def test_imports_share_one_group_with_the_latest_on_top(qgis_new_project):
    project = QgsProject.instance()
    for name in ("first", "second"):
        group = add_run_group(project, "Imported crowns", [layer_of(name, [])], is_input=True)
    assert project.layerTreeRoot().findGroups() == [group]
    assert [node.name() for node in group.findLayers()] == ["second", "first"]


def test_images_are_added_once_below_the_topmost_group(qgis_new_project, tmp_path):
    project, path = QgsProject.instance(), str(tmp_path / "a.tif")
    gdal.GetDriverByName("GTiff").Create(path, 4, 3, 1)
    add_run_group(project, "run", [layer_of("a", [])])
    first, second = (
        add_images(project, [path, str(tmp_path / "absent.tif"), path]) for _ in range(2)
    )
    assert (
        first
        == second
        == [layer for layer in project.mapLayers().values() if layer.source() == path]
    )
    assert names(project.layerTreeRoot()) == ["run", "Images"]
    (_, group) = project.layerTreeRoot().findGroups()
    assert names(group) == ["a"]


def test_one_of_several_images_on_one_another_is_visible(qgis_new_project, tmp_path):
    project = QgsProject.instance()
    paths = [str(tmp_path / name) for name in ("a.tif", "b.tif", "map.tif")]
    for path in paths:
        gdal.GetDriverByName("GTiff").Create(path, 4, 3, 1)
    on_map = gdal.Open(paths[2], gdal.GA_Update)
    on_map.SetGeoTransform((500_000, 1, 0, 4_000_000, 0, -1))
    on_map.SetProjection(QgsCoordinateReferenceSystem("EPSG:32617").toWkt())
    del on_map
    images = add_images(project, paths)
    root = project.layerTreeRoot()
    nodes = [root.findLayer(one.id()) for one in images]
    assert [node.isVisible() for node in nodes] == [True, False, True]
    nodes[1].setItemVisibilityChecked(True)  # the user steps to the next image
    assert [node.isVisible() for node in nodes] == [False, True, True]
    # Those of a later import lie on the same place.
    gdal.GetDriverByName("GTiff").Create(str(tmp_path / "c.tif"), 4, 3, 1)
    (later,) = add_images(project, [str(tmp_path / "c.tif")])
    assert not root.findLayer(later.id()).isVisible()
    assert [group.name() for group in root.findGroups()] == ["Images"]


def test_the_extent_of_shapes_is_that_of_those_there_are():
    boxes = [QgsGeometry.fromRect(QgsRectangle(*box)) for box in ((0, 0, 1, 1), (4, 2, 5, 3))]
    assert combined_extent([None, *boxes, QgsGeometry()]) == QgsRectangle(0, 0, 5, 3)
    assert combined_extent([None]).isNull()


def test_an_image_in_another_crs_has_a_transformation_before_qgis_asks_for_it(
    qgis_new_project, tmp_path
):
    """QGIS knows several from WGS 84 to NAD 83, and asks when a raster is added."""
    project = QgsProject.instance()
    feet = QgsCoordinateReferenceSystem("EPSG:2238")
    # The map takes the CRS of its first layer later.
    project.addMapLayer(layer_of("crowns", [], "EPSG:2238"))
    assert project.crs() != feet
    known = []
    path = write_raster(tmp_path / "photo.tif", np.zeros((3, 4, 4)))
    project.layerWasAdded.connect(
        lambda layer: known.append(project.transformContext().hasTransform(layer.crs(), feet))
    )
    (layer,) = add_images(project, [str(path)])
    assert layer.crs().authid() == "EPSG:32617"
    assert known == [True]


def test_imported_crowns_have_transformations_before_qgis_warns_of_missing_grids(qgis_new_project):
    """QGIS prefers one with a grid that is not installed, and says so in the message bar."""
    project = QgsProject.instance()
    feet = QgsCoordinateReferenceSystem("EPSG:2238")
    degrees = QgsCoordinateReferenceSystem("EPSG:4326")
    known = []
    project.layerWasAdded.connect(
        lambda layer: known.append(project.transformContext().hasTransform(feet, degrees))
    )
    crowns = layer_of("crowns", [], "EPSG:2238")
    add_run_group(project, "Imported crowns", [crowns], is_input=True)
    assert known == [True]
    operation = project.transformContext().calculateCoordinateOperation(feet, degrees)
    usable = [one.proj for one in QgsDatumTransform.operations(feet, degrees) if one.isAvailable]
    assert operation == usable[0]


def test_a_project_is_saved_without_a_warning_of_a_missing_grid(qgis_new_project):
    """QGIS saves the extents of all layers in degrees."""
    project = QgsProject.instance()
    feet = QgsCoordinateReferenceSystem("EPSG:2238")
    degrees = QgsCoordinateReferenceSystem("EPSG:4326")
    crowns, others = layer_of("crowns", [], "EPSG:2238"), layer_of("others", [], "EPSG:32617")
    project.addMapLayers([crowns, others])
    prepare_saving(project)
    is_preferred_usable = QgsDatumTransform.operations(feet, degrees)[0].isAvailable
    context = crowns.transformContext()
    assert context == project.transformContext()
    assert context.hasTransform(feet, degrees) == (not is_preferred_usable)
    # A layer whose preferred transformation can be used changes nothing.
    assert not context.hasTransform(others.crs(), degrees)
