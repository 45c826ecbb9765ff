"""Classes and strata tile by tile are those of the jobs on whole layers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import pandas as pd
import pytest
from support.batch import assert_same, random_layers, table_of
from support.errors import raises

from randcrowns import batch
from randcrowns.batch.results import ResultsDirectory
from randcrowns.command.main import main
from randcrowns.core.tile_parameters import CLASS_PARAMETERS
from randcrowns.jobs.evaluation import evaluate
from randcrowns.jobs.scoring import score

#: Tables of classes and strata: names of the files and of the tables of jobs.
TABLES = ("confusion", "class_metrics", "class_summary", "strata", "strata_tests")
#: "all" is a row of the results, so its crowns are called otherwise there.
NAMES = np.array(["oak", "ash", "all", " oak", None], dtype=object)
EXTENT = (404_005.0, 3_285_004.0, 404_036.0, 3_285_037.0)


def _classed_layers(folder: Path, seed: int, *, plots: bool = True) -> tuple[Path, Path]:
    """Write random layers whose crowns have a species, a height and a score."""
    layers = random_layers(folder, seed, number=40, plots=(plots, False))
    rng = np.random.default_rng(seed + 500)
    for path in layers.paths:
        frame = geopandas.read_file(path)
        n = len(frame)
        frame["species"] = rng.choice(NAMES, n, p=[0.4, 0.3, 0.15, 0.1, 0.05])
        frame["height"] = np.where(rng.random(n) < 0.1, np.nan, rng.uniform(2, 30, n))
        frame["score"] = rng.integers(0, 20, n) / 20  # ties
        frame["kind"] = frame["species"].replace("ash", "oak")
        frame["owner"] = rng.choice(["town", "state", "private"], n)
        path.unlink()
        frame.to_file(path)
    return layers.paths


def _assert_same_tables(out: Path, expected: dict[str, pd.DataFrame]) -> None:
    """Assert that the files of a folder have the numbers of the tables of a job."""
    for name in TABLES:
        assert (out / f"{name}.csv").exists() == (name in expected), name
        if name in expected:
            texts = dict.fromkeys(("stratum", "first", "second", "reason"), str)
            found = pd.read_csv(
                out / f"{name}.csv", dtype=texts, keep_default_na=False, na_values=[""]
            )
            wanted = expected[name].replace("", None)
            assert list(found) == list(wanted), name
            assert_same(found, wanted)


SCORE_CASES: list[dict[str, Any]] = [
    {"class_field": "species", "plot_field": "plot", "summarise_by": "area"},
    {
        "class_field": "species",
        "class_groups": "hard=oak+ash",
        "within_classes": True,
        "pairing": "hungarian",
        "summarise_by": "crowding",
    },
    {
        "pairing": "max_iou",
        "class_field": "species",
        "delineation_class_field": "owner",
        "summarise_by": "attribute",
        "strata_field": "height",
        "strata_breaks": "10; 20",
        "plot_field": "plot",
        "all_drawn": False,
    },
    {"summarise_by": "edge", "extent": EXTENT, "class_field": "species"},
    {
        "summarise_by": "attribute",
        "strata_field": "owner",
        "within_classes": True,
        "class_field": "species",
        "plot_field": "plot",
    },
]


@pytest.mark.parametrize("tile", [14.0, pytest.param(26.0, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("case", range(len(SCORE_CASES)))
def test_scores_by_class_and_stratum_are_those_without_tiles(
    inside, tmp_path, case: int, tile: float
) -> None:
    paths = _classed_layers(tmp_path, case)
    options = SCORE_CASES[case]
    out = tmp_path / "out"
    summary = batch.score(*paths, out, tile=tile, scheduler=inside, **options)
    whole = score(str(paths[0]), [str(paths[1])], **options)
    assert len(ResultsDirectory.read(out).manifest["tiles"]) > 3
    assert np.isfinite(whole.summary["randcrowns_mean"]).any()
    np.testing.assert_allclose(
        summary["randcrowns_mean"], whole.summary["randcrowns_mean"], rtol=1e-9
    )
    _assert_same_tables(out, whole.tables)
    if "class_field" in options:
        for name, key in (("targets", "target_id"), ("delineations", "delineation_id")):
            columns = ["crown_class", "matched_class", "class_result"]
            assert_same(table_of(out, name, key)[columns], whole.tables[name][columns])


@pytest.mark.parametrize("tile", [14.0, pytest.param(26.0, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("pairing", ["nearest", "hungarian"])
def test_a_minimum_score_is_that_without_tiles(inside, tmp_path, pairing: str, tile: float) -> None:
    paths = _classed_layers(tmp_path, 11)
    drawn = geopandas.read_file(paths[1])
    drawn.loc[drawn.index[::9], "score"] = np.nan
    paths[1].unlink()
    drawn.to_file(paths[1])
    plain = tmp_path / "plain.gpkg"
    drawn.drop(columns="score").to_file(plain)
    options = {
        "score_field": "score",
        "score_threshold": 0.35,
        "class_field": "species",
        "plot_field": "plot",
        "pairing": pairing,
        "summarise_by": "crowding",
    }
    out = tmp_path / "out"
    layers = [str(paths[1]), str(plain)]
    summary = batch.score(paths[0], layers, out, tile=tile, scheduler=inside, **options)
    whole = score(str(paths[0]), layers, **options)
    # Scores are twentieths, so that 0.35 itself counts.
    n_used = int((drawn["score"] >= 0.35).sum())
    overall = summary[summary["plot"] == "all"]
    assert overall["delineations"].tolist() == [n_used, len(drawn)]
    assert 0 < n_used < len(drawn) - drawn["score"].isna().sum()
    for name in ("randcrowns_mean", "iou_mean", "matched", "missed"):
        np.testing.assert_allclose(summary[name], whole.summary[name], rtol=1e-9, err_msg=name)
    _assert_same_tables(out, whole.tables)
    problems = pd.read_csv(out / "problems.csv")
    skipped = problems[problems["layer"] == paths[1].stem].groupby("problem").size().to_dict()
    assert skipped == {
        "no score": drawn["score"].isna().sum(),
        "a score below the threshold": int((drawn["score"] < 0.35).sum()),
    }
    warnings = json.loads((out / "summary.json").read_text(encoding="utf-8"))["warnings"]
    assert "Layer 'plain' has no field 'score'; all its crowns were kept." in warnings


def test_minimum_scores_that_cannot_be_used_are_reported(inside, tmp_path) -> None:
    paths = _classed_layers(tmp_path, 12)
    with raises("delineations.no_score_field", field="none"):
        batch.score(*paths, tmp_path / "a", score_field="none", scheduler=inside)
    batch.score(*paths, tmp_path / "b", score_threshold=0.7, scheduler=inside)
    batch.score(*paths, tmp_path / "c", score_field="height", scheduler=inside)
    texts = [(tmp_path / out / "summary.json").read_text(encoding="utf-8") for out in "bc"]
    assert "The score threshold 0.7 is not used" in texts[0]
    assert "they may be percentages or logits" in texts[1]


EVALUATE_CASES: list[dict[str, Any]] = [
    {"class_field": "species", "plot_field": "plot", "summarise_by": "area"},
    {
        "class_field": "species",
        "within_classes": True,
        "class_groups": "hard=oak+ash",
        "detection_method": "point2tree",
        "height_field": "plain_height",
        "summarise_by": "crowding",
        "strata_breaks": "1; 3",
        "score_field": "height",
    },
    {
        "class_field": "species",
        "prediction_class_field": "kind",
        "summarise_by": "attribute",
        "strata_field": "species",
        "all_drawn": False,
        "plot_field": "plot",
    },
]


@pytest.mark.parametrize("tile", [14.0, pytest.param(26.0, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("case", range(len(EVALUATE_CASES)))
def test_evaluations_by_class_and_stratum_are_those_without_tiles(
    inside, tmp_path, case: int, tile: float
) -> None:
    paths = _classed_layers(tmp_path, 20 + case)
    targets = geopandas.read_file(paths[0])
    targets["plain_height"] = np.random.default_rng(case).permutation(len(targets)) + 1.0
    targets.to_file(paths[0])
    options = EVALUATE_CASES[case]
    names = {"detection_method": "detection", "segmentation_method": "segmentation"}
    own = {names.get(name, name): value for name, value in options.items()}
    out = tmp_path / "out"
    batch.evaluate(*paths, out, tile=tile, scheduler=inside, **own)
    whole = evaluate(*map(str, paths), **options)
    assert whole.tables["class_metrics"]["tp"].sum() > 0
    assert not whole.tables["class_metrics"]["ap"].isna().all() or not own.get("all_drawn", True)
    _assert_same_tables(out, whole.tables)
    for name, key in (("targets", "target_id"), ("predictions", "prediction_id")):
        columns = ["crown_class", "matched_class", "class_result"]
        assert_same(table_of(out, name, key)[columns], whole.tables[name][columns])


def test_the_command_writes_tables_of_classes_and_says_what_they_show(
    inside, tmp_path, capsys
) -> None:
    paths = _classed_layers(tmp_path, 3)
    arguments = [*map(str, paths), "--class-field", "species", "--summarise-by", "attribute"]
    arguments += ["--strata-field", "owner", "--class-groups", "hard=oak+ash"]
    cluster = ["--tile", "26", "--scheduler", inside.scheduler.address]
    for job in ("score", "evaluate"):
        out = tmp_path / job
        assert main([job, *arguments, "--out", str(out), *cluster, "--quiet"]) == 0
        told = capsys.readouterr().err
        assert "matched crowns is right. Most often confused" in told
        assert "Class 'all' is called 'all (2)' in the results" in told
        assert "IoU by owner: the strata cannot be told apart." in told
        warnings = json.loads((out / "summary.json").read_text())["warnings"]
        assert warnings == told.splitlines()[-1 - len(warnings) : -1]
        # The summary of a finished run keeps the sentences.
        assert main(["summary", str(out)]) == 0
        assert json.loads((out / "summary.json").read_text())["warnings"] == warnings


def test_what_cannot_be_done_is_said_before_the_first_tile(inside, tmp_path) -> None:
    paths = _classed_layers(tmp_path, 4)
    out = tmp_path / "out"
    for key, options in (
        ("classes.no_field", {"class_field": "genus"}),
        ("classes.not_whole", {"class_field": "height"}),
        ("classes.no_field_to_match", {"within_classes": True}),
        ("classes.invalid_group", {"class_field": "species", "class_groups": "oak"}),
        ("strata.no_field", {"summarise_by": "attribute"}),
        ("strata.no_image_extent", {"summarise_by": "edge"}),
        ("strata.unreadable_breaks", {"summarise_by": "area", "strata_breaks": "3; 2"}),
        ("parameter.no_option", {"summarise_by": "colour"}),
    ):
        with raises(key):
            batch.score(*paths, out, tile=26, scheduler=inside, **options)
        assert not (out / "targets").exists(), key
    with raises("batch.no_column"):
        batch.evaluate(
            *paths, tmp_path / "b", class_field="species", score_field="none", scheduler=inside
        )


def test_a_run_with_other_classes_is_another_run(inside, tmp_path) -> None:
    paths = _classed_layers(tmp_path, 5)
    out = tmp_path / "out"
    batch.score(*paths, out, tile=26, scheduler=inside)
    assert "class_field" not in ResultsDirectory.read(out).manifest["choices"]
    batch.score(*paths, out, tile=26, scheduler=inside, resume=True)
    with raises("batch.other_run"):
        batch.score(*paths, out, tile=26, scheduler=inside, resume=True, class_field="species")


def test_functions_of_tiles_have_the_parameters_of_classes() -> None:
    import inspect

    for job, names in CLASS_PARAMETERS.items():
        assert set(names) <= set(inspect.signature(getattr(batch, job)).parameters)
