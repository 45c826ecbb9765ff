"""Rasters as annotators and masks: alone, beside polygons, without a georeference."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
import shapely
from osgeo import gdal, ogr
from qgis.core import QgsRasterLayer, QgsVectorLayer
from support.data import real_data
from support.layers import EAST, NORTH, layer_of
from support.marks import f1, image_case, plain_raster, plain_rasters, smyth
from support.processing import run_algorithm
from support.rasters import NORTH as TOP
from support.rasters import WEST, write_raster
from support.shown import shows

from randcrowns.algorithms.agreement.schema.outputs import CONSENSUS

OUTPUTS = ("AGREEMENT", "ANNOTATOR_TABLE", "ANNOTATOR_PAIRS", "SUMMARY", "RATIO")


@pytest.fixture
def compare(algorithms, qgis_new_project):
    def run_it(outputs=OUTPUTS, **parameters):
        return run_algorithm(
            "compareannotators", {"BOOTSTRAP_SAMPLES": 100, **parameters}, outputs=outputs
        )

    return run_it


def summary_of(done):
    assert done.ok, done.refused or done.error
    return done.table("SUMMARY").set_index("statistic")


def f1_of(done):
    pairs = done.table("ANNOTATOR_PAIRS")
    return {(row["first"], row["second"]): row["f1"] for _, row in pairs.iterrows()}


def test_rasters_without_a_georeference_are_compared_in_pixels(compare, tmp_path):
    case = image_case(5)
    done = compare(ANNOTATORS=plain_rasters(tmp_path, case.annotators))
    summary = summary_of(done)
    assert summary.loc["smyth_bound", "value"] == pytest.approx(smyth(case.annotators), abs=1e-12)
    assert f1_of(done) == pytest.approx(f1(case.annotators))
    assert summary.loc["study_area", ["value", "unit"]].tolist() == [60 * 90, "px²"]
    assert done.results["UNIT"] == "px"


@pytest.fixture(scope="module")
def experts(tmp_path_factory):
    """Six experts' shapefiles, also rasterized to 5 m, and the study area in both forms."""
    folder, made = real_data("rts_peel"), tmp_path_factory.mktemp("rasters")
    area = folder / "Peel_AOI_2500.geojson"
    bounds = (470880, 7547500, 473400, 7550030)

    def pixels(path):
        into = made / f"{path.stem}.tif"
        gdal.Rasterize(
            str(into),
            str(path),
            outputBounds=bounds,
            xRes=5,
            yRes=5,
            burnValues=[1],
            outputType=gdal.GDT_Byte,
        )
        return QgsRasterLayer(str(into), path.stem)

    def polygons(path):
        return QgsVectorLayer(str(path), path.stem)

    drawn = sorted(folder.glob("annotator_*.shp"))[:6]
    return (
        [polygons(path) for path in drawn],
        [pixels(path) for path in drawn],
        polygons(area),
        pixels(area),
    )


def test_experts_rasterised_equal_their_polygons_counted_on_those_pixels(compare, experts):
    polygons, rasters, area, mask = experts
    drawn = compare(ANNOTATORS=polygons, EXTENT_LAYER=area, RESOLUTION=5)
    summary = summary_of(drawn)
    mixed = [*rasters[:2], *polygons[2:4], *rasters[4:]]
    for annotators, where in ((rasters, {"EXTENT_LAYER": area}), (mixed, {"EXTENT_RASTER": mask})):
        done = compare(ANNOTATORS=annotators, **where)
        assert summary_of(done)["value"].to_dict() == summary["value"].to_dict()
        for table in ("ANNOTATOR_TABLE", "RATIO"):
            np.testing.assert_array_equal(
                done.table(table).to_numpy()[:, 1:], drawn.table(table).to_numpy()[:, 1:]
            )
        assert f1_of(done) == f1_of(drawn)


