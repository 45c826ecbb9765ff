from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.errors import raises

from randcrowns.core.agreement import lsml
from randcrowns.core.agreement.agreement_messages import AgreementMessage
from randcrowns.core.agreement.lsml import LevelSet
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.errors import Cancelled

EPS = np.finfo(float).eps


def level_set(stack: np.ndarray, mask: np.ndarray | None = None, **options: Any) -> LevelSet:
    """Return the level set of the decisions in a stack."""
    return lsml.level_set(VoteTable.from_stack(stack, mask), **options)


def simulated_scene(
    n_annotators: int, shape: tuple[int, int] = (18, 22), seed: int = 0
) -> np.ndarray:
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[: shape[0], : shape[1]]
    stack = []
    for _ in range(n_annotators):
        dy, dx, grow = rng.normal(0, 0.7, 3)
        disc = (y - 8 - dy) ** 2 + (x - 9 - dx) ** 2 < (5 + grow) ** 2
        stack.append(disc | (rng.random(shape) < 0.02))
    return np.array(stack)


def slow_level_set(stack: np.ndarray, rounds: int, curvature: float = 0.0) -> np.ndarray:
    """The published rounds pixel by pixel; returns the level function."""
    k, n_rows, n_columns = stack.shape
    pixels = list(np.ndindex(n_rows, n_columns))
    start = 2 * stack.sum(axis=0) >= k

    def nearest(place: tuple[int, int], wanted: bool) -> float:
        return min(np.hypot(place[0] - r, place[1] - c) for r, c in pixels if start[r, c] == wanted)

    phi = np.zeros((n_rows, n_columns))
    for place in pixels:
        inside = start[place]
        phi[place] = (
            (0 if inside else nearest(place, True))
            - (nearest(place, False) if inside else 0)
            + inside
            - 0.5
        )

    def at(field: np.ndarray, row: int, column: int) -> float:
        return field[min(max(row, 0), n_rows - 1), min(max(column, 0), n_columns - 1)]

    for _ in range(rounds):
        mask = phi <= 0
        p = [(stack[j] & mask).sum() / mask.sum() for j in range(k)]
        q = [(~stack[j] & ~mask).sum() / (~mask).sum() for j in range(k)]
        force = {}
        for place in pixels:
            if abs(phi[place]) <= 1.2:
                false = np.prod([1 - q[j] if stack[j][place] else q[j] for j in range(k)])
                true = np.prod([p[j] if stack[j][place] else 1 - p[j] for j in range(k)])
                force[place] = np.log(false + EPS) - np.log(true + EPS)
        strongest = max(abs(value) for value in force.values())
        speed = {}
        for (r, c), value in force.items():
            px, py = (
                (at(phi, r, c + 1) - at(phi, r, c - 1)) / 2,
                (at(phi, r + 1, c) - at(phi, r - 1, c)) / 2,
            )
            pxx = at(phi, r, c + 1) - 2 * phi[r, c] + at(phi, r, c - 1)
            pyy = at(phi, r + 1, c) - 2 * phi[r, c] + at(phi, r - 1, c)
            pxy = (
                at(phi, r + 1, c + 1)
                + at(phi, r - 1, c - 1)
                - at(phi, r - 1, c + 1)
                - at(phi, r + 1, c - 1)
            )
            bend = (px**2 * pyy + py**2 * pxx - 2 * px * py * pxy / 4) / (px**2 + py**2 + EPS)
            speed[r, c] = value / strongest + curvature * bend
        fastest = max(speed.values())
        moved = phi.copy()
        for place, value in speed.items():
            moved[place] += value * 0.5 / (fastest + EPS)
        phi = moved.copy()
        for r, c in pixels:
            here = moved[r, c]
            a, b = here - at(moved, r, c - 1), at(moved, r, c + 1) - here
            d, e = here - at(moved, r - 1, c), at(moved, r + 1, c) - here
            if here > 0:
                gradient = np.sqrt(
                    max(max(a, 0) ** 2, min(b, 0) ** 2) + max(max(d, 0) ** 2, min(e, 0) ** 2)
                )
            elif here < 0:
                gradient = np.sqrt(
                    max(min(a, 0) ** 2, max(b, 0) ** 2) + max(min(d, 0) ** 2, max(e, 0) ** 2)
                )
            else:
                continue
            phi[r, c] = here - 0.5 * here / np.sqrt(here**2 + 1) * (gradient - 1)
    return phi


