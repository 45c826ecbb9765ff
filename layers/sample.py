"""Simulated sample plot: files of an image, crowns and a point cloud, and layers of a project."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
from osgeo import gdal, osr
from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFillSymbol,
    QgsLayerTreeGroup,
    QgsMapLayer,
    QgsProject,
    QgsRasterLayer,
    QgsSimpleFillSymbolLayer,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)

from randcrowns.core.errors import InputError, MissingLibraryError
from randcrowns.core.sample import (
    DEFAULT_SEED,
    SampleParameters,
    SamplePlot,
    read_parameters,
    simulate_plot,
)
from randcrowns.core.sample.cloud import simulate_cloud
from randcrowns.layers.cloud.header import require_laspy
from randcrowns.layers.files.staging import write_layer
from randcrowns.layers.localization import tr
from randcrowns.layers.vector.geometry import to_qgs_geometries

#: Outline colours that are distinct with any colour vision, also on green (Okabe and Ito).
_COLOURS = {
    "annotator_1": "#e69f00",
    "annotator_2": "#56b4e9",
    "annotator_3": "#cc79a7",
    "annotator_4": "#f0e442",
    "field_polygons": "#0072b2",
    "detector": "#d55e00",
    "detector_2": "#009e73",
    "detector_3": "#999999",
}
#: Layer with the true crowns of the simulation.
_TRUE_CROWNS = "crowns"
#: Dotted second outline of the true crowns.
_DOTS = {"outline_color": "#ffffff", "outline_style": "dot", "outline_width": "0.7"}
#: Version of the plot's files. It changes with the plot's layers, so that files of an older version
#: are not used.
_EDITION = 4
#: Number of bands of the image.
_BANDS = 3
#: Layers that are visible when the plot is loaded, besides the image.
_VISIBLE_LAYERS = {_TRUE_CROWNS, "annotator_1", "annotator_2", "annotator_3", "annotator_4"}
#: Name of the file with the point cloud.
CLOUD_FILE_NAME = "cloud.laz"
#: Attribute of the cloud's points with the true tree.
TARGET_ATTRIBUTE = "tree_id"
#: Attribute of the cloud's points with the predicted tree.
PREDICTION_ATTRIBUTE = "predicted_id"
#: Custom property of every layer of a sample plot, with the plot's folder as value.
SAMPLE_PROPERTY = "randcrowns/sample"
_POINTS = 120_000
_TREES = 49
#: Distance between the image and the trees of the cloud, metres.
_GAP = 10.0


class SamplePaths(NamedTuple):
    """Files of a sample plot."""

    image: Path  #: GeoTIFF.
    crowns: Path  #: GeoPackage.
    layers: tuple[str, ...]  #: names of the tables of ``crowns``.
    cloud: Path  #: LAZ; missing if the libraries that write it are not installed.


def sample_folder(seed: int = DEFAULT_SEED) -> Path:
    """Return the folder of the sample plot of a seed, within the current QGIS profile."""
    profile = Path(QgsApplication.qgisSettingsDirPath())
    return profile / "randcrowns" / f"sample_{_EDITION}_seed_{seed}"


def write_plot(
    folder: str | Path, seed: int = DEFAULT_SEED, parameters: SampleParameters | None = None
) -> SamplePaths:
    """Simulate the sample plot of a seed and write its files.

    Args:
        folder: folder of the files; it is created, and existing files are replaced.
        seed: seed of the simulation.
        parameters: parameters of the simulation; by default those of the plugin.

    Returns:
        The paths of the files.

    Raises:
        InputError: if the files cannot be written.
    """
    plot = simulate_plot(seed, parameters)
    folder = Path(folder)
    paths = _paths(folder, tuple(plot.drawings))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as temporary_folder:
            temporary = _paths(Path(temporary_folder), paths.layers)
            _write_image(plot, temporary.image)
            _write_layers(plot, temporary.crowns)
            with suppress(MissingLibraryError):
                write_sample_cloud(temporary.cloud, seed)
                shutil.move(temporary.cloud, paths.cloud)
            shutil.move(temporary.image, paths.image)
            shutil.move(temporary.crowns, paths.crowns)
    except (OSError, RuntimeError, InputError) as error:  # GDAL may raise RuntimeError
        raise InputError(
            "sample.not_written",
            "The sample plot cannot be written to {folder}: {error}. Choose another folder.",
            folder=folder,
            error=error,
        ) from error
    return paths


def load_plot(
    project: QgsProject, folder: str | Path | None = None, seed: int = DEFAULT_SEED
) -> QgsLayerTreeGroup:
    """Add the sample plot to a project, as a group at the top of the layer tree.

    A plot that is already in the project stays as it is. The CRS of an empty project is set.

    Args:
        project: the project.
        folder: folder of the plot's files, which are written if they are missing or broken; by
            default :func:`sample_folder`.
        seed: seed of the simulation.

    Returns:
        The group with the plot's layers.

    Raises:
        InputError: if the files cannot be written or read.
    """
    folder = sample_folder(seed) if folder is None else Path(folder)
    existing_group = _find_group(project, folder)
    if existing_group is not None:
        return existing_group

    paths = _paths(folder, tuple(_COLOURS))
    layers = _open_layers(paths)
    if any(_is_broken(layer) for layer in layers):
        layers.clear()  # Windows cannot replace files that are open
        layers = _open_layers(write_plot(folder, seed))
    for layer in layers:
        if _is_broken(layer):
            raise InputError(
                "sample.unreadable",
                "The layer {layer} of the sample plot in {folder} cannot be read: it is empty or "
                "lacks its coordinate system, although it was just written. Is the disk full, or "
                "QGIS's installation damaged?",
                layer=layer.name(),
                folder=folder,
            )
        _describe(layer, seed, folder)

    image = layers[-1]
    if not project.mapLayers():
        project.setCrs(image.crs())
    group = project.layerTreeRoot().insertGroup(
        0, tr("Sample plot (simulated, seed {seed})", seed=seed)
    )
    project.addMapLayers(layers, False)
    for layer in layers:
        node = group.addLayer(layer)
        node.setExpanded(False)
        node.setItemVisibilityChecked(layer.name() in _VISIBLE_LAYERS or layer is image)
    return group


def _open_layers(paths: SamplePaths) -> list[QgsMapLayer]:
    """Return the layers of a plot's files with their symbols, the image last."""
    layers: list[QgsMapLayer] = []
    for name in paths.layers:
        layer = QgsVectorLayer(f"{paths.crowns}|layername={name}", name, "ogr")
        _set_symbols(layer)
        layers.append(layer)
    layers.append(QgsRasterLayer(str(paths.image), "image"))
    return layers


