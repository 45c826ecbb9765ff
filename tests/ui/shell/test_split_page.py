"""Form, Run button and results of a page: nothing that appears moves the button."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtCore import QPoint
from support.qt import spin

from randcrowns.ui.widgets.run_question import Answer, RunQuestion


@pytest.fixture
def dock(same_dock):
    return same_dock


def button_tops(page):
    """Distances of the Run button from the top of the page: with a sentence, without, and so on."""

    def top():
        spin()
        return page.run_bar.run_button.mapTo(page, QPoint(0, 0)).y()

    tops = [top()]
    page.run_bar.set_run_state("Run", "A layer has no coordinate system, which is needed. " * 2)
    tops.append(top())
    assert page.run_bar.problem_label.isVisible()
    assert page.run_bar.problem_label.visibleRegion().boundingRect().height() > 30
    page.run_bar.set_run_state("Run")
    tops.append(top())
    question = RunQuestion(
        ("a",), "Are the two layers in each other's place? " * 2, (Answer("No"),)
    )
    page.run_question.ask(question)
    tops.append(top())
    assert page.run_question.isVisible()
    page.run_question.update_question(None)
    tops.append(top())
    if page.results.isVisible():
        page.results.set_stale("the parameters above changed. " * 2)
        tops.append(top())
        assert page.results.stale_label.visibleRegion().boundingRect().height() > 20
        page.results.set_stale("")
        tops.append(top())
    return tops


@pytest.mark.parametrize("height", [560, 637, 900])
def test_no_sentence_moves_the_run_button(two_layers, dock, run, height):
    """Whoever is about to press the button would press something else.

    The dock is 637 pixels high in a window of 768.
    """
    page = dock.show_page("instances")
    dock.resize(380, height)
    assert len(set(button_tops(page))) == 1
    label = page.run_bar.problem_label
    assert page.run_bar.isAncestorOf(label)
    run(page)
    assert page.results.isVisible()
    assert len(set(button_tops(page))) == 1
    assert page.results.isAncestorOf(label)
    page.results.hide()
    assert page.run_bar.isAncestorOf(label)
    assert len(set(button_tops(page))) == 1


@pytest.mark.parametrize("key", ["score", "annotators"])
def test_a_new_run_shows_the_tab_that_belongs_to_its_answer(two_layers, dock, run, key):
    page = dock.show_page(key)
    run(page)
    tabs = page.results.tabs
    tabs.setCurrentIndex(next(tab for tab in range(1, tabs.count()) if tabs.isTabEnabled(tab)))
    assert tabs.currentIndex() > 0
    run(page)
    assert tabs.currentIndex() == 0
