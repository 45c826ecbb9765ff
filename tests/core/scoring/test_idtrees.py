import numpy as np
import pandas as pd
import pytest
import shapely
from scipy.optimize import linear_sum_assignment
from support.data import real_data
from support.errors import raises

from randcrowns.core import idtrees_scores

# Published by the competition's evaluation repository for plot OSBS_24: target, RandCrowns, IoU.
PUBLISHED = {
    1245: (0.6643112249787563, 0.38704581358609796),
    1246: (0.7061028134788919, 0.5265724037055095),
    1248: (0.0, 0.0),
    1249: (0.9034833686353835, 0.611764705882353),
    1250: (0.9844192171574266, 0.775527192008879),
    1251: (0.9314558032505293, 0.6396719630958483),
    1252: (0.8894337959597256, 0.5121951219512195),
    1253: (0.9644970960213672, 0.6786226685796269),
    1254: (0.44775661701850444, 0.533715925394548),
    1256: (0.4574803458222697, 0.0),
    1257: (0.8877549114124308, 0.6221009549795361),
    1258: (0.9593074781381122, 0.6757656458055925),
    1259: (0.8918392536395169, 0.505945945945946),
    1260: (0.9955257270693513, 0.8114874815905744),
    1261: (0.0, 0.0),
    1262: (0.9158815240210512, 0.6256133464180569),
    1263: (0.9812888086531572, 0.7034632034632035),
    1264: (0.0, 0.0),
    1265: (0.9361715978257331, 0.5871886120996441),
    1266: (0.0, 0.0),
    1267: (0.7590249751692036, 0.45641389085754785),
}
BOUNDS = (403583.0, 3285159.0, 403603.0, 3285179.0)


def test_the_published_scores_of_a_whole_plot() -> None:
    folder = real_data("osbs")
    ground, submission = (
        pd.read_csv(folder / f"OSBS_{name}.csv") for name in ("ground", "submission")
    )
    scores = idtrees_scores(
        shapely.from_wkt(ground["WKT"]), shapely.from_wkt(submission["WKT"]), BOUNDS
    )
    assert ground["id"].tolist() == list(PUBLISHED)
    np.testing.assert_allclose(
        scores[["randcrowns", "iou"]], list(PUBLISHED.values()), rtol=0, atol=1e-12
    )


def literal(targets, submissions, size: int = 200):
    """The toolbox's rules with sets of pixels, for a plot whose image starts at (0, 0)."""

    def pixels(x, y, w, h):
        hold = range(size)
        return {
            (min(max(i, 0), hold[-1]), min(max(j, 0), hold[-1]))
            for i in range(x, x + w)
            for j in range(y, y + h)
        }

    def box(polygon):
        x0, y0, x1, y1 = polygon.bounds
        return tuple(int(np.floor(value * 10)) for value in (x0, y0, x1 - x0, y1 - y0))

    def randcrowns(target, halo):
        x, y, w, h = halo
        C = 2 * (w + 2 + h + 2)
        t = (-C + np.sqrt(C**2 + 16 * w * h)) / 8
        S = pixels(*target)
        inner, outer = pixels(x + 1, y + 1, w - 2, h - 2), pixels(x - 1, y - 1, w + 2, h + 2)
        edge = pixels(
            *(int(value) for value in (x - 1 - t, y - 1 - t, w + 2 + 2 * t, h + 2 + 2 * t))
        )
        edge |= S
        a, b = len(S & inner) ** 2, len((edge - outer) - S) ** 2
        c, d = len(S & (edge - outer)) ** 2, len(inner - S) ** 2
        return 0 if a == 0 else (a + b) / (a + b + c + d)

    values = np.array([[randcrowns(box(t), box(s)) for s in submissions] for t in targets])
    scores = np.zeros(len(targets))
    rows, columns = linear_sum_assignment(values, maximize=True)
    scores[rows] = values[rows, columns]
    return scores


def test_agrees_with_sets_of_pixels_also_at_the_border_of_the_image() -> None:
    rng = np.random.default_rng(3)

    def boxes(number: int):
        corner, side = rng.uniform(-1, 19, (number, 2)), rng.uniform(0.05, 6, (number, 2))
        return shapely.box(corner[:, 0], corner[:, 1], *(corner + side).T)

    for _ in range(4):
        targets, submissions = boxes(8), boxes(6)
        scores = idtrees_scores(targets, submissions, (0, 0, 20, 20))
        np.testing.assert_allclose(scores["randcrowns"], literal(targets, submissions), atol=1e-12)


def test_crowns_off_the_image_are_not_scored() -> None:
    inside, outside = shapely.box(1, 1, 6, 6), shapely.box(30, 30, 35, 35)
    scores = idtrees_scores([inside, outside], [outside, inside], (0, 0, 20, 20))
    assert scores["randcrowns"][0] == 1
    assert scores["submission"][0] == 1
    assert np.isnan(scores["randcrowns"][1])


def test_no_submission_scores_nothing() -> None:
    assert idtrees_scores([shapely.box(1, 1, 6, 6)], [], (0, 0, 20, 20))["randcrowns"].tolist() == [
        0
    ]
    assert len(idtrees_scores([], [shapely.box(1, 1, 6, 6)], (0, 0, 20, 20))) == 0


@pytest.mark.parametrize("bounds", [(0, 0, 20), (0, 0, np.nan, 20)])
def test_bounds_must_be_four_numbers(bounds) -> None:
    with raises("idtrees.invalid_bounds"):
        idtrees_scores([shapely.box(1, 1, 6, 6)], [shapely.box(1, 1, 6, 6)], bounds)


def test_bounds_and_image_must_have_a_size() -> None:
    box = [shapely.box(1, 1, 6, 6)]
    with raises("idtrees.no_area"):
        idtrees_scores(box, box, (20, 20, 0, 0))
    for size, key in (
        (0, "idtrees.invalid_image_size"),
        (-5, "idtrees.invalid_image_size"),
        (1.5, "argument.wrong_type"),
    ):
        with raises(key):
            idtrees_scores(box, box, (0, 0, 20, 20), image_size=size)
