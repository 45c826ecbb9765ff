"""Jobs by Python and by the command, in a process without QGIS, to compare with the toolbox.

QGIS and pyproj have a PROJ library each, and must not call them in one process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["assert_same", "run_elsewhere"]

#: Script of the process.
_SCRIPT = Path(__file__).parents[1] / "jobs" / "run_jobs.py"


def run_elsewhere(cases: dict[str, Any]) -> dict[str, Any]:
    """Return the tables of cases by Python and by the command, from a process without QGIS."""
    done = subprocess.run(
        [sys.executable, _SCRIPT],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def assert_same(expected: pd.DataFrame, rows: list[dict[str, Any]], least: int) -> None:
    """Assert that all columns of two tables that both have are equal, and that there are enough."""
    found = pd.DataFrame(rows)
    shared = [name for name in expected if name in found]
    assert len(shared) >= least, (list(expected), list(found))
    assert len(found) == len(expected)
    for name in shared:
        for own, other in zip(found[name], expected[name]):
            is_missing = own in (None, "") or (isinstance(own, float) and np.isnan(own))
            if is_missing:
                assert other in (None, "") or pd.isna(other), name
            else:
                assert own == other, name
