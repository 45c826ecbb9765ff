"""Outlines that changed, the last word of each reviewer, and Cohen's kappa by hand."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
import shapely

from randcrowns.core.review.verdicts import (
    VERDICT_COLUMNS,
    LayerKey,
    crowns_to_review,
    merge_verdicts,
    outline_hashes,
    reviewer_agreement,
    select_layer_verdicts,
)

TARGETS, DRAWN = LayerKey("id1", "crowns.gpkg", "crowns"), LayerKey("id2", "drawn.gpkg", "drawn")


def table(
    *rows: tuple[int, str, str, str], outline: str = "x", match: str | None = "y"
) -> pd.DataFrame:
    """Verdicts: crown, reviewer, verdict, time."""
    full = [
        (*TARGETS, *DRAWN, "target", crown, outline, match, 0.5, "none", verdict, "", who, time, "")
        for crown, who, verdict, time in rows
    ]
    return pd.DataFrame(full, columns=VERDICT_COLUMNS)


def test_an_outline_is_known_again_until_a_vertex_moves() -> None:
    shape = shapely.Polygon([(0, 0), (4, 0), (4, 3), (1, 5)], [[(1, 1), (2, 1), (2, 2)]])
    turned = shapely.Polygon(
        shape.exterior.coords[2:-1] + shape.exterior.coords[:2], [shape.interiors[0].coords[::-1]]
    )
    moved = shapely.transform(
        shape, lambda xy: xy + [[1e-9, 0]] * (np.arange(len(xy))[:, None] == 2)
    )
    high = shapely.force_3d(shape, 7.0)
    several = shapely.MultiPolygon([shape])
    hashes = outline_hashes(np.array([shape, turned, high, several, moved, None]))
    assert len(set(hashes[:4])) == 1
    assert hashes[4] != hashes[0]
    assert hashes[5] == ""


def test_what_is_judged_are_targets_and_false_positives() -> None:
    """Targets outside of the extent, and delineations that are not judged, are not reviewed."""
    problems = ["none", "missing", None]
    crowns = pd.DataFrame(
        {"feature_id": [1, 2, 3], "outline": list("abc"), "delineation_id": [7, None, None]}
    )
    crowns = crowns.assign(problem=problems, score=[0.9, 0.0, math.nan])
    drawn = pd.DataFrame(
        {
            "delineation_id": [7, 8, 9],
            "outline": list("pqr"),
            "problem": [None, "extra", "not judged"],
        }
    )
    found = crowns_to_review(crowns, drawn)
    rows = found[["side", "feature_id", "outline", "match", "score"]].to_numpy().tolist()
    assert rows == [
        ["target", 1, "a", "p", 0.9],
        ["target", 2, "b", "", 0.0],
        ["delineation", 8, "q", "", 0.0],
    ]
    assert crowns_to_review(crowns, drawn[:0])["match"].tolist() == [None, ""]


def test_layers_are_known_by_id_then_by_source_and_those_of_elsewhere_by_name() -> None:
    kept = table((1, "Ann", "accepted", "1"))

    def known(
        targets: LayerKey, drawn: LayerKey = DRAWN, project_layer_ids: tuple[str, ...] = ()
    ) -> bool:
        return len(select_layer_verdicts(kept, targets, drawn, project_layer_ids)) == 1

    assert known(
        TARGETS._replace(name="renamed", source="moved.gpkg"), project_layer_ids=("id1", "id2")
    )
    assert known(TARGETS._replace(name="renamed", id="other project"))
    assert known(LayerKey("other project", "other disk", "crowns"))
    assert not known(
        LayerKey("another layer", "other.gpkg", "crowns"),
        project_layer_ids=("id1", "another layer"),
    )
    assert not known(LayerKey("another layer", "", "trees"))
    assert not known(TARGETS, LayerKey("id3", "second.gpkg", "second"))
    earlier = kept.assign(
        layer_id=None, layer_source=None, delineations_id=None, delineations_source=None
    )
    assert (
        len(
            select_layer_verdicts(earlier.assign(delineations=None), TARGETS, DRAWN, ("id1", "id2"))
        )
        == 1
    )


def test_merging_keeps_every_verdict_once() -> None:
    one, other = (
        table((1, "Ann", "accepted", "1")),
        table((1, "Ann", "accepted", "1"), (2, "Ben", "fixed", "2")),
    )
    assert len(merge_verdicts([one, other])) == 2


def test_kappa_by_hand() -> None:
    """Textbook case: of 50 crowns both accept 20 and reject 15; (0.7 - 0.5) / 0.5 = 0.4."""
    pairs = [("accepted", "accepted")] * 20 + [("accepted", "rejected")] * 5
    pairs += [("rejected", "accepted")] * 10 + [("rejected", "rejected")] * 15
    rows = [
        (crown, who, said, "1")
        for crown, pair in enumerate(pairs)
        for who, said in zip(("Ann", "Ben"), pair)
    ]
    (row,) = reviewer_agreement(table(*rows, (99, "Cem", "fixed", "1"))).to_dict("records")
    assert (row["reviewer"], row["other"], row["crowns"]) == ("Ann", "Ben", 50)
    assert (row["agreement"], row["kappa"]) == pytest.approx((0.7, 0.4))


def test_verdicts_on_different_states_of_a_crown_are_not_compared() -> None:
    """Of three crowns one changed between the verdicts, one has verdicts on both states."""
    old = table(
        (1, "Ann", "accepted", "1"),
        (2, "Ann", "accepted", "1"),
        (3, "Ann", "rejected", "1"),
        outline="old",
    )
    new = table(
        (1, "Ben", "rejected", "2"), (2, "Ben", "rejected", "2"), (2, "Ann", "rejected", "3")
    )
    also = table((3, "Ben", "rejected", "2"), outline="old")
    comment = table((3, "Ben", "", "4"), outline="old")
    (row,) = reviewer_agreement(pd.concat([old, new, also, comment])).to_dict("records")
    assert (row["crowns"], row["agreement"], row["changed"]) == (2, 1.0, 1)
    (row,) = reviewer_agreement(pd.concat([old[:1], new[:1]])).to_dict("records")
    assert (row["crowns"], row["changed"]) == (0, 1)
    moved = table((3, "Ben", "rejected", "2"), outline="old", match="moved")
    assert reviewer_agreement(pd.concat([old, moved]))["crowns"].tolist() == [0]


def test_kappa_of_several_verdicts() -> None:
    """Three of four alike; chance (1x2 + 2x1 + 1x1) / 16: (0.75 - 5/16) / (11/16) = 7/11."""
    rows = [
        (0, "accepted", "accepted"),
        (1, "rejected", "accepted"),
        (2, "rejected", "rejected"),
        (3, "fixed", "fixed"),
    ]
    found = reviewer_agreement(
        table(*((n, who, said, "1") for n, *pair in rows for who, said in zip("AB", pair)))
    )
    assert found["kappa"].tolist() == pytest.approx([7 / 11])


def test_without_crowns_in_common_there_is_no_pair_and_one_verdict_alone_has_no_kappa() -> None:
    assert len(reviewer_agreement(table((1, "Ann", "fixed", "1"), (2, "Ben", "fixed", "1")))) == 0
    both = reviewer_agreement(table((1, "Ann", "fixed", "1"), (1, "Ben", "fixed", "1")))
    assert math.isnan(both["kappa"][0])
    assert both["agreement"][0] == 1
