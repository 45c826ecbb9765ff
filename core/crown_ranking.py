"""Every detector's crowns under every annotator's: average precision, ranks and rankings over whole crowns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import shapely
from numpy.typing import NDArray

from randcrowns.core.crown_detectors import average_precision, crown_precision_recall
from randcrowns.core.crowns import Crowns
from randcrowns.core.errors import InputError
from randcrowns.core.pairing import Pairing
from randcrowns.core.parameters import RandCrownsParameters
from randcrowns.core.progress import Progress, no_progress, part_of
from randcrowns.core.ranking import Ranking, distinct_rankings, kendall_tau, ranks_of
from randcrowns.core.scoring import score_candidates

__all__ = ["CrownRanking", "belongs_to_area", "rank_crown_detectors"]

_SCORELESS = "None of its crowns has a score."
_NOWHERE = "No detector found anything in any plot that has its crowns; check that the plots are spelled alike."


@dataclass(frozen=True, eq=False)
class CrownRanking:
    """What the annotators' crowns say about the detectors'.

    Attributes:
        average_precision: a row per detector and a column per annotator; NaN where it cannot be computed.
        ranks: rank of each detector under each annotator; 1 is best, ties share a rank.
        rankings: the distinct orders with the annotators that give each, the most frequent first.
        kendall_tau: Kendall's tau between the orders of every two annotators.
        curves: columns detector, truth, threshold (of the detector's score), recall, precision, true_positives,
            false_positives.
        counts: columns detector, truth, targets, detections, excluded (detections that were not judged).
        reasons: why an annotator or a detector has no value, by name.
        left_out: by annotator, the plot of each crown that was left out because no detector found anything in it.
    """

    average_precision: pd.DataFrame
    ranks: pd.DataFrame
    rankings: tuple[Ranking, ...]
    kendall_tau: pd.DataFrame
    curves: pd.DataFrame
    counts: pd.DataFrame
    reasons: dict[str, str]
    left_out: dict[str, list[str]]


def rank_crown_detectors(
    targets: Mapping[str, Crowns],
    detections: Mapping[str, tuple[Crowns, NDArray[np.float64]]],
    parameters: RandCrownsParameters,
    threshold: float = 0.5,
    score: str = "iou",
    *,
    inside: Mapping[str, NDArray[np.bool_]] | None = None,
    scoreless: Collection[str] = (),
    all_drawn: bool = True,
    progress: Progress = no_progress,
) -> CrownRanking:
    """Average precision of every detector under every annotator, and the rankings that come out.

    Where both sides have groups (plots), crowns meet only within their plot. Crowns of plots in which none of the
    detectors found anything are left out: nothing says that a detector ever looked there.

    Args:
        targets: each annotator's crowns by name.
        detections: each detector's crowns, and its own score for each, by name.
        parameters: of RandCrowns; they matter for the score ``randcrowns`` only.
        threshold: least score of a match.
        score: ``iou`` or ``randcrowns``.
        inside: by detector, which of its crowns lie in the study area; all when left out. One that does not counts
            under the annotators of whose crowns it covers a part, and under no other.
        scoreless: detectors whose scores are all missing, which have no value; one that found nothing has 0.
        all_drawn: False when only some of the crowns were drawn: see
            :func:`randcrowns.core.crown_detectors.crown_precision_recall`.
        progress: told the fraction done.

    Raises:
        InputError: no detector or annotator, another score, or a threshold that is not above 0.
    """
    if not targets or not detections:
        raise InputError("Ranking needs at least one annotator and one detector; pick both.")
    if score not in ("iou", "randcrowns"):
        raise InputError(f"Crowns are matched by iou or randcrowns, not by '{score}'.")
    if not 0 < threshold <= 1:
        raise InputError(f"A match needs a score above 0 and up to 1, not {threshold:g}; try 0.5.")
    table = pd.DataFrame(np.nan, index=list(detections), columns=list(targets), dtype=float)
    curves, counts, reasons = [], [], {}
    wanted_of, left_out = {}, {}
    for annotator, crowns in targets.items():
        looked_at = _looked_at(crowns, [found for found, _ in detections.values()])
        wanted_of[annotator] = crowns.subset(looked_at)
        if not looked_at.all() and crowns.groups is not None:
            left_out[annotator] = ["(empty)" if plot is None else str(plot) for plot in crowns.groups[~looked_at]]
    jobs = [(detector, annotator) for detector in detections for annotator in targets]
    for done, (detector, annotator) in enumerate(jobs):
        crowns, confidence = detections[detector]
        wanted = wanted_of[annotator]
        step = part_of(progress, done / len(jobs), (done + 1) / len(jobs))
        scored = score_candidates(wanted, crowns, parameters, Pairing.MAX_SCORE, progress=step)
        unscorable = scored.too_small if score == "randcrowns" else None
        pairs = scored.pairs[scored.pairs["iou"] > 0]
        kept = np.ones(len(crowns), dtype=bool) if inside is None else inside[detector].copy()
        kept[pairs["delineation"]] = True
        renumbered = pairs.assign(delineation=(np.cumsum(kept) - 1)[pairs["delineation"]])
        curve = crown_precision_recall(
            renumbered, confidence[kept], len(wanted), threshold, score, unscorable=unscorable, all_drawn=all_drawn
        )
        if detector in scoreless:
            reasons[detector] = _SCORELESS
        else:
            table.loc[detector, annotator] = average_precision(curve)
        if curve.attrs["reason"]:
            gone = annotator in left_out and not len(wanted)
            reasons[annotator] = _NOWHERE if gone else curve.attrs["reason"]
        curves.append(curve.assign(detector=detector, truth=annotator))
        counts.append((detector, annotator, curve.attrs["targets"], int(kept.sum()), curve.attrs["excluded"]))
        step(1.0)
    ranks = ranks_of(table)
    columns = ["detector", "truth", "threshold", "recall", "precision", "true_positives", "false_positives"]
    return CrownRanking(
        average_precision=table,
        ranks=ranks,
        rankings=distinct_rankings(ranks),
        kendall_tau=kendall_tau(ranks),
        curves=pd.concat(curves, ignore_index=True)[columns],
        counts=pd.DataFrame(counts, columns=["detector", "truth", "targets", "detections", "excluded"]),
        reasons=reasons,
        left_out=left_out,
    )


def _looked_at(targets: Crowns, detections: Sequence[Crowns]) -> NDArray[np.bool_]:
    """(n,) whether any detector found anything in the plot of each crown; True where plots are not known."""
    if targets.groups is None or any(crowns.groups is None for crowns in detections):
        return np.ones(len(targets), dtype=bool)
    plots = {plot for crowns in detections if crowns.groups is not None for plot in crowns.groups}
    return np.array([plot in plots for plot in targets.groups], dtype=bool)


def belongs_to_area(crowns: Crowns, area: shapely.Geometry | None) -> NDArray[np.bool_]:
    """(n,) whether a point inside each crown lies in the area; everywhere when None."""
    if area is None or len(crowns) == 0:
        return np.ones(len(crowns), dtype=bool)
    shapely.prepare(area)
    return np.asarray(shapely.contains(area, shapely.point_on_surface(crowns.geometry)), dtype=bool)
