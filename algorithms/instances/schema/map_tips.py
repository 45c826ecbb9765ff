"""Map tip of the layers of matched instances, made from their columns."""

from __future__ import annotations

from randcrowns.algorithms.instances.schema.outputs import MATCHED_PREDICTIONS, MATCHED_TARGETS
from randcrowns.algorithms.map_tips import number, read_field, show, words


def _describe_matched_instances() -> str:
    """Return the map tip of matched targets and predictions, which share the columns it shows."""
    prediction_columns = {column.name for column in MATCHED_PREDICTIONS.columns}
    columns = {
        column.name: column
        for column in MATCHED_TARGETS.columns
        if column.name in prediction_columns
    }
    status = words(f"represent_value({read_field(columns['status'])})")
    match = read_field(columns["match_id"])
    metrics = (
        f"{label} {show(number(read_field(columns[name]), columns[name].digits or 0))}"
        for name, label in (("iou", "IoU"), ("precision", "precision"), ("recall", "recall"))
    )
    return (
        f"<b>{show(status)}</b><br>"
        + show(f"if({match} is null, 'no match', 'match: ' || {match})")
        + f"<br>{', '.join(metrics)}"
    )


#: Map tip of each style, by the name of the QML file.
MAP_TIPS = {"matched_instances": _describe_matched_instances()}
