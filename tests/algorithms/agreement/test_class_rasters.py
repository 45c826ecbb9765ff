"""Rasters of classes in randcrowns:compareannotators, compared with krippendorff and irrCAC."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from qgis.core import QgsRasterLayer
from support.errors import find_message
from support.layers import layer_of
from support.rasters import NORTH, WEST, write_raster

from randcrowns.algorithms.agreement.schema.parameters import CLASS_SCALE, METHOD
from randcrowns.algorithms.common_parameters import VALUES
from randcrowns.layers.raster.masks import ValueMeaning

OUTPUTS = ("SUMMARY", "CLASS_AGREEMENT", "CLASS_CONFUSION")
#: Values of other programs, among them the labels of SimpleITK's MultiLabelSTAPLE.
OUTSIDE = json.loads(
    (Path(__file__).parents[2] / "core" / "classes" / "data" / "outside_values.json").read_text(
        encoding="utf-8"
    )
)
#: Values of krippendorff, irrCAC and scikit-learn for random ratings.
CASES = OUTSIDE["ratings"]
#: Number of the option of rasters whose values are classes.
CLASSES = [option.key for option in VALUES.options].index(ValueMeaning.CLASSES.value)
#: Number of the consensus of everything that anybody marked.
ANY = METHOD.keys.index("any")
#: Number of each scale of classes.
SCALES = {option.key: number for number, option in enumerate(CLASS_SCALE.options)}
#: Value of pixels without data.
NO_DATA = 99


def rasters_of(tmp_path, ratings, shift=0, pixel=1.0):
    """Return a raster per annotator with a pixel per unit; ``shift`` is added to the classes."""
    layers = []
    for name, column in zip("abcde", np.array(ratings, dtype=object).T):
        values = [NO_DATA if value is None else value + shift for value in column]
        path = write_raster(
            tmp_path / f"{name}.tif", np.reshape(values, (5, -1)), pixel, nodata=NO_DATA
        )
        layers.append(QgsRasterLayer(str(path), name))
    return layers


def compare(run, layers, **parameters):
    asked = {"ANNOTATORS": layers, "VALUES": CLASSES, "BOOTSTRAP_SAMPLES": 2, **parameters}
    done = run("compareannotators", asked, None, OUTPUTS)
    assert done.ok, done.error
    return done


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("scale", "weights"), [("nominal", "identity"), ("ordinal", "linear")])
def test_rasters_of_classes_have_the_agreement_of_their_pixels(
    run, qgis_new_project, tmp_path, case, scale, weights
):
    layers = rasters_of(tmp_path, case["ratings"], pixel=2.0)
    done = compare(run, layers, CLASS_SCALE=SCALES[scale])
    table = done.table("CLASS_AGREEMENT")
    overall, first = table.iloc[0], table.iloc[1]
    n_rated = np.array([sum(value is not None for value in row) for row in case["ratings"]])
    assert overall["area"] == pytest.approx(4 * (n_rated >= 2).sum())
    assert overall["area_agreement"] == pytest.approx(case["pa"], abs=1e-10)
    assert overall["area_kappa"] == pytest.approx(case["fleiss"], abs=1e-10)
    assert overall["area_ac1"] == pytest.approx(case["gwet"], abs=1e-10)
    assert overall["area_alpha"] == pytest.approx(case[f"alpha_{scale}"], abs=1e-10)
    assert (first["first"], first["second"]) == ("a", "b")
    assert first["area_kappa"] == pytest.approx(case[f"kappa_{weights}"], abs=1e-10)
    find_message(done.messages, "agreement.area_classes")
    assert "agreement.no_classes" not in done.keys


def test_zero_is_a_class_of_numbers_if_unmarked_ground_counts(run, qgis_new_project, tmp_path):
    case = CASES[1]
    done = compare(
        run,
        rasters_of(tmp_path, case["ratings"], shift=-1),
        CLASS_SCALE=SCALES["interval"],
        UNMARKED_CLASS=True,
    )
    table = done.table("CLASS_AGREEMENT")
    assert table.loc[0, "area_alpha"] == pytest.approx(case["alpha_interval"], abs=1e-10)
    assert table.loc[1, "area_kappa"] == pytest.approx(case["kappa_quadratic"], abs=1e-10)
    cells = done.table("CLASS_CONFUSION")
    assert set(cells["first_class"]) == {"0", "1", "2", "3"}
    assert not cells["crowns"].any()


def test_the_order_of_rasters_changes_nothing(run, qgis_new_project, tmp_path):
    layers = rasters_of(tmp_path, CASES[0]["ratings"])
    tables = [
        compare(run, own).table("CLASS_AGREEMENT").drop(columns="fid", errors="ignore")
        for own in (layers, layers[::-1])
    ]
    assert tables[0].equals(tables[1])


def test_confusion_is_in_areas(run, qgis_new_project, tmp_path):
    ratings = [[1, 1], [1, 2], [2, 2], [2, None], [0, 2]]
    layers = rasters_of(tmp_path, ratings, pixel=2.0)
    cells = compare(run, layers).table("CLASS_CONFUSION")
    assert cells[["first_class", "second_class", "area"]].to_numpy().tolist() == [
        ["1", "1", 4],
        ["1", "2", 4],
        ["2", "2", 4],
    ]


def test_polygons_with_numbers_as_classes_are_compared_with_a_raster(
    run, qgis_new_project, tmp_path
):
    layers = rasters_of(tmp_path, [[1, 1], [1, 2], [2, 2], [0, 2], [2, 1]])[:1]
    corners = [(WEST, NORTH - 3), (WEST + 1, NORTH - 3), (WEST + 1, NORTH), (WEST, NORTH)]
    ring = ", ".join(f"{x} {y}" for x, y in [*corners, corners[0]])
    layers.append(layer_of("b", [f"POLYGON(({ring}))"], fields="&field=kind:string", rows=[["1"]]))
    done = compare(run, layers, CLASS_FIELD="kind")
    # The polygon covers the pixels 1, 1 and 2.
    cells = done.table("CLASS_CONFUSION")
    assert cells[["first_class", "second_class", "crowns", "area"]].to_numpy().tolist() == [
        ["1", "1", 0, 2],
        ["2", "1", 0, 1],
    ]


def test_masks_and_values_with_decimals_have_no_classes(run, qgis_new_project, tmp_path):
    masks = rasters_of(tmp_path, [[1, 1], [0, 1], [1, 0], [1, None], [0, 0]])
    done = compare(run, masks)
    assert not {"CLASS_AGREEMENT", "CLASS_CONFUSION"} & set(done.results)
    layers = rasters_of(tmp_path, [[1, 1, 1], [2, 1, 2], [1, 2, 3], [1, 2, 0], [0, 0, 2]])
    path = write_raster(tmp_path / "d.tif", np.full((5, 1), 1.5))
    done = compare(run, [*layers, QgsRasterLayer(str(path), "d")])
    find_message(done.messages, "agreement.values_with_decimals", names=("d",), values=("1.5",))
    areas = done.table("CLASS_AGREEMENT").set_index(["first", "second"])["area"]
    assert areas["a", "b"] == 4
    assert areas["c", "d"] == 0


def test_too_many_values_are_not_compared(run, qgis_new_project, tmp_path):
    values = np.arange(1000)
    layers = rasters_of(tmp_path, np.stack([values, values[::-1]]).T.tolist())
    done = compare(run, layers)
    find_message(done.messages, "agreement.too_many_values", number=998, most=256)
    assert "CLASS_AGREEMENT" not in done.results


def test_large_patches_of_classes_are_recognised(run, qgis_new_project, tmp_path):
    # Each class covers half of the raster, in stripes of two pixels.
    values = np.repeat([1, 2] * 5, 2)[:, None].repeat(20, axis=1)
    layers = []
    for name, turned in (("a", values), ("b", values.T)):
        path = write_raster(tmp_path / f"{name}.tif", turned)
        layers.append(QgsRasterLayer(str(path), name))
    done = compare(run, layers, VALUES=0)
    find_message(done.messages, "agreement.area_classes")
    assert done.table("CLASS_AGREEMENT").loc[1, "area_agreement"] == pytest.approx(0.5)
    assert "marks.ids" not in done.keys


def test_classes_of_decimals_alone_are_noted_and_whole_numbers_as_decimals_are_classes(
    run, qgis_new_project, tmp_path
):
    def raster(name, values):
        path = write_raster(tmp_path / f"{name}.tif", np.reshape(values, (5, -1)))
        return QgsRasterLayer(str(path), name)

    decimals = [raster(name, [1.0, 1.5, 2.5, 2.0, 1.0]) for name in ("a", "b")]
    done = compare(run, decimals)
    find_message(
        done.messages, "agreement.values_with_decimals", names=("a", "b"), values=("1.5", "2.5")
    )
    assert "CLASS_AGREEMENT" not in done.results
    whole = [raster(name, [1.0, 2.0, 2.0, 2.0, 1.0]) for name in ("c", "d")]
    done = compare(run, whole)
    assert "agreement.values_with_decimals" not in done.keys
    assert set(done.table("CLASS_CONFUSION")["first_class"]) == {"1", "2"}


@pytest.mark.parametrize("rule", [0, 1])
def test_a_consensus_of_rasters_of_classes_has_the_labels_of_simpleitk(
    run, qgis_new_project, tmp_path, rule
):
    outside = OUTSIDE["staple_labels"]
    stack = np.array([list(map(int, raster)) for raster in outside["stack"]]) + 1
    asked = {
        "ANNOTATORS": rasters_of(tmp_path, stack.T),
        "VALUES": CLASSES,
        "METHOD": ANY,
        "CLASS_RULE": rule,
    }
    done = run("consensus", asked, None, ("CONSENSUS", "CLASS_PERFORMANCE"))
    assert done.ok, done.error
    table = done.table("CONSENSUS")
    if rule:
        labels = [str(int(label) + 1) for label in outside["labels"]]
        n_classes = len(set(labels))
        found = done.table("CLASS_PERFORMANCE")["probability"].to_numpy()
        expected = np.array(outside["confusion"])[:, :n_classes].transpose(0, 2, 1)
        np.testing.assert_allclose(found, expected.ravel(), rtol=0, atol=2e-5)
    else:
        votes = [np.bincount(column) for column in stack.T]
        labels = [str(own.argmax()) for own in votes if (own == own.max()).sum() == 1]
    areas = table.groupby("crown_class")["area"].sum()
    assert areas.to_dict() == {label: labels.count(label) for label in set(labels)}
    assert table["area"].sum() == stack.shape[1]


def test_rasters_of_classes_are_one_area_unless_their_values_are_stated_to_be_classes(
    run, qgis_new_project, tmp_path
):
    layers = rasters_of(tmp_path, [[1, 1], [2, 2], [2, 1], [3, 3], [3, 3]])
    done = run("consensus", {"ANNOTATORS": layers, "METHOD": ANY}, None, ("CONSENSUS",))
    assert done.ok, done.error
    assert done.table("CONSENSUS")["area"].tolist() == [5.0]
