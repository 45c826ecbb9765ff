"""randcrowns:rankdetectors - rank detectors under every ground truth of several annotators."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from randcrowns.algorithms.algorithm_catalogue import RANK_DETECTORS
from randcrowns.algorithms.common_parameters import extent_message
from randcrowns.algorithms.crown_algorithm import CrownAlgorithm, RunResults
from randcrowns.algorithms.detectors import ranking_messages
from randcrowns.algorithms.detectors.drawn_places import find_places
from randcrowns.algorithms.detectors.ranking_units import (
    RankingSite,
    RankingUnits,
    TruthRow,
    compute_counted_area,
    compute_tile_side,
    create_truth_rows,
    create_truth_table,
    create_units,
    read_ranking_site,
    thin_to_lines,
)
from randcrowns.algorithms.detectors.schema import parameters
from randcrowns.algorithms.detectors.schema.outputs import (
    LOOK_AGAIN,
    RANK_OUTPUTS,
    RANK_VALUES,
    TRUTH_POLYGONS,
)
from randcrowns.algorithms.detectors.schema.parameters import (
    RANK_PARAMETERS,
    RankingSettings,
    check_ranking,
    read_settings,
)
from randcrowns.algorithms.detectors.schema.report_content import RANKING_REPORT
from randcrowns.algorithms.detectors.tables import (
    RankingResults,
    create_places_table,
    create_ranking_tables,
)
from randcrowns.algorithms.multiple_images import read_images
from randcrowns.algorithms.output_types import UNIT
from randcrowns.algorithms.parameter_types import RunParameters
from randcrowns.core.agreement.consensus import (
    EACH_ANNOTATOR,
    GroundTruths,
    compute_ground_truths,
)
from randcrowns.core.agreement.votes import VoteTable
from randcrowns.core.comparison import check_plots
from randcrowns.core.crowns import Crowns
from randcrowns.core.detectors.bootstrap import (
    BootstrapRanking,
    resample_crown_ranking,
)
from randcrowns.core.detectors.class_bootstrap import resample_class_ranking
from randcrowns.core.detectors.class_precision import class_ranking_messages
from randcrowns.core.detectors.coco import CocoResults, compute_coco_metrics
from randcrowns.core.detectors.conclusion import BY_CROWNS, conclude_ranking
from randcrowns.core.detectors.correlations import AgreementCorrelations, correlate_with_agreement
from randcrowns.core.detectors.crown_ranking import (
    CrownRanking,
    check_crown_lengths,
    is_in_area,
    rank_crown_detectors,
)
from randcrowns.core.detectors.mean_precision import skew_messages
from randcrowns.core.detectors.ranking import DetectorRanking, estimate_truth_skew_limits
from randcrowns.core.detectors.units import (
    RankedUnits,
    Resampling,
    rank_units,
    rank_windows,
    resample_units,
)
from randcrowns.core.detectors.unmarked_places import UnmarkedPlaces
from randcrowns.core.messages import Message, info, note
from randcrowns.core.progress import Progress, run_in_thread, subprogress
from randcrowns.layers.localization import message_texts, tr
from randcrowns.layers.raster.grid import Grid
from randcrowns.layers.vector.geometry import to_qgs_multipolygon


class RankDetectors(CrownAlgorithm):
    """Algorithm that ranks detectors under the ground truths of several annotators."""

    entry = RANK_DETECTORS
    help = (
        tr(
            "A detector's score depends on the annotator it is compared with. This ranks detectors "
            "under every annotator and every ground truth that the annotators make together "
            "(Lampert et al. 2016), and says how certain the first place is."
        ),
        tr(
            "<b>AUCR</b> is the area under the P̄-recall curve, <b>AP</b> the average precision "
            "over whole crowns (all points of the curve)."
        ),
        parameters.SKEW_LIMITS,
        parameters.DETECTORS,
        parameters.RESOLUTION,
        parameters.STUDY_AREA,
        parameters.TRAINING,
        parameters.BOOTSTRAP_SAMPLES,
    )
    progress_shares = (0.3, 0.9)
    title_layers = (parameters.DETECTORS, parameters.ANNOTATORS)
    declared_parameters = RANK_PARAMETERS
    outputs = RANK_OUTPUTS
    value_outputs = RANK_VALUES
    report_content = RANKING_REPORT
    supports_pixels = True

    def validate(self, run_parameters: RunParameters) -> None:
        """Raise an InputError for values that cannot be used."""
        check_ranking(run_parameters)

    def read_settings(self, run_parameters: RunParameters) -> RankingSettings:
        """Return the settings of the run with snapshots of its layers."""
        return read_settings(run_parameters)

    def read_layers(self, settings: RankingSettings, progress: Progress) -> _Inputs:
        """Return the study site and, if areas are counted, the units of all images together.

        Args:
            settings: settings of the run.
            progress: called with the fraction done.
        """
        if settings.counts_areas:
            return _read_areas(settings, progress)
        site = read_ranking_site(settings, subprogress(progress, 0.0, 0.5))
        site = site.with_counted_pixels()
        messages = _input_messages(settings, site, {}, None)
        return _Inputs(site, None, messages, [])

    def compute(
        self, settings: RankingSettings, inputs: _Inputs, progress: Progress
    ) -> RankingResults:
        """Return the rankings by area and by whole crowns, with their certainty.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            progress: called with the fraction done.
        """
        site = inputs.site
        units = inputs.units
        results = RankingResults()
        if units is not None:
            results = run_in_thread(
                lambda share: _rank_areas(settings, units, site.grid, share),
                subprogress(progress, 0.0, 0.85),
            )
        crowns = _CrownResult()
        if settings.counts_crowns and site.detections and site.annotators:
            area = compute_counted_area(site, units)
            crowns = _rank_crowns(settings, site, area, subprogress(progress, 0.85, 1.0))
        places = UnmarkedPlaces.without_places()
        if settings.counts_crowns and site.detections:
            places = find_places(site, inputs.grids, all_drawn=settings[parameters.ALL_DRAWN])

        results = _add_conclusions(results, crowns, settings[parameters.CERTAINTY])
        messages = [*results.messages, *crowns.messages]
        if places.message is not None:
            messages.append(places.message)
        if crowns.coco is not None:
            messages += class_ranking_messages(crowns.coco.classes, results.class_conclusion)
        return results._replace(
            crown_ranking=crowns.ranking,
            unmarked_places=places,
            coco=crowns.coco,
            annotators=list(site.annotator_names),
            messages=messages,
        )

    def build_results(
        self,
        settings: RankingSettings,
        inputs: _Inputs,
        findings: RankingResults,
        progress: Progress,
    ) -> RunResults:
        """Return the tables, the ground truths as polygons, and the conclusion.

        Args:
            settings: settings of the run.
            inputs: study site and units.
            findings: result of :meth:`compute`.
            progress: called with the fraction of the ground truths done.
        """
        working_crs = inputs.site.working_crs
        # Outputs are in the CRS of the first annotator.
        crs = next(iter(settings.annotators.values())).crs
        tables = create_ranking_tables(findings)
        tables[LOOK_AGAIN] = create_places_table(findings.unmarked_places, working_crs, crs)
        if TRUTH_POLYGONS in settings.requested_outputs:
            rows: list[TruthRow] = []
            if inputs.units is not None and findings.ground_truths is not None:
                truths = _select_made_truths(settings, findings.ground_truths)
                to_output = partial(to_qgs_multipolygon, working_crs, crs)
                rows = create_truth_rows(inputs.units, truths, inputs.grids, to_output, progress)
            tables[TRUTH_POLYGONS] = create_truth_table(rows, crs)

        area_conclusion = ranking_messages.area_conclusion(settings, findings)
        crown_conclusion = ranking_messages.crown_conclusion(settings, findings)
        combined_conclusion = ranking_messages.combined_conclusion(settings, findings)
        conclusion = [*combined_conclusion, *crown_conclusion, *area_conclusion]
        answer = conclusion
        if not combined_conclusion:
            # One of the other two answers the question.
            answer = area_conclusion or crown_conclusion
        values = {
            "CONCLUSION": " ".join(message_texts(answer)),
            UNIT.id: working_crs.unit,
            "PROBABILITY": math.nan,
            "CROWN_PROBABILITY": math.nan,
        }
        if findings.area_conclusion is not None:
            values["PROBABILITY"] = findings.area_conclusion.win_probability
        if findings.crown_conclusion is not None:
            values["CROWN_PROBABILITY"] = findings.crown_conclusion.win_probability
        messages = [*conclusion, *ranking_messages.first_place_messages(findings)]
        return RunResults(tables, values, messages=messages, headline=conclusion)


@dataclass(frozen=True, eq=False)
class _Inputs:
    """Input of a ranking; of several images, of all of them together."""

    site: RankingSite  #: study site; of several images that of the first.
    units: RankingUnits | None  #: units of all images; None if areas are not counted.
    messages: list[Message]  #: messages about the input.
    grids: list[Grid | None]  #: pixels of each image; None for exact areas.


class _CrownResult(NamedTuple):
    """Results over whole crowns; None for what was not requested or is not possible."""

    ranking: CrownRanking | None = None
    certainty: BootstrapRanking | None = None  #: bootstrap samples; None for one detector.
    #: Bootstrap samples of the ranking by mAP; None without classes.
    class_certainty: BootstrapRanking | None = None
    coco: CocoResults | None = None  #: COCO's metrics.
    messages: Sequence[Message] = ()  #: messages about the results.


def _read_areas(settings: RankingSettings, progress: Progress) -> _Inputs:
    """Return the study site and the units of all images or plots together.

    Args:
        settings: settings of a run that counts areas.
        progress: called with the fraction done.
    """
    undivided_sites: list[RankingSite] = []

    def read_site(image_settings: RankingSettings, share: Progress) -> RankingSite:
        """Read a site, and store it before it is divided into plots."""
        site = read_ranking_site(image_settings, share)
        undivided_sites.append(site)
        return site

    divided_sites = read_images(
        settings,
        settings.by_image,
        parameters.PLOT_FIELD,
        read_site,
        subprogress(progress, 0.0, 0.5),
    )
    sites_by_image = {image: site.with_counted_pixels() for image, site in divided_sites.items()}
    units = run_in_thread(
        lambda share: create_units(sites_by_image, share), subprogress(progress, 0.5, 1.0)
    )

    grids = [site.grid for site in sites_by_image.values()]
    first_site = undivided_sites[0]
    if len(sites_by_image) > 1:
        first_site = replace(first_site, study_area=first_site.counted_region, grid=grids[0])
    else:
        first_site = first_site.with_counted_pixels()
    messages = _input_messages(settings, first_site, sites_by_image, units)
    return _Inputs(first_site, units, messages, grids)


def _input_messages(
    settings: RankingSettings,
    site: RankingSite,
    sites_by_image: dict[str, RankingSite],
    units: RankingUnits | None,
) -> list[Message]:
    """Return messages about the study area, the layers and the units.

    Args:
        settings: settings of the run.
        site: study site; of several images that of all of them.
        sites_by_image: site of each image or plot; empty if areas are not counted.
        units: units of all images; None if areas are not counted.
    """
    messages = [
        extent_message(
            settings[parameters.STUDY_AREA],
            compute_counted_area(site, units),
            _default_area_phrase(settings, sites_by_image),
            site.working_crs.unit,
        ),
        *ranking_messages.partial_drawing_messages(settings),
        *site.messages,
    ]
    if units is not None:
        messages += units.messages
    return messages


def _default_area_phrase(settings: RankingSettings, sites_by_image: dict[str, RankingSite]) -> str:
    """Return an English noun phrase for the area that is used without a study area.

    Args:
        settings: settings of the run.
        sites_by_image: site of each image or plot; empty if areas are not counted.
    """
    if any(site.is_plot for site in sites_by_image.values()):
        return "a rectangle in each plot around the annotators' polygons"
    if not settings.counts_areas:
        return "all annotators' and detectors' crowns"
    if settings.pixel_rasters:
        return "the pixels of the rasters"
    return "the rectangle around all annotators' polygons"


def _add_conclusions(results: RankingResults, crowns: _CrownResult, level: float) -> RankingResults:
    """Return results with the bootstrap samples over crowns and the conclusions of all rankings.

    Args:
        results: results by area.
        crowns: results over whole crowns.
        level: probability above which the first place counts as certain.
    """
    area_conclusion = crown_conclusion = class_conclusion = None
    if results.area_bootstrap is not None:
        scoreless = ranking_messages.detectors_without_score(results.area_ranking)
        area_conclusion = conclude_ranking(results.area_bootstrap, level, scoreless)
    if crowns.certainty is not None:
        crown_conclusion = conclude_ranking(
            crowns.certainty, level, measure=BY_CROWNS, topic="crown_verdict"
        )
    if crowns.class_certainty is not None:
        class_conclusion = conclude_ranking(crowns.class_certainty, level)
    return results._replace(
        area_conclusion=area_conclusion,
        crown_bootstrap=crowns.certainty,
        crown_conclusion=crown_conclusion,
        class_bootstrap=crowns.class_certainty,
        class_conclusion=class_conclusion,
    )


def _select_made_truths(
    settings: RankingSettings, ground_truths: GroundTruths
) -> dict[str, np.ndarray]:
    """Return the ground truths that are no input layers, as decisions (n,) per unit by name.

    Args:
        settings: settings of the run, with the input layers.
        ground_truths: all ground truths of the ranking.
    """
    input_layers = list(settings.existing_truths)
    # With an annotator field, an annotator is a part of a layer.
    if not settings[parameters.ANNOTATOR_FIELD]:
        input_layers += settings.polygon_annotators
    return {name: truth for name, truth in ground_truths.truths.items() if name not in input_layers}


def _rank_areas(
    settings: RankingSettings, units: RankingUnits, grid: Grid | None, progress: Progress
) -> RankingResults:
    """Return the ranking by area with correlations, certainty and the ranking on each image.

    Args:
        settings: settings of the run.
        units: units of all images.
        grid: pixels of the first image; None for exact areas.
        progress: called with the fraction done.
    """
    ground_truths = _make_ground_truths(settings, units, subprogress(progress, 0.0, 0.1))
    messages = ground_truths.all_messages()
    ranked_units = units
    # Only pixels can be thinned.
    if settings[parameters.THIN] and units.votes.has_pixels:
        ranked_units, ground_truths, line_messages = thin_to_lines(
            units, ground_truths, grid, subprogress(progress, 0.1, 0.2)
        )
        messages += line_messages
    limits, limit_messages = _choose_skew_limits(settings, ranked_units, ground_truths)
    messages += limit_messages

    ranking = rank_units(ranked_units, ground_truths, limits, subprogress(progress, 0.2, 0.55))
    messages += _missing_value_messages(ranking)
    if settings[parameters.SKEW_LIMITS] == "own":
        messages += skew_messages(ranking.skew, limits)
    # Lines are thinned for the ranking only: correlations use the scores before thinning.
    correlations = _correlate_scores(settings, units, ranking, subprogress(progress, 0.55, 0.65))
    bootstrap = _resample_ranking(
        settings, ranked_units, ground_truths, limits, ranking, subprogress(progress, 0.65, 0.9)
    )
    image_progress = subprogress(progress, 0.9, 1.0)
    ranking_by_image = rank_windows(ranked_units, ground_truths, limits, image_progress)
    return RankingResults(
        area_ranking=ranking,
        correlations=correlations,
        area_bootstrap=bootstrap,
        ground_truths=ground_truths,
        messages=messages,
        area_ranking_by_image=ranking_by_image,
    )


def _choose_skew_limits(
    settings: RankingSettings, units: RankingUnits, ground_truths: GroundTruths
) -> tuple[tuple[float, float], list[Message]]:
    """Return the lower and upper skew limit, and a message if they follow from ground truths.

    Args:
        settings: settings of the run, with the limits or the request to estimate them.
        units: units of all images, with their weights.
        ground_truths: ground truths on these units.
    """
    if settings[parameters.SKEW_LIMITS] != "truths":
        return (settings[parameters.MIN_SKEW], settings[parameters.MAX_SKEW]), []
    low, high = estimate_truth_skew_limits(ground_truths, units.weights)
    message = note(
        "ranking.skew_limits",
        "Skew limits from the ground truths: {low:.3f} to {high:.3f}.",
        low=low,
        high=high,
    )
    return (low, high), [message]


def _missing_value_messages(ranking: DetectorRanking) -> list[Message]:
    """Return a message per detector or ground truth without values."""
    scoreless = ranking_messages.detectors_without_score(ranking)
    messages = []
    for name, reason in ranking.reasons.items():
        # The page shows these next to its results, which exist for the other detectors.
        is_shown_on_page = name in scoreless and len(scoreless) < len(ranking.aucr)
        key = "areas.no_value" if is_shown_on_page else "ranking.no_value"
        messages.append(note(key, "{name}: {why}", name=name, why=reason))
    return messages


def _make_ground_truths(
    settings: RankingSettings, units: RankingUnits, progress: Progress
) -> GroundTruths:
    """Return the requested ground truths on the units, and the existing ones.

    Args:
        settings: settings of the run, with the methods.
        units: units of all images.
        progress: called with the fraction done.

    Raises:
        InputError: if none of the ground truths can be made.
    """
    requested = settings[parameters.CONSENSUS_METHODS]
    if units.votes.n_annotators == 1:
        requested = (EACH_ANNOTATOR,)
    ground_truths = compute_ground_truths(
        units.votes,
        requested,
        how=settings.estimation,
        progress=progress,
    )
    ground_truths.update(units.existing_truths)
    ground_truths.check_any()
    return ground_truths


def _correlate_scores(
    settings: RankingSettings, units: RankingUnits, ranking: DetectorRanking, progress: Progress
) -> dict[str, AgreementCorrelations]:
    """Return the correlations of the scores with the comparable votes, by detector.

    Where a detector found nothing its score counts as 0, or as its lowest score if that is below
    0. Detectors without values have the reason instead of correlations.

    Args:
        settings: settings of the run, with the level of the intervals.
        units: units of all images, with the votes and the scores.
        ranking: ranking by area, with the reasons of detectors without values.
        progress: called with the fraction of the detectors done.
    """
    correlations = {}
    n_votes = units.votes.on_map(units.votes.comparable_votes, outside=0.0)
    for n_done, (name, scores) in enumerate(units.scores.items()):
        progress(n_done / len(units.scores))
        if name in ranking.reasons:
            correlations[name] = AgreementCorrelations(
                math.nan, math.nan, math.nan, ranking.reasons[name]
            )
            continue
        lowest_score = float(scores[np.isfinite(scores)].min(initial=0.0))
        finite_scores = np.where(np.isneginf(scores), lowest_score, scores)
        correlations[name] = correlate_with_agreement(
            finite_scores,
            n_votes,
            weight=units.face_areas,
            valid=units.is_valid,
            blocks=units.tiles,
            tiles_per_row=units.tiles_per_row,
            level=settings[parameters.CERTAINTY],
        )
    return correlations


def _resample_ranking(
    settings: RankingSettings,
    units: RankingUnits,
    ground_truths: GroundTruths,
    limits: tuple[float, float],
    ranking: DetectorRanking,
    progress: Progress,
) -> BootstrapRanking | None:
    """Return bootstrap samples of the ranking by area.

    Thinned lines are resampled over tiles only, under one ground truth that is not made again.

    Args:
        settings: settings of the run.
        units: units of all images.
        ground_truths: ground truths on these units.
        limits: lower and upper skew limit.
        ranking: ranking by area.
        progress: called with the fraction done.

    Returns:
        The bootstrap samples; None if they are switched off or not possible.
    """
    truth = ranking_messages.resampled_truth_name(settings, units.votes.names)
    resampled_units: RankedUnits = units
    if settings[parameters.THIN] and units.votes.has_pixels:
        if truth not in ground_truths.truths:
            return None
        line_votes = VoteTable.from_stack([ground_truths.truths[truth]], ~units.is_valid)
        resampled_units = replace(units, votes=line_votes)
    resampling = Resampling(
        settings[parameters.BOOTSTRAP_SAMPLES],
        settings[parameters.RESAMPLED_GROUND_TRUTH],
        settings.estimation,
    )
    return resample_units(resampled_units, ranking, truth, resampling, limits, progress)


def _rank_crowns(
    settings: RankingSettings, site: RankingSite, area: float, progress: Progress
) -> _CrownResult:
    """Return the ranking over whole crowns, its certainty and COCO's metrics.

    Args:
        settings: settings of the run.
        site: study site with annotators and detectors that are polygons.
        area: study area, m², for the default side of the tiles.
        progress: called with the fraction done.
    """
    all_drawn = settings[parameters.ALL_DRAWN]
    annotators = {}
    for name, crowns in site.annotators.items():
        is_reviewed = is_in_area(crowns, site.reviewed_areas.get(name))
        annotators[name] = crowns.subset(site.counted_crowns_mask(crowns) & is_reviewed)
    ranking = rank_crown_detectors(
        annotators,
        site.detections,
        settings.randcrowns_parameters,
        settings[parameters.CROWN_THRESHOLD],
        settings[parameters.CROWN_SCORE],
        inside=site.counted_detections,
        scoreless=site.detectors_without_score,
        all_drawn=all_drawn,
        on_ignored=site.shares_on_ignored,
        reviewed=site.reviewed_areas,
        progress=subprogress(progress, 0.0, 0.6),
    )
    coco = compute_coco_metrics(
        ranking,
        annotators,
        site.detections,
        all_drawn=all_drawn,
        on_ignored=site.shares_on_ignored,
        progress=subprogress(progress, 0.6, 0.8),
    )
    coco, point_messages = _add_point_recall(settings, site, coco)
    detected_crowns = {name: crowns for name, (crowns, _) in site.detections.items()}
    messages = check_crown_lengths(
        settings[parameters.CROWN_SCORE], annotators, settings.randcrowns_parameters
    )
    messages += check_plots(list(annotators.values()), list(detected_crowns.values()))
    messages += coco.messages
    messages += point_messages

    certainty, class_certainty = _resample_crowns(
        ranking,
        coco,
        {**annotators, **detected_crowns},
        compute_tile_side(settings, site, area),
        settings[parameters.BOOTSTRAP_SAMPLES],
        subprogress(progress, 0.8, 1.0),
    )
    return _CrownResult(
        ranking=ranking,
        certainty=certainty,
        class_certainty=class_certainty,
        coco=coco,
        messages=messages,
    )


def _resample_crowns(
    ranking: CrownRanking,
    coco: CocoResults,
    crowns_by_name: Mapping[str, Crowns],
    tile_side: float,
    n_resamples: int,
    progress: Progress,
) -> tuple[BootstrapRanking | None, BootstrapRanking | None]:
    """Return bootstrap samples of the ranking over whole crowns, and of that by mAP.

    Args:
        ranking: ranking over whole crowns.
        coco: COCO's metrics.
        crowns_by_name: crowns of all annotators and detectors.
        tile_side: side of the tiles that are resampled, metres.
        n_resamples: number of bootstrap samples.
        progress: called with the fraction done.

    Returns:
        Both bootstraps; None for one that is not possible, such as for a single detector.
    """
    crown_bootstrap = resample_crown_ranking(
        ranking, crowns_by_name, tile_side, n_resamples, subprogress(progress, 0.0, 0.5)
    )
    class_bootstrap = resample_class_ranking(
        coco.classes,
        coco.class_matches,
        crowns_by_name=crowns_by_name,
        tile_side=tile_side,
        resamples=n_resamples,
        progress=subprogress(progress, 0.5, 1.0),
    )
    return crown_bootstrap, class_bootstrap


def _add_point_recall(
    settings: RankingSettings, site: RankingSite, coco: CocoResults
) -> tuple[CocoResults, list[Message]]:
    """Add the column ``point_recall`` to COCO's metrics, if the run has field points.

    Args:
        settings: settings of the run.
        site: study site with the detectors.
        coco: COCO's metrics.

    Returns:
        The metrics, with the share of the counted field points that lie in each detector's crowns;
        and messages about the points.
    """
    layer = settings[parameters.POINTS]
    if layer is None:
        return coco, []
    all_points, messages = layer.read(site.working_crs)
    points = site.select_counted_points(all_points)
    crowns_by_detector = {name: crowns for name, (crowns, _) in site.detections.items()}
    count_message = info(
        "points.counted",
        "{count:,} points of layer '{layer}' count for point recall.",
        count=len(points),
        layer=layer.name,
    )
    results = coco.with_point_recall(points, crowns_by_detector)
    return results, [*messages, count_message]
