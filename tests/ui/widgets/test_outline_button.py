"""One click draws the selected layers as outlines in the colours of their roles, one brings back
their own styles.
"""

from __future__ import annotations

import pytest
from support.layers import TARGET_BOXES, box_layer
from support.pages import running_pages
from support.searching import three_layers

from randcrowns.layers.styles import TARGET_COLOUR
from randcrowns.layers.styles.roles import layer_colour, style_outlines
from randcrowns.ui.widgets.colours import annotator_colours


@pytest.fixture
def own_style(two_layers):
    """Styles that the user gave the layers: a run does not change them."""
    for layer, colour in zip(two_layers, ("#112233", "#445566")):
        style_outlines(layer, colour)
    return two_layers


def test_one_click_shows_the_roles_and_one_the_own_styles(own_style, dock):
    targets, drawn = own_style
    page = dock.show_page("score")
    button = page.outline_button
    assert not button.isHidden()
    assert not button.isChecked()
    button.click()
    assert button.isChecked()
    assert layer_colour(targets) == TARGET_COLOUR
    assert layer_colour(drawn) == annotator_colours(["drawn"])["drawn"] != TARGET_COLOUR
    button.click()
    assert not button.isChecked()
    assert [layer_colour(layer) for layer in own_style] == ["#112233", "#445566"]


def test_roles_that_change_change_the_colours(own_style, dock):
    targets, drawn = own_style
    page = dock.show_page("score")
    page.outline_button.click()
    page.form.swap_layers()
    assert layer_colour(drawn) == TARGET_COLOUR
    assert layer_colour(targets) == annotator_colours(["crowns"])["crowns"]
    assert page.outline_button.isChecked()


def test_an_annotator_has_one_colour_in_the_dock_and_on_the_map(project, dock, run):
    layers = three_layers()
    project.addMapLayers(layers)
    page = dock.show_page("annotators")
    page.outline_button.click()
    run(page)
    assert page.outline_button.isChecked()
    colours = annotator_colours([layer.name() for layer in layers])
    assert len(set(colours.values())) == len(layers)
    assert {layer.name(): layer_colour(layer) for layer in layers} == colours
    items = page.form.annotator_list.layer_items()
    icons = {
        item.text(0): item.icon(0).pixmap(12, 12).toImage().pixelColor(6, 6).name()
        for item in items
    }
    assert colours.items() <= icons.items()


def test_a_run_leaves_styles_of_the_user_alone(own_style, dock, run):
    run(dock.show_page("score"))
    assert [layer_colour(layer) for layer in own_style] == ["#112233", "#445566"]


@pytest.mark.parametrize("key", running_pages())
def test_every_page_has_the_button_if_it_has_layers(project, dock, key):
    page = dock.show_page(key)
    assert page.outline_button.isHidden()
    project.addMapLayers([*three_layers(), box_layer("more", TARGET_BOXES)])
    page.form.reload_layers()
    page.outline_button.update_state()
    selected = page.selected_crowns().layers()
    assert page.outline_button.isHidden() == (not selected)
