"""Crowns in pixels and trees of clouds, which page Instances evaluates, are reviewed."""

from __future__ import annotations

from pathlib import Path

import pytest
import shapely
from osgeo import gdal
from qgis.core import QgsProject, QgsRasterLayer
from support.clouds import labelled_cloud, write_cloud
from support.layers import layer_of
from support.panel import run_page
from support.qt import wait_until
from support.reviewing import ids, move, press

from randcrowns.algorithms.instances.schema.parameters import CLOUD
from randcrowns.algorithms.report.schema.parameters import HTML
from randcrowns.layers.files.project_results import project_geopackage
from randcrowns.layers.files.verdict_file import VerdictFile

#: Two photos in pixels would lie on each other; these are the crowns of one.
TARGETS = [(0.0, 0.0, 10.0, 10.0), (20.0, 0.0, 30.0, 10.0), (40.0, 0.0, 50.0, 10.0)]
#: One exact, one shifted by 6 of 10 pixels, none for the third, one without a target.
FOUND = [(0.0, 0.0, 10.0, 10.0), (26.0, 0.0, 36.0, 10.0), (80.0, 0.0, 90.0, 10.0)]
#: IoU of the shifted pair by shapely.
SHIFTED_IOU = (
    shapely.box(*TARGETS[1]).intersection(shapely.box(*FOUND[1])).area
    / shapely.box(*TARGETS[1]).union(shapely.box(*FOUND[1])).area
)


@pytest.fixture
def review(project, same_dock, tmp_path):
    """Page Review, as the button of page Instances opens it after a run."""
    layers = [
        layer_of(name, [shapely.box(*box) for box in boxes], "", "Polygon")
        for name, boxes in (("truth", TARGETS), ("found", FOUND))
    ]
    QgsProject.instance().addMapLayers(layers)
    assert QgsProject.instance().write(str(tmp_path / "plot.qgz"))
    page = same_dock.show_page("instances")
    page.show_parameters({"TARGETS": layers[0].id(), "PREDICTIONS": layers[1].id()})
    run_page(page)
    assert page.results.review_button.isVisible()
    page.results.review_button.click()
    assert same_dock.page.key == "review"
    return same_dock.page


def test_crowns_in_pixels_get_verdicts_from_the_worst_on(review):
    first, second, third = sorted(review.session.crowns["feature_id"].unique())
    sides = review.session.crowns.set_index(["side", "feature_id"])
    assert sides.loc[("target", first), ["problem", "iou"]].tolist() == ["none", 1.0]
    assert sides.loc[("target", second), "problem"] == "low overlap"
    assert sides.loc[("target", second), "score"] == pytest.approx(SHIFTED_IOU)
    assert sides.loc[("target", third), "problem"] == "missing"
    extras = sides.loc["delineation"]
    assert extras["problem"].tolist() == ["extra"] * len(extras)
    assert third in extras.index

    assert ids(review)[0] == review.session.current_crown["feature_id"]
    assert review.session.current_crown["score"] == 0.0
    assert review.verdict_bar.buttons["rejected"].isEnabled()
    assert "IoU 0.00" in review.crown_label.text() or "Prediction" in review.crown_label.text()
    assert "RandCrowns" not in review.crown_label.text()

    judged = review.session.current_crown
    press(review, "rejected")
    (verdict,) = VerdictFile(Path(project_geopackage())).read().itertuples()
    assert (verdict.feature_id, verdict.side) == (judged["feature_id"], judged["side"])
    assert (verdict.layer, verdict.delineations) == ("truth", "found")
    assert verdict.verdict == "rejected"
    # The next crown without a verdict follows, and the outlines of crown and match are drawn.
    assert review.session.current_crown["feature_id"] != judged["feature_id"] or (
        review.session.current_crown["side"] != judged["side"]
    )


def test_only_measures_of_pixels_are_offered(review):
    form = review.queue_form
    assert [option.key for option in form.order_box.options] == ["iou", "change", "sample"]
    assert form.max_score_box.accessibleName() == "IoU below"
    headers = [column.title for column in review.crown_table.model.columns]
    assert "IoU" in headers
    assert "RC" not in headers
    form.max_score_box.setValue(0.5)
    assert 1.0 not in review.session.crowns["iou"].to_numpy()[review.session.listed_rows]


def test_a_prediction_is_called_as_on_page_instances(review):
    """The words of page Score, which has delineations, would be a second word for one thing."""
    crowns = review.session.crowns
    review.go_to(crowns.index[crowns["side"] == "delineation"][0])
    number = review.session.current_crown["feature_id"]
    cause = "No target for this prediction: false detection"
    judged = "You judge the prediction: is it a tree, and drawn right?"
    assert review.crown_label.text() == f"Prediction {number} of found.\n{cause}\n{judged}"
    model = review.crown_table.model
    (side,) = [column for column in model.columns if column.name == "side"]
    assert side.format_value("delineation") == "prediction"
    table_texts = [text for column in model.columns for text in (column.title, column.tooltip)]
    assert not [text for text in table_texts if "elineation" in text]


@pytest.mark.parametrize(
    ("side", "number", "judged", "rejected"),
    [
        ("target", 1, "You judge the prediction for this crown.", "The detected outline is wrong"),
        ("target", 3, "You judge the target: is it a tree", "The target is no"),
        (
            "delineation",
            3,
            "You judge the prediction: is it a tree",
            "The detected outline is no tree",
        ),
    ],
)
def test_each_kind_of_row_says_what_is_judged(review, side, number, judged, rejected):
    crowns = review.session.crowns
    of_side = crowns[crowns["side"] == side]
    position = {1: 0, 3: -1}[number]
    review.go_to(of_side.sort_values("feature_id").index[position])
    assert judged in review.crown_label.text()
    tooltip = review.verdict_bar.buttons["rejected"].toolTip()
    assert tooltip.startswith(rejected)
    assert tooltip.endswith("(key 2)")
    review.go_to(-1)
    assert review.verdict_bar.buttons["rejected"].toolTip() == "The crown is wrong (key 2)"


