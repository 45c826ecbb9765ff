"""An aerial image of the sample plot: sunlit crowns with shadows, grass, litter and bare soil.

Rasters are painted at finer pixels than those of the image, southern row first, and averaged in the
end. Colours are reflectances of red, green and blue, 0 to 1.
"""

from __future__ import annotations

import math
from typing import NamedTuple, cast

import numpy as np
from scipy import ndimage

from randcrowns.core.arrays import Floats, Ints
from sample.trees import MARGIN, SampleParameters, Trees

# Fine pixels per side of an image pixel.
_FINE = 2
_SHRUBS_PER_HECTARE = 500

_SAND = np.array([0.50, 0.45, 0.36])
_LITTER = np.array([0.30, 0.25, 0.185])
_DRY_GRASS = np.array([0.37, 0.345, 0.235])
_GRASS = np.array([0.23, 0.265, 0.14])
_BROADLEAF = np.array(
    [[0.170, 0.220, 0.100], [0.205, 0.245, 0.110], [0.140, 0.190, 0.095], [0.235, 0.240, 0.125]]
)
_CONIFER = np.array([[0.125, 0.160, 0.105], [0.150, 0.180, 0.115], [0.115, 0.145, 0.100]])
# Irradiance of red, green and blue.
_SUNLIGHT = np.array([1.00, 0.95, 0.86])
_SKYLIGHT = np.array([0.17, 0.20, 0.25])


class _Scene(NamedTuple):
    """Surface seen from above, per fine pixel, southern row first; painted in place."""

    height: Floats  #: (rows, columns) height, m.
    slope: Floats  #: (2, rows, columns) rise per metre east and north.
    colour: Floats  #: (rows, columns, 3) reflectance.
    pixel: float  #: side of a fine pixel, m.


class _Crown(NamedTuple):
    """A crown to paint."""

    position: tuple[float, float]  #: east and north coordinate of the stem in the scene, m.
    radius: Floats  #: (k,) distance of the outline from the stem at equally spaced angles, m.
    top: float  #: height of the top, m.
    is_conifer: bool  #: True for a cone with whorls, False for a dome.
    colour: Floats  #: (3,) reflectance.


def render(rng: np.random.Generator, trees: Trees, parameters: SampleParameters) -> Ints:
    """Render an aerial image of the plot.

    Args:
        rng: source of random numbers.
        trees: trees in and around the plot.
        parameters: size of the plot, pixel, and position of the sun.

    Returns:
        (rows, columns, 3) uint8 red, green and blue, northern row first.

    >>> from sample.trees import grow_trees, read_parameters
    >>> rng = np.random.default_rng(0)
    >>> parameters = read_parameters({"size": 4.0, "pixel": 0.5})
    >>> render(rng, grow_trees(rng, parameters), parameters).shape
    (8, 8, 3)
    """
    n_pixels = round(parameters.size / parameters.pixel)
    n_margin = round(MARGIN / parameters.pixel)
    side = n_pixels + 2 * n_margin
    scene = _paint_ground(rng, side * _FINE, parameters.pixel / _FINE)
    _paint_shrubs(rng, scene, parameters.size)
    # Taller trees are painted later, because they cover the others.
    for index in np.argsort(trees.height, kind="stable"):
        is_conifer = bool(trees.conifer[index])
        colours = _CONIFER if is_conifer else _BROADLEAF
        colour = (
            colours[rng.integers(len(colours))]
            * np.exp(rng.normal(0, 0.10))
            * np.exp(rng.normal(0, 0.05, 3))
        )
        position = (trees.x[index] + MARGIN, trees.y[index] + MARGIN)
        crown = _Crown(position, trees.radius[index], trees.height[index], is_conifer, colour)
        _paint_crown(rng, scene, crown)

    radiance = scene.colour * _light(scene, parameters)
    radiance = radiance.reshape(side, _FINE, side, _FINE, 3).mean(axis=(1, 3))
    # Blur of the lens, and haze.
    radiance = ndimage.gaussian_filter(radiance, (0.55, 0.55, 0)) + 0.012
    inside = slice(n_margin, n_margin + n_pixels)
    radiance = radiance[inside, inside][::-1]
    gain = 1 + rng.normal(0, 0.03, radiance.shape)
    radiance = radiance * gain + rng.normal(0, 0.002, radiance.shape)
    gamma_corrected = np.clip(radiance * 1.75, 0, 1) ** (1 / 1.9)
    return cast("Ints", np.round(255 * gamma_corrected).astype(np.uint8))


