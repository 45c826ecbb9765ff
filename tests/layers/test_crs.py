from __future__ import annotations

import math
import time
from threading import Event

import numpy as np
import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCoordinateTransformContext,
    QgsCsException,
    QgsDatumTransform,
    QgsDistanceArea,
    QgsPointXY,
    QgsProject,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QThread
from support.errors import raises
from support.layers import layer_of
from support.shown import shows

from randcrowns.layers.crs import (
    WorkingCrs,
    check_crs,
    check_not_degrees,
    create_transform,
    has_datum_or_code,
    is_in_degrees,
    is_transform_needed,
    layer_crs,
    metres_per_unit,
    missing_grid_message,
    prepare_transform_to_wgs84,
    restore_layer_crs,
    transform_coordinates,
)
from randcrowns.layers.styles.tree import add_run_group

CONTEXT = QgsCoordinateTransformContext()


def crs(name):
    return QgsCoordinateReferenceSystem(name)


def working(name, centre):
    return WorkingCrs.for_layer("crowns", crs(name), centre, CONTEXT)


def test_metres_stay(qgis_app):
    place = working("EPSG:32617", (403592, 3285158))
    assert (place.name, place.metres_per_unit, place.message) == ("EPSG:32617", 1.0, None)
    given = np.array([[403592.72, 3285158.79]])
    assert place.to_working(crs("EPSG:32617"), given) is given


@pytest.mark.parametrize(
    ("longitude", "latitude", "zone"),
    [
        (-82.0, 29.7, 32617),
        (12.0, 47.0, 32633),
        (18.4, -33.9, 32734),
        (179.999, 1, 32660),
        (-180, 1, 32601),
        (0, 88, 32661),
    ],
)
def test_degrees_go_to_the_zone_of_the_centre(qgis_app, longitude, latitude, zone):
    place = working("EPSG:4326", (longitude, latitude))
    assert place.name == f"EPSG:{zone}"
    assert "degrees" in str(place.message)
    assert "'crowns'" in str(place.message)


def test_feet_are_multiplied_to_metres(qgis_app):
    place = working("EPSG:2236", (780000, 1500000))
    assert place.metres_per_unit == pytest.approx(0.3048, rel=1e-5)
    there = place.to_working(crs("EPSG:2236"), np.array([[1000.0, 0.0], [1010.0, 0.0]]))
    assert there[1, 0] - there[0, 0] == pytest.approx(3.048, rel=1e-5)
    assert place.from_working(crs("EPSG:2236"), there) == pytest.approx(
        np.array([[1000.0, 0.0], [1010.0, 0.0]])
    )
    assert shows(str(place.message), "input.units", name="US survey feet", unit=0.3048)
    international = working("EPSG:2222", (780000, 1500000))
    assert shows(str(international.message), "input.units", name="feet", unit=0.3048)


def test_web_mercator_metres_are_not_metres_on_the_ground(qgis_app):
    source = crs("EPSG:3857")
    centre = QgsCoordinateTransform(crs("EPSG:4326"), source, CONTEXT).transform(
        QgsPointXY(-82, 60)
    )
    place = working("EPSG:3857", (centre.x(), centre.y()))
    assert place.name == "EPSG:32617"
    points = np.array([[centre.x(), centre.y()], [centre.x() + 10, centre.y()]])
    there = place.to_working(source, points)
    ruler = QgsDistanceArea()
    ruler.setSourceCrs(source, CONTEXT)
    ruler.setEllipsoid("WGS84")
    truth = ruler.measureLine(QgsPointXY(*points[0]), QgsPointXY(*points[1]))
    assert truth == pytest.approx(5.0, rel=0.01)
    assert np.hypot(*(there[1] - there[0])) == pytest.approx(truth, rel=1e-3)


def test_an_unknown_system_is_refused_with_the_layers_name(qgis_app):
    with raises("crs.missing", name="crowns"):
        check_crs("crowns", QgsCoordinateReferenceSystem())


def test_metres_given_for_degrees_are_refused(qgis_app):
    with raises("crs.outside"):
        working("EPSG:4326", (403592, 3285158))


