"""Geometries of the core on their way to QGIS."""

import numpy as np
import pytest
import shapely
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransformContext,
    QgsFeature,
    QgsGeometry,
    QgsRectangle,
)
from support.layers import EAST, NORTH

from randcrowns.core.errors import Cancelled
from randcrowns.core.progress import no_progress
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.vector.geometry import (
    ReadReport,
    features_to_polygons,
    repair_polygons,
    to_qgs_multipolygon,
)

FEET = 0.3048


def mapped(polygons, progress=no_progress):
    crs = QgsCoordinateReferenceSystem("EPSG:32617")
    return to_qgs_multipolygon(
        WorkingCrs(crs, FEET, None, QgsCoordinateTransformContext()), crs, polygons, progress
    )


def test_a_multipolygon_has_the_polygons_where_they_lie_on_the_map(qgis_app):
    ring = shapely.box(0, 0, 4, 4).difference(shapely.box(1, 1, 2, 2))
    polygons = shapely.transform(
        np.array([ring, shapely.box(9, 0, 11, 1)]), lambda xy: np.add(xy, [EAST, NORTH])
    )
    before = shapely.get_coordinates(polygons)
    whole = shapely.transform(shapely.multipolygons(polygons), lambda xy: xy / FEET)
    assert shapely.equals_exact(shapely.from_wkb(mapped(polygons).asWkb().data()), whole)
    assert (shapely.get_coordinates(polygons) == before).all()
    assert mapped(polygons[:0]).isNull()


def test_cancel_is_heard_while_one_multipolygon_of_many_polygons_is_made(qgis_app):
    told = []

    def cancel(fraction):
        told.append(fraction)
        if fraction > 0.2:
            raise Cancelled

    low = 2.0 * np.arange(20_000) + EAST
    with pytest.raises(Cancelled):
        mapped(shapely.box(low, NORTH, low + 1, NORTH + 1), cancel)
    assert told == pytest.approx([0.1, 0.2, 0.3])


def test_reading_never_holds_up_the_window_for_a_whole_layer(qgis_app, monkeypatch):
    """Shapely holds Python's global lock while it parses WKB and gets or sets coordinates."""
    features, at_once = [], []
    for number in range(5001):
        features.append(QgsFeature(number))
        features[-1].setGeometry(QgsGeometry.fromRect(QgsRectangle(number, 0, number + 1, 1)))

    def told(work):
        def wrapped(shapes, *args, **options):
            at_once.append(len(shapes))
            return work(shapes, *args, **options)

        return wrapped

    for name in ("from_wkb", "get_coordinates", "set_coordinates"):
        monkeypatch.setattr(shapely, name, told(getattr(shapely, name)))
    ids, report = np.arange(len(features)), ReadReport("layer")
    read = features_to_polygons(features, ids, report)
    found = repair_polygons(read, ids, report, lambda xy: xy + 1)
    assert max(at_once) == 2000
    assert shapely.bounds(found).tolist() == [[n + 1, 1, n + 2, 2] for n in range(len(features))]
