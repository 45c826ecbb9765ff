"""Layers of jobs: every kind of source, on the map and in pixels."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import pandas as pd
import pyproj
import pytest
import shapely
from support.data import real_data
from support.errors import find_message, raises

import randcrowns as rc
from randcrowns.batch.partition import partition
from randcrowns.core import Crowns
from randcrowns.jobs.layers import read_layer

CRS = "EPSG:32617"
EAST, NORTH = 500_000, 3_900_000
BOXES = [shapely.box(EAST + x, NORTH, EAST + x + 4, NORTH + 4) for x in (0, 6, 12)]
FEET = "EPSG:2264"


def _frame(crs: str | None = CRS, shapes=BOXES, **columns) -> geopandas.GeoDataFrame:
    return geopandas.GeoDataFrame(columns, geometry=shapes, crs=crs)


@pytest.fixture
def crowns(tmp_path: Path) -> Path:
    """A GeoPackage with two layers of polygons and one of points."""
    path = tmp_path / "crowns.gpkg"
    _frame().to_file(path, layer="north")
    _frame(shapes=BOXES[:1]).to_file(path, layer="south")
    return path


@pytest.mark.parametrize(
    "source",
    [
        _frame(),
        _frame().geometry,
        Crowns(BOXES, crs=CRS),
        _frame().set_index(np.array(["a", "b", "c"])),
    ],
    ids=["frame", "series", "crowns", "texts as index"],
)
def test_data_in_memory_are_layers(source) -> None:
    result = rc.score(_frame(), {"same": source})
    assert result.summary["iou_mean"].tolist() == [1.0]
    assert result.targets.crs == CRS
    assert result.pairs.crs == CRS


def test_bare_polygons_are_in_metres_and_without_a_coordinate_system() -> None:
    result = rc.score(BOXES, BOXES)
    assert result.summary["matched"].tolist() == [3]
    assert result.targets.crs is None


def test_something_else_is_no_layer() -> None:
    with raises("jobs.no_layer"):
        rc.score(_frame(), 5)


def test_a_layer_of_a_file_is_named(crowns: Path) -> None:
    with raises("batch.several_layers", layers=["north", "south"]):
        read_layer(str(crowns))
    assert len(read_layer(f"{crowns}|layername=south").frame) == 1


def test_a_pattern_is_one_layer_of_all_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        _frame().to_file(tmp_path / f"{name}.gpkg")
    layer = read_layer(str(tmp_path / "*.gpkg"))
    assert len(layer.frame) == 6
    assert layer.frame["source"].unique().tolist() == ["a.gpkg", "b.gpkg"]


def test_a_shapefile_and_geoparquet_are_layers(tmp_path: Path) -> None:
    _frame().to_file(tmp_path / "a.shp")
    _frame().to_parquet(tmp_path / "a.parquet")
    result = rc.score(tmp_path / "a.shp", tmp_path / "a.parquet")
    assert result.summary["iou_mean"].tolist() == [1.0]


def test_layers_are_brought_to_metres() -> None:
    in_feet = _frame().to_crs(FEET)
    result = rc.score(in_feet, {"degrees": _frame().to_crs("EPSG:4326")})
    assert result.summary["iou_mean"].iloc[0] == pytest.approx(1.0, abs=1e-6)
    assert result.targets.crs == FEET
    assert result.unit == "m"
    find_message(result.messages, "input.brought", layer="degrees")


def test_a_layer_without_a_coordinate_system_is_refused_or_gets_one() -> None:
    with raises("jobs.no_crs", layer="unknown"):
        rc.score(_frame(), {"unknown": _frame(crs=None)})
    result = rc.score(_frame(), {"unknown": _frame(crs=None)}, assign_crs=CRS)
    assert result.summary["matched"].tolist() == [3]
    with raises("crs.unknown_text"):
        rc.score(_frame(), {"unknown": _frame(crs=None)}, assign_crs="EPSG:1")


#: What GDAL and R's sf write into a GeoPackage for layers without a coordinate system.
INVENTED = [
    'GEOGCS["Undefined geographic SRS",DATUM["unknown",SPHEROID["unknown",6378137,298.257223563]],'
    'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]',
    'LOCAL_CS["Undefined Cartesian SRS",UNIT["metre",1]]',
    'ENGCRS["Undefined Cartesian SRS with unknown unit",EDATUM["Unknown engineering datum"],'
    'CS[Cartesian,2],AXIS["X",unspecified,ORDER[1],LENGTHUNIT["unknown",0]],'
    'AXIS["Y",unspecified,ORDER[2],LENGTHUNIT["unknown",0]]]',
]


def test_geoparquet_without_pyarrow_is_refused(tmp_path: Path, monkeypatch) -> None:
    _frame().to_parquet(tmp_path / "a.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with raises("jobs.no_pyarrow", file="a.parquet"):
        rc.score(_frame(), tmp_path / "a.parquet")
    with raises("jobs.no_pyarrow", file="targets.parquet"):
        rc.export_crowns(_frame(), tmp_path / "out", format="parquet")


@pytest.mark.parametrize("crs", INVENTED)
@pytest.mark.parametrize("suffix", ["", ".gpkg", ".parquet"])
def test_an_invented_system_is_none(tmp_path: Path, crs: str, suffix: str) -> None:
    """Boxes of 40 x 30 pixels shifted by 10 pixels: IoU 30 / 50, also in "degrees"."""
    places = [(0, 0), (100, 10), (200, 20)]
    layers: list[Any] = []
    for shift in (0, 10):
        boxes = [shapely.box(x + shift, y, x + shift + 40, y + 30) for x, y in places]
        frame = _frame(crs, boxes, image=["tile.png"] * 3)
        path = tmp_path / f"{shift}{suffix}"
        if suffix == ".parquet":
            frame.to_parquet(path)
        elif suffix:
            frame.to_file(path)
        layers.append(path if suffix else frame)
    result = rc.evaluate(*layers)
    assert result.summary["mean_iou"].tolist() == pytest.approx([0.6])
    assert result.unit == "px"
    with raises("jobs.no_crs", layer="unknown"):
        rc.score(_frame(), {"unknown": _frame(crs)})
    with raises("jobs.no_crs", layer="unknown"):
        rc.score(_frame(), {"unknown": _frame(crs).geometry})
    if suffix:
        with raises("crs.missing"):
            partition(path, tmp_path / "parts.parquet")


def test_a_file_that_is_missing_or_no_layer_is_refused(tmp_path: Path) -> None:
    with raises("import.no_match"):
        rc.score(_frame(), tmp_path / "missing.gpkg")
    odd = tmp_path / "odd.gpkg"
    odd.write_text("no layer")
    with raises("file.unreadable"):
        rc.score(_frame(), odd)


class TestPixels:
    """Crowns in pixels of images that are not on the map."""

    IMAGES = ("2019_BLAN_3_751000_4330000_image_crop",)

    @pytest.fixture
    def boxes(self) -> Path:
        return real_data("deepforest") / f"{self.IMAGES[0]}_bbox.csv"

    def test_lengths_in_metres_are_refused_for_pixels(self, boxes: Path) -> None:
        with raises("jobs.metres_for_pixels", preset="image_boxes"):
            rc.score(boxes, boxes)

    def test_lengths_may_be_in_pixels(self, boxes: Path) -> None:
        result = rc.score(boxes, boxes, alpha=7, omega=12, gamma=3)
        assert result.unit == "px"
        assert result.summary["iou_mean"].iloc[0] == 1.0
        find_message(result.messages, "input.pixels")

    @pytest.mark.parametrize("suffix", ["", ".gpkg"])
    def test_a_layer_without_a_system_and_images_is_in_pixels(
        self, tmp_path: Path, suffix: str
    ) -> None:
        """Boxes of 40 x 40 shifted by 10: IoU 30 / 50, as on page Instances. Lengths need a unit."""
        layers: list[Any] = []
        for shift in (0, 10):
            places = [(0, -100), (200, -250), (400, -700)]
            boxes = [shapely.box(x + shift, y, x + shift + 40, y + 40) for x, y in places]
            layers.append(_frame(None, boxes))
            if suffix:
                layers[-1].to_file(tmp_path / f"{shift}{suffix}")
                layers[-1] = tmp_path / f"{shift}{suffix}"
        result = rc.evaluate(*layers)
        assert result.summary["mean_iou"].tolist() == pytest.approx([0.6])
        assert result.unit == "px"
        find_message(result.messages, "input.pixels")
        with raises("jobs.no_crs"):
            rc.score(*layers)
        with raises("jobs.no_crs"):
            rc.evaluate(layers[0], _frame())
        assert rc.score(*layers, ground_resolution=0.1).unit == "m"
        on_map = rc.evaluate(*layers, assign_crs=CRS)
        assert on_map.unit == "m"
        assert "input.pixels" not in [message.key for message in on_map.messages]

    def test_a_ground_resolution_makes_pixels_metres(self, boxes: Path) -> None:
        result = rc.score(boxes, boxes, ground_resolution=0.1)
        assert result.unit == "m"
        find_message(result.messages, "jobs.ground_resolution", resolution=0.1)
        in_pixels = rc.score(boxes, boxes, alpha=7, omega=12, gamma=3)
        ratio = result.targets["area"] / in_pixels.targets["area"]
        assert np.allclose(ratio.dropna(), 0.01)

    def test_pixels_and_maps_are_not_mixed(self, boxes: Path) -> None:
        with raises("jobs.pixels_and_map"):
            rc.evaluate(boxes, _frame())

    def test_a_resolution_is_only_for_pixels(self) -> None:
        with raises("jobs.resolution_on_map"):
            rc.score(_frame(), _frame(), ground_resolution=0.1)

    def test_an_extent_counts_from_the_upper_left_corner(self, boxes: Path) -> None:
        layer = read_layer(str(boxes))
        top = float(-layer.frame.total_bounds[3])
        lengths = {"alpha": 7, "omega": 12, "gamma": 3}
        result = rc.score(boxes, boxes, extent=(0, 0, 1e4, top + 20), **lengths)
        assert 0 < result.summary["targets"].iloc[0] < len(layer.frame)


def test_georeferenced_images_place_annotations_on_the_map() -> None:
    neon = real_data("neon")
    layer = read_layer(str(neon / "OSBS_029.xml"))
    assert not layer.in_pixels
    assert layer.frame.crs == CRS


class TestFramesOfAnyShape:
    def test_texts_and_repeated_numbers_as_index_of_a_file_are_numbered(self, tmp_path) -> None:
        path = tmp_path / "crowns.parquet"
        for index in (["a", "b", "c"], [4, 4, 4]):
            _frame().set_axis(index).to_parquet(path)
            assert read_layer(path).ids.tolist() == [0, 1, 2]

    def test_names_of_fields_become_text(self, tmp_path) -> None:
        target = tmp_path / "scores.gpkg"
        rc.score(_frame().assign(**{"x": 1}).rename(columns={"x": 5}), _frame()).write(target)
        assert "5" in geopandas.read_file(target, layer="targets")

    def test_further_geometries_are_written_as_text(self, tmp_path) -> None:
        target = tmp_path / "scores.gpkg"
        stems = geopandas.GeoSeries(shapely.points([[1, 2], [3, 4], [5, 6]]), crs=CRS)
        rc.score(_frame().assign(stem=stems), _frame()).write(target)
        written = geopandas.read_file(target, layer="targets")
        assert written["stem"].tolist() == ["POINT (1 2)", "POINT (3 4)", "POINT (5 6)"]

    def test_fields_of_one_name_are_refused(self) -> None:
        frame = _frame(plot=["p", "p", "q"])
        twice = frame[["plot", "plot", "geometry"]]
        with raises("jobs.repeated_fields", fields=["plot"]):
            rc.score(twice, _frame())

    def test_a_frame_without_geometries_is_no_layer(self) -> None:
        with raises("batch.no_geometries"):
            rc.score(geopandas.GeoDataFrame({"x": [1]}), _frame())

    def test_a_layer_of_a_parquet_file_cannot_be_named(self, tmp_path) -> None:
        path = tmp_path / "crowns.parquet"
        _frame().to_parquet(path)
        with raises("jobs.no_layers_in_file", layer="north"):
            rc.score(f"{path}|layername=north", _frame())


@pytest.mark.parametrize(
    "options",
    [
        {"assign_crs": _frame()},
        {"images": 5},
        {"ground_resolution": "0.1"},
        {"ground_resolution": -1.0},
        {"ground_resolution": float("nan")},
        {"ground_resolution": np.ones(2)},
    ],
)
def test_options_of_layers_have_their_type(options) -> None:
    (name,) = options
    with raises("jobs.invalid_option", name=name):
        rc.score(_frame(), _frame(), **options)


def test_geojson_in_metres_gets_the_system_that_is_given(tmp_path: Path) -> None:
    # Without a CRS, a GeoJSON file is in degrees by its definition.
    path = tmp_path / "metres.geojson"
    features = [
        {"type": "Feature", "properties": {}, "geometry": shapely.geometry.mapping(box)}
        for box in shapely.box(
            500_000 + np.arange(3) * 10, 5e6, 500_005 + np.arange(3) * 10, 5e6 + 4
        )
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    with raises("batch.outside_crs", source="metres"):
        rc.score(path, path)
    with raises("batch.outside_crs", source="metres"):  # also beside a layer on the map
        rc.evaluate(_frame(), path)
    result = rc.score(path, path, assign_crs="EPSG:25832")
    assert result.tables["targets"]["area"].tolist() == pytest.approx([20.0] * 3, rel=1e-9)
    find_message(result.messages, "jobs.crs_replaced", layer="metres")


def test_a_layer_too_far_from_the_others_to_be_transformed_is_refused() -> None:
    """On the equator, 81 degrees east of the central meridian of zone 17, x is infinite."""
    far = _frame("EPSG:4326", [shapely.Polygon([(0, 0), (4, 0), (4, 4)])])
    with raises("crs.not_transformed", crs="EPSG:4326", to=CRS):
        rc.score(_frame(), far)
    with raises("crs.not_transformed", crs="EPSG:4326", to=CRS):
        rc.compare_annotators([_frame(), far])
    with raises("crs.not_transformed", crs=CRS, to="EPSG:32631"):
        rc.evaluate(far, _frame(shapes=[shapely.box(0, 0, 4, 4)]))


@pytest.mark.parametrize("system", [32617, np.int64(32617), pyproj.CRS(CRS)])
def test_an_assigned_system_is_a_number_or_an_object(system: object) -> None:
    result = rc.score(_frame(None), _frame(None), assign_crs=system)
    assert result.targets.crs == CRS


def test_a_layer_of_a_pattern_is_named_by_what_its_files_share(tmp_path: Path, monkeypatch) -> None:
    folder = tmp_path / "plots"
    folder.mkdir()
    for name in ("anna_1", "anna_2"):
        _frame().to_file(folder / f"{name}.gpkg")
    monkeypatch.chdir(folder)
    for pattern in ("*.gpkg", str(tmp_path / "plots" / "*.gpkg"), str(tmp_path / "pl*" / "*.gpkg")):
        expected = tmp_path.name if "pl*" in pattern else "plots"
        assert read_layer(pattern).name == expected
    assert read_layer("anna_[12].gpkg").name == "anna"


@pytest.mark.parametrize("is_layer", [True, False])
def test_cracks_of_a_study_area_are_closed_without_a_warning(is_layer: bool) -> None:
    """The halves of the area are 1 nm apart; together they hold the crown between them whole."""
    middle = EAST + 2 + 1e-9
    halves = [shapely.box(EAST - 2, NORTH, EAST + 2, NORTH + 4)]
    halves.append(shapely.box(middle, NORTH, EAST + 6, NORTH + 4))
    extent = _frame(shapes=halves) if is_layer else shapely.MultiPolygon(halves)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = rc.score(_frame(shapes=BOXES[:1]), _frame(shapes=BOXES[:1]), extent=extent)
    assert result.summary["iou_mean"].tolist() == [1.0]


def test_the_folder_of_the_user_is_found(tmp_path: Path, monkeypatch) -> None:
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path))
    _frame().to_file(tmp_path / "anna.gpkg", layer="north")
    for source in ("~/anna.gpkg", "~/anna.gpkg|layername=north", "~/*.gpkg", Path("~/anna.gpkg")):
        assert len(read_layer(source).frame) == 3
    table = "image_path,xmin,ymin,xmax,ymax,label\na.tif,1,2,5,4,oak\n"
    (tmp_path / "boxes.csv").write_text(table)
    for files in ("~/boxes.csv", "~/b*.csv"):
        assert len(rc.read_annotations(files, images="~").crowns) == 1
    rc.score(_frame(), "~/anna.gpkg").write("~/scores.json")
    assert (tmp_path / "scores.json").is_file()


def test_layers_may_be_the_values_of_a_dictionary_or_a_generator() -> None:
    frames = {"anna": _frame(), "ben": _frame()}
    for sources in (frames.values(), (frame for frame in frames.values())):
        assert len(rc.compare_annotators(sources).annotators) == 2


def test_an_assigned_system_does_not_replace_one_that_fits() -> None:
    result = rc.score(_frame(), _frame(), assign_crs="EPSG:3857")
    assert "jobs.crs_replaced" not in [own.key for own in result.messages]


def test_points_and_lines_of_collections_are_told() -> None:
    boxes = _frame().geometry.to_numpy()
    mixed = shapely.GeometryCollection([boxes[0], shapely.Point(0, 0)])
    lines = shapely.GeometryCollection([shapely.LineString([(0, 0), (1, 1)])])
    frame = _frame().set_geometry([mixed, boxes[1], lines], crs=_frame().crs)
    result = rc.score(frame, _frame())
    assert result.summary["targets"].tolist() == [2]
    find_message(result.messages, "input.mixed", layer="targets", count=1)
    find_message(result.messages, "input.not_a_polygon", layer="targets", count=1)


def test_plots_may_be_numbers_here_and_texts_there() -> None:
    targets = _frame(plot=[1, 2, 2])
    for plots in ([1.0, 2.0, 2.0], ["1.0", "2", " 2 "], pd.array([1, 2, 2], "Int64")):
        result = rc.score(targets, _frame(plot=plots), plot_field="plot")
        assert result.summary["plot"].tolist() == ["all", "1", "2"]
        assert result.summary["iou_mean"].tolist() == [1.0] * 3
        assert not [own.key for own in result.messages if own.key.startswith("plots")]


@pytest.mark.parametrize("job", [rc.compare_annotators, rc.consensus])
def test_a_field_of_plots_without_values_is_refused(job) -> None:
    frame = _frame(plot=[None] * 3)
    with raises("plots.none_named"):
        job({"anna": frame, "ben": frame}, plot_field="plot")


def test_a_ranking_needs_a_plot_of_some_crown() -> None:
    frame = _frame(plot=[None] * 3, score=[0.1, 0.5, 0.9])
    with raises("plots.none_named"):
        rc.rank_detectors({"net": frame}, {"anna": frame, "ben": frame}, plot_field="plot")
