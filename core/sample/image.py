"""An aerial image of the sample plot: crowns lit from one side, their shadows, grass and bare soil."""

from __future__ import annotations

import math
from typing import NamedTuple, cast

import numpy as np
from scipy import ndimage

from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.sample.trees import MARGIN, SampleParameters, Trees

_FINE = 2  # pixels are drawn this much finer, then averaged
_SHRUBS_PER_HECTARE = 500

# Colours as reflectance of red, green and blue.
_SAND = np.array([0.50, 0.45, 0.36])
_LITTER = np.array([0.30, 0.25, 0.185])
_DRY_GRASS = np.array([0.37, 0.345, 0.235])
_GRASS = np.array([0.23, 0.265, 0.14])
_BROADLEAF = np.array(
    [[0.170, 0.220, 0.100], [0.205, 0.245, 0.110], [0.140, 0.190, 0.095], [0.235, 0.240, 0.125]]
)
_CONIFER = np.array([[0.125, 0.160, 0.105], [0.150, 0.180, 0.115], [0.115, 0.145, 0.100]])
_SUNLIGHT = np.array([1.00, 0.95, 0.86])
_SKYLIGHT = np.array([0.17, 0.20, 0.25])


class _Scene(NamedTuple):
    """What the camera sees, one value per fine pixel, southern row first."""

    height: Floats  # m
    slope: Floats  # (2, rows, columns), rise per metre east and north
    colour: Floats  # (rows, columns, 3)


def render(rng: np.random.Generator, trees: Trees, parameters: SampleParameters) -> Ints:
    """(rows, columns, 3) image of the plot, northern row first."""
    pixel = parameters.pixel / _FINE
    rows = round(parameters.size / parameters.pixel)
    cut = round(MARGIN / parameters.pixel)
    scene = _ground(rng, (rows + 2 * cut) * _FINE, pixel)
    _paint_shrubs(rng, scene, pixel, parameters.size)
    for index in np.argsort(trees.height, kind="stable"):  # the tallest last: it covers the others
        kind = _CONIFER if trees.conifer[index] else _BROADLEAF
        base = (
            kind[rng.integers(len(kind))]
            * np.exp(rng.normal(0, 0.10))
            * np.exp(rng.normal(0, 0.05, 3))
        )
        at = (trees.x[index] + MARGIN, trees.y[index] + MARGIN)
        _paint_crown(
            rng,
            scene,
            pixel,
            at,
            trees.radius[index],
            trees.height[index],
            bool(trees.conifer[index]),
            base,
        )
    light = _light(scene, pixel, parameters)
    colour = scene.colour * light
    colour = colour.reshape(rows + 2 * cut, _FINE, rows + 2 * cut, _FINE, 3).mean(axis=(1, 3))
    colour = ndimage.gaussian_filter(colour, (0.55, 0.55, 0)) + 0.012
    colour = colour[cut : cut + rows, cut : cut + rows][::-1]
    colour = colour * (1 + rng.normal(0, 0.03, colour.shape)) + rng.normal(0, 0.002, colour.shape)
    return cast("Ints", np.round(255 * np.clip(colour * 1.75, 0, 1) ** (1 / 1.9)).astype(np.uint8))


