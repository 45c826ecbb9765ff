"""Folded groups of a form show their content in a line."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtGui import QFontMetrics
from support.layers import TARGET_BOXES, box_layer
from support.qt import spin, wait_until

from randcrowns.algorithms.common_parameters import IMAGE_EXTENT, LENGTHS, OWN, PRESET
from randcrowns.algorithms.layer_parameters import AreaValue
from randcrowns.algorithms.scoring.schema.parameters import PAIRING, RANDCROWNS_THRESHOLD
from randcrowns.ui.widgets.parts import set_collapsed


@pytest.fixture
def boxes(page, dock):
    """The groups of page Score by their title, folded, in a wide dock."""
    dock.resize(900, 900)
    page.form.collapse()
    spin(20)
    return dict(zip(("Layers", "Parameters", "Advanced", "Output"), page.form.group_boxes))


def test_folded_groups_name_layers_parameters_and_output(boxes):
    assert boxes["Layers"].title() == "Layers: crowns vs drawn"
    assert boxes["Parameters"].title().startswith("Parameters: ")
    assert "(0." in boxes["Parameters"].title()  # the preset with its lengths
    assert boxes["Advanced"].title() == "Advanced: defaults"
    assert boxes["Output"].title() == "Output: New layers"


def test_a_preset_is_named_without_the_numbers_that_it_sets(boxes, page):
    page.form.set_value(PRESET, "field_polygons")
    assert boxes["Parameters"].summary == PRESET.label_of("field_polygons")
    page.form.set_value(LENGTHS[0], 0.5)
    assert boxes["Parameters"].summary.startswith(f"{LENGTHS[0].label}: 0.5")
    assert boxes["Parameters"].summary.endswith(PRESET.label_of(OWN))


def test_an_unfolded_group_has_its_title_alone(boxes):
    set_collapsed(boxes["Layers"], False)
    assert boxes["Layers"].title() == "Layers"
    set_collapsed(boxes["Layers"], True)
    assert boxes["Layers"].title() == "Layers: crowns vs drawn"


def test_a_folded_group_follows_its_values(boxes, page, project):
    page.form.set_value(PAIRING, "hungarian")
    page.form.set_value(RANDCROWNS_THRESHOLD, 0.7)
    label = PAIRING.label_of("hungarian")
    assert boxes["Advanced"].summary.startswith(label)
    assert f"{RANDCROWNS_THRESHOLD.label}: 0.7" in boxes["Advanced"].summary
    others = [box_layer(name, TARGET_BOXES) for name in ("b", "c", "d")]
    project.addMapLayers(others)
    page.form.delineation_list.check_layers(tuple(layer.id() for layer in others))
    assert boxes["Layers"].title() == "Layers: crowns vs 3 layers"


def test_a_value_without_a_text_is_named_by_its_label(boxes, page):
    page.form.set_value(IMAGE_EXTENT, AreaValue("canvas"))
    assert boxes["Advanced"].summary == IMAGE_EXTENT.label


def test_a_long_summary_is_cut_and_does_not_widen_the_dock(boxes, page, dock, two_layers):
    two_layers[1].setName("a very long name of a layer with R&D in it " * 3)
    dock.resize(320, 900)
    box = boxes["Layers"]
    wait_until(lambda: box.title().endswith("…"), 20)
    assert dock.width() == 320
    assert QFontMetrics(box.font()).horizontalAdvance(box.title()) < box.width()
    assert "R&amp;D" in box.toolTip()
    dock.resize(3000, 900)
    spin(50)
    assert "R&&D" in box.title()  # a single & would mark a shortcut


def test_the_name_for_screen_readers_stays(boxes):
    assert [box.accessibleName() for box in boxes.values()] == list(boxes)
