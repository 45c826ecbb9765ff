"""The dock's rows are the toolbox's parameters; a choice or an output that is declared is
everywhere.
"""

from __future__ import annotations

import pandas as pd
import pytest
from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsGeometry,
    QgsProcessingContext,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingProvider,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QPoint, Qt
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QComboBox, QLabel, QListWidget, QRadioButton, QWidget
from support.processing import Listener
from support.qt import spin, wait_until

from randcrowns.algorithms.algorithm_catalogue import REPORT
from randcrowns.algorithms.crown_algorithm import CrownAlgorithm, RunResults
from randcrowns.algorithms.layer_parameters import CrsParameter, FileParameter
from randcrowns.algorithms.number_list import NumberListParameter
from randcrowns.algorithms.output_types import Column, Output, ValueOutput
from randcrowns.algorithms.parameter_types import BooleanParameter, FloatParameter
from randcrowns.layers.vector.tables import read_attributes
from randcrowns.ui.services.message_bar import MessageBar
from randcrowns.ui.services.run_outcome import add_result_layers
from randcrowns.ui.services.runner import PageRuns
from randcrowns.ui.services.settings import Settings, read_parameters, write_parameters
from randcrowns.ui.widgets.parameter_form import FormGroup, ParameterForm
from randcrowns.ui.widgets.table_model import table_columns

#: Algorithms that a page runs with the choices of its forms.
_ALGORITHMS = {
    "score": ("scorecrowns",),
    "annotators": ("compareannotators", "consensus"),
    "detectors": ("rankdetectors",),
    "instances": ("evaluateinstances", "evaluatepointcloud"),
    "parameters": ("tuneparameters",),
}
#: Choices of the dock alone: where results go, and which of two algorithms runs.
_OF_THE_DOCK = {"destination", "file", "kind", "raster", "replace_last", "selected_only"}


@pytest.fixture
def dock(project, one_dock):
    return one_dock


@pytest.fixture(params=_ALGORITHMS)
def rows(request, dock):
    """Per choice of a page: the form that edits it, and its Processing parameters."""
    page = dock.show_page(request.param)
    provider = QgsApplication.processingRegistry().providerById("randcrowns")
    found = {}
    for form in (page.form, *page.results.findChildren(ParameterForm)):
        for choice in form.parameters:
            own = [
                name
                for name in _ALGORITHMS[page.key]
                if choice in provider.algorithm(name).declared_parameters
            ]
            assert own or choice.name in _OF_THE_DOCK, choice.name
            if own:
                algorithm = provider.algorithm(own[0])
                found[choice] = form, [algorithm.parameterDefinition(one) for one in choice.ids]
    missing = {
        c.name
        for name in _ALGORITHMS[page.key]
        for c in provider.algorithm(name).declared_parameters
        if c not in found
    }
    assert missing == set()
    return found


def widgets_of(form, choice):
    """The field of a choice, and what it is made of."""
    return [form.field(choice), *form.field(choice).findChildren(QWidget)]


def test_every_label_and_help_in_the_dock_is_the_toolboxs(rows):
    for choice, (form, definitions) in rows.items():
        labels = [form.label(choice)] if form.label(choice) else form.findChildren(QLabel)
        words = [label.text() for label in labels]
        described = definitions[0].description()
        several = definitions[0].type() == "band"  # one row for the three
        begins = {
            one: (f"{one} (", f"{one[:-1]}, ") for one in words if one
        }  # a unit may follow, in brackets
        named = any(
            described == one or described.startswith(begin) for one, begin in begins.items()
        )
        assert several or named, choice.name
        helps = [one.toolTip() for one in widgets_of(form, choice)]
        assert any(one.help() and one.help() in told for one in definitions for told in helps), (
            choice.name
        )


def test_every_range_default_and_option_in_the_dock_is_the_toolboxs(rows):
    seen = set()
    for choice, (form, (definition, *_)) in rows.items():
        field, kind = form.field(choice), definition.type()
        seen.add(kind)
        if kind == "number":
            assert (field.minimum(), field.maximum()) == (
                definition.minimum(),
                definition.maximum(),
            ), choice.name
            assert field.suffix().strip() == choice.unit, choice.name
            assert choice.unit in definition.description(), choice.name
        if isinstance(choice, NumberListParameter):
            ends = [(box.minimum(), box.maximum()) for box in field.boxes]
            assert ends == [(least, choice.maximum) for least in choice.minimums], choice.name
        if kind == "enum":
            assert option_labels(field) == definition.options(), choice.name
        with_default = kind in ("number", "enum", "boolean") or isinstance(
            choice, NumberListParameter
        )
        if with_default and definition.defaultValue() is not None:
            (shown,) = choice.to_processing(form.settings()[choice]).values()
            assert shown == definition.defaultValue(), choice.name
    assert seen & {"number", "enum"}


