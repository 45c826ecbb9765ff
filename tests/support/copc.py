"""Writes a COPC file from a LAZ file with copclib, in Python that has it: ``python copc.py
plot.laz plot.copc.laz``.
"""

from __future__ import annotations

import struct
import sys
from itertools import product
from pathlib import Path

import laspy
import numpy as np
from laspy.vlrs.known import WktCoordinateSystemVlr

__all__ = ["write_copc"]

_BOUNDS, _INFO, _MADE_BY = 179, 429, 26


def write_copc(source: Path, path: Path) -> Path:
    """Every eighth point lies in the root of the tree, the others in its eight children."""
    import copclib

    las = laspy.read(str(source))
    header, xyz = las.header, np.asarray(las.xyz)
    records = np.asarray(las.points.array)
    given = copclib.LazReader(str(source)).laz_config
    scale, offset = copclib.Vector3(*header.scales), copclib.Vector3(*header.offsets)
    kind = header.point_format.id
    wkt = next(
        (record.string for record in header.vlrs if isinstance(record, WktCoordinateSystemVlr)), ""
    )
    config = copclib.CopcConfigWriter(kind, scale, offset, wkt, given.extra_bytes_vlr, False)
    writer = copclib.FileWriter(str(path), config)
    low, high = xyz.min(axis=0), xyz.max(axis=0)
    side = (high - low).max()
    root = np.arange(len(xyz)) % 8 == 0
    octant = xyz - low >= side / 2
    nodes = {
        (1, *child): ~root & (octant == child).all(axis=1) for child in product((0, 1), repeat=3)
    }
    for key, rows in {(0, 0, 0, 0): root, **nodes}.items():
        if rows.any():
            text = np.ascontiguousarray(records[rows]).tobytes().decode("latin-1")
            writer.AddNode(copclib.VoxelKey(*key), copclib.VectorChar(list(text)))
    writer.Close()
    # copclib leaves these empty.
    made = bytearray(path.read_bytes())
    struct.pack_into("<6d", made, _BOUNDS, *np.stack([high, low], axis=1).ravel())
    struct.pack_into("<5d", made, _INFO, *(low + side / 2), side / 2, side / 128)
    made[_MADE_BY : _MADE_BY + 64] = b"Simulated".ljust(32, b"\0") + b"RandCrowns".ljust(32, b"\0")
    path.write_bytes(bytes(made))
    return path


if __name__ == "__main__":
    write_copc(Path(sys.argv[1]), Path(sys.argv[2]))
