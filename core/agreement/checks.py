"""Checks of the annotators of a comparison, and messages about polygons that do not count."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from typing import Any

import shapely

from randcrowns.core.agreement.votes import MAX_ANNOTATORS
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, note
from randcrowns.core.names import numeric_sort_key


def check_number_of_annotators(n_annotators: int) -> None:
    """Raise an InputError if there are more annotators than a vote table holds.

    >>> check_number_of_annotators(2)
    """
    if n_annotators > MAX_ANNOTATORS:
        raise InputError(
            "annotators.too_many",
            "At most {most} annotators can be compared, but {count} layers were chosen.",
            most=MAX_ANNOTATORS,
            count=n_annotators,
        )


def not_chosen_error() -> InputError:
    """Return the error that there is no layer of an annotator."""
    return InputError("annotators.not_chosen", "Choose the annotators' layers, at least one.")


def no_annotator_field_error(layer: str, field: str) -> InputError:
    """Return the error that a layer has no field that names the annotator.

    Args:
        layer: name of the layer.
        field: name of the field.
    """
    return InputError(
        "annotators.no_field",
        "Layer '{name}' has no field '{field}' that names the annotator.",
        name=layer,
        field=field,
    )


def no_usable_polygons_error() -> InputError:
    """Return the error that no annotator has a polygon that can be used."""
    return InputError(
        "annotators.no_usable_polygons",
        "None of the annotators' layers has a polygon that can be used.",
    )


def sort_annotators(names: Iterable[str], field: str) -> list[str]:
    """Return the names of the annotators in a field, numbers by their value, then other names.

    Args:
        names: names in the field; they may be repeated.
        field: the field, for the error.

    Raises:
        InputError: if there is no name.

    >>> sort_annotators(["ben", "10", "2", "ben"], "annotator")
    ['2', '10', 'ben']
    """
    distinct_names = set(names)
    if not distinct_names:
        raise InputError(
            "annotators.field_empty",
            "No polygon has anything in field '{field}', so there is no annotator.",
            field=field,
        )
    return sorted(distinct_names, key=numeric_sort_key)


def default_reviewed_area(
    area: Any, reviewed: Mapping[str, Any], annotators: Collection[str]
) -> tuple[Any, list[Message]]:
    """Return a study area of what was reviewed, if that is known of everybody and none was chosen.

    A study area that was chosen stays, because votes leave out what nobody has reviewed.

    Args:
        area: chosen study area; None without one.
        reviewed: reviewed areas by annotator.
        annotators: names of the annotators.

    Returns:
        The study area, and a message if it is what was reviewed.

    >>> area, messages = default_reviewed_area(None, {"ann": shapely.box(0, 0, 1, 1)}, ["ann"])
    >>> area.bounds, [message.key for message in messages]
    ((0.0, 0.0, 1.0, 1.0), ['reviewed.study_area'])
    """
    if area is not None or set(reviewed) != set(annotators):
        return area, []
    message = note(
        "reviewed.study_area",
        "No study area was chosen: the area that any annotator has reviewed was used.",
    )
    return shapely.union_all(list(reviewed.values())), [message]


def nothing_left_error() -> InputError:
    """Return the error that nothing of the study area is left without the excluded areas."""
    return InputError(
        "study_area.nothing_left",
        "Nothing is left of the study area; exclude less of it, or choose a larger one.",
    )


class OutsideLocation(Enum):
    """Location of polygons that do not count; the value is the end of the message key."""

    OUTSIDE = "outside"
    EXCLUDED = "excluded"
    EITHER = "either"


#: Messages about an annotator whose polygons all lie there: for several polygons, for one.
_ANNOTATOR_OUTSIDE = {
    OutsideLocation.OUTSIDE: (
        "{name}: all {count:,} polygons lie outside the study area, so none counts.",
        "{name}: the one polygon lies outside the study area, so it does not count.",
    ),
    OutsideLocation.EXCLUDED: (
        "{name}: all {count:,} polygons lie in the excluded areas, so none counts.",
        "{name}: the one polygon lies in the excluded areas, so it does not count.",
    ),
    OutsideLocation.EITHER: (
        "{name}: all {count:,} polygons lie outside the study area or in the excluded areas, so "
        "none counts.",
        "{name}: the one polygon lies outside the study area or in the excluded areas, so it does "
        "not count.",
    ),
}
#: Errors if the polygons of all annotators lie there: for several polygons, for one.
_ALL_OUTSIDE = {
    OutsideLocation.OUTSIDE: (
        "None of the {count:,} polygons reaches into the study area, so nothing can be compared. "
        "Choose another study area, or check the layers' coordinate systems.",
        "The one polygon does not reach into the study area, so nothing can be compared. Choose "
        "another study area, or check the layers' coordinate systems.",
    ),
    OutsideLocation.EXCLUDED: (
        "All {count:,} polygons lie in the excluded areas, so nothing can be compared. Exclude "
        "smaller areas.",
        "The one polygon lies in the excluded areas, so nothing can be compared. Exclude smaller "
        "areas.",
    ),
    OutsideLocation.EITHER: (
        "All {count:,} polygons lie outside the study area or in the excluded areas, so nothing "
        "can be compared. Exclude smaller areas.",
        "The one polygon lies outside the study area or in the excluded areas, so nothing can be "
        "compared. Exclude smaller areas.",
    ),
}


def outside_message(name: str, n_polygons: int, location: OutsideLocation) -> Message:
    """Return the message that no polygon of an annotator counts.

    Args:
        name: name of the annotator.
        n_polygons: number of the annotator's polygons.
        location: where they lie.
    """
    plural, singular = _ANNOTATOR_OUTSIDE[location]
    return note(f"outside.{location.value}", plural, one=singular, name=name, count=n_polygons)


def no_polygon_inside_error(n_polygons: int, location: OutsideLocation) -> InputError:
    """Return the error that no polygon of any annotator counts.

    Args:
        n_polygons: number of polygons of all annotators.
        location: where they lie.
    """
    plural, singular = _ALL_OUTSIDE[location]
    return InputError("votes.no_polygon_inside", plural, one=singular, count=n_polygons)


def too_few_to_exclude_error() -> InputError:
    """Return the error for a run that excludes each annotator if there is only one."""
    return InputError(
        "annotators.too_few_to_leave_out",
        "Leaving one annotator out requires at least two annotators.",
    )
