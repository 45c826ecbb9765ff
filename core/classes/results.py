"""Classes and strata of the results of an evaluation or of a scoring, which all surfaces share."""

from __future__ import annotations

import numpy as np
import pandas as pd

from randcrowns.core.arrays import Ints, Objects
from randcrowns.core.classes.confusion import matching_from_scores
from randcrowns.core.classes.evaluation import (
    ClassEvaluation,
    ClassInputs,
    WithinInputs,
    add_within_classes,
    evaluate_classes,
)
from randcrowns.core.classes.summarise import (
    StrataRequest,
    StrataSummary,
    StratumScores,
    summarise_strata,
)
from randcrowns.core.crowns import Crowns
from randcrowns.core.instances.average_precision import ignored_shares
from randcrowns.core.instances.evaluation import (
    CrownAttributes,
    CrownEvaluation,
    EvaluatedPlots,
    EvaluationOptions,
)
from randcrowns.core.instances.matching import NO_MATCH
from randcrowns.core.instances.matching_inputs import MatchingInputs
from randcrowns.core.instances.metrics import matched_rates
from randcrowns.core.instances.results import InstanceMatches
from randcrowns.core.review.problems import Problem, Problems
from randcrowns.core.scoring.layer import SCORES, CrownScores
from randcrowns.core.status import FOUND_STATUSES, Status

#: Status of the targets that count as found.
_FOUND = [status.value for status in FOUND_STATUSES]


def classes_of_evaluation(
    targets: Crowns,
    predictions: Crowns,
    evaluation: CrownEvaluation,
    options: EvaluationOptions,
    attributes: CrownAttributes,
) -> ClassEvaluation | None:
    """Compare the classes of the crowns of an evaluation of instances.

    Args:
        targets: T targets.
        predictions: P predictions.
        evaluation: evaluation of both.
        options: methods of the evaluation.
        attributes: heights and scores of the crowns, and areas to ignore.

    Returns:
        The comparison with the numbers of a matching within classes; None if a side has no classes.

    >>> import shapely
    >>> from randcrowns.core.instances.evaluation import evaluate_crowns
    >>> boxes = [shapely.box(0, 0, 4, 4), shapely.box(9, 0, 13, 4)]
    >>> trees = Crowns(boxes, classes=["oak", "ash"])
    >>> found = Crowns(boxes, classes=["oak", "oak"])
    >>> inputs = (EvaluationOptions(), CrownAttributes())
    >>> evaluation = evaluate_crowns(trees, found, *inputs)
    >>> classes_of_evaluation(trees, found, evaluation, *inputs).n_right
    1
    """
    if targets.classes is None or predictions.classes is None:
        return None
    matches = evaluation.matches
    shares = None
    if attributes.ignored is not None:
        shares = ignored_shares(attributes.ignored, predictions)
    within = WithinInputs(
        table=matches.table,
        method=options.detection_method,
        matching_inputs=MatchingInputs.of_crowns(targets, predictions, attributes.target_heights),
        score=attributes.scores,
        plots=plot_numbers(evaluation.plots),
        ignored_share=shares,
    )
    classes = (targets.classes, predictions.classes)
    return compare_matched_classes(classes, matches, evaluation.plots, within)


def compare_matched_classes(
    classes: tuple[Objects, Objects],
    matches: InstanceMatches,
    plots: EvaluatedPlots,
    within: WithinInputs,
) -> ClassEvaluation:
    """Compare the classes of matched crowns, of which only the overlaps are needed.

    Args:
        classes: (T,) classes of the targets and (P,) of the predictions.
        matches: matchings of the crowns.
        plots: plots of the crowns.
        within: inputs of the matching within classes.
    """
    inputs = matched_class_inputs(classes, matches, plots)
    return add_within_classes(evaluate_classes(inputs), inputs, within)


