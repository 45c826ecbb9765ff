"""Page Review reads the crowns of large layers in the background."""

from __future__ import annotations

import threading
from getpass import getuser

import pandas as pd
import pytest
from qgis.core import QgsProject
from support.panel import empty_project, opened_dock
from support.qt import spin, wait_until
from support.reviewing import ids, open_copy

from randcrowns.layers.vector import tables
from randcrowns.ui.review import page as page_module
from randcrowns.ui.review import review_list
from randcrowns.ui.review.review_list import listed_crowns
from randcrowns.ui.review.review_session import ReviewSession
from randcrowns.ui.services import background


@pytest.fixture
def review(qgis_iface, one_run, tmp_path, monkeypatch):
    """Page Review of a stored run, whose layers are larger than what is read at once."""
    monkeypatch.setattr(background, "_MAX_ROWS_AT_ONCE", 0)
    with empty_project(), opened_dock(qgis_iface) as dock:
        open_copy(one_run, tmp_path)
        page = dock.show_page("review")
        page.reviewer_field.setText(getuser())
        yield page


def _read_with_pause(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Let sessions wait for the returned event before they are read."""
    event = threading.Event()
    read = ReviewSession.read

    def read_later(session: ReviewSession) -> None:
        event.wait(30)
        read(session)

    monkeypatch.setattr(ReviewSession, "read", read_later)
    return event


def test_crowns_are_read_in_another_thread(review, monkeypatch):
    wait_until(lambda: review.session.scored_layer is not None)
    expected = ids(review)
    threads = []
    read = ReviewSession.read

    def read_and_record(session: ReviewSession) -> None:
        threads.append(threading.current_thread())
        read(session)

    monkeypatch.setattr(ReviewSession, "read", read_and_record)
    review.load_parameters()
    assert ids(review) == []
    assert "Reading" in review.progress_label.text()
    wait_until(lambda: review.session.scored_layer is not None)
    assert threads[0] is not threading.main_thread()
    assert ids(review) == expected != []
    assert "Reading" not in review.progress_label.text()


def test_a_requested_crown_is_shown_once_it_is_read(review, monkeypatch):
    wait_until(lambda: review.session.scored_layer is not None)
    target = int(review.session.crowns["feature_id"].iloc[2])
    event = _read_with_pause(monkeypatch)
    review.show_parameters({"crown": target})
    assert review.session.current_crown is None
    event.set()
    wait_until(lambda: review.session.scored_layer is not None)
    assert review.session.current_crown["feature_id"] == target


def test_the_current_crown_stays_after_two_readings(review, monkeypatch):
    wait_until(lambda: review.session.scored_layer is not None)
    review.go_to(review.session.row_of(int(review.session.crowns["feature_id"].iloc[1])))
    current = review.session.current_crown["feature_id"]
    event = _read_with_pause(monkeypatch)
    review.load_parameters()
    review.load_parameters()  # the first reading is stopped
    event.set()
    wait_until(lambda: review.session.scored_layer is not None)
    assert review.session.current_crown["feature_id"] == current


def test_a_project_without_the_layer_shows_no_crowns(review, monkeypatch):
    wait_until(lambda: review.session.scored_layer is not None)
    event = _read_with_pause(monkeypatch)
    review.load_parameters()
    QgsProject.instance().clear()
    event.set()
    spin()
    assert review.session.scored_layer is None
    assert not review.body.isVisibleTo(review)


def test_the_list_is_made_in_the_thread_that_reads(review, monkeypatch):
    """Making the list of 100,000 crowns delayed the window by 0.1 s, and features by 1 s."""
    wait_until(lambda: review.session.scored_layer is not None)
    expected = ids(review)
    threads = []

    def list_and_record(session: ReviewSession) -> pd.DataFrame:
        if len(session.listed_rows):  # while the page reads, its list is empty
            threads.append(threading.current_thread())
        return listed_crowns(session)

    for module in (review_list, page_module):
        monkeypatch.setattr(module, "listed_crowns", list_and_record)
    monkeypatch.setattr(tables, "_read_with_qgis", None)
    review.load_parameters()
    wait_until(lambda: review.session.scored_layer is not None)
    assert ids(review) == expected
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()
    # Another order is listed at once, and the same order is not listed again.
    review.queue_form.order_box.set_value("iou")
    assert sorted(ids(review)) == sorted(expected)
    assert threads[1:] == [threading.main_thread()]
    review.queue_form.changed.emit()
    assert len(threads) == 2
