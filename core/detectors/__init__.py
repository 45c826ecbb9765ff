"""Rankings of detectors under several ground truths (Lampert et al. 2016)."""

from randcrowns.core.detectors.certainty import RankProbabilities, rank_probabilities
from randcrowns.core.detectors.correlations import AgreementCorrelations, agreement_correlations
from randcrowns.core.detectors.crowns import CrownRanking, average_precision, rank_crown_detectors
from randcrowns.core.detectors.curves import aucr, curves_at, roc_points
from randcrowns.core.detectors.faces import DetectorFaces, detector_faces
from randcrowns.core.detectors.mean_precision import p_bar, skew_limits
from randcrowns.core.detectors.ranking import DetectorRanking, kendall_tau, rank_detectors
from randcrowns.core.detectors.tolerance import Tolerance

__all__ = [
    "AgreementCorrelations",
    "CrownRanking",
    "DetectorFaces",
    "DetectorRanking",
    "RankProbabilities",
    "Tolerance",
    "agreement_correlations",
    "aucr",
    "average_precision",
    "curves_at",
    "detector_faces",
    "kendall_tau",
    "p_bar",
    "rank_crown_detectors",
    "rank_detectors",
    "rank_probabilities",
    "roc_points",
    "skew_limits",
]