def test_bulk_transformation_equals_one_point_at_a_time(qgis_app):
    rng = np.random.default_rng(3)
    points = rng.uniform([-83, 29], [-81, 31], (50, 2))
    transform = QgsCoordinateTransform(crs("EPSG:4326"), crs("EPSG:32617"), CONTEXT)
    expected = [transform.transform(QgsPointXY(*point)) for point in points]
    assert transform_coordinates(points, transform) == pytest.approx(
        np.array([[p.x(), p.y()] for p in expected]), abs=1e-9
    )
    assert transform_coordinates(points[:1], transform).shape == (1, 2)
    assert transform_coordinates(points[:0], transform).shape == (0, 2)


def test_there_and_back(qgis_app):
    place = working("EPSG:4326", (-82, 29.7))
    points = np.array([[-82.01, 29.71], [-81.99, 29.69]])
    back = place.from_working(crs("EPSG:4326"), place.to_working(crs("EPSG:4326"), points))
    assert back == pytest.approx(points, abs=1e-9)


@pytest.mark.parametrize(
    ("unit", "metres"),
    [
        ("+to_meter=0.3048", 0.3048),
        ("+units=us-ft", 1200 / 3937),
        ("+units=us-yd", 3600 / 3937),
        ("+units=link", 0.201168),
        ("+units=ch", 20.1168),
        ("+units=ind-yd", 0.91439523),
    ],
)
def test_a_unit_has_the_length_that_the_system_says(qgis_app, unit, metres):
    """Not the one of QGIS, which takes survey feet for others, and links and yards of India for
    metres.
    """
    given = QgsCoordinateReferenceSystem.fromProj(
        f"+proj=utm +zone=17 +datum=WGS84 {unit} +no_defs"
    )
    place = WorkingCrs.for_layer("crowns", given, (5e5 / metres, 3e6 / metres), CONTEXT)
    assert place.metres_per_unit == pytest.approx(metres, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "metres"), [("EPSG:2236", 1200 / 3937), ("EPSG:24370", 0.914398530744441)]
)
def test_so_it_has_in_a_registered_system(qgis_app, name, metres):
    assert metres_per_unit(crs(name)) == pytest.approx(metres, rel=1e-12)


def test_a_projection_that_keeps_areas_but_not_lengths_is_left(qgis_app):
    source = crs("EPSG:6933")
    centre = QgsCoordinateTransform(crs("EPSG:4326"), source, CONTEXT).transform(
        QgsPointXY(-60, 10)
    )
    assert working("EPSG:6933", (centre.x(), centre.y())).name == "EPSG:32621"


@pytest.mark.parametrize("measured", [QgsCsException(""), 0.0, math.nan, math.inf])
def test_metres_are_taken_for_metres_where_nothing_can_be_measured(qgis_app, monkeypatch, measured):
    def measure(*_points):
        if isinstance(measured, Exception):
            raise measured
        return measured

    monkeypatch.setattr(QgsDistanceArea, "measureLine", measure)
    place = working("EPSG:32617", (403592, 3285158))
    assert (place.name, place.metres_per_unit, place.message) == ("EPSG:32617", 1.0, None)


def test_metres_are_taken_for_metres_where_the_ellipsoid_is_not_known(qgis_app, monkeypatch):
    monkeypatch.setattr(QgsDistanceArea, "setEllipsoid", lambda *_given: False)
    assert working("EPSG:3857", (-9128198, 8399737)).message is None


@pytest.mark.parametrize(
    ("name", "places", "wrong"),
    [
        ("EPSG:4326", [(-81, 29)], ""),
        ("EPSG:4326", [(-81, 29), (-80.9, 29.1)], ""),
        ("EPSG:4326", [(-81, 29), (-72, 37)], ""),
        ("EPSG:4326", [(-93, 29), (-69, 42.5)], "warned"),
        ("EPSG:4326", [(-81, 29), (-150, 64)], "refused"),
        ("EPSG:4326", [(-81, 29), (0, 0)], "refused"),
        ("EPSG:3857", [(1113194, 8399737), (1113194, -8399737)], "refused"),
    ],
)
def test_crowns_too_far_apart_are_told(qgis_app, name, places, wrong):
    places = np.array(places, dtype=float)
    place = working(name, tuple(places.mean(axis=0)))
    if wrong == "refused":
        with raises("crs.too_far_apart", layer="crowns"):
            place.distortion_message("crowns", crs(name), places)
    else:
        assert bool(place.distortion_message("crowns", crs(name), places)) == (wrong == "warned")


