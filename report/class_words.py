"""Labels of the results and numbers of a comparison of classes, for tables, pages and reports."""

from __future__ import annotations

from randcrowns.core.classes.evaluation import ClassResult
from randcrowns.report.language import tr
from randcrowns.report.words import false_detection, not_detected


def class_result_labels() -> dict[str, str]:
    """Return the label of each result of comparing two classes, by the value of the result.

    >>> class_result_labels()["wrong"]
    'wrong class'
    """
    return {
        ClassResult.RIGHT.value: tr("right class"),
        ClassResult.WRONG.value: tr("wrong class"),
        ClassResult.NO_CLASS.value: tr("no class"),
        ClassResult.NOT_FOUND.value: not_detected().one,
        ClassResult.NO_REFERENCE.value: false_detection().one,
    }


def class_metric_labels() -> dict[str, str]:
    """Return the label of each number of all classes, by its name in the table.

    >>> class_metric_labels()["f1_macro"]
    'F1, mean of classes'
    """
    return {
        "accuracy": tr("Accuracy of matched pairs"),
        "balanced_accuracy": tr("Balanced accuracy"),
        "f1_macro": tr("F1, mean of classes"),
        "f1_weighted": tr("F1, weighted by class size"),
        "cohen_kappa": tr("Cohen's kappa"),
        "matthews_corrcoef": tr("Matthews' correlation"),
        "map": tr("mAP, COCO"),
        "map50": tr("mAP50, COCO"),
        "map75": tr("mAP75, COCO"),
    }
