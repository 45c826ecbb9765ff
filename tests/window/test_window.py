"""A real QGIS window, as ``make run`` opens it: the plugin loads, scores, and goes without a
trace.
"""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from support.once import sample_once
from window.session import found_in_window

from randcrowns.layers.sample import sample_folder


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("window")
    sample = sample_once(tmp_path_factory)
    shutil.copytree(sample, folder / "sample")
    # The menu finds its plot made; how it makes one is seen in test_installed.py.
    menu = folder / "qgis" / "profiles" / "default" / "randcrowns" / sample_folder().name
    shutil.copytree(sample, menu, ignore=shutil.ignore_patterns("*.qgz"))
    return found_in_window("in_window.py", folder)


def test_it_opens_with_the_plugin_and_the_sample_project(found: dict[str, Any]) -> None:
    assert {"randcrowns", "processing"} <= set(found["plugins"])
    assert found["title"] == "RandCrowns sample plot (simulated, seed 2)"
    assert found["valid"]
    assert {"randcrowns:scorecrowns", "randcrowns:targetregions"} <= set(found["algorithms"])


def test_the_dock_scores_while_the_window_answers(found: dict[str, Any]) -> None:
    assert found["running"]
    assert found["ticks"]
    assert "Task complete" in found["told"]
    # QGIS's own sentence on a task stays for a time.
    assert [title for title in found["bar"] if title != "Task complete"] == ["RandCrowns"]
    assert found["warnings"] == []
    assert len(found["scores"]) == 35
    assert 0.95 < max(found["scores"]) <= 1
    assert "<b>35 crowns</b>" in found["headline"]
    assert any(name.startswith("crowns vs annotator_1, Score crowns") for name in found["groups"])


def test_a_crown_is_drawn_until_the_plugin_is_reloaded(found: dict[str, Any]) -> None:
    assert found["bands shown"] >= found["bands before"] + 4
    assert found["provider again"]
    assert found["page again"] == "score"


def test_load_sample_data_adds_the_plot(found: dict[str, Any]) -> None:
    # One of the project, one of the menu: they lie in different folders.
    assert found["sample groups"] == ["Sample plot (simulated, seed 2)"] * 2


def test_unloading_leaves_nothing(found: dict[str, Any]) -> None:
    assert not found["provider left"]
    assert found["actions left"] == []
