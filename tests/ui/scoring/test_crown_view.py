"""The areas drawn for one crown."""

from __future__ import annotations

import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsProject, QgsRectangle, QgsReferencedRectangle
from support.errors import raises
from support.layers import box_layer

from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import score_pairs
from randcrowns.layers.styles.crown_view import CrownViewer

UTM = QgsCoordinateReferenceSystem("EPSG:32617")
PARAMETERS = RandCrownsParameters(0.5, 1.0, 2.0)


@pytest.fixture
def crown_layer(qgis_new_project):
    return box_layer("crowns", [(0, 0, 10, 8)])


@pytest.fixture
def drawn_layer(qgis_new_project):
    return box_layer("drawn", [(2, 0, 14, 8)])


def test_areas_are_the_terms_of_the_score(crown_layer, drawn_layer):
    import shapely

    view = CrownViewer.for_run(crown_layer, PARAMETERS).create_view(
        crown_layer, 1, drawn_layer, 1, UTM
    )
    (terms,) = score_pairs(
        [shapely.box(500000, 3000000, 500010, 3000008)],
        [shapely.box(500002, 3000000, 500014, 3000008)],
        PARAMETERS,
    ).to_dict("records")
    for name in "abcd":
        assert view.regions[name].area() ** 2 == pytest.approx(terms[name], rel=1e-6), name


def test_without_a_match_there_is_what_should_have_been_covered_and_left_out(crown_layer):
    view = CrownViewer.for_run(crown_layer, PARAMETERS).create_view(crown_layer, 1, None, None, UTM)
    assert sorted(view.regions) == ["b", "d"]
    assert view.delineation is None
    assert view.regions["d"].area() == pytest.approx(9 * 7)


def test_without_parameters_only_outlines(crown_layer, drawn_layer):
    view = CrownViewer.for_run(crown_layer, None).create_view(crown_layer, 1, drawn_layer, 1, UTM)
    assert view.regions == {}
    assert view.delineation.area() == pytest.approx(96)


def test_the_extent_cuts_everything_but_the_target(crown_layer, drawn_layer):
    rectangle = QgsReferencedRectangle(QgsRectangle(500000, 3000000, 500012, 3000008), UTM)
    view = CrownViewer.for_run(crown_layer, PARAMETERS, rectangle).create_view(
        crown_layer, 1, drawn_layer, 1, UTM
    )
    assert view.delineation.boundingBox().xMaximum() == pytest.approx(500012)
    assert view.regions["b"].boundingBox().xMaximum() <= 500012 + 1e-6


def test_the_map_may_be_in_another_system(crown_layer, drawn_layer):
    degrees = QgsCoordinateReferenceSystem("EPSG:4326")
    view = CrownViewer.for_run(crown_layer, PARAMETERS).create_view(
        crown_layer, 1, drawn_layer, 1, degrees
    )
    assert view.target.boundingBox().center().x() == pytest.approx(-81, abs=0.01)
    assert not view.regions["a"].isEmpty()


def test_a_crown_that_is_gone_has_no_view(crown_layer):
    assert (
        CrownViewer.for_run(crown_layer, PARAMETERS).create_view(crown_layer, 99, None, None, UTM)
        is None
    )


def test_a_layer_without_a_system_is_refused_in_words(crown_layer):
    crown_layer.setCrs(QgsCoordinateReferenceSystem())
    with raises("crs.missing", name="crowns"):
        CrownViewer.for_run(crown_layer, PARAMETERS)


def test_an_extent_layer_is_taken_whole(crown_layer, drawn_layer):
    image = box_layer("image", [(0, 0, 5, 8), (5, 0, 11, 8)])
    QgsProject.instance().addMapLayer(image)
    view = CrownViewer.for_run(crown_layer, PARAMETERS, None, image).create_view(
        crown_layer, 1, drawn_layer, 1, UTM
    )
    assert view.delineation.area() == pytest.approx(9 * 8)
