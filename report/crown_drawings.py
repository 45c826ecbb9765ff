"""Vector drawings of crowns for reports without QGIS: small maps of crowns, and a map of all.

The drawings are written as SVG directly: a report has up to hundred of them, and each contains a
few outlines. Their colours are those of all figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import escape
from typing import Any, NamedTuple

import numpy as np
import shapely

from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.instances.matching import MatchStatus
from randcrowns.core.status import Status
from randcrowns.report.colour_classes import (
    ColourClasses,
    score_classes,
    single_class,
    variance_classes,
    vote_classes,
)
from randcrowns.report.colours import (
    DELINEATION_COLOUR,
    FALSE_DETECTION_COLOUR,
    FALSE_MATCH_COLOUR,
    INK,
    NOT_DETECTED_COLOUR,
    NOT_JUDGED_COLOUR,
    NOT_MATCHED_COLOUR,
    QUIET_COLOUR,
    TARGET_COLOUR,
    LineStyle,
)
from randcrowns.report.content import LegendEntry, Picture
from randcrowns.report.crown_pictures import scale_bar_length, shared_widths
from randcrowns.report.language import clean_text, tr
from randcrowns.report.words import false_detection, not_detected, status_labels

#: Margin around a crown, as a share of its larger side, and around the map.
_MARGIN = 0.15
_MAP_MARGIN = 0.02
#: Smallest side of what is drawn, in units of the scale bar.
_MIN_SIDE = 1e-6
#: Side of the drawing of a crown, of a symbol, and larger side of the map, pixels of the page.
_CROWN_SIDE = 160
_SWATCH_SIDE = 16
_MAP_SIDE = 680
#: Typical side of targets, pixels of the map, below which the map shows specks only.
_MIN_LEGIBLE_PIXELS = 2.0
#: Units of the drawing per pixel of the page; coordinates are whole units.
_UNITS = 4
#: Largest ratio of the sides of the map.
_MAX_RATIO = 3.0
#: Width of the outlines of a target, and of a delineation above it, pixels.
_TARGET_WIDTH = 2.8
_DELINEATION_WIDTH = 1.4
#: Width, pixels, and colour of the outlines of other delineations.
_NEIGHBOUR_WIDTH = 1.0
_NEIGHBOUR_COLOUR = "#8f8f8f"
#: Width of outlines on the map, pixels.
_MAP_LINE_WIDTH = 0.8
#: Width of outlines that have the colour of a class, pixels.
_COLOURED_LINE_WIDTH = 1.6
#: Width of outlines with the colour of a status, and of the dark line below them, pixels.
_STATUS_LINE_WIDTH = 2.0
_CASING_WIDTH = 3.2
#: Lengths of the parts of dashed and of dotted lines, pixels.
_DASHES = (6.0, 3.0)
_DOTS = (2.0, 2.0)
#: Maximum number of outlines on a map; with more of them, the file would be too large.
_MAX_OUTLINES = 30_000
#: Colour of targets without a number on the map.
_NO_NUMBER_COLOUR = "#bdbdbd"
#: Size of the text of a scale bar, and its distance to the edges of the drawing, pixels.
_TEXT_SIZE = 11
_BAR_DISTANCE = 8


class DrawnCrown(NamedTuple):
    """Target with its delineations, in units of the scale bar."""

    target: Any  #: polygon or multipolygon.
    delineations: Sequence[Any]  #: its delineations; empty without any.
    neighbours: Sequence[Any]  #: other delineations, drawn where they are in the frame.
    description: str  #: description for readers who cannot see the drawing.
    #: Styles of the outlines of the delineations; empty for the default style.
    lines: Sequence[LineStyle] = ()


class MapColours(NamedTuple):
    """Colours of the targets on a map, by a number of each."""

    title: str  #: heading of the legend.
    classes: ColourClasses  #: classes of the numbers.
    missing: str  #: label of targets without a number.
    is_low_worst: bool  #: True if the lowest number is the worst one, as of scores.
    description: str  #: description of the map for readers who cannot see it.
    #: False to colour the outlines alone, so that targets in one place do not hide each other.
    is_filled: bool = True


class StatusLine(NamedTuple):
    """Line around crowns of a status on a map."""

    label: str  #: label in the legend.
    colour: str  #: colour of the line (``#rrggbb``).
    dashes: tuple[float, ...] = ()  #: lengths of its parts, pixels; empty for a solid line.
    has_casing: bool = False  #: True for a dark line below it, as a bright line needs on white.


class MarkedCrowns(NamedTuple):
    """Crowns of a status on a map."""

    line: StatusLine  #: line around them.
    shapes: Objects  #: (n,) their polygons or multipolygons; None for none.


class StatusLines(NamedTuple):
    """Lines around the crowns of two layers on a map, by status."""

    targets: Mapping[str, StatusLine]  #: lines around targets.
    others: Mapping[str, StatusLine]  #: lines around delineations or predictions.


def score_lines() -> StatusLines:
    """Return the lines around targets and delineations by their status.

    They are those of the maps of QGIS (``resources/scored_targets.qml`` and
    ``scored_delineations.qml``).

    >>> score_lines().others["unmatched"].label
    'false detection'
    """
    labels = status_labels()
    colour = NOT_DETECTED_COLOUR
    targets = {
        Status.MISSED: StatusLine(labels[Status.MISSED], colour),
        Status.UNMATCHED: StatusLine(labels[Status.UNMATCHED], colour, _DASHES),
        Status.TARGET_TOO_SMALL: StatusLine(
            labels[Status.TARGET_TOO_SMALL], NOT_JUDGED_COLOUR, _DOTS
        ),
    }
    delineations = {
        Status.UNMATCHED: StatusLine(
            false_detection().one, FALSE_DETECTION_COLOUR, _DASHES, has_casing=True
        ),
        Status.NOT_JUDGED: StatusLine(labels[Status.NOT_JUDGED], NOT_JUDGED_COLOUR, _DOTS),
    }
    return StatusLines(
        {status.value: line for status, line in targets.items()},
        {status.value: line for status, line in delineations.items()},
    )


def match_lines() -> StatusLines:
    """Return the lines around targets and predictions by their status.

    They are those of the maps of QGIS (``resources/matched_instances.qml``).

    >>> match_lines().targets["false_negative"].label
    'not detected'
    """
    targets = {MatchStatus.FALSE_NEGATIVE: StatusLine(not_detected().one, NOT_MATCHED_COLOUR)}
    predictions = {
        MatchStatus.FALSE_POSITIVE: StatusLine(false_detection().one, FALSE_MATCH_COLOUR),
        MatchStatus.UNCERTAIN: StatusLine(tr("uncertain"), NOT_JUDGED_COLOUR, _DASHES),
        MatchStatus.NOT_JUDGED: StatusLine(tr("not judged"), NOT_JUDGED_COLOUR, _DOTS),
    }
    return StatusLines(
        {status.value: line for status, line in targets.items()},
        {status.value: line for status, line in predictions.items()},
    )


def mark_crowns(
    shapes: Objects, statuses: Sequence[Any], lines: Mapping[str, StatusLine]
) -> list[MarkedCrowns]:
    """Return the crowns of each status that has a line of its own and occurs.

    Args:
        shapes: (n,) polygons or multipolygons; None for none.
        statuses: (n,) status of each; missing for none.
        lines: line by status.

    >>> lines = {"missed": StatusLine("not detected", "#d01c8b")}
    >>> crowns = np.array([shapely.box(0, 0, 1, 1), shapely.box(2, 0, 3, 1)], dtype=object)
    >>> [len(marked.shapes) for marked in mark_crowns(crowns, ["missed", "scored"], lines)]
    [1]
    """
    marked = []
    status_of_shape = np.asarray(statuses, dtype=object)
    for status, line in lines.items():
        is_marked = status_of_shape == status
        if len(_known(shapes[is_marked])):
            marked.append(MarkedCrowns(line, shapes[is_marked]))
    return marked


def score_colours(score: str, layer: str = "") -> MapColours:
    """Return the colours of targets by a score.

    Args:
        score: name of the score.
        layer: name of the delineation layer that has the scores; "" for no name in the legend.
    """
    title = tr("Targets by {score}", score=score)
    if layer:
        title = tr("Targets by {score} with {layer}", score=score, layer=layer)
    return MapColours(
        title=title,
        classes=score_classes(),
        missing=tr("no score"),
        is_low_worst=True,
        description=tr("Map of the targets, coloured by their scores, with the delineations"),
    )


def variance_colours() -> MapColours:
    """Return the colours of targets by the variance of their RandCrowns."""
    title = tr("Targets with variance")
    return MapColours(
        title=title,
        classes=variance_classes(),
        missing=tr("no variance"),
        is_low_worst=False,
        description=title,
        is_filled=False,
    )


def vote_colours(votes: Sequence[int]) -> MapColours:
    """Return the colours of the crowns of a consensus by their numbers of votes.

    Args:
        votes: all numbers of votes that occur; empty for a consensus of areas.

    >>> vote_colours([2, 4, 4]).classes.labels
    ('2', '4')
    """
    title = tr("Crowns of the consensus by votes") if len(votes) else tr("Consensus")
    classes = vote_classes(votes) if len(votes) else single_class(tr("marked area"))
    return MapColours(
        title=title,
        classes=classes,
        missing=tr("no votes"),
        is_low_worst=True,
        description=tr("Map of the consensus"),
    )


class _Frame(NamedTuple):
    """Part of the plane that is drawn."""

    left: float  #: smallest x.
    top: float  #: largest y.
    width: int  #: width of the drawing, pixels.
    height: int  #: height of the drawing, pixels.
    scale: float  #: units of the drawing per unit of the plane.

    def path(self, shapes: Iterable[Any]) -> str:
        """Return the data of an SVG path with the rings of polygons, or None, as whole units."""
        polygons = shapely.get_parts(np.array([*_known(shapes)], dtype=object))
        # Normalised holes have the other direction than outer rings, so that they are not filled.
        rings = shapely.get_rings(shapely.normalize(polygons))
        if not len(rings):
            return ""
        vertices, ring_of_vertex = shapely.get_coordinates(rings, return_index=True)
        units = np.rint((vertices - [self.left, self.top]) * [self.scale, -self.scale])
        starts = np.flatnonzero(np.diff(ring_of_vertex, prepend=-1))
        return "".join(map(_ring_path, np.split(units.astype(np.int64), starts[1:])))

    def picture(self, elements: Sequence[str], description: str) -> Picture:
        """Return the SVG file with elements on white ground."""
        width = self.width * _UNITS
        height = self.height * _UNITS
        drawing = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{self.width}" height="{self.height}" stroke-linejoin="round">'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>{"".join(elements)}</svg>'
        )
        content = drawing.encode()
        return Picture(
            data=content,
            mime_type="image/svg+xml",
            width=self.width,
            height=self.height,
            description=description,
        )

    def scale_bar(self, unit: str) -> str:
        """Return a scale bar with its length at the bottom left."""
        length = scale_bar_length(self.width * _UNITS / self.scale)
        label = clean_text(tr("{length:g} {unit}", length=length, unit=unit))
        left = _BAR_DISTANCE * _UNITS
        size = _TEXT_SIZE * _UNITS
        bottom = self.height * _UNITS - left
        right = left + round(length * self.scale)
        box_width = max(right - left, round(0.62 * size * len(label))) + left
        return (
            f'<rect x="{left // 2}" y="{bottom - round(1.5 * size)}" width="{box_width}" '
            f'height="{round(1.5 * size) + left // 2}" fill="#ffffff" fill-opacity="0.75"/>'
            f'<path d="M{left} {bottom}H{right}" stroke="{INK}" stroke-width="{2 * _UNITS}"/>'
            f'<text x="{left}" y="{bottom - size // 2}" font-size="{size}" fill="{INK}" '
            f'font-family="system-ui, sans-serif">{escape(label)}</text>'
        )


def _known(shapes: Iterable[Any]) -> list[Any]:
    """Return the shapes without missing ones."""
    return [shape for shape in shapes if shape is not None]


def _ring_path(units: Ints) -> str:
    """Return the path of a ring (n, 2) whose last vertex is the first; moves are relative."""
    steps = np.diff(units, axis=0)[:-1]
    moves = " ".join(map(str, steps[steps.any(axis=1)].ravel().tolist()))
    return f"M{units[0, 0]} {units[0, 1]}l{moves or '0 0'}z"


def _outlines(
    path: str, colour: str, width: float, fill: str = "none", dashes: Sequence[float] = ()
) -> str:
    """Return an element with outlines.

    Args:
        path: data of the path.
        colour: colour of the lines.
        width: width of the lines, pixels.
        fill: colour of the fill; ``none`` for lines alone.
        dashes: lengths of the parts of the lines, pixels; empty for solid lines.
    """
    lengths = " ".join(f"{length * _UNITS:g}" for length in dashes)
    dashing = f' stroke-dasharray="{lengths}"' if lengths else ""
    return (
        f'<path d="{path}" fill="{fill}" stroke="{colour}" stroke-width="{width * _UNITS:g}"'
        f"{dashing}/>"
    )


def _status_outlines(path: str, line: StatusLine) -> str:
    """Return the elements with the outlines of crowns of a status."""
    outlines = _outlines(path, line.colour, _STATUS_LINE_WIDTH, dashes=line.dashes)
    if not line.has_casing:
        return outlines
    return _outlines(path, QUIET_COLOUR, _CASING_WIDTH, dashes=line.dashes) + outlines


def draw_crowns(crowns: Sequence[DrawnCrown], unit: str) -> list[Picture]:
    """Return the drawing of each crown with a scale bar; crowns of similar size share the scale.

    Args:
        crowns: the crowns.
        unit: unit of lengths, ``m`` or ``px``.
    """
    bounds = [shapely.total_bounds(np.array(_framed(crown), dtype=object)) for crown in crowns]
    sides = [max(*(box[2:] - box[:2]), _MIN_SIDE) for box in bounds]
    pictures = []
    widths = shared_widths([(1 + 2 * _MARGIN) * side for side in sides])
    for crown, box, width in zip(crowns, bounds, widths):
        x, y = (box[:2] + box[2:]) / 2
        side = _CROWN_SIDE
        frame = _Frame(
            left=x - width / 2,
            top=y + width / 2,
            width=side,
            height=side,
            scale=side * _UNITS / width,
        )
        elements = []
        if len(crown.neighbours):
            path = frame.path(crown.neighbours)
            elements.append(_outlines(path, _NEIGHBOUR_COLOUR, _NEIGHBOUR_WIDTH))
        elements.append(_outlines(frame.path([crown.target]), TARGET_COLOUR, _TARGET_WIDTH))
        lines = crown.lines or [LineStyle(DELINEATION_COLOUR)] * len(crown.delineations)
        for delineation, line in zip(crown.delineations, lines):
            width = _DELINEATION_WIDTH
            dashes = [width * length for length in line.dashes]
            elements.append(_outlines(frame.path([delineation]), line.colour, width, dashes=dashes))
        pictures.append(frame.picture([*elements, frame.scale_bar(unit)], crown.description))
    return pictures


def _framed(crown: DrawnCrown) -> list[Any]:
    """Return the outlines that the drawing of a crown shows as a whole.

    Without a delineation of its own, these are the target and all delineations that overlap it.
    """
    if len(crown.delineations):
        return [crown.target, *crown.delineations]
    return [
        crown.target,
        *(neighbour for neighbour in crown.neighbours if neighbour.intersects(crown.target)),
    ]


def is_map_legible(bounds: Floats, map_side: float = 0.0, areas: Floats | None = None) -> bool:
    """Return True if most outlines are wider than two pixels on a map.

    Args:
        bounds: (n, 4) xmin, ymin, xmax and ymax of the outlines; NaN for one without an outline.
        map_side: longer side of the map, map units; 0 for a map of all outlines.
        areas: (n,) areas of outlines that are no whole crowns, such as the faces of an overlay.
            Half of the area then has to be in wider outlines: most faces are slivers between the
            outlines of the same crown. None for whole crowns, half of which have to be wider.

    >>> is_map_legible(np.array([[0.0, 0, 5, 5], [1000, 0, 1005, 5]]))
    True
    >>> is_map_legible(np.array([[0.0, 0, 5, 5], [9000, 0, 9005, 5]]))
    False
    """
    is_known = ~np.isnan(bounds).any(axis=1)
    known = bounds[is_known]
    if not len(known):
        return True
    if not map_side:
        map_side = float(np.max(known[:, 2:].max(axis=0) - known[:, :2].min(axis=0)))
    sides = (known[:, 2:] - known[:, :2]).max(axis=1)
    side = np.median(sides) if areas is None else _weighted_median(sides, areas[is_known])
    pixels = side * _MAP_SIDE / max(map_side, _MIN_SIDE)
    return bool(pixels >= _MIN_LEGIBLE_PIXELS)


def _weighted_median(values: Floats, weights: Floats) -> float:
    """Return the value below which the smaller values have half of the weight.

    Args:
        values: (n,) values, at least one.
        weights: (n,) weights.

    >>> _weighted_median(np.array([9.0, 1.0, 1.0, 1.0]), np.array([80.0, 1.0, 1.0, 1.0]))
    9.0
    """
    order = np.argsort(values)
    sums = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(sums, sums[-1] / 2)])


def draw_map(
    targets: Objects,
    numbers: Floats,
    delineations: Objects,
    colours: MapColours,
    unit: str,
    marked: Sequence[MarkedCrowns] = (),
) -> Picture | None:
    """Return the map of all targets, coloured by a number of each, and of the delineations.

    Fills are opaque, so that every colour is one of the legend. Of targets that overlap, the
    worst lies on top.

    Args:
        targets: (n,) polygons or multipolygons; None for none.
        numbers: (n,) number of each target, such as a score; NaN without one.
        delineations: (m,) polygons or multipolygons; None for none.
        colours: colours of the targets.
        unit: unit of lengths, ``m`` or ``px``.
        marked: crowns with a line of their own above all others.

    Returns:
        The map; None without outlines, or with too many of them for a drawing.
    """
    all_shapes = np.concatenate([targets, delineations, *(crowns.shapes for crowns in marked)])
    if not 0 < len(_known(all_shapes)) <= _MAX_OUTLINES:
        return None
    bounds = shapely.total_bounds(all_shapes)
    extent = np.maximum(bounds[2:] - bounds[:2], _MIN_SIDE)
    sides = (1 + 2 * _MAP_MARGIN) * np.maximum(extent, extent.max() / _MAX_RATIO)
    left, bottom = (bounds[:2] + bounds[2:] - sides) / 2
    width, height = np.rint(_MAP_SIDE * sides / sides.max()).astype(int).tolist()
    scale = _MAP_SIDE * _UNITS / sides.max()
    frame = _Frame(left=left, top=bottom + sides[1], width=width, height=height, scale=scale)
    # Details smaller than half a pixel are not visible.
    tolerance = _UNITS / (2 * scale)
    classes = colours.classes.find(numbers)
    elements = []
    # Targets without a number lie below all others.
    drawing_order = [-1, *sorted(range(len(colours.classes.colours)), reverse=colours.is_low_worst)]
    for number in drawing_order:
        path = frame.path(shapely.simplify(targets[classes == number], tolerance))
        fill = _NO_NUMBER_COLOUR if number < 0 else colours.classes.colours[number]
        if path and colours.is_filled:
            elements.append(_outlines(path, QUIET_COLOUR, _MAP_LINE_WIDTH, fill))
        elif path:
            elements.append(_outlines(path, fill, _COLOURED_LINE_WIDTH))
    path = frame.path(shapely.simplify(delineations, tolerance))
    if path:
        elements.append(_outlines(path, DELINEATION_COLOUR, _MAP_LINE_WIDTH))
    for crowns in marked:
        path = frame.path(shapely.simplify(crowns.shapes, tolerance))
        elements.append(_status_outlines(path, crowns.line))
    return frame.picture([*elements, frame.scale_bar(unit)], colours.description)


def map_legend(
    colours: MapColours,
    delineations: str,
    has_missing: bool,
    lines: Sequence[StatusLine] = (),
) -> list[LegendEntry]:
    """Return the legend of :func:`draw_map`.

    Args:
        colours: colours of the targets.
        delineations: name of the delineation layer; "" for a map without one.
        has_missing: True if there are targets without a number.
        lines: lines around crowns of a status.
    """
    entries = [LegendEntry(None, colours.title)]
    for colour, label in zip(colours.classes.colours, colours.classes.labels):
        entries.append(LegendEntry(_map_swatch(colours, colour), label))
    if has_missing:
        entries.append(LegendEntry(_map_swatch(colours, _NO_NUMBER_COLOUR), colours.missing))
    if delineations:
        entries.append(LegendEntry(_swatch(DELINEATION_COLOUR), delineations))
    for line in lines:
        symbol = _symbol(partial(_status_outlines, line=line))
        entries.append(LegendEntry(symbol, line.label))
    return entries


def _map_swatch(colours: MapColours, colour: str) -> Picture:
    """Return the symbol of a class of targets on a map."""
    return _swatch(QUIET_COLOUR, colour) if colours.is_filled else _swatch(colour)


def _swatch(colour: str, fill: str = "none") -> Picture:
    """Return the symbol of a legend, a box; see :func:`_outlines`."""
    return _symbol(lambda path: _outlines(path, colour, 1.4, fill))


def _symbol(draw: Callable[[str], str]) -> Picture:
    """Return the symbol of a legend, a box.

    Args:
        draw: function that returns its elements from the data of its path.
    """
    frame = _Frame(
        left=0.0,
        top=1.0,
        width=_SWATCH_SIDE,
        height=_SWATCH_SIDE,
        scale=float(_SWATCH_SIDE * _UNITS),
    )
    return frame.picture([draw(frame.path([shapely.box(0.1, 0.1, 0.9, 0.9)]))], "")