_DATUM = 'DATUM["{}",SPHEROID["s",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]'
_UTM = (
    'PROJCS["{}",GEOGCS["g",{}],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",1],'
    'PARAMETER["central_meridian",-81],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],'
    'PARAMETER["false_northing",0],UNIT["metre",1]]'
)


@pytest.mark.parametrize(
    "text",
    [
        f'GEOGCS["Undefined geographic SRS",{_DATUM.format("unknown")}]',
        f'GEOGCS["Plots of 2026",{_DATUM.format("unknown")}]',
        'LOCAL_CS["unnamed",UNIT["metre",1]]',
        'LOCAL_CS["Plot grid",UNIT["metre",1]]',
        'LOCAL_CS["Undefined Cartesian SRS",UNIT["metre",1],AXIS["Easting",EAST],AXIS["Northing",NORTH]]',
        _UTM.format("unnamed", _DATUM.format("unknown")),
        _UTM.format("Plot grid", _DATUM.format("Unknown_based_on_WGS84_ellipsoid")),
    ],
)
def test_a_system_that_names_no_place_on_earth_is_refused_whatever_it_is_called(qgis_app, text):
    system = QgsCoordinateReferenceSystem.fromWkt(text)
    assert system.isValid()  # QGIS takes it for one
    with raises("crs.undefined", name="crowns"):
        check_crs("crowns", system)


def test_an_undefined_system_without_a_name_has_a_sentence_without_one(qgis_app):
    system = QgsCoordinateReferenceSystem.fromWkt('LOCAL_CS["",UNIT["metre",1]]')
    assert (system.isValid(), system.description()) == (True, "")
    with raises("crs.undefined_without_name", name="crowns"):
        check_crs("crowns", system)


@pytest.mark.parametrize(
    "text", [_UTM.format("", _DATUM.format("North_American_Datum_1927")), "EPSG:32617", "EPSG:9300"]
)
def test_a_system_with_a_code_or_a_datum_is_taken(qgis_app, text):
    system = QgsCoordinateReferenceSystem.fromWkt(text) if "[" in text else crs(text)
    check_crs("crowns", system)
    assert not is_in_degrees(system)


def test_degrees_in_a_system_of_its_own_are_degrees(qgis_app):
    own = QgsCoordinateReferenceSystem.fromWkt(
        f'GEOGCS["mine",{_DATUM.format("North_American_Datum_1927")}]'
    )
    assert is_in_degrees(own)
    place = WorkingCrs.for_layer("crowns", own, (-82.0, 0.1), CONTEXT)
    assert (place.name, place.metres_per_unit) == ("EPSG:32617", 1.0)


def test_coordinates_that_are_no_place_of_the_system_are_refused(qgis_app):
    with raises("crs.outside", name="crowns", crs="EPSG:32617"):
        working("EPSG:32617", (403592, 2e8))


def test_degrees_in_a_layer_that_says_metres_are_refused(qgis_app):
    degrees = np.array(
        [[-82.00001, 29.70001, -82.0, 29.70002], [-82.001, 29.7, -82.00099, 29.70001]]
    )
    with raises("crs.outside", name="crowns"):
        check_not_degrees("crowns", crs("EPSG:32617"), degrees)
    check_not_degrees("crowns", crs("EPSG:4326"), degrees)
    check_not_degrees("crowns", crs("EPSG:32617"), np.array([[0.0, 0, 3, 4]]))
    check_not_degrees("crowns", crs("EPSG:32617"), degrees + np.array([0, 9000, 0, 9000]))


class _Asks(QThread):
    """A thread that is the first to ask for a system, and ends once this one has asked too."""

    def __init__(self, name):
        super().__init__()
        self.name, self.asked, self.may_end = name, Event(), Event()

    def run(self):
        crs(self.name).toWkt()
        self.asked.set()
        self.may_end.wait(300)


