"""Classes and strata in randcrowns:evaluateinstances: tables, columns, messages and refusals."""

from __future__ import annotations

import numpy as np
import pytest
from support.errors import find_message
from support.layers import EAST, NORTH, layer_of
from support.shown import shows

from randcrowns.algorithms.provenance import Provenance
from randcrowns.core.classes.summarise import MAX_STRATA

OUTPUTS = (
    "MATCHED_TARGETS",
    "MATCHED_PREDICTIONS",
    "SUMMARY",
    "CONFUSION",
    "CLASS_METRICS",
    "CLASS_SUMMARY",
    "STRATA",
    "STRATA_TESTS",
)
FIELDS = "&field=species:string&field=plot:string&field=score:double"


def box(x, y, width=4.0, height=4.0):
    x, y = x + EAST, y + NORTH
    return (
        f"POLYGON(({x} {y}, {x + width} {y}, {x + width} {y + height}, {x} {y + height}, {x} {y}))"
    )


def layers(target_classes, predicted_classes, fields=FIELDS):
    """Targets in a row, and predictions at the same places; further ones are far away."""
    targets = layer_of(
        "trees",
        [box(10 * number, 0) for number in range(len(target_classes))],
        fields=fields,
        rows=[[name, f"plot {number % 2}", 0.5] for number, name in enumerate(target_classes)],
    )
    predictions = layer_of(
        "found",
        [box(10 * number, 0, 3) for number in range(len(predicted_classes))],
        fields=fields,
        rows=[[name, f"plot {number % 2}", 0.9] for number, name in enumerate(predicted_classes)],
    )
    return {"TARGETS": targets, "PREDICTIONS": predictions}


@pytest.fixture
def evaluate(run):
    def evaluate_layers(given, **parameters):
        return run("evaluateinstances", {**given, **parameters}, outputs=OUTPUTS)

    return evaluate_layers


def test_confusion_of_classes_by_hand(evaluate, qgis_new_project):
    given = layers(["oak", " oak", "ash", None, "ash"], ["oak", "ash", "oak", "oak"])
    given["PREDICTIONS"].dataProvider().addFeatures(
        layer_of("far", [box(0, 90)], fields=FIELDS, rows=[["ash", "plot 0", 0.8]]).getFeatures()
    )
    done = evaluate(given, CLASS_FIELD="species")
    assert done.ok, done.error
    cells = done.table("CONFUSION").set_index(["reference", "predicted", "kind"])["crowns"]
    assert {tuple(map(_text, key)): int(count) for key, count in cells.items()} == {
        ("ash", "ash", "right"): 0,
        ("ash", "oak", "wrong"): 1,
        ("ash", "", "not found"): 1,
        ("oak", "ash", "wrong"): 1,
        ("oak", "oak", "right"): 1,
        ("", "oak", "no class"): 1,
        ("", "ash", "no reference"): 1,
    }
    targets = done.table("MATCHED_TARGETS")
    assert targets["crown_class"].map(_text).tolist() == ["oak", "oak", "ash", "", "ash"]
    assert targets["matched_class"].map(_text).tolist() == ["oak", "ash", "oak", "oak", ""]
    assert targets["class_result"].tolist() == ["right", "wrong", "wrong", "no class", "not found"]
    predictions = done.table("MATCHED_PREDICTIONS")
    assert predictions["class_result"].tolist()[-1] == "no reference"
    metrics = done.table("CLASS_METRICS").set_index("class")
    assert metrics.loc["oak", ["reference", "predicted", "found", "correct"]].tolist() == [
        2,
        3,
        2,
        1,
    ]
    np.testing.assert_allclose(metrics.loc["oak", "producer_accuracy"], 1 / 2)
    np.testing.assert_allclose(metrics.loc["oak", "user_accuracy"], 1 / 3)
    np.testing.assert_allclose(metrics.loc["oak", "iou_mean"], 12 / 16)
    summary = done.table("CLASS_SUMMARY").set_index("metric")["value"]
    assert summary["accuracy"] == pytest.approx(1 / 3)
    find_message(done.messages, "classes.missing", count=1, layer="trees")
    conclusion = Provenance.from_json(done.results["PROVENANCE"]).conclusion
    assert shows(conclusion, "classes.confused", layer="found", right=1, judged=3)


