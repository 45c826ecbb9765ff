"""randcrowns:exportcrowns: what is exported is imported as it was, and other programs read it."""

from __future__ import annotations

import contextlib
import io
import json
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import shapely
from osgeo import gdal, ogr
from qgis.core import QgsFeature, QgsField, QgsGeometry, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtCore import QVariant
from support.data import real_data
from support.errors import find_message
from support.layers import layer_of, save
from support.shown import shows

from randcrowns.algorithms.exchange.schema.parameters import EXPORT_FORMAT, LAYER_FORMAT
from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.average_precision import coco_metrics
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.layers.files.export import LAYER_FORMATS, has_driver

OUTPUTS = ("CROWNS", "POINTS", "IGNORED", "SUMMARY")
KEYS = {key: place for place, key in enumerate(EXPORT_FORMAT.keys)}


def make_image(path: Path, left=500000.0, size=(400, 300)) -> Path:
    made = gdal.GetDriverByName("GTiff").Create(str(path), *size, 1, gdal.GDT_Byte)
    made.SetGeoTransform((left, 0.1, 0.0, 4100000.0, 0.0, -0.1))
    made.SetProjection(_utm())
    made.FlushCache()
    return path


def _utm() -> str:
    from osgeo import osr

    system = osr.SpatialReference()
    system.ImportFromEPSG(32611)
    return system.ExportToWkt()


def layer_with(name, shapes, scores=None, labels=None, crs="EPSG:32611") -> QgsVectorLayer:
    layer = QgsVectorLayer(
        f"MultiPolygon?crs={crs}&field=label:string&field=score:double", name, "memory"
    )
    features = []
    for place, shape in enumerate(shapes):
        feature = QgsFeature(layer.fields())
        feature.setAttributes(
            [labels[place] if labels else "Tree", None if scores is None else float(scores[place])]
        )
        feature.setGeometry(QgsGeometry.fromWkt(shape.wkt))
        features.append(feature)
    layer.dataProvider().addFeatures(features)
    return layer


def boxes(seed, n, left=500000.0, side=25.0):
    rng = np.random.default_rng(seed)
    corner = rng.uniform(0.5, side - 6, (n, 2))
    size = rng.uniform(1, 5, (n, 2))
    low = corner + np.array([left, 4099972.0])
    return shapely.box(*low.T, *(low + size).T)


def shapes_of(layer) -> np.ndarray:
    return shapely.from_wkb([bytes(feature.geometry().asWkb()) for feature in layer.getFeatures()])


@pytest.fixture
def bring_out(run, tmp_path):
    def export_crowns(key, **parameters):
        folder = tmp_path / "out" / key
        return run(
            "exportcrowns", {"FORMAT": KEYS[key], "FOLDER": str(folder), **parameters}
        ), folder

    return export_crowns


@pytest.fixture
def bring_in(run):
    return lambda path, **given: run("importcrowns", {"INPUT": str(path), **given}, outputs=OUTPUTS)


@pytest.mark.parametrize("key", ["coco", "deepforest", "voc", "yolo", "geojson", "gpkg", "parquet"])
def test_export_then_import_is_the_identity(bring_out, bring_in, tmp_path, key):
    if key in LAYER_FORMATS and not has_driver(LAYER_FORMATS[key]):
        targets = layer_with("targets", boxes(1, 3))
        assert LAYER_FORMATS[key].driver in bring_out(key, TARGETS=targets)[0].refused
        return
    images = [
        QgsRasterLayer(str(make_image(tmp_path / f"{n}.tif", 500000.0 + 40 * n)), f"{n}")
        for n in range(2)
    ]
    QgsProject.instance().addMapLayers(images)
    polygons = list(boxes(1, 9)) + list(boxes(2, 8, 500040.0))
    if key != "voc":
        polygons[0] = polygons[0].buffer(0.7)
    if key not in ("voc", "yolo"):
        polygons[1] = shapely.MultiPolygon(
            [polygons[1], shapely.box(500030, 4099990, 500031, 4099991.5)]
        )
    labels = ["Tree"] * 16 + ['Dead & "gone", <b>']
    targets = layer_with("field", polygons, labels=labels)
    scores = np.linspace(0.9, 0.1, 11)
    predictions = layer_with("boxes", list(boxes(3, 6)) + list(boxes(4, 5, 500040.0)), scores)
    ran, folder = bring_out(key, TARGETS=targets, PREDICTIONS=predictions, IMAGE=images)
    assert ran.ok, ran.refused or ran.error
    assert ran.results["EXPORTED"] == 28
    files = sorted(path.name for path in folder.rglob("*") if path.is_file())
    assert files
    # Results and their truth are never imported into one layer.
    paths = {
        "coco": [folder / "ground_truth.json", folder / "results.json"],
        "gpkg": [f"{folder / 'crowns.gpkg'}|layername={n}" for n in ("targets", "predictions")],
    }.get(key, [folder])
    backs = [bring_in(path, IMAGES=str(tmp_path)) for path in paths]
    for back in backs:
        assert back.ok, back.refused or back.error
    layer = backs[0].layer("CROWNS")
    tables = [back.table("CROWNS").astype({"score": float}) for back in backs]
    table = pd.concat(tables, ignore_index=True)
    there = np.concatenate([shapes_of(back.layer("CROWNS")) for back in backs])
    if key == "geojson":
        from randcrowns.layers.crs import create_transform, transform_coordinates

        there_and_back = create_transform(layer.crs(), targets.crs())
        there = shapely.transform(there, lambda xy: transform_coordinates(xy, there_and_back))
    else:
        assert layer.crs().authid() == "EPSG:32611"
    own = np.concatenate([shapes_of(targets), shapes_of(predictions)])
    assert len(there) == len(own)
    tree = shapely.STRtree(shapely.centroid(there))
    pixel = 0.1
    matched = tree.nearest(shapely.centroid(own))
    assert sorted(matched) == list(range(len(own)))
    assert shapely.hausdorff_distance(there[matched], own).max() < 1e-6 * pixel * (
        50 if key == "geojson" else 1
    )
    assert shapely.area(shapely.symmetric_difference(there[matched], own)).max() < 1e-5
    assert table["label"].to_numpy()[matched[:17]].tolist() == labels
    assert table["score"].to_numpy(dtype=float)[matched[17:]] == pytest.approx(
        scores, abs=1e-15 if key == "geojson" else 0
    )
    assert np.isnan(table["score"].to_numpy(dtype=float)[matched[:17]]).all()


