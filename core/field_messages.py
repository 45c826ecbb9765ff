"""Messages about fields that a layer lacks, or that are empty, and about its coordinate system."""

from __future__ import annotations

from randcrowns.core.messages import Message, note


def no_score_field_message(layer: str, field: str) -> Message:
    """Return the message that a layer has no field with the scores of a detector.

    Args:
        layer: name of the layer.
        field: name of the field.
    """
    return note(
        "input.no_score_field",
        "Layer '{layer}' has no field '{field}'; all its crowns were kept.",
        layer=layer,
        field=field,
    )


def unused_score_field_message(layer: str, field: str) -> Message:
    """Return the message that a field looks like the scores of a detector, but is not chosen.

    Args:
        layer: name of the layer.
        field: name of the field.
    """
    return note(
        "input.unused_score_field",
        "Field '{field}' of layer '{layer}' looks like the scores of a detector, but is not chosen "
        "as the score field: all crowns count, whatever their score.",
        layer=layer,
        field=field,
    )


def no_class_field_message(layer: str, field: str) -> Message:
    """Return the message that a layer has no field with the classes of its crowns.

    Args:
        layer: name of the layer.
        field: name of the field.
    """
    return note(
        "input.no_class_field",
        "Layer '{layer}' has no field '{field}'. The classes of its crowns are not compared.",
        layer=layer,
        field=field,
    )


def no_plot_field_message(layer: str, field: str) -> Message:
    """Return the message that a layer has no field with the plots of its crowns.

    Args:
        layer: name of the layer.
        field: name of the field.
    """
    return note(
        "input.no_group_field",
        "Layer '{layer}' has no field '{field}'. Each of its crowns belongs to the plot of the "
        "nearest target.",
        layer=layer,
        field=field,
    )


def without_plot_message(layer: str, field: str, n_crowns: int) -> Message:
    """Return the message that crowns have no plot.

    Args:
        layer: name of the layer.
        field: field with the plots.
        n_crowns: number of crowns without a plot.
    """
    return note(
        "input.no_group",
        "Layer '{layer}': {count:,} crowns have no value in field '{field}'. They are compared "
        "with one another, as one plot without a row in the summary.",
        one="Layer '{layer}': 1 crown has no value in field '{field}'. It belongs to a plot of its "
        "own, without a row in the summary.",
        layer=layer,
        count=n_crowns,
        field=field,
    )


def transformed_message(layer: str, crs: str, working: str) -> Message:
    """Return the message that a layer was transformed to the working coordinate system.

    Args:
        layer: name of the layer.
        crs: code or name of the coordinate system of the layer.
        working: name of the working coordinate system.
    """
    return note(
        "input.brought",
        "Layer '{layer}' is in {crs}; it was transformed to {working}.",
        layer=layer,
        crs=crs,
        working=working,
    )