def test_the_area_left_out_may_be_a_raster(compare, experts, tmp_path):
    polygons, rasters, area, _ = experts
    left_out = rasters[4]
    gone = compare(
        ANNOTATORS=polygons[4:5], EXTENT_LAYER=area, EXCLUDED_RASTER=left_out, RESOLUTION=5
    )
    drawn = compare(ANNOTATORS=polygons[4:5], EXTENT_LAYER=area, EXCLUDED=polygons[4], RESOLUTION=5)
    here = "Layer 'annotator_05' is selected as annotator"
    assert here in drawn.refused
    assert here not in gone.refused
    gone = compare(
        ANNOTATORS=[*polygons[:4]], EXTENT_LAYER=area, EXCLUDED_RASTER=left_out, RESOLUTION=5
    )
    drawn = compare(
        ANNOTATORS=[*polygons[:4]], EXTENT_LAYER=area, EXCLUDED=polygons[4], RESOLUTION=5
    )
    assert summary_of(gone)["value"].to_dict() == summary_of(drawn)["value"].to_dict()


def pairwise_f1(marks, looked):
    """F1 of each pair over the pixels at which both looked, pixel by pixel."""
    found = {}
    for first, second in combinations(marks, 2):
        both = looked[first] & looked[second]
        one, other = marks[first][both], marks[second][both]
        found[first, second] = 2 * (one & other).sum() / (one.sum() + other.sum())
    return found


def test_a_class_can_be_picked_and_no_data_is_a_missing_rating(compare, tmp_path):
    rng = np.random.default_rng(3)
    classes = {name: rng.integers(0, 4, (30, 40)) for name in ("ann", "ben", "cleo")}
    looked = {name: found != 3 for name, found in classes.items()}
    layers = [
        QgsRasterLayer(str(write_raster(tmp_path / f"{name}.tif", values, nodata=3)), name)
        for name, values in classes.items()
    ]
    for value, marks in (
        (0, {name: (found > 0) & (found < 3) for name, found in classes.items()}),
        (2, {name: found == 2 for name, found in classes.items()}),
    ):
        done = compare(ANNOTATORS=layers, MARK_VALUE=value)
        summary = summary_of(done)
        assert f1_of(done) == pytest.approx(pairwise_f1(marks, looked))
        assert "agreement.missing_ratings" in done.keys
        assert summary.loc["study_area", ["value", "unit"]].tolist() == [
            np.logical_or.reduce(list(looked.values())).sum(),
            "m²",
        ]


def test_rasters_of_unlike_extents_give_the_same_in_any_order(compare, tmp_path):
    rng = np.random.default_rng(11)
    whole = rng.random((40, 60)) < 0.3
    parts = {"a": slice(0, 40), "b": slice(10, 60), "c": slice(0, 60)}
    marks, looked, layers = {}, {}, {}
    for name, columns in parts.items():
        own = whole ^ (rng.random(whole.shape) < 0.1)
        looked[name] = np.zeros(whole.shape, dtype=bool)
        looked[name][:, columns] = True
        marks[name] = own & looked[name]
        west = WEST + columns.start
        path = write_raster(tmp_path / f"{name}.tif", own[:, columns], west=west)
        layers[name] = QgsRasterLayer(str(path), name)
    expected = pairwise_f1(marks, looked)
    values = []
    for order in permutations(parts):
        done = compare(ANNOTATORS=[layers[name] for name in order], BOOTSTRAP_SAMPLES=2)
        found = {tuple(sorted(pair)): value for pair, value in f1_of(done).items()}
        assert found == pytest.approx(expected)
        values.append(summary_of(done)["value"].to_dict())
    assert all(other == pytest.approx(values[0]) for other in values)


def test_no_data_beside_nothing_but_marks_is_no_mark_and_that_is_said(compare, tmp_path):
    rng = np.random.default_rng(12)
    marks = {name: rng.random((30, 40)) < 0.3 for name in ("ann", "ben")}
    layers = [
        QgsRasterLayer(str(write_raster(tmp_path / f"{name}.tif", m, nodata=0)), name)
        for name, m in marks.items()
    ]
    done = compare(ANNOTATORS=layers)
    assert f1_of(done) == pytest.approx(f1(marks))
    assert "marks.everything" in done.keys
    assert "agreement.missing_ratings" not in done.keys


