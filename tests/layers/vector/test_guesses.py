"""What is guessed of layers: roles, plots, and whether all crowns were drawn."""

from __future__ import annotations

import pytest
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsFeature,
    QgsFeatureRequest,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)
from support.data import real_data
from support.layers import box_layer, layer_of, points_at
from support.rasters import write_raster

from randcrowns.layers.vector import guesses
from randcrowns.layers.vector.guesses import (
    LayerRole,
    are_field_measured,
    crown_layers,
    find_image_field,
    find_score_field,
    guess_area_layer,
    guess_class_field,
    guess_images,
    guess_plot_field,
    guess_prediction,
    guess_predictions,
    guess_roles,
    guess_target,
    imported_role,
    is_study_area,
    offered_polygon_layers,
    partial_layer_message,
    polygon_layers,
    role_messages,
    sample_outlines,
    set_imported_role,
)
from randcrowns.layers.vector.write import RESULT_PROPERTY
from randcrowns.ui.services.layer_info import guess_annotator_layers


def write_pixels(path):
    """Write an image of three bands without a georeference, and return its path."""
    data = gdal.GetDriverByName("GTiff").Create(str(path), 20, 20, 3)
    data.FlushCache()
    return str(path)


BOX = "POLYGON((500000 3000000, 500004 3000000, 500004 3000004, 500000 3000004, 500000 3000000))"


def layer(name, n=3, fields="", row=()):
    return layer_of(name, [BOX] * n, fields=fields, rows=[list(row)] * n if row else None)


def roles(*layers):
    target = guess_target(layers)
    return target.name(), guess_prediction(layers, target.id()).name()


@pytest.mark.parametrize(
    ("target", "prediction"),
    [
        ("field_crowns", "deepforest_boxes"),
        ("plots ground truth", "a detectree2 run"),
        ("my gt", "my crowns"),
        ("reference", "annotator_1"),
        ("zz_annotator", "model"),
        ("manual", "bboxes"),
        ("z crowns", "a predictions"),
    ],
)
def test_names_tell_the_roles(qgis_new_project, target, prediction):
    assert roles(layer(prediction), layer(target)) == (target, prediction)


def test_scores_tell_more_than_names_and_sizes(qgis_new_project):
    scored = layer("annotator", 1, "&field=Score:double", [0.5])
    assert find_score_field(scored) == "Score"
    assert roles(scored, layer("zz", 9)) == ("zz", "annotator")
    assert find_score_field(layer("a", 1, "&field=score:string", ["high"])) == ""


def test_scores_are_told_by_the_first_one_found(qgis_new_project, monkeypatch):
    """The dock calls this whenever a parameter changes, so that it must not read all crowns."""
    scored, asked = layer("a result", 9, "&field=score:double", [0.5]), []
    features = QgsVectorLayer.getFeatures

    def first(of: QgsVectorLayer, request: QgsFeatureRequest) -> list[QgsFeature]:
        asked.append(request.limit())
        return list(features(of, request))

    monkeypatch.setattr(QgsVectorLayer, "uniqueValues", None)
    monkeypatch.setattr(QgsVectorLayer, "getFeatures", first)
    assert find_score_field(scored) == "score"
    assert asked == [1]


def test_a_field_of_scores_without_any_is_nothing_a_detector_made(qgis_new_project):
    """As crowns have that were imported from a ground truth."""
    field = "&field=score:double"
    imported, found = layer("a truth", 3, field, [None]), layer("a result", 3, field, [0.5])
    assert (find_score_field(imported), find_score_field(layer("empty", 0, field))) == ("", "score")
    assert roles(found, imported) == ("a truth", "a result")
    assert role_messages(imported, [found]) == []


def test_the_smaller_layer_is_the_target_but_of_people_the_first(qgis_new_project):
    assert roles(layer("a", 9), layer("b", 8)) == ("b", "a")
    people = [layer(f"annotator_{number}", 9 - number) for number in (1, 2)]
    assert roles(*people) == ("annotator_1", "annotator_2")
    named = [
        layer(name, n, "&field=annotator:string", [name]) for name, n in (("ann", 5), ("ben", 4))
    ]
    assert roles(*named) == ("ann", "ben")


