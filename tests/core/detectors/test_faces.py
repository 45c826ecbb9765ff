import numpy as np
import pytest
import shapely
from support.errors import raises

from randcrowns.core.agreement.consensus import majority_consensus
from randcrowns.core.detectors.bootstrap import bootstrap_ranking
from randcrowns.core.detectors.curves import aucr
from randcrowns.core.detectors.faces import overlay_detectors
from randcrowns.core.detectors.ranking import rank_detectors
from randcrowns.core.errors import Cancelled
from randcrowns.core.geometry import overlay

AREA = shapely.box(500_000, 3_000_000, 500_020, 3_000_020)


def boxes(rng: np.random.Generator, number: int) -> np.ndarray:
    """Boxes on a grid of 0.5 m, so that pixels of 0.5 m are exact; some leave the area."""
    corner = rng.integers(-4, 36, (number, 2)) / 2
    size = rng.integers(2, 12, (number, 2)) / 2
    low = corner + np.array([500_000, 3_000_000])
    return shapely.box(low[:, 0], low[:, 1], *(low + size).T)


def pixels() -> tuple[np.ndarray, np.ndarray]:
    centres = np.arange(40) / 2 + 0.25
    x, y = np.meshgrid(centres + 500_000, centres + 3_000_000)
    return x, y


def test_the_same_as_pixels_that_fit() -> None:
    rng = np.random.default_rng(4)
    annotators = {name: boxes(rng, 12) for name in "ABC"}
    detectors = {name: (boxes(rng, 25), rng.integers(0, 9, 25)) for name in ("one", "two")}
    faces = overlay_detectors(annotators, detectors, AREA)
    x, y = pixels()
    stack = np.stack(
        [shapely.contains_xy(shapely.union_all(drawn), x, y) for drawn in annotators.values()]
    )
    assert faces.areas.sum() == pytest.approx(400)
    assert faces.votes.weights.sum() == pytest.approx(400)
    truth = 2 * stack.sum(axis=0) >= 3
    raster = {}
    for name, (drawn, score) in detectors.items():
        cover = np.stack([shapely.contains_xy(polygon, x, y) for polygon in drawn])
        raster[name] = np.where(cover, score[:, None, None], -np.inf).max(axis=0)
    exact = rank_detectors(
        faces.scores,
        {"half": faces.votes.on_map(majority_consensus(faces.votes))},
        weight=faces.areas,
    )
    by_pixel = rank_detectors(raster, {"half": truth})
    np.testing.assert_allclose(exact.aucr, by_pixel.aucr, atol=1e-9)
    assert exact.skew["half"] == pytest.approx(by_pixel.skew["half"], abs=1e-9)
    np.testing.assert_allclose(shapely.area(faces.votes.faces).sum(), 400)


def test_by_hand() -> None:
    """One crown of 4 x 5 m in 10 x 10 m; score 1 covers half of it, score 2 a quarter."""
    area = shapely.box(0, 0, 10, 10)
    crown = shapely.box(0, 0, 4, 5)
    scored = (
        [shapely.box(0, 0, 2, 5), shapely.box(0, 0, 1, 5), shapely.box(20, 20, 30, 30)],
        [1.0, 2.0, 3.0],
    )
    faces = overlay_detectors({"A": [crown]}, {"d": scored}, area)
    of_score = {
        score: faces.areas[faces.scores["d"] == score].sum() for score in (-np.inf, 1.0, 2.0, 3.0)
    }
    assert of_score == {
        -np.inf: pytest.approx(90),
        1.0: pytest.approx(5),
        2.0: pytest.approx(5),
        3.0: 0,
    }
    assert faces.votes.weights[faces.votes.patterns[:, 0]].sum() == pytest.approx(20)


def test_multipart_invalid_missing_and_unscored_polygons() -> None:
    area = shapely.box(0, 0, 10, 10)
    two = shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(5, 5, 6, 6)])
    bow_tie = shapely.Polygon([(2, 2), (4, 4), (4, 2), (2, 4)])
    faces = overlay_detectors(
        {"A": [two]},
        {"d": (np.array([two, bow_tie, None, shapely.box(8, 8, 9, 9)]), [1.0, 2.0, 3.0, np.nan])},
        area,
    )
    assert faces.areas[faces.scores["d"] == 1].sum() == pytest.approx(2)
    assert faces.areas[faces.scores["d"] == 2].sum() == pytest.approx(2)
    assert np.isneginf(faces.scores["d"]).any()
    assert (faces.n_repaired, faces.n_without_score) == (1, {"d": 1})