def test_pycocotools_on_the_export_gives_our_average_precision(bring_out, tmp_path):
    images = [
        QgsRasterLayer(str(make_image(tmp_path / f"{n}.tif", 500000.0 + 40 * n)), f"{n}")
        for n in range(3)
    ]
    QgsProject.instance().addMapLayers(images)
    truth = [boxes(seed, 40, 500000.0 + 40 * seed) for seed in range(3)]
    rng = np.random.default_rng(7)
    found = [
        shapely.transform(
            np.concatenate([part, part[:20]]),
            lambda xy: xy + np.tile(rng.normal(0, 0.35, 2), (len(xy), 1)),
        )
        for part in truth
    ]
    found = [
        shapely.box(
            *(shapely.bounds(part) + rng.normal(0, 0.3, (len(part), 4)) * [1, 1, 0.5, 0.5]).T
        )
        for part in found
    ]
    scores = np.round(rng.uniform(size=180), 2)
    ran, folder = bring_out(
        "coco",
        TARGETS=layer_with("field", np.concatenate(truth)),
        PREDICTIONS=layer_with("boxes", np.concatenate(found), scores),
        IMAGE=images,
    )
    assert ran.ok, ran.refused or ran.error
    plots = np.repeat(range(3), 40), np.repeat(range(3), 60)
    sides = (
        Crowns(np.concatenate(truth), plots=plots[0]),
        Crowns(np.concatenate(found), plots=plots[1]),
    )
    ours = coco_metrics(polygon_overlap(*sides), scores, plots=plots)
    expected = evaluated(folder)
    assert 0.1 < expected[0] < 0.9
    found_metrics = [ours.ap, ours.ap50, ours.ap75, ours.ar_1, ours.ar_10, ours.ar_100]
    assert found_metrics == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("several", [True, False])
def test_classes_are_categories_in_which_pycocotools_matches_crowns(bring_out, tmp_path, several):
    image = QgsRasterLayer(str(make_image(tmp_path / "a.tif")), "a")
    QgsProject.instance().addMapLayer(image)
    truth, labels = boxes(1, 30), ["oak", "ash", "elm"] * 10
    low, high = np.hsplit(shapely.bounds(truth), 2)
    found = shapely.box(*(low + 0.1).T, *(high + 0.1).T)
    found_labels = ["oak", "ash", "ash"] * 10 if several else ["Tree"] * 30
    scores = np.linspace(0.99, 0.01, 30)
    ran, folder = bring_out(
        "coco",
        TARGETS=layer_with("field", truth, labels=labels),
        PREDICTIONS=layer_with("boxes", found, scores, found_labels),
        IMAGE=[image],
    )
    assert ran.ok, ran.refused or ran.error
    names = ["ash", "elm", "oak"] if several else ["Tree"]
    held = json.loads((folder / "ground_truth.json").read_text(encoding="utf-8"))
    assert [one["name"] for one in held["categories"]] == names
    assert shows(ran.said("export.categories"), "export.categories", count=3) == several
    # Without classes, the average precision is that of one class for all crowns.
    ours = coco_metrics(polygon_overlap(Crowns(truth), Crowns(found)), scores)
    assert evaluated(folder, use_categories=False)[0] == pytest.approx(ours.ap, abs=1e-12)
    if not several:
        assert evaluated(folder)[0] == pytest.approx(ours.ap, abs=1e-12)
        return
    # With classes, it is the mean over those with targets, each by itself; that of elm is 0.
    labels_of, found_labels_of = np.array(labels), np.array(found_labels)
    by_class = []
    for name in names:
        is_own, is_found = labels_of == name, found_labels_of == name
        if not is_found.any():
            by_class.append(0.0)
            continue
        overlap = polygon_overlap(Crowns(truth[is_own]), Crowns(found[is_found]))
        by_class.append(coco_metrics(overlap, scores[is_found]).ap)
    assert evaluated(folder)[0] == pytest.approx(np.mean(by_class), abs=1e-12)


@pytest.mark.parametrize("key", ["coco", "deepforest", "voc", "yolo"])
@pytest.mark.parametrize("chosen", [{}, {"CLASS_FIELD": "health"}], ids=["species", "chosen"])
def test_a_field_with_species_becomes_the_label(bring_out, bring_in, tmp_path, key, chosen):
    image = QgsRasterLayer(str(make_image(tmp_path / "a.tif")), "a")
    QgsProject.instance().addMapLayer(image)
    layers = {
        role: layer_of(
            name,
            boxes(seed, 2),
            crs="EPSG:32611",
            fields="&field=name:string&field=species:string&field=health:string&field=score:double",
            rows=[["tree 1", "oak", "alive", 0.9], ["tree 2", "ash", "dead", 0.8]],
        )
        for role, name, seed in (("TARGETS", "trees", 1), ("PREDICTIONS", "found", 2))
    }
    ran, folder = bring_out(key, IMAGE=[image], **layers, **chosen)
    assert ran.ok, ran.refused or ran.error
    expected = ["alive", "dead"] if chosen else ["ash", "oak"]
    if key == "coco":
        held = json.loads((folder / "ground_truth.json").read_text(encoding="utf-8"))
        assert [one["name"] for one in held["categories"]] == expected
        return
    back = bring_in(folder, IMAGES=str(tmp_path))
    assert back.ok, back.refused or back.error
    assert sorted(back.table("CROWNS")["label"]) == sorted(expected * 2)