def test_an_area_or_an_empty_layer_is_no_target(qgis_new_project):
    assert roles(layer("study area", 1), layer("a", 9), layer("b", 8), layer("c", 0)) == ("b", "a")


def test_a_layer_that_may_hold_no_crowns_is_the_prediction_only_where_no_other_is_left(
    qgis_new_project,
):
    target, area, found = layer("truth"), layer("study area", 1), layer("z")
    assert guess_prediction([target, area, found], target.id()) is found
    plots = layer("plots", 1)
    assert guess_prediction([target, plots], target.id()) is plots
    # A study area holds no crowns.
    assert guess_prediction([target, area], target.id()) is None


def _boxes_of_people(names=("anna", "ben")):
    """Add layers of six crowns each to the project, and return them."""
    boxes = [(20.0 * number, 0.0, 20.0 * number + 8.0, 8.0) for number in range(6)]
    return QgsProject.instance().addMapLayers([box_layer(name, boxes) for name in names])


@pytest.mark.parametrize(
    ("name", "box", "expected"),
    [
        ("Peel_AOI_2500", (-5, -5, 120, 20), True),
        ("Peel_2500", (-5, -5, 120, 20), True),
        # A part of the crowns lies outside.
        ("Peel_2500", (-5, -5, 70, 20), False),
        # It is not much larger than a crown.
        ("Peel_2500", (0, 0, 9, 8), False),
        ("crowns of the AOI", (0, 0, 9, 8), False),
    ],
)
def test_a_study_area_is_recognised_by_name_or_outline(qgis_new_project, name, box, expected):
    people = _boxes_of_people()
    area = QgsProject.instance().addMapLayer(box_layer(name, [box]))
    assert is_study_area(area) == expected
    assert (area in crown_layers()) != expected
    assert guess_area_layer(*(person.id() for person in people)) == (area.id() if expected else "")
    assert not any(map(is_study_area, people))
    target = guess_target(polygon_layers())
    others = guess_predictions(polygon_layers(), target.id())
    if expected:
        assert area not in (target, *others)
        assert area.id() not in guess_annotator_layers()


def test_a_study_area_in_another_system_is_recognised(qgis_new_project):
    _boxes_of_people()
    metres = box_layer("a", [(-5, -5, 120, 20)])
    shape = next(metres.getFeatures()).geometry()
    degrees = QgsCoordinateReferenceSystem("EPSG:4326")
    shape.transform(QgsCoordinateTransform(metres.crs(), degrees, QgsProject.instance()))
    area = layer_of("Peel", [shape.asWkt(12)], crs="EPSG:4326")
    assert is_study_area(QgsProject.instance().addMapLayer(area))


def test_outlines_are_read_again_only_if_a_layer_has_changed(qgis_new_project, monkeypatch):
    people = _boxes_of_people()
    area = QgsProject.instance().addMapLayer(box_layer("Peel", [(-5, -5, 120, 20)]))
    read_layers = []

    def count_reads(layer):
        read_layers.append(layer.name())
        return sample_outlines(layer)

    monkeypatch.setattr(guesses, "sample_outlines", count_reads)
    assert is_study_area(area)
    assert is_study_area(area)
    assert sorted(read_layers) == sorted(map(QgsVectorLayer.name, [area, *people]))
    # Moved away while it is edited.
    area.startEditing()
    area.translateFeature(next(area.getFeatures()).id(), 1000, 0)
    assert not is_study_area(area)
    area.rollBack()
    assert is_study_area(area)
    area.setCrs(QgsCoordinateReferenceSystem("EPSG:32618"))
    assert not is_study_area(area)


def test_the_role_of_an_import_decides_what_is_a_study_area(qgis_new_project):
    _boxes_of_people()
    area = QgsProject.instance().addMapLayer(box_layer("Peel_AOI", [(-5, -5, 120, 20)]))
    set_imported_role(area, LayerRole.ANNOTATOR)
    assert not is_study_area(area)
    set_imported_role(area, LayerRole.STUDY_AREA)
    assert is_study_area(area)


