"""Classes of crowns: confusion, metrics, agreement of annotators, consensus, and strata."""

from typing import TYPE_CHECKING

from randcrowns.core.class_names import class_values
from randcrowns.core.lazy_names import lazy_names

if TYPE_CHECKING:
    from randcrowns.core.classes.agreement import (
        ClassAgreement,
        ClassRatings,
        PluralityConsensus,
        class_agreement,
        pairwise_agreement,
        plurality,
    )
    from randcrowns.core.classes.annotators import CrownClassAgreement, crown_class_agreement
    from randcrowns.core.classes.confusion import (
        MatchedClasses,
        match_classes,
        matching_from_scores,
    )
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

#: Submodule that defines each public name.
_MODULES = {
    "ClassAgreement": "agreement",
    "ClassAveragePrecision": "within",
    "ClassEvaluation": "evaluation",
    "ClassInputs": "evaluation",
    "ClassRatings": "agreement",
    "ClassResult": "evaluation",
    "ClassStaple": "staple",
    "CrownClassAgreement": "annotators",
    "IdtreesTask2": "idtrees",
    "MatchedClasses": "confusion",
    "PluralityConsensus": "agreement",
    "Strata": "strata",
    "StrataRequest": "summarise",
    "StrataSummary": "summarise",
    "StratumScores": "summarise",
    "SummariseBy": "summarise",
    "area_strata": "strata",
    "category_strata": "strata",
    "class_agreement": "agreement",
    "class_average_precision": "within",
    "class_ignored_shares": "within",
    "classes_of_evaluation": "results",
    "classes_of_scores": "results",
    "classification_report": "metrics",
    "compare_strata": "strata",
    "crowding": "strata",
    "crown_class_agreement": "annotators",
    "edge_distance": "strata",
    "evaluate_classes": "evaluation",
    "find_class_field": "values",
    "group_classes": "values",
    "idtrees_task2": "idtrees",
    "match_classes": "confusion",
    "match_within_classes": "within",
    "matching_from_scores": "confusion",
    "most_probable_classes": "idtrees",
    "number_strata": "strata",
    "overall_metrics": "metrics",
    "pairwise_agreement": "agreement",
    "parse_breaks": "summarise",
    "parse_class_groups": "values",
    "plurality": "agreement",
    "staple_classes": "staple",
    "strata_of_evaluation": "results",
    "strata_of_scores": "results",
    "strata_table": "strata",
    "summarise_strata": "summarise",
    "within_class_table": "within",
}

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

__getattr__, __dir__ = lazy_names(__name__, _MODULES)
