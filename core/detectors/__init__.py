"""Rankings of detectors under several ground truths (Lampert et al. 2016)."""

from typing import TYPE_CHECKING

from randcrowns.core.lazy_names import lazy_names

if TYPE_CHECKING:
    from randcrowns.core.detectors.bootstrap import BootstrapRanking, bootstrap_ranking
    from randcrowns.core.detectors.correlations import (
        AgreementCorrelations,
        correlate_with_agreement,
    )
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

#: Submodule that defines each public name.
_MODULES = {
    "AgreementCorrelations": "correlations",
    "BootstrapRanking": "bootstrap",
    "CrownRanking": "crown_ranking",
    "DetectorFaces": "faces",
    "DetectorRanking": "ranking",
    "Tolerance": "tolerance",
    "UnmarkedPlaces": "unmarked_places",
    "aucr": "curves",
    "average_precision": "crown_ranking",
    "bootstrap_ranking": "bootstrap",
    "correlate_with_agreement": "correlations",
    "estimate_skew_limits": "mean_precision",
    "find_unmarked_places": "unmarked_places",
    "interpolate_curves": "curves",
    "kendall_tau": "ranking",
    "overlay_detectors": "faces",
    "p_bar": "mean_precision",
    "rank_crown_detectors": "crown_ranking",
    "rank_detectors": "ranking",
    "roc_points": "curves",
}

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

__getattr__, __dir__ = lazy_names(__name__, _MODULES)
