from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def tree_view(request, monkeypatch):
    """QGIS's double of a window has no view of layers, and QGIS 3.44 takes none but a real one."""
    if "qgis_iface" not in request.fixturenames and "run" not in request.fixturenames:
        return
    from qgis.core import QgsLayerTreeModel, QgsProject
    from qgis.gui import QgsLayerTreeView

    view = QgsLayerTreeView()
    view.setModel(QgsLayerTreeModel(QgsProject.instance().layerTreeRoot(), view))
    monkeypatch.setattr(request.getfixturevalue("qgis_iface"), "layerTreeView", lambda: view, raising=False)


@pytest.fixture
def evaluate(run):
    """Runs randcrowns:evaluatepointcloud on a file, or on what QGIS finds by a text."""
    from support.clouds import NAMES, OUTPUTS

    def evaluate_file(path, **parameters):
        return run("evaluatepointcloud", {"INPUT": str(path), **NAMES, **parameters}, outputs=OUTPUTS)

    return evaluate_file
