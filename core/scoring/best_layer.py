"""The delineation layer whose mean score can be called better than that of all others."""

from __future__ import annotations

import numpy as np

from randcrowns.core.arrays import Floats, Ints
from randcrowns.core.statistics import ratio_interval


def find_better_layer(scores: Floats, plots: Ints | None = None) -> int | None:
    """Return the layer that can be called better than each of the others, or None.

    The layers are scored on the same targets, so that the differences of each target are compared.
    A layer can be called better if the 95 % interval of its mean difference to every other layer
    lies above 0 (an intersection-union test, Berger 1982). Among equal layers, one is called
    better in at most 5 % of the cases.

    Args:
        scores: (layers, targets) scores between 0 and 1; NaN where a target has no score.
        plots: (targets,) number of each target's plot, or None; see
            :func:`~randcrowns.core.statistics.ratio_interval`.

    Returns:
        The index of the layer; None if no layer can be called better, or if there is only one.

    >>> scores = np.tile([[0.9], [0.6]], 40) + np.linspace(-0.1, 0.1, 40)
    >>> find_better_layer(scores)
    0
    >>> find_better_layer(np.flip(scores, axis=0))
    1
    """
    is_scored = ~np.isnan(scores).any(axis=0)
    common_scores = scores[:, is_scored]
    n_layers, n_targets = common_scores.shape
    if n_layers < 2 or n_targets == 0:
        return None

    common_plots = None if plots is None else plots[is_scored]
    best = int(common_scores.mean(axis=1).argmax())
    others = np.delete(common_scores, best, axis=0)
    # Differences lie between -1 and 1; the interval is that of a mean between 0 and 1.
    shares = (common_scores[best] - others + 1.0) / 2.0
    lows, _ = ratio_interval(shares.T, np.ones_like(shares.T), common_plots)
    return best if bool((2.0 * lows - 1.0 > 0.0).all()) else None
