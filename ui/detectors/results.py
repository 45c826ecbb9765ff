"""Results of page Detectors: the tables of a run, and the columns that display them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from qgis.core import QgsProject

from randcrowns.algorithms.detectors.schema import outputs, parameters
from randcrowns.algorithms.detectors.schema.outputs import AREAS, CLASSES, CROWNS
from randcrowns.algorithms.output_types import Column as OutputColumn
from randcrowns.algorithms.output_types import Output
from randcrowns.core.arrays import interval_text
from randcrowns.core.detectors.class_precision import ClassRow
from randcrowns.core.detectors.ranking import find_distinct_rankings
from randcrowns.layers.localization import format_value, message_texts, tr
from randcrowns.report.names import abbreviate_names
from randcrowns.ui.services.run_outcome import Succeeded
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.widgets.table_model import (
    NumberFormat,
    TableColumn,
    find_table_column,
    format_text,
    name_column,
    table_columns,
)

#: Colours of the ranks from 1 on, readable with any colour vision; the last is for all others.
_RANK_COLOURS = ("#7fcdbb", "#c7e9b4", "#edf8b1", "#f4f4f4")

#: Maximum length of names that are titles of columns without being shortened.
_MAX_FULL_TITLE_LENGTH = 8
#: Maximum length of a shortened name in the title of a column.
_MAX_TITLE_LENGTH = 16
#: Maximum width of a column of reasons in pixels; the tooltip contains the whole reason.
_MAX_REASON_WIDTH = 160


class DetectorResults:
    """Tables and messages of a ranking of detectors.

    All tables except the correlations have a column ``counted`` with a unit: "areas" or "crowns".

    Args:
        outcome: The outputs of the run.
        settings: Settings of the run.
    """

    def __init__(self, outcome: Succeeded, settings: Settings) -> None:
        self._outcome = outcome
        #: One row per unit, detector, ground truth and image; rows of all images together first.
        self.scores_by_image = outcome.table(outputs.AUCR)
        #: One row per unit, detector and ground truth, of all images together.
        self.scores = self.scores_by_image.drop_duplicates(
            ["counted", "detector", "truth"], ignore_index=True
        )
        #: One row per point of a curve.
        self.curves = outcome.table(outputs.CURVES)
        #: One row per unit and position, one column per distinct ranking.
        self.rankings = outcome.table(outputs.RANKINGS)
        #: One row per unit and detector, with the probability of each rank.
        self.certainty = outcome.table(outputs.CERTAINTY_TABLE)
        #: One row per detector: correlation of its scores with the number of annotators.
        self.correlations = _with_interval_texts(outcome.table(outputs.CORRELATIONS))
        #: Metrics of COCO per detector and ground truth; empty without whole crowns.
        self.coco = outcome.table(outputs.COCO)
        #: Average precision per detector, ground truth and class; empty without classes.
        self.classes = outcome.table(outputs.CLASS_PRECISION)
        #: Average precision and recall per detector, ground truth and threshold of IoU.
        self.thresholds = outcome.table(outputs.THRESHOLDS)
        #: Places that several detectors mark and no annotator does, a row each.
        self.unmarked_places = outcome.table(outputs.LOOK_AGAIN)
        #: Id of the layer with the outlines of these places.
        self.places_layer_id = str(outcome.layers[outputs.LOOK_AGAIN.id].id())
        #: Id of the layer with the outlines of all ground truths that the run made.
        self.truths_layer_id = str(outcome.layers[outputs.TRUTH_POLYGONS.id].id())
        #: Name of a detector, an annotator or a ground truth -> id of its layer.
        self.layer_ids_by_name = _layer_ids_by_name(
            settings[parameters.ANNOTATORS],
            settings[parameters.DETECTORS],
            settings[parameters.GROUND_TRUTH_LAYERS],
        )
        #: True if only some crowns were drawn, so that only the recall of crowns is known.
        self.is_partial = not settings[parameters.ALL_DRAWN]
        #: True if crowns were matched by RandCrowns, which tolerates more than IoU.
        self.is_matched_by_randcrowns = settings[parameters.CROWN_SCORE] == "randcrowns"
        #: Sentences about the settings that the numbers depend on.
        self.settings_sentences = self.sentences_of("study_area")
        if CROWNS in set(self.scores["counted"]):
            self.settings_sentences += _crown_settings(settings)

    def sentences_of(self, *topics: str) -> list[str]:
        """Return the sentences of the messages of some topics."""
        return message_texts(self._outcome.messages_of(*topics))

    @property
    def units(self) -> list[str]:
        """Units that were counted: areas, crowns, or both.

        Crowns come first if the run has a headline, a conclusion about both units, or if it has a
        single detector.
        """
        units = list(dict.fromkeys(self.scores["counted"]))
        if self.sentences_of("headline") or len(self.detectors) == 1:
            units.reverse()
        return units

    @property
    def detectors(self) -> list[str]:
        """Names of the detectors in the order of the run."""
        return list(dict.fromkeys(self.scores["detector"]))

    def truths_of(self, unit: str) -> list[str]:
        """Return the names of the ground truths of a unit ("areas" or "crowns"), in their order."""
        return list(dict.fromkeys(self.scores.loc[self.scores["counted"] == unit, "truth"]))

    def find_in_ranking(self, unit: str, position: str, ranking: str) -> tuple[str, str]:
        """Return the detector in a cell of the table of rankings, and a ground truth.

        Args:
            unit: Unit, "areas" or "crowns".
            position: Position in the ranking, from "1" on.
            ranking: Column of the table, such as "ranking_2".

        Returns:
            Name of the detector at the position, "" if several are tied or none is there; and name
            of the first ground truth that gives the ranking. ("", "") for other columns.
        """
        number = ranking.removeprefix("ranking_")
        if not number.isdigit():
            return "", ""
        distinct_rankings = find_distinct_rankings(self._ranks_of(unit))
        selected_ranking = distinct_rankings[int(number) - 1]
        first_truth = selected_ranking.truths[0]
        # Detectors that are tied share a position; the next position follows after all of them.
        next_position = 1
        for tied_detectors in selected_ranking.places:
            if str(next_position) == position and len(tied_detectors) == 1:
                return tied_detectors[0], first_truth
            next_position += len(tied_detectors)
        return "", first_truth

    def _ranks_of(self, unit: str) -> pd.DataFrame:
        """Return the ranks by a unit: a row per detector and a column per ground truth.

        Args:
            unit: Unit, "areas" or "crowns".
        """
        unit_scores = self.scores[self.scores["counted"] == unit]
        ranks = unit_scores.pivot_table(values="rank", index="detector", columns="truth")
        return ranks.astype(float).reindex(index=self.detectors, columns=self.truths_of(unit))


def _crown_settings(settings: Settings) -> list[str]:
    """Return sentences about the plot field, and whether all crowns were drawn."""
    plot_field = settings[parameters.PLOT_FIELD]
    if settings[parameters.ALL_DRAWN]:
        drawn_text = tr("All crowns were drawn.")
    else:
        drawn_text = tr("Only some crowns were drawn: detections that match none are not judged.")
    plot_text = tr("Plots: {field}.", field=plot_field) if plot_field else tr("No plots.")
    return [plot_text, drawn_text]


def _layer_ids_by_name(*ids_by_role: tuple[str, ...]) -> dict[str, str]:
    """Return the ids of layers by the names that a run gives them.

    Args:
        ids_by_role: Ids of the annotators, of the detectors, and of other ground truths. Layers
            that are no longer in the project are ignored.
    """
    project = QgsProject.instance()
    names_by_role = []
    layer_ids = []
    for role_ids in ids_by_role:
        layers = [project.mapLayer(layer_id) for layer_id in role_ids]
        existing_layers = [layer for layer in layers if layer is not None]
        names_by_role.append([layer.name() for layer in existing_layers])
        layer_ids += [layer.id() for layer in existing_layers]
    unique_names = parameters.unique_layer_names(*names_by_role)
    return dict(zip(unique_names, layer_ids))


def rank_colour(rank: Any) -> str:
    """Return the background colour of a rank, or "" if the rank is NaN."""
    if pd.isna(rank):
        return ""
    colour_number = min(int(rank), len(_RANK_COLOURS))
    return _RANK_COLOURS[colour_number - 1]


def make_score_table(
    scores: pd.DataFrame,
    unit: str,
    detectors: list[str],
    is_partial: bool = False,
    has_iou_recall: bool = False,
) -> tuple[pd.DataFrame, list[TableColumn]]:
    """Return the table of scores: a row per ground truth and a column per detector.

    Args:
        scores: One row per unit, detector, ground truth and image.
        unit: Unit that is displayed, "areas" or "crowns".
        detectors: Names of the detectors, in the order of their columns.
        is_partial: True if only some crowns were drawn. The scores of crowns are then recalls.
        has_iou_recall: True to display the recall of crowns at an IoU too.

    Returns:
        The table, and the columns that display it, shaded by rank. The table has the columns
        ``image`` ("" without images), ``truth``, ``skew``, ``crowns`` and ``reason``. For each
        detector i it has ``value_i``, ``rank_i``, ``shade_i``, ``detections_i`` and
        ``not_judged_i``.
    """
    score_column = "crown_recall" if is_partial and unit == CROWNS else "value"
    unit_scores = scores[scores["counted"] == unit]
    frame = _arrange_scores(unit_scores, detectors, score_column)
    columns = [name_column(outputs.AUCR, "truth", frame["truth"])]
    if frame["image"].any():
        columns.append(name_column(outputs.AUCR, "image", frame["image"]))
    measure = _describe_measure(unit, score_column)
    columns += _detector_score_columns(detectors, _scored_numbers(frame, detectors), measure)
    if unit == AREAS:
        skew_column = _output_column(outputs.AUCR, "skew")
        columns.append(find_table_column(skew_column))
    else:
        if has_iou_recall and "crown_recall_iou" in unit_scores:
            columns.append(_add_iou_recall_column(frame, detectors))
        columns += table_columns(outputs.AUCR, "crowns")
        columns += _add_detection_columns(frame, detectors)
    columns += _reason_columns(outputs.AUCR, frame)
    return frame, columns


def _arrange_scores(
    unit_scores: pd.DataFrame, detectors: list[str], score_column: str
) -> pd.DataFrame:
    """Return the scores by one unit with a row per image and ground truth.

    Args:
        unit_scores: One row per detector, ground truth and image.
        detectors: Names of all detectors, in the order of their columns.
        score_column: Column of ``unit_scores`` with the score.

    Returns:
        A table with the columns of :func:`_score_row`.
    """
    images = unit_scores["image"].fillna("") if "image" in unit_scores else ""
    scores_with_image = unit_scores.assign(image=images)
    rows = []
    for (image, truth), truth_scores in scores_with_image.groupby(["image", "truth"], sort=False):
        rows.append(_score_row(image, truth, truth_scores, detectors, score_column))
    frame = pd.DataFrame(rows)
    # A detector that a ground truth does not score has no shade in its row.
    shade_columns = [f"shade_{number}" for number in _scored_numbers(frame, detectors)]
    frame[shade_columns] = frame[shade_columns].fillna("")
    return frame


def _output_column(output: Output, name: str) -> OutputColumn:
    """Return the declared column of an output with a name."""
    return output.select_columns([name])[0]


def _scored_numbers(score_table: pd.DataFrame, detectors: list[str]) -> list[int]:
    """Return the positions in ``detectors`` of the detectors that a table of scores contains.

    Args:
        score_table: Table with a column ``value_<position>`` per detector.
        detectors: Names of all detectors.
    """
    return [number for number in range(len(detectors)) if f"value_{number}" in score_table]


def _detector_score_columns(
    detectors: list[str], scored_numbers: list[int], measure: str
) -> list[TableColumn]:
    """Return the columns that display the score of each detector, shaded by its rank.

    Args:
        detectors: Names of all detectors.
        scored_numbers: Positions in ``detectors`` of the detectors with scores.
        measure: Description of the score, for the tooltips.
    """
    titles = abbreviate_names(detectors, _MAX_FULL_TITLE_LENGTH, _MAX_TITLE_LENGTH)
    columns = []
    for number in scored_numbers:
        detector = detectors[number]
        columns.append(
            TableColumn(
                f"value_{number}",
                titles[detector],
                f"{detector}: {measure}",
                NumberFormat(3),
                shade_column=f"shade_{number}",
                saved_title=detector,
            )
        )
    return columns


def _score_row(
    image: str, truth: str, truth_scores: pd.DataFrame, detectors: list[str], score_column: str
) -> dict[str, Any]:
    """Return the table row with the scores of all detectors under one ground truth.

    Args:
        image: Name of the image; "" without images.
        truth: Name of the ground truth.
        truth_scores: Scores under this ground truth, one row per detector. The skew and the number
            of crowns belong to the ground truth and are the same in all rows.
        detectors: Names of all detectors, in the order of their columns.
        score_column: Column of ``truth_scores`` with the score.

    Returns:
        Values by column: ``image``, ``truth``, ``skew``, ``crowns``, the first ``reason`` why a
        score is missing ("" if none is), and for the detector at position i ``value_i``,
        ``rank_i``, ``shade_i``, ``detections_i``, ``not_judged_i`` and ``crown_recall_iou_i``
        (NaN if an earlier version of the plugin made the results).
    """
    is_missing = truth_scores[score_column].isna()
    possible_reasons = truth_scores.loc[is_missing, "reason"].dropna()
    reasons = [reason for reason in possible_reasons if reason]
    truth_properties = truth_scores.iloc[0]
    table_row: dict[str, Any] = {
        "image": image,
        "truth": truth,
        "skew": truth_properties["skew"],
        "crowns": truth_properties["crowns"],
        "reason": reasons[0] if reasons else "",
    }
    for _, score in truth_scores.iterrows():
        number = detectors.index(score["detector"])
        table_row[f"value_{number}"] = score[score_column]
        table_row[f"rank_{number}"] = score["rank"]
        table_row[f"shade_{number}"] = rank_colour(score["rank"])
        table_row[f"detections_{number}"] = score["detections"]
        table_row[f"not_judged_{number}"] = score["not_judged"]
        table_row[f"crown_recall_iou_{number}"] = score.get("crown_recall_iou", np.nan)
    return table_row


def _describe_measure(unit: str, score_column: str) -> str:
    """Return the tooltip of a score.

    Args:
        unit: Unit that is counted, "areas" or "crowns".
        score_column: Column with the score, "value" or "crown_recall".
    """
    if score_column == "crown_recall":
        return tr(
            "Recall over whole crowns: the share of the annotator's crowns that it finds, 0 to 1."
        )
    if unit == CROWNS:
        return tr(
            "Average precision over whole crowns, all points of the curve, 0 to 1; the darker, the "
            "better its rank."
        )
    return tr(
        "AUCR, area under the P̄-recall curve, 0 to 1 (Lampert et al. 2016); the darker, the better "
        "its rank."
    )


def _add_detection_columns(frame: pd.DataFrame, detectors: list[str]) -> list[TableColumn]:
    """Add the numbers of detections to a table of scores, and return columns that display them.

    The numbers of all detectors are in one column, separated by slashes. The column of detections
    that were not judged is displayed only if there are any.

    Args:
        frame: Table of :func:`make_score_table`, changed in place: the columns ``detections`` and
            ``not_judged`` are added.
        detectors: Names of all detectors.
    """
    scored_numbers = _scored_numbers(frame, detectors)
    columns = []
    for count_field in outputs.AUCR.select_columns(("detections", "not_judged")):
        name = count_field.name
        # A row per ground truth, a column per detector.
        counts = frame[[f"{name}_{number}" for number in scored_numbers]]
        frame[name] = [_format_counts(row) for row in counts.itertuples(index=False)]
        if name == "detections" or counts.any(axis=None):
            columns.append(_joined_column(count_field, scored_numbers, detectors))
    return columns


def _add_iou_recall_column(frame: pd.DataFrame, detectors: list[str]) -> TableColumn:
    """Add the recalls at an IoU to a table of scores, and return the column that displays them.

    Args:
        frame: Table of :func:`make_score_table`, changed in place: the column
            ``crown_recall_iou`` is added, with the numbers of all detectors separated by slashes.
        detectors: Names of all detectors.
    """
    recall_field = _output_column(outputs.AUCR, "crown_recall_iou")
    scored_numbers = _scored_numbers(frame, detectors)
    recall_columns = [f"{recall_field.name}_{number}" for number in scored_numbers]
    joined_texts = []
    for recalls in frame[recall_columns].itertuples(index=False):
        texts = [format_value(recall, 3) for recall in recalls]
        joined_texts.append(" / ".join(texts))
    frame[recall_field.name] = joined_texts
    return _joined_column(recall_field, scored_numbers, detectors)


def _joined_column(
    field: OutputColumn, scored_numbers: list[int], detectors: list[str]
) -> TableColumn:
    """Return a column whose texts contain a number of each detector; the tooltip names the order.

    Args:
        field: Column of the output that declares title and help.
        scored_numbers: Positions in ``detectors`` of the detectors with scores.
        detectors: Names of all detectors.
    """
    tooltip = field.help
    if len(scored_numbers) > 1:
        scored_names = [detectors[number] for number in scored_numbers]
        order_text = tr("In this order: {names}.", names=" / ".join(scored_names))
        tooltip = f"{tooltip} {order_text}"
    return find_table_column(field, tooltip=tooltip, format_value=format_text)


def _format_counts(counts: Iterable[float]) -> str:
    """Return numbers of detections as one text, separated by slashes."""
    return " / ".join(format_value(int(count), 0) for count in counts)


def ranking_columns(rankings: pd.DataFrame) -> list[TableColumn]:
    """Return the columns that display distinct rankings side by side.

    Args:
        rankings: One row per position, with a column ``ranking_<number>`` per ranking. Columns
            without any value are omitted.
    """
    ranking_names = [
        name
        for name in rankings.columns
        if name.startswith("ranking_") and rankings[name].notna().any()
    ]
    return table_columns(outputs.RANKINGS, "position", *ranking_names)


def coco_columns(coco: pd.DataFrame) -> list[TableColumn]:
    """Return the columns that display COCO's average precision and recall.

    Args:
        coco: One row per detector and ground truth. Metrics that it lacks are omitted.
    """
    name_columns = [name_column(outputs.COCO, name, coco[name]) for name in ("detector", "truth")]
    metrics = [name for name in outputs.COCO.field_names[2:] if name in coco]
    return [*name_columns, *table_columns(outputs.COCO, *metrics)]


def make_class_table(classes: pd.DataFrame) -> tuple[pd.DataFrame, list[TableColumn]]:
    """Return the table of average precision by class, the means over classes first.

    Args:
        classes: One row per detector, ground truth and class, and one for the mean over classes.

    Returns:
        The table, in which the class of a mean is a text that says so, and its columns.
    """
    output = outputs.CLASS_PRECISION
    is_mean = classes["kind"] == ClassRow.MEAN.value
    mean_text = _output_column(output, "kind").display_texts[ClassRow.MEAN.value]
    named_classes = classes.assign(**{"class": classes["class"].mask(is_mean, mean_text)})
    frame = pd.concat([named_classes[is_mean], named_classes[~is_mean]], ignore_index=True)
    columns = table_columns(output, "class")
    columns += [name_column(output, name, frame[name]) for name in ("detector", "truth")]
    columns += table_columns(output, "ap", "rank", "ap50", "ap75", "targets", "detections")
    return frame, columns


def make_threshold_table(
    thresholds: pd.DataFrame, detectors: list[str], is_partial: bool = False
) -> tuple[pd.DataFrame, list[TableColumn]]:
    """Return the table of mean average precision by threshold of IoU.

    Args:
        thresholds: One row per detector, ground truth and threshold.
        detectors: Names of all detectors.
        is_partial: True if only some crowns were drawn. The table then contains recalls.

    Returns:
        The table, with a row per threshold, and the columns that display it. Its columns are
        ``iou``, the threshold, and ``ap_<i>``, the mean over the ground truths of detector i.
    """
    measure = "recall" if is_partial else "ap"
    # A row per threshold and a column per detector; ground truths are averaged.
    means = thresholds.pivot_table(
        values=measure, index="iou", columns="detector", aggfunc="mean", dropna=False
    )
    # Name of a detector with values -> name of its column.
    column_names = {name: f"ap_{number}" for number, name in enumerate(detectors) if name in means}
    frame = means[list(column_names)].rename(columns=column_names).reset_index()
    if is_partial:
        tooltip = tr("Recall at this IoU, mean over the ground truths; all detections count.")
    else:
        tooltip = tr(
            "Average precision at this IoU (101 recall levels), mean over the ground truths; all "
            "detections count."
        )
    titles = abbreviate_names(list(column_names), _MAX_FULL_TITLE_LENGTH, _MAX_TITLE_LENGTH)
    columns = table_columns(outputs.THRESHOLDS, "iou")
    for detector, column_name in column_names.items():
        column = TableColumn(
            column_name,
            title=titles[detector],
            tooltip=f"{detector}: {tooltip}",
            format_value=NumberFormat(3),
            saved_title=detector,
        )
        columns.append(column)
    return frame, columns


def correlation_columns(correlations: pd.DataFrame) -> list[TableColumn]:
    """Return the columns that display correlations of scores with the number of annotators.

    Args:
        correlations: :attr:`DetectorResults.correlations`. Columns without any value are omitted.
    """
    output = outputs.CORRELATIONS
    number_columns = []
    for name in ("cco", "cci"):
        number, low, p_value = table_columns(output, name, f"{name}_low", f"{name}_p")
        interval = replace(
            low, name=f"{name}_between", title=tr("interval"), format_value=format_text
        )
        number_columns += [number, interval, replace(p_value, title="p")]
    number_columns += table_columns(output, "difference")
    has_values = correlations.replace("", None).notna().any()  # by the name of the column
    columns = [name_column(output, "detector", correlations["detector"])]
    columns += [column for column in number_columns if has_values[column.name]]
    columns += _reason_columns(output, correlations)
    return columns


def _with_interval_texts(correlations: pd.DataFrame) -> pd.DataFrame:
    """Return a copy of the correlations with their intervals as text.

    The columns ``cco_between`` and ``cci_between`` are added; "" for undefined intervals.
    """
    new_columns = {}
    for name in ("cco", "cci"):
        lows = correlations[f"{name}_low"].to_numpy(float)
        highs = correlations[f"{name}_high"].to_numpy(float)
        texts = []
        for low, high in zip(lows, highs):
            texts.append("" if np.isnan(low) else interval_text(low, high))
        new_columns[f"{name}_between"] = texts
    return correlations.assign(**new_columns)


def make_certainty_table(
    certainty: pd.DataFrame, unit: str
) -> tuple[pd.DataFrame, list[TableColumn]]:
    """Return the table of the probabilities of ranks.

    Args:
        certainty: One row per unit and detector.
        unit: Unit that is displayed, "areas" or "crowns".

    Returns:
        One row per detector that is ranked by the unit, and the columns that display it. Those of
        crowns are followed by those of the ranking by classes.
    """
    output = outputs.CERTAINTY_TABLE
    unit_rows = certainty[certainty["counted"] == unit]
    class_rows = certainty[certainty["counted"] == CLASSES]
    # There are as many ranks as detectors of this unit; the table may have more columns.
    all_rank_names = [name for name in certainty.columns if name.startswith("rank_")]
    rank_names = all_rank_names[: len(unit_rows)]
    frame = unit_rows
    columns = []
    if unit == CROWNS and len(class_rows):
        frame = pd.concat([unit_rows, class_rows])
        columns += table_columns(output, "counted")
    columns.append(name_column(output, "detector", frame["detector"]))
    columns += table_columns(output, "value", *rank_names, "beats_next")
    return frame, columns


def _reason_columns(output: Output, frame: pd.DataFrame) -> list[TableColumn]:
    """Return the column of reasons why values are missing in a list; [] if there is no reason.

    Args:
        output: The output that declares the column.
        frame: Table with a column ``reason``.
    """
    if not frame["reason"].fillna("").any():
        return []
    reason_column = _output_column(output, "reason")
    return [find_table_column(reason_column, max_width=_MAX_REASON_WIDTH)]


def place_columns() -> list[TableColumn]:
    """Return the columns of the places that several detectors mark and no annotator does."""
    return table_columns(
        outputs.LOOK_AGAIN, "place", "votes", "detectors", "confidence", "looked", "area", "members"
    )
