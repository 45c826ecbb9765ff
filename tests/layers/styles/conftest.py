"""Fixtures that compare drawn figures and layouts with approved ones."""

from __future__ import annotations

import os
import re

import pytest
from qgis.core import QgsProject
from support.drawn import figure_look, keep, kept_looks, layout_look, versions
from support.frozen_names import current_look
from support.frozen_values import differences, plain

#: Figures are computed with numbers that may round another way.
_ANYWHERE = re.compile("")


@pytest.fixture(scope="session")
def looks():
    kept = kept_looks()
    seen = {}
    yield kept, seen
    keep(seen)


@pytest.fixture(autouse=True)
def looks_as_it_did(request, monkeypatch, looks):
    """Compare the figures and print layouts of a test with the approved ones."""
    import matplotlib.figure

    made, begin = [], matplotlib.figure.Figure.__init__

    def begun(figure, *given, **options):
        begin(figure, *given, **options)
        made.append(figure)

    monkeypatch.setattr(matplotlib.figure.Figure, "__init__", begun)
    layouts = request.fixturenames
    yield
    kept, seen = looks
    drawn = [
        figure for figure in made if figure.axes
    ]  # matplotlib makes some of its own to measure words
    look = [
        *map(figure_look, drawn),
        *(layout_look(QgsProject.instance()) if "shown" in layouts else []),
    ]
    name = request.node.nodeid.partition("styles/")[2]
    if look:
        seen[name] = look
    if kept.get("versions") == versions() and not os.environ.get("LOOKS"):
        approved = current_look(kept.get(name, []))
        assert differences(approved, plain(look), exact=False, rounded=_ANYWHERE) == []
