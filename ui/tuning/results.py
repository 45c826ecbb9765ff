"""Results of the runs of page Parameters, read once from the outputs of the algorithms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from qgis.core import QgsVectorLayer

from randcrowns.algorithms.common_parameters import LENGTHS
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.tuning.schema.outputs import (
    CROWNS,
    DELINEATIONS,
    DRAWN,
    EXCLUDED,
    GRID,
    RECOMMENDED,
    VARIANCE,
)
from randcrowns.algorithms.tuning.schema.parameters import FIELD_TARGETS, PLOT_FIELD
from randcrowns.layers.files.project_results import project_geopackage
from randcrowns.layers.files.staging import save_as_table
from randcrowns.layers.localization import message_texts, tr
from randcrowns.report.names import abbreviate_names, abbreviate_text
from randcrowns.report.words import SCORE_ABBREVIATIONS
from randcrowns.ui.services.layer_info import layer_name, plot_field_label
from randcrowns.ui.services.run_outcome import Succeeded, add_result_layers, table_name
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets import table_model

#: A set of parameters: alpha (m), omega (m), gamma (area ratio).
Lengths = tuple[float, float, float]
#: Outputs with outlines, which can be added to the project.
_LAYER_OUTPUTS = (CROWNS, DELINEATIONS, EXCLUDED)
#: Key of the message about the variances.
_VARIANCE_KEY = "finding.variance"


class PairFeatures(NamedTuple):
    """Feature ids of a pair."""

    #: Feature id in the layer of targets.
    target: int
    #: Feature id in the layer of delineations.
    delineation: int


class SearchResults:
    """Results of a grid search.

    Args:
        outcome: Outcome of the run.
        settings: Settings of the run.
    """

    def __init__(self, outcome: Succeeded, settings: Settings) -> None:
        #: Settings of the run.
        self.settings = settings
        #: A row per set of parameters.
        self.grid = outcome.table(GRID)
        #: The recommended set; None if no set is.
        self.recommended = _read_recommended(outcome)
        #: Sentences about the result.
        self.findings = _join_findings(outcome)
        #: The same without the variances, which have their own tab, but with the number of crowns.
        self.headline = _compose_headline(outcome)
        field_target_id = settings[FIELD_TARGETS]
        if field_target_id:
            targets_label = tr("targets: {layer}", layer=layer_name(field_target_id))
        else:
            targets_label = tr("targets: each annotator in turn")
        #: Labels of the settings that the numbers depend on and that can be defaults.
        self.settings_label = f"{targets_label} · {plot_field_label(settings[PLOT_FIELD])}"


class ExperimentResults:
    """Results of the experiment at one set of parameters.

    Args:
        outcome: Outcome of the run, with the layers of targets, delineations and excluded crowns.
        lengths: The set of parameters.
    """

    def __init__(self, outcome: Succeeded, lengths: Lengths) -> None:
        #: Outcome of the run.
        self.outcome = outcome
        #: The set of parameters.
        self.lengths = lengths
        #: Variances, a row per annotator of targets.
        self.variances = outcome.table(VARIANCE)
        #: Pairs of a target and a delineation, a row each, with the three scores and ``series``.
        self.pairs = outcome.table(DELINEATIONS)
        #: Pairs of the worst and the typical crowns, a row each: the columns of
        #: :attr:`pairs`, ``example`` ("worst" or "typical") and ``randcrowns_variance``.
        self.examples = _select_examples(outcome.table(CROWNS), self.pairs)
        #: Number of crowns by annotator and plot, a row each.
        self.drawn_crowns = outcome.table(DRAWN)
        #: Excluded crowns, a row each, with the reason.
        self.excluded_crowns = outcome.table(EXCLUDED)
        #: Sentences about the result.
        self.findings = _join_findings(outcome)
        repeated_names = (
            *self.pairs["target_annotator"],
            *self.pairs["delineation_annotator"],
            *self.excluded_crowns["annotator"],
        )
        #: Names of the annotators, without duplicates.
        self.annotator_names = tuple(dict.fromkeys(repeated_names))

    def layer(self, output: Output) -> QgsVectorLayer:
        """Return the layer of targets (CROWNS), delineations (DELINEATIONS) or excluded crowns."""
        return self.outcome.layers[output.id]

    def find_features(self, pair: int) -> PairFeatures:
        """Return the feature ids of a pair, a value of the column ``pair``."""
        is_pair = self.pairs["pair"] == pair
        target_number = self.pairs.loc[is_pair, "target"].iloc[0]
        return PairFeatures(
            target=_find_feature(self.layer(CROWNS), "target", target_number),
            delineation=_find_feature(self.layer(DELINEATIONS), "pair", pair),
        )


def add_layers(experiment: ExperimentResults, file: str) -> None:
    """Add copies of the outlines to the project, as a group of layers.

    Args:
        experiment: Results at one set of parameters.
        file: GeoPackage for the copies; "" for that of the project or, if the project has none,
            for temporary layers.

    Raises:
        InputError: if the copies cannot be written; nothing is added then.
    """
    path = file or project_geopackage()
    copies = {}
    for output in _LAYER_OUTPUTS:
        layer = experiment.layer(output)
        if path:
            copies[output.id] = save_as_table(layer, Path(path), table_name(output.id))
        else:
            copies[output.id] = layer.clone()
    add_result_layers(replace(experiment.outcome, layers=copies), _LAYER_OUTPUTS)


def _read_recommended(outcome: Succeeded) -> Lengths | None:
    """Return the recommended set of parameters of a search, or None if there is none."""
    table = outcome.table(RECOMMENDED)
    if not len(table):
        return None
    alpha, omega, gamma = [float(table[length.name].iloc[0]) for length in LENGTHS]
    return alpha, omega, gamma


def _compose_headline(outcome: Succeeded) -> str:
    """Return the sentences about the result of a search, with the number of shared crowns.

    The message about the variances is replaced by the number of crowns that it contains.
    """
    sentences = []
    count_sentence = ""
    for message in outcome.messages_of("finding"):
        if message.key != _VARIANCE_KEY:
            sentences += message_texts([message])
        elif not count_sentence:
            crown_count = dict(message.values)["count"]
            count_sentence = tr(
                "Found on {count:,} shared crowns.",
                one="Found on 1 shared crown.",
                count=crown_count,
            )
    if count_sentence:
        sentences.append(count_sentence)
    return " ".join(sentences)


def _join_findings(outcome: Succeeded) -> str:
    """Return the sentences about the result of a run as one text."""
    return " ".join(message_texts(outcome.messages_of("finding")))


def _find_feature(layer: QgsVectorLayer, field: str, number: int) -> int:
    """Return the id of the first feature with a number in a field.

    Args:
        layer: Layer with the feature.
        field: Name of the field.
        number: Value of the field; a feature with it exists.
    """
    feature = next(layer.getFeatures(f'"{field}" = {number}'))
    return int(feature.id())


def _select_examples(crowns: pd.DataFrame, delineations: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs of the worst and the typical crowns.

    Args:
        crowns: A row per target; ``example`` is "worst", "typical" or missing, ``place`` is
            the rank.
        delineations: A row per pair.

    Returns:
        The rows of ``delineations`` with the columns ``example``, ``place`` and
        ``randcrowns_variance`` of their targets. The worst crowns come first, and the pairs of a
        crown are sorted by score.
    """
    columns = ["target", "example", "place", "randcrowns_variance"]
    examples = crowns.loc[crowns["example"].notna(), columns]
    pairs = examples.merge(delineations, on="target")
    is_typical = pairs["example"] != "worst"
    return (
        pairs.assign(is_typical=is_typical)
        .sort_values(["is_typical", "place", "randcrowns"], kind="stable", ignore_index=True)
        .drop(columns="is_typical")
    )


