"""Page Instances with crowns in pixels of several images, which lie on one another."""

from __future__ import annotations

import pytest
import shapely
from support.layers import layer_of

from randcrowns.ui.instances.results import TARGETS


@pytest.fixture
def dock(same_dock):
    return same_dock


def test_a_crown_is_shown_on_its_own_image(project, dock, run, monkeypatch):
    boxes = [shapely.box(4, -20, 12, -10), shapely.box(24, -20, 32, -10)]
    for name in ("target", "found"):
        rows = [["a.png"], ["b.png"]]
        project.addMapLayer(layer_of(name, boxes, "", fields="&field=image:string", rows=rows))
    page = dock.show_page("instances")
    run(page)
    shown = []
    monkeypatch.setattr(
        "randcrowns.ui.instances.page.show_image",
        lambda name, names: shown.append((name, sorted(names))),
    )
    page.results.row_chosen.emit(TARGETS, 1)
    page.results.row_chosen.emit(TARGETS, 0)
    both = ["a.png", "b.png"]
    assert shown == [("b.png", both), ("a.png", both)]
