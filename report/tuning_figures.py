"""Plot of the variances of a grid search, drawn on matplotlib's axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Floats, Objects
from randcrowns.core.tuning.search import SetAssessment
from randcrowns.report.language import localize_number, tr

#: Colour of the frame around the selected parameter set.
_SELECTION_COLOUR = "#d55e00"
#: Minimum variance of the logarithmic colour scale.
_MIN_VARIANCE = 1e-9
#: Highest rank of the recommended sets that are marked.
_MAX_RANK = 10
#: Hatches of refused parameter sets by the assessments that they stand for.
_HATCHES = {
    (SetAssessment.WRONG_PAIRS_TOO_HIGH.value, SetAssessment.DEGENERATE.value): "////",
    (SetAssessment.RIGHT_PAIRS_TOO_LOW.value,): "\\\\\\\\",
    (SetAssessment.TOO_MANY_EXCLUDED.value,): "xx",
}
#: Maximum number of ticks of an axis of alpha or omega.
_MAX_TICKS = 8


def draw_variances(
    axes: Any,
    grid: pd.DataFrame,
    gamma: float,
    selected_set: tuple[float, float] | None = None,
    colour_bar_axes: Any = None,
) -> tuple[Floats, Floats]:
    r"""Draw the variance of RandCrowns over alpha and omega for one gamma.

    The colour scale is the same for all values of gamma. Refused sets are hatched: ``/`` if wrong
    pairs score too high, ``\`` if right pairs score too low, ``x`` if too many crowns are excluded.
    A star marks the recommended set of the grid, dots the next nine, and a frame the selected set.

    Args:
        axes: matplotlib axes to draw on.
        grid: table of a grid search with the columns ``alpha``, ``omega``, ``gamma``,
            ``variance``, ``assessment`` and ``rank``.
        gamma: a value of the column ``gamma``.
        selected_set: alpha and omega of the set to frame, or None.
        colour_bar_axes: axes of an earlier colour bar, which are cleared and reused; None to add
            new ones.

    Returns:
        The alphas (rows) and omegas (columns) of the cells, ascending. Cell (i, j) covers the unit
        square from (j, i) to (j + 1, i + 1).
    """
    limits = _compute_variance_limits(grid)
    sets = grid[grid["gamma"] == gamma].sort_values(["alpha", "omega"])
    alphas = np.unique(sets["alpha"].to_numpy(dtype=float))
    omegas = np.unique(sets["omega"].to_numpy(dtype=float))
    # The sets are sorted by alpha and omega, so each row of cells has one alpha.
    shape = (len(alphas), len(omegas))
    variances = sets["variance"].to_numpy(dtype=float).reshape(shape)
    cells = _draw_variance_cells(axes, variances, limits)
    _hatch_refused_cells(axes, sets["assessment"].to_numpy().reshape(shape))
    _mark_recommended(axes, sets, alphas, omegas)
    if selected_set is not None:
        _draw_cell_frame(axes, alphas, omegas, selected_set)

    axes.tick_params(labelsize=8)
    axes.set(
        xlabel=tr("omega (m)"), ylabel=tr("alpha (m)"), title=tr("gamma {gamma:g}", gamma=gamma)
    )
    axes.title.set_fontsize(8)
    _label_cells(axes.xaxis, omegas)
    _label_cells(axes.yaxis, alphas)
    _draw_colour_bar(axes, cells, colour_bar_axes, limits)
    return alphas, omegas


def _draw_variance_cells(axes: Any, variances: Floats, limits: tuple[float, float]) -> Any:
    """Draw variances as coloured unit cells on a logarithmic scale; NaN stays empty.

    Args:
        axes: axes to draw on.
        variances: (rows, columns) variances of the sets.
        limits: lowest and highest variance of the scale; lower variances get the lowest colour.

    Returns:
        The cells as matplotlib's mesh, to which a colour bar refers.
    """
    from matplotlib.colors import LogNorm

    low, high = limits
    n_rows, n_columns = variances.shape
    return axes.pcolormesh(
        np.arange(n_columns + 1),
        np.arange(n_rows + 1),
        np.ma.masked_invalid(np.maximum(variances, low)),
        # A scale of a single value would have no colours.
        norm=LogNorm(low, max(high, low * 1.01)),
        cmap="viridis",
    )


def _draw_colour_bar(
    axes: Any, cells: Any, colour_bar_axes: Any, limits: tuple[float, float]
) -> None:
    """Draw the colour bar of variances beside their axes.

    Args:
        axes: axes of the variances.
        cells: result of :func:`_draw_variance_cells`.
        colour_bar_axes: axes of an earlier colour bar, which are cleared and reused; None to add
            new ones.
        limits: lowest and highest variance of the scale.
    """
    if colour_bar_axes is not None:
        colour_bar_axes.clear()
    colour_bar = axes.figure.colorbar(
        cells, cax=colour_bar_axes, ax=axes, shrink=0.9, label=tr("variance of RandCrowns")
    )
    # Over two decades there are at least two major ticks; the dozens of minor ticks would take
    # longer to draw than everything else.
    low, high = limits
    if high >= 100 * low:
        colour_bar.minorticks_off()


def _compute_variance_limits(grid: pd.DataFrame) -> tuple[float, float]:
    """Return the lowest and highest positive variance of a grid, for a logarithmic scale."""
    variances = grid["variance"].to_numpy(dtype=float)
    positive_variances = variances[np.isfinite(variances) & (variances > 0)]
    if len(positive_variances) == 0:
        return _MIN_VARIANCE, 1.0
    low = max(positive_variances.min(), _MIN_VARIANCE)
    high = max(positive_variances.max(), 2 * _MIN_VARIANCE)
    return low, high


def _hatch_refused_cells(axes: Any, assessments: Objects) -> None:
    """Hatch the cells of refused sets in white.

    Args:
        axes: axes with unit cells.
        assessments: (rows, columns) assessments of the sets, values of :class:`SetAssessment`.
    """
    n_rows, n_columns = assessments.shape
    for refused_assessments, hatch in _HATCHES.items():
        is_refused = np.isin(assessments, refused_assessments)
        if not is_refused.any():
            continue
        cells: Any = np.ma.masked_array(np.zeros(assessments.shape), ~is_refused)
        collection = axes.pcolor(
            np.arange(n_columns + 1),
            np.arange(n_rows + 1),
            cells,
            hatch=hatch,
            alpha=0.0,
            edgecolors="#ffffff",
            linewidth=0.0,
        )
        # pcolor applies the transparency to the hatch as well; only the filling must be invisible.
        collection.set(alpha=None, facecolor="none", edgecolor="#ffffff")


def _mark_recommended(axes: Any, sets: pd.DataFrame, alphas: Floats, omegas: Floats) -> None:
    """Draw a star on the recommended set and dots on the next best sets.

    Args:
        axes: axes with unit cells.
        sets: sets with the columns ``alpha``, ``omega`` and ``rank``, which is missing for others.
        alphas: (rows,) alphas of the cells, ascending.
        omegas: (columns,) omegas of the cells, ascending.
    """
    ranks = sets["rank"].astype("Float64")
    recommended_set = sets[(ranks == 1).fillna(value=False)]
    next_sets = sets[((ranks > 1) & (ranks <= _MAX_RANK)).fillna(value=False)]
    for marked_sets, marker, size in ((recommended_set, "*", 9), (next_sets, ".", 5)):
        columns = np.searchsorted(omegas, marked_sets["omega"])
        rows = np.searchsorted(alphas, marked_sets["alpha"])
        # Half a unit is the centre of a cell.
        axes.plot(columns + 0.5, rows + 0.5, marker, color="#ffffff", markersize=size)


def _draw_cell_frame(
    axes: Any, alphas: Floats, omegas: Floats, alpha_and_omega: tuple[float, float]
) -> None:
    """Draw a frame around the cell of a set; draw nothing if the grid has no such set.

    Args:
        axes: axes with unit cells.
        alphas: (rows,) alphas of the cells.
        omegas: (columns,) omegas of the cells.
        alpha_and_omega: the set.
    """
    alpha, omega = alpha_and_omega
    matching_columns = np.flatnonzero(np.isclose(omegas, omega))
    matching_rows = np.flatnonzero(np.isclose(alphas, alpha))
    if len(matching_columns) and len(matching_rows):
        x = matching_columns[0]
        y = matching_rows[0]
        axes.plot(
            [x, x + 1, x + 1, x, x],
            [y, y, y + 1, y + 1, y],
            color=_SELECTION_COLOUR,
            linewidth=2.5,
        )


def _label_cells(axis: Any, values: Floats) -> None:
    """Label the centres of unit cells along an axis with their values, as far as there is room.

    Args:
        axis: matplotlib axis.
        values: (n,) value of each cell.
    """
    from matplotlib.ticker import FixedLocator, FuncFormatter

    class FittingLocator(FixedLocator):
        """Locator with as many ticks as fit on the axis."""

        def tick_values(self, vmin: float, vmax: float) -> Any:
            n_fitting = max(2, self.axis.get_tick_space())
            self.nbins = min(_MAX_TICKS, n_fitting)
            return super().tick_values(vmin, vmax)

    def format_tick(position: float, _tick: Any) -> str:
        """Return the value of the cell at a position on the axis."""
        # Cell number i reaches from i to i + 1.
        value = values[int(position) % len(values)]
        return localize_number(f"{value:g}")

    centres = np.arange(len(values)) + 0.5
    axis.set_major_locator(FittingLocator(centres))
    axis.set_major_formatter(FuncFormatter(format_tick))
