"""Page Parameters with three annotators."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from qgis.core import QgsProject, QgsRasterLayer
from support.layers import crowns_at, layer_of
from support.panel import empty_project, opened_dock, run_page
from support.qt import RUN_SECONDS, spin, wait_until
from support.rasters import write_raster

from randcrowns.algorithms.tuning.schema.parameters import ALPHAS, OMEGAS, WRONG_PAIR_THRESHOLD
from randcrowns.ui.tuning.form import input_layer_ids

__all__ = [
    "finish",
    "image_of",
    "offered_images",
    "open_gallery",
    "people_of",
    "put_back",
    "searched_page",
    "show_small_grid",
    "show_table",
    "three_layers",
]

_PLACES = [(14 * column, 14 * row) for row in range(3) for column in range(4)]


def three_layers():
    """Return layers of three annotators who drew the same crowns."""
    return [layer_of(f"person {n}", crowns_at(_PLACES, seed=n)) for n in (1, 2, 3)]


def image_of(folder: Any, name: str, **place: float) -> QgsRasterLayer:
    """Add an image to the project, of the crowns or of another place."""
    values = np.arange(60 * 60).reshape(60, 60) % 251
    layer = QgsRasterLayer(str(write_raster(folder / f"{name}.tif", values, **place)), name)
    QgsProject.instance().addMapLayer(layer)
    return layer


def open_gallery(page: Any) -> Any:
    """Open the gallery and wait until it is drawn."""
    page.results.tabs.setCurrentWidget(page.results.gallery)
    finish(page)
    return page.results.gallery


def offered_images(page: Any) -> list[str]:
    """Return the images that the gallery offers as background."""
    box = page.results.gallery.image_box
    return [box.itemText(place) for place in range(box.count())]


def show_small_grid(page: Any) -> None:
    """Choose a grid of 112 parameter sets."""
    page.form.field(ALPHAS).set_value((0.3, 0.9, 0.2))
    page.form.field(OMEGAS).set_value((0.1, 1.5, 0.4))


def show_table(page: Any) -> None:
    """Show the sets as a table, because plots are drawn only when they are visible."""
    page.results.tabs.setCurrentIndex(1)


@contextmanager
def searched_page(iface: Any, layers: Any) -> Iterator[Any]:
    """Yield page Parameters after a search, for tests that begin with :func:`put_back`."""
    with empty_project() as project, opened_dock(iface) as dock:
        project.addMapLayers(layers)
        project.setCrs(layers[0].crs())
        page = dock.show_page("parameters")
        show_small_grid(page)
        show_table(page)
        page.form.annotator_list.check_layers(tuple(layer.id() for layer in layers))
        run_page(page)
        finish(page)
        yield page


def people_of(page: Any) -> list[Any]:
    """Return the layers of the annotators."""
    return [
        QgsProject.instance().mapLayer(layer)
        for layer in input_layer_ids(page.results.search.settings)
    ]


def put_back(page: Any) -> None:
    """Reset the page to its state after a search, with the table and the best set displayed."""
    people, results = people_of(page), page.results
    for layer in people:
        layer.rollBack()
    page.window().show_page("parameters")
    page.window().resize(400, 900)
    page.form.field(WRONG_PAIR_THRESHOLD).setValue(0.5)
    page.form.annotator_list.check_layers(tuple(layer.id() for layer in people))
    show_table(page)
    if (
        results.experiment is None
        or results.experiment.lengths != results.search.recommended
        or results.gallery.is_shown
    ):
        results.variance_map.select_set(*results.search.recommended)
    finish(page)
    page.leave()
    results.examples_table.view.selectionModel().clearCurrentIndex()  # selected by the previous test
    page.iface.messageBar().clear_messages()


def finish(page):
    """Wait for all runs of the page's results."""
    wait_until(lambda: not page.runs.side_run_keys, RUN_SECONDS)
    spin()
