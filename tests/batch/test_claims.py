"""Of two runs that write to one path, the second is refused; nothing that others wrote is lost."""

from __future__ import annotations

import errno
import fcntl
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import geopandas
import pandas as pd
import pytest
import shapely
from support.batch import random_layers
from support.errors import raises

from randcrowns import batch
from randcrowns.batch.claims import CLAIM_FILE, claim_beside, claim_of_folder, hold_claim
from randcrowns.core.errors import InputError


def _layer(path: Path, n_crowns: int) -> Path:
    boxes = [shapely.box(9 * i, 0, 9 * i + 5, 5) for i in range(n_crowns)]
    geopandas.GeoDataFrame(geometry=boxes, crs="EPSG:32617").to_file(path)
    return path


def _names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize("exists", [False, True])
def test_of_runs_that_begin_together_one_gets_the_folder(tmp_path, exists: bool) -> None:
    folder, n_runs = tmp_path / "out", 8
    if exists:
        folder.mkdir()
    begin, end = threading.Barrier(n_runs), threading.Barrier(n_runs)

    def run(_number: int) -> str:
        begin.wait()
        try:
            with hold_claim(claim_of_folder(folder), folder):
                end.wait()
                return "done"
        except InputError as error:
            end.wait()
            return error.key

    with ThreadPoolExecutor(n_runs) as threads:
        outcomes = list(threads.map(run, range(n_runs)))
    assert sorted(outcomes) == ["batch.output_in_use"] * (n_runs - 1) + ["done"]
    assert _names(folder) == []


def test_a_claim_that_a_killed_run_has_left_is_taken_over(tmp_path) -> None:
    claim = claim_of_folder(tmp_path)
    for text in ("", "{", "[]", '{"process": 7, "host": "a", "since": "yesterday"}'):
        claim.write_text(text)
        with hold_claim(claim, tmp_path) as is_new:
            assert not is_new
            with raises("batch.output_in_use"), hold_claim(claim, tmp_path):
                pass
        assert not claim.exists()


def test_without_locks_a_claim_is_never_taken_over(tmp_path, monkeypatch) -> None:
    def no_locks(*_arguments) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    claim = claim_of_folder(tmp_path)
    with hold_claim(claim, tmp_path) as is_new:
        assert is_new
        with raises("batch.claim_without_lock", claim=claim), hold_claim(claim, tmp_path):
            pass
    claim.write_text('{"process": 7, "host": "node3", "since": "yesterday"}')
    with raises("batch.claim_without_lock", process=7, host="node3"), hold_claim(claim, tmp_path):
        pass
    claim.unlink()
    with hold_claim(claim, tmp_path):
        pass


@pytest.mark.parametrize("resume", [False, True])
def test_a_second_run_into_a_folder_is_refused(tmp_path, inside, resume: bool) -> None:
    layers, out = random_layers(tmp_path, 1), tmp_path / "out"
    refused = []

    def run_again(_report) -> None:
        with raises("batch.output_in_use", target=out):
            batch.evaluate(*layers.paths, out, resume=resume, scheduler=inside)
        refused.append(True)

    expected = batch.score(*layers.paths, tmp_path / "alone", tile=30, scheduler=inside)
    found = batch.score(*layers.paths, out, tile=30, scheduler=inside, report_progress=run_again)
    assert refused
    pd.testing.assert_frame_equal(found, expected, check_exact=True)
    assert CLAIM_FILE not in _names(out)


def test_a_run_that_was_killed_before_its_manifest_leaves_a_folder_that_can_be_used(
    tmp_path, inside
) -> None:
    layers, out = random_layers(tmp_path, 1), tmp_path / "out"
    (out / "work" / "layers").mkdir(parents=True)
    (out / "work" / "layers" / "targets.parquet").write_bytes(b"PAR1 half of a file")
    (out / "manifest.json.12345678.partial").write_text("{")
    claim_of_folder(out).touch()
    found = batch.score(*layers.paths, out, tile=30, scheduler=inside)
    expected = batch.score(*layers.paths, tmp_path / "alone", tile=30, scheduler=inside)
    pd.testing.assert_frame_equal(found, expected, check_exact=True)
    assert _names(out) == _names(tmp_path / "alone")


def test_a_second_export_is_refused_and_files_of_others_are_kept(
    tmp_path, inside, monkeypatch
) -> None:
    layers, out, target = random_layers(tmp_path, 1), tmp_path / "out", tmp_path / "x.gpkg"
    batch.score(*layers.paths, out, tile=30, scheduler=inside)
    mine = tmp_path / "x.partial.gpkg"
    mine.write_bytes(b"mine")
    with hold_claim(claim_beside(target), target), raises("batch.output_in_use", target=target):
        batch.export(out, target)
    assert batch.export(out, target)["targets"] == len(layers.targets)
    assert mine.read_bytes() == b"mine"

    # Another program writes the file while it is being exported.
    write_layers = batch.export.__globals__["_write_layers"]

    def write_beside(directory, partial):
        counts = write_layers(directory, partial)
        (tmp_path / "y.gpkg").write_bytes(b"mine")
        return counts

    monkeypatch.setitem(batch.export.__globals__, "_write_layers", write_beside)
    with raises("file.not_written"):
        batch.export(out, tmp_path / "y.gpkg")
    assert (tmp_path / "y.gpkg").read_bytes() == b"mine"
    assert [name for name in _names(tmp_path) if "randcrowns-" in name] == []


def test_a_second_partition_is_refused(tmp_path) -> None:
    source = _layer(tmp_path / "a.gpkg", 3)
    for target, sources in ((tmp_path / "a.parquet", source), (tmp_path / "parts", [source])):
        with hold_claim(claim_beside(target), target), raises("batch.output_in_use"):
            batch.partition(sources, target)
        assert not target.exists()
        assert batch.partition(sources, target) == 3


def test_a_partition_that_replaces_a_folder_has_only_its_own_crowns(tmp_path) -> None:
    sources = [_layer(tmp_path / f"{name}.gpkg", n) for name, n in (("a", 4), ("b", 3), ("c", 5))]
    target = tmp_path / "parts"
    assert batch.partition(sources, target) == 12
    (target / "letter.txt").write_text("dear")
    (target / "photos").mkdir()
    assert batch.partition(sources[:2], target, overwrite=True) == 7
    assert len(geopandas.read_parquet(target / "00000.parquet")) == 4
    assert _names(target) == ["00000.parquet", "00001.parquet", "letter.txt", "photos"]

    before = {path: path.read_bytes() for path in target.glob("*.parquet")}
    with raises("file.missing"):
        batch.partition([sources[2], tmp_path / "none.gpkg"], target, overwrite=True)
    assert {path: path.read_bytes() for path in target.glob("*.parquet")} == before

    pd.DataFrame({"a": [1]}).to_parquet(target / "mine.parquet")
    with raises("batch.foreign_part", file="mine.parquet"):
        batch.partition(sources, target, overwrite=True)
    assert "mine.parquet" in _names(target)
    assert [name for name in _names(tmp_path) if "randcrowns-" in name] == []


def test_a_failed_partition_deletes_no_folder(tmp_path) -> None:
    target = tmp_path / "parts"
    with raises("file.missing"):
        batch.partition([_layer(tmp_path / "a.gpkg", 3), tmp_path / "none.gpkg"], target)
    assert not target.exists()
    with raises("file.missing"):
        batch.partition(tmp_path / "none.gpkg", tmp_path / "a.parquet")
    assert _names(tmp_path) == ["a.gpkg"]