def test_copies_with_overviews_tiles_or_as_vrt_give_the_same_numbers(compare, tmp_path):
    rng = np.random.default_rng(13)
    fine = np.kron(rng.random((40, 40)) < 0.3, np.ones((16, 16))) != (rng.random((640, 640)) < 0.2)
    coarse = rng.random((40, 40)) < 0.3
    reference = QgsRasterLayer(str(write_raster(tmp_path / "c.tif", coarse, 1.0)), "coarse")
    kind = {"kind": gdal.GDT_Byte}
    plain = write_raster(tmp_path / "plain.tif", fine, 0.0625, **kind)
    with_overviews = write_raster(tmp_path / "overviews.tif", fine, 0.0625, **kind)
    gdal.Open(str(with_overviews), gdal.GA_Update).BuildOverviews("AVERAGE", [2, 4, 8])
    cog, tiled, vrt = (tmp_path / name for name in ("cog.tif", "tiled.tif", "copy.vrt"))
    gdal.Translate(str(cog), str(plain), format="COG", creationOptions=["OVERVIEW_COUNT=3"])
    gdal.Translate(str(tiled), str(plain), creationOptions=["TILED=YES"])
    gdal.Translate(str(vrt), str(with_overviews), format="VRT")
    on_coarse = fine[8::16, 8::16]  # the pixels south-east of the centres
    expected = f1({"x": on_coarse, "coarse": coarse})["x", "coarse"]
    for path in (plain, with_overviews, cog, tiled, vrt):
        done = compare(ANNOTATORS=[QgsRasterLayer(str(path), "x"), reference])
        assert f1_of(done)["x", "coarse"] == pytest.approx(expected, abs=1e-12), path.name


def test_numbers_of_instances_keep_touching_crowns_apart(compare, tmp_path):
    numbers = np.kron(np.arange(1, 10).reshape(3, 3), np.ones((10, 10)))
    numbers = np.pad(numbers, 5)
    moved = np.where(np.roll(numbers, 1, axis=1) > 0, np.roll(numbers, 1, axis=1) + 100, 0)
    layers = [
        QgsRasterLayer(str(write_raster(tmp_path / f"{name}.tif", values)), name)
        for name, values in (("a", numbers), ("b", moved))
    ]
    columns = ["pq", "matched"]
    # By hand: a crown shares 9 of 11 columns with its partner.
    for values, expected in (("0", [9 / 11, 9]), ("1", [9 / 11, 9]), ("2", [29 / 31, 1])):
        done = compare(ANNOTATORS=layers, VALUES=int(values))
        assert done.table("ANNOTATOR_PAIRS").iloc[0][columns].tolist() == pytest.approx(expected)
        assert ("marks.ids" in done.keys) is (values == "0")


@pytest.mark.parametrize(
    ("kind", "void"),
    [
        (gdal.GDT_Byte, 255),
        (gdal.GDT_UInt16, 65535),
        (gdal.GDT_Int32, -1),
        (gdal.GDT_Int32, 255),
        (gdal.GDT_Float32, -9999),
    ],
)
def test_a_value_for_no_data_beside_ids_is_no_instance(compare, tmp_path, kind, void):
    ids = np.zeros((20, 40))
    ids[2:8, 2:8], ids[2:8, 12:18], ids[2:8, 22:28] = 1, 2, 3
    void_ids = ids.copy()
    void_ids[12:18, 2:38] = void
    layers = [
        QgsRasterLayer(str(write_raster(tmp_path / f"{name}.tif", values, kind=kind)), name)
        for name, values in (("a", ids), ("b", void_ids))
    ]
    done = compare(ANNOTATORS=layers)
    # By hand: three equal crowns each, and no further one of b.
    row = done.table("ANNOTATOR_PAIRS").iloc[0]
    assert row[["pq", "matched", "crowns_second"]].tolist() == [1.0, 3, 0]
    assert f1_of(done) == {("a", "b"): 1.0}
    assert shows(done.said("marks.undeclared_nodata"), "marks.undeclared_nodata", value=void)


