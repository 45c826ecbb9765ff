"""The simulated sample plot as files and as layers of a project."""

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
    make_plot,
    read_parameters,
)
from randcrowns.core.sample.cloud import sample_cloud
from randcrowns.layers.cloud.head import require_laspy
from randcrowns.layers.files.staged import write_layer
from randcrowns.layers.vector.geometry import to_qgs_geometries
from randcrowns.layers.words import tr

#: Colours that people with any colour vision tell apart, also on a green image (Okabe and Ito).
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
_TRUE_CROWNS, _DOTS = (
    "crowns",
    {"outline_color": "#ffffff", "outline_style": "dot", "outline_width": "0.7"},
)
#: Raised whenever the plot gets other layers, so that an older one on disk is not taken for it.
_EDITION = 4
_BANDS = 3
_SHOWN_AT_FIRST = {_TRUE_CROWNS, "annotator_1", "annotator_2", "annotator_3", "annotator_4"}


class SamplePaths(NamedTuple):
    """The files of a sample plot: ``image`` (GeoTIFF), ``crowns`` (GeoPackage of ``layers``) and ``cloud`` (LAZ).

    There is no cloud where the libraries that write it are not installed.
    """

    image: Path
    crowns: Path
    layers: tuple[str, ...]
    cloud: Path


def sample_folder(seed: int = DEFAULT_SEED) -> Path:
    """Where "Load sample data" keeps the plot of a seed: beside QGIS's own settings."""
    return (
        Path(QgsApplication.qgisSettingsDirPath()) / "randcrowns" / f"sample_{_EDITION}_seed_{seed}"
    )


def write_plot(
    folder: str | Path, seed: int = DEFAULT_SEED, parameters: SampleParameters | None = None
) -> SamplePaths:
    """Make the sample plot of a seed, with the shipped parameters by default, and write it, over an earlier one."""
    plot = make_plot(seed, parameters)
    folder = Path(folder)
    paths = _paths(folder, tuple(plot.drawings))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as unfinished:
            made = _paths(Path(unfinished), paths.layers)
            _write_image(plot, made.image)
            _write_layers(plot, made.crowns)
            with suppress(MissingLibraryError):
                write_sample_cloud(made.cloud, seed)
                shutil.move(made.cloud, paths.cloud)
            shutil.move(made.image, paths.image)
            shutil.move(made.crowns, paths.crowns)
    except (OSError, RuntimeError, InputError) as error:  # GDAL may raise the second
        raise InputError(
            "The sample plot cannot be written to {folder}: {error}. Choose another folder.",
            folder=folder,
            error=error,
        ) from error
    return paths


def load_plot(
    project: QgsProject, folder: str | Path | None = None, seed: int = DEFAULT_SEED
) -> QgsLayerTreeGroup:
    """Add the sample plot to a project as one group, on top; a plot that is there already stays as it is.

    It is read from the folder, :func:`sample_folder` by default, and written there when absent.
    """
    folder = sample_folder(seed) if folder is None else Path(folder)
    there = _group_of(project, folder)
    if there is not None:
        return there
    paths = _paths(folder, tuple(_COLOURS))
    layers = _opened(paths)
    if any(map(_is_broken, layers)):
        layers.clear()  # files that are open cannot be replaced everywhere
        layers = _opened(write_plot(folder, seed))
    for layer in layers:
        if _is_broken(layer):
            said = (
                "The layer {layer} of the sample plot cannot be read from {folder}, written anew: it is empty, or "
                "without its coordinate system. Is the disk full, or QGIS's installation damaged?"
            )
            raise InputError(said, layer=layer.name(), folder=folder)
        _describe(layer, seed, folder)
    if not project.mapLayers():
        project.setCrs(layers[-1].crs())
    group = project.layerTreeRoot().insertGroup(
        0, tr("Sample plot (simulated, seed {seed})", seed=seed)
    )
    project.addMapLayers(layers, False)
    for layer in layers:
        node = group.addLayer(layer)
        node.setExpanded(False)
        node.setItemVisibilityChecked(layer.name() in _SHOWN_AT_FIRST or layer is layers[-1])
    return group


def _opened(paths: SamplePaths) -> list[QgsMapLayer]:
    return [
        *(
            _styled(QgsVectorLayer(f"{paths.crowns}|layername={name}", name, "ogr"))
            for name in paths.layers
        ),
        QgsRasterLayer(str(paths.image), "image"),
    ]


def _is_broken(layer: QgsMapLayer) -> bool:
    """Whether a layer is not what was written: not there, empty, or not where the plot lies."""
    if not layer.isValid() or layer.crs() != QgsCoordinateReferenceSystem(read_parameters().crs):
        return True
    if isinstance(layer, QgsVectorLayer):
        read = sum(1 for feature in layer.getFeatures() if not feature.geometry().isEmpty())
        return read == 0 or read != layer.featureCount()
    return (
        layer.bandCount() != _BANDS
        or not layer.dataProvider().block(1, layer.extent(), 8, 8).isValid()
    )


def _paths(folder: Path, drawings: tuple[str, ...]) -> SamplePaths:
    return SamplePaths(
        folder / "image.tif", folder / "crowns.gpkg", (_TRUE_CROWNS, *drawings), folder / CLOUD
    )


def _write_image(plot: SamplePlot, path: Path) -> None:
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
    system = osr.SpatialReference()
    system.SetFromUserInput(plot.parameters.crs)
    raster.SetProjection(system.ExportToWkt())
    raster.SetMetadata(
        {"TIFFTAG_IMAGEDESCRIPTION": _about(plot.seed), "TIFFTAG_SOFTWARE": "RandCrowns"}
    )
    for band in range(bands):
        raster.GetRasterBand(band + 1).WriteArray(plot.image[..., band])
    raster.FlushCache()


