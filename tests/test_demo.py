"""make demo: its results, its words, and one sentence for whatever cannot be used."""

from __future__ import annotations

import importlib.util
import os
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest
from osgeo import gdal, ogr
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsGeometry,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProject,
    QgsRectangle,
)
from shapely import box
from support.errors import ExpectedError, raises
from support.layers import EAST, NORTH, layer_of
from support.once import demo_once, run_demo

from randcrowns.core.errors import InputError

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    return demo_once(tmp_path_factory)


def test_it_prints_a_line_per_layer(shown: tuple[str, Path]) -> None:
    text, folder = shown
    assert "Simulated plot, seed 2: annotator_1 as target" in text
    summary = pd.read_csv(folder / "summary.csv").set_index("layer")
    for layer in ("annotator_2", "annotator_3", "annotator_4", "detector"):
        line = next(line for line in text.splitlines() if line.startswith(layer))
        assert line.split()[1] == str(summary.loc[layer, "targets"])
        assert f"{summary.loc[layer, 'randcrowns_mean']:.3f}" in line
        assert f"{summary.loc[layer, 'iou_mean']:.3f}" in line


def test_it_writes_scored_crowns_regions_and_a_map(shown: tuple[str, Path]) -> None:
    folder = shown[1]
    package = ogr.Open(str(folder / "demo.gpkg"))
    names = {package.GetLayer(number).GetName() for number in range(package.GetLayerCount())}
    assert names >= {"scored_targets", "scored_delineations", "pairs", "regions"}
    styled = {
        row["f_table_name"] for row in package.GetLayerByName("layer_styles") if row["useAsDefault"]
    }
    assert styled == {"scored_targets", "scored_delineations", "pairs", "regions"}
    fields = {field.GetName() for field in package.GetLayerByName("scored_targets").schema}
    assert fields >= {
        "annotator_2_rc",
        "detector_iouc",
        "annotator_3_status",
        "rc_mean",
        "iou_var",
        "plot",
    }
    pixels = gdal.Open(str(folder / "map.png")).ReadAsArray()
    assert min(pixels.shape[1:]) > 1000
    assert pixels[:3].std() > 20  # something is drawn


def test_it_evaluates_the_sample_cloud(shown: tuple[str, Path]) -> None:
    text, folder = shown
    summary = pd.read_csv(folder / "cloud_summary.csv").iloc[0]
    assert f"Simulated point cloud: {summary['targets']} trees" in text
    assert f"recall {summary['recall']:.3f}" in text
    page = (ROOT / "docs" / "instances.md").read_text(encoding="utf-8")
    example = page.partition("    make demo\n\n")[2].partition("\n\n")[0]
    assert textwrap.dedent(example) in text
    package = ogr.Open(str(folder / "cloud.gpkg"))
    assert package.GetLayerByName("matched_targets").GetFeatureCount() == summary["targets"]
    assert set(pd.read_csv(folder / "cloud_partitions.csv")["axis"]) == {"xy", "z"}


