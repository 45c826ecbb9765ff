"""Classes of crowns: confusion, metrics, agreement of annotators, consensus, and strata."""

from randcrowns.core.classes.agreement import (
    ClassAgreement,
    ClassRatings,
    PluralityConsensus,
    class_agreement,
    pairwise_agreement,
    plurality,
)
from randcrowns.core.classes.confusion import MatchedClasses, match_classes, matching_from_scores
from randcrowns.core.classes.idtrees import IdtreesTask2, idtrees_task2, most_probable_classes
from randcrowns.core.classes.metrics import classification_report, overall_metrics
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
from randcrowns.core.classes.values import (
    class_values,
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
    "ClassRatings",
    "ClassStaple",
    "IdtreesTask2",
    "MatchedClasses",
    "PluralityConsensus",
    "Strata",
    "area_strata",
    "category_strata",
    "class_agreement",
    "class_average_precision",
    "class_ignored_shares",
    "class_values",
    "classification_report",
    "compare_strata",
    "crowding",
    "edge_distance",
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
    "parse_class_groups",
    "plurality",
    "staple_classes",
    "strata_table",
    "within_class_table",
]