def matched_class_inputs(
    classes: tuple[Objects, Objects], matches: InstanceMatches, plots: EvaluatedPlots | None = None
) -> ClassInputs:
    """Return the inputs of the comparison of classes of matched crowns.

    Args:
        classes: (T,) classes of the targets and (P,) of the predictions.
        matches: matchings of the crowns.
        plots: plots of the crowns, or None.
    """
    reference_classes, predicted_classes = classes
    matched_iou, *_ = matched_rates(matches.table, matches.segmentation)
    return ClassInputs(
        reference=reference_classes,
        predicted=predicted_classes,
        matching=matches.detection,
        reference_plots=None if plots is None else plots.targets,
        predicted_plots=None if plots is None else plots.predictions,
        scores={"iou": matched_iou},
        uncertain=matches.uncertain,
        all_drawn=matches.all_drawn,
    )


def plot_numbers(plots: EvaluatedPlots) -> tuple[Ints, Ints] | None:
    """Return plot numbers of the targets and of the predictions; None without plots.

    Args:
        plots: plots of T targets and of P predictions.

    Returns:
        (T,) and (P,) integers, equal for crowns of the same plot; None if a side has no plots.
    """
    if plots.targets is None or plots.predictions is None:
        return None
    plots_of_both = np.concatenate([plots.targets, plots.predictions]).astype(str)
    numbers, _ = pd.factorize(plots_of_both, sort=True)
    n_targets = len(plots.targets)
    return numbers[:n_targets], numbers[n_targets:]


def classes_of_scores(
    targets: Crowns, delineations: Crowns, scores: CrownScores, *, all_drawn: bool = True
) -> ClassEvaluation | None:
    """Compare the classes of the crowns of a scoring.

    A missed target counts as not found. A target that is too small for a score does not count, as
    it is unknown whether it is found.

    Args:
        targets: T targets.
        delineations: D delineations of one layer.
        scores: scores of the layer.
        all_drawn: False if only some of the crowns were drawn as targets.

    Returns:
        The comparison; None if a side has no classes.

    >>> import shapely
    >>> from randcrowns.core.scoring.layer import score_crowns
    >>> from randcrowns.core.scoring.parameters import RandCrownsParameters
    >>> trees = Crowns([shapely.box(0, 0, 5, 5)], classes=["oak"])
    >>> found = Crowns([shapely.box(0, 0, 5, 5)], classes=["ash"])
    >>> scores = score_crowns(trees, found, RandCrownsParameters(0.7, 1.2, 3))
    >>> classes_of_scores(trees, found, scores).targets["class_result"].tolist()
    ['wrong']
    """
    if targets.classes is None or delineations.classes is None:
        return None
    classes = (targets.classes, delineations.classes)
    return compare_scored_classes(classes, scores, targets.plots, all_drawn=all_drawn)


def compare_scored_classes(
    classes: tuple[Objects, Objects],
    scores: CrownScores,
    plots: Objects | None,
    *,
    all_drawn: bool = True,
) -> ClassEvaluation:
    """Compare the classes of scored crowns, of which only the tables are needed.

    Args:
        classes: (T,) classes of the targets and (D,) of the delineations of one layer.
        scores: scores of the layer.
        plots: (T,) plots of the targets, or None.
        all_drawn: False if only some of the crowns were drawn as targets.
    """
    return evaluate_classes(scored_class_inputs(classes, scores, plots, all_drawn=all_drawn))


def scored_class_inputs(
    classes: tuple[Objects, Objects],
    scores: CrownScores,
    plots: Objects | None = None,
    *,
    all_drawn: bool = True,
) -> ClassInputs:
    """Return the inputs of :func:`compare_scored_classes` for the comparison of classes.

    Args:
        classes: (T,) classes of the targets and (D,) classes of the delineations; None for a
            missing class.
        scores: scores of T targets and D delineations, with their assigned pairs.
        plots: (T,) plots of the targets; None without plots.
        all_drawn: True if all crowns of the area were drawn, so that unmatched delineations are
            wrong.
    """
    reference_classes, predicted_classes = classes
    targets = scores.targets
    is_too_small = targets["status"] == Status.TARGET_TOO_SMALL.value
    return ClassInputs(
        reference=reference_classes,
        predicted=predicted_classes,
        matching=matching_from_scores(scores),
        reference_plots=plots,
        predicted_plots=scores.delineations["plot"].to_numpy(dtype=object),
        scores={name: targets[name].to_numpy(dtype=float) for name in SCORES},
        unscorable=is_too_small.to_numpy(),
        all_drawn=all_drawn,
    )


