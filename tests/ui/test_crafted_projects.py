"""Whatever a project, a property of a layer or of the layer tree holds, pages open, with
defaults and one note.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from qgis.core import Qgis, QgsProject
from support.examples import examples
from support.pages import pages_with_settings
from support.panel import add_two_layers, empty_project, opened_dock
from support.qt import spin

from randcrowns.layers.sample import SAMPLE_PROPERTY, sample_clouds
from randcrowns.layers.styles.tree import move_to_group
from randcrowns.layers.vector.write import result_field_names
from randcrowns.ui.services.settings import has_unreadable_parameters, write_parameters
from randcrowns.ui.shell.dock import PAGES

#: Keys of the pages with parameters; page Review stores the current crown instead.
KEYS = pages_with_settings()
_LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.just(10**400),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(["boxes", "own", "\0", "x" * 5000, "../..", "<img src=x>", "1e999"]),
)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
_CALM = settings(
    max_examples=examples(15),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def opened(qgis_iface):
    """A dock, and the two layers of its project, for all tests of this file."""
    with empty_project() as project, opened_dock(qgis_iface) as made:
        yield made, add_two_layers(project)


@pytest.fixture
def dock(opened):
    """Nothing is kept of a page."""
    for entry in PAGES:
        QgsProject.instance().removeEntry("RandCrowns", entry.key)
    return opened[0]


@pytest.fixture
def two_layers(opened):
    return opened[1]


def warnings(page):
    return page.iface.messageBar().get_messages(Qgis.MessageLevel.Warning)


_TEXTS = ("[" * 100_000, '{"a":' * 100_000, "9" * 5000, "[]", "5", '"x"', "{", "\0", "null")


@pytest.mark.parametrize("key", KEYS)
def test_a_page_opens_with_defaults_and_one_note(dock, two_layers, key):
    page = dock.show_page(key)
    page.load_parameters()
    usual = page.settings()
    for text in _TEXTS:
        QgsProject.instance().writeEntry("RandCrowns", key, text)
        assert has_unreadable_parameters(key), text[:9]
        page.iface.messageBar().clear_messages()
        page.load_parameters()
        assert page.settings() == usual, text[:9]
        assert len(warnings(page)) == 1, text[:9]
        assert "cannot be read; the page has its defaults" in warnings(page)[0]


@pytest.mark.parametrize("key", KEYS)
def test_a_page_opens_whatever_its_choices_are(dock, two_layers, key):
    page = dock.show_page(key)
    page.load_parameters()
    names = sorted(page.settings().to_stored()) or ["a"]

    @_CALM
    @given(st.dictionaries(st.sampled_from(names), _VALUES, min_size=1))
    def opens(choices):
        QgsProject.instance().writeEntry("RandCrowns", key, json.dumps(choices))
        page.iface.messageBar().clear_messages()
        page.load_parameters()
        spin()
        assert len(warnings(page)) <= 1
        page.store_parameters()
        json.dumps(page.settings().to_stored())

    opens()


def test_what_fits_is_kept_and_said_nothing_of(page):
    write_parameters("score", {**page.settings().to_stored()})
    page.iface.messageBar().clear_messages()
    page.load_parameters()
    assert warnings(page) == []


def test_page_review_opens_whatever_is_kept_of_it(dock, two_layers):
    page = dock.show_page("review")

    @_CALM
    @given(
        st.one_of(
            st.text(),
            st.dictionaries(st.sampled_from(["crown", "target", "others"]), _VALUES).map(
                json.dumps
            ),
        )
    )
    def opens(text):
        QgsProject.instance().writeEntry("RandCrowns", "review", text)
        page.load_parameters()
        spin()

    opens()


_PROPERTIES = ("randcrowns/fields", "randcrowns/record", SAMPLE_PROPERTY, "randcrowns_prefix")


def test_properties_of_layers_may_be_anything(dock, two_layers):
    @_CALM
    @given(_VALUES)
    def holds(value):
        for layer in two_layers:
            for name in _PROPERTIES:
                try:
                    layer.setCustomProperty(name, value)
                except (TypeError, OverflowError):
                    return  # QGIS itself keeps no such value
        assert result_field_names(two_layers[0]) <= set(two_layers[0].fields().names())
        sample_clouds(QgsProject.instance())
        for key in KEYS:
            dock.show_page(key).load_parameters()
        spin()

    holds()
    for layer in two_layers:
        for name in _PROPERTIES:
            layer.removeCustomProperty(name)


@pytest.mark.parametrize("place", ["x", [], "9" * 50, None, 1.5])
def test_a_layer_finds_its_place_beside_one_with_none(two_layers, place):
    project = QgsProject.instance()
    root = project.layerTreeRoot()
    before = [node.clone() for node in map(root.findLayer, two_layers)]
    move_to_group(project, two_layers[0], "run", 3)
    root.findLayer(two_layers[0]).setCustomProperty("randcrowns/place", place)
    move_to_group(project, two_layers[1], "run", 1)
    (group,) = root.findGroups()
    assert [node.layerId() for node in group.findLayers()] == [layer.id() for layer in two_layers]
    root.insertChildNodes(0, before)
    root.removeChildNode(group)
    assert len(project.mapLayers()) == 2
