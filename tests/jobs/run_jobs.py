"""Do jobs by Python and by the command, in a process of its own; used by test_same_numbers.

QGIS and pyproj have a PROJ library each, and must not call them in one process.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from typing import Any

import shapely

import randcrowns as rc
from randcrowns.command.main import main
from randcrowns.core.errors import InputError
from randcrowns.jobs.results import table_rows

FUNCTIONS = {
    "score": "score",
    "agree": "compare_annotators",
    "consensus": "consensus",
    "rank": "rank_detectors",
    "evaluate": "evaluate",
    "evaluate-cloud": "evaluate_cloud",
    "variance": "variance",
    "tune": "tune",
    "import": "read_annotations",
}


def by_python(case: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of all tables by the function of Python; only a summary if it refuses.

    Tables of the trees of clouds have one of their outlines beside them.
    """
    function = getattr(rc, FUNCTIONS[case["job"]])
    try:
        result = function(**case["inputs"], **case["parameters"])
    except InputError as error:
        return {"summary": [{"refused": error.key}]}
    tables = {name: table_rows(table) for name, table in result.tables.items()}
    if case["job"] == "evaluate-cloud":
        for name in ("targets", "predictions"):
            outlines = shapely.to_wkb(result.tables[name]["geometry"].to_numpy(), hex=True)
            tables[f"{name}_outlines"] = [{"outline": outline} for outline in outlines]
    return tables


def by_command(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the summary by the command."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        code = main([*case["arguments"], "--out", "-", "--quiet"])
    assert code == 0, case
    return json.loads(printed.getvalue())["summary"]


if __name__ == "__main__":
    cases = json.loads(sys.stdin.read())
    found: dict[str, Any] = {}
    for name, case in cases.items():
        found[name] = {"tables": by_python(case)}
        if case["arguments"]:
            found[name]["command"] = by_command(case)
        found[name]["python"] = found[name]["tables"]["summary"]
    print(json.dumps(found))
