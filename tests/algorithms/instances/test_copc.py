"""A COPC file: ``labelled.copc.laz``, the simulated cloud written by ``support.copc``."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import laspy
import numpy as np
import pytest
from qgis.core import QgsPointCloudLayer, QgsProject, QgsProviderRegistry
from support.clouds import labelled_cloud, write_cloud
from support.copc import write_copc
from support.shown import shows

FILE = Path(__file__).parents[2] / "data" / "labelled.copc.laz"


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
