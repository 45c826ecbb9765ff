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


#: Rectangles on 4 x 2 m, for which the classes are counted by hand.
CLASSED = {
    "ann": ([(0, 0, 4, 2)], ["oak"]),
    "ben": ([(0, 0, 2, 2), (2, 0, 4, 2)], ["oak", "ash"]),
    "cleo": ([(0, 0, 4, 1)], ["ash"]),
}


def _classed_layers():
    return {
        name: geopandas.GeoDataFrame(
            {"species": classes}, geometry=[shapely.box(*row) for row in rows], crs="EPSG:32617"
        )
        for name, (rows, classes) in CLASSED.items()
    }


def test_a_consensus_of_areas_is_divided_by_class():
    # Left: oak, oak and, on the lower half, ash. Right: oak, ash and, on the lower half, ash.
    made = rc.consensus(_classed_layers(), method="any", class_field="species")
    rows = made.tables["consensus"].set_index("crown_class")
    assert rows["area"].round(9).to_dict() == {"oak": 4.0, "ash": 2.0, None: 2.0}
    assert rows["class_share"].round(9).to_dict() == {
        "oak": round((2 / 3 + 1) / 2, 9),
        "ash": round(2 / 3, 9),
        None: 0.5,
    }
    assert rows["tied_classes"].to_dict() == {"oak": "", "ash": "", None: "ash = oak"}
    unanimous = rc.consensus(_classed_layers(), method="unanimous", class_field="species")
    areas = unanimous.tables["consensus"].set_index("crown_class")["area"]
    assert areas.round(9).to_dict() == {"oak": 2.0, "ash": 2.0}
    undivided = rc.consensus(_classed_layers(), method="any")
    assert undivided.tables["consensus"]["area"].tolist() == pytest.approx([8.0])
    assert "crown_class" not in undivided.tables["consensus"]


@pytest.mark.parametrize("rule", ["plurality", "staple"])
@pytest.mark.parametrize("method", ["any", "crowns"])
def test_classes_taken_as_one_are_rewritten_classes(method, rule):
    """By hand: with ash and oak as broad, all annotators gave all ground the same class."""
    layers = _classed_layers()
    options = {"method": method, "class_rule": rule, "class_field": "species"}
    made = rc.consensus(layers, class_groups="broad=oak+ash", **options)
    rewritten = {name: layer.assign(species="broad") for name, layer in layers.items()}
    expected = rc.consensus(rewritten, **options)
    for name, table in expected.tables.items():
        assert made.tables[name].equals(table), name
    assert set(made.tables["consensus"]["crown_class"]) == {"broad"}


def test_agreement_on_classes_taken_as_one():
    """By hand: of three trees both gave, with ash and oak as one, the first two the same class."""
    ann = drawn(TREES[:3], ["oak", "ash", "elm"])
    ben = drawn(TREES[:3], ["ash", "ash", "oak"])
    found = rc.compare_annotators(
        {"ann": ann, "ben": ben},
        class_field="species",
        class_groups="broad=oak+ash",
        bootstrap_samples=2,
    )
    pair = found.tables["class_agreement"].iloc[1]
    # Chance: ann says broad for 2 of 3, ben for all.
    agreement, chance = 2 / 3, 2 / 3
    assert pair["agreement"] == pytest.approx(agreement)
    assert pair["kappa"] == pytest.approx((agreement - chance) / (1 - chance))
    cells = found.tables["class_confusion"]
    assert cells[["first_class", "second_class", "crowns", "area"]].to_numpy().tolist() == [
        ["broad", "broad", 2, 32.0],
        ["elm", "broad", 1, 16.0],
    ]


def test_staple_of_areas_says_how_annotators_confuse_classes():
    made = rc.consensus(_classed_layers(), method="any", class_field="species", class_rule="staple")
    table = made.tables["class_performance"]
    assert set(table["annotator"]) == {"ann", "ben", "cleo"}
    assert made.tables["consensus"]["class_probability"].between(0.5, 1).all()
    # The rule has an effect, and no note says that it is not used.
    assert "parameter.not_used" not in [message.key for message in made.messages]
    # Cleo gave one class only, whatever the ground.
    cleo = table[(table["annotator"] == "cleo") & (table["given_class"] == "oak")]
    assert cleo["probability"].fillna(0).tolist() == [0.0, 0.0]
