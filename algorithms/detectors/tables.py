"""Results of a ranking of detectors, and their tables."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.algorithms.detectors.schema import outputs
from randcrowns.algorithms.output_types import Output
from randcrowns.core.agreement.consensus import GroundTruths
from randcrowns.core.detectors.bootstrap import BootstrapRanking
from randcrowns.core.detectors.coco import CocoResults
from randcrowns.core.detectors.conclusion import RankConclusion
from randcrowns.core.detectors.correlations import AgreementCorrelations
from randcrowns.core.detectors.crown_ranking import CrownRanking
from randcrowns.core.detectors.ranking import DetectorRanking, tabulate_rankings
from randcrowns.core.detectors.tables import (
    AREAS,
    CLASSES,
    CROWNS,
    area_rows,
    certainty_rows,
    crown_rows,
    missing_truth_rows,
)
from randcrowns.core.detectors.unmarked_places import UnmarkedPlaces
from randcrowns.core.messages import Message
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.localization import tr
from randcrowns.layers.vector.geometry import to_map_geometries
from randcrowns.layers.vector.tables import FeatureTable


class RankingResults(NamedTuple):
    """Results of a run; None or empty for what was not requested or is not possible."""

    area_ranking: DetectorRanking | None = None  #: ranking by area.
    crown_ranking: CrownRanking | None = None  #: ranking by whole crowns.
    #: Places that several detectors mark and no annotator does; None without whole crowns.
    unmarked_places: UnmarkedPlaces | None = None
    #: Correlations with the number of annotators by detector, or the reason why there are none.
    correlations: Mapping[str, AgreementCorrelations] = MappingProxyType({})
    area_bootstrap: BootstrapRanking | None = None  #: bootstrap samples of the ranking by area.
    area_conclusion: RankConclusion | None = None  #: conclusion about the ranking by area.
    ground_truths: GroundTruths | None = None  #: ground truths, for areas.
    messages: Sequence[Message] = ()  #: messages about the results.
    crown_bootstrap: BootstrapRanking | None = None  #: bootstrap samples of whole crowns.
    crown_conclusion: RankConclusion | None = None  #: conclusion about the ranking by whole crowns.
    class_bootstrap: BootstrapRanking | None = None  #: bootstrap samples of the ranking by mAP.
    class_conclusion: RankConclusion | None = None  #: conclusion about the ranking by mAP.
    coco: CocoResults | None = None  #: COCO's metrics of whole crowns.
    annotators: Sequence[str] = ()  #: names of the annotators.
    #: Ranking by area on each of several images, by the image's name.
    area_ranking_by_image: Mapping[str, DetectorRanking] = MappingProxyType({})

    def existing_rankings(self) -> list[tuple[str, DetectorRanking | CrownRanking]]:
        """Return the rankings that exist, with the value of the column ``counted``."""
        rankings: list[tuple[str, DetectorRanking | CrownRanking | None]] = [
            (AREAS, self.area_ranking),
            (CROWNS, self.crown_ranking),
        ]
        return [(counted, ranking) for counted, ranking in rankings if ranking is not None]


def create_ranking_tables(result: RankingResults) -> dict[Output, FeatureTable]:
    """Return the tables of a ranking by output; tables of missing results have no rows."""
    coco_metrics = pd.DataFrame(columns=outputs.COCO.field_names)
    thresholds = pd.DataFrame(columns=outputs.THRESHOLDS.field_names)
    classes = pd.DataFrame(columns=outputs.CLASS_PRECISION.field_names)
    if result.coco is not None:
        classes = result.coco.classes
        coco_metrics = result.coco.metrics
        thresholds = result.coco.thresholds
    return {
        outputs.AUCR: _tabulate_scores(result),
        outputs.CURVES: _tabulate_curves(result),
        outputs.RANKINGS: _tabulate_ranks(result),
        outputs.KENDALL_TAU: _tabulate_tau(result),
        outputs.CORRELATIONS: _tabulate_correlations(result),
        outputs.CERTAINTY_TABLE: _tabulate_certainty(result),
        outputs.COCO: outputs.COCO.create_table(coco_metrics),
        outputs.CLASS_PRECISION: outputs.CLASS_PRECISION.create_table(classes),
        outputs.THRESHOLDS: outputs.THRESHOLDS.create_table(thresholds),
    }


def create_places_table(
    places: UnmarkedPlaces | None, working_crs: WorkingCrs, crs: QgsCoordinateReferenceSystem
) -> FeatureTable:
    """Return the places that several detectors mark and no annotator does.

    Args:
        places: the places; None without whole crowns.
        working_crs: coordinate reference system of their outlines.
        crs: coordinate reference system of the output.
    """
    if places is None:
        places = UnmarkedPlaces.without_places()
    geometries = to_map_geometries(places.polygons, working_crs, crs)
    return outputs.LOOK_AGAIN.create_table(places.table, geometries, crs)


def _tabulate_scores(result: RankingResults) -> FeatureTable:
    """Return a row per detector and ground truth, with value and rank, or why there are none.

    The rows of all images together come first, then those of whole crowns and of each image.
    """
    rows: list[dict[str, Any]] = []
    if result.area_ranking is not None:
        image = tr("all images") if result.area_ranking_by_image else ""
        rows += area_rows(result.area_ranking, image, tr)
        if result.ground_truths is not None:
            reasons = result.ground_truths.missing_reasons
            rows += missing_truth_rows(reasons, result.area_ranking, image, tr)
    if result.crown_ranking is not None:
        rows += crown_rows(result.crown_ranking, tr)
    for image, ranking in result.area_ranking_by_image.items():
        rows += area_rows(ranking, image, tr)
    frame = pd.DataFrame(rows, columns=outputs.AUCR.field_names)
    if not result.area_ranking_by_image:
        frame = frame.drop(columns="image")
    return outputs.AUCR.create_table(frame)


def _format_reason(reason: Message | None) -> str:
    """Return the translated sentence of a reason, or ""."""
    return "" if reason is None else reason.sentence(tr)


def _tabulate_curves(result: RankingResults) -> FeatureTable:
    """Return the points of all curves.

    Curves of areas have points at recalls 0, 0.01, … 1, curves of crowns at each score.
    """
    # Columns that one kind of curve lacks are NaN.
    parts = []
    if result.area_ranking is not None:
        area_points = result.area_ranking.curves.assign(counted=AREAS, threshold=np.nan)
        parts.append(area_points[outputs.CURVES.field_names])
    if result.crown_ranking is not None:
        crown_points = result.crown_ranking.curves.assign(
            counted=CROWNS, p_bar=np.nan, false_positive_rate=np.nan
        )
        parts.append(crown_points[outputs.CURVES.field_names])
    return outputs.CURVES.create_table(pd.concat(parts, ignore_index=True))


def _tabulate_ranks(result: RankingResults) -> FeatureTable:
    """Return the distinct rankings side by side (Lampert et al. 2016, Table IV), areas first."""
    parts = []
    for counted, ranking in result.existing_rankings():
        if ranking.rankings:
            # A row per position and a column per ranking.
            positions = tabulate_rankings(ranking.rankings)
            positions.columns = [f"ranking_{number}" for number in range(1, positions.shape[1] + 1)]
            part = positions.rename_axis("position").reset_index()
            parts.append(part.assign(counted=counted))
    if not parts:
        return outputs.RANKINGS.create_table(pd.DataFrame(columns=["counted", "position"]))
    return outputs.RANKINGS.create_table(pd.concat(parts, ignore_index=True))


def _tabulate_tau(result: RankingResults) -> FeatureTable:
    """Return Kendall's tau of the rankings under every two ground truths, a row per pair."""
    rows: list[tuple[str, str, str, float]] = []
    for counted, ranking in result.existing_rankings():
        truths = ranking.kendall_tau.columns.tolist()
        tau = ranking.kendall_tau.to_numpy(dtype=float)
        for row, column in itertools.combinations(range(len(truths)), 2):
            rows.append((counted, truths[row], truths[column], float(tau[row, column])))
    return outputs.KENDALL_TAU.create_table(
        pd.DataFrame(rows, columns=outputs.KENDALL_TAU.field_names)
    )


