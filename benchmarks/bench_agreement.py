"""Measure the agreement and the consensus of annotators.

    python benchmarks/bench_agreement.py

The peers are ITK's STAPLE (if SimpleITK is installed), LSML that updates the whole image, and
geopandas.overlay (if geopandas is installed). The plugin requires none of them. Our time of STAPLE
extends from the stack of decisions to the map of probabilities.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import shapely
from peer_lsml import whole_image_level_set
from scipy.ndimage import gaussian_filter
from table import (
    Row,
    Time,
    growth_exponent,
    measure_alternating,
    measure_memory,
    measure_time,
    report_rows,
)

from randcrowns.core.agreement import LevelSet, StapleResult, agreement_summary, level_set, staple
from randcrowns.core.agreement import measures as agreement
from randcrowns.core.agreement.consensus import CONSENSUS_METHODS
from randcrowns.core.agreement.consensus_of_crowns import crown_consensus
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.matching import match_one_to_one
from randcrowns.core.instances.overlap import polygon_overlap

try:
    import SimpleITK as sitk  # noqa: N813
except ImportError:
    sitk = None
try:
    import geopandas
except ImportError:
    geopandas = None

#: Number of annotators and side of the scene in pixels.
STAPLE_SCENES = ((3, 1000), (5, 2000), (13, 2000))
#: Rounds of LSML in the table, and rounds that the peer runs.
ROUNDS = 1000
PEER_ROUNDS = 50
#: Number of annotators and crowns of each, for the comparison with geopandas.
PEER_OVERLAY = (3, 2_000)
#: Numbers of crowns of each of 12 annotators, for the growth.
N_OVERLAY_ANNOTATORS = 12
#: Numbers of crowns of each of 12 annotators, for the comparison with GEOS: areas and map.
GEOS_OVERLAYS = (
    ("exact overlay, areas alone", 2_000, False),
    ("exact overlay with its map", 1_000, True),
)
OVERLAY_SIZES = (1_000, 10_000)


def simulated_stack(n_annotators: int, shape: tuple[int, int], seed: int = 0) -> np.ndarray:
    """Return (K, rows, columns) decisions of annotators who draw the same patches differently."""
    rng = np.random.default_rng(seed)
    truth = gaussian_filter(rng.standard_normal(shape), 12)
    truth /= truth.std()
    stack = np.empty((n_annotators, *shape), dtype=bool)
    for k in range(n_annotators):
        own = gaussian_filter(rng.standard_normal(shape), 6)
        stack[k] = truth + 0.35 * own / own.std() > 0.9 + 0.2 * rng.standard_normal()
    return stack


def simulated_crowns(n_crowns: int, side: float, seed: int) -> np.ndarray:
    """Return (n_crowns,) polygons of 32 vertices in a square.

    Args:
        n_crowns: number of crowns.
        side: side of the square, m.
        seed: seed of the annotator; crowns are the same for all, drawn differently.
    """
    crown_rng = np.random.default_rng(0)
    annotator_rng = np.random.default_rng(seed)
    centre = crown_rng.random((n_crowns, 2)) * side + annotator_rng.normal(0, 0.3, (n_crowns, 2))
    angle = np.linspace(0, 2 * np.pi, 33)[:-1]
    mean_radius = crown_rng.uniform(1.5, 4, n_crowns)[:, None]
    radius = mean_radius * (1 + 0.08 * annotator_rng.standard_normal((n_crowns, 32)))
    xy = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
    return shapely.polygons(centre[:, None] + xy)


def staple_on_map(stack: np.ndarray) -> tuple[np.ndarray, StapleResult]:
    """Return the map of STAPLE's probabilities and its result, with ITK's prior.

    Args:
        stack: (K, rows, columns) decisions.
    """
    votes = VoteTable.from_stack(stack)
    result = staple(votes, "mean")
    return votes.on_map(result.probability), result


def all_statistics(stack: np.ndarray) -> None:
    """Compute all statistics of agreement and the consensus of every method.

    Args:
        stack: (K, rows, columns) decisions.
    """
    votes = VoteTable.from_stack(stack)
    agreement.smyth_bound(votes)
    agreement.agreement_ratio(votes)
    agreement.pairwise_f1(votes)
    agreement.dendrogram(votes)
    agreement.annotator_statistics(votes)
    agreement.agreement_coefficients(votes)
    agreement.agreement_messages(votes)
    for method in CONSENSUS_METHODS.values():
        method(votes)
    votes.on_map(votes.n_yes)


def rows() -> Iterator[Row]:
    """Yield the rows of STAPLE, statistics, LSML, overlays and tiles."""
    for n_annotators, side in STAPLE_SCENES:
        yield _staple_row(n_annotators, side)
    stack = simulated_stack(13, (1140, 1140))
    yield Row(
        "statistics and votes of all methods",
        measure_alternating(partial(all_statistics, stack), repeats=3)[0],
        memory=measure_memory(partial(all_statistics, stack)),
        conditions="13 annotators x 1.3 Mpx",
    )
    votes = VoteTable.from_stack(stack)
    yield Row(
        "summary of agreement with intervals",
        measure_time(partial(agreement_summary, votes)),
        conditions="the same scene",
    )
    yield _lsml_row(stack)
    yield from _peer_overlay_rows()
    yield from _geos_overlay_rows()
    yield from _large_overlay_rows()
    yield _crown_consensus_row()
    yield _tiles_row()


def _staple_row(n_annotators: int, side: int) -> Row:
    """Return the row of STAPLE next to ITK, if it is installed."""
    stack = simulated_stack(n_annotators, (side, side))
    conditions = f"{n_annotators} annotators x {side**2 / 1e6:g} Mpx"
    if sitk is None:
        return Row(
            "STAPLE",
            measure_alternating(partial(staple_on_map, stack))[0],
            conditions=f"{conditions}; SimpleITK is not installed",
        )
    images = [sitk.GetImageFromArray(layer.astype(np.uint8)) for layer in stack]
    itk_filter = sitk.STAPLEImageFilter()
    itk_filter.SetForegroundValue(1)
    ours, theirs = measure_alternating(
        partial(staple_on_map, stack), partial(itk_filter.Execute, images), repeats=3
    )
    itk_probability = sitk.GetArrayFromImage(itk_filter.Execute(images))
    difference = np.abs(staple_on_map(stack)[0] - itk_probability).max()
    conditions += f", prior: the mean decision; probabilities within {difference:.0e}"
    return Row("STAPLE", ours, "ITK", theirs, conditions=conditions)


def _level_set_of(stack: np.ndarray, **options: Any) -> LevelSet:
    """Return the level set of a stack of decisions, which are counted first."""
    return level_set(VoteTable.from_stack(stack), **options)


def _lsml_row(stack: np.ndarray) -> Row:
    """Return the row of LSML; the peer's time is scaled from PEER_ROUNDS."""
    peer_options = {"max_iterations": PEER_ROUNDS, "stable_rounds": 0, "clip": False}
    peer_time = measure_time(lambda: whole_image_level_set(stack, PEER_ROUNDS))
    peer_marked = whole_image_level_set(stack, PEER_ROUNDS) <= 0
    is_same = np.array_equal(peer_marked, _level_set_of(stack, **peer_options).marked)
    scale = ROUNDS / PEER_ROUNDS
    return Row(
        "LSML, 1,000 rounds",
        measure_time(lambda: _level_set_of(stack, max_iterations=ROUNDS, stable_rounds=0)),
        f"the whole image in every round, {PEER_ROUNDS} rounds scaled",
        Time(scale * peer_time.wall, scale * peer_time.processor),
        memory=measure_memory(lambda: _level_set_of(stack, **peer_options)),
        conditions=f"13 annotators x 1.3 Mpx; {'the same' if is_same else 'ANOTHER'} outline",
        is_quoted=True,
    )