@pytest.mark.parametrize(("n_annotators", "curvature"), [(4, 0.0), (5, 0.3)])
def test_equal_to_working_pixel_by_pixel(n_annotators: int, curvature: float) -> None:
    stack = simulated_scene(n_annotators, seed=n_annotators)
    for rounds in (1, 12):
        result = level_set(
            stack, max_iterations=rounds, stable_rounds=0, curvature=curvature, clip=False
        )
        expected = slow_level_set(stack, rounds, curvature)
        np.testing.assert_allclose(result.phi, expected, atol=1e-9)
        np.testing.assert_array_equal(result.marked, expected <= 0)
        assert result.n_rounds == rounds


def test_rows_are_worked_on_in_bands_without_a_seam() -> None:
    stack = np.array([np.pad(layer, ((30, 40), (10, 5))) for layer in simulated_scene(3)])
    phi = level_set(stack, max_iterations=6, stable_rounds=0).phi
    turned = level_set(stack.transpose(0, 2, 1), max_iterations=6, stable_rounds=0).phi
    np.testing.assert_allclose(phi, turned.T, atol=1e-9)


@pytest.mark.parametrize("curvature", [0.0, 0.3])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_large_image_is_marked_as_if_it_were_kept_everywhere(
    seed: int, curvature: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Return discs of five annotators with distant outlines.

    The contour moves to pixels that the initial region does not contain.
    """
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:90, :110]
    middle, radius = rng.uniform(35, 55, (5, 2)), (8, 14, 20, 28, 36)
    stack = np.array([(y - m[0]) ** 2 + (x - m[1]) ** 2 < r**2 for m, r in zip(middle, radius)])
    stack ^= rng.random(stack.shape) < 0.03 * (seed % 2)
    mask = x > 95 if seed == 2 else None
    found = []
    for small in (10**9, 0):
        monkeypatch.setattr(lsml, "MAX_SMALL_PIXELS", small)
        for stable_rounds in (0, 10):
            found.append(
                level_set(
                    stack,
                    mask,
                    max_iterations=80,
                    stable_rounds=stable_rounds,
                    curvature=curvature,
                    clip=False,
                )
            )
    for everywhere, near in zip(found[:2], found[2:]):
        np.testing.assert_array_equal(near.marked, everywhere.marked)
        np.testing.assert_array_equal(near.sensitivity, everywhere.sensitivity)
        np.testing.assert_array_equal(near.specificity, everywhere.specificity)
        assert (near.n_rounds, near.is_stable, near.messages) == (
            everywhere.n_rounds,
            everywhere.is_stable,
            everywhere.messages,
        )
    assert not np.array_equal(found[0].phi, found[2].phi)


def test_the_start_is_half_a_pixel_from_the_contour() -> None:
    stack = np.zeros((1, 1, 6), dtype=bool)
    stack[0, 0, :3] = True
    np.testing.assert_array_equal(
        level_set(stack, max_iterations=0).phi, [[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]]
    )


def test_clipped_keeps_only_what_somebody_marked() -> None:
    stack = simulated_scene(3, seed=5)
    published = level_set(stack, clip=False, max_iterations=30)
    clipped = level_set(stack, max_iterations=30)
    np.testing.assert_array_equal(clipped.marked, published.marked & stack.any(axis=0))
    np.testing.assert_array_equal(clipped.phi, published.phi)
    assert AgreementMessage.LEVEL_SET_DRIFT in published.messages
    assert AgreementMessage.LEVEL_SET_START in clipped.messages


def test_it_stops_when_the_inside_stands_still() -> None:
    disc = simulated_scene(1, seed=1)[0]
    disc[:] = False
    disc[5:12, 6:14] = True
    result = level_set(np.array([disc, disc, disc]))
    assert result.is_stable
    assert result.n_rounds < 1000
    np.testing.assert_array_equal(result.marked, disc)
    np.testing.assert_array_equal([result.sensitivity, result.specificity], np.ones((2, 3)))
    assert (
        AgreementMessage.NOT_CONVERGED in level_set(simulated_scene(3), max_iterations=2).messages
    )


def test_a_round_that_would_leave_no_contour_is_not_done() -> None:
    stack = np.array(
        [[[1, 1, 0], [1, 0, 1]], [[0, 0, 1], [1, 1, 0]], [[0, 0, 0], [0, 1, 1]]], dtype=bool
    )
    stopped = level_set(stack, clip=False)
    assert AgreementMessage.LEVEL_SET_STOPPED in stopped.messages
    before = level_set(stack, clip=False, max_iterations=stopped.n_rounds)
    np.testing.assert_array_equal(stopped.phi, before.phi)
    np.testing.assert_array_equal(stopped.marked, before.marked)
    assert (stopped.n_rounds, stopped.is_stable) == (1, False)


@pytest.mark.parametrize("everything", [False, True])
def test_nothing_to_move(everything: bool) -> None:
    result = level_set(np.full((3, 4, 5), everything))
    assert (result.marked == everything).all()
    assert result.messages == (AgreementMessage.LEVEL_SET_NOTHING_TO_MOVE,)
    assert (result.n_rounds, result.is_stable) == (0, True)
    assert np.isnan(result.sensitivity).all()


def test_masked_pixels_count_for_nothing() -> None:
    stack = simulated_scene(3)
    mask = np.zeros(stack.shape[1:], dtype=bool)
    mask[:, :4] = True
    loud = stack.copy()
    loud[:, :, :4] = True
    quiet = level_set(stack, mask, max_iterations=10)
    result = level_set(loud, mask, max_iterations=10)
    np.testing.assert_array_equal(result.marked, quiet.marked)
    assert not result.marked[:, :4].any()


def test_few_empty_and_many_annotators() -> None:
    one = simulated_scene(1)
    assert level_set(one, max_iterations=5).marked.any()
    empty = simulated_scene(3)
    empty[2] = False
    assert np.isfinite(level_set(empty, max_iterations=5).phi).all()
    many = level_set(simulated_scene(64), max_iterations=5)
    assert np.isfinite(many.phi).all()


def test_disjoint_annotators_have_a_contour_only_where_half_agree() -> None:
    stack = np.zeros((3, 8, 8), dtype=bool)
    for k in range(3):
        stack[k, 2 * k : 2 * k + 2] = True
    assert level_set(stack).messages == (AgreementMessage.LEVEL_SET_NOTHING_TO_MOVE,)


def test_it_needs_a_grid() -> None:
    with raises("lsml.no_grid"):
        level_set(np.ones((3, 10), bool))


def test_it_can_be_cancelled() -> None:
    told: list[float] = []

    def cancel(fraction: float) -> None:
        told.append(fraction)
        if fraction >= 0.02:
            raise Cancelled

    with pytest.raises(Cancelled):
        level_set(simulated_scene(3), max_iterations=100, stable_rounds=0, progress=cancel)
    np.testing.assert_allclose(told, [0, 0.01, 0.02])


def test_the_contour_stays_out_of_what_is_left_out_and_does_not_look_at_it() -> None:
    stack = simulated_scene(5)
    mask = np.zeros(stack.shape[1:], dtype=bool)
    mask[:, 9:] = True  # through the middle of what was marked
    found = level_set(stack, mask, clip=False, max_iterations=60)
    assert found.n_rounds > 1
    assert not found.marked[mask].any()
    assert found.marked[~mask].any()
    other = np.where(mask, ~stack, stack)
    np.testing.assert_array_equal(
        level_set(other, mask, clip=False, max_iterations=60).marked, found.marked
    )


def test_the_area_of_a_pixel_changes_nothing() -> None:
    stack = simulated_scene(4, seed=6)
    expected = level_set(stack, max_iterations=20)
    votes = VoteTable.from_stack(stack, pixel_area=0.0729)
    found = lsml.level_set(votes, max_iterations=20)
    np.testing.assert_array_equal(found.phi, expected.phi)
    np.testing.assert_array_equal(found.sensitivity, expected.sensitivity)


def test_pixels_that_only_a_removed_annotator_looked_at_are_excluded() -> None:
    stack = simulated_scene(4, seed=6)
    missing = np.zeros_like(stack)
    missing[:3, :, 9:] = True  # only the last annotator looked at the right half
    votes = VoteTable.from_stack(stack, missing=missing)
    found = lsml.level_set(votes.without(3), max_iterations=20)
    expected = level_set(stack[:3], missing[0], max_iterations=20)
    np.testing.assert_array_equal(found.phi, expected.phi)
    assert found.marked[:, :9].any()
    assert not found.marked[:, 9:].any()
