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

from randcrowns.algorithms.choice import Flag, Given, Numeric, OneOf, Option, SomeOf
from randcrowns.algorithms.layer_choice import Area, AreaValue, Bands, Crs, Layer, Layers, Raster
from randcrowns.algorithms.values import Values


def others(choice):
    """Plain values of a choice that are not its default."""
    if isinstance(choice, Flag):
        return [not choice.default]
    if isinstance(choice, (OneOf, SomeOf)):
        return [key if isinstance(choice, OneOf) else (key,) for key in choice.keys]
    if isinstance(choice, Numeric):
        least = max(choice.least, -1000)
        return [
            type(choice.default)(value)
            for value in (least, (least + min(choice.most, least + 8)) / 2)
        ]
    if isinstance(choice, Values):
        return [(0.5, 0.5, choice.default[2]), (0.25, 0.75, 0.25)]
    if isinstance(choice, Area):
        return [AreaValue("layer", layer="plots_1"), AreaValue("none")]
    if isinstance(choice, Bands):
        return [tuple(range(1, len(choice.bands) + 1))]
    if isinstance(choice, Layers):
        return [("a_1", "b_2")]
    return (
        ["crowns_1"]
        if isinstance(choice, (Layer, Raster))
        else ["EPSG:32617"]
        if isinstance(choice, Crs)
        else []
    )


def test_every_choice_of_every_algorithm_comes_back(algorithms, qgis_new_project):
    context, tried = QgsProcessingContext(), 0
    context.setProject(QgsProject.instance())
    for algorithm in algorithms.algorithms():
        for choice in algorithm.create().choices:
            for value in others(choice):
                given = Given(algorithm.create(), choice.to_parameters(value), context)
                assert choice.plain(given) == value, (algorithm.name(), choice.name)
                tried += 1
    assert tried > 150


def test_a_choice_among_fewer_options_keeps_its_default_where_that_is_among_them():
    whole = OneOf(
        "one", "One", options=(Option("a", "A"), Option("b", "B"), Option("c", "C")), default="b"
    )
    assert (
        whole.only("b", "c").default,
        whole.only("a", "b").default,
        whole.only("a", "c").default,
    ) == ("b", "b", "a")


@pytest.mark.parametrize("crs", ["EPSG:32617", "EPSG:4326"])
def test_a_rectangle_comes_back_as_one_on_the_map(algorithms, qgis_new_project, crs):
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    algorithm = algorithms.algorithm("scorecrowns").create()
    (area,) = [choice for choice in algorithm.choices if isinstance(choice, Area)]
    box = QgsReferencedRectangle(
        QgsRectangle(1.25, 2.5, 3.75, 5.0), QgsCoordinateReferenceSystem(crs)
    )
    found = area.plain(
        Given(algorithm, area.to_parameters(AreaValue("canvas", canvas=box)), context)
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
    (targets, *_) = [choice for choice in algorithm.choices if isinstance(choice, Layer)]
    given = Given(
        algorithm, {"TARGETS": QgsProcessingFeatureSourceDefinition(layer.id(), True)}, context
    )
    assert targets.plain(given) == layer.id()
