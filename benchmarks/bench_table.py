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
from bench_cloud_page import Clock
from bench_live import score_page
from qgis.core import QgsApplication
from scenes import many
from table import Row, Time, growth, in_turns, memory, show

from randcrowns.algorithms.provider import RandCrownsProvider
from randcrowns.ui.widgets.table_model import FrameModel, TableColumn, as_number, as_text, as_whole

SIZES = (10_000, 30_000, 100_000)
COLUMNS = [
    TableColumn("id", "Id", text=as_whole),
    TableColumn("match", "Match", text=as_whole),
    *(TableColumn(name, name, text=as_number(2)) for name in ("RC", "IoU", "IoUC")),
    *(TableColumn(name, name, text=as_text) for name in ("Status", "Plot")),
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
        ours, theirs = in_turns(filter_model, partial(_filter_texts, table))
        seconds.append(ours.processor)
    yield Row(
        "first letter in the filter",
        ours,
        "every row written as one text",
        theirs,
        growth(SIZES, seconds),
        memory(filter_model),
        f"{SIZES[-1]:,} rows of {len(COLUMNS)} columns, the table shown again",
    )


def _filter_model(model: FrameModel, table: pd.DataFrame) -> None:
    """Show a table without a filter, then filter it."""
    model.filter_words("")
    model.set_frame(table, COLUMNS)
    model.filter_words("7")


def _filter_texts(table: pd.DataFrame) -> None:
    """Write every row of a table as one text, then filter the texts."""
    columns = [[column.text(value) for value in table[column.name].tolist()] for column in COLUMNS]
    texts = np.array([" ".join(row).casefold() for row in zip(*columns)])
    np.flatnonzero(np.char.find(texts, "7") >= 0)


def page_rows(application: QgsApplication, folder: Path) -> Iterator[Row]:
    """Yield the rows of page Score.

    Args:
        application: the running application.
        folder: an empty folder for layers and results.
    """
    scene = many(lambda crowns: crowns, SIZES[-1], side=5)
    page, _ = score_page(scene, folder)
    works = {
        "run and shown": page.start,
        "shown again": lambda: page.history.show(page.history.runs()[0]),
    }
    for name, work in works.items():
        before = page.results.results
        clock = Clock()
        work()
        while page.results.results is before:
            application.processEvents()
        clock.look()
        clock.timer.stop()
        yield Row(
            f"results on page Score, {name}",
            Time(clock.longest, clock.busy),
            conditions=f"{len(page.results.scores().crowns):,} crowns of 33 vertices; longest wait "
            "of the window; processor time of its thread in brackets",
        )


if __name__ == "__main__":
    application = QgsApplication([], True)
    application.initQgis()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    show(rows())
    with tempfile.TemporaryDirectory() as temporary:
        show(page_rows(application, Path(temporary)))
    sys.stdout.flush()
    os._exit(0)  # The end of QGIS is not measured.
