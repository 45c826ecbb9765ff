"""The list of layers with check boxes."""

from __future__ import annotations

from qgis.core import QgsProject, QgsVectorLayer
from qgis.PyQt.QtWidgets import QVBoxLayout, QWidget

from randcrowns.ui.widgets.layer_checklist import LayerChecklist, distribute_height
from randcrowns.ui.widgets.parts import fill_layout


def test_long_names_that_end_differently_are_told_apart_in_a_narrow_list(qgis_new_project):
    names = [
        f"2018_SJER_3_252000_4107000_image_477_of_{annotator}" for annotator in ("anna", "otto")
    ]
    layers = [QgsVectorLayer("Polygon?crs=EPSG:32611", name, "memory") for name in names]
    QgsProject.instance().addMapLayers(layers)
    listed = LayerChecklist(offered=lambda: layers)
    listed.resize(220, 120)
    rows = [listed.visualItemRect(item) for item in listed.layer_items()]
    one, other = (listed.viewport().grab(row).toImage() for row in rows)
    assert one.size() == other.size()
    assert one != other


def test_the_room_of_a_form_is_shared_alike_however_often(qgis_new_project):
    layers = [
        QgsVectorLayer("Polygon?crs=EPSG:32611", f"annotator {n}", "memory") for n in range(40)
    ]
    form, listed = QWidget(), LayerChecklist(offered=lambda: layers)
    fill_layout(QVBoxLayout(form), listed)
    shown = []
    for height in (500, 500, 700, 500):
        distribute_height(form, height)
        shown.append(listed.sizeHint().height())
    assert shown[0] == shown[1] == shown[3] < shown[2]