def evaluated(folder: Path, use_categories: bool = True) -> list[float]:
    """AP, AP50, AP75, AR1, AR10 and AR100 that pycocotools gives for exported boxes."""
    coco = pytest.importorskip("pycocotools.coco")
    evaluation = pytest.importorskip("pycocotools.cocoeval")
    with contextlib.redirect_stdout(io.StringIO()):
        ground = coco.COCO(str(folder / "ground_truth.json"))
        judged = evaluation.COCOeval(ground, ground.loadRes(str(folder / "results.json")), "bbox")
        judged.params.useCats = int(use_categories)
        judged.evaluate()
        judged.accumulate()
        judged.summarize()
    return [judged.stats[place] for place in (0, 1, 2, 6, 7, 8)]


@pytest.mark.parametrize("pixel", [0.05, 0.07, 0.1, 0.2])
def test_imported_coco_has_the_average_precision_of_pycocotools(run, tmp_path, pixel):
    # Boxes of few sizes, moved by whole pixels: many IoU lie exactly at a threshold.
    random = np.random.default_rng(round(1000 * pixel))
    n = 60
    columns, rows = np.divmod(np.arange(n), 10)
    truth = np.stack([30 * columns + 5, 30 * rows + 5, *random.choice([10, 12, 20], (2, n))], 1)
    found = np.concatenate([truth, truth, truth])
    found[:, :2] += random.integers(-4, 5, (3 * n, 2)) * random.integers(0, 2, (3 * n, 2))
    found[:, 2:] = random.choice([10, 12, 20], (3 * n, 2))
    scores = random.permutation(3 * n) / (3 * n)
    image = {"id": 1, "file_name": "plot.tif", "width": 300, "height": 400}
    annotations = [
        {"id": k + 1, "image_id": 1, "category_id": 1, "iscrowd": 0}
        | {"bbox": box, "area": box[2] * box[3]}
        for k, box in enumerate(truth.tolist())
    ]
    categories = [{"id": 1, "name": "Tree"}]
    ground_truth = {"images": [image], "annotations": annotations, "categories": categories}
    results = [
        {"image_id": 1, "category_id": 1, "bbox": box, "score": score}
        for box, score in zip(found.tolist(), scores.tolist())
    ]
    (tmp_path / "ground_truth.json").write_text(json.dumps(ground_truth))
    (tmp_path / "results.json").write_text(json.dumps(results))
    raster = gdal.GetDriverByName("GTiff").Create(
        str(tmp_path / "plot.tif"), 300, 400, 1, gdal.GDT_Byte
    )
    raster.SetGeoTransform((654321.35, pixel, 0.0, 7654321.15, 0.0, -pixel))
    raster.SetProjection(_utm())
    raster.FlushCache()

    outputs = ("CROWNS",)
    targets = run("importcrowns", {"INPUT": str(tmp_path / "ground_truth.json")}, outputs=outputs)
    given = {
        "INPUT": str(tmp_path / "results.json"),
        "IMAGES_OF": str(tmp_path / "ground_truth.json"),
    }
    predictions = run("importcrowns", given, outputs=outputs)
    for done in (targets, predictions):
        assert done.ok, done.refused or done.error
    given = {
        "TARGETS": targets.layer("CROWNS"),
        "PREDICTIONS": predictions.layer("CROWNS"),
        "SCORE_FIELD": "score",
    }
    done = run("evaluateinstances", given, outputs=("SUMMARY",))
    assert done.ok, done.refused or done.error
    summary = done.table("SUMMARY").iloc[0]
    names = ["ap", "ap50", "ap75", "ar_1", "ar_10", "ar_100"]
    assert summary[names].astype(float).tolist() == pytest.approx(evaluated(tmp_path), abs=1e-12)


def plots_layer(name, shapes, plots, scores=None):
    layer = layer_with(name, shapes, scores)
    layer.dataProvider().addAttributes([QgsField("plot", QVariant.String)])
    layer.updateFields()
    place = layer.fields().lookupField("plot")
    for feature, plot in zip(list(layer.getFeatures()), plots):
        layer.dataProvider().changeAttributeValues({feature.id(): {place: str(plot)}})
    return layer


@pytest.fixture
def plots_with_crowds(tmp_path, qgis_new_project):
    """Three plots on two images, detections, areas to ignore; one plot is no file name."""
    images = [
        QgsRasterLayer(
            str(make_image(tmp_path / f"{n}.tif", 500000.0 + 60 * n, (600, 300))), f"{n}"
        )
        for n in (0, 1)
    ]
    QgsProject.instance().addMapLayers(images)
    at = {"a": 500000.0, "b/..*": 500025.0, "c": 500060.0}
    plots, rng = np.repeat(list(at), 30), np.random.default_rng(3)
    truth = np.concatenate([boxes(place, 30, left) for place, left in enumerate(at.values())])
    found = shapely.box(*(shapely.bounds(truth) + rng.normal(0, 0.3, (90, 4))).T)
    crowds = shapely.box([500003, 500028, 500066], 4099976, [500012, 500036, 500075], 4099986)
    kept = ~shapely.intersects(truth, shapely.union_all(crowds))
    scores = np.round(rng.uniform(size=90), 2)
    return (
        {
            "TARGETS": plots_layer("field", truth[kept], plots[kept]),
            "PREDICTIONS": plots_layer("boxes", found, plots, scores),
            "IGNORED": layer_with("crowds", crowds),
        },
        images,
    )


