"""Annotator agreement and consensus ground truths from vote tables (Lampert et al. 2016)."""

from typing import TYPE_CHECKING

from randcrowns.core.lazy_names import lazy_names

if TYPE_CHECKING:
    from randcrowns.core.agreement.consensus import (
        SimpleVote,
        consensus_at_level,
        leave_one_out,
        marked_polygons,
        simple_vote,
        weighted_vote,
    )
    from randcrowns.core.agreement.consensus_of_crowns import (
        CrownConsensus,
        CrownConsensusOptions,
        crown_consensus,
    )
    from randcrowns.core.agreement.cooke import CookeWeights, cooke_weights, read_answers
    from randcrowns.core.agreement.disagreement import Disagreements, differences, disagreements
    from randcrowns.core.agreement.image_correlation import image_correlations
    from randcrowns.core.agreement.lsml import LevelSet, level_set
    from randcrowns.core.agreement.measures import (
        AgreementCoefficients,
        agreement_coefficients,
        agreement_ratio,
        annotator_instances,
        annotator_statistics,
        dendrogram,
        outliers,
        pairwise_f1,
        smyth_bound,
    )
    from randcrowns.core.agreement.outlier_testing import OutlierTest, outlier_test
    from randcrowns.core.agreement.staple_em import StapleResult, staple, staple_priors
    from randcrowns.core.agreement.summary import AgreementSummary, agreement_summary
    from randcrowns.core.agreement.votes import VoteTable

#: Submodule that defines each public name.
_MODULES = {
    "AgreementCoefficients": "measures",
    "AgreementSummary": "summary",
    "CookeWeights": "cooke",
    "CrownConsensus": "consensus_of_crowns",
    "CrownConsensusOptions": "consensus_of_crowns",
    "Disagreements": "disagreement",
    "LevelSet": "lsml",
    "OutlierTest": "outlier_testing",
    "SimpleVote": "consensus",
    "StapleResult": "staple_em",
    "VoteTable": "votes",
    "agreement_coefficients": "measures",
    "agreement_ratio": "measures",
    "agreement_summary": "summary",
    "annotator_instances": "measures",
    "annotator_statistics": "measures",
    "consensus_at_level": "consensus",
    "cooke_weights": "cooke",
    "crown_consensus": "consensus_of_crowns",
    "dendrogram": "measures",
    "differences": "disagreement",
    "disagreements": "disagreement",
    "image_correlations": "image_correlation",
    "leave_one_out": "consensus",
    "level_set": "lsml",
    "marked_polygons": "consensus",
    "outlier_test": "outlier_testing",
    "outliers": "measures",
    "pairwise_f1": "measures",
    "read_answers": "cooke",
    "simple_vote": "consensus",
    "smyth_bound": "measures",
    "staple": "staple_em",
    "staple_priors": "staple_em",
    "weighted_vote": "consensus",
}

__all__ = [
    "AgreementCoefficients",
    "AgreementSummary",
    "CookeWeights",
    "CrownConsensus",
    "CrownConsensusOptions",
    "Disagreements",
    "LevelSet",
    "OutlierTest",
    "SimpleVote",
    "StapleResult",
    "VoteTable",
    "agreement_coefficients",
    "agreement_ratio",
    "agreement_summary",
    "annotator_instances",
    "annotator_statistics",
    "consensus_at_level",
    "cooke_weights",
    "crown_consensus",
    "dendrogram",
    "differences",
    "disagreements",
    "image_correlations",
    "leave_one_out",
    "level_set",
    "marked_polygons",
    "outlier_test",
    "outliers",
    "pairwise_f1",
    "read_answers",
    "simple_vote",
    "smyth_bound",
    "staple",
    "staple_priors",
    "weighted_vote",
]

__getattr__, __dir__ = lazy_names(__name__, _MODULES)
