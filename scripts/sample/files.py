"""Files of a simulated plot: the image, the crowns and the point cloud."""

from __future__ import annotations

import datetime
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import laspy
import numpy as np
from osgeo import gdal, osr
from qgis.core import QgsCoordinateReferenceSystem, QgsFeature, QgsVectorLayer

from randcrowns.core.arrays import Bools
from randcrowns.core.sample import (
    PREDICTION_ATTRIBUTE,
    SAMPLE_SEED,
    TARGET_ATTRIBUTE,
    TRUE_CROWNS,
    SampleFiles,
    sample_files,
)
from randcrowns.layers.files.staging import write_layer
from randcrowns.layers.vector.geometry import to_qgs_geometries
from sample.cloud import simulate_cloud
from sample.plot import SamplePlot, simulate_plot
from sample.trees import SampleParameters, read_parameters

#: Date of all files, so that a seed always gives the same files.
_DATE = datetime.date(2026, 1, 1)
_POINTS = 120_000
_TREES = 49
#: Distance between the image and the trees of the cloud, metres.
_GAP = 10.0


def write_sample(
    folder: str | Path, seed: int = SAMPLE_SEED, parameters: SampleParameters | None = None
) -> SampleFiles:
    """Simulate the sample plot of a seed and write its files.

    Args:
        folder: folder of the files; it is created, and existing files are replaced.
        seed: seed of the simulation.
        parameters: parameters of the simulation; by default those of the shipped plot.

    Returns:
        The paths of the files.

    Raises:
        InputError: if the seed is no whole number, or a table cannot be written.
        OSError: if another file cannot be written.
    """
    plot = simulate_plot(seed, parameters)
    files = sample_files(folder)
    Path(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as temporary_folder:
        temporary = sample_files(temporary_folder)
        _write_image(plot, temporary.image)
        _write_layers(plot, temporary.crowns)
        write_cloud(temporary.cloud, seed)
        for source, target in zip(temporary, files):
            source.replace(target)
    return files


def _write_image(plot: SamplePlot, path: Path) -> None:
    """Write the image of a plot as a GeoTIFF.

    Raises:
        OSError: if the file cannot be created.
    """
    rows, columns, bands = plot.image.shape
    raster = gdal.GetDriverByName("GTiff").Create(
        str(path),
        columns,
        rows,
        bands,
        gdal.GDT_Byte,
        ["PHOTOMETRIC=RGB", "COMPRESS=DEFLATE", "PREDICTOR=2"],
    )
    if raster is None:
        raise OSError("the image could not be created")
    west, north = plot.parameters.upper_left
    raster.SetGeoTransform((west, plot.parameters.pixel, 0, north, 0, -plot.parameters.pixel))
    crs = osr.SpatialReference()
    crs.SetFromUserInput(plot.parameters.crs)
    raster.SetProjection(crs.ExportToWkt())
    raster.SetMetadata(
        {"TIFFTAG_IMAGEDESCRIPTION": _description(plot.seed), "TIFFTAG_SOFTWARE": "RandCrowns"}
    )
    for band in range(bands):
        raster.GetRasterBand(band + 1).WriteArray(plot.image[..., band])
    raster.FlushCache()


def _write_layers(plot: SamplePlot, path: Path) -> None:
    """Write the true crowns and all delineations of a plot as tables of a GeoPackage."""
    fields = {"height:double": plot.height.tolist(), "species:string": _species(plot.conifer)}
    gdal.SetConfigOption("OGR_CURRENT_DATE", f"{_DATE}T00:00:00.000Z")
    try:
        _write_layer(plot, path, TRUE_CROWNS, plot.crowns, fields)
        for name, drawing in plot.drawings.items():
            if drawing.score is None or drawing.conifer is None:
                fields = {"annotator:string": [name] * len(drawing.geometry)}
            else:
                fields = {
                    "score:double": drawing.score.tolist(),
                    "species:string": _species(drawing.conifer),
                }
            _write_layer(plot, path, name, drawing.geometry, fields)
    finally:
        gdal.SetConfigOption("OGR_CURRENT_DATE", None)


def _species(conifer: Bools) -> list[str]:
    """Return the names of the species of crowns, (n,) True for conifers."""
    names: list[str] = np.where(conifer, "simulated conifer", "simulated broadleaf").tolist()
    return names


def _write_layer(
    plot: SamplePlot,
    path: Path,
    name: str,
    geometry: np.ndarray,
    fields: Mapping[str, Sequence[object]],
) -> None:
    """Write polygons as a table of a GeoPackage.

    Args:
        plot: the plot.
        path: the GeoPackage.
        name: name of the table.
        geometry: (n,) shapely polygons in the plot's CRS.
        fields: (n,) values of each field, by ``name:type`` as in the source of a memory layer. The
            field ``plot`` is added.
    """
    declarations = "&".join(f"field={field}" for field in ["plot:string", *fields])
    source = f"Polygon?crs={plot.parameters.crs}&{declarations}"
    layer = QgsVectorLayer(source, name, "memory")
    features = []
    for shape, *values in zip(
        to_qgs_geometries(geometry, as_multipolygons=False), *fields.values()
    ):
        feature = QgsFeature(layer.fields())
        feature.setGeometry(shape)
        feature.setAttributes([f"simulated_{plot.seed}", *values])
        features.append(feature)
    layer.dataProvider().addFeatures(features)
    write_layer(layer, path, name, _description(plot.seed))


def _description(seed: int) -> str:
    """Return the description that is stored in the files of a plot."""
    return f"Simulated by RandCrowns from seed {seed}: no tree here is real."


def write_cloud(
    path: Path, seed: int = SAMPLE_SEED, *, n_points: int = _POINTS, n_trees: int = _TREES
) -> Path:
    """Write the simulated point cloud of a seed, located east of the sample plot's image.

    Its trees are not those of the image.

    Args:
        path: the file, LAZ or LAS by its suffix.
        seed: seed of the simulation.
        n_points: number of points.
        n_trees: number of trees.

    Returns:
        The path. The points have the attributes TARGET_ATTRIBUTE and PREDICTION_ATTRIBUTE.
    """
    cloud = simulate_cloud(n_points, n_trees, seed=seed)
    parameters = read_parameters()
    west, north = parameters.upper_left
    crs = QgsCoordinateReferenceSystem(parameters.crs)
    wkt = crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT1_GDAL)

    header = laspy.LasHeader(version="1.4", point_format=6)
    header.creation_date = _DATE
    header.scales = np.full(3, 0.001)
    header.offsets = np.array([west + parameters.size + _GAP, north - parameters.size, 0])
    header.system_identifier = f"Simulated, seed {seed}"
    header.generating_software = "RandCrowns"
    header.global_encoding.wkt = True
    header.vlrs.append(laspy.vlrs.known.WktCoordinateSystemVlr(wkt))
    header.add_extra_dims(
        [
            laspy.ExtraBytesParams(name, np.int32)
            for name in (TARGET_ATTRIBUTE, PREDICTION_ATTRIBUTE)
        ]
    )

    points = laspy.LasData(header)
    points.xyz = cloud.xyz + header.offsets
    points.classification = cloud.classification
    points[TARGET_ATTRIBUTE] = cloud.target
    points[PREDICTION_ATTRIBUTE] = cloud.prediction
    points.write(str(path))
    return path