@pytest.mark.parametrize("named", [True, False])
def test_pycocotools_gives_our_average_precision_with_ignored_areas_on_images_cut_by_plot(
    run, bring_out, plots_with_crowds, named
):
    layers, images = plots_with_crowds
    if not named:  # predictions without plots, nowhere near another plot's targets
        layers["PREDICTIONS"].dataProvider().deleteAttributes(
            [layers["PREDICTIONS"].fields().lookupField("plot")]
        )
        layers["PREDICTIONS"].updateFields()
    ran, folder = bring_out(
        "coco", **layers, IMAGE=images, CUT_OUT_IMAGES=True, PLOT_FIELD="plot", MARGIN=10
    )
    assert ran.ok, ran.refused or ran.error
    expected = evaluated(folder)
    done = run(
        "evaluateinstances",
        {**layers, "PLOT_FIELD": "plot"},
        outputs=("MATCHED_TARGETS", "SUMMARY"),
    )
    assert done.ok, done.error
    found = [done.results[name] for name in ("AP", "AP50", "AP75", "AR_1", "AR_10", "AR_100")]
    assert 0.1 < expected[0] < 0.9
    assert found == pytest.approx(expected, abs=1e-12)
    without = run(
        "evaluateinstances",
        {**layers, "IGNORED": None, "PLOT_FIELD": "plot"},
        outputs=("MATCHED_TARGETS",),
    )
    assert found[0] > without.results["AP"] + 0.02
    if named:
        given = {
            "DETECTORS": [layers["PREDICTIONS"]],
            "ANNOTATORS": [layers["TARGETS"]],
            "IGNORED": layers["IGNORED"],
        }
        ranked = run(
            "rankdetectors",
            {**given, "PLOT_FIELD": "plot", "COUNTED_UNITS": 2, "BOOTSTRAP_SAMPLES": 0},
            outputs=("AUCR", "COCO"),
        )
        assert ranked.ok, ranked.refused or ranked.error
        row = ranked.table("COCO").iloc[0]
        names = ("ap", "ap50", "ap75", "ar_1", "ar_10", "ar_100")
        assert [row[name] for name in names] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("cut", [False, True])
def test_pycocotools_gives_our_average_precision_of_equal_scores_in_any_order_of_images(
    run, bring_out, tmp_path, cut
):
    names = ["c", "a", "b"]
    images = [
        QgsRasterLayer(str(make_image(tmp_path / f"{n}.tif", 5e5 + 40 * i)), n)
        for i, n in enumerate(names)
    ]
    QgsProject.instance().addMapLayers(images)
    truth = np.concatenate([boxes(place, 30, 500000.0 + 40 * place) for place in range(3)])
    spread = (
        np.random.default_rng(3).normal(0, 1, (90, 4)) * np.repeat([0.05, 0.3, 0.6], 30)[:, None]
    )
    found = shapely.box(*(shapely.bounds(truth) + spread).T)
    plots = np.repeat(["c.tif", "a.tif", "b.tif"] if not cut else ["y", "z", "x"], 30)
    layers = {
        "TARGETS": plots_layer("field", truth, plots),
        "PREDICTIONS": plots_layer("boxes", found, plots, np.repeat(0.5, 90)),
        "PLOT_FIELD": "plot",
    }
    ran, folder = bring_out("coco", **layers, IMAGE=images, CUT_OUT_IMAGES=cut)
    assert ran.ok, ran.refused or ran.error
    done = run("evaluateinstances", layers, outputs=("MATCHED_TARGETS",))
    assert done.ok, done.refused or done.error
    ours = [done.results[name] for name in ("AP", "AP50", "AP75", "AR_1", "AR_10", "AR_100")]
    assert ours == pytest.approx(evaluated(folder), abs=1e-12)


@pytest.mark.parametrize("key", ["coco", "deepforest", "voc", "yolo"])
def test_images_are_cut_out_and_crowns_come_back_with_them(
    bring_out, bring_in, plots_with_crowds, key
):
    layers, images = plots_with_crowds
    ran, folder = bring_out(key, **layers, IMAGE=images, CUT_OUT_IMAGES=True, PLOT_FIELD="plot")
    assert ran.ok, ran.refused or ran.error
    assert sorted(path.name for path in (folder / "images").iterdir()) == [
        "0_a.tif",
        "0_b.tif",
        "1_c.tif",
    ]
    # The images beside the files are found.
    paths = [folder / "ground_truth.json", folder / "results.json"] if key == "coco" else [folder]
    backs = [bring_in(path) for path in paths]
    for back in backs:
        assert back.ok, back.refused or back.error
    own = np.concatenate([shapes_of(layers["TARGETS"]), shapes_of(layers["PREDICTIONS"])])
    there = np.concatenate([shapes_of(back.layer("CROWNS")) for back in backs])
    assert len(there) == len(own)
    nearest = shapely.STRtree(shapely.centroid(there)).nearest(shapely.centroid(own))
    assert shapely.hausdorff_distance(there[nearest], own).max() < 1e-7
    assert backs[0].layer("CROWNS").crs().authid() == "EPSG:32611"
    if key == "coco":
        areas = shapes_of(backs[0].layer("IGNORED"))
        assert (
            shapely.union_all(areas)
            .symmetric_difference(shapely.union_all(shapes_of(layers["IGNORED"])))
            .area
            < 1e-6
        )
    else:
        assert shows(ran.said("export.no_ignored"), "export.no_ignored")