def test_all_layers_that_look_the_same_in_one_place_are_predictions(qgis_new_project):
    layers = [layer("ground truth"), layer("ben"), layer("anna"), layer("cleo")]
    for person in layers[1:]:
        set_imported_role(person, LayerRole.ANNOTATOR)
    away = layer_of("dora", [BOX.replace("30000", "31000")])
    set_imported_role(away, LayerRole.ANNOTATOR)
    area = layer("study area", 1)
    target = layers[0].id()
    found = guess_predictions([*layers, away, area], target)
    assert [person.name() for person in found] == ["anna", "ben", "cleo"]
    # A detector looks more like predictions than people do.
    detector = layer("found", fields="&field=score:double", row=(0.5,))
    assert guess_predictions([*layers, detector], target) == [detector]


def test_layers_that_a_run_made_come_last_or_not_at_all(qgis_new_project):
    made, drawn = layer("a made"), layer("b")
    made.setCustomProperty(RESULT_PROPERTY, "CROWNS")
    QgsProject.instance().addMapLayers(
        [made, drawn, points_at([(0, 0)]), QgsVectorLayer("nowhere", "c", "ogr")]
    )
    assert polygon_layers() == [drawn]
    assert polygon_layers(include_results=True) == [drawn, made]
    # Only results with new outlines can be inputs of other runs.
    assert offered_polygon_layers() == [drawn]
    made.setCustomProperty(RESULT_PROPERTY, "CONSENSUS")
    assert offered_polygon_layers() == [drawn, made]


def test_the_target_of_one_layer_has_no_prediction(qgis_new_project):
    alone = layer("a")
    assert guess_target([alone]) is alone
    assert guess_prediction([alone], alone.id()) is None
    assert guess_target([]) is None


@pytest.mark.parametrize(
    "name", ["plot", "plotID", "Plot_Name", "site", "tile", "image", "image_path"]
)
def test_a_shared_plot_field_is_found(qgis_new_project, name):
    one, other = (layer(which, 3, f"&field={name}:string", ["A"]) for which in ("one", "other"))
    assert guess_plot_field(one, [other]) == name


def test_a_plot_field_is_of_both_with_common_names_and_no_measurement(qgis_new_project):
    text = layer("text", 3, "&field=plot:string", ["7"])
    whole = layer("whole", 3, "&field=PLOT:integer", [7])
    assert guess_plot_field(text, [whole]) == "plot"
    assert guess_plot_field(whole, [layer("none"), text]) == "PLOT"
    assert guess_plot_field(text, [layer("none"), text, None]) == ""
    assert guess_plot_field(text, [layer("other", 3, "&field=plot:string", ["8"])]) == ""
    real = [layer(name, 3, "&field=plot:double", [0.5]) for name in "ab"]
    assert guess_plot_field(real[0], real[1:]) == ""
    assert guess_plot_field(None, [text]) == ""


def test_a_layer_alone_has_a_plot_field_where_it_names_two(qgis_new_project):
    one = layer("one", 3, "&field=plot:string", ["7"])
    assert guess_plot_field(one, []) == ""
    one.dataProvider().changeAttributeValues({1: {0: "8"}})
    assert guess_plot_field(one, []) == "plot"
    assert guess_plot_field(one, [one]) == guess_plot_field(one, [None]) == ""


def test_the_finest_plot_field_is_taken(qgis_new_project):
    fields = "&field=site:string&field=plot:string"
    one, other = (layer(name, 3, fields, ["S", "P"]) for name in "ab")
    assert guess_plot_field(one, [other]) == "plot"


def test_many_predictions_show_that_some_crowns_were_drawn(qgis_new_project):
    assert partial_layer_message(layer("a", 2), layer("b", 11)).key == "drawn.many"
    assert partial_layer_message(layer("a", 2), layer("b", 10)) is None
    assert partial_layer_message(layer("a", 0), layer("b", 10)) is None
    assert partial_layer_message(layer("a"), None) is None
    assert partial_layer_message(layer("a", 0), layer("b", 0)) is None


