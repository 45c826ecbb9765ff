"""The preview of annotation files before their import."""

from __future__ import annotations

import json

import numpy as np
import pytest
import shapely
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCoordinateTransformContext,
)
from support.layers import EAST, NORTH, TARGET_BOXES, box_layer, layer_of, shifted
from support.rasters import write_raster

from randcrowns.core.errors import InputError
from randcrowns.core.progress import no_progress
from randcrowns.layers.files.import_preview import read_import_preview
from randcrowns.layers.files.staging import write_layer

pytestmark = pytest.mark.usefixtures("qgis_app")


def preview_of(path, folder=""):
    return read_import_preview(
        str(path), str(folder), QgsCoordinateTransformContext(), None, no_progress
    )


def write_table(path, image="plot.tif", score=""):
    """Four boxes, one of which has no width, and a point."""
    rows = [f"{image},{x},4,{x + 8},12,,,Tree,{score}" for x in (0, 10, 20)]
    rows += [f"{image},5,4,5,12,,,Tree,{score}"]
    path.write_text("\n".join(["image_path,xmin,ymin,xmax,ymax,x,y,label,score", *rows]) + "\n")
    return path


def test_crowns_on_an_image_with_a_georeference(tmp_path):
    write_raster(tmp_path / "plot.tif", np.zeros((40, 40)), west=500000, north=3000040)
    preview = preview_of(write_table(tmp_path / "a.csv", score=0.5))
    assert (preview.n_crowns, preview.n_skipped, preview.has_scores) == (3, 1, True)
    assert preview.images == (tmp_path / "plot.tif",)
    assert preview.missing_images == ()
    assert preview.crs.isValid()
    assert len(preview.examples) == 3
    first = preview.examples[0]
    assert first.image == tmp_path / "plot.tif"
    # Pixels of 1 m from the upper left corner.
    assert first.outline.equals(shapely.box(500000, 3000028, 500008, 3000036))


def test_crowns_without_their_image(tmp_path):
    preview = preview_of(write_table(tmp_path / "a.csv"))
    assert (preview.n_crowns, preview.has_scores) == (3, False)
    assert (preview.images, preview.missing_images) == ((), ("plot.tif",))
    assert not preview.crs.isValid()
    assert preview.examples == ()
    (tmp_path / "images").mkdir()
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    write_raster(folder / "plot.tif", np.zeros((40, 40)), west=500000, north=3000040)
    assert preview_of(tmp_path / "a.csv", folder).images == (folder / "plot.tif",)


@pytest.mark.parametrize("folder", ["a" * 5000, "a\0b", "/dev/null"])
def test_a_folder_that_no_system_has_contains_no_image(tmp_path, folder):
    preview = preview_of(write_table(tmp_path / "a.csv"), folder)
    assert (preview.n_crowns, preview.missing_images) == (3, ("plot.tif",))


def test_map_layers_of_two_people_in_a_folder_are_separate_parts(tmp_path):
    for name, by in {"anna": 0.0, "ben": 0.5}.items():
        write_layer(box_layer(name, shifted(TARGET_BOXES, by)), tmp_path / f"{name}.gpkg", name)
    parts = preview_of(tmp_path).parts
    assert parts == (str(tmp_path / "anna.gpkg"), str(tmp_path / "ben.gpkg"))


def test_a_folder_of_files(tmp_path):
    for name in ("a", "b"):
        shape = {"label": "oak", "points": [[0, 0], [4, 0], [4, 4]], "shape_type": "polygon"}
        content = {"shapes": [shape], "imagePath": f"{name}.png"}
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    preview = preview_of(tmp_path)
    assert preview.n_crowns == 2
    assert set(preview.missing_images) == {"a.png", "b.png"}


def test_a_file_that_is_missing_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"none\.csv"):
        preview_of(tmp_path / "none.csv")


def test_a_photo_beside_a_map_layer_in_another_crs_shows_its_crowns(tmp_path):
    """Crowns in US feet, and a photo in UTM that shows the first and the second row."""
    layer = box_layer("crowns", TARGET_BOXES)
    to_feet = QgsCoordinateReferenceSystem("EPSG:2236")
    transform = QgsCoordinateTransform(layer.crs(), to_feet, QgsCoordinateTransformContext())
    outlines = []
    for feature in layer.getFeatures():
        geometry = feature.geometry()
        geometry.transform(transform)
        outlines.append(geometry.asWkt(6))
    write_layer(layer_of("feet", outlines, "EPSG:2236"), tmp_path / "feet.gpkg", "feet")
    # It covers the boxes at 0 and at 10 m to the east.
    bands = np.zeros((3, 40, 20))
    write_raster(tmp_path / "photo.tif", bands, west=EAST - 3, north=NORTH + 25)
    write_raster(tmp_path / "heights.tif", bands[:1], west=EAST - 3, north=NORTH + 25)
    preview = preview_of(tmp_path / "feet.gpkg")
    assert (preview.images, preview.missing_images) == ((tmp_path / "photo.tif",), ())
    assert {example.image for example in preview.examples} == {tmp_path / "photo.tif"}
    assert len(preview.examples) == 3
    # In a folder of its own, it is found in the folder of the images.
    (tmp_path / "images").mkdir()
    (tmp_path / "photo.tif").rename(tmp_path / "images/photo.tif")
    assert preview_of(tmp_path / "feet.gpkg").images == ()
    found = preview_of(tmp_path / "feet.gpkg", tmp_path / "images").images
    assert found == (tmp_path / "images/photo.tif",)


def test_a_folder_with_label_rasters_and_clouds_alone_consists_of_them(tmp_path):
    labels = np.zeros((40, 40))
    labels[4:12, 4:12], labels[20:30, 20:30] = 1, 2
    for name in ("reference", "segmentation"):
        write_raster(tmp_path / f"{name}.tif", labels, kind=gdal.GDT_UInt16, nodata=0)
    write_raster(tmp_path / "photo.tif", np.zeros((3, 40, 40)), kind=gdal.GDT_Byte)
    write_raster(tmp_path / "heights.tif", labels / 3)
    (tmp_path / "plot.las").write_bytes(b"LASF")
    names = ("reference.tif", "segmentation.tif", "plot.las")
    assert preview_of(tmp_path).parts == tuple(str(tmp_path / name) for name in names)
    # The photo lies where the labels lie, and shows them.
    labels_preview = preview_of(tmp_path / "reference.tif")
    assert (labels_preview.n_crowns, labels_preview.images) == (2, (tmp_path / "photo.tif",))
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match="There is no annotation file"):
        preview_of(empty)
