"""Page Detectors with two annotators, a good detector and a bad one."""

from __future__ import annotations

import pytest
from qgis.core import QgsProject
from support.layers import TARGET_BOXES, box_layer, shifted
from support.qt import spin

from randcrowns.layers.styles import DELINEATION_COLOUR, TARGET_COLOUR

__all__ = ["add_detectors", "areas", "choose", "drawn", "gone_to", "table_texts"]


def add_detectors(project: QgsProject, with_classes: bool = False):
    """Add the layers to the project; return them by name.

    With classes, all layers have the field species, in which trees are oak and ash in turn.
    """
    species = [("oak", "ash")[number % 2] for number in range(len(TARGET_BOXES))]
    classes = [(name,) if with_classes else () for name in species]
    class_field = "&field=species:string" if with_classes else ""
    people = [
        box_layer(
            f"person {k}",
            shifted(TARGET_BOXES, 0.3 * k),
            fields=f"&field=annotator:string{class_field}",
            rows=[(None, *own) for own in classes],
        )
        for k in (0, 1)
    ]
    scores = [(0.9 - 0.05 * number, *own) for number, own in enumerate(classes)]
    detectors = [
        box_layer(
            name,
            shifted(TARGET_BOXES, shift),
            fields=f"&field=score:double{class_field}",
            rows=scores,
        )
        for name, shift in (("good", 0.1), ("bad", 2.5))
    ]
    found = {layer.name(): layer for layer in (*people, *detectors)}
    project.addMapLayers(list(found.values()))
    project.setCrs(detectors[0].crs())
    return found


def choose(page, choice, value):
    """Set a parameter of the form."""
    page.form.set_settings(page.form.settings().with_values({choice: value}))


def gone_to(table, row, title):
    """Select a cell, as a click does."""
    column = next(number for number, one in enumerate(table.model.columns) if one.title == title)
    table.view.setCurrentIndex(table.model.index(row, column))
    spin()


def drawn(page):
    """Return the highlighted geometries on the map."""
    found = {band.strokeColor().name(): band.asGeometry() for band in page.highlight.bands}
    return {"detector": found.get(DELINEATION_COLOUR), "truth": found.get(TARGET_COLOUR)}


def areas(page):
    return [
        None if shape is None else pytest.approx(shape.area()) for shape in drawn(page).values()
    ]


def table_texts(table):
    """Return the displayed texts of a table by the titles of its columns."""
    model = table.model
    rows = range(model.rowCount())
    return {
        column.title: [model.data(model.index(row, place)) for row in rows]
        for place, column in enumerate(model.columns)
    }
