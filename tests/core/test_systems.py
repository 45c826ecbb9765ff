"""Layers of geopandas in core: taken as they are where they are in metres, refused otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import geopandas
import pytest
import shapely
from support.errors import ExpectedError, raises

from randcrowns.core import (
    Crowns,
    RandCrownsParameters,
    score_crowns,
    score_pairs,
    target_regions,
)
from randcrowns.core.agreement import VoteTable, annotator_instances
from randcrowns.core.instances import polygon_overlap
from randcrowns.core.tuning.variance import annotator_variance

LENGTHS = RandCrownsParameters(0.7, 1.2, 3)
SHAPES = [shapely.box(0, 0, 5, 5), shapely.box(9, 0, 14, 5)]


def layer(crs: Any = "EPSG:32617") -> geopandas.GeoDataFrame:
    """Two crowns of plot a, their rows numbered from 7."""
    return geopandas.GeoDataFrame({"plot": ["a", "a"]}, geometry=SHAPES, crs=crs, index=[7, 8])


#: What takes two layers.
JOBS: dict[str, Callable[[Any, Any], Any]] = {
    "score_crowns": lambda one, other: score_crowns(one, other, LENGTHS).targets.to_dict(),
    "score_pairs": lambda one, other: score_pairs(one, other, LENGTHS).to_dict(),
    "target_regions": lambda one, other: [
        target_regions(each, LENGTHS).tau.tolist() for each in (one, other)
    ],
    "votes": lambda one, other: VoteTable.from_polygons([one, other]).weights.tolist(),
    "instances": lambda one, other: annotator_instances([one, other]).to_dict(),
    "overlap": lambda one, other: polygon_overlap(Crowns(one), Crowns(other)).shared.tolist(),
    "variance": lambda one, other: annotator_variance(
        [one, other, other], LENGTHS
    ).summary.to_dict(),
}
TOGETHER = sorted(set(JOBS) - {"target_regions"})


@pytest.mark.parametrize("job", sorted(JOBS))
@pytest.mark.parametrize("form", [layer, lambda: layer().geometry, lambda: layer().geometry.array])
def test_a_layer_counts_as_its_polygons(job: str, form: Callable[[], Any]) -> None:
    assert repr(JOBS[job](form(), form())) == repr(JOBS[job](SHAPES, SHAPES))


@pytest.mark.parametrize("job", sorted(JOBS))
@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (lambda: layer(None), raises("crs.missing")),
        (lambda: layer("EPSG:4326"), raises("crs.not_metres", crs="WGS 84")),
        (lambda: layer("EPSG:2236"), raises("crs.not_metres")),
    ],
)
def test_a_system_that_gives_no_metres_is_refused(
    job: str, other: Callable[[], Any], expected: ExpectedError
) -> None:
    with expected:
        JOBS[job](layer(), other())


@pytest.mark.parametrize("job", TOGETHER)
def test_layers_in_unlike_systems_are_refused(job: str) -> None:
    with raises("crs.different", named="EPSG:32617, EPSG:32618"):
        JOBS[job](layer(), layer("EPSG:32618"))


def test_a_system_is_kept_with_the_crowns() -> None:
    assert Crowns(layer()).crs == "EPSG:32617"
    assert score_crowns(layer(), layer(), LENGTHS, plots=layer()["plot"]).targets[
        "plot"
    ].tolist() == ["a", "a"]
