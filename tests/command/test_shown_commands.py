"""The command that a report shows repeats the run: it is run for every job."""

from __future__ import annotations

import html
import json
import re
import shlex
from pathlib import Path

import geopandas
import numpy as np
import pytest
import shapely
from support.clouds import write_cloud

from randcrowns.command.main import main

EAST, NORTH = 404_000, 3_285_000

#: Arguments of a run of each job, with other values than its defaults.
RUNS = {
    "score": "'the field.gpkg' bob.gpkg --omega 1.5 --preset own --plot-field plot --no-all-drawn",
    "evaluate": "'the field.gpkg' bob.gpkg --score-field score",
    "evaluate-cloud": "cloud.las --target-attribute tree --prediction-attribute found",
    "agree": "'the field.gpkg' bob.gpkg cleo.gpkg --bootstrap-samples 20",
    "consensus": "'the field.gpkg' bob.gpkg cleo.gpkg --method staple",
    "rank": "--detectors bob.gpkg cleo.gpkg --annotators 'the field.gpkg' --score-field score "
    "--bootstrap-samples 20",
    "variance": "'the field.gpkg' bob.gpkg cleo.gpkg --plot-field plot",
    "tune": "'the field.gpkg' bob.gpkg cleo.gpkg --alphas '0.3 0.5' --omegas 1 --gammas 2",
    "import": "boxes.csv",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with the inputs of all jobs."""
    folder = tmp_path_factory.mktemp("inputs of 'runs'")
    random = np.random.default_rng(4)
    for name in ("the field", "bob", "cleo"):
        corners = [(EAST + 9 * (k % 4), NORTH + 9 * (k // 4)) for k in range(12)]
        moves = random.normal(0, 0.3, (12, 2))
        shapes = [
            shapely.box(x + a, y + b, x + a + 5, y + b + 4)
            for (x, y), (a, b) in zip(corners, moves)
        ]
        columns = {"plot": ["p", "q"] * 6, "score": random.random(12)}
        frame = geopandas.GeoDataFrame(columns, geometry=shapes, crs="EPSG:32617")
        frame.to_file(folder / f"{name}.gpkg")
    (folder / "boxes.csv").write_text(
        "image_path,xmin,ymin,xmax,ymax,label,score\nplot.png,1,2,30,40,Tree,0.9\n"
    )
    trees = np.repeat(np.arange(4), 50)
    xyz = random.normal(0, 0.5, (200, 3)) + 8.0 * np.stack([trees, 0 * trees, 0 * trees + 1], 1)
    write_cloud(folder / "cloud.las", xyz, {"tree": trees, "found": trees})
    return folder


def shown_command(page: Path) -> list[str]:
    """The words of the command on a page."""
    content = page.read_text(encoding="utf-8")
    found = re.search(r"Command that repeats it</h2>\s*<pre><code>(.*?)</code>", content, re.DOTALL)
    return shlex.split(html.unescape(re.sub(r"</?span[^>]*>", "", found[1])))


@pytest.mark.parametrize("job", RUNS)
def test_the_shown_command_repeats_the_run(job, folder, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(folder)
    page, record = tmp_path / "the report.html", tmp_path / "result.json"
    outputs = ["--out", str(record), "--html", str(page), "--quiet"]
    assert main([job, *shlex.split(RUNS[job]), *outputs]) == 0
    first = json.loads(record.read_text(encoding="utf-8"))
    program, *words = shown_command(page)
    assert program == "randcrowns"
    page.unlink()
    record.unlink()
    assert main(words) == 0
    assert json.loads(record.read_text(encoding="utf-8")) == first
    assert page.exists()


def test_a_report_on_a_written_result_shows_the_command_of_its_run(
    folder, tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(folder)
    page, record = tmp_path / "report.html", tmp_path / "result.json"
    words = ["consensus", *shlex.split(RUNS["consensus"]), "--out", str(record), "--quiet"]
    assert main(words) == 0
    assert main(["report", str(record), "--html", str(page)]) == 0
    assert shown_command(page) == ["randcrowns", *words]


def test_a_command_that_is_no_text_is_no_result(folder, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(folder)
    record = tmp_path / "result.json"
    assert main(["score", *shlex.split(RUNS["score"]), "--out", str(record), "--quiet"]) == 0
    content = json.loads(record.read_text(encoding="utf-8"))
    record.write_text(json.dumps({**content, "command": ["rm"]}), encoding="utf-8")
    assert main(["report", str(record), "--html", str(tmp_path / "page.html")]) == 1
    assert "is no result of a job" in capsys.readouterr().err
