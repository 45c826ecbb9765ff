"""Colours of figures, maps and pages; all are distinguishable with any colour vision."""

from __future__ import annotations

from typing import NamedTuple

#: Colours of series of points and lines (Okabe and Ito).
SERIES_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
#: The same colours in the order for outlines of people and detectors. Blue comes last, because the
#: highest scores are blue on maps.
OUTLINE_COLOURS = ("#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#0072b2")
#: Lengths of the dashes and gaps of solid, dashed, dotted and dash-dotted lines, in widths of the
#: line. When all colours of outlines are used, they begin again with the next kind of line.
LINE_DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (3.2, 1.8),
    (1.0, 1.4),
    (4.0, 1.4, 1.0, 1.4),
)
#: Colour of target outlines.
TARGET_COLOUR = "#d7191c"
#: Colour of delineation outlines.
DELINEATION_COLOUR = "#000000"
#: Colour of texts, frames and marks.
INK = "#000000"
#: Colour of lines and texts that are less important than the data.
QUIET_COLOUR = "#555555"
#: Colour of grid lines.
GRID_COLOUR = "#e6e6e6"
#: Six equidistant colours of the viridis ramp, whose order is visible with any colour vision.
RAMP = ("#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725")

#: Colours of targets that were not detected, of false detections, and of crowns that were not
#: judged, on maps of scores; those on maps of matches.
NOT_DETECTED_COLOUR = "#d01c8b"
FALSE_DETECTION_COLOUR = "#f0e442"
NOT_JUDGED_COLOUR = "#808080"
NOT_MATCHED_COLOUR = "#d55e00"
FALSE_MATCH_COLOUR = "#cc79a7"

#: Colours of the classes of scores (:data:`randcrowns.core.review.sampling.SCORE_CLASSES`) on maps,
#: from the lowest to the highest.
SCORE_COLOURS = ("#dcd0e8", "#b3bfdc", "#74a9cf", "#2b8cbe", "#045a8d")
#: Colours of the classes of variances on maps, from the lowest to the highest.
VARIANCE_COLOURS = ("#2166ac", "#67a9cf", "#ef8a62", "#b2182b")


class LineStyle(NamedTuple):
    """Colour and kind of an outline."""

    colour: str  #: colour, ``#rrggbb``.
    #: Lengths of its dashes and gaps, in widths of the line; empty for a solid line.
    dashes: tuple[float, ...] = ()


def outline_style(number: int) -> LineStyle:
    """Return the style of the outlines of a person or detector by its number, from 0.

    The first 24 styles are different: each colour occurs with each kind of line.

    >>> outline_style(0), outline_style(6)
    (LineStyle(colour='#e69f00', dashes=()), LineStyle(colour='#e69f00', dashes=(3.2, 1.8)))
    """
    line_number, colour_number = divmod(number, len(OUTLINE_COLOURS))
    return LineStyle(OUTLINE_COLOURS[colour_number], LINE_DASHES[line_number % len(LINE_DASHES)])


def relative_luminance(red: float, green: float, blue: float) -> float:
    """Return the relative luminance of an sRGB colour, 0 (black) to 1 (white) (WCAG 2.1).

    Args:
        red: red channel, 0 to 1.
        green: green channel, 0 to 1.
        blue: blue channel, 0 to 1.

    >>> relative_luminance(1, 1, 1), round(relative_luminance(1, 0, 0), 4)
    (1.0, 0.2126)
    """
    linear_red, linear_green, linear_blue = map(_to_linear, (red, green, blue))
    return 0.2126 * linear_red + 0.7152 * linear_green + 0.0722 * linear_blue


def _to_linear(channel: float) -> float:
    """Return the light intensity of a channel of an sRGB colour, 0 to 1."""
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