def _tabulate_correlations(result: RankingResults) -> FeatureTable:
    """Return a row per detector with CCO, CCI, their difference and intervals, or the reason."""
    rows = [
        (
            detector,
            *correlations[:3],
            *correlations.cco_interval,
            *correlations.cci_interval,
            _format_reason(correlations.reason),
        )
        for detector, correlations in result.correlations.items()
    ]
    return outputs.CORRELATIONS.create_table(
        pd.DataFrame(rows, columns=outputs.CORRELATIONS.field_names)
    )


def _tabulate_certainty(result: RankingResults) -> FeatureTable:
    """Return a row per detector, the best first, with the probability of every rank.

    Probabilities are NaN if no conclusion is possible.
    """
    parts = []
    if result.area_bootstrap is not None:
        parts.append(_create_certainty_rows(AREAS, result.area_bootstrap, result.area_conclusion))
    if result.crown_bootstrap is not None:
        parts.append(
            _create_certainty_rows(CROWNS, result.crown_bootstrap, result.crown_conclusion)
        )
    if result.class_bootstrap is not None:
        parts.append(
            _create_certainty_rows(CLASSES, result.class_bootstrap, result.class_conclusion)
        )
    if not parts:
        parts.append(pd.DataFrame(columns=["counted", "detector", "value", "beats_next"]))
    return outputs.CERTAINTY_TABLE.create_table(pd.concat(parts, ignore_index=True))


def _create_certainty_rows(
    counted: str, ranks: BootstrapRanking, conclusion: RankConclusion | None
) -> pd.DataFrame:
    """Return the rows of one ranking in the table of certainty.

    Args:
        counted: :data:`AREAS`, :data:`CROWNS` or :data:`CLASSES`.
        ranks: bootstrap samples of the ranking.
        conclusion: conclusion about the ranking; None if there is none.

    Returns:
        The rows of :func:`~randcrowns.core.detectors.tables.certainty_rows` with the column
        ``beats_next``.
    """
    rows = certainty_rows(counted, ranks)
    detectors = rows["detector"]
    beats_next = ranks.win_probabilities.loc[detectors, detectors].to_numpy().diagonal(1)
    if conclusion is None or conclusion.reason is not None:
        rows = rows.assign(**{name: np.nan for name in map(str, rows) if name.startswith("rank_")})
        beats_next = np.full(len(beats_next), np.nan)
    return rows.assign(beats_next=[*beats_next, np.nan])
