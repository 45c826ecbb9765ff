from __future__ import annotations

import json
from pathlib import Path

import geopandas
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import shapely
from support.batch import CRS, assert_same, random_layers, table_of
from support.errors import ExpectedError, raises

from randcrowns import batch
from randcrowns.batch.source import AREA_CHANGED_PROBLEM, CRACK_PROBLEM, MIXED_PROBLEM
from randcrowns.command.main import main
from randcrowns.core import Crowns, score_crowns
from randcrowns.core.errors import RandCrownsError
from randcrowns.core.scoring.parameters import PRESETS

BOXES = [shapely.box(x, 0, x + 4, 4) for x in range(0, 200, 5)]


def _written(path: Path, shapes=BOXES, crs: str | None = CRS, **columns) -> Path:
    geopandas.GeoDataFrame(columns, geometry=list(shapes), crs=crs).to_file(path)
    return path


def _refused(expected: ExpectedError, *paths, out: Path, **choices) -> None:
    with expected:
        batch.score(*paths, out, workers=1, **choices)
    assert not out.exists()


def test_no_coordinate_system(tmp_path) -> None:
    known, unknown = _written(tmp_path / "a.gpkg"), _written(tmp_path / "b.shp", crs=None)
    _refused(
        raises("crs.missing", name="b"),
        known,
        unknown,
        out=tmp_path / "out",
    )


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:2264"])
def test_a_coordinate_system_that_is_not_in_metres(tmp_path, crs: str) -> None:
    wrong = _written(tmp_path / "a.gpkg", crs=crs)
    _refused(
        raises("crs.not_metres", name="a"),
        wrong,
        wrong,
        out=tmp_path / "out",
    )


def test_unlike_coordinate_systems(tmp_path) -> None:
    one, other = _written(tmp_path / "a.gpkg"), _written(tmp_path / "b.gpkg", crs="EPSG:32618")
    _refused(
        raises(
            "crs.different",
            name="b",
            other_crs="WGS 84 / UTM zone 18N",
            first="a",
            code="EPSG:32617",
        ),
        one,
        other,
        out=tmp_path / "out",
    )


def test_degrees_that_are_called_metres(tmp_path) -> None:
    tiny = _written(tmp_path / "a.gpkg", [shapely.box(-82, 29, -82 + 4e-5, 29 + 4e-5)])
    _refused(raises("crs.looks_like_degrees", name="a"), tiny, tiny, out=tmp_path / "out")


def test_ids_that_name_several_crowns(tmp_path) -> None:
    twice = _written(tmp_path / "a.gpkg", BOXES[:3], tree=[7, 8, 7])
    _refused(
        raises("ids.repeated", count=1, column="tree", examples="7"),
        twice,
        twice,
        out=tmp_path / "out",
        id_column="tree",
    )
    text = _written(tmp_path / "b.gpkg", BOXES[:2], tree=["x", "y"])
    _refused(
        raises("ids.not_whole", name="b", column="tree"),
        text,
        text,
        out=tmp_path / "out",
        id_column="tree",
    )
    large = np.array([3, 2**63 + 1], dtype=np.uint64)
    frame = geopandas.GeoDataFrame({"tree": large}, geometry=BOXES[:2], crs=CRS)
    frame.to_parquet(tmp_path / "large.parquet", schema_version="1.1.0", write_covering_bbox=True)
    path = tmp_path / "large.parquet"
    _refused(
        raises("ids.too_large", id=2**63 + 1, column="tree"),
        path,
        path,
        out=tmp_path / "out",
        id_column="tree",
    )
    _refused(
        raises("batch.no_column", column="nr"), text, text, out=tmp_path / "out", id_column="nr"
    )


def test_ids_of_a_column_name_the_crowns(inside, tmp_path) -> None:
    numbered = _written(tmp_path / "a.gpkg", tree=np.arange(40)[::-1] * 10)
    batch.score(numbered, numbered, tmp_path / "out", id_column="tree", tile=30, scheduler=inside)
    found = table_of(tmp_path / "out", "targets", "target_id")
    assert (
        found["target_id"].tolist() == found["delineation_id"].tolist() == list(range(0, 400, 10))
    )


