from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsGeometry,
    QgsProcessingContext,
    QgsProcessingFeatureSourceDefinition,
    QgsProject,
    QgsVectorLayer,
)
from qgis.gui import QgsGui, QgsProcessingGui
from support.data import real_data
from support.layers import EAST, NORTH, box_layer, layer_of, save
from support.matching import METHOD_POSITIONS
from support.processing import Listener
from support.shown import shows

OUTPUTS = ("MATCHED_TARGETS", "MATCHED_PREDICTIONS", "SUMMARY")
PANOPTIC, POINT2TREE, COVERAGE = 0, 1, 4


def box(x, y, width=4.0, height=4.0):
    x, y = x + EAST, y + NORTH
    return (
        f"POLYGON(({x} {y}, {x + width} {y}, {x + width} {y + height}, {x} {y + height}, {x} {y}))"
    )


@pytest.fixture
def layers(qgis_new_project):
    """Three targets: found at IoU 0.6, half predicted, missed; and a prediction far away."""
    fields = "&field=plot:string&field=tall:double&field=status:string"
    targets = layer_of(
        "trees",
        [box(0, 0), box(10, 0), box(20, 0)],
        fields=fields,
        rows=[["A", 5.0, "mine"], ["A", 9.0, "mine"], ["B", 7.0, "mine"]],
    )
    predictions = layer_of("found", [box(1, 0), box(10, 0, 2), box(60, 60)])
    return targets, predictions


@pytest.fixture
def evaluate(run, layers):
    def evaluate_layers(**parameters):
        given = {"TARGETS": layers[0], "PREDICTIONS": layers[1], **parameters}
        return run("evaluateinstances", given, parameters.pop("feedback", None), outputs=OUTPUTS)

    return evaluate_layers


def test_found_cut_and_missed(evaluate, layers):
    done = evaluate()
    assert done.ok, done.error
    targets, predictions = done.table("MATCHED_TARGETS"), done.table("MATCHED_PREDICTIONS")
    ids = sorted(layers[1].allFeatureIds())
    assert targets["status"].tolist() == ["true_positive", "false_negative", "false_negative"]
    np.testing.assert_allclose(targets["iou"], [12 / 20, 0.5, 0.0])
    np.testing.assert_allclose(targets["precision"], [0.75, 1.0, np.nan])
    np.testing.assert_allclose(targets["recall"], [0.75, 0.5, 0.0])
    assert targets["match_id"].tolist()[0] == ids[0]
    assert targets["segmentation_match_id"].tolist()[:2] == ids[:2]
    assert predictions["status"].tolist() == ["true_positive", "false_positive", "false_positive"]
    np.testing.assert_allclose(predictions["iou"].iloc[0], 0.6)
    np.testing.assert_allclose(targets["area"], 16.0)
    assert done.results["PRECISION"] == pytest.approx(1 / 3)
    assert done.results["PQ"] == pytest.approx(0.6 / 3)
    assert done.results["MEAN_IOU"] == pytest.approx(1.1 / 3)


def test_layers_that_lie_apart_make_a_warning(run, layers):
    far = layer_of("far", [box(900, 900)])
    done = run("evaluateinstances", {"TARGETS": layers[0], "PREDICTIONS": far}, outputs=OUTPUTS)
    assert done.ok, done.error
    assert "instances.no_overlap" in done.keys
    assert shows(done.results["WARNING"], "instances.no_overlap")
    assert done.results["WARNING"] in done.warnings


def test_one_layer_on_both_sides_makes_a_warning_but_parts_of_it_do_not(evaluate, layers):
    assert evaluate().results["WARNING"] == ""
    assert shows(evaluate(PREDICTIONS=layers[0]).results["WARNING"], "instances.same_layer")
    QgsProject.instance().addMapLayer(layers[0])
    layers[0].selectByIds(layers[0].allFeatureIds()[:1])
    done = evaluate(PREDICTIONS=QgsProcessingFeatureSourceDefinition(layers[0].id(), True))
    assert done.ok, done.error + done.refused
    assert done.results["WARNING"] == ""


