"""A cancel of a long comparison is heard soon, wherever it falls."""

from __future__ import annotations

import time

import numpy as np
import pytest
import shapely
from support.layers import EAST, NORTH, layer_of
from support.processing import Listener

import randcrowns.algorithms.base as base


@pytest.fixture
def inputs():
    generator = np.random.default_rng(0)
    centre = generator.uniform(0, 500, (500, 2)) + np.array([EAST, NORTH])
    angle = np.linspace(0, 2 * np.pi, 17)[:-1]
    around = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    layers = []
    for number in range(5):
        radius = 6 * generator.uniform(0.7, 1.2, (500, 16, 1))
        layers.append(layer_of(f"p{number}", list(shapely.polygons(centre[:, None] + radius * around))))
    return {"ANNOTATORS": layers, "EXTENT_LAYER": layer_of("area", [shapely.box(EAST, NORTH, EAST + 500, NORTH + 500)])}


OUTPUTS = ("AGREEMENT", "DISAGREEMENTS", "ANNOTATOR_TABLE", "ANNOTATOR_PAIRS", "SUMMARY", "CONSENSUS")


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("compareannotators", {}),
        ("compareannotators", {"RESOLUTION": 0.2}),
        ("consensus", {}),
        ("consensus", {"METHOD": 8, "RESOLUTION": 0.5, "ROUNDS": 5}),
    ],
)
def test_nothing_works_long_without_a_look(run, inputs, monkeypatch, name, parameters):
    told, real = [], base.feedback_progress

    def watched(feedback):
        report, last = real(feedback), [time.thread_time()]

        def look(fraction):
            now = time.thread_time()
            told.append(now - last[0])
            last[0] = now
            report(fraction)

        return look

    monkeypatch.setattr(base, "feedback_progress", watched)
    done = run(name, {**inputs, **parameters}, outputs=OUTPUTS)
    assert done.ok, done.error
    assert len(told) > 10
    assert max(told) < 1


@pytest.mark.parametrize("percent", [9, 20, 40, 50, 60, 75])
@pytest.mark.parametrize("name", ["compareannotators", "consensus"])
def test_a_cancel_leaves_nothing(run, inputs, tmp_path, name, percent):
    output = "AGREEMENT" if name == "compareannotators" else "CONSENSUS"
    done = run(name, {**inputs, output: str(tmp_path / "a.gpkg")}, Listener(cancel_at=percent), outputs=())
    assert done.results == {}
    assert list(tmp_path.iterdir()) == []
