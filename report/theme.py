"""Theme of all figures: fonts, colours, legends and files.

Matplotlib is imported only when a figure is made. The dock, reports, saved pictures and the command
line draw with this theme.
"""

from __future__ import annotations

import functools
import io
import math
import textwrap
import threading
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from randcrowns.core.errors import MissingLibraryError
from randcrowns.report.colours import GRID_COLOUR
from randcrowns.report.content import Panel
from randcrowns.report.language import clean_text, localize_number
from randcrowns.report.svg import themed_svg

#: Markers of series of points; the next one is used when all colours are used.
SERIES_MARKERS = ("o", "^", "s", "D")
#: Font sizes of the labels of axes and of their ticks, points.
LABEL_TEXT = 9.0
TICK_TEXT = 8.0
#: Maximum number of points that are drawn as vectors; more of them become pixels.
MAX_VECTOR_MARKS = 5000
#: Resolution of saved pictures and of pixels in vector files, dots per inch.
RESOLUTION = 200
#: Height of a line of the legend, inches.
_LEGEND_LINE_HEIGHT = 0.15
#: Height of the tick labels and the axis label below axes, inches.
_AXIS_LABEL_HEIGHT = 0.45
#: Number of letters per inch in the legend.
_LEGEND_LETTERS_PER_INCH = 17
#: Width of a marker and its margins in the legend, letters.
_LEGEND_MARKER_LETTERS = 8
#: Colours of texts on grounds that have their colours in every theme, such as the cells of a
#: matrix. No theme of a page replaces these colours, as it replaces black and white.
DARK_FIXED_INK = "#010101"
LIGHT_FIXED_INK = "#fefefe"
#: Share by which colours move towards the ink on a dark background.
_LIGHTENING = 0.5
#: Font size of the provenance below a saved figure, points.
_PROVENANCE_FONT_SIZE = 5.5
#: Number of letters of the provenance per inch.
_PROVENANCE_LETTERS_PER_INCH = 24
#: Lock for matplotlib's settings, which belong to the process: two threads that change and restore
#: them at the same time could leave the changed ones.
_SETTINGS_LOCK = threading.Lock()


def new_figure(width: float, height: float) -> Any:
    """Return an empty matplotlib figure without a window.

    A ``$`` in its texts is a literal character and starts no formula, and numbers at its axes are
    in the user's language.

    Args:
        width: width, inches.
        height: height, inches.

    Raises:
        MissingLibraryError: if matplotlib cannot be imported.
    """
    try:
        figure_class = _plain_figure_class()
    except ImportError as error:
        raise MissingLibraryError(
            "report.no_matplotlib",
            "Figures require matplotlib, which cannot be imported: {why}",
            why=str(error),
        ) from error
    return figure_class(figsize=(width, height), layout="constrained")


@functools.cache
def _plain_figure_class() -> Any:
    """Return the class of the figures; matplotlib is imported only when it is needed."""
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.text import Text
    from matplotlib.ticker import LogFormatter, ScalarFormatter

    class LocalNumbers(ScalarFormatter):  # type: ignore[misc,unused-ignore]
        """Formatter with the signs of the user's language.

        matplotlib reads the locale of the process, which is always C in QGIS.
        """

        @staticmethod
        def fix_minus(text: str) -> str:
            return localize_number(ScalarFormatter.fix_minus(text))

    class PlainFigure(Figure):  # type: ignore[misc,unused-ignore]
        """Figure in which only the tick labels of logarithmic axes are formulas."""

        def draw(self, renderer: Any) -> None:
            """Draw the figure; a ``$`` in any other text, such as a layer's name, is no formula.

            Args:
                renderer: matplotlib's renderer of the file format.
            """
            formulas: set[Any] = set()
            for axis in self.findobj(Axis):
                formatter = axis.get_major_formatter()
                if isinstance(formatter, LogFormatter):
                    # Powers of ten are formulas.
                    formulas.update(axis.get_ticklabels(which="both"))
                # Formatters of a subclass were chosen by the plot and stay.
                elif type(formatter) is ScalarFormatter:
                    axis.set_major_formatter(LocalNumbers())

            for text in self.findobj(Text):
                text.set_parse_math(text in formulas)
                text.set_text(clean_text(text.get_text()))
            super().draw(renderer)

    return PlainFigure