def test_a_system_around_the_middle_of_the_earth_is_refused(run, layers):
    layers[1].setCrs(QgsCoordinateReferenceSystem("EPSG:4978"))
    done = run(
        "evaluateinstances", {"TARGETS": layers[0], "PREDICTIONS": layers[1]}, outputs=OUTPUTS
    )
    assert shows(done.refused, "crs.geocentric", name="found", crs="EPSG:4978")


def test_own_fields_are_kept(evaluate):
    targets = evaluate().table("MATCHED_TARGETS")
    assert targets["status_own"].tolist() == ["mine"] * 3
    assert targets["tall"].tolist() == [5.0, 9.0, 7.0]


def test_a_group_gives_a_row_per_plot(evaluate):
    done = evaluate(PLOT_FIELD="plot")
    summary = done.table("SUMMARY")
    assert summary["plot"].tolist() == ["all", "A", "B"]
    assert summary["targets"].tolist() == [3, 2, 1]
    assert summary["resampled"].iloc[0] == "plots"
    assert done.table("MATCHED_PREDICTIONS")["plot"].tolist() == ["A", "A", "B"]


def test_a_plot_called_all_has_another_name_than_the_row_of_all_plots(run, layers):
    rows = [["all"], ["all"], ["B"]]
    targets = layer_of(
        "trees", [box(0, 0), box(10, 0), box(20, 0)], fields="&field=plot:string", rows=rows
    )
    done = run(
        "evaluateinstances",
        {"TARGETS": targets, "PREDICTIONS": layers[1], "PLOT_FIELD": "plot"},
        outputs=OUTPUTS,
    )
    summary = done.table("SUMMARY")
    assert summary["plot"].tolist() == ["all", "B", "all (2)"]
    assert summary["targets"].tolist() == [3, 1, 2]
    assert shows(done.warnings, "plots.renamed", plot="all", name="all (2)")


def test_predictions_of_other_plots_are_not_compared(run, layers):
    predictions = layer_of("found", [box(1, 0)], fields="&field=plot:string", rows=[["B"]])
    done = run(
        "evaluateinstances",
        {"TARGETS": layers[0], "PREDICTIONS": predictions, "PLOT_FIELD": "plot"},
        outputs=OUTPUTS,
    )
    assert done.results["RECALL"] == 0


def test_the_tallest_target_chooses_first(run):
    targets = layer_of(
        "trees",
        [box(0, 0), box(4, 0, 3)],
        fields="&field=tall:double",
        rows=[[3.0], [8.0]],
        kind="Polygon",
    )
    predictions = layer_of("found", [box(3, 0)])
    given = {"TARGETS": targets, "PREDICTIONS": predictions, "DETECTION_METHOD": POINT2TREE}
    by_area = run("evaluateinstances", given, outputs=OUTPUTS)
    by_height = run("evaluateinstances", {**given, "HEIGHT_FIELD": "tall"}, outputs=OUTPUTS)
    assert by_area.table("MATCHED_TARGETS")["status"].tolist() == [
        "true_positive",
        "false_negative",
    ]
    assert by_height.table("MATCHED_TARGETS")["status"].tolist() == [
        "false_negative",
        "true_positive",
    ]
    assert shows(by_area.warnings, "height.area")
    assert shows(by_height.warnings, "height.field", field="tall")


def test_a_target_without_height_is_told(run):
    targets = layer_of(
        "trees", [box(0, 0), box(4, 0)], fields="&field=tall:double", rows=[[3.0], [None]]
    )
    given = {"TARGETS": targets, "PREDICTIONS": targets, "HEIGHT_FIELD": "tall"}
    assert run("evaluateinstances", given, outputs=OUTPUTS).ok
    done = run("evaluateinstances", {**given, "DETECTION_METHOD": POINT2TREE}, outputs=OUTPUTS)
    assert shows(done.error, "height.missing", ids=2)


