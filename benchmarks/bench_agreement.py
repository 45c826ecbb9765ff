"""Annotators' agreement and consensus: STAPLE beside ITK's, LSML beside a sweep of the whole image, exact overlay.

    python benchmarks/bench_agreement.py

ITK's filter is measured where SimpleITK is installed (pip install SimpleITK), geopandas.overlay where geopandas is; the
plugin needs neither. Our time for STAPLE counts from the stack of decisions to the probabilities on the map.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import shapely
from peer_lsml import whole_image_level_set
from scipy.ndimage import gaussian_filter
from table import Row, Time, growth, in_turns, memory, show, timed

from randcrowns.core.agreement import Staple, agreement_summary, level_set, staple
from randcrowns.core.agreement import measures as agreement
from randcrowns.core.agreement.consensus import METHODS
from randcrowns.core.agreement.votes import VoteTable

try:
    import SimpleITK as sitk  # noqa: N813
except ImportError:
    sitk = None
try:
    import geopandas
except ImportError:
    geopandas = None

#: Annotators and side of the scene in pixels.
STAPLE_SCENES = ((3, 1000), (5, 2000), (13, 2000))
#: Rounds of LSML that are counted, and those that the peer does.
ROUNDS, PEER_ROUNDS = 1000, 50
#: Annotators and crowns of each; geopandas ends the first in time.
OVERLAYS = ((3, 2_000), (12, 1_000), (12, 10_000))


def simulated_stack(n_annotators: int, shape: tuple[int, int], seed: int = 0) -> np.ndarray:
    """Annotators who draw the same smooth patches, each a little differently."""
    rng = np.random.default_rng(seed)
    truth = gaussian_filter(rng.standard_normal(shape), 12)
    truth /= truth.std()
    stack = np.empty((n_annotators, *shape), dtype=bool)
    for k in range(n_annotators):
        own = gaussian_filter(rng.standard_normal(shape), 6)
        stack[k] = truth + 0.35 * own / own.std() > 0.9 + 0.2 * rng.standard_normal()
    return stack


def simulated_crowns(n_crowns: int, side: float, seed: int) -> np.ndarray:
    same, rng = np.random.default_rng(0), np.random.default_rng(seed)
    centre = same.random((n_crowns, 2)) * side + rng.normal(0, 0.3, (n_crowns, 2))
    angle = np.linspace(0, 2 * np.pi, 33)[:-1]
    radius = same.uniform(1.5, 4, n_crowns)[:, None] * (
        1 + 0.08 * rng.standard_normal((n_crowns, 32))
    )
    xy = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
    return shapely.polygons(centre[:, None] + xy)


def staple_on_map(stack: np.ndarray) -> tuple[np.ndarray, Staple]:
    votes = VoteTable.from_stack(stack)
    result = staple(votes, "mean")  # ITK's prior
    return votes.on_map(result.probability), result


def all_statistics(stack: np.ndarray) -> None:
    votes = VoteTable.from_stack(stack)
    agreement.smyth_bound(votes)
    agreement.agreement_ratio(votes)
    agreement.pairwise_f1(votes)
    agreement.dendrogram(votes)
    agreement.annotator_statistics(votes)
    agreement.coefficients(votes)
    agreement.agreement_notes(votes)
    for method in METHODS.values():
        method(votes)
    votes.on_map(votes.yes_votes)


def rows() -> Iterator[Row]:
    yield from _staple()
    stack = simulated_stack(13, (1140, 1140))
    yield Row(
        "statistics and votes of all methods",
        in_turns(partial(all_statistics, stack), repeats=3)[0],
        memory=memory(partial(all_statistics, stack)),
        conditions="13 annotators x 1.3 Mpx",
    )
    votes = VoteTable.from_stack(stack)
    yield Row(
        "summary of agreement with intervals",
        timed(partial(agreement_summary, votes)),
        conditions="the same scene",
    )
    yield _lsml(stack)
    yield from _overlay()
    yield _tiles()


def _staple() -> Iterator[Row]:
    for n_annotators, side in STAPLE_SCENES:
        stack = simulated_stack(n_annotators, (side, side))
        said = f"{n_annotators} annotators x {side**2 / 1e6:g} Mpx"
        if sitk is None:
            yield Row(
                "STAPLE",
                in_turns(partial(staple_on_map, stack))[0],
                conditions=f"{said}; no SimpleITK here",
            )
            continue
        images = [sitk.GetImageFromArray(layer.astype(np.uint8)) for layer in stack]
        theirs = sitk.STAPLEImageFilter()
        theirs.SetForegroundValue(1)
        own, peer = in_turns(
            partial(staple_on_map, stack), partial(theirs.Execute, images), repeats=3
        )
        probability = sitk.GetArrayFromImage(theirs.Execute(images))
        difference = np.abs(staple_on_map(stack)[0] - probability).max()
        said += f", prior: the mean decision; probabilities within {difference:.0e}"
        yield Row("STAPLE", own, "ITK", peer, conditions=said)


def _lsml(stack: np.ndarray) -> Row:
    few = {"rounds": PEER_ROUNDS, "stable_rounds": 0, "clipped": False}
    theirs = timed(lambda: whole_image_level_set(stack, PEER_ROUNDS))
    same = np.array_equal(
        whole_image_level_set(stack, PEER_ROUNDS) <= 0, level_set(stack, **few).marked
    )
    scaled = Time(*(ROUNDS / PEER_ROUNDS * value for value in theirs))
    ours = timed(lambda: level_set(stack, rounds=ROUNDS, stable_rounds=0))
    return Row(
        "LSML, 1,000 rounds",
        ours,
        f"the whole image in every round, {PEER_ROUNDS} rounds scaled",
        scaled,
        memory=memory(lambda: level_set(stack, **few)),
        conditions=f"13 annotators x 1.3 Mpx; {'the same' if same else 'ANOTHER'} outline",
        quoted=True,
    )


def _layers(n_annotators: int, n_crowns: int) -> tuple[list[np.ndarray], Any]:
    side = 9.0 * n_crowns**0.5
    layers = [simulated_crowns(n_crowns, side, seed) for seed in range(1, n_annotators + 1)]
    return layers, shapely.box(0, 0, side, side)


def _overlay() -> Iterator[Row]:
    layers, area = _layers(*OVERLAYS[0])
    works = [partial(VoteTable.from_polygons, layers, area, faces=faces) for faces in (True, False)]
    theirs = None if geopandas is None else timed(partial(_geopandas_overlay, layers))
    said = f"{OVERLAYS[0][0]} annotators of {OVERLAYS[0][1]:,} crowns, 32 vertices"
    for work, name in zip(works, ("exact overlay with its map", "exact overlay, areas alone")):
        yield Row(name, timed(work), "geopandas.overlay, union", theirs, None, memory(work), said)
    times = []
    for n_annotators, n_crowns in OVERLAYS[1:]:
        layers, area = _layers(n_annotators, n_crowns)
        times.append(timed(partial(VoteTable.from_polygons, layers, area, faces=False)))
    yield Row(
        "exact overlay, areas alone",
        times[-1],
        growth=growth([n for _, n in OVERLAYS[1:]], [time.processor for time in times]),
        memory=memory(partial(VoteTable.from_polygons, layers, area, faces=False)),
        conditions=f"{n_annotators} annotators of {n_crowns:,} crowns",
    )
    took: list[Time] = []  # one run for both, which takes minutes
    most = memory(lambda: took.append(timed(partial(VoteTable.from_polygons, layers, area))))
    said = f"{n_annotators} annotators of {n_crowns:,} crowns"
    yield Row("exact overlay with its map", took[0], memory=most, conditions=said)


def _geopandas_overlay(layers: list[np.ndarray]) -> Any:
    """Unions one after the other; crowns of one annotator that overlap are united before, as votes count them once."""
    frames = []
    for number, layer in enumerate(layers):
        parts = shapely.get_parts(shapely.union_all(layer))
        frames.append(
            geopandas.GeoDataFrame({f"a{number}": True}, geometry=parts, index=range(len(parts)))
        )
    found = frames[0]
    for frame in frames[1:]:
        found = geopandas.overlay(found, frame, how="union", keep_geom_type=True)
    return found


def _tiles() -> Row:
    """13 annotators on 10,000 x 10,000 pixels, read by tiles of 1,000 rows."""
    base = simulated_stack(13, (1000, 1000))

    def work() -> None:
        made = (np.tile(np.roll(base, 37 * number, axis=1), (1, 1, 10)) for number in range(10))
        votes = VoteTable.from_tiles(made)
        staple(votes)
        agreement.annotator_statistics(votes)

    return Row(
        "votes by tiles", timed(work), memory=memory(work), conditions="13 annotators x 100 Mpx"
    )


if __name__ == "__main__":
    show(rows())
