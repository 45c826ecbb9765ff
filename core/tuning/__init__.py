"""Variance between annotators and selection of alpha, omega, gamma (Stewart et al. 2021)."""

from randcrowns.core.tuning.search import GridSearch, grid_search
from randcrowns.core.tuning.variance import (
    AnnotatorVariance,
    annotator_variance,
    crown_looks,
    gallery_picks,
)
from randcrowns.core.tuning.wrong_pairs import warped_annotators

__all__ = [
    "AnnotatorVariance",
    "GridSearch",
    "annotator_variance",
    "crown_looks",
    "gallery_picks",
    "grid_search",
    "warped_annotators",
]