def strata_of_evaluation(
    request: StrataRequest, targets: Crowns, predictions: Crowns, evaluation: CrownEvaluation
) -> StrataSummary:
    """Summarise the IoU of targets by a property.

    Args:
        request: the property.
        targets: T targets.
        predictions: P predictions.
        evaluation: evaluation of both.

    Raises:
        InputError: see :func:`randcrowns.core.classes.summarise.summarise_strata`.

    >>> import shapely
    >>> from randcrowns.core.classes.summarise import SummariseBy
    >>> from randcrowns.core.instances.evaluation import evaluate_crowns
    >>> trees = Crowns([shapely.box(0, 0, 4, 4), shapely.box(9, 0, 18, 9)])
    >>> evaluation = evaluate_crowns(trees, trees, EvaluationOptions(), CrownAttributes())
    >>> request = StrataRequest(SummariseBy.AREA, (20.0,), name="area")
    >>> strata_of_evaluation(request, trees, trees, evaluation).table["found"].tolist()
    [1, 1]
    """
    results = matched_stratum_scores(evaluation.matches, evaluation.plots.targets)
    return summarise_strata(request, targets, predictions, results)


def matched_stratum_scores(matches: InstanceMatches, plots: Objects | None) -> StratumScores:
    """Return the results of matched crowns that are summarised by strata.

    Args:
        matches: matchings of the crowns.
        plots: (T,) plots of the targets, or None.
    """
    is_unmatched = matches.detection.target == NO_MATCH
    if matches.uncertain is not None:
        is_unmatched = is_unmatched & ~matches.uncertain
    matched_iou, *_ = matched_rates(matches.table, matches.segmentation)
    return StratumScores(
        # A target without a match has the IoU 0.
        scores={"iou": np.nan_to_num(matched_iou)},
        is_found=matches.detection.prediction != NO_MATCH,
        is_unmatched=is_unmatched,
        plots=plots,
    )


def strata_of_scores(
    request: StrataRequest,
    targets: Crowns,
    delineations: Crowns,
    scores: CrownScores,
    problems: Problems | None = None,
) -> StrataSummary:
    """Summarise the scores of targets by a property.

    Args:
        request: the property.
        targets: T targets.
        delineations: D delineations of one layer.
        scores: scores of the layer.
        problems: problems of the crowns, or None.

    Raises:
        InputError: see :func:`randcrowns.core.classes.summarise.summarise_strata`.

    >>> import shapely
    >>> from randcrowns.core.classes.summarise import SummariseBy
    >>> from randcrowns.core.scoring.layer import score_crowns
    >>> from randcrowns.core.scoring.parameters import RandCrownsParameters
    >>> trees = Crowns([shapely.box(0, 0, 5, 5), shapely.box(9, 0, 19, 9)])
    >>> scores = score_crowns(trees, trees, RandCrownsParameters(0.7, 1.2, 3))
    >>> request = StrataRequest(SummariseBy.AREA, (30.0,), name="area")
    >>> strata_of_scores(request, trees, trees, scores).table["iou_mean"].tolist()
    [1.0, 1.0]
    """
    found_problems = None if problems is None else problems.targets["problem"]
    results = stratum_scores(scores, targets.plots, found_problems)
    return summarise_strata(request, targets, delineations, results)


def stratum_scores(
    scores: CrownScores, plots: Objects | None, problems: pd.Series | None
) -> StratumScores:
    """Return the results of scored crowns that are summarised by strata.

    Args:
        scores: scores of a layer, of which only the tables of crowns are needed.
        plots: (T,) plots of the targets, or None.
        problems: (T,) problem of each target, or None.
    """
    kinds = None
    if problems is not None:
        kinds = problems.to_numpy(dtype=object, copy=True)
        kinds[kinds == Problem.NONE.value] = None
    targets = scores.targets
    is_unmatched = scores.delineations["status"] != Status.MATCHED.value
    return StratumScores(
        scores={name: targets[name].to_numpy(dtype=float) for name in SCORES},
        is_found=targets["status"].isin(_FOUND).to_numpy(),
        is_unmatched=is_unmatched.to_numpy(),
        plots=plots,
        problems=kinds,
    )
