"""Point clouds as LAS and LAZ files."""

from __future__ import annotations

import struct
from pathlib import Path

import laspy
import numpy as np
from laspy.vlrs.known import WktCoordinateSystemVlr

__all__ = [
    "NAMES",
    "OUTPUTS",
    "WKT",
    "declare_no_data",
    "labelled_cloud",
    "rename_in_record",
    "write_chunks_of_size_zero",
    "write_cloud",
]

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


def declare_no_data(path, name, form, number):
    """Set the number for no data and its bit in the record, as lidR does (LAS 1.4, table 24)."""
    data = bytearray(path.read_bytes())
    start = data.find(name.encode().ljust(32, b"\0")) - 4
    data[start + 3] |= 1
    struct.pack_into(form, data, start + 40, number)
    path.write_bytes(bytes(data))


def rename_in_record(path, old, new):
    """Rename an extra attribute in the record that describes it."""
    data = path.read_bytes()
    path.write_bytes(data.replace(old.encode().ljust(32, b"\0"), new.encode().ljust(32, b"\0"), 1))


def write_chunks_of_size_zero(folder: Path, xyz, attributes: dict) -> Path:
    """Write a LAZ file of three chunks of different sizes whose header states a chunk size of 0.

    LAStools writes 0 in COPC files; LASzip reads it as the number for variable sizes.
    """
    import lazrs

    flat = write_cloud(folder / "flat.las", xyz, attributes)
    points = laspy.read(str(flat)).points.array.tobytes()
    n_points = len(xyz)
    size = len(points) // n_points
    path = write_cloud(folder / "chunks.laz", xyz, attributes)
    data = bytearray(path.read_bytes())
    place = data.find(b"laszip encoded") + 52
    struct.pack_into("<I", data, place + 12, 2**32 - 1)
    record = bytes(data[place : place + 34 + 6 * struct.unpack_from("<H", data, place + 32)[0]])
    start = struct.unpack_from("<I", data, 96)[0]
    path.write_bytes(bytes(data[:start]))
    limits = (0, n_points // 3, 3 * n_points // 4, n_points)
    with path.open("r+b") as file:
        file.seek(start)
        compressor = lazrs.LasZipCompressor(file, lazrs.LazVlr(record))
        for first, last in zip(limits, limits[1:]):
            compressor.compress_many(np.frombuffer(points[first * size : last * size], np.uint8))
            if last < n_points:
                compressor.finish_current_chunk()
        compressor.done()
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, place + 12, 0)
    path.write_bytes(bytes(data))
    return path


def _type(values):
    return f"{values.shape[1]}{values.dtype.str[1:]}" if values.ndim == 2 else values.dtype
