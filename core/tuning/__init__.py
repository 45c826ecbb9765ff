"""Variance between annotators and selection of alpha, omega, gamma (Stewart et al. 2021)."""

from randcrowns.core.tuning.experiment import count_crowns
from randcrowns.core.tuning.search import GridSearchResult, search_grid
from randcrowns.core.tuning.variance import (
    AnnotatorVariance,
    annotator_variance,
    select_crowns,
    select_pairs,
)
from randcrowns.core.tuning.warped_targets import score_warped_targets
from randcrowns.core.tuning.wrong_pairs import simulate_annotators

__all__ = [
    "AnnotatorVariance",
    "GridSearchResult",
    "annotator_variance",
    "count_crowns",
    "score_warped_targets",
    "search_grid",
    "select_crowns",
    "select_pairs",
    "simulate_annotators",
]
