"""Places that several detectors mark and no annotator does."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from support.errors import assert_message

from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.unmarked_places import PLACE_COLUMNS, find_unmarked_places


def crowns(*corners, ids=None, plots=None) -> Crowns:
    """Return boxes of 5 x 5 m with their lower left corners at (x, 0)."""
    return Crowns(shapely.box(corners, 0, np.add(corners, 5), 5), ids, plots)


def scored(layer: Crowns, *scores: float) -> tuple[Crowns, np.ndarray]:
    return layer, np.array(scores, dtype=float)


ANN = {"ann": crowns(0), "ben": crowns(0, 20)}
#: Three detectors. All find x = 40, two find x = 60, and one finds x = 80.
DETECTIONS = {
    "net": scored(crowns(0, 40, 60, 80, ids=[4, 5, 6, 7]), 0.9, 0.3, 0.8, 0.7),
    "lidar": scored(crowns(0, 20, 40.5), 7, 8, 9),
    "colour": scored(crowns(20, 40, 61), 0.2, 0.1, 0.3),
}


def test_places_of_most_detectors_come_first() -> None:
    places = find_unmarked_places(ANN, DETECTIONS)
    table = places.table
    assert list(table.columns) == list(PLACE_COLUMNS)
    assert table["place"].tolist() == [1, 2]
    assert table["votes"].tolist() == [3, 2]
    assert table["detectors"].tolist() == [3, 3]
    assert table["members"].tolist() == ["colour:1; lidar:2; net:5", "colour:2; net:6"]
    # Shares of the detector's scores that are at most as high: 1/3, 3/3, 1/4; and 3/3, 3/4.
    assert table["confidence"].to_numpy() == pytest.approx(
        [(1 / 3 + 1 + 1 / 4) / 3, (1 + 0.75) / 2]
    )
    assert table["area"].to_numpy() == pytest.approx([5.5 * 5, 6 * 5])
    assert table["looked"].tolist() == [2, 2]
    assert table["marked_share"].tolist() == [0, 0]
    assert places.polygons[0].bounds == pytest.approx((40, 0, 45.5, 5))
    assert places.message is not None
    assert_message(places.message, "crowns.unmarked_places", count=2, needed=2)


def test_an_annotator_who_marked_more_than_a_tenth_of_a_place_drew_it() -> None:
    # Of 5.5 m, 0.55 m is a tenth.
    for marked, n_places in ((0.5, 2), (0.55, 2), (0.6, 1)):
        drawn = Crowns([shapely.box(38, 0, 40 + marked, 5)])
        assert len(find_unmarked_places({**ANN, "cleo": drawn}, DETECTIONS).table) == n_places


def test_only_places_that_somebody_reviewed_count() -> None:
    everything = shapely.box(-100, -100, 100, 100)
    left = shapely.box(-100, -100, 50, 100)
    table = find_unmarked_places(ANN, DETECTIONS, reviewed={"ann": left, "ben": everything}).table
    assert table["looked"].tolist() == [2, 1]
    table = find_unmarked_places(ANN, DETECTIONS, reviewed={"ann": left, "ben": left}).table
    assert table["votes"].tolist() == [3]


def test_crowns_outside_the_study_area_and_without_a_score_do_not_count() -> None:
    inside = {name: np.ones(len(layer), dtype=bool) for name, (layer, _) in DETECTIONS.items()}
    inside["net"][2] = False
    table = find_unmarked_places(ANN, DETECTIONS, inside=inside).table
    assert table["votes"].tolist() == [3]
    scoreless = {**DETECTIONS, "lidar": scored(DETECTIONS["lidar"][0], 7, 8, np.nan)}
    table = find_unmarked_places(ANN, scoreless).table
    assert table["votes"].tolist() == [2, 2]


def test_crowns_on_ignored_areas_do_not_count() -> None:
    on_ignored = {name: np.zeros(len(layer)) for name, (layer, _) in DETECTIONS.items()}
    on_ignored["net"][2] = 0.49
    assert len(find_unmarked_places(ANN, DETECTIONS, on_ignored=on_ignored).table) == 2
    on_ignored["net"][2] = 0.5
    assert len(find_unmarked_places(ANN, DETECTIONS, on_ignored=on_ignored).table) == 1


def test_crowns_of_different_plots_are_different_places() -> None:
    detections = {
        "net": scored(crowns(0, 40, plots=["p", "p"]), 1, 2),
        "lidar": scored(crowns(0, 40, plots=["p", "q"]), 1, 2),
    }
    places = find_unmarked_places({"ann": crowns(80)}, detections)
    assert places.table["members"].tolist() == ["lidar:0; net:0"]


def test_half_of_five_detectors_is_three() -> None:
    found = {name: scored(crowns(40), 1) for name in "abc"}
    others = {name: scored(crowns(80 + 10 * number), 1) for number, name in enumerate("de")}
    assert find_unmarked_places(ANN, {**found, **others}).table["votes"].tolist() == [3]
    del found["c"]
    missed = {"c": scored(crowns(70), 1)}
    assert not len(find_unmarked_places(ANN, {**found, **missed, **others}).table)


@pytest.mark.parametrize(
    ("annotators", "detections"),
    [
        ({}, DETECTIONS),
        (ANN, {"net": DETECTIONS["net"]}),
        (ANN, {"net": scored(crowns(0), 1), "lidar": scored(crowns(20), 1)}),
        (ANN, {"net": scored(crowns(0), 1), "lidar": scored(crowns(0), 1)}),
        (ANN, {name: scored(Crowns([])) for name in "ab"}),
    ],
)
def test_no_place(annotators, detections) -> None:
    places = find_unmarked_places(annotators, detections)
    assert list(places.table.columns) == list(PLACE_COLUMNS)
    assert (len(places.table), len(places.polygons), places.message) == (0, 0, None)


def test_without_all_crowns_drawn_there_is_a_reason_and_no_place() -> None:
    places = find_unmarked_places(ANN, DETECTIONS, all_drawn=False)
    assert not len(places.table)
    assert places.message is not None
    assert_message(places.message, "crowns.unmarked_partly")


def test_the_order_of_layers_and_crowns_changes_nothing() -> None:
    expected = find_unmarked_places(ANN, DETECTIONS).table
    turned = {}
    for name in reversed(DETECTIONS):
        layer, scores = DETECTIONS[name]
        rows = np.arange(len(layer))[::-1]
        turned[name] = (layer.subset(rows), scores[rows])
    found = find_unmarked_places(dict(reversed(ANN.items())), turned).table
    assert found.to_numpy().tolist() == expected.to_numpy().tolist()
