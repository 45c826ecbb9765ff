"""Promises that are tested with random input: a few times in the suite, often in ``make torture``.

``python promises.py ROWS SEED SECONDS`` writes docs/reliability.md from the rows that the tests of
tests/torture have written to the file ROWS.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, Callable

import numpy as np

__all__ = ["Attempt", "Promise", "page"]

#: Environment variable with the file to which rows are appended, one JSON object per line.
ROWS = "RANDCROWNS_TORTURE_ROWS"
#: Environment variable with the seed of the random input.
SEED = "RANDCROWNS_TORTURE_SEED"
#: Environment variable with the share of the sizes and of the time that are used, by default 1.
SHARE = "RANDCROWNS_TORTURE_SHARE"
#: Columns of the table in docs/reliability.md.
HEAD = ("promise", "tries", "failures", "worst", "conditions")
_ROOT = Path(__file__).resolve().parents[2]
#: Function of one try. It receives a random generator, and returns its measurement, a tuple that
#: begins with it, or None. It raises an exception if the promise is broken.
Attempt = Callable[[np.random.Generator], Any]


class Promise:
    """Tests a promise and writes the row of the result.

    Args:
        key: Name of the test; the last row with a name counts.
        raised: List to which the exceptions of Qt slots are appended.
    """

    def __init__(self, key: str, raised: list[BaseException]) -> None:
        self._key = key
        self._raised = raised
        self._rows = os.environ.get(ROWS, "")
        #: True in ``make torture``, False in the test suite.
        self.thoroughly = bool(self._rows)
        self._share = float(os.environ.get(SHARE) or 1)

    def size(self, large: int, small: int) -> int:
        """Return the size of the input: the small one in the suite."""
        return round(self._share * large) if self.thoroughly else small

    def keep(
        self,
        promise: str,
        attempt: Attempt,
        few: int = 1,
        many: int = 100,
        seconds: float = 60.0,
        each: int = 1,
        worst: str = "",
        conditions: str = "",
    ) -> None:
        """Test the promise.

        Args:
            promise: The promise, as in the table.
            attempt: Function of one try.
            few: Number of tries in the suite.
            many: Maximum number of tries in ``make torture``.
            seconds: Time after which no further try begins.
            each: Number of cases in one try.
            worst: Format of the largest measurement, for example ``{:.2f} s``.
            conditions: Description of the input, as in the table.

        Raises:
            AssertionError: if a try failed.
        """
        seed = int(os.environ.get(SEED, 0))
        end = time.monotonic() + self._share * seconds
        measurements = []
        failures: list[str] = []
        tries = 0
        # This row stays if a try crashes the process.
        self._append_row(promise, conditions)
        for number in range(many if self.thoroughly else few):
            if tries >= few and time.monotonic() > end:
                break
            tries += 1
            try:
                measurements.append(attempt(np.random.default_rng([seed, number])))
                if self._raised:
                    raise self._raised.pop()
            except Exception:
                failures.append(f"try {number}, seed {seed}: {traceback.format_exc()}")
                self._raised.clear()
        values = [
            value if isinstance(value, tuple) else (value,)
            for value in measurements
            if value is not None
        ]
        worst_text = worst.format(*max(values)) if values and worst else ""
        self._append_row(promise, conditions, tries * each, len(failures), worst_text, failures[:3])
        assert not failures, f"{len(failures)} of {tries} tries failed:\n" + "\n".join(failures[:3])

    def _append_row(
        self,
        promise: str,
        conditions: str,
        tries: int = 0,
        failures: int = -1,
        worst: str = "",
        tracebacks: Sequence[str] = (),
    ) -> None:
        """Append a row to the file of rows; the number of failures is -1 before the tries."""
        if self._rows:
            row = dict(
                zip(HEAD, (promise, tries, failures, worst, conditions)),
                key=self._key,
                tracebacks=list(tracebacks),
            )
            with open(self._rows, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


def page(rows: Sequence[dict[str, Any]], measured: str) -> str:
    """Return the text of docs/reliability.md; the last row of a test counts."""
    last = {row["key"]: row for row in rows}
    lines: list[Sequence[object]] = [HEAD, ("---",) * len(HEAD)]
    for key in sorted(last):
        row = {**last[key], "worst": last[key]["worst"]}
        if row["failures"] < 0:
            row.update(tries="", failures="did not end", worst="")
        lines.append([row[name] for name in HEAD])
    table = "\n".join(
        "| " + " | ".join(str(cell).replace("|", "/") for cell in line) + " |" for line in lines
    )
    return f"""# Reliability

`make torture` writes this page. {measured}

Each row is a promise of the plugin. `make torture` tests each promise many times with new random input; the test suite
tests it a few times. A try is one case: a run, a file, a project, or a pair of crowns. It fails if any part of the
promise is broken, or if an error occurs without a message for the user. The worst is the largest measured value.

A run checks for Cancel at certain points. The longest time between two checks is measured over whole runs, because a
Cancel waits at most this time. It is the wall time or the processor time of the process, whichever is shorter, since
other programs use the processor too.

{table}
"""


def _write_page(rows_file: Path, seed: str, seconds: str) -> None:
    """Write docs/reliability.md from the file of rows, and print it."""
    from table import current_commit, describe_machine

    rows = [json.loads(line) for line in rows_file.read_text(encoding="utf-8").splitlines()]
    duration = f"{float(seconds) / 60:.0f} minutes"
    share = float(os.environ.get(SHARE) or 1)
    part = "" if share == 1 else f"**Not a whole run:** {share:.0%} of the sizes and of the time. "
    measured = f"{part}Measured on {date.today()}, commit {current_commit()}, seed {seed}, in {duration}: {describe_machine()} QGIS {_qgis()}."
    (_ROOT / "docs" / "reliability.md").write_text(page(rows, measured), encoding="utf-8")
    print(page(rows, measured))


def _qgis() -> str:
    """Return the version of QGIS."""
    from qgis.core import Qgis

    return str(Qgis.QGIS_VERSION.partition("-")[0])


if __name__ == "__main__":
    sys.path += [str(_ROOT / "benchmarks")]
    _write_page(Path(sys.argv[1]), *sys.argv[2:4])
