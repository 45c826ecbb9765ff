"""The list of layers with check boxes."""

from __future__ import annotations

from qgis.core import QgsProject, QgsVectorLayer

from randcrowns.ui.widgets.layer_checklist import LayerChecklist


def test_long_names_that_end_differently_are_told_apart_in_a_narrow_list(qgis_new_project):
    names = [f"2018_SJER_3_252000_4107000_image_477_of_{annotator}" for annotator in ("anna", "otto")]
    layers = [QgsVectorLayer("Polygon?crs=EPSG:32611", name, "memory") for name in names]
    QgsProject.instance().addMapLayers(layers)
    listed = LayerChecklist(offered=lambda: layers)
    listed.resize(220, 120)
    rows = [listed.visualItemRect(item) for item in listed.layer_items()]
    one, other = (listed.viewport().grab(row).toImage() for row in rows)
    assert one.size() == other.size()
    assert one != other