def test_a_value_for_no_data_around_ids_is_background(compare, tmp_path):
    """-1 around the crowns, and no 0: all pixels with data are marked, so the others are not."""
    ids = np.full((20, 40), -1)
    ids[2:8, 2:8], ids[2:8, 12:18], ids[2:8, 22:28] = 1, 2, 3
    moved = np.roll(ids, 3, axis=1)
    layers = [
        QgsRasterLayer(
            str(write_raster(tmp_path / f"{name}.tif", values, kind=gdal.GDT_Int32)), name
        )
        for name, values in (("a", ids), ("b", moved))
    ]
    done = compare(ANNOTATORS=layers)
    # By hand: each crown shares 18 of its 36 m² with the other's.
    assert f1_of(done) == {("a", "b"): 0.5}
    assert {"marks.undeclared_nodata", "marks.everything"} <= set(done.keys)


@pytest.mark.parametrize(
    ("values", "parameters", "marked", "key"),
    [
        ([[0.1, 0.4], [0.5, 0.9]], {}, [[0, 0], [1, 1]], "marks.probabilities"),
        ([[0.1, 0.4], [0.5, 0.9]], {"VALUES": 3, "MARK_VALUE": 0.4}, [[0, 1], [1, 1]], ""),
        ([[0, 1], [1, 1]], {"VALUES": 4, "MARK_VALUE": 0}, [[1, 0], [0, 0]], ""),
        ([[0, 1], [1, 1]], {}, [[0, 1], [1, 1]], "marks.mostly"),
        ([[-1, 0.4], [0.5, 0.9]], {}, [[0, 0], [1, 1]], "marks.undeclared_nodata"),
        ([[255, 0.4], [0.5, 0.9]], {}, [[0, 0], [1, 1]], "marks.undeclared_nodata"),
        ([[-9999, -1], [1, 0]], {}, [[0, 0], [1, 0]], "marks.undeclared_range"),
        ([[255, 2], [1, 0]], {"VALUES": 4, "MARK_VALUE": 255}, [[1, 0], [0, 0]], ""),
        ([[255, 2], [1, 0]], {"VALUES": 4, "MARK_VALUE": 2}, [[0, 1], [0, 0]], ""),
        ([[-9999, 0], [0, 1]], {}, [[0, 0], [0, 1]], "marks.undeclared_nodata"),
        ([[-3.4028234663852886e38, 0], [0, 1]], {}, [[0, 0], [0, 1]], "marks.undeclared_nodata"),
        ([[-np.inf, 0], [0, 1]], {}, [[0, 0], [0, 1]], "marks.undeclared_nodata"),
        ([[np.inf, 0], [0, 1]], {}, [[0, 0], [0, 1]], "marks.undeclared_nodata"),
        ([[[0, 1], [1, 0]], [[1, 0], [0, 0]]], {"MARK_BAND": 2}, [[1, 0], [0, 0]], ""),
        (
            [[[255, 0], [0, 0]], [[0, 0], [255, 0]], [[0, 0], [0, 255]]],
            {"VALUES": 5, "MARK_COLOUR": "#00ff00"},
            [[0, 0], [1, 0]],
            "",
        ),
    ],
)
def test_what_is_taken_for_marked_can_be_chosen_and_is_said(
    compare, tmp_path, values, parameters, marked, key
):
    values = np.kron(np.asarray(values, dtype=float), np.ones((10, 10)))
    layer = QgsRasterLayer(str(write_raster(tmp_path / "a.tif", values)), "a")
    square = layer_of("b", [shapely.box(WEST, TOP - 20, WEST + 20, TOP)], crs="EPSG:32617")
    done = compare(ANNOTATORS=[layer, square], **parameters)
    table = done.table("ANNOTATOR_TABLE").set_index("annotator")
    assert table.loc["a", "marked"] == pytest.approx(100 * np.sum(marked))
    assert not key or key in done.keys


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"VALUES": 5, "MARK_COLOUR": "reddish"}, "'reddish' is no colour"),
        ({"MARK_BAND": 2}, "has no band 2"),
    ],
)
def test_a_band_or_colour_that_is_not_there_is_refused(compare, tmp_path, parameters, words):
    layer = QgsRasterLayer(str(write_raster(tmp_path / "a.tif", np.eye(9))), "a")
    done = compare(ANNOTATORS=[layer], **parameters)
    assert words in (done.refused or done.error)


