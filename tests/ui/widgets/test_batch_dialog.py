"""QGIS's own batch dialog runs the algorithms row by row."""

from __future__ import annotations

import pytest
from qgis.core import Qgis, QgsApplication, QgsVectorLayer
from support.layers import TARGET_BOXES, box_layer
from support.processing import without_window

pytestmark = pytest.mark.skipif(
    Qgis.QGIS_VERSION_INT >= 32400, reason="this QGIS runs the rows of the dialog in the background"
)

NAMES = ("scorecrowns", "compareannotators", "consensus", "evaluateinstances", "rankdetectors")


@pytest.fixture
def batch_dialog(algorithms, project, monkeypatch):
    """The batch dialog of an algorithm."""
    without_window(monkeypatch)
    from processing.gui import BatchAlgorithmDialog, BatchPanel

    for module in (BatchAlgorithmDialog, BatchPanel):
        monkeypatch.setattr(module, "iface", None, raising=False)
    dialogs = []

    def show(name):
        algorithm = QgsApplication.processingRegistry().createAlgorithmById(f"randcrowns:{name}")
        dialogs.append(BatchAlgorithmDialog.BatchAlgorithmDialog(algorithm))
        return dialogs[-1]

    yield show
    for dialog in dialogs:
        dialog.deleteLater()


@pytest.mark.parametrize("name", NAMES)
def test_a_row_has_the_defaults_of_the_algorithm(batch_dialog, name):
    panel = batch_dialog(name).mainWidget()
    panel.addRow()
    values, _ = panel.parametersForRow(0, warnOnInvalid=False)
    algorithm = panel.alg
    for definition in algorithm.parameterDefinitions():
        default = definition.defaultValue()
        if definition.name() in values and isinstance(default, (int, float)):
            assert values[definition.name()] == default, definition.name()


def test_rows_are_run_one_after_another(batch_dialog, project, tmp_path):
    layers = [box_layer(name, TARGET_BOXES) for name in ("targets", "drawn")]
    project.addMapLayers(layers)
    dialog = batch_dialog("scorecrowns")
    panel = dialog.mainWidget()
    panel.addRow(2)
    outputs = [tmp_path / f"scored_{row}.gpkg" for row in range(2)]
    for row, output in enumerate(outputs):
        panel.wrappers[row][panel.parameter_to_column["TARGETS"]].setParameterValue(
            layers[0].id(), panel.processing_context
        )
        panel.wrappers[row][panel.parameter_to_column["DELINEATIONS"]].setParameterValue(
            [layers[1].id()], panel.processing_context
        )
        cell = panel.parameter_to_column["SCORED_TARGETS"]
        panel.tblParameters.cellWidget(row + 1, cell).setValue(str(output))
    dialog.runAlgorithm()
    for output in outputs:
        layer = QgsVectorLayer(str(output), "scored", "ogr")
        assert layer.featureCount() == len(TARGET_BOXES)