@pytest.fixture
def left_behind(qgis_app):
    """What QGIS has of a system once the thread has ended that first asked for it, and a layer
    in it.
    """

    def left(name):
        QgsCoordinateReferenceSystem.invalidateCache()
        thread = _Asks(name)
        thread.start()
        assert thread.asked.wait(300)
        layer = QgsVectorLayer(f"Polygon?crs={name}", "crowns", "memory")
        assert layer.crs().toWkt()
        thread.may_end.set()
        thread.wait()
        until = time.monotonic() + 5
        while (
            layer.crs().toWkt() and time.monotonic() < until
        ):  # Qt calls a thread ended before all of it is gone
            time.sleep(0.01)
        return layer

    yield left
    QgsCoordinateReferenceSystem.invalidateCache()


def test_a_system_that_a_thread_took_with_it_is_made_anew(left_behind):
    layer = left_behind("EPSG:32608")
    check_crs("crowns", layer.crs())
    assert has_datum_or_code(crs("EPSG:32608"))
    assert layer_crs(layer).ellipsoidAcronym()
    assert layer.crs().toWkt()


def test_lengths_and_places_are_those_of_a_system_that_a_thread_took_with_it(left_behind):
    lost = left_behind("EPSG:2236").crs()
    there = WorkingCrs.for_layer("crowns", lost, (780000, 1500000), CONTEXT)
    assert there.metres_per_unit == pytest.approx(1200 / 3937, rel=1e-12)
    lost, far = left_behind("EPSG:32608").crs(), np.array([[500000.0, 6000000.0]])
    moved = WorkingCrs.for_layer(
        "crowns", crs("EPSG:32609"), (200000, 6000000), CONTEXT
    ).to_working(lost, far)
    assert moved == pytest.approx(
        working("EPSG:32609", (200000, 6000000)).to_working(crs("EPSG:32608"), far)
    )
    assert abs(moved - far).max() > 100_000


def test_a_definition_that_is_lost_between_two_steps_is_created_again(left_behind, monkeypatch):
    """Another thread may end just after a CRS was found complete."""
    lost, place = left_behind("EPSG:32608").crs(), np.array([[500000.0, 6000000.0]])
    monkeypatch.setattr("randcrowns.layers.crs.restore_crs", lambda system: system)
    transform = create_transform(lost, crs("EPSG:32609"), CONTEXT)
    moved = transform_coordinates(place, transform)
    expected = create_transform(crs("EPSG:32608"), crs("EPSG:32609"), CONTEXT)
    assert moved == pytest.approx(transform_coordinates(place, expected), abs=1e-3)
    assert abs(moved - place).max() > 100_000


def test_a_definition_that_is_lost_after_the_transform_was_created_is_created_again(left_behind):
    place = np.array([[500000.0, 6000000.0]])
    lost = left_behind("EPSG:32608").crs()
    transform = QgsCoordinateTransform(lost, crs("EPSG:32609"), CONTEXT)
    moved = transform_coordinates(place, transform)
    expected = create_transform(crs("EPSG:32608"), crs("EPSG:32609"), CONTEXT)
    assert moved == pytest.approx(transform_coordinates(place, expected), abs=1e-3)
    assert abs(moved - place).max() > 100_000


def test_a_transform_is_needed_between_different_systems_only(left_behind):
    utm, other = crs("EPSG:32608"), crs("EPSG:32609")
    assert is_transform_needed(utm, other)
    assert is_transform_needed(left_behind("EPSG:32608").crs(), other)
    assert is_transform_needed(left_behind("EPSG:32608").crs(), left_behind("EPSG:32609").crs())
    assert not is_transform_needed(utm, crs("EPSG:32608"))
    assert not is_transform_needed(left_behind("EPSG:32608").crs(), utm)
    assert not is_transform_needed(utm, QgsCoordinateReferenceSystem())
    assert not is_transform_needed(QgsCoordinateReferenceSystem(), utm)


def test_degrees_of_a_system_that_a_thread_took_with_it_go_to_metres(left_behind):
    assert left_behind("EPSG:4326").crs().isValid()
    assert working("EPSG:4326", (-82.0, 29.7)).name == "EPSG:32617"
    left_behind("EPSG:32617")
    assert working("EPSG:4326", (-82.0, 29.7)).crs.toWkt()