def test_rasters_with_other_pixels_are_aligned_to_the_largest_and_that_is_said(compare, tmp_path):
    rng = np.random.default_rng(4)
    fine, coarse = rng.random((40, 60)) < 0.3, rng.random((20, 30)) < 0.3
    layers = [
        QgsRasterLayer(str(write_raster(tmp_path / "fine.tif", fine)), "fine"),
        QgsRasterLayer(str(write_raster(tmp_path / "coarse.tif", coarse, pixel=2.0)), "coarse"),
    ]
    on_coarse = {"fine": fine[1::2, 1::2], "coarse": coarse}
    expected = f1(on_coarse)["fine", "coarse"]
    for order in (layers, layers[::-1]):
        done = compare(ANNOTATORS=order)
        assert list(f1_of(done).values()) == pytest.approx([expected])
        assert shows(
            done.said("areas.pixels_aligned"),
            "areas.pixels_aligned",
            first="coarse",
            width=2.0,
            height=2.0,
            unit="m",
            others="fine",
        )
    assert "areas.pixels_aligned" not in compare(ANNOTATORS=layers[:1]).keys


def literal_values(values, geotransform):
    """Values of a turned raster at the centres of pixels of 1 m over its bounds; -1 outside."""
    left, a, b, top, c, d = geotransform
    n_rows, n_columns = values.shape
    corners = [
        (left + x * a + y * b, top + x * c + y * d) for x in (0, n_columns) for y in (0, n_rows)
    ]
    xs, ys = zip(*corners)
    determinant = a * d - b * c
    rows = []
    for row in range(int(np.ceil(max(ys) - min(ys) - 1e-6))):
        cells = []
        for column in range(int(np.ceil(max(xs) - min(xs) - 1e-6))):
            x, y = min(xs) + column + 0.5 - left, max(ys) - row - 0.5 - top
            across, down = (d * x - b * y) / determinant, (a * y - c * x) / determinant
            is_inside = 0 <= across < n_columns and 0 <= down < n_rows
            cells.append(int(values[int(down), int(across)]) if is_inside else -1)
        rows.append(cells)
    return np.array(rows)


@pytest.mark.parametrize("degrees", [10, 30, 200])
def test_turned_rasters_are_read_at_the_centres_of_pixels_along_the_map(compare, tmp_path, degrees):
    rng = np.random.default_rng(3)
    coarse = rng.random((8, 10)) < 0.4
    marks = {"a": np.kron(coarse, np.ones((5, 5))) > 0}
    marks["b"] = np.roll(marks["a"], 1, axis=1)
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    geotransform = (WEST, cosine, sine, TOP, sine, -cosine)
    layers = []
    for name, values in marks.items():
        path = write_raster(tmp_path / f"{name}.tif", values, kind=gdal.GDT_Byte)
        gdal.Open(str(path), gdal.GA_Update).SetGeoTransform(geotransform)
        layers.append(QgsRasterLayer(str(path), name))
    done = compare(ANNOTATORS=layers, BOOTSTRAP_SAMPLES=2)
    read = {name: literal_values(values, geotransform) for name, values in marks.items()}
    is_rated = read["a"] >= 0
    first, second = ((values == 1)[is_rated] for values in read.values())
    assert f1_of(done) == pytest.approx({("a", "b"): f1({"a": first, "b": second})["a", "b"]})
    # Krippendorff's alpha of two raters without missing ratings, by its definition.
    ones = int(first.sum() + second.sum())
    n = 2 * len(first)
    expected = 1 - np.count_nonzero(first != second) / len(first) * n * (n - 1) / (
        2 * ones * (n - ones)
    )
    assert summary_of(done).loc["krippendorff_alpha", "value"] == pytest.approx(expected)
    assert "areas.pixels_turned" in done.keys


