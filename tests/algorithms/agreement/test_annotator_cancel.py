"""Cancelling a comparison or a consensus takes effect at once and writes nothing."""

from __future__ import annotations

from threading import Event

import numpy as np
import pytest
import shapely
from support.layers import EAST, NORTH, layer_of
from support.processing import Listener

import randcrowns.algorithms.agreement.compare_annotators as compare_annotators
import randcrowns.algorithms.agreement.make_consensus as consensus
import randcrowns.algorithms.agreement.vote_counting as annotator_votes
from randcrowns.core.agreement.votes import VoteTable


@pytest.fixture(scope="module")
def inputs(qgis_app):
    generator = np.random.default_rng(0)
    centre = generator.uniform(0, 100, (20, 2)) + np.array([EAST, NORTH])
    angle = np.linspace(0, 2 * np.pi, 17)[:-1]
    around = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    layers = []
    for number in range(3):
        radius = 6 * generator.uniform(0.7, 1.2, (20, 16, 1))
        layers.append(
            layer_of(f"p{number}", list(shapely.polygons(centre[:, None] + radius * around)))
        )
    return {
        "ANNOTATORS": layers,
        "EXTENT_LAYER": layer_of("area", [shapely.box(EAST, NORTH, EAST + 100, NORTH + 100)]),
    }


@pytest.mark.parametrize(
    ("name", "owner", "work", "parameters"),
    [
        ("compareannotators", VoteTable, "from_polygons", {}),
        ("compareannotators", VoteTable, "from_tiles", {"RESOLUTION": 1}),
        ("compareannotators", VoteTable, "pattern_rows", {"RESOLUTION": 1}),
        ("compareannotators", annotator_votes, "polygonise_grid", {"RESOLUTION": 1}),
        ("compareannotators", annotator_votes, "covered_area", {"RESOLUTION": 1}),
        ("compareannotators", compare_annotators, "agreement_summary", {}),
        ("compareannotators", compare_annotators, "disagreements", {}),
        ("compareannotators", compare_annotators.measures, "crown_instances", {}),
        ("consensus", consensus, "marked_polygons", {}),
        ("consensus", consensus.Consensus, "compute", {"METHOD": 8, "RESOLUTION": 1}),
        (
            "consensus",
            consensus,
            "staple_priors",
            {"METHOD": 6, "PRIOR_EFFECT": "TEMPORARY_OUTPUT"},
        ),
    ],
)
def test_a_cancel_is_heard_while_one_step_works_for_long(
    run, inputs, monkeypatch, name, owner, work, parameters
):
    listener, released, ended = Listener(), Event(), []

    def works_for_long(*_arguments, **_named):
        listener.cancel()
        released.wait(300)
        ended.append(work)

    monkeypatch.setattr(owner, work, works_for_long)
    done = run(name, {**inputs, **parameters}, listener, outputs=("AGREEMENT", "CONSENSUS"))
    assert listener.isCanceled()
    assert done.results == {}
    assert ended == []
    released.set()


@pytest.mark.parametrize("percent", [9, 20, 40, 50, 60, 75])
@pytest.mark.parametrize("name", ["compareannotators", "consensus"])
def test_a_cancel_leaves_nothing(run, inputs, tmp_path, name, percent):
    output = "AGREEMENT" if name == "compareannotators" else "CONSENSUS"
    done = run(
        name, {**inputs, output: str(tmp_path / "a.gpkg")}, Listener(cancel_at=percent), outputs=()
    )
    assert done.results == {}
    assert list(tmp_path.iterdir()) == []
