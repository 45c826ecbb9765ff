"""randcrowns:importcrowns: images of one name, results of a truth, photos on their side."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import shapely
from osgeo import gdal
from PIL import Image, ImageOps
from support.shown import shows

OUTPUTS = ("CROWNS", "SUMMARY")


@pytest.fixture
def bring_in(run):
    def import_crowns(path, **parameters):
        return run("importcrowns", {"INPUT": str(path), **parameters}, outputs=OUTPUTS)

    return import_crowns


def shapes_of(layer) -> np.ndarray:
    return shapely.from_wkb([bytes(feature.geometry().asWkb()) for feature in layer.getFeatures()])


def make_image(path: Path, west: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    made = gdal.GetDriverByName("GTiff").Create(str(path), 40, 30, 1)
    made.SetGeoTransform((west, 0.5, 0.0, 4100000.0, 0.0, -0.5))


def voc(path: Path, name: str, image_path: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    named = f"<path>{image_path}</path>" if image_path else ""
    sides = "<xmin>2</xmin><ymin>4</ymin><xmax>6</xmax><ymax>8</ymax>"
    path.write_text(
        f"<annotation><filename>{name}</filename>{named}<object><name>t</name>"
        f"<bndbox>{sides}</bndbox></object></annotation>"
    )


@pytest.mark.parametrize("image_path", ["", "C:\\\\img\\\\{site}\\\\a.tif"])
def test_crowns_lie_on_the_image_of_their_folder_and_images_of_one_name_stay_apart(
    bring_in, tmp_path, image_path
):
    for site, west in (("site1", 500000.0), ("site2", 510000.0)):
        make_image(tmp_path / "img" / site / "a.tif", west)
        voc(tmp_path / "voc" / site / "a.xml", "a.tif", image_path.format(site=site))
    ran = bring_in(tmp_path / "voc", IMAGES=str(tmp_path / "img"))
    assert ran.ok, ran.error
    # By hand: x = west + 2 * 0.5, y = 4100000 - 8 * 0.5.
    bounds = shapely.bounds(shapes_of(ran.layer("CROWNS"))).tolist()
    assert [row[:2] for row in bounds] == [[500001.0, 4099996.0], [510001.0, 4099996.0]]
    assert ran.table("CROWNS")["image"].tolist() == ["site1/a.tif", "site2/a.tif"]
    alone = bring_in(tmp_path / "voc" / "site2", IMAGES=str(tmp_path / "img"))
    assert alone.table("CROWNS")["image"].tolist() == ["site2/a.tif"]


def test_images_of_one_name_that_are_not_found_stay_apart(bring_in, tmp_path):
    for site in ("site1", "site2"):
        voc(tmp_path / site / "a.xml", "a.tif")
    ran = bring_in(tmp_path)
    assert ran.table("CROWNS")["image"].tolist() == ["site1/a.tif", "site2/a.tif"]


def test_files_of_two_folders_on_the_only_image_are_told(bring_in, tmp_path):
    make_image(tmp_path / "img" / "site1" / "a.tif", 500000.0)
    for site in ("site1", "site2"):
        voc(tmp_path / "voc" / site / "a.xml", "a.tif")
    ran = bring_in(tmp_path / "voc", IMAGES=str(tmp_path / "img"))
    assert shows(ran.said("exchange.shared_image"), "exchange.shared_image", image="a.tif")
    alone = bring_in(tmp_path / "voc" / "site1", IMAGES=str(tmp_path / "img"))
    assert not alone.said("exchange.shared_image")


def test_an_image_that_two_folders_hold_is_refused(bring_in, tmp_path):
    for site in ("site1", "site2"):
        make_image(tmp_path / "img" / site / "a.tif", 500000.0)
    voc(tmp_path / "voc" / "a.xml", "a.tif")
    ran = bring_in(tmp_path / "voc", IMAGES=str(tmp_path / "img"))
    assert shows(ran.error, "image.several_fit", images=["site1/a.tif", "site2/a.tif"])


def test_a_name_without_extension_is_that_of_the_image_found(bring_in, tmp_path):
    make_image(tmp_path / "plot1.tif", 500000.0)
    (tmp_path / "plot1.txt").write_text("0 0.5 0.5 0.5 0.5\n")
    (tmp_path / "boxes.csv").write_text("image_path,xmin,ymin,xmax,ymax\nplot1.tif,0,0,4,4\n")
    ran = bring_in(tmp_path)
    assert set(ran.table("CROWNS")["image"]) == {"plot1.tif"}


def write_coco(path: Path, ids=(1, 2), name="a.jpg") -> None:
    path.parent.mkdir(exist_ok=True)
    truth = {
        "images": [{"id": n, "file_name": name.format(n), "width": 9, "height": 9} for n in ids],
        "annotations": [{"image_id": n, "bbox": [n, 1, 2, 2], "category_id": 1} for n in ids],
        "categories": [{"id": 1, "name": "oak"}],
    }
    path.write_text(json.dumps(truth))


def test_two_ids_with_one_name_are_two_images(bring_in, tmp_path):
    write_coco(tmp_path / "truth.json")
    ran = bring_in(tmp_path / "truth.json")
    assert ran.table("CROWNS")["image"].tolist() == ["a.jpg (1)", "a.jpg (2)"]


def test_ids_of_cvat_and_sizes_of_via_tell_images_of_one_name_apart(bring_in, tmp_path):
    box = '<box label="oak" xtl="1" ytl="1" xbr="3" ybr="4"/>'
    images = "".join(f'<image id="{n}" name="a.png">{box}</image>' for n in (0, 7))
    (tmp_path / "cvat.xml").write_text(f"<annotations>{images}</annotations>")
    ran = bring_in(tmp_path / "cvat.xml")
    assert ran.table("CROWNS")["image"].tolist() == ["a.png (0)", "a.png (7)"]
    region = {"shape_attributes": {"name": "rect", "x": 1, "y": 1, "width": 2, "height": 3}}
    project = {
        f"a.png{size}": {"filename": "a.png", "size": size, "regions": [region]}
        for size in (90, 95)
    }
    (tmp_path / "via.json").write_text(json.dumps(project))
    ran = bring_in(tmp_path / "via.json")
    assert ran.table("CROWNS")["image"].tolist() == ["a.png (90)", "a.png (95)"]
    shape = json.dumps(region["shape_attributes"]).replace('"', '""')
    rows = [f'a.png,{size},"{shape}",{{}}' for size in (90, 95, 90)]
    heading = "filename,file_size,region_shape_attributes,region_attributes"
    (tmp_path / "via.csv").write_text("\n".join([heading, *rows]))
    ran = bring_in(tmp_path / "via.csv")
    assert ran.table("CROWNS")["image"].tolist() == ["a.png (90)", "a.png (95)", "a.png (90)"]


def test_results_take_names_of_a_truth_and_nothing_else(bring_in, tmp_path):
    write_coco(tmp_path / "truth" / "truth.json", name="a{}.jpg")
    results = tmp_path / "results.json"
    results.write_text(
        json.dumps([{"image_id": 2, "bbox": [0, 0, 3, 3], "category_id": 1, "score": 0.5}])
    )
    assert shows(bring_in(results).error, "coco.results_only", path="results.json")
    ran = bring_in(results, IMAGES_OF=str(tmp_path / "truth" / "truth.json"))
    table = ran.table("CROWNS")
    assert table[["image", "label", "score"]].to_numpy().tolist() == [["a2.jpg", "oak", 0.5]]
    assert "truth.json" in ran.said("exchange.images_of")
    # A folder with both: the truth is not imported if it is where names are from.
    mixed = bring_in(tmp_path)
    assert shows(mixed.error, "coco.truth_and_results", results="results.json")
    apart = bring_in(tmp_path, IMAGES_OF=str(tmp_path / "truth" / "truth.json"))
    assert apart.results["IMPORTED"] == 1
    missing = bring_in(results, IMAGES_OF=str(tmp_path / "none.json"))
    assert shows(missing.refused, "import.no_images_of", file=str(tmp_path / "none.json"))
    same = bring_in(results, IMAGES_OF=str(results))
    assert shows(same.error, "import.only_images_of", file="results.json")


def test_of_several_truths_beside_results_the_one_that_fits_is_taken_or_none(bring_in, tmp_path):
    results = tmp_path / "results.json"
    results.write_text(json.dumps([{"image_id": 3, "bbox": [0, 0, 3, 3], "score": 0.5}]))
    write_coco(tmp_path / "train.json", (1, 2, 3), "train{}.jpg")
    write_coco(tmp_path / "test.json", (1, 2), "test{}.jpg")
    ran = bring_in(results)
    assert ran.table("CROWNS")["image"].tolist() == ["train3.jpg"]
    assert "train.json" in ran.said("exchange.images_of")
    write_coco(tmp_path / "test.json", (1, 2, 3), "test{}.jpg")
    ran = bring_in(results)
    assert shows(ran.error, "coco.several_ground_truths", truths=["test.json", "train.json"])


@pytest.mark.parametrize("ending", ["jpg", "png", "webp", "tif"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_box_on_the_upright_photo_lies_on_the_same_pixels_of_the_file(
    bring_in, tmp_path, orientation, ending
):
    photo = Image.new("L", (48, 32))
    upright_size = (32, 48) if orientation >= 5 else (48, 32)
    exif = Image.Exif()
    exif[274] = orientation
    extra = {"tiffinfo": {274: orientation}} if ending == "tif" else {"exif": exif.tobytes()}
    if ending == "webp":
        photo = photo.convert("RGB")
    photo.save(tmp_path / f"a.{ending}", **extra)
    (tmp_path / "a.csv").write_text(f"image_path,xmin,ymin,xmax,ymax\na.{ending},3,5,10,20\n")
    ran = bring_in(tmp_path / "a.csv")
    assert ran.ok, ran.error
    assert bool(ran.said("exchange.turned_image")) == (orientation > 1)

    # Pillow turns a mask of the pixels of the file upright; there they fill the box.
    stored = np.zeros((32, 48), dtype=np.uint8)
    left, bottom, right, top = shapely.bounds(shapes_of(ran.layer("CROWNS"))[0]).astype(int)
    stored[-top:-bottom, left:right] = 1
    marked = Image.fromarray(stored)
    marked.getexif()[274] = orientation
    upright = np.asarray(ImageOps.exif_transpose(marked))
    assert upright.shape[::-1] == upright_size
    expected = np.zeros_like(upright)
    expected[5:20, 3:10] = 1
    assert (upright == expected).all()


def test_sizes_of_the_file_on_its_side_mean_its_own_pixels(bring_in, tmp_path):
    exif = Image.Exif()
    exif[274] = 6
    Image.new("L", (48, 32)).save(tmp_path / "a.jpg", exif=exif.tobytes())
    for width, height, expected in (
        (48, 32, [1.0, -4.0, 3.0, -2.0]),
        (32, 48, [2.0, -31.0, 4.0, -29.0]),  # by hand: column y, row 32 - x
    ):
        truth = {
            "images": [{"id": 1, "file_name": "a.jpg", "width": width, "height": height}],
            "annotations": [{"image_id": 1, "bbox": [1, 2, 2, 2]}],
        }
        (tmp_path / "a.json").write_text(json.dumps(truth))
        ran = bring_in(tmp_path / "a.json")
        assert shapely.bounds(shapes_of(ran.layer("CROWNS"))[0]).tolist() == expected
        assert not ran.said("exchange.size_of_image")


def test_coordinates_that_cannot_be_degrees_are_told_at_import(bring_in, tmp_path):
    for name, corner in (("metres", 500000.0), ("degrees", 13.0)):
        box = shapely.box(corner, 50.0, corner + 1, 51.0)
        feature = {
            "type": "Feature",
            "properties": {},
            "geometry": json.loads(shapely.to_geojson(box)),
        }
        (tmp_path / f"{name}.geojson").write_text(
            json.dumps({"type": "FeatureCollection", "features": [feature]})
        )
    said = bring_in(tmp_path / "metres.geojson").said("exchange.no_degrees")
    assert shows(said, "exchange.no_degrees", file="metres.geojson", crs="EPSG:4326")
    assert not bring_in(tmp_path / "degrees.geojson").said("exchange.no_degrees")


def test_geoparquet_without_a_driver_is_not_called_broken(bring_in, tmp_path, monkeypatch):
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    driver = gdal.GetDriverByName
    monkeypatch.setattr(gdal, "GetDriverByName", lambda n: None if n == "Parquet" else driver(n))
    ran = bring_in(tmp_path / "a.parquet")
    assert shows(ran.error, "file.no_parquet_driver", path="a.parquet")


def test_a_name_without_extension_is_that_of_the_image_that_is_not_found(bring_in, tmp_path):
    labels = tmp_path / "labels"
    labels.mkdir()
    (labels / "plot1.txt").write_text("0 4 4 4 2\n")  # pixels, which need no size of the image
    (tmp_path / "boxes.csv").write_text("image_path,xmin,ymin,xmax,ymax\nplot1.png,0,0,4,4\n")
    ran = bring_in(tmp_path)
    assert ran.table("CROWNS")["image"].tolist() == ["plot1.png"] * 2
    # Two images may be meant: neither is chosen.
    (tmp_path / "more.csv").write_text("image_path,xmin,ymin,xmax,ymax\nplot1.tif,0,0,4,4\n")
    ran = bring_in(tmp_path)
    assert sorted(ran.table("CROWNS")["image"]) == ["plot1", "plot1.png", "plot1.tif"]


def test_files_of_two_folders_without_images_are_two_images(bring_in, tmp_path):
    for site in ("site1", "site2"):
        (tmp_path / site).mkdir()
        (tmp_path / site / "plot1.txt").write_text("0 4 4 4 2\n")
    (tmp_path / "boxes.csv").write_text("image_path,xmin,ymin,xmax,ymax\nplot1.png,0,0,4,4\n")
    images = bring_in(tmp_path).table("CROWNS")["image"].tolist()
    assert len(set(images)) == 3
    assert sum(name.startswith(("site1/", "site2/")) for name in images) == 2
