"""What a form shows becomes parameters, and these become the same again: runs are shown with the
choices they had."""

from __future__ import annotations

import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsProcessingContext,
    QgsProject,
    QgsRectangle,
    QgsReferencedRectangle,
)
from support.layers import crowns_at, layer_of

from randcrowns.algorithms.layer_parameters import (
    AreaParameter,
    AreaValue,
    BandsParameter,
    CrsParameter,
    LayerListParameter,
    LayerParameter,
    RasterParameter,
)
from randcrowns.algorithms.number_list import NumberListParameter
from randcrowns.algorithms.parameter_types import (
    BooleanParameter,
    MultiOptionParameter,
    NumericParameter,
    Option,
    OptionParameter,
    RunParameters,
)


def others(choice):
    """Plain values of a choice that are not its default."""
    if isinstance(choice, BooleanParameter):
        return [not choice.default]
    if isinstance(choice, (OptionParameter, MultiOptionParameter)):
        return [key if isinstance(choice, OptionParameter) else (key,) for key in choice.keys]
    if isinstance(choice, NumericParameter):
        least = max(choice.minimum, -1000)
        return [
            type(choice.default)(value)
            for value in (least, (least + min(choice.maximum, least + 8)) / 2)
        ]
    if isinstance(choice, NumberListParameter):
        return [(0.5, 0.5, choice.default[2]), (0.25, 0.75, 0.25)]
    if isinstance(choice, AreaParameter):
        return [AreaValue("layer", layer="plots_1"), AreaValue("none")]
    if isinstance(choice, BandsParameter):
        return [tuple(range(1, len(choice.bands) + 1))]
    if isinstance(choice, LayerListParameter):
        return [("a_1", "b_2")]
    return (
        ["crowns_1"]
        if isinstance(choice, (LayerParameter, RasterParameter))
        else ["EPSG:32617"]
        if isinstance(choice, CrsParameter)
        else []
    )


def test_every_choice_of_every_algorithm_comes_back(algorithms, qgis_new_project):
    context, tried = QgsProcessingContext(), 0
    context.setProject(QgsProject.instance())
    for algorithm in algorithms.algorithms():
        for choice in algorithm.create().declared_parameters:
            for value in others(choice):
                given = RunParameters(algorithm.create(), choice.to_processing(value), context)
                assert choice.read_plain(given) == value, (algorithm.name(), choice.name)
                tried += 1
    assert tried > 150


def test_a_choice_among_fewer_options_keeps_its_default_where_that_is_among_them():
    whole = OptionParameter(
        "one", "One", options=(Option("a", "A"), Option("b", "B"), Option("c", "C")), default="b"
    )
    assert (
        whole.with_options("b", "c").default,
        whole.with_options("a", "b").default,
        whole.with_options("a", "c").default,
    ) == ("b", "b", "a")


@pytest.mark.parametrize("crs", ["EPSG:32617", "EPSG:4326"])
def test_a_rectangle_comes_back_as_one_on_the_map(algorithms, qgis_new_project, crs):
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    algorithm = algorithms.algorithm("scorecrowns").create()
    (area,) = [
        choice for choice in algorithm.declared_parameters if isinstance(choice, AreaParameter)
    ]
    box = QgsReferencedRectangle(
        QgsRectangle(1.25, 2.5, 3.75, 5.0), QgsCoordinateReferenceSystem(crs)
    )
    found = area.read_plain(
        RunParameters(algorithm, area.to_processing(AreaValue("canvas", map_extent=box)), context)
    )
    assert found.kind == "canvas"
    assert found.rectangle == box
    assert found.rectangle.crs().authid() == crs


def test_a_layer_of_which_some_features_are_read_comes_back_by_its_id(algorithms, qgis_new_project):
    from qgis.core import QgsProcessingFeatureSourceDefinition

    layer = layer_of("crowns", crowns_at([(5, 5)], seed=1))
    QgsProject.instance().addMapLayer(layer)
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    algorithm = algorithms.algorithm("scorecrowns").create()
    (targets, *_) = [
        choice for choice in algorithm.declared_parameters if isinstance(choice, LayerParameter)
    ]
    given = RunParameters(
        algorithm, {"TARGETS": QgsProcessingFeatureSourceDefinition(layer.id(), True)}, context
    )
    assert targets.read_plain(given) == layer.id()