def test_a_cut_image_holds_the_same_pixels_where_they_lay(bring_out, tmp_path, qgis_new_project):
    folder = real_data("neon")
    image = QgsRasterLayer(str(folder / "SJER_052.tif"), "SJER_052")
    QgsProject.instance().addMapLayer(image)
    middle = image.extent().center()
    crown = shapely.box(middle.x(), middle.y(), middle.x() + 3.05, middle.y() + 2.12)
    targets = layer_with("field", [crown], crs=image.crs().authid())
    ran, out = bring_out("coco", TARGETS=targets, IMAGE=[image], CUT_OUT_IMAGES=True, MARGIN=7)
    assert ran.ok, ran.refused or ran.error
    whole, cut = (
        gdal.Open(str(folder / "SJER_052.tif")),
        gdal.Open(str(out / "images" / "SJER_052_cut.tif")),
    )
    place, part = whole.GetGeoTransform(), cut.GetGeoTransform()
    left, top = round((part[0] - place[0]) / place[1]), round((part[3] - place[3]) / place[5])
    assert part[0] == pytest.approx(place[0] + left * place[1], abs=1e-9)
    same = whole.ReadAsArray(left, top, cut.RasterXSize, cut.RasterYSize)
    assert np.array_equal(cut.ReadAsArray(), same)
    assert cut.RasterCount == whole.RasterCount
    assert (cut.RasterXSize, cut.RasterYSize) < (60, 60)
    held = json.loads((out / "ground_truth.json").read_text())
    assert held["images"][0] == {
        "id": 1,
        "file_name": "images/SJER_052_cut.tif",
        "width": cut.RasterXSize,
        "height": cut.RasterYSize,
    }
    x, _, width, _ = held["annotations"][0]["bbox"]
    assert 7 <= x < 8 + 1e-9
    assert x + width == pytest.approx(cut.RasterXSize - 7, abs=1)


def test_an_image_without_a_georeference_is_cut_so_that_crowns_lie_on_it(
    bring_out, bring_in, tmp_path, qgis_new_project
):
    path = tmp_path / "photo.png"
    made = gdal.GetDriverByName("MEM").Create("", 200, 100, 1, gdal.GDT_Byte)
    made.GetRasterBand(1).WriteArray(np.arange(20000, dtype=np.uint8).reshape(100, 200))
    gdal.GetDriverByName("PNG").CreateCopy(str(path), made)
    image = QgsRasterLayer(str(path), "photo")
    QgsProject.instance().addMapLayer(image)
    targets = layer_with("drawn", [shapely.box(60, -70, 90, -40)], crs="")
    ran, folder = bring_out(
        "deepforest", TARGETS=targets, IMAGE=[image], CUT_OUT_IMAGES=True, MARGIN=5
    )
    assert ran.ok, ran.refused or ran.error
    cut = gdal.Open(str(folder / "images" / "photo_cut.tif"))
    assert np.array_equal(cut.ReadAsArray(), made.ReadAsArray(55, 35, 40, 40))
    back = bring_in(folder)
    assert shapely.bounds(shapes_of(back.layer("CROWNS")))[0] == pytest.approx([60, -70, 90, -40])


def test_crowns_without_a_coordinate_system_are_written_where_none_is_needed(bring_out, tmp_path):
    targets = layer_with("drawn", [shapely.box(60, -70, 90, -40)], crs="")
    ran, folder = bring_out("gpkg", TARGETS=targets)
    assert ran.ok, ran.refused or ran.error
    (shape,) = shapes_of(
        QgsVectorLayer(f"{folder / 'crowns.gpkg'}|layername=targets", "again", "ogr")
    )
    assert shape.bounds == (60, -70, 90, -40)
    gdal.GetDriverByName("GTiff").Create(
        str(tmp_path / "bare.tif"), 100, 80, 1, gdal.GDT_Byte
    ).FlushCache()
    bare = QgsRasterLayer(str(tmp_path / "bare.tif"), "bare")
    QgsProject.instance().addMapLayer(bare)
    for images in ([], [bare]):
        assert shows(
            bring_out("geojson", TARGETS=targets, IMAGE=images)[0].refused, "export.no_crs"
        )


@pytest.mark.parametrize(
    ("crs", "box", "key"),
    [
        ("", (60, -70, 90, -40), "export.no_images"),  # pixels: the images are missing
        ("", (5e6, 5e6, 6e6, 6e6), "crs.missing"),  # too far away for pixels
        ("EPSG:32611", (60, -70, 90, -40), "export.no_images"),
    ],
)
def test_the_system_is_checked_before_missing_images_but_for_pixels(bring_out, crs, box, key):
    targets = layer_with("drawn", [shapely.box(*box)], crs=crs)
    assert shows(bring_out("coco", TARGETS=targets)[0].refused, key)


def test_what_cannot_be_cut_or_told_apart_is_refused(bring_out, tmp_path, qgis_new_project):
    (tmp_path / "b").mkdir()
    images = [
        QgsRasterLayer(str(make_image(at / "a.tif")), "a") for at in (tmp_path, tmp_path / "b")
    ]
    QgsProject.instance().addMapLayers(images)
    targets = layer_with("field", boxes(1, 4))
    assert shows(
        bring_out("coco", TARGETS=targets, IMAGE=images)[0].error,
        "export.repeated_image_name",
        name="a.tif",
    )
    assert shows(
        bring_out("gpkg", TARGETS=targets, IMAGE=images[:1], CUT_OUT_IMAGES=True)[0].refused,
        "export.images_not_named",
    )
    assert shows(
        bring_out("coco", TARGETS=targets, IMAGE=images[:1], PLOT_FIELD="plot")[0].refused,
        "targets.no_field",
        field="plot",
    )


def test_an_outline_with_a_hole_comes_back_to_the_pixel(bring_out, bring_in, tmp_path):
    image = QgsRasterLayer(str(make_image(tmp_path / "a.tif")), "a")
    QgsProject.instance().addMapLayer(image)
    ring = shapely.box(500001, 4099980, 500009, 4099990).difference(
        shapely.box(500003, 4099983, 500006, 4099986)
    )
    ran, folder = bring_out("coco", TARGETS=layer_with("ring", [ring]), IMAGE=[image])
    assert ran.ok, ran.error
    assert shows(ran.said("export.no_boxes"), "export.no_boxes")
    again = bring_in(folder, IMAGES=str(tmp_path))
    back = shapes_of(again.layer("CROWNS"))[0]
    assert back.symmetric_difference(ring).area < 1e-6


