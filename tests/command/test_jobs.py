"""The command does the jobs of the toolbox, and starts quickly."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import geopandas
import pandas as pd
import pytest
import shapely
from support.code import ROOT
from support.data import real_data
from support.errors import raises
from support.geotiff import write_geotiff

from randcrowns.batch.tiles import DEFAULT_MAXIMUM_CROWNS
from randcrowns.command import main as command_main
from randcrowns.command import parser as command_parser
from randcrowns.command.completion import completion_script, job_parsers
from randcrowns.command.main import main
from randcrowns.command.manual import manual_page
from randcrowns.command.parser import SHELLS, build_parser
from randcrowns.command.printing import print_table
from randcrowns.jobs.records import read_record
from randcrowns.report.explore import leaflet

EAST, NORTH = 404_000, 3_285_000
JOBS = (
    *("score", "agree", "consensus", "rank", "evaluate", "evaluate-cloud", "variance", "tune"),
    *("import", "export", "report", "summary", "partition"),
)
#: Libraries that a job does not need when it starts.
NOT_NEEDED = ("dask", "distributed", "qgis", "matplotlib", "scipy.stats")


@pytest.fixture(scope="module")
def layers(tmp_path_factory) -> list[str]:
    """Paths of the crowns of three annotators."""
    folder = tmp_path_factory.mktemp("layers")
    paths = []
    for number, name in enumerate(("anna", "ben", "cleo")):
        shapes = [
            shapely.box(EAST + x, NORTH, EAST + x + 4 + number / 2, NORTH + 4)
            for x in range(0, 60, 7)
        ]
        columns = {"plot": ["p", "q", "r"] * 3, "score": [0.1, 0.5, 0.9] * 3}
        frame = geopandas.GeoDataFrame(columns, geometry=shapes, crs="EPSG:32617")
        frame.to_file(folder / f"{name}.gpkg")
        paths.append(str(folder / f"{name}.gpkg"))
    return paths


def _in_own_process(arguments: list[str], without: Sequence[str] = ()) -> tuple[str, list[str]]:
    """Return what a command prints, and the modules that it has imported.

    Args:
        arguments: arguments of the command.
        without: libraries that cannot be imported.
    """
    code = (
        "import sys, json; "
        f"sys.modules.update(dict.fromkeys({[*without]!r})); "
        "from randcrowns.command.main import main; "
        f"code = main({arguments!r}); assert code == 0, code; "
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads(done.stderr.splitlines()[-1])


def _json(capsys, arguments: list[str]) -> dict:
    assert main([*arguments, "--out", "-", "--quiet"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_command_has_all_jobs() -> None:
    assert set(JOBS) <= set(job_parsers(build_parser()))


@pytest.mark.parametrize("with_folder", [False, True])
def test_a_small_run_needs_no_cluster(layers, tmp_path, with_folder: bool) -> None:
    out = ["--out", str(tmp_path / "results")] if with_folder else []
    _, modules = _in_own_process(["score", *layers, *out, "--json"])
    assert not {name for name in NOT_NEEDED if name in modules}


def test_the_help_reads_no_libraries_of_geometries() -> None:
    code = (
        "import sys; from randcrowns.command.parser import build_parser; build_parser(); "
        "print([n for n in ('geopandas', 'pyogrio', 'pyproj') if n in sys.modules])"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_version_is_that_of_the_plugin(capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    lines = (ROOT / "metadata.txt").read_text(encoding="utf-8").splitlines()
    version = next(line.partition("=")[2] for line in lines if line.startswith("version="))
    assert capsys.readouterr().out == f"randcrowns {version}\n"


def test_tables_and_json_have_the_same_numbers(layers, capsys) -> None:
    record = _json(capsys, ["score", *layers, "--plot-field", "plot"])
    assert record["job"] == "score"
    assert record["parameters"]["plot_field"] == "plot"
    assert main(["score", *layers, "--plot-field", "plot", "--json", "--quiet"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["iou_mean"] for row in rows] == [row["iou_mean"] for row in record["summary"]]


def test_cookes_weights_make_a_ground_truth_from_a_file(layers, tmp_path, capsys) -> None:
    answers = tmp_path / "answers.csv"
    rows = ["ben,1,1,2,3,5.5", "cleo,1,4,5,6,5.5"]
    answers.write_text("\n".join(["annotator,question,low,median,high,true_value", *rows]))
    anna, ben, cleo = layers
    arguments = ["rank", "--detectors", anna, "--annotators", ben, cleo, "--bootstrap-samples", "0"]
    options = ["--consensus-methods", "each,cooke", "--calibration-cutoff", "0.1"]
    assert main([*arguments, *options, "--quiet", "--out", "-"]) == 1
    assert "answers" in capsys.readouterr().err
    found = _json(capsys, [*arguments, *options, "--answers", str(answers)])
    rows = pd.DataFrame(found["summary"]).query("counted == 'areas'")
    values = rows.set_index("truth")["value"]
    # All of the weight is that of the annotator who is calibrated.
    assert values["Cooke-GT"] == pytest.approx(values["cleo"], abs=1e-12)
    assert values["cleo"] != pytest.approx(values["ben"], abs=1e-3)


@pytest.mark.parametrize("suffix", ["gpkg", "json", "csv"])
def test_results_are_written(layers, tmp_path, suffix: str) -> None:
    out = tmp_path / f"scores.{suffix}"
    page, explorer = tmp_path / "r.html", tmp_path / "e.html"
    pages = ["--html", str(page), "--explore", str(explorer)]
    assert main(["score", *layers, "--out", str(out), *pages]) == 0
    assert out.stat().st_size
    assert "</html>" in page.read_text(encoding="utf-8")
    assert "</html>" in explorer.read_text(encoding="utf-8")


def test_saved_results_of_a_point_cloud_are_explored(tmp_path) -> None:
    cloud = str(ROOT / "resources" / "sample" / "cloud.laz")
    names = ["--target-attribute", "tree_id", "--prediction-attribute", "predicted_id"]
    out = str(tmp_path / "run.gpkg")
    pages = {name: [tmp_path / f"{name}{number}.html" for number in (1, 2)] for name in "re"}
    first, second = (
        ["--html", str(pages["r"][number]), "--explore", str(pages["e"][number])]
        for number in (0, 1)
    )
    run = ["evaluate-cloud", cloud, *names, "--cell-size", "0.3", "--num-partitions", "0"]
    assert main([*run, "--out", out, *first]) == 0
    assert main(["report", out, *second]) == 0
    explored, again = (page.read_text(encoding="utf-8") for page in pages["e"])
    assert explored == again
    for page in pages["r"]:
        text = page.read_text(encoding="utf-8")
        assert "Cell of the outlines" in text
        assert "0.3\N{NO-BREAK SPACE}m" in text


def test_the_page_to_explore_shows_an_image(layers, tmp_path) -> None:
    with_image, without = tmp_path / "with.html", tmp_path / "without.html"
    image = write_geotiff(tmp_path / "image.tif", (EAST - 20, NORTH + 60), 0.25, (480, 480))
    arguments = ["score", *layers, "--quiet", "--explore"]
    assert main([*arguments, str(without)]) == 0
    assert main([*arguments, str(with_image), "--image", str(image)]) == 0
    # A tile is a JPEG file, whose first bytes are FF D8 FF.
    assert "/9j/" not in without.read_text(encoding="utf-8")
    assert "/9j/" in with_image.read_text(encoding="utf-8")


def test_an_image_without_a_page_to_explore_is_refused(layers, tmp_path, capsys) -> None:
    image = write_geotiff(tmp_path / "image.tif", (EAST, NORTH), 1.0, (8, 8))
    assert main(["score", *layers, "--image", str(image)]) != 0
    assert "Name its file: --explore FILE." in capsys.readouterr().err


def test_the_page_to_explore_does_not_replace_its_image(layers, tmp_path) -> None:
    image = write_geotiff(tmp_path / "image.tif", (EAST, NORTH), 1.0, (8, 8))
    content = image.read_bytes()
    assert main(["score", *layers, "--explore", str(image), "--image", str(image)]) != 0
    assert image.read_bytes() == content


def test_options_replace_those_of_a_file(layers, tmp_path, capsys) -> None:
    file = tmp_path / "run.json"
    record = {"PRESET": 3, "ALPHA": 0.25, "OMEGA": 0.5, "GAMMA": 2, "TARGETS": "a", "SUMMARY": "b"}
    file.write_text(json.dumps({"inputs": record}), encoding="utf-8")
    found = _json(capsys, ["score", *layers, "--parameters", str(file), "--gamma", "5"])
    own = {name: found["parameters"][name] for name in ("alpha", "omega", "gamma")}
    assert own == {"alpha": 0.25, "omega": 0.5, "gamma": 5.0}


def test_a_record_repeats_the_run(layers, tmp_path, capsys) -> None:
    first = tmp_path / "first.json"
    options = ["--preset", "field_polygons", "--pairing", "max_iou"]
    assert main(["score", *layers, *options, "--out", str(first), "--quiet"]) == 0
    capsys.readouterr()
    arguments = ["score", *layers, "--parameters", str(first), "--quiet", "--out", "-"]
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert not captured.err
    repeated, before = json.loads(captured.out), json.loads(first.read_text(encoding="utf-8"))
    # Only the lines of both commands differ.
    assert repeated.pop("command") != before.pop("command")
    assert repeated == before


def test_rasters_in_a_record_are_not_passed_over(layers, tmp_path, capsys) -> None:
    file = tmp_path / "run.json"
    file.write_text(json.dumps({"RESOLUTION": 0.25}), encoding="utf-8")
    assert main(["agree", *layers, "--parameters", str(file)]) == 1
    assert "resolution" in capsys.readouterr().err


@pytest.mark.parametrize("option", [["--workers", "2"], ["--tile", "9"], ["--resume"]])
def test_options_of_tiles_are_refused_without_a_folder(layers, capsys, option) -> None:
    assert main(["score", *layers, *option]) == 1
    assert option[0] in capsys.readouterr().err


@pytest.mark.parametrize(
    "options",
    [["--html", "r.html"], ["--spread-field", "spread"]],
)
def test_options_of_whole_runs_are_refused_with_a_folder(layers, tmp_path, capsys, options) -> None:
    out = tmp_path / "results"
    assert main(["score", *layers, *options, "--out", str(out)]) == 1
    assert options[0].strip("-") in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("name", ["scores.xlsx", "scores.geojson", "scores.PARQUET"])
def test_a_name_of_another_file_is_no_folder(layers, tmp_path, capsys, name: str) -> None:
    assert main(["score", *layers, "--out", str(tmp_path / name)]) == 1
    assert f"{name} cannot be written" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("out", [[], ["--out", "results"]], ids=["whole", "tiles"])
def test_lengths_that_the_preset_of_a_file_replaces_are_reported(
    layers, tmp_path, capsys, monkeypatch, out: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run.json").write_text(json.dumps({"PRESET": 1, "ALPHA": 0.7}), encoding="utf-8")
    arguments = ["score", *layers, "--parameters", "run.json", *out]
    assert main([*arguments, "--omega", "0.25"]) == 0
    assert "omega: not used, because preset 'field_polygons'" in capsys.readouterr().err


def test_ranks_have_no_decimals(capsys) -> None:
    table = pd.DataFrame({"rank": [1.0, float("nan"), 3.0], "recall": [1.0, 0.0, 1.0]})
    print_table(table, as_json=False)
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[1:] == [["1", "1.0000"], ["NaN", "0.0000"], ["3", "1.0000"]]


def test_small_numbers_keep_their_digits(capsys) -> None:
    print_table(pd.DataFrame({"variance": [0.00002345, 0.5]}), as_json=False)
    assert capsys.readouterr().out.split() == ["variance", "2.35e-05", "0.5000"]


def test_a_folder_is_no_output_of_other_jobs(layers, tmp_path, capsys) -> None:
    assert main(["tune", *layers, "--out", str(tmp_path / "tuned")]) == 1
    assert "tuned cannot be written" in capsys.readouterr().err


def test_annotation_files_work_tile_by_tile(tmp_path, capsys) -> None:
    neon = real_data("neon")
    shutil.copy(neon / "OSBS_029.tif", tmp_path)
    shutil.copy(neon / "OSBS_029.xml", tmp_path)
    shutil.copy(real_data("deepforest") / "OSBS_029.csv", tmp_path)
    files = [str(tmp_path / "OSBS_029.xml"), str(tmp_path / "OSBS_029.csv")]
    whole = _json(capsys, ["evaluate", *files])["summary"][0]
    out = str(tmp_path / "results")
    assert main(["evaluate", *files, "--out", out, "--json"]) == 0
    tiled = json.loads(capsys.readouterr().out)[0]
    for name in ("tp", "fp", "fn", "mean_iou"):
        assert tiled[name] == pytest.approx(whole[name], rel=1e-9)


def test_crowns_in_pixels_are_not_tiled(tmp_path, capsys) -> None:
    name = "2019_BLAN_3_751000_4330000_image_crop_bbox.csv"
    shutil.copy(real_data("deepforest") / name, tmp_path)
    file = str(tmp_path / name)
    assert main(["evaluate", file, file, "--out", str(tmp_path / "results")]) == 1
    assert "are in pixels" in capsys.readouterr().err


def test_annotations_are_imported_and_exported(tmp_path, capsys) -> None:
    neon = real_data("neon")
    crowns = tmp_path / "crowns.gpkg"
    source = str(neon / "OSBS_029.xml")
    assert main(["import", source, "--images", str(neon), "--out", str(crowns)]) == 0
    n_crowns = len(geopandas.read_file(crowns, layer="crowns"))
    image = ["--image", str(neon / "OSBS_029.tif")]
    for key in ("coco", "deepforest", "voc", "geojson"):
        out = tmp_path / key
        arguments = ["export", f"{crowns}|layername=crowns", "--format", key, "--out", str(out)]
        assert main([*arguments, *image]) == 0
        assert any(path.stat().st_size for path in out.rglob("*") if path.is_file())
    capsys.readouterr()
    again = _json(capsys, ["import", str(tmp_path / "deepforest" / "*.csv"), "--images", str(neon)])
    assert again["summary"][0]["crowns"] == n_crowns


def test_a_report_has_a_section_per_result(layers, tmp_path, capsys) -> None:
    scores, folder = tmp_path / "scores.json", tmp_path / "folder"
    assert main(["score", *layers, "--out", str(scores), "--class-field", "plot"]) == 0
    assert main(["score", *layers, "--out", str(folder)]) == 0
    page = tmp_path / "report.html"
    arguments = ["report", str(scores), str(folder), "--html", str(page), "--title", "Two runs"]
    assert main(arguments) == 0
    text = page.read_text(encoding="utf-8")
    assert "<title>Two runs</title>" in text
    assert text.count("<svg") >= 2
    assert len(read_record(folder).summary) == len(read_record(scores).summary)


@pytest.mark.parametrize("option", ["--out", "--html", "--explore"])
def test_outputs_that_cannot_be_written_are_refused_before_the_run(
    layers, tmp_path, capsys, option: str
) -> None:
    file = tmp_path / "missing" / "page.json"
    assert main(["score", *layers, option, str(file)]) == 1
    captured = capsys.readouterr()
    assert "there is no folder" in captured.err
    assert not captured.out


@pytest.mark.parametrize("option", ["--html", "--explore"])
def test_missing_libraries_of_pages_are_reported_before_the_run(
    layers, tmp_path, capsys, monkeypatch, option: str
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda *_: None)
    monkeypatch.setattr(leaflet, "PACKAGE", "no_such_package")
    assert main(["score", *layers, option, str(tmp_path / "page.html")]) == 1
    captured = capsys.readouterr()
    assert "pip install" in captured.err
    assert not captured.out


def test_a_report_of_files_needs_no_libraries_of_clusters(layers, tmp_path) -> None:
    scores, package, page = (tmp_path / name for name in ("s.json", "s.gpkg", "report.html"))
    for out in (scores, package):
        assert main(["score", *layers, "--out", str(out)]) == 0
    arguments = ["report", str(scores), str(package), "--html", str(page)]
    _, modules = _in_own_process(arguments, without=["pyarrow", "dask", "distributed"])
    assert "randcrowns.batch" not in modules
    assert page.is_file()


def test_other_files_have_no_report(layers, tmp_path) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"summary": [], "job": {}}), encoding="utf-8")
    with raises("jobs.no_record"):
        read_record(other)
    with raises("jobs.no_record"):
        read_record(layers[0])
    with raises("file.missing"):
        read_record(tmp_path / "missing.json")


@pytest.mark.parametrize(
    "damage",
    [
        {"summary": [1, 2]},
        {"tables": [1]},
        {"tables": None},
        {"tables": {"targets": {"a": 1}}},
        {"messages": "text"},
        {"messages": [1]},
        {"messages": [{"severity": "unknown", "text": "a"}]},
        {"parameters": 5},
        {"conclusion": 7},
    ],
    ids=str,
)
def test_a_damaged_record_has_no_report(layers, tmp_path, capsys, damage) -> None:
    file, page = tmp_path / "scores.json", tmp_path / "report.html"
    assert main(["score", *layers, "--out", str(file)]) == 0
    record = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**record, **damage}), encoding="utf-8")
    with raises("jobs.no_record"):
        read_record(file)
    assert main(["report", str(file), "--html", str(page)]) == 1
    assert not page.exists()


def test_the_completion_knows_all_jobs_and_options() -> None:
    parser = build_parser()
    for shell in SHELLS:
        script = completion_script(parser, shell)
        for job in JOBS:
            assert job in script
        assert "bootstrap-samples" in script
        assert "field_polygons" in script


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_jobs_options_and_values() -> None:
    script = completion_script(build_parser(), "bash")

    def completed(*words: str) -> list[str]:
        listed = " ".join(f"'{word}'" for word in ("randcrowns", *words))
        asked = (
            f"{script}\nCOMP_WORDS=({listed}); COMP_CWORD={len(words)}; _randcrowns; "
            'printf "%s\\n" "${COMPREPLY[@]}"'
        )
        done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
        return done.stdout.split()

    assert completed("eva") == ["evaluate", "evaluate-cloud"]
    assert "--bootstrap-samples" in completed("agree", "--boot")
    assert "max_iou" in completed("score", "--pairing", "max")


@pytest.mark.skipif(shutil.which("man") is None, reason="there is no man")
def test_the_manual_is_formatted_without_complaints(tmp_path: Path) -> None:
    page = tmp_path / "randcrowns.1"
    page.write_text(manual_page(build_parser()), encoding="utf-8")
    done = subprocess.run(
        ["man", "--warnings", "-l", page], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert "EVALUATE-CLOUD" in done.stdout


def test_the_manual_has_every_option() -> None:
    parser = build_parser()
    page = manual_page(parser)
    for job in job_parsers(parser).values():
        for action in job._actions:  # noqa: SLF001 - argparse has no public list of actions
            for option in action.option_strings:
                assert option.replace("-", "\\-") in page


def test_the_command_writes_to_a_closed_pipe(layers) -> None:
    code = f"from randcrowns.command.main import main; raise SystemExit(main({['manual']!r}))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = f"{sys.executable} -c '{code}' | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command.replace("['manual']", '["manual"]')],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.startswith(".TH")


def test_the_parser_repeats_numbers_of_other_modules() -> None:
    assert command_parser.DEFAULT_MAXIMUM_CROWNS == DEFAULT_MAXIMUM_CROWNS


@pytest.mark.parametrize("job", JOBS)
def test_every_job_has_help_with_an_example(job: str, capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        main([job, "--help"])
    assert ended.value.code == command_main.DONE
    assert f"randcrowns {job}" in capsys.readouterr().out


def test_a_summary_as_csv_is_read_by_pandas(layers, tmp_path) -> None:
    out = tmp_path / "tuned.csv"
    grid = ["--alphas", "0.3 0.5", "--omegas", "1", "--gammas", "2"]
    assert main(["tune", *layers, *grid, "--out", str(out), "--quiet"]) == 0
    assert pd.read_csv(out)["alpha"].between(0.3, 0.5).all()


@pytest.mark.parametrize("step", [1, -1])
def test_equal_scores_have_one_average_precision_in_each_order(tmp_path, capsys, step) -> None:
    # Of two predictions with one score, the western one is a miss: AP50 is 1/2, not 1.
    boxes = [shapely.box(EAST + x, NORTH, EAST + x + 4, NORTH + 4) for x in (0, 20)]
    for name, shapes in (("trees", boxes[1:]), ("found", boxes[::step])):
        columns = {"score": [0.5] * len(shapes)}
        frame = geopandas.GeoDataFrame(columns, geometry=shapes, crs="EPSG:32617")
        frame.to_file(tmp_path / f"{name}.gpkg")
    paths = [str(tmp_path / "trees.gpkg"), str(tmp_path / "found.gpkg")]
    record = _json(capsys, ["evaluate", *paths, "--score-field", "score"])
    assert record["summary"][0]["ap50"] == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("with_folder", [False, True])
def test_limits_that_contradict_an_option_are_refused(layers, tmp_path, capsys, with_folder):
    out = tmp_path / ("results" if with_folder else "results.json")
    arguments = ["score", *layers, "--out", str(out), "--quiet", "--limits", "score=0.9,shift=0.3"]
    for option, limit in (("--randcrowns-threshold", "score"), ("--shifted-from", "shift")):
        assert main([*arguments, option, "0.4"]) == 1
        assert f"'--limits {limit}' is 0." in capsys.readouterr().err
    assert not out.exists()


def test_a_limit_that_is_not_a_number_is_not_said_to_have_two_values(layers, capsys) -> None:
    with pytest.raises(SystemExit):
        main(["score", *layers, "--limits", "score=nan"])
    error = capsys.readouterr().err
    assert "write NAME=VALUE" in error
    assert "two values" not in error


def test_limits_that_equal_an_option_are_used(layers, capsys) -> None:
    both = ["--limits", "score=0.9", "--randcrowns-threshold", "0.90"]
    record = _json(capsys, ["score", *layers, *both])
    assert record["parameters"]["randcrowns_threshold"] == 0.9