def test_broken_outlines_are_told_with_tile_and_id_and_the_rest_is_done(inside, tmp_path) -> None:
    bow_tie = shapely.Polygon([(50, 0), (54, 4), (54, 0), (50, 4)])
    shapes = [
        *BOXES[:10],
        bow_tie,
        *BOXES[11:20],
        None,
        shapely.Polygon(),
        *BOXES[20:],
        shapely.Point(3, 3).buffer(0),
    ]
    targets = _written(tmp_path / "targets.gpkg", shapes)
    drawn = tmp_path / "drawn.parquet"
    batch.partition(_written(tmp_path / "drawn.gpkg"), drawn)
    cut_short = pq.read_table(drawn)
    wkb = cut_short.column("geometry").to_pylist()
    broken = cut_short.column("crown_row").to_pylist()[4]
    wkb[4] = wkb[4][:20]
    place = cut_short.schema.get_field_index("geometry")
    pq.write_table(
        cut_short.set_column(place, "geometry", pa.array(wkb, pa.binary())), drawn, row_group_size=7
    )

    summary = batch.score(targets, drawn, tmp_path / "out", tile=30, scheduler=inside)
    told = pd.read_csv(tmp_path / "out" / "problems.csv", keep_default_na=False).set_index(
        ["layer", "id"]
    )
    assert told.loc[("targets", 10), "done"] == "repaired"
    assert told.loc[("targets", 10), "tile"] != ""
    assert told.loc[("targets", 20), "done"] == told.loc[("targets", 21), "done"] == "skipped"
    assert told.loc[("drawn", broken), "problem"] == "an outline that cannot be read"
    assert told.loc[("drawn", broken), "tile"] != ""
    assert len(told) == 5

    kept = [row for row, shape in enumerate(shapes) if shape is not None and not shape.is_empty]
    whole = Crowns(shapely.make_valid([shapes[row] for row in kept]), np.array(kept))
    rest = [row for row in range(40) if row != broken]
    expected = score_crowns(
        whole, Crowns([BOXES[row] for row in rest], np.array(rest)), PRESETS["image_boxes"]
    )
    assert_same(table_of(tmp_path / "out", "targets", "target_id"), expected.targets)
    assert_same(summary, expected.summary)


def test_crowns_of_several_parts_and_with_heights_are_ordinary(inside, tmp_path) -> None:
    shapes = [
        shapely.MultiPolygon([shapely.box(0, 0, 3, 3), shapely.box(4, 0, 7, 3)]),
        shapely.force_3d(BOXES[3], 5.0),
    ]
    path = _written(tmp_path / "a.gpkg", shapes)
    summary = batch.score(path, path, tmp_path / "out", tile=10, scheduler=inside)
    assert summary["iou_mean"].item() == pytest.approx(1)
    assert pd.read_csv(tmp_path / "out" / "problems.csv").empty


def test_repairs_and_cracks_are_told_and_scored_as_the_ground_they_cover(inside, tmp_path) -> None:
    overlapping = shapely.MultiPolygon([shapely.box(0, 0, 4, 4), shapely.box(2, 1, 6, 5)])
    cracked = shapely.MultiPolygon([shapely.box(20, 0, 23, 4), shapely.box(23 + 1e-8, 0, 26, 4)])
    ground = [shapely.union_all(overlapping.geoms), shapely.box(20, 0, 26, 4)]
    targets = _written(tmp_path / "targets.gpkg", [overlapping, cracked])
    drawn = _written(tmp_path / "drawn.gpkg", ground)
    summary = batch.score(targets, drawn, tmp_path / "out", tile=100, scheduler=inside)
    assert summary[["iou_mean", "randcrowns_mean"]].to_numpy().tolist() == [
        pytest.approx([1.0, 1.0], abs=1e-6)
    ]
    told = pd.read_csv(tmp_path / "out" / "problems.csv")
    assert told[["layer", "id", "problem", "done"]].to_numpy().tolist() == [
        ["targets", 0, AREA_CHANGED_PROBLEM, "repaired"],
        ["targets", 1, CRACK_PROBLEM, "repaired"],
    ]


def test_points_and_lines_of_collections_are_told(inside, tmp_path) -> None:
    mixed = shapely.GeometryCollection([BOXES[0], shapely.Point(1, 1)])
    line = shapely.GeometryCollection([shapely.LineString([(0, 0), (1, 1)])])
    targets = _written(tmp_path / "targets.gpkg", [mixed, BOXES[1], line])
    drawn = _written(tmp_path / "drawn.gpkg", BOXES[:2])
    summary = batch.score(targets, drawn, tmp_path / "out", tile=100, scheduler=inside)
    assert summary["iou_mean"].tolist() == [pytest.approx(1)]
    told = pd.read_csv(tmp_path / "out" / "problems.csv").sort_values("id")
    assert told[["layer", "id", "problem", "done"]].to_numpy().tolist() == [
        ["targets", 0, MIXED_PROBLEM, "repaired"],
        ["targets", 2, "another geometry type than polygon", "skipped"],
    ]


