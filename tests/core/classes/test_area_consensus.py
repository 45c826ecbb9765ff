"""Classes of the areas of a consensus, compared with SimpleITK and with counting by squares."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import shapely

from randcrowns.core.classes.area_consensus import classes_of_areas
from randcrowns.core.classes.consensus import ClassRule
from randcrowns.core.crowns import Crowns

#: Values of SimpleITK 2.5.7: MultiLabelSTAPLE of rasters with three labels.
OUTSIDE = json.loads(
    (Path(__file__).parent / "data" / "outside_values.json").read_text(encoding="utf-8")
)


def _squares(n: int, width: int) -> np.ndarray:
    """Return n unit squares in rows of a width."""
    number = np.arange(n)
    x, y = number % width, number // width
    return shapely.box(x, y, x + 1, y + 1)


def _class_at(made, points) -> list[str | None]:
    """Return the class of the polygon at each point; "outside" for none."""
    tree = shapely.STRtree(made.polygons)
    point, polygon = tree.query(points, predicate="within")
    classes = np.full(len(points), "outside", dtype=object)
    classes[point] = made.table["crown_class"].to_numpy()[polygon]
    assert len(point) == len(set(point.tolist()))
    return classes.tolist()


def test_staple_of_areas_equals_simpleitk() -> None:
    case = OUTSIDE["staple_labels"]
    squares = _squares(len(case["stack"][0]), 20)
    drawings = {
        f"ann {number}": Crowns(squares, classes=list(raster))
        for number, raster in enumerate(case["stack"])
    }
    area = np.array([shapely.union_all(squares)])
    done = classes_of_areas([area], [drawings], ClassRule.STAPLE)
    made = done.parts[0]
    assert "".join(map(str, _class_at(made, shapely.centroid(squares)))) == case["labels"]
    labels = sorted(set(case["labels"]))
    n_classes = len(labels)
    found = done.confusion["probability"].to_numpy().reshape(-1, n_classes, n_classes)
    # Rows of SimpleITK's matrices are the ratings, columns the truth, in single precision.
    expected = np.array(case["confusion"])[:, :n_classes].transpose(0, 2, 1)
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-5)
    assert shapely.area(made.polygons).sum() == pytest.approx(len(squares), rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_plurality_is_that_of_every_square(seed: int) -> None:
    rng = np.random.default_rng(seed)
    side, names = 8, ["ann", "ben", "cleo"]
    centres = shapely.centroid(_squares(side**2, side))
    drawings, reviewed = {}, {"cleo": shapely.box(0, 0, 5, side)}
    votes: list[list[str]] = [[] for _ in centres]
    is_drawn = np.zeros(side**2, dtype=bool)
    for name in names:
        corner, size = rng.integers(0, side - 2, (9, 2)), rng.integers(1, 4, (9, 2))
        boxes = shapely.box(*corner.T, *np.minimum(corner + size, side).T)
        classes = rng.choice(["ash", "oak", "elm", None], 9, p=[0.35, 0.35, 0.2, 0.1])
        drawings[name] = Crowns(boxes, classes=classes)
        for row, centre in enumerate(centres):
            inside = shapely.contains(boxes, centre)
            is_drawn[row] |= inside.any()
            own = set(classes[inside].tolist()) - {None}
            has_looked = shapely.contains(reviewed.get(name, shapely.box(0, 0, 9, 9)), centre)
            # Crowns of several classes by one annotator are no rating.
            if len(own) == 1 and has_looked:
                votes[row].append(own.pop())
    squares = _squares(side**2, side)
    area = shapely.get_parts(shapely.union_all(squares[is_drawn]))
    made = classes_of_areas([area], [drawings], reviewed=[reviewed]).parts[0]

    expected: list[str | None] = []
    for row, own in enumerate(votes):
        counts = sorted((own.count(label) for label in set(own)), reverse=True)
        is_tie = not counts or counts[:2] == counts[:1] * 2
        winner = None if is_tie else max(set(own), key=own.count)
        expected.append(winner if is_drawn[row] else "outside")
    assert _class_at(made, centres) == expected
    assert {"ash", "oak", None, "outside"} <= set(expected)
    assert shapely.area(made.polygons).sum() == pytest.approx(is_drawn.sum(), rel=1e-9)
    shares = [max(map(own.count, own)) / len(own) for own in votes if own]
    total = np.nansum(shapely.area(made.polygons) * made.table["class_share"])
    assert total == pytest.approx(sum(shares), rel=1e-9)

    turned = {name: drawings[name].subset(np.arange(9)[::-1]) for name in reversed(names)}
    again = classes_of_areas([area[::-1]], [turned], reviewed=[reviewed]).parts[0]
    assert _class_at(again, centres) == expected


def test_images_are_rated_together_and_may_lack_classes() -> None:
    box = shapely.box(0, 0, 4, 4)
    classed = {"ann": Crowns([box], classes=["oak"]), "ben": Crowns([box], classes=["ash"])}
    plain = {"ann": Crowns([box]), "ben": Crowns([box])}
    nothing = np.empty(0, dtype=object)
    areas = [np.array([box]), np.array([box]), nothing]
    done = classes_of_areas(areas, [classed, plain, classed], ClassRule.STAPLE)
    tables = [part.table for part in done.parts]
    assert [len(table) for table in tables] == [1, 1, 0]
    assert tables[0]["tied_classes"].tolist() == ["ash = oak"]
    assert tables[1]["crown_class"].tolist() == [None]
    assert done.parts[1].polygons.tolist() == [box]


def test_too_many_classes_leave_the_areas_as_they_are() -> None:
    box = shapely.box(0, 0, 4, 4)
    drawings = {
        str(name): Crowns([box] * 9, classes=[f"{number}" for number in range(9)])
        for name in range(20)
    }
    done = classes_of_areas([np.array([box])], [drawings])
    assert done.parts[0].polygons.tolist() == [box]
    assert [message.key for message in done.messages] == ["agreement.too_many_classes"]