def _text(value):
    return value if isinstance(value, str) else ""


def test_without_a_class_field_nothing_is_added(evaluate, qgis_new_project):
    done = evaluate(layers(["oak", "ash"], ["oak", "oak"]))
    assert done.ok, done.error
    assert "crown_class" not in done.table("MATCHED_TARGETS")
    assert not {"CONFUSION", "CLASS_METRICS", "CLASS_SUMMARY", "STRATA"} & set(done.results)


def test_one_class_gives_the_numbers_without_classes(evaluate, qgis_new_project):
    given = layers(["oak"] * 5, ["oak"] * 4)
    plain = evaluate(given).table("SUMMARY")
    for within in (False, True):
        done = evaluate(given, CLASS_FIELD="species", WITHIN_CLASSES=within)
        assert done.table("SUMMARY").equals(plain)
    metrics = done.table("CLASS_METRICS").iloc[0]
    names = ["tp", "fp", "fn", "precision", "recall", "pq", "sq", "rq", "ap", "ap50", "ap75"]
    np.testing.assert_allclose(
        metrics[names].to_numpy(float), plain.iloc[0][names].to_numpy(float), rtol=1e-12
    )


@pytest.mark.parametrize("seed", range(8))
def test_the_matrix_adds_up_to_the_summary(evaluate, qgis_new_project, seed):
    rng = np.random.default_rng(seed)
    names = np.array(["oak", "ash", "pine", None], dtype=object)
    given = layers(rng.choice(names, 9).tolist(), rng.choice(names, 9).tolist())
    ids = rng.choice(9, 3, replace=False) + 1
    given["PREDICTIONS"].dataProvider().deleteFeatures(ids[:2].tolist())
    given["TARGETS"].dataProvider().deleteFeatures(ids[2:].tolist())
    for within in (False, True):
        done = evaluate(given, CLASS_FIELD="species", WITHIN_CLASSES=within, PLOT_FIELD="plot")
        assert done.ok, done.error
        summary = done.table("SUMMARY").iloc[0]
        crowns = done.table("CONFUSION").groupby("kind")["crowns"].sum()
        matched = crowns.reindex(["right", "wrong", "no class"]).sum()
        assert matched == summary["tp"]
        assert crowns.get("not found", 0) == summary["fn"]
        assert crowns.get("no reference", 0) == summary["fp"]
        if within:
            assert not {"wrong", "no class"} & set(crowns.index)


def test_groups_and_fields_of_other_names(evaluate, qgis_new_project):
    given = layers(["PIPA", "QULA"], ["PIEL", "QULA"])
    given["PREDICTIONS"] = layer_of(
        "found",
        [box(0, 0), box(10, 0)],
        fields="&field=label:string",
        rows=[["PIEL"], ["QULA"]],
    )
    done = evaluate(
        given,
        CLASS_FIELD="species",
        PREDICTION_CLASS_FIELD="label",
        CLASS_GROUPS="conifer=PIPA+PIEL",
    )
    assert done.ok, done.error
    assert done.table("CLASS_METRICS")["class"].tolist() == ["QULA", "conifer"]
    assert done.table("CLASS_SUMMARY").set_index("metric")["value"]["accuracy"] == 1


def test_only_some_crowns_drawn_leaves_user_accuracy_undefined(evaluate, qgis_new_project):
    done = evaluate(
        layers(["oak", "ash"], ["oak", "oak", "oak"]), CLASS_FIELD="species", ALL_DRAWN=False
    )
    metrics = done.table("CLASS_METRICS").set_index("class")
    assert metrics["user_accuracy"].isna().all()
    assert metrics.loc["oak", "producer_accuracy"] == 1


@pytest.mark.parametrize(
    ("parameters", "key"),
    [
        ({"CLASS_FIELD": "genus"}, "classes.no_field"),
        (
            {"CLASS_FIELD": "species", "PREDICTION_CLASS_FIELD": "genus"},
            "classes.no_field_to_compare",
        ),
        ({"WITHIN_CLASSES": True}, "classes.no_field_to_match"),
        ({"CLASS_FIELD": "species", "CLASS_GROUPS": "a=b; c=b"}, "classes.in_two_groups"),
        ({"CLASS_GROUPS": "a=b"}, "classes.option_without_field"),
        ({"PREDICTION_CLASS_FIELD": "species"}, "classes.option_without_field"),
        ({"SUMMARISE_BY": 1}, "strata.no_field"),
        ({"SUMMARISE_BY": 1, "STRATA_FIELD": "genus"}, "classes.no_field"),
        ({"SUMMARISE_BY": 2, "STRATA_BREAKS": "9; 3"}, "strata.unreadable_breaks"),
    ],
)
def test_what_cannot_be_compared_is_refused(evaluate, qgis_new_project, parameters, key):
    done = evaluate(layers(["oak"], ["oak"]), **parameters)
    assert shows(done.refused, key)