def _is_broken(layer: QgsMapLayer) -> bool:
    """Return True if a layer of the plot is unreadable, incomplete or in another CRS."""
    if not layer.isValid() or layer.crs() != QgsCoordinateReferenceSystem(read_parameters().crs):
        return True
    if isinstance(layer, QgsVectorLayer):
        n_crowns = sum(1 for feature in layer.getFeatures() if not feature.geometry().isEmpty())
        return n_crowns == 0 or n_crowns != layer.featureCount()
    return (
        layer.bandCount() != _BANDS
        or not layer.dataProvider().block(1, layer.extent(), 8, 8).isValid()
    )


def _paths(folder: Path, drawings: tuple[str, ...]) -> SamplePaths:
    """Return the paths of a plot in a folder; ``drawings`` are the layers besides the crowns."""
    return SamplePaths(
        folder / "image.tif",
        folder / "crowns.gpkg",
        (_TRUE_CROWNS, *drawings),
        folder / CLOUD_FILE_NAME,
    )


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
    species = np.where(plot.conifer, "simulated conifer", "simulated broadleaf")
    fields = {"height:double": plot.height.tolist(), "species:string": species.tolist()}
    _write_layer(plot, path, _TRUE_CROWNS, plot.crowns, fields)
    for name, (geometry, score) in plot.drawings.items():
        if score is None:
            fields = {"annotator:string": [name] * len(geometry)}
        else:
            fields = {"score:double": score.tolist()}
        _write_layer(plot, path, name, geometry, fields)


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
    """Return the description that is stored in the files of a plot, in English."""
    return f"Simulated by RandCrowns from seed {seed}: no tree here is real."