def test_tiles_without_crowns(inside, tmp_path) -> None:
    apart = _written(
        tmp_path / "a.gpkg", [shapely.box(0, 0, 4, 4), shapely.box(90_000, 70_000, 90_004, 70_004)]
    )
    summary = batch.score(apart, apart, tmp_path / "out", tile=100, scheduler=inside)
    assert summary["matched"].item() == 2
    assert len(list((tmp_path / "out" / "targets").iterdir())) == 2
    no_targets = batch.score(
        _written(tmp_path / "b.gpkg", BOXES[:2]),
        _written(tmp_path / "c.gpkg", BOXES[30:]),
        tmp_path / "out2",
        tile=20,
        scheduler=inside,
    )
    assert no_targets[["unmatched_targets", "unmatched_delineations"]].to_numpy().tolist() == [
        [2, 10]
    ]


def test_a_layer_without_crowns(inside, tmp_path) -> None:
    empty = tmp_path / "empty.gpkg"
    geopandas.GeoDataFrame(geometry=[], crs=CRS).to_file(empty, geometry_type="Polygon")
    full = _written(tmp_path / "a.gpkg", BOXES[:2])
    summary = batch.score(full, empty, tmp_path / "out", scheduler=inside)
    assert summary[["targets", "delineations", "unmatched_targets"]].to_numpy().tolist() == [
        [2, 0, 2]
    ]
    _refused(raises("batch.no_crowns"), empty, empty, out=tmp_path / "out2")


def test_a_directory_with_something_else(tmp_path) -> None:
    path, out = _written(tmp_path / "a.gpkg"), tmp_path / "out"
    out.mkdir()
    (out / "letter.txt").write_text("dear")
    with raises("batch.foreign_files"):
        batch.score(path, path, out, workers=1)
    assert [entry.name for entry in out.iterdir() if entry.name != "work"] == ["letter.txt"]
    with raises("batch.no_results", manifest="manifest.json"):
        batch.summary(out)


def test_choices_unlike_the_manifests(inside, tmp_path) -> None:
    layers = random_layers(tmp_path, 1, number=10)
    batch.score(*layers.paths, tmp_path / "out", scheduler=inside)
    with raises("batch.other_run", differences="pairing was nearest and is hungarian"):
        batch.score(
            *layers.paths, tmp_path / "out", pairing="hungarian", resume=True, scheduler=inside
        )
    with raises("batch.other_run"):
        batch.agree(layers.paths, tmp_path / "out", resume=True, scheduler=inside)
    with raises("batch.other_run"):
        batch.score(*layers.paths[::-1], tmp_path / "out", resume=True, scheduler=inside)


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({"preset": "own", "alpha": 1.0}, raises("preset.value_missing", missing="omega, gamma")),
        ({"preset": "best"}, raises("preset.unknown", preset="best")),
        ({"alpha": 1.0}, raises("preset.values_not_own", names=["alpha"])),
        ({"pairing": "closest"}, raises("key.unknown", name="closest")),
        ({"extent": (1, 1, 0, 0)}, raises("extent.no_area")),
        ({"tile": 0.0}, raises("tiles.invalid_side", side=0.0)),
        ({"search_radius": -1.0}, raises("pairing.invalid_search_radius", search_radius=-1.0)),
        ({"plot_field": "site"}, raises("batch.no_column", column="site")),
    ],
)
def test_choices_that_cannot_be_used(tmp_path, choices: dict, expected: ExpectedError) -> None:
    path = _written(tmp_path / "a.gpkg")
    _refused(expected, path, path, out=tmp_path / "out", **choices)


def test_files_that_are_no_layers(tmp_path) -> None:
    path, out = _written(tmp_path / "a.gpkg"), tmp_path / "out"
    _refused(
        raises("file.missing", file=tmp_path / "none.gpkg"), path, tmp_path / "none.gpkg", out=out
    )
    for name, key in (("a.txt", "import.not_recognised"), ("a.kml", "file.unreadable")):
        text = tmp_path / name
        text.write_text("no layer")
        _refused(raises(key), path, text, out=out)
    table = tmp_path / "t.parquet"
    pd.DataFrame({"a": [1]}).to_parquet(table)
    _refused(raises("batch.not_geoparquet"), path, table, out=out)


