"""Small scenes with the problem of each crown, judged by hand.

Targets are squares of 10 m unless the case says otherwise. The certain part begins 0.6 m inside the
outline, and a delineation may reach 3 m beyond it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import shapely
from shapely.affinity import rotate, translate

PAIRINGS = ("nearest", "hungarian", "max_iou")


class ProblemCase(NamedTuple):
    """A scene with the right answers."""

    name: str
    targets: Sequence[Any]
    delineations: Sequence[Any]
    #: Problem of each target by pairing method.
    problems: dict[str, list[str]]
    #: "extra" or "duplicate" for each unmatched delineation, sorted, whatever the pairing; None if
    #: it depends on the pairing.
    extras: list[str] | None


def _case(
    name: str,
    targets: Sequence[Any],
    delineations: Sequence[Any],
    problems: str,
    extras: str | None = None,
    **by_pairing: str,
) -> ProblemCase:
    """Return a case from lists separated by commas.

    Args:
        name: what is to be seen.
        targets: polygons.
        delineations: polygons.
        problems: problems of the targets.
        extras: kinds of the unmatched delineations; None if not checked.
        by_pairing: other problems of the targets under a pairing method.
    """
    by_method = {method: _items(by_pairing.get(method, problems)) for method in PAIRINGS}
    return ProblemCase(
        name, targets, delineations, by_method, None if extras is None else sorted(_items(extras))
    )


def _items(text: str) -> list[str]:
    """Return the items of a list separated by commas."""
    return [item.strip() for item in text.split(",") if item.strip()]


def _disk(x: float, y: float, radius: float) -> Any:
    """Return a disk."""
    return shapely.Point(x, y).buffer(radius, quad_segs=32)


def _move(shapes: Sequence[Any], x: float, y: float) -> list[Any]:
    """Return translated polygons."""
    return [translate(shape, x, y) for shape in shapes]


def _turn(shapes: Sequence[Any], angle: float = 30) -> list[Any]:
    """Return polygons rotated around the origin."""
    return [rotate(shape, angle, (0, 0)) for shape in shapes]


def _grown(shape: Any, ratio: float) -> Any:
    """Return a shape scaled around its centre to a ratio of areas."""
    return shapely.affinity.scale(shape, ratio**0.5, ratio**0.5)


_BOX = shapely.box
_TREE = _BOX(0, 0, 10, 10)
_NEXT = _BOX(10, 0, 20, 10)
_THIRD = _BOX(20, 0, 30, 10)
_LARGE = _BOX(0, 0, 20, 20)
_SMALL = _BOX(2, 2, 6, 6)
_SIDE = _BOX(10, 3.5, 13, 6.5)
_DISK = _disk(0, 0, 5)

#: Cases after the words of the rules.
CASES = [
    _case("exact", [_TREE], [_TREE], "none", ""),
    _case("near duplicate", [_TREE], [_TREE, translate(_TREE, 0.3, 0.2)], "none", "duplicate"),
    _case("duplicate first", [_TREE], [translate(_TREE, 0.3, 0.2), _TREE], "none", "duplicate"),
    _case("speck inside", [_TREE], [_TREE, _BOX(1, 1, 2, 2)], "none", "extra"),
    _case("speck in the rim", [_TREE], [_TREE, _BOX(0, 0, 0.5, 0.5)], "none", "extra"),
    _case("speck across", [_TREE], [_TREE, _BOX(9.5, 4, 10.5, 5)], "none", "extra"),
    _case(
        "two specks",
        [_TREE],
        [_TREE, _BOX(1, 1, 2, 2), _BOX(7, 8, 8, 9)],
        "none",
        "extra, extra",
    ),
    _case("exact and a half", [_TREE], [_TREE, _BOX(0, 0, 5, 10)], "none", "extra"),
    _case("exact and most of it", [_TREE], [_TREE, _BOX(0, 0, 6, 10)], "none", "duplicate"),
    _case("exact and a wider one", [_TREE], [_TREE, _BOX(-1, -1, 11, 11)], "none", "duplicate"),
    _case("small in large", [_LARGE, _SMALL], [_LARGE, _SMALL], "none, none", ""),
    _case(
        "small in large, IoU 0.9",
        [_LARGE, _SMALL],
        [_BOX(0.3, 0.3, 19.7, 19.7), _BOX(2.1, 2.1, 5.9, 5.9)],
        "none, none",
        "",
    ),
    _case(
        "small in large, IoU 0.8",
        [_LARGE, _SMALL],
        [_BOX(0, 0, 20, 16), _BOX(2, 2, 6, 5.2)],
        "none, none",
        "",
    ),
    _case("small in large not found", [_LARGE, _SMALL], [_LARGE], "none, merged", ""),
    _case("two under one", [_TREE, _NEXT], [_BOX(0, 0, 20, 10)], "merged, merged", ""),
    _case(
        "two and the gap under one",
        [_TREE, _BOX(11, 0, 21, 10)],
        [_BOX(0, 0, 21, 10)],
        "merged, merged",
        "",
    ),
    _case("3 m beside 10 m", [_TREE, _SIDE], [_BOX(0, 0, 13, 10)], "merged, merged", ""),
    _case(
        "3 m beside 10 m, joined", [_TREE, _SIDE], [shapely.union(_TREE, _SIDE)], "none, merged", ""
    ),
    _case(
        "three under one",
        [_TREE, _NEXT, _THIRD],
        [_BOX(0, 0, 30, 10)],
        "merged, merged, merged",
        "",
    ),
    _case(
        "four under one",
        [_TREE, _NEXT, _BOX(0, 10, 10, 20), _BOX(10, 10, 20, 20)],
        [_BOX(0, 0, 20, 20)],
        "merged, merged, merged, merged",
        "",
    ),
    _case("no delineation", [_TREE], [], "missing", ""),
    _case("delineation elsewhere", [_TREE], [translate(_TREE, 50, 0)], "missing", "extra"),
    _case("only the rim", [_TREE], [_BOX(9.7, 0, 12, 10)], "missing"),
    _case("neighbour in the rim", [_TREE, _NEXT], [_BOX(0, 0, 10.5, 10)], "none, missing", ""),
    _case("neighbour over a tenth", [_TREE, _NEXT], [_BOX(0, 0, 11, 10)], "none, low overlap", ""),
    _case("halves", [_TREE], [_BOX(0, 0, 5, 10), _BOX(5, 0, 10, 10)], "split", "extra"),
    _case(
        "thirds",
        [_TREE],
        [_BOX(0, 0, 3.3, 10), _BOX(3.3, 0, 6.6, 10), _BOX(6.6, 0, 10, 10)],
        "split",
        "extra, extra",
    ),
    _case(
        "quarters",
        [_TREE],
        [_BOX(0, 0, 5, 5), _BOX(5, 0, 10, 5), _BOX(0, 5, 5, 10), _BOX(5, 5, 10, 10)],
        "split",
        "extra, extra, extra",
    ),
    _case("2.6 m away", [_TREE], [translate(_TREE, 2.6, 0)], "shifted", ""),
    _case("2.4 m away", [_TREE], [translate(_TREE, 2.4, 0)], "none", ""),
    _case("four times", [_TREE], [_BOX(-5, -5, 15, 15)], "too large", ""),
    _case("a third", [_TREE], [_BOX(2, 2, 8, 8)], "too small", ""),
    _case("another shape", [_TREE], [_BOX(-10, 3.3, 20, 6.7)], "low overlap", ""),
    _case("centre too far to pair", [_TREE], [_BOX(0, 0, 40, 10)], "too large"),
    _case(
        "over two, one found",
        [_TREE, _NEXT],
        [_BOX(0, 0, 20, 10), _NEXT],
        "too large, none",
        "",
    ),
    _case("IoU 0.8, speck", [_TREE], [_BOX(0, 0, 10, 8), _BOX(1, 1, 2, 2)], "none", "extra"),
    _case(
        "IoU 0.8, speck beside", [_TREE], [_BOX(0, 0, 10, 8), _BOX(4, 9, 5, 10)], "none", "extra"
    ),
    _case(
        "IoU 0.8, duplicate",
        [_TREE],
        [_BOX(0, 0, 10, 8), _BOX(0, 0.2, 10, 8)],
        "none",
        "duplicate",
    ),
    _case(
        "overlapping targets",
        [_TREE, _BOX(5, 0, 15, 10)],
        [_TREE, _BOX(5, 0, 15, 10)],
        "none, none",
        "",
    ),
    _case("touching targets", [_TREE, _NEXT], [_TREE, _NEXT], "none, none", ""),
]

_TWIN_DISKS = [_DISK, _disk(10, 0, 5)]
_UTM = (500_000, 4_100_000)
_TINY = _BOX(20, 0, 21, 1)
_RING = shapely.difference(_TREE, _BOX(2, 2, 8, 8))
_LONG = _BOX(0, 0, 20, 5)

#: Further cases, written before the rules were implemented.
FURTHER_CASES = [
    _case("disk", [_DISK], [_DISK], "none", ""),
    _case("wider disk", [_DISK], [_disk(0, 0, 5.1)], "none", ""),
    _case("duplicate disk", [_DISK], [_DISK, _disk(0.2, 0, 5)], "none", "duplicate"),
    _case("speck in a disk", [_DISK], [_DISK, _disk(1, 1, 0.5)], "none", "extra"),
    _case(
        "disk in a disk",
        [_disk(0, 0, 8), _disk(4, 0, 2)],
        [_disk(0, 0, 8), _disk(4, 0, 2)],
        "none, none",
        "",
    ),
    _case(
        "disk in a disk not found",
        [_disk(0, 0, 8), _disk(4, 0, 2)],
        [_disk(0, 0, 8)],
        "none, merged",
        "",
    ),
    _case(
        "two disks under one",
        _TWIN_DISKS,
        [shapely.union_all(_TWIN_DISKS).convex_hull],
        "merged, merged",
        "",
    ),
    _case(
        "disk over a bit of the next",
        _TWIN_DISKS,
        [shapely.union(_DISK, _BOX(4, -1.5, 7, 1.5))],
        "none, low overlap",
        "",
    ),
    _case("next disk not found", _TWIN_DISKS, [_DISK], "none, missing", ""),
    _case(
        "half disks",
        [_DISK],
        [
            shapely.intersection(_DISK, _BOX(-9, -9, 0, 9)),
            shapely.intersection(_DISK, _BOX(0, -9, 9, 9)),
        ],
        "split",
        "extra",
    ),
    _case("turned", _turn([_TREE]), _turn([_TREE]), "none", ""),
    _case(
        "turned, under one",
        _turn([_TREE, _NEXT]),
        _turn([_BOX(0, 0, 20, 10)]),
        "merged, merged",
        "",
    ),
    _case(
        "turned halves",
        _turn([_TREE]),
        _turn([_BOX(0, 0, 5, 10), _BOX(5, 0, 10, 10)]),
        "split",
        "extra",
    ),
    _case("turned, four times", _turn([_TREE]), _turn([_BOX(-5, -5, 15, 15)]), "too large", ""),
    _case("turned, a third", _turn([_TREE]), _turn([_BOX(2, 2, 8, 8)]), "too small", ""),
    _case("turned, 3 m away", _turn([_TREE]), _turn([translate(_TREE, 3, 0)]), "shifted", ""),
    _case(
        "UTM duplicate",
        _move([_TREE], *_UTM),
        _move([_TREE, translate(_TREE, 0.3, 0.2)], *_UTM),
        "none",
        "duplicate",
    ),
    _case(
        "UTM nested",
        _move([_LARGE, _SMALL], *_UTM),
        _move([_LARGE, _SMALL], *_UTM),
        "none, none",
        "",
    ),
    _case(
        "UTM merged",
        _move([_TREE, _SIDE], *_UTM),
        _move([_BOX(0, 0, 13, 10)], *_UTM),
        "merged, merged",
        "",
    ),
    _case("UTM missing", _move([_TREE, _NEXT], *_UTM), _move([_TREE], *_UTM), "none, missing", ""),
    _case(
        "UTM halves",
        _move([_TREE], *_UTM),
        _move([_BOX(0, 0, 5, 10), _BOX(5, 0, 10, 10)], *_UTM),
        "split",
        "extra",
    ),
    _case("3 m crown", [_BOX(0, 0, 3, 3)], [_BOX(0, 0, 3, 3)], "none", ""),
    # Crowns without a certain part have no RandCrowns, so that they are not assigned one to one.
    _case("1 m crown", [_TINY], [_TINY], "none", hungarian="low overlap"),
    _case("1 m crown not found", [_TINY], [], "missing", ""),
    _case(
        "1 m crown joined with another",
        [_TREE, _BOX(10, 4, 11, 5)],
        [shapely.union(_TREE, _BOX(10, 4, 11, 5))],
        "none, merged",
        "",
    ),
    _case(
        "1 m crown and 10 m crown",
        [_TREE, _TINY],
        [_TREE, _TINY],
        "none, none",
        hungarian="none, low overlap",
    ),
    _case("over 60 % of the next", [_TREE, _NEXT], [_BOX(0, 0, 16, 10)], "merged, merged", ""),
    _case("over 40 % of the next", [_TREE, _NEXT], [_BOX(0, 0, 14, 10)], "none, low overlap", ""),
    _case("over 60 % of both", [_TREE, _NEXT], [_BOX(4, 0, 16, 10)], "merged, merged", ""),
    _case("over 40 % of both", [_TREE, _NEXT], [_BOX(6, 0, 14, 10)], "shifted, shifted", ""),
    _case(
        "over two, 60 % of one found",
        [_TREE, _NEXT],
        [_BOX(0, 0, 20, 10), _BOX(10, 0, 16, 10)],
        "too large, too small",
        "",
    ),
    _case(
        "over two, 40 % of one found",
        [_TREE, _NEXT],
        [_BOX(0, 0, 20, 10), _BOX(10, 0, 14, 10)],
        "merged, too small",
        max_iou="merged, merged",
    ),
    _case(
        "two small in large not found",
        [_LARGE, _SMALL, _BOX(12, 12, 16, 16)],
        [_LARGE],
        "none, merged, merged",
        "",
    ),
    _case("large around small not found", [_LARGE, _SMALL], [_SMALL], "low overlap, none", ""),
    _case(
        "two over both",
        [_TREE, _NEXT],
        [_BOX(0, 0, 20, 10), _BOX(0, 0, 20, 9.8)],
        "merged, merged",
    ),
    _case(
        "exact and halves",
        [_TREE],
        [_TREE, _BOX(0, 0, 5, 10), _BOX(5, 0, 10, 10)],
        "none",
        "extra, extra",
    ),
    _case("halves that overlap", [_TREE], [_BOX(0, 0, 5.5, 10), _BOX(4.5, 0, 10, 10)], "split"),
    _case("60 % twice", [_TREE], [_BOX(0, 0, 6, 10), _BOX(0, 0, 6, 9.8)], "too small"),
    _case("85 % and 15 %", [_TREE], [_BOX(0, 0, 8.5, 10), _BOX(8.5, 0, 10, 10)], "split", "extra"),
    _case("92 % and 8 %", [_TREE], [_BOX(0, 0, 9.2, 10), _BOX(9.2, 0, 10, 10)], "none", "extra"),
    _case("80 % and 4 %", [_TREE], [_BOX(0, 0, 8, 10), _BOX(8, 0, 10, 2)], "none", "extra"),
    _case("specks only", [_TREE], [_BOX(1, 1, 2, 2), _BOX(8, 8, 9, 9)], "too small"),
    _case("two sides", [_TREE], [_BOX(5, 0, 16, 10), _BOX(-6, 0, 5, 10)], "shifted"),
    _case("0.4 m away", [_TREE], [translate(_TREE, 0.4, 0)], "none", ""),
    _case("2 m away twice", [_TREE], [translate(_TREE, 2, 2)], "shifted", ""),
    _case("long, 2.4 m along", [_LONG], [translate(_LONG, 2.4, 0)], "none", ""),
    _case("long, 2.6 m across", [_LONG], [translate(_LONG, 0, 2.6)], "shifted", ""),
    _case("long, other direction", [_LONG], [_BOX(7.5, -7.5, 12.5, 12.5)], "low overlap", ""),
    _case(
        "half and a long arm",
        [_TREE],
        [shapely.union(_BOX(0, 0, 5, 10), _BOX(0, 10, 2.5, 28))],
        "low overlap",
    ),
    _case("1.6 times", [_TREE], [_grown(_TREE, 1.6)], "too large", ""),
    _case("1.45 times", [_TREE], [_grown(_TREE, 1.45)], "none", ""),
    _case("0.7 times", [_TREE], [_grown(_TREE, 0.7)], "none", ""),
    _case("0.6 times", [_TREE], [_grown(_TREE, 0.6)], "too small", ""),
    _case("1.5 times, 2.5 m away", [_TREE], [_BOX(0, 0, 15, 10)], "none", ""),
    # The speck in the middle of the ring is nearest, but does not reach it.
    _case("ring", [_RING], [_RING, _BOX(4.5, 4.5, 5.5, 5.5)], "none", nearest="low overlap"),
    _case("target twice", [_TREE, _TREE], [_TREE], "none, none", "", hungarian="none, merged"),
    _case(
        "over two, the other found",
        [_TREE, _NEXT],
        [_TREE, _BOX(0, 0, 20, 10)],
        "none, too large",
        "",
    ),
    # The delineations of the middle one have the same centre; the lower score counts.
    _case(
        "over three, the middle found",
        [_TREE, _NEXT, _THIRD],
        [_BOX(0, 0, 30, 10), _NEXT],
        "merged, none, merged",
        nearest="merged, too large, merged",
    ),
    _case(
        "duplicate over a bit of the next",
        [_TREE, _NEXT],
        [_TREE, _BOX(0, 0, 14, 10)],
        "none, low overlap",
    ),
    _case(
        "two apart in one multipolygon",
        [_TREE, translate(_TREE, 40, 0)],
        [shapely.MultiPolygon([_TREE, translate(_TREE, 40, 0)])],
        "merged, merged",
    ),
]