@pytest.mark.parametrize("method", METHOD_POSITIONS)
def test_a_layer_against_itself_is_perfect(run, layers, method):
    given = {"TARGETS": layers[0], "PREDICTIONS": layers[0]}
    methods = {"DETECTION_METHOD": method, "SEGMENTATION_METHOD": method}
    done = run("evaluateinstances", {**given, **methods}, outputs=OUTPUTS)
    assert [done.results[name] for name in ("PRECISION", "RECALL", "F1", "PQ", "MEAN_IOU")] == [
        1.0
    ] * 5


def test_features_without_outline_are_kept_and_counted_out(run, layers):
    targets = layer_of("trees", [box(0, 0), None, box(10, 0)])
    done = run("evaluateinstances", {"TARGETS": targets, "PREDICTIONS": layers[1]}, outputs=OUTPUTS)
    table = done.table("MATCHED_TARGETS")
    assert table["status"].tolist() == ["true_positive", "no_geometry", "false_negative"]
    assert table["target_id"].tolist() == sorted(targets.allFeatureIds())
    assert done.table("SUMMARY")["targets"].iloc[0] == 2
    assert "without geometry" in done.warnings


def test_empty_layers(run, layers):
    empty = layer_of("empty", [])
    done = run("evaluateinstances", {"TARGETS": layers[0], "PREDICTIONS": empty}, outputs=OUTPUTS)
    assert done.results["RECALL"] == 0
    assert np.isnan(done.results["PRECISION"])
    assert done.results["WARNING"] == "Layer 'empty' has no polygons that can be used."
    done = run("evaluateinstances", {"TARGETS": empty, "PREDICTIONS": layers[1]}, outputs=OUTPUTS)
    assert done.ok, done.error
    assert np.isnan(done.results["RECALL"])
    assert (
        done.warnings
        == done.results["WARNING"]
        == "Layer 'empty' has no polygons that can be used."
    )


def test_another_coordinate_system_changes_nothing(run, layers):
    from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsGeometry

    moved = []
    there = QgsCoordinateTransform(
        layers[1].crs(),
        QgsCoordinateReferenceSystem("EPSG:4326"),
        QgsProject.instance().transformContext(),
    )
    for feature in layers[1].getFeatures():
        shape = QgsGeometry(feature.geometry())
        shape.transform(there)
        moved.append(shape.asWkt(12))
    degrees = layer_of("degrees", moved, crs="EPSG:4326")
    done = run("evaluateinstances", {"TARGETS": layers[0], "PREDICTIONS": degrees}, outputs=OUTPUTS)
    np.testing.assert_allclose(done.table("MATCHED_TARGETS")["iou"], [0.6, 0.5, 0.0], atol=1e-6)


def test_bad_input_is_told(run, layers):
    no_crs = layer_of("nowhere", [box(0, 0)], crs="")
    given = {"TARGETS": layers[0], "PREDICTIONS": layers[1]}
    assert shows(
        run("evaluateinstances", {**given, "PREDICTIONS": no_crs}, outputs=OUTPUTS).refused,
        "crs.missing",
    )
    assert shows(
        run("evaluateinstances", {**given, "PLOT_FIELD": "gone"}, outputs=OUTPUTS).refused,
        "targets.no_field",
        field="gone",
    )
    assert shows(
        run("evaluateinstances", {**given, "HEIGHT_FIELD": "plot"}, outputs=OUTPUTS).refused,
        "height.not_numeric",
    )


