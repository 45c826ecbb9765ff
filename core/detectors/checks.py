"""Checks and errors of the input of a ranking, however its layers are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from randcrowns.core.errors import InputError


def check_detectors_chosen(detectors: Sequence[Any]) -> None:
    """Raise an InputError if there is no detector.

    >>> check_detectors_chosen(["crowns.gpkg"])
    """
    if not detectors:
        raise InputError(
            "detectors.not_chosen",
            "Choose at least one detector: a raster, or a polygon layer with a score field.",
        )


def no_score_field_error(layer: str, field: str) -> InputError:
    """Return the error that a detector's layer has no numeric field with scores.

    Args:
        layer: name of the layer.
        field: name of the field that should hold the scores; "" if none is chosen.
    """
    return InputError(
        "detectors.no_score_field",
        "Layer '{name}' has no numeric field '{field}' with scores. Select its score field, or "
        "remove the layer from the detectors.",
        name=layer,
        field=field,
    )


def check_class_field(
    field: str, annotators: Mapping[str, bool], detectors: Iterable[bool], parameter: str
) -> None:
    """Raise an InputError if the classes of detectors cannot be compared with annotators'.

    Args:
        field: class field of the annotators; "" without classes.
        annotators: True if a layer has the field, by name of the annotator's layer.
        detectors: True for each detector's layer with a class field.
        parameter: name of the parameter with the field.

    >>> check_class_field("species", {"ann": True}, [True, False], "Class")
    """
    if not field:
        return
    if not any(annotators.values()):
        raise InputError(
            "classes.no_field",
            "Layer '{name}' has no field '{field}', which is chosen as '{parameter}'.",
            name=", ".join(annotators),
            field=field,
            parameter=parameter,
        )
    if not any(detectors):
        raise InputError(
            "detectors.no_class_field",
            "No detector has a field with classes. Choose the class field of the detectors, or "
            "leave '{parameter}' empty.",
            parameter=parameter,
        )


def check_crown_score(crown_score: str, in_pixels: bool) -> None:
    """Raise an InputError if crowns in pixel coordinates are to be matched by RandCrowns.

    Args:
        crown_score: score by which crowns match, ``iou`` or ``randcrowns``.
        in_pixels: True if the layers are in pixel coordinates.

    >>> check_crown_score("iou", in_pixels=True)
    """
    if crown_score == "randcrowns" and in_pixels:
        raise InputError(
            "detectors.randcrowns_in_pixels",
            "RandCrowns requires lengths in metres, but the layers lie in pixel coordinates. Match "
            "crowns by IoU.",
        )


def nothing_left_error() -> InputError:
    """Return the error that training areas and areas to ignore cover the whole study area."""
    return InputError(
        "ranking.nothing_left",
        "Nothing is left of the study area but training areas and areas to ignore. Choose a larger "
        "one.",
    )
