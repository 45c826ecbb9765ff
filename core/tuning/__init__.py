"""Variance between annotators and selection of alpha, omega, gamma (Stewart et al. 2021)."""

from randcrowns.core.tuning.search import GridSearchResult, search_grid
from randcrowns.core.tuning.variance import (
    AnnotatorVariance,
    annotator_variance,
    select_crowns,
    select_pairs,
)
from randcrowns.core.tuning.wrong_pairs import simulate_annotators

__all__ = [
    "AnnotatorVariance",
    "GridSearchResult",
    "annotator_variance",
    "search_grid",
    "select_crowns",
    "select_pairs",
    "simulate_annotators",
]