def test_cancel_writes_nothing(run, tmp_path):
    boxes = [
        (5.0 * (n % 40), 5.0 * (n // 40), 5.0 * (n % 40) + 4, 5.0 * (n // 40) + 4)
        for n in range(1200)
    ]
    layer = box_layer("many", boxes)
    given = {"TARGETS": layer, "PREDICTIONS": layer, "MATCHED_TARGETS": str(tmp_path / "out.gpkg")}
    for percent in (1, 40, 84, 95):
        assert run("evaluateinstances", given, Listener(cancel_at=percent), OUTPUTS).results == {}
        assert list(tmp_path.iterdir()) == []


def two_plots(names):
    return layer_of(
        "found",
        [box(1, 0), box(10, 0)],
        fields="&field=plot:string",
        rows=[[name] for name in names],
    )


def test_plots_spelled_differently_are_told(evaluate, layers):
    listener = Listener()
    done = evaluate(PREDICTIONS=two_plots(["a", "b "]), PLOT_FIELD="plot", feedback=listener)
    assert done.results["RECALL"] == 0
    assert done.results["WARNING"].startswith(
        "No plot is on both sides: 'trees' alone has A, B (3 crowns), 'found'"
    )
    assert done.results["WARNING"] in listener.warnings
    done = evaluate(PREDICTIONS=two_plots(["A", "C"]), PLOT_FIELD="plot", feedback=listener)
    assert done.results["WARNING"] == ""
    assert shows(
        done.results["INPUT_PROBLEMS"],
        "plots.some_apart",
        where="'trees' alone has B (1 crown), 'found' alone has C (1 crown)",
    )
    assert (
        "plots"
        not in evaluate(PREDICTIONS=two_plots(["A", "B"]), PLOT_FIELD="plot").results[
            "INPUT_PROBLEMS"
        ]
    )


def test_results_loaded_into_a_project_are_no_inputs(evaluate, layers):
    import processing
    from processing.core.Processing import Processing
    from processing.gui.Postprocessing import handleAlgorithmResults
    from qgis.core import QgsApplication, QgsProcessingContext, QgsProcessingOutputLayerDefinition

    from randcrowns.ui.services.layer_info import polygon_layers

    Processing.initialize()
    assert processing
    project = QgsProject.instance()
    project.addMapLayers(layers)
    context, listener = QgsProcessingContext(), Listener()
    context.setProject(project)
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(
        "randcrowns:evaluateinstances"
    )
    wanted = {
        name: QgsProcessingOutputLayerDefinition("TEMPORARY_OUTPUT", project) for name in OUTPUTS
    }
    parameters = {"TARGETS": layers[0], "PREDICTIONS": layers[1], **wanted}
    assert algorithm.run(parameters, context, listener)[1], listener.errors
    assert handleAlgorithmResults(algorithm, context, listener, parameters=parameters)
    assert {layer.name() for layer in polygon_layers()} == {"trees", "found"}
    group = project.layerTreeRoot().children()[0]
    assert [node.name() for node in group.children()] == [
        "Matched targets",
        "Matched predictions",
        "Summary",
    ]


@pytest.mark.parametrize("method", METHOD_POSITIONS)
def test_one_prediction_counts_once(run, method):
    """Two targets that overlap, a prediction that fits both, and a stray one."""
    targets = layer_of("trees", [box(0, 0), box(0.5, 0)])
    predictions = layer_of("found", [box(0.2, 0), box(60, 60)])
    given = {"TARGETS": targets, "PREDICTIONS": predictions, "DETECTION_METHOD": method}
    done = run("evaluateinstances", given, outputs=OUTPUTS)
    row = done.table("SUMMARY").iloc[0]
    assert row[["tp", "fp", "fn"]].tolist() == [1, 1, 1]
    assert row[["precision", "recall", "f1"]].tolist() == [0.5, 0.5, 0.5]
    assert done.table("MATCHED_TARGETS")["status"].tolist() == ["true_positive", "false_negative"]
    assert row["merges"] == 1
    assert (
        done.table("MATCHED_TARGETS")["iou"] > 0.7
    ).all()  # segmentation keeps the method's own pairs


def test_one_prediction_counts_once_in_the_row_of_its_plot(run):
    fields = "&field=plot:string"
    targets = layer_of(
        "trees", [box(0, 0), box(0.5, 0), box(20, 0)], fields=fields, rows=[["A"], ["A"], ["B"]]
    )
    predictions = layer_of("found", [box(0.2, 0), box(20, 0)], fields=fields, rows=[["A"], ["B"]])
    given = {"TARGETS": targets, "PREDICTIONS": predictions, "PLOT_FIELD": "plot"}
    summary = run("evaluateinstances", given, outputs=OUTPUTS).table("SUMMARY").set_index("plot")
    assert summary["tp"].to_dict() == {"all": 2, "A": 1, "B": 1}
    assert summary["recall"].round(3).to_dict() == {"all": 0.667, "A": 0.5, "B": 1.0}
    iou = 3.8 / 4.2
    assert summary.loc["A", "pq"] == pytest.approx(iou / 1.5)


def test_where_only_some_crowns_were_drawn_the_others_are_not_judged(evaluate):
    done = evaluate(ALL_DRAWN=False)
    row = done.table("SUMMARY").iloc[0]
    assert row[["targets", "predictions", "not_judged", "tp", "fn"]].tolist() == [3, 3, 2, 1, 2]
    for name in ("fp", "precision", "f1", "pq", "rq", "precision_low", "f1_high"):
        assert pd.isna(row[name]), name
    assert row["recall"] == pytest.approx(1 / 3)
    assert row["mean_iou"] == pytest.approx(1.1 / 3)
    assert row["sq"] == pytest.approx(0.6)
    assert np.isnan(done.results["PRECISION"])
    assert done.table("MATCHED_PREDICTIONS")["status"].tolist() == [
        "true_positive",
        "not_judged",
        "not_judged",
    ]
    assert shows(done.warnings, "drawn.some", undefined="precision, F1, PQ and AP")
    assert "not_judged" not in evaluate().table("SUMMARY")


def test_many_more_predictions_than_targets_are_told(run):
    targets = layer_of("trees", [box(0, 0)])
    predictions = layer_of("found", [box(10 * number, 0) for number in range(6)])
    given = {"TARGETS": targets, "PREDICTIONS": predictions}
    done = run("evaluateinstances", given, outputs=OUTPUTS)
    assert "drawn.doubtful" in done.keys
    assert "All crowns in the area were drawn" in done.results["WARNING"]
    assert (
        "drawn.doubtful"
        not in run("evaluateinstances", {**given, "ALL_DRAWN": False}, outputs=OUTPUTS).keys
    )


def test_targets_with_scores_or_many_times_as_many_are_told(run):
    few = layer_of("few", [box(0, 0)])
    scored = layer_of(
        "many", [box(x, 0) for x in range(6)], fields="&field=score:double", rows=[[0.5]] * 6
    )
    done = run("evaluateinstances", {"TARGETS": scored, "PREDICTIONS": few}, outputs=OUTPUTS)
    assert {"roles.scores", "roles.more_targets"} <= set(done.keys)
    assert shows(done.results["WARNING"], "roles.scores")
    other = run("evaluateinstances", {"TARGETS": few, "PREDICTIONS": scored}, outputs=OUTPUTS)
    assert not [key for key in other.keys if key.startswith("roles")]


def test_a_plot_field_that_is_not_chosen_is_told_where_it_matters(run):
    fields = "&field=plotID:string"
    targets = layer_of("trees", [box(0, 0), box(20, 0)], fields=fields, rows=[["A"], ["B"]])
    predictions = layer_of("found", [box(0, 0), box(20, 0)], fields=fields, rows=[["B"], ["B"]])
    given = {"TARGETS": targets, "PREDICTIONS": predictions}
    done = run("evaluateinstances", given, outputs=OUTPUTS)
    assert "plots.unused_names" in done.keys
    chosen = run("evaluateinstances", {**given, "PLOT_FIELD": "plotID"}, outputs=OUTPUTS)
    assert "plots.unused_names" not in chosen.keys
    assert (done.results["RECALL"], chosen.results["RECALL"]) == (1.0, 0.5)
    apart = layer_of("found", [box(0, 0), box(20, 0)], fields=fields, rows=[["A"], ["B"]])
    done = run("evaluateinstances", {**given, "PREDICTIONS": apart}, outputs=OUTPUTS)
    assert "plots.unused" not in done.keys
    assert shows(done.results["INPUT_PROBLEMS"], "plots.known", plots=2, field="plotID")
    assert "plots.known" not in chosen.keys


def _each_once(crowns, boxes):
    """Count crowns with a box of their plot at an IoU above 1/2, one to one, the best first."""
    sides = []
    for layer in (crowns, boxes):
        shapes = shapely.make_valid(
            shapely.from_wkb([bytes(f.geometry().asWkb()) for f in layer.getFeatures()])
        )
        sides.append((shapes, [feature["plotID"] for feature in layer.getFeatures()]))
    (one, plots), (other, others) = sides
    tree, found = shapely.STRtree(other), []
    for target, shape in enumerate(one):
        for prediction in tree.query(shape):
            shared = shape.intersection(other[prediction]).area
            iou = shared / (shape.area + other[prediction].area - shared)
            if iou > 0.5 and plots[target] == others[prediction]:
                found.append((-iou, target, prediction))
    served, given = set(), set()
    for _, target, prediction in sorted(found):
        if target not in served and prediction not in given:
            served.add(target)
            given.add(prediction)
    return len(served)


def test_field_crowns_and_boxes(run):
    """The figures of docs/instances.md."""
    folder = real_data("field_osbs")
    crowns, boxes = (
        QgsVectorLayer(str(folder / f"{n}.gpkg"), n, "ogr")
        for n in ("field_crowns", "deepforest_boxes")
    )
    given = {"TARGETS": crowns, "PREDICTIONS": boxes}
    right = run(
        "evaluateinstances", {**given, "PLOT_FIELD": "plotID", "ALL_DRAWN": False}, outputs=OUTPUTS
    )
    row = right.table("SUMMARY").iloc[0]
    assert row["tp"] == _each_once(crowns, boxes) == 159
    assert row[["targets", "predictions", "not_judged", "fn"]].tolist() == [
        458,
        10394,
        10235,
        299,
    ]
    assert row[["recall", "mean_iou", "sq"]].astype(float).round(3).tolist() == [
        0.347,
        0.328,
        0.637,
    ]
    assert shows(right.results["WARNING"], "plots.covered", count=61)
    bare = run("evaluateinstances", given, outputs=OUTPUTS)
    wrong = bare.table("SUMMARY").iloc[0]
    assert wrong[["precision", "recall", "mean_iou"]].astype(float).round(3).tolist() == [
        0.019,
        0.439,
        0.409,
    ]
    assert {"plots.unused", "drawn.doubtful"} <= set(bare.keys)


def shown_first(definition):
    """What the toolbox's field for a parameter shows when it opens."""
    wrapper = QgsGui.processingGuiRegistry().createParameterWidgetWrapper(
        definition, QgsProcessingGui.WidgetType.Standard
    )
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    wrapper.widget = wrapper.createWrappedWidget(context)
    return wrapper.parameterValue()


def test_the_toolbox_opens_with_two_layers_in_their_roles(algorithms, qgis_new_project):
    scored = layer_of("a boxes", [box(0, 0)], fields="&field=score:double", rows=[[0.5]])
    trees = layer_of("trees", [box(0, 0), box(9, 0)])
    QgsProject.instance().addMapLayers([scored, trees])
    algorithm = algorithms.algorithm("evaluateinstances").create()
    roles = [algorithm.parameterDefinition(name) for name in ("TARGETS", "PREDICTIONS")]
    assert [shown_first(definition) for definition in roles] == [trees.id(), scored.id()]
    assert [definition.defaultValue() for definition in roles] == [None, None]
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    fits, why = algorithm.checkParameterValues({"TARGETS": trees.id()}, context)
    assert not fits
    assert "PREDICTIONS: no value" in why
    score = algorithms.algorithm("scorecrowns").create()
    assert shown_first(score.parameterDefinition("TARGETS")) == trees.id()


def test_the_toolbox_opens_without_layers(algorithms, qgis_new_project):
    algorithm = algorithms.algorithm("evaluateinstances").create()
    assert algorithm.parameterDefinition("PREDICTIONS").guiDefaultValueOverride() is None


def test_what_lies_on_no_target_or_is_low_is_uncertain(run, qgis_new_project):
    """By the share of area on targets (overlaps count once), and by the predictions' heights."""
    fields = "&field=tall:double"
    targets = layer_of(
        "trees", [box(0, 0), box(0, 2), box(20, 0)], fields=fields, rows=[[5.0], [5.0], [5.0]]
    )
    # On the overlapping targets by 12 of 32 m² (10 + 2 twice), off them all, and low.
    shapes = [box(2, 0, 8, 4), box(60, 60), box(40, 0), box(20, 0)]
    found = layer_of("found", shapes, fields=fields, rows=[[9.0], [9.0], [1.0], [0.5]])
    given = {"TARGETS": targets, "PREDICTIONS": found, "HEIGHT_FIELD": "tall"}

    def statuses(**more):
        done = run("evaluateinstances", {**given, **more}, outputs=OUTPUTS)
        assert done.ok, done.error
        table = done.table("MATCHED_PREDICTIONS")["status"].tolist()
        assert done.table("SUMMARY")["uncertain"].iloc[0] == table.count("uncertain")
        return table

    false, unsure, right = "false_positive", "uncertain", "true_positive"
    assert statuses() == [false, false, false, right]
    covered = shapely.union_all([shapely.box(0, 0, 4, 4), shapely.box(0, 2, 4, 6)])
    share = float(shapely.area(shapely.intersection(covered, shapely.box(2, 0, 10, 4)))) / 32
    assert statuses(MIN_PRECISION_FP=share - 0.01) == [false, unsure, unsure, right]
    assert statuses(MIN_PRECISION_FP=share + 0.01) == [unsure, unsure, unsure, right]
    assert statuses(MIN_HEIGHT_FP=2.0) == [false, false, unsure, right]


def test_heights_that_the_predictions_lack_are_told(evaluate):
    done = evaluate(MIN_HEIGHT_FP=2.0, HEIGHT_FIELD="tall")
    assert done.ok, done.error
    assert shows(done.warnings, "instances.no_height", count=3)
    assert "uncertain" not in done.table("MATCHED_PREDICTIONS")["status"].tolist()


@pytest.mark.parametrize("of_all", [True, False])
def test_the_documented_metrics_of_polygons(run, layers, of_all):
    given = {"TARGETS": layers[0], "PREDICTIONS": layers[1], "INCLUDE_UNMATCHED": of_all}
    done = run("evaluateinstances", given, outputs=(*OUTPUTS, "METRICS"))
    row = done.table("METRICS").iloc[0]
    assert [row[f"Detection{name}"] for name in ("TP", "FP", "FN")] == [1, 2, 2]
    assert row["DetectionOmissionError"] == pytest.approx(2 / 3)
    # IoU 0.6 and 0.5, and of the third target 0 where it counts.
    assert row["SegmentationMeanIoU"] == pytest.approx(1.1 / (3 if of_all else 2))
    assert row["SegmentationMeanPrecision"] == pytest.approx((0.75 + 1.0) / 2)


def in_pixels(name, boxes, images, scores=None):
    """Crowns of images without a georeference, as an import makes them."""
    fields = (
        "&field=label:string&field=score:double&field=image:string&field=source:string"
        "&field=row:integer"
    )
    rows = [
        ["Tree", None if scores is None else scores[n], image, f"{name}.csv", n + 1]
        for n, image in enumerate(images)
    ]
    shapes = [shapely.box(x, -y - 4, x + 4, -y).wkt for x, y in boxes]
    return layer_of(name, shapes, crs="", fields=fields, rows=rows)


def test_crowns_in_pixels_are_compared_within_their_images(run, qgis_new_project):
    targets = in_pixels("drawn", [(0, 0), (10, 0), (0, 0)], "aab")
    predictions = in_pixels("found", [(0, 0), (10, 1), (0, 0)], "baa", [0.9, 0.8, 0.7])
    given = {"TARGETS": targets, "PREDICTIONS": predictions}
    done = run("evaluateinstances", given, outputs=OUTPUTS)
    assert done.ok, done.refused or done.error
    assert shows(done.said("instances.images"), "instances.images")
    table = done.table("SUMMARY").set_index("plot")
    assert table.loc[["all", "a", "b"], "tp"].tolist() == [3, 2, 1]
    assert done.table("MATCHED_TARGETS")["match_id"].tolist() == [3, 2, 1]
    assert done.results["UNIT"] == "px"
    assert not done.layer("MATCHED_TARGETS").crs().isValid()
    assert done.table("MATCHED_TARGETS")["area"].tolist() == [16.0] * 3
    assert table.loc["all", "ap50"] == 1.0


def test_temporary_layers_without_a_system_are_in_pixels(run, qgis_new_project, tmp_path):
    """QGIS takes degrees for them. Boxes of 40 x 40 pixels, 10 apart: IoU 30 / 50."""
    places = [(0, -100), (200, -250), (400, -700)]
    layers = []
    for shift in (0, 10):
        layer = QgsVectorLayer("Polygon", f"shifted {shift}", "memory")
        assert layer.crs().authid() == "EPSG:4326"
        boxes = [shapely.box(x + shift, y, x + shift + 40, y + 40) for x, y in places]
        features = [QgsFeature() for _ in boxes]
        for feature, crown in zip(features, boxes):
            feature.setGeometry(QgsGeometry.fromWkt(crown.wkt))
        layer.dataProvider().addFeatures(features)
        layer.updateExtents()
        layers.append(layer)
    without = layer_of("file", [], crs="")
    without.dataProvider().addFeatures(list(layers[1].getFeatures()))
    without.updateExtents()
    for predictions in (layers[1], save(without, tmp_path / "file.gpkg")):
        done = run(
            "evaluateinstances", {"TARGETS": layers[0], "PREDICTIONS": predictions}, outputs=OUTPUTS
        )
        assert done.ok, done.refused or done.error
        assert done.table("SUMMARY")["mean_iou"].tolist() == pytest.approx([0.6])
        assert "crs.assumed" not in done.keys
        assert done.keys.count("input.pixels") == 1


def test_pixels_are_not_mixed_with_metres_and_have_no_lengths(run, qgis_new_project):
    pixels, metres = in_pixels("drawn", [(0, 0)], "a"), layer_of("metres", [box(0, 0)])
    lost = layer_of("lost", [box(0, 0)], crs="")
    refused = run(
        "evaluateinstances", {"TARGETS": pixels, "PREDICTIONS": metres}, outputs=OUTPUTS
    ).refused
    assert shows(refused, "crs.pixel_coordinates", name="drawn")
    refused = run(
        "evaluateinstances", {"TARGETS": lost, "PREDICTIONS": lost}, outputs=OUTPUTS
    ).refused
    assert shows(refused, "crs.missing", name="lost")
    refused = run("scorecrowns", {"TARGETS": pixels, "DELINEATIONS": [pixels]}).refused
    assert shows(refused, "crs.pixel_coordinates")
    assert shows(refused, "crs.pixel_coordinates")