def test_results_of_another_version(inside, tmp_path) -> None:
    path, out = _written(tmp_path / "a.gpkg"), tmp_path / "out"
    batch.score(path, path, out, scheduler=inside)
    manifest = out / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"format": 2', '"format": 1'))
    for read in (
        batch.summary,
        lambda folder: batch.score(path, path, folder, resume=True, scheduler=inside),
    ):
        with raises("batch.other_version"):
            read(out)


_ODD_VALUES = (None, True, 7, -1.5, "text", [], ["a"], [[1]], {}, {"a": {"b": None}})


def _places(value: object, place: tuple = ()) -> list[tuple]:
    """Return the paths of all values within a value from JSON, from outside to inside."""
    items: list[tuple] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    return [place, *(found for key, item in items for found in _places(item, (*place, key)))]


def test_a_damaged_manifest_never_causes_another_error(inside, tmp_path) -> None:
    path, out = _written(tmp_path / "a.gpkg", BOXES[:4]), tmp_path / "out"
    expected = batch.score(path, path, out, scheduler=inside)
    manifest = out / "manifest.json"
    whole = json.loads(manifest.read_text())
    places = [place for place in _places(whole) if place]
    assert len(places) > 60
    rng, n_refused = np.random.default_rng(1), 0
    for place in places:
        damaged = json.loads(json.dumps(whole))
        inner = damaged
        for key in place[:-1]:
            inner = inner[key]
        if rng.random() < 0.3:
            del inner[place[-1]]
        else:
            inner[place[-1]] = _ODD_VALUES[rng.integers(len(_ODD_VALUES))]
        manifest.write_text(json.dumps(damaged))
        for read in (batch.summary, lambda folder: batch.export(folder, tmp_path / "x.gpkg")):
            try:
                result = read(out)
            except RandCrownsError:
                n_refused += 1
            else:
                assert result is not None
            (tmp_path / "x.gpkg").unlink(missing_ok=True)
    assert n_refused > 60
    manifest.write_text(json.dumps(whole))
    assert_same(batch.summary(out), expected)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", raises("file.unreadable")),
        (b"{", raises("file.unreadable")),
        (b"\xff\xfe{}", raises("file.unreadable")),
        (b"[]", raises("batch.damaged_manifest")),
        (b"null", raises("batch.damaged_manifest")),
        (b"{}", raises("batch.damaged_manifest")),
        (b'{"format": 2}', raises("batch.damaged_manifest")),
        (b'{"format": []}', raises("batch.other_version")),
        (b"[" * 200_000, raises("batch.damaged_manifest")),
    ],
)
def test_a_manifest_that_is_none(tmp_path, content: bytes, expected: ExpectedError) -> None:
    path, out = _written(tmp_path / "a.gpkg", BOXES[:4]), tmp_path / "out"
    out.mkdir()
    (out / "manifest.json").write_bytes(content)
    for read in (
        batch.summary,
        lambda folder: batch.export(folder, tmp_path / "x.gpkg"),
        lambda folder: batch.score(path, path, folder, resume=True, workers=1),
    ):
        with expected:
            read(out)
    assert (out / "manifest.json").read_bytes() == content


def test_a_manifest_names_no_files_elsewhere(inside, tmp_path) -> None:
    path, out = _written(tmp_path / "a.gpkg", BOXES[:4]), tmp_path / "out"
    batch.score(path, path, out, scheduler=inside)
    manifest = out / "manifest.json"
    text = manifest.read_text()
    for elsewhere in ("../targets/", "/targets/"):
        manifest.write_text(text.replace('"targets/', f'"{elsewhere}'))
        with raises("batch.damaged_manifest"):
            batch.export(out, tmp_path / "x.gpkg")


def test_names_that_no_file_can_have(tmp_path, capsys) -> None:
    path, out = str(_written(tmp_path / "a.gpkg")), str(tmp_path / "out")
    not_utf8, too_long = str(tmp_path / "\udcff"), str(tmp_path / ("x" * 300))
    for name, key in ((not_utf8, "path.not_utf8"), (too_long, "path.too_long")):
        for run in (
            lambda name: batch.score(name, path, out),
            lambda name: batch.score(path, path, name),
            lambda name: batch.partition(name, f"{out}.parquet"),
            lambda name: batch.partition(path, f"{name}.parquet"),
            lambda name: batch.partition([path], name),
            lambda name: batch.export(name, f"{out}.gpkg"),
            lambda name: batch.summary(name),
        ):
            with raises(key):
                run(name)
        assert main(["score", path, path, "--out", name]) == 1
        assert "Traceback" not in capsys.readouterr().err
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.gpkg"]


