"""Classes and strata in randcrowns:scorecrowns: tables, columns, pairing within classes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from qgis.core import QgsExpressionContextUtils, QgsRenderContext
from qgis.PyQt.QtCore import QDate, QDateTime, QTime
from support.errors import assert_message, find_message
from support.layers import EAST, NORTH, box_layer, layer_of
from support.shown import shows

from randcrowns.algorithms.classes.outputs import CLASS_STYLE
from randcrowns.algorithms.scoring.schema import parameters as scoring_parameters
from randcrowns.algorithms.scoring.schema.outputs import SCORED_TARGETS
from randcrowns.core.classes.summarise import MAX_STRATA
from randcrowns.layers.styles.styles import CLASS_COLOURS

OUTPUTS = (
    "SCORED_TARGETS",
    "SCORED_DELINEATIONS",
    "SUMMARY",
    "CONFUSION",
    "CLASS_METRICS",
    "CLASS_SUMMARY",
    "STRATA",
    "STRATA_TESTS",
)
SQUARE = (0, 0, 10, 10)


def crowns(name, boxes, classes, field="species", plots=None):
    """A layer of boxes, in metres from EAST, NORTH, with a class and a plot each."""
    layer = box_layer("shapes", boxes)
    shapes = [feature.geometry().asWkt() for feature in layer.getFeatures()]
    plots = plots or ["A"] * len(boxes)
    return layer_of(
        name,
        shapes,
        fields=f"&field={field}:string&field=plot:string",
        rows=[list(row) for row in zip(classes, plots)],
    )


def places(n, step=30.0):
    return [(step * number, 0, step * number + 10, 10) for number in range(n)]


def narrower(boxes, rng):
    """Boxes that are up to 1 m narrower."""
    return [(x, y, right - float(rng.uniform(0, 1)), top) for x, y, right, top in boxes]


@pytest.fixture
def score(run):
    def score_layers(targets, *delineations, **parameters):
        given = {"TARGETS": targets, "DELINEATIONS": list(delineations), **parameters}
        return run("scorecrowns", given, outputs=OUTPUTS)

    return score_layers


def texts(values):
    return ["" if pd.isna(value) else value for value in values]


def test_columns_of_classes_by_hand(score, qgis_new_project):
    targets = crowns("trees", places(4), ["oak", "ash", "oak", None])
    found = crowns("found", [*places(2), (90, 0, 100, 10), (300, 0, 310, 10)], ["oak", "oak"] * 2)
    done = score(targets, found, CLASS_FIELD="species")
    assert done.ok, done.error
    scored = done.table("SCORED_TARGETS")
    assert texts(scored["target_class"]) == ["oak", "ash", "oak", ""]
    assert texts(scored["found_class"]) == ["oak", "oak", "", "oak"]
    assert texts(scored["found_class_result"]) == ["right", "wrong", "not found", "no class"]
    drawn = done.table("SCORED_DELINEATIONS")
    assert texts(drawn["class_result"]) == ["right", "wrong", "no class", "no reference"]
    metrics = done.table("CLASS_METRICS").set_index("class")
    np.testing.assert_allclose(metrics.loc["oak", "randcrowns_mean"], 0.5)
    assert metrics["layer"].tolist() == ["found", "found"]
    find_message(done.messages, "classes.missing", count=1, layer="trees")


def test_without_a_class_field_nothing_is_added(score, qgis_new_project):
    layers = [crowns(name, places(2), ["oak", "ash"]) for name in ("trees", "found")]
    done = score(*layers)
    assert not [name for name in done.table("SCORED_TARGETS") if "class" in name]
    assert not {"CONFUSION", "CLASS_METRICS", "CLASS_SUMMARY", "STRATA"} & set(done.results)


def test_each_layer_has_its_matrix_and_a_layer_without_classes_none(score, qgis_new_project):
    targets = crowns("trees", places(3), ["oak", "ash", "oak"])
    first = crowns("first", places(3), ["oak", "ash", "ash"])
    second = crowns("second", places(3), ["oak"] * 3)
    bare = box_layer("bare", places(3))
    done = score(targets, first, second, bare, CLASS_FIELD="species")
    assert done.ok, done.error
    sums = done.table("CONFUSION").groupby(["layer", "kind"])["crowns"].sum()
    assert sums.to_dict() == {
        ("first", "right"): 2,
        ("first", "wrong"): 1,
        ("second", "right"): 2,
        ("second", "wrong"): 1,
    }
    assert "bare_class" not in done.table("SCORED_TARGETS")
    find_message(done.messages, "input.no_class_field", layer="bare", field="species")


def test_within_classes_only_crowns_of_one_class_are_paired(score, qgis_new_project):
    # The nearest delineation of the oak is an ash; that of its own class lies 2 m aside.
    targets = crowns("trees", [SQUARE], ["oak"])
    found = crowns("found", [SQUARE, (2, 0, 12, 10)], ["ash", "oak"])
    nearest = score(targets, found, CLASS_FIELD="species").table("SCORED_TARGETS")
    within = score(targets, found, CLASS_FIELD="species", WITHIN_CLASSES=True)
    assert nearest["found_match"].tolist() == [1]
    assert within.table("SCORED_TARGETS")["found_match"].tolist() == [2]
    np.testing.assert_allclose(within.table("SCORED_TARGETS")["found_iou"], 80 / 120)
    unnamed = crowns("found", [SQUARE], [None])
    none = score(targets, unnamed, CLASS_FIELD="species", WITHIN_CLASSES=True)
    assert none.table("SCORED_TARGETS")["found_status"].tolist() == ["unmatched"]


@pytest.mark.parametrize("pairing", range(6))
def test_one_class_gives_the_numbers_without_classes(score, qgis_new_project, pairing):
    rng = np.random.default_rng(pairing)
    corners = rng.uniform(0, 60, (2, 12, 2))
    sides = rng.uniform(4, 12, (2, 12, 2))
    boxes = np.concatenate([corners, corners + sides], axis=2).tolist()
    plots = list("AB" * 6)
    targets, found = (
        crowns(name, [tuple(box) for box in side], ["oak"] * 12, plots=plots)
        for name, side in zip(("trees", "found"), boxes)
    )
    given = {"PAIRING": pairing, "PLOT_FIELD": "plot"}
    plain = score(targets, found, **given)
    for within in (False, True):
        done = score(targets, found, CLASS_FIELD="species", WITHIN_CLASSES=within, **given)
        assert done.table("SUMMARY").equals(plain.table("SUMMARY"))


@pytest.mark.parametrize("seed", range(6))
def test_the_matrix_adds_up_to_the_summary(score, qgis_new_project, seed):
    rng = np.random.default_rng(seed)
    corners = rng.uniform(0, 50, (2, 15, 2))
    boxes = np.concatenate([corners, corners + 8], axis=2)
    names = np.array(["oak", "ash", "pine", None], dtype=object)
    targets = crowns("trees", [tuple(box) for box in boxes[0]], rng.choice(names, 15).tolist())
    found = crowns("found", [tuple(box) for box in boxes[1]], rng.choice(names, 15).tolist())
    for within in (False, True):
        done = score(targets, found, CLASS_FIELD="species", WITHIN_CLASSES=within)
        summary = done.table("SUMMARY").iloc[0]
        counts = done.table("CONFUSION").groupby("kind")["crowns"].sum()
        matched = counts.reindex(["right", "wrong", "no class"]).sum()
        assert matched == summary["matched"] - summary["missed"]
        assert counts.get("not found", 0) == summary["missed"] + summary["unmatched_targets"]
        assert counts.get("no reference", 0) == summary["unmatched_delineations"]
        if within:
            assert not {"wrong", "no class"} & set(counts.index)


def test_exchanging_two_names_exchanges_rows_and_columns_only(score, qgis_new_project):
    rng = np.random.default_rng(4)
    classes = rng.choice(np.array(["oak", "ash", "pine"]), (2, 8))
    swap = {"oak": "ash", "ash": "oak", "pine": "pine"}
    cells = []
    for names in (lambda name: name, swap.get):
        layers = [
            crowns(layer, places(8), [names(str(name)) for name in side])
            for layer, side in zip(("trees", "found"), classes)
        ]
        table = score(*layers, CLASS_FIELD="species").table("CONFUSION")
        cells.append(table.set_index(["reference", "predicted"])["crowns"])
    renamed = cells[0].rename(index=swap).sort_index()
    pd.testing.assert_series_equal(renamed, cells[1].sort_index())


def test_strata_of_crowding_and_of_the_edge(score, qgis_new_project):
    targets = crowns("trees", places(2), ["oak", "ash"])
    found = crowns("found", [(0, 0, 10, 10), (1, 0, 11, 10), (200, 0, 210, 10)], ["oak"] * 3)
    done = score(targets, found, SUMMARISE_BY=3)
    strata = done.table("STRATA")
    assert texts(strata["stratum"]) == ["0", "2", ""]
    assert strata["kind"].tolist() == ["stratum", "stratum", "unmatched"]
    np.testing.assert_allclose(strata["randcrowns_mean"], [0, 1, np.nan])
    assert strata["problem_missing"].tolist()[:2] == [1, 0]
    extent = f"{EAST - 5},{EAST + 300},{NORTH - 5},{NORTH + 15} [EPSG:32617]"
    edge = score(targets, found, SUMMARISE_BY=4, EXTENT=extent, STRATA_BREAKS="4")
    assert edge.ok, edge.error
    assert edge.table("STRATA").set_index("stratum")["crowns"].to_dict()[">= 4"] == 2
    refused = score(targets, found, SUMMARISE_BY=4)
    assert shows(refused.error, "strata.no_image_extent")


def test_strata_that_differ_are_named(score, qgis_new_project):
    n = 20
    boxes = places(n)
    widths = [4, 10] * (n // 2)
    halves = [(x, y, x + width, top) for (x, y, _, top), width in zip(boxes, widths)]
    classes = ["ash", "oak"] * (n // 2)
    rng = np.random.default_rng(2)
    halves = narrower(halves, rng)
    done = score(
        crowns("trees", boxes, classes),
        crowns("found", halves, classes),
        SUMMARISE_BY=1,
        STRATA_FIELD="species",
    )
    message = message_about_iou(done)
    assert_message(message, "strata.differ", lower="ash", higher="oak", count=1, pairs=1)
    tests = done.table("STRATA_TESTS").set_index("score")
    assert tests.loc["iou", "differs"] == 1
    same = score(
        crowns("trees", boxes, classes),
        crowns("found", narrower(boxes, rng), classes),
        SUMMARISE_BY=1,
        STRATA_FIELD="species",
    )
    assert_message(message_about_iou(same), "strata.alike", name="species")


def test_a_field_with_a_value_per_crown_is_refused(score, qgis_new_project):
    n = MAX_STRATA + 1
    targets = crowns("trees", places(n), [f"tree {number}" for number in range(n)])
    done = score(
        targets, crowns("found", places(1), ["oak"]), SUMMARISE_BY=1, STRATA_FIELD="species"
    )
    assert not done.ok
    assert shows(done.error, "strata.too_many", name="species", count=n)


def message_about_iou(done):
    """The message about the strata of the IoU."""
    messages = [found for found in done.messages if found.key.startswith("strata.")]
    (about_iou,) = [found for found in messages if "IoU" in dict(found.values)["score"].split(", ")]
    return about_iou


def test_a_map_style_shows_the_right_and_the_wrong_classes(score, qgis_new_project):
    layers = [
        crowns(name, places(2), classes)
        for name, classes in (("trees", ["oak", "ash"]), ("found", ["oak", "oak"]))
    ]
    for parameters in ({"CLASS_FIELD": "species"}, {}):
        done = score(*layers, **parameters)
        layer = done.layer("SCORED_TARGETS")
        SCORED_TARGETS.style_layer(layer, done.results)
        assert (CLASS_STYLE in layer.styleManager().styles()) is bool(parameters)
    done = score(*layers, CLASS_FIELD="species")
    layer = done.layer("SCORED_TARGETS")
    SCORED_TARGETS.style_layer(layer, done.results)
    layer.styleManager().setCurrentStyle(CLASS_STYLE)
    context = QgsRenderContext()
    context.expressionContext().appendScopes(
        QgsExpressionContextUtils.globalProjectLayerScopes(layer)
    )
    renderer = layer.renderer()
    renderer.startRender(context, layer.fields())
    colours = []
    for feature in layer.getFeatures():
        context.expressionContext().setFeature(feature)
        symbol = renderer.symbolForFeature(feature, context)
        colours.append(symbol.symbolLayer(symbol.symbolLayerCount() - 1).strokeColor().name())
    renderer.stopRender(context)
    assert colours == [CLASS_COLOURS["right"], CLASS_COLOURS["wrong"]]


#: Types of fields in memory layers with a value and its ISO 8601 text.
TIMES = {
    "date": (QDate(2024, 5, 1), "2024-05-01"),
    "time": (QTime(10, 30), "10:30:00"),
    "datetime": (QDateTime(QDate(2024, 5, 1), QTime(10, 30)), "2024-05-01T10:30:00"),
}


@pytest.mark.parametrize("kind", TIMES)
def test_dates_and_times_are_iso_texts_in_classes_plots_and_strata(score, qgis_new_project, kind):
    value, text = TIMES[kind]
    layers = [
        box_layer(name, places(2), fields=f"&field=seen:{kind}", rows=[[value], [None]])
        for name in ("trees", "found")
    ]
    done = score(
        *layers,
        CLASS_FIELD="seen",
        PLOT_FIELD="seen",
        SUMMARISE_BY=[
            option.key for option in scoring_parameters.CLASSES.summarise_by.options
        ].index("attribute"),
        STRATA_FIELD="seen",
    )
    assert done.ok, done.error
    assert texts(done.table("SCORED_TARGETS")["target_class"]) == [text, ""]
    assert done.table("CLASS_METRICS")["class"].tolist() == [text]
    assert text in done.table("SUMMARY")["plot"].tolist()
    assert done.table("STRATA")["stratum"].iloc[0] == text


@pytest.mark.parametrize("seed", range(2))
def test_sums_of_the_matrix_equal_the_counts_of_the_summary(score, qgis_new_project, seed):
    rng = np.random.default_rng(seed)
    # Targets of 1 to 6 m, of which those below 3 m are too small for alpha, on 60 m.
    corner = rng.uniform(0, 54, (40, 2))
    near = corner[rng.integers(0, 40, 50)] + rng.normal(0, 1.5, (50, 2))
    layers = []
    for name, at in (("trees", corner), ("found", near)):
        boxes = np.hstack([at, at + rng.uniform(1, 6, at.shape)])
        rows = [
            [str(species), str(plot), float(value)]
            for species, plot, value in zip(
                rng.choice(["oak", "ash"], len(at)),
                rng.choice(["A", "B"], len(at)),
                rng.random(len(at)),
            )
        ]
        fields = "&field=species:string&field=plot:string&field=score:double"
        layers.append(box_layer(name, boxes.tolist(), fields=fields, rows=rows))
    done = score(
        *layers,
        CLASS_FIELD="species",
        PLOT_FIELD="plot",
        ALPHA=1.5,
        SCORE_FIELD="score",
        SCORE_THRESHOLD=0.3,
        EXTENT_LAYER=box_layer("area", [(0, 0, 45, 60)]),
    )
    assert done.ok, done.error or done.refused
    summary = done.table("SUMMARY").iloc[0]
    crowns = done.table("CONFUSION").groupby("kind")["crowns"].sum()
    assert summary["too_small"] > 0
    assert summary["delineations"] < 50
    assert crowns.reindex(["right", "wrong"]).sum() == summary["matched"]
    assert crowns.get("not found", 0) == summary["missed"] + summary["unmatched_targets"]
    assert crowns.get("no reference", 0) == summary["unmatched_delineations"]