def test_a_class_with_decimals_is_refused(evaluate, qgis_new_project):
    done = evaluate(layers(["oak"], ["oak"]), CLASS_FIELD="score")
    assert not done.ok
    assert shows(done.error, "classes.not_whole", value=0.5, name="trees")


def test_strata_of_a_field(evaluate, qgis_new_project):
    done = evaluate(
        layers(["oak", "oak", "ash", None], ["oak", "oak"]),
        SUMMARISE_BY=1,
        STRATA_FIELD="species",
    )
    assert done.ok, done.error
    strata = done.table("STRATA")
    assert strata["stratum"].map(_text).tolist() == ["ash", "oak", "", ""]
    assert strata["kind"].tolist() == ["stratum", "stratum", "no value", "unmatched"]
    np.testing.assert_allclose(strata["iou_mean"], [0, 0.75, 0, np.nan])
    np.testing.assert_allclose(strata["found"], [0, 2, 0, np.nan])
    assert strata["unmatched"].iloc[-1] == 0
    find_message(done.messages, "strata.not_tested", score="IoU")


def test_strata_of_areas_hold_unmatched_predictions(evaluate, qgis_new_project):
    given = layers(["oak", "oak"], ["oak", "oak", "oak"])
    done = evaluate(given, SUMMARISE_BY=2, STRATA_BREAKS="14")
    strata = done.table("STRATA").set_index("stratum")
    assert strata["crowns"].to_dict() == {"< 14": 0, ">= 14": 2}
    assert strata["unmatched"].to_dict() == {"< 14": 1, ">= 14": 0}


def test_a_field_with_a_value_per_crown_is_refused(evaluate, qgis_new_project):
    names = [f"tree {number}" for number in range(MAX_STRATA + 1)]
    done = evaluate(layers(names, ["oak"]), SUMMARISE_BY=1, STRATA_FIELD="species")
    assert not done.ok
    assert shows(done.error, "strata.too_many", name="species", count=MAX_STRATA + 1)


def test_sums_of_the_matrix_equal_the_counts_with_uncertain_predictions(evaluate, qgis_new_project):
    # Of four predictions, one is found and one lies on an area to ignore. A third of the next one
    # lies on a tree, and nothing of the last one.
    given = {
        "TARGETS": layer_of(
            "trees", [box(0, 0), box(20, 0)], fields=FIELDS, rows=[["oak", "a", 0.5]] * 2
        ),
        "PREDICTIONS": layer_of(
            "found",
            [box(0, 0), box(10, 0), box(22, 0, 6), box(40, 0)],
            fields=FIELDS,
            rows=[["oak", "a", 0.5]] * 4,
        ),
        "IGNORED": layer_of("ignored", [box(10, 0)]),
    }
    done = evaluate(given, CLASS_FIELD="species", MIN_PRECISION_FP=0.2)
    assert done.ok, done.error or done.refused
    assert counts(done) == {"right": 1, "not found": 1, "no reference": 1}
    done = evaluate(given, CLASS_FIELD="species", MIN_PRECISION_FP=0.4)
    assert counts(done) == {"right": 1, "not found": 1}
    results = done.table("MATCHED_PREDICTIONS")["class_result"]
    assert results.map(_text).tolist() == ["right", "", "", ""]


def counts(done):
    """Return the numbers of crowns by kind, which equal those of the summary."""
    crowns = done.table("CONFUSION").groupby("kind")["crowns"].sum()
    summary = done.table("SUMMARY").iloc[0]
    found = crowns.get("right", 0), crowns.get("not found", 0), crowns.get("no reference", 0)
    assert found == (summary["tp"], summary["fn"], summary["fp"])
    return {kind: int(count) for kind, count in crowns.items() if count}