def encode_figure(figure: Any, kind: str, provenance: str = "") -> bytes:
    """Return a figure as the content of an image file.

    Args:
        figure: matplotlib figure; it is left unchanged.
        kind: ``png`` or ``svg``. Texts in SVG remain texts.
        provenance: how the figure was made, see :func:`save_with_provenance`.
    """
    from matplotlib import rc_context

    content = io.BytesIO()
    with _SETTINGS_LOCK, rc_context({"svg.fonttype": "none"}):
        save_with_provenance(figure, content, provenance, kind)
    return content.getvalue()


def encode_panel(panel: Panel, kind: str, resolution: float = RESOLUTION) -> bytes:
    """Return a diagram of a report as the content of an image file.

    Args:
        panel: the diagram.
        kind: ``png``; ``svg`` for a page in a browser, with texts as texts and colours that follow
            the page; or ``paths`` for SVG with texts as outlines, which needs no fonts.
        resolution: resolution of ``png``, dots per inch.

    Raises:
        MissingLibraryError: if matplotlib cannot be imported.
    """
    from matplotlib import rc_context

    figure = new_figure(panel.width, panel.height)
    panel.draw(figure.add_subplot())
    if kind == "svg":
        # The background of the page, which may be dark, is that of the figure.
        for background in (figure.patch, *(axes.patch for axes in figure.axes)):
            background.set_alpha(0.0)
    content = io.BytesIO()
    fonts = "none" if kind == "svg" else "path"
    with _SETTINGS_LOCK, rc_context({"svg.fonttype": fonts}), warnings.catch_warnings():
        # The page has more fonts than matplotlib: a glyph that is missing here need not be there.
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        if kind == "png":
            figure.savefig(content, format="png", dpi=resolution)
        else:
            figure.savefig(content, format="svg", dpi=RESOLUTION)
    drawing = content.getvalue()
    return themed_svg(drawing, panel.description) if kind == "svg" else drawing


def save_with_provenance(
    figure: Any, destination: Any, provenance: str, kind: str | None = None
) -> None:
    """Save a figure with its provenance below it and in the description of the file.

    Args:
        figure: matplotlib figure; it is left unchanged.
        destination: open binary file, or a path.
        provenance: how the figure was made, wrapped to its width; empty for none.
        kind: ``png`` or ``svg``; None to take it from the extension of the path.
    """
    if not provenance:
        figure.savefig(destination, format=kind, dpi=RESOLUTION)
        return
    line_length = max(20, int(figure.get_figwidth() * _PROVENANCE_LETTERS_PER_INCH))
    label = figure.supxlabel(
        "\n".join(textwrap.wrap(provenance, line_length)),
        x=0.01,
        ha="left",
        fontsize=_PROVENANCE_FONT_SIZE,
        color="#444444",
    )
    figure.savefig(destination, format=kind, dpi=RESOLUTION, metadata={"Description": provenance})
    label.set_text("")


def set_up_axes(axes: Any, title: str = "", size: float = 10, **properties: Any) -> None:
    """Set the title and properties of axes and draw a light grid behind their content.

    Args:
        axes: matplotlib axes.
        title: title of the axes.
        size: font size of the title, points.
        properties: properties of the axes for ``Axes.set``, such as ``xlabel`` and ``xlim``.
    """
    axes.set(title=title, **properties)
    axes.title.set_fontsize(size)
    axes.xaxis.label.set_fontsize(LABEL_TEXT)
    axes.yaxis.label.set_fontsize(LABEL_TEXT)
    axes.tick_params(labelsize=TICK_TEXT)
    axes.grid(True, color=GRID_COLOUR, linewidth=0.6)
    axes.set_axisbelow(True)


def recolour(figure: Any, background: str, ink: str) -> None:
    """Recolour a figure that was drawn for white paper for another background.

    Greys are mapped to the range from the ink (black) to the background (white). On a dark
    background other colours become lighter. Axes with an image or coloured cells keep the colours
    of their content.

    Args:
        figure: matplotlib figure to change.
        background: colour of the background.
        ink: colour of texts and frames.
    """
    from matplotlib.collections import QuadMesh
    from matplotlib.colors import to_rgb

    ink_rgb = np.array(to_rgb(ink))
    background_rgb = np.array(to_rgb(background))
    is_dark = ink_rgb.mean() > background_rgb.mean()
    lightening = _LIGHTENING if is_dark else 0.0

    def adapt(colour: Any) -> Any:
        """Return the colour for the background as an array (3,) of red, green and blue."""
        rgb = np.array(to_rgb(colour))
        is_grey = np.ptp(rgb) == 0
        if is_grey:
            return ink_rgb + rgb * (background_rgb - ink_rgb)
        return rgb + lightening * (ink_rgb - rgb)

    figure.set_facecolor(background)
    for axes in figure.axes:
        axes.set_facecolor(background)
        axes.tick_params(which="both", colors=ink, grid_color=adapt(GRID_COLOUR))
        legend = axes.get_legend()
        legend_texts = legend.get_texts() if legend else ()
        for text in (axes.title, axes.xaxis.label, axes.yaxis.label, *legend_texts):
            text.set_color(ink)
        for spine in axes.spines.values():
            spine.set_edgecolor(ink)

        has_cells = any(isinstance(collection, QuadMesh) for collection in axes.collections)
        if not axes.images and not has_cells:
            _recolour_content(axes, adapt)


