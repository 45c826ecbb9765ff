"""Exports while the disk is full, and after one that was killed."""

from __future__ import annotations

import os

import pytest
from qgis.core import QgsVectorLayer
from support.full_disk import filled, mounted
from support.layers import crowns_at, layer_of
from support.own_process import PLACES
from support.shown import shows

from randcrowns.algorithms.exchange.schema.parameters import LAYER_FORMAT
from randcrowns.layers.files.export_folder import LIST_NAME
from randcrowns.layers.files.recovery import DESTINATIONS_FILE as PLACES_FILE
from randcrowns.layers.files.recovery import FOLDER_PREFIX, NEW_FOLDER

KEYS = {key: place for place, key in enumerate(LAYER_FORMAT.keys)}


@pytest.mark.parametrize("export", ["gpkg", "geojson", "csv", "xlsx", "fgb"])
def test_a_full_disk_never_says_that_files_were_written_which_hold_less(tmp_path, run, export):
    """What a driver writes when it closes a file fails without a word."""
    rows = [[0.5]] * len(PLACES)
    named = [("targets", "&field=height:double", rows), ("drawn", "", None)]
    crowns = [
        layer_of(name, crowns_at(PLACES), kind="Polygon", fields=made, rows=of)
        for name, made, of in named
    ]
    with mounted(tmp_path / "disk", 16 * 2**20) as real:
        if not real:
            pytest.skip("no disk can be mounted here")
        folder, ended = tmp_path / "disk" / "out", []
        folder.mkdir()
        place = {"FOLDER": str(folder), "LAYERS": crowns, "FORMAT": KEYS.get(export)}
        if export == "fgb":
            place = {
                "TARGETS": crowns[0],
                "DELINEATIONS": [crowns[1]],
                "SCORED_TARGETS": str(folder / "scored.fgb"),
            }
        for free in (
            0,
            20,
            40,
            60,
            90,
            116,
            120,
            124,
            140,
            170,
            200,
            230,
            260,
            300,
            350,
            380,
            420,
            2000,
        ):
            with filled(tmp_path / "disk", free * 1024):
                done = run("scorecrowns" if export == "fgb" else "exportlayers", place, outputs=())
            ended.append(done.ok)
            if done.ok:
                break
            assert shows(done.error, "disk.full")
            assert "SQL" not in done.error
            assert list(folder.iterdir()) == []
        assert ended[-1]
        assert len(ended) > 2
        for file in folder.glob("[a-z]*"):
            for table in ("targets", "drawn") if file.suffix in (".gpkg", ".xlsx") else ("",):
                source = f"{file}|layername={table}" if table else str(file)
                assert sum(1 for _ in QgsVectorLayer(source, "", "ogr").getFeatures()) == len(
                    PLACES
                )


@pytest.mark.parametrize("file", ["targets.csv", "other.csv"])
def test_what_a_killed_export_left_in_its_folder_is_put_right_and_told(tmp_path, run, file):
    left = tmp_path / f"{FOLDER_PREFIX}left"
    (left / NEW_FOLDER).mkdir(parents=True)
    (left / PLACES_FILE).write_text(f'["{file}"]', encoding="utf-8")
    os.utime(left, (0, 0))
    crowns = layer_of(
        "targets",
        crowns_at(PLACES[:2]),
        kind="Polygon",
        fields="&field=a:double",
        rows=[[1.0], [2.0]],
    )
    done = run(
        "exportlayers",
        {"FOLDER": str(tmp_path), "LAYERS": [crowns], "FORMAT": KEYS["csv"]},
        outputs=(),
    )
    assert done.ok, done.error
    assert shows(done.warnings, "output.broken_off")
    assert sorted(one.name for one in tmp_path.iterdir()) == [LIST_NAME, "targets.csv"]
