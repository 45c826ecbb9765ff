"""The first letter in the filter of a table of 100,000 rows, beside writing every row as one text.

QT_QPA_PLATFORM=offscreen python benchmarks/bench_table.py
"""

from __future__ import annotations

import os
from collections.abc import Iterator

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pandas as pd
from qgis.core import QgsApplication
from table import Row, growth, in_turns, memory, show

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
    words = {"Status": rng.choice(["scored", "missed"], n), "Plot": rng.choice(["north", "south"], n)}
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
            values = [[column.text(value) for value in table[column.name].tolist()] for column in COLUMNS]
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


if __name__ == "__main__":
    application = QgsApplication([], True)
    show(rows())
