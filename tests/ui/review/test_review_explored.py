"""Verdicts that a colleague gave in a browser: page Report writes the page, page Review adds them."""

from __future__ import annotations

import pytest
from qgis.core import Qgis
from qgis.PyQt.QtWidgets import QFileDialog
from support.browser import Browser
from support.panel import empty_project, opened_dock
from support.qt import spin, wait_until
from support.reviewing import move, open_copy, press
from support.shown import shows

from randcrowns.algorithms.report.schema.explore_parameters import EXPLORER


@pytest.fixture
def dock(qgis_iface, one_run, tmp_path):
    with empty_project(), opened_dock(qgis_iface) as made:
        open_copy(one_run, tmp_path)
        yield made


@pytest.fixture
def review(dock):
    page = dock.show_page("review")
    page.reviewer_field.setText("Ann")
    page.load_parameters()
    page.highlight.settling_timer.stop()
    spin()
    return page


@pytest.fixture
def explorer(dock, review, tmp_path, monkeypatch):
    """The page that the button of page Report writes."""
    path = tmp_path / "explore.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    report = dock.show_page("report")
    report.save_buttons[EXPLORER].click()
    wait_until(lambda: report.runs.main_run is None and report.saved_label.text())
    assert "explore.html</a> in " in report.saved_label.text()
    dock.show_page("review")
    return path


@pytest.fixture
def verdicts_of_ben(explorer, tmp_path):
    """The file of a colleague who rejects the two worst crowns and accepts the next one."""
    browser = Browser(tmp_path)
    try:
        browser.open(explorer)
        browser.run("Explore.verdicts.setReviewer('Ben'); Explore.page.step(1)")
        for key in "221":
            browser.press(key, key)
        browser.run("Explore.verdicts.save()")
        return browser.downloaded()
    finally:
        browser.close()


def test_verdicts_from_a_browser_are_added_and_kappa_counts_them(review, verdicts_of_ben):
    worst = review.session.listed_rows[:3]
    review.go_to(worst[0])
    for verdict in ("rejected", "accepted", "accepted"):
        press(review, verdict)
    review.merge_verdicts(verdicts_of_ben)
    assert shows_success(review, "3 verdicts added.")
    others = review.session.crowns["others"]
    assert [others[row][0][:2] for row in worst] == [
        ("Ben", "rejected"),
        ("Ben", "rejected"),
        ("Ben", "accepted"),
    ]
    assert "3 crowns, 67\N{NO-BREAK SPACE}%" in review.agreement_label.text()
    assert "kappa 0.40" in review.agreement_label.text()
    # The same file adds nothing a second time.
    review.merge_verdicts(verdicts_of_ben)
    assert shows_success(review, "0 verdicts added.")


def test_a_crown_that_changed_since_is_listed_again(review, verdicts_of_ben):
    row = int(review.session.listed_rows[0])
    review.merge_verdicts(verdicts_of_ben)
    move(review.session.scored_layer.layer, int(review.session.crowns["feature"][row]), 0.5)
    review.reviewer_field.setText("Ben")
    review.load_parameters()
    assert review.session.crowns["changed"].tolist() == [
        position == row for position in range(len(review.session.crowns))
    ]


def test_another_file_is_refused(review, tmp_path):
    path = tmp_path / "other.json"
    path.write_text("{}", encoding="utf-8")
    review.merge_verdicts(path)
    messages = review.iface.messageBar().get_messages(Qgis.MessageLevel.Critical)
    assert shows(messages[-1], "verdicts.no_verdict_file")


def shows_success(review, text):
    return text in review.iface.messageBar().get_messages(Qgis.MessageLevel.Success)[-1]