def test_nothing_detected_and_nothing_marked() -> None:
    faces = overlay_detectors({"A": []}, {"d": ([], [])}, AREA)
    assert faces.areas.sum() == pytest.approx(400)
    assert np.isneginf(faces.scores["d"]).all()
    assert not faces.votes.patterns.any()


def test_tiles_cut_the_faces_and_change_no_area_under_the_curve() -> None:
    rng = np.random.default_rng(4)
    annotators = {name: boxes(rng, 12) for name in "ABC"}
    detectors = {name: (boxes(rng, 25), rng.integers(0, 9, 25)) for name in ("one", "two")}
    whole = overlay_detectors(annotators, detectors, AREA)
    cut = overlay_detectors(annotators, detectors, AREA, tile_side=6.0)
    assert (whole.tiles == 0).all()
    areas = np.bincount(cut.tiles, cut.areas)
    np.testing.assert_allclose(areas.reshape(4, 4), np.outer([6, 6, 6, 2], [6, 6, 6, 2]))
    truths = [faces.votes.on_map(majority_consensus(faces.votes)) for faces in (whole, cut)]
    for name in detectors:
        first, second = (
            aucr(faces.scores[name], truth, weight=faces.areas)
            for faces, truth in zip((whole, cut), truths)
        )
        assert first == pytest.approx(second, abs=1e-12)
    ranks = bootstrap_ranking(cut.scores, cut.votes, cut.tiles, weight=cut.areas, resamples=3)
    assert ranks.n_tiles == 16
    assert ranks.estimate["one"] == pytest.approx(
        aucr(cut.scores["one"], truths[1], weight=cut.areas), abs=1e-12
    )


def test_tiles_may_be_smaller_than_a_metre() -> None:
    # 2 m by 1 m in tiles of 0.5 m: four in a row, two rows, from the lower left corner.
    area = shapely.box(10, 20, 12, 21)
    faces = overlay_detectors({"A": []}, {"d": ([], [])}, area, tile_side=0.5)
    assert (sorted(faces.tiles.tolist()), faces.tiles_per_row) == (list(range(8)), 4)
    np.testing.assert_allclose(faces.areas, 0.25)


def test_bad_input_gets_a_sentence() -> None:
    box = [shapely.box(0, 0, 1, 1)]
    with raises("ranking.no_annotator_or_detector"):
        overlay_detectors({}, {"d": (box, [1.0])}, AREA)
    with raises("faces.wrong_score_count", polygons=1, scores=2):
        overlay_detectors({"A": box}, {"d": (box, [1.0, 2.0])}, AREA)
    with raises("array.not_numeric", name="The score of d"):
        overlay_detectors({"A": box}, {"d": (box, ["high"])}, AREA)
    with raises("study_area.empty"):
        overlay_detectors({"A": box}, {"d": (box, [1.0])}, shapely.Polygon())
    for side in (0.0, -1.0, np.nan, 1e-3):
        with raises("faces.invalid_tile_side"):
            overlay_detectors({"A": box}, {"d": (box, [1.0])}, AREA, side)
    with raises("crowns.not_polygon_but"):
        overlay_detectors({"A": box}, {"d": ([shapely.Point(0, 0)], [1.0])}, AREA)


def test_cancel() -> None:
    def cancel(fraction: float) -> None:
        raise Cancelled

    box = [shapely.box(0, 0, 1, 1)]
    with pytest.raises(Cancelled):
        overlay_detectors({"A": box}, {"d": (box, [1.0])}, shapely.box(0, 0, 2, 2), progress=cancel)


@pytest.mark.parametrize("call", ["transform", "point_on_surface", "area"])
def test_no_call_takes_so_many_faces_that_a_cancel_would_wait(
    monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    taken: list[int] = []
    original = getattr(shapely, call)

    def counted(shapes, *args, **kwargs):
        taken.append(np.size(shapes))
        return original(shapes, *args, **kwargs)

    monkeypatch.setattr(shapely, call, counted)
    monkeypatch.setattr(overlay, "MAX_SEGMENTS", 2000)
    column, row = (places.ravel() for places in np.meshgrid(np.arange(50.0), np.arange(50.0)))
    trees = shapely.box(column, row, column + 0.5, row + 0.5)
    faces = overlay_detectors(
        {"A": trees}, {"d": (trees, np.arange(2500.0))}, shapely.box(0, 0, 50, 50)
    )
    assert len(faces.areas) > 2500
    assert sum(taken) >= 2500
    assert max(taken) <= 1024
