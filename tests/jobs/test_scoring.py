"""The job score refuses what it cannot score."""

from __future__ import annotations

import geopandas
import pytest
import shapely
from support.errors import find_message, raises

import randcrowns as rc
from randcrowns.core.geometry import areas
from randcrowns.core.instances import crowded_overlap
from randcrowns.core.scoring import crowded_pairs, layer


def test_the_preset_of_idtrees_does_not_pair_within_classes() -> None:
    trees = [shapely.box(0, 0, 5, 5)]
    with raises("idtrees.within_classes", parameter="within_classes"):
        rc.score(trees, trees, preset="idtrees", within_classes=True, extent=(0, 0, 20, 20))


def test_a_crowd_is_scored_with_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layer, "MAX_SCORED_PAIRS", 8)
    for module in (crowded_pairs, crowded_overlap):
        monkeypatch.setattr(module, "_BLOCK_PAIRS", 3)
    monkeypatch.setattr(areas, "MAX_PAIRS", 8)
    monkeypatch.setattr(areas, "MAX_PAIRS_PER_POLYGON", 0)
    trees = shapely.box([0, 0, 0], 0, [5, 6, 7], 5)
    result = rc.score(trees, {"drawn": trees}, pairing="max_iou", extent=(0, 0, 20, 20))
    assert result.tables["targets"]["iou"].tolist() == [1.0, 1.0, 1.0]
    for key in ("pairs.only_assigned", "problems.largest_overlaps"):
        assert find_message(result.messages, key).values["layer"] == "drawn"


def test_a_threshold_without_a_field_of_scores_is_told() -> None:
    trees = [shapely.box(0, 0, 5, 5)]
    result = rc.score(trees, {"drawn": trees}, score_threshold=0.5)
    find_message(result.messages, "scores.threshold_not_used", threshold=0.5)
    recorded = {name: result.parameters[name] for name in ("score_threshold", "score_field")}
    again = rc.score(trees, {"drawn": trees}, **recorded)
    assert "scores.threshold_not_used" not in [message.key for message in again.messages]


def test_a_note_about_all_layers_is_given_once() -> None:
    boxes = shapely.box([0, 10, 20], 0, [5, 15, 25], 5)
    frame = geopandas.GeoDataFrame({"plot": ["p", "q", "r"]}, geometry=boxes, crs="EPSG:32617")
    result = rc.score(frame, {"anna": frame, "ben": frame})
    find_message(result.messages, "plots.known", plots=3)


def test_equal_notes_about_several_layers_are_one_with_a_list() -> None:
    box = [shapely.box(0, 0, 5, 5)]
    found = geopandas.GeoDataFrame({"score": [0.3]}, geometry=box, crs="EPSG:32617")
    result = rc.score(found, dict.fromkeys(("first", "second", "third"), found))
    notes = [str(one) for one in result.messages if one.key == "input.unused_score_field"]
    assert len(notes) == 1
    assert notes[0].startswith("Field 'score' of layer 'first' looks like the scores")
    assert notes[0].endswith("The same applies to 2 other layers: second, third.")


def test_a_field_that_looks_like_scores_is_noted_unless_it_is_chosen() -> None:
    box = [shapely.box(0, 0, 5, 5)]
    found = geopandas.GeoDataFrame({"score": [0.3]}, geometry=box, crs="EPSG:32617")
    result = rc.score(found, {"found": found})
    find_message(result.messages, "input.unused_score_field", field="score", layer="found")
    chosen = rc.score(found, {"found": found}, score_field="score")
    assert "input.unused_score_field" not in [message.key for message in chosen.messages]


def test_lengths_that_do_not_suit_the_crowns_of_a_ranking_are_noted() -> None:
    def keys(size: float, crown_score: str) -> set[str]:
        """Return the keys of the messages on lengths of a ranking of squares."""
        box = [shapely.box(0, 0, size, size)]
        trees = geopandas.GeoDataFrame({"score": [0.9]}, geometry=box, crs="EPSG:32617")
        result = rc.rank_detectors(
            {"net": trees}, {"ann": trees}, crown_score=crown_score, bootstrap_samples=0
        )
        return {message.key for message in result.messages if message.key.startswith("lengths.")}

    assert keys(2.0, "randcrowns") == {"lengths.long"}
    assert keys(115.0, "randcrowns") == {"lengths.short"}
    assert keys(5.0, "randcrowns") == keys(2.0, "iou") == set()


def test_lengths_that_do_not_suit_the_size_of_the_targets_are_noted() -> None:
    def keys(size: float, **values: object) -> list[str]:
        """Return the keys of the messages of a run with squares as crowns."""
        trees = [shapely.box(0, 0, size, size)]
        return [message.key for message in rc.score(trees, {"drawn": trees}, **values).messages]

    large = [shapely.box(0, 0, 115, 115)]
    result = rc.score(large, {"anna": large, "ben": large})
    message = find_message(result.messages, "lengths.short", alpha=0.7, omega=1.2)
    assert round(message.values["diameter"]) == 130
    assert "lengths.long" in keys(2.0)
    assert not any(key.startswith("lengths.") for key in keys(5.0))
    # The preset of IDTReeS has lengths of its own, and lengths in pixels are no metres.
    assert not any(
        key.startswith("lengths.") for key in keys(2.0, preset="idtrees", extent=(0, 0, 20, 20))
    )
