"""Annotator agreement and consensus ground truths from vote tables (Lampert et al. 2016)."""

from randcrowns.core.agreement.consensus import (
    SimpleVote,
    consensus_at_level,
    leave_one_out,
    marked_polygons,
    simple_vote,
    weighted_vote,
)
from randcrowns.core.agreement.cooke import CookeWeights, cooke_weights, read_answers
from randcrowns.core.agreement.crown_consensus import (
    CrownConsensus,
    CrownConsensusOptions,
    crown_consensus,
)
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
from randcrowns.core.agreement.outlier_test import OutlierTest, outlier_test
from randcrowns.core.agreement.staple_em import StapleResult, staple, staple_priors
from randcrowns.core.agreement.summary import AgreementSummary, agreement_summary
from randcrowns.core.agreement.votes import VoteTable

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
