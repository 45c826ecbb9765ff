"""Random crowns of every kind; a seed always gives the same crowns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from scenes import pixel_outlines
from shapely import affinity

KINDS = ("box", "convex", "concave", "holes", "multipart")
ODD_KINDS = ("comb", "star", "dumbbell", "ring", "halves", "cross", "oblique")
PLACES = ("overlapping", "nested", "disjoint", "touching")


def blob(
    rng: np.random.Generator,
    x: float,
    y: float,
    radius: float,
    points: int = 32,
    rough: float = 0.1,
):
    """Return a star-shaped polygon with an uneven outline."""
    angle = np.linspace(0, 2 * np.pi, points, endpoint=False)
    phase = rng.uniform(0, 2 * np.pi, 2)
    reach = 1 + 0.12 * np.sin(2 * angle + phase[0]) + 0.1 * np.sin(5 * angle + phase[1])
    reach = radius * np.maximum(reach + rough * rng.standard_normal(points), 0.3)
    return shapely.Polygon(np.column_stack([x + reach * np.cos(angle), y + reach * np.sin(angle)]))


def crown(rng: np.random.Generator, kind: str, x: float = 0.0, y: float = 0.0, radius: float = 3.0):
    """Return a valid crown of a kind around (x, y)."""
    if kind == "box":
        half = radius * rng.uniform(0.6, 1.3, 2)
        return shapely.box(x - half[0], y - half[1], x + half[0], y + half[1])
    if kind == "convex":
        return blob(rng, x, y, radius).convex_hull
    if kind == "concave":
        return blob(rng, x, y, radius, points=int(rng.integers(7, 40)), rough=0.2).buffer(0)
    if kind == "holes":
        outer = blob(rng, x, y, radius, rough=0.03)
        holes = [blob(rng, x + side * 0.45 * radius, y, 0.25 * radius, 9, 0.03) for side in (-1, 1)]
        return outer.difference(shapely.union_all(holes))
    if kind == "multipart":
        parts = [blob(rng, x + side * 0.8 * radius, y, 0.6 * radius, 16, 0.05) for side in (-1, 1)]
        return shapely.union_all(parts)
    raise ValueError(kind)


def odd_crown(rng: np.random.Generator, kind: str, radius: float = 3.0):
    """Return a valid crown around (0, 0) with straight edges, narrow parts and gaps."""
    box, r = shapely.box, radius
    if kind == "comb":
        heights = r * rng.uniform(0.2, 1, 4)
        teeth = [
            box(x, -r, x + r / 4, height)
            for x, height in zip(r * np.array([-1, -0.5, 0, 0.5]), heights)
        ]
        return shapely.union_all([box(-r, -r, r, -r / 2), *teeth])
    if kind == "star":
        angle = np.linspace(0, 2 * np.pi, 14, endpoint=False)
        reach = np.where(np.arange(14) % 2, r, 0.4 * r) * rng.uniform(0.8, 1.2, 14)
        return shapely.Polygon(np.column_stack([reach * np.cos(angle), reach * np.sin(angle)]))
    if kind == "dumbbell":
        ends = shapely.buffer(shapely.points([[-r, 0], [r, 0]]), 0.6 * r)
        return shapely.union_all([*ends, box(-r, -0.1, r, 0.1)])
    if kind == "ring":
        return (
            shapely.Point(0, 0)
            .buffer(r)
            .difference(shapely.Point(rng.normal(0, 0.2), 0).buffer(r / 2))
        )
    if kind == "halves":
        return shapely.MultiPolygon([box(-r, -r, -0.1, 0.3 * r), box(0.1, -r / 2, r, r)])
    if kind == "cross":
        return box(-r, -0.4, r, 0.4).union(box(-0.4, -r, 0.4, r))
    if kind == "oblique":
        return affinity.rotate(
            box(-r * rng.uniform(0.3, 1), -r, r * rng.uniform(0.3, 1), 0.7 * r), rng.uniform(0, 90)
        )
    raise ValueError(kind)


def random_pairs(
    seed: int, number: int
) -> Iterator[tuple[str, shapely.Geometry, shapely.Geometry]]:
    """Yield pairs of target and delineation of all kinds, in all relative positions."""
    rng = np.random.default_rng(seed)
    for i in range(number):
        target_kind, drawn_kind = KINDS[i % 5], KINDS[(i // 5) % 5]
        place = PLACES[(i // 25) % 4]
        radius = rng.uniform(1.5, 5)
        x, y = rng.uniform(-5, 5, 2)
        target = crown(rng, target_kind, x, y, radius)
        yield (
            f"{target_kind}-{drawn_kind}-{place}",
            target,
            _placed(rng, target, drawn_kind, place, radius),
        )


def _placed(rng: np.random.Generator, target, kind: str, place: str, radius: float):
    centre = target.centroid
    if place == "overlapping":
        x, y = rng.normal(0, 0.35 * radius, 2)
        return crown(rng, kind, centre.x + x, centre.y + y, radius * rng.uniform(0.5, 1.6))
    if place == "nested":
        return crown(rng, kind, centre.x, centre.y, radius * (0.3 if rng.random() < 0.5 else 3.0))
    drawn = crown(rng, kind, centre.x, centre.y, radius)
    gap = 0.0 if place == "touching" else rng.uniform(0.1, 8)
    return affinity.translate(drawn, target.bounds[2] - drawn.bounds[0] + gap, 0)


def pixel_edged(rng: np.random.Generator, radius: float, pixel: float) -> shapely.Polygon:
    """Return a crown with an outline along the edges of pixels; lengths in metres."""
    order = np.arange(1, 12)
    wave = rng.normal(0, 0.06, (2, len(order))) / order**0.7
    angle = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    turns = np.outer(angle, order)
    far = radius * (1 + np.cos(turns) @ wave[0] + np.sin(turns) @ wave[1]).clip(0.4)
    smooth = shapely.make_valid(
        shapely.polygons(np.column_stack([far * np.cos(angle), far * np.sin(angle)]))
    )
    return pixel_outlines(np.array([smooth]), pixel)[0]