def test_instances_of_rasters_are_those_of_their_outlines(compare, tmp_path):
    rng = np.random.default_rng(6)
    marks = {name: rng.random((24, 30)) < 0.35 for name in ("ann", "ben")}
    rasters = [
        QgsRasterLayer(str(write_raster(tmp_path / f"{name}.tif", m)), name)
        for name, m in marks.items()
    ]
    whole = compare(ANNOTATORS=rasters)
    both = compare(ANNOTATORS=[*rasters, layer_of("nobody", [], crs="EPSG:32617")])
    columns = ["pq", "matched", "crowns_first", "crowns_second", "splits", "merges"]
    first = (
        both.table("ANNOTATOR_PAIRS").set_index(["first", "second"]).loc[("ann", "ben"), columns]
    )
    assert whole.table("ANNOTATOR_PAIRS").iloc[0][columns].tolist() == pytest.approx(first.tolist())


def test_consensus_of_rasters_is_a_raster_and_polygons_on_those_pixels(
    algorithms, qgis_new_project, tmp_path
):
    case = image_case(7)
    layers, into = plain_rasters(tmp_path, case.annotators), tmp_path / "consensus.tif"
    half = 2 * sum(marks.astype(int) for marks in case.annotators.values()) >= len(case.annotators)
    given = {
        "ANNOTATORS": layers,
        "CONSENSUS_RASTER": str(into),
        "CONSENSUS": str(tmp_path / "c.gpkg"),
    }
    done = run_algorithm("consensus", given)
    assert done.ok, done.refused or done.error
    written = QgsRasterLayer(str(into), "consensus")
    np.testing.assert_array_equal(gdal.Open(str(into)).ReadAsArray(), half)
    assert written.extent() == layers[0].extent()
    assert not written.crs().isValid()
    polygons = QgsVectorLayer(str(tmp_path / "c.gpkg"), "consensus")
    pixels = gdal.GetDriverByName("MEM").Create("", half.shape[1], half.shape[0], 1)
    pixels.SetGeoTransform((0, 1, 0, 0, 0, -1))  # where QGIS shows an image without a georeference
    opened = ogr.Open(str(tmp_path / "c.gpkg"))
    gdal.RasterizeLayer(pixels, [1], opened.GetLayer(0), burn_values=[1])
    np.testing.assert_array_equal(pixels.ReadAsArray(), half)
    CONSENSUS.style_layer(polygons, done.results, mark=False)  # as it is loaded
    assert polygons.fields().field("area").alias() == "Area (px²)"
    assert done.results["MARKED"] == half.sum()
    # Both are inputs again: the raster as it is, the polygons drawn on the image.
    again = run_algorithm("compareannotators", {"ANNOTATORS": [written, polygons]}, outputs=OUTPUTS)
    assert f1_of(again) == {("consensus", "consensus (2)"): 1.0}


def test_lsml_needs_no_pixel_size_where_rasters_have_pixels(algorithms, qgis_new_project, tmp_path):
    layers = plain_rasters(tmp_path, image_case(8).annotators)
    done = run_algorithm("consensus", {"ANNOTATORS": layers, "METHOD": 8}, outputs=("CONSENSUS",))
    assert done.ok
    assert done.results["MARKED"] > 0


def test_no_length_in_metres_can_be_asked_for_in_pixels(compare, tmp_path):
    layers = plain_rasters(tmp_path, image_case(5).annotators)
    for name in ("RESOLUTION", "BLOCK_SIDE", "MIN_AREA"):
        assert shows(compare(ANNOTATORS=layers, **{name: 2}).refused, "crs.length_in_pixels")