def _recolour_content(axes: Any, adapt: Callable[[Any], Any]) -> None:
    """Recolour the lines, texts and points of axes and of their legend.

    Args:
        axes: matplotlib axes to change.
        adapt: returns the new colour (red, green, blue) of a colour.
    """
    from matplotlib.collections import PathCollection

    legend = axes.get_legend()
    legend_lines = legend.get_lines() if legend else ()
    for artist in (*axes.lines, *axes.texts, *legend_lines):
        artist.set_color(adapt(artist.get_color()))

    legend_points = legend.findobj(PathCollection) if legend else ()
    for points in (*axes.collections, *legend_points):
        # Transparency (the fourth number) stays.
        face_colours = [(*adapt(rgba[:3]), rgba[3]) for rgba in points.get_facecolor()]
        points.set_facecolor(face_colours)


def _count_columns(labels: Sequence[str], width: float) -> int:
    """Return the number of columns of a legend below axes; 0 if no name has room.

    Args:
        labels: at least one name of an entry.
        width: width of the figure, inches.
    """
    entry_letters = max(map(len, labels)) + _LEGEND_MARKER_LETTERS
    return min(len(labels), int(0.9 * width * _LEGEND_LETTERS_PER_INCH / entry_letters))


def legend_height(labels: Sequence[str], width: float) -> float:
    """Return the height of a legend below axes, inches.

    Args:
        labels: names of the entries; may be empty.
        width: width of the figure, inches.

    >>> legend_height(["a", "b"], 4.8), legend_height(["detector trained on all sites"] * 4, 3.0)
    (0.15, 0.6)
    """
    if not labels:
        return 0.0
    n_lines = math.ceil(len(labels) / max(_count_columns(labels, width), 1))
    return n_lines * _LEGEND_LINE_HEIGHT


def add_legend(axes: Any) -> None:
    """Add a legend outside of axes, so that it covers no data.

    It is right of the axes in a wide figure and below them in a narrow one, in as many columns as
    its names have room for. No legend is added if there is not enough room for it.

    Args:
        axes: matplotlib axes with at least one labelled artist.
    """
    from matplotlib.transforms import ScaledTranslation

    width, height = axes.figure.get_size_inches()
    style = {"fontsize": TICK_TEXT, "frameon": False, "markerscale": 1.4, "borderaxespad": 0.0}
    _, labels = axes.get_legend_handles_labels()
    entry_letters = max(map(len, labels)) + _LEGEND_MARKER_LETTERS
    column_height = len(labels) * _LEGEND_LINE_HEIGHT

    fits_right = entry_letters / _LEGEND_LETTERS_PER_INCH <= width / 3 and column_height <= height
    if width > 1.4 * height and fits_right:
        axes.legend(loc="center left", bbox_to_anchor=(1.04, 0.5), **style)
        return

    n_columns = _count_columns(labels, width)
    if column_height <= n_columns * height / 2:
        # As few columns as the number of lines needs, so that their lengths are about equal.
        n_lines = math.ceil(len(labels) / n_columns)
        n_columns = math.ceil(len(labels) / n_lines)
        below_labels = axes.transAxes + ScaledTranslation(
            0, -_AXIS_LABEL_HEIGHT, axes.figure.dpi_scale_trans
        )
        axes.legend(
            loc="upper center",
            bbox_to_anchor=(0.5, 0.0),
            bbox_transform=below_labels,
            ncol=n_columns,
            columnspacing=1.0,
            **style,
        )
        # Square axes are moved to the top, so that the free space is below them for the legend.
        axes.set_anchor("N")
        # The layout of the axes depends on the legend and the legend on the axes: draw once before.
        axes.figure.draw_without_rendering()
