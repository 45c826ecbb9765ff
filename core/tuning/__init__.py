"""Variance between annotators and selection of alpha, omega, gamma (Stewart et al. 2021)."""

from typing import TYPE_CHECKING

from randcrowns.core.lazy_names import lazy_names

if TYPE_CHECKING:
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

#: Submodule that defines each public name.
_MODULES = {
    "AnnotatorVariance": "variance",
    "GridSearchResult": "search",
    "annotator_variance": "variance",
    "count_crowns": "experiment",
    "score_warped_targets": "warped_targets",
    "search_grid": "search",
    "select_crowns": "variance",
    "select_pairs": "variance",
    "simulate_annotators": "wrong_pairs",
}

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

__getattr__, __dir__ = lazy_names(__name__, _MODULES)
