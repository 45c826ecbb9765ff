"""Rankings: which orders of the detectors the ground truths lead to, and how alike those orders are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

__all__ = ["TIE", "Ranking", "distinct_rankings", "kendall_tau", "ranking_table", "ranks_of"]

#: Values that lie no further apart tie: coordinates rounded by a change of system differ by as little.
TIE = 1e-9


@dataclass(frozen=True)
class Ranking:
    """One order of the detectors and the ground truths that lead to it.

    Attributes:
        places: detectors from the best to the worst; detectors that tie share a place.
        truths: the ground truths that give this order.
    """

    places: tuple[tuple[str, ...], ...]
    truths: tuple[str, ...]

    @property
    def order(self) -> tuple[str, ...]:
        """The detectors from the best to the worst, tied ones in the order of the table."""
        return tuple(name for place in self.places for name in place)


def ranks_of(aucr: pd.DataFrame) -> pd.DataFrame:
    """Rank of every detector (row) under every ground truth (column): 1 is best, ties share the better rank.

    Neighbouring values no further apart than :data:`TIE` tie. NaN stays NaN.
    """
    values = -aucr.to_numpy(dtype=float)
    order = np.argsort(values, axis=0, kind="stable")
    ordered = np.take_along_axis(values, order, axis=0)
    place = np.arange(1.0, len(values) + 1)[:, None]
    begins = np.ones(values.shape, dtype=bool)
    begins[1:] = ~(np.diff(ordered, axis=0) <= TIE)
    ranks = np.empty_like(values)
    np.put_along_axis(ranks, order, np.maximum.accumulate(np.where(begins, place, 0.0), axis=0), axis=0)
    ranks[np.isnan(values)] = np.nan
    return pd.DataFrame(ranks, index=aucr.index, columns=aucr.columns)


def distinct_rankings(ranks: pd.DataFrame) -> tuple[Ranking, ...]:
    """The distinct orders, the one with the most ground truths first (Table IV of the source).

    Args:
        ranks: see :func:`ranks_of`. Detectors without any rank, and ground truths that do not rank all the
            others, take no part.
    """
    ranked = _fully_ranked(ranks)
    truths_of: dict[tuple[float, ...], list[str]] = {}
    if len(ranked):
        for truth in ranked.columns:
            truths_of.setdefault(tuple(ranked[truth]), []).append(truth)
    rankings = []
    for rank, truths in truths_of.items():
        places = [tuple(ranked.index[np.equal(rank, place)]) for place in sorted(set(rank))]
        rankings.append(Ranking(tuple(places), tuple(truths)))
    return tuple(sorted(rankings, key=lambda ranking: -len(ranking.truths)))


def ranking_table(rankings: tuple[Ranking, ...]) -> pd.DataFrame:
    """The distinct rankings side by side, as in the source's Table IV.

    Returns:
        One row per position and one column per ranking ("Ranking #1", ...). Detectors that tie stand together
        as "A = B" and the positions they take up stay empty. The last row, "Ground truths", names what gives each.
    """
    columns = {}
    for number, ranking in enumerate(rankings, start=1):
        cells: list[str] = []
        for place in ranking.places:
            cells += [" = ".join(place)] + [""] * (len(place) - 1)
        columns[f"Ranking #{number}"] = [*cells, ", ".join(ranking.truths)]
    n_places = len(rankings[0].order) if rankings else 0
    index = pd.Index([*(str(place) for place in range(1, n_places + 1)), "Ground truths"], name="Position")
    return pd.DataFrame(columns, index=index if rankings else None)


def kendall_tau(ranks: pd.DataFrame) -> pd.DataFrame:
    """Kendall's tau-b between the orders that two ground truths give, for all pairs of ground truths.

    1 means the same order, -1 the opposite one. NaN where a ground truth ranks nothing, or all detectors tie.

    Args:
        ranks: see :func:`ranks_of`; detectors without any rank take no part.
    """
    ranked = ranks.dropna(axis=0, how="all").to_numpy(dtype=float)
    first, second = np.triu_indices(len(ranked), k=1)
    signs = np.sign(ranked[first] - ranked[second])
    untied = (signs != 0).sum(axis=0, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        tau = (signs.T @ signs) / np.sqrt(np.outer(untied, untied))
    return pd.DataFrame(np.clip(tau, -1.0, 1.0), index=ranks.columns, columns=ranks.columns)


def _fully_ranked(ranks: pd.DataFrame) -> pd.DataFrame:
    return ranks.dropna(axis=0, how="all").dropna(axis=1, how="any")
