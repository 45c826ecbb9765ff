from __future__ import annotations

import json
import sys

import geopandas
import numpy as np
import pandas as pd
import pytest
from distributed import Client
from support.batch import random_layers, whole_run
from support.data import real_data

from randcrowns.batch.progress import StageProgress
from randcrowns.command.main import main
from randcrowns.command.printing import ProgressBar
from randcrowns.core import PRESETS


def _on(client: Client) -> list[str]:
    """The words for a run on a cluster that is there."""
    return ["--scheduler", client.scheduler.address]


def test_score_summary_and_export(inside, tmp_path, capsys) -> None:
    layers = random_layers(tmp_path, 1, plots=(True, True))
    parquet = [str(path.with_suffix(".parquet")) for path in layers.paths]
    for path, out in zip(layers.paths, parquet):
        assert main(["partition", str(path), out]) == 0
    out = str(tmp_path / "out")
    run = [
        "score",
        *parquet,
        "--out",
        out,
        "--preset",
        "own",
        "--alpha",
        "0.5",
        "--omega",
        "1",
        "--gamma",
        "2",
    ]
    assert main([*run, "--plot-field", "plot", "--tile", "26", "--json", *_on(inside)]) == 0
    told = json.loads(capsys.readouterr().out.split("\n", 2)[2])
    expected = whole_run(layers, type(PRESETS["image_boxes"])(0.5, 1, 2), "nearest").summary
    assert [row["plot"] for row in told] == expected["plot"].tolist()
    np.testing.assert_allclose(
        [row["randcrowns_mean"] for row in told], expected["randcrowns_mean"], atol=1e-9
    )
    assert (told[0]["alpha"], told[0]["pairing"]) == (0.5, "nearest")

    assert main(["summary", out, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == told
    report = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert report["summary"] == told
    assert report["choices"]["omega"] == 1
    assert report["versions"]["shapely"]
    assert main(["export", out, str(tmp_path / "out.gpkg")]) == 0
    for layer, wanted in (("targets", layers.targets), ("delineations", layers.drawn)):
        frame = geopandas.read_file(tmp_path / "out.gpkg", layer=layer)
        assert len(frame) == len(wanted)
        assert frame.crs.to_epsg() == 32617
        areas = frame.sort_values(f"{layer[:-1]}_id").area
        np.testing.assert_allclose(areas, [shape.area for shape in wanted.geometry])
    assert main(["export", out, str(tmp_path / "out.gpkg")]) == 1


def test_results_are_geoparquet_that_others_read(inside, tmp_path) -> None:
    layers = random_layers(tmp_path, 2)
    out = tmp_path / "out"
    arguments = [
        *map(str, layers.paths),
        "--out",
        str(out),
        "--tile",
        "30",
        "--quiet",
        *_on(inside),
    ]
    assert main(["score", *arguments]) == 0
    for path in (out / "targets").iterdir():
        frame = geopandas.read_parquet(path)
        assert frame.crs.to_epsg() == 32617
        x = frame.bounds["maxx"].sort_values().iloc[len(frame) // 2]
        near = geopandas.read_parquet(path, bbox=(x, -1e9, 1e9, 1e9))
        assert 0 < len(near) < len(frame) or len(frame) == 1


def test_real_crowns_score_as_in_the_plugin(request, inside, tmp_path) -> None:
    pytest.importorskip("qgis.core", reason="the plugin needs QGIS")
    data = real_data("field_osbs")
    files = [data / "field_crowns.gpkg", data / "deepforest_boxes.gpkg"]
    layers = {"TARGETS": str(files[0]), "DELINEATIONS": [str(files[1])]}
    how = {"PLOT_FIELD": "plotID", "PRESET": list(PRESETS).index("field_polygons")}
    done = request.getfixturevalue("run")(
        "scorecrowns",
        {**layers, **how},
    )
    assert done.ok, done.refused or done.error
    out = tmp_path / "out"
    run = [
        "score",
        *map(str, files),
        "--out",
        str(out),
        "--preset",
        "field_polygons",
        "--plot-field",
        "plotID",
    ]
    assert main([*run, "--tile", "1000", "--quiet", *_on(inside)]) == 0
    found = pd.read_csv(out / "summary.csv").set_index("plot")
    expected = done.table("SUMMARY").set_index("plot")
    assert list(found.index) == list(expected.index)
    shared = [name for name in found.columns if name in expected and found[name].dtype.kind in "if"]
    assert len(shared) > 20
    np.testing.assert_allclose(found[shared], expected[shared], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("job", ["score", "agree", "evaluate", "partition", "summary", "export"])
def test_help_teaches_with_an_example(job: str, capsys) -> None:
    with pytest.raises(SystemExit) as left:
        main([job, "--help"])
    assert left.value.code == 0
    told = capsys.readouterr().out
    assert f"randcrowns {job} " in told.split("\n\n", 2)[2]


def test_a_count_is_a_whole_number(inside, tmp_path, capsys) -> None:
    layers = [str(path) for path in random_layers(tmp_path, 1, number=5).paths]
    assert main(["agree", *layers, "--out", str(tmp_path / "out"), "--quiet", *_on(inside)]) == 0
    told = dict(line.split()[:2] for line in capsys.readouterr().out.splitlines())
    assert told["annotators"] == "2"
    assert 0 < float(told["smyth_bound"]) < 1
    assert len(told["smyth_bound"]) == len("0.1234")


def test_exit_codes(tmp_path, capsys) -> None:
    assert main([]) == 2
    assert "randcrowns score" in capsys.readouterr().out
    assert main(["score", "none.gpkg", "none.gpkg", "--out", str(tmp_path / "out")]) == 1
    assert "There is no file none.gpkg" in capsys.readouterr().err
    with pytest.raises(SystemExit) as left:
        main(["score", "a.gpkg", "b.gpkg", "--out", "out", "--extent", "1,2"])
    assert left.value.code == 2


def test_what_goes_wrong_on_disk_is_a_sentence(tmp_path, capsys) -> None:
    layers = random_layers(tmp_path, 1, number=5)
    (tmp_path / "file").write_text("no folder")
    out = str(tmp_path / "file" / "out")
    parquet = str(tmp_path / "a.parquet")
    assert main(["partition", str(layers.paths[0]), parquet]) == 0
    assert main(["score", parquet, parquet, "--out", out, "--workers", "1"]) == 1
    assert "randcrowns: " in capsys.readouterr().err


def test_the_bar_tells_speed_and_time_left(capsys) -> None:
    bar = ProgressBar(sys.stderr)
    report = StageProgress("Scoring", n_tiles=4, n_crowns=4000)
    report.finished_tiles, report.finished_crowns = 1, 1000
    report.start -= 10
    bar(report)
    bar.close()
    told = capsys.readouterr().err
    for part in ("Scoring", "25%", "1/4 tiles", "crowns/s", "min left"):
        assert part in told
