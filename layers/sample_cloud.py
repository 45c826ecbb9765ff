"""The simulated point cloud of the sample plot, as a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsProject

from randcrowns.core.sample import DEFAULT_SEED, read_parameters
from randcrowns.core.sample.cloud import sample_cloud
from randcrowns.layers.cloud_head import require_laspy

__all__ = ["CLOUD", "PREDICTION", "SAMPLE_MARK", "TARGET", "sample_clouds", "write_sample_cloud"]

#: Name of the file, and of its two attributes.
CLOUD = "cloud.laz"
TARGET, PREDICTION = "tree_id", "predicted_id"
#: Property of every layer of a sample plot: its folder.
SAMPLE_MARK = "randcrowns/sample"
_POINTS, _TREES = 120_000, 49
#: Room between the image and the trees, metres.
_GAP = 10.0


def write_sample_cloud(path: Path, seed: int = DEFAULT_SEED, *, n_points: int = _POINTS, n_trees: int = _TREES) -> Path:
    """Write the simulated cloud of a seed as LAZ (or LAS, by the ending), east of the sample plot's image.

    Its trees are not those of the image.

    Raises:
        InputError: for fewer points than trees.
        MissingLibraryError: if laspy or lazrs is not installed.
        OSError: if the file cannot be written.
    """
    laspy = require_laspy()
    cloud = sample_cloud(n_points, n_trees, seed=seed)
    parameters = read_parameters()
    west, north = parameters.upper_left
    header = laspy.LasHeader(version="1.4", point_format=6)
    header.scales, header.offsets = (
        np.full(3, 0.001),
        np.array([west + parameters.size + _GAP, north - parameters.size, 0]),
    )
    header.system_identifier, header.generating_software = f"Simulated, seed {seed}", "RandCrowns"
    header.global_encoding.wkt = True
    crs = QgsCoordinateReferenceSystem(parameters.crs)
    text = crs.toWkt(QgsCoordinateReferenceSystem.WKT1_GDAL)
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
    return [path for path in (Path(folder) / CLOUD for folder in folders) if path.is_file()]