def test_pixels_and_places_on_earth_are_not_compared(compare, tmp_path):
    (plain,) = plain_rasters(tmp_path, {"plain": np.eye(20, dtype=bool)})
    placed = QgsRasterLayer(str(write_raster(tmp_path / "placed.tif", np.eye(20))), "placed")
    drawn = layer_of(
        "drawn", [f"POLYGON(({EAST} {NORTH},{EAST} {NORTH + 9},{EAST + 9} {NORTH},{EAST} {NORTH}))"]
    )
    for others in ([placed], [drawn], [placed, drawn]):
        for layers in ([plain, *others], [*others, plain]):
            done = compare(ANNOTATORS=layers)
            assert not done.ok
            told = done.refused or done.error
            assert shows(told, "crs.missing", name="plain") or shows(told, "crs.mixed_with_pixels")


def test_polygons_drawn_on_an_image_without_a_georeference_lie_on_its_pixels(compare, tmp_path):
    """Accept layers without a CRS, in memory and in a GeoPackage, only if there is an image."""
    marks = np.zeros((20, 30), dtype=bool)
    marks[4:9, 10:16] = True
    raster = plain_raster(tmp_path / "raster.tif", marks)
    drawn = layer_of("drawn", ["POLYGON((10 -4, 16 -4, 16 -9, 10 -9, 10 -4))"], crs="")
    done = compare(ANNOTATORS=[raster, drawn])
    assert f1_of(done) == {("raster", "drawn"): 1.0}
    alone = compare(ANNOTATORS=[drawn])
    assert shows(alone.refused, "crs.pixel_coordinates", name="drawn")
    on_image = compare(ANNOTATORS=[drawn], IMAGE=raster, outputs=(*OUTPUTS, "IMAGE_TABLE"))
    assert summary_of(on_image).loc["marked_by_any", ["value", "unit"]].tolist() == [30, "px²"]


def test_polygons_that_pixels_miss_are_told_in_px(compare, tmp_path):
    raster = plain_raster(tmp_path / "raster.tif", np.eye(20, dtype=bool))
    thin = layer_of("thin", ["POLYGON((2 -2.1, 12 -2.1, 12 -2.4, 2 -2.4, 2 -2.1))"], crs="")
    told = compare(ANNOTATORS=[raster, thin]).said("votes.off")
    assert told.startswith("thin: 0.0 px² were counted in pixels of 1 px, but 3.0 px² were drawn")


@pytest.mark.parametrize("algorithm", ["compareannotators", "consensus"])
def test_larger_pixels_are_used_before_a_raster_of_too_many_is_refused(
    algorithms, qgis_new_project, tmp_path, algorithm
):
    side = 23_000  # 529 million pixels, of which the file stores a few only
    layers = []
    for name, columns in (("a", 4000), ("b", 5000)):
        path = tmp_path / f"{name}.tif"
        options = ["SPARSE_OK=TRUE", "TILED=YES"]
        made = gdal.GetDriverByName("GTiff").Create(str(path), side, side, 1, options=options)
        made.SetGeoTransform((WEST, 0.01, 0, TOP, 0, -0.01))
        made.SetProjection(layer_of("x", [], crs="EPSG:32617").crs().toWkt())
        made.GetRasterBand(1).WriteArray(np.ones((1000, columns), np.uint8), 3000, 3000)
        del made
        layers.append(QgsRasterLayer(str(path), name))
    outputs = ("ANNOTATOR_PAIRS", "CONSENSUS")
    done = run_algorithm(algorithm, {"ANNOTATORS": layers, "RESOLUTION": 0.5}, outputs=outputs)
    assert done.ok, done.refused or done.error
    if algorithm == "compareannotators":
        # By hand: 40 and 50 m² of 10 m rows, the first within the second.
        assert f1_of(done) == pytest.approx({("a", "b"): 2 * 400 / (400 + 500)})
    else:
        assert done.results["MARKED"] == pytest.approx(500.0)