def test_a_working_directory_with_a_path_of_800_characters(inside, tmp_path, monkeypatch) -> None:
    folder = tmp_path
    while len(str(folder)) < 800:
        folder /= "d" * 40
    folder.mkdir(parents=True)
    _written(folder / "a.gpkg", BOXES[:4])
    monkeypatch.chdir(folder)
    assert batch.score("a.gpkg", "a.gpkg", "out", scheduler=inside)["targets"].iloc[0] == 4
    assert batch.export("out", "x.gpkg")["targets"] == 4
    assert batch.partition("a.gpkg", "a.parquet") == 4
    assert batch.partition(["a.gpkg", "a.gpkg"], "parts") == 8


def test_a_plot_with_the_name_of_all_plots_has_another_name_in_the_summary(
    inside, tmp_path
) -> None:
    path = tmp_path / "a.gpkg"
    plots = ["all", "all", "b", "all (2)"]
    geopandas.GeoDataFrame({"plot": plots}, geometry=BOXES[:4], crs=CRS).to_file(path)
    for run, count in ((batch.score, "targets"), (batch.evaluate, "tp")):
        out = tmp_path / run.__name__
        table = run(path, path, out, plot_field="plot", scheduler=inside)
        rows = dict(zip(table["plot"], table[count]))
        assert rows == {"all": 4, "all (3)": 2, "all (2)": 1, "b": 1}
        assert table["plot"].iloc[0] == "all"
        (note,) = json.loads((out / "summary.json").read_text())["warnings"]
        assert "'all (3)'" in note


def test_partition_brings_layers_to_metres(tmp_path) -> None:
    feet = _written(tmp_path / "feet.gpkg", crs="EPSG:2264")
    out = tmp_path / "metres.parquet"
    assert batch.partition(feet, out) == 40
    frame = geopandas.read_parquet(out)
    assert frame.crs.axis_info[0].unit_name == "metre"
    assert sorted(frame["crown_row"]) == list(range(40))
    with raises("file.exists"):
        batch.partition(feet, out)
    with raises("batch.not_a_file"):
        batch.partition(feet, tmp_path / "folder")
    with raises("batch.not_a_folder"):
        batch.partition([feet, feet], tmp_path / "other.parquet")
    with raises("crs.not_metres", crs="WGS 84"):
        batch.partition(feet, tmp_path / "degrees.parquet", crs="EPSG:4326")
    batch.partition([feet], tmp_path / "folder")
    assert [path.name for path in (tmp_path / "folder").iterdir()] == ["00000.parquet"]
    unknown = _written(tmp_path / "unknown.shp", crs=None)
    with raises("crs.missing"):
        batch.partition(unknown, tmp_path / "b.parquet")
    batch.partition(unknown, tmp_path / "b.parquet", assign_crs="EPSG:32617", crs="EPSG:32618")
    assert geopandas.read_parquet(tmp_path / "b.parquet").crs.to_epsg() == 32618


def test_several_files_make_one_layer(inside, tmp_path) -> None:
    layers = random_layers(tmp_path, 5)
    whole = batch.score(*layers.paths, tmp_path / "out", tile=25, scheduler=inside)
    frame = geopandas.read_file(layers.paths[1])
    parts = []
    for number, rows in enumerate(np.array_split(np.arange(len(frame)), 3)):
        parts.append(tmp_path / f"part{number}.gpkg")
        frame.iloc[rows].to_file(parts[-1])
    assert batch.partition(parts, tmp_path / "drawn") == len(frame)
    found = batch.score(
        layers.paths[0], tmp_path / "drawn", tmp_path / "out2", tile=25, scheduler=inside
    )
    assert_same(found, whole)
    expected = table_of(tmp_path / "out", "delineations", "delineation_id").drop(
        columns=["geometry", "bbox"]
    )
    assert_same(table_of(tmp_path / "out2", "delineations", "delineation_id"), expected)