def _write_layers(plot: SamplePlot, path: Path) -> None:
    kind = np.where(plot.conifer, "simulated conifer", "simulated broadleaf")
    fields = {"height:double": plot.height.tolist(), "species:string": kind.tolist()}
    _write_layer(plot, path, _TRUE_CROWNS, plot.crowns, fields)
    for name, (geometry, score) in plot.drawings.items():
        drawn_by = {"annotator:string": [name] * len(geometry)}
        _write_layer(
            plot,
            path,
            name,
            geometry,
            drawn_by if score is None else {"score:double": score.tolist()},
        )


def _write_layer(
    plot: SamplePlot,
    path: Path,
    name: str,
    geometry: np.ndarray,
    fields: Mapping[str, Sequence[object]],
) -> None:
    wanted = "&".join(f"field={field}" for field in ["plot:string", *fields])
    layer = QgsVectorLayer(f"Polygon?crs={plot.parameters.crs}&{wanted}", name, "memory")
    features = []
    for shape, *values in zip(to_qgs_geometries(geometry, multi=False), *fields.values()):
        feature = QgsFeature(layer.fields())
        feature.setGeometry(shape)
        feature.setAttributes([f"simulated_{plot.seed}", *values])
        features.append(feature)
    layer.dataProvider().addFeatures(features)
    write_layer(layer, path, name, _about(plot.seed))


def _about(seed: int) -> str:
    return f"Simulated by RandCrowns from seed {seed}: no tree here is real."


def _styled(layer: QgsVectorLayer) -> QgsVectorLayer:
    """Outlines only; the true crowns dotted, white on dark, every labeler in a colour of their own."""
    style = {"style": "no", "outline_width_unit": "MM", "outline_width": "0.5"}
    symbol = QgsFillSymbol.createSimple(
        {**style, "outline_color": _COLOURS.get(layer.name(), "#333333")}
    )
    if layer.name() == _TRUE_CROWNS:
        symbol.appendSymbolLayer(QgsSimpleFillSymbolLayer.create({**style, **_DOTS}))
    if layer.isValid():
        layer.setRenderer(QgsSingleSymbolRenderer(symbol))
    return layer


def _describe(layer: QgsMapLayer, seed: int, folder: Path) -> None:
    metadata = layer.metadata()
    metadata.setTitle(tr("{layer} (simulated, seed {seed})", layer=layer.name(), seed=seed))
    metadata.setAbstract(
        tr("Simulated by RandCrowns from seed {seed}: no tree here is real.", seed=seed)
    )
    layer.setMetadata(metadata)
    layer.setCustomProperty(SAMPLE_MARK, str(folder))


def _group_of(project: QgsProject, folder: Path) -> QgsLayerTreeGroup | None:
    for layer in project.mapLayers().values():
        if layer.customProperty(SAMPLE_MARK) == str(folder):
            node = project.layerTreeRoot().findLayer(layer.id())
            if node is not None and isinstance(node.parent(), QgsLayerTreeGroup):
                return node.parent()
    return None


#: Name of the file, and of its two attributes.
CLOUD = "cloud.laz"
TARGET, PREDICTION = "tree_id", "predicted_id"
#: Property of every layer of a sample plot: its folder.
SAMPLE_MARK = "randcrowns/sample"
_POINTS, _TREES = 120_000, 49
#: Room between the image and the trees, metres.
_GAP = 10.0


def write_sample_cloud(
    path: Path, seed: int = DEFAULT_SEED, *, n_points: int = _POINTS, n_trees: int = _TREES
) -> Path:
    """Write the simulated cloud of a seed as LAZ (or LAS, by the ending), east of the sample plot's image.

    Its trees are not those of the image.
    """
    laspy = require_laspy()
    cloud = sample_cloud(n_points, n_trees, seed=seed)
    parameters = read_parameters()
    west, north = parameters.upper_left
    header = laspy.LasHeader(version="1.4", point_format=6)
    header.scales = np.full(3, 0.001)
    header.offsets = np.array([west + parameters.size + _GAP, north - parameters.size, 0])
    header.system_identifier, header.generating_software = f"Simulated, seed {seed}", "RandCrowns"
    header.global_encoding.wkt = True
    crs = QgsCoordinateReferenceSystem(parameters.crs)
    text = crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT1_GDAL)
    header.vlrs.append(laspy.vlrs.known.WktCoordinateSystemVlr(text))
    header.add_extra_dims([laspy.ExtraBytesParams(name, np.int32) for name in (TARGET, PREDICTION)])
    points = laspy.LasData(header)
    points.xyz = cloud.xyz + header.offsets
    points.classification = cloud.classification
    points[TARGET], points[PREDICTION] = cloud.target, cloud.prediction
    points.write(str(path))
    return path


def sample_clouds(project: QgsProject) -> list[Path]:
    """The simulated clouds that belong to the sample plots in a project."""
    marks = (layer.customProperty(SAMPLE_MARK) for layer in project.mapLayers().values())
    folders = sorted({str(mark) for mark in marks if mark})
    return [path for path in (Path(folder) / CLOUD for folder in folders) if _is_file(path)]


def _is_file(path: Path) -> bool:
    found = False
    with suppress(OSError, ValueError):  # a name that no file can have
        found = path.is_file()
    return found
