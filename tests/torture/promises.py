"""Promises that are tried with random input: a few times in the suite, often by ``make
torture``, which writes of it.

Run as ``python torture.py ROWS_VARIABLE SEED SECONDS``: writes docs/reliability.md from the rows
that the tests of tests/torture left there.
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

#: The file that rows are appended to, one JSON object a line; the number that the random input
#: comes from; and the
#: share of the sizes and of the time, below 1 where a machine has other work.
ROWS, SEED, SHARE = "RANDCROWNS_TORTURE_ROWS", "RANDCROWNS_TORTURE_SEED", "RANDCROWNS_TORTURE_SHARE"
HEAD = ("promise", "tries", "failures", "worst", "conditions")
_ROOT = Path(__file__).resolve().parents[2]
#: What a try does with random numbers of its own; its worst measure, or a tuple that begins with
#: it, or None.
Attempt = Callable[[np.random.Generator], Any]


class Promise:
    """Tries a promise, and keeps what became of it.

    Attributes:
        thoroughly: whether ``make torture`` runs, and not the suite.
    """

    def __init__(self, key: str, raised: list[BaseException]) -> None:
        """``raised`` takes the exceptions of slots."""
        self._key, self._raised = key, raised
        self._rows = os.environ.get(ROWS, "")
        self.thoroughly = bool(self._rows)
        self._share = float(os.environ.get(SHARE) or 1)

    def size(self, large: int, small: int) -> int:
        """How large what it is tried with is: small in the suite."""
        return round(self._share * large) if self.thoroughly else small

    def keep(
        self,
        said: str,
        attempt: Attempt,
        few: int = 1,
        many: int = 100,
        seconds: float = 60.0,
        each: int = 1,
        worst: str = "",
        conditions: str = "",
    ) -> None:
        """Try it.

        Args:
            said: the promise, as the table has it.
            attempt: a try, which raises where the promise is broken.
            few, many: how often in the suite, and in ``make torture``, which begins
                none after so many ``seconds``.
            each: cases in one try, where it has several.
            worst: how the largest measure is written, as in ``{:.2f} s``.
            conditions: with what it is tried.
        """
        base, until = int(os.environ.get(SEED, 0)), time.monotonic() + self._share * seconds
        measures, failures, tries = [], [], 0
        self._note(said, conditions)
        for number in range(many if self.thoroughly else few):
            if tries >= few and time.monotonic() > until:
                break
            tries += 1
            try:
                measures.append(attempt(np.random.default_rng([base, number])))
                if self._raised:
                    raise self._raised.pop()
            except Exception:
                failures.append(f"try {number}, seed {base}: {traceback.format_exc()}")
                self._raised.clear()
        measured = [
            one if isinstance(one, tuple) else (one,) for one in measures if one is not None
        ]
        told = worst.format(*max(measured)) if measured and worst else ""
        self._note(said, conditions, tries * each, len(failures), told, failures[:3])
        assert not failures, f"{len(failures)} of {tries} tries failed:\n" + "\n".join(failures[:3])

    def _note(
        self,
        said: str,
        conditions: str,
        tries: int = 0,
        failures: int = -1,
        worst: str = "",
        told: Sequence[str] = (),
    ) -> None:
        """Noted before too: what crashes says nothing afterwards."""
        if self._rows:
            row = dict(
                zip(HEAD, (said, tries, failures, worst, conditions)),
                key=self._key,
                told=list(told),
            )
            with open(self._rows, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


def page(rows: Sequence[dict[str, Any]], measured: str) -> str:
    """The text of docs/reliability.md; the last row of a promise counts."""
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


def _write(rows: Path, seed: str, seconds: str) -> None:
    from table import current_commit, describe_machine

    found = [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]
    took = f"{float(seconds) / 60:.0f} minutes"
    share = float(os.environ.get(SHARE) or 1)
    part = "" if share == 1 else f"**Not a whole run:** {share:.0%} of the sizes and of the time. "
    measured = f"{part}Measured on {date.today()}, commit {current_commit()}, seed {seed}, in {took}: {describe_machine()} QGIS {_qgis()}."
    (_ROOT / "docs" / "reliability.md").write_text(page(found, measured), encoding="utf-8")
    print(page(found, measured))


def _qgis() -> str:
    from qgis.core import Qgis

    return str(Qgis.QGIS_VERSION.partition("-")[0])


if __name__ == "__main__":
    sys.path += [str(_ROOT / "benchmarks")]
    _write(Path(sys.argv[1]), *sys.argv[2:4])
