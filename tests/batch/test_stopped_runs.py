"""A worker that dies, a run that is killed and resumed, Ctrl-C, a full disk: nothing is lost,
nothing done twice.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import geopandas
import pandas as pd
import pytest
from support.batch import random_layers
from support.errors import raises
from support.full_disk import room

import randcrowns.batch.partition  # noqa: F401 - the package has a function of this name
from randcrowns import batch
from randcrowns.batch.cluster import connect
from randcrowns.batch.pipeline import checksum_of_layer
from randcrowns.batch.results import MANIFEST

partition_module = sys.modules["randcrowns.batch.partition"]


def _files(out: Path) -> dict[str, int]:
    return {str(path.relative_to(out)): path.stat().st_mtime_ns for path in out.rglob("*.parquet")}


def _done(out: Path) -> int:
    try:
        tiles = json.loads((out / MANIFEST).read_text())["tiles"].values()
    except (OSError, ValueError):
        return 0
    return sum("written" in tile["stages"] for tile in tiles)


def test_a_worker_killed_in_the_middle_changes_nothing(tmp_path, inside) -> None:
    layers = random_layers(tmp_path, 1)
    expected = batch.score(*layers.paths, tmp_path / "expected", tile=26, scheduler=inside)
    with connect(workers=2) as client:
        killed: list[int] = []

        def kill_one(report) -> None:
            if report.finished_tiles == 3 and not killed:
                killed.append(next(iter(client.run(os.getpid).values())))
                os.kill(killed[0], signal.SIGKILL)

        found = batch.score(
            *layers.paths, tmp_path / "found", tile=26, scheduler=client, report_progress=kill_one
        )
        assert killed
        assert killed[0] not in client.run(os.getpid).values()
    pd.testing.assert_frame_equal(found, expected, check_exact=True)


@pytest.fixture(scope="module")
def many_tiles(inside, tmp_path_factory):
    """Layers, and their summary by a run of nine tiles that nobody stopped."""
    folder = tmp_path_factory.mktemp("many")
    layers = random_layers(folder, 2)
    return layers, batch.score(*layers.paths, folder / "expected", tile=26, scheduler=inside)


#: The command, which gets a signal once its manifest holds a tile: whoever waits for that may come
#: too late.
_STOPPED = """
import os, signal, sys
from randcrowns.batch import results
from randcrowns.command import main as command
# What a shell begins in the background ignores SIGINT, and what nohup begins ignores SIGHUP
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
saved = results.ResultsDirectory.save
def save(self, at_once=False):
    saved(self, at_once=True)
    if self.stage_reports("written"):
        os.kill(os.getpid(), {stop})
