"""Measure the filter of a table of 100,000 rows, and the results of page Score in such a table.

The work of the filter is its first letter; the peer writes every row as one text. For page Score,
the maximum wait of the window is measured while it runs, reads and shows as many rows, and shows
them again::

    QT_QPA_PLATFORM=offscreen python benchmarks/bench_table.py
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pandas as pd
from bench_cloud_page import EventLoopMonitor
from bench_live import open_score_page
from qgis.core import QgsApplication
from scenes import tiled_scene
from table import Row, Time, growth_exponent, measure_alternating, measure_memory, report_rows

from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.ui.widgets.table_model import (
    FrameModel,
    NumberFormat,
    TableColumn,
    format_integer,
    format_text,
)

SIZES = (10_000, 30_000, 100_000)
COLUMNS = [
    TableColumn("id", "Id", format_value=format_integer),
    TableColumn("match", "Match", format_value=format_integer),
    *(TableColumn(name, name, format_value=NumberFormat(2)) for name in ("RC", "IoU", "IoUC")),
    *(TableColumn(name, name, format_value=format_text) for name in ("Status", "Plot")),
]


def frame(n: int) -> pd.DataFrame:
    """Return n rows of scores with the columns of page Score."""
    rng = np.random.default_rng(0)
    scores = {name: rng.random(n) for name in ("RC", "IoU", "IoUC")}
    texts = {
        "Status": rng.choice(["scored", "missed"], n),
        "Plot": rng.choice(["north", "south"], n),
    }
    return pd.DataFrame({"id": range(n), "match": rng.permutation(n), **scores, **texts})


def rows() -> Iterator[Row]:
    """Yield the row of the filter."""
    seconds = []
    for n in SIZES:
        table = frame(n)
        filter_model = partial(_filter_model, FrameModel(), table)
        ours, theirs = measure_alternating(filter_model, partial(_filter_texts, table))
        seconds.append(ours.processor)
    yield Row(
        "first letter in the filter",
        ours,
        "every row written as one text",
        theirs,
        growth_exponent(SIZES, seconds),
        measure_memory(filter_model),
        f"{SIZES[-1]:,} rows of {len(COLUMNS)} columns, the table shown again",
    )


def _filter_model(model: FrameModel, table: pd.DataFrame) -> None:
    """Show a table without a filter, then filter it."""
    model.set_filter("")
    model.set_frame(table, COLUMNS)
    model.set_filter("7")


def _filter_texts(table: pd.DataFrame) -> None:
    """Write every row of a table as one text, then filter the texts."""
    columns = [
        [column.format_value(value) for value in table[column.name].tolist()] for column in COLUMNS
    ]
    texts = np.array([" ".join(row).casefold() for row in zip(*columns)])
    np.flatnonzero(np.char.find(texts, "7") >= 0)


def page_rows(application: QgsApplication, folder: Path) -> Iterator[Row]:
    """Yield the rows of page Score.

    Args:
        application: the running application.
        folder: an empty folder for layers and results.
    """
    scene = tiled_scene(lambda crowns: crowns, SIZES[-1], side=5)
    page, _ = open_score_page(scene, folder)
    works = {
        "run and shown": page.start,
        "shown again": lambda: page.history.show(page.history.runs()[0]),
    }
    for name, work in works.items():
        before = page.results.results
        clock = EventLoopMonitor()
        work()
        while page.results.results is before:
            application.processEvents()
        clock.measure()
        clock.timer.stop()
        yield Row(
            f"results on page Score, {name}",
            Time(clock.longest_wait, clock.longest_busy),
            conditions=f"{len(page.results.displayed_scores().crowns):,} crowns of 33 vertices; "
            "longest wait "
            "of the window; processor time of its thread in brackets",
        )


if __name__ == "__main__":
    application = QgsApplication([], True)
    application.initQgis()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    report_rows(rows())
    with tempfile.TemporaryDirectory() as temporary:
        report_rows(page_rows(application, Path(temporary)))
    sys.stdout.flush()
    os._exit(0)  # The end of QGIS is not measured.
