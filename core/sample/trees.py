"""The trees of the sample plot: where they stand, how large they are, what can be seen of them from above."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import shapely

from randcrowns.core.arrays import Bools, Floats, Ints, Objects

#: Metres of forest around the plot, for crowns and shadows that reach in.
MARGIN = 6.0

_DETAIL = 0.01  # m, coordinates are rounded to it
_VERTICES = 72


class Trees(NamedTuple):
    """All trees in and around the plot, tallest first, in the plot's own coordinates (0, 0: lower left)."""

    #: x, y, height: (n,) stem position and height (m).
    x: Floats
    y: Floats
    height: Floats
    radius: Floats  #: (n, 72) distance of the outline from the stem, at as many equally spaced angles (m).
    conifer: Bools  #: (n,) bool.
    outline: Objects  #: (n,) whole crowns.
    visible: Objects  #: (n,) what the crowns of taller trees leave to see; may be empty.


def grow_trees(rng: np.random.Generator, parameters: SampleParameters) -> Trees:
    """Trees in and around the plot, dense on one side and open on the other."""
    side = parameters.size + 2 * MARGIN
    number = max(1, round(parameters.crowns_per_hectare * side**2 / 1e4))
    spread = math.log1p((parameters.crown_area_sd / parameters.crown_area_mean) ** 2)
    usual = math.log(parameters.crown_area_mean) - spread / 2
    area = np.sort(np.exp(rng.normal(usual, math.sqrt(spread), number)))[::-1]
    x, y, placed = _places(rng, np.sqrt(area / np.pi), side)
    area, x, y = area[placed], x - MARGIN, y - MARGIN
    number = len(area)
    conifer = rng.random(number) < 0.4
    height = 3.0 + 2.1 * np.sqrt(area) * np.exp(rng.normal(0, 0.12, number)) ** 0.5
    height = np.where(conifer, height * 1.1, height) * 0.62
    order = np.argsort(-height, kind="stable")
    area, x, y, height, conifer = area[order], x[order], y[order], height[order], conifer[order]
    radius = _outline_radius(rng, area, conifer)
    angle = np.linspace(0, 2 * np.pi, _VERTICES, endpoint=False)
    rings = np.stack(
        [x[:, None] + radius * np.cos(angle), y[:, None] + radius * np.sin(angle)], axis=-1
    )
    outline = shapely.set_precision(shapely.polygons(rings), _DETAIL)
    return Trees(x, y, height, radius, conifer, outline, _seen_from_above(outline))


def _places(rng: np.random.Generator, radius: Floats, side: float) -> tuple[Floats, Floats, Ints]:
    """Stem positions, large crowns first, closer together on the dense side; and which crowns found a place."""
    x, y, placed = np.empty(0), np.empty(0), np.empty(0, dtype=np.intp)
    slope = rng.uniform(0, 2 * np.pi)
    for tree, r in enumerate(radius):
        candidates = rng.uniform(0, side, (300, 2))
        luck = rng.random(300)
        along = ((candidates - side / 2) @ [math.cos(slope), math.sin(slope)]) / side + 0.5
        density = np.clip(1.35 - 1.4 * along, 0.08, 1.0)
        distance = np.hypot(candidates[:, :1] - x, candidates[:, 1:] - y)
        room = (
            0.98 - 0.30 * density[:, None]
        )  # share of the two radii that must lie between two stems
        fits = (distance >= room * (r + radius[placed])).all(axis=1) & (luck < density)
        if fits.any():
            at = candidates[np.argmax(fits)]
            x, y, placed = np.append(x, at[0]), np.append(y, at[1]), np.append(placed, tree)
    return x, y, placed


def _outline_radius(rng: np.random.Generator, area: Floats, conifer: Bools) -> Floats:
    """(n, 72) radius at each angle: a circle with lobes, scaled to the area; conifers are rounder."""
    order = np.arange(2, 10)
    size = rng.normal(0, 0.16, (len(area), len(order))) / (order - 0.8)
    size[conifer] *= 0.5
    phase = rng.uniform(0, 2 * np.pi, size.shape)
    angle = np.linspace(0, 2 * np.pi, _VERTICES, endpoint=False)
    lobes = (size[..., None] * np.cos(order[:, None] * angle + phase[..., None])).sum(axis=1)
    radius = np.clip(1 + lobes, 0.5, 1.6)
    step = 2 * np.pi / _VERTICES
    unit_area = 0.5 * math.sin(step) * (radius * np.roll(radius, 1, axis=1)).sum(axis=1)
    return cast("Floats", radius * np.sqrt(area / unit_area)[:, None])


def _seen_from_above(outline: Objects) -> Objects:
    """What remains of each crown under those before it (taller ones): its largest part, or empty."""
    visible = np.empty(len(outline), dtype=object)
    for index in range(len(outline)):
        over = outline[:index][shapely.intersects(outline[:index], outline[index])]
        rest = shapely.difference(outline[index], shapely.union_all(over), grid_size=_DETAIL)
        parts = shapely.get_parts(rest)
        largest = parts[np.argmax(shapely.area(parts))] if len(parts) else shapely.Polygon()
        hidden = shapely.area(largest) < 0.35 * shapely.area(outline[index])
        visible[index] = shapely.Polygon() if hidden else largest
    return visible


_SHIPPED = Path(__file__).resolve().parents[2] / "resources" / "sample.json"


@dataclass(frozen=True)
class Labeler:
    """How one person (or detector) draws.

    Attributes:
        name: name of the layer, without spaces.
        polygons: draws outlines of whole crowns (in the field) and no boxes of what the image shows.
        scores: gives every drawing a score from 0 to 1.
        grow: by how much every side is drawn too far out (m; below 0: too tight).
        noise: standard deviation of one side (m).
        shift: constant displacement (m east, m north).
        shift_sd: standard deviation of the displacement of one crown (m), as by a handheld receiver.
        miss: share of crowns overlooked; small ones are overlooked more often.
        split: share of large crowns drawn as two.
        merge: share of crowns drawn together with the nearest neighbour.
        false_positives: number of drawings where no crown is.
    """

    name: str
    polygons: bool = False
    scores: bool = False
    grow: float = 0.0
    noise: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)
    shift_sd: float = 0.0
    miss: float = 0.0
    split: float = 0.0
    merge: float = 0.0
    false_positives: int = 0


@dataclass(frozen=True)
class SampleParameters:
    """What the plot is made from; ``resources/sample.json`` holds the shipped values.

    Attributes:
        crs: coordinate system in metres.
        upper_left: east and north of the plot's upper left corner (m).
        size: side of the square plot (m).
        pixel: side of an image pixel (m).
        crowns_per_hectare: trees placed; those hidden under others do not count as crowns.
        crown_area_mean, crown_area_sd: of the whole crowns, before others cover parts of them (m²).
        sun_azimuth, sun_elevation: degrees, clockwise from north and above the horizon.
        labelers: who draws.
    """

    crs: str
    upper_left: tuple[float, float]
    size: float
    pixel: float
    crowns_per_hectare: float
    crown_area_mean: float
    crown_area_sd: float
    sun_azimuth: float
    sun_elevation: float
    labelers: tuple[Labeler, ...]


def read_parameters(values: Mapping[str, Any] | None = None) -> SampleParameters:
    """The shipped parameters, with those in ``values`` instead."""
    given = {**json.loads(_SHIPPED.read_text(encoding="utf-8")), **(values or {})}
    labelers = tuple(Labeler(**habits) for habits in given["labelers"])
    return SampleParameters(
        **{**given, "upper_left": tuple(given["upper_left"]), "labelers": labelers}
    )