def test_systems_outlive_the_thread_that_asked_first(qgis_app):
    QgsCoordinateReferenceSystem.invalidateCache()
    thread = _Asks("EPSG:32608")
    thread.start()
    assert thread.asked.wait(300)
    layer = QgsVectorLayer("Polygon?crs=EPSG:32608", "made by a run", "memory")
    restore_layer_crs([layer])
    thread.may_end.set()
    thread.wait()
    time.sleep(0.2)  # Qt calls a thread ended before all of it is gone
    assert layer.crs().toWkt()
    assert crs("EPSG:32608").toWkt()


@pytest.mark.parametrize(
    ("source", "target", "point"),
    [
        ("EPSG:2238", "EPSG:4326", (2_000_000.0, 500_000.0)),
        ("EPSG:2238", "EPSG:32617", (2_000_000.0, 500_000.0)),
        ("EPSG:32617", "EPSG:2238", (400_000.0, 3_285_000.0)),
    ],
)
def test_a_transform_without_its_preferred_grid_is_that_of_qgis(qgis_app, source, target, point):
    """QGIS warns in the message bar, unless the operation that it uses instead is selected."""
    systems = [QgsCoordinateReferenceSystem(name) for name in (source, target)]
    context = QgsCoordinateTransformContext()
    expected = QgsCoordinateTransform(*systems, context).transform(QgsPointXY(*point))
    transform = create_transform(*systems, context)
    assert transform.transform(QgsPointXY(*point)) == expected
    is_preferred_usable = QgsDatumTransform.operations(*systems)[0].isAvailable
    assert bool(transform.coordinateOperation()) == (not is_preferred_usable)
    # The project keeps its own transformations.
    assert not context.hasTransform(*systems)


def test_a_layer_that_is_copied_before_it_is_in_a_project_causes_no_warning(qgis_app):
    """A copy needs the extent in degrees: QGIS warned after a run of crowns in feet."""
    layer = layer_of("crowns", [], "EPSG:2238")
    degrees = QgsCoordinateReferenceSystem("EPSG:4326")
    prepare_transform_to_wgs84(layer)
    is_preferred_usable = QgsDatumTransform.operations(layer.crs(), degrees)[0].isAvailable
    is_selected = layer.transformContext().hasTransform(layer.crs(), degrees)
    assert is_selected == (not is_preferred_usable)
    assert layer.clone().transformContext() == layer.transformContext()


def test_a_missing_grid_is_told_with_the_accuracy_of_what_is_used_instead(qgis_app):
    feet, utm = (QgsCoordinateReferenceSystem(name) for name in ("EPSG:2238", "EPSG:32617"))
    preferred, *others = QgsDatumTransform.operations(feet, utm)
    context = QgsCoordinateTransformContext()
    message = missing_grid_message("crowns", feet, utm, context)
    if preferred.isAvailable:
        assert message is None
        return
    used = next(operation for operation in others if operation.isAvailable)
    values = dict(message.values)
    assert message.key == "crs.grid_missing"
    assert values["accuracy"] == used.accuracy
    missing_grids = [grid.shortName for grid in preferred.grids if not grid.isAvailable]
    assert values["grid"] == ", ".join(missing_grids)

    # The user selected another transformation.
    context.addCoordinateOperation(feet, utm, preferred.proj)
    assert missing_grid_message("crowns", feet, utm, context) is None
    # An import selects the one that is used instead, for either direction.
    context.addCoordinateOperation(feet, utm, used.proj)
    assert missing_grid_message("crowns", feet, utm, context) == message
    for first_crs, second_crs in ((utm, feet), (feet, utm)):
        project = QgsProject()
        project.addMapLayer(layer_of("first", [], first_crs.authid()))
        second_layer = layer_of("second", [], second_crs.authid())
        add_run_group(project, "Imported", [second_layer], is_input=True)
        assert project.transformContext().hasTransform(feet, utm)
        told = missing_grid_message("crowns", feet, utm, project.transformContext())
        assert told == message
    # The same datum needs no grid.
    degrees = QgsCoordinateReferenceSystem("EPSG:4326")
    assert missing_grid_message("crowns", degrees, utm, QgsCoordinateTransformContext()) is None
