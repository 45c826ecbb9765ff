"""Agreement on classes tile by tile is that of the job on whole layers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from shapely import affinity
from support.batch import CRS, assert_same, random_layers
from support.errors import find_message, raises

from randcrowns import batch
from randcrowns.batch.records import read_results
from randcrowns.batch.results import ResultsDirectory
from randcrowns.batch.running import ThisProcess
from randcrowns.command.main import main
from randcrowns.core.classes import area_classes
from randcrowns.core.classes.annotators import count_contradictions
from randcrowns.core.crowns import Crowns
from randcrowns.jobs.agreement import compare_annotators

TABLES = ("class_agreement", "class_confusion")
#: Part of the random layers; it cuts crowns and tiles.
EXTENT = (404_004.3, 3_285_006.1, 404_033.7, 3_285_038.2)
#: "all" is a row of the results, so its crowns are called otherwise there.
SPECIES = np.array(["oak", "ash", "elm", "all", None], dtype=object)
GRADES = np.array([1, 2, 3, 5, None], dtype=object)
CASES: list[dict[str, Any]] = [
    {"class_field": "species"},
    {"class_field": "species", "class_groups": "hard=oak+ash", "extent": EXTENT},
    {"class_field": "grade", "class_scale": "ordinal", "unmarked_class": True, "extent": EXTENT},
    {"class_field": "grade", "class_scale": "interval", "unmarked_class": True},
    {"class_field": "species", "unmarked_class": True, "extent": EXTENT},
]


def _layers(folder: Path, seed: int, *, without_field: bool = False) -> list[Path]:
    """Write the crowns of three annotators, some of them without a class; a fourth has no field.

    Some crowns occur twice in a layer, with the same class or another one.
    """
    layers = random_layers(folder, seed)
    rng = np.random.default_rng(seed + 700)
    moved = [
        affinity.translate(crown, *rng.normal(0, 0.4, 2)) for crown in layers.targets.geometry[5:]
    ]
    drawn = {
        "cleo": layers.targets.geometry,
        "ann": layers.drawn.geometry,
        "ben": np.array(moved, dtype=object),
    }
    paths = []
    for name, crowns in drawn.items():
        choice = rng.choice(5, len(crowns), p=[0.4, 0.3, 0.1, 0.1, 0.1])
        columns = {"species": SPECIES[choice], "grade": pd.array(GRADES[choice], dtype="Int64")}
        paths.append(folder / f"{name}.gpkg")
        geopandas.GeoDataFrame(columns, geometry=crowns, crs=CRS).to_file(paths[-1])
    if without_field:
        paths.append(folder / "dan.gpkg")
        geopandas.GeoDataFrame(geometry=layers.targets.geometry, crs=CRS).to_file(paths[-1])
    return paths


def _assert_same_tables(out: Path, expected: dict[str, pd.DataFrame]) -> None:
    """Assert that the files of a folder have the numbers of the tables of the job."""
    texts = dict.fromkeys(("first", "second", "first_class", "second_class"), str)
    for name in TABLES:
        found = pd.read_csv(out / f"{name}.csv", dtype=texts, keep_default_na=False, na_values=[""])
        assert list(found) == list(expected[name]), name
        assert_same(found, expected[name])


@pytest.mark.parametrize(
    ("case", "tile"),
    [
        # All tiles with all cases are slow; each case has one size, and each size has a case.
        pytest.param(case, tile, marks=() if case % 3 == number else pytest.mark.nightly)
        for number, tile in enumerate((14.0, 11.0, 26.0))
        for case in range(len(CASES))
    ],
)
def test_agreement_on_classes_is_that_without_tiles(tmp_path, case: int, tile: float) -> None:
    paths = _layers(tmp_path, 40 + case, without_field=case == 4)
    options = CASES[case]
    out = tmp_path / "out"
    batch.agree(paths, out, tile=tile, scheduler=ThisProcess(), **options)
    whole = compare_annotators([*map(str, paths)], bootstrap_samples=2, **options)
    n_tiles = len(ResultsDirectory.read(out).manifest["tiles"])
    assert n_tiles > 3
    # The scene has disagreements of every kind.
    assert whole.tables["class_agreement"]["agreement"].dropna().between(0.05, 0.95).all()
    assert whole.tables["class_agreement"]["area_alpha"].notna().any()
    _assert_same_tables(out, whole.tables)
    warnings = json.loads((out / "summary.json").read_text(encoding="utf-8"))["warnings"]
    keys = ("agreement.", "classes.", "input.no_class_field", "layer.no_class_field")
    expected = [
        str(message)
        for message in whole.messages
        if message.key.startswith(keys) and "class" in message.key
    ]
    assert expected
    assert set(expected) <= set(warnings)


def test_order_of_layers_has_no_effect(tmp_path) -> None:
    paths = _layers(tmp_path, 51)
    for name, order in (("a", paths), ("b", paths[::-1])):
        batch.agree(order, tmp_path / name, tile=11, scheduler=ThisProcess(), class_field="species")
    for name in TABLES:
        one, other = (pd.read_csv(tmp_path / folder / f"{name}.csv") for folder in "ab")
        assert_same(one, other)


def test_a_crown_on_the_border_of_tiles_counts_once(tmp_path) -> None:
    """By hand: of trees at 0, 10 and 20 m, ann and ben call two alike; tiles end at 11 m or so."""
    trees = shapely.box(
        [404_000, 404_010, 404_020], 3_285_000, [404_004, 404_014, 404_024], 3_285_004
    )
    for name, species in (("ann", ["oak", "ash", "ash"]), ("ben", ["oak", "oak", "ash"])):
        crowns = _moved(trees, 0.0 if name == "ann" else 0.4)
        geopandas.GeoDataFrame({"species": species}, geometry=crowns, crs=CRS).to_file(
            tmp_path / f"{name}.gpkg"
        )
    paths = [tmp_path / "ann.gpkg", tmp_path / "ben.gpkg"]
    out = tmp_path / "out"
    batch.agree(paths, out, tile=6.1, scheduler=ThisProcess(), class_field="species")
    pair = pd.read_csv(out / "class_agreement.csv").iloc[1]
    assert pair["compared"] == 3
    assert pair["agreement"] == pytest.approx(2 / 3)
    # Both marked 3.6 m x 4 m of each tree.
    assert pair["area"] == pytest.approx(3 * 3.6 * 4)
    assert pair["area_agreement"] == pytest.approx(2 / 3)
    assert len(ResultsDirectory.read(out).manifest["tiles"]) > 3


def _moved(crowns: Any, shift: float) -> Any:
    """Return crowns that are moved to the right, m."""
    return np.array([affinity.translate(crown, shift, 0) for crown in crowns], dtype=object)


def test_crowns_of_two_classes_are_counted_by_the_tile_that_owns_them(tmp_path) -> None:
    paths = _layers(tmp_path, 52)
    out = tmp_path / "out"
    batch.agree(paths, out, tile=9, scheduler=ThisProcess(), class_field="species")
    layers = {path.stem: geopandas.read_file(path) for path in paths}
    expected = count_contradictions(
        {name: Crowns(frame.geometry, classes=frame["species"]) for name, frame in layers.items()}
    )
    reports = ResultsDirectory.read(out).stage_reports("written").values()
    assert sum(report["contradictory"] for report in reports) == expected
    assert expected > 2


def test_too_many_classes_are_not_overlaid(tmp_path, monkeypatch) -> None:
    """Each tile has few classes; three annotators with four classes and without one are 15."""
    monkeypatch.setattr(area_classes, "MAX_ANNOTATORS", 11)
    paths = _layers(tmp_path, 55)
    out = tmp_path / "out"
    batch.agree(paths, out, tile=9, scheduler=ThisProcess(), class_field="species")
    whole = compare_annotators([*map(str, paths)], bootstrap_samples=2, class_field="species")
    assert whole.tables["class_agreement"]["area"].isna().all()
    _assert_same_tables(out, whole.tables)
    reports = ResultsDirectory.read(out).stage_reports("written").values()
    assert any(report["class_areas"] for report in reports)
    warnings = json.loads((out / "summary.json").read_text(encoding="utf-8"))["warnings"]
    sentence = find_message(whole.messages, "agreement.too_many_classes")
    assert str(sentence) in warnings


def test_what_the_job_refuses_is_refused_before_the_first_tile(tmp_path) -> None:
    paths = _layers(tmp_path, 53)
    out = tmp_path / "out"
    for key, options in (
        ("classes.option_without_field", {"class_groups": "hard=oak+ash"}),
        ("classes.invalid_group", {"class_field": "species", "class_groups": "oak"}),
        ("ratings.not_numbers", {"class_field": "species", "class_scale": "interval"}),
        ("parameter.no_option", {"class_field": "species", "class_scale": "circular"}),
        (
            "ratings.not_numbers",
            {"class_field": "grade", "class_scale": "interval", "class_groups": "low=1+2"},
        ),
    ):
        with raises(key) as without_tiles:
            compare_annotators([*map(str, paths)], bootstrap_samples=2, **options)
        with raises(key) as refused:
            batch.agree(paths, out, tile=26, scheduler=ThisProcess(), **options)
        assert str(refused.value) == str(without_tiles.value)
        assert not out.exists(), key


def test_the_command_compares_classes_by_tiles_and_says_what_they_show(tmp_path, capsys) -> None:
    paths = _layers(tmp_path, 54)
    out = tmp_path / "out"
    options = ["--class-field", "grade", "--class-scale", "ordinal", "--unmarked-class"]
    arguments = ["agree", *map(str, paths), *options, "--out", str(out), "--tile", "20"]
    assert main([*arguments, "--quiet"]) == 0
    assert "that several annotators drew" in capsys.readouterr().err
    whole = compare_annotators(
        [*map(str, paths)],
        bootstrap_samples=2,
        class_field="grade",
        class_scale="ordinal",
        unmarked_class=True,
    )
    _assert_same_tables(out, whole.tables)
    # The record of the folder has the tables, and the choices for a run that is resumed.
    assert set(TABLES) <= set(read_results(out).tables)
    choices = ResultsDirectory.read(out).manifest["choices"]
    assert choices["class_field"] == "grade"
    assert "class_groups" not in choices
    with raises("batch.other_run"):
        batch.agree(paths, out, tile=20, scheduler=ThisProcess(), resume=True)
