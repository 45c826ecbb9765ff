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
        ClassResult.NOT_JUDGED.value: tr("not judged"),
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


def class_metric_meanings() -> dict[str, str]:
    """Return the meaning of each number of all classes, by its name in the table.

    >>> class_metric_meanings()["accuracy"]
    'Share of the matched pairs whose classes are equal.'
    """
    return {
        "accuracy": tr("Share of the matched pairs whose classes are equal."),
        "balanced_accuracy": tr("Mean over the classes of the share that has the right class."),
        "f1_macro": tr(
            "Mean over the classes of F1 among matched pairs. Crowns without a match do not count, "
            "unlike in the F1 of detection."
        ),
        "f1_weighted": tr(
            "Mean over the classes of F1 among matched pairs, weighted by the number of their "
            "matched targets."
        ),
        "cohen_kappa": tr(
            "Agreement of the classes beyond chance: 1 if all are equal, 0 as by chance."
        ),
        "matthews_corrcoef": tr(
            "Correlation of the classes of matched pairs: 1 if all are equal, 0 as by chance."
        ),
        "map": tr(
            "Mean over the classes of COCO's average precision, at IoU thresholds from 0.50 to "
            "0.95."
        ),
        "map50": tr("Mean over the classes of COCO's average precision at an IoU of 0.50."),
        "map75": tr("Mean over the classes of COCO's average precision at an IoU of 0.75."),
    }


def class_rate_labels() -> dict[str, str]:
    """Return the label of each rate of a class, by its column.

    >>> class_rate_labels()["f1"]
    'F1 of match and class'
    """
    return {
        "producer_accuracy": tr("Producer's accuracy"),
        "user_accuracy": tr("User's accuracy"),
        "f1": tr("F1 of match and class"),
        "ap": tr("AP, COCO"),
    }


def class_rate_meanings() -> dict[str, str]:
    """Return the meaning of each rate of a class, by its column.

    >>> class_rate_meanings()["user_accuracy"]
    'Share of the predictions of the class that have a target of this class.'
    """
    return {
        "producer_accuracy": tr(
            "Share of the targets of the class that were detected with the right class."
        ),
        "user_accuracy": tr(
            "Share of the predictions of the class that have a target of this class."
        ),
        "f1": tr(
            "Harmonic mean of producer's and user's accuracy: a crown counts if it has a match of "
            "the right class."
        ),
        "ap": tr("COCO's average precision of the class, at IoU thresholds from 0.50 to 0.95."),
    }
