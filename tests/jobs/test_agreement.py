"""Jobs of annotators: crowns that were not reviewed, and classes that were given twice."""

from __future__ import annotations

import geopandas
import pytest
import shapely
from support.errors import find_message

import randcrowns as rc

CRS = "EPSG:32617"
TREES = shapely.box([0, 10, 20, 30], 0, [4, 14, 24, 34], 4)


def drawn(trees, classes):
    return geopandas.GeoDataFrame({"species": classes}, geometry=[*trees], crs=CRS)


@pytest.mark.parametrize("step", [1, -1])
def test_classes_outside_a_reviewed_area_or_given_twice(step):
    # Ann draws the first tree twice, and has reviewed 3 of the 4 trees (10 m apart).
    ann = drawn([TREES[0], *TREES], ["oak", "ash", "oak", "oak", "ash"]).iloc[::step]
    ben = drawn(TREES, ["ash", "oak", "ash", "oak"])
    reviewed = geopandas.GeoDataFrame(
        {"annotator": ["ann"]}, geometry=[shapely.box(-1, -1, 31, 9)], crs=CRS
    )
    result = rc.compare_annotators(
        {"ben": ben, "ann": ann}, reviewed=reviewed, class_field="species", bootstrap_samples=2
    )
    table = result.tables["class_agreement"]
    assert table["compared"].tolist() == [3, 3]
    assert table["agreement"].tolist() == [2 / 3, 2 / 3]
    find_message(result.messages, "agreement.unreviewed_crowns", count=1)
    find_message(result.messages, "classes.same_outline", count=1)

    trees = rc.consensus(
        {"ben": ben, "ann": ann}, reviewed=reviewed, class_field="species", method="crowns"
    )
    # Of the first tree both say ash; of the third one oak and ash tie; ben alone drew the last one.
    classes = trees.tables["consensus"].sort_values("members")["crown_class"]
    assert sorted(classes.fillna("tie")) == ["ash", "oak", "oak", "tie"]
    find_message(trees.messages, "classes.same_outline", count=1)


def test_pairs_crown_by_crown_are_compared_where_both_have_reviewed():
    # Ben has reviewed and drawn two of four trees; ann's others are no disagreement.
    layers = {"ann": drawn(TREES, ["oak"] * 4), "ben": drawn(TREES[:2], ["oak"] * 2)}
    area = [shapely.box(-1, -1, 17, 9)]
    reviewed = geopandas.GeoDataFrame({"annotator": ["ben"]}, geometry=area, crs=CRS)
    result = rc.compare_annotators(layers, reviewed=reviewed, bootstrap_samples=2)
    pair = result.tables["pairs"].iloc[0]
    assert pair[["pq", "matched", "crowns_first", "crowns_second"]].tolist() == [1, 2, 0, 0]