def _overlay_scene(n_annotators: int, n_crowns: int) -> tuple[list[np.ndarray], Any]:
    """Return the crowns of each annotator, and the study area."""
    side = 9.0 * n_crowns**0.5
    layers = [simulated_crowns(n_crowns, side, seed) for seed in range(1, n_annotators + 1)]
    return layers, shapely.box(0, 0, side, side)


def _peer_overlay_rows() -> Iterator[Row]:
    """Yield the rows of the overlay with and without its map, next to geopandas."""
    n_annotators, n_crowns = PEER_OVERLAY
    layers, area = _overlay_scene(n_annotators, n_crowns)
    peer_time = None if geopandas is None else measure_time(partial(_geopandas_overlay, layers))
    for name, faces in (
        ("exact overlay with its map", True),
        ("exact overlay, areas alone", False),
    ):
        work = partial(VoteTable.from_polygons, layers, area, faces=faces)
        yield Row(
            name,
            measure_time(work),
            "geopandas.overlay, union",
            peer_time,
            memory=measure_memory(work),
            conditions=f"{n_annotators} annotators of {n_crowns:,} crowns, 32 vertices",
        )


def _geos_overlay_rows() -> Iterator[Row]:
    """Yield the rows of overlays next to what GEOS does alone: node all outlines, find the faces.

    The peer does not find out which annotators marked a face.
    """
    for name, n_crowns, faces in GEOS_OVERLAYS:
        layers, area = _overlay_scene(N_OVERLAY_ANNOTATORS, n_crowns)
        ours, theirs = measure_alternating(
            partial(VoteTable.from_polygons, layers, area, faces=faces),
            partial(_faces_with_geos, layers),
            repeats=3,
        )
        yield Row(
            name,
            ours,
            "GEOS alone: noding and faces",
            theirs,
            conditions=f"{N_OVERLAY_ANNOTATORS} annotators of {n_crowns:,} crowns, 32 vertices",
        )


