from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from sample import read_parameters, simulate_plot
from support.crowns import blob
from support.errors import raises
from support.examples import examples
from support.shown import shows

from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import Cancelled
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.core.scoring.score import score_pairs
from randcrowns.core.tuning.experiment import find_shared_crowns
from randcrowns.core.tuning.search import (
    DEFAULT_ALPHAS,
    DEFAULT_GAMMAS,
    DEFAULT_OMEGAS,
    SetAssessment,
    search_grid,
)
from randcrowns.core.tuning.variance import annotator_variance
from randcrowns.core.tuning.wrong_pairs import (
    MAX_WRONG_TARGETS,
    WRONG_KINDS,
    make_wrong_pairs,
    simulate_annotators,
)


def drawings(kind, n_annotators=3, n_crowns=12, seed=0, spread=0.4):
    """Return crowns in two touching rows, which each annotator draws slightly differently."""
    rng = np.random.default_rng(seed)
    layers = []
    for name in "abcde"[:n_annotators]:
        crowns = []
        for i in range(n_crowns):
            x, y = 404_000 + 6 * (i // 2), 3_285_000 + 6 * (i % 2)
            polygon = blob(
                rng,
                x + rng.normal(0, spread),
                y + rng.normal(0, spread),
                3 + 0.3 * rng.standard_normal(),
            )
            box = kind == "boxes" or (kind == "mixed" and i % 3 == 0)
            crowns.append(shapely.box(*polygon.bounds) if box else polygon)
        layers.append(Crowns(np.array(crowns, dtype=object), name=name))
    return layers


def direct_scores(targets, drawn, parameters, image=None):
    """Return RandCrowns of each target with the delineation in each row of its column."""
    scores = score_pairs(np.tile(targets, len(drawn)), drawn.ravel(), parameters, image)
    return scores["randcrowns"].to_numpy().reshape(drawn.shape)


#: Four of the eight sets of two values each; each pair of values of two parameters occurs once.
EACH_VALUE_TWICE = [0, 3, 5, 6]


@pytest.fixture(scope="module")
def sample():
    plot = simulate_plot(parameters=read_parameters({"pixel": 4.0}))  # the image is not used
    return [
        Crowns(d.geometry, name=n) for n, d in plot.drawings.items() if n.startswith("annotator")
    ]


@pytest.fixture(scope="module")
def papers_grid(sample):
    """Return the search over the default grid; tests must not change it."""
    return search_grid(sample)


@pytest.mark.parametrize(
    ("kind", "nearness"), [("boxes", 1e-12), ("polygons", 2e-5), ("mixed", 2e-5)]
)
def test_grid_equals_direct_scores(kind, nearness):
    layers = drawings(kind)
    found = search_grid(layers, [0.2, 0.7], [0.3, 1.2], [1, 3])
    assert len(found.grid) == 8
    for row in found.grid.iloc[EACH_VALUE_TWICE].itertuples():
        parameters = RandCrownsParameters(row.alpha, row.omega, row.gamma)
        direct = annotator_variance(layers, parameters).summary.iloc[-1]
        assert row.variance == pytest.approx(direct["randcrowns_variance"], abs=nearness)
        assert row.mean == pytest.approx(
            direct["randcrowns_mean"], abs=max(nearness, 1e-4 * (kind != "boxes"))
        )
        assert row.common_variance == pytest.approx(row.variance, rel=1e-9)


@pytest.mark.parametrize("kind", ["boxes", "polygons"])
def test_wrong_pairs_of_the_grid_equal_direct_scores(kind):
    layers = drawings(kind, n_crowns=6)
    found = search_grid(layers, [0.2, 0.7], [0.3, 1.2], [1, 3])
    experiment = find_shared_crowns(layers)
    wrong = make_wrong_pairs(experiment)
    everything = np.concatenate([experiment.geometry.ravel(), wrong.copies])
    for row in found.grid.iloc[EACH_VALUE_TWICE].to_dict("records"):
        parameters = RandCrownsParameters(row["alpha"], row["omega"], row["gamma"])
        means = np.nanmean(
            direct_scores(experiment.targets, everything[wrong.delineation_index], parameters),
            axis=1,
        )
        by_kind = [means[wrong.kind_index == kind].mean() for kind in range(4)]
        assert [row[f"wrong_{kind}"] for kind in WRONG_KINDS] == pytest.approx(by_kind, abs=1e-3)
        assert row["wrong"] == pytest.approx(np.mean(by_kind), abs=1e-3)


def test_grid_of_the_paper(papers_grid):
    """On the sample plot the set of the paper is offered and the one of Fig. 3 is refused."""
    found = papers_grid
    assert (
        len(found.grid) == len(DEFAULT_ALPHAS) * len(DEFAULT_OMEGAS) * len(DEFAULT_GAMMAS) == 1050
    )
    grid = found.grid.set_index(
        [found.grid["alpha"].round(1), found.grid["omega"].round(1), "gamma"]
    )
    chosen, degenerate = grid.loc[(0.7, 1.2, 3)], grid.loc[(0.1, 0.3, 7)]
    assert chosen["assessment"] == SetAssessment.OFFERED
    assert degenerate["assessment"] == SetAssessment.DEGENERATE
    assert degenerate["variance"] < chosen["variance"] / 10
    assert degenerate["wrong"] > 0.7
    assert "everything scores high" in degenerate["reason"]
    assert found.no_choice_message is None
    # These numbers are in the worked example of the guide.
    assert (found.best.alpha, found.best.omega, found.best.gamma) == (1.0, 1.5, 7.0)
    assert (found.grid["assessment"] == SetAssessment.OFFERED).sum() == 517
    assert chosen["rank"] == 128
    over = grid.loc[(0.9, 1.5, 6)]
    assert over["wrong"] == pytest.approx(0.505, abs=5e-4)
    assert over["reason"].endswith(
        "but wrong pairs score 0.505 on average, and the threshold is 0.5"
    )


def test_offered_sets_are_ranked_by_variance(sample):
    found = search_grid(sample, max_wrong_score=0.4)
    offered = found.grid[found.grid["assessment"] == SetAssessment.OFFERED]
    assert (offered["wrong"] < 0.4).all()
    assert sorted(offered["rank"]) == list(range(1, len(offered) + 1))
    assert found.grid.loc[found.grid["assessment"] != SetAssessment.OFFERED, "rank"].isna().all()
    in_order = offered.sort_values("rank")["common_variance"]
    assert (in_order.diff().dropna() >= -5e-6).all()
    assert found.recommended["rank"].tolist() == list(range(1, 11))
    refused = found.grid[found.grid["assessment"] == SetAssessment.DEGENERATE]
    assert refused["common_variance"].max() < in_order.iloc[0]
    assert (refused["wrong"] >= 0.4).all()


def test_the_chosen_set_is_scored_directly(sample):
    found = search_grid(sample, [0.5, 0.7], [0.8, 1.2], [2, 3])
    first = found.recommended.iloc[0]
    assert (found.best.alpha, found.best.omega, found.best.gamma) == tuple(
        first[["alpha", "omega", "gamma"]]
    )
    direct = annotator_variance(sample, found.best)
    pd.testing.assert_frame_equal(found.best_variance.summary, direct.summary)
    assert first["variance"] == pytest.approx(
        direct.summary.iloc[-1]["randcrowns_variance"], rel=1e-9
    )


def test_equal_variances_go_to_the_set_that_scores_wrong_pairs_lower():
    layer = drawings("boxes")[0]
    found = search_grid([layer] * 3, [0.3, 0.7], [0.3, 1.2], [1, 2], max_wrong_score=1.0)
    assert (found.grid["variance"] == 0).all()
    assert found.recommended["wrong"].is_monotonic_increasing


def test_excluding_crowns_does_not_improve_a_set():
    """A large alpha excludes small crowns, on which annotators disagree, but must not win."""
    layers = drawings("boxes", 4)
    rng = np.random.default_rng(0)
    small = 404_200 + 10.0 * np.arange(8)
    with_small = []
    for layer in layers:
        shift = rng.normal(0, 0.15, 8)
        boxes = shapely.box(small + shift, 3_285_000, small + 1.6 + shift, 3_285_001.6)
        with_small.append(Crowns(np.concatenate([layer.geometry, boxes]), name=layer.name))
    alphas = [0.3, 0.5, 0.9]
    found = search_grid(with_small, alphas, [0.3], [2], max_wrong_score=1.0, max_excluded=0.05)
    grid = found.grid.set_index("alpha")
    assert grid["too_small"].tolist() == [0, 0, 32]
    assert grid["scored"].tolist() == [80, 80, 48]
    assert grid.loc[0.9, "assessment"] == SetAssessment.TOO_MANY_EXCLUDED
    assert "32 of 80 targets (40\N{NO-BREAK SPACE}%)" in grid.loc[0.9, "reason"]
    assert np.isnan(grid.loc[0.9, "common_variance"])
    assert grid.loc[0.9, "variance"] > 0

    lenient = search_grid(
        with_small, alphas, [0.3], [2], max_wrong_score=1.0, max_excluded=0.5
    ).grid.set_index("alpha")
    alone = search_grid(layers, alphas, [0.3], [2], max_wrong_score=1.0).grid.set_index("alpha")
    assert lenient["common_variance"].to_numpy() == pytest.approx(alone["variance"].to_numpy())
    assert lenient["variance"].to_numpy()[:2] != pytest.approx(alone["variance"].to_numpy()[:2])
    assert (lenient["assessment"] == SetAssessment.OFFERED).all()


def test_search_is_deterministic(sample, papers_grid):
    first, other = papers_grid, search_grid(sample)
    pd.testing.assert_frame_equal(first.grid, other.grid)
    pd.testing.assert_frame_equal(first.best_variance.summary, other.best_variance.summary)


def test_no_target_can_be_scored():
    found = search_grid(drawings("polygons"), [6, 7], [0.3, 1.0], [1, 2])
    assert (found.grid["assessment"] == SetAssessment.TOO_MANY_EXCLUDED).all()
    assert found.grid[["variance", "mean", "common_variance", "wrong"]].isna().all(axis=None)
    assert (found.best, found.best_variance, len(found.recommended)) == (None, None, 0)
    assert shows(str(found.no_choice_message), "finding.too_many_excluded")


def test_a_set_that_scores_all_right_pairs_zero_is_refused():
    """With a large alpha all pairs of small, shifted crowns are missed, so no score varies."""
    x = 404_000 + 6.0 * np.arange(12)

    def layer(east, north, name):
        return Crowns(shapely.box(x + east, north, x + east + 2.2, north + 2.2), name=name)

    layers = [layer(0, 0, "a"), layer(1.25, 0, "b"), layer(0, 1.25, "c")]
    found = search_grid(layers)
    missed = found.grid[found.grid["missed_share"] == 1]
    assert len(missed) > 0
    assert (missed[["mean", "variance"]] == 0).all(axis=None)
    assert set(missed["assessment"]) == {SetAssessment.RIGHT_PAIRS_TOO_LOW}
    assert found.best_variance.summary["randcrowns_mean"].iloc[-1] > found.recommended["wrong"][0]
    direct = annotator_variance(layers, found.best).summary.iloc[-1]
    assert found.recommended["missed_share"][0] == pytest.approx(
        direct["missed"] / (2 * direct["crowns"])
    )


def test_no_set_below_the_limit():
    found = search_grid(drawings("boxes"), [0.1], [0.3], [7], max_wrong_score=0.01)
    assert found.best is None
    assert found.grid["assessment"].tolist() == [SetAssessment.WRONG_PAIRS_TOO_HIGH]
    assert "threshold is 0.01" in found.grid["reason"][0]
    assert shows(str(found.no_choice_message), "finding.wrong_pairs_too_high")


@pytest.mark.parametrize("kind", ["boxes", "polygons"])
def test_zero_is_a_valid_parameter(kind):
    layers = drawings(kind)
    row = search_grid(layers, 0.0, 0.0, 0.0, max_wrong_score=1.0).grid.iloc[0]
    direct = annotator_variance(layers, RandCrownsParameters(0, 0, 0)).summary.iloc[-1]
    assert row["variance"] == pytest.approx(direct["randcrowns_variance"], rel=1e-6)
    assert row["mean"] == pytest.approx(direct["randcrowns_mean"], rel=1e-9)


def test_values_are_sorted_and_distinct():
    layers = drawings("boxes")
    first = search_grid(layers, [0.7, 0.2, 0.2], [1.2, 0.3], [3, 1]).grid
    pd.testing.assert_frame_equal(first, search_grid(layers, [0.2, 0.7], [0.3, 1.2], [1, 3]).grid)


def test_field_targets_with_two_annotators():
    field, *image = drawings("polygons", n_annotators=3)
    boxes = [
        Crowns(shapely.box(*shapely.bounds(layer.geometry).T), name=layer.name) for layer in image
    ]
    found = search_grid(boxes, [0.3, 0.6], [1.0, 3.0], [1, 3], targets=field)
    assert found.experiment.n_targets == 1
    assert found.grid["scored"].tolist() == [12] * 8
    assert found.best_variance.summary["target_annotator"].tolist() == ["a", "all"]


@pytest.mark.parametrize("kind", ["boxes", "polygons"])
def test_an_image_that_ends_at_the_crowns(kind):
    layers = drawings(kind, n_crowns=6)
    bounds = shapely.total_bounds(np.concatenate([layer.geometry for layer in layers]))
    image = bounds + np.array([1.0, 0.5, -0.5, 0.2])
    found = search_grid(layers, [0.2, 0.7], [0.3, 1.2], [1, 7], extent=image, max_wrong_score=1.0)
    experiment = find_shared_crowns(layers)
    wrong = make_wrong_pairs(experiment)
    seen = shapely.intersection(
        np.concatenate([experiment.geometry.ravel(), wrong.copies]), shapely.box(*image)
    )
    for row in found.grid.iloc[EACH_VALUE_TWICE].itertuples():
        parameters = RandCrownsParameters(row.alpha, row.omega, row.gamma)
        scores = direct_scores(experiment.targets, seen[wrong.delineation_index], parameters, image)
        means = np.nan_to_num(scores).mean(axis=1)
        by_kind = [means[wrong.kind_index == kind].mean() for kind in range(4)]
        assert [getattr(row, f"wrong_{kind}") for kind in WRONG_KINDS] == pytest.approx(
            by_kind, abs=1e-3
        )
        direct = annotator_variance(layers, parameters, image).summary.iloc[-1]
        assert row.variance == pytest.approx(direct["randcrowns_variance"], abs=2e-5)
        assert row.mean == pytest.approx(direct["randcrowns_mean"], abs=1e-4)
    assert found.recommended["variance"][0] == pytest.approx(
        found.best_variance.summary["randcrowns_variance"].iloc[-1], abs=2e-5
    )
    without = search_grid(layers, [0.2, 0.7], [0.3, 1.2], [1, 7], max_wrong_score=1.0).grid
    assert np.abs(without["variance"] - found.grid["variance"]).max() > 1e-4


def test_a_drawing_outside_the_image_is_missed_in_the_grid_too():
    field = Crowns(shapely.box([0, 20, 40], 0, [4, 24, 44], 4), name="field")
    layers = [Crowns(shapely.box([x, 20, 40], 0, [4, 24, 44], 4), name=f"a{x}") for x in (0, 1, 2)]
    found = search_grid(
        layers, [0.5], [0.5], [2], targets=field, extent=(-9, -9, 2, 9), max_wrong_score=1.0
    )
    assert found.grid["missed_share"].tolist() == pytest.approx([1 / 3])
    direct = found.best_variance.summary.iloc[-1]
    assert found.grid["variance"][0] == pytest.approx(direct["randcrowns_variance"], rel=1e-6)
    assert found.grid["mean"][0] == pytest.approx(direct["randcrowns_mean"], rel=1e-6)


@pytest.mark.parametrize("kind", ["boxes", "polygons"])
def test_crowns_outside_the_image_are_not_called_too_small(kind):
    """Two of six crowns lie outside the image; no alpha is refused because of them."""
    layers = drawings(kind, n_crowns=6)
    image = shapely.box(403_990, 3_284_990, 404_000 + 7, 3_285_020)
    found = search_grid(layers, [0.3, 0.7], [0.3, 1.2], [1, 3], extent=image, max_wrong_score=1.0)
    assert found.experiment.n_crowns == 4
    assert found.grid["too_small"].tolist() == [0] * 8
    assert (found.grid["assessment"] == SetAssessment.OFFERED).all()
    assert found.experiment.excluded["reason"].tolist() == ["outside the image extent"] * 6
    near = [layer.subset(np.arange(6) < 4) for layer in layers]
    pd.testing.assert_frame_equal(
        found.grid,
        search_grid(near, [0.3, 0.7], [0.3, 1.2], [1, 3], extent=image, max_wrong_score=1.0).grid,
    )


def test_targets_with_only_their_edge_in_the_image():
    layers = drawings("boxes")
    xmin, ymin, _, ymax = shapely.total_bounds(np.concatenate([layer.geometry for layer in layers]))
    found = search_grid(layers, [1.5], [0.5], [3], extent=(xmin - 9, ymin, xmin + 1.4, ymax))
    assert (found.grid["assessment"] == SetAssessment.TOO_MANY_EXCLUDED).all()
    assert "or have only their edge within the image extent" in found.grid["reason"][0]
    assert found.no_choice_message.key == "finding.too_many_excluded"
    assert shows(str(found.no_choice_message), "finding.too_many_excluded")


def test_a_single_drawing_with_warped_copies():
    mine = drawings("polygons")[0]
    found = search_grid([mine, *simulate_annotators(mine, 2)], [0.3, 0.6], [0.5, 1.0], [1, 2])
    assert found.best is not None


@settings(max_examples=examples(10), deadline=None)
@given(
    st.sampled_from([("boxes", MAX_WRONG_TARGETS // 3 + 3), ("mixed", 5)]),
    st.integers(0, 1000),
    st.randoms(),
)
def test_the_order_of_layers_and_of_crowns_changes_nothing(scene, seed, chance):
    """Test many boxes, of which not all get wrong pairs, and few outlines, which are slow."""
    kind, n_crowns = scene
    layers = drawings(kind, 3, n_crowns, seed, spread=0.3)
    grid = search_grid(layers, [0.2, 0.6], [0.4, 1.2], [1, 7]).grid
    other = []
    for layer in chance.sample(layers, len(layers)):
        order = np.array(chance.sample(range(len(layer)), len(layer)))
        other.append(Crowns(layer.geometry[order], layer.ids[order], name=layer.name))
    shuffled = search_grid(other, [0.2, 0.6], [0.4, 1.2], [1, 7]).grid
    # Sums in another order differ in the last digits, which the interpolation of the grid enlarges.
    pd.testing.assert_frame_equal(shuffled, grid, rtol=5e-6, atol=1e-6)


@settings(max_examples=examples(8), deadline=None)
@given(st.integers(0, 1000))
def test_order_and_position_make_no_difference(seed):
    layers = drawings("boxes", 3, 6, seed, spread=0.3)
    grid = search_grid(layers, [0.2, 0.6], [0.4], [1, 3]).grid
    moved = [
        Crowns(
            shapely.transform(c.geometry, lambda xy: xy + np.array([1000.0, -500.0])), name=c.name
        )
        for c in layers
    ]
    shuffled = [moved[i] for i in (2, 0, 1)]
    other = search_grid(shuffled, [0.2, 0.6], [0.4], [1, 3]).grid
    assert other["variance"].to_numpy() == pytest.approx(grid["variance"].to_numpy(), abs=1e-9)
    assert other["mean"].to_numpy() == pytest.approx(grid["mean"].to_numpy(), abs=1e-9)


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"alphas": []}, raises("tuning.no_values", name="alpha")),
        ({"max_wrong_score": "a"}, raises("argument.wrong_type", expected="a number")),
        (
            {"omegas": [0.3, 1e300]},
            raises("tuning.value_out_of_range", name="omega", most=1000000.0),
        ),
        (
            {"gammas": np.ma.masked_array([1.0, 2.0], [False, True])},
            raises("tuning.masked_values", name="gamma"),
        ),
        ({"omegas": [0.1, np.nan]}, raises("tuning.value_out_of_range", name="omega")),
        ({"gammas": [-1, 2]}, raises("tuning.value_out_of_range", name="gamma")),
        ({"alphas": [np.inf]}, raises("tuning.value_out_of_range", name="alpha")),
        ({"alphas": ["x"]}, raises("tuning.value_not_a_number", name="alpha")),
        ({"max_wrong_score": 0}, raises("tuning.invalid_wrong_pairs")),
        ({"max_wrong_score": np.nan}, raises("tuning.invalid_wrong_pairs")),
        ({"max_excluded": 1}, raises("tuning.invalid_excluded_share")),
        ({"extent": (0, 0, 0, 1)}, raises("extent.no_area")),
        ({"offsets": "square"}, raises("parameters.unknown_offsets")),
    ],
)
def test_invalid_arguments_raise(wrong, expected):
    with expected:
        search_grid(drawings("boxes"), **wrong)


@pytest.mark.parametrize(
    ("annotators", "expected"),
    [
        (drawings("boxes")[:1], raises("tuning.too_few_annotators")),
        (drawings("boxes")[:2], raises("tuning.too_few_delineations")),
        (
            [*drawings("boxes")[:2], Crowns(np.empty(0, dtype=object), name="nobody")],
            raises("tuning.empty_layer", layer="nobody"),
        ),
        (
            [*drawings("boxes")[:2], Crowns(np.array([shapely.box(0, 0, 1, 1)]))],
            raises("tuning.no_shared_crowns"),
        ),
    ],
)
def test_annotators_that_cannot_be_compared(annotators, expected):
    with expected:
        search_grid(annotators)


def test_progress_grows_to_one_and_cancel_stops():
    seen = []
    search_grid(drawings("polygons"), [0.2], [0.3], [1], progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0

    def cancel(fraction):
        if fraction > 0.1:
            raise Cancelled

    with pytest.raises(Cancelled):
        search_grid(drawings("polygons"), [0.2], [0.3], [1], progress=cancel)