def _texture(
    rng: np.random.Generator, shape: tuple[int, int], length: float, pixel: float
) -> Floats:
    """Smooth noise of mean 0 and standard deviation 1 whose patches are about ``length`` metres wide."""
    sigma = length / pixel / 2
    step = max(1, int(sigma / 3))  # drawn coarsely where it is smooth anyway
    coarse = rng.standard_normal(tuple(-(-n // step) + 4 for n in shape))
    smooth = ndimage.gaussian_filter(coarse, sigma / step, mode="wrap")
    if step > 1:
        smooth = ndimage.zoom(smooth, step, order=1, mode="grid-wrap", grid_mode=True)
    smooth = smooth[: shape[0], : shape[1]]
    return np.asarray((smooth - smooth.mean()) / max(float(smooth.std()), 1e-12))


def _ground(rng: np.random.Generator, side: int, pixel: float) -> _Scene:
    shape = (side, side)
    patches = _texture(rng, shape, 7.0, pixel) + 0.5 * _texture(rng, shape, 1.6, pixel)
    tufts = _texture(rng, shape, 0.35, pixel)
    blades = _texture(rng, shape, 0.12, pixel)
    green = _share(patches + 0.45 * tufts + 0.2 * blades, 0.1, 0.5)
    dry = _share(_texture(rng, shape, 3.0, pixel) + 0.5 * tufts, 0.0, 0.6)
    bare = _share(_texture(rng, shape, 4.5, pixel) - 0.4 * patches, 1.1, 0.35)
    colour = _mix(_LITTER, _DRY_GRASS, dry)
    colour = _mix(colour, _GRASS, 0.8 * green)
    colour = _mix(colour, _SAND, bare)
    bright = np.exp(0.10 * tufts + 0.12 * blades + 0.08 * _texture(rng, shape, 2.5, pixel))
    height = 0.12 * np.clip(tufts, 0, None) * (1 - bare) + 0.04 * blades
    slope = np.stack(
        [0.5 * np.gradient(height, pixel, axis=1), 0.5 * np.gradient(height, pixel, axis=0)]
    )
    return _Scene(height, slope, colour * bright[..., None])


def _paint_shrubs(rng: np.random.Generator, scene: _Scene, pixel: float, size: float) -> None:
    side = size + 2 * MARGIN
    for _ in range(round(_SHRUBS_PER_HECTARE * side**2 / 1e4)):
        radius = rng.uniform(0.25, 0.8) * (1 + 0.25 * rng.normal(size=12)).clip(0.5, 1.6)
        radius = np.interp(
            np.linspace(0, 12, 72, endpoint=False), np.arange(13), np.append(radius, radius[0])
        )
        base = (0.5 * _BROADLEAF[0] + 0.5 * _GRASS) * np.exp(rng.normal(0, 0.2))
        _paint_crown(
            rng,
            scene,
            pixel,
            tuple(rng.uniform(0, side, 2)),
            radius,
            rng.uniform(0.5, 1.3),
            False,
            base,
        )


def _paint_crown(
    rng: np.random.Generator,
    scene: _Scene,
    pixel: float,
    at: tuple[float, float],
    radius: Floats,
    top: float,
    conifer: bool,
    base: Floats,
) -> None:
    """Paint one crown over what is there: a dome or cone of leafy clumps, with a ragged edge."""
    reach = radius.max() * 1.15
    low = np.maximum(((np.array(at) - reach) / pixel).astype(int), 0)
    high = np.minimum(((np.array(at) + reach) / pixel).astype(int) + 2, scene.height.shape[0])
    if (high - low < 4).any():
        return
    rows, columns = slice(low[1], high[1]), slice(low[0], high[0])
    east, north = np.meshgrid(
        (np.arange(low[0], high[0]) + 0.5) * pixel - at[0],
        (np.arange(low[1], high[1]) + 0.5) * pixel - at[1],
    )
    angle = np.arctan2(north, east)
    edge = np.interp(
        angle, np.linspace(0, 2 * np.pi, len(radius), endpoint=False), radius, period=2 * np.pi
    )
    out = np.hypot(east, north) / edge  # 0 at the stem, 1 at the outline
    shape = (out.shape[0], out.shape[1])
    boughs = _clumps(rng, shape, 0.8 if conifer else 1.25, pixel)
    leaves = _clumps(rng, shape, 0.42, pixel)
    twigs = _texture(rng, shape, 0.14, pixel)
    depth = top * (0.5 if conifer else 0.36)
    if conifer:
        whorl = np.cos(rng.integers(9, 14) * angle + 1.5 * _texture(rng, shape, 0.9, pixel))
        surface = depth * np.clip(1 - out, 0, None) ** 0.9 + 0.16 * whorl * out + 0.20 * boughs
        ragged = 0.05 * whorl + 0.05 * leaves
    else:
        surface = depth * np.sqrt(np.clip(1 - out**2, 0, None)) + 0.42 * boughs
        ragged = 0.05 * boughs + 0.04 * leaves
    surface = surface + (0.17 * leaves + 0.05 * twigs) * min(1.0, top / 4)
    inside = out - ragged < 1
    north_slope, east_slope = np.gradient(ndimage.gaussian_filter(surface, 0.03 / pixel), pixel)
    hollow = np.clip(ndimage.gaussian_filter(surface, 0.45 / pixel) - surface, -0.4, 1.2)
    bright = np.exp(-1.0 * hollow + 0.10 * leaves + 0.13 * twigs - 0.2 * np.clip(out, 0, 1) ** 4)
    tint = 1 + 0.05 * boughs[..., None] * np.array([1.0, 0.6, -0.3])
    scene.height[rows, columns][inside] = (top - depth + surface)[inside]
    scene.slope[0, rows, columns][inside] = east_slope[inside]
    scene.slope[1, rows, columns][inside] = north_slope[inside]
    scene.colour[rows, columns][inside] = (base * tint * bright[..., None])[inside]


def _clumps(rng: np.random.Generator, shape: tuple[int, int], size: float, pixel: float) -> Floats:
    """Round tufts about ``size`` metres wide and of uneven height; mean 0, standard deviation 1."""
    number = max(1, round(shape[0] * shape[1] * (pixel / size) ** 2))
    middle = np.ones(shape, dtype=bool)
    middle[rng.integers(0, shape[0], number), rng.integers(0, shape[1], number)] = False
    distance, nearest = ndimage.distance_transform_edt(middle, sampling=pixel, return_indices=True)
    uneven = rng.normal(0, 0.12, shape)[nearest[0], nearest[1]]
    tufts = uneven - (distance / size) ** 2
    return np.asarray((tufts - tufts.mean()) / max(float(tufts.std()), 1e-12))


def _light(scene: _Scene, pixel: float, parameters: SampleParameters) -> Floats:
    """(rows, columns, 3) light on every fine pixel: sun where it falls, and sky."""
    azimuth, elevation = (
        math.radians(parameters.sun_azimuth),
        math.radians(parameters.sun_elevation),
    )
    level = math.cos(elevation)
    sun = np.array([math.sin(azimuth) * level, math.cos(azimuth) * level, math.sin(elevation)])
    east, north = 0.8 * scene.slope
    facing = np.clip(
        (sun[2] - sun[0] * east - sun[1] * north) / np.sqrt(1 + east**2 + north**2), 0, None
    )
    lit = facing * (1 - 0.93 * _shadow(scene.height, pixel, sun))
    around = ndimage.gaussian_filter(scene.height, 1.2 / pixel, truncate=2.5) - scene.height
    open_sky = np.exp(-0.09 * np.clip(around, 0, 10))
    return cast("Floats", lit[..., None] * _SUNLIGHT + open_sky[..., None] * _SKYLIGHT)


def _shadow(height: Floats, pixel: float, sun: Floats) -> Floats:
    """Share of sunlight kept off each pixel by whatever stands towards the sun; leaves let some through."""
    level = float(math.hypot(sun[0], sun[1]))
    rise = float(sun[2]) / level
    above = np.zeros_like(height)
    side, tallest = height.shape[0], height.max()
    distance = 2 * pixel
    while distance * rise < tallest:
        columns, rows = (round(float(part) / level * distance / pixel) for part in sun[:2])
        here = np.s_[max(0, -rows) : side - max(0, rows), max(0, -columns) : side - max(0, columns)]
        there = np.s_[max(0, rows) : side + min(0, rows), max(0, columns) : side + min(0, columns)]
        np.maximum(above[here], height[there] - height[here] - distance * rise, out=above[here])
        distance += 2.5 * pixel
    return np.asarray(ndimage.gaussian_filter(np.minimum(above / 0.8, 1), 0.04 / pixel))


def _share(values: Floats, middle: float, width: float) -> Floats:
    """0 well below ``middle``, 1 well above it."""
    return np.asarray(1 / (1 + np.exp(-(values - middle) / (width / 2))))


def _mix(first: Floats, second: Floats, share: Floats) -> Floats:
    return np.asarray(first + (second - first) * share[..., None])