def test_the_choice_beside_the_gallery_is_the_toolboxs(dock):
    gallery = dock.show_page("parameters").results.gallery
    definition = (
        QgsApplication.processingRegistry()
        .algorithmById("randcrowns:annotatorvariance")
        .parameterDefinition("EXAMPLES")
    )
    assert (gallery.count_box.minimum(), gallery.count_box.maximum()) == (
        definition.minimum(),
        definition.maximum(),
    )
    assert gallery.count_box.value() == definition.defaultValue()
    assert definition.description() in [label.text() for label in gallery.findChildren(QLabel)]


def option_labels(field):
    """The options that a field offers."""
    if isinstance(field, (QComboBox, QListWidget)):
        model = field.model()
        return [model.index(row, 0).data() for row in range(model.rowCount())]
    return [button.text() for button in field.findChildren(QRadioButton)]


def test_no_label_is_cut_in_a_narrow_dock(dock):
    dock.setFloating(True)
    dock.resize(300, 900)
    for key in _ALGORITHMS:
        form = dock.show_page(key).form
        for box in form.group_boxes:
            box.setCollapsed(False)
        spin()
        for choice in form.parameters:
            label = form.label(choice)
            if label is not None and label.isVisible():
                assert label.height() >= label.heightForWidth(label.width()), (key, choice.name)


