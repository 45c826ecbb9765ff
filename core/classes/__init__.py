"""Classes of crowns: confusion, metrics, agreement of annotators, consensus, and strata."""

from randcrowns.core.class_names import class_values
from randcrowns.core.classes.agreement import (
    ClassAgreement,
    ClassRatings,
    PluralityConsensus,
    class_agreement,
    pairwise_agreement,
    plurality,
)
from randcrowns.core.classes.annotators import CrownClassAgreement, crown_class_agreement
from randcrowns.core.classes.confusion import MatchedClasses, match_classes, matching_from_scores
from randcrowns.core.classes.evaluation import (
    ClassEvaluation,
    ClassInputs,
    ClassResult,
    evaluate_classes,
)
from randcrowns.core.classes.idtrees import IdtreesTask2, idtrees_task2, most_probable_classes
from randcrowns.core.classes.metrics import classification_report, overall_metrics
from randcrowns.core.classes.results import (
    classes_of_evaluation,
    classes_of_scores,
    strata_of_evaluation,
    strata_of_scores,
)
from randcrowns.core.classes.staple import ClassStaple, staple_classes
from randcrowns.core.classes.strata import (
    Strata,
    area_strata,
    category_strata,
    compare_strata,
    crowding,
    edge_distance,
    number_strata,
    strata_table,
)
from randcrowns.core.classes.summarise import (
    StrataRequest,
    StrataSummary,
    StratumScores,
    SummariseBy,
    parse_breaks,
    summarise_strata,
)
from randcrowns.core.classes.values import (
    find_class_field,
    group_classes,
    parse_class_groups,
)
from randcrowns.core.classes.within import (
    ClassAveragePrecision,
    class_average_precision,
    class_ignored_shares,
    match_within_classes,
    within_class_table,
)

__all__ = [
    "ClassAgreement",
    "ClassAveragePrecision",
    "ClassEvaluation",
    "ClassInputs",
    "ClassRatings",
    "ClassResult",
    "ClassStaple",
    "CrownClassAgreement",
    "IdtreesTask2",
    "MatchedClasses",
    "PluralityConsensus",
    "Strata",
    "StrataRequest",
    "StrataSummary",
    "StratumScores",
    "SummariseBy",
    "area_strata",
    "category_strata",
    "class_agreement",
    "class_average_precision",
    "class_ignored_shares",
    "class_values",
    "classes_of_evaluation",
    "classes_of_scores",
    "classification_report",
    "compare_strata",
    "crowding",
    "crown_class_agreement",
    "edge_distance",
    "evaluate_classes",
    "find_class_field",
    "group_classes",
    "idtrees_task2",
    "match_classes",
    "match_within_classes",
    "matching_from_scores",
    "most_probable_classes",
    "number_strata",
    "overall_metrics",
    "pairwise_agreement",
    "parse_breaks",
    "parse_class_groups",
    "plurality",
    "staple_classes",
    "strata_of_evaluation",
    "strata_of_scores",
    "strata_table",
    "summarise_strata",
    "within_class_table",
]
