"""Classes taken as one on page Annotators: a run has the numbers of layers with rewritten classes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from qgis.core import QgsRasterLayer
from support.errors import find_message
from support.layers import box_layer
from support.rasters import write_raster
from support.shown import shows

from randcrowns.algorithms.agreement.schema.parameters import CLASS_RULE, CLASS_SCALE, METHOD
from randcrowns.algorithms.common_parameters import VALUES

COMPARED = ("SUMMARY", "CLASS_AGREEMENT", "CLASS_CONFUSION")
COMBINED = ("CONSENSUS", "CLASS_PERFORMANCE")
#: Classes of each group of the runs, as numbers for the ordered scales.
GROUPS = {"7": ["1", "2"], "3": ["4", "5"]}
TEXT = "7=1+2; 3=4+5"
#: Classes of the runs before they are grouped; "6" is in no group.
CLASSES = ["1", "2", "4", "5", "6"]
CLASSES_LABEL = VALUES.label_of("classes")
#: Trees of 8 m, 10 m apart, in two rows.
TREES = [(10 * x, 12 * y, 10 * x + 8, 12 * y + 8) for y in range(2) for x in range(8)]


def rewritten(value):
    """Return the name of the group of a class, in a plain loop."""
    for name, members in GROUPS.items():
        if value in members:
            return name
    return value


def people(change=lambda value: value):
    """Return layers of three annotators: shifted crowns with random classes, some overlapping."""
    rng = np.random.default_rng(39)
    layers = []
    for name in ("ann", "ben", "cleo"):
        shifted = np.array(TREES) + rng.integers(0, 3, (len(TREES), 1))
        boxes = [*shifted.tolist(), (4, 0, 14, 8)]
        kinds = [*rng.choice(CLASSES, len(TREES)).tolist(), "2"]
        rows = [[None if number == 5 else change(kind)] for number, kind in enumerate(kinds)]
        layers.append(box_layer(name, boxes, fields="&field=kind:string", rows=rows))
    return layers


def rasters(folder, change=lambda value: value):
    """Return rasters of three annotators with random values; 0 is unmarked, 9 no data."""
    rng = np.random.default_rng(93)
    layers = []
    for name in ("ann", "ben", "cleo"):
        values = rng.choice([0, 1, 2, 4, 5, 6, 9], (12, 12))
        numbers = [[float(change(str(value))) for value in row] for row in values]
        path = write_raster(folder / f"{name}.tif", numbers, nodata=9)
        layers.append(QgsRasterLayer(str(path), name))
    return layers


def tables(run, algorithm, outputs, **parameters):
    done = run(algorithm, {"BOOTSTRAP_SAMPLES": 2, **parameters}, None, outputs)
    assert done.ok, done.refused or done.error
    return {name: done.table(name) for name in outputs if name in done.results}


def assert_equal(run, algorithm, outputs, grouped, expected, **parameters):
    """Assert equal tables with groups and with rewritten classes, unlike those without groups."""
    with_groups, by_hand, without = (
        tables(run, algorithm, outputs, ANNOTATORS=layers, **parameters, **groups)
        for layers, groups in ((grouped, {"CLASS_GROUPS": TEXT}), (expected, {}), (grouped, {}))
    )
    assert with_groups.keys() == by_hand.keys()
    for name, table in with_groups.items():
        pd.testing.assert_frame_equal(table, by_hand[name])
    assert any(not table.equals(with_groups[name]) for name, table in without.items())


@pytest.mark.parametrize(
    ("scale", "is_unmarked"), [("nominal", True), ("ordinal", False), ("interval", True)]
)
def test_grouped_classes_agree_as_rewritten_ones(run, qgis_new_project, scale, is_unmarked):
    assert_equal(
        run,
        "compareannotators",
        COMPARED,
        people(),
        people(rewritten),
        CLASS_FIELD="kind",
        CLASS_SCALE=CLASS_SCALE.keys.index(scale),
        UNMARKED_CLASS=is_unmarked,
    )


@pytest.mark.parametrize("rule", CLASS_RULE.keys)
@pytest.mark.parametrize(
    ("method", "more"),
    [("crowns", {"LEAVE_ONE_OUT": True}), ("any", {}), ("any", {"RESOLUTION": 1})],
)
def test_a_consensus_of_grouped_classes_is_that_of_rewritten_ones(
    run, qgis_new_project, rule, method, more
):
    assert_equal(
        run,
        "consensus",
        COMBINED,
        people(),
        people(rewritten),
        CLASS_FIELD="kind",
        METHOD=METHOD.keys.index(method),
        CLASS_RULE=CLASS_RULE.keys.index(rule),
        **more,
    )


@pytest.mark.parametrize(
    ("algorithm", "outputs", "more"),
    [
        ("compareannotators", COMPARED, {"UNMARKED_CLASS": True}),
        ("compareannotators", COMPARED, {"CLASS_SCALE": CLASS_SCALE.keys.index("interval")}),
        ("consensus", COMBINED, {"METHOD": METHOD.keys.index("any")}),
        ("consensus", COMBINED, {"METHOD": METHOD.keys.index("any"), "CLASS_RULE": 1}),
    ],
)
def test_grouped_values_of_rasters_are_those_of_rewritten_rasters(
    run, qgis_new_project, tmp_path, algorithm, outputs, more
):
    (tmp_path / "new").mkdir()
    values = VALUES.keys.index("classes")
    grouped, expected = rasters(tmp_path), rasters(tmp_path / "new", rewritten)
    assert_equal(run, algorithm, outputs, grouped, expected, VALUES=values, **more)


def test_polygons_are_compared_with_the_groups_of_values(run, qgis_new_project, tmp_path):
    # The upper half of the raster is 1, the lower one 2; the polygon covers both as "broad".
    path = write_raster(tmp_path / "ann.tif", [[1, 1], [2, 2]], west=500_000, north=3_000_002)
    raster = QgsRasterLayer(str(path), "ann")
    polygon = box_layer("ben", [(0, 0, 2, 2)], fields="&field=kind:string", rows=[["oak"]])
    done = run(
        "compareannotators",
        {
            "ANNOTATORS": [raster, polygon],
            "VALUES": VALUES.keys.index("classes"),
            "CLASS_FIELD": "kind",
            "CLASS_GROUPS": "broad=1+2+oak",
        },
        None,
        COMPARED,
    )
    assert done.ok, done.refused or done.error
    cells = done.table("CLASS_CONFUSION")[["first_class", "second_class", "area"]]
    assert cells.to_numpy().tolist() == [["broad", "broad", 4]]


def test_many_values_are_compared_as_few_classes(run, qgis_new_project, tmp_path):
    values = np.arange(1, 401).reshape(20, 20)
    layers = [
        QgsRasterLayer(str(write_raster(tmp_path / f"{name}.tif", own)), name)
        for name, own in (("a", values), ("b", values.T))
    ]
    low, high = ("+".join(map(str, part)) for part in (range(1, 201), range(201, 401)))
    given = {"ANNOTATORS": layers, "VALUES": VALUES.keys.index("classes")}
    done = run(
        "compareannotators", {**given, "CLASS_GROUPS": f"low={low}; high={high}"}, None, COMPARED
    )
    assert done.ok, done.refused or done.error
    assert "agreement.too_many_values" not in done.keys
    # Each class of a is ten rows, of b ten columns: half of the ground is the same.
    assert done.table("CLASS_AGREEMENT")["area_agreement"].tolist() == [0.5, 0.5]


@pytest.mark.parametrize("algorithm", ["compareannotators", "consensus"])
@pytest.mark.parametrize(
    ("groups", "field", "key"),
    [
        ("oak", "kind", "classes.invalid_group"),
        ("a=1; b=1", "kind", "classes.in_two_groups"),
        ("6=1+2", "kind", "classes.group_is_class"),
        ("a=1+2", "", "classes.option_without_field"),
    ],
)
def test_groups_that_cannot_be_used_are_refused(
    run, qgis_new_project, algorithm, groups, field, key
):
    given = {"ANNOTATORS": people(), "CLASS_GROUPS": groups, "CLASS_FIELD": field}
    outputs = {"compareannotators": COMPARED, "consensus": COMBINED}[algorithm]
    done = run(algorithm, given, None, outputs[:1])
    assert shows(done.refused or done.error, key)


def test_names_of_groups_on_the_scale_of_numbers_are_numbers(run, qgis_new_project):
    given = {"ANNOTATORS": people(), "CLASS_FIELD": "kind", "CLASS_GROUPS": "low=1+2"}
    scale = CLASS_SCALE.keys.index("interval")
    done = run("compareannotators", {**given, "CLASS_SCALE": scale}, None, COMPARED)
    assert shows(done.refused, "ratings.not_numbers", labels="low")


def test_groups_of_rasters_require_classes(run, qgis_new_project, tmp_path):
    given = {"ANNOTATORS": rasters(tmp_path), "CLASS_GROUPS": TEXT}
    done = run("consensus", {**given, "METHOD": METHOD.keys.index("any")}, None, COMBINED[:1])
    assert shows(done.refused, "classes.option_without_values", value=CLASSES_LABEL)
    one_value = VALUES.keys.index("value")
    done = run("compareannotators", {**given, "VALUES": one_value, "MARK_VALUE": 2}, None, COMPARED)
    assert shows(done.refused, "classes.option_without_values", value=CLASSES_LABEL)


def test_classes_that_nobody_has_are_noted(run, qgis_new_project, tmp_path):
    layers = rasters(tmp_path)
    given = {"ANNOTATORS": layers, "VALUES": VALUES.keys.index("classes")}
    done = run("compareannotators", {**given, "CLASS_GROUPS": "7=1+2+80"}, None, COMPARED)
    assert done.ok, done.refused or done.error
    find_message(done.messages, "classes.unknown_in_group", names=("80",))