def test_a_geopackage_opens_styled_and_tables_hold_the_attributes(bring_out):
    targets, predictions = (
        layer_with("field", boxes(1, 4)),
        layer_with("boxes", boxes(2, 5), np.linspace(0, 1, 5)),
    )
    targets.renderer().symbol().setColor(_red())
    ran, folder = bring_out("gpkg", TARGETS=targets, PREDICTIONS=predictions)
    assert ran.ok, ran.error
    for name, count in (("targets", 4), ("predictions", 5)):
        assert (
            QgsVectorLayer(f"{folder / 'crowns.gpkg'}|layername={name}", name, "ogr").featureCount()
            == count
        )
    opened = QgsVectorLayer(f"{folder / 'crowns.gpkg'}|layername=targets", "targets", "ogr")
    opened.loadDefaultStyle()
    assert opened.renderer().symbol().color().name() == "#ff0000"
    for key, name in (("csv", "predictions.csv"), ("xlsx", "crowns.xlsx")):
        if not has_driver(LAYER_FORMATS[key]):
            continue
        ran, folder = bring_out(key, TARGETS=targets, PREDICTIONS=predictions)
        assert ran.ok, ran.error
        source = gdal.OpenEx(str(folder / name), gdal.OF_VECTOR)
        layer = source.GetLayerByName("predictions")
        assert layer.GetFeatureCount() == 5
        assert [float(one.GetField("score")) for one in layer] == pytest.approx(
            np.linspace(0, 1, 5).tolist()
        )


def _red():
    from qgis.PyQt.QtGui import QColor

    return QColor("#ff0000")


def test_geojson_is_that_of_rfc_7946(bring_out):
    ran, folder = bring_out("geojson", TARGETS=layer_with("field", boxes(1, 2)))
    assert ran.ok, ran.error
    held = json.loads((folder / "targets.geojson").read_text())
    assert "crs" not in held
    shape = shapely.from_geojson(json.dumps(held["features"][0]["geometry"]))
    assert shapely.box(-118, 36, -116, 38).contains(shape)
    assert shapely.is_ccw(shapely.get_exterior_ring(shapely.get_parts(shape)[0]))
    assert (
        ogr.GetDriverByName("GeoJSON")
        .Open(str(folder / "targets.geojson"))
        .GetLayer(0)
        .GetFeatureCount()
        == 2
    )


@pytest.mark.parametrize(("key", "is_told"), [("geojson", True), ("gpkg", False), ("csv", False)])
def test_infinite_numbers_that_a_format_has_no_word_for_are_told(
    key, is_told, bring_out, run, tmp_path
):
    layer = layer_with("field", boxes(1, 4), [np.inf, -np.inf, np.nan, 0.5])
    ran, folder = bring_out(key, TARGETS=layer)
    assert ran.ok, ran.error
    said = "targets: 2 infinite numbers in field 'score' are empty in GeoJSON"
    assert (said in ran.said("export.infinite")) == is_told
    if is_told:
        held = json.loads((folder / "targets.geojson").read_text())["features"]
        assert [one["properties"].get("score") for one in held] == [None, None, None, 0.5]
    form = LAYER_FORMAT.keys.index(key)
    table = run(
        "exportlayers", {"LAYERS": [layer], "FORMAT": form, "FOLDER": str(tmp_path / "layers")}
    )
    assert (shows(table.said("export.infinite"), "export.infinite", count=2)) == is_told


def test_what_cannot_be_exported_is_refused_and_nothing_is_left_behind(bring_out, tmp_path):
    targets = layer_with("field", boxes(1, 4))
    refused, folder = bring_out("coco", TARGETS=targets)
    assert shows(refused.refused, "export.no_images")
    image = QgsRasterLayer(str(make_image(tmp_path / "a.tif", 900000.0)), "a")
    QgsProject.instance().addMapLayer(image)
    scoreless = layer_with("boxes", boxes(2, 3, 900000.0))
    ran, folder = bring_out("coco", TARGETS=targets, PREDICTIONS=scoreless, IMAGE=[image])
    assert not ran.ok
    assert shows(ran.error, "export.coco_without_score")
    assert not folder.exists()
    off, folder = bring_out("voc", TARGETS=targets, IMAGE=[image])
    assert off.ok, off.error
    assert shows(off.said("export.off_images"), "export.off_images", count=4)
    blocked = tmp_path / "blocked"
    blocked.write_text("a file")
    ran, _ = bring_out("csv", TARGETS=targets, FOLDER=str(blocked / "in"))
    assert shows(ran.refused, "output.folder_is_file")


def test_real_boxes_survive_the_way_there_and_back(bring_in, bring_out):
    folder = real_data("neon")
    first = bring_in(folder / "SJER_052.xml")
    image = QgsRasterLayer(str(folder / "SJER_052.tif"), "SJER_052")
    QgsProject.instance().addMapLayer(image)
    for key in ("coco", "deepforest", "voc"):
        ran, out = bring_out(key, TARGETS=first.layer("CROWNS"), IMAGE=[image])
        assert ran.ok, ran.error
        again = bring_in(out, IMAGES=str(folder))
        own, back = shapes_of(first.layer("CROWNS")), shapes_of(again.layer("CROWNS"))
        assert shapely.bounds(back) == pytest.approx(shapely.bounds(own), abs=1e-7)


