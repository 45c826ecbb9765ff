from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.resampling import block_weights

from randcrowns.core.agreement.blocks import block_edges
from randcrowns.core.agreement.summary import agreement_summary
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.geometry import overlay
from randcrowns.core.geometry.overlay_areas import overlay_areas

UTM = np.array([471_234.56, 7_548_765.43])


def drawn(seed: int, n: int, at: np.ndarray = UTM, side: float = 30.0) -> np.ndarray:
    """Crowns of one annotator, some with a hole, which overlap each other."""
    rng = np.random.default_rng(seed)
    angle = np.linspace(0, 2 * np.pi, 17)[:-1]
    radius = rng.uniform(1, 6, (n, 1)) * rng.uniform(0.7, 1.3, (n, 16))
    xy = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
    shift = at + rng.uniform(0, side, (n, 1, 2))
    crowns, holes = shapely.polygons(xy + shift), shapely.polygons(xy / 3 + shift)
    return np.where(rng.random(n) < 0.3, shapely.difference(crowns, holes), crowns)


@pytest.fixture
def faces_made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Of each rectangle of which faces were made, the number of its segments."""
    made: list[int] = []
    faces_of = overlay.OverlayScene.build_faces

    def count(scene, cut, rectangle, grid=0.0):
        if not grid:
            made.append(len(rectangle[1]))
        return faces_of(scene, cut, rectangle, grid)

    monkeypatch.setattr(overlay.OverlayScene, "build_faces", count)
    return made


def test_no_face_is_made_where_crossings_are_certain(
    faces_made: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overlay, "MAX_SEGMENTS", 100)
    layers = [drawn(seed, 20) for seed in range(4)]
    area = shapely.box(*UTM, *(UTM + 30.3)).difference(shapely.Point(*(UTM + 11)).buffer(4))
    without = VoteTable.from_polygons(layers, area, faces=False)
    assert faces_made == []
    with_faces = VoteTable.from_polygons(layers, area)
    assert len(faces_made) > 1
    np.testing.assert_array_equal(without.patterns, with_faces.patterns)
    np.testing.assert_allclose(without.weights, with_faces.weights, rtol=1e-9, atol=1e-8)


@settings(max_examples=examples(30), deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(0, 12),
    st.integers(20, 400),
    st.booleans(),
    st.booleans(),
)
def test_areas_of_blocks_are_those_of_the_faces_in_them(
    seed: int, n: int, most_segments: int, studied: bool, same: bool
) -> None:
    """Also where two annotators' crowns are the same, and others lie along the study area's
    border.
    """
    layers = [
        drawn(seed, n),
        drawn(seed + 1, n + 1),
        np.append(drawn(seed + 2, n // 2), shapely.box(*UTM, *(UTM + 2))),
    ]
    layers.append(layers[0] if same else drawn(seed + 3, n))
    area = shapely.box(*UTM, *(UTM + 25)) if studied else None
    with_faces = VoteTable.from_polygons(layers, area)
    expected = block_weights(with_faces, 7.0).sum(axis=0), block_weights(with_faces, 7.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlay, "MAX_SEGMENTS", most_segments)
        found = overlay_areas(layers, area, lambda bounds: block_edges(bounds, 7.0))
    weights = dict(zip(map(tuple, with_faces.patterns.tolist()), range(len(with_faces.patterns))))
    areas = np.zeros((len(found.areas), len(weights)))
    for pattern, column in zip(map(tuple, found.patterns.tolist()), found.areas.T):
        if pattern in weights:
            areas[:, weights[pattern]] = column
        else:  # a sliver by rounding
            assert column.sum() < 1e-5
    np.testing.assert_allclose(
        areas.sum(axis=0), np.asarray(expected[0]).ravel(), rtol=1e-9, atol=1e-5
    )
    filled = areas[areas.sum(axis=1) > 0]
    np.testing.assert_allclose(filled, expected[1].toarray(), rtol=1e-6, atol=1e-5)


def test_intervals_without_faces_are_those_with_them() -> None:
    layers = [drawn(seed, 40, side=60.0) for seed in range(3)]
    area = shapely.box(*UTM, *(UTM + 60))
    with_faces = agreement_summary(VoteTable.from_polygons(layers, area), 10.0, n_resamples=200)
    counted = VoteTable.from_polygons(
        layers, area, faces=False, borders=lambda bounds: block_edges(bounds, 10.0)
    )
    without = agreement_summary(counted, n_resamples=200)
    np.testing.assert_allclose(without.table, with_faces.table, rtol=1e-8)
    assert (without.n_blocks, without.n_marked_blocks, without.messages) == (
        with_faces.n_blocks,
        with_faces.n_marked_blocks,
        with_faces.messages,
    )


def test_outlines_that_touch_are_cut(faces_made: list[int]) -> None:
    """Shared edges, corners on edges and outlines a rounding apart."""
    one = shapely.box(0, 0, 4, 4)
    for other, shared in (
        (shapely.box(4, 0, 6, 4), 0.0),
        (shapely.box(2, 0, 6, 4), 8.0),
        (shapely.Polygon([(4, 2), (8, 0), (8, 4)]), 0.0),
        (shapely.box(1e-15, 0, 4, 4), 16.0),
    ):
        made = len(faces_made)
        found = overlay_areas([[one], [other]])
        both = found.patterns.all(axis=1)
        assert found.areas[0, both].sum() == pytest.approx(shared)
        assert len(faces_made) == made + 1
