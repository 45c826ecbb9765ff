"""Map tip of the layers of matched instances, made from their columns."""

from __future__ import annotations

from randcrowns.algorithms.instances.schema.outputs import MATCHED_PREDICTIONS, MATCHED_TARGETS
from randcrowns.algorithms.map_tips import number, read_field, show, words


def _describe_matched_instances() -> str:
    """Return the map tip of matched targets and predictions, which share the columns it shows."""
    prediction_columns = {column.name for column in MATCHED_PREDICTIONS.columns}
    columns = {}
    for column in MATCHED_TARGETS.columns:
        if column.name in prediction_columns:
            columns[column.name] = column

    status_value = read_field(columns["status"])
    status = show(words(f"represent_value({status_value})"))
    match_id = read_field(columns["match_id"])
    match = show(f"if({match_id} is null, 'no match', 'match: ' || {match_id})")
    metrics = []
    for name, label in (("iou", "IoU"), ("precision", "precision"), ("recall", "recall")):
        value = number(read_field(columns[name]), columns[name].digits or 0)
        metrics.append(f"{label} {show(value)}")
    return f"<b>{status}</b><br>{match}<br>{', '.join(metrics)}"


#: Map tip of each style, by the name of the QML file.
MAP_TIPS = {"matched_instances": _describe_matched_instances()}
