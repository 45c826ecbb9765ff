"""Colours of figures, maps and pages; all are distinguishable with any colour vision."""

from __future__ import annotations

#: Colours of series of points and lines (Okabe and Ito).
SERIES_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
#: The same colours in the order for outlines of people and detectors. Blue comes last, because the
#: highest scores are blue on maps.
OUTLINE_COLOURS = ("#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#0072b2")
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
