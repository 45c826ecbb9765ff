"""Compare page Score, while it follows edits, with a new run."""

from __future__ import annotations

from typing import Any

import pandas as pd
from qgis.core import Qgis, QgsGeometry, QgsRectangle
from support.panel import run_page
from support.qt import spin, wait_until

__all__ = ["box", "check_live", "follow", "settle", "shown"]

_COLUMNS = [
    "target_id",
    "delineation_id",
    "randcrowns",
    "iou",
    "iou_crowns",
    "status",
    "rc_problem",
    "rc_cause",
]


def box(xmin: float, ymin: float, xmax: float, ymax: float) -> QgsGeometry:
    """Return a box with sides in metres from EAST, NORTH."""
    return QgsGeometry.fromRect(
        QgsRectangle(500000 + xmin, 3000000 + ymin, 500000 + xmax, 3000000 + ymax)
    )


def follow(page: Any) -> None:
    """Let the results of a run follow edits."""
    page.results.live_switch.setChecked(True)
    wait_until(lambda: page.live_scoring.is_ready)


def settle(page: Any) -> None:
    """Wait until all edits are scored; the pause after the last edit is skipped."""
    wait_until(lambda: page.live_scoring.is_settled)
    pause = page.live_updater.pause_timer
    usual = pause.interval()
    assert 0 < usual <= 500
    if pause.isActive():
        pause.start(0)
    wait_until(lambda: page.live_scoring.is_settled and not pause.isActive())
    pause.setInterval(usual)
    spin()


def shown(page: Any) -> pd.DataFrame:
    """Return the table of the displayed layer."""
    return page.results.crown_model.frame[_COLUMNS].sort_values("target_id", ignore_index=True)


def _said(page: Any, place: int) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return table, headline and counts of a layer."""
    page.results.layer_box.setCurrentIndex(place)
    headline = page.results.answer_view
    return shown(page), (headline.answer.text(), headline.answer.toolTip(), headline.counts.text())


def check_live(page: Any) -> None:
    """Assert that tables, headlines, counts and summary equal those of a new run."""
    settle(page)
    assert page.iface.messageBar().get_messages(Qgis.MessageLevel.Critical) == []
    places = range(page.results.layer_box.count())
    assert len(places) > 0
    before, summary = (
        [_said(page, place) for place in places],
        page.results.summary_table.model.frame,
    )
    assert not page.results.is_stale, page.results.stale.text()
    run_page(page)
    for place, (table, said) in zip(places, before):
        after = _said(page, place)
        pd.testing.assert_frame_equal(table, after[0], check_dtype=False, atol=1e-6)
        assert said == after[1]
    now = page.results.summary_table.model.frame
    told = [name for name in now.columns if not name.startswith("run_")]
    pd.testing.assert_frame_equal(summary[told], now[told], check_dtype=False, atol=1e-6)
    wait_until(lambda: page.live_scoring.is_ready)