def _texture(
    rng: np.random.Generator, shape: tuple[int, int], length: float, pixel: float
) -> Floats:
    """Return smooth noise with mean 0 and standard deviation 1.

    Args:
        rng: source of random numbers.
        shape: rows and columns.
        length: width of the patches, m.
        pixel: side of a pixel, m.
    """
    sigma = length / pixel / 2
    # Smooth noise is computed on a coarser grid, for speed.
    step = max(1, int(sigma / 3))
    coarse = rng.standard_normal(tuple(-(-n // step) + 4 for n in shape))
    smooth = ndimage.gaussian_filter(coarse, sigma / step, mode="wrap")
    if step > 1:
        smooth = ndimage.zoom(smooth, step, order=1, mode="grid-wrap", grid_mode=True)
    return _standardize(smooth[: shape[0], : shape[1]])


def _standardize(values: Floats) -> Floats:
    """Return values with mean 0 and standard deviation 1."""
    return np.asarray((values - values.mean()) / max(float(values.std()), 1e-12))


def _paint_ground(rng: np.random.Generator, side: int, pixel: float) -> _Scene:
    """Return a square scene with litter, grass and bare soil.

    Args:
        rng: source of random numbers.
        side: number of rows and of columns.
        pixel: size of a pixel, metres.
    """
    shape = (side, side)
    patches = _texture(rng, shape, 7.0, pixel) + 0.5 * _texture(rng, shape, 1.6, pixel)
    tufts = _texture(rng, shape, 0.35, pixel)
    blades = _texture(rng, shape, 0.12, pixel)
    green_share = _smooth_step(patches + 0.45 * tufts + 0.2 * blades, 0.1, 0.5)
    dry_share = _smooth_step(_texture(rng, shape, 3.0, pixel) + 0.5 * tufts, 0.0, 0.6)
    bare_share = _smooth_step(_texture(rng, shape, 4.5, pixel) - 0.4 * patches, 1.1, 0.35)
    colour = _mix(_LITTER, _DRY_GRASS, dry_share)
    colour = _mix(colour, _GRASS, 0.8 * green_share)
    colour = _mix(colour, _SAND, bare_share)
    brightness = np.exp(0.10 * tufts + 0.12 * blades + 0.08 * _texture(rng, shape, 2.5, pixel))
    height = 0.12 * np.clip(tufts, 0, None) * (1 - bare_share) + 0.04 * blades
    slope = np.stack(
        [0.5 * np.gradient(height, pixel, axis=1), 0.5 * np.gradient(height, pixel, axis=0)]
    )
    return _Scene(height, slope, colour * brightness[..., None], pixel)


def _paint_shrubs(rng: np.random.Generator, scene: _Scene, size: float) -> None:
    """Paint shrubs at random positions in and around a plot.

    Args:
        rng: source of random numbers.
        scene: rasters of the scene; the pixels of the shrubs are overwritten.
        size: side of the plot, metres.
    """
    side = size + 2 * MARGIN
    hectares = side**2 / 1e4
    for _ in range(round(_SHRUBS_PER_HECTARE * hectares)):
        # Twelve random radii (m), between which the outline is interpolated.
        corners = rng.uniform(0.25, 0.8) * (1 + 0.25 * rng.normal(size=12)).clip(0.5, 1.6)
        radius = np.interp(
            np.linspace(0, 12, 72, endpoint=False), np.arange(13), np.append(corners, corners[0])
        )
        colour = (0.5 * _BROADLEAF[0] + 0.5 * _GRASS) * np.exp(rng.normal(0, 0.2))
        east, north = rng.uniform(0, side, 2)
        top = rng.uniform(0.5, 1.3)
        _paint_crown(rng, scene, _Crown((east, north), radius, top, False, colour))


def _paint_crown(rng: np.random.Generator, scene: _Scene, crown: _Crown) -> None:
    """Paint a crown over the scene: a dome or cone of leafy clumps with a ragged edge.

    Args:
        rng: source of random numbers.
        scene: rasters of the scene; the pixels of the crown are overwritten.
        crown: crown to paint. A crown of fewer than 4 rows or columns is not painted.
    """
    pixel = scene.pixel
    stem = np.array(crown.position)
    # Window of the scene around the crown; the ragged edge reaches beyond the outline.
    reach = crown.radius.max() * 1.15
    low = np.maximum(((stem - reach) / pixel).astype(int), 0)
    high = np.minimum(((stem + reach) / pixel).astype(int) + 2, scene.height.shape[0])
    if (high - low < 4).any():
        return
    columns = slice(low[0], high[0])
    rows = slice(low[1], high[1])

    # Polar coordinates of the pixels of the window around the stem.
    east, north = np.meshgrid(
        (np.arange(low[0], high[0]) + 0.5) * pixel - stem[0],
        (np.arange(low[1], high[1]) + 0.5) * pixel - stem[1],
    )
    angle = np.arctan2(north, east)
    outline_angle = np.linspace(0, 2 * np.pi, len(crown.radius), endpoint=False)
    outline = np.interp(angle, outline_angle, crown.radius, period=2 * np.pi)
    # 0 at the stem, 1 at the outline.
    distance = np.hypot(east, north) / outline

    foliage = _grow_foliage(rng, crown, angle, distance, pixel)
    inside = distance - foliage.edge_shift < 1
    smoothed = ndimage.gaussian_filter(foliage.surface, 0.03 / pixel)
    north_slope, east_slope = np.gradient(smoothed, pixel)
    scene.height[rows, columns][inside] = (crown.top - foliage.depth + foliage.surface)[inside]
    scene.slope[0, rows, columns][inside] = east_slope[inside]
    scene.slope[1, rows, columns][inside] = north_slope[inside]
    scene.colour[rows, columns][inside] = _foliage_colour(crown, foliage, distance, pixel)[inside]


class _Foliage(NamedTuple):
    """Rasters (rows, columns) of the foliage in the window of a crown."""

    depth: float  #: height of the crown from its base to its top, m.
    surface: Floats  #: height above the base of the crown, m.
    edge_shift: Floats  #: shift of the ragged edge outwards, as a share of the radius.
    boughs: Floats  #: coarse texture, mean 0.
    leaves: Floats  #: medium texture, mean 0.
    twigs: Floats  #: fine texture, mean 0.


def _grow_foliage(
    rng: np.random.Generator, crown: _Crown, angle: Floats, distance: Floats, pixel: float
) -> _Foliage:
    """Return random foliage: a cone with whorls for a conifer, a dome for a broadleaf.

    Args:
        rng: source of random numbers.
        crown: crown that carries the foliage.
        angle: (rows, columns) direction of each pixel from the stem, radians.
        distance: (rows, columns) distance from the stem, 1 at the outline.
        pixel: side of a pixel, m.
    """
    shape = (distance.shape[0], distance.shape[1])
    boughs = _clumps(rng, shape, 0.8 if crown.is_conifer else 1.25, pixel)
    leaves = _clumps(rng, shape, 0.42, pixel)
    twigs = _texture(rng, shape, 0.14, pixel)
    if crown.is_conifer:
        depth = crown.top * 0.5
        whorls = np.cos(rng.integers(9, 14) * angle + 1.5 * _texture(rng, shape, 0.9, pixel))
        cone = depth * np.clip(1 - distance, 0, None) ** 0.9
        surface = cone + 0.16 * whorls * distance + 0.20 * boughs
        edge_shift = 0.05 * whorls + 0.05 * leaves
    else:
        depth = crown.top * 0.36
        dome = depth * np.sqrt(np.clip(1 - distance**2, 0, None))
        surface = dome + 0.42 * boughs
        edge_shift = 0.05 * boughs + 0.04 * leaves
    surface = surface + (0.17 * leaves + 0.05 * twigs) * min(1.0, crown.top / 4)
    return _Foliage(depth, surface, edge_shift, boughs, leaves, twigs)


def _foliage_colour(crown: _Crown, foliage: _Foliage, distance: Floats, pixel: float) -> Floats:
    """Return the (rows, columns, 3) colours of foliage, darker in hollows and at the rim.

    Args:
        crown: crown with its mean colour.
        foliage: foliage of the crown.
        distance: (rows, columns) distance from the stem, 1 at the outline.
        pixel: side of a pixel, m.
    """
    surface = foliage.surface
    hollow = np.clip(ndimage.gaussian_filter(surface, 0.45 / pixel) - surface, -0.4, 1.2)
    rim = np.clip(distance, 0, 1) ** 4
    brightness = np.exp(-1.0 * hollow + 0.10 * foliage.leaves + 0.13 * foliage.twigs - 0.2 * rim)
    tint = 1 + 0.05 * foliage.boughs[..., None] * np.array([1.0, 0.6, -0.3])
    return np.asarray(crown.colour * tint * brightness[..., None])


def _clumps(rng: np.random.Generator, shape: tuple[int, int], size: float, pixel: float) -> Floats:
    """Return round clumps of uneven height, with mean 0 and standard deviation 1.

    Args:
        rng: source of random numbers.
        shape: rows and columns.
        size: width of the clumps, m.
        pixel: side of a pixel, m.
    """
    number = max(1, round(shape[0] * shape[1] * (pixel / size) ** 2))
    is_not_centre = np.ones(shape, dtype=bool)
    rows = rng.integers(0, shape[0], number)
    columns = rng.integers(0, shape[1], number)
    is_not_centre[rows, columns] = False
    distance, nearest = ndimage.distance_transform_edt(
        is_not_centre, sampling=pixel, return_indices=True
    )
    clump_height = rng.normal(0, 0.12, shape)[nearest[0], nearest[1]]
    return _standardize(clump_height - (distance / size) ** 2)


def _light(scene: _Scene, parameters: SampleParameters) -> Floats:
    """Return the irradiance (rows, columns, 3) of every fine pixel by the sun and the sky."""
    pixel = scene.pixel
    azimuth = math.radians(parameters.sun_azimuth)
    elevation = math.radians(parameters.sun_elevation)
    horizontal = math.cos(elevation)
    # Unit vector towards the sun: east, north, up.
    sun = np.array(
        [math.sin(azimuth) * horizontal, math.cos(azimuth) * horizontal, math.sin(elevation)]
    )
    east, north = 0.8 * scene.slope
    cosine = (sun[2] - sun[0] * east - sun[1] * north) / np.sqrt(1 + east**2 + north**2)
    sunlight = np.clip(cosine, 0, None) * (1 - 0.93 * _shadow(scene.height, pixel, sun))
    height_around = ndimage.gaussian_filter(scene.height, 1.2 / pixel, truncate=2.5)
    skylight = np.exp(-0.09 * np.clip(height_around - scene.height, 0, 10))
    return cast("Floats", sunlight[..., None] * _SUNLIGHT + skylight[..., None] * _SKYLIGHT)


def _shadow(height: Floats, pixel: float, sun: Floats) -> Floats:
    """Return the share of sunlight that is blocked from each pixel; leaves let some through.

    Args:
        height: (side, side) heights, m.
        pixel: side of a pixel, m.
        sun: (3,) vector towards the sun: east, north, up.
    """
    horizontal = float(math.hypot(sun[0], sun[1]))
    # Height of a ray of sunlight per metre of horizontal distance.
    rise = float(sun[2]) / horizontal
    # Height of the highest obstacle above the ray to each pixel, m.
    blocked = np.zeros_like(height)
    side = height.shape[0]
    tallest = height.max()
    distance = 2 * pixel
    while distance * rise < tallest:
        columns, rows = (round(float(part) / horizontal * distance / pixel) for part in sun[:2])
        shaded = np.s_[
            max(0, -rows) : side - max(0, rows), max(0, -columns) : side - max(0, columns)
        ]
        obstacle = np.s_[
            max(0, rows) : side + min(0, rows), max(0, columns) : side + min(0, columns)
        ]
        above_ray = height[obstacle] - height[shaded] - distance * rise
        np.maximum(blocked[shaded], above_ray, out=blocked[shaded])
        distance += 2.5 * pixel
    return np.asarray(ndimage.gaussian_filter(np.minimum(blocked / 0.8, 1), 0.04 / pixel))


def _smooth_step(values: Floats, middle: float, width: float) -> Floats:
    """Return a logistic step: 0 well below ``middle``, 1 well above it."""
    return np.asarray(1 / (1 + np.exp(-(values - middle) / (width / 2))))


def _mix(first: Floats, second: Floats, share: Floats) -> Floats:
    """Blend two colours, (3,) or (rows, columns, 3), by the share (rows, columns) of the second."""
    return np.asarray(first + (second - first) * share[..., None])