#: Maximum widths of columns with names and with reasons, pixels; their tooltips are complete.
_MAX_NAME_WIDTH = 90
_MAX_REASON_WIDTH = 640
#: Extra arguments of a column with ids.
_ID_COLUMN = {"title": tr("Id"), "format_value": table_model.format_text}


def set_columns() -> list[table_model.TableColumn]:
    """Return the columns of the table of parameter sets."""
    names = (
        "rank",
        "alpha",
        "omega",
        "gamma",
        "common_variance",
        "mean",
        "missed_share",
        "wrong",
        "wrong_neighbours",
        "wrong_shifted",
        "wrong_shrunk",
        "wrong_grown",
        "too_small",
        "reason",
    )
    return table_model.table_columns(
        GRID,
        *names,
        rank={"format_value": table_model.format_integer},
        common_variance={"title": tr("Variance")},
    )


def example_columns(names: Iterable[str] = ()) -> list[table_model.TableColumn]:
    """Return the columns of the table of example crowns, which has a row per pair.

    Args:
        names: Names of the annotators.
    """
    score_titles = {score: {"title": title} for score, title in SCORE_ABBREVIATIONS.items()}
    delineation_column = _annotator_column(DELINEATIONS, "delineation_annotator", names)
    columns = table_model.table_columns(CROWNS, "example")
    columns += table_model.table_columns(DELINEATIONS, *SCORE_ABBREVIATIONS, **score_titles)
    columns.append(_annotator_column(DELINEATIONS, "target_annotator", names))
    columns += table_model.table_columns(DELINEATIONS, "target_id", target_id=_ID_COLUMN)
    columns.append(replace(delineation_column, title=tr("Drawn by")))
    columns += table_model.table_columns(
        CROWNS, "randcrowns_variance", randcrowns_variance={"title": tr("Variance")}
    )
    return columns