def test_a_cloud_that_cannot_be_evaluated_leaves_earlier_results(
    demo: ModuleType,
    algorithms: object,
    shown: tuple[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from processing.core.Processing import Processing
    from support.clouds import labelled_cloud, write_cloud

    Processing.initialize()
    assert algorithms
    xyz, target, prediction = labelled_cloud()
    columns = {"tree_id": target, "predicted_id": prediction}
    local = write_cloud(tmp_path / "local.laz", xyz, columns, wkt="", corner=(0.0, 0.0, 0.0))
    results = [
        shown[1] / name for name in ("cloud.gpkg", "cloud_summary.csv", "cloud_partitions.csv")
    ]
    before = [file.read_bytes() for file in results]
    for path, variable, value, sentence in (
        (local, "CLOUD_TARGET", "tree_id", "CLOUD_CRS=EPSG:32633"),
        (shown[1] / "sample" / "cloud.laz", "CLOUD_TARGET", "height", "height"),
    ):
        monkeypatch.setenv("CLOUD", str(path))
        monkeypatch.setenv(variable, value)
        with pytest.raises((InputError, QgsProcessingException), match=sentence):
            demo.evaluate_cloud(shown[1], path, QgsProcessingFeedback())
        assert [file.read_bytes() for file in results] == before
    monkeypatch.setenv("CLOUD", str(local))
    monkeypatch.setenv("CLOUD_TARGET", "tree_id")
    monkeypatch.setenv("CLOUD_CRS", "EPSG:32633")
    assert "3 trees" in demo.evaluate_cloud(tmp_path, local, QgsProcessingFeedback())


def test_own_files(
    demo: ModuleType,
    algorithms: object,
    shown: tuple[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    crowns = shown[1] / "sample" / "crowns.gpkg"
    choices = {
        "OUTPUT": str(tmp_path / "own results"),
        "TARGETS": f"{crowns}|layername=crowns",
        "DELINEATIONS": f"'{crowns}|layername=detector' '{crowns}|layername=field_polygons'",
        "SCORE_FIELD": "score",
        "SCORE_THRESHOLD": "0.6",
        "PLOT_FIELD": "plot",
        "ALPHA": "0.5",
    }
    for name, value in choices.items():
        monkeypatch.setenv(name, value)
    done = demo.run_demo()
    said = capsys.readouterr()
    assert done == 0, said.err
    assert "crowns as target" in said.out
    summary = pd.read_csv(tmp_path / "own results" / "summary.csv")
    assert set(summary["layer"]) == {"detector", "field_polygons"}
    assert set(summary["plot"]) == {"all", "simulated_2"}
    package = ogr.Open(str(crowns))
    whole = package.GetLayerByName("detector").GetFeatureCount()
    assert 0 < summary.set_index("layer").loc["detector", "delineations"].iloc[0] < whole


def test_a_wrong_path_ends_with_one_sentence(tmp_path: Path) -> None:
    done = run_demo(tmp_path, TARGETS="nowhere.gpkg", DELINEATIONS="x.gpkg")
    assert done.returncode == 1
    assert [line for line in done.stderr.splitlines() if line.startswith("demo: ")] == [
        "demo: DELINEATIONS: there is no file x.gpkg; give the path of a file with polygons."
    ]
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def demo(qgis_processing: object) -> ModuleType:
    """The script as a module, to call its parts without starting QGIS each time."""
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        spec = importlib.util.spec_from_file_location("demo_script", ROOT / "scripts" / "demo.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(ROOT / "scripts"))
    return module


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"TARGETS": "{crowns}|layername=crowns"}, raises("demo.one_layer")),
        (
            {"TARGETS": "{crowns}", "DELINEATIONS": "{crowns}|layername=crowns"},
            raises("demo.several_layers"),
        ),
        (
            {"TARGETS": "{crowns}|layername=no", "DELINEATIONS": "{crowns}|layername=crowns"},
            raises("demo.unreadable_layer"),
        ),
        (
            {"TARGETS": "{image}", "DELINEATIONS": "{crowns}|layername=crowns"},
            raises("demo.unreadable_layer"),
        ),
        (
            {"TARGETS": "{points}", "DELINEATIONS": "{crowns}|layername=crowns"},
            raises("demo.no_polygons"),
        ),
        ({"PRESET": "best"}, raises("demo.unknown_value")),
        ({"PAIRING": "closest"}, raises("demo.unknown_value")),
        ({"ALPHA": "much"}, raises("demo.not_a_number", variable="ALPHA", value="much")),
        ({"OUTPUT": "{crowns}"}, raises("demo.not_written")),
    ],
)
def test_what_cannot_be_used_is_told(
    demo: ModuleType,
    shown: tuple[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    expected: ExpectedError,
) -> None:
    points = tmp_path / "points.geojson"
    points.write_text('{"type": "Point", "coordinates": [0, 0]}')
    sample = shown[1] / "sample"
    places = {"crowns": sample / "crowns.gpkg", "image": sample / "image.tif", "points": points}
    for name, value in variables.items():
        monkeypatch.setenv(name, value.format(**places))
    with expected:
        demo.score(Path(os.environ.get("OUTPUT", str(tmp_path))))


def test_results_are_never_written_over_what_is_read(
    demo: ModuleType, shown: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (shown[1] / "sample" / "crowns.gpkg").read_bytes()
    (tmp_path / "demo.gpkg").write_bytes(before)
    for name in ("TARGETS", "DELINEATIONS"):
        monkeypatch.setenv(name, f"{tmp_path / 'demo.gpkg'}|layername=crowns")
    with raises("demo.overwrites_input"):
        demo.score(tmp_path)
    assert (tmp_path / "demo.gpkg").read_bytes() == before


def test_the_table_is_aligned_and_says_what_it_leaves_out(demo: ModuleType) -> None:
    counts = dict.fromkeys(demo.COUNTS.values(), 3)
    scores = {
        f"{score}_{part}": 0.5
        for score in ("randcrowns", "iou", "iou_crowns")
        for part in ("mean", "low", "high")
    }
    groups = ["all", *(f"plot {number}" for number in range(20)), "empty"]
    table = pd.DataFrame([{"layer": "a", "plot": group, **counts, **scores} for group in groups])
    table.loc[1, ["randcrowns_mean", "randcrowns_low", "randcrowns_high"]] = float("nan")
    table.loc[table["plot"] == "empty", "targets"] = 0
    lines = demo.summary_text(table).splitlines()
    assert len(lines) == 1 + 1 + 12 + 1
    assert len({len(line) for line in lines[:-1]}) == 1
    assert lines[-1] == "… and 8 more plots in the summary file"
    assert "n/a" in lines[2]
    assert "0.500 (0.50–0.50)" in lines[1]


@pytest.mark.parametrize(
    ("image_crs", "is_near", "note"),
    [
        ("EPSG:4326", True, ""),
        ("EPSG:2236", True, ""),
        ("EPSG:4326", False, ", the image lies elsewhere"),
    ],
)
def test_the_map_shows_the_targets_whatever_the_system_of_the_image(
    demo: ModuleType, tmp_path: Path, image_crs: str, is_near: bool, note: str
) -> None:
    import demo_map

    targets = layer_of("crowns", [box(EAST, NORTH, EAST + 20, NORTH + 20)])
    crs = QgsCoordinateReferenceSystem(image_crs)
    corner = (EAST - 50, NORTH - 50) if is_near else (EAST + 90000, NORTH)
    around = QgsGeometry.fromRect(QgsRectangle(*corner, corner[0] + 100, corner[1] + 100))
    assert around.transform(QgsCoordinateTransform(targets.crs(), crs, QgsProject.instance())) == 0
    bounds = around.boundingBox()
    path = tmp_path / "image.tif"
    raster = gdal.GetDriverByName("GTiff").Create(str(path), 50, 50, 3)
    raster.SetGeoTransform(
        (bounds.xMinimum(), bounds.width() / 50, 0, bounds.yMaximum(), 0, -bounds.height() / 50)
    )
    raster.SetProjection(crs.toWkt())
    raster = None
    extent, told = demo_map.map_extent(targets, demo.open_image(str(path)))
    assert told == note
    # The square of the image, which was turned a little, or of the targets with a margin.
    side = 100 if is_near else 21
    assert extent.width() == pytest.approx(side, rel=0.1)
    assert extent.contains(targets.extent())