def test_rank_detectors_shows_what_pycocotools_says_of_the_export(run, bring_out, tmp_path):
    image = QgsRasterLayer(str(make_image(tmp_path / "a.tif")), "a")
    QgsProject.instance().addMapLayer(image)
    truth, rng = boxes(1, 60), np.random.default_rng(5)
    found = shapely.box(*(shapely.bounds(truth) + rng.normal(0, 0.35, (60, 4))).T)
    targets, predictions = (
        layer_with("field", truth),
        layer_with("boxes", found, rng.uniform(size=60)),
    )
    ran, folder = bring_out("coco", TARGETS=targets, PREDICTIONS=predictions, IMAGE=[image])
    assert ran.ok, ran.refused or ran.error
    given = {
        "DETECTORS": [predictions],
        "ANNOTATORS": [targets],
        "SCORE_FIELD": "score",
        "BOOTSTRAP_SAMPLES": 0,
    }
    ranked = run("rankdetectors", given, outputs=("AUCR", "COCO", "THRESHOLDS"))
    assert ranked.ok, ranked.refused or ranked.error
    row = ranked.table("COCO").iloc[0]
    assert (row["detector"], row["truth"]) == ("boxes", "field")
    shown = [row[name] for name in ("ap", "ap50", "ap75", "ar_1", "ar_10", "ar_100")]
    assert 0.05 < shown[0] < 0.95
    assert shown == pytest.approx(evaluated(folder), abs=1e-12)
    at_half = ranked.table("THRESHOLDS").set_index("iou").loc[0.5]
    assert at_half["ap"] == pytest.approx(row["ap50"], abs=1e-12)
    matched = run(
        "evaluateinstances",
        {"TARGETS": targets, "PREDICTIONS": predictions},
        outputs=("MATCHED_TARGETS",),
    )
    assert matched.results["AP"] == pytest.approx(shown[0], abs=1e-12)


def test_an_infinite_score_is_none_for_coco(bring_out, tmp_path):
    image = QgsRasterLayer(str(make_image(tmp_path / "p.tif")), "p")
    QgsProject.instance().addMapLayer(image)
    targets, predictions = (
        layer_with("t", boxes(1, 3)),
        layer_with("p", boxes(2, 3), [np.inf, 0.5, np.nan]),
    )
    ran, folder = bring_out("coco", TARGETS=targets, PREDICTIONS=predictions, IMAGE=[image])
    assert ran.ok, ran.refused or ran.error
    assert shows(ran.said("export.no_score"), "export.no_score", count=2)
    assert [one["score"] for one in json.loads((folder / "results.json").read_text())] == [0.5]


def names_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_folder_holds_the_last_export_of_a_format_and_what_others_wrote(bring_out, tmp_path):
    images = [
        QgsRasterLayer(str(make_image(tmp_path / f"{n}.tif", 500000.0 + 40 * n)), f"{n}")
        for n in range(2)
    ]
    both = layer_with("both", [*boxes(1, 2), *boxes(2, 2, 500040.0)])
    one = layer_with("one", boxes(1, 2))
    predictions = layer_with("predictions", boxes(3, 2), [0.5, 0.6])
    ran, folder = bring_out("voc", TARGETS=both, PREDICTIONS=predictions, IMAGE=images)
    assert ran.ok, ran.refused or ran.error
    assert {"targets/0.xml", "targets/1.xml", "predictions/0.xml"} <= set(names_in(folder))
    (folder / "targets" / "mine.xml").write_text("mine")
    (folder / "predictions" / "1.xml").write_text("corrected by hand")
    ran, _ = bring_out("voc", TARGETS=one, IMAGE=images[:1])
    assert ran.ok, ran.refused or ran.error
    own = [".randcrowns-export", "targets/0.xml", "targets/mine.xml"]
    assert names_in(folder) == sorted(["predictions/1.xml", *own])
    assert "targets/1.xml" in ran.said("export.removed")
    assert "predictions/1.xml" in ran.said("export.kept")
    (folder / "predictions" / "1.xml").unlink()
    ran, _ = bring_out("voc", TARGETS=both, IMAGE=images)
    assert (folder / "targets" / "1.xml").exists()
    assert not ran.said("export.removed")
    ran = bring_out("voc", TARGETS=one, IMAGE=images[:1])[0]
    assert names_in(folder) == own
    assert (folder / "targets" / "mine.xml").read_text() == "mine"


def test_formats_stand_beside_one_another_in_a_folder(run, tmp_path):
    image = QgsRasterLayer(str(make_image(tmp_path / "a.tif")), "a")
    given = {
        "TARGETS": layer_with("t", boxes(1, 2)),
        "IMAGE": [image],
        "FOLDER": str(tmp_path / "out"),
    }
    for key in ("coco", "deepforest", "coco"):
        ran = run("exportcrowns", {**given, "FORMAT": KEYS[key]})
        assert ran.ok, ran.refused or ran.error
        assert not ran.said("export.removed")
    assert names_in(tmp_path / "out") == [".randcrowns-export", "ground_truth.json", "targets.csv"]


@pytest.mark.parametrize(("place", "told"), [("out", "{folder}"), ("", "a temporary folder")])
def test_where_the_files_are_is_told(run, tmp_path, place, told):
    folder = str(tmp_path / place) if place else "TEMPORARY_OUTPUT"
    ran = run(
        "exportcrowns",
        {"TARGETS": layer_with("t", boxes(1, 2)), "FOLDER": folder, "FORMAT": KEYS["geojson"]},
    )
    assert ran.ok, ran.refused or ran.error
    assert f"Written to {told.format(folder=folder)}: targets.geojson." in ran.feedback.textLog()


def test_what_no_export_wrote_is_not_replaced_and_nothing_is_said_to_be_written(run, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "targets.csv").write_text("mine")
    image = QgsRasterLayer(str(make_image(tmp_path / "a.tif")), "a")
    given = {"TARGETS": layer_with("t", boxes(1, 2)), "IMAGE": [image], "FOLDER": str(folder)}
    ran = run("exportcrowns", {**given, "FORMAT": KEYS["deepforest"]})
    assert shows(ran.error, "export.foreign_files", files="targets.csv")
    assert shows(ran.error, "export.foreign_files")
    assert "Written" not in ran.feedback.textLog()
    assert names_in(folder) == ["targets.csv"]
    assert (folder / "targets.csv").read_text() == "mine"


