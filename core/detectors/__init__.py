"""Rankings of detectors under several ground truths (Lampert et al. 2016)."""

from randcrowns.core.detectors.bootstrap import BootstrapRanking, bootstrap_ranking
from randcrowns.core.detectors.correlations import AgreementCorrelations, correlate_with_agreement
from randcrowns.core.detectors.crown_ranking import (
    CrownRanking,
    average_precision,
    rank_crown_detectors,
)
from randcrowns.core.detectors.curves import aucr, interpolate_curves, roc_points
from randcrowns.core.detectors.faces import DetectorFaces, overlay_detectors
from randcrowns.core.detectors.mean_precision import estimate_skew_limits, p_bar
from randcrowns.core.detectors.ranking import DetectorRanking, kendall_tau, rank_detectors
from randcrowns.core.detectors.tolerance import Tolerance
from randcrowns.core.detectors.unmarked_places import UnmarkedPlaces, find_unmarked_places

__all__ = [
    "AgreementCorrelations",
    "BootstrapRanking",
    "CrownRanking",
    "DetectorFaces",
    "DetectorRanking",
    "Tolerance",
    "UnmarkedPlaces",
    "aucr",
    "average_precision",
    "bootstrap_ranking",
    "correlate_with_agreement",
    "estimate_skew_limits",
    "find_unmarked_places",
    "interpolate_curves",
    "kendall_tau",
    "overlay_detectors",
    "p_bar",
    "rank_crown_detectors",
    "rank_detectors",
    "roc_points",
]