def variance_columns(names: Iterable[str] = ()) -> list[table_model.TableColumn]:
    """Return the columns of the table of variances, which has a row per annotator of targets.

    Args:
        names: Names of the annotators.
    """
    # Name of a column -> its title, in the order of the columns.
    titles = {}
    for score, score_title in SCORE_ABBREVIATIONS.items():
        titles[f"{score}_variance"] = f"{score_title} {tr('var.')}"
    for score, score_title in SCORE_ABBREVIATIONS.items():
        titles[f"{score}_mean"] = f"{score_title} {tr('mean')}"
    for score, score_title in SCORE_ABBREVIATIONS.items():
        titles[f"{score}_variance_low"] = f"{score_title} {tr('from')}"
        titles[f"{score}_variance_high"] = f"{score_title} {tr('to')}"
    extras = {name: {"title": title} for name, title in titles.items()}
    columns = table_model.table_columns(
        VARIANCE, "crowns", *titles, "too_small", "missed", **extras
    )
    return [_annotator_column(VARIANCE, "target_annotator", names), *columns]


def drawn_columns(names: Iterable[str] = ()) -> list[table_model.TableColumn]:
    """Return the columns of the table of crowns by annotator and plot.

    Args:
        names: Names of the annotators.
    """
    columns = table_model.table_columns(DRAWN, "plot", "drawn", "shared")
    return [_annotator_column(DRAWN, "annotator", names), *columns]


def excluded_columns(names: Iterable[str] = ()) -> list[table_model.TableColumn]:
    """Return the columns of the table of excluded crowns.

    Args:
        names: Names of the annotators, which are shortened in the reasons.
    """
    all_names = list(names)
    short_names = abbreviate_names(
        all_names, table_model.MAX_FULL_NAME_LENGTH, table_model.MAX_NAME_LENGTH
    )

    def format_reason(reason: object) -> str:
        """Return a reason with the short names of annotators."""
        return abbreviate_text(table_model.format_text(reason), short_names)

    columns = table_model.table_columns(
        EXCLUDED,
        "crown_id",
        "reason",
        crown_id=_ID_COLUMN,
        reason={"max_width": _MAX_REASON_WIDTH, "format_value": format_reason},
    )
    return [_annotator_column(EXCLUDED, "annotator", all_names), *columns]


def _annotator_column(output: Output, name: str, names: Iterable[str]) -> table_model.TableColumn:
    """Return a column of annotators, narrow so that ids and reasons stay visible.

    Args:
        output: Output with the column.
        name: Name of the column.
        names: Names of the annotators.
    """
    return replace(table_model.name_column(output, name, names), max_width=_MAX_NAME_WIDTH)


def describe_pair(pair: pd.Series) -> str:
    """Return a description of a pair drawn on the map: annotators, ids and scores.

    Args:
        pair: Row of :attr:`ExperimentResults.pairs`.
    """
    format_score = table_model.NumberFormat(2)
    return tr(
        "Red: {target} {target_id}. Black: {drawn} {drawn_id}. RandCrowns {randcrowns}, IoU {iou}, "
        "IoUCrowns {iou_crowns}.",
        target=pair["target_annotator"],
        target_id=pair["target_id"],
        drawn=pair["delineation_annotator"],
        drawn_id=pair["delineation_id"],
        **{score: format_score(pair[score]) for score in SCORE_ABBREVIATIONS},
    )


def describe_excluded(crown: pd.Series, candidates: dict[str, int]) -> str:
    """Return a description of an excluded crown drawn on the map.

    Args:
        crown: Row of :attr:`ExperimentResults.excluded_crowns`.
        candidates: Annotator -> id of the best match, for the other annotators that have one.
    """
    crown_text = tr(
        "Red: {annotator} {id}, excluded: {reason}.",
        annotator=crown["annotator"],
        id=crown["crown_id"],
        reason=crown["reason"],
    )
    if candidates:
        candidate_list = ", ".join(f"{name} {number}" for name, number in candidates.items())
        match_text = tr(
            "Black, the best match by each of the others: {names}.", names=candidate_list
        )
    else:
        match_text = tr("No other annotator has a crown there.")
    return f"{crown_text} {match_text}"