def _set_symbols(layer: QgsVectorLayer) -> None:
    """Set the outlines of a layer: a colour per annotator, white dots on dark for true crowns."""
    style = {"style": "no", "outline_width_unit": "MM", "outline_width": "0.5"}
    symbol = QgsFillSymbol.createSimple(
        {**style, "outline_color": _COLOURS.get(layer.name(), "#333333")}
    )
    if layer.name() == _TRUE_CROWNS:
        symbol.appendSymbolLayer(QgsSimpleFillSymbolLayer.create({**style, **_DOTS}))
    if layer.isValid():
        layer.setRenderer(QgsSingleSymbolRenderer(symbol))


def _describe(layer: QgsMapLayer, seed: int, folder: Path) -> None:
    """Set the metadata of a layer, and mark it as a layer of the sample plot in a folder."""
    metadata = layer.metadata()
    metadata.setTitle(tr("{layer} (simulated, seed {seed})", layer=layer.name(), seed=seed))
    metadata.setAbstract(
        tr("Simulated by RandCrowns from seed {seed}: no tree here is real.", seed=seed)
    )
    layer.setMetadata(metadata)
    layer.setCustomProperty(SAMPLE_PROPERTY, str(folder))


def _find_group(project: QgsProject, folder: Path) -> QgsLayerTreeGroup | None:
    """Return the group of the sample plot in a folder, or None if the project lacks the plot."""
    for layer in project.mapLayers().values():
        if layer.customProperty(SAMPLE_PROPERTY) == str(folder):
            node = project.layerTreeRoot().findLayer(layer.id())
            if node is not None and isinstance(node.parent(), QgsLayerTreeGroup):
                return node.parent()
    return None


def write_sample_cloud(
    path: Path, seed: int = DEFAULT_SEED, *, n_points: int = _POINTS, n_trees: int = _TREES
) -> Path:
    """Write the simulated point cloud of a seed, located east of the sample plot's image.

    Its trees are not those of the image.

    Args:
        path: the file, LAZ or LAS by its suffix.
        seed: seed of the simulation.
        n_points: number of points.
        n_trees: number of trees.

    Returns:
        The path. The points have the attributes :data:`TARGET_ATTRIBUTE` and
        :data:`PREDICTION_ATTRIBUTE`.

    Raises:
        MissingLibraryError: if laspy or lazrs is not installed.
    """
    laspy = require_laspy()
    cloud = simulate_cloud(n_points, n_trees, seed=seed)
    parameters = read_parameters()
    west, north = parameters.upper_left
    crs = QgsCoordinateReferenceSystem(parameters.crs)
    wkt = crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT1_GDAL)

    header = laspy.LasHeader(version="1.4", point_format=6)
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


def sample_clouds(project: QgsProject) -> list[Path]:
    """Return the existing point cloud files of the sample plots in a project, sorted."""
    marks = [layer.customProperty(SAMPLE_PROPERTY) for layer in project.mapLayers().values()]
    folders = sorted({str(mark) for mark in marks if mark})
    files = [Path(folder) / CLOUD_FILE_NAME for folder in folders]
    return [file for file in files if _is_file(file)]


def _is_file(path: Path) -> bool:
    """Return True if a path is a file; False for an invalid name, which projects may contain."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