results.ResultsDirectory.save = save
sys.exit(command.main())
"""


@pytest.mark.parametrize(
    ("stop", "code"),
    [(signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
)
def test_a_run_that_was_stopped_goes_on_where_it_was(
    tmp_path, inside, many_tiles, stop: int, code: int
) -> None:
    layers, expected = many_tiles
    out = tmp_path / "out"
    arguments = [
        "score",
        *map(str, layers.paths),
        "--out",
        str(out),
        "--tile",
        "26",
        "--workers",
        "1",
        "--json",
    ]
    command = [sys.executable, "-c", _STOPPED.format(stop=int(stop)), *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    told = ended.stderr
    assert ended.returncode == code, told
    done = _done(out)
    manifest = json.loads((out / MANIFEST).read_text())
    assert 1 <= done < len(manifest["tiles"])
    noted = {
        name
        for tile in manifest["tiles"].values()
        for said in tile["stages"].values()
        for name in said["files"]
    }
    before = {name: when for name, when in _files(out).items() if name in noted}
    if stop != signal.SIGKILL:
        assert "--resume" in told
        assert "Traceback" not in told
        assert "8787" not in told
        assert not list(out.rglob("*.partial"))

    with raises("batch.results_exist"):
        batch.score(*layers.paths, out, tile=26, scheduler=inside)
    with raises("batch.other_run"):
        batch.score(
            *layers.paths, out, tile=26, preset="field_polygons", resume=True, scheduler=inside
        )
    found = batch.score(*layers.paths, out, tile=26, resume=True, scheduler=inside)
    pd.testing.assert_frame_equal(found, expected, check_exact=True)
    after = _files(out)
    assert before
    assert {name: after[name] for name in before} == before

    again = batch.score(*layers.paths, out, tile=26, resume=True, scheduler=inside)
    pd.testing.assert_frame_equal(again, expected, check_exact=True)
    assert _files(out) == after


def _change_in_place(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1]]))
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))


def _truncate(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(100)


@pytest.mark.parametrize("change", [_change_in_place, _truncate, Path.unlink])
def test_an_input_that_changes_during_a_run_is_named(tmp_path, inside, change) -> None:
    layers, out = random_layers(tmp_path, 9), tmp_path / "out"
    sources = []
    for path in layers.paths:
        sources.append(path.with_suffix(".parquet"))
        batch.partition(path, sources[-1])

    def change_once(report) -> None:
        if report.finished_tiles == 1:
            change(sources[1])

    with raises("batch.input_changed", path=sources[1].resolve()):
        batch.score(*sources, out, tile=26, scheduler=inside, report_progress=change_once)
    assert _done(out) == 0
    assert not (out / "summary.csv").exists()


def test_an_input_that_changes_while_it_is_copied_is_named(tmp_path, inside, monkeypatch) -> None:
    layers, out = random_layers(tmp_path, 9), tmp_path / "out"
    read_frame = partition_module.read_frame

    def read_and_change(source):
        frame = read_frame(source)
        frame.iloc[::-1].to_file(layers.paths[0])
        return frame

    monkeypatch.setattr(partition_module, "read_frame", read_and_change)
    with raises("batch.input_changed", path=layers.paths[0]):
        batch.score(*layers.paths, out, tile=26, scheduler=inside)
    assert not out.exists()


def test_a_file_that_was_damaged_is_made_again(tmp_path, inside) -> None:
    layers = random_layers(tmp_path, 4)
    expected = batch.score(*layers.paths, tmp_path / "out", tile=26, scheduler=inside)
    damaged, gone = sorted((tmp_path / "out" / "targets").iterdir())[:2]
    damaged.write_bytes(damaged.read_bytes()[:-9] + b"\0" * 9)
    gone.unlink()
    found = batch.score(*layers.paths, tmp_path / "out", tile=26, resume=True, scheduler=inside)
    pd.testing.assert_frame_equal(found, expected, check_exact=True)
    assert gone.exists()


def test_a_full_disk_is_told_and_the_run_goes_on_after(tmp_path, inside) -> None:
    layers = random_layers(tmp_path, 5, number=60)
    prepared = []
    for path in layers.paths:
        prepared.append(path.with_suffix(".parquet"))
        batch.partition(path, prepared[-1])
    expected = batch.score(*prepared, tmp_path / "expected", tile=30, scheduler=inside)
    sizes = sorted(path.stat().st_size for path in (tmp_path / "expected" / "targets").iterdir())
    with (
        room(sizes[-2]),
        raises("batch.disk_full", why="File too large"),
    ):
        batch.score(*prepared, tmp_path / "out", tile=30, scheduler=inside)
    until = time.monotonic() + 300  # tiles that were begun are ended
    while list((tmp_path / "out").rglob("*.partial")):
        assert time.monotonic() < until
        time.sleep(0.01)
    found = batch.score(*prepared, tmp_path / "out", tile=30, resume=True, scheduler=inside)
    pd.testing.assert_frame_equal(found, expected, check_exact=True)


class _Stopped(Exception):
    pass


def _stop(report) -> None:
    if report.finished_tiles:
        raise _Stopped


def _all_bytes(out: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()
    }


def _n_working(dask_worker) -> int:
    return len(dask_worker.active_threads)


def test_a_stopped_run_is_resumed_with_the_layers_that_it_was_made_of(tmp_path, inside) -> None:
    layers, out = random_layers(tmp_path, 6), tmp_path / "out"
    (tmp_path / "other").mkdir()
    other = random_layers(tmp_path / "other", 7)
    with pytest.raises(_Stopped):
        batch.score(*layers.paths, out, tile=26, scheduler=inside, report_progress=_stop)
    while any(inside.run(_n_working).values()):  # tiles that were begun are ended
        time.sleep(0.05)
    before = _all_bytes(out)
    assert "work/layers/targets.parquet" in before
    with raises("batch.results_exist"):
        batch.score(*other.paths, out, tile=26, scheduler=inside)
    with raises("batch.other_run", differences="the layers differ or have changed"):
        batch.score(*other.paths, out, tile=26, resume=True, scheduler=inside)
    original = geopandas.read_file(layers.paths[1])
    original.iloc[::-1].to_file(layers.paths[1])
    with raises("batch.other_run", differences="the layers differ or have changed"):
        batch.score(*layers.paths, out, tile=26, resume=True, scheduler=inside)
    assert _all_bytes(out) == before


@pytest.mark.parametrize("work", ["hungarian", "evaluate", "agree"])
def test_a_damaged_tile_of_a_finished_run_is_made_again(tmp_path, inside, work: str) -> None:
    layers, out = random_layers(tmp_path, 4), tmp_path / "out"
    run = {
        "hungarian": lambda **how: batch.score(*layers.paths, out, pairing="hungarian", **how),
        "evaluate": lambda **how: batch.evaluate(*layers.paths, out, **how),
        "agree": lambda **how: batch.agree(layers.paths, out, **how),
    }[work]
    expected = run(tile=26, scheduler=inside)
    again = run(tile=26, scheduler=inside, resume=True)
    pd.testing.assert_frame_equal(again, expected, check_exact=True, check_dtype=False)
    damaged = sorted((out / ("faces" if work == "agree" else "targets")).iterdir())[1]
    damaged.write_bytes(damaged.read_bytes()[:-9] + b"\0" * 9)
    for read in (batch.summary, lambda results: batch.export(results, tmp_path / "out.gpkg")):
        with raises("batch.tile_files_missing", tiles=[damaged.stem]):
            read(out)
    found = run(tile=26, scheduler=inside, resume=True)
    pd.testing.assert_frame_equal(found, expected, check_exact=True, check_dtype=False)
    assert not (out / "work").exists()
    assert batch.export(out, tmp_path / "out.gpkg")


def test_what_a_geopackage_has_yet_to_take_in_is_a_change(tmp_path, inside) -> None:
    layers, out = random_layers(tmp_path, 8), tmp_path / "out"
    batch.score(*layers.paths, out, tile=30, scheduler=inside)
    open_in_another_program = sqlite3.connect(layers.paths[1])
    open_in_another_program.execute("PRAGMA journal_mode=WAL")
    open_in_another_program.execute("CREATE TABLE notes (said TEXT)")
    open_in_another_program.commit()
    written = layers.paths[1].with_name(layers.paths[1].name + "-wal")
    assert written.stat().st_size > 0
    told = checksum_of_layer(layers.paths[1])
    open_in_another_program.execute("INSERT INTO notes VALUES ('more')")
    open_in_another_program.commit()
    assert checksum_of_layer(layers.paths[1]) != told
    with raises("batch.other_run", differences="the layers differ or have changed"):
        batch.score(*layers.paths, out, tile=30, resume=True, scheduler=inside)
    open_in_another_program.close()
