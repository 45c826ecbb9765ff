"""Classes and strata of random scenes are the same in the toolbox, in Python and by the command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from qgis.core import QgsVectorLayer
from support.class_scenes import STRATA, write_scene
from support.processing import run_algorithm

from randcrowns.command.main import main
from randcrowns.jobs.parameters import describe_jobs
from randcrowns.jobs.scoring import score

#: Outputs of the toolbox by the table of Python, which is also the name of the command's layer.
OUTPUTS = {
    "CONFUSION": "confusion",
    "CLASS_METRICS": "class_metrics",
    "CLASS_SUMMARY": "class_summary",
    "STRATA": "strata",
    "STRATA_TESTS": "strata_tests",
}


def _assert_same(found: pd.DataFrame, expected: pd.DataFrame, names: list[str]) -> None:
    """Assert that columns of two tables have the same values, numbers to 1e-9."""
    assert len(found) == len(expected)
    for name in names:
        if expected[name].dtype.kind in "if":
            numbers = pd.to_numeric(found[name]).to_numpy(dtype=float)
            np.testing.assert_allclose(numbers, expected[name], rtol=1e-9, atol=1e-9, err_msg=name)
        else:
            sides = [table[name].astype(object) for table in (found, expected)]
            texts = [side.where(side.notna() & (side != ""), None).tolist() for side in sides]
            assert [*map(str, texts[0])] == [*map(str, texts[1])], name


@pytest.mark.parametrize("seed", range(5))
def test_surfaces_have_the_same_classes_and_strata(algorithms, tmp_path, seed: int) -> None:
    targets, drawn = write_scene(tmp_path, seed)
    options = {"plot_field": "plot", "class_field": "species", **STRATA[seed]}
    python = score(targets, [drawn], **options)
    assert len(python.tables["confusion"]) > 9
    assert len(python.tables["strata"]) > 2

    layers = [QgsVectorLayer(path, Path(path).stem, "ogr") for path in (targets, drawn)]
    given: dict[str, Any] = {"TARGETS": layers[0], "DELINEATIONS": [layers[1]]}
    arguments = ["score", targets, drawn, "--quiet"]
    for name, value in options.items():
        option = f"--{name.replace('_', '-')}"
        if name == "extent":
            xmin, ymin, xmax, ymax = value
            given["EXTENT"] = f"{xmin},{xmax},{ymin},{ymax} [EPSG:32617]"
            arguments += [option, ",".join(map(str, value))]
            continue
        parameter = describe_jobs()["score"].parameters[name]
        is_option = parameter.kind == "option"
        given[parameter.id] = parameter.options.index(value) if is_option else value
        arguments += [option] if value is True else [option, str(value)]
    run = run_algorithm("scorecrowns", given, outputs=tuple(OUTPUTS))
    assert run.ok, run.refused or run.error
    for output, name in OUTPUTS.items():
        expected = python.tables[name]
        found = run.table(output)
        _assert_same(found, expected, [column for column in expected if column in found])

    out = tmp_path / "out"
    assert main([*arguments, "--out", str(out)]) == 0
    for name in OUTPUTS.values():
        texts = dict.fromkeys(("stratum", "first", "second", "reason"), str)
        path = out / f"{name}.csv"
        found = pd.read_csv(path, dtype=texts, keep_default_na=False, na_values=[""])
        _assert_same(found, python.tables[name], list(python.tables[name]))
