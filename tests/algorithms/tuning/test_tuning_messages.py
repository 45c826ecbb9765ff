"""Messages of randcrowns:annotatorvariance and randcrowns:tuneparameters."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from support.layers import EAST, NORTH, crowns_at, layer_of
from support.rasters import write_raster
from support.shown import shows

from randcrowns.layers.styles import figures

PLACES = [(14 * column, 14 * row) for row in range(3) for column in range(4)]
ONE_SET = {"ALPHAS": "0.7", "OMEGAS": "1.2", "GAMMAS": "3"}


def layers(places=PLACES, number=3):
    return [layer_of(f"person {n}", crowns_at(places, seed=n)) for n in range(1, number + 1)]


def both(run, parameters):
    """What the experiment and the search say."""
    yield run("annotatorvariance", parameters)
    yield run("tuneparameters", {**parameters, **ONE_SET})


def test_nothing_is_said_of_crowns_left_out_when_there_are_none(run):
    for done in both(run, {"ANNOTATORS": layers()}):
        assert shows(done.results["CONCLUSION"], "finding.variance", count=12)
        assert "excluded" not in done.results["CONCLUSION"]
        assert done.results.get("WARNING", "") == ""


def test_what_is_left_out_is_counted_by_reason(run):
    image = layer_of("image", [shapely.box(EAST - 10, NORTH - 10, EAST + 35, NORTH + 40)])
    given = layers()
    given[0].dataProvider().deleteFeatures([1])
    for done in both(run, {"ANNOTATORS": given, "EXTENT_LAYER": image}):
        finding = done.results["CONCLUSION"]
        assert finding.endswith(
            "2 delineations excluded: not drawn by all annotators. 9 delineations excluded: outside the image extent."
        )
    for done in both(run, {"ANNOTATORS": layers(), "EXTENT_LAYER": image}):
        assert "not drawn by all" not in done.results["CONCLUSION"]
        assert "9 delineations excluded: outside the image extent." in done.results["CONCLUSION"]


def test_targets_of_the_field_are_counted_as_such(run):
    field, *people = layers()
    people[0].dataProvider().deleteFeatures([1])
    for done in both(run, {"ANNOTATORS": people, "TARGETS": field}):
        assert "1 target excluded: not drawn by all annotators." in done.results["CONCLUSION"]


@pytest.mark.parametrize(
    ("number", "told"), [(1, "1 shared crown:"), (4, "4 shared crowns:"), (5, "5 shared crowns:")]
)
def test_few_crowns_are_told_with_a_caution(run, number, told):
    caution = f"Only {told} delineate more before you rely on these numbers."
    experiment, search = both(run, {"ANNOTATORS": layers(PLACES[:number])})
    for done in (experiment, search):
        assert f"over {told}" in done.results["CONCLUSION"]
        assert (caution in done.results["CONCLUSION"]) == (number < 5)
    assert search.results["WARNING"] == (caution if number < 5 else "")


def test_drawings_that_are_copies_are_told(run):
    given = layers()
    copy = layer_of("borrowed", crowns_at(PLACES, seed=2)[::-1])
    for done in both(run, {"ANNOTATORS": [*given, copy]}):
        assert shows(done.results["CONCLUSION"], "finding.alike", pairs="person 2 and borrowed")


@pytest.mark.parametrize("name", ["annotatorvariance", "tuneparameters"])
def test_a_layer_chosen_twice_is_refused(run, name):
    given = layers()
    refused = run(name, {"ANNOTATORS": [*given, given[1]]}).refused
    assert "twice as annotator ('person 2')" in refused


@pytest.mark.parametrize("name", ["annotatorvariance", "tuneparameters"])
def test_a_single_layer_without_crowns_is_named(run, name):
    done = run(name, {"ANNOTATORS": [layer_of("idle", [])]})
    assert not done.ok
    assert shows(done.error, "tuning.no_crowns_to_copy", name="idle")


def test_one_warped_copy_is_no_copies(run):
    done = run("annotatorvariance", {"ANNOTATORS": layers(number=1), "WARPS": 1})
    assert (
        "others are simulated: 1 warped copy of the delineations." in done.results["INPUT_PROBLEMS"]
    )


@pytest.mark.parametrize(
    ("west", "north", "covered"), [(EAST + 40, NORTH + 6, True), (EAST + 900, NORTH, False)]
)
def test_an_image_that_covers_no_crown_is_told(run, tmp_path, west, north, covered):
    """The image that covers anything does so with a corner."""
    image = write_raster(tmp_path / "image.tif", np.ones((30, 30)), west=west, north=north)
    options = {
        "ANNOTATORS": layers(PLACES[:5]),
        "IMAGE": str(image),
        "GALLERY_FILE": str(tmp_path / "g.png"),
        "EXAMPLES": 5,
    }
    done = run("annotatorvariance", options, outputs=())
    assert done.ok, done.error
    assert (shows(done.results["WARNING"], "gallery.image_elsewhere", name="image")) == (
        not covered
    )
    assert (done.results["WARNING"] in done.feedback.warnings) == (not covered)


def test_a_range_whose_last_value_is_not_tried_is_told(run):
    grid = {"ALPHAS": "0.1:1.0:0.4", "OMEGAS": "0.1:1.5:0.7", "GAMMAS": "1:3:1"}
    done = run("tuneparameters", {"ANNOTATORS": layers(), **grid}, outputs=("GRID",))
    assert sorted(set(done.table("GRID")["alpha"].round(6))) == [0.1, 0.5, 0.9]
    assert shows(
        done.results["INPUT_PROBLEMS"],
        "grid.untried",
        range="0.1:1.0:0.4",
        name="alpha",
        reached=0.9,
        last=1,
    )


def test_two_extents_are_told(run):
    image = layer_of("image", [shapely.box(EAST - 10, NORTH - 10, EAST + 35, NORTH + 40)])
    rectangle = f"{EAST - 10},{EAST + 60},{NORTH - 10},{NORTH + 20} [EPSG:32617]"
    for done in both(run, {"ANNOTATORS": layers(), "EXTENT_LAYER": image, "EXTENT": rectangle}):
        assert shows(done.results["CONCLUSION"], "finding.variance", count=6)
        assert "input.two_extents" in done.keys


def test_the_gallery_shows_the_pairs_that_it_names(run, tmp_path, monkeypatch):
    shown = []
    picture = figures.render_gallery

    def render_gallery(picks, targets, delineations, **others):
        shown.append((picks, targets, delineations))
        return picture(picks, targets, delineations, **others)

    monkeypatch.setattr(figures, "render_gallery", render_gallery)
    options = {
        "ANNOTATORS": layers(PLACES[:5]),
        "GALLERY_FILE": str(tmp_path / "gallery.png"),
        "EXAMPLES": 5,
    }
    assert run("annotatorvariance", options, outputs=()).ok
    ((picks, targets, drawn),) = shown
    iou = shapely.area(shapely.intersection(targets, drawn)) / shapely.area(
        shapely.union(targets, drawn)
    )
    np.testing.assert_allclose(iou, picks["iou"], atol=1e-6)


def test_a_broken_image_is_told_with_one_full_stop(run, tmp_path):
    file = write_raster(
        tmp_path / "image.tif", np.ones((400, 400)), west=EAST - 50, north=NORTH + 100
    )
    file.write_bytes(file.read_bytes()[:2000])
    options = {
        "ANNOTATORS": layers(),
        "IMAGE": str(file),
        "GALLERY_FILE": str(tmp_path / "gallery.png"),
    }
    done = run("annotatorvariance", options, outputs=())
    assert not done.ok
    assert shows(done.error, "raster.unreadable", name="image")
    assert ".." not in done.error