def _faces_with_geos(layers: list[np.ndarray]) -> np.ndarray:
    """Return the faces of all outlines of all annotators, without their annotators."""
    lines = shapely.union_all(shapely.boundary(np.concatenate(layers)))
    return np.asarray(shapely.get_parts(shapely.polygonize(shapely.get_parts(lines))))


def _large_overlay_rows() -> Iterator[Row]:
    """Yield the rows of a large overlay without and with its map."""
    times = []
    for n_crowns in OVERLAY_SIZES:
        layers, area = _overlay_scene(N_OVERLAY_ANNOTATORS, n_crowns)
        areas_work = partial(VoteTable.from_polygons, layers, area, faces=False)
        times.append(measure_time(areas_work))
    conditions = f"{N_OVERLAY_ANNOTATORS} annotators of {OVERLAY_SIZES[-1]:,} crowns"
    yield Row(
        "exact overlay, areas alone",
        times[-1],
        growth=growth_exponent(OVERLAY_SIZES, [time.processor for time in times]),
        memory=measure_memory(areas_work),
        conditions=conditions,
    )

    # Time and memory come from a single run, which takes minutes.
    map_times: list[Time] = []
    map_work = partial(VoteTable.from_polygons, layers, area)
    peak = measure_memory(lambda: map_times.append(measure_time(map_work)))
    yield Row("exact overlay with its map", map_times[0], memory=peak, conditions=conditions)


def _crown_consensus_row() -> Row:
    """Return the row of a consensus crown by crown, next to reading and matching in pairs."""
    layers, _ = _overlay_scene(N_OVERLAY_ANNOTATORS, OVERLAY_SIZES[-1])
    stored = {f"annotator {number}": shapely.to_wkb(layer) for number, layer in enumerate(layers)}

    def read() -> dict[str, Crowns]:
        return {name: Crowns(shapely.from_wkb(wkb), name=name) for name, wkb in stored.items()}

    def match_in_pairs() -> None:
        for first, second in itertools.combinations(read().values(), 2):
            match_one_to_one(polygon_overlap(first, second), "panoptic_segmentation")

    def work() -> Any:
        return crown_consensus(read())

    own_time, pair_time = measure_alternating(work, match_in_pairs, repeats=1)
    return Row(
        "consensus crown by crown",
        own_time,
        "reading and matching all pairs of layers",
        pair_time,
        memory=measure_memory(work),
        conditions=f"{N_OVERLAY_ANNOTATORS} annotators of {OVERLAY_SIZES[-1]:,} crowns",
    )


def _geopandas_overlay(layers: list[np.ndarray]) -> Any:
    """Return the successive union overlay of all annotators' layers.

    Overlapping crowns of one annotator are merged first, because a vote counts them once.
    """
    frames = []
    for number, layer in enumerate(layers):
        parts = shapely.get_parts(shapely.union_all(layer))
        frames.append(
            geopandas.GeoDataFrame({f"a{number}": True}, geometry=parts, index=range(len(parts)))
        )
    overlay = frames[0]
    for frame in frames[1:]:
        overlay = geopandas.overlay(overlay, frame, how="union", keep_geom_type=True)
    return overlay


def _tiles_row() -> Row:
    """Return the row of 13 annotators on 10,000 x 10,000 pixels, in tiles of 1,000 rows."""
    base = simulated_stack(13, (1000, 1000))

    def work() -> None:
        tiles = (np.tile(np.roll(base, 37 * number, axis=1), (1, 1, 10)) for number in range(10))
        votes = VoteTable.from_tiles(tiles)
        staple(votes)
        agreement.annotator_statistics(votes)

    return Row(
        "votes by tiles",
        measure_time(work),
        memory=measure_memory(work),
        conditions="13 annotators x 100 Mpx",
    )


if __name__ == "__main__":
    report_rows(rows())
