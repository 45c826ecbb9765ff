"""randcrowns:consensus crown by crown: layers, columns, trees to look at again, and refusals."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from qgis.core import QgsRasterLayer, QgsVectorLayer
from support.data import real_data
from support.layers import EAST, NORTH, layer_of
from support.processing import run_algorithm
from support.rasters import write_raster
from support.shown import shows

from randcrowns.algorithms.agreement.schema.parameters import METHOD, OUTLINE, VOTE_RULE
from randcrowns.core.agreement.consensus_of_crowns import CrownConsensusOptions, crown_consensus

OUTPUTS = ("CONSENSUS", "LOOK_AGAIN")
CROWNS = METHOD.keys.index("crowns")


def square(x, y, side=10.0):
    return shapely.box(EAST + x, NORTH + y, EAST + x + side, NORTH + y + side)


#: Two trees that touch, and one that only ann drew.
DRAWN = {
    "ann": [square(10, 10), square(20, 10), square(45, 45)],
    "bob": [square(10, 10), square(20, 10)],
    "cleo": [square(10, 12), square(20, 11)],
}
SPECIES = {"ann": ["oak", "ash", "oak"], "bob": ["oak", "elm"], "cleo": ["ash", None]}


def layers_of(drawn, field="", rows=None):
    return [
        layer_of(name, polygons, fields=field, rows=rows and [[value] for value in rows[name]])
        for name, polygons in drawn.items()
    ]


@pytest.fixture
def make(algorithms, qgis_new_project):
    def run_it(layers=None, **parameters):
        given = {"ANNOTATORS": layers or layers_of(DRAWN), "METHOD": CROWNS, **parameters}
        return run_algorithm("consensus", given, outputs=OUTPUTS)

    return run_it


def test_touching_trees_stay_two_crowns(make):
    done = make()
    assert done.ok, done.error
    table = done.table("CONSENSUS")
    assert table["area"].tolist() == pytest.approx([100, 100])
    assert table[["votes", "looked"]].to_numpy().tolist() == [[3, 3], [3, 3]]
    assert table["members"].tolist() == ["ann:1; bob:1; cleo:1", "ann:2; bob:2; cleo:2"]
    assert done.results["MARKED"] == pytest.approx(200)
    assert done.results["MARKED_BY_NOBODY"] == 0
    doubts = done.table("LOOK_AGAIN")
    assert doubts[["votes", "needed", "members", "reason"]].to_numpy().tolist() == [
        [1, 2, "ann:3", "too_few_votes"]
    ]


@pytest.mark.parametrize("rule", VOTE_RULE.keys)
@pytest.mark.parametrize("outline", OUTLINE.keys)
def test_rule_and_outline_are_those_of_the_core(make, rule, outline):
    done = make(
        VOTE_RULE=VOTE_RULE.keys.index(rule), OUTLINE=OUTLINE.keys.index(outline), MATCH_IOU=0.7
    )
    assert done.ok, done.error
    options = CrownConsensusOptions(match_iou=0.7, rule=rule, outline=outline)
    expected = crown_consensus(DRAWN, options)
    table = done.table("CONSENSUS")
    assert table["votes"].tolist() == expected.table["votes"].tolist()
    assert table["mean_iou"].tolist() == pytest.approx(expected.table["mean_iou"].tolist())
    assert table["area"].tolist() == pytest.approx(shapely.area(expected.crowns).tolist())
    assert len(done.table("LOOK_AGAIN")) == len(expected.doubtful)
    assert f"rule={rule}, outline={outline}" in table["parameters"].iloc[0]


def test_annotators_of_a_field_are_those_of_layers(make):
    polygons = [one for drawn in DRAWN.values() for one in drawn]
    names = [[name] for name, drawn in DRAWN.items() for _ in drawn]
    layer = layer_of("all", polygons, fields="&field=who:string", rows=names)
    done = make([layer], ANNOTATOR_FIELD="who")
    assert done.table("CONSENSUS")["votes"].tolist() == [3, 3]
    assert done.table("CONSENSUS")["members"].iloc[0] == "ann:1; bob:4; cleo:6"


def test_class_is_that_of_most_annotators(make):
    layers = layers_of(DRAWN, "&field=species:string", SPECIES)
    table = make(layers, CLASS_FIELD="species").table("CONSENSUS")
    assert table["crown_class"].tolist() == ["oak", None]
    assert table["class_share"].tolist() == pytest.approx([2 / 3, 1 / 2])
    assert table["tied_classes"].iloc[1] == "ash = elm"
    assert "crown_class" not in make(layers).table("CONSENSUS")


def test_plots_are_clustered_one_by_one(make):
    # All crowns are equal; those of one plot are one tree.
    drawn = {name: [square(0, 0)] * 2 for name in ("ann", "bob")}
    layers = layers_of(drawn, "&field=plot:string", {name: ["p1", "p2"] for name in drawn})
    table = make(layers, PLOT_FIELD="plot").table("CONSENSUS")
    assert table["image"].tolist() == ["p1", "p2"]
    assert table["members"].tolist() == ["ann:1; bob:1", "ann:2; bob:2"]


def test_those_who_did_not_look_there_do_not_count(make):
    looked = layer_of(
        "looked",
        [square(5, 5, 30)] * 2,
        fields="&field=annotator:string",
        rows=[["bob"], ["cleo"]],
    )
    done = make(REVIEWED=looked, VOTE_RULE=VOTE_RULE.keys.index("all"))
    assert done.table("CONSENSUS")[["votes", "looked"]].to_numpy().tolist() == [
        [3, 3],
        [3, 3],
        [1, 1],
    ]


def test_crowns_outside_the_study_area_have_a_message(make):
    done = make(EXTENT_LAYER=layer_of("area", [square(0, 0, 40)]))
    assert "consensus.crowns_outside" in done.keys
    assert not len(done.table("LOOK_AGAIN"))


def test_one_consensus_without_each_annotator(make):
    table = make(LEAVE_ONE_OUT=True).table("CONSENSUS")
    # Without cleo, ann's lone tree is drawn by half of the two others.
    assert table.groupby("excluded")["votes"].apply(list).to_dict() == {
        "ann": [2, 2],
        "bob": [2, 2, 1],
        "cleo": [2, 2, 1],
    }


def test_rasters_are_refused(make, tmp_path):
    path = write_raster(tmp_path / "marks.tif", np.eye(9, dtype=np.uint8))
    raster = QgsRasterLayer(str(path), "marks")
    done = make([*layers_of(DRAWN), raster])
    assert shows(done.refused, "consensus.crowns_of_raster", layer=raster.name())
    done = make(CONSENSUS_RASTER=str(tmp_path / "consensus.tif"), RESOLUTION=1)
    assert shows(done.refused, "consensus.no_raster_of_crowns", name="Consensus raster")


def _clusters_one_by_one(polygons, owners, threshold=0.5):
    """Average linkage with all pairs compared after every join."""
    shared = shapely.area(shapely.intersection(polygons[:, None].copy(), polygons))
    areas = shapely.area(polygons)
    iou = shared / (areas[:, None] + areas - shared)
    clusters = [[row] for row in range(len(polygons))]
    while True:
        joins = [
            (iou[np.ix_(first, second)].mean(), i, j)
            for i, first in enumerate(clusters)
            for j, second in enumerate(clusters[:i])
            if not {owners[row] for row in first} & {owners[row] for row in second}
        ]
        mean, i, j = max(joins)
        if mean < threshold:
            return clusters
        clusters = [one for n, one in enumerate(clusters) if n not in (i, j)] + [
            clusters[i] + clusters[j]
        ]


def test_twelve_experts_draw_the_same_slumps(make):
    """Real drawings: clusters compared one by one, and the majority by sampled points."""
    folder = real_data("rts_peel")
    layers = [
        QgsVectorLayer(str(path), path.stem[-2:], "ogr")
        for path in sorted(folder.glob("annotator_*.shp"))
    ]
    done = make(layers, VOTE_RULE=VOTE_RULE.keys.index("two_thirds"))
    assert done.ok, done.error
    polygons, owners = [], []
    for layer in layers:
        for feature in layer.getFeatures():
            polygons.append(shapely.make_valid(shapely.from_wkb(bytes(feature.geometry().asWkb()))))
            owners.append((layer.name(), feature.id()))
    polygons = np.array(polygons)
    clusters = _clusters_one_by_one(polygons, [name for name, _ in owners])
    members = [
        "; ".join(f"{owners[row][0]}:{owners[row][1]}" for row in sorted(one)) for one in clusters
    ]
    table = done.table("CONSENSUS")
    assert sorted(table["members"]) == sorted(
        text for text, one in zip(members, clusters) if len(one) >= 8
    )
    assert sorted(done.table("LOOK_AGAIN")["members"]) == sorted(
        text for text, one in zip(members, clusters) if len(one) < 8
    )
    assert (table["mean_iou"] > 0.6).all()


def test_other_methods_have_no_trees_to_look_at_again(make):
    done = make(METHOD=METHOD.keys.index("0.5"))
    assert done.ok, done.error
    assert not done.results.get("LOOK_AGAIN")
    assert "votes" not in done.table("CONSENSUS")
