import numpy as np
import pytest
import shapely
from support.crowns import KINDS, crown
from support.errors import raises

from randcrowns.core import Cancelled, Crowns
from randcrowns.core.geometry import areas
from randcrowns.core.instances import overlap
from randcrowns.core.instances.overlap import polygon_overlap


def scene(seed: int, number: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array(
        [crown(rng, KINDS[i % 5], *rng.uniform(0, 40, 2), rng.uniform(2, 4)) for i in range(number)]
    )


def test_lists_every_pair_that_shares_an_area_once() -> None:
    targets, predictions = scene(1, 60), scene(2, 80)
    table = polygon_overlap(Crowns(targets), Crowns(predictions))
    expected = shapely.area(shapely.intersection(targets[:, None], predictions[None]))
    found = np.zeros((60, 80))
    found[table.target, table.prediction] = table.shared
    np.testing.assert_allclose(found, expected, atol=1e-10)
    assert len(table.shared) == (expected > 1e-9).sum()
    assert np.all(np.diff(table.target * 80 + table.prediction) > 0)
    np.testing.assert_allclose(table.target_size, shapely.area(targets))
    np.testing.assert_allclose(table.prediction_size, shapely.area(predictions))


def test_crowns_that_touch_share_nothing() -> None:
    table = polygon_overlap(Crowns([shapely.box(0, 0, 1, 1)]), Crowns([shapely.box(1, 0, 2, 1)]))
    assert len(table.shared) == 0


def test_only_crowns_of_one_plot_are_compared() -> None:
    squares = [shapely.box(0, 0, 1, 1)] * 2
    table = polygon_overlap(Crowns(squares, plots=["a", "b"]), Crowns(squares, plots=["b", "c"]))
    assert (table.target.tolist(), table.prediction.tolist()) == ([1], [0])


def test_nothing_on_one_side() -> None:
    table = polygon_overlap(Crowns([]), Crowns([shapely.box(0, 0, 1, 1)]))
    assert (len(table.target), table.prediction_size.tolist()) == (0, [1.0])


def test_can_be_cancelled() -> None:
    def cancel(fraction: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        polygon_overlap(Crowns(scene(1, 5)), Crowns(scene(2, 5)), cancel)


def test_the_same_crowns_share_no_more_than_all() -> None:
    crowns = shapely.transform(scene(3, 200), lambda xy: xy * 0.7 + [403517.3, 3285183.9])
    table = polygon_overlap(Crowns(crowns), Crowns(crowns.copy()))
    own = table.target == table.prediction
    assert own.sum() == 200
    assert 1 - 1e-9 < table.iou[own].min() <= table.iou[own].max() <= 1.0


def test_more_pairs_than_can_be_matched_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """5 x 5 crowns over one point: 25 pairs."""
    crowns = Crowns(shapely.box(0, 0, np.arange(4, 9), 4))
    monkeypatch.setattr(areas, "MAX_PAIRS_PER_POLYGON", 0)
    monkeypatch.setattr(overlap, "MAX_MATCHED_PAIRS", 25)
    assert len(polygon_overlap(crowns, crowns).shared) == 25
    monkeypatch.setattr(overlap, "MAX_MATCHED_PAIRS", 24)
    with raises("crowns.too_many_pairs", limit=24):
        polygon_overlap(crowns, crowns)
