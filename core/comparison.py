"""Checks for misleading comparisons: swapped layers, unused plots, and crowns not drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Floats, Ints, Objects
from randcrowns.core.crowns import Crowns, label_plots
from randcrowns.core.messages import Message, abbreviate, info, note, similar_names, warning

#: Ratio of the numbers of crowns above which a comparison is suspicious: with more predictions per
#: target, probably only some crowns were drawn; with more targets per prediction, the two layers
#: are probably swapped.
MAX_COUNT_RATIO = 5
#: Share of the predictions in the targets' plots below which probably only some crowns were drawn.
MIN_SHARE_INSIDE = 1 / 3
#: Maximum number of plots that a message names.
_MAX_NAMED = 3


def partial_drawing_message(
    n_targets: int, n_predictions: int, share_inside: float = 1.0
) -> Message | None:
    """Return a message if the numbers show that only some crowns were drawn as targets, else None.

    Args:
        n_targets: number of targets.
        n_predictions: number of predictions; None is returned if there are no targets or no
            predictions.
        share_inside: share of the predictions in the targets' plots, see :func:`share_in_plots`. A
            share of 0 is ignored, because the layers then do not overlap.

    >>> print(partial_drawing_message(106, 4746))
    The layer compared with the targets has 45 times as many crowns
    >>> partial_drawing_message(100, 120)
    """
    if min(n_targets, n_predictions) < 1:
        return None
    if n_predictions > MAX_COUNT_RATIO * n_targets:
        return info(
            "drawn.many",
            "The layer compared with the targets has {times:,.0f} times as many crowns",
            times=n_predictions / n_targets,
        )
    if 0 < share_inside < MIN_SHARE_INSIDE:
        return info(
            "drawn.outside",
            "The targets' plots hold only {inside:.0%} of the crowns compared with them",
            inside=share_inside,
        )
    return None


def share_in_plots(targets: Floats, plots: Sequence[Any] | None, predictions: Floats) -> float:
    """Compute the share of the predictions that lie in the targets' plots.

    A plot is the bounding box of its targets. A prediction lies in it if the centre of its bounding
    box does.

    Args:
        targets: (T, 4) xmin, ymin, xmax, ymax of each target.
        plots: (T,) plot of each target; targets without one (None) form a plot of their own. None
            puts all targets in one plot.
        predictions: (P, 4) bounds of each prediction.

    Returns:
        The share, from 0 to 1; 1 without targets or predictions.

    >>> share_in_plots(np.array([[0, 0, 4, 4]]), None, np.array([[1, 1, 2, 2], [1, 1, 20, 20]]))
    0.5
    """
    if len(targets) == 0 or len(predictions) == 0:
        return 1.0
    if plots is None:
        plots = [None] * len(targets)
    # Missing plots have a code of their own.
    plot_of_target, _ = pd.factorize(pd.Series(plots, dtype=object), use_na_sentinel=False)
    xmin, ymin, xmax, ymax = _plot_bounds(targets, plot_of_target).to_numpy().T
    plot_boxes = shapely.box(xmin, ymin, xmax, ymax)
    centres = shapely.points((predictions[:, :2] + predictions[:, 2:]) / 2)
    inner_rows, _ = shapely.STRtree(plot_boxes).query(centres, predicate="intersects")
    # A centre can lie in several plots.
    n_inside = len(np.unique(inner_rows))
    return n_inside / len(predictions)


def _plot_bounds(bounds: Floats, plots: Any) -> pd.DataFrame:
    """Return the bounds of each plot.

    Args:
        bounds: (n, 4) xmin, ymin, xmax, ymax of crowns.
        plots: (n,) plot of each crown; crowns without one (None) are ignored.

    Returns:
        A row per plot, with the plot as index and the bounds in the columns 0 to 3.
    """
    by_plot = pd.DataFrame(bounds).groupby(plots)
    plot_bounds: pd.DataFrame = by_plot.agg({0: "min", 1: "min", 2: "max", 3: "max"})
    return plot_bounds


def check_partial_drawing(targets: Crowns, predictions: Crowns) -> Message | None:
    """Return a message if only some crowns were probably drawn as targets, else None.

    Args:
        targets: crowns that are taken as true.
        predictions: crowns that are compared with them; only their share in the targets' plots
            counts, see :func:`share_in_plots`.

    >>> trees = Crowns([shapely.box(0, 0, 1, 1)])
    >>> print(check_partial_drawing(trees, Crowns([shapely.box(0, 0, 1, 1)] * 6)))
    The layer compared with the targets has 6 times as many crowns
    """
    plots = None if targets.plots is None else targets.plots.tolist()
    inside = share_in_plots(
        shapely.bounds(targets.geometry), plots, shapely.bounds(predictions.geometry)
    )
    return partial_drawing_message(len(targets), len(predictions), inside)


def check_roles(
    target_name: str, score_field: str, n_targets: int, n_predictions: int
) -> list[Message]:
    """Return warnings if the targets look like the output of a detector.

    Args:
        target_name: name of the target layer.
        score_field: field of the target layer with a detector's scores, or "".
        n_targets: number of targets.
        n_predictions: number of predictions.

    >>> [message.key for message in check_roles("trees", "score", 10, 1)]
    ['roles.scores', 'roles.more_targets']
    """
    messages = []
    if score_field:
        messages.append(
            warning(
                "roles.scores",
                "Target layer '{layer}' has a detector's scores (field '{field}'); targets are the "
                "crowns taken as true. Swap the layers if it is the detector.",
                layer=target_name,
                field=score_field,
            )
        )
    if n_predictions > 0 and n_targets > MAX_COUNT_RATIO * n_predictions:
        messages.append(
            warning(
                "roles.more_targets",
                "There are {times:,.0f} times as many targets as crowns compared with them; "
                "targets are the crowns taken as true. Swap the layers if '{layer}' is the "
                "detector.",
                layer=target_name,
                times=n_targets / n_predictions,
            )
        )
    return messages


def check_extents(targets: Crowns, delineations: Crowns) -> list[Message]:
    """Return a warning if two layers lie in different places: their extents do not meet.

    Args:
        targets: crowns taken as true.
        delineations: crowns compared with them.

    >>> here, there = Crowns([shapely.box(0, 0, 5, 5)]), Crowns([shapely.box(900, 0, 905, 5)])
    >>> [message.key for message in check_extents(here, there)], check_extents(here, here)
    (['layers.apart'], [])
    """
    if len(targets) == 0 or len(delineations) == 0:
        return []
    target_extent = shapely.box(*shapely.total_bounds(targets.geometry))
    delineation_extent = shapely.box(*shapely.total_bounds(delineations.geometry))
    if target_extent.intersects(delineation_extent):
        return []
    message = warning(
        "layers.apart",
        "Layers '{targets}' and '{layer}' lie in different places. Check the coordinate "
        "systems of both layers.",
        targets=targets.name,
        layer=delineations.name,
    )
    return [message]


def check_plots(targets: Sequence[Crowns], others: Sequence[Crowns]) -> list[Message]:
    """Return messages about plots that only one side has, or that lie in different places.

    Crowns are compared only within their plot. Crowns of a plot that the other side does not have
    therefore count as not found or as unmatched. Crowns without a plot form a plot of their own.

    Args:
        targets: layers of targets.
        others: layers of the crowns compared with them.

    Returns:
        A warning if no plot is on both sides; else notes on plots of one side and on crowns without
        a plot, and a warning if most plots lie in different places. Nothing if a side has no crowns
        or a layer with crowns has no plots, because that layer is compared with all plots.

    >>> east = Crowns([shapely.box(0, 0, 1, 1)], plots=["east"], name="targets")
    >>> west = Crowns([shapely.box(0, 0, 1, 1)], plots=["west"], name="detector")
    >>> check_plots([east], [east]), [message.key for message in check_plots([east], [west])]
    ([], ['plots.none_shared'])
    """
    target_side = _PlotSide.of_layers(targets)
    other_side = _PlotSide.of_layers(others)
    if target_side is None or other_side is None:
        return []

    all_plots = pd.concat([target_side.plots, other_side.plots]).unique()
    messages = check_plot_spelling(all_plots)
    # Crowns of plots that only one side has, and crowns without a plot.
    unshared = target_side.unshared_plots(other_side) + other_side.unshared_plots(target_side)
    missing = target_side.missing_plots(other_side) + other_side.missing_plots(target_side)
    is_any_shared = target_side.plots.isin(other_side.plots).any()
    if not is_any_shared:
        messages.append(_none_shared(unshared + missing))
        return messages
    if unshared:
        messages += _covered_plots(target_side, other_side)
        messages.append(_some_apart(unshared))
    if missing:
        messages.append(
            note(
                "plots.not_entered",
                "{where}: not detected, or false detections, because only crowns of the same plot "
                "are compared. Enter the plot.",
                where=_as_value(missing),
            )
        )
    target_bounds = _bounds_by_plot(target_side.layers, target_side.plots)
    other_bounds = _bounds_by_plot(other_side.layers, other_side.plots)
    return messages + _distant_plots(target_bounds, other_bounds)


def check_plots_of_layers(targets: Crowns, layers: Sequence[Crowns]) -> list[Message]:
    """Return the messages of :func:`check_plots` for layers that are each compared with targets.

    A single note lists the plots of one side of all pairs of layers and names both of each.

    Args:
        targets: layer with the targets.
        layers: layers of the crowns compared with them.

    >>> trees = Crowns([shapely.box(0, 0, 1, 1)] * 2, plots=["a", "b"], name="trees")
    >>> drawn = [Crowns([shapely.box(0, 0, 1, 1)], plots=["a"], name=name) for name in "xy"]
    >>> (message,) = check_plots_of_layers(trees, drawn)
    >>> str(message).partition(": their")[0]
    "Some plots are on one side only: 'trees', not 'x', has b (1 crown), 'trees', not 'y', has b \
(1 crown)"
    """
    messages: list[Message] = []
    where: list[Message] = []
    for crowns in layers:
        for message in check_plots([targets], [crowns]):
            if message.key == "plots.some_apart" and len(layers) > 1:
                where += _name_both(message, targets.name, crowns.name)
            elif message not in messages:
                messages.append(message)
    return [*messages, _some_apart(where)] if where else messages


def _name_both(message: Message, first: str, second: str) -> list[Message]:
    """Return the parts of a note on plots of one side, each with the names of both layers."""
    value = dict(message.values)["where"]
    parts = []
    for part in value if isinstance(value, tuple) else (value,):
        values = dict(part.values)
        layer = values["layer"]
        parts.append(
            info(
                "plots.alone_of_two",
                "'{layer}', not '{other}', has {plots} ({count:,} crowns)",
                one="'{layer}', not '{other}', has {plots} (1 crown)",
                layer=layer,
                other=second if layer == first else first,
                plots=values["plots"],
                count=values["count"],
            )
        )
    return parts


class _PlotSide(NamedTuple):
    """Layers of one side of a comparison, all of them with crowns and plots."""

    layers: list[Crowns]
    plots: pd.Series  #: name of the plot of each crown of all layers.

    @classmethod
    def of_layers(cls, layers: Sequence[Crowns]) -> _PlotSide | None:
        """Return the layers with crowns; None if there are none, or one has no plots."""
        layers_with_crowns = [crowns for crowns in layers if len(crowns)]
        if not layers_with_crowns:
            return None
        if any(crowns.plots is None for crowns in layers_with_crowns):
            return None
        plots = pd.concat([_plot_names(crowns) for crowns in layers_with_crowns])
        return cls(layers=layers_with_crowns, plots=plots)

    def unshared_plots(self, other: _PlotSide) -> list[Message]:
        """Return a message per layer about its plots that the other side does not have."""
        messages = []
        for crowns in self.layers:
            messages += _unshared_plots(crowns, other.plots)
        return messages

    def missing_plots(self, other: _PlotSide) -> list[Message]:
        """Return a message per layer about its crowns without a plot."""
        messages = []
        for crowns in self.layers:
            messages += _missing_plots(crowns, other.plots)
        return messages


def _covered_plots(targets: _PlotSide, others: _PlotSide) -> list[Message]:
    """Return warnings about targets that are not detected because their plot has another name.

    These targets belong to plots that the other side does not have, but lie on its crowns of other
    plots. Nothing is returned without a CRS: images in pixel coordinates lie on one another.

    Args:
        targets: side of the targets.
        others: side of the crowns compared with them.
    """
    is_unshared = targets.plots.notna() & ~targets.plots.isin(others.plots)
    if not all(crowns.crs for crowns in targets.layers):
        return []
    geometry = np.concatenate([crowns.geometry for crowns in targets.layers])
    centres = shapely.centroid(geometry[is_unshared.to_numpy()])
    messages = []
    for crowns in others.layers:
        rows, _ = shapely.STRtree(crowns.geometry).query(centres, predicate="intersects")
        n_covered = len(np.unique(rows))
        if n_covered > 0:
            message = warning(
                "plots.covered",
                "{count:,} targets count as not detected, because layer '{layer}' has no crowns "
                "of their plots. However, crowns of its other plots lie on these targets. If the "
                "two layers name the same plots differently, use the same names.",
                one="1 target counts as not detected, because layer '{layer}' has no crowns of its "
                "plot. However, a crown of another plot of the layer lies on this target. If the "
                "two layers name the same plots differently, use the same names.",
                count=n_covered,
                layer=crowns.name,
            )
            messages.append(message)
    return messages


def _unshared_plots(crowns: Crowns, other_plots: pd.Series) -> list[Message]:
    """Return a message that lists the plots of a layer that the other side does not have.

    Args:
        crowns: the layer.
        other_plots: names of the plots of all crowns of the other side.
    """
    plots = _plot_names(crowns)
    unshared = plots[~plots.isin(other_plots)].dropna()
    return _alone_message(crowns.name, unshared, len(unshared))


def _alone_message(layer: str, plots: Iterable[str], count: int) -> list[Message]:
    """Return a message that lists the plots that only one layer has; nothing without crowns.

    Args:
        layer: name of the layer.
        plots: names of the plots.
        count: number of crowns of the layer in these plots.
    """
    if count == 0:
        return []
    message = info(
        "plots.alone",
        "'{layer}' alone has {plots} ({count:,} crowns)",
        one="'{layer}' alone has {plots} (1 crown)",
        layer=layer,
        plots=abbreviate(sorted(set(plots)), _MAX_NAMED),
        count=count,
    )
    return [message]


def check_plot_counts(
    target_name: str, other_name: str, plots: Objects, n_targets: Ints, n_others: Ints
) -> list[Message]:
    """Return messages about plots that only one side has, from the numbers of crowns of each plot.

    See :func:`check_plots`, which this replaces where the crowns are not in memory.

    Args:
        target_name: name of the layer with the targets.
        other_name: name of the layer compared with them.
        plots: (p,) names of the plots.
        n_targets: (p,) number of targets of each plot.
        n_others: (p,) number of crowns of the other layer of each plot.

    >>> counts = np.array([3, 0]), np.array([2, 4])
    >>> [m.key for m in check_plot_counts("trees", "found", np.array(["a", "b"]), *counts)]
    ['plots.some_apart']
    """
    messages = check_plot_spelling(plots)
    if n_targets.sum() == 0 or n_others.sum() == 0:
        return messages
    has_targets = n_targets > 0
    has_others = n_others > 0
    alone = _alone_message(target_name, plots[~has_others], int(n_targets[~has_others].sum()))
    alone += _alone_message(other_name, plots[~has_targets], int(n_others[~has_targets].sum()))
    if not alone:
        return messages
    is_any_shared = bool((has_targets & has_others).any())
    messages.append(_some_apart(alone) if is_any_shared else _none_shared(alone))
    return messages


def check_reserved_plots(plots: Iterable[Any]) -> list[Message]:
    """Return a note if a plot has the name of the row of all plots in summaries.

    Args:
        plots: names of the plots of all layers; names may be repeated, and missing values are
            ignored.

    >>> [str(message) for message in check_reserved_plots(["all", "b"])]
    ["Plot 'all' is called 'all (2)' in the summary, because 'all' is the row of all plots."]
    """
    distinct_plots = list(dict.fromkeys(plot for plot in plots if isinstance(plot, str)))
    messages = []
    for plot, label in zip(distinct_plots, label_plots(distinct_plots)):
        if plot != label:
            message = note(
                "plots.renamed",
                "Plot '{plot}' is called '{name}' in the summary, because '{plot}' is the row of "
                "all plots.",
                plot=plot,
                name=label,
            )
            messages.append(message)
    return messages


def _none_shared(where: list[Message]) -> Message:
    """Return the warning that no plot is on both sides; ``where`` lists the plots of each."""
    return warning(
        "plots.none_shared",
        "No plot is on both sides: {where}: their crowns count as not detected or as false "
        "detections. If only the spelling differs, use the same plot names, or leave the "
        "field empty.",
        where=_as_value(where),
    )


def _some_apart(where: list[Message]) -> Message:
    """Return the note that some plots are on one side only, which ``where`` lists."""
    return note(
        "plots.some_apart",
        "Some plots are on one side only: {where}: their crowns count as not detected or as "
        "false detections. If only the spelling differs, use the same plot names, or leave the "
        "field empty.",
        where=_as_value(where),
    )


def check_score_range(layer: str, field: str, scores: Floats) -> list[Message]:
    """Return a note on scores that are no shares: percentages, logits, or numbers beyond 1.

    Args:
        layer: name of the layer.
        field: field with the scores.
        scores: (n,) scores, NaN for crowns without one.

    >>> [message.key for message in check_score_range("trees", "conf", np.array([35.0, 91.0]))]
    ['scores.no_shares']
    >>> check_score_range("trees", "conf", np.array([0.35, 1.0]))
    []
    """
    known_scores = scores[~np.isnan(scores)]
    if len(known_scores) == 0 or (known_scores.min() >= 0 and known_scores.max() <= 1):
        return []
    message = note(
        "scores.no_shares",
        "The scores of layer '{layer}' in field '{field}' lie between {low:.4g} and {high:.4g}, "
        "not between 0 and 1; they may be percentages or logits. They are used as they are, so a "
        "threshold must be in their unit.",
        layer=layer,
        field=field,
        low=float(known_scores.min()),
        high=float(known_scores.max()),
    )
    return [message]


def check_annotator_spelling(annotators: Iterable[str]) -> list[Message]:
    """Return a note on annotators whose names differ in case, spaces or encoding only.

    >>> [message.key for message in check_annotator_spelling(["Anna", "anna", "Ben"])]
    ['annotators.spelling']
    """
    names = _unclear_names(annotators)
    if not names:
        return []
    message = note(
        "annotators.spelling",
        "The names of annotators {names} differ only in case, spaces or the encoding of accents. "
        "They count as different annotators.",
        names=abbreviate(names, _MAX_NAMED),
    )
    return [message]


def check_plot_spelling(plots: Iterable[Any]) -> list[Message]:
    """Return a note on plots whose names differ in case, spaces or encoding only.

    >>> [message.key for message in check_plot_spelling(["North", "north", None])]
    ['plots.spelling']
    """
    names = _unclear_names(plots)
    if not names:
        return []
    message = note(
        "plots.spelling",
        "The names of plots {names} differ only in case, spaces or the encoding of accents. They "
        "count as different plots.",
        names=abbreviate(names, _MAX_NAMED),
    )
    return [message]


def _unclear_names(names: Iterable[Any]) -> list[str]:
    """Return the names that differ from another one in their spelling only."""
    return similar_names(str(name) for name in names if name is not None and not pd.isna(name))


def _missing_plots(crowns: Crowns, other_plots: pd.Series) -> list[Message]:
    """Return a message that counts the crowns of a layer without a plot.

    If the other side has crowns without a plot, too, these are compared with each other, and there
    is no message.

    Args:
        crowns: the layer.
        other_plots: names of the plots of all crowns of the other side.
    """
    plots = _plot_names(crowns)
    n_missing = int((plots.isna() & ~plots.isin(other_plots)).sum())
    if n_missing == 0:
        return []
    message = info(
        "plots.empty",
        "{count:,} crowns of '{layer}' have no plot",
        one="1 crown of '{layer}' has no plot",
        layer=crowns.name,
        count=n_missing,
    )
    return [message]


def _bounds_by_plot(layers: Sequence[Crowns], plots: pd.Series) -> pd.DataFrame:
    """Return the bounds (columns 0 to 3: xmin, ymin, xmax, ymax) of the crowns of each plot (row).

    Args:
        layers: layers of crowns.
        plots: plot of each crown, layer by layer.
    """
    bounds = np.concatenate([shapely.bounds(crowns.geometry) for crowns in layers])
    return _plot_bounds(bounds, plots.to_numpy())


def _distant_plots(target_bounds: pd.DataFrame, other_bounds: pd.DataFrame) -> list[Message]:
    """Return a warning if the crowns of most shared plots lie in different places on both sides.

    Args:
        target_bounds: bounds of the targets of each plot, see :func:`_bounds_by_plot`.
        other_bounds: bounds of the crowns compared with them.
    """
    first, second = target_bounds.align(other_bounds, join="inner", axis=0)
    first_low = first[[0, 1]].to_numpy()
    first_high = first[[2, 3]].to_numpy()
    second_low = second[[0, 1]].to_numpy()
    second_high = second[[2, 3]].to_numpy()
    # (plots, 2) distance between the bounds along either axis; negative where they overlap.
    gap = np.maximum(first_low - second_high, second_low - first_high)
    distant = first.index[(gap > 0).any(axis=1)]
    if 2 * len(distant) <= len(first):
        return []
    message = warning(
        "plots.elsewhere",
        "The crowns of {plots} lie in different places on the two sides, but only crowns of one "
        "plot are compared. Choose a field with the same plot names, or leave it empty.",
        plots=abbreviate(distant.tolist(), _MAX_NAMED),
    )
    return [message]


def _as_value(messages: list[Message]) -> Any:
    """Return messages as one value of another message."""
    return messages[0] if len(messages) == 1 else tuple(messages)


def _plot_names(crowns: Crowns) -> pd.Series:
    """Return the plot of each crown as text, None without one; an empty series without plots."""
    plots = [] if crowns.plots is None else crowns.plots.tolist()
    return pd.Series([None if plot is None else str(plot) for plot in plots], dtype=object)


def check_unused_plots(
    layer_name: str,
    field_name: str,
    target_plots: Objects,
    other_plots: Objects,
    target_rows: Ints,
    other_rows: Ints,
) -> Message | None:
    """Return a message about a field with plots that is not chosen; None if it has one plot.

    The message is a warning if pairs are of two plots that both layers have, unless more pairs
    have a plot that only one layer has: the layers then name the same plots differently.

    Args:
        layer_name: name of the layer compared with the targets.
        field_name: field with the plot, which both layers have.
        target_plots: (n,) plot of each target; None without one.
        other_plots: (m,) plot of each crown of the other layer; None without one.
        target_rows: (p,) index of the target of each compared pair.
        other_rows: (p,) index of the other crown of each compared pair.

    >>> plots = np.array(["a", "b"], dtype=object)
    >>> pairs = np.array([0, 1]), np.array([1, 1])
    >>> check_unused_plots("trees", "plot", plots, plots, *pairs).values["count"]
    1
    """
    known_plots = {plot for plot in target_plots.tolist() if plot is not None}
    shared_plots = known_plots.intersection(other_plots.tolist())
    first_plots = pd.Series(target_plots[target_rows], dtype=object)
    second_plots = pd.Series(other_plots[other_rows], dtype=object)
    is_shared = (first_plots.isin(shared_plots) & second_plots.isin(shared_plots)).to_numpy()
    is_of_two_plots = (first_plots != second_plots).to_numpy(dtype=bool)
    n_across = int(np.count_nonzero(is_of_two_plots))
    n_plots = len(known_plots)
    if np.count_nonzero(is_shared & is_of_two_plots) > np.count_nonzero(~is_shared):
        return warning(
            "plots.unused",
            "'{layer}' and the targets name the plot in field '{field}', which is not chosen: "
            "{count:,} of {all:,} pairs that were compared are of two plots. Choose it as the "
            "plot, so that only crowns of one plot are compared.",
            layer=layer_name,
            field=field_name,
            count=n_across,
            all=len(target_rows),
        )
    if n_across > 0:
        return note(
            "plots.unused_names",
            "'{layer}' and the targets name the plot in field '{field}', which is not chosen: "
            "{count:,} of {all:,} pairs that were compared are of two plots, most of them of a "
            "plot that only one layer has. Choose the field only if both layers name the plots "
            "alike.",
            layer=layer_name,
            field=field_name,
            count=n_across,
            all=len(target_rows),
        )
    if n_plots > 1:
        return note(
            "plots.known",
            "The layers name {plots:,} plots in field '{field}', which is not chosen as the plot: "
            "nothing is counted or resampled by plot.",
            field=field_name,
            plots=n_plots,
        )
    return None


def check_drawing(
    all_drawn: bool, partial_message: Message | None, option: str, undefined_metrics: str
) -> Message | None:
    """Return a message about metrics that are undefined or doubtful because crowns were not drawn.

    Args:
        all_drawn: True if the user states that all crowns were drawn.
        partial_message: message that shows that only some were drawn, see
            :func:`partial_drawing_message`; or None.
        option: label of the option that ``all_drawn`` is the value of.
        undefined_metrics: names of the metrics that count false positives.

    Returns:
        A note if ``all_drawn`` is False, a warning if ``partial_message`` contradicts it, else
        None.

    >>> check_drawing(True, partial_drawing_message(1, 9), "All drawn", "precision").key
    'drawn.doubtful'
    """
    if all_drawn and partial_message is None:
        return None
    if all_drawn:
        return warning(
            "drawn.doubtful",
            "{why}. If only some crowns were drawn, crowns that match no target may be right, but "
            "{undefined} count them as false. Then switch '{option}' off.",
            why=partial_message,
            option=option,
            undefined=undefined_metrics,
        )
    if partial_message is None:
        return note(
            "drawn.some",
            "'{option}' is off: crowns that match no target are not judged, and {undefined} are "
            "n/a.",
            option=option,
            undefined=undefined_metrics,
        )
    return note(
        "drawn.some",
        "{why}; '{option}' is off: crowns that match no target are not judged, and {undefined} are "
        "n/a.",
        why=partial_message,
        option=option,
        undefined=undefined_metrics,
    )
