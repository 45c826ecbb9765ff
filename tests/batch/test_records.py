"""Results directories, read again: the same numbers and outlines as at once."""

from __future__ import annotations

import shutil

import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely
from support.errors import raises

import randcrowns as rc
from randcrowns import batch
from randcrowns.batch import records
from randcrowns.batch.records import read_results
from randcrowns.batch.running import ThisProcess
from randcrowns.core.review.verdicts import outline_hashes
from randcrowns.jobs.explored import explored_run
from randcrowns.jobs.pages import report_page

CRS = "EPSG:32617"
EAST, NORTH = 404_000, 3_285_000


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Three layers of 24 crowns; the paths by name."""
    folder = tmp_path_factory.mktemp("layers")
    paths = {}
    for seed, name in enumerate(("trees", "anna", "ben")):
        random = np.random.default_rng(seed)
        shapes = [
            shapely.Point(EAST + 9 * (i % 6) + x, NORTH + 9 * (i // 6) + y).buffer(3)
            for i, (x, y) in enumerate(0.4 * random.standard_normal((24, 2)))
        ]
        paths[name] = str(folder / f"{name}.gpkg")
        # The ids of the features of a GeoPackage, which start at 1.
        columns = {"number": range(1, 25)}
        geopandas.GeoDataFrame(columns, geometry=shapes, crs=CRS).to_file(paths[name])
    return paths


@pytest.fixture(scope="module")
def folders(files, tmp_path_factory):
    """A results directory of each kind, in several tiles."""
    folder = tmp_path_factory.mktemp("results")
    how = {"scheduler": ThisProcess(), "tile": 16.0}
    trees, anna, ben = files.values()
    batch.score(trees, [anna, ben], folder / "score", id_column="number", **how)
    batch.score(trees, [anna], folder / "rows", **how)
    batch.evaluate(trees, anna, folder / "evaluate", **how)
    batch.agree([trees, anna, ben], folder / "agree", **how)
    return folder


def by_id(rows: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Rows of targets in the order of their ids."""
    return rows[rows["kind"] == "target"].sort_values("target_id")[names].reset_index(drop=True)


def test_scores_and_outlines_equal_those_at_once(files, folders) -> None:
    trees, anna, ben = files.values()
    at_once = explored_run(rc.score(trees, [anna, ben]))
    from_folder = explored_run(read_results(folders / "score"))
    assert [view.name for view in from_folder.views] == ["anna", "ben"]
    names = ["target_id", "randcrowns", "iou", "iou_crowns", "status", "problem", "cause"]
    for one, other in zip(at_once.views, from_folder.views):
        pd.testing.assert_frame_equal(by_id(one.rows, names), by_id(other.rows, names))
        crowns = other.review.crowns
        targets = crowns[crowns["side"] == "target"].sort_values("feature_id")
        assert targets["outline"].tolist() == outline_hashes(geopandas.read_file(trees).geometry)
    assert vars(from_folder.regions) == vars(at_once.regions)


def test_the_conclusion_is_that_of_the_run_at_once(files, folders) -> None:
    trees, anna, ben = files.values()
    assert read_results(folders / "score").conclusion == rc.score(trees, [anna, ben]).conclusion


def test_every_kind_has_a_report_and_a_page(folders) -> None:
    for kind, views in (("score", 2), ("evaluate", 1), ("agree", 2)):
        result = read_results(folders / kind)
        assert len(explored_run(result).views) == views, kind
        assert "<h1>" in report_page([result])


def test_disputed_areas_name_the_annotators(files, folders) -> None:
    disputed = read_results(folders / "agree").tables["disagreements"]
    assert len(disputed)
    assert disputed["area"].is_monotonic_decreasing
    for row in disputed.itertuples():
        assert {*row.yes.split(", ")} | {*row.no.split(", ")} == {*files}
        assert len(row.yes.split(", ")) == row.n_yes


def test_tiles_that_were_changed_are_refused(folders, tmp_path) -> None:

    folder = tmp_path / "copy"
    shutil.copytree(folders / "evaluate", folder)
    next((folder / "targets").glob("*.parquet")).write_bytes(b"changed")
    with raises("batch.tile_files_missing"):
        read_results(folder)


def test_too_many_crowns_leave_the_summary(folders, monkeypatch) -> None:
    monkeypatch.setattr(records, "MAXIMUM_OUTLINES", 10)
    result = read_results(folders / "score")
    assert result.messages[-1].key == "jobs.too_many_to_show"
    assert "targets" not in result.tables


def test_crowns_without_ids_take_no_verdicts(folders) -> None:
    """The row of a crown is not the id of its feature in a GeoPackage."""
    result = read_results(folders / "rows")
    assert explored_run(result).views[0].review is None
    assert "jobs.ids_are_rows" in {message.key for message in result.messages}
