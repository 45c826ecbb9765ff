"""Tests of the view of an excluded crown and its candidates."""

from __future__ import annotations

import shapely
from support.layers import layer_of

from randcrowns.layers.styles.crown_view import OutlineLayer, create_excluded_view


def test_beside_a_crown_left_out_stands_of_each_other_annotator_the_likest(qgis_app):
    """An outline that only overlaps the bounding box is no candidate."""
    beyond = shapely.Polygon([(0, 4), (4, 0), (9, 9)])
    bobs = [shapely.box(0, 0, 4, height) for height in (1, 3, 2)]  # IoU 0.42, 0.38, 0.47
    rows = [("ann", 0), ("cat", 7), *(("bob", number) for number in range(3))]
    fields = "&field=who:string&field=number:integer"
    one = layer_of(
        "one", [shapely.Polygon([(0, 0), (0, 3), (3, 0)])], fields=fields, rows=[("ann", 1)]
    )
    others = layer_of("others", [shapely.box(0, 0, 4, 4), beyond, *bobs], fields=fields, rows=rows)
    left_out, drawings = (OutlineLayer(layer, "who", "number") for layer in (one, others))
    feature = next(one.getFeatures()).id()
    assert create_excluded_view(left_out, feature, [left_out, drawings], one.crs()).candidates == {
        "bob": 2
    }
    assert create_excluded_view(left_out, feature + 1, [drawings], one.crs()) is None
