"""Areas that annotators have reviewed, read from a polygon layer that names the annotators."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from randcrowns.core.agreement.reviewed_areas import (
    AnnotatorsOfAreas,
    areas_by_annotator,
    choose_reviewed_field,
)
from randcrowns.core.messages import Message, note
from randcrowns.layers.crs import WorkingCrs
from randcrowns.layers.fields import field_index
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot, read_crowns


class ReviewedLayer(NamedTuple):
    """Reviewed areas of a layer."""

    areas: dict[str, Any]  #: (multi)polygon in working coordinates, by name of the annotator.
    messages: list[Message]  #: messages about the layer.


def read_reviewed_areas(
    snapshot: LayerSnapshot | None,
    annotator_field: str,
    annotators: Collection[str],
    working: WorkingCrs,
) -> ReviewedLayer:
    """Read the areas that annotators have reviewed.

    Args:
        snapshot: polygon layer; None if all annotators have reviewed everything.
        annotator_field: field of the run that names the annotators; "" for none.
        annotators: names of the annotators. Areas of others are not used; a message names them.
        working: working CRS of the result.

    Raises:
        InputError: if the layer has no field that names annotators, or no area of any of them.
    """
    if snapshot is None:
        return ReviewedLayer({}, [])
    field = choose_reviewed_field(
        snapshot.name, annotator_field, lambda name: field_index(snapshot.fields, name) >= 0
    )
    layer = read_crowns(LayerRequest(snapshot, group_field=field), working)
    owners = AnnotatorsOfAreas(snapshot.name, field, layer.crowns.plots)  # type: ignore[arg-type]
    areas = areas_by_annotator(owners, layer.crowns.geometry, annotators)
    messages = [*layer.messages(), *_list_other_names(snapshot.name, owners.distinct_names, areas)]
    return ReviewedLayer(areas, messages)


def _list_other_names(layer: str, names: Collection[str], areas: Collection[str]) -> list[Message]:
    """Return a note about the names of a layer that no annotator has; [] if there are none.

    Args:
        layer: name of the layer with the reviewed areas.
        names: names in the layer.
        areas: names of the annotators that have a reviewed area.
    """
    others = [name for name in names if name not in areas]
    if not others:
        return []
    return [
        note(
            "reviewed.other_names",
            "Layer '{layer}': the reviewed areas of {names} are not used, because no annotator has "
            "this name.",
            layer=layer,
            names=others,
        )
    ]
