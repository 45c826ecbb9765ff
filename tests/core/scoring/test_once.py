"""What a run makes how often, and on how many processors: counts, no times."""

from __future__ import annotations

import threading

import numpy as np
import pytest
import shapely
from support.crowns import crown
from support.errors import raises

from randcrowns.core import (
    Cancelled,
    Crowns,
    RandCrownsParameters,
    score_crowns,
    target_regions,
)
from randcrowns.core.instances import overlap as overlap_module
from randcrowns.core.instances.overlap import polygon_overlap
from randcrowns.core.scoring import layer as layer_module
from randcrowns.core.scoring import offsets as offsets_module
from randcrowns.core.scoring import score as score_module
from randcrowns.core.scoring.layer import score_layers
from randcrowns.core.scoring.pairing import Pairing

IMAGE = RandCrownsParameters(0.7, 1.2, 3)


def layer(seed: int, number: int = 60) -> Crowns:
    rng = np.random.default_rng(seed)
    centres = 5.0 * np.column_stack([np.arange(number) % 12, np.arange(number) // 12])
    return Crowns(
        np.array([crown(rng, "concave", *centre, rng.uniform(2, 3)) for centre in centres])
    )


def boxes(crowns: Crowns) -> Crowns:
    return Crowns(shapely.box(*shapely.bounds(crowns.geometry).T))


@pytest.fixture
def buffered(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of polygons that were buffered, call by call."""
    found: list[int] = []
    buffer = shapely.buffer

    def counting(polygons, *args, **options):
        found.append(np.size(polygons))
        return buffer(polygons, *args, **options)

    monkeypatch.setattr(shapely, "buffer", counting)
    return found


@pytest.fixture
def offset(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of targets whose offsets were made, call by call."""
    found: list[int] = []
    made = offsets_module.solve_regions

    def counting(offsets, parameters):
        found.append(len(offsets))
        return made(offsets, parameters)

    monkeypatch.setattr(score_module, "solve_regions", counting)
    return found


def test_a_drawn_target_takes_few_buffers(buffered: list[int]) -> None:
    targets, drawn = layer(0, 150), layer(1, 150)
    buffered.clear()
    score_crowns(targets, drawn, IMAGE)
    assert sum(buffered) <= 5.5 * len(targets)


def test_boxes_take_no_buffer(buffered: list[int]) -> None:
    targets, drawn = boxes(layer(0)), boxes(layer(1))
    buffered.clear()
    score_layers(targets, [drawn], IMAGE, with_regions=True)
    assert buffered == []


@pytest.mark.parametrize("shapes", [Crowns.subset, lambda crowns, _: boxes(crowns)])
def test_several_layers_and_the_regions_share_the_targets_offsets(
    offset: list[int], shapes
) -> None:
    targets, *layers = (shapes(layer(seed), slice(None)) for seed in range(4))
    score_layers(targets, layers, IMAGE, with_regions=True)
    assert sum(offset) == len(targets)


@pytest.mark.parametrize("pairing", [item.value for item in Pairing])
def test_several_layers_score_as_each_alone(pairing: str) -> None:
    targets, *layers = (layer(seed) for seed in range(4))
    layers[1] = boxes(layers[1]).subset(np.arange(20))
    together = score_layers(targets, layers, IMAGE, pairing, with_regions=True)
    for found, drawn in zip(together.scores, layers):
        alone = score_crowns(targets, drawn, IMAGE, pairing)
        assert found.parameters == alone.parameters
        for name in ("targets", "delineations", "summary", "pairs"):
            assert getattr(found, name).equals(getattr(alone, name)), name
    for kept, alone in zip(together.regions, target_regions(targets.geometry, IMAGE)):
        same = (
            shapely.equals_exact
            if kept.dtype == object and not isinstance(kept[0], str)
            else np.equal
        )
        assert same(kept, alone).all()


def test_no_layer_and_no_target_have_no_scores() -> None:
    assert score_layers(layer(0), [], IMAGE) == ([], None)
    nothing = Crowns([])
    found = score_layers(nothing, [layer(1)], IMAGE, with_regions=True)
    assert (len(found.scores[0].targets), len(found.regions.tau)) == (0, 0)
    with raises("key.unknown", name="closest"):
        score_layers(nothing, [], IMAGE, "closest")


@pytest.mark.parametrize("work", ["regions", "overlap"])
def test_all_processors_are_used(work: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads wait for one another: without a second one neither would go on."""
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.delenv(
        "OMP_NUM_THREADS", raising=False
    )  # Dask leaves it set in the process of its tests
    both, met = threading.Barrier(2, timeout=300), threading.local()

    def meeting(made):
        def wrapped(*args, **options):
            if not getattr(met, "done", False):
                met.done = True
                both.wait()
            return made(*args, **options)

        return wrapped

    if work == "regions":
        monkeypatch.setattr(score_module, "solve_regions", meeting(score_module.solve_regions))
        target_regions(layer(0, 150).geometry, IMAGE)
    else:
        monkeypatch.setattr(overlap_module, "shared_areas", meeting(overlap_module.shared_areas))
        polygon_overlap(layer(0, 1200), layer(1, 1200))


@pytest.mark.parametrize("pairing", [item.value for item in Pairing])
def test_a_run_tells_its_progress_and_ends_at_one(pairing: str) -> None:
    told: list[float] = []
    score_crowns(layer(0, 40).geometry, layer(1, 40).geometry, IMAGE, pairing, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1


@pytest.mark.parametrize(
    "phase",
    [
        "as_crowns",
        "find_pair_candidates",
        "compute_scores",
        "select_assigned",
        "target_table",
        "delineation_table",
        "summarise",
    ],
)
def test_a_cancel_is_heard_within_every_phase(phase: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each phase in turn never ends by itself; the run hears of the cancel all the same."""
    begun, let_go, ended = threading.Event(), threading.Event(), threading.Event()

    def endless(*args, **options):
        begun.set()
        let_go.wait(timeout=300)
        ended.set()
        raise Cancelled

    def cancel(fraction: float) -> None:
        if begun.is_set():
            raise Cancelled

    monkeypatch.setattr(layer_module, phase, endless)
    with pytest.raises(Cancelled):
        score_crowns(layer(0, 40).geometry, layer(1, 40).geometry, IMAGE, progress=cancel)
    assert not ended.is_set()
    let_go.set()


def test_areas_of_crowns_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One crown scored among others, as after each edit, measures only those it is compared
    with.
    """
    (target,), others = layer(0, 1).geometry, layer(1)
    first = score_crowns([target], others, IMAGE)
    measured, area = [], shapely.area
    monkeypatch.setattr(
        shapely,
        "area",
        lambda shapes, **named: measured.append(np.size(shapes)) or area(shapes, **named),
    )
    again = score_crowns([target], others, IMAGE)
    assert again.delineations.equals(first.delineations)
    assert 0 < sum(measured) < len(others) / 2
