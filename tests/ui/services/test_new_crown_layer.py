"""New layers in which an annotator draws crowns."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from qgis.core import QgsProject, QgsRasterLayer
from support.layers import TARGET_BOXES, box_layer
from support.qt import spin
from support.rasters import write_raster

from randcrowns.layers.styles.roles import layer_colour
from randcrowns.layers.vector.guesses import LayerRole, imported_role
from randcrowns.ui.services.new_crown_layer import add_crown_layer


class Window:
    """An interface of QGIS that notes what is asked of it."""

    def __init__(self, iface):
        self._iface = iface
        self.active = None
        self.n_drawings = 0

    def __getattr__(self, name):
        return getattr(self._iface, name)

    def setActiveLayer(self, layer):  # noqa: N802 - QGIS's name
        self.active = layer

    def actionAddFeature(self):  # noqa: N802 - QGIS's name
        def trigger():
            self.n_drawings += 1

        return SimpleNamespace(trigger=trigger)


@pytest.fixture
def window(qgis_iface):
    return Window(qgis_iface)


def test_a_new_layer_is_ready_to_draw_in_and_saved_with_the_project(project, window, tmp_path):
    targets = box_layer("field", TARGET_BOXES)
    project.addMapLayer(targets)
    assert project.write(str(tmp_path / "plot.qgz"))
    layer = add_crown_layer(window)
    assert project.mapLayer(layer.id()) is layer
    assert "plot_randcrowns.gpkg" in layer.source()
    assert layer.crs() == targets.crs()
    assert layer.isEditable()
    assert window.active is layer
    assert window.n_drawings == 1
    assert imported_role(layer) is LayerRole.ANNOTATOR
    assert layer_colour(layer) != layer_colour(targets)
    layer.rollBack()


def test_names_of_new_layers_differ(project, window, tmp_path):
    assert project.write(str(tmp_path / "plot.qgz"))
    first, second = (add_crown_layer(window) for _ in range(2))
    assert first.name() != second.name()
    assert first.source() != second.source()
    for layer in (first, second):
        layer.rollBack()


def test_without_targets_the_layer_has_the_system_of_the_image(project, window, tmp_path):
    path = write_raster(tmp_path / "image.tif", np.ones((9, 9)), west=500000, north=3000050)
    image = QgsRasterLayer(str(path), "image")
    project.addMapLayer(image)
    layer = add_crown_layer(window)
    assert layer.crs() == image.crs()
    assert layer.isTemporary()
    layer.rollBack()


@pytest.mark.parametrize("key", ["score", "annotators"])
def test_pages_offer_it_with_and_without_layers(project, dock, key, qgis_iface):
    page = dock.show_page(key)
    buttons = page.empty_state.findChildren(type(page.empty_state.import_button))
    assert "New crown layer…" in [button.text() for button in buttons]
    project.addMapLayers([box_layer(name, TARGET_BOXES) for name in "ab"])
    spin()
    assert page.form.new_layer_button.isVisible()
    assert QgsProject.instance().mapLayers()