def test_a_folder_named_work_is_not_ours_without_a_manifest(tmp_path) -> None:
    path, out = _written(tmp_path / "a.gpkg"), tmp_path / "out"
    (out / "work").mkdir(parents=True)
    (out / "work" / "thesis.txt").write_text("mine")
    with raises("batch.foreign_files"):
        batch.score(path, path, out, workers=1)
    assert [str(one.relative_to(out)) for one in sorted(out.rglob("*"))] == [
        "work",
        "work/thesis.txt",
    ]


def test_a_refused_command_leaves_an_empty_directory_empty(tmp_path) -> None:
    path, out = _written(tmp_path / "a.gpkg"), tmp_path / "out"
    out.mkdir()
    with raises("tiles.invalid_side"):
        batch.score(path, path, out, tile=0.0, workers=1)
    assert list(out.iterdir()) == []


def test_a_folder_in_two_coordinate_systems(tmp_path) -> None:
    known, folder = _written(tmp_path / "a.gpkg"), tmp_path / "b"
    for number, crs in enumerate([CRS, "EPSG:32618"]):
        batch.partition(
            _written(tmp_path / f"{number}.gpkg", crs=crs), folder / f"{number}.parquet"
        )
    _refused(
        raises("batch.files_with_different_crs", first_name="0.parquet", file="1.parquet"),
        known,
        folder,
        out=tmp_path / "out",
    )


def test_a_folder_with_two_names_of_the_geometries(tmp_path) -> None:
    known, folder = _written(tmp_path / "a.gpkg"), tmp_path / "b"
    folder.mkdir()
    for name in ("outline", "shape"):
        frame = geopandas.GeoDataFrame(geometry=BOXES, crs=CRS).rename_geometry(name)
        frame.to_parquet(
            folder / f"{name}.parquet", schema_version="1.1.0", write_covering_bbox=True
        )
    _refused(
        raises("batch.files_with_different_columns", geometry_column="outline"),
        known,
        folder,
        out=tmp_path / "out",
    )


@pytest.mark.parametrize("tile", [None, 30.0])
@pytest.mark.parametrize(
    "far",
    [
        shapely.Polygon([(50, 0), (54, 0), (float("nan"), 2), (54, 4), (50, 4)]),
        shapely.box(1e13, 0, 1e13 + 4, 4),
        shapely.box(1e11, 0, 1e11 + 4, 4),
        shapely.box(0, 0, 1e300, 4),
        shapely.box(-1e13, -1e13, 1e13, 1e13),
    ],
)
def test_a_crown_on_no_map_is_told_and_the_rest_is_done(
    inside, tmp_path, far, tile: float | None
) -> None:
    usual = _written(tmp_path / "a.gpkg", BOXES[:12])
    path = _written(tmp_path / "b.gpkg", [*BOXES[:10], far, BOXES[11]])
    summary = batch.score(path, usual, tmp_path / "out", tile=tile, scheduler=inside)
    assert summary[["targets", "matched"]].to_numpy().tolist() == [[11, 11]]
    told = pd.read_csv(tmp_path / "out" / "problems.csv")
    assert told[["layer", "id", "done"]].to_numpy().tolist() == [["b", 10, "skipped"]]
    assert "not numbers" in told["problem"].item()


def test_tiles_that_are_too_small_for_the_crowns(tmp_path) -> None:
    path = _written(tmp_path / "a.gpkg", [*BOXES, shapely.box(0, 0, 90_000, 90_000)])
    _refused(
        raises("tiles.crowns_too_large", name="a"),
        path,
        path,
        out=tmp_path / "out",
        tile=20.0,
    )
    _refused(
        raises("tiles.side_too_small", side=1e-6), path, path, out=tmp_path / "out2", tile=1e-6
    )
    _refused(
        raises("tiles.invalid_crown_count", maximum=0),
        path,
        path,
        out=tmp_path / "out3",
        maximum_crowns=0,
    )


def test_whole_numbers_name_the_same_plots_however_they_are_stored(inside, tmp_path) -> None:
    one = _written(tmp_path / "a.gpkg", plot=np.arange(40) % 2)
    other = _written(tmp_path / "b.gpkg", plot=np.arange(40.0) % 2)
    summary = batch.score(
        one, other, tmp_path / "out", plot_field="plot", tile=30, scheduler=inside
    )
    assert summary.set_index("plot")["matched"].drop("All", errors="ignore").loc[
        ["0", "1"]
    ].tolist() == [20, 20]