def test_predictions_outside_the_plots_show_that_some_crowns_were_drawn(qgis_new_project):
    row = [(6.0 * number, 0.0, 6.0 * number + 4, 4.0) for number in range(10)]
    drawn, everywhere = box_layer("drawn", row[:3]), box_layer("everywhere", row)
    told = partial_layer_message(drawn, everywhere)
    assert told.key == "drawn.outside"
    assert told.values["inside"] == pytest.approx(3 / 10)
    assert partial_layer_message(box_layer("more", row[:4]), everywhere) is None


def test_plots_are_looked_at_one_by_one(qgis_new_project):
    boxes = [f"POLYGON(({x} 0, {x + 4} 0, {x + 4} 4, {x} 4, {x} 0))" for x in (0, 10, 20, 30, 40)]
    ends = layer_of("ends", [boxes[0], boxes[4]], fields="&field=plot:string", rows=[["A"], ["B"]])
    between = layer_of("between", boxes[:4])
    assert partial_layer_message(ends, between) is None
    assert partial_layer_message(ends, between, "plot").values["inside"] == pytest.approx(1 / 4)


def test_roles_the_wrong_way_round_are_told(qgis_new_project):
    scored = layer("boxes", 11, "&field=score:double", [0.5])
    few = layer("crowns", 2)
    assert [message.key for message in role_messages(scored, [few])] == [
        "roles.scores",
        "roles.more_targets",
    ]
    assert role_messages(few, [scored]) == []
    assert role_messages(None, [few]) == []
    assert all(message.is_warning for message in role_messages(scored, [few]))


def test_field_crowns_and_boxes(qgis_new_project):
    folder = real_data("field_osbs")
    boxes, crowns = (
        QgsVectorLayer(str(folder / f"{n}.gpkg"), n, "ogr")
        for n in ("deepforest_boxes", "field_crowns")
    )
    assert roles(boxes, crowns) == ("field_crowns", "deepforest_boxes")
    crowns.setName("zz")
    boxes.setName("aa")
    assert roles(boxes, crowns) == ("zz", "aa")
    assert guess_plot_field(crowns, [boxes]) == "plotID"
    assert partial_layer_message(crowns, boxes, "plotID").key == "drawn.many"
    assert not are_field_measured(crowns)
    crowns.setName("field_crowns")
    boxes.setName("field boxes")
    assert (are_field_measured(crowns), are_field_measured(boxes)) == (True, False)


@pytest.mark.parametrize(
    ("name", "shape", "expected"),
    [
        ("field crowns", "POLYGON((0 0, 6 0, 3 5, 0 0))", True),
        ("field crowns", BOX, False),
        ("crowns", "POLYGON((0 0, 6 0, 3 5, 0 0))", False),
        ("annotator in the field", "POLYGON((0 0, 6 0, 3 5, 0 0))", False),
    ],
)
def test_field_polygons_are_told_by_name_and_outline(qgis_new_project, name, shape, expected):
    assert are_field_measured(layer_of(name, [shape] * 3)) is expected
    assert not are_field_measured(layer_of("field", []))
    assert not are_field_measured(None)


def test_an_image_is_below_layers_whose_system_has_a_place_for_it(qgis_new_project, tmp_path):
    image = QgsRasterLayer(str(write_raster(tmp_path / "image.tif", [[1.0] * 20] * 20)), "image")
    QgsProject.instance().addMapLayer(image)
    elsewhere = layer("other half of the earth")
    elsewhere.setCrs(
        QgsCoordinateReferenceSystem.fromProj("+proj=ortho +lat_0=-40 +lon_0=97 +ellps=WGS84")
    )
    assert guess_images([elsewhere]) == []
    assert guess_images([elsewhere, layer("here")]) == [image.id()]


def test_the_image_is_the_plot_of_crowns_in_the_pixels_of_several(qgis_new_project):
    def of(*images, crs=""):
        return layer_of(
            "in pixels",
            ["POLYGON((0 0, 4 0, 4 4, 0 0))"] * 2,
            crs,
            fields="&field=image:string",
            rows=images,
        )

    assert find_image_field(of("a", "b")) == "image"
    assert find_image_field(of("a", "a")) == find_image_field(of("a", "b", crs="EPSG:32617")) == ""
    assert find_image_field(layer_of("in pixels", ["POLYGON((0 0, 4 0, 4 4, 0 0))"], "")) == ""