@pytest.mark.parametrize(
    "held", ["[]", '{"../mine": ["exportcrowns deepforest", "x"]}', '{"a": 1}', "\x00"]
)
def test_a_list_of_files_that_is_none_of_ours_removes_nothing(run, tmp_path, held):
    folder = tmp_path / "out"
    folder.mkdir()
    (tmp_path / "mine").write_text("")
    (folder / ".randcrowns-export").write_text(held)
    image = QgsRasterLayer(str(make_image(tmp_path / "a.tif")), "a")
    given = {"TARGETS": layer_with("t", boxes(1, 2)), "IMAGE": [image], "FOLDER": str(folder)}
    ran = run("exportcrowns", {**given, "FORMAT": KEYS["deepforest"]})
    assert ran.ok, ran.error
    assert (tmp_path / "mine").exists()
    assert names_in(folder) == [".randcrowns-export", "targets.csv"]


@pytest.mark.parametrize("place", ["mine", "mine/out"])
def test_a_file_in_place_of_the_folder_is_refused(run, tmp_path, place):
    (tmp_path / "mine").write_text("")
    given = {
        "TARGETS": layer_with("t", boxes(1, 2)),
        "FORMAT": KEYS["csv"],
        "FOLDER": str(tmp_path / place),
    }
    assert (
        run("exportcrowns", given).refused
        == f"{tmp_path / 'mine'} is a file; choose a folder for the output."
    )


@pytest.mark.parametrize("key", ["coco", "deepforest", "voc"])
def test_crowns_of_several_images_without_a_georeference_go_to_those_they_name(
    bring_out, bring_in, tmp_path, key
):
    images = []
    for name in ("a", "b"):
        gdal.GetDriverByName("GTiff").Create(
            str(tmp_path / f"{name}.tif"), 40, 30, 3, gdal.GDT_Byte
        ).FlushCache()
        images.append(QgsRasterLayer(str(tmp_path / f"{name}.tif"), name))
    rows = "a.tif,1,2,9,9,Tree\nb.tif,3,4,12,15,Tree\nb.tif,1,2,9,9,Dead\n"
    (tmp_path / "truth.csv").write_text(f"image_path,xmin,ymin,xmax,ymax,label\n{rows}")
    imported = bring_in(tmp_path / "truth.csv")
    ran, folder = bring_out(key, TARGETS=imported.layer("CROWNS"), IMAGE=images)
    assert ran.ok, ran.refused or ran.error
    back = bring_in(folder, IMAGES=str(tmp_path))
    wanted, found = (
        sorted(
            zip(
                one.table("CROWNS")["image"],
                map(str, shapes_of(one.layer("CROWNS"))),
                one.table("CROWNS")["label"],
            )
        )
        for one in (imported, back)
    )
    assert found == wanted
    nameless = QgsVectorLayer("Polygon", "nameless", "memory")
    assert shows(
        bring_out(key, TARGETS=nameless, IMAGE=images)[0].error,
        "export.no_image_field",
        layer="nameless",
    )


def test_fewer_crowns_than_the_file_counts_are_told_of(bring_out, tmp_path):
    path = tmp_path / "in.gpkg"
    save(layer_with("trees", boxes(3, 2)), path, name="trees")
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE gpkg_ogr_contents SET feature_count = 3")
    ran, _ = bring_out("geojson", TARGETS=QgsVectorLayer(f"{path}|layername=trees", "trees", "ogr"))
    assert ran.ok, ran.refused or ran.error
    assert shows(ran.said("input.changed"), "input.changed", layer="trees", expected=3, read=2)


#: Values of a field of numbers, and of texts, with the class by the rules of the pages.
CLASSES_OF_FIELD = {
    "double": ([1.0, 2.0, None], ["1", "2", "Tree"]),
    # A text stays as it is.
    "string": ([" oak ", "1.0", "  "], ["oak", "1.0", "Tree"]),
    "bool": ([True, False, None], ["true", "false", "Tree"]),
}


@pytest.mark.parametrize("key", ["coco", "deepforest", "voc", "yolo"])
@pytest.mark.parametrize("kind", CLASSES_OF_FIELD)
def test_exports_have_the_class_rules_of_the_pages(bring_out, bring_in, tmp_path, key, kind):
    values, expected = CLASSES_OF_FIELD[kind]
    image = QgsRasterLayer(str(make_image(tmp_path / "0.tif")), "0")
    QgsProject.instance().addMapLayers([image])
    # Crowns from west to east, because files may have another order.
    corners = [(500002 + 8 * n, 4099980, 500006 + 8 * n, 4099984) for n in range(3)]
    layer = layer_of(
        "trees",
        [shapely.box(*corner) for corner in corners],
        "EPSG:32611",
        fields=f"&field=kind:{kind}",
        rows=[[value] for value in values],
    )
    done, folder = bring_out(key, TARGETS=layer, IMAGE=[image], CLASS_FIELD="kind")
    assert done.ok, done.error
    find_message(done.messages, "export.no_class", layer="trees", count=1, label="Tree")
    again = bring_in(folder, IMAGES=str(tmp_path))
    assert again.ok, again.error
    table = again.table("CROWNS")
    order = np.argsort(shapely.bounds(shapes_of(again.layer("CROWNS")))[:, 0])
    assert table["label"].to_numpy()[order].tolist() == expected


def test_a_class_with_decimals_is_not_exported(bring_out, tmp_path):
    image = QgsRasterLayer(str(make_image(tmp_path / "0.tif")), "0")
    QgsProject.instance().addMapLayers([image])
    layer = layer_with("trees", boxes(1, 1), scores=[0.5])
    done, _ = bring_out("coco", TARGETS=layer, IMAGE=[image], CLASS_FIELD="score")
    assert shows(done.error, "classes.not_whole", value=0.5, name="trees")
