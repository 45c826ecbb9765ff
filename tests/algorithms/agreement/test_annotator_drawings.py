"""What the annotators drew as the algorithms read it: who takes part, and what does not count."""

from __future__ import annotations

import pytest
import shapely
from support.layers import EAST, NORTH, layer_of
from support.shown import shows

OUTPUTS = ("AGREEMENT", "DISAGREEMENTS", "ANNOTATOR_TABLE", "ANNOTATOR_PAIRS", "SUMMARY")


def square(x, y, side=10.0):
    return shapely.box(EAST + x, NORTH + y, EAST + x + side, NORTH + y + side)


def people(*names):
    return [
        layer_of(name, [square(10 + 4 * k, 10), square(50 + 4 * k, 50)])
        for k, name in enumerate(names)
    ]


@pytest.fixture
def compare(run):
    def run_it(**parameters):
        given = {
            "ANNOTATORS": people("ann", "bob"),
            "EXTENT_LAYER": layer_of("area", [square(0, 0, 100)]),
        }
        return run(
            "compareannotators", {**given, "BOOTSTRAP_SAMPLES": 2, **parameters}, outputs=OUTPUTS
        )

    return run_it


def test_pixels_that_miss_every_polygon_fail(compare, run):
    done = compare(RESOLUTION=80)
    assert shows(done.error, "pixel_size.misses_polygons", size=80, unit="m", count=4)
    given = {
        "ANNOTATORS": people("ann"),
        "EXTENT_LAYER": layer_of("area", [square(0, 0, 100)]),
        "RESOLUTION": 80,
    }
    assert shows(
        run("consensus", given, outputs=("CONSENSUS",)).error, "pixel_size.misses_polygons", count=2
    )


@pytest.mark.parametrize(
    ("size", "said"), [(150, "larger than the study area (100 x 100 m)"), (1e6, "larger than")]
)
def test_pixels_larger_than_the_study_area_fail(compare, size, said):
    assert said in compare(RESOLUTION=size).error


@pytest.mark.parametrize("size", [1e-300, 1e-6])
def test_pixels_without_number_are_told_in_few_words(compare, size):
    error = compare(RESOLUTION=size).error
    assert "larger pixels" in error
    assert len(error) < 300


def test_counted_and_drawn_areas_that_differ_are_told(compare):
    assert "were drawn" not in compare(RESOLUTION=0.5).warnings
    warned = compare(RESOLUTION=7).warnings
    assert shows(warned, "votes.off", name="ann")
    assert shows(warned, "votes.off", drawn=200.0)


def test_a_study_area_elsewhere_fails(compare):
    elsewhere = layer_of("area", [square(5000, 5000, 100)])
    for size in (0, 1):
        done = compare(EXTENT_LAYER=elsewhere, RESOLUTION=size)
        assert shows(done.error, "votes.no_polygon_inside", count=4)


def test_what_is_left_out_is_not_called_outside(compare):
    clouds = layer_of("clouds", [square(0, 0, 75)])
    people_there = [*people("ann", "bob"), layer_of("cleo", [square(80, 80)])]
    warned = compare(ANNOTATORS=people_there, EXCLUDED=clouds).warnings
    assert "ann: all 2 polygons lie in the excluded areas, so none counts." in warned
    away = layer_of("dan", [square(500, 500), square(20, 20)])
    warned = compare(ANNOTATORS=[*people_there, away], EXCLUDED=clouds).warnings
    assert "dan: all 2 polygons lie outside the study area or in the excluded areas" in warned
    assert compare(EXCLUDED=clouds).error.startswith("All 4 polygons lie in the excluded areas")
    one = layer_of("eve", [square(500, 500)])
    assert compare(ANNOTATORS=[one]).error.startswith(
        "The one polygon does not reach into the study area"
    )
    assert shows(
        compare(ANNOTATORS=[layer_of("eve", [square(1, 1)])], RESOLUTION=80).error,
        "pixel_size.misses_polygons",
    )


def test_one_annotator_outside_counts_as_nobody_marked(compare):
    done = compare(ANNOTATORS=[*people("ann", "bob"), layer_of("cleo", [square(500, 500)])])
    assert done.ok, done.error
    assert "cleo: the one polygon lies outside the study area" in done.warnings


def test_annotators_without_a_polygon_keep_their_place_in_the_field(compare):
    together = layer_of(
        "all",
        [square(10, 10), square(12, 10), None, "POLYGON EMPTY"],
        fields="&field=who:string",
        rows=[["ann"], ["bob"], ["cleo"], ["dan"]],
    )
    done = compare(ANNOTATORS=[together], ANNOTATOR_FIELD="who")
    assert done.ok, done.error
    table = done.table("ANNOTATOR_TABLE").set_index("annotator")
    assert table["marked"].round(6).to_dict() == {"ann": 100, "bob": 100, "cleo": 0, "dan": 0}
    assert shows(done.warnings, "annotators.none")


def test_names_that_are_numbers_sort_by_number(compare):
    rows = [["10"], ["2"], ["1.5"], ["nan"], ["b"], ["-3"]]
    drawn = [square(10 + number, 10) for number in range(len(rows))]
    together = layer_of("all", drawn, fields="&field=who:string", rows=rows)
    done = compare(ANNOTATORS=[together], ANNOTATOR_FIELD="who")
    assert done.table("ANNOTATOR_TABLE")["annotator"].tolist() == [
        "-3",
        "1.5",
        "2",
        "10",
        "b",
        "nan",
    ]


def test_names_with_commas_stand_in_quotes(compare):
    done = compare(ANNOTATORS=people("a, b", "c"))
    assert set(done.table("AGREEMENT")["yes"]) == {'"a, b"', "c", '"a, b", c'}


def test_who_drew_on_another_continent_is_told(compare):
    far = layer_of("far", ["POLYGON((10 50, 10.001 50, 10.001 50.001, 10 50))"], crs="EPSG:4326")
    done = compare(ANNOTATORS=[*people("ann", "bob"), far])
    assert "far lies" in done.warnings
    assert shows(done.warnings, "annotators.far")
    assert "ann drew" not in done.warnings
    assert "km away" not in compare().warnings
