"""Annotator agreement and consensus ground truths from vote tables (Lampert et al. 2016)."""

from randcrowns.core.agreement.consensus import (
    SimpleVote,
    leave_one_out,
    level,
    marked_polygons,
    simple,
)
from randcrowns.core.agreement.image import image_correlations
from randcrowns.core.agreement.lsml import LevelSet, level_set
from randcrowns.core.agreement.measures import (
    Coefficients,
    agreement_ratio,
    annotator_instances,
    annotator_statistics,
    coefficients,
    dendrogram,
    outliers,
    pairwise_f1,
    smyth_bound,
)
from randcrowns.core.agreement.places import Disagreements, differences, disagreements
from randcrowns.core.agreement.staple_em import Staple, staple, staple_priors
from randcrowns.core.agreement.summary import AgreementSummary, agreement_summary
from randcrowns.core.agreement.votes import VoteTable

__all__ = [
    "AgreementSummary",
    "Coefficients",
    "Disagreements",
    "LevelSet",
    "SimpleVote",
    "Staple",
    "VoteTable",
    "agreement_ratio",
    "agreement_summary",
    "annotator_instances",
    "annotator_statistics",
    "coefficients",
    "dendrogram",
    "differences",
    "disagreements",
    "image_correlations",
    "leave_one_out",
    "level",
    "level_set",
    "marked_polygons",
    "outliers",
    "pairwise_f1",
    "simple",
    "smyth_bound",
    "staple",
    "staple_priors",
]
