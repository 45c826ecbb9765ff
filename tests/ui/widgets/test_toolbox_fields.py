"""Fields of several layers are chosen from combos in the toolbox's own dialogs, and can be
typed too.
"""

from __future__ import annotations

import weakref

import pytest
from qgis.core import QgsApplication, QgsProcessingContext, QgsProcessingModelAlgorithm
from qgis.gui import QgsProcessingModelerParameterWidget
from qgis.PyQt.QtWidgets import QComboBox
from support.layers import TARGET_BOXES, box_layer
from support.processing import without_window

FIELDS = "&field=plotID:string&field=score:double"


@pytest.fixture
def layers(project):
    made = [
        box_layer("anna", TARGET_BOXES, fields="&field=annotator:string&field=plotID:string"),
        box_layer("boxes", TARGET_BOXES, fields=FIELDS),
    ]
    project.addMapLayers(made)
    return [layer.id() for layer in made]


@pytest.fixture
def parameters_panel(algorithms, project, monkeypatch):
    """Of an algorithm of ours, as Processing's dialog shows it."""
    shown, dialogs = without_window(monkeypatch), []

    def show(name):
        algorithm = QgsApplication.processingRegistry().createAlgorithmById(f"randcrowns:{name}")
        dialogs.append(shown.AlgorithmDialog(algorithm))
        return dialogs[-1].mainWidget()

    yield show
    for dialog in dialogs:
        dialog.deleteLater()


@pytest.mark.parametrize(
    ("algorithm", "of", "field", "offered"),
    [
        ("rankdetectors", "DETECTORS", "SCORE_FIELD", ["", "score"]),
        ("rankdetectors", "ANNOTATORS", "PLOT_FIELD", ["", "annotator", "plotID", "score"]),
        (
            "compareannotators",
            "ANNOTATORS",
            "ANNOTATOR_FIELD",
            ["", "annotator", "plotID", "score"],
        ),
        ("consensus", "ANNOTATORS", "ANNOTATOR_FIELD", ["", "annotator", "plotID", "score"]),
        ("tuneparameters", "ANNOTATORS", "PLOT_FIELD", ["", "annotator", "plotID", "score"]),
        ("annotatorvariance", "ANNOTATORS", "PLOT_FIELD", ["", "annotator", "plotID", "score"]),
        ("scorecrowns", "DELINEATIONS", "SCORE_FIELD", ["", "score"]),
    ],
)
def test_the_fields_of_the_layers_picked_are_offered(
    layers, parameters_panel, algorithm, of, field, offered
):
    panel = parameters_panel(algorithm)
    definition = panel.algorithm().parameterDefinition(field)
    box = panel.wrappers[field].wrappedWidget()
    assert isinstance(box, QComboBox)
    assert box.currentText() == (definition.defaultValue() or "")
    panel.wrappers[of].setParameterValue(layers, panel.processing_context)
    assert [box.itemText(number) for number in range(box.count())] == offered
    box.setCurrentIndex(1)
    assert panel.wrappers[field].parameterValue() == offered[1]
    box.setCurrentText("of a file")
    panel.wrappers[of].setParameterValue(layers[:1], panel.processing_context)
    assert panel.wrappers[field].parameterValue() == "of a file"


def test_a_model_has_a_field_for_texts_as_before(algorithms, project):
    from processing.gui.wrappers import WidgetWrapperFactory

    class ModelerParametersDialog:
        model, childId, context = QgsProcessingModelAlgorithm(), "", QgsProcessingContext()  # noqa: N815 - Processing's name

    definition = QgsApplication.processingRegistry().algorithmById("randcrowns:tuneparameters")
    wrapper = WidgetWrapperFactory.create_wrapper(
        definition.parameterDefinition("PLOT_FIELD"), ModelerParametersDialog()
    )
    assert isinstance(wrapper, QgsProcessingModelerParameterWidget)


def test_targets_and_predictions_are_not_one_layer_by_default(layers, parameters_panel):
    panel = parameters_panel("evaluateinstances")
    given = [panel.wrappers[name].parameterValue() for name in ("TARGETS", "PREDICTIONS")]
    assert sorted(given) == sorted(layers)


def test_the_box_lives_as_long_as_its_field(parameters_panel):
    """QGIS takes the box from Python without holding it; freed, it would crash the dialog."""
    shown = parameters_panel("scorecrowns").wrappers["SCORE_FIELD"]
    field = type(shown)(shown.parameterDefinition(), None)
    made = weakref.ref(field.createWidget())
    assert made() is not None