def test_images_without_a_georeference_are_those_that_the_crowns_name(qgis_new_project, tmp_path):
    names = ("tile_1.tif", "tile_2.tif", "other.tif")
    images = [
        QgsRasterLayer(write_pixels(tmp_path / name), name.replace("tif", "png")) for name in names
    ]
    QgsProject.instance().addMapLayers(images)
    crowns = layer_of(
        "in pixels",
        ["POLYGON((0 0, 4 0, 4 -4, 0 0))"] * 2,
        "",
        fields="&field=image:string",
        rows=[["val/tile_1.tif"], ["tile_2"]],
    )
    expected = {image.id() for image in images[:2]}
    assert set(guess_images([crowns])) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("crowns", "ignore"), ("crowns", "")),
        (("crowns", "areas to ignore", "boxes"), ("crowns", "boxes")),
        (("crowns", "study area"), ("crowns", "")),
        (("plot_1_field", "plot_1_boxes"), ("plot_1_field", "plot_1_boxes")),
    ],
)
def test_areas_are_not_shown_first_as_predictions(qgis_new_project, names, expected):
    QgsProject.instance().addMapLayers([layer(name) for name in names])
    found = [QgsProject.instance().mapLayer(one) for one in guess_roles()]
    assert tuple("" if one is None else one.name() for one in found) == expected


@pytest.mark.parametrize(
    ("name", "is_score"),
    [
        *((name, True) for name in ("score", "Scores", "conf", "confidence", "Confidence_score")),
        *((name, True) for name in ("stability_score", "predicted_iou", "detection_score")),
        *((name, True) for name in ("proba", "tree_probas")),
        *((name, True) for name in ("treeScore", "SCORE", "prob_tree", "probability", "score1")),
        *((name, False) for name in ("confirmed", "probe", "problem_id", "scoreboard", "iou")),
        *((name, False) for name in ("score_id", "conflict", "probable")),
        *((name, False) for name in ("conf_int", "confidence_interval", "score_date")),
    ],
)
def test_a_score_field_is_named_by_whole_words(qgis_app, name: str, is_score: bool):
    scored = layer("crowns", fields=f"&field={name}:double", row=[0.5])
    assert find_score_field(scored) == (name if is_score else "")


def classed(name, fields, *rows):
    return layer_of(name, [BOX] * len(rows), fields=fields, rows=list(rows))


def test_the_class_field_is_shared_named_like_a_class_and_varies(qgis_new_project):
    fields = "&field=label:string&field=TaxonID:string"
    targets = classed("trees", fields, ["Tree", "PIPA"], ["Tree", "PIPA"])
    found = classed("found", fields, ["Tree", "QULA"])
    assert guess_class_field(targets, [found]) == "TaxonID"
    assert guess_class_field(targets, []) == ""  # one value only
    assert guess_class_field(targets, [found, classed("bare", "", [])]) == ""
    assert guess_class_field(None, [found]) == ""
    spaced = [classed(name, "&field=species:string", [" oak"], ["oak "]) for name in "ab"]
    assert guess_class_field(spaced[0], spaced[1:]) == ""
    decimals = [classed(name, "&field=type:double", [0.5], [1.5]) for name in "ab"]
    assert guess_class_field(decimals[0], decimals[1:]) == ""


def test_the_role_that_the_user_gave_at_the_import_decides(qgis_new_project):
    """Against the names, the scores and the numbers of crowns."""
    named_truth, scored = layer("ground truth", 1), layer("a", 9, "&field=score:double", [0.5])
    assert roles(named_truth, scored) == ("ground truth", "a")
    set_imported_role(named_truth, LayerRole.DETECTOR)
    set_imported_role(scored, LayerRole.TARGETS)
    assert roles(named_truth, scored) == ("a", "ground truth")
    assert find_score_field(scored) == ""
    keys = [message.key for message in role_messages(scored, [named_truth])]
    assert keys == ["roles.more_targets"]
    assert imported_role(scored) is LayerRole.TARGETS
    assert imported_role(layer("b", 1)) is None