def test_a_target_with_too_little_overlap_has_one_word_for_its_state(review):
    crowns = review.session.crowns
    review.go_to(crowns.index[crowns["problem"] == "low overlap"][0])
    assert "low overlap" in review.crown_label.text()
    assert "not detected" not in review.crown_label.text()


def test_the_outline_and_its_match_are_read_for_the_map(review):
    row = review.session.crowns.index[review.session.crowns["problem"] == "low overlap"][0]
    review.go_to(row)
    crs = review.highlight.map_crs()
    scored = review.session.scored_layer
    crown = review.session.current_crown
    outlines = scored.read_outlines(crown, crs, review.session.delineation_layers)
    boxes = {
        name: shapely.from_wkb(bytes(shape.asWkb())).bounds for name, shape in outlines.items()
    }
    assert boxes == {"": TARGETS[1], "found": FOUND[1]}


def test_trees_of_a_point_cloud_get_verdicts(project, same_dock, tmp_path):
    """One found, one cut in half (IoU 20 of 40 points), one without a prediction, one too many."""
    xyz, target, prediction = labelled_cloud()
    path = write_cloud(
        tmp_path / "plot_7.laz", xyz, {"tree_id": target, "predicted_id": prediction}
    )
    assert QgsProject.instance().write(str(tmp_path / "plot.qgz"))
    page = same_dock.show_page("instances")
    page.show_parameters({CLOUD.name: str(path)})
    wait_until(lambda: page.run_bar.run_button.isEnabled())
    run_page(page)
    assert page.results.review_button.isVisible()
    page.results.review_button.click()
    review = same_dock.page
    assert review.key == "review"
    crowns = review.session.crowns.set_index(["side", "feature_id"])
    assert crowns.loc[("target", 0), ["problem", "iou"]].tolist() == ["none", 1.0]
    assert crowns.loc[("target", 1), ["problem", "iou"]].tolist() == ["low overlap", 0.5]
    assert crowns.loc[("target", 2), "problem"] == "missing"
    assert crowns.loc[("delineation", 3), "problem"] == "extra"
    press(review, "rejected")
    (verdict,) = VerdictFile(Path(project_geopackage())).read().itertuples()
    assert (verdict.layer, verdict.delineations) == ("tree_id", "predicted_id")
    # Found again by the file and the attributes, since no layer has the trees.
    assert verdict.layer_source == f"{path} tree_id"


def test_a_photo_of_several_is_shown_with_its_own_outlines(project, same_dock, tmp_path):
    """Two photos in pixels lie on each other: a crown of each at the same place."""
    images = []
    for name in ("a.png", "b.png"):
        picture = gdal.GetDriverByName("MEM").Create("", 60, 40, 3)
        gdal.GetDriverByName("PNG").CreateCopy(str(tmp_path / name), picture)
        images.append(QgsRasterLayer(str(tmp_path / name), name))
    boxes = [shapely.box(4, -20, 12, -10), shapely.box(5, -21, 13, -11)]
    layers = [
        layer_of(name, boxes, "", fields="&field=image:string", rows=[["a.png"], ["b.png"]])
        for name in ("truth", "found")
    ]
    project.addMapLayers([*layers, *images])
    page = same_dock.show_page("instances")
    page.show_parameters({"TARGETS": layers[0].id(), "PREDICTIONS": layers[1].id()})
    run_page(page)
    page.results.review_button.click()
    review = same_dock.page
    root = project.layerTreeRoot()
    for name, box, is_visible in (("b.png", 1, [False, True]), ("a.png", 0, [True, False])):
        crowns = review.session.crowns
        row = crowns.index[(crowns["plot"] == name) & (crowns["side"] == "target")][0]
        review.go_to(row)
        assert [root.findLayer(image.id()).isVisible() for image in images] == is_visible
        # The first two bands are the outlines of targets and predictions nearby.
        drawn = [shapely.from_wkt(band.asGeometry().asWkt()) for band in review.highlight.bands[:2]]
        assert [shapely.normalize(one) for one in drawn] == [
            shapely.normalize(shapely.MultiPolygon([boxes[box]]))
        ] * 2


def test_the_report_of_the_run_sums_up_the_verdicts(review, same_dock, tmp_path):
    crowns = review.session.crowns
    extra_row = crowns.index[crowns["side"] == "delineation"][0]
    target_row = crowns.index[crowns["problem"] == "low overlap"][0]
    for row, verdict in ((target_row, "rejected"), (extra_row, "accepted")):
        review.go_to(row)
        press(review, verdict)
    report = same_dock.show_page("report")
    path = tmp_path / "report.html"
    report.save(HTML, str(path))
    wait_until(lambda: report.runs.main_run is None and report.saved_label.text())
    text = path.read_text(encoding="utf-8")
    assert f"Reviewers&#39; verdicts: 2 of {len(crowns)} reviewed, 1 accepted, 1 rejected." in text
    # A target that was moved since is counted as changed.
    layer = review.session.scored_layer.layer
    move(layer, int(crowns["feature"][target_row]), 0.5)
    report.save(HTML, str(path))
    wait_until(lambda: report.runs.main_run is None and report.saved_label.text())
    text = path.read_text(encoding="utf-8")
    assert f"1 of {len(crowns)} reviewed, 1 accepted, 1 changed since." in text
