"""Unloading the plugin while QGIS uses its functions, in a window of QGIS."""

from __future__ import annotations

import shutil
from typing import Any

from support.once import sample_once
from window.session import found_in_window

#: By state of the plugin: values of the virtual field, and value of an expression.
_EXPECTED = {
    "loaded": ([1.0], 1.0),
    "unloaded": ([None], "rc_iou: The plugin RandCrowns is not loaded."),
}


def _broken_rounds(found: dict[str, Any]) -> list[Any]:
    """What is not as promised: a warning, a value of the plugin's functions or of the function of
    another plugin, or the order of all functions.
    """
    broken = [
        one
        for one in found["rounds"]
        if (one["our"], one["value"]) != _EXPECTED[one["state"]]
        or one["their"] != ["another"]
        or one["rows"] != 35
        or not one["same functions"]
    ]
    return [*found["warnings"], *broken]


def test_unload(promise, folders, tmp_path_factory):
    rounds = promise.size(100, 6)
    sample = sample_once(tmp_path_factory)

    def attempt(rng):
        folder = next(folders)
        folder.mkdir()
        shutil.copytree(sample, folder / "sample")
        settings = {
            "RANDCROWNS_ROUNDS": str(rounds),
            "RANDCROWNS_ROUNDS_SEED": str(rng.integers(1_000_000)),
        }
        found = found_in_window("in_functions.py", folder, **settings)
        assert len(found["rounds"]) >= rounds
        assert _broken_rounds(found) == []

    promise.keep(
        "unloading or reloading the plugin crashes nothing and changes no other plugin's functions",
        attempt,
        many=1,
        seconds=200,
        each=rounds,
        conditions="in a window with virtual fields, labels and an open attribute table that use the functions, and another plugin's function registered behind them",
    )
