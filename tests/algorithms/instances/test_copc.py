"""A COPC file: ``labelled.copc.laz``, the simulated cloud written by :func:`write_copc`."""

from __future__ import annotations

import importlib.util
import struct
from itertools import product
from pathlib import Path

import laspy
import numpy as np
import pytest
from laspy.vlrs.known import WktCoordinateSystemVlr
from qgis.core import QgsPointCloudLayer, QgsProject, QgsProviderRegistry
from support.clouds import labelled_cloud, write_cloud
from support.shown import shows

FILE = Path(__file__).parents[2] / "data" / "labelled.copc.laz"
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


def copc_layer():
    """The file as a layer of the project, where QGIS can show it."""
    if "copc" not in QgsProviderRegistry.instance().providerList():
        pytest.skip("this QGIS cannot show COPC files (it has no provider 'copc')")
    options = QgsPointCloudLayer.LayerOptions()
    options.skipStatisticsCalculation = (
        True  # QGIS counts in a thread, and aborted once as a layer went meanwhile
    )
    made = QgsPointCloudLayer(str(FILE), "plot of clouds", "copc", options)
    assert made.isValid()
    QgsProject.instance().addMapLayer(made)
    return made


def rows(path):
    cloud = laspy.read(str(path))
    return sorted(
        zip(*np.asarray(cloud.xyz).T.tolist(), cloud["tree"].tolist(), cloud["found"].tolist())
    )


def test_the_file_is_copc_and_holds_the_simulated_cloud(tmp_path):
    xyz, target, prediction = labelled_cloud()
    assert rows(FILE) == rows(
        write_cloud(tmp_path / "plot.laz", xyz, {"tree": target, "found": prediction})
    )
    assert len(laspy.CopcReader.open(str(FILE)).query()) == len(target)


def test_a_copc_file_is_evaluated(evaluate):
    done = evaluate(FILE)
    assert done.ok, done.error
    assert done.table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]
    assert done.layer("MATCHED_TARGETS").crs().authid() == "EPSG:32617"


@pytest.mark.parametrize("by", ["id", "name", "source"])
def test_a_copc_layer_is_evaluated(evaluate, qgis_new_project, by):
    done = evaluate(getattr(copc_layer(), by)())
    assert done.ok, done.refused + done.error
    assert done.table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]


def test_names_of_layers_reach_the_algorithm_in_every_version(evaluate):
    assert shows(evaluate("no such layer").refused, "cloud.not_a_cloud")


@pytest.mark.skipif(
    importlib.util.find_spec("copclib") is None,
    reason="copclib, which writes COPC, is not installed",
)
def test_a_file_just_made_is_evaluated(evaluate, tmp_path):
    xyz, target, prediction = labelled_cloud()
    plain = write_cloud(tmp_path / "plot.laz", xyz, {"tree": target, "found": prediction})
    made = write_copc(plain, tmp_path / "made.copc.laz")
    assert evaluate(made).table("MATCHED_TARGETS")["iou"].tolist() == [1.0, 0.5, 0.0]
