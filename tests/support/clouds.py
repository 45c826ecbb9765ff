"""Point clouds as LAS and LAZ files."""

from __future__ import annotations

from pathlib import Path

import laspy
import numpy as np
from laspy.vlrs.known import WktCoordinateSystemVlr

__all__ = ["NAMES", "OUTPUTS", "WKT", "labelled_cloud", "write_cloud"]

#: Outputs of randcrowns:evaluatepointcloud, and the attributes of the files.
OUTPUTS = (
    "MATCHED_TARGETS",
    "MATCHED_PREDICTIONS",
    "SUMMARY",
    "METRICS",
    "PARTITIONS",
    "TREE_PARTITIONS",
    "PERFORMANCE",
)
NAMES = {"TARGET_ATTRIBUTE": "tree", "PREDICTION_ATTRIBUTE": "found"}

WKT = (
    'PROJCS["WGS 84 / UTM zone 17N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],'
    'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],'
    'PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",-81],PARAMETER["scale_factor",0.9996],'
    'PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1],AUTHORITY["EPSG","32617"]]'
)


def write_cloud(
    path: Path,
    xyz,
    attributes: dict,
    wkt: str = WKT,
    point_format: int = 6,
    scale: float = 0.001,
    corner=(500000.0, 3000000.0, 0.0),
) -> Path:
    """Write a file with attributes; those that are not standard become extra dimensions."""
    header = laspy.LasHeader(version="1.4", point_format=point_format)
    header.scales, header.offsets = [scale] * 3, list(corner)
    standard = set(header.point_format.dimension_names)
    extra = {
        name: np.asarray(values) for name, values in attributes.items() if name not in standard
    }
    header.add_extra_dims(
        [laspy.ExtraBytesParams(name, _type(values)) for name, values in extra.items()]
    )
    if wkt:
        header.global_encoding.wkt = True
        header.vlrs.append(WktCoordinateSystemVlr(wkt))
    cloud = laspy.LasData(header)
    cloud.xyz = np.asarray(xyz, dtype=float).reshape(-1, 3) + np.array(corner)
    for name, values in attributes.items():
        cloud[name] = values
    cloud.write(str(path))
    return path


def labelled_cloud():
    """Return four columns of 40 points, ten metres apart: found, cut in half, missed, predicted only.

    Returns:
        xyz, target, prediction; 40 points of ground at the end.
    """
    rng = np.random.default_rng(5)
    points, target, prediction = [], [], []
    for number in range(4):
        points.append(rng.uniform([10 * number, 0, 0], [10 * number + 3, 3, 5 + number], (40, 3)))
        target += [number if number < 3 else -1] * 40
        prediction += [[0] * 40, [1] * 20 + [2] * 20, [-1] * 40, [3] * 40][number]
    points.append(rng.uniform([0, 0, -0.1], [40, 5, 0], (40, 3)))
    none = [-1] * 40
    return (
        np.concatenate(points),
        np.array(target + none, np.int32),
        np.array(prediction + none, np.int32),
    )


def _type(values):
    return f"{values.shape[1]}{values.dtype.str[1:]}" if values.ndim == 2 else values.dtype
