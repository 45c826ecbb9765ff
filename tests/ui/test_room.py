"""All pages give their results the room that the form does not need."""

from __future__ import annotations

import pytest
from support.qt import spin, wait_until

from randcrowns.algorithms.detectors.choices import DRAWS
from randcrowns.algorithms.tuning.choices import ALPHAS, OMEGAS
from randcrowns.layers.sample import load_plot
from randcrowns.ui.shell.dock import PAGES


@pytest.fixture
def sample(project):
    load_plot(project)
    return project


@pytest.mark.parametrize("key", [entry.key for entry in PAGES])
def test_the_form_folds_after_the_first_run_and_gives_its_room_to_the_results(sample, dock, run, key):
    page = dock.show_page(key)
    if key == "parameters":
        page.form.field(ALPHAS).show_value((0.3, 0.9, 0.3))
        page.form.field(OMEGAS).show_value((0.5, 1.5, 0.5))
    if key == "detectors":
        page.form.choose(DRAWS, 10)
    run(page)
    wait_until(lambda: not page.runs.beside)
    spin(50)
    assert page.form.is_folded
    form, results = page.splitter.sizes()
    assert form < 0.25 * (form + results)
    assert page.form.height() <= page.run_bar.mapTo(page, page.run_bar.rect().topLeft()).y() + 1  # nothing is scrolled
    assert all(box.title() for box in page.form.boxes)
    assert page.form.boxes[-1].title() == "Output"
    page.form.boxes[0].setCollapsed(False)
    spin()
    assert form < page.splitter.sizes()[0] <= page.splitter.height() // 2 + 1
    page.form.boxes[0].setCollapsed(True)
    spin()
    assert page.splitter.sizes()[0] == pytest.approx(form, abs=2)
