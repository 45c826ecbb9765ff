"""Scores lie between 0 and 1, whatever the crowns and wherever they lie."""

from __future__ import annotations

import math
from contextlib import suppress

import numpy as np
import shapely
from support.crowns import ODD_KINDS, odd_crown, pixel_edged, random_pairs
from support.errors import raises

from randcrowns.core import (
    PRESETS,
    RandCrownsError,
    RandCrownsParameters,
    score_crowns,
    score_pairs,
)
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.overlap import OverlapTable, polygon_overlap
from randcrowns.core.tuning import search_grid

_SCORES = ["randcrowns", "iou", "iou_crowns"]


def _pairs(rng, number):
    """Pairs of every kind, a third of them identical or nearly so, at a random place and in a
    random size.
    """
    both = [pair[1:] for pair in random_pairs(int(rng.integers(2**31)), 6 * number // 10)]
    odd = [odd_crown(rng, kind) for kind in rng.choice(ODD_KINDS, number // 10)]
    edged = [
        pixel_edged(rng, rng.uniform(1, 6), rng.choice([0.1, 0.25, 1.0]))
        for _ in range(number // 100)
    ]
    alone = [*odd, *edged, *(pair[0] for pair in both[: number // 5])]
    off = rng.choice([0, 0, 1e-12, 1e-7, 1e-3], (len(alone), 1))
    alike = [shapely.transform(one, lambda xy, by=by: xy + by) for one, by in zip(alone, off)]
    targets = np.array([*(pair[0] for pair in both), *alone, *alone[: number // 20]], dtype=object)
    drawn = np.array(
        [*(pair[1] for pair in both), *alike, *alike[::-1][: number // 20]], dtype=object
    )
    size, place = 10 ** rng.uniform(-1, 2), rng.choice([0, 1, 1e6, 1e8]) * rng.uniform(-1, 1, 2)
    moved = [shapely.transform(side, lambda xy: size * xy + place) for side in (targets, drawn)]
    whole = shapely.is_valid(moved[0]) & shapely.is_valid(moved[1]) & (shapely.area(moved[0]) > 0)
    whole &= shapely.area(moved[1]) > 0
    return moved[0][whole], moved[1][whole], size


def test_scores(promise):
    number = 1000 if promise.thoroughly else 200

    def attempt(rng):
        targets, drawn, size = _pairs(rng, number)
        usual = PRESETS[rng.choice(list(PRESETS))]
        lengths = {name: size * getattr(usual, name) for name in ("alpha", "omega", "gamma")}
        some = rng.permutation(len(targets))[
            : len(targets) // 10
        ]  # they take a hundred times as long
        scores = score_pairs(targets[some], drawn[some], RandCrownsParameters(**lengths))[
            _SCORES
        ].to_numpy()
        table = polygon_overlap(Crowns(targets), Crowns(drawn))
        values = np.concatenate([scores[~np.isnan(scores)], table.iou])
        assert len(values) > len(targets)
        assert values.min() >= 0
        assert values.max() <= 1
        return values.max() - 1, -values.min()

    promise.keep(
        "RandCrowns, IoU and IoUCrowns lie in [0, 1]",
        attempt,
        many=2000,
        seconds=120,
        each=number,
        worst="1 + {:g}, 0 - {:g}",
        conditions="pairs of every kind, a third identical or nearly so, 0.1 to 100 times as large, up to 1e8 m away; "
        "RandCrowns and IoUCrowns of every tenth",
    )


def test_far_coordinates(promise):
    def attempt(rng):
        far = (
            10 ** rng.uniform(9.001, 300)
            * rng.choice([-1, 1], 2)
            * rng.choice([[1, 0], [0, 1], [1, 1]])
        )
        shapes = shapely.transform(shapely.box([0, 5], 0, [4, 9], 4), lambda xy: xy)
        shapes[1] = shapely.box(*far, *(far + np.maximum(4, np.abs(far))))
        with raises("crowns.beyond_map"):
            Crowns(shapes)
        with raises("crowns.beyond_map"):
            score_pairs(shapes, shapes[::-1], PRESETS["image_boxes"])

    promise.keep(
        "coordinates beyond 1e9 m are refused with a sentence",
        attempt,
        few=5,
        many=1000,
        seconds=20,
        conditions="one crown at 1e9 to 1e300 m among others",
    )


def test_wrong_types(promise):
    two = shapely.box([0, 5], 0, [4, 9], 4)
    odd = [
        None,
        "text",
        math.nan,
        -1,
        10**30,
        1j,
        b"x",
        {},
        {1},
        [],
        len,
        object(),
        np.zeros((2, 2, 2)),
        two[0],
    ]
    usual, calls = PRESETS["image_boxes"], (Crowns, VoteTable.from_stack, VoteTable.from_polygons)
    others = (
        lambda wrong: RandCrownsParameters(wrong, 1.2, 3),
        lambda wrong: score_pairs(wrong, two, usual),
        lambda wrong: score_crowns(two, two, usual, wrong),
        lambda wrong: score_crowns(two, wrong, usual, plots=(wrong, wrong)),
        lambda wrong: OverlapTable.from_labels(wrong, [0, 1]),
        lambda wrong: search_grid([wrong, two], wrong),
    )

    def attempt(rng):
        some = [odd[place] for place in rng.integers(len(odd), size=rng.integers(1, 4))]
        wrong = rng.choice(["one", "list", "nested", "dict"])
        given = {"one": some[0], "list": some, "nested": [some, some[:1]], "dict": {"a": some}}[
            wrong
        ]
        for call in (*calls, *others):
            with suppress(RandCrownsError):
                call(given)

    promise.keep(
        "what is of a wrong type is taken, or raises the product's own errors",
        attempt,
        few=5,
        many=1000,
        seconds=20,
        each=9,
        conditions="14 odd values, alone, listed, nested, named; as crowns, votes, labels, lengths, plots, pairing",
    )
