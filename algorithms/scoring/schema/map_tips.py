"""Map tips of the layers of scored crowns, pairs and regions, made from their columns."""

from __future__ import annotations

from randcrowns.algorithms.map_tips import number, prefixed, read_field, score_table, show, words
from randcrowns.algorithms.scoring.schema.outputs import (
    PAIRS,
    REGIONS,
    SCORE_FIELDS,
    SCORED_DELINEATIONS,
)

#: Number of decimal places of scores.
_SCORE_DIGITS = 3
#: Column -> name of the score.
_SCORE_NAMES = {"randcrowns": "RandCrowns", "iou": "IoU", "iou_crowns": "IoUCrowns"}


def _compose_name_expression(column: str) -> str:
    """Return the QGIS expression of the name of a field of the layer with the prefix ``@p``."""
    return f"@p || '{SCORE_FIELDS[column].name.format(prefix='')}'"


def _compose_value_expression(column: str) -> str:
    """Return the QGIS expression of a value of the delineation layer with the prefix ``@p``."""
    return f"attribute($currentfeature, {_compose_name_expression(column)})"


def _compose_text_expression(column: str) -> str:
    """Return the QGIS expression of the display text of such a value."""
    value = _compose_value_expression(column)
    return f"represent_value({value}, {_compose_name_expression(column)})"


def _describe_scored_targets() -> str:
    """Return the map tip of scored targets, about the delineation layer with the prefix ``@p``."""
    scores = {}
    for column, name in _SCORE_NAMES.items():
        score = _compose_value_expression(column)
        scores[name] = prefixed(number(score, _SCORE_DIGITS))
    status_text = _compose_text_expression("status")
    status = words(prefixed(f"coalesce({status_text}, 'not scored')"))
    cause_value = _compose_value_expression("rc_cause")
    problem_text = _compose_text_expression("rc_problem")
    # A target without a cause shows its problem.
    cause = prefixed(f"coalesce(nullif({cause_value}, ''), {problem_text}, '')")
    title = show(prefixed("@p"))
    return f"<b>{title}</b><br>{score_table(scores)}{show(status)}<br>{show(cause)}"


def _describe_scores_and_status(columns: dict[str, str]) -> str:
    """Return the part of a map tip with the scores and the status of a feature.

    Args:
        columns: QGIS expression of each column, by its name.
    """
    scores = {name: number(columns[column], _SCORE_DIGITS) for column, name in _SCORE_NAMES.items()}
    status = words(f"coalesce(represent_value({columns['status']}), '')")
    return score_table(scores) + show(status)


def _describe_scored_delineations() -> str:
    """Return the map tip of scored delineations."""
    columns = {column.name: read_field(column) for column in SCORED_DELINEATIONS.columns}
    # The expression is valid in layers without the field, too.
    cause = "coalesce(attribute($currentfeature, 'rc_cause'), '')"
    return (
        f"<b>{show(columns['layer'])} {show(columns['delineation_id'])}</b><br>"
        f"{_describe_scores_and_status(columns)}<br>{show(cause)}"
    )


def _describe_pairs() -> str:
    """Return the map tip of scored pairs."""
    columns = {column.name: read_field(column) for column in PAIRS.columns}
    ids = f"{show(columns['target_id'])} – {show(columns['delineation_id'])}"
    return f"<b>{show(columns['layer'])}: {ids}</b><br>{_describe_scores_and_status(columns)}"


def _describe_regions() -> str:
    """Return the map tip of the regions of targets."""
    columns = {column.name: column for column in REGIONS.columns}
    region = f"represent_value({read_field(columns['region'])})"
    area = f"format_number({read_field(columns['area'])}, 2)"
    tau = f"format_number({read_field(columns['tau'])}, 2)"
    return (
        f"<b>{show(read_field(columns['target_id']))} {show(region)}</b><br>"
        f"{show(area)} {columns['area'].unit}<br>"
        f"{columns['tau'].label} {show(tau)} {columns['tau'].unit}"
    )


#: Map tip of each style, by the name of the QML file.
MAP_TIPS = {
    "scored_targets": _describe_scored_targets(),
    "scored_delineations": _describe_scored_delineations(),
    "pairs": _describe_pairs(),
    "regions": _describe_regions(),
}
