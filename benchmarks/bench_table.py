"""The first letter in the filter of a table of 100,000 rows, beside writing every row as one text.

And how long the window waits at most while page Score runs, reads and shows as many rows, and shows them again.

QT_QPA_PLATFORM=offscreen python benchmarks/bench_table.py
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
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
    """Scores as page Score shows them."""
    rng = np.random.default_rng(0)
    scores = {name: rng.random(n) for name in ("RC", "IoU", "IoUC")}
    words = {
        "Status": rng.choice(["scored", "missed"], n),
        "Plot": rng.choice(["north", "south"], n),
    }
    return pd.DataFrame({"id": range(n), "match": rng.permutation(n), **scores, **words})


def rows() -> Iterator[Row]:
    times = []
    for n in SIZES:
        table, model = frame(n), FrameModel()

        def ours(table: pd.DataFrame = table, model: FrameModel = model) -> None:
            model.filter_words("")
            model.set_frame(table, COLUMNS)
            model.filter_words("7")

        def theirs(table: pd.DataFrame = table) -> None:
            values = [
                [column.text(value) for value in table[column.name].tolist()] for column in COLUMNS
            ]
            haystack = np.array([" ".join(row).casefold() for row in zip(*values)])
            np.flatnonzero(np.char.find(haystack, "7") >= 0)

        own, peer = in_turns(ours, theirs)
        times.append(own.processor)
    yield Row(
        "first letter in the filter",
        own,
        "every row written as one text",
        peer,
        growth(SIZES, times),
        memory(ours),
        f"{SIZES[-1]:,} rows of {len(COLUMNS)} columns, the table shown anew",
    )


def _results(application: QgsApplication, folder: Path) -> Iterator[Row]:
    scene = many(lambda crowns: crowns, SIZES[-1], side=5)
    page, _ = score_page(scene, folder)
    works = {
        "run and shown": page.start,
        "shown again": lambda: page.history.show(page.history.runs()[0]),
    }
    for done, work in works.items():
        before = page.results.results
        clock = Clock()
        work()
        while page.results.results is before:
            application.processEvents()
        clock.look()
        clock.timer.stop()
        told = "longest wait of the window; in brackets, what its thread worked meanwhile"
        said = f"{len(page.results.scores().crowns):,} crowns of 33 vertices; {told}"
        yield Row(
            f"results on page Score, {done}", Time(clock.longest, clock.busy), conditions=said
        )


if __name__ == "__main__":
    application = QgsApplication([], True)
    application.initQgis()
    provider = RandCrownsProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    show(rows())
    with tempfile.TemporaryDirectory() as made:
        show(_results(application, Path(made)))
    sys.stdout.flush()
    os._exit(0)  # QGIS's own end is not measured