def test_words_beside_a_check_box_are_clicked_like_it(qgis_app):
    flag = BooleanParameter("sure", "Are you sure?", "Of nothing.")
    form = ParameterForm((FormGroup("", (flag,)),))
    form.resize(300, 100)
    label = form.label(flag)
    middle, outside = label.rect().center(), label.rect().bottomRight() + QPoint(40, 40)
    QTest.mouseClick(label, Qt.MouseButton.RightButton, pos=middle)
    QTest.mousePress(label, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseRelease(label, Qt.MouseButton.LeftButton, pos=outside)
    assert form.settings()[flag] is False
    QTest.mouseClick(label, Qt.MouseButton.LeftButton, pos=middle)
    assert form.settings()[flag] is True


# A choice and outputs that no other code knows

INVENTED = FloatParameter(
    "invented", "Invented length", "Nothing else asks for it.", 2.5, minimum=1, maximum=9, unit="m"
)
SMALL = Output(
    "SMALL", "Small table", columns=(Column("length", "Length", "As chosen.", unit="m", digits=1),)
)
SQUARE = Output(
    "SQUARE",
    "Invented square",
    "Of the length chosen.",
    "polygons",
    columns=(Column("area", "Area", "Of the square.", unit="m²"),),
    style=lambda layer, others: layer.setOpacity(others["TENTH"]),
    is_visible=False,
    is_expanded=True,
)


class InventedAlgorithm(CrownAlgorithm):
    """Makes a square of the length chosen."""

    entry = REPORT._replace(key="invented", label="Invented")
    declared_parameters, outputs, value_outputs = (
        (INVENTED,),
        (SQUARE, SMALL),
        (ValueOutput("TENTH", "A tenth of the length"),),
    )

    def read_settings(self, given):
        return given[INVENTED]

    def read_layers(self, job, progress):
        return job

    def compute(self, job, read, progress):
        return read

    def build_results(self, job, read, found, progress):
        square, crs = (
            QgsGeometry.fromRect(QgsRectangle(0, 0, found, found)),
            QgsCoordinateReferenceSystem("EPSG:32633"),
        )
        small = SMALL.create_table(pd.DataFrame({"length": [found]}))
        return RunResults(
            {
                SMALL: small,
                SQUARE: SQUARE.create_table(pd.DataFrame({"area": [found**2]}), [square], crs),
            },
            {"TENTH": found / 10},
        )


class InventedProvider(QgsProcessingProvider):
    def id(self):
        return "invented"

    def name(self):
        return "Invented"

    def loadAlgorithms(self):  # noqa: N802 - QGIS's name
        self.addAlgorithm(InventedAlgorithm())


@pytest.fixture
def invented(project, qgis_app):
    provider = InventedProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    yield provider.algorithm("invented")
    QgsApplication.processingRegistry().removeProvider(provider)


def parameters_of(algorithm, **choices):
    return {**choices, **{output.id: "TEMPORARY_OUTPUT" for output in algorithm.outputs}}


def check_layers(group, square, small):
    """Styled, in the order declared, shown and unfolded as declared, with the declared fields."""
    assert [node.layer() for node in group.findLayers()] == [square, small]
    assert [node.itemVisibilityChecked() for node in group.findLayers()] == [False, True]
    assert square.opacity() == pytest.approx(0.4)
    assert (square.fields().names(), square.attributeAlias(0)) == (["area"], "Area (m²)")
    assert [feature.geometry().area() for feature in square.getFeatures()] == [16.0]
    assert read_attributes(small)["length"].tolist() == [4.0]


def test_an_invented_choice_is_in_the_toolbox_the_dock_and_the_project(invented, project):
    definition = invented.parameterDefinition("INVENTED")
    assert (definition.description(), definition.help()) == (
        "Invented length (m)",
        "Nothing else asks for it.",
    )
    form = ParameterForm((FormGroup("", (INVENTED,)),))
    field = form.field(INVENTED)
    assert (form.label(INVENTED).text(), field.toolTip()) == (
        "Invented length",
        "Nothing else asks for it.",
    )
    assert (field.minimum(), field.value(), field.maximum()) == (1, 2.5, 9)
    assert (definition.minimum(), definition.defaultValue(), definition.maximum()) == (1, 2.5, 9)
    field.setValue(4)
    write_parameters("invented", form.settings().to_stored())
    field.setValue(1)
    form.set_settings(Settings.from_stored(form.parameters, read_parameters("invented")))
    assert form.settings().to_parameters(invented.declared_parameters) == {"INVENTED": 4.0}


def test_what_fits_is_preset_until_another_value_is_chosen_and_again_in_a_new_project(qgis_app):
    form = ParameterForm((FormGroup("", (INVENTED,)),))
    form.set_default(INVENTED, 3.0)
    assert form.settings()[INVENTED] == 3.0
    form.set_value(INVENTED, 5.0)
    form.set_default(INVENTED, 4.0)
    assert form.settings()[INVENTED] == 5.0
    form.set_settings(Settings.from_stored(form.parameters, {}), reset_defaults=True)
    form.set_default(INVENTED, 4.0)
    assert form.settings()[INVENTED] == 4.0


@pytest.mark.parametrize(
    ("choice", "value"),
    [
        (CrsParameter("place", "Place", "Of nothing."), "EPSG:32633"),
        (FileParameter("paper", "Paper", "Of nothing."), "/no/where.txt"),
    ],
    ids=["crs", "file"],
)
def test_an_invented_choice_of_any_kind_is_edited_and_kept(choice, value, project):
    form = ParameterForm((FormGroup("", (choice,)),))
    form.set_value(choice, value)
    write_parameters("invented", form.settings().to_stored())
    form.set_value(choice, choice.default)
    assert form.settings()[choice] == choice.default
    form.set_settings(Settings.from_stored(form.parameters, read_parameters("invented")))
    assert form.settings()[choice] == value
    assert form.settings().to_parameters((choice,)) == {choice.id: value}


def test_invented_outputs_are_declared_styled_ordered_and_loaded_by_processing(invented, project):
    assert invented.parameterDefinition("SQUARE").description() == "Invented square"
    context, listener = QgsProcessingContext(), Listener()
    context.setProject(project)
    places = {
        output.id: QgsProcessingOutputLayerDefinition("TEMPORARY_OUTPUT", project)
        for output in invented.outputs
    }
    found, ok = invented.create().run({"INVENTED": 4, **places}, context, listener)
    assert ok, listener.errors
    loaded = {}
    for name in ("SMALL", "SQUARE"):
        details = context.layerToLoadOnCompletionDetails(found[name])
        loaded[name] = project.addMapLayer(context.takeResultLayer(found[name]))
        details.postProcessor().postProcessLayer(loaded[name], context, listener)
    (group,) = project.layerTreeRoot().findGroups()
    assert group.name().startswith("Invented, ")
    check_layers(group, loaded["SQUARE"], loaded["SMALL"])


def test_invented_outputs_are_styled_ordered_and_loaded_by_the_dock(invented, project, qgis_iface):
    ends = []
    runs = PageRuns(MessageBar(qgis_iface), str)
    runs.start("invented:invented", parameters_of(invented, INVENTED=4), ends.append)
    wait_until(lambda: ends)
    made = add_result_layers(ends[0], invented.outputs)
    square, small = (project.mapLayer(made[name]) for name in ("SQUARE", "SMALL"))
    assert (square.name(), small.name()) == ("Invented square", "Small table")
    (group,) = project.layerTreeRoot().findGroups()
    assert group.findLayers()[0].isExpanded()
    check_layers(group, square, small)
    assert table_columns(SQUARE, "area")[0].format_value(16.0) == "16.000"
