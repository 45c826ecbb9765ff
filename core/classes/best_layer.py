"""The delineation layer whose mean score can be called better than those of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Bools, Floats, Ints, Objects
from randcrowns.core.classes.strata import Strata, compare_strata
from randcrowns.core.statistics import MIN_PLOTS, MIN_UNITS, plot_codes


class LayerComparison(NamedTuple):
    """Tests of the layer with the highest mean score against each other layer with scores."""

    best: int  #: index of the layer with the highest mean.
    better_than: tuple[int, ...]  #: indices of the layers that it can be called better than.
    not_separable: tuple[int, ...]  #: indices of the others.
    is_tested: bool  #: False if there are too few targets or plots for a test.
    are_plots: bool  #: True if the units of the tests are plots, False for targets.

    @property
    def better_than_all(self) -> int | None:
        """The index of the best layer if it can be called better than all others, or None."""
        return None if self.not_separable else self.best


def compare_layers(crowns: Sequence[pd.DataFrame]) -> LayerComparison | None:
    """Test whether the layer with the highest mean RandCrowns is better than each other layer.

    The layers are scored on the same targets, so that the tests are paired: over the plots if all
    layers have several, else over the targets. They are those of
    :func:`~randcrowns.core.classes.strata.compare_strata`, adjusted for all pairs of layers (Holm
    1979), with layers in place of strata. Among equal layers, the best is called better than
    another one in at most 5 % of the cases.

    Args:
        crowns: a table of the targets for each layer: ``target_id``, ``randcrowns``, NaN without a
            score, and optionally ``plot``. Targets without a score in one of two layers count for
            the other one only.

    Returns:
        The comparison; None for fewer than two layers with a score.

    >>> scores = np.tile([[0.9], [0.6]], 40) + np.random.default_rng(1).normal(0, 0.1, (2, 40))
    >>> tables = [pd.DataFrame({"target_id": range(40), "randcrowns": score}) for score in scores]
    >>> compare_layers(tables).better_than
    (1,)
    """
    are_plots = all(_has_several_plots(table) for table in crowns)
    unit_column = "plot" if are_plots else "target_id"
    return _compare_scores(
        scores=[table["randcrowns"].to_numpy(dtype=float) for table in crowns],
        units=[table[unit_column].to_numpy(dtype=object) for table in crowns],
        are_plots=are_plots,
    )


def compare_layer_scores(scores: Floats, plots: Ints | None = None) -> LayerComparison | None:
    """Compare layers as :func:`compare_layers` does, from an array of their scores.

    Args:
        scores: (layers, targets) scores between 0 and 1; NaN where a target has no score.
        plots: (targets,) number of each target's plot, or None for targets as units.

    >>> scores = np.tile([[0.6], [0.9]], 40) + np.random.default_rng(1).normal(0, 0.1, (2, 40))
    >>> compare_layer_scores(scores).better_than_all
    1
    """
    units = np.arange(scores.shape[1]) if plots is None else plots
    return _compare_scores(
        scores=list(scores),
        units=[units.astype(object)] * len(scores),
        are_plots=plots is not None,
    )


def _has_several_plots(table: pd.DataFrame) -> bool:
    """Return True if targets have a column ``plot`` with several values."""
    return "plot" in table and plot_codes(table["plot"].to_numpy(dtype=object)) is not None


def _compare_scores(
    scores: Sequence[Floats], units: Sequence[Objects], *, are_plots: bool
) -> LayerComparison | None:
    """Compare layers by their scores; return None for fewer than two layers with a score.

    Args:
        scores: (n,) scores of each layer; NaN without one.
        units: (n,) unit of each score of each layer; equal ones link the layers.
        are_plots: True if the units are plots.
    """
    scored_layers = []
    scores_of_layers = []
    units_of_layers = []
    for layer, values in enumerate(scores):
        is_scored = ~np.isnan(values)
        if is_scored.any():
            scored_layers.append(layer)
            scores_of_layers.append(values[is_scored])
            units_of_layers.append(units[layer][is_scored])
    n_layers = len(scored_layers)
    if n_layers < 2:
        return None

    best_position = int(np.argmax([values.mean() for values in scores_of_layers]))
    min_units = min(len(pd.unique(values)) for values in units_of_layers)
    is_tested = min_units >= (MIN_PLOTS if are_plots else MIN_UNITS)
    is_worse = np.zeros(n_layers, dtype=bool)
    if is_tested:
        is_worse = _find_worse(best_position, scores_of_layers, units_of_layers)

    better_than = []
    not_separable = []
    for position, layer in enumerate(scored_layers):
        if position == best_position:
            continue
        if is_worse[position]:
            better_than.append(layer)
        else:
            not_separable.append(layer)
    return LayerComparison(
        best=scored_layers[best_position],
        better_than=tuple(better_than),
        not_separable=tuple(not_separable),
        is_tested=is_tested,
        are_plots=are_plots,
    )


def _find_worse(best: int, scores: Sequence[Floats], units: Sequence[Objects]) -> Bools:
    """Return a mask (L,) of the layers that the best one can be called better than.

    Args:
        best: index of the layer with the highest mean.
        scores: (n,) scores of each of L layers, without NaN.
        units: (n,) unit of each score of each layer.
    """
    n_layers = len(scores)
    layer_of_score = np.repeat(np.arange(n_layers), [len(values) for values in scores])
    layer_names = tuple(str(number) for number in range(n_layers))
    layers = Strata(layer_names, layer_of_score)
    tests = compare_strata(layers, {"score": np.concatenate(scores)}, np.concatenate(units))
    # A difference that is the same in all units is no chance, but leaves no variance for a test.
    is_constant = tests["p"].isna() & (tests["difference"] != 0)
    differs = (tests["differs"] | is_constant).to_numpy(dtype=bool)
    layer_pairs = tests[["first", "second"]].to_numpy(dtype=int)
    has_best = (layer_pairs == best).any(axis=1)
    is_worse = np.zeros(n_layers, dtype=bool)
    is_worse[layer_pairs[differs & has_best]] = True
    is_worse[best] = False
    return is_worse
